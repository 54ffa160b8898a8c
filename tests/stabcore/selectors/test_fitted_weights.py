"""Weights of features from pipelines, searches and feature selectors of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from linear_support import sparse_logistic
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SequentialFeatureSelector
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from stabcore.base.errors import InputError
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.estimator import EstimatorSelector, UserSelector, as_selector

RNG = np.random.default_rng(3)
X = pd.DataFrame(RNG.normal(size=(80, 6)), columns=["a", "b", "a_b", "long name", "e", "f"])
y = (X["a"] + X["b"] + 0.5 * RNG.normal(size=80) > 0).to_numpy().astype(int)
SCALED = Design.learn(as_table(X)).transform(as_table(X))
SPARSE = sparse_logistic(C=0.1, tol=1e-8, max_iter=10_000)
MIXED = X.assign(sex=np.where(RNG.random(80) < 0.5, "f", "m"), **{"stage at visit": np.array(list("xyz"))[np.arange(80) % 3]})
BY_NAME = ColumnTransformer(
    [
        ("num", make_pipeline(SimpleImputer(), StandardScaler()), list(X)),
        ("cat", OneHotEncoder(handle_unknown="ignore"), ["sex", "stage at visit"]),
    ]
)


def scores(model, given=X):
    return np.nan_to_num(EstimatorSelector(model).fit(given, y, rng=0).scores_)


def test_feature_selectors_weigh_only_selected_features():
    best = SelectKBest(k=2).fit(SCALED, y)
    np.testing.assert_allclose(scores(SelectKBest(k=2)), np.where(best.get_support(), best.scores_, 0))
    model = SPARSE.fit(SCALED, y)
    np.testing.assert_allclose(scores(SelectFromModel(SPARSE)), np.abs(model.coef_[0]), rtol=1e-4)
    rfe = RFE(LogisticRegression(), n_features_to_select=3).fit(SCALED, y)
    expected = np.zeros(6)
    expected[rfe.get_support()] = np.abs(rfe.estimator_.coef_[0])
    np.testing.assert_allclose(scores(RFE(LogisticRegression(), n_features_to_select=3)), expected)
    forward = SequentialFeatureSelector(KNeighborsClassifier(), n_features_to_select=2, cv=2)
    assert ((scores(forward) > 0) == forward.fit(SCALED, y).get_support()).all()


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), SelectKBest(k=2), SPARSE),
        Pipeline([("in", Pipeline([("scale", StandardScaler()), ("best", SelectKBest(k=2))])), ("model", SPARSE)]),
        GridSearchCV(make_pipeline(SelectKBest(k=2), SPARSE), {"logisticregression__C": [0.1]}, cv=2),
    ],
    ids=["pipeline", "nested", "search"],
)
def test_weights_pass_back_through_selecting_steps(model):
    best_two = np.flatnonzero(SelectKBest(k=2).fit(SCALED, y).get_support())
    expected = np.zeros(6)
    expected[best_two] = np.abs(SPARSE.fit(SCALED[:, best_two], y).coef_[0])
    np.testing.assert_allclose(scores(model), expected, rtol=1e-4)


def test_weights_of_named_columns_are_summed_by_feature():
    model = make_pipeline(BY_NAME, LogisticRegression())
    found = scores(model, MIXED)
    codes = MIXED.assign(**{name: MIXED[name].astype("category").cat.codes.astype(float) for name in ("sex", "stage at visit")})
    weights = np.abs(model.fit(codes, y)[-1].coef_[0])
    np.testing.assert_allclose(found, [*weights[:6], weights[6:8].sum(), weights[8:].sum()], rtol=1e-6)


def test_models_without_feature_weights_are_refused():
    for model in (
        KNeighborsClassifier(),
        make_pipeline(PCA(6), LogisticRegression()),
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
    ):
        with pytest.raises(InputError):
            scores(model)


class Scores(BaseEstimator):
    """Gives only scores, some of which are 0 or negative."""

    def fit(self, X, y):
        self.scores_ = np.array([0.0, -1, 3, 2, -5, 1])
        return self


class Draws(Scores):
    def fit(self, X, y, rng=None):
        return super().fit(X, y)


def test_scores_of_0_and_below_are_ranked():
    fitted = as_selector(Scores()).fit(X, y, rng=0)
    assert fitted.ranking_.tolist() == [4, 5, 1, 2, 6, 3] and fitted.importances_.tolist() == [0, 0, 3, 2, 0, 1]
    assert fitted.select(5).tolist() == [0, 1, 2, 3, 5] and isinstance(as_selector(Draws()), UserSelector)
