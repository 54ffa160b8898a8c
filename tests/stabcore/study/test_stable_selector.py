"""StableSelector: checks of scikit-learn, pipelines, and its three rules."""

import numpy as np
import pandas as pd
import pytest
from linear_support import sparse_logistic
from scipy import sparse
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import stabcore as sc
from stabcore.inference.error_bounds import pfer_bound
from stabcore.inference.path_selection import path_selection


@parametrize_with_checks([sc.StableSelector("anova_f", sc.ComplementaryPairs(3))])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 20)), columns=[f"x{j}" for j in range(20)])
    return X, np.where(X["x3"] + X["x7"] + 0.3 * rng.normal(size=120) > 0, "ill", "well")


def test_stable_features_are_kept_in_a_pipeline():
    X, y = data()
    fitted = sc.StableSelector("anova_f", k=2).fit(X, y)
    assert fitted.get_feature_names_out().tolist() == ["x3", "x7"] and fitted.transform(X).shape == (120, 2)
    assert cross_val_score(make_pipeline(fitted, LogisticRegression()), X, y, cv=3).mean() > 0.8
    again = sc.StableSelector("anova_f", k=2, n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(fitted.frequencies_, again.frequencies_)


class Observed:
    """A stand-in for AnnData with its documented attributes."""

    def __init__(self, X):
        self.X, self.obs, self.var_names = sparse.csr_matrix(X.to_numpy()), pd.DataFrame(index=X.index), X.columns


@pytest.mark.parametrize(
    "make",
    [
        *(lambda X: sparse.csr_matrix(X.to_numpy()), lambda X: sparse.csc_array(X.to_numpy()), Observed),
        *(lambda X: X.mask(X > 2), lambda X: X.mask(X > 2).to_numpy(), lambda X: X.assign(sex=["m", "f"] * 60)),
    ],
    ids=["sparse", "sparse columns", "AnnData", "missing cells", "missing cells of an array", "categories"],
)
def test_accepts_every_input_of_a_study(make):
    X, y = data()
    given = make(X)
    fitted = sc.StableSelector("anova_f", sc.ComplementaryPairs(5), k=2).fit(given, y)
    assert fitted.get_feature_names_out().tolist() == ["x3", "x7"]
    selected = fitted.transform(given)
    assert selected.shape == (120, 2) and sparse.issparse(selected) == sparse.issparse(given)


def test_columns_may_have_numbers_as_names():
    """Selected columns were read as the names of others."""
    X, y = data()
    numbered = X.set_axis([str(19 - j) for j in range(20)], axis=1)
    fitted = sc.StableSelector("anova_f", sc.ComplementaryPairs(5), k=2).fit(numbered, y)
    assert fitted.get_feature_names_out().tolist() == ["16", "12"]
    assert sorted(fitted.selections_.counts.nonzero()[0])[0] == 3


def test_outcome_may_be_any_column():
    X, y = data()
    asked = sc.StableSelector("anova_f", sc.ComplementaryPairs(3), k=2)
    expected = asked.fit(X, y).frequencies_
    for outcome in (list(y), pd.Series(y, dtype="string"), pd.Categorical(y), pd.Series(y == "well", dtype="boolean")):
        np.testing.assert_array_equal(asked.fit(X, outcome).frequencies_, expected)
    with pytest.warns(DataConversionWarning):
        np.testing.assert_array_equal(asked.fit(X, pd.DataFrame({"y": y})).frequencies_, expected)


@pytest.mark.parametrize("rule", [{"max_false": 0.5}, {"fdr": 0.1}])
def test_limit_on_false_features_holds_for_paths(rule):
    X, y = data()
    fitted = sc.StableSelector(sparse_logistic(C=0.5), k=5, **rule).fit(X, y)
    path = path_selection([fitted.selections_.ranking()], n_rows=len(y))
    in_panel = path.expected_false <= 0.5 if "max_false" in rule else path.q_values <= 0.1
    assert {"x3", "x7"} <= set(fitted.get_feature_names_out()) == {f"x{j}" for j in np.flatnonzero(in_panel)}
    assert fitted.expected_false_ == path.expected_false[in_panel].max() and fitted.q_values_.tolist() == path.q_values.tolist()


def test_threshold_has_the_unimodal_bound():
    X, y = data()
    fitted = sc.StableSelector("anova_f", k=2, threshold=0.6).fit(X, y)
    assert fitted.expected_false_ == pfer_bound(2, 20, 0.6, 25)
    assert np.isnan(sc.StableSelector("anova_f", plan=5, k=2).fit(X, y).expected_false_)


@pytest.mark.parametrize("wrong", [{"threshold": 0.6, "fdr": 0.1}, {"threshold": 2}, {"max_false": 1, "plan": 5}])
def test_invalid_rules_are_refused(wrong):
    with pytest.raises(sc.InputError):
        sc.StableSelector("anova_f", k=2, **wrong).fit(*data())


def test_without_k_selectors_choose_their_number():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 10))
    y = X[:, 0] + X[:, 1] + rng.standard_normal(120) > 0
    fitted = sc.StableSelector(("backward_elimination", {"criterion": "BIC"}), k=None, plan=sc.ComplementaryPairs(6)).fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [0, 1]
    assert (fitted.frequencies_[2:] < 0.5).all()
