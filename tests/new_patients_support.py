"""A filter on simulated tables, for the test and the benchmark of intervals for new patients."""

import numpy as np

from stabcore.inference.split_half import GROUPS, PARTITIONS, common_share, interval_over_groups

D, K, PAIRS = 100, 10, 25


def simulated_table(rng, n, effect, kind="independent"):
    """Return (X, y) in which ten of 100 features differ by `effect`. kind: independent, blocks (ρ = 0.7) or factor (ρ = 0.25)."""
    y, X = np.arange(n) % 2, rng.normal(size=(n, D))
    true = np.arange(10)
    if kind == "blocks":
        X[:, :50] = np.sqrt(0.7) * np.repeat(rng.normal(size=(n, 5)), 10, axis=1) + np.sqrt(0.3) * X[:, :50]
        true = true * 10
    elif kind == "factor":
        X = np.sqrt(0.25) * rng.normal(size=(n, 1)) + np.sqrt(0.75) * X
    X[:, true] += effect * y[:, None]
    return X, y


def halves(rng, y):
    """(PAIRS, n) 1 in the first half of each pair."""
    first = np.zeros((PAIRS, len(y)))
    for c in (0, 1):
        rows = np.flatnonzero(y == c)
        cut = len(rows) // 2 + (rng.random((PAIRS, 1)) < 0.5) * (len(rows) % 2)
        first[:, rows] = rng.random((PAIRS, len(rows))).argsort(axis=1).argsort(axis=1) < cut
    return first


def selected(W, X, y, selector="filter"):
    """Return (runs, D) selections by |correlation|, or with mrmr also by little correlation with selected features."""
    m = W.sum(axis=1, keepdims=True)
    mean, sd = W @ X / m, np.sqrt(W @ (X * X) / m - (W @ X / m) ** 2)
    merit = np.abs((W * y) @ X / m - mean * (W @ y)[:, None] / m) / sd / np.sqrt(0.25)
    Z, redundancy, runs = np.zeros(merit.shape), np.zeros(merit.shape), np.arange(len(W))
    for step in range(K):
        score = np.where(Z > 0, -9, merit - (redundancy / max(step, 1) if selector == "mrmr" else 0))
        best = score.argmax(axis=1)
        Z[runs, best] = 1
        if selector == "mrmr":
            joint = (W * X[:, best].T) @ X / m - mean[runs, best][:, None] * mean
            redundancy += np.abs(joint / (sd * sd[runs, best][:, None]))
    return Z


def measured(rng, X, y, selector):
    """((Φ, κ of halves), their variances due to the number of pairs)."""
    first = halves(rng, y)
    Z = selected(np.concatenate([first, 1 - first]), X, y, selector)
    agree = (Z @ Z.T / K - K / D) / (1 - K / D)
    np.fill_diagonal(agree, 0)
    pair, M = np.arange(PAIRS), 2 * PAIRS
    inside, row = agree[pair, pair + PAIRS], agree.sum(axis=1)
    without = (agree.sum() - 2 * (row[pair] + row[pair + PAIRS]) + 2 * inside) / ((M - 2) * (M - 3))
    noise = (PAIRS - 1) / PAIRS * ((without - without.mean()) ** 2).sum()
    return np.array([agree.sum() / (M * (M - 1)), inside.mean()]), np.array([noise, inside.var(ddof=1) / PAIRS])


def simulated_intervals(tables, n, effect, kind="independent", selector="filter", random_state=0):
    """((tables, 2) values, half widths) of Φ and κ of halves."""
    rng, found = np.random.default_rng([random_state, n, int(100 * effect)]), []
    for _ in range(tables):
        X, y = simulated_table(rng, n, effect, kind)
        value, noise = measured(rng, X, y, selector)
        parts = []
        for _ in range(PARTITIONS):
            group = np.empty(n, dtype=int)
            for c in (0, 1):
                rows = rng.permutation(np.flatnonzero(y == c))
                group[rows] = np.arange(len(rows)) % GROUPS
            parts += [measured(rng, X[group != g], y[group != g], selector) for g in range(GROUPS)]
        left, errors = np.array(parts).reshape(PARTITIONS, GROUPS, 2, 2).transpose(2, 3, 0, 1)
        common = common_share(X)
        found.append((value, [interval_over_groups(value[m], noise[m], left[m], errors[m], common)[0] for m in (0, 1)]))
    return np.array(found).transpose(1, 0, 2)
