"""Selectors that rarely vary: limits from the number of runs that could deviate, and no interval of width 0."""

import numpy as np
import pytest
from interval_support import DEVIATIONS, deviating, holds
from measure_support import checked_profile, with_sets
from scipy.stats import binomtest
from support import slow

import stabcore as sc
from stabcore.analysis.stability_profile import stability_profile
from stabcore.inference.deviating_runs import deviating_runs
from stabcore.inference.estimate import expected_by_chance
from stabcore.measures.catalog import BY_KEY, entry
from stabcore.plots.estimates import format_estimate

D = 30
SIMILARITY = sc.Similarity.from_groups({"a": [0, 6, 7], "b": [1, 2]}, n_features=D)


def alike(runs, size=6):
    return sc.Selections.from_lists([range(size)] * runs, n_features=D)


def nogueira(runs):
    return sc.stability(runs, interval="published").value


@pytest.mark.parametrize("measure", ["nogueira", "jaccard", "effective", "davis"])
def test_runs_that_never_differ_have_a_lower_limit_and_no_interval(measure):
    for runs in (3, 50):
        found = sc.stability(alike(runs), measure, similarity=SIMILARITY)
        assert found.value == pytest.approx(1) and 0 <= found.low < 1 and np.isnan([found.high, found.se, found.p_value(0)]).all()
        assert found.no_interval.startswith(f"all {runs} runs select the same") and found.no_interval in found.warnings[-1]
        assert f"(95% CI from {found.low:.2f})" in str(found)
        assert format_estimate(found.value, found.low, found.high).startswith("1.00, at least")
    for interval in (None, "published", "jackknife"):
        found = sc.stability(alike(2), measure, similarity=SIMILARITY, interval=interval if measure == "nogueira" else None)
        assert np.isnan([found.low, found.high, found.se]).all() and "at least 3 runs" in found.no_interval


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_limit_is_the_stability_with_undetected_deviations(level):
    for runs in (3, 4, 5, 10, 20, 50, 200):
        most = deviating_runs(alike(runs), 1.0, nogueira, level).most
        unseen = [(1 - share) ** runs for share in ((most - 1) / runs, most / runs)]
        assert unseen[0] > 1 - level >= unseen[1] - 1e-12  # the smallest number of runs that would have been seen
        low = sc.stability(alike(runs), level=level).low
        assert low == pytest.approx((runs - most) * (runs - most - 1) / (runs * (runs - 1)), abs=1e-9)


@pytest.mark.parametrize("measure", ["nogueira", "kappa", "phi", "pearson_weights", "importance_weighted", "shared_information"])
def test_chance_is_the_mean_over_random_runs(measure):
    runs, options = with_sets(np.tile(np.arange(D) < 6, (12, 1)).astype(int)), dict(entry(measure).rough)
    by_formula, drawn = (
        deviating_runs(runs, 1.0, lambda some: entry(measure).function(some, SIMILARITY, **options), at_random=by_chance).low
        for by_chance in (expected_by_chance(entry(measure)), None)
    )
    assert by_formula == pytest.approx(9 * 8 / (12 * 11)) and drawn == pytest.approx(by_formula, abs=0.05)


def test_varying_importances_do_not_hide_constant_selections():
    runs = with_sets(np.tile(np.arange(D) < 6, (10, 1)).astype(int), np.random.default_rng(0))
    found = sc.stability(runs, "importance_weighted", similarity=SIMILARITY)
    assert found.se > 0 and found.low < 0.6 < 0.7 < found.value < found.high and found.warnings
    published = sc.stability(alike(60), interval="published")  # on request, the published interval
    assert (published.low, published.high, published.se) == pytest.approx((1, 1, 0)) and np.isnan(sc.stability(alike(60)).high)


@pytest.mark.parametrize(("deviants", "runs"), [(2, 20), (1, 3), (5, 10), (3, 50)])
def test_the_number_that_may_deviate_has_the_exact_binomial_limits(deviants, runs):
    Z = np.tile(np.arange(D) < 6, (runs, 1)).astype(int)
    Z[:deviants] = np.roll(Z[0], 6)
    found, exact = deviating_runs(with_sets(Z), 1.0, nogueira), binomtest(deviants, runs).proportion_ci(0.95, "exact")
    assert (found.fewest, found.most) == (np.floor(exact.low * runs + 1e-9), np.ceil(exact.high * runs - 1e-9))

    def value(count):
        made = np.tile(np.arange(D) < 6, (runs, 1)).astype(int)
        made[:count] = np.roll(made[-1] if count < runs else np.roll(Z[0], -6), 6)
        return nogueira(with_sets(made))

    values = [value(count) for count in range(found.fewest, found.most + 1)]
    assert (found.low, found.high) == pytest.approx((min(values), max(values)), abs=0.02)
    estimate = sc.stability(with_sets(Z))
    assert estimate.low <= found.low + 1e-9 and estimate.high >= found.high - 1e-9


def test_ties_without_jackknife_variance_have_no_interval_of_width_0():
    halves = sc.Selections.from_lists([[0, 1]] * 5 + [[2, 3]] * 5, n_features=D)
    found = sc.stability(halves)
    assert found.high - found.low > 0.2 and found.low <= found.value
    thirds = sc.stability(sc.Selections.from_lists([[0, 1]] * 3 + [[2, 3]] * 3 + [[4, 5]] * 3, n_features=D))
    assert np.isnan([thirds.low, thirds.high, thirds.se]).all() and "although runs differ" in thirds.no_interval


@pytest.mark.parametrize("key", [key for key in BY_KEY if key not in ("shared_information", "intersection_mean")])
def test_no_interval_has_width_0(key):
    rng, similarity = np.random.default_rng(2), sc.Similarity.from_groups({"a": [0, 5]}, n_features=12)
    for runs, share in ((3, 0.2), (4, 0.5), (9, 0.0), (9, 0.2)):
        Z = np.tile(np.arange(12) < 4, (runs, 1))
        Z = np.where(rng.random((runs, 1)) < share, rng.permuted(Z, axis=1), Z).astype(int)
        found = sc.stability(with_sets(Z), key, similarity=similarity)
        assert np.isnan(found.value) or np.isnan(found.high) or found.high - found.low > 1e-6
        assert np.isnan(found.high) == bool(found.no_interval or found.reason)


def test_what_deviates_depends_on_similarity_units_and_ranks():
    twins = sc.Similarity.from_groups({"a": [0, 1]}, n_features=12)
    runs = sc.Selections.from_lists([[0, 2], [1, 2]] * 6, n_features=12)
    found = sc.stability(runs, "effective", similarity=twins)
    assert found.value == pytest.approx(1) and 0 < found.low < 0.7 and np.isnan(found.high)
    assert found.no_interval
    assert sc.stability(runs).high < 1
    pairs = sc.Selections.from_lists([[0, 1], [2, 3]] * 6, n_features=D).in_units(np.repeat(range(6), 2))
    found = sc.stability(pairs)
    assert np.isnan(found.high) and " 6 groups" in found.no_interval
    scores = np.tile(np.linspace(1, 0, 12), (8, 1))
    same = sc.Selections.from_scores(scores).top(3)
    assert np.isnan(sc.stability(same, "spearman_ranks").high) and 0 < sc.stability(same, "canberra").low < 1
    scores[0, -2:] = scores[0, :-3:-1]
    other = sc.Selections.from_scores(scores).top(3)
    assert np.isnan(sc.stability(other).high) and sc.stability(other, "spearman_ranks").high == 1


def steadily_ranked(units=None, noise=0.12, runs=8, d=14):
    rng = np.random.default_rng(5)
    return sc.Selections.from_scores(np.linspace(2, 0, d) + noise * rng.normal(size=(runs, d))).in_units(units)


@pytest.mark.parametrize("units", [None, [0, 0, 1, 1, 2, 2, 3, 3]])
@pytest.mark.parametrize(
    ("measure", "noise"), [("nogueira", 0.12), ("jaccard", 0.5), ("effective", 0.12), ("phi", 0.0), ("rbo", 0.5)]
)
def test_every_k_of_a_profile_has_the_interval_of_the_k_best(measure, units, noise):
    similarity = sc.Similarity.from_groups({"a": [0, 3, 5], "b": [1, 2]}, n_features=14)
    curve = checked_profile(steadily_ranked(units, noise), measure, similarity)
    limits = (curve["high"].isna() & curve["low"].notna()).sum()  # values of k with a limit only
    assert limits > 0 or noise == 0.5


def test_long_profiles_of_steady_rankings_use_some_sizes_only():
    runs = steadily_ranked(noise=0.0, d=700)
    curve = stability_profile(runs, sizes=range(1, 700))
    assert (curve["low"] < 1).all() and curve["high"].isna().all() and np.ptp(curve["low"][50:]) < 0.2


@pytest.mark.parametrize(
    ("deviation", "share", "measure"),
    [
        ("by any swap", 0.05, "nogueira"),
        *(slow(deviation, share, "nogueira") for deviation in DEVIATIONS for share in (0.05, 0.2)),
        slow("by any swap", 0.2, "jaccard"),
    ],
)
def test_intervals_of_rarely_varying_selectors_cover(deviation, share, measure):
    """bench_intervals.py tries more studies and measures."""
    rng = np.random.default_rng(4)
    truth = entry(measure).function(deviating(rng, 1500, share, deviation))
    for runs in (5, 10, 20, 50):
        found = [holds(sc.stability(deviating(rng, runs, share, deviation), measure), truth) for _ in range(60)]
        assert np.mean([answer for answer in found if answer is not None]) > 0.85 and found.count(None) < 20
