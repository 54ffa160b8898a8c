"""Penalised and boosted linear models: against bisections over the usual solvers, seconds to exactly k, growth with d."""

import warnings

import numpy as np
from benchmark_support import fastest

from stabcore.selectors.catalog import selector

K = 20


def table(n, d, random_state=0):
    """Half of the columns share a common part, as measurements of one patient do; twenty columns make the classes."""
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d))
    X[:, : d // 2] += 0.7 * rng.normal(size=(n, 1))
    used = np.r_[:10, d // 2 : d // 2 + 10]
    return X, (X[:, used] @ rng.normal(size=20) + rng.normal(size=n) > 0).astype(int)


def grouped(n, d, size=5, random_state=0):
    """Groups of five related columns, twenty columns of five groups make the classes; and the groups."""
    rng = np.random.default_rng(random_state)
    X = (rng.normal(size=(n, d // size, size)) + rng.normal(size=(n, d // size, 1))).reshape(n, d)
    y = (X[:, : 5 * size] @ rng.normal(size=5 * size) + 3 * rng.normal(size=n) > 0).astype(int)
    return X, y, {f"g{g}": [f"f{g * size + j + 1}" for j in range(size)] for g in range(d // size)}


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def bisection(X, y, share, fit, start, k=K):
    """Features of the first penalty found that leaves k, by halving (in logs) the range from a thousandth of the largest."""
    low, high = start / 1000, start
    for _ in range(40):
        penalty = np.sqrt(low * high)
        chosen = np.flatnonzero(fit(X, y, penalty, share))
        if len(chosen) == k:
            break
        low, high = (penalty, high) if len(chosen) > k else (low, penalty)
    return chosen


def saga(X, y, penalty, share):
    from sklearn.linear_model import LogisticRegression

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(solver="saga", l1_ratio=share, C=1 / (len(y) * penalty), max_iter=2000, random_state=0)
        return model.fit(X, y).coef_[0]


def fista(X, y, penalty, size, tolerance=1e-6, steps=5000):
    """Accelerated proximal gradient of the group lasso with groups of one size, over all columns."""
    n, d = X.shape
    length = 4 * n / np.linalg.norm(np.column_stack([np.ones(n), X]), 2) ** 2
    w, level = np.zeros(d), np.log(y.mean() / (1 - y.mean()))
    ahead, level_ahead, momentum = w, level, 1.0
    for _ in range(steps):
        rest = 1 / (1 + np.exp(-level_ahead - X @ ahead)) - y
        moved = (ahead - length * rest @ X / n).reshape(-1, size)
        norms = np.linalg.norm(moved, axis=1, keepdims=True)
        shrunk = np.maximum(1 - length * penalty * np.sqrt(size) / np.maximum(norms, 1e-300), 0)
        new, new_level = (moved * shrunk).ravel(), level_ahead - length * rest.mean()
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead, level_ahead = new + (momentum - 1) / faster * (new - w), new_level + (momentum - 1) / faster * (new_level - level)
        change, w, level, momentum = np.abs(new - w).max(), new, new_level, faster
        if change < tolerance * np.abs(w).max(initial=1e-12):
            break
    return w


def against_saga():
    for key, share, options in (("lasso", 1.0, {}), ("elastic_net", 0.5, {})):
        for n in (200, 1000):
            X, y = table(n, 2000)
            slow, theirs = fastest(lambda: bisection(standardised(X), y, share, saga, _start(X, y) / share), 1)
            quick, fitted = fastest(lambda: selector(key, length=K, **options).fit(X, y, rng=0, k=K))
            whole, _ = fastest(lambda: selector(key, **options).fit(X, y, rng=0, k=K))
            ours = fitted.select(K)
            print(
                f"  {key:12} n = {n:4}, d = 2000, k = {K}: {quick:.3f} s, saga {slow:.1f} s ({len(theirs)} features), "
                f"{slow / quick:.0f}×; with a ranking of 200 {whole:.3f} s, {slow / whole:.0f}×; "
                f"same features: {'yes' if np.array_equal(ours, theirs) else f'{len(np.intersect1d(ours, theirs))} of {K}'}",
                flush=True,
            )


def _start(X, y):
    return np.abs(standardised(X).T @ (y - y.mean())).max() / len(y)


def against_fista():
    for n in (200, 1000):
        X, y, groups = grouped(n, 2000)
        gradient = standardised(X).T @ (y - y.mean()) / n
        start = np.linalg.norm(gradient.reshape(-1, 5), axis=1).max() / np.sqrt(5)
        slow, theirs = fastest(lambda: bisection(standardised(X), y, 5, fista, start), 1)
        quick, fitted = fastest(lambda: selector("group_lasso", groups=groups, length=K).fit(X, y, rng=0, k=K))
        ours = fitted.select(K)
        print(
            f"  group_lasso  n = {n:4}, d = 2000 in groups of 5, k = {K}: {quick:.3f} s, FISTA without screening {slow:.1f} s "
            f"({len(theirs)} features), {slow / quick:.0f}×; same features: {'yes' if np.array_equal(ours, theirs) else 'no'}",
            flush=True,
        )


def growth():
    for n in (200, 1000):
        for key in ("lasso", "lasso of a number", "elastic_net", "group_lasso", "glm_boosting"):
            row, before = [], None
            for d in (2500, 5000, 10_000, 20_000):
                X, y, groups = grouped(n, d) if key == "group_lasso" else (*table(n, d), None)
                target = X[:, :10].sum(axis=1) + np.random.default_rng(1).normal(size=n) if "number" in key else y
                options = {"group_lasso": {"groups": groups, "length": K}, "glm_boosting": {}}.get(key, {"length": K})
                seconds, fitted = fastest(lambda: selector(key.split()[0], **options).fit(X, target, rng=0, k=K))
                ratio = "" if before is None else f" ({seconds / before:.1f}×)"
                row.append(f"{d}: {seconds:.3f} s{ratio} {len(fitted.select(K))}")
                before = seconds
            print(f"  n = {n:4} {key:18} {'; '.join(row)}", flush=True)


def rankings():
    for n in (200, 1000):
        for key in ("lasso", "elastic_net"):
            row = []
            for d in (10_000, 20_000):
                X, y = table(n, d)
                seconds, fitted = fastest(lambda: selector(key).fit(X, y, rng=0, k=K), 2)
                row.append(f"d = {d}: {seconds:.3f} s, {np.isfinite(fitted.scores_).sum()} ranked")
            print(f"  n = {n:4} {key:12} {'; '.join(row)}", flush=True)


def main():
    print("against a bisection over scikit-learn's saga to the same k")
    against_saga()
    print("against a bisection over plain FISTA on all columns")
    against_fista()
    print("seconds to k = 20 at d, the ratio to half of d, and how many were chosen (target at n = 200, d = 10 000: 0.5 s)")
    growth()
    print("seconds with the default ranking of about 200 features")
    rankings()


if __name__ == "__main__":
    main()
