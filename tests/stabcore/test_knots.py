"""Knots of rankings that were made with one, of random ones and of perfect ones; marginal stability against its definition."""

from itertools import combinations, permutations

import numpy as np
import pytest

import stabcore as sc
from stabcore.knots import _broken_lines, knots, marginal_stability


def made(head, d, runs, seed=0, ordered=True):
    """Runs that rank the first `head` features above all others, in one order or any, and the others in any order."""
    scores = np.random.default_rng(seed).random((runs, d))
    scores[:, :head] += 5
    if ordered:
        scores[:, :head] = 100 - np.arange(head)
    return sc.Preferences.from_scores(scores)


def textbook(ranks, k, window):
    """Marginal stability, pair by pair, from the definition."""
    d, found, chance = ranks.shape[1], [], []
    for a, b in combinations(ranks, 2):
        found.append(((a > k) & (a <= k + window) & (b > k) & (b <= k + window)).sum())
        neither = (~(a <= k) & ~(b <= k)).sum()
        chance.append(neither * (window / (d - k)) ** 2)
    return (np.mean(found) - np.mean(chance)) / (window - np.mean(chance))


# ---- marginal stability ----

@pytest.mark.parametrize("window", [1, 3, 6])
@pytest.mark.parametrize("gaps", [False, True])
def test_marginal_stability_equals_its_definition_and_its_jackknife(window, gaps):
    scores = np.linspace(2, 0, 21) + np.random.default_rng(1).normal(size=(5, 21))
    if gaps:
        scores[1, 19:] = scores[4, 2] = np.nan
    runs = sc.Preferences.from_scores(scores)
    ranks, found = runs.ranking(), marginal_stability(runs, window, level=0.9)
    longest = 19 if gaps else 21
    assert found["k"].tolist() == list(range(min(longest - window, 20 - window) + 1))
    for row in found.itertuples():
        without = np.array([textbook(np.delete(ranks, i, axis=0), row.k, window) for i in range(5)])
        half = 2.13184678 * np.sqrt(4 / 5 * ((without - without.mean()) ** 2).sum())
        assert (row.value, row.low, row.high) == pytest.approx(
            (textbook(ranks, row.k, window), row.value - half, row.value + half), abs=1e-8)


def test_chance_is_zero_on_average_over_all_ways_to_go_on():
    """One run ranks 0 1 2 3 4, the other begins with 1 0 or 3 4 and then goes on in each possible way."""
    first = np.arange(1.0, 6)
    for head in ([1, 0], [3, 4], [0, 3]):
        rest = [f for f in range(5) if f not in head]
        values = []
        for mine in permutations([2, 3, 4]):                # both go on at random
            for other in permutations(rest):
                ranks = np.array([first, np.zeros(5)])
                ranks[0, list(mine)] = [3, 4, 5]
                ranks[1, head + list(other)] = [1, 2, 3, 4, 5]
                values.append(textbook(ranks, 2, 2))
        assert np.mean(values) == pytest.approx(0, abs=1e-12)


def test_marginal_stability_is_one_in_the_head_and_chance_below_it():
    found = marginal_stability(made(20, 200, 30), 8).set_index("k")
    assert found["value"][:13].to_numpy() == pytest.approx(np.ones(13)) and found["low"][:20].min() > 0
    assert abs(found["value"][20:].mean()) < 0.01


# ---- knots ----

@pytest.mark.parametrize("head, d, runs", [(10, 100, 30), (20, 200, 10), (5, 40, 20), (60, 400, 15)])
@pytest.mark.parametrize("seed", range(3))
def test_both_methods_find_the_end_of_a_head_of_fixed_order(head, d, runs, seed):
    found = knots(made(head, d, runs, seed))
    assert found["method"].tolist() == ["marginal stability", "two segments"] and (found["reason"] == "").all()
    assert (abs(found["k"] - head) <= 1).all()
    assert (found["low"] <= found["k"]).all() and (found["k"] <= found["high"]).all() and (found["high"] - found["low"]).max() < 10


@pytest.mark.parametrize("measure, away", [("phi", 1), ("kuncheva", 1), ("dice", 1), ("jaccard", 6)])
def test_other_measures_bend_near_the_same_place(measure, away):
    assert knots(made(20, 200, 20), measure)["k"][1] == pytest.approx(20, abs=away)


def test_effective_finds_a_head_whose_members_stand_for_each_other():
    scores = np.random.default_rng(0).random((20, 120))
    for g in range(10):                                     # one of three at each of the first ten places
        scores[np.arange(20), 3 * g + np.random.default_rng(g).integers(0, 3, 20)] = 100 - g
    runs, groups = sc.Preferences.from_scores(scores), sc.Relation.from_groups(
        {str(g): range(3 * g, 3 * g + 3) for g in range(10)}, n_features=120)
    found = knots(runs, "effective", relation=groups)
    assert found["k"][1] == pytest.approx(10, abs=2) and found["reason"][1] == ""


@pytest.mark.parametrize("ordered", [True, False])
def test_a_head_in_random_order_is_found_roughly(ordered):
    found = knots(made(20, 200, 30, ordered=ordered))
    assert found["k"].between(15, 25).all()


@pytest.mark.parametrize("d, runs", [(100, 30), (40, 10)])
def test_random_rankings_have_no_knot(d, runs):
    nothing = 0
    for seed in range(20):
        found = knots(made(0, d, runs, seed))
        nothing += found["k"].isna().to_numpy()
        for row in found[found["k"].isna()].itertuples():
            assert np.isnan([row.low, row.high]).all() and row.reason
    assert (nothing >= 18).all()
    assert "no more stable than chance" in found["reason"][0] and "no more stable than chance" in found["reason"][1]


def test_perfect_rankings_have_no_knot():
    found = knots(sc.Preferences.from_scores(np.tile(np.arange(50.0), (6, 1))))
    assert found["k"].isna().all() and found["low"].isna().all()
    assert "all the way down" in found["reason"][0] and "does not bend" in found["reason"][1]


def test_knots_of_rankings_that_stop_early():
    scores = np.random.default_rng(0).random((12, 150))
    scores[:, :10] = 100 - np.arange(10)
    scores[:, 10:] = np.where(np.argsort(np.argsort(scores[:, 10:], axis=1), axis=1) < 60, scores[:, 10:], np.nan)
    assert (abs(knots(sc.Preferences.from_scores(scores))["k"] - 10) <= 2).all()


@pytest.mark.parametrize("knot", [2, 7.5, 15, 27])
def test_the_broken_line_is_the_best_of_all_by_least_squares(knot):
    x = np.arange(1.0, 31)
    noisy = np.minimum(x, knot) - 0.4 * np.maximum(x - knot, 0) + np.random.default_rng(3).normal(0, 0.3, (4, 30))
    found, before, after = _broken_lines(x, noisy)
    for i, y in enumerate(noisy):
        fits = [np.linalg.lstsq(np.column_stack([np.minimum(x, t), np.maximum(x - t, 0)]), y) for t in x[1:-1]]
        best = int(np.argmin([fit[1][0] for fit in fits]))
        assert abs(found[i] - x[1:-1][best]) <= 0.5 and (before[i], after[i]) == pytest.approx(tuple(fits[best][0]))
    assert abs(found - knot).max() < 1.5


@pytest.mark.parametrize("make, said", [
    (lambda: knots(made(2, 20, 2)), "at least 3 runs that each rank 8 features; found 2 runs"),
    (lambda: knots(made(2, 7, 5)), "the shortest of which ranks 7"),
    (lambda: knots(made(2, 20, 5), window=7), "from 1 to 6, a third of those ranked by all runs; found 7"),
    (lambda: marginal_stability(made(2, 20, 5), 1.5), "found 1.5"),
    (lambda: knots(sc.Preferences.from_selection_matrix(np.eye(9))), "needs a ranking"),
    (lambda: knots(made(2, 20, 5), "spearman_ranks"), "needs a measure of sets"),
])
def test_wrong_questions_get_sentences(make, said):
    with pytest.raises(sc.InputError, match=said):
        make()
