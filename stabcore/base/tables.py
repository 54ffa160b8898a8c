"""Tables of other libraries as pandas reads them, tables of catalogues, and equality of two values."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError


def as_pandas(table: Any) -> Any:
    """A DataFrame of a table of narwhals (polars, pyarrow, …), xarray or AnnData, or of records. Other values are unchanged."""
    if isinstance(table, np.ndarray) and table.dtype.names:  # records
        import pandas as pd

        return pd.DataFrame(table)
    if type(table).__module__.startswith("xarray."):
        return table.to_pandas()
    if isinstance(table, (np.ndarray, list, tuple)) or type(table).__module__.split(".")[0] in ("pandas", "scipy"):
        return table
    if hasattr(table, "var_names") and hasattr(table, "X"):  # AnnData: observations × variables
        import pandas as pd

        values = table.X.toarray() if hasattr(table.X, "toarray") else np.asarray(table.X)
        return pd.DataFrame(values, index=table.obs.index, columns=[str(name) for name in table.var_names])
    if not any(hasattr(type(table), name) for name in ("columns", "__dataframe__", "__arrow_c_stream__")):
        return table
    import narwhals as nw

    frame = nw.from_native(table, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame.to_pandas() if isinstance(frame, nw.DataFrame) else table


def as_rows(table: Any) -> Any:
    """The result of `as_pandas`, with a sparse matrix as an array, and masked cells as missing.

    Raises InputError without rows and columns.
    """
    table = as_pandas(table)
    if isinstance(table, np.ma.MaskedArray):
        table = np.ma.filled(table.astype(float), np.nan)
    if hasattr(table, "toarray"):
        table = table.toarray()
    if hasattr(table, "iloc"):
        return table
    try:
        values = np.asarray(table)
    except ValueError:
        raise InputError("The rows of the table are not equally long. Each row needs one entry per feature.") from None
    if values.ndim != 2:
        raise InputError(
            f"The features X must be a table of rows and columns. Found {type(table).__name__} with {values.ndim} dimension(s). "
            "Give a DataFrame, a two-dimensional array or a sparse matrix."
        )
    return values


def equal(first: Any, second: Any) -> bool:
    """Whether two values are equal: numbers, arrays, sparse matrices and dataclasses of these. NaN equals NaN."""
    if first is second:
        return True
    if hasattr(first, "nnz") != hasattr(second, "nnz"):
        return False  # a sparse matrix and something else
    if hasattr(first, "nnz"):
        return first.shape == second.shape and (first != second).nnz == 0
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        if np.shape(first) != np.shape(second):
            return False
        numbers = all(np.asarray(values).dtype.kind in "fc" for values in (first, second))
        return bool(np.array_equal(first, second, equal_nan=numbers))
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)):
        return len(first) == len(second) and all(map(equal, first, second))
    if is_dataclass(first) and type(first) is type(second):
        return same_fields(first, second)
    return bool(first == second) or (first != first and second != second)


def same_fields(first: Any, second: Any) -> bool:
    """Whether two objects of one dataclass are equal in every field that is compared."""
    return all(equal(getattr(first, field.name), getattr(second, field.name)) for field in fields(first) if field.compare)


class PlainFields:
    """A dataclass that is equal to another if its fields are, where NaN equals NaN, and that JSON can hold."""

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        thing: Any = self
        values = [getattr(self, field.name) for field in fields(thing) if field.compare]
        return hash(tuple(value for value in values if isinstance(value, str)))

    def to_dict(self) -> dict[str, Any]:
        """Every field by name, as plain values. None for an unknown number.

        Examples
        --------
        >>> sc.stability(Z).to_dict()["measure"]
        'nogueira'
        """
        thing: Any = self
        values = {field.name: getattr(self, field.name) for field in fields(thing)}
        return plain_values(
            {
                name: value.tolist() if isinstance(value, np.ndarray) else list(value) if isinstance(value, tuple) else value
                for name, value in values.items()
            }
        )


def plain_values(values: dict[str, Any]) -> dict[str, Any]:
    """The same value with Python's own numbers, as JSON holds them, and None for NaN."""
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}
    return {name: None if value != value else value for name, value in plain.items()}


def listed_entries(entries, columns) -> Any:
    """The entries of a catalogue as a DataFrame by key, their options in words."""
    import pandas as pd

    frame = pd.DataFrame([[getattr(entry, name) for name in ("key", *columns)] for entry in entries], columns=["key", *columns])
    if "options" in frame:
        frame["options"] = [
            "; ".join(f"{name} = {option.default}: {option.meaning}" for name, option in options.items())
            for options in frame["options"]
        ]
    return frame.set_index("key")
