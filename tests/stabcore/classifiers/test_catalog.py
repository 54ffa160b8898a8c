"""Classifiers that score a feature set: plain loops, small and odd data, and fits on the given rows only."""

import warnings

import numpy as np
import pandas as pd
import pytest

from stabcore.classifiers.catalog import CLASSIFIERS, ForestClassifier, classifier
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table

TREES = 15  # instead of a hundred


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    assert classifier("random_forest").trees == 100
    monkeypatch.setattr(ForestClassifier.__init__, "__defaults__", (TREES, ForestClassifier().node))


def split(classes=2, n=60, random_state=0):
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    frame = pd.DataFrame(rng.normal(size=(n, 2)) + 2 * y[:, None], columns=["a", "b"])
    frame.loc[::9, "a"] = np.nan
    frame["arm"] = pd.Categorical(np.where(rng.random(n) < 0.5, "x", "y"))
    table = as_table(frame)
    return table.rows(np.arange(n // 2)), y[: n // 2], table.rows(np.arange(n // 2, n)), y[n // 2 :]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", CLASSIFIERS)
def test_predictions_have_their_shape_and_beat_chance(key, classes):
    learning, y, held_out, truth = split(classes)
    predicted, chances = classifier(key).fit(learning, y, rng=0).predict(held_out)
    assert predicted.shape == (30,)
    assert chances.shape == (30, classes)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (predicted == truth).mean() > 0.5
    again = classifier(key).fit(learning, y, rng=0).predict(held_out)[1]
    assert np.array_equal(again, chances)


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_only_the_forest_is_random(key):
    learning, y, held_out, _ = split()
    first, second = (classifier(key).fit(learning, y, rng=np.random.default_rng(seed)).predict(held_out)[1] for seed in (0, 1))
    assert np.array_equal(first, second) == (key != "random_forest")


def test_three_neighbours_against_known_values():
    learning, y, held_out, _ = split(3)
    design = Design.learn(learning)
    learned, new = design.transform(learning), design.transform(held_out)
    predicted, chances = classifier("3nn").fit(learning, y).predict(held_out)
    for i, row in enumerate(new):
        nearest = sorted(range(len(learned)), key=lambda j: (np.sqrt(((learned[j] - row) ** 2).sum()), j))[:3]
        votes = [sum(y[j] == c for j in nearest) for c in range(3)]
        np.testing.assert_allclose(chances[i], np.array(votes) / 3)
        assert predicted[i] == (int(np.argmax(votes)) if max(votes) > 1 else y[nearest[0]])


def of_scikit_learn(key):
    """The same classifier in scikit-learn."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    first = int(np.random.default_rng(5).integers(2**31))
    return {
        "logistic": LogisticRegression(C=1.0, max_iter=5000),
        "svm": SVC(C=0.5, kernel="linear"),
        "rbf_svm": SVC(C=1.0, kernel="rbf", gamma="scale"),
        "random_forest": RandomForestClassifier(n_estimators=TREES, random_state=first),
    }[key]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", ["logistic", "random_forest", "svm", "rbf_svm"])
def test_predictions_equal_those_of_scikit_learn(key, classes):
    learning, y, held_out, truth = split(classes, n=120, random_state=2)
    y = np.where(np.arange(60) % 5 == 0, (y + 1) % classes, y)  # no clean separation
    design = Design.learn(learning)
    model = of_scikit_learn(key).fit(design.transform(learning), y)
    predicted, scores = classifier(key).fit(learning, y, rng=5).predict(held_out)
    assert predicted.tolist() == model.predict(design.transform(held_out)).tolist()
    if not key.endswith("svm"):
        np.testing.assert_allclose(scores, model.predict_proba(design.transform(held_out)), atol=1e-6)


@pytest.mark.parametrize("key", ["svm", "rbf_svm"])
def test_scores_of_support_vectors_have_the_order_of_decisions(key):
    learning, y, _, _ = split(random_state=3)
    far = as_table(
        pd.DataFrame(
            {"a": [-1e6, *np.linspace(-9, 9, 60), 1e6], "b": 0.5, "arm": pd.Categorical(["x"] * 62, categories=["x", "y"])}
        )
    )
    design = Design.learn(learning)
    decided = of_scikit_learn(key).fit(design.transform(learning), y).decision_function(design.transform(far))
    predicted, scores = classifier(key).fit(learning, y).predict(far)
    assert scores.min() >= 0 and scores.max() <= 1
    assert np.array_equal(predicted, scores[:, 1] > 0.5)
    apart = np.diff(np.sort(decided)) > 1e-12
    assert (np.diff(scores[np.argsort(decided, kind="stable"), 1])[apart] > 0).all()


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_wide_and_separable_data_cause_no_warning(key):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = as_table(rng.normal(size=(60, 2000)) * 10.0 ** rng.integers(-6, 7, 2000) + y[:, None])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predicted, _ = classifier(key).fit(X, y, rng=0).predict(X)
    assert (predicted == y).mean() > 0.7


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_held_out_rows_are_predicted_one_by_one(key):
    learning, y, held_out, _ = split()
    fitted = classifier(key).fit(learning, y)
    together = fitted.predict(held_out)[1]
    alone = np.vstack([fitted.predict(held_out.rows([i]))[1] for i in range(held_out.n_rows)])
    np.testing.assert_allclose(together, alone, atol=1e-12)


@pytest.mark.parametrize("key", CLASSIFIERS)
@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.0], [1.0]], [0, 1]),
        ([[0.0], [1.0], [2.0]], [1, 1, 1]),
        ([[3.0], [3.0], [3.0]], [0, 1, 1]),
        ([[np.nan], [np.nan]], [0, 1]),
        ([[1.0]], [1]),
        ([[0.0], [1.0], [2.0], [9.0]], [0, 1, 2, 3]),
    ],
    ids=["two rows", "one class", "nothing varies", "no values", "one row", "one row per class"],
)
def test_small_and_odd_data(key, X, y):
    predicted, chances = classifier(key).fit(as_table(X), y).predict(as_table([[0.5], [np.nan]]))
    assert chances.shape == (2, max(2, max(y) + 1)) and np.isfinite(chances).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert set(predicted.tolist()) <= set(y)


@pytest.mark.parametrize("key", CLASSIFIERS)
def test_an_absent_class_has_probability_0(key):
    X = as_table(np.arange(8.0)[:, None])
    predicted, chances = classifier(key).fit(X, [0, 0, 0, 0, 2, 2, 2, 2], n_classes=4).predict(X)
    assert chances.shape == (8, 4)
    assert not chances[:, [1, 3]].any()
    assert predicted.tolist() == [0, 0, 0, 0, 2, 2, 2, 2]


def test_the_linear_svm_does_not_penalise_the_intercept():
    from scipy.optimize import linprog, minimize_scalar

    x, y = np.array([-2.0, -1.0, 0.5, -0.2, 1.0, 3.0]), np.array([0, 0, 0, 1, 1, 1])
    z = (x - x.mean()) / x.std()
    sign = 2 * y - 1

    def loss(w, details=False):
        """The best intercept for a weight, by the linear programme min Σ slack, slack ≥ 1 − sign (w z + b)."""
        solved = linprog(
            [0.0] + [1.0] * 6,
            A_ub=np.column_stack([-sign, -np.eye(6)]),
            b_ub=sign * w * z - 1,
            bounds=[(None, None)] + [(0, None)] * 6,
        )
        return solved if details else w * w / 2 + 0.5 * solved.fun

    w = minimize_scalar(loss, bounds=(0, 5), method="bounded", options={"xatol": 1e-8}).x
    machine = classifier("svm").fit(as_table(x[:, None]), y)
    assert machine._model.coef_[0, 0] == pytest.approx(w, abs=1e-3)
    b = machine._model.intercept_[0]
    assert np.maximum(0, 1 - sign * (w * z + b)).sum() == pytest.approx(loss(w, details=True).fun, abs=5e-3)
