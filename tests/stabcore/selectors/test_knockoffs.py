"""Knockoff filter: its threshold, the moments of knockoffs, and its FDR on tables with a known truth."""

import numpy as np
import pytest
from support import slow

from stabcore.data.feature_table import as_table
from stabcore.selectors.knockoffs import EQUICORRELATED, SDP, KnockoffFilter, knockoffs, largest_distances, threshold


def correlated(n, d, rho, rng):
    X = rng.standard_normal((n, d))
    for j in range(1, d):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X


def test_threshold_matches_knockoff_plus():
    values = np.array([5, -1, 3, 2, 0, 4, -2.5, 6, 0, 1.5])
    for fdr in (0.1, 0.2, 0.25, 0.5, 0.7):
        possible = [t for t in np.abs(values[values != 0]) if (1 + (values <= -t).sum()) / max((values >= t).sum(), 1) <= fdr]
        assert threshold(values, fdr) == min(possible, default=np.inf)
    assert threshold(np.array([3.0, 2, 1]), 0.25) == np.inf  # one over three is more than a quarter
    assert threshold(np.array([4.0, 3, 2, 1]), 0.25) == 1


@pytest.mark.parametrize("distances", [EQUICORRELATED, SDP])
def test_knockoffs_have_the_intended_correlations(distances):
    rng = np.random.default_rng(0)
    X = correlated(20_000, 5, 0.5, rng)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    both = np.hstack([X, knockoffs(X, rng, distances)])
    moments = both.T @ both / len(X)
    truth = 0.5 ** np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.testing.assert_allclose(moments[5:, 5:], truth, atol=0.03)
    D = np.full(5, min(1, 2 * np.linalg.eigvalsh(truth)[0])) if distances == EQUICORRELATED else largest_distances(truth)
    np.testing.assert_allclose(moments[:5, 5:], truth - np.diag(D), atol=0.03)


AR = 0.8 ** np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
BLOCKS = np.where(np.eye(6) == 1, 1.0, np.kron(np.diag([0.9, 0.4]), np.ones((3, 3))))


@pytest.mark.parametrize(("correlations", "total"), [(AR, 2.03016), (BLOCKS, 0.6 + 3)])
def test_largest_distances_match_a_semidefinite_program(correlations, total):
    """Totals are from cvxpy 1.9 with SCS at a tolerance of 1e-9."""
    D = largest_distances(correlations)
    assert total - 0.01 < D.sum() <= total + 1e-4 and D.min() >= 0 and D.max() <= 1
    assert np.linalg.eigvalsh(2 * correlations - np.diag(D))[0] > 0
    assert D.sum() > len(D) * min(1, 2 * np.linalg.eigvalsh(correlations)[0])  # more than with equal distances


def false_share(kind, rho, seed, fdr=0.2, n=200, d=40, bootstrap=False, distances=EQUICORRELATED):
    """Return (share of selected features that are false, number of the 10 true ones selected)."""
    rng = np.random.default_rng([seed, n, d])
    X = correlated(n, d, rho, rng)
    true = rng.choice(d, 10, replace=False)
    eta = X[:, true] @ rng.choice([-0.6, 0.6], 10)
    if kind == "number":
        y = eta + rng.standard_normal(n)
    elif kind == "classes":
        y = (rng.random(n) < 1 / (1 + np.exp(-2 * eta))).astype(int)
    else:
        y = np.zeros(n, dtype=[("time", float), ("event", bool)])
        y["time"], y["event"] = rng.exponential(np.exp(-eta)), rng.random(n) < 0.8
    table = as_table(X)
    if bootstrap:
        rows = rng.integers(n, size=n)
        table, y = table.rows(rows), y[rows]
    chosen = np.flatnonzero(~np.isnan(KnockoffFilter(fdr=fdr, distances=distances).fit(table, y, rng=seed).ranking_))
    found = np.isin(chosen, true).sum()
    return 1 - found / max(len(chosen), 1) if len(chosen) else 0.0, found


@pytest.mark.parametrize(
    ("kind", "rho", "bootstrap", "distances"),
    [
        ("number", 0.5, False, EQUICORRELATED),
        slow("number", 0.0, False, EQUICORRELATED),
        slow("classes", 0.0, False, EQUICORRELATED),
        slow("classes", 0.5, False, EQUICORRELATED),
        slow("classes", 0.5, False, SDP),
        slow("times", 0.5, False, EQUICORRELATED),
        slow("number", 0.5, True, EQUICORRELATED),
    ],
)
def test_false_discovery_rate_stays_below_its_limit(kind, rho, bootstrap, distances, request):
    runs = 8 if (kind, rho, bootstrap) == ("number", 0.5, False) else 150
    shares, found = np.transpose([false_share(kind, rho, seed, bootstrap=bootstrap, distances=distances) for seed in range(runs)])
    assert shares.mean() <= 0.2 + 2.5 * shares.std() / np.sqrt(runs)
    assert found.mean() > 4 or bootstrap


def test_requested_number_is_filled_in_order_of_differences():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 15))
    y = X[:, :3] @ [3.0, 2.0, 1.0] + rng.standard_normal(150)
    fitted = KnockoffFilter().fit(X, y, rng=0, k=3)
    assert np.argsort(fitted.ranking_)[:3].tolist() == [0, 1, 2]
    assert np.isnan(KnockoffFilter(fdr=0.1).fit(X, y, rng=0).ranking_).all()  # three features cannot reach one in ten
