"""Backward elimination against plain loops with a general optimiser, Cox fits of R, and tables with a known truth."""

import numpy as np
import pytest
from scipy import optimize, stats
from support import slow

from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable
from stabcore.selectors.backward import BackwardElimination

KINDS = ("classes", "number", "times")


def target_of(kind, eta, rng):
    if kind == "classes":
        return (rng.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(int)
    if kind == "number":
        return eta + 1.5 * rng.standard_normal(len(eta))
    y = np.zeros(len(eta), dtype=[("time", float), ("event", bool)])
    event, end = rng.exponential(np.exp(-eta)), rng.exponential(2, len(eta))
    y["time"], y["event"] = np.ceil(20 * np.minimum(event, end)), event <= end  # with ties
    return y


def made(kind, n=80, d=7, random_state=0, signal=1.0):
    rng = np.random.default_rng([random_state, KINDS.index(kind)])
    X = rng.standard_normal((n, d))
    X[:, 1:] += 0.5 * X[:, :-1]
    return X, target_of(kind, signal * (X[:, 0] - 0.5 * X[:, d // 2] + 0.25 * X[:, d - 1]), rng)


def slow_loss(kind, columns, y):
    """−2 log likelihood of the model on columns (n, p), by a general optimiser from the definition."""
    if kind == "number":
        columns = np.column_stack([columns, np.ones(len(y))])
        rest = y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]
        return len(y) * np.log(rest @ rest)
    if kind == "classes":
        columns = np.column_stack([columns, np.ones(len(y))])

    def loss(w):
        eta = columns @ w
        if kind == "classes":
            return np.sum(np.log1p(np.exp(eta)) - y * eta)
        total = 0.0
        for time in np.unique(y["time"][y["event"]]):
            risk, tied = np.exp(eta[y["time"] >= time]).sum(), np.flatnonzero((y["time"] == time) & y["event"])
            for i in range(len(tied)):
                total += np.log(risk - i / len(tied) * np.exp(eta[tied]).sum()) - eta[tied[i]]
        return total

    if not columns.shape[1]:
        return 2 * loss(np.zeros(0))
    return 2 * optimize.minimize(loss, np.zeros(columns.shape[1]), method="BFGS", options={"gtol": 1e-6}).fun


def slow_elimination(kind, columns, feature, y, lets_go):
    """Return (features in order of removal, features of the first model that drops none). Columns of feature −1 stay."""
    left, order, chosen = sorted(set(feature) - {-1}), [], None
    while left:
        inside = np.isin(feature, [-1, *left])
        whole, tests = slow_loss(kind, columns[:, inside], y), {}
        spare = len(y) - inside.sum() - 1
        for f in left:
            less = slow_loss(kind, columns[:, inside & (feature != f)], y) - whole
            df = int((feature == f).sum())
            tests[f] = less, df, stats.chi2.sf(less, df)
            if kind == "number":
                tests[f] = less, df, stats.f.sf((np.exp(less / len(y)) - 1) * spare / df, df, spare)
        gone = [f for f in left if lets_go(*tests[f])]
        if not gone and chosen is None:
            chosen = list(left)
        order.append(max(gone if gone and chosen is None else left, key=lambda f: tests[f][2]))
        left.remove(order[-1])
    return order, chosen or []


RULES = {
    "AIC": lambda y: lambda less, df, p: less < 2 * df,
    "BIC": lambda y: lambda less, df, p: less < df * np.log(len(y) if y.dtype.names is None else y["event"].sum()),
    "p": lambda y: lambda less, df, p: p > 0.05,
}


@pytest.mark.parametrize(
    ("kind", "criterion"),
    [
        (kind, criterion) if kind == "number" or criterion == "BIC" else slow(kind, criterion)
        for kind in KINDS
        for criterion in RULES
    ],
)
def test_backward_elimination_matches_plain_loops(kind, criterion):
    n, d = (50, 5) if kind == "times" else (80, 7)
    X, y = made(kind, n, d, 0)
    if kind != "times":
        X[:, 2] = np.random.default_rng(0).integers(0, 4, n)
    table = FeatureTable(X, np.arange(d) == (2 if kind != "times" else d), tuple(f"f{j}" for j in range(d)))
    design, columns = Design.of(table, contrasts=True)
    order, chosen = slow_elimination(kind, columns, design.feature, y, RULES[criterion](y))
    ranked = BackwardElimination(criterion=criterion).fit(table, y, rng=0, k=d)
    assert np.argsort(ranked.scores_).tolist() == order
    alone = BackwardElimination(criterion=criterion).fit(table, y, rng=0)
    assert np.flatnonzero(~np.isnan(alone.ranking_)).tolist() == chosen == np.flatnonzero(alone.importances_).tolist()
    few = BackwardElimination(criterion=criterion).fit(table, y, rng=0, k=2)
    assert np.array_equal(few.ranking_, ranked.ranking_) and np.flatnonzero(few.importances_).tolist() == few.select(2).tolist()


@pytest.mark.parametrize("kind", ["classes", slow("number"), slow("times")])
def test_noise_is_kept_at_the_rate_of_the_criterion(kind):
    stays = {criterion: [] for criterion in RULES}
    for seed in range(25):
        rng = np.random.default_rng([seed, KINDS.index(kind)])
        X, y = rng.standard_normal((300, 8)), target_of(kind, np.zeros(300), rng)
        for criterion in RULES:
            stays[criterion].append(~np.isnan(BackwardElimination(criterion=criterion).fit(X, y, rng=0).ranking_))
    assert abs(np.mean(stays["AIC"]) - stats.chi2.sf(2, 1)) < 0.08  # standard error 0.026
    assert abs(np.mean(stays["p"]) - 0.05) < 0.05
    assert np.mean(stays["BIC"]) < 0.06


@pytest.mark.parametrize("kind", ["classes", "times"])
def test_separating_feature_is_kept_with_a_finite_weight(kind):
    X, _ = made(kind, 60, 4)
    y = (X[:, 2] > 0).astype(int)
    if kind == "times":
        y = np.zeros(60, dtype=[("time", float), ("event", bool)])
        y["time"], y["event"] = np.argsort(np.argsort(-X[:, 2])) + 1.0, True
    fitted = BackwardElimination().fit(X, y, rng=0)
    assert np.flatnonzero(fitted.importances_).tolist() == [2]
    assert np.isfinite(fitted.importances_).all()
    assert len(fitted.warnings_) == (kind == "classes")


@pytest.mark.parametrize("kind", ["classes", "number"])
def test_given_columns_are_never_dropped(kind):
    X, y = made(kind, 90, 6)
    given = X[:, :1] + 0.3 * np.random.default_rng(5).standard_normal((90, 1))
    fitted = BackwardElimination().fit(X, y, rng=0, k=6, given=given)
    feature = np.append(np.arange(6), -1)
    order, _ = slow_elimination(kind, np.column_stack([X, given]), feature, y, lambda less, df, p: True)
    assert np.argsort(fitted.scores_).tolist() == order
