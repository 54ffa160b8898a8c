"""Linear models on numerically hard tables: every fit reaches the minimum of its objective without warnings."""

import warnings

import numpy as np
import pytest
from sklearn.svm import SVC
from support import slow

from stabcore.classifiers.catalog import classifier
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.dual_linear import cholesky_solver, support_weights

SELECTORS = ["svm", "svm_rfe", "logistic_rfe", "hybrid_rfe"]
CLASSIFIERS = ["svm", "logistic"]


def numbers(n=80, d=20, random_state=0):
    rng = np.random.default_rng(random_state)
    return rng.normal(size=(n, d)), (rng.random(n) < 0.4).astype(int), rng


def collinear():
    X, y, _ = numbers()
    return np.hstack([X, X[:, :10] + X[:, 10:], X[:, :5]]), y


def nearly_collinear():
    X, y, rng = numbers()
    return np.hstack([X, X[:, :15] + 1e-9 * rng.normal(size=(80, 15))]), y


def repeated_rows():
    X, y, rng = numbers()
    rows = rng.integers(0, 14, 80)
    return X[rows], y[rows]


def one_against_all():
    X, _, _ = numbers()
    return X, (np.arange(80) == 3).astype(int)


def any_scale():
    X, y, rng = numbers()
    return X * 10.0 ** rng.integers(-300, 300, 20), y


def an_outlier():
    X, y, _ = numbers()
    X[0] *= 1e6
    return X, y


def constant_columns():
    X, y, _ = numbers()
    X[:, ::3] = 7
    return X, y


def separated():
    X, y, _ = numbers()
    X[:, 0] += 20 * y
    X[:, 1] = y
    return X, y


def rare_marks():
    X, y, _ = numbers(d=30)
    return (X > 1.7).astype(float), y


def categories():
    """Two categories with one column per level, so the columns of each sum to a constant."""
    _, y, rng = numbers()
    levels = np.column_stack([rng.integers(0, 25, 80), rng.integers(0, 5, 80)]).astype(float)
    return FeatureTable(levels, np.ones(2, dtype=bool), ("many", "few")), y


TABLES = [collinear, nearly_collinear, repeated_rows, one_against_all, any_scale, an_outlier, constant_columns, separated]
TABLES += [rare_marks, categories]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("table", TABLES)
def test_linear_models_fit_hard_tables(table):
    X, y = table()
    for key in SELECTORS:
        fitted = selector(key).fit(X, y, rng=0, k=5)
        assert np.isfinite(fitted.scores_).all() and np.isfinite(fitted.importances_).all()
        assert len(fitted.select(5)) == min(5, len(fitted.scores_))
    for key in CLASSIFIERS:
        assert np.isfinite(classifier(key).fit(as_table(X), y, 0).predict(as_table(X))[1]).all()


def objective(design, sign, cost, weights):
    """½ ‖w‖² + cost Σ max(0, 1 − y(w·x + b)) at the best b, where the margin of some row is exactly 1."""
    reached = design @ weights
    gaps = np.maximum(0, 1 - sign * (reached + (sign - reached)[:, None]))
    return 0.5 * weights @ weights + cost * gaps.sum(axis=1).min()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("cost", [1e-6, 0.5, slow(1e3), slow(1e6)])
@pytest.mark.parametrize("table", TABLES)
def test_interior_point_method_reaches_the_minimum(table, cost):
    X, y = table()
    design, sign = Design.of(as_table(X))[1], np.where(y == 1, 1.0, -1.0)
    found = objective(design, sign, cost, support_weights(design, sign, cost))
    libsvm = SVC(kernel="linear", C=cost, tol=1e-6, max_iter=200_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at a large cost libsvm does not converge and gives an upper bound
        other = objective(design, sign, cost, libsvm.fit(design, sign).coef_[0])
    assert found <= other * (1 + 1e-9)


@pytest.mark.parametrize("loss", [1e-20, 1e-13])
def test_system_made_indefinite_by_rounding_is_solved(loss):
    rng = np.random.default_rng(0)
    part = rng.normal(size=(3, 12))
    system = part.T @ part
    system -= loss * np.trace(system) * np.eye(12)
    target = system @ np.ones(12)
    found = cholesky_solver(system.copy())(target)
    np.testing.assert_allclose(system @ found, target, atol=1e-7 * np.abs(target).max())
