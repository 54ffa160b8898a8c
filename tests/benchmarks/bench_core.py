"""The core: import, measures at large d, profiles, convergence and fronts. Prints medians, and ratios within the run."""

import subprocess
import sys

import numpy as np
import pandas as pd
from benchmark_support import best, groups, line, median, peak, sparse

import stabcore as sc
from stabcore.analysis.pareto import pareto_front, weighted_choice
from stabcore.analysis.stability_profile import random_profile
from stabcore.inference.runs_needed import stability_by_runs

KEYS = ("nogueira", "jaccard", "effective")
SOME = 8  # k at which a measure is computed by itself


def process(code):
    """Median wall seconds of a fresh interpreter that runs `code`."""
    return median(lambda: subprocess.run([sys.executable, "-c", code], check=True))


def imports():
    bare, numpy, ours = (process(code) for code in ("pass", "import numpy", "import stabcore"))
    print(f"import stabcore: {ours - bare:.3f} s beyond the bare interpreter ({bare:.3f} s); numpy alone {numpy - bare:.3f} s")


def study_of(d, groups, rng, runs=100, chosen=100):
    """Random selections out of d features and a similarity of groups of ten."""
    made = sc.Selections.from_lists([rng.choice(d, chosen, replace=False) for _ in range(runs)], n_features=d)
    labels = rng.permutation(d)
    return made, sc.Similarity.from_groups({str(g): labels[g * 10 : g * 10 + 10] for g in range(groups)}, n_features=d)


def effective():
    print("\neffective with groups, M = 100, 100 selected a run (growth: ratio to the row above)")
    before, rng = None, np.random.default_rng(0)
    for d in (1000, 10_000, 100_000, 1_000_000):
        runs, similarity = study_of(d, d // 20, rng)

        def work():
            again = sc.Similarity(d, None, similarity.labels, similarity.group_names)
            sc.stability(sc.Selections(runs.selection, d), "effective", similarity=again)

        seconds = median(work)
        growth = "" if before is None else f"{seconds / before:5.1f}×"
        print(f"  d = {d:>9,}: {seconds:7.4f} s, peak {peak(work):7.1f} MB {growth}")
        before = seconds


def rankings(M, d, random_state=0):
    """Runs that rank d features alike up to noise, the ranking already known."""
    rng = np.random.default_rng(random_state)
    return sc.Selections.from_scores(np.linspace(3, 0, d) + rng.normal(size=(M, d))).top(10)


def profiles(M, d):
    print(f"\na profile with its interval over all k, M = {M}, d = {d:,} (ratio: to the measure at each k, from {SOME} of them)")
    runs, some = rankings(M, d), np.linspace(1, d - 1, SOME).astype(int)
    for name, key, similarity in (
        ("nogueira", "nogueira", None),
        ("jaccard", "jaccard", None),
        ("effective, groups of 11", "effective", groups(d)),
        ("effective, 10 related each", "effective", sparse(d, 10)),
    ):
        ours = best(lambda: sc.stability_profile(runs, key, similarity=similarity, baseline=False), 2)
        each = best(lambda: [sc.stability(runs.top(int(k)), key, similarity=similarity, interval="jackknife") for k in some], 1)
        line(name, ours, 1 if similarity is None else None, f"  {each / SOME * d / ours:6.0f}× faster than one by one")
        line("  its random band", best(lambda: random_profile(M, d, range(1, d + 1), key, similarity=similarity)))


def others():
    print("\nagreement cutoff, convergence, fronts; M = 100, d = 10 000")
    runs = rankings(100, 10_000)
    line("agreement cutoff", best(lambda: sc.agreement_cutoff(runs), 2))
    chosen, similarity = runs.top(100), sparse(10_000, 10)
    for key in KEYS:
        line(f"convergence, {key}, 200 orders of 30 sizes", best(lambda: stability_by_runs(chosen, key, similarity=similarity), 2))
    points = pd.DataFrame(np.random.default_rng(0).random((7000, 2)), columns=["accuracy", "stability"])
    line("front of 7000 points", best(lambda: pareto_front(points)))
    line("compromise among 7000 points", best(lambda: weighted_choice(points, 0.5)))


if __name__ == "__main__":
    imports()
    effective()
    profiles(50, 130)
    profiles(100, 10_000)
    others()
