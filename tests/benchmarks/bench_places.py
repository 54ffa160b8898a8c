"""How often do the places that a panel gives hold, all at once? Measured by simulation; nothing here is asserted.

Absolute differences of two means on tables of 100 patients and 12 features. Beside ours stands what the variance times
(1/M + n_out/n_in), which is meant for importances on held-out rows, would do. A good one misses in 5 of 100 at most.

    python tests/benchmarks/bench_places.py [tables]
"""

import sys

import numpy as np

import stabcore as sc
from stabcore.analysis.places import place_bounds, shared_share

PLANS = {"5% left out": (sc.Subsample(50, 0.05), 0.05 / 0.95), "20% left out": (sc.Subsample(50, 0.2), 0.25),
         "bootstrap": (sc.Bootstrap(50), 0.368 / 0.632), "10 folds, 5 times": (sc.KFold(10, 5), 1 / 9),
         "10 folds": (sc.KFold(10), 1 / 9), "25 pairs of halves": (sc.Half(25), 1.0), "4 pairs of halves": (sc.Half(4), 1.0)}
EFFECTS = {"all the same": np.full(12, 0.5), "no signal": np.zeros(12), "falling": np.linspace(1.5, 0.2, 12)}


def amounts(plan, gap, seed, n=100):
    y = np.arange(n) % 2
    X = np.random.default_rng(seed).normal(size=(n, len(gap))) + y[:, None] * gap
    rows = [plan.resample(run, y, seed).rows for run in range(plan.runs)]
    return np.abs([X[one][y[one] == 1].mean(axis=0) - X[one][y[one] == 0].mean(axis=0) for one in rows])


def missed(low, high, gap):
    """Is a true place outside? Features with the same effect share all of their places."""
    first = np.array([1 + (gap > one).sum() for one in gap])
    last = np.array([(gap >= one).sum() for one in gap])
    return bool(((low > first) | (high < last)).any())


def main(tables):
    print(f"{'plan':20}{'effects':14}{'missed, ours':>14}{'(1/M + out/in)':>16}{'width, ours':>13}")
    for name, (plan, out) in PLANS.items():
        free = plan.runs / 2 if plan.separate_halves else plan.runs - 1
        for kind, gap in EFFECTS.items():
            found = [amounts(plan, gap, seed) for seed in range(tables)]
            ours = [place_bounds(one, shared_share(plan), free) for one in found]
            others = [place_bounds(one, out / (1 + out), plan.runs - 1) for one in found]
            share = [np.mean([missed(*one, gap) for one in them]) for them in (ours, others)]
            print(f"{name:20}{kind:14}{share[0]:14.3f}{share[1]:16.3f}{np.mean([high - low for low, high in ours]):13.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
