"""Imputation of missing cells: preserved structure, rows learned from, and accuracy."""

import numpy as np

from stabcore.data.feature_table import FeatureTable
from stabcore.data.imputation import fill_missing


def related(rng, n=200, d=8, share=0.2):
    """(table with gaps, values without): neighbours are correlated (0.8). Column 0 has two levels, 1 has three, 2 is a count."""
    z = rng.standard_normal((n, d))
    for f in range(1, d):
        z[:, f] = 0.8 * z[:, f - 1] + 0.6 * z[:, f]
    values = z.copy()
    values[:, 0], values[:, 1], values[:, 2] = z[:, 0] > 0.5, np.digitize(z[:, 1], [-0.5, 1]), np.round(np.exp(z[:, 2]))
    gaps = rng.random((n, d)) < share
    gaps[:, -1] = False
    return FeatureTable(np.where(gaps, np.nan, values), np.arange(d) < 2, tuple("abcdefgh"[:d])), values


def test_gaps_get_values_of_their_column():
    table, _ = related(np.random.default_rng(0))
    train, rest = np.r_[0:120, 0:30], np.arange(120, 200)
    learned, others = fill_missing(table.rows(train), table.rows(rest), [1])
    for part, rows in ((learned, train), (others, rest)):
        before = table.values[rows]
        assert not np.isnan(part.values).any()
        np.testing.assert_array_equal(part.values[~np.isnan(before)], before[~np.isnan(before)])
        for f in range(8):
            assert set(part.values[:, f][np.isnan(before[:, f])]) <= set(table.values[:120, f])  # values of the rows learned from
    np.testing.assert_array_equal(learned.values[:30], learned.values[120:])  # copies of a row are one patient
    np.testing.assert_array_equal(learned.drawn, train)


def test_an_imputation_depends_on_its_seed_and_rows_only():
    table, _ = related(np.random.default_rng(1))
    train, rest = np.arange(120), np.arange(120, 200)
    first, others = fill_missing(table.rows(train), table.rows(rest), [1, 2])
    again, alone = fill_missing(table.rows(train), table.rows(rest[:0]), [1, 2])
    np.testing.assert_array_equal(first.values, again.values)
    assert alone.values.shape == (0, 8)
    changed = FeatureTable(np.where(np.arange(200)[:, None] >= 120, 99.0, table.values), table.categorical, table.features)
    np.testing.assert_array_equal(fill_missing(changed.rows(train), changed.rows(rest), [1, 2])[0].values, first.values)
    assert (fill_missing(table.rows(train), table.rows(rest), [1, 3])[0].values != first.values).any()
    complete = table.columns([7])
    assert fill_missing(complete, complete, [1])[0] is complete


def test_imputations_keep_correlations_and_levels():
    """Draws, not means: 8 imputations keep the spread, the correlations and the shares of levels of the complete table."""
    rng = np.random.default_rng(2)
    table, values = related(rng, n=600)
    fillings = [fill_missing(table, table.rows([]), [seed])[0].values for seed in range(8)]
    gaps = np.isnan(table.values)
    drawn = np.concatenate([filling[gaps[:, 4], 4] for filling in fillings])
    assert abs(drawn.std() - values[:, 4].std()) < 0.12
    correlation = np.mean([np.corrcoef(filling[:, 4], filling[:, 5])[0, 1] for filling in fillings])
    assert abs(correlation - np.corrcoef(values[:, 4], values[:, 5])[0, 1]) < 0.05
    for f in (0, 1):
        for level in np.unique(values[:, f]):
            share = np.mean([(filling[gaps[:, f], f] == level).mean() for filling in fillings])
            assert abs(share - (values[gaps[:, f], f] == level).mean()) < 0.1
    right = np.mean([(filling[gaps[:, 1], 1] == values[gaps[:, 1], 1]).mean() for filling in fillings])
    shares = np.bincount(values[:, 1].astype(int)) / 600
    assert right > shares @ shares + 0.1  # the accuracy of random levels


def test_imputation_without_recorded_values():
    values = np.random.default_rng(3).standard_normal((30, 4))
    values[:, 0] = np.nan
    values[::3, 1], values[:, 2] = np.nan, 7.0
    values[::4, 2] = np.nan
    table = FeatureTable(values, np.array([True, False, True, False]), tuple("abcd"))
    learned, others = fill_missing(table.rows(np.arange(20)), table.rows(np.arange(20, 30)), [0])
    for part in (learned, others):
        assert np.isnan(part.values[:, 0]).all() and not np.isnan(part.values[:, 1]).any()
        assert (part.values[:, 2] == 7).all()
