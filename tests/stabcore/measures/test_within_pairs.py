"""Measures that compare only the two runs of a pair, against loops over the pairs."""

from dataclasses import replace

import numpy as np
import pytest
from measure_support import random_similarity
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.analysis.agreement_cutoff import marginal_terms
from stabcore.analysis.pareto import stability_of_halves
from stabcore.analysis.stability_profile import profile_terms
from stabcore.inference.estimate import measure_terms
from stabcore.inference.runs_needed import stability_by_runs
from stabcore.measures.catalog import ENTRIES, entry
from stabcore.measures.chance import nogueira
from stabcore.measures.effective import selection_variance

PAIRS, D, K = 9, 12, 4
RATIOS = ("importance_weighted", "shared_information")  # ratios of two averages, which differ between pairs


def ranked(seed=0):
    """Runs with full rankings, in an arbitrary order of pairs."""
    rng = np.random.default_rng(seed)
    scores = rng.random((2 * PAIRS, D)) + np.linspace(0, 1, D)
    runs = replace(sc.Selections.from_scores(scores), raw_importances=csr_array(scores))
    return runs.in_pairs(rng.permutation(np.repeat(range(PAIRS), 2)))


def alone(runs, value):
    """The mean over pairs of a value of two runs."""
    return np.mean([value(runs.take(pair).in_units(None)) for pair in runs.members])


@pytest.mark.parametrize("measure", [measure.key for measure in ENTRIES if measure.key not in RATIOS])
def test_a_measure_with_equal_sizes_is_the_mean_over_pairs(measure):
    runs, C = ranked().top(K), random_similarity(np.random.default_rng(1), D)
    function = entry(measure).function
    assert function(runs, C) == pytest.approx(alone(runs, lambda two: function(two, C)), abs=1e-9)


@pytest.mark.parametrize("measure", [measure.key for measure in ENTRIES])
def test_leaving_out_a_pair_is_the_measure_of_the_others(measure):
    runs, C = ranked().top(K), random_similarity(np.random.default_rng(1), D)
    if entry(measure).key == "shared_information":
        C = sc.Similarity.identity(D)  # with another C chance is drawn
    slow = [entry(measure).function(runs.take(np.flatnonzero(runs.units != unit)), C) for unit in range(PAIRS)]
    assert sc.whatif.without_runs(runs, measure, similarity=C)["value"].tolist() == pytest.approx(slow)
    terms = measure_terms(runs, entry(measure), C, {})
    assert terms.leave_one_out_values() == pytest.approx(slow, abs=1e-9)
    assert terms.value() == entry(measure).function(runs, C)


def test_unequal_sizes_are_averaged_before_the_ratio():
    """1 − mean ½|z − z'|² / (k̄ (1 − k̄/d)), with C its quadratic form. A run without its other half is ignored."""
    rng = np.random.default_rng(2)
    Z, C = (rng.random((2 * PAIRS, D)) < rng.random((2 * PAIRS, 1))).astype(float), random_similarity(rng, D)
    runs, apart = sc.Selections.from_matrix(Z).in_pairs(np.repeat(range(PAIRS), 2)), Z[::2] - Z[1::2]
    size = Z.sum(axis=1).mean()
    assert nogueira(runs) == pytest.approx(1 - (apart**2).sum() / (2 * PAIRS) / (size * (1 - size / D)))
    dense = C.to_frame().to_numpy()
    assert selection_variance(runs, C) == pytest.approx(np.einsum("pi,ij,pj->", apart, dense, apart) / (2 * PAIRS))
    assert nogueira(runs.take([*range(2 * PAIRS), 0])) != nogueira(runs)


def test_a_user_defined_measure_is_averaged_over_pairs():
    runs = ranked().top(K)

    def both(selections):
        return float((selections.selected.all(axis=0)).sum())

    assert sc.stability(runs, both).value == pytest.approx(alone(runs, both))


@pytest.mark.parametrize("measure", ["nogueira", "jaccard", "rbo", "effective"])
def test_every_k_of_the_profile_equals_the_selections(measure):
    runs, C = ranked(), random_similarity(np.random.default_rng(1), D)
    similarity = C if measure == "effective" else None
    terms, ks = profile_terms(runs, measure, similarity=similarity)
    slow = [entry(measure).function(runs.top(k), similarity) for k in ks]
    assert terms.value() == pytest.approx(slow, nan_ok=True)
    curve = sc.stability_profile(runs, measure, similarity=similarity, sizes=[K])
    estimate = sc.stability(runs.top(K), measure, similarity=similarity)
    assert curve.loc[0, ["value", "low", "high"]].tolist() == pytest.approx([estimate.value, estimate.low, estimate.high])


def test_the_random_band_of_pairs_equals_simulation():
    rng = np.random.default_rng(4)
    curve = sc.stability_profile(ranked(), sizes=[K])
    drawn = [
        nogueira(sc.Selections.from_scores(rng.random((2 * PAIRS, D))).top(K).in_pairs(np.repeat(range(PAIRS), 2)))
        for _ in range(400)
    ]
    half = (curve.loc[0, "random_high"] - curve.loc[0, "random_low"]) / 2
    assert half / 1.959964 == pytest.approx(np.std(drawn), rel=0.12)


def test_every_threshold_equals_effective_stability():
    rng = np.random.default_rng(6)
    X, runs = rng.standard_normal((40, D)) + rng.standard_normal((40, 1)), ranked().top(K)
    curve = sc.whatif.threshold_curve(runs, X, thresholds=[0.2, 0.5, 0.8], level=0.95)
    for row in curve.itertuples():
        slow = sc.stability(runs, "effective", similarity=sc.Similarity.from_correlation(X, threshold=row.threshold))
        assert (row.value, row.low, row.high) == pytest.approx((slow.value, slow.low, slow.high))


def test_marginal_stability_compares_within_pairs():
    runs, window = ranked(), 3
    terms, k = marginal_terms(runs, window)
    found, by_chance = np.zeros(len(k)), np.zeros(len(k))
    for a, b in runs.members:
        first, second = runs.ranking()[a], runs.ranking()[b]
        for place, start in enumerate(k):
            following = [(ranks > start) & (ranks <= start + window) for ranks in (first, second)]
            found[place] += (following[0] & following[1]).sum() / PAIRS
            left = ((first > start) & (second > start)).sum()
            by_chance[place] += left * window**2 / (D - start) ** 2 / PAIRS
    assert terms.value() == pytest.approx((found - by_chance) / (window - by_chance))


@pytest.mark.parametrize("measure", ["nogueira", "kappa", "effective"])
def test_subsets_of_runs_are_compared_within_pairs(measure):
    runs, C = ranked().top(K), random_similarity(np.random.default_rng(1), D)
    half = np.isin(runs.units, [0, 3, 4])
    slow = entry(measure).function(runs.take(half), C)
    assert stability_of_halves(runs, half[None], measure, C) == pytest.approx([slow])
    by_runs = stability_by_runs(runs, measure, similarity=C, n_runs=[2, 2 * PAIRS])
    assert by_runs["value"].iloc[-1] == pytest.approx(entry(measure).function(runs, C))
    assert by_runs["value"].iloc[0] == pytest.approx(entry(measure).function(runs, C), abs=0.1)


def test_few_pairs_that_deviate_widen_the_interval():
    """One of 20 pairs deviates. The interval includes all numbers of deviating pairs that are possible."""
    Z = np.zeros((40, D), dtype=int)
    Z[:38, :3], Z[38, 3:6], Z[39, 6:9] = 1, 1, 1
    estimate = sc.stability(sc.Selections.from_matrix(Z).in_pairs(np.repeat(range(20), 2)))
    share = 0.2487  # upper limit of Clopper and Pearson of 1 of 20
    assert estimate.low < 1 - share and 0.99 < estimate.high <= 1


def test_no_complete_pair_gives_no_value():
    runs = sc.Selections.from_matrix(np.eye(3, D, dtype=int)).in_pairs([0, 1, 2])
    estimate = sc.stability(runs)
    assert np.isnan(estimate.value) and estimate.reason and np.isnan(selection_variance(runs, sc.Similarity.identity(D)))
