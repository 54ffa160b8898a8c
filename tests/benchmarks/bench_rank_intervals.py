"""How often rank intervals of effects miss a rank, and what they find, by simulation. Printed, not asserted.

Tables of 100 patients with independent features, blocks of ten (ρ = 0.7) or one factor (ρ = 0.5). A miss is a table in which any
interval leaves out the rank of its feature. 5 of 100 are allowed. `found`: the mean upper end of the first eight.

    python tests/benchmarks/bench_rank_intervals.py [tables]
"""

import sys

import numpy as np

from stabcore.analysis.rank_intervals import rank_bounds
from stabcore.inference.effect_sizes import area_contributions, area_under_curve, rank_correlation, rank_correlation_contributions

TRUTHS = {
    "no effect": np.zeros(50),
    "all 0.5": np.full(50, 0.5),
    "all 1": np.full(50, 1.0),
    "all 1, of 20": np.full(20, 1.0),
    "eight of 1.5": np.r_[np.full(8, 1.5), np.zeros(42)],
    "eight of 1.5, of 20": np.r_[np.full(8, 1.5), np.zeros(12)],
    "eight of 1.5, of 2000": np.r_[np.full(8, 1.5), np.zeros(1992)],
}
KINDS = ("independent", "blocks", "factor")


def noise(rng, kind, n, d):
    normal = rng.normal(size=(n, d))
    if kind == "blocks":
        return np.sqrt(0.3) * normal + np.sqrt(0.7) * np.repeat(rng.normal(size=(n, d // 10 + 1)), 10, axis=1)[:, :d]
    return normal if kind == "independent" else np.sqrt(0.5) * (normal + rng.normal(size=(n, 1)))


def intervals(seed, kind, true, numeric, n=100, compared=50):
    """(low, high, lowest and highest rank that is true) of the features with the largest effects of one table."""
    rng = np.random.default_rng(seed)
    outcome = rng.normal(size=n) if numeric else np.arange(n) % 2
    X = noise(rng, kind, n, len(true)) + outcome[:, None] * true * np.where(rng.random(len(true)) < 0.5, -1, 1)
    effect = rank_correlation(X, outcome)[0] if numeric else area_under_curve(X, outcome)[0] - 0.5
    order = np.argsort(-np.abs(effect))[:compared]
    contributions = rank_correlation_contributions if numeric else area_contributions
    low, high = rank_bounds(effect[order], contributions(X[:, order], outcome), np.zeros(n, dtype=int) if numeric else outcome)
    compared_effects = true[order]
    return (
        low,
        high,
        1 + (compared_effects > compared_effects[:, None]).sum(axis=1),
        len(compared_effects) - (compared_effects < compared_effects[:, None]).sum(axis=1),
    )


if __name__ == "__main__":
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for numeric in (False, True):
        for name, true in TRUTHS.items():
            for kind in KINDS:
                each = [intervals(seed, kind, true, numeric) for seed in range(tables)]
                missed = np.array([((low > first) | (high < last)).any() for low, high, first, last in each])
                found = np.mean([high[:8].mean() for _, high, _, _ in each])
                error = np.sqrt(missed.mean() * (1 - missed.mean()) / tables)
                print(
                    f"{'number' if numeric else 'classes':9}{name:24}{kind:13}missed {missed.mean():.3f} ± {error:.3f}   "
                    f"found {found:5.1f} of {len(each[0][0])}",
                    flush=True,
                )
