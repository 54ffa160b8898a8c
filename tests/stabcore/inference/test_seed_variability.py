"""Whose dice: the share of the disagreement that a selector has with itself on the same rows."""

import numpy as np
import pytest
from dice_support import drawn
from noise_support import Here, noise_study
from study_support import study

import stabcore as sc
from stabcore.inference.seed_variability import own_share


def slow(fits):
    """The formulas of the docstring, one feature and run after the other."""
    Z = np.stack([one.selection_matrix.toarray() for one in fits])  # repeats × runs × features
    d = Z.shape[2]
    total = sum(Z[:, :, f].mean() * (1 - Z[:, :, f].mean()) for f in range(d)) / d
    own = sum(np.mean([np.var(Z[:, run, f], ddof=1) for run in range(Z.shape[1])]) for f in range(d)) / d
    return own, total


@pytest.mark.parametrize("repeats", [2, 3, 5])
def test_the_share_is_that_of_a_slow_loop(repeats):
    fits, _ = drawn(np.random.default_rng(repeats), 7, repeats, d=9)
    found, (own, total) = own_share(fits), slow(fits)
    assert (found["own"], found["total"], found["share"]) == pytest.approx((own, total, min(own / total, 1)))
    shares = []
    for run in range(7):
        own, total = slow([one.take([at for at in range(7) if at != run]) for one in fits])
        shares.append(own / total)
    half = 2.4469118487916806 * np.sqrt(6 / 7 * ((np.array(shares) - np.mean(shares)) ** 2).sum())  # t, 6 degrees of freedom
    middle = 7 * found["own"] / found["total"] - 6 * np.mean(shares)
    assert (found["low"], found["high"]) == pytest.approx(np.clip([middle - half, middle + half], 0, 1))


def test_a_known_share_is_found():
    """Small version of benchmarks/bench_control.py."""
    for own in (0.1, 0.5, 0.9):
        rng = np.random.default_rng(int(10 * own))
        pairs = [(own_share(fits), share) for fits, share in (drawn(rng, 50, own=own) for _ in range(40))]
        bias = np.array([found["share"] - share for found, share in pairs])
        assert abs(bias.mean()) < 0.03
        assert np.mean([found["low"] <= share <= found["high"] for found, share in pairs]) >= 0.8


def test_no_disagreement_no_share_and_dice_alone_all_of_it():
    same = sc.Selections.from_matrix([[1, 1, 0, 0]] * 5)
    found = own_share([same, same])
    assert np.isnan(found["share"]) and found["note"] == "no two fits disagree"
    fits, _ = drawn(np.random.default_rng(0), 60, own=1.0)
    alone = own_share(fits)
    assert alone["share"] > 0.95 and 0.9 < alone["low"] < 1 == alone["high"]  # never an interval without width
    rows = own_share([fits[0], fits[0]])
    assert rows["share"] == 0 and np.isnan(rows["low"]) and rows["note"]
    two = own_share([one.take([0, 1]) for one in fits])
    assert two["share"] >= 0 and np.isnan(two["low"]) and "three runs" in two["note"]


def test_pairs_of_halves_are_left_out_together():
    fits, _ = drawn(np.random.default_rng(3), 12)
    alone, pairs = own_share(fits), own_share([one.in_units(np.arange(12) // 2) for one in fits])
    assert alone["share"] == pairs["share"] and alone["low"] != pairs["low"]


def test_a_study_fits_again_what_has_chance_inside():
    selectors = {"mim": "mim", "random_forest": ("random_forest", {"trees": 10}), "random": "random"}
    made = study(selectors=selectors, runs=5, n_seeds=3).run(Here())
    assert made.total == 15 + 2 * 2 * 5
    dice = made.seed_variability()
    assert list(dice.index) == ["random_forest", "random"] and (dice["runs"] == 5).all()
    for k in (None, 2):
        for label, row in made.seed_variability(k).iterrows():
            assert (row["own"], row["total"]) == pytest.approx(slow([made.selections(label, k, repeat=r) for r in range(3)]))
    same = made.selections("random_forest").scores == made.selections("random_forest", repeat=1).scores
    assert not same.all()  # other dice, on the same rows
    halves = noise_study(0, selectors=("random",), plan=sc.ComplementaryPairs(3), n_seeds=2).seed_variability()
    assert 0.3 < halves.loc["random", "share"] <= 1
