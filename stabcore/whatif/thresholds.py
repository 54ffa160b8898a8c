"""Effective stability at every threshold of |ρ| at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.estimate import deviate, jackknife_error, sides
from stabcore.measures.effective import Chance, effective_terms, reasons
from stabcore.measures.statistic import summed
from stabcore.relation.correlation import Correlations
from stabcore.relation.relation import Relation
from stabcore.relation.threshold import smallest_value_rounding_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.data.feature_table import TableLike
    from stabcore.preferences import Preferences

GRID = np.arange(1001) / 1000
CELLS = 2 ** 14             # of a table that tells the bin of most |ρ| without a search
MOSTLY = 0.7                # when so many features were ever selected, taking the pairs of all is faster than picking theirs
MOST_KEPT = 80_000_000      # pairs whose bins are remembered, two bytes each


@dataclass(frozen=True, eq=False)
class CorrelationBins:
    """All pairs of features by the thresholds that their |ρ| reaches: what every selector's curve shares, to be kept.

    thresholds  (T,) rising
    amount      (T,) sum over the pairs with |ρ| ≥ threshold of 1 (binary) or of |ρ|
    """

    correlations: Correlations
    thresholds: np.ndarray
    binary: bool
    amount: np.ndarray
    _kept: dict = field(default_factory=dict)

    @classmethod
    def of(cls, X: TableLike, method: str = "spearman", thresholds: ArrayLike | None = None,
           binary: bool = True) -> CorrelationBins:
        """From a Dataset, DataFrame or (n, d) array; every pair is correlated once, in blocks, and only counted.

        thresholds: in [0, 1], default 0, 0.001, …, 1. Raises InputError for others, and as Correlations.of does.
        """
        grid = GRID if thresholds is None else np.unique(np.asarray(thresholds, dtype=float))
        if not len(grid) or not (grid[0] >= 0 and grid[-1] <= 1):
            raise InputError("Thresholds lie between 0 and 1, and there must be at least one.")
        bins = cls(Correlations.of(X, method), grid, bool(binary), np.zeros(len(grid)))
        for block in bins.blocks(np.arange(bins.correlations.n_features)):
            bins.amount[:] += bins.at_least(*block[2:])
        return bins

    def blocks(self, index: np.ndarray) -> Iterable[tuple]:
        """Yield (rows, columns, how many thresholds |ρ| reaches, C at those) of every pair rows < columns of some features.

        index: (f,) rising feature numbers; rows, columns: places in it. Where they are not too many, the pairs are kept, and the
        next question about some of the same features takes them from there.
        """
        features, kept = self._kept.get("last", (np.empty(0, dtype=int), ()))
        if len(index) and np.isin(index, features).all():
            return _among(kept, features, index)
        if len(index) ** 2 / 2 > MOST_KEPT / (1 if self.binary else 4):
            return self._counted(index)
        blocks = list(self._counted(index))
        self._kept["last"] = index, blocks
        return blocks

    def remembered(self, question: tuple, answer: Callable[[], Any]) -> Any:
        """What answer() gives to a question about these pairs alone; the last one is kept."""
        kept = self._kept.get(question[0])
        if kept is None or kept[0] != question:
            kept = self._kept[question[0]] = question, answer()
        return kept[1]

    def at_least(self, reached: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        """(T,) sum of the weights (None: 1 each) of those that reach each threshold."""
        weight = None if weight is None else np.broadcast_to(weight, reached.shape).ravel()
        sums = np.bincount(reached.ravel(), weights=weight, minlength=len(self.thresholds) + 1)
        return np.cumsum(sums[:0:-1])[::-1]

    def _counted(self, index):
        lowest = smallest_value_rounding_to(self.thresholds)
        edges = np.arange(CELLS + 1) / CELLS
        below = np.searchsorted(lowest, edges, side="right")
        divided = np.append(below[1:] > below[:-1], False)
        for rows, columns, rho in self.correlations.blocks(index):
            cell = (np.maximum(rho, 0) * CELLS).astype(np.intp)
            reached, search = below[cell].astype(np.uint16 if len(lowest) < 2 ** 16 else np.int64), divided[cell]
            reached[search] = np.searchsorted(lowest, rho[search], side="right")
            yield rows, columns, reached, None if self.binary else np.maximum(rho, 0)


def _among(blocks, features, index):
    """The blocks of `features` with only the pairs of `index`, some of these, and places in that."""
    place = np.searchsorted(index, features)
    place = np.where(np.append(index, -1)[place] == features, place, -1)
    for rows, columns, reached, weight in blocks:
        i, j = place[rows] >= 0, place[columns] >= 0
        if i.all() and j.all():
            yield place[rows], place[columns], reached, weight
        elif i.any() and j.any():
            at = np.ix_(i, j)
            yield place[rows[i]], place[columns[j]], reached[at], None if weight is None else weight[at]


def threshold_curve(runs: Preferences | dict[str, Preferences], X: TableLike | CorrelationBins, *, method: str = "spearman",
                    thresholds: ArrayLike | None = None, binary: bool = True, level: float | None = None) -> pd.DataFrame:
    """DataFrame(threshold, value, reason): effective stability with C = 1 where |ρ| ≥ threshold (binary) or |ρ| there, else 0.

    runs: Preferences, or {selector: Preferences}, then with a column `selector` in front. X: the data (Dataset, DataFrame or
    (n, d) array), or CorrelationBins.of(X, …) to correlate once for many calls, which then say method, thresholds and binary.
    level: for an interval (columns low, high; see sc.stability), at the cost of one pass over pairs a run. Only high is missing
    where the runs never differ.
    Both tr(CS) and tr(CΣ⁰) are sums over pairs, so the curve is exact: the value of sc.stability(runs, "effective",
    relation=Relation.from_correlation(X, threshold=…)) at each threshold. NaN where that is undefined, with the reason.
    Raises InputError when the runs are about other features than X.
    Source: effective stability is of Sechidis et al., ECML-PKDD 2019; that it is exact at every threshold is ours.
    """
    import pandas as pd

    bins = X if isinstance(X, CorrelationBins) else CorrelationBins.of(X, method, thresholds, binary)
    named = runs if isinstance(runs, dict) else {"": runs}
    if not named:
        raise InputError("There are no runs to draw a curve of; give the runs of at least one selector.")
    for one in named.values():
        _check_same(one, bins.correlations)
    ever = np.any([one.counts > 0 for one in named.values()], axis=0)
    index = np.flatnonzero(ever | (ever.mean() > MOSTLY))
    curves = []
    for (label, one), vary in zip(named.items(), _varying(named.values(), bins, index)):
        value = Chance.of_runs(one).stability(vary, 2 * bins.amount)
        curve = pd.DataFrame({"threshold": bins.thresholds, "value": value})
        if level is not None:
            se = jackknife_error(_terms(one, bins, index))
            half = deviate(level, one.n_units - 1) * se
            below, above, _ = sides(one, value, se, half, partial(_values, bins=bins), level)
            curve["low"], curve["high"] = value - below, value + above          # effective has no limits
        curve["reason"] = reasons(value)
        if isinstance(runs, dict):
            curve.insert(0, "selector", label)
        curves.append(curve)
    return pd.concat(curves, ignore_index=True)


def _values(runs, bins):
    """(T,) effective stability at every threshold."""
    vary, = _varying([runs], bins, np.flatnonzero(runs.counts))
    return Chance.of_runs(runs).stability(vary, 2 * bins.amount)


def _check_same(runs, correlations):
    Relation.identity(correlations.n_features, correlations.names).check_covers(runs)


def _varying(named, bins, index):
    """One (T,) tr(CS) a selector: variances, and the covariances of the pairs related at each threshold."""
    sides, sums = [_sides(runs, index) for runs in named], np.zeros((len(named), len(bins.thresholds)))
    for rows, columns, reached, weight in bins.blocks(index):
        reached = reached.astype(np.intp)               # once for all selectors
        for total, (left, right, moves) in zip(sums, sides):
            i, j, at = rows, columns, ...
            if moves[rows].mean() * moves[columns].mean() < 0.5:        # covariances with the others are 0 in any case
                at = np.ix_(moves[rows], moves[columns])
                i, j = rows[moves[rows]], columns[moves[columns]]
            if len(i) and len(j):
                covariance = (left[:, i].T @ right[:, j]).astype(float)
                total += bins.at_least(reached[at], covariance if weight is None else covariance * weight[at])
    return [(runs.n_runs * (runs.frequencies * (1 - runs.frequencies)).sum() + 2 * total / runs.n_runs) / (runs.n_runs - 1)
            for runs, total in zip(named, sums)]


def _sides(runs, index):
    """Two matrices whose columns f and f' multiply to M(M − 1) S_ff', and which features are in some runs but not in all."""
    n = runs.n_runs
    Z = runs.selection_matrix[:, index].toarray().astype(np.float32 if n <= 4000 else float)            # exact: sums stay below 2²⁴
    counts = Z.sum(axis=0)
    return np.vstack([n * Z, -counts]), np.vstack([Z, counts]), (counts > 0) & (counts < n)


def _terms(runs, bins, index):
    """Terms of `effective` at all thresholds: each run's effective size and its effective intersections with the others."""
    Z, counts, many = runs.selection_matrix[:, index].toarray(), runs.counts[index], len(bins.thresholds)
    own, every = np.zeros((2, runs.n_runs, many))
    of_units = np.zeros((0, len(index))) if runs.units is None else runs.unit_counts[:, index].toarray()
    together = np.zeros((len(of_units), many))
    for rows, columns, reached, weight in bins.blocks(index):
        C = 1.0 if weight is None else weight
        for run, z in enumerate(Z):
            own[run] += 2 * bins.at_least(reached, z[rows, None] * z[columns] * C)
            every[run] += bins.at_least(reached, (z[rows, None] * counts[columns] + counts[rows, None] * z[columns]) * C)
        for unit, c in enumerate(of_units):
            together[unit] += 2 * bins.at_least(reached, c[rows, None] * c[columns] * C)
    sizes = runs.sizes[:, None]
    every, own = every + (runs.selection_matrix @ runs.counts)[:, None], own + sizes
    total = _Total(runs.n_features, runs.n_features + 2 * bins.amount)
    inside = ()
    if runs.units is not None:
        together += np.asarray((runs.unit_counts * runs.unit_counts).sum(axis=1)).reshape(-1, 1)
        inside = (together - summed(own, runs.units),)
    return effective_terms(total, own, every - own, np.broadcast_to(sizes, own.shape), runs.units, inside)


@dataclass(frozen=True)
class _Total:
    """All that chance depends on of C at T thresholds: how many features there are, and the (T,) sums of its entries."""

    n_features: int
    total: np.ndarray


def crossings(curves: pd.DataFrame) -> pd.DataFrame:
    """DataFrame(threshold_low, threshold_high, above, below, until, then): where one selector's curve passes another's.

    curves: as threshold_curve gives for several selectors. `above` is behind `below` at threshold_low (the last threshold where it
    is) and ahead at threshold_high (the first where it is): "from 0.62 on, cmim is above gbm", and stays so up to `until`; then: ""
    up to the last threshold, or "equal", "undefined" or "below" after it. Thresholds where the two are equal (up to 10⁻¹²) or one
    is undefined are no crossing. Sorted by threshold. Raises InputError for the curve of a single selector. Source: ours.
    """
    import pandas as pd

    if "selector" not in curves:
        raise InputError("Curves cross when there are several: give threshold_curve a {selector: runs}.")
    table = curves.pivot(index="threshold", columns="selector", values="value")[list(curves["selector"].unique())]
    thresholds, rows = table.index.to_numpy(), []
    for one, other in combinations(table.columns, 2):
        ahead = (table[one] - table[other]).to_numpy()
        known = np.flatnonzero(np.abs(ahead) > 1e-12)                # NaN is not
        sign = ahead[known] > 0
        for turn in np.flatnonzero(sign[1:] != sign[:-1]):
            above, below = (one, other) if sign[turn + 1] else (other, one)
            last, then = _stays(ahead if sign[turn + 1] else -ahead, known[turn + 1])
            rows.append((thresholds[known[turn]], thresholds[known[turn + 1]], above, below, thresholds[last], then))
    frame = pd.DataFrame(rows, columns=["threshold_low", "threshold_high", "above", "below", "until", "then"])
    return frame.sort_values(["threshold_high", "threshold_low"], kind="stable", ignore_index=True)


def _stays(ahead, start):
    """(the last place up to which `ahead` stays above 0 from `start` on, what comes after it)."""
    ends = np.flatnonzero(~(ahead[start:] > 1e-12))
    if not len(ends):
        return len(ahead) - 1, ""
    after = ahead[start + ends[0]]
    return start + ends[0] - 1, "undefined" if np.isnan(after) else "below" if after < -1e-12 else "equal"
