"""Categories and numbers with missing values beside complete numbers: no bias without signal, found with signal."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from support import slow

from stabcore.base.target import TIME
from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.base import MORE, NUMBER, TWO
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.selectors.fair import chance_adjusted, equivalent_chi2, has_few_cuts

OUTCOMES = {TWO: 2, MORE: 3, NUMBER: None}
KINDS = ("category", "gaps")
# For the variance, the rank of a category depends only on the units of the numbers. For estimator it depends on the model.
KEYS = [key for key, entry in BY_KEY.items() if key not in ("variance", "estimator", "random") and entry.targets != (TIME,)]

QUICK = {"gbm": {"rounds": 10}, "boruta": {"trees": 8, "rounds": 8}, "svm_rfe": {"share": 0.3}}
QUICK |= dict.fromkeys(("random_forest", "random_forest_permutation"), {"trees": 8})
QUICK |= dict.fromkeys(("lasso", "elastic_net", "group_lasso"), {"length": 6})
CELLS = [(key, outcome) for key in KEYS for outcome in OUTCOMES if outcome in BY_KEY[key].targets]
CUTS = "information_gain"  # it ranks almost no noise
LINEAR = ("lasso", "elastic_net", "group_lasso", "svm", "svm_rfe", "logistic_rfe", "backward_elimination", "glm_boosting")
EQUAL = (*LINEAR, CUTS, "mim", "mrmr", "jmi", "cmim", "auc", "welch_t", "anova_f")  # two levels are a number for them

SECONDS = ("boruta", "knockoff_filter", "random_forest_permutation", "svm_rfe")  # similar to a forest or an SVM
GAPS = ("mim", "welch_t", "lasso", "random_forest")  # one per family, the others by make bench


def made(rng, kind, outcome, n, d=20, levels=6, gaps=0.15, follows=0.0):
    """Return a table and an outcome. The first feature is a category, or a number with gaps. follows: its effect."""
    classes, values, categorical = OUTCOMES[outcome], rng.standard_normal((n, d)), np.zeros(d, dtype=bool)
    if kind == "category":
        values[:, 0], categorical[0] = rng.integers(levels, size=n), True
    signal = follows * rng.permutation(np.linspace(-1.5, 1.5, levels))[values[:, 0].astype(int)] if kind == "category" else 0
    if kind == "gaps":
        values[rng.random(n) < gaps, 0] = np.nan
    target = signal + rng.standard_normal(n)
    if classes:
        target = np.argsort(np.argsort(target)) * classes // n  # classes of equal size
    return FeatureTable(values, categorical, tuple(f"f{j}" for j in range(d))), target


def selected(key, kind, outcome, runs, n, k=5, options=None, **making):
    """Return (runs, d) booleans: was the feature selected? Each run has its own table, whose first feature is special."""
    found = []
    for run in range(runs):
        rng = np.random.default_rng([run, n, KINDS.index(kind), list(OUTCOMES).index(outcome)])
        table, target = made(rng, kind, outcome, n, **making)
        chosen = selector(key, **(options or {})).fit(table, target, rng=rng, k=k).select(k)
        found.append(np.isin(np.arange(table.n_features), chosen))
    return np.array(found)


def first_of_each(cells, quick=lambda key: key not in SECONDS):
    """Return each quick selector with its first outcome. All other cells are marked slow."""
    return [cell if cell[0] != before[0] and quick(cell[0]) else slow(*cell) for before, cell in pairwise([("",), *cells])]


NOISE = [cell for cell in CELLS if cell[0] != CUTS]


@pytest.mark.parametrize(("key", "outcome"), first_of_each(NOISE))
def test_noise_in_a_category_is_selected_at_chance_rate(key, outcome):
    check_noise(key, outcome, "category")


@pytest.mark.parametrize(("key", "outcome"), first_of_each(NOISE, GAPS.__contains__))
def test_noise_with_gaps_is_selected_at_chance_rate(key, outcome):
    check_noise(key, outcome, "gaps")


def check_noise(key, outcome, kind):
    # Chance selects 25%, five of 20, and 24 runs have a standard error of 9 points. Uncorrected selectors reach 69 to 100%, or 0.
    # The knockoff filter selects about one of 20 features of noise, which takes more runs to measure.
    runs = 200 if key == "knockoff_filter" and outcome == NUMBER else 24
    found = selected(key, kind, outcome, runs, 60, options=QUICK.get(key))
    by_chance = found[:, 1:].mean()
    assert found[:, 0].mean() < 0.5 and stats.binomtest(int(found[:, 0].sum()), runs, by_chance).pvalue > 0.002


TABLES = 300


@pytest.mark.parametrize("classes", [2, slow(3)])
def test_cuts_of_every_kind_are_accepted_at_the_same_rate(classes):
    """Uncorrected, two classes accept one in 75 numbers, one in 750 of five levels and one in 3000 of two."""
    kinds, found = np.repeat([0, 1, 2, 3, 4], [20, 10, 10, 10, 10]), []
    for seed in range(TABLES):
        rng = np.random.default_rng([seed, classes])
        values = rng.standard_normal((60, 60))
        values[:, kinds == 1], values[:, kinds == 2] = rng.integers(0, 2, (60, 10)), rng.integers(0, 5, (60, 10))
        values[:, kinds == 3] = rng.integers(0, 3, (60, 10))
        values[:, kinds == 4] = np.where(rng.random((60, 10)) < 0.2, np.nan, values[:, kinds == 4])
        table = FeatureTable(values, kinds == 3, tuple(map(str, range(60))))
        found.append(~np.isnan(selector(CUTS).fit(table, rng.permutation(np.arange(60) % classes), rng=0).scores_))
    often = np.mean(found, axis=0)
    shares = [often[kinds == kind].mean() for kind in range(5)]
    errors = np.sqrt(shares[0] / TABLES / np.array([20, 10, 10, 10, 10]))
    assert 0.002 < shares[0] < 0.05
    for share, error in zip(shares[1:], errors[1:], strict=True):
        assert abs(share - shares[0]) < 0.4 * shares[0] + 3 * error, shares


@pytest.mark.parametrize("key", ["mim", *map(slow, ("mrmr", "information_gain", "jmi", "cmim", "gbm"))])
def test_noise_of_few_values_is_selected_at_chance_rate(key):
    """Of 50 numbers and 10 features each of two and five levels, chance selects 71, 14 and 14%. Halves do not agree."""
    kinds, counted, kappas = np.repeat([0, 1, 2], [50, 10, 10]), np.zeros(3), []
    for seed in range(400 if key == "information_gain" else 40):
        rng = np.random.default_rng(seed)
        values = np.column_stack([rng.standard_normal((120, 50)), rng.integers(0, 2, (120, 10)), rng.integers(0, 5, (120, 10))])
        table, chosen = FeatureTable(values, (kinds > 0) & (seed % 2 > 0), tuple(map(str, range(70)))), []
        for half in range(2):
            y = rng.permutation(np.arange(60) % 2)
            chosen.append(selector(key).fit(table.rows(np.arange(60) + 60 * half), y, rng=seed, k=10).select(10))
            counted += np.bincount(kinds[chosen[-1]], minlength=3)
        kappas.append(len(np.intersect1d(*chosen)) - len(chosen[0]) * len(chosen[1]) / 70)
    np.testing.assert_allclose(counted / counted.sum(), [50 / 70, 10 / 70, 10 / 70], atol=0.07)
    assert abs(np.mean(kappas)) < 3.5 * np.std(kappas) / np.sqrt(len(kappas))


@pytest.mark.parametrize(("key", "outcome"), first_of_each(CELLS))
def test_an_informative_category_is_found(key, outcome):
    assert selected(key, "category", outcome, 6, 150, options=QUICK.get(key), follows=1.2)[:, 0].mean() >= 0.8


@pytest.mark.parametrize(("degrees", "than"), [(5, 1), (1, 5), (10, 2), (2.5, 1), (40, 4), (3, 3)])
def test_as_likely_keeps_the_p_value(degrees, than):
    x = np.array([0.01, 1, 5, 30, 200, 900])
    np.testing.assert_allclose(equivalent_chi2(x, degrees, than), stats.chi2.isf(stats.chi2.sf(x, degrees), than), rtol=1e-9)


def test_as_likely_for_p_values_below_the_smallest_float():
    # P(χ² > x) is e^(−x/2) Σ (x/2)^i/i!, i < m, with 2m degrees of freedom
    for x in (1000.0, 1500.0, 4e4):
        for m in (2, 3, 10):
            terms = np.cumsum([0, *np.log(x / 2 / np.arange(1, m))])
            log_chance = -x / 2 + np.logaddexp.reduce(terms)
            assert equivalent_chi2(x, 2 * m, 2) == pytest.approx(-2 * log_chance, rel=1e-12)
            assert equivalent_chi2(-2 * log_chance, 2, 2 * m) == pytest.approx(x, rel=1e-12)
    values = equivalent_chi2(np.linspace(700, 1500, 400), 7)
    np.testing.assert_allclose(np.diff(values), np.diff(values).mean(), rtol=0.01)  # no jump at the switch to logarithms
    assert equivalent_chi2(0.0, 5) == 0 and equivalent_chi2(np.inf, 5) == np.inf


def test_against_chance_by_hand():
    values = np.column_stack([np.arange(8.0) % 2, np.arange(8), 2.0 * np.arange(8), [np.nan, *range(7)], np.arange(8) % 3])
    table = FeatureTable(values, np.arange(5) == 0, tuple("abcde"))  # e has three values
    assert has_few_cuts(table).tolist() == [True, False, False, True, True]
    assert chance_adjusted(np.ones(5), np.array([0.5, 2, 4, 0, 1]), table).tolist() == [6, 1, 1, 1, 3]
    assert chance_adjusted(np.ones(3), np.array([1.0, 0, 2]), table.columns([0, 1, 2])).tolist() == [
        2,
        1,
        1,
    ]  # b has no chance value
    assert chance_adjusted(np.ones(2), np.array([1.0, 3]), table.columns([0, 3])).tolist() == [2, 2 / 3]


@pytest.mark.parametrize("key", EQUAL)
def test_category_of_two_levels_equals_a_number(key):
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.integers(0, 2, (80, 3)), rng.standard_normal((80, 3))]).astype(float)
    y = (values[:, 0] + 0.5 * values[:, 1] + rng.standard_normal(80) > 0.75).astype(int)
    text = np.array([True, True, True, False, False, False])
    tables = (FeatureTable(values, kinds, tuple("abcdef")) for kinds in (text, ~text & text))
    as_category, as_number = (selector(key).fit(table, y, rng=0, k=3) for table in tables)
    np.testing.assert_allclose(as_category.scores_, as_number.scores_, rtol=1e-9)
    np.testing.assert_allclose(as_category.importances_, as_number.importances_, rtol=1e-6, atol=1e-12)
