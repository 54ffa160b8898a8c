"""How often the bounds and intervals of a panel hold, on simulated tables. Printed, not asserted.

    python tests/benchmarks/bench_panel_truth.py [studies]

A bound limits the mean number of false features over studies. The mean must stay below it. A bound below 1 also limits the share of
studies with any false feature. A single study can have more, so that share is printed, too.
"""

import sys

import numpy as np
from panel_support import DRAWS, covered, drawn, false_and_bounds, ranks, rows_of

import stabcore as sc
from stabcore.inference.effect_sizes import standardised_difference

TABLES = {
    "5 true of 205, n = 100": {},
    "noise, d = 100, n = 100": {"d": 100, "true": 0},
    "correlated noise, d = 100, n = 100": {"d": 100, "true": 0, "shared": 0.6},
    "noise, d = 130, n = 100": {"d": 130, "true": 0},
    "noise, 5 pairs": {"d": 100, "true": 0, "pairs": 5},
    "noise, d = 100, n = 20": {"d": 100, "true": 0, "n": 20},
    "noise, d = 50, n = 12": {"d": 50, "true": 0, "n": 12},
    "noise, d = 1000, n = 60": {"d": 1000, "true": 0, "n": 60, "pairs": 50},
}
PLANS = {
    "20% left out": lambda runs: sc.Subsample(runs, 0.2),
    "5% left out": lambda runs: sc.Subsample(runs, 0.05),
    "bootstrap": sc.Bootstrap,
    "halves": lambda runs: sc.ComplementaryPairs(runs // 2),
}
STRATA = (0, 0.005, 0.02, 0.1, 0.5, 0.9, 0.95, 0.98, 1.01)


def bounds(studies):
    print(f"{'table':36}{'k':>4}{'share':>7}{'false a study':>17}{'any':>7}   bound: mean/bound, studies with no more than that")
    for name, table in TABLES.items():
        for (k, threshold), (false, most) in false_and_bounds(studies, (0.55, 0.75, 0.9, 0.95), ks=(5, 12, 25), **table).items():
            error = false.std() / np.sqrt(len(false))
            bound_values = "; ".join(
                f"{bound} {value:.3f}: {false.mean() / value:.2f}, {(false <= value).mean():.3f}" for bound, value in most.items()
            )
            print(
                f"{name:36}{k:4}{threshold:7.2f}{false.mean():9.3f} ± {error:.3f}{(false > 0).mean():7.3f}   {bound_values}",
                flush=True,
            )


def intervals(tables):
    parts = list(zip(STRATA, STRATA[1:], strict=False))
    print(f"\n{'intervals of frequencies':26}" + "".join(f"{f'{low:.3g} to {min(high, 1):.3g}':>15}" for low, high in parts))
    for name, make in PLANS.items():
        for runs in (10, 20, 50, 100):
            often, inside = np.concatenate([covered((make, runs), seed) for seed in range(tables)]).T
            of_parts = [inside[(often >= low) & (often < high)] for low, high in parts]
            shares = [f"{part.mean():.3f}" if len(part) else "-" for part in of_parts]
            print(f"{name:18}{runs:4} runs" + "".join(f"{share:>15}" for share in shares), flush=True)


def chosen_effects(studies):
    """How often intervals of effects leave out 0, for selected features without signal."""
    left_out = []
    for n, d, k in ((100, 100, 5), (100, 100, 12), (80, 26, 5), (60, 1000, 12)):
        for seed in range(studies):
            X, y = drawn(np.random.default_rng(seed), n, d, 0, 0.0)
            in_panel = (ranks(X, y, rows_of(sc.ComplementaryPairs(25), n, seed % DRAWS)) < k).mean(axis=0) >= 0.75
            _, low, high = standardised_difference(X[:, in_panel], y)
            left_out += ((low > 0) | (high < 0)).tolist()
    print(
        f"\nof {len(left_out):,} features that were selected without signal, the intervals of {np.mean(left_out):.1%} leave out 0"
    )


if __name__ == "__main__":
    n_studies = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    bounds(n_studies)
    intervals(max(2, n_studies // 20))
    chosen_effects(n_studies)
