"""Encode a FeatureTable for selectors and classifiers: bins, or standardised columns.

Everything is learned from the given rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from stabcore.base.text import counted
from stabcore.data.feature_table import FeatureTable

_BLOCK = 1 << 16  # values per block, small enough for the cache of one core
_COUNTED = 32  # whole numbers below are counted one by one, others are sorted


def discretise(table: FeatureTable, bins=5) -> tuple[np.ndarray, np.ndarray]:
    """Every feature as small whole numbers: codes (n, d) in 0 … size − 1, and sizes (d,), the numbers of codes.

    A numeric value x becomes ⌊bins (x − min)/(max − min)⌋, at most bins − 1 (equal width: Sechidis et al. 2019).
    A numeric feature with at most `bins` distinct values keeps them, and a category keeps its levels, both numbered
    densely in ascending order. Missing values get an additional code, the highest
    (the missing-indicator method). A feature without any recorded value has the single code 0.
    """
    low, high, gaps = table.extremes
    values = np.where(np.isnan(table.values), low, table.values) if gaps.any() else np.asarray(table.values)
    categorical = np.asarray(table.categorical, dtype=bool)
    few = categorical | _few_in_first_rows(values, bins)
    dense, of_dense = _dense_codes(_columns_where(few, values), bins, categorical[few])
    remaining = categorical[few] | (of_dense <= bins)
    few[few] = remaining
    if few.all():
        codes, sizes = dense.astype(_smallest_type(of_dense), copy=False), of_dense
    else:
        codes, sizes = _equal_width(values, low, high, bins), np.full(table.n_features, bins)
        sizes[few] = of_dense[remaining]
        codes = codes.astype(_smallest_type(sizes), copy=False)
        codes[:, few] = dense[:, remaining]
    if gaps.any():
        codes[:, gaps] = np.where(np.isnan(table.values[:, gaps]), sizes[gaps], codes[:, gaps])
        sizes = sizes + gaps
    return codes, sizes


def _columns_where(some, values):
    """Some columns, row by row in memory, as values[:, some] would not be."""
    return values if some.all() else values.compress(some, axis=1)


def _smallest_type(sizes):
    """The smallest type of codes, and of one more for missing values."""
    return np.min_scalar_type(-int(sizes.max(initial=0)) - 1)


def _equal_width(values, low, high, bins):
    """Bin numbers of all columns at once, meaningless for a constant column or a missing value."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        width = high - low
        if np.isinf(width).any():  # the range exceeds the largest float, and halving everything keeps the bins
            values, low, width = values / 2, low / 2, high / 2 - low / 2
        codes = np.empty(values.shape, dtype=np.min_scalar_type(-bins - 1))
        step = max(1, _BLOCK // max(values.shape[1], 1))
        room = np.empty((step, values.shape[1]))
        for row in range(0, len(values), step):
            block = codes[row : row + step]
            position = np.subtract(values[row : row + step], low, out=room[: len(block)])
            position /= width
            position *= bins
            block[:] = position
            block -= block == bins  # the highest value (np.minimum takes seven times as long)
    return codes


def few_distinct(values: np.ndarray, bins: int) -> np.ndarray:
    """(d,) True if at most `bins` distinct values (n, d) are recorded."""
    few = _few_in_first_rows(values, bins)
    few[few] = _dense_codes(_columns_where(few, values), bins)[1] <= bins
    return few


def _few_in_first_rows(values, bins):
    """What `few_distinct` returns for a few rows, which decide for most columns."""
    few = np.ones(values.shape[1], dtype=bool)
    for rows in (bins + 1, 4 * bins):
        few[few] = _dense_codes(_columns_where(few, values[:rows]), bins)[1] <= bins
    return few


def _dense_codes(values, most, categorical=False):
    """Codes 0, 1, … of the distinct recorded values of each column in ascending order, and their numbers.

    Of numbers with more than `most` distinct values, only the first are coded, and the number is most + 1.
    """
    codes, present, whole = _whole_numbers(values)
    sizes = np.bitwise_count(present).astype(np.int64)
    for level in reversed(range(int(present.max(initial=0)).bit_length())):
        skipped = (present >> level & 1 == 0) & (present >> level > 0)
        if skipped.any():
            codes -= (codes > level) & skipped
    ranked = ~whole & (categorical | (most > _COUNTED))
    for some, coded in ((~whole & ~ranked, partial(_first_codes, most=most)), (ranked, _ranked)):
        if some.any():
            found, sizes[some] = coded(values.compress(some, axis=1))
            codes = codes.astype(np.promote_types(codes.dtype, found.dtype), copy=False)
            codes[:, some] = found
    return codes, sizes


def _whole_numbers(values):
    """Codes (n, d) of columns of whole numbers from 0 to below _COUNTED, the numbers that occur as bits (d,), and these columns.

    Other columns have code 0 and no bits. Most tables have categories and counts of this kind. Marking each number takes a tenth of
    the time of a sort.
    """
    d = values.shape[1]
    codes, present, whole = np.empty(values.shape, dtype=np.int8), np.zeros(d, dtype=np.uint32), np.ones(d, dtype=bool)
    step = max(1, _BLOCK // max(d, 1))
    for row in range(0, len(values), step):
        block, numbers = codes[row : row + step], values[row : row + step]
        with np.errstate(invalid="ignore"):
            block[:] = numbers
        whole &= (block.astype(float) == numbers).all(axis=0)  # without astype, numpy takes twice as long
        present |= np.bitwise_or.reduce(np.uint32(1) << block.view(np.uint8), axis=0)
    whole &= codes.view(np.uint8).max(axis=0, initial=0) < _COUNTED  # a negative number is above 127
    codes[:, ~whole] = present[~whole] = 0
    return codes, present, whole


def _first_codes(values, most):
    """What `_dense_codes` returns, for any numbers. Each step passes to the next value of every column."""
    lowest = np.fmin.reduce(values, axis=0, initial=np.inf)
    codes, sizes = np.zeros(values.shape, dtype=np.int8), np.isfinite(lowest).astype(np.int64)
    for _ in range(most):
        above = values > lowest
        if not above.any():
            break
        codes += above
        sizes += above.any(axis=0)
        lowest = np.where(above, values, np.inf).min(axis=0)
    return codes, sizes


def _ranked(values):
    """What `_dense_codes` returns, for any numbers with any number of distinct values."""
    order = np.argsort(values, axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    new = np.zeros(values.shape, dtype=np.int64)
    new[1:] = (ordered[1:] != ordered[:-1]) & ~np.isnan(ordered[1:])
    ranks = np.cumsum(new, axis=0)
    codes = np.empty_like(ranks)
    np.put_along_axis(codes, order, ranks, axis=0)
    return codes, np.where(np.isnan(values).all(axis=0), 0, ranks.max(axis=0, initial=0) + 1)


@dataclass(frozen=True)
class Design:
    """Standardised columns for numeric models, learned once from the rows of one resample.

    A numeric feature is one column, its gaps filled with the median of the learning rows. A second column marks the gaps if the
    learning rows have any. A category has one column for each level, including missing. A level that is not in the learning rows
    is zero in all columns. Columns are then scaled to mean 0 and standard deviation 1 in the learning rows. Columns that
    are constant there are left out.

    With `contrasts` a category of L levels is L − 1 columns instead, which are uncorrelated in the learning rows. Column j has 1 in
    level j, −n_j/(n_1 + … + n_{j−1}) in the levels before it and 0 elsewhere. These are Helmert's contrasts, weighted by the rows
    n_j of each level.
    Two levels give one column, like a number 0/1. The number of columns of a feature is then its degrees of freedom:
    1 for a number, L − 1 for a category, 1 more for a number with gaps. Each family of selectors corrects for these degrees of
    freedom in its own way.
    """

    feature: np.ndarray  # (p,) the feature of each column
    filled: np.ndarray  # (a,) numeric features that have a column of values
    marked: np.ndarray  # (b,) numeric features that have a column marking gaps
    dummy: np.ndarray  # (c,) the category of each level column
    level: np.ndarray  # (c,) its level, NaN for missing
    before: np.ndarray | None  # (c,) with contrasts, the value of each level in those before it, 0 for the first, else None
    scale: np.ndarray  # (p,) largest magnitude, which keeps the mean and the deviation within floating-point range
    mean: np.ndarray  # (p,) of the scaled columns
    deviation: np.ndarray  # (p,)
    learned: FeatureTable  # the learning rows, because medians are computed only for gaps

    @classmethod
    def learn(cls, table: FeatureTable, contrasts=False) -> Design:
        """The design of a table. p is 0 if nothing varies."""
        return cls.of(table, contrasts)[0]

    @classmethod
    def of(cls, table: FeatureTable, contrasts=False) -> tuple[Design, np.ndarray]:
        """The design of a table and its own transformed columns, cheaper than in two steps."""
        values, (low, high, some_missing) = np.asarray(table.values), table.extremes
        categorical = np.asarray(table.categorical, dtype=bool)
        varies, gaps = high > low, some_missing & ~np.isnan(low)
        dummy, level = _levels(values, np.flatnonzero(categorical & (varies | gaps)))
        filled, marked = np.flatnonzero(varies & ~categorical), np.flatnonzero(gaps & ~categorical)
        columns, before = _columns(table, table, filled, marked, dummy, level), None
        if contrasts and len(dummy):
            before = _previous_level_shares(columns[:, -len(dummy) :].sum(axis=0), dummy)
            columns = _level_contrasts(columns, dummy, before)
        scale = np.abs(columns).max(axis=0, initial=0.0)
        columns /= scale
        feature = np.concatenate([filled, marked, dummy if before is None else dummy[before > 0]])
        design = cls(feature, filled, marked, dummy, level, before, scale, columns.mean(axis=0), columns.std(axis=0), table)
        return design, design._standardised(columns)

    def transform(self, table: FeatureTable) -> np.ndarray:
        """(n, p) standardised columns of these rows, which may differ from the learning rows."""
        columns = _columns(table, self.learned, self.filled, self.marked, self.dummy, self.level)
        if self.before is not None:
            columns = _level_contrasts(columns, self.dummy, self.before)
        columns /= self.scale
        return self._standardised(columns)

    def _standardised(self, columns):
        columns -= self.mean
        columns /= self.deviation
        return columns

    def total(self, column_values, n_features) -> np.ndarray:
        """(n_features,) sums of column values over the columns of each feature."""
        return np.bincount(self.feature, weights=column_values, minlength=n_features)


def _levels(values, categories):
    """Category and level of every level column: the levels in the learning rows, including missing."""
    levels = [np.unique(values[:, f]) for f in categories]
    dummy = np.repeat(categories, [len(names) for names in levels]).astype(int)
    return dummy, np.concatenate([*levels, np.empty(0)])


def _medians(values):
    """(d,) medians of the recorded values of each column. Every column must have some."""
    ordered = np.sort(values, axis=0)  # missing values sort last
    count = len(values) - np.isnan(values).sum(axis=0)
    pair = np.take_along_axis(ordered, np.stack([(count - 1) // 2, count // 2]), axis=0)
    return pair[0] / 2 + pair[1] / 2


def _columns(table, learned, filled, marked, dummy, level):
    """(n, p) columns of a table before scaling. Gaps get the medians of the learning rows."""
    values, gaps = np.asarray(table.values), table.extremes[2]
    columns = np.empty((table.n_rows, len(filled) + len(marked) + len(dummy)))
    numbers, marks, levels = np.split(columns, [len(filled), len(filled) + len(marked)], axis=1)
    numbers[:] = values if len(filled) == table.n_features else values[:, filled]
    with_gaps = np.flatnonzero(gaps[filled])
    if len(with_gaps):
        medians = _medians(np.asarray(learned.values)[:, filled[with_gaps]])
        numbers[:, with_gaps] = np.where(np.isnan(numbers[:, with_gaps]), medians, numbers[:, with_gaps])
    marks[:] = np.isnan(values[:, marked])
    cells = values[:, dummy]
    levels[:] = (cells == level) | (np.isnan(cells) & np.isnan(level))
    return columns


def _previous_level_shares(rows, category):
    """(c,) rows of each level relative to the rows of the levels before it in its category, 0 for the first."""
    first = np.searchsorted(category, category)
    before = np.cumsum(rows) - rows
    before -= before[first]
    return np.divide(rows, before, out=np.zeros(len(rows)), where=before > 0)


def _level_contrasts(columns, category, before):
    """Columns whose last c (levels) become contrasts of each level with those before it. The first level has none."""
    levels = columns[:, -len(category) :]
    earlier = np.cumsum(levels, axis=1) - levels
    earlier -= earlier[:, np.searchsorted(category, category)]
    return np.hstack([columns[:, : -len(category)], (levels - before * earlier)[:, before > 0]])


def encoding_table(data, bins=5):
    """A DataFrame of the encoding of each feature of a Dataset, one row for each feature.

    Its columns: column, kind, missing, and in plain words as_intervals (the result of `discretise`, for selectors that count)
    and as_columns (the result of `Design`, for numeric selectors). This uses all rows. In a study the encoding is repeated in
    every resample, where levels or gaps may be absent.
    """
    import pandas as pd

    about = data.columns.set_index("column").loc[list(data.features)]
    missing = data.table.missing.sum(axis=0)
    rows = [
        (
            name,
            kind,
            gaps,
            *(
                _describe_category_encoding(distinct, gaps)
                if name in data.levels
                else _describe_number_encoding(distinct, gaps, bins)
            ),
        )
        for name, kind, distinct, gaps in zip(data.features, about["kind"], about["distinct"], missing.tolist(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["column", "kind", "missing", "as_intervals", "as_columns"])


def _describe_number_encoding(distinct, gaps, bins):
    intervals = f"its {distinct} values" if distinct <= bins else f"{bins} intervals of equal width"
    if not gaps:
        return intervals, "standardised"
    return (
        f"{intervals}, and one for the {gaps} missing",
        f"standardised, {counted(gaps, 'gap')} filled with the median and marked in a second column",
    )


def _describe_category_encoding(distinct, gaps):
    levels = distinct + (gaps > 0)
    together = f"in weighted sums {counted(levels - 1, 'column')}, each a level against those before, selected as one feature"
    if not gaps:
        return f"its {distinct} levels", f"{distinct} columns, one per level, {together}"
    return (
        f"its {distinct} levels, and one for the {gaps} missing",
        f"{levels} columns, one per level and one for the {gaps} missing, {together}",
    )
