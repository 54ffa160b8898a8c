"""Boruta: decisions against the binomial test, shadow features, and tables with a known truth."""

import numpy as np
import pytest
from scipy import stats
from support import slow

from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.boruta import _CONFIRMED, _REJECTED, _TENTATIVE, Boruta


def test_boruta_decides_by_bonferroni_corrected_binomial_tests():
    hits, rounds = np.arange(21), 20
    decided = Boruta(level=0.05)._hit_decisions(hits, rounds, 7)
    for count, what in zip(hits, decided, strict=True):
        confirmed = stats.binomtest(int(count), rounds, alternative="greater").pvalue * 7 <= 0.05
        rejected = stats.binomtest(int(count), rounds, alternative="less").pvalue * 7 <= 0.05
        assert what == (_CONFIRMED if confirmed else _REJECTED if rejected else _TENTATIVE)


def test_shadows_keep_values_and_columns_of_a_feature_together():
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.standard_normal((40, 2)), rng.integers(0, 3, 40)])
    design, columns = Design.of(FeatureTable(values, np.array([False, False, True]), ("a", "b", "c")))
    seen = []

    class Forest:
        feature_importances_ = np.arange(1.0, 16)

        def fit(self, X, y, sample_weight):
            seen.append(X)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("stabcore.selectors.boruta.unfitted_forest", lambda *_, **__: Forest())
        remaining, alone = np.ones(3, dtype=bool), np.empty((40, 0))
        real, shadow = Boruta()._importances(design, columns, alone, np.arange(40) % 2, np.ones(40), remaining, rng)
    assert seen[0].shape == (40, 15)  # two copies of three features give at least five shadows
    assert real.tolist() == [1, 2, 3 + 4 + 5]
    assert shadow.tolist() == [[6, 7, 8 + 9 + 10], [11, 12, 13 + 14 + 15]]
    for copy in (seen[0][:, 5:10], seen[0][:, 10:]):
        np.testing.assert_array_equal(np.sort(copy, axis=0), np.sort(columns, axis=0))
        assert not np.array_equal(copy, columns)
        rows = {tuple(row) for row in columns[:, 2:].round(9)}  # each row has exactly one level of a category
        assert {tuple(row) for row in copy[:, 2:].round(9)} == rows


@pytest.mark.parametrize("kind", ["classes", slow("number")])
def test_boruta_confirms_informative_features_only(kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 12))
    signal = X[:, :3].sum(axis=1)
    y = (signal > 0).astype(int) if kind == "classes" else signal + 0.5 * rng.standard_normal(200)
    fitted = Boruta(trees=10, rounds=20).fit(X, y, rng=0)
    assert np.flatnonzero(~np.isnan(fitted.ranking_)).tolist() == [0, 1, 2] == np.flatnonzero(fitted.importances_).tolist()
    ranked = Boruta(trees=10, rounds=20).fit(X, y, rng=0, k=5)
    assert not np.isnan(ranked.ranking_).any() and set(ranked.select(3)) == {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize(("bootstrap", "tables", "most"), [(False, 60, 0.6), (True, 30, 0.3)])
def test_boruta_confirms_few_features_of_noise(bootstrap, tables, most):
    """This is no error rate, because the feature most related to the outcome by chance can win every round."""
    found, (n, d, draws) = [], (60, 10, 15) if bootstrap else (100, 20, 20)
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((n, d)), rng.permutation(np.arange(n) % 2)
        rows = rng.integers(n, size=n) if bootstrap else np.arange(n)
        fitted = Boruta(trees=draws, rounds=draws).fit(as_table(X).rows(rows), y[rows], rng=seed)
        found.append(np.count_nonzero(~np.isnan(fitted.ranking_)))
    assert np.mean(found) < most
