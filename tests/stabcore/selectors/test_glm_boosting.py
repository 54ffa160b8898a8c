"""Componentwise boosting: against a textbook loop, its limit, and its number of rounds."""

import numpy as np
import pandas as pd
import pytest
from linear_support import data, number, standardised
from scipy.optimize import brentq

from stabcore.selectors.catalog import selector


def textbook(columns, y, rounds, step):
    """Weights of the log-odds by boosting f with the loss log2(1 + exp(−2 y f)), y = ±1, column by column."""
    p, n = columns.shape
    weights, sign = np.zeros(p), 2 * y - 1
    f = np.full(n, 0.5 * np.log(y.mean() / (1 - y.mean())))
    for _ in range(rounds):
        u = 2 * sign / (np.log(2) * (1 + np.exp(2 * sign * f)))
        errors, fits = [], []
        for x in [*columns, np.ones(n)]:
            fits.append((x @ u) / (x @ x))
            errors.append(((u - fits[-1] * x) ** 2).sum())
        best = int(np.argmin(errors))
        f = f + step * fits[best] * [*columns, np.ones(n)][best]
        if best < p:
            weights[best] += step * fits[best]
    return 2 * weights


def textbook_number(columns, y, rounds, step):
    """Each round adds a fraction of the least-squares fit of the residuals by the best column."""
    weights, rest = np.zeros(len(columns)), y - y.mean()
    for _ in range(rounds):
        fits = [(x @ rest) / (x @ x) for x in columns]
        best = int(np.argmin([((rest - fit * x) ** 2).sum() for fit, x in zip(fits, columns)]))
        weights[best] += step * fits[best]
        rest = rest - step * fits[best] * columns[best]
    return weights


@pytest.mark.parametrize(("n", "d", "rounds", "step"), [(80, 6, 100, 0.1), (60, 40, 30, 0.5), (9, 4, 50, 0.1)])
def test_boosting_weights_match_the_textbook_loop(n, d, rounds, step):
    X, y = data(n, d, 1)
    columns, chosen = standardised(X), {"rounds": rounds, "step": step}
    fitted = selector("glm_boosting", **chosen).fit(X, y, rng=0)
    np.testing.assert_allclose(fitted.importances_, np.abs(textbook(columns, y, rounds, step)), rtol=1e-9, atol=1e-12)
    slow = textbook_number(columns, number(X), rounds, step)
    fitted = selector("glm_boosting", **chosen).fit(X, number(X), rng=0)
    np.testing.assert_allclose(fitted.importances_, np.abs(slow), rtol=1e-9, atol=1e-12)


def test_boosting_chooses_the_number_of_features():
    X, y = data(100, 50, 2)
    short, long = (selector("glm_boosting", rounds=rounds).fit(X, y, rng=0, k=30) for rounds in (10, 200))
    used = np.flatnonzero(short.importances_)
    assert 1 < len(used) <= 10 < np.count_nonzero(long.importances_)
    assert short.select(30).tolist() == used.tolist() and short.select(1).tolist() == [short.importances_.argmax()]


def test_more_classes_are_one_against_the_rest():
    X, _ = data(150, 5, 4)
    y = np.argmax(X[:, :3] + np.random.default_rng(0).normal(size=(150, 3)), axis=1)
    fitted = selector("glm_boosting", rounds=20).fit(X, y, rng=0)
    alone = [selector("glm_boosting", rounds=20).fit(X, (y == c).astype(int), rng=0).importances_ for c in range(3)]
    np.testing.assert_allclose(fitted.importances_, np.sum(alone, axis=0))


def of_one_degree(Z):
    """The ridge smoother of columns Z with trace(2S − SᵀS) = 1, by root finding (Hofner et al. 2011)."""

    def smoother(penalty):
        return Z @ np.linalg.solve(Z.T @ Z + penalty * np.eye(Z.shape[1]), Z.T)

    def excess(penalty):
        S = smoother(penalty)
        return np.trace(2 * S - S.T @ S) - 1

    return smoother(brentq(excess, 1e-9, 1e9))


def test_a_category_is_one_learner_of_one_degree_of_freedom():
    rng = np.random.default_rng(0)
    site = rng.integers(0, 6, 120)
    y = (np.array([0.1, 0.9, 0.2, 0.8, 0.5, 0.4])[site] > rng.random(120)) * 1.0 + rng.normal(size=120)
    frame = pd.DataFrame({"noise": rng.normal(size=120), "site": pd.Categorical(site.astype(str))})
    fitted = selector("glm_boosting", rounds=60).fit(frame, y, rng=0)
    levels = np.linalg.svd(standardised(pd.get_dummies(frame["site"]).to_numpy(dtype=float)).T)[0][:, :5] * np.sqrt(120)
    smoothers = [of_one_degree(standardised(frame[["noise"]].to_numpy()).T), of_one_degree(levels)]
    parts, rest = np.zeros((2, 120)), y - y.mean()
    for _ in range(60):
        best = min((0, 1), key=lambda f: ((rest - smoothers[f] @ rest) ** 2).sum())
        parts[best] += 0.1 * smoothers[best] @ rest
        rest = y - y.mean() - parts.sum(axis=0)
    assert (parts != 0).any(axis=1).all()
    np.testing.assert_allclose(fitted.importances_, parts.std(axis=1) / np.sqrt([1, 5]), rtol=1e-9)


def test_ties_between_columns_are_broken_at_random():
    X, y = data(80, 3, 0)
    X = np.column_stack([X, X])
    fits = [selector("glm_boosting", rounds=1).fit(X, y, rng=seed) for seed in range(20)]
    chosen = {int(fitted.select(1)[0]) for fitted in fits}
    assert len(chosen) == 2 and len({f % 3 for f in chosen}) == 1
