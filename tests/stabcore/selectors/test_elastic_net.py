"""The elastic net: against slow solvers and scikit-learn, at its ends, and what it does with columns that resemble each other."""

import warnings

import numpy as np
import pytest
from linear_support import data, elastic, full, number, optimality, path_of, proximal_gradient, standardised

from stabcore.base.errors import InputError
from stabcore.selectors.catalog import selector


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_solutions_equal_a_slow_solver(share, squared):
    X, y = data()
    y = number(X) if squared else y
    columns = standardised(X)
    for model in path_of(columns, y, share=share, squared=squared)[1:10:4]:
        intercept, weights = proximal_gradient(columns, y, model.penalty, share=share, squared=squared, steps=6000)
        np.testing.assert_allclose(full(model, 6), weights, atol=1e-6)
        assert model.intercept == pytest.approx(intercept, abs=1e-6)


def test_solutions_for_classes_equal_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    X, y = data(60, 30, 2)
    columns = standardised(X)
    for model in path_of(columns, y, share=0.5)[2:20:8]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it does not always reach so small a tolerance
            theirs = LogisticRegression(
                solver="saga", **elastic(0.5), C=1 / (len(y) * model.penalty), tol=1e-9, max_iter=20_000, random_state=0
            ).fit(columns.T, y)
        np.testing.assert_allclose(full(model, 30), theirs.coef_[0], atol=1e-5)


def test_solutions_for_a_number_equal_scikit_learn():
    from sklearn.linear_model import ElasticNet

    X, _ = data(60, 100, 5)
    y = number(X)
    columns = standardised(X)
    for model in path_of(columns, y, share=0.3, squared=True)[1:40:6]:
        theirs = ElasticNet(alpha=model.penalty, l1_ratio=0.3, tol=1e-12, max_iter=100_000).fit(columns.T, y)
        np.testing.assert_allclose(full(model, 100), theirs.coef_, atol=1e-6)


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
@pytest.mark.parametrize(("n", "d", "share"), [(30, 5, 0.9), (60, 20, 0.5), (25, 80, 0.1), (8, 12, 0.5)])
def test_every_model_of_the_path_is_optimal(n, d, share, squared):
    X, y = data(n, d, 1)
    y = number(X, 1) if squared else y
    columns = standardised(X)
    models = path_of(columns, y, share=share, squared=squared)
    assert len(models) > 5
    assert max(optimality(columns, y, model, share=share, squared=squared) for model in models) < 1e-7


@pytest.mark.parametrize("target", ["classes", "three classes", "number"])
def test_without_a_ridge_part_it_is_the_lasso(target):
    X, y = data(80, 30, 4)
    y = {"classes": y, "three classes": y + (X[:, 0] > 1), "number": number(X)}[target]
    lasso, net = selector("lasso").fit(X, y, rng=0, k=6), selector("elastic_net", lasso_share=1.0).fit(X, y, rng=0, k=6)
    np.testing.assert_array_equal(net.ranking_, lasso.ranking_)
    np.testing.assert_array_equal(net.importances_, lasso.importances_)
    assert [net.select(k).tolist() for k in (1, 4, 9)] == [lasso.select(k).tolist() for k in (1, 4, 9)]


def test_copies_enter_together_with_equal_weights():
    X, y = data(80, 6, 0)
    X = np.column_stack([X, X[:, 0]])
    fitted = selector("elastic_net").fit(X, y, rng=0, k=7)
    assert fitted.scores_[0] == fitted.scores_[6]
    assert fitted.importances_[0] == pytest.approx(fitted.importances_[6], rel=1e-6)
    assert all({0, 6} <= set(chosen) or not {0, 6} & set(chosen) for chosen in map(fitted.select, range(1, 8)))


def test_less_lasso_keeps_more_of_those_that_resemble_each_other():
    rng = np.random.default_rng(0)
    base = rng.normal(size=(100, 1))
    X = np.column_stack([base + 0.3 * rng.normal(size=(100, 5)), rng.normal(size=(100, 10)) + 0.35 * base])
    y = (base[:, 0] + 0.5 * rng.normal(size=100) > 0).astype(int)
    strongest = [
        np.sort(selector("elastic_net", lasso_share=share).fit(X, y, rng=0, k=5).importances_)[::-1][:5]
        for share in (1.0, 0.5, 0.1)
    ]
    spread = [weights[-1] / weights[0] for weights in strongest]
    assert spread[0] < spread[1] < spread[2]


def test_some_lasso_is_needed():
    with pytest.raises(InputError):
        selector("elastic_net", lasso_share=0.0)
