"""The core: import, measures at large d, profiles and relations. Prints medians, and ratios within the run."""

import subprocess
import sys

import numpy as np
from benchmark_support import median, peak

import stabcore as sc
from stabcore.analysis.stability_profile import random_profile


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
            sc.stability(
                sc.Selections(runs.selection, d),
                "effective",
                similarity=sc.Similarity(d, None, similarity.labels, similarity.group_names),
            )

        seconds = median(work)
        growth = "" if before is None else f"{seconds / before:5.1f}×"
        print(f"  d = {d:>9,}: {seconds:7.4f} s, peak {peak(work):7.1f} MB {growth}")
        before = seconds


def profiles():
    print("\na profile over all k, d = 130, M = 50 (ratio: to computing the measure at every k)")
    rng = np.random.default_rng(1)
    runs = sc.Selections.from_scores(rng.normal(size=130) + rng.normal(size=(50, 130)))
    similarity = sc.Similarity.from_correlation(rng.normal(size=(333, 130)) @ rng.normal(size=(130, 130)), threshold=0.1)
    for key in ("nogueira", "jaccard", "effective"):
        fast = median(lambda: sc.stability_profile(runs, key, similarity=similarity, baseline=False))
        slow = median(
            lambda: [sc.stability(runs.top(k), key, similarity=similarity, interval="jackknife") for k in range(1, 131)], times=1
        )
        band = median(lambda: random_profile(50, 130, range(1, 131), key, similarity=similarity), times=3)
        print(f"  {key:10}: {fast:.4f} s, {slow / fast:5.1f}× faster than one by one; its random band {band:.3f} s")


if __name__ == "__main__":
    imports()
    effective()
    profiles()
