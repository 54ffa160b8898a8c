"""Importances in fitted models, against slow versions of their definitions."""

import numpy as np
import pytest
from contract_support import falls_slowly, plain
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics.pairwise import laplacian_kernel, pairwise_kernels
from sklearn.svm import SVC

from stabcore.base.errors import InputError
from stabcore.selectors.importance import kernel_importance, linear_importance, permutation_importance, sensitivity_importance


def test_linear_by_hand():
    np.testing.assert_allclose(linear_importance([3, 0, -1]), [1.5, 0, 0.5])
    assert linear_importance([0.0, 0.0]).tolist() == [0, 0]
    np.testing.assert_allclose(linear_importance([1e308, -1e308]), [1, 1])


def test_sensitivity_of_a_linear_model_is_its_linear_importance():
    rng = np.random.default_rng(0)
    X = rng.normal(2, 3, size=(60, 6))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    w = rng.normal(size=6)
    w[2] = 0
    found = sensitivity_importance(lambda rows: rows @ w + 0.3 > 0, X)
    np.testing.assert_allclose(found, linear_importance(w), rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(found.sum(), 5)


def test_sensitivity_of_a_tree_by_hand():
    # class 1 above 1 in the first and above 0 in the second; the rows (0, 1), (2, 1), (2, −3), (0, −3)
    X = np.array([[0, 1], [2, 1], [2, -3], [0, -3.0]])

    def predict(rows):
        return (rows[:, 0] > 1) & (rows[:, 1] > 0)

    a, b = 1 / 1.0, 2.0  # standard deviations 1 and 2
    near = [(a / 1, 0), (a / 1, b / 1), (0, b / 3)]  # the fourth row needs both to change
    expected = np.mean([[2 * p / (p + q), 2 * q / (p + q)] for p, q in near], axis=0)
    np.testing.assert_allclose(sensitivity_importance(predict, X), expected, rtol=1e-9)
    np.testing.assert_allclose(sensitivity_importance(predict, X, used=10), 5 * expected, rtol=1e-9)


def test_sensitivity_when_nothing_flips():
    X, _ = plain(80, 5)
    assert sensitivity_importance(lambda rows: np.zeros(len(rows)), X).tolist() == [0] * 5
    X[:, 1] = 4  # the spread of a constant column is 0
    assert sensitivity_importance(lambda rows: rows.sum(axis=1) > 6, X)[1] == 0
    far = sensitivity_importance(lambda rows: rows @ [1, 0, 0, 0, 1e-12] > 0.2, X, reach=100)
    assert far[0] == 1 and far[4] == 0


@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "linear"},
        {"kernel": "rbf"},
        {"kernel": "rbf", "gamma": "auto"},
        {"kernel": "rbf", "gamma": 0.3},
        {"kernel": "poly", "degree": 2, "coef0": 1.5},
        {"kernel": "poly"},
        {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.2},
        {"kernel": laplacian_kernel},
    ],
    ids=lambda options: str(getattr(options["kernel"], "__name__", options)),
)
def test_kernel_against_the_double_sum(options):
    X, y = plain(80, 5)
    svm = SVC(**options).fit(X, y)
    duals = np.zeros(len(X))
    duals[svm.support_] = svm.dual_coef_[0]
    name = options["kernel"]
    given = {} if callable(name) or name == "linear" else {"gamma": svm._gamma}
    given |= {"coef0": svm.coef0} if name in ("poly", "sigmoid") else {}
    given |= {"degree": svm.degree} if name == "poly" else {}

    def squared(rows):
        if name is laplacian_kernel:  # its own gamma is 1/(number of features)
            K = laplacian_kernel(rows, rows)
        else:
            K = pairwise_kernels(rows, metric=name, **given)
        return sum(duals[i] * duals[j] * K[i, j] for i in range(len(X)) for j in range(len(X)))

    expected = [abs(squared(X) - squared(np.delete(X, f, axis=1))) for f in range(5)]
    np.testing.assert_allclose(kernel_importance(svm, X), expected, rtol=1e-8, atol=1e-10)
    if name == "linear":
        np.testing.assert_allclose(expected, svm.coef_[0] ** 2, rtol=1e-8)


def test_permutation_importance_matches_plain_loops():
    """The random numbers differ, so means of many shuffles are compared within their error."""
    X, y = plain(60, 4, classes=3)
    y = np.array(["a", "b", "c"])[y]
    forest = RandomForestClassifier(8, random_state=0, max_depth=4).fit(X, y)
    found = np.array([permutation_importance(forest, X, y, seed) for seed in range(20)])
    rng = np.random.default_rng(1)
    slow = np.array([falls_slowly(forest, X, y, rng, 1) for _ in range(20)])
    error = np.sqrt((found.var(axis=0) + slow.var(axis=0)) / 20)
    assert (np.abs(found.mean(axis=0) - slow.mean(axis=0)) < 4 * error).all()
    np.testing.assert_allclose(found.std(axis=0), slow.std(axis=0), rtol=0.5)


def refusals():
    X, y = plain(80, 5)
    three = SVC().fit(*plain(80, 5, classes=3))
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    return {
        "three classes": lambda: kernel_importance(three, plain(80, 5, classes=3)[0]),
        "a kernel without features": lambda: kernel_importance(SVC(kernel="precomputed").fit(X @ X.T, y), X),
        "other rows": lambda: kernel_importance(SVC().fit(X, y), X[1:]),
        "no rows out of the bag": lambda: permutation_importance(RandomForestClassifier(5, bootstrap=False).fit(X, y), X, y, 0),
        "other columns": lambda: permutation_importance(forest, X[:, :4], y, 0),
        "gaps": lambda: permutation_importance(forest, np.where(X > 2, np.nan, X), y, 0),
        "gaps of a sensitivity": lambda: sensitivity_importance(lambda rows: rows[:, 0] > 0, np.array([[np.nan], [1]])),
        "no weight": lambda: linear_importance([1, np.nan]),
    }


@pytest.mark.parametrize("name", refusals())
def test_models_without_a_valid_importance_are_refused(name):
    with pytest.raises(InputError):
        refusals()[name]()
