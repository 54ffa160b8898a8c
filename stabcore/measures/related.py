"""Related features of two sets, beyond the shared ones, for many pairs of sets at once.

V and W are the two sets of a pair; a feature of V∖W is covered when some feature of W∖V is related to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

MOST_LOOKUPS = 500_000  # neighbours looked up at a time


@dataclass(frozen=True)
class Edges:
    """Related features across P pairs of sets: in pair `pair`, `left` ∈ V∖W is related to `right` ∈ W∖V by `value`."""

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

    def covered(self):
        """(P,), (P,): covered features of V∖W and of W∖V."""
        return self._per_pair(self._left_nodes[0]), self._per_pair(self._right_nodes[0])

    def mean_values(self):
        """(P,), (P,): the same, each covered feature counting the mean value of its relations."""
        return tuple(
            self._per_pair(nodes, np.bincount(which, self.value) / np.maximum(np.bincount(which), 1))
            for nodes, which in (self._left_nodes, self._right_nodes)
        )

    def matching(self):
        """(P,) size of the largest matching of V∖W with W∖V: each feature used once."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        (left, i), (right, j) = self._left_nodes, self._right_nodes
        if not len(left):
            return np.zeros(self.n_pairs)
        edges = i.astype(np.int32), j.astype(np.int32)  # SciPy before 1.15 matches by these alone
        graph = csr_array((np.ones(len(i), dtype=np.int8), edges), shape=(len(left), len(right)))
        return self._per_pair(left[maximum_bipartite_matching(graph, perm_type="column") >= 0])

    def _strongest_first(self):
        """(edges,) one number to sort by, faster than three: falling value, then the lower feature, then the higher."""
        present = np.zeros(self.n_features, dtype=np.int64)
        present[self.left] = present[self.right] = 1
        number = np.cumsum(present)  # of the features at hand only, so that the key fits
        left, right = number[self.left], number[self.right]
        low, high = np.minimum(left, right), np.maximum(left, right)
        key = np.unique(-self.value, return_inverse=True)[1]
        return (key * (len(self.pair) * 2 + 1) + low) * (len(self.pair) * 2 + 1) + high

    def greedy_matching(self):
        """(P,) size of the matching built from the strongest relation down; equal ones in the order of the features.

        The order is strict, so taking every edge that is first at both its ends, again and again, builds the same matching.
        """
        (left, i), (right, j) = self._left_nodes, self._right_nodes
        order = np.argsort(self._strongest_first())
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


def neighbours(similarity, index=None):
    """Sparse symmetric matrix of C between different features, groups written out; among `index` only, where given."""
    from scipy.sparse import csr_array, diags_array

    keep = slice(None) if index is None else index
    size = similarity.n_features if index is None else len(index)
    C = csr_array((size, size))
    if similarity.labels is not None:
        labels = similarity.labels[keep]
        rows = np.flatnonzero(labels >= 0)
        member = csr_array((np.ones(len(rows)), (rows, labels[rows])), shape=(size, len(similarity.group_names)))
        C = member @ member.T
        C = csr_array(C - diags_array(C.diagonal()))
    if similarity.extra is not None:
        C = csr_array(C + (similarity.extra if index is None else similarity.extra[keep][:, keep]))
    C.data[C.data < 1e-12] = 0  # an edit to 0 inside a group
    C.eliminate_zeros()
    return C


def edges_between(V, W, C):
    """Yield (first pair, Edges) for chunks of pairs. V, W: sparse (P, d) 0/1, row p of each is a pair; C: neighbours."""
    degree = np.diff(C.indptr)
    work = np.asarray(V @ degree, dtype=float) + V.shape[1] / 8 + 1
    chunk = (np.cumsum(work) // MOST_LOOKUPS).astype(int)
    first = np.flatnonzero(np.r_[True, chunk[1:] != chunk[:-1]])
    for start, stop in zip(first, np.r_[first[1:], len(chunk)]):
        yield start, _edges(V[start:stop], W[start:stop], C, degree)


def _edges(V, W, C, degree) -> Edges:
    """Every neighbour of every feature of V∖W is looked up in a table of W∖V, in 32 bits as far as they reach."""
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


def only_groups(similarity) -> bool:
    """Is C made of groups alone, so that counting members is enough?"""
    return similarity.extra is None or similarity.extra.nnz == 0


def group_counts(V, W, similarity):
    """(sparse (P, G), same): members of each group in V∖W and in W∖V."""
    from scipy.sparse import csr_array

    if similarity.labels is None:
        empty = csr_array((V.shape[0], 1))
        return empty, empty
    both = V.multiply(W)
    rows = np.flatnonzero(similarity.labels >= 0)
    member = csr_array(
        (np.ones(len(rows)), (rows, similarity.labels[rows])), shape=(similarity.n_features, len(similarity.group_names))
    )
    return (V - both) @ member, (W - both) @ member


# ---- the amounts that the measures add to r, for pairs of sets ----


def _by_edges(of_edges):
    return lambda V, W, C: np.concatenate([of_edges(edges) for _, edges in edges_between(V, W, C)])


def _row_sums(matrix):
    return np.asarray(matrix.sum(axis=1), dtype=float).ravel()


AMOUNTS = {
    "count": (
        _by_edges(lambda edges: np.minimum(*edges.covered())),
        lambda n, m: np.minimum(_row_sums(n.multiply(m > 0)), _row_sums(m.multiply(n > 0))),
    ),
    "mean": (
        _by_edges(lambda edges: np.minimum(*edges.mean_values())),
        lambda n, m: np.minimum(_row_sums(n.multiply(m > 0)), _row_sums(m.multiply(n > 0))),
    ),
    "matching": (_by_edges(Edges.matching), lambda n, m: _row_sums(n.minimum(m))),
    "greedy": (_by_edges(Edges.greedy_matching), lambda n, m: _row_sums(n.minimum(m))),
    "half": (
        _by_edges(lambda edges: sum(edges.covered()) / 2),
        lambda n, m: (_row_sums(n.multiply(m > 0)) + _row_sums(m.multiply(n > 0))) / 2,
    ),
}


def amounts(kind, V, W, similarity, C=None):
    """(P,) what relations add to the shared features of each pair of sets: see AMOUNTS."""
    by_edges, by_groups = AMOUNTS[kind]
    if only_groups(similarity):
        return by_groups(*group_counts(V, W, similarity))
    return by_edges(V, W, neighbours(similarity) if C is None else C)
