"""The learners that score a feature set: against plain loops, on small and odd data, learning from their rows only."""

import numpy as np
import pandas as pd
import pytest

from stabcore.classifiers import CLASSIFIERS, classifier
from stabcore.encoding import Design
from stabcore.errors import InputError
from stabcore.table import as_table


def split(classes=2, n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    frame = pd.DataFrame(rng.normal(size=(n, 2)) + 2 * y[:, None], columns=["a", "b"])
    frame.loc[::9, "a"] = np.nan
    frame["arm"] = pd.Categorical(np.where(rng.random(n) < 0.5, "x", "y"))
    table = as_table(frame)
    return table.rows(np.arange(n // 2)), y[: n // 2], table.rows(np.arange(n // 2, n)), y[n // 2:]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", CLASSIFIERS)
def test_predictions_have_their_shape_and_beat_chance(key, classes):
    learning, y, held_out, truth = split(classes)
    predicted, chances = classifier(key).fit(learning, y, rng=0).predict(held_out)
    assert predicted.shape == (30,)
    assert chances.shape == (30, classes)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (predicted == truth).mean() > 0.6
    again = classifier(key).fit(learning, y, rng=1).predict(held_out)[1]
    assert np.array_equal(again, chances)


def test_three_neighbours_by_hand():
    learning, y, held_out, _ = split(3)
    design = Design.learn(learning)
    known, new = design.transform(learning), design.transform(held_out)
    predicted, chances = classifier("3nn").fit(learning, y).predict(held_out)
    for i, row in enumerate(new):
        nearest = sorted(range(len(known)), key=lambda j: (np.sqrt(((known[j] - row) ** 2).sum()), j))[:3]
        votes = [sum(y[j] == c for j in nearest) for c in range(3)]
        np.testing.assert_allclose(chances[i], np.array(votes) / 3)
        assert predicted[i] == (int(np.argmax(votes)) if max(votes) > 1 else y[nearest[0]])


def test_logistic_is_scikit_learns_on_the_design():
    from sklearn.linear_model import LogisticRegression

    learning, y, held_out, _ = split()
    design = Design.learn(learning)
    model = LogisticRegression(max_iter=1000).fit(design.transform(learning), y)
    np.testing.assert_allclose(classifier("logistic").fit(learning, y).predict(held_out)[1],
                               model.predict_proba(design.transform(held_out)))


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_held_out_rows_are_predicted_one_by_one(key):
    learning, y, held_out, _ = split()
    fitted = classifier(key).fit(learning, y)
    together = fitted.predict(held_out)[1]
    alone = np.vstack([fitted.predict(held_out.rows([i]))[1] for i in range(held_out.n_rows)])
    np.testing.assert_allclose(together, alone, atol=1e-12)


@pytest.mark.parametrize("key", CLASSIFIERS)
@pytest.mark.parametrize(("X", "y"), [
    ([[0.0], [1.0]], [0, 1]), ([[0.0], [1.0], [2.0]], [1, 1, 1]), ([[3.0], [3.0], [3.0]], [0, 1, 1]),
    ([[np.nan], [np.nan]], [0, 1]), ([[1.0]], [1]),
], ids=["two rows", "one class", "nothing varies", "no values", "one row"])
def test_small_and_odd_data(key, X, y):
    predicted, chances = classifier(key).fit(as_table(X), y).predict(as_table([[0.5], [np.nan]]))
    assert chances.shape == (2, 2)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert set(predicted.tolist()) <= set(y)


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_a_class_that_the_rows_lack_has_probability_zero(key):
    X = as_table(np.arange(8.0)[:, None])
    predicted, chances = classifier(key).fit(X, [0, 0, 0, 0, 2, 2, 2, 2], n_classes=4).predict(X)
    assert chances.shape == (8, 4)
    assert not chances[:, [1, 3]].any()
    assert predicted.tolist() == [0, 0, 0, 0, 2, 2, 2, 2]


def test_unknown_classifier():
    with pytest.raises(InputError, match="Choose one of: 3nn, logistic"):
        classifier("svm")
