"""Optimal transport of importance between the features of two runs: small linear programs, for many pairs at once."""

from __future__ import annotations

import numpy as np

CHUNK = 3_000_000  # neighbours looked up at a time
LARGEST = 20_000  # edges of the linear programs that are solved as one


def best_transports(first, i, second, j, C):
    """(P,) max Σ C_xy T_xy, T ≥ 0, row sums ≤ row i[p] of `first`, column sums ≤ row j[p] of `second` (sparse (·, d)).

    C: sparse relations between different features; a feature carries to itself with 1. Pairs fall apart into connected
    components; a component that is one star, or wholly related by 1, has its answer in closed form.
    """
    degree = np.diff(C.indptr) + 1
    rows = np.repeat(np.arange(first.shape[0]), np.diff(first.indptr))
    work = np.bincount(rows, degree[first.indices], first.shape[0])[i] + first.shape[1] / 8
    chunk = (np.cumsum(work) // CHUNK).astype(int)
    cuts = np.r_[0, np.flatnonzero(np.diff(chunk)) + 1, len(i)]
    return np.concatenate([_chunk(first[i[a:b]], second[j[a:b]], C) for a, b in zip(cuts[:-1], cuts[1:]) if b > a])


def _chunk(left, right, C):
    """The same for rows that are paired already."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs, d = left.shape
    pair, x, y, value = _edges(left, right, C)
    left_nodes, a = np.unique(pair * d + x, return_inverse=True)
    right_nodes, b = np.unique(pair * d + y, return_inverse=True)
    if not len(a):
        return np.zeros(pairs)
    supply, demand = _entries(left, left_nodes), _entries(right, right_nodes)
    graph = coo_array((np.ones(len(a)), (a, b + len(left_nodes))), shape=(len(left_nodes) + len(right_nodes),) * 2)
    n, component = connected_components(graph, directed=False)
    of_left, of_right, of_edge = component[: len(left_nodes)], component[len(left_nodes) :], component[a]
    n_left, n_right, n_edges = (np.bincount(of, minlength=n) for of in (of_left, of_right, of_edge))
    best = np.minimum(np.bincount(of_left, supply, n), np.bincount(of_right, demand, n))
    whole = np.bincount(of_edge, value == 1, n) == n_left * n_right
    star = ~whole & ((n_left == 1) | (n_right == 1))
    on = star[of_edge]
    best[star] = _stars(of_edge[on], value[on], supply[a[on]], demand[b[on]], n_left, n)[star]
    on = ~(whole | star)[of_edge]
    if on.any():
        best = _programs(best, of_edge[on], a[on], b[on], value[on], supply, demand)
    amounts = np.zeros(pairs)
    np.add.at(amounts, (left_nodes // d)[np.unique(of_left, return_index=True)[1]], best)
    return amounts


def _entries(rows, nodes):
    """Stored entries of a sparse matrix at row·d + column."""
    rows = rows.copy()
    rows.sort_indices()
    stored = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)) * rows.shape[1] + rows.indices
    return rows.data[np.searchsorted(stored, nodes)]


def _edges(left, right, C):
    """(pair, x, y, value) of every x of a row of `left` that carries to a y of the same row of `right`."""
    pairs, d = left.shape
    inside = np.zeros((pairs, d), dtype=bool)
    inside[np.repeat(np.arange(pairs), np.diff(right.indptr)), right.indices] = True
    pair, x = np.repeat(np.arange(pairs), np.diff(left.indptr)), left.indices.astype(np.int64)
    count = np.diff(C.indptr)[x]
    neighbour = np.arange(count.sum()) + np.repeat(C.indptr[x] - np.r_[0, np.cumsum(count)[:-1]], count)
    y, pair_of, x_of = C.indices[neighbour], np.repeat(pair, count), np.repeat(x, count)
    hit, same = inside[pair_of, y], inside[pair, x]
    return (
        np.r_[pair[same], pair_of[hit]].astype(np.int64),
        np.r_[x[same], x_of[hit]],
        np.r_[x[same], y[hit]].astype(np.int64),
        np.r_[np.ones(same.sum()), C.data[neighbour[hit]]],
    )


def _stars(component, value, supply, demand, n_left, n):
    """(n,) best of components with one feature on one side: it carries along its strongest relations first."""
    hub_left = n_left[component] == 1
    hub, leaf = np.where(hub_left, supply, demand), np.where(hub_left, demand, supply)
    order = np.lexsort((-value, component))
    c, v, leaf, hub = component[order], value[order], leaf[order], hub[order]
    before = np.cumsum(leaf) - leaf
    first = np.r_[True, c[1:] != c[:-1]] if len(c) else np.zeros(0, dtype=bool)
    before = before - np.repeat(before[first], np.diff(np.r_[np.flatnonzero(first), len(c)]))
    return np.bincount(c, v * np.clip(hub - before, 0, leaf), n)


def _programs(best, component, a, b, value, supply, demand):
    """best, with the components of these edges solved as linear programs, as many together as fit."""
    order = np.argsort(component, kind="stable")
    component, a, b, value = component[order], a[order], b[order], value[order]
    start = np.flatnonzero(np.r_[True, component[1:] != component[:-1]])
    batch = start // LARGEST
    cuts = np.r_[start[np.r_[True, batch[1:] != batch[:-1]]], len(component)]
    for low, high in zip(cuts[:-1], cuts[1:]):
        part = slice(low, high)
        flow = _solve(a[part], b[part], value[part], supply, demand)
        kinds, which = np.unique(component[part], return_inverse=True)
        best[kinds] = np.bincount(which, flow * value[part])
    return best


def _solve(a, b, value, supply, demand):
    """Flows of one linear program."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    (rows, i), (columns, j) = np.unique(a, return_inverse=True), np.unique(b, return_inverse=True)
    edge, ones = np.arange(len(a)), np.ones(len(a))
    limits = vstack([csr_array((ones, (ends, edge)), shape=(len(nodes), len(a))) for nodes, ends in ((rows, i), (columns, j))])
    solution = linprog(-value, A_ub=limits, b_ub=np.r_[supply[rows], demand[columns]], bounds=(0, None), method="highs")
    return solution.x
