"""Solvers beside those of scikit-learn that do the same: where ours is less than twice as fast, the library should take over.

Run with OMP_NUM_THREADS=1 and read the ratios. skglm and celer would be the ones to beat for the lasso; they are not installed.
"""

import warnings
from functools import partial

import numpy as np
from benchmark_support import best, fastest

from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.stumps import Cuts, boosted

K = 20


def table(n, d, random_state=0):
    """Half of the columns share a common part, as measurements of one patient do; twenty columns make the classes."""
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)  # scikit-learn's trees compare in single precision
    X[:, : d // 2] += 0.7 * rng.normal(size=(n, 1)).astype(np.float32)
    used = np.r_[:10, d // 2 : d // 2 + 10]
    return X, (X[:, used] @ rng.normal(size=20) + rng.normal(size=n) > 0).astype(int)


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


# ---- what the library does; each gives the features that are left ----


def saga(share, X, y):
    """Halve (in logs) the range of penalties until K columns are in."""
    from sklearn.linear_model import LogisticRegression

    high = np.abs(X.T @ (y - y.mean())).max() / len(y) / share
    low = high / 1000
    for _ in range(40):
        penalty = np.sqrt(low * high)
        model = LogisticRegression(solver="saga", l1_ratio=share, C=1 / (len(y) * penalty), max_iter=2000, random_state=0)
        chosen = np.flatnonzero(model.fit(X, y).coef_[0])
        if len(chosen) == K:
            break
        low, high = (penalty, high) if len(chosen) > K else (low, penalty)
    return chosen


def liblinear(X, y):
    """Down the penalties until K columns are in."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import l1_min_c

    least = l1_min_c(X, y, loss="log")
    for factor in np.logspace(0, 1.6, 40):
        model = LogisticRegression(solver="liblinear", penalty="l1", C=least * factor, intercept_scaling=100.0).fit(X, y)
        if np.count_nonzero(model.coef_) >= K:
            break
    return np.flatnonzero(model.coef_[0])


def path_of_a_number(X, y):
    from sklearn.linear_model import lasso_path

    coefficients = lasso_path(X, y - y.mean(), n_alphas=60, eps=0.05)[1]
    return np.flatnonzero(coefficients[:, (coefficients != 0).sum(axis=0) <= K][:, -1])


def support_vectors(X, y):
    from sklearn.svm import SVC

    return np.abs(SVC(kernel="linear", C=0.5, tol=1e-5).fit(X, y).coef_[0])  # at 1e-3 the order of the last features is noise


def ridge(X, y):
    from sklearn.linear_model import LogisticRegression

    return np.abs(LogisticRegression(C=0.5, max_iter=20_000, tol=1e-12).fit(X, y).coef_[0])


def largest(weights, X, y):
    return np.argsort(-weights(X, y))[:K]


def eliminated(weights, share, X, y):
    """A model of what is left, each time without this share of it."""
    left = np.arange(X.shape[1])
    while len(left) > K:
        stay = max(K, len(left) - max(1, int(share * len(left))))
        left = left[np.sort(np.argsort(-weights(X[:, left], y), kind="stable")[:stay])]
    return left


# ---- side by side ----


def line(n, d, key, name, theirs, y, target=2):
    X, _ = table(n, d)
    options = {"length": K} if key in ("lasso", "elastic_net") else {}
    ours, fitted = fastest(lambda: selector(key, **options).fit(X, y, rng=0, k=K), 2)
    other, left = fastest(lambda: theirs(standardised(X), y), 1)
    same = len(np.intersect1d(fitted.select(K), left))
    print(
        f"  n = {n:4}, d = {d:6}: {key:13} beside {name:32} {ours:7.3f} s {other:8.3f} s {other / ours:6.1f}× "
        f"(target {target}×), {same} of {K} features the same",
        flush=True,
    )


def stumps(n, d):
    """100 boosted stumps: seconds, and how many splits are the same."""
    from sklearn.ensemble import GradientBoostingClassifier

    X, y = table(n, d)
    ours = best(lambda: selector("gbm").fit(X, y, rng=0), 2)
    model = GradientBoostingClassifier(max_depth=1, n_estimators=100, random_state=0)
    theirs = best(lambda: model.fit(X, y), 1)
    splits = boosted(Cuts(as_table(X)), y, 100, np.random.default_rng(0))
    trees = [stage[0].tree_ for stage in model.estimators_]
    same = sum(
        split.column == tree.feature[0]
        and np.array_equal(np.sort(split.low), np.flatnonzero(X[:, split.column] <= tree.threshold[0]))
        for split, tree in zip(splits, trees, strict=True)
    )
    print(
        f"  n = {n:4}, d = {d:6}: gbm           beside {'GradientBoostingClassifier':32} {ours:7.3f} s {theirs:8.3f} s "
        f"{theirs / ours:6.1f}× (target 4×), {same} of 100 splits the same",
        flush=True,
    )


def main():
    warnings.simplefilter("ignore")
    for n, d in ((200, 2000), (200, 10_000), (1000, 2000), (1000, 10_000)):
        X, y = table(n, d)
        number = X[:, :10].sum(axis=1) + np.random.default_rng(1).normal(size=n)
        if d == 2000:
            line(n, d, "lasso", "saga to the same k", partial(saga, 1.0), y, 5)
            line(n, d, "elastic_net", "saga to the same k", partial(saga, 0.5), y, 5)
        line(n, d, "lasso", "liblinear, penalty by penalty", liblinear, y)
        line(n, d, "lasso", "lasso_path, of a number", path_of_a_number, number)
        line(n, d, "svm", "SVC(kernel='linear')", partial(largest, support_vectors), y)
        line(n, d, "svm_rfe", "a loop over SVC", partial(eliminated, support_vectors, 0.1), y, 4)
        line(n, d, "logistic_rfe", "a loop over LogisticRegression", partial(eliminated, ridge, 0.2), y, 4)
        stumps(n, d)


if __name__ == "__main__":
    main()
