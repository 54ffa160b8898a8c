"""Logistic regression and support vector machines from products of rows or columns, against scikit-learn."""

import numpy as np
import pytest
from recursive_support import data, standardised
from sklearn.svm import SVC

from stabcore.selectors.solvers import dual_linear
from stabcore.selectors.solvers.dual_linear import RemainingColumns, logistic_weights, svm_weights


@pytest.mark.parametrize(("n", "d", "penalty"), [(50, 90, 1), (50, 30, 1), (200, 600, 1e-4), (200, 600, 1e-2)])
def test_both_newton_solvers_find_the_same_weights(n, d, penalty, monkeypatch):
    """Separated classes with a small penalty make the loss nearly flat in most rows, which shortens the steps."""
    X, y = data(n, d)
    X[:, :20] += np.linspace(0.1, 1, 20) * y[:, None]
    near, asked = dual_linear._conjugate_gradient_step, []
    monkeypatch.setattr(dual_linear, "_conjugate_gradient_step", lambda *given: asked.append(1) or near(*given))
    found, _ = logistic_weights(RemainingColumns(standardised(X).T, np.arange(d)), y, penalty)
    assert asked
    for gives_up in (0, 2):  # at once, and after two steps
        calls = iter(range(1000))
        monkeypatch.setattr(
            dual_linear, "_conjugate_gradient_step", lambda *given, i=calls, end=gives_up: near(*given) if next(i) < end else None
        )
        other, (_, _, factor) = logistic_weights(RemainingColumns(standardised(X).T, np.arange(d)), y, penalty)
        assert factor is not None
        np.testing.assert_allclose(found, other, atol=1e-6 * np.abs(other).max())


@pytest.mark.parametrize(("n", "d"), [(50, 90), (60, 25), (60, 4), (150, 1)])
@pytest.mark.parametrize("classes", [2, 4])
def test_svm_weights_agree_with_libsvm(n, d, classes):
    X, y = data(n, d, classes=classes)
    Z = standardised(X)
    found = svm_weights(RemainingColumns(Z.T, np.arange(d)), y, 0.5)
    model = SVC(kernel="linear", C=0.5, tol=1e-7).fit(Z, y)
    np.testing.assert_allclose(np.abs(found), np.abs(model.coef_), atol=2e-5)
