"""The lasso: against a slow proximal-gradient solver and the optimality conditions, and how features enter."""

import numpy as np
import pandas as pd
import pytest

from stabcore.encoding import Design
from stabcore.selectors import lasso_path, selector
from stabcore.table import as_table


def data(n=80, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d)))
    y = (X @ rng.normal(size=d) + 2 * rng.normal(size=n) > 0.5).astype(int)
    return X, y


def standardised(X):
    return np.ascontiguousarray(((X - X.mean(axis=0)) / X.std(axis=0)).T)


def proximal_gradient(columns, y, penalty, steps=20000):
    """Intercept and weights that minimise mean log-loss + penalty·Σ|w|, one small step after the other."""
    n = len(y)
    rows = np.vstack([np.ones(n), columns])
    length = 4 * n / np.linalg.eigvalsh(rows @ rows.T)[-1]
    w = np.zeros(len(rows))
    for _ in range(steps):
        w = w - length * rows @ (1 / (1 + np.exp(-w @ rows)) - y) / n
        w[1:] = np.sign(w[1:]) * np.maximum(np.abs(w[1:]) - length * penalty, 0)
    return w[0], w[1:]


def optimality(columns, y, model):
    """Largest violation of the optimality conditions, as a share of the penalty."""
    residual = 1 / (1 + np.exp(-model.intercept - model.weights @ columns[model.active])) - y
    gradient = columns @ residual / len(y)
    inactive = np.delete(gradient, model.active)
    off = [abs(residual.mean()), *np.abs(gradient[model.active] + model.penalty * np.sign(model.weights)),
           *(np.abs(inactive) - model.penalty)]
    return max(off) / model.penalty


def test_solutions_equal_a_slow_solver():
    X, y = data()
    columns = standardised(X)
    models = list(lasso_path.path(columns, y.astype(float), np.random.default_rng(0)))
    for model in models[1:12:3]:
        intercept, weights = proximal_gradient(columns, y, model.penalty)
        ours = np.zeros(6)
        ours[model.active] = model.weights
        np.testing.assert_allclose(ours, weights, atol=1e-6)
        assert model.intercept == pytest.approx(intercept, abs=1e-6)


@pytest.mark.parametrize(("n", "d", "seed"), [(30, 5, 0), (60, 20, 1), (25, 80, 2), (200, 40, 3)])
def test_every_model_of_the_path_is_optimal(n, d, seed):
    X, y = data(n, d, seed)
    columns = standardised(X)
    models = list(lasso_path.path(columns, y.astype(float), np.random.default_rng(0)))
    penalties = [model.penalty for model in models]
    assert penalties == sorted(penalties, reverse=True)
    assert len(models[0].active) == 0
    assert max(optimality(columns, y, model) for model in models) < 1e-7
    assert max(abs(np.diff([len(model.active) for model in models]))) <= 2


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
    frame = pd.DataFrame({"noise": rng.normal(size=120), "site": pd.Categorical(site.astype(str)),
                          "weak": rng.normal(size=120) + 0.5 * y})
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
    assert "not to the 2 asked for" in fitted.warnings_[-1]


def test_a_path_that_stops_is_said(monkeypatch):
    X, y = data()
    monkeypatch.setattr(lasso_path, "_MOST_STEPS", 1)
    fitted = selector("lasso").fit(X, y, rng=0)
    assert any("did not converge" in sentence for sentence in fitted.warnings_)
    assert fitted.select(3).tolist() == []
