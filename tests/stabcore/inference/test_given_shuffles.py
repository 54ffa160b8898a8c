"""Shuffles of the outcome that keep its relation to the given columns."""

import numpy as np
import pandas as pd
import pytest
from given_support import aged

from stabcore.base.target import MORE, NUMBER, TIME, TWO
from stabcore.data.feature_table import as_table
from stabcore.inference.noise_floor import MIN_GROUP_ROWS, exchangeable_groups, shuffled_outcome


def test_categories_shuffle_within_their_combinations():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"sex": rng.choice(list("mw"), 120), "centre": rng.choice(list("abc"), 120)})
    y = rng.integers(0, 2, 120)
    for number in (1, 2):
        other = shuffled_outcome(y, None, 3, number, as_table(frame))
        for _, rows in frame.groupby(["sex", "centre"]):
            assert y[rows.index].sum() == other[rows.index].sum()
        assert (other != y).any()
    np.testing.assert_array_equal(
        shuffled_outcome(y, None, 3, 1, as_table(frame)), shuffled_outcome(y, None, 3, 1, as_table(frame))
    )


def test_a_number_keeps_its_linear_model():
    """Freedman & Lane: the same fitted values, residuals in other rows."""
    _, y, given = aged(0, NUMBER)
    Z = np.column_stack([np.ones(len(y)), given])
    fitted = Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    other = shuffled_outcome(y, None, 0, 1, as_table(given))
    np.testing.assert_allclose(np.sort(other - fitted), np.sort(y - fitted), atol=1e-10)
    assert np.corrcoef(other - fitted, y - fitted)[0, 1] < 0.3


@pytest.mark.parametrize("kind", [TWO, MORE, TIME])
def test_rows_with_similar_predictions_are_exchanged(kind):
    _, y, given = aged(1, kind)
    fitted, values, groups = exchangeable_groups(y, as_table(given))
    sizes = np.bincount(groups)
    assert (
        fitted is None and values is y and sizes.sum() == 200 and sizes.min() >= MIN_GROUP_ROWS and sizes.max() < 2 * MIN_GROUP_ROWS
    )
    other = shuffled_outcome(y, None, 0, 1, as_table(given))
    for group in range(len(sizes)):
        np.testing.assert_array_equal(np.sort(y[groups == group]), np.sort(other[groups == group]))
    age = given[:, 0]  # ages within a group are similar
    assert np.mean([age[groups == group].std() for group in range(len(sizes))]) < (0.5 if kind == TWO else 0.8) * age.std()
    assert (other != y).any()


def test_shuffles_keep_the_relation_to_age_only():
    X, y, given = aged(2, own_effect=1.5, n=400)
    free, with_age = (
        np.mean([shuffled_outcome(y, None, 0, number, form).astype(float) for number in range(1, 31)], axis=0)
        for form in (None, as_table(given))
    )
    assert abs(np.corrcoef(free, given[:, 0])[0, 1]) < 0.25 < 0.6 < np.corrcoef(with_age, given[:, 0])[0, 1]
    left = X[:, 1] - np.polyval(np.polyfit(given[:, 0], X[:, 1], 1), given[:, 0])
    assert abs(np.corrcoef(with_age, left)[0, 1]) < 0.15 < np.corrcoef(y, left)[0, 1]


def test_whole_patients_are_exchanged():
    _, y, given = aged(3, n=60)
    patients = np.repeat(np.arange(60), 2)
    target, doubled = np.repeat(y, 2), np.repeat(given, 2, axis=0)
    groups = exchangeable_groups(target, as_table(doubled))[2]
    other = shuffled_outcome(target, patients, 0, 1, as_table(doubled))
    assert (other[::2] == other[1::2]).all() and other.sum() == target.sum() and len(np.unique(groups)) > 5
