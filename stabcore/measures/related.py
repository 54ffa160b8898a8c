"""Similar features of two sets, beyond the shared ones, for many pairs of sets at once.

V and W are the two sets of a pair. A feature of V∖W is covered when some feature of W∖V is similar to it.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from stabcore.base.errors import InputError

MAX_LOOKUPS = 500_000  # neighbours looked up at a time


@dataclass(frozen=True)
class Edges:
    """Similar features across P pairs of sets: in pair `pair`, `left` ∈ V∖W is similar to `right` ∈ W∖V by `value`."""

    n_pairs: int
    n_features: int
    pair: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray

    @cached_property
    def _left_nodes(self):
        return np.unique(self.pair * self.n_features + self.left, return_inverse=True)

    @cached_property
    def _right_nodes(self):
        return np.unique(self.pair * self.n_features + self.right, return_inverse=True)

    def _per_pair(self, nodes, weights=None):
        return np.bincount(nodes // self.n_features, weights=weights, minlength=self.n_pairs).astype(float)

    def covered_counts(self):
        """(P,), (P,): covered features of V∖W and of W∖V."""
        return self._per_pair(self._left_nodes[0]), self._per_pair(self._right_nodes[0])

    def mean_similarities(self):
        """(P,), (P,): the same, where a covered feature counts its mean similarity."""
        return tuple(
            self._per_pair(nodes, np.bincount(which, self.value) / np.maximum(np.bincount(which), 1))
            for nodes, which in (self._left_nodes, self._right_nodes)
        )

    def matching_sizes(self):
        """(P,) size of the largest matching of V∖W with W∖V: each feature used once."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        (left, i), (right, j) = self._left_nodes, self._right_nodes
        if not len(left):
            return np.zeros(self.n_pairs)
        edges = i.astype(np.int32), j.astype(np.int32)  # SciPy before 1.15 requires int32
        graph = csr_array((np.ones(len(i), dtype=np.int8), edges), shape=(len(left), len(right)))
        return self._per_pair(left[maximum_bipartite_matching(graph, perm_type="column") >= 0])

    def _strength_order_key(self):
        """(edges,) one sort key, faster than three: falling value, then the lower feature, then the higher."""
        present = np.zeros(self.n_features, dtype=np.int64)
        present[self.left] = present[self.right] = 1
        number = np.cumsum(present)  # numbers of the features in use, so that the key fits
        left, right = number[self.left], number[self.right]
        low, high = np.minimum(left, right), np.maximum(left, right)
        key = np.unique(-self.value, return_inverse=True)[1]
        return (key * (len(self.pair) * 2 + 1) + low) * (len(self.pair) * 2 + 1) + high

    def greedy_matching_sizes(self):
        """(P,) size of the greedy matching, from the largest similarity down. Ties follow the order of the features.

        The order is strict, so repeatedly taking every edge that is first at both ends builds the same matching.
        """
        (left, i), (right, j) = self._left_nodes, self._right_nodes
        order = np.argsort(self._strength_order_key())
        i, j, pair = i[order], j[order], self.pair[order]
        size, alive = np.zeros(self.n_pairs), np.arange(len(order))
        first = [np.empty(len(nodes), dtype=np.int64) for nodes in (left, right)]
        while len(alive):
            back = alive[::-1]
            first[0][i[back]] = first[1][j[back]] = back  # the last one written stays: the first edge of each node
            taken = alive[(first[0][i[alive]] == alive) & (first[1][j[alive]] == alive)]
            size += np.bincount(pair[taken], minlength=self.n_pairs)
            used = [np.zeros(len(nodes), dtype=bool) for nodes in (left, right)]
            used[0][i[taken]] = used[1][j[taken]] = True
            alive = alive[~used[0][i[alive]] & ~used[1][j[alive]]]
        return size


def neighbour_matrix(similarity, index=None):
    """Sparse symmetric matrix of C between different features, with groups expanded, limited to `index` where given."""
    from scipy.sparse import csr_array, diags_array

    keep = slice(None) if index is None else index
    size = similarity.n_features if index is None else len(index)
    C = csr_array((size, size))
    if similarity.labels is not None:
        member = similarity.membership[keep]
        C = member @ member.T
        C = csr_array(C - diags_array(C.diagonal()))
    if similarity.extra is not None:
        C = csr_array(C + (similarity.extra if index is None else similarity.extra[keep][:, keep]))
    C.data[C.data < 1e-12] = 0  # entries set to 0 inside a group
    C.eliminate_zeros()
    return C


def edge_chunks(V, W, C):
    """Yield (first pair, Edges) for chunks of pairs. V, W: sparse (P, d) 0/1, one row per pair. C: neighbours."""
    degree = np.diff(C.indptr)
    work = np.asarray(V @ degree, dtype=float) + V.shape[1] / 8 + 1
    chunk = (np.cumsum(work) // MAX_LOOKUPS).astype(int)
    first = np.flatnonzero(np.r_[True, chunk[1:] != chunk[:-1]])
    for start, stop in zip(first, np.r_[first[1:], len(chunk)]):
        yield start, _look_up_edges(V[start:stop], W[start:stop], C, degree)


def _look_up_edges(V, W, C, degree) -> Edges:
    """Look up every neighbour of every feature of V∖W in a table of W∖V, in 32 bits where the indices fit."""
    n_pairs, d = V.shape
    number = np.int32 if max(n_pairs * d, C.nnz) < 2**31 else np.int64
    of_v, of_w = (np.repeat(np.arange(n_pairs) * d, np.diff(rows.indptr)) + rows.indices for rows in (V, W))
    inside = np.zeros(n_pairs * d, dtype=bool)
    inside[of_w] = True
    of_left = of_v[~inside[of_v]]
    inside[of_v] = False
    pair, x = np.divmod(of_left, d)
    count = degree[x]
    stop = np.cumsum(count)
    neighbour = np.arange(count.sum(), dtype=number) + np.repeat((C.indptr[x] - stop + count).astype(number), count)
    cell = C.indices[neighbour] + np.repeat((pair * d).astype(number), count)
    hit = np.flatnonzero(inside[cell])
    owner, neighbour = np.searchsorted(stop, hit, side="right"), neighbour[hit]
    return Edges(n_pairs, d, pair[owner], x[owner], C.indices[neighbour].astype(np.int64), C.data[neighbour])


def has_only_groups(similarity) -> bool:
    """Whether C consists of groups only, so that counting members is enough."""
    return similarity.extra is None or similarity.extra.nnz == 0


def group_counts(V, W, similarity):
    """(sparse (P, G), same): members of each group in V∖W and in W∖V."""
    both = V.multiply(W)
    return (V - both) @ similarity.membership, (W - both) @ similarity.membership


# ---- the amounts that the measures add to r, for pairs of sets ----


def _edge_amount(amount):
    return lambda V, W, C: np.concatenate([amount(edges) for _, edges in edge_chunks(V, W, C)])


def _row_sums(matrix):
    return np.asarray(matrix.sum(axis=1), dtype=float).ravel()


def _covered_by_groups(n, m):
    """(P,), (P,): the covered features of each side, from the members of each group on both sides."""
    return _row_sums(n.multiply(m > 0)), _row_sums(m.multiply(n > 0))


CONTRIBUTIONS = {
    "count": (_edge_amount(lambda edges: np.minimum(*edges.covered_counts())), lambda n, m: np.minimum(*_covered_by_groups(n, m))),
    "mean": (
        _edge_amount(lambda edges: np.minimum(*edges.mean_similarities())),
        lambda n, m: np.minimum(*_covered_by_groups(n, m)),
    ),
    "matching": (_edge_amount(Edges.matching_sizes), lambda n, m: _row_sums(n.minimum(m))),
    "greedy": (_edge_amount(Edges.greedy_matching_sizes), lambda n, m: _row_sums(n.minimum(m))),
    "half": (_edge_amount(lambda edges: sum(edges.covered_counts()) / 2), lambda n, m: sum(_covered_by_groups(n, m)) / 2),
}


def similarity_contributions(kind, V, W, similarity, C=None):
    """(P,) the contribution of similar features to each pair of sets, see CONTRIBUTIONS."""
    by_edges, by_groups = CONTRIBUTIONS[kind]
    if has_only_groups(similarity):
        return by_groups(*group_counts(V, W, similarity))
    return by_edges(V, W, neighbour_matrix(similarity) if C is None else C)


# ---- overlap of random sets: exact if there is a formula or if all sets can be listed, else simulated ----

MAX_LISTED = 100_000  # largest number of pairs of sets to list instead of drawing
BLOCK = 2_000_000  # drawn features held in memory at a time


@dataclass(frozen=True)
class ExpectedOverlaps:
    """Expectations E for every two sizes: (S, S) over the different sizes. `error`: their standard errors, 0 where exact."""

    sizes: np.ndarray
    mean: np.ndarray
    error: np.ndarray

    def for_runs(self, sizes):
        """(M, M) E for every two runs of these sizes."""
        which = np.searchsorted(self.sizes, sizes)
        return self.mean[np.ix_(which, which)]

    def value_error(self, slope, sizes):
        """Standard error of a mean over pairs of runs, given (M, M) the derivative of each pair value by its E."""
        which = np.searchsorted(self.sizes, sizes)
        upper = np.triu_indices(len(sizes), 1)
        low, high = np.sort([which[upper[0]], which[upper[1]]], axis=0)
        total = np.zeros_like(self.mean)
        np.add.at(total, (low, high), np.nan_to_num(slope[upper]))
        return float(np.sqrt(((total * self.error) ** 2).sum()) / max(len(low), 1))


def check_draws(draws):
    """Raise InputError unless the number of draws is valid."""
    if isinstance(draws, bool) or draws != int(draws) or draws < 2:
        raise InputError(f"The number of draws must be a whole number of at least 2 (draws=10000 is usual). Found {draws}.")


def expected_overlaps(sizes, expected) -> ExpectedOverlaps:
    """ExpectedOverlaps from expected(a, b) -> (mean, standard error), called once for every two sizes, in any order."""
    kinds = np.unique(sizes)
    mean, error = np.zeros((2, len(kinds), len(kinds)))
    for i, a in enumerate(kinds):
        for j, b in enumerate(kinds[: i + 1]):
            mean[i, j], error[i, j] = expected(int(a), int(b))
            mean[j, i], error[j, i] = mean[i, j], error[i, j]
    return ExpectedOverlaps(kinds, mean, error)


def chance_overlaps(kind, sizes, similarity, *, draws, random_state) -> ExpectedOverlaps:
    """E of r + a contribution of CONTRIBUTIONS: listed for few features, else simulated with E(r) = ab/d as a control variate."""
    d = similarity.n_features
    C = None if has_only_groups(similarity) else neighbour_matrix(similarity)

    def expected(a, b):
        if not similarity.n_related or min(a, b) == 0 or max(a, b) == d:
            return a * b / d, 0.0
        if (kind, a, b, draws, random_state) not in similarity.memo:
            similarity.memo[kind, a, b, draws, random_state] = found(a, b)
        related, error = similarity.memo[kind, a, b, draws, random_state]
        return a * b / d + related, error

    def found(a, b):
        if comb(d, a) * comb(d, b) <= MAX_LISTED:
            V, W = (np.array(list(combinations(range(d), k))) for k in (a, b))
            every = similarity_contributions(
                kind, _set_matrix(np.repeat(V, len(W), 0), d), _set_matrix(np.tile(W, (len(V), 1)), d), similarity, C
            )
            return every.mean(), 0.0
        return _simulated_expectation(
            lambda V, W: similarity_contributions(kind, V, W, similarity, C),
            a,
            b,
            d,
            draws,
            np.random.default_rng([random_state, a, b]),
        )

    return expected_overlaps(sizes, expected)


def _simulated_expectation(amount, a, b, d, draws, rng):
    """(E of an amount over random pairs of sets, standard error of E(r + amount)).

    One shuffle of all features is cut into several sets, which depend on each other. The standard error is therefore that of the
    means of shuffles, which are independent. The regression of r + amount on r removes the deviation of r from its known
    mean. E is exact where no features, or all features, are similar.
    """
    sets_per_shuffle = int(max(1, min(d // a, d // b, 20)))
    shuffles = max(2, -(-draws // sets_per_shuffle))
    step = max(1, min(shuffles, BLOCK // max(d, sets_per_shuffle * (a + b))))
    means = []
    for start in range(0, shuffles, step):
        n = min(step, shuffles - start)
        V, W = (
            _set_matrix(
                rng.permuted(np.tile(np.arange(d, dtype=np.int32), (n, 1)), axis=1)[:, : sets_per_shuffle * k].reshape(-1, k), d
            )
            for k in (a, b)
        )
        shared = np.asarray(V.multiply(W).sum(axis=1), dtype=float).ravel()
        means.append(np.stack([shared, shared + amount(V, W)]).reshape(2, n, sets_per_shuffle).mean(axis=2))
    shared, amounts = np.concatenate(means, axis=1)
    spread = shared - shared.mean()
    gain = spread @ (amounts - amounts.mean()) / max(spread @ spread, 1e-300)
    amounts = amounts - gain * (shared - a * b / d)
    return float(amounts.mean() - a * b / d), float(amounts.std(ddof=1) / np.sqrt(len(amounts)))


def _set_matrix(members, d):
    """Sparse (P, d) 0/1 of the sets (P, k)."""
    from scipy.sparse import csr_array

    members = np.sort(members, axis=1)
    n, k = members.shape
    return csr_array((np.ones(n * k), members.ravel(), np.arange(0, n * k + 1, k)), shape=(n, d))


# ---- formulas ----


def neighbour_counts(similarity):
    """(distinct numbers of similar features, the number of features with each)."""
    if has_only_groups(similarity):
        n_partners = np.zeros(similarity.n_features, dtype=int)
        if similarity.labels is not None:
            inside = similarity.labels >= 0
            n_partners[inside] = similarity.group_sizes[similarity.labels[inside]] - 1
    else:
        n_partners = np.diff(neighbour_matrix(similarity).indptr)
    return np.unique(n_partners, return_counts=True)


def expected_covered_by_difference(a, b, similarity):
    """E of the features of V∖W similar to one of W∖V, |V| = a, |W| = b.

    A feature x of V∖W with g similar features is not covered when all t of them that are in W are also in V.
    """
    from scipy.stats import hypergeom

    d, total = similarity.n_features, 0.0
    if not (a > 0 and 0 < b < d):
        return 0.0
    for g, count in zip(*neighbour_counts(similarity)):
        if g:
            t = np.arange(0, min(g, b, a - 1) + 1)
            inside = np.exp(_log_choose(d - 1 - t, a - 1 - t) - _log_choose(d - 1, a - 1))
            none = (hypergeom.pmf(t, d - 1, g, b) * inside).sum()
            total += count * a / d * (1 - b / d) * (1 - none)
    return float(total)


def expected_covered_by_set(a, b, similarity):
    """E of the features of V∖W similar to one of W."""
    d = similarity.n_features
    if not (a > 0 and 0 < b < d):
        return 0.0
    g, count = neighbour_counts(similarity)
    possible = d - 1 - g >= b
    none = np.where(possible, np.exp(_log_choose(np.where(possible, d - 1 - g, b), b) - _log_choose(d - 1, b)), 0.0)
    return float((count * a / d * (1 - b / d) * (1 - none)).sum())


def _log_choose(n, k):
    from scipy.special import gammaln

    return gammaln(np.asarray(n) + 1.0) - gammaln(np.asarray(k) + 1.0) - gammaln(np.asarray(n) - np.asarray(k) + 1.0)
