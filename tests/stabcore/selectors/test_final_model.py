"""Final models of selectors: they use only selected features, and the stated shrinkage."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from study_support import data

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.base.target import NUMBER
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.base import MORE
from stabcore.selectors.catalog import BY_KEY, selector
from stabcore.selectors.estimator import as_selector
from stabcore.study.choices import possible_classifiers

WITH_MODEL = [key for key, entry in BY_KEY.items() if entry.has_model]
OPTIONS = {"estimator": {"model": "sklearn.linear_model.LogisticRegression"}, "gbm": {"rounds": 20}}
OPTIONS |= {"random_forest": {"trees": 10}, "boruta": {"trees": 6, "rounds": 10}, "random_forest_permutation": {"trees": 15}}


def made(key, **options):
    return selector(key, **{**OPTIONS.get(key, {}), **options})


def rows(classes=2, n=160, random_state=0):
    """A table with gaps and a category, its classes, and 60 more rows."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    frame = pd.DataFrame(rng.normal(size=(n, 7)) + 1.5 * y[:, None] * [1, 1, 0, 0, 0.8, 0, 0], columns=list("abcdefg"))
    frame.loc[::9, "b"] = np.nan
    frame["arm"] = pd.Categorical(np.where(rng.random(n) < 0.5, "x", "y"))
    table, names = as_table(frame), np.array(["no", "perhaps", "yes"])[y]
    return table.rows(np.arange(100)), names[:100], table.rows(np.arange(100, n)), names[100:]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("key", WITH_MODEL)
def test_predictions_use_selected_features_and_beat_chance(key, classes):
    if classes == 3 and MORE not in BY_KEY[key].targets:
        pytest.skip("for two classes only")
    learning, y, held_out, truth = rows(classes)
    fitted = made(key).fit(learning, y, rng=1, k=3)
    predicted, chances = fitted.predict(held_out)
    assert set(predicted) <= set(y) and (predicted == truth).mean() > (0.75 if classes == 2 else 0.5)
    assert chances.shape == (60, classes)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert np.array_equal(chances, fitted.predict(held_out)[1])
    assert classes == 3 or np.array_equal(chances, made(key).fit(learning, y, rng=1, k=3).predict(held_out)[1])
    values, left = held_out.values.copy(), np.setdiff1d(np.arange(8), fitted.select(3))
    assert len(left) >= 5
    values[:, left] = values[::-1, left]
    changed = FeatureTable(values, held_out.categorical, held_out.features)
    assert np.array_equal(fitted.predict(changed)[1], chances)


@pytest.mark.parametrize("key", ["lasso", "elastic_net", "group_lasso"])
def test_model_of_a_path_has_the_reported_importances(key):
    """Importances are lengths of weights, and the free intercept reproduces the share of the class."""
    learning, y, _, _ = rows()
    for k in (1, 4):
        fitted = made(key).fit(learning, y, rng=0, k=k)
        model = fitted._final_model
        np.testing.assert_allclose(np.sqrt(np.bincount(model.design.feature, model.weights[0] ** 2, 8)), fitted.importances_)
        assert fitted.predict(learning)[1][:, 1].mean() == pytest.approx((y == "perhaps").mean(), abs=1e-6)


@pytest.mark.parametrize("penalty", [0.3, 40.0])
def test_models_of_recursive_elimination_agree_with_scikit_learn(penalty):
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    learning, y, held_out, _ = rows()
    for key, theirs in (
        ("logistic_rfe", LogisticRegression(C=1 / (2 * penalty), tol=1e-9, max_iter=10_000)),
        ("svm_rfe", SVC(C=penalty, kernel="linear")),
    ):
        options = {"final_penalty": penalty} if key == "logistic_rfe" else {"cost": penalty}
        fitted = made(key, **options).fit(learning, y, rng=0, k=3)
        design, columns = Design.of(learning.columns(fitted.select(3)))
        model, new = theirs.fit(columns, y), design.transform(held_out.columns(fitted.select(3)))
        predicted, chances = fitted.predict(held_out)
        assert predicted.tolist() == model.predict(new).tolist()
        if key == "logistic_rfe":
            np.testing.assert_allclose(chances, model.predict_proba(new), atol=1e-5)


@pytest.mark.parametrize("key", WITH_MODEL)
def test_constant_features_predict_the_class_shares(key):
    y = np.array([0, 0, 1] * 8)
    fitted = made(key).fit(np.ones((24, 3)), y, rng=0, k=2)
    predicted, chances = fitted.predict(np.ones((4, 3)))
    assert predicted.tolist() == [0] * 4
    np.testing.assert_allclose(chances, np.tile([2 / 3, 1 / 3], (4, 1)), atol=1e-6)


def test_final_models_refuse_numeric_targets():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(InputError):
        made("lasso").fit(X, X[:, 0], rng=0, k=2).predict(X)


def rare(n=300, random_state=0):
    """A rare class with strong markers, beside markers of large variance without signal."""
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, 10)) * [1, 1, 1, 1, 1, 9, 9, 9, 1, 1]
    odds = X[:, :5] @ np.array([2.5, 1.5, 1.2, 1.0, 0.8]) - 2.5
    frame = pd.DataFrame(X, columns=list("abcdefghij"))
    frame["outcome"] = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "x", "y")
    return sc.Dataset.from_frame(frame, target="outcome")


def scores(table, selectors, classifier, k=5, runs=2):
    with ThreadPoolExecutor(1) as executor:
        found = sc.Study(
            table, selectors, plan=sc.Subsample(runs, test_size=0.3), k=k, classifier=classifier, random_state=2, n_permutations=0
        ).run(executor)
    assert not found.progress()["failed"].any(), found.messages()
    return found, found.accuracy()


def test_final_shrinkage_and_contrast_affect_only_the_own_model():
    hybrid = {"forced": 3, "mix": 0.0, "shrinkage": 0.01}
    selectors = {
        "weak": ("logistic_rfe", {}),
        "strong": ("logistic_rfe", {"final_penalty": 3000.0}),
        "even": ("hybrid_rfe", hybrid),
        "uneven": ("hybrid_rfe", {**hybrid, "contrast": 1e4}),
    }
    found, with_own_model = scores(rare(), selectors, "own")
    _, with_neighbours = scores(rare(), selectors, "3nn")
    for label, other_label in (("weak", "strong"), ("even", "uneven")):
        assert (found.selections(label).selected == found.selections(other_label).selected).all()
        assert with_own_model.loc[label, "accuracy"] > with_own_model.loc[other_label, "accuracy"] + 0.03
        assert with_neighbours.loc[label, "accuracy"] == with_neighbours.loc[other_label, "accuracy"]


def test_own_models_are_offered_only_if_all_selectors_have_one():
    with pytest.raises(InputError):
        sc.Study(data(), {"mim": "mim", "lasso": "lasso", "f": "anova_f"}, classifier="own", n_permutations=0)
    with pytest.raises(InputError):
        sc.Study(data(), ["lasso", "mim"], classifier="own", n_permutations=0)
    assert next(iter(possible_classifiers(["lasso", "svm"]))) == "own" and "3nn" in possible_classifiers(["lasso"])
    assert "own" not in possible_classifiers(["lasso", "mim"]) and "own" not in possible_classifiers([])
    assert possible_classifiers(["lasso"], NUMBER) == {}


class Nearer:
    """Predicts the class of the nearer mean of the first column. chances: also return probabilities."""

    def __init__(self, chances=False):
        self.chances = chances

    def fit(self, X, y):
        self.scores_ = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
        self.means = X[y == 0, 0].mean(), X[y == 1, 0].mean()
        return self

    def predict(self, X):
        found = (np.abs(X[:, 0] - self.means[1]) < np.abs(X[:, 0] - self.means[0])).astype(int)
        return (found, np.eye(2)[found]) if self.chances else found


def test_user_models_and_scikit_learn_models_predict():
    from sklearn.linear_model import Lasso, LogisticRegression
    from sklearn.svm import LinearSVC

    models = {"classes": Nearer(), "both": Nearer(chances=True), "logistic": LogisticRegression(), "svc": LinearSVC()}
    _, found = scores(data(), models, "own", k=3)
    assert (found["accuracy"] > 0.6).all()
    assert found["auc"].isna().tolist() == [True, False, False, True]  # two of them predict classes only
    for without in (Lasso(), type("Plain", (), {"fit": lambda self, X, y: self})()):
        assert not hasattr(as_selector(without), "predict")
