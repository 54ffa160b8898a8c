"""The panel at size, and its claims on many tables: how long it takes, how often bounds and intervals hold. Nothing is asserted.

    python tests/benchmarks/bench_panel.py [tables]

Times are of the processor, which other work on the machine disturbs less; the first number of each line is what is asked for.
"""

import sys
from pathlib import Path

import numpy as np

import stabcore as sc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))        # what tests share

from benchmark_support import best
from panel_support import covered, drawn, false_and_bounds

from stabcore.analysis.consensus import consensus, shared_panels
from stabcore.analysis.panel import panel
from stabcore.figures.panel import draw_panel, draw_shared, frame_panel, frame_shared
from stabcore.study.results import Results

RUNS, SELECTORS = 50, 8


def results(d, k=20):
    """Eight selectors, 50 runs each: scores with a common part."""
    rng = np.random.default_rng(d)
    pull = np.where(np.arange(d) < 30, np.linspace(3, 1, d)[np.arange(d)], 0)
    return Results({f"s{i}": sc.Preferences.from_scores(rng.normal(size=(RUNS, d)) + pull).top(k) for i in range(SELECTORS)})


def times():
    for d, most in ((130, 0.3), (12600, 1.0)):
        made = results(d)
        labels = made.selectors
        made.preferences(labels[0], 10)
        seconds = {
            "panel, another threshold": best(lambda: draw_panel(frame_panel(panel(made, 0.6, with_places=False), 0.6))),
            "panel, another k": best(lambda: draw_panel(frame_panel(panel(made, 0.6, 15, with_places=False), 0.6))),
            "UpSet (0.3 s)": best(lambda: draw_shared(frame_shared(shared_panels(made, 0.6), labels), labels)),
            "consensus": best(lambda: consensus(made, 0.6)),
            "places, once": best(lambda: sc.places(made))}
        for what, spent in seconds.items():
            print(f"{most:.1f} s asked   {spent:6.2f} s   d = {d:6,}   {what}")


def effects():
    import pandas as pd

    X, y = drawn(np.random.default_rng(0), 102, 12600, 20, 1.0)
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])]).assign(outcome=np.where(y, "sick", "well"))
    data = sc.Dataset.from_frame(frame, target="outcome")
    result = sc.Study(data, "welch_t", plan=sc.Subsample(RUNS, 0.05), k=20, seed=1, classifier="none").run(workers=1)
    print(f"10 s asked    {best(lambda: sc.effects(data, result), 1):6.2f} s   d = 12,600, n = 102, M = 50: effects, once")


def truth(tables):
    for threshold, (false, bounds) in false_and_bounds(tables, (0.6, 0.75, 0.9)).items():
        told = ", ".join(f"{bound} {most:.2f} (holds in {np.mean(false <= most):.3f})" for bound, most in bounds.items())
        print(f"threshold {threshold}: false {false.mean():.3f} a study, at most: {told}")
    often, inside = np.array([pair for seed in range(max(1, tables // 50)) for pair in covered(100 + seed)]).T
    for low, high in ((0, 0.02), (0.02, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.01)):
        among = (often >= low) & (often < high)
        print(f"intervals of features that come in {low:.0%} to {min(high, 1):.0%} of the runs hold in {inside[among].mean():.3f}")


if __name__ == "__main__":
    times()
    effects()
    truth(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
