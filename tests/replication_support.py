"""Two simulated cohorts, each with runs of a filter and shuffles of the outcome."""

import numpy as np

import stabcore as sc
from stabcore.study.results import Results


class WithShuffles(Results):
    """Results with shuffled outcomes, like those of a StudyResult."""

    def __init__(self, runs, shuffles):
        super().__init__({"one": runs})
        self._shuffles = shuffles

    @property
    def has_control(self):
        return True

    def shuffled(self, label, k=None):
        return list(enumerate(self._shuffles, 1))


def cohort(rng, kind, n=80, d=60, effect=0.0):
    """Return (X, y) of noise with a factor or six blocks of ten. The first ten features differ by `effect`."""
    X, y = rng.normal(size=(n, d)), np.arange(n) % 2
    if kind == "factor":
        X = np.sqrt(0.5) * rng.normal(size=(n, 1)) + np.sqrt(0.5) * X
    elif kind == "blocks":
        X = np.sqrt(0.7) * np.repeat(rng.normal(size=(n, d // 10)), 10, axis=1) + np.sqrt(0.3) * X
    X[:, :10] += effect * y[:, None]
    return X, y


def filtered(rng, X, y, pairs, k):
    """Selections by |t| on both halves of complementary pairs."""
    scores = []
    for _ in range(pairs):
        first = np.isin(np.arange(len(y)), np.concatenate([rng.permutation(np.flatnonzero(y == c))[::2] for c in (0, 1)]))
        for rows in (first, ~first):
            a, b = X[rows & (y == 1)], X[rows & (y == 0)]
            scores.append(np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0) / len(a) + b.var(0) / len(b)))
    return sc.Selections.from_scores(np.array(scores)).top(k)


def replicated_cohorts(seed, kind, effect=0.0, k=10, pairs=25, shuffles=20):
    """Two WithShuffles of different patients."""
    both = []
    for which in (0, 1):
        rng = np.random.default_rng([seed, which, len(kind)])
        X, y = cohort(rng, kind, effect=effect)
        both.append(
            WithShuffles(filtered(rng, X, y, pairs, k), [filtered(rng, X, rng.permutation(y), 2, k) for _ in range(shuffles)])
        )
    return both


def replication_alarms(seed, kind, effect=0.0, **how):
    """sc.concordance of two such cohorts up to rank 10."""
    return sc.concordance(*replicated_cohorts(seed, kind, effect, **how), sizes=[10])
