"""What random sets would share through related features: exact where a formula or a list of all sets is in reach, else drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.related import amounts, neighbours, only_groups

MOST_LISTED = 100_000  # pairs of sets that are listed rather than drawn
AT_ONCE = 2_000_000  # features of drawn sets held at a time


@dataclass(frozen=True)
class Chance:
    """Expectations E for every two sizes: (S, S) over the different sizes; `error` their standard errors, 0 where exact."""

    sizes: np.ndarray
    mean: np.ndarray
    error: np.ndarray

    def of(self, sizes):
        """(M, M) E for every two runs of these sizes."""
        which = np.searchsorted(self.sizes, sizes)
        return self.mean[np.ix_(which, which)]

    def value_error(self, slope, sizes):
        """Standard error of a mean over pairs of runs, given (M, M) how fast each pair value moves with its E."""
        which = np.searchsorted(self.sizes, sizes)
        upper = np.triu_indices(len(sizes), 1)
        low, high = np.sort([which[upper[0]], which[upper[1]]], axis=0)
        total = np.zeros_like(self.mean)
        np.add.at(total, (low, high), np.nan_to_num(slope[upper]))
        return float(np.sqrt(((total * self.error) ** 2).sum()) / max(len(low), 1))


def check_draws(draws):
    """Raise InputError unless chance can be drawn so many times."""
    if isinstance(draws, bool) or draws != int(draws) or draws < 2:
        raise InputError(f"Chance is drawn a whole number of times, at least twice (draws=10000 is usual); found {draws}.")


def for_every_two(sizes, expected) -> Chance:
    """Chance from expected(a, b) -> (mean, standard error), asked once for every two sizes, in any order."""
    kinds = np.unique(sizes)
    mean, error = np.zeros((2, len(kinds), len(kinds)))
    for i, a in enumerate(kinds):
        for j, b in enumerate(kinds[: i + 1]):
            mean[i, j], error[i, j] = expected(int(a), int(b))
            mean[j, i], error[j, i] = mean[i, j], error[i, j]
    return Chance(kinds, mean, error)


def chance_of_amount(kind, sizes, similarity, *, draws, random_state) -> Chance:
    """E of r + an amount of AMOUNTS: listed for few features, else drawn with the known E(r) = ab/d as a control."""
    d = similarity.n_features
    C = None if only_groups(similarity) else neighbours(similarity)

    def expected(a, b):
        if not similarity.n_related or min(a, b) == 0 or max(a, b) == d:
            return a * b / d, 0.0
        if (kind, a, b, draws, random_state) not in similarity.memo:
            similarity.memo[kind, a, b, draws, random_state] = found(a, b)
        related, error = similarity.memo[kind, a, b, draws, random_state]
        return a * b / d + related, error

    def found(a, b):
        if comb(d, a) * comb(d, b) <= MOST_LISTED:
            V, W = (np.array(list(combinations(range(d), k))) for k in (a, b))
            every = amounts(kind, _sets(np.repeat(V, len(W), 0), d), _sets(np.tile(W, (len(V), 1)), d), similarity, C)
            return every.mean(), 0.0
        return _drawn(lambda V, W: amounts(kind, V, W, similarity, C), a, b, d, draws, np.random.default_rng([random_state, a, b]))

    return for_every_two(sizes, expected)


def _drawn(amount, a, b, d, draws, rng):
    """(E of an amount over random pairs of sets, standard error of E(r + amount)).

    One shuffle of all features is cut into several sets at once; they depend on each other, so the error is that of the means
    of shuffles, which do not. What r + amount gains per shared feature is taken out where r strayed from its known mean: nothing
    where all features are related, so that E is then exact.
    """
    together = int(max(1, min(d // a, d // b, 20)))
    shuffles = max(2, -(-draws // together))
    step = max(1, min(shuffles, AT_ONCE // max(d, together * (a + b))))
    means = []
    for start in range(0, shuffles, step):
        n = min(step, shuffles - start)
        V, W = (
            _sets(rng.permuted(np.tile(np.arange(d, dtype=np.int32), (n, 1)), axis=1)[:, : together * k].reshape(-1, k), d)
            for k in (a, b)
        )
        shared = np.asarray(V.multiply(W).sum(axis=1), dtype=float).ravel()
        means.append(np.stack([shared, shared + amount(V, W)]).reshape(2, n, together).mean(axis=2))
    shared, amounts = np.concatenate(means, axis=1)
    spread = shared - shared.mean()
    gain = spread @ (amounts - amounts.mean()) / max(spread @ spread, 1e-300)
    amounts = amounts - gain * (shared - a * b / d)
    return float(amounts.mean() - a * b / d), float(amounts.std(ddof=1) / np.sqrt(len(amounts)))


def _sets(members, d):
    """Sparse (P, d) 0/1 of the sets (P, k)."""
    from scipy.sparse import csr_array

    members = np.sort(members, axis=1)
    n, k = members.shape
    return csr_array((np.ones(n * k), members.ravel(), np.arange(0, n * k + 1, k)), shape=(n, d))


# ---- formulas ----


def degrees(similarity):
    """(different numbers of related features, how many features have each)."""
    if only_groups(similarity):
        n_partners = np.zeros(similarity.n_features, dtype=int)
        if similarity.labels is not None:
            inside = similarity.labels >= 0
            n_partners[inside] = similarity.group_sizes[similarity.labels[inside]] - 1
    else:
        n_partners = np.diff(neighbours(similarity).indptr)
    return np.unique(n_partners, return_counts=True)


def covered_apart(a, b, similarity):
    """E of the features of V∖W related to one of W∖V, |V| = a, |W| = b.

    A feature x of V∖W with g relations is not covered when each of its t relations in W lies in V as well.
    """
    from scipy.stats import hypergeom

    d, total = similarity.n_features, 0.0
    if not (a > 0 and 0 < b < d):
        return 0.0
    for g, count in zip(*degrees(similarity)):
        if g:
            t = np.arange(0, min(g, b, a - 1) + 1)
            inside = np.exp(_log_choose(d - 1 - t, a - 1 - t) - _log_choose(d - 1, a - 1))
            none = (hypergeom(d - 1, g, b).pmf(t) * inside).sum()
            total += count * a / d * (1 - b / d) * (1 - none)
    return float(total)


def covered_anywhere(a, b, similarity):
    """E of the features of V∖W related to one of W."""
    d = similarity.n_features
    if not (a > 0 and 0 < b < d):
        return 0.0
    g, count = degrees(similarity)
    possible = d - 1 - g >= b
    none = np.where(possible, np.exp(_log_choose(np.where(possible, d - 1 - g, b), b) - _log_choose(d - 1, b)), 0.0)
    return float((count * a / d * (1 - b / d) * (1 - none)).sum())


def _log_choose(n, k):
    from scipy.special import gammaln

    return gammaln(np.asarray(n) + 1.0) - gammaln(np.asarray(k) + 1.0) - gammaln(np.asarray(n) - np.asarray(k) + 1.0)
