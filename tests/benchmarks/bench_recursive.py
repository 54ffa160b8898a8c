"""Recursive elimination beside a plain loop of scikit-learn fits: processor seconds, same features or not, growth with d."""

import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from stabcore.selectors.catalog import selector

K = 20


def data(n, d, random_state=0):
    """Expression-like: blocks of correlated columns, a tenth of the first blocks shifted by class."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % 2)
    shared = np.repeat(rng.normal(size=(n, d // 10)), 10, axis=1)
    X = 0.6 * shared + rng.normal(size=(n, d))
    X[:, :50] += y[:, None] * np.linspace(0.8, 0.1, 50)
    return X, y


def loop(model, share, X, y):
    """The k features that are left when a model is fitted afresh in every round, and the seconds."""
    started, left = time.process_time(), np.arange(X.shape[1])
    X = StandardScaler().fit_transform(X)
    while True:
        weights = np.abs(model.fit(X[:, left], y).coef_[0])
        if len(left) == K:
            return set(left.tolist()), time.process_time() - started
        stay = max(K, len(left) - max(int(share * len(left)), 1))
        left = left[np.argsort(-weights, kind="stable")[:stay]]


def ours(key, X, y, repeats=3, **options):
    best = np.inf
    for _ in range(repeats):
        fitted, started = selector(key, **options), time.process_time()
        fitted.fit(X, y, rng=0, k=K)
        best = min(best, time.process_time() - started)
    return set(fitted.select(K).tolist()), best


def beside_the_loops():
    models = [
        ("svm_rfe", "SVC, as it comes", SVC(kernel="linear", C=0.5), 0.1),
        ("svm_rfe", "SVC, tol 1e-5", SVC(kernel="linear", C=0.5, tol=1e-5), 0.1),
        ("logistic_rfe", "LogisticRegression, as it comes", LogisticRegression(C=0.5, max_iter=1000), 0.2),
        ("logistic_rfe", "LogisticRegression, tol 1e-12", LogisticRegression(C=0.5, max_iter=20_000, tol=1e-12), 0.2),
        ("logistic_rfe", "the same, a tenth dropped a round", LogisticRegression(C=0.5, max_iter=20_000, tol=1e-12), 0.1),
    ]
    for n, d in ((200, 2000), (200, 10_000), (1000, 2000), (1000, 10_000)):
        X, y = data(n, d)
        print(f"n = {n}, d = {d}, down to {K}", flush=True)
        for key, name, model, share in models:
            found, seconds = ours(key, X, y, share=share)
            expected, plain = loop(model, share, X, y)
            same = "same features" if found == expected else f"{len(found & expected)} of {K} features the same"
            print(
                f"  {key:14} {seconds:7.2f} s   loop of {name:34} {plain:7.2f} s   {plain / seconds:5.1f} times   {same}",
                flush=True,
            )


def growth():
    for key in ("svm", "svm_rfe", "logistic_rfe", "hybrid_rfe"):
        times = [ours(key, *data(200, d))[1] for d in (2500, 5000, 10_000, 20_000)]
        ratios = ", ".join(f"{after / before:.2f}" for before, after in zip(times, times[1:], strict=False))
        seconds = ", ".join(f"{one:.2f}" for one in times)
        print(f"  {key:14} d = 2500, 5000, 10000, 20000: {seconds} s; a doubling: {ratios}", flush=True)


def main():
    with threadpool_limits(1):
        beside_the_loops()
        print("growth with features, n = 200")
        growth()


if __name__ == "__main__":
    main()
