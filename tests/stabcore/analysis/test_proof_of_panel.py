"""Bounds and intervals of the panel on tables with a known truth.

tests/benchmarks/bench_panel_truth.py does the same with more tables and more kinds of tables.
"""

import numpy as np
import pytest
from panel_support import covered, false_and_bounds
from support import slow

import stabcore as sc
from stabcore.inference.error_bounds import MEINSHAUSEN_BUHLMANN


def halves(runs):
    return sc.ComplementaryPairs(runs // 2)


@pytest.mark.parametrize(
    "table", [{}, slow({"true": 0, "d": 100}), {"true": 0, "d": 100, "shared": 0.6}], ids=["5 true", "none", "correlated"]
)
def test_bounds_on_false_features_hold_on_average(table):
    """A bound on a mean promises nothing about 95 of 100 studies. One false feature exceeds every bound below 1."""
    below_1 = 0
    for (k, threshold), (false, bounds) in false_and_bounds(200, (0.6, 0.75, 0.9), ks=(5, 12, 25), **table).items():
        error, any_false = false.std() / np.sqrt(len(false)), (false > 0).mean()
        for bound, most in bounds.items():
            assert false.mean() <= most + 2 * error, (k, threshold, bound)
            assert any_false <= most + 2 * np.sqrt(any_false * (1 - any_false) / len(false)), (k, threshold, bound)
            assert (false <= 20 * most).mean() >= 0.95, (k, threshold, bound)  # Markov's inequality for 95 of 100
            below_1 += most < 1
            if bound == MEINSHAUSEN_BUHLMANN and most >= 1:  # the widest bound holds in 95 of 100 studies
                assert (false <= most).mean() >= 0.95, (k, threshold)
    assert below_1 > 5


@pytest.mark.parametrize(
    "plan", [slow((sc.Bootstrap, 50)), slow((halves, 50)), (halves, 20)], ids=["bootstrap", "halves", "20 halves"]
)
def test_intervals_cover_at_every_frequency(plan):
    """Rare features are shown only if a run selected them, and the two halves of a pair are dependent."""
    often, inside = np.concatenate([covered(plan, seed, blocks=15) for seed in range(5)]).T
    for low, high in ((0, 0.02), (0.02, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.98), (0.98, 1.01)):
        among = inside[(often >= low) & (often < high)]
        assert len(among) > 100 and among.mean() >= 0.9, (low, high)
    assert 0.92 <= inside.mean() <= 0.995
