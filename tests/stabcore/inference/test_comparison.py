"""Comparisons of two selectors: a slow jackknife of the difference, and every reason for no result."""

from itertools import product

import numpy as np
import pytest
from interval_support import deviating
from measure_support import everything, rearranged, with_sets
from scipy.stats import binomtest, norm, t, ttest_rel
from snapshot_support import check_refusals
from support import random_selection, slow

import stabcore as sc
from stabcore.inference.comparison import (
    NEVER_DIFFER,
    NO_VARIATION,
    compare_changes,
    compare_sizes,
    measure_change,
    sign_flip_p_value,
)
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.chance import nogueira_variance


def two(random_state=0, runs=8):
    rng = np.random.default_rng(random_state)
    first, similarity = everything(rng, runs)
    return first, everything(rng, runs)[0], similarity


def without_each(runs, key, similarity, units=None):
    """The values without each run, or without each unit."""
    units = np.arange(runs.n_runs) if units is None else np.asarray(units)
    return np.array(
        [BY_KEY[key].function(rearranged(runs, np.flatnonzero(units != unit)), similarity) for unit in np.unique(units)]
    )


def jackknife(values):
    """The jackknife variance, from the values without each run."""
    return (len(values) - 1) / len(values) * ((values - values.mean()) ** 2).sum()


KEYS = ["nogueira", "jaccard", "davis", "novovicova", "somol", "effective", "yu", "zucknick"]
KEYS += ["intersection_mbm", "importance_weighted"]


@pytest.mark.parametrize("key", KEYS)
def test_paired_is_the_jackknife_of_the_difference(key):
    a, b, similarity = two()
    se = np.sqrt(jackknife(without_each(a, key, similarity) - without_each(b, key, similarity)))
    found = sc.compare(a, b, key, similarity=similarity, level=0.9)
    assert found.difference == pytest.approx(BY_KEY[key].function(a, similarity) - BY_KEY[key].function(b, similarity), abs=1e-12)
    assert found.se == pytest.approx(se, abs=1e-12) and found.paired and found.n_runs == 8 and not found.reason
    half = t.ppf(0.95, 7) * se
    assert (found.low, found.high) == pytest.approx((found.difference - half, found.difference + half))
    assert found.p_value == pytest.approx(2 * t.sf(abs(found.difference) / se, 7))
    back = sc.compare(b, a, key, similarity=similarity, level=0.9)
    assert (back.difference, back.low, back.high) == pytest.approx((-found.difference, -found.high, -found.low))
    same = sc.compare(a, a, key, similarity=similarity)
    assert same.difference == 0 and np.isnan([same.se, same.low, same.high, same.p_value]).all() and same.reason == NO_VARIATION


@pytest.mark.parametrize("key", ["kappa", "effective"])
def test_unpaired_comparisons_add_the_two_variances(key):
    a, b, similarity = two()
    b = rearranged(b, np.arange(5))
    found = sc.compare(a, b, key, similarity=similarity, paired=False)
    assert found.se**2 == pytest.approx(sum(jackknife(without_each(runs, key, similarity)) for runs in (a, b)))
    assert not found.paired
    with pytest.raises(sc.InputError):
        sc.compare(a, b, key, similarity=similarity)


@pytest.mark.parametrize(("paired", "measure", "runs"), [(True, "nogueira", 3), (False, "jaccard", 30), (True, "lustgarten", 30)])
def test_selectors_without_variation_have_no_p_and_no_interval(paired, measure, runs):
    first, second = (with_sets(np.tile(row, (runs, 1))) for row in ([1, 1, 0, 0, 0], [0, 1, 1, 0, 0]))
    found = sc.compare(first, second, measure, paired=paired)
    assert np.isnan([found.se, found.low, found.high, found.p_value]).all() and found.reason == NEVER_DIFFER


def test_one_selector_without_variation_has_an_interval():
    always = with_sets(np.tile([1, 1, 0, 0], (10, 1)))
    turning = with_sets(np.array([[1, 1, 0, 0], [0, 0, 1, 1]] * 5)[:10])
    other = with_sets(random_selection(np.random.default_rng(3), 10, 4, 2, 3))
    for second in (turning, other):
        found, alone = sc.compare(always, second), sc.stability(second)
        limit = sc.stability(always).low
        assert found.low == pytest.approx(found.difference - np.hypot(1 - limit, alone.high - alone.value), abs=1e-9)
        assert found.high == pytest.approx(found.difference + alone.value - alone.low, abs=1e-9)
        back = sc.compare(second, always)
        assert (back.low, back.high, back.p_value) == pytest.approx((-found.high, -found.low, found.p_value))


def test_p_below_5_percent_agrees_with_the_interval():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        steady, other = deviating(rng, 12, 0.15, "by any swap"), deviating(rng, 12, 0.6, "by any swap")
        for paired in (True, False):
            found = sc.compare(steady, other, paired=paired)
            assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)


def test_units_are_left_out_of_both_selectors_together():
    (a, b, _), units = two(5), np.repeat(range(4), 2)
    gap = without_each(a, "jaccard", None, units) - without_each(b, "jaccard", None, units)
    found = sc.compare(a.in_units(units), b.in_units(units), "jaccard")
    assert found.se**2 == pytest.approx(jackknife(gap)) and (found.n_runs, found.n_units) == (8, 4)
    assert found.high - found.difference == pytest.approx(t.ppf(0.975, 3) * found.se)
    with pytest.raises(sc.InputError):
        sc.compare(a.in_units(units), b, "jaccard")
    few = sc.compare(a.in_units([0] * 4 + [1] * 4), b.in_units([0] * 4 + [1] * 4), "jaccard")
    assert np.isnan(few.p_value) and few.reason


def test_the_published_test_of_nogueira_can_be_requested():
    a, b, _ = two(1)
    published = sc.compare(a, b, paired=False, interval="published")
    variances = [nogueira_variance(runs) for runs in (a, b)]
    assert published.se**2 == pytest.approx(sum(variances))
    assert published.p_value == pytest.approx(2 * norm.sf(abs(published.difference) / published.se))
    with pytest.raises(sc.InputError):
        sc.compare(a, b, "jaccard", paired=False, interval="published")
    with pytest.raises(sc.InputError):
        sc.compare(a, b, interval="published")


def test_unpaired_equal_selectors_rarely_differ():
    rng, rejected = np.random.default_rng(0), {3: [0, 0], 10: [0, 0]}
    for runs, found in rejected.items():
        for _ in range(100):
            both = [with_sets((rng.random((runs, 40)) < np.linspace(0.9, 0.02, 40)).astype(int)) for _ in range(2)]
            for i, how in enumerate(("jackknife", "published")):
                found[i] += sc.compare(*both, paired=False, interval=how).p_value < 0.05
    assert rejected[3][0] <= 9 and rejected[10][0] <= 11 and rejected[3][1] > 14


def test_a_missing_value_gives_a_reason():
    a, empty = with_sets(np.eye(4, dtype=int)), with_sets(np.zeros((4, 4), dtype=int))
    for first, second in ((a, empty), (empty, a)):
        for key in ("nogueira", "ochiai"):
            found = sc.compare(first, second, key)
            assert np.isnan(found.difference) and np.isnan(found.p_value) and found.reason
    found = sc.compare(rearranged(a, [0, 1]), rearranged(a, [2, 3]))
    assert np.isfinite(found.difference) and np.isnan(found.p_value) and found.reason


def test_options_reach_the_measure_and_wrong_ones_are_refused():
    a, b = with_sets(np.eye(4, dtype=int)), with_sets(np.array([[1, 0, 0, 0]] * 3 + [[0, 0, 0, 0]]))
    assert np.isnan(sc.compare(a, b, "ochiai").difference)
    assert np.isfinite(sc.compare(a, b, "ochiai", undefined=0).difference)
    wider = sc.Selections.from_lists([[0], [1]] * 2, n_features=5)
    cases = [(wider, "nogueira", {}), (b, "effective", {}), (b, "jaccard", {"penalty": 1}), (b, "jaccard", {"level": 95})]
    check_refusals("inference/wrong_comparisons", lambda other, key, options: sc.compare(a, other, key, **options), cases)


def test_sizes_are_compared_run_by_run():
    rng = np.random.default_rng(5)
    a, b = (with_sets(random_selection(rng, 8, 20, low, 15)) for low in (1, 5))
    found, of_scipy = compare_sizes(a, b), ttest_rel(a.sizes, b.sizes)
    assert (found.difference, found.p_value) == pytest.approx(((a.sizes - b.sizes).mean(), of_scipy.pvalue))
    interval = of_scipy.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    apart = compare_sizes(a, rearranged(b, np.arange(5)), paired=False)
    assert apart.se == pytest.approx((a.sizes.var(ddof=1) / 8 + b.sizes[:5].var(ddof=1) / 5) ** 0.5)
    with pytest.raises(sc.InputError):
        compare_sizes(a, rearranged(b, np.arange(5)))
    three, four = (with_sets(np.tile([1] * k + [0] * (6 - k), (4, 1))) for k in (3, 4))
    found = compare_sizes(three, four)
    assert (found.difference, found.low, found.high, found.p_value) == (-1, -1, -1, 0) and compare_sizes(three, three).p_value == 1
    few = compare_sizes(rearranged(three, [0, 1]), rearranged(four, [0, 1]))
    assert np.isnan(few.p_value) and few.reason


def test_a_change_is_the_jackknife_of_a_difference_of_measures():
    runs, _, similarity = two(3)
    se = np.sqrt(jackknife(without_each(runs, "effective", similarity) - without_each(runs, "nogueira", similarity)))
    found = measure_change(runs, similarity=similarity)
    both = BY_KEY["effective"].function(runs, similarity) - BY_KEY["nogueira"].function(runs, None)
    half = t.ppf(0.975, 7) * se
    assert (found.difference, found.se, found.low, found.high) == pytest.approx((both, se, both - half, both + half))
    alike, few, four = (rearranged(runs, rows) for rows in (np.zeros(6, dtype=int), np.arange(2), np.arange(4)))
    nothing = measure_change(with_sets(np.zeros((4, 6), dtype=int)), similarity=sc.Similarity.identity(6))
    assert np.isnan(nothing.difference) and nothing.reason
    for change in (measure_change(degenerate, similarity=similarity) for degenerate in (alike, few, four)):
        assert change.reason and np.isnan(change.p_value)


def test_the_difference_of_two_changes_is_a_jackknife_of_both():
    a, b, after = two(4)
    few, before = rearranged(b, np.arange(6)), sc.Similarity.identity(after.n_features, after.features)
    gaps = [without_each(runs, "effective", after) - without_each(runs, "effective", before) for runs in (a, b, few)]
    found = compare_changes(a, b, before, after)
    first, second = (sc.stability(runs, "effective", similarity=after).value - sc.stability(runs).value for runs in (a, b))
    assert found.difference == pytest.approx(first - second)
    assert found.se**2 == pytest.approx(jackknife(gaps[0] - gaps[1])) and found.paired
    assert found.p_value == pytest.approx(2 * t.sf(abs(found.difference) / found.se, 7))
    apart = compare_changes(a, few, before, after, paired=False)
    assert apart.se**2 == pytest.approx(jackknife(gaps[0]) + jackknife(gaps[2]))
    assert measure_change(a, "effective", similarity=after, similarity_before=before).se ** 2 == pytest.approx(jackknife(gaps[0]))
    with pytest.raises(sc.InputError):
        compare_changes(a, few, before, after)


def on_a_grid(differences, step):
    """Adds one unit after another to the distribution of the sum. The differences are multiples of the step."""
    chance = np.ones(1)
    for size in np.abs(np.round(np.asarray(differences) / step)).astype(int):
        wider = np.zeros(len(chance) + 2 * size)
        wider[: len(chance)] += chance / 2
        wider[2 * size :] += chance / 2
        chance = wider
    sums = np.arange(len(chance)) - len(chance) // 2
    return chance[np.abs(sums) >= abs(round(sum(differences) / step))].sum()


def test_few_units_are_enumerated():
    """All 2^n sign flips are listed."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        for differences in (rng.uniform(-1, 1, 10), rng.integers(-3, 4, 11) / 3, np.abs(rng.uniform(0, 1, 7)), rng.normal(size=1)):
            flips = np.array(list(product([1, -1], repeat=len(differences))))
            listed = np.mean(np.abs((flips * differences).sum(axis=1)) >= abs(differences.sum()) - 1e-9)
            assert sign_flip_p_value(differences) == pytest.approx(listed, abs=1e-12)


@pytest.mark.parametrize(("b", "c"), [(6, 16), (0, 5), (4, 4), (150, 86), (900, 1100)])
def test_one_prediction_per_unit_gives_mcnemars_test(b, c):
    assert sign_flip_p_value(np.repeat([1, -1, 0], [b, c, 40])) == pytest.approx(binomtest(b, b + c).pvalue, rel=1e-9)


@pytest.mark.parametrize(("units", "centre"), [(25, 0.5), (60, 0.05), slow(200, 0.2)])
def test_many_units_of_any_size_are_approximated(units, centre):
    """A grid of 0.01 is fine enough for the true p-value, and too fine for enumeration."""
    rng = np.random.default_rng(units)
    for _ in range(20):
        differences = np.clip(rng.uniform(-1, 1, units) + centre * rng.normal(), -1, 1).round(2)
        truth = on_a_grid(differences, 0.01)
        if truth > 1e-12:
            assert sign_flip_p_value(differences) == pytest.approx(truth, rel=0.05 if truth >= 0.01 else 0.15)


def test_units_without_a_difference_and_the_sign_change_nothing():
    rng = np.random.default_rng(1)
    differences = rng.uniform(-0.5, 1, 40)
    p = sign_flip_p_value(differences)
    assert 0 < p < 1 and sign_flip_p_value(-differences) == p
    assert sign_flip_p_value(np.append(differences, np.zeros(100))) == pytest.approx(p)
    assert sign_flip_p_value(np.zeros(5)) == 1 and np.isnan(sign_flip_p_value([]))
    assert sign_flip_p_value(rng.uniform(0.5, 1, 40)) == pytest.approx(2.0**-39)  # all on one side, too many to enumerate
    balanced = np.append(differences, -differences)
    assert sign_flip_p_value(balanced) == pytest.approx(1, abs=1e-3)


def test_unpaired_differences_of_effective_stability_are_skewed_as_the_values_are():
    """With symmetric intervals, 82% of 200 contained the difference where most runs selected the same groups."""
    groups = sc.Similarity.from_groups({"a": range(5), "b": range(5, 10)}, n_features=12)
    rng = np.random.default_rng(2)
    sets = [[[0, 1, 2, *rng.choice(12, 1 + i % 3, replace=False)] for i in range(10)] for _ in range(2)]
    a, b = (sc.Selections.from_lists([sorted(set(run)) for run in runs], n_features=12) for runs in sets)
    alone = [sc.stability(runs, "effective", similarity=groups) for runs in (a, b)]
    found = sc.compare(a, b, "effective", similarity=groups, paired=False)
    below, above = (np.hypot(one.value - one.low, other.high - other.value) for one, other in (alone, alone[::-1]))
    assert found.difference - found.low >= below - 1e-9 and found.high - found.difference >= above - 1e-9
