"""The effect of each single entry of C."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.measures.effective import ChanceVariance, selection_variance
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

MAX_ROWS = 2_000_000
BLOCK, MAX_BLOCK = 512, 10_000  # features, and pairs, that are counted at once


@public
def influence(runs: Selections, similarity: Similarity, *, most: int | None = None) -> pd.DataFrame:
    """DataFrame(feature_a, feature_b, derivative, change, value, together): the change of Φ_C with each entry of C.

    derivative  ∂Φ_C/∂c_ff' = −2(S_ff'·tr(CΣ⁰) − tr(CS)·Σ⁰_ff')/tr(CΣ⁰)², with both mirror entries, above 0 if
                similarity of the two raises the stability, mostly because runs select one or the other
    change      approximate change of Φ_C if the two became fully similar, or not similar if they already are
    value       C of the pair
    together    number of runs that select both

    One row per pair of features that were ever selected, the largest |derivative| first, equal ones in order of the features.
    The derivative is NaN where Φ_C is undefined. Source: ours.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    similarity : Similarity
        Feature similarity C, for measures that need it.
    most : int, optional
        Largest number of rows.

    Raises
    ------
    InputError
        If there are more than two million pairs and `most` is not given.

    Examples
    --------
    >>> list(sc.whatif.influence(runs, C, most=3))[:3]
    ['feature_a', 'feature_b', 'derivative']
    """
    runs, similarity = Selections.of(runs), Similarity.of(similarity)
    similarity.check_covers(runs)
    selected = np.flatnonzero(runs.counts)
    n_pairs = len(selected) * (len(selected) - 1) // 2
    most = n_pairs if most is None else int(most)
    if min(most, n_pairs) > MAX_ROWS:
        raise InputError(
            f"The {len(selected):,} features that were selected at least once make {n_pairs:,} pairs, too many for a table. "
            f"Limit it to the largest, for example with most=1000."
        )
    chance, related = ChanceVariance.of_runs(runs), similarity.total - runs.n_features
    undefined = np.isnan(chance.stability(0.0, related))
    vary, total = selection_variance(runs, similarity), chance.total(related) if not undefined else np.nan
    exact = np.float32 if runs.n_runs < 2**24 else float  # because counts stay below 2²⁴
    rows_of, sums, n, divisor = runs.moments
    Z, R = (matrix[:, selected].toarray().astype(exact) for matrix in (runs.selection_matrix, rows_of))
    sums = sums[selected]
    largest = np.zeros((4, 0))
    for start in range(0, len(selected), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(selected)))
        together = (Z[:, rows].T @ Z[:, start:]).astype(float)
        products = together if rows_of is runs.selection_matrix else (R[:, rows].T @ R[:, start:]).astype(float)
        S = (products - sums[rows, None] * sums[start:] / n) / divisor
        derivative = -2 * (S * total - vary * chance.pair) / total**2
        size = np.nan_to_num(np.abs(derivative))
        size[np.tril_indices(len(rows))] = -1
        smallest = np.nan_to_num(abs(largest[2, -1])) if largest.shape[1] == most > 0 else 0.0
        i, j = np.nonzero(size >= smallest)  # values that are certainly too small are not listed
        largest = _largest(np.hstack([largest, [i + start, j + start, derivative[i, j], together[i, j]]]), most)
    a, b = selected[largest[:2].astype(int)]
    names, value = np.array(runs.features, dtype=object), similarity.values(a, b)
    table = pd.DataFrame({"feature_a": names[a], "feature_b": names[b], "derivative": largest[2]})
    change = largest[2] * np.where(value < 1, 1 - value, -1.0)
    return table.assign(change=change, value=value, together=largest[3].astype(int))


def similar_pairs(runs: Selections, similarity: Similarity) -> pd.DataFrame:
    """DataFrame(feature_a, feature_b, value, both, one, neither, runs, pull): the joint selection of similar features.

    both, one, neither   number of runs that select both features, one of them alone, none
    pull                 effect of the pair on Φ_C − Φ: c · ∂Φ_C/∂c_ff' without other similar features, as in `influence`. Below 0:
                         runs select both or none more often than random subsets. Above 0: one instead of the other

    One row per pair with C > 0 and at least one of its features ever selected, the largest |pull| first. The pulls of all pairs sum
    to Φ_C − Φ if the denominators are equal. NaN where Φ is undefined. Source: ours.
    """
    similarity.check_covers(runs)
    table = similarity.pairs(None)
    number = {name: i for i, name in enumerate(runs.features)}
    a, b = (table[name].map(number).to_numpy(dtype=int) for name in ("feature_a", "feature_b"))
    counts, n, (rows, sums, count, divisor) = runs.counts, runs.n_runs, runs.moments
    both = _column_products(runs.selection_matrix, a, b)
    chance, S = ChanceVariance.of_runs(runs), (_column_products(rows, a, b) - sums[a] * sums[b] / count) / divisor
    vary = runs.moments.variances.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        pull = -2 * table["value"].to_numpy() * (S * chance.variance - vary * chance.pair) / chance.variance**2
    alone = counts[a] + counts[b] - 2 * both
    table = table.assign(both=both.astype(int), one=alone.astype(int), neither=(n - both - alone).astype(int), runs=n, pull=pull)
    table = table[counts[a] + counts[b] > 0]
    return table.iloc[np.argsort(-np.nan_to_num(np.abs(table["pull"])), kind="stable")].reset_index(drop=True)


def _column_products(matrix, a, b):
    """(pairs,) products of the columns a and b of a sparse matrix."""
    columns, found = matrix.tocsc(), np.zeros(len(a))
    for start in range(0, len(a), MAX_BLOCK):
        part = slice(start, start + MAX_BLOCK)
        found[part] = np.asarray(columns[:, a[part]].multiply(columns[:, b[part]]).sum(axis=0)).ravel()
    return found


def _largest(pairs, most):
    """The `most` columns of (first, second, derivative, …) with the largest |derivative|, in order."""
    size = np.nan_to_num(np.abs(pairs[2]))
    if size.size > most > 0:  # values that are certainly too small are removed before sorting
        pairs = pairs[:, size >= np.partition(size, -most)[-most]]
    return pairs[:, np.lexsort((pairs[1], pairs[0], -np.abs(pairs[2])))[:most]]
