"""The lasso: against slow solvers, scikit-learn and the optimality conditions, and how features enter."""

import warnings

import numpy as np
import pandas as pd
import pytest
from linear_support import data, elastic, full, number, optimality, path_of, proximal_gradient, standardised
from support import slow

from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Logistic, Problem


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
def test_solutions_equal_a_slow_solver(squared):
    X, y = data()
    y = number(X) if squared else y
    columns = standardised(X)
    models = path_of(columns, y, squared=squared)
    for model in models[1:12:5]:
        intercept, weights = proximal_gradient(columns, y, model.penalty, squared=squared)
        np.testing.assert_allclose(full(model, 6), weights, atol=1e-6)
        assert model.intercept == pytest.approx(intercept, abs=1e-6)


def test_solutions_for_a_number_equal_scikit_learn():
    from sklearn.linear_model import Lasso

    X, _ = data(60, 100, 5)
    y = number(X)
    columns = standardised(X)
    models = path_of(columns, y, squared=True)
    assert models[0].penalty == pytest.approx(np.abs(columns @ (y - y.mean())).max() / len(y))
    for model in models[1:40:6]:
        theirs = Lasso(alpha=model.penalty, tol=1e-12, max_iter=100_000).fit(columns.T, y)
        np.testing.assert_allclose(full(model, 100), theirs.coef_, atol=1e-6)
        assert model.intercept == pytest.approx(theirs.intercept_)


def test_solutions_for_classes_equal_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    X, y = data(60, 30, 2)
    columns = standardised(X)
    models = path_of(columns, y)
    for model in models[2:12:4]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it does not always reach so small a tolerance
            theirs = LogisticRegression(
                solver="saga", **elastic(1), C=1 / (len(y) * model.penalty), tol=1e-9, max_iter=20_000, random_state=0
            ).fit(columns.T, y)
        np.testing.assert_allclose(full(model, 30), theirs.coef_[0], atol=1e-5)


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
@pytest.mark.parametrize(("n", "d", "seed"), [(30, 5, 0), (60, 20, 1), (25, 80, 2), (200, 40, 3)])
def test_every_model_of_the_path_is_optimal(n, d, seed, squared):
    X, y = data(n, d, seed)
    y = number(X, seed) if squared else y
    columns = standardised(X)
    models = path_of(columns, y, squared=squared)
    penalties = [model.penalty for model in models]
    assert penalties == sorted(penalties, reverse=True)
    assert len(models[0].active) == 0
    assert max(optimality(columns, y, model, squared=squared) for model in models) < 1e-7
    assert max(abs(np.diff([len(model.active) for model in models]))) <= 2


@pytest.mark.parametrize("sizes", [None, [2, 5, 1] * 10])
def test_models_between_two_of_the_path_are_optimal_over_all_columns(sizes):
    X, y = data(60, 80, 4)
    columns = standardised(X)
    widths = np.ones(80, dtype=int) if sizes is None else np.array(sizes)
    problem = Problem(columns, Logistic(y.astype(float)), widths)
    models = list(penalised.path(problem, np.random.default_rng(0)))
    for one, later in zip(models[2:20], models[3:21]):
        penalty = one.penalty * (later.penalty / one.penalty) ** 0.9
        found = penalised.between(problem, one, later, penalty, np.random.default_rng(0))
        assert found.penalty == penalty and optimality(columns, y, found, sizes) < 1e-7


@pytest.mark.parametrize(
    ("sizes", "share", "squared"),
    [(None, 0.3, False), slow(None, 0.3, True), ([2, 5, 1] * 25, 1.0, False), ([2, 5, 1] * 25, 1.0, True)],
)
def test_watching_few_columns_misses_nothing(monkeypatch, sizes, share, squared):
    X, y = data(50, 200, 7)
    X[:, 60:90] = X[:, 30:60]  # copies: as near as can be
    y = number(X) if squared else y
    columns = standardised(X)
    watched = []
    make = penalised._Watch.over
    monkeypatch.setattr(penalised._Watch, "over", lambda *given: watched.append(made := make(*given)) or made)
    everything = path_of(columns, y, sizes, share, squared)
    assert [len(watch.where) for watch, _ in watched] == [200]
    monkeypatch.setattr(penalised, "_FEW", 0)
    models = path_of(columns, y, sizes, share, squared)
    assert len(watched) > 5 and min(len(watch.where) for watch, _ in watched) < 60
    assert max(optimality(columns, y, model, sizes, share, squared) for model in models) < 1e-7
    place = np.r_[:60, 30:60, 90:200] if sizes is None else np.arange(200)  # a copy counts as the column
    order = [list(dict.fromkeys(place[f] for model in found for f in model.active)) for found in (everything, models)]
    assert len(order[0]) > 20 and order[0] == order[1]


def test_the_order_of_entry_for_a_number_is_that_of_least_angle_regression():
    from sklearn.linear_model import lars_path

    X, _ = data(100, 30, 3)
    y = number(X, 1)
    _, _, weights = lars_path(standardised(X).T, y - y.mean(), method="lasso")
    entered = list(dict.fromkeys(f for step in weights.T for f in np.flatnonzero(step)))
    fitted = selector("lasso").fit(X, y, rng=0)
    assert np.argsort(fitted.ranking_).tolist()[:20] == entered[:20]


def test_importances_for_a_number_are_in_its_units():
    X, _ = data(100, 8, 3)
    one, hundred = (selector("lasso").fit(X, number(X) * unit, rng=0, k=4) for unit in (1, 100))
    np.testing.assert_allclose(hundred.importances_, 100 * one.importances_, rtol=1e-6)
    whole = selector("lasso").fit(X, number(X), rng=0, k=8).importances_
    exact = np.abs(np.linalg.lstsq(np.vstack([np.ones(100), standardised(X)]).T, number(X), rcond=None)[0][1:])
    np.testing.assert_allclose(whole, exact, rtol=0.05)


def test_ranking_is_the_order_of_entry():
    X, y = data()
    fitted = selector("lasso").fit(X, y, rng=0)
    columns = standardised(X)
    start = np.abs(columns @ (y - y.mean())).max() / len(y)
    entered = []
    for penalty in start * np.geomspace(1, 0.03, 60):
        _, weights = proximal_gradient(columns, y, penalty, steps=800)
        entered += [f for f in np.flatnonzero(weights) if f not in entered]
    assert np.argsort(fitted.ranking_)[: len(entered)].tolist() == entered
    assert len(entered) >= 4


def test_at_most_k_and_exactly_k_where_the_path_has_it():
    X, y = data(200, 40, 3)
    fitted = selector("lasso").fit(X, y, rng=0)
    sizes = {len(found) for found in fitted._sets}
    for k in range(1, 41):
        assert len(fitted.select(k)) == max(size for size in sizes if size <= k)
    assert len(fitted.select(10)) == 10


@pytest.mark.parametrize("k", [1, 3, 5])
def test_importances_are_the_weights_of_the_model_with_k_features(k):
    X, y = data()
    fitted = selector("lasso").fit(X, y, rng=0, k=k)
    assert np.flatnonzero(fitted.importances_).tolist() == fitted.select(k).tolist()
    columns = standardised(X)
    low, high = 1e-4, 1.0  # the sum of the weights falls with the penalty: search the penalty that gives ours
    for _ in range(25):
        middle = np.sqrt(low * high)
        total = np.abs(proximal_gradient(columns, y, middle, steps=1500)[1]).sum()
        low, high = (middle, high) if total > fitted.importances_.sum() else (low, middle)
    # as close as 1500 small steps bring the slow solver
    np.testing.assert_allclose(np.abs(proximal_gradient(columns, y, low)[1]), fitted.importances_, rtol=1e-3, atol=1e-4)


def test_dummies_are_one_feature():
    rng = np.random.default_rng(0)
    site = rng.integers(0, 6, 120)
    y = (np.array([0.1, 0.9, 0.2, 0.8, 0.5, 0.4])[site] > rng.random(120)).astype(int)
    frame = pd.DataFrame(
        {"noise": rng.normal(size=120), "site": pd.Categorical(site.astype(str)), "weak": rng.normal(size=120) + 0.5 * y}
    )
    fitted = selector("lasso").fit(frame, y, rng=0, k=3)
    assert fitted.scores_.shape == (3,)
    assert fitted.select(3).tolist() == [0, 1, 2]
    design = Design.learn(as_table(frame))
    assert (design.feature == 1).sum() == 6
    assert fitted.importances_[1] > fitted.importances_[0]


def test_a_copy_enters_once_by_lot():
    X, y = data()
    X = np.column_stack([X, X[:, :3]])
    chosen = set()
    for seed in range(10):
        fitted = selector("lasso").fit(X, y, rng=seed)
        assert [int(np.isnan(fitted.ranking_[[f, f + 6]]).sum()) for f in range(3)] == [1, 1, 1]
        chosen |= set(fitted.select(9).tolist())
    assert chosen == set(range(9))


def test_more_classes_are_one_against_the_rest():
    X, _ = data(150, 5, 4)
    y = np.argmax(X[:, :3] + np.random.default_rng(0).normal(size=(150, 3)), axis=1)
    fitted = selector("lasso", length=5).fit(X, y, rng=0)
    columns = standardised(X)
    strongest = np.abs(np.stack([columns @ ((y == c) - np.mean(y == c)) for c in range(3)])).max(axis=0)
    assert fitted.ranking_[strongest.argmax()] == 1
    first = [selector("lasso").fit(X, (y == c).astype(int), rng=0).select(1)[0] for c in range(3)]
    assert set(fitted.select(5)) >= set(first)


def test_separable_classes_end_the_path():
    X = np.random.default_rng(0).normal(size=(40, 4))
    fitted = selector("lasso").fit(X, X[:, 0] > 0, rng=0, k=4)
    assert fitted.ranking_[0] == 1
    assert np.isfinite(fitted.importances_).all()


def test_fewer_than_asked_for_is_said():
    X, y = data()
    fitted = selector("lasso").fit(np.column_stack([X[:, 0], X[:, 0]]), y, rng=0, k=2)
    assert len(fitted.select(2)) == 1


@pytest.mark.parametrize("squared", [False, True], ids=["classes", "number"])
def test_dependent_columns_are_no_trouble(squared):
    X, y = data(40, 10, 6)
    X = np.column_stack([X, X[:, 0] + X[:, 1], -X[:, 2], X @ np.ones(10)])
    y = number(X) if squared else y
    columns = standardised(X)
    models = path_of(columns, y, squared=squared)
    assert max(optimality(columns, y, model, squared=squared) for model in models) < 1e-7
    assert len(selector("lasso").fit(X, y, rng=0, k=8).select(8)) == 8


def test_a_path_that_stops_is_said(monkeypatch):
    X, y = data()
    monkeypatch.setattr(penalised, "_MOST_STEPS", 1)
    fitted = selector("lasso").fit(X, y, rng=0)
    assert fitted.select(3).tolist() == []
