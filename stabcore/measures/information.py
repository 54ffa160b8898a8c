"""Agreement of importances, with or without similar features."""

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.related import check_draws, has_only_groups, neighbour_matrix
from stabcore.measures.statistic import PairStatistic, measure, ratio

# ---- optimal transport of importance between the features of two runs: small linear programs, for many pairs at once ----

CHUNK_LOOKUPS = 3_000_000  # lookups at a time
MAX_EDGES = 20_000  # edges of the linear programs that are solved as one


def best_transports(first, i, second, j, C):
    """(P,) max Σ C_xy T_xy, T ≥ 0, row sums ≤ row i[p] of `first`, column sums ≤ row j[p] of `second` (sparse (·, d)).

    C: sparse similarities of different features. The similarity of a feature with itself is 1. Pairs split into connected
    components. A component that is one star, or has only similarities of 1, has a closed-form solution.
    """
    degree = np.diff(C.indptr) + 1
    rows = np.repeat(np.arange(first.shape[0]), np.diff(first.indptr))
    work = np.bincount(rows, degree[first.indices], first.shape[0])[i] + first.shape[1] / 8
    chunk = (np.cumsum(work) // CHUNK_LOOKUPS).astype(int)
    cuts = np.r_[0, np.flatnonzero(np.diff(chunk)) + 1, len(i)]
    return np.concatenate([_paired_transports(first[i[a:b]], second[j[a:b]], C) for a, b in zip(cuts[:-1], cuts[1:]) if b > a])


def _paired_transports(left, right, C):
    """The same for rows that are already paired."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs, d = left.shape
    pair, x, y, value = _transport_edges(left, right, C)
    left_nodes, a = np.unique(pair * d + x, return_inverse=True)
    right_nodes, b = np.unique(pair * d + y, return_inverse=True)
    if not len(a):
        return np.zeros(pairs)
    supply, demand = _stored_values(left, left_nodes), _stored_values(right, right_nodes)
    graph = coo_array((np.ones(len(a)), (a, b + len(left_nodes))), shape=(len(left_nodes) + len(right_nodes),) * 2)
    n, component = connected_components(graph, directed=False)
    of_left, of_right, of_edge = component[: len(left_nodes)], component[len(left_nodes) :], component[a]
    n_left, n_right, n_edges = (np.bincount(of, minlength=n) for of in (of_left, of_right, of_edge))
    best = np.minimum(np.bincount(of_left, supply, n), np.bincount(of_right, demand, n))
    all_equal = np.bincount(of_edge, value == 1, n) == n_left * n_right
    star = ~all_equal & ((n_left == 1) | (n_right == 1))
    on = star[of_edge]
    best[star] = _star_optima(of_edge[on], value[on], supply[a[on]], demand[b[on]], n_left, n)[star]
    on = ~(all_equal | star)[of_edge]
    if on.any():
        best = _program_optima(best, of_edge[on], a[on], b[on], value[on], supply, demand)
    amounts = np.zeros(pairs)
    np.add.at(amounts, (left_nodes // d)[np.unique(of_left, return_index=True)[1]], best)
    return amounts


def _stored_values(rows, nodes):
    """Stored entries of a sparse matrix at row·d + column."""
    rows = rows.copy()
    rows.sort_indices()
    stored = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)) * rows.shape[1] + rows.indices
    return rows.data[np.searchsorted(stored, nodes)]


def _transport_edges(left, right, C):
    """(pair, x, y, value) of every x of a row of `left` that can be transported to a y of the same row of `right`."""
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


def _star_optima(component, value, supply, demand, n_left, n):
    """(n,) optimum of components with one feature on one side, which uses its largest similarities first."""
    hub_left = n_left[component] == 1
    hub, leaf = np.where(hub_left, supply, demand), np.where(hub_left, demand, supply)
    order = np.lexsort((-value, component))
    c, v, leaf, hub = component[order], value[order], leaf[order], hub[order]
    before = np.cumsum(leaf) - leaf
    first = np.r_[True, c[1:] != c[:-1]] if len(c) else np.zeros(0, dtype=bool)
    before = before - np.repeat(before[first], np.diff(np.r_[np.flatnonzero(first), len(c)]))
    return np.bincount(c, v * np.clip(hub - before, 0, leaf), n)


def _program_optima(best, component, a, b, value, supply, demand):
    """best, with the components of these edges solved as linear programs in batches."""
    order = np.argsort(component, kind="stable")
    component, a, b, value = component[order], a[order], b[order], value[order]
    start = np.flatnonzero(np.r_[True, component[1:] != component[:-1]])
    batch = start // MAX_EDGES
    cuts = np.r_[start[np.r_[True, batch[1:] != batch[:-1]]], len(component)]
    for low, high in zip(cuts[:-1], cuts[1:]):
        part = slice(low, high)
        flow = _solve_program(a[part], b[part], value[part], supply, demand)
        kinds, which = np.unique(component[part], return_inverse=True)
        best[kinds] = np.bincount(which, flow * value[part])
    return best


def _solve_program(a, b, value, supply, demand):
    """Flows of one linear program."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    (rows, i), (columns, j) = np.unique(a, return_inverse=True), np.unique(b, return_inverse=True)
    edge, ones = np.arange(len(a)), np.ones(len(a))
    limits = vstack([csr_array((ones, (ends, edge)), shape=(len(nodes), len(a))) for nodes, ends in ((rows, i), (columns, j))])
    solution = linprog(-value, A_ub=limits, b_ub=np.r_[supply[rows], demand[columns]], bounds=(0, None), method="highs")
    return solution.x


PAIRS_AT_ONCE = 2000


@measure
def importance_weighted(selections, similarity=None):
    """φ_iw = (A − C)/(k̄ − C): the importance that runs place on the same features, beyond chance.

    Importances of a run are scaled to sum to k̄. A is the pair mean of Σ_f min(I_fi, I_fj), and C the pair mean of
    (1/d) Σ_{f∈V_i, f'∈V_j} min(I_fi, I_f'j). k̄ cancels. Two empty runs agree fully. An empty and a non-empty run share nothing.
    Range [−1/(M−1), 1]: 0 is random sets, 1 the same importances in every run. Cost O(Mk̄ log Mk̄).
    Source: Hamer & Dupont, JMLR 2021, eq. 6 (pairs i < j, not the divisor of their Algorithm 2).
    """
    if selections.weights is None:
        raise InputError(
            "importance_weighted needs importances, but these runs carry selections only. Give the importances "
            "(Selections.from_weights), or use nogueira, which gives all features the same weight."
        )
    undefined = _zero_importance_terms(selections)
    if undefined:
        return undefined
    weights, n_runs = selections.weights, selections.n_runs
    run = np.repeat(np.arange(n_runs), np.diff(weights.indptr))
    total = np.bincount(run, weights=weights.data, minlength=n_runs)
    empty = total == 0
    value = weights.data / total[run]
    with_same_feature = np.bincount(run, weights=_minimum_sums(value, weights.indices), minlength=n_runs)
    with_any = np.bincount(run, weights=_minimum_sums(value, np.zeros_like(run)), minlength=n_runs)
    with_own = np.bincount(run, weights=_minimum_sums(value, run), minlength=n_runs)
    both_empty = np.where(empty, empty.sum() - 1.0, 0.0)
    agreed = np.where(empty, both_empty, with_same_feature - 1)
    by_chance = np.where(empty, both_empty, (with_any - with_own) / selections.n_features)
    units = selections.units
    inside: tuple[np.ndarray, ...] = ()
    if units is not None:
        unit, n_units = units[run], selections.n_units
        same_feature = np.bincount(
            unit, weights=_minimum_sums(value, unit * selections.n_features + weights.indices), minlength=n_units
        )
        any_feature = np.bincount(unit, weights=_minimum_sums(value, unit) - _minimum_sums(value, run), minlength=n_units)
        empty_pairs = (of_unit := np.bincount(units, empty, n_units)) * (of_unit - 1)
        inside = (
            same_feature - np.bincount(units, ~empty, n_units) + empty_pairs,
            any_feature / selections.n_features + empty_pairs,
        )
    return PairStatistic(
        lambda n, a, c: ratio(a - c, 1 - c),
        n_runs,
        pairs=(agreed, by_chance),
        units=units,
        inside=inside,
        reason="every run is empty, or gives all features the same importance, so there was no choice (0/0)",
    )


@measure
def shared_information(selections, similarity, *, threshold=0.0, corrected=True, draws=10_000, random_state=0):
    """Importance that two runs share if similar features count: (A − E)/(k̄ − E).

    Importances of a run are scaled to sum to k̄. A is the pair mean of the largest Σ C_xy T_xy over transports T ≥ 0. Their row
    sums stay within the importances of one run, and their column sums within those of the other. E is its expectation when the
    feature identities of one run are permuted, averaged over both runs. It is exact for C = I. Otherwise it uses `draws`
    permutations with `seed`, and its standard error is reported. corrected=False gives A/k̄, the maximum shared information φ_msi.
    Entries of C below `threshold` count as 0. Range (−∞, 1]: 0 is random sets, 1 the same importances up to C. Uncorrected: [0, 1].
    C = I gives `importance_weighted`. Source: Hamer & Dupont, ECML-PKDD 2021 (uncorrected). The correction is our own.
    """
    if selections.weights is None:
        raise InputError(
            "shared_information needs importances, but these runs carry selections only. Give the importances "
            "(Selections.from_weights), or use effective, which gives all features the same weight."
        )
    check_draws(draws)
    similarity.check_covers(selections)
    undefined = _zero_importance_terms(selections)
    if undefined:
        return undefined
    cut, shares = similarity.thresholded(threshold), _importance_shares(selections)
    i, j = np.triu_indices(selections.n_runs, 1)
    agreed = _agreements(shares, i, shares, j, cut)
    reason = "every run is empty, or any two importances agree completely by chance, so there was no choice (0/0)"
    if not corrected:
        return PairStatistic(lambda n, a: a, selections.n_runs, **_run_sums(selections, i, j, agreed), reason=reason)
    if not cut.n_related:
        return importance_weighted.terms(selections)
    by_chance, error = _permuted_expectations(shares, i, j, cut, draws, random_state)
    slope = (agreed.mean() - 1) / max((1 - by_chance.mean()) ** 2, 1e-300)
    return PairStatistic(
        lambda n, a, e: ratio(a - e, 1 - e),
        selections.n_runs,
        reason=reason,
        chance_error=float(abs(slope) * error),
        **_run_sums(selections, i, j, agreed, by_chance),
    )


def _zero_importance_terms(selections):
    """PairStatistic for a run that selected features but gave none of them importance. None when there is no such run."""
    total = np.asarray(selections.weights.sum(axis=1), dtype=float).ravel()
    runs = np.flatnonzero((total == 0) & (selections.sizes > 0)) if selections.selection is not None else np.zeros(0, dtype=int)
    if len(runs):
        return PairStatistic(
            lambda n, nothing: nothing,
            selections.n_runs,
            runs=(np.full(selections.n_runs, np.nan),),
            reason=f"run {runs[0] + 1} selected features but gave none of them any importance",
        )
    return None


def _importance_shares(selections):
    """Sparse (M, d): the importances of each run, scaled to sum to 1. An empty run stays empty."""
    shares = selections.weights.copy()
    total = shares.sum(axis=1)
    shares.data = shares.data / np.repeat(total, np.diff(shares.indptr))
    return shares


def _run_sums(selections, i, j, *amounts):
    """Parts of PairStatistic: for each pair amount, the sums over the pairs of each run and over the pairs inside each unit."""
    n_runs, units = selections.n_runs, selections.units
    pairs = tuple(np.bincount(i, values, n_runs) + np.bincount(j, values, n_runs) for values in amounts)
    if units is None:
        return {"pairs": pairs}
    same = units[i] == units[j]
    inside = tuple(2 * np.bincount(units[i[same]], values[same], selections.n_units) for values in amounts)
    return {"pairs": pairs, "units": units, "inside": inside}


def _agreements(first, i, second, j, similarity):
    """(P,) shared information of row i[p] of one matrix with row j[p] of another. Two empty runs agree fully."""
    if has_only_groups(similarity):
        first, second = _merge_groups(first, similarity), _merge_groups(second, similarity)
        parts = [slice(s, s + PAIRS_AT_ONCE) for s in range(0, len(i), PAIRS_AT_ONCE)]
        shared = np.concatenate([np.asarray(first[i[part]].minimum(second[j[part]]).sum(axis=1)).ravel() for part in parts])
    else:
        shared = best_transports(first, i, second, j, neighbour_matrix(similarity))
    empty = (np.diff(first.indptr)[i] == 0) & (np.diff(second.indptr)[j] == 0)
    return np.where(empty, 1.0, shared)


def _merge_groups(shares, similarity):
    """The same importances with each group merged into one feature, because its members are interchangeable."""
    from scipy.sparse import csr_array

    if similarity.labels is None:
        return shares
    alone = similarity.labels < 0
    number = np.where(alone, len(similarity.group_names) + np.cumsum(alone) - 1, similarity.labels)
    merge = csr_array((np.ones(len(number)), (np.arange(len(number)), number)), shape=(len(number), int(number.max()) + 1))
    return (shares @ merge).tocsr()


def _permuted_expectations(shares, i, j, similarity, draws, random_state):
    """(expectations, error): (P,) the expectation of each pair when one run is permuted, and the standard error of their mean.

    Permuting one or the other run makes a difference where features have unequal similarities. Each is permuted in turn,
    because pairs have no order. A permuted run is only compared with runs as they are. The errors of the runs are therefore
    independent, and their variances add up. Few draws estimate these variances well, but not that of the whole mean.
    """
    from scipy.sparse import csr_array

    rng, d = np.random.default_rng(random_state), similarity.n_features
    times = max(2, -(-draws // (2 * len(i))))
    sizes, n = np.diff(shares.indptr), shares.shape[0]
    agreements, added = np.empty((times, len(i))), np.empty((times, n))
    for t in range(times):
        columns = np.concatenate(
            [rng.permutation(d)[:size] if size > d // 20 else rng.choice(d, size, replace=False) for size in sizes]
        )
        # copied: SciPy sorts sparse rows in place, which would reorder the caller's importances
        moved = csr_array((shares.data, columns, shares.indptr), shape=shares.shape, copy=True)
        of_j, of_i = _agreements(shares, i, moved, j, similarity), _agreements(moved, i, shares, j, similarity)
        agreements[t] = (of_j + of_i) / 2
        added[t] = (np.bincount(j, of_j, n) + np.bincount(i, of_i, n)) / (2 * len(i))
    return agreements.mean(axis=0), float(np.sqrt(added.var(axis=0, ddof=1).sum() / times))


def _minimum_sums(values, groups):
    """For each value, the sum of min(value, other) over all values of its group, itself included."""
    order = np.lexsort((values, groups))
    v, g = values[order], groups[order]
    start = np.flatnonzero(np.r_[True, g[1:] != g[:-1]]) if len(g) else np.zeros(0, dtype=int)
    size = np.diff(np.r_[start, len(g)])
    first = np.repeat(start, size)
    total = np.r_[0.0, np.cumsum(v)]
    below = total[np.arange(len(v))] - total[first]  # values before this one in its group
    at_least = np.repeat(start + size, size) - np.arange(len(v))
    result = np.empty(len(v))
    result[order] = below + v * at_least
    return result
