"""Univariate filters: against scipy and scikit-learn, with missing values, categories and no spread."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.column_statistics import anova_f, separation, variances, welch_t


def data(n=40, d=8, classes=2, random_state=0, gaps=True):
    """Numbers, some rounded so that they tie, some with gaps."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, d)) + y[:, None] * np.linspace(0, 1, d)
    X[:, ::3] = X[:, ::3].round()
    if gaps:
        X[rng.random((n, d)) < 0.15] = np.nan
    return X, y


def each(X, y, function):
    """Apply function to the known cells of each feature."""
    return [function(column[~np.isnan(column)], y[~np.isnan(column)]) for column in X.T]


def auc_slowly(x, y):
    """Share of pairs of rows of both classes that x orders correctly. Ties count half."""
    pairs = [(a > b) + (a == b) / 2 for a in x[y == 1] for b in x[y == 0]]
    return abs(0.5 - np.mean(pairs))


ONE_BY_ONE = {
    "variance": (variances, lambda x, _: np.var(x, ddof=1)),
    "auc": (separation, auc_slowly),
    "welch_t": (welch_t, lambda x, c: abs(stats.ttest_ind(x[c == 1], x[c == 0], equal_var=False).statistic)),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_statistics_use_the_known_cells_of_each_feature(name):
    ours, slow = ONE_BY_ONE[name]
    X, y = data()
    expected = each(X, y, slow)
    np.testing.assert_allclose(ours(X, y) if ours is not variances else ours(X), expected, rtol=1e-10, atol=1e-12)


def test_more_classes_are_weighted_one_against_the_rest():
    X, _ = data(60, gaps=False)
    y = np.repeat([0, 1, 2], [10, 20, 30])
    expected = sum(share * np.array(each(X, (y == c).astype(int), auc_slowly)) for c, share in enumerate([1 / 6, 1 / 3, 1 / 2]))
    np.testing.assert_allclose(separation(X, y), expected, rtol=1e-12)
    np.testing.assert_allclose(selector("auc").fit(X, y, rng=0).scores_, expected, rtol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_f_agrees_with_scipy(classes):
    X, y = data(60, classes=classes)
    expected = each(X, y, lambda x, c: stats.f_oneway(*(x[c == class_number] for class_number in range(classes))).statistic)
    np.testing.assert_allclose(anova_f(X, y), expected, rtol=1e-10)


@pytest.mark.parametrize("key", ["auc", "auc_mrmr", "welch_t", "anova_f"])
def test_units_and_offsets_do_not_matter(key):
    X, y = data(gaps=False)
    fitted = selector(key).fit(X, y, rng=0)
    for unit in (1e-300, 1e-9, 1e160, 1e300):
        np.testing.assert_allclose(selector(key).fit(X * unit, y, rng=0).importances_, fitted.importances_, rtol=1e-9)
    np.testing.assert_allclose(selector(key).fit(X + 1e6, y, rng=0).importances_, fitted.importances_, rtol=1e-6)


def staged(classes, n=90, random_state=3):
    """Return classes, a related category of three levels and missing cells, and a frame with it and a number."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    stage = np.where(rng.random(n) < 0.2 + 0.2 * y, "late", np.where(rng.random(n) < 0.5, "early", "mid")).astype(object)
    stage[rng.random(n) < 0.2] = None
    return y, stage, pd.DataFrame({"stage": pd.Categorical(stage), "number": rng.normal(size=n)})


def as_likely_slowly(levels, y):
    """Pearson's χ² of levels and classes, as the value of equal probability with the degrees of freedom of a number."""
    found = stats.chi2_contingency(pd.crosstab(levels, y), correction=False)
    spare = len(np.unique(y)) - 1
    return stats.chi2.isf(stats.chi2.sf(found.statistic, found.dof), spare), spare


@pytest.mark.parametrize("classes", [2, 3])
def test_category_scores_as_a_number_of_equal_probability(classes):
    y, stage, frame = staged(classes)
    levels, n = np.where(pd.isna(stage), "missing", stage), len(y)
    x, spare = as_likely_slowly(levels, y)
    f = (np.exp(x / n) - 1) * (n - classes) / spare
    assert selector("anova_f").fit(frame, y, rng=0).scores_[0] == pytest.approx(f, rel=1e-9)
    if classes == 2:
        assert selector("welch_t").fit(frame, y, rng=0).scores_[0] == pytest.approx(np.sqrt(f), rel=1e-9)
    areas = []
    for c in range(classes):
        z, inside = np.sqrt(as_likely_slowly(levels, y == c)[0]), np.sum(y == c)
        areas.append((z * np.sqrt((n + 1) / (12 * inside * (n - inside))), inside / n))
    expected = areas[0][0] if classes == 2 else sum(area * share for area, share in areas)
    for key in ("auc", "auc_mrmr"):
        assert selector(key).fit(frame, y, rng=0).importances_[0] == pytest.approx(expected, rel=1e-9)
    share = pd.Series(levels).value_counts(normalize=True).to_numpy()
    evenness, number = (share * (1 - share)).sum() / (3 / 4), frame["number"].var()
    for unit in (1, 1000):
        scores = selector("variance").fit(frame.assign(number=unit * frame["number"]), y, rng=0).scores_
        np.testing.assert_allclose(scores, [evenness * unit**2 * number, unit**2 * number])
    assert selector("variance").fit(frame[["stage"]], y, rng=0).scores_[0] == pytest.approx(evenness)


@pytest.mark.parametrize("key", ["welch_t", "anova_f"])
def test_feature_without_spread_within_classes_is_first(key):
    X, y = data(gaps=False)
    X[:, 0], X[:, 1] = 0.1 * y + 0.3, 0.3
    fitted = selector(key).fit(X, y, rng=0)
    assert fitted.ranking_[0] == 1
    assert fitted.scores_[0] == pytest.approx(2 * fitted.scores_[2:].max())
    assert fitted.scores_[1] == 0
    alone = selector(key).fit(X[:, :2], y, rng=0)
    assert alone.scores_.tolist() == [1, 0]


@pytest.mark.parametrize("function", [separation, welch_t, anova_f])
def test_one_known_cell_in_a_class_is_not_scored(function):
    X, y = data(gaps=False)
    X[np.flatnonzero(y == 0)[1:], 0] = np.nan
    X[:, 1] = np.nan
    found = function(X, y)
    assert found[:2].tolist() == [0, 0] and (found[2:] > 0).all()


def quotients(X, y, order):
    """Return the quotient of every feature at each step of a search, by definition."""
    relevance = np.array(each(X, y, auc_slowly))
    for step in range(len(order)):
        redundancy = np.zeros(X.shape[1])
        for s in order[:step]:
            for f in range(X.shape[1]):
                both = ~np.isnan(X[:, f]) & ~np.isnan(X[:, s])
                redundancy[f] += abs(stats.pearsonr(X[both, f], X[both, s]).statistic)
        worth = relevance / redundancy if step else relevance
        worth[order[:step]] = -1
        yield worth


@pytest.mark.parametrize("gaps", [False, True])
def test_each_step_selects_the_best_quotient(gaps):
    X, y = data(40, 8, gaps=gaps)
    fitted = selector("auc_mrmr").fit(X, y, rng=0)
    order = np.argsort(fitted.ranking_).tolist()
    for feature, worth in zip(order, quotients(X, y, order), strict=True):
        assert worth[feature] == pytest.approx(worth.max(), rel=1e-9)
    np.testing.assert_allclose(fitted.importances_, each(X, y, auc_slowly), atol=1e-12)
