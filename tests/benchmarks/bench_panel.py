"""The panel of 50 runs of 8 selectors at size: seconds of the processor beside their targets. Its screen: bench_screens.py."""

from functools import partial

import numpy as np
import pandas as pd
from benchmark_support import SELECTORS, best
from panel_support import drawn

import stabcore as sc
from stabcore.analysis.consensus import consensus, shared_panels
from stabcore.analysis.panel import panel
from stabcore.plots.panel import draw_panel, draw_shared, frame_panel, frame_shared
from stabcore.study.results import Results

RUNS, LARGE = 50, 12_600


def results(d, k=20):
    """Eight selectors, 50 runs each: scores with a common part."""
    rng = np.random.default_rng(d)
    pull = np.where(np.arange(d) < 30, np.linspace(3, 1, d)[np.arange(d)], 0)
    return Results({f"s{i}": sc.Selections.from_scores(rng.normal(size=(RUNS, d)) + pull).top(k) for i in range(len(SELECTORS))})


def table():
    """102 patients and 12,600 features, of which 20 differ."""
    X, y = drawn(np.random.default_rng(0), 102, LARGE, 20, 1.0)
    frame = pd.DataFrame(X.round(3), columns=[f"gene{i}" for i in range(LARGE)])
    return frame.assign(outcome=np.where(y, "sick", "well"))


def core():
    quick = partial(panel, with_swaps=False)  # as the screen does while a slider is moved
    for d, most in ((130, 0.3), (LARGE, 1.0)):
        made = results(d)
        labels = made.selectors
        made.selections(labels[0], 10)
        seconds = {
            "panel, another threshold": best(lambda: draw_panel(frame_panel(quick(made, 0.6), 0.6))),
            "panel, another k": best(lambda: draw_panel(frame_panel(quick(made, 0.6, 15), 0.6))),
            "what swaps, once": best(lambda: sc.substitutes(made), 1),
            "UpSet (0.3 s)": best(lambda: draw_shared(frame_shared(shared_panels(made, 0.6), labels), labels)),
            "consensus": best(lambda: consensus(made, 0.6)),
        }
        for what, spent in seconds.items():
            print(f"{most:.1f} s asked   {spent:6.2f} s   d = {d:6,}   {what}", flush=True)
    data = sc.Dataset.from_frame(table(), target="outcome")
    for what, make in (("effects, as measured and shrunken", sc.effects), ("rank intervals", sc.rank_intervals)):
        spent = best(partial(make, data), 1)
        print(f"10 s asked    {spent:6.2f} s   d = {LARGE:,}, n = 102: {what}, once")


if __name__ == "__main__":
    core()
