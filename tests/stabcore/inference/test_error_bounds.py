"""Bounds on false features against published values and a slow search for the largest tail. Noise: test_proof_of_panel.py."""

import numpy as np
import pytest
from support import golden, stored_reference

from stabcore.base.errors import InputError
from stabcore.inference.error_bounds import BOUNDS, MEINSHAUSEN_BUHLMANN, R_CONCAVE, UNIMODAL, largest_tail, pfer_bound


def of(record, bound):
    return pfer_bound(record["mean_selected"], record["n_features"], record["threshold"], record["pairs"], bound)


@pytest.mark.parametrize("read", [stored_reference, golden])
def test_bounds_equal_those_of_stabs(read):
    """The search in stabs loses its support after the first tail, so it stops before the largest r-concave one."""
    for record in read("stability_selection.json")["records"]:
        for bound in (MEINSHAUSEN_BUHLMANN, UNIMODAL):
            wanted = np.nan if record[bound] is None else record[bound]
            assert of(record, bound) == pytest.approx(wanted, rel=1e-9, nan_ok=True)
        ours, theirs = of(record, R_CONCAVE), record[R_CONCAVE]
        assert theirs * (1 - 1e-6) <= ours <= theirs + 1e-5 * record["n_features"]


def test_values_of_the_paper():
    printed = [0.00697, 0.0334, 0.0869, 0.164, 0.261, 0.382]
    assert [pfer_bound(q, 100, 0.6, 50, R_CONCAVE) for q in range(1, 7)] == pytest.approx(printed, rel=4e-3)


@pytest.mark.parametrize(
    ("mean", "t", "n", "r"), [(0.05, 18, 20, -0.5), (0.05, 30, 30, -0.25), (0.0025, 4, 15, -0.5), (0.2, 23, 30, -0.25)]
)
def test_no_distribution_on_a_fine_grid_has_a_larger_tail(mean, t, n, r):
    best, shifts, rests = 0.0, np.geomspace(1e-6, 1e4, 1500)[:, None], np.linspace(0, 1, 60)
    for top in range(t - 1, n + 1):
        law, counts = (shifts + np.arange(top + 2)) ** (1 / r), np.arange(top + 2)
        law[:, -1] *= top < n
        rest = rests * law[:, -1:]  # (shift, share of the largest probability on top + 1)
        total, mass = law[:, :-1].sum(axis=1)[:, None] + rest, law[:, t:-1].sum(axis=1)[:, None] + rest * (top + 1 >= t)
        small = law[:, :-1] @ counts[:-1][:, None] + rest * (top + 1) <= n * mean * total
        best = max(best, (mass / total)[small].max(initial=0))
    assert best <= largest_tail(mean, t, n, r) <= best * 1.05


def test_an_array_of_thresholds_gives_each_bound():
    thresholds = np.array([0.5, 0.6, 0.75, 0.9, 1.0])
    for bound in BOUNDS:
        each = [pfer_bound(5, 100, float(threshold), 25, bound) for threshold in thresholds]
        assert pfer_bound(5, 100, thresholds, 25, bound) == pytest.approx(each, nan_ok=True)
        assert np.isnan(each[0]) == (bound != R_CONCAVE) and each[1:] == sorted(each[1:], reverse=True)
    assert pfer_bound(0, 100, 0.6, 25, R_CONCAVE) == 0
    # 2τ − 1 = 1/(2B), but for rounding, or below it, where the unimodal bound divides by 0
    assert np.isnan(pfer_bound(5, 100, np.array([0.51, 0.54, 0.55]), 5, UNIMODAL)).all()
    # up to half of the runs, the r-concave bound is that of all runs alone
    assert pfer_bound(5, 200, 0.4, 25, R_CONCAVE) == 200 * largest_tail(5 / 200, 20, 50, -0.25)
    for undefined in ((5, 100, 0.6, 25, "best"), (101, 100, 0.6, 25), (5, 100, 60, 25)):
        with pytest.raises(InputError):
            pfer_bound(*undefined)
