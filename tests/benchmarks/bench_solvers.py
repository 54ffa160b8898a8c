"""Solvers beside those of scikit-learn that do the same: where ours is less than twice as fast, the library should take over.

Run with OMP_NUM_THREADS=1 and read the ratios. skglm and celer would be the ones to beat for the lasso; they are not installed.
"""

import warnings
from functools import partial

import numpy as np
from bench_linear import standardised, table
from benchmark_support import best

from stabcore.selectors.catalog import selector

K = 20


def lasso_of_classes(X, y):
    """Liblinear down its penalties until K columns are in."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import l1_min_c

    least = l1_min_c(X, y, loss="log")
    for factor in np.logspace(0, 1.6, 40):
        model = LogisticRegression(solver="liblinear", penalty="l1", C=least * factor, intercept_scaling=100.0).fit(X, y)
        if np.count_nonzero(model.coef_) >= K:
            return model.coef_[0]
    return None


def lasso_of_a_number(X, y):
    from sklearn.linear_model import lasso_path

    return lasso_path(X, y - y.mean(), n_alphas=60, eps=0.05)


def support_vectors(X, y):
    from sklearn.svm import SVC

    return SVC(kernel="linear", C=0.5).fit(X, y).coef_[0]


def ridge(X, y):
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=200).fit(X, y).coef_[0]


def eliminated(weights, share, X, y):
    """Recursive elimination: a model of what is left, each time without this share of it."""
    left = np.arange(X.shape[1])
    while len(left) > 1:
        order = np.argsort(-np.abs(weights(X[:, left], y)))
        left = left[np.sort(order[: len(left) - max(1, int(share * len(left)))])]


def boosted(X, y):
    from sklearn.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(max_depth=1, n_estimators=100, random_state=0).fit(X, y)


def line(n, d, key, name, theirs, y, times=1):
    X, _ = table(n, d)
    options = {"length": K} if key == "lasso" else {}
    ours = best(lambda: selector(key, **options).fit(X, y, rng=0, k=K), 2)
    other = best(lambda: theirs(standardised(X), y), times)
    print(f"  n = {n:4}, d = {d:6}: {key:13} beside {name:32} {ours:7.3f} s {other:8.3f} s {other / ours:6.1f}×", flush=True)


def main():
    warnings.simplefilter("ignore")
    for n, d in ((200, 2000), (200, 10_000), (1000, 2000)):
        X, y = table(n, d)
        number = X[:, :10].sum(axis=1) + np.random.default_rng(1).normal(size=n)
        line(n, d, "lasso", "liblinear, penalty by penalty", lasso_of_classes, y)
        line(n, d, "lasso", "lasso_path, of a number", lasso_of_a_number, number)
        line(n, d, "svm", "SVC(kernel='linear')", support_vectors, y, 3)
        if n == 200:
            line(n, d, "svm_rfe", "a loop over SVC", partial(eliminated, support_vectors, 0.1), y)
            line(n, d, "logistic_rfe", "a loop over LogisticRegression", partial(eliminated, ridge, 0.2), y)
        if d == 2000:
            line(n, d, "gbm", "GradientBoostingClassifier", boosted, y)


if __name__ == "__main__":
    main()
