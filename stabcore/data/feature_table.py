"""FeatureTable: the features of a dataset as numbers, for selectors and workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.tables import as_rows
from stabcore.base.text import listed
from stabcore.base.validation import default_names

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.base.types import SparseMatrix

TableLike: TypeAlias = "ArrayLike | pd.DataFrame | HasTable | SparseMatrix"

_BLOCK = 1 << 16  # values per block, which stay in the cache between the minimum and the maximum
_MAX_DRAWN = 12  # largest count of one row in a bootstrap sample, exceeded by one row in 10¹⁰


@dataclass(frozen=True)
class FeatureTable:
    """n rows × d features. A category column holds the codes 0, 1, … of its levels. NaN is missing.

    Its arrays are read-only, because all selectors of a run share one table. drawn: (n,) the row of another table that each row
    is a copy of, None if these rows were not drawn with `rows`.
    """

    values: np.ndarray
    categorical: np.ndarray
    features: tuple[str, ...]
    drawn: np.ndarray | None = None

    def __post_init__(self):
        """Raise InputError unless the parts fit together."""
        rows, width = self.values.shape
        if len(self.categorical) != width or len(self.features) != width:
            raise InputError(
                f"The table has {width} columns, but {len(self.features)} names and "
                f"{len(self.categorical)} column kinds. Each column needs one of each."
            )
        object.__setattr__(self, "values", read_only(self.values))
        object.__setattr__(self, "categorical", read_only(self.categorical))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.values.shape[0]

    @property
    def n_features(self) -> int:
        """The number of features."""
        return self.values.shape[1]

    @cached_property
    def missing(self) -> np.ndarray:
        """(n, d) True for missing values."""
        return read_only(np.isnan(self.values))

    @cached_property
    def extremes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lowest and highest recorded value of each feature (NaN without any), and whether any is missing: (d,) each."""
        values, nothing = np.asarray(self.values), np.full(self.n_features, np.nan)
        if not len(values):
            return nothing, nothing, np.zeros(self.n_features, dtype=bool)
        low, high = values[0].copy(), values[0].copy()
        step = max(1, _BLOCK // max(self.n_features, 1))
        for row in range(0, len(values), step):  # NaN if a value is missing
            np.minimum(low, values[row : row + step].min(axis=0), out=low)
            np.maximum(high, values[row : row + step].max(axis=0), out=high)
        gaps = np.isnan(low)
        if gaps.any():
            low[gaps], high[gaps] = np.fmin.reduce(values[:, gaps], axis=0), np.fmax.reduce(values[:, gaps], axis=0)
        return read_only(low), read_only(high), read_only(gaps)

    @cached_property
    def memo(self) -> dict[str, Any]:
        """A cache for results on these rows that several selectors use."""
        return {}

    @cached_property
    def originals(self) -> np.ndarray:
        """(n,) numbers, equal for copies of one row, which are common in bootstrap samples.

        If the rows were not drawn with `rows`, rows with equal values count as copies, as in a bootstrap sample. The exception is
        a row that occurs more often than in a bootstrap. Then rows are equal because there are few values.
        """
        if self.drawn is not None:
            return self.drawn
        values: np.ndarray = np.ascontiguousarray(self.values)
        number: dict[bytes, int] = {}
        numbers = np.array([number.setdefault(row.tobytes(), len(number)) for row in values], dtype=int)
        return numbers if np.bincount(numbers).max(initial=0) <= _MAX_DRAWN else np.arange(self.n_rows)

    def distinct(self, codes: np.ndarray) -> tuple[FeatureTable, np.ndarray, np.ndarray]:
        """The table without copies within a class, the classes (m,), and the number of copies of each row (m,)."""
        _, first, times = np.unique(self.originals * (codes.max() + 1) + codes, return_index=True, return_counts=True)
        if len(first) == self.n_rows:
            return self, codes, times
        order = np.argsort(first)
        first = first[order]
        return self.rows(first), codes[first], times[order]

    def rows(self, index: np.ndarray | Sequence[int]) -> FeatureTable:
        """The same features on some rows (with repeats, for a bootstrap)."""
        drawn = np.arange(self.n_rows) if self.drawn is None else self.drawn
        return FeatureTable(np.asarray(self.values)[index], self.categorical, self.features, drawn[index])

    def columns(self, index: Iterable[int]) -> FeatureTable:
        """Some of the features, on all rows."""
        index = np.asarray(index, dtype=int)
        return FeatureTable(
            np.asarray(self.values)[:, index], self.categorical[index], tuple(self.features[i] for i in index), self.drawn
        )

    def beside(self, other: FeatureTable | None) -> FeatureTable:
        """These features and, after them, those of another table of the same rows, if there is one."""
        if other is None:
            return self
        values = np.hstack([np.asarray(self.values), np.asarray(other.values)])
        kinds = np.concatenate([self.categorical, other.categorical])
        return FeatureTable(values, kinds, (*self.features, *other.features), self.drawn)


def read_only(array: np.ndarray) -> np.ndarray:
    """A read-only view."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


class HasTable(Protocol):
    """An object with a FeatureTable, such as a Dataset."""

    @property
    def table(self) -> FeatureTable:
        """The table of features."""


def as_table(X: TableLike) -> FeatureTable:
    """A FeatureTable from a FeatureTable, an (n, d) array or sparse matrix of numbers, AnnData, or a DataFrame of any library.

    Text, boolean and category columns of a DataFrame become categories, their levels in sorted order.
    Raises InputError for duplicate column names and for infinite values.
    """
    if isinstance(X, FeatureTable):
        return X
    rows = as_rows(X)
    if hasattr(rows, "iloc"):
        return _from_frame(rows)
    try:
        values = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"The features must be a table of numbers. Found {type(X).__name__}.") from None
    return _finite(FeatureTable(values, np.zeros(values.shape[1], dtype=bool), default_names(values.shape[1])))


def _from_frame(frame) -> FeatureTable:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise InputError(f"Column names must differ. These are repeated: {listed(twice)}. Rename one of each.")
    values = np.empty(frame.shape, dtype=float)
    categorical = np.zeros(len(names), dtype=bool)
    for j in range(len(names)):
        column = frame.iloc[:, j]
        if is_numeric_dtype(column.dtype) and not is_bool_dtype(column.dtype):
            values[:, j] = column.to_numpy(dtype=float, na_value=np.nan)
        else:
            codes = column.astype("category").cat.codes.to_numpy()
            values[:, j] = np.where(codes < 0, np.nan, codes)
            categorical[j] = True
    return _finite(FeatureTable(values, categorical, tuple(names)))


def _finite(table):
    """The table after a check for infinite values."""
    low, high, _ = table.extremes
    if np.isinf(low).any() or np.isinf(high).any():
        row, column = np.argwhere(np.isinf(table.values))[0]
        raise InputError(
            f"Row {row + 1} of {table.features[column]!r} is infinite. Numbers must be finite. Leave the cell empty "
            "if the value is unknown."
        )
    return table
