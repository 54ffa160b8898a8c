"""Profiles of effective stability: all cardinalities in one walk down the rankings, and what random rankings would give."""

from __future__ import annotations

import numpy as np

from stabcore.measures.effective import Chance, effective_terms
from stabcore.measures.statistic import inside_units, ratio
from stabcore.selectors.model_paths import changes, sizes_at


def effective_at(ranks, ks, relation, units=None):
    """Terms of `effective` at K sizes (K,) at once, from ranks (M, d) that reach to the largest; units as in Terms."""
    near = np.flatnonzero((ranks <= ks[-1]).any(axis=0))           # the others are never selected
    order, among = np.argsort(ranks[:, near], axis=1, kind="stable")[:, :ks[-1]], relation.among(near)

    def amounts(some):
        runs = np.arange(np.count_nonzero(some))
        return _amounts([(runs, entering, np.ones(len(runs))) for entering in order[some].T], among, len(runs))

    own, others = amounts(np.ones(len(ranks), dtype=bool))
    own, others = own[:, ks - 1], others[:, ks - 1]
    inside = inside_units(units, len(ks), lambda some: amounts(some)[1][:, ks - 1])
    return effective_terms(relation, own, others, np.broadcast_to(ks.astype(float), own.shape), units, inside)


def effective_along(paths, ks, relation, units=None):
    """The same of M paths, whose sets at k need neither hold k features nor all of those before."""
    near = np.unique(np.concatenate([path.features for path in paths]))
    among = relation.among(near)

    def amounts(some):
        moving = [path for path, taken in zip(paths, some, strict=True) if taken]
        return _amounts([(runs, np.searchsorted(near, features), signs)
                         for runs, features, signs in changes(moving, relation.n_features, int(ks[-1]))], among, len(moving))

    own, others = amounts(np.ones(len(paths), dtype=bool))
    inside = inside_units(units, len(ks), lambda some: amounts(some)[1][:, ks - 1])
    return effective_terms(relation, own[:, ks - 1], others[:, ks - 1], sizes_at(paths, ks), units, inside)


def _amounts(moves, relation, n_runs):
    """(M, K) effective size of each run, and its effective intersection with all others, at k = 1 … K.

    moves: at each k (runs, features, signs), what enters (+1) or leaves (−1) the sets then. All runs go on together. Each feature
    keeps how far every run's set stands for it, (C z_i)_f, and only the moving features' rows of C change it; reading it for
    those features before and after gives what the sums gain.
    """
    related = _Standing(relation, n_runs)
    own, shared = np.empty((2, len(moves), n_runs))
    for k, (runs, features, signs) in enumerate(moves):
        before = related.of(features)                   # [q, i] how far run i's set stands for the q-th feature that moves
        related.move(runs, features, signs)
        after, at = related.of(features), np.arange(len(runs))
        own[k] = np.bincount(runs, signs * (before[at, runs] + after[at, runs]), minlength=n_runs)
        shared[k] = np.bincount(runs, signs * before.sum(axis=1), minlength=n_runs) + signs @ after
    own, shared = np.cumsum(own, axis=0).T, np.cumsum(shared, axis=0).T
    return own, shared - own


class _Standing:
    """How far each run's set stands for every feature, kept up to date as features enter and leave: C z_i for M runs."""

    def __init__(self, relation, n_runs):
        d, self.n_runs = relation.n_features, n_runs
        alone = np.arange(d) + len(relation.group_names)            # a feature without a group is a group of its own
        self.group = alone if relation.labels is None else np.where(relation.labels >= 0, relation.labels, alone)
        self.members = np.zeros((d + len(relation.group_names), n_runs))
        self.extra = None
        if relation.extra is not None and relation.extra.nnz:
            extra = relation.extra.tocsr()
            self.degree, ends = np.diff(extra.indptr), extra.indptr[1:-1]
            self.cells = np.split(extra.indices.astype(np.int64) * n_runs, ends)
            self.weights = np.split(extra.data, ends)
            self.extra = np.zeros((d, n_runs))

    def of(self, features):
        """(features, M) entries of C z_i."""
        inside = self.members[self.group[features]]
        return inside if self.extra is None else inside + self.extra[features]

    def move(self, runs, features, signs):
        """Run runs[q] takes features[q] in (signs[q] = 1) or leaves it out (−1)."""
        np.add.at(self.members.reshape(-1), self.group[features] * self.n_runs + runs, signs)
        if self.extra is not None and len(features):
            rows, degree = features.tolist(), self.degree[features]
            cells = np.concatenate([self.cells[row] for row in rows]) + np.repeat(runs, degree)
            weights = np.concatenate([self.weights[row] for row in rows]) * np.repeat(signs, degree)
            np.add.at(self.extra.reshape(-1), cells, weights)


def effective_spread(n_runs, relation, ks):
    """(K,) exact standard deviation of `effective` over studies of random rankings.

    With equal sizes the value is 1 − U/tr(CΣ⁰), U the mean over pairs of runs of h(z, z') = (zCz + z'Cz')/2 − zCz', so its
    variance is (4ζ/M + 2τ/(M(M−1)))/tr(CΣ⁰)², ζ = var E(h | z) and τ = var((z−p)C(z'−p)) = ‖CΣ⁰‖². With C = I + A and
    A_fg = μ + α_f + α_g + ε_fg (row sums of ε 0) the parts are uncorrelated under sampling without replacement:
    ζ = (1−2p)²·var(αz) + ½·Σε²·P(two given features in, two given others out), p = k/d.
    """
    d, k = relation.n_features, np.asarray(ks, dtype=float)
    if d < 2:
        return np.zeros(len(k))
    rows, squares = relation.times(np.ones(d)), _sum_of_squares(relation)
    centred = ((rows - rows.mean()) ** 2).sum()
    alpha = centred / (d - 2) ** 2 if d > 2 else 0.0                # Σα²
    epsilon = max(squares - d - d * (rows.mean() - 1) ** 2 / (d - 1) - 2 * (d - 2) * alpha, 0.0)
    apart = k * (k - 1) * (d - k) * (d - k - 1) / (d * (d - 1) * (d - 2) * (d - 3)) if d > 3 else 0 * k
    p, v = k / d, k / d * (1 - k / d) * d / (d - 1)
    zeta = (1 - 2 * p) ** 2 * v * alpha + epsilon * apart / 2
    tau = v ** 2 * max(squares - 2 * centred / d - rows.mean() ** 2, 0.0)
    chance = Chance.of(k, k * k, d)
    sd = np.sqrt(4 * zeta / n_runs + 2 * tau / (n_runs * (n_runs - 1)))
    return np.nan_to_num(ratio(sd, chance.total(rows.sum() - d), scale=chance.own + 1e-300))


def _sum_of_squares(relation):
    """Σ of the squared entries of C."""
    sizes = np.zeros(0) if relation.labels is None else relation.group_sizes.astype(float)
    total = relation.n_features + (sizes ** 2 - sizes).sum()
    if relation.extra is None:
        return float(total)
    extra = relation.extra.tocoo()
    inside = 0 if relation.labels is None else (relation.labels[extra.row] == relation.labels[extra.col]) & (
        relation.labels[extra.row] >= 0)
    return float(total + (extra.data * (extra.data + 2 * inside)).sum())
