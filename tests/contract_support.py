"""Tables and checks for the contract of every selector of the catalogue."""

import math
from collections import Counter

import numpy as np

from stabcore.base.target import TIME
from stabcore.selectors.catalog import BY_KEY

KEYS = [key for key, entry in BY_KEY.items() if entry.targets != (TIME,)]  # test_timed.py has those for times only
QUICK = {
    "random_forest": {"trees": 10},
    "random_forest_permutation": {"trees": 30},
    "gbm": {"rounds": 20},
    "boruta": {"trees": 6, "rounds": 6},
    "estimator": {"parameters": {"n_estimators": 20}},
}


def plain(n=60, d=6, classes=2, random_state=0):
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    return rng.normal(size=(n, d)) + y[:, None] * np.linspace(0, 1.5, d), y


def entropy(*columns):
    """Plug-in entropy in nats of the joint distribution of some columns."""
    counts, n = Counter(zip(*columns, strict=True)).values(), len(columns[0])
    return math.fsum(-c / n * math.log(c / n) for c in counts)


def information(x, y, given=None):
    """I(X, Y) or I(X, Y | Z) in nats."""
    if given is None:
        return entropy(x) + entropy(y) - entropy(x, y)
    return entropy(x, given) + entropy(y, given) - entropy(x, y, given) - entropy(given)


def falls_slowly(forest, X, y, rng, times):
    """Mean decrease of the out-of-bag accuracy over trees, with whole columns shuffled many times."""
    falls = np.zeros(X.shape[1])
    for tree, inside in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), inside)

        def right(rows, tree=tree, out=out):
            return (forest.classes_[tree.predict(rows).astype(int)] == y[out]).mean()

        for f in range(X.shape[1]):
            for _ in range(times):
                other = X[out].copy()
                other[:, f] = rng.permutation(other[:, f])
                falls[f] += (right(X[out]) - right(other)) / times
    return falls / len(forest.estimators_)


def check(fitted, d, k):
    assert fitted.scores_.shape == fitted.ranking_.shape == fitted.importances_.shape == (d,)
    assert (fitted.importances_ >= 0).all()
    ranked = ~np.isnan(fitted.ranking_)
    assert np.array_equal(ranked, ~np.isnan(fitted.scores_))
    assert sorted(fitted.ranking_[ranked]) == list(range(1, ranked.sum() + 1))
    assert (np.diff(fitted.scores_[np.argsort(fitted.ranking_)][: ranked.sum()]) <= 0).all()
    chosen = fitted.select(k)
    assert chosen.dtype.kind == "i"
    assert chosen.tolist() == sorted(set(chosen.tolist()))
    assert len(chosen) <= min(k, d)
    assert ranked[chosen].all()
    assert all(isinstance(sentence, str) for sentence in fitted.warnings_)
