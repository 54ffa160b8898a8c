"""Agreement cutoffs of rankings with a known cutoff, of random and of perfect ones, and marginal stability by its definition."""

from itertools import combinations

import numpy as np
import pytest
from cutoff_support import clear, fading, headed, shifted, top_of
from snapshot_support import check_refusals
from support import slow

import stabcore as sc
from stabcore.analysis import agreement_cutoff as module
from stabcore.analysis.agreement_cutoff import agreement_cutoff, marginal_stability


def scored_runs(head, d, runs, random_state=0, ordered=True):
    return sc.Selections.from_scores(headed(head, d, runs, np.random.default_rng(random_state), ordered))


def textbook(ranks, k, window):
    """Marginal stability, pair by pair, from the definition."""
    d, found, chance = ranks.shape[1], [], []
    for a, b in combinations(ranks, 2):
        found.append(((a > k) & (a <= k + window) & (b > k) & (b <= k + window)).sum())
        neither = (~(a <= k) & ~(b <= k)).sum()
        chance.append(neither * (window / (d - k)) ** 2)
    return (np.mean(found) - np.mean(chance)) / (window - np.mean(chance))


@pytest.mark.parametrize(("window", "gaps"), [(1, True), (3, False), (6, True)])
def test_marginal_stability_equals_its_definition_and_its_jackknife(window, gaps):
    scores = np.linspace(2, 0, 21) + np.random.default_rng(1).normal(size=(5, 21))
    if gaps:
        scores[1, 19:] = scores[4, 2] = np.nan
    runs = sc.Selections.from_scores(scores)
    ranks, found = runs.ranking(), marginal_stability(runs, window, level=0.9)
    longest = 19 if gaps else 21
    assert found["k"].tolist() == list(range(min(longest - window, 20 - window) + 1))
    for row in found.itertuples():
        without = np.array([textbook(np.delete(ranks, i, axis=0), row.k, window) for i in range(5)])
        half = 2.13184678 * np.sqrt(4 / 5 * ((without - without.mean()) ** 2).sum())
        value = textbook(ranks, row.k, window)
        assert (row.value, row.low, row.high) == pytest.approx((value, row.value - half, row.value + half), abs=1e-8)


def beyond_chance(ranks, C=None):
    """(K,) tr(CΣ⁰) − tr(CS) at every k. With C = I: features that two runs share, minus those that two random sets share."""
    d = ranks.shape[1]
    C, found = np.eye(d) if C is None else C, []
    for k in range(1, d + 1):
        Z = (ranks <= k).astype(float)
        null = np.full((d, d), (k * k - k) / (d * d - d) - (k / d) ** 2)
        np.fill_diagonal(null, k / d * (1 - k / d))
        found.append(np.trace(C @ null) - np.trace(C @ np.cov(Z.T)))
    return np.array(found)


@pytest.mark.parametrize("related", [False, True])
def test_agreement_beyond_chance_equals_its_definition(related):
    runs = sc.Selections.from_scores(np.linspace(2, 0, 14) + np.random.default_rng(2).normal(size=(6, 14)))
    similarity = sc.Similarity.from_groups({"g": [0, 5, 9], "h": [2, 3]}, n_features=14) if related else None
    C = similarity.block(np.arange(14)) if related else None
    ks, value, pseudo = module._shared_beyond_chance(runs, similarity)
    ranks = runs.ranking()
    whole = beyond_chance(ranks, C)
    left = np.array([beyond_chance(np.delete(ranks, i, axis=0), C) for i in range(6)])
    assert ks.tolist() == list(range(1, 15)) and value == pytest.approx(whole, abs=1e-9)
    assert pseudo == pytest.approx(6 * whole - 5 * left, abs=1e-8)
    if not related:
        shared = [np.mean([((a <= k) & (b <= k)).sum() for a, b in combinations(ranks, 2)]) for k in ks]
        assert value == pytest.approx(shared - ks**2 / 14, abs=1e-9)


@pytest.mark.parametrize(
    ("head", "d", "runs", "ordered"),
    [(12, 130, 20, True), (10, 100, 30, False), (5, 40, 20, True), slow(20, 200, 20, False), slow(60, 400, 15, True)],
)
def test_a_known_cutoff_is_found(head, d, runs, ordered):
    runs = scored_runs(head, d, runs, 1, ordered)
    found = agreement_cutoff(runs)
    assert found.k == head and found.low <= head <= found.high <= head + 1 and not found.reason
    assert found.shared == pytest.approx(head - head**2 / d) and found == agreement_cutoff(runs)


@pytest.mark.parametrize("M", [5, slow(20), slow(60)])
def test_intervals_cover_the_cutoff_and_fading_effects_have_none(M):
    """With effects that are often missed, the cutoff is just after the last one. Fading effects have a maximum but no cutoff."""
    held, ends, claimed = 0, top_of(clear(size=4.5), 1500), 0
    top = top_of(fading(), 1500)
    for seed in range(20):
        rng = np.random.default_rng([M, seed])
        found = agreement_cutoff(sc.Selections.from_scores(shifted(clear(size=4.5), M, rng)))
        fades = agreement_cutoff(sc.Selections.from_scores(shifted(fading(), M, rng)))
        held += (found.low <= ends <= found.high) + (fades.low <= top <= fades.high)
        claimed += not np.isnan(fades.k)
    assert held >= 36 and claimed == 0


@pytest.mark.parametrize(("d", "runs"), [(40, 10), slow(100, 30), slow(130, 5)])
def test_random_and_perfect_rankings_have_no_cutoff(d, runs):
    random = [agreement_cutoff(scored_runs(0, d, runs, seed)) for seed in range(40)]
    assert all(np.isnan(found.k) and found.reason for found in random)
    assert sum("no agreement beyond chance" in found.reason for found in random) >= 36
    found = agreement_cutoff(sc.Selections.from_scores(np.tile(np.arange(50.0), (6, 1))))
    assert np.isnan(found.k) and "fades" in found.reason and found.low == 25


def test_similar_features_count_as_shared():
    rng = np.random.default_rng(0)
    scores = rng.random((20, 120))
    for g in range(10):  # each of the first ten ranks goes to one of three features
        scores[np.arange(20), 3 * g + rng.integers(0, 3, 20)] = 100 - g
    groups = sc.Similarity.from_groups({str(g): range(3 * g, 3 * g + 3) for g in range(10)}, n_features=120)
    found = agreement_cutoff(sc.Selections.from_scores(scores), similarity=groups)
    assert found.k == 10 and (found.low, found.high) == (10, 10)
    assert agreement_cutoff(sc.Selections.from_scores(scores)).k != 10


def test_incomplete_rankings():
    scores = np.random.default_rng(0).random((12, 150))
    scores[:, :10] = 100 - np.arange(10)
    scores[:, 10:] = np.where(np.argsort(np.argsort(scores[:, 10:], axis=1), axis=1) < 60, scores[:, 10:], np.nan)
    assert agreement_cutoff(sc.Selections.from_scores(scores)).k == 10
    only_head = sc.Selections.from_scores(np.where(scores > 5, scores, np.nan))
    assert "ranked next still agree" in agreement_cutoff(only_head).reason


def test_wrong_arguments_are_refused():
    enough = scored_runs(2, 20, 5)
    cases = [
        *((agreement_cutoff, scored_runs(2, 20, 4)), (agreement_cutoff, scored_runs(2, 7, 5))),
        *((marginal_stability, enough, 7), (marginal_stability, enough, 1.5)),
        (agreement_cutoff, sc.Selections.from_matrix(np.eye(9))),
    ]
    check_refusals("analysis/wrong_agreement_cutoffs", lambda ask, *given: ask(*given), cases)
