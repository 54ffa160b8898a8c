"""Names, lists of features and tables of numbers, checked once and converted to one form."""

import os
from collections import Counter

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.tables import as_pandas
from stabcore.base.text import listed, quote

ROUNDING = 1e-9  # tolerance for entries of C


def is_between(value, low, high) -> bool:
    """Is it a number from low to high? Text, None and NaN are not."""
    return isinstance(value, (int, float, np.number)) and bool(low <= value <= high)


def plain_number(value):
    """A number of NumPy as one of Python, which a study file can hold. Anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def number_list(values, what) -> np.ndarray:
    """The distinct numbers of a list, sorted. Raises InputError for an empty list, and for infinite or missing numbers."""
    numbers = np.unique(np.asarray(values, dtype=float))
    if not len(numbers) or not np.isfinite(numbers).all():
        raise InputError(f"{what}= is a list of one or more numbers. Found {values!r}.")
    return numbers


def number_table(values, features=None):
    """(matrix, names or None) of an array, nested list, DataFrame or scipy.sparse matrix: a (rows, d) array, or a CSR copy.

    Raises InputError unless there are two dimensions, for a cell that is not a number, and for wrong feature names.
    """
    from scipy.sparse import issparse

    values = as_pandas(values)
    if hasattr(values, "columns"):
        features = [str(name) for name in values.columns] if features is None else features
        values = values.to_numpy(na_value=np.nan)
    if issparse(values):
        matrix = values.tocsr(copy=True)  # the input stays unchanged
        matrix.sum_duplicates()
    else:
        try:
            matrix = np.asarray(values)
        except ValueError:
            raise InputError("The rows of the table are not equally long. Each row needs one entry per feature.") from None
    if matrix.ndim != 2:
        raise InputError(f"The table must have two dimensions, rows × features. Found {matrix.ndim}.")
    names = all_features(features, matrix.shape[1], "names=all_names")[0] if features is not None else None
    return matrix if matrix.dtype.kind in "biuf" else _as_numbers(matrix, names), names


def similarity_table(A, features=None):
    """(sparse (d, d) without diagonal, names or None) of a similarity C: symmetric, in [0, 1], 1 on the diagonal."""
    from scipy.sparse import csr_array

    matrix, names = number_table(A, features)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 1:
        raise InputError(f"C must have one row and one column per feature. Found {' × '.join(map(str, matrix.shape))}.")
    if hasattr(A, "columns") and list(A.index) != list(A.columns) and set(A.index) == set(A.columns):
        raise InputError("Rows and columns of C name the same features in different orders. Use the same order.")
    entries = csr_array(matrix, dtype=float)
    _check_similarity(entries, names or range(1, matrix.shape[0] + 1))
    stored = ((entries + entries.T) / 2).tocoo()
    used = (stored.row != stored.col) & (stored.data > 0)
    return csr_array((np.minimum(stored.data[used], 1), (stored.row[used], stored.col[used])), shape=entries.shape), names


def refuse_wrong_entry(matrix, names, wrong, allowed):
    """Raise InputError for the first wrong entry, with its position."""
    stored = matrix.tocoo() if hasattr(matrix, "tocoo") else None
    bad = wrong(np.asarray(stored.data if stored is not None else matrix, dtype=float))
    if bad.any():
        first = np.argwhere(bad)[0]
        row, column = (stored.row[first[0]], stored.col[first[0]]) if stored is not None else first
        place = _describe_entry(row, column, names)
        raise InputError(f"{place[0].upper()}{place[1:]}: {allowed}.")


def all_features(features, n_features, call):
    """(names or None, d), with distinct names. call: the argument for names, for the message when none are given."""
    if not (features is None or hasattr(features, "__iter__")):
        raise InputError(f"The names of the features are a list of d texts. Found {type(features).__name__}.")
    if features is None:
        if not is_between(n_features, 1, np.inf) or int(n_features) != n_features:
            raise InputError(f"The number of features is missing. Give their names or their number: {call} or n_features=d.")
        return None, int(n_features)
    names = tuple(str(name) for name in features)
    if n_features is not None and len(names) != n_features:
        raise InputError(f"Found {len(names)} feature names for {n_features} features. Each feature needs one.")
    if len(set(names)) < len(names):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        raise InputError(f"Feature names must differ. These are repeated: {listed(twice)}.")
    return names, len(names)


def add_unselected(names, n_features):
    """All d features: these names, sorted, and placeholders for features that no run selected. n_features: d, or None."""
    if n_features is not None and len(names) > n_features:
        raise InputError(f"There are {len(names)} different features, more than the {n_features} available. Correct this number.")
    return (*sorted(names), *(f"(never selected {i})" for i in range(1, (n_features or len(names)) - len(names) + 1)))


def default_names(d) -> tuple[str, ...]:
    """f1 … fd, for features without names."""
    return tuple(f"f{i + 1}" for i in range(d))


def feature_finder(names, d):
    """A function (members, who) -> column numbers of features listed by name or by 0-based index.

    Whole numbers are indices, unless the name of some feature is a whole number. This is decided once, not for each list.
    """
    position = {name: i for i, name in enumerate(names)} if names else None
    numbered = position is not None and any(name.isdecimal() for name in names)

    def find(members, who):
        if isinstance(members, str):
            raise InputError(f"{who} is the text {quote(members)}. Give a list or set of features.")
        if not hasattr(members, "__iter__"):
            raise InputError(f"{who} is of type {type(members).__name__}. Give a list or set of features.")
        members = list(members)
        if not numbered and all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in members):
            index = np.asarray(members, dtype=np.int64)
            wrong = index[(index < 0) | (index >= d)]
            if len(wrong):
                raise InputError(f"{who} names feature number {wrong[0]}. With {d} features, indices go from 0 to {d - 1}.")
            return index
        if position is None:
            raise InputError(f"{who} holds names ({listed(members, 3)}). Give the names of all features with names=.")
        if unknown := [name for name in members if str(name) not in position]:
            raise InputError(f"{who} names features that are not among the {d} features: {listed(unknown)}.")
        return np.array([position[str(name)] for name in members], dtype=np.int64)

    return find


def group_labels(groups, names, d):
    """(d,) number of the group of each feature, −1 for none, from {name: members}, names or 0-based indices.

    Raises InputError for an unknown member or a feature in two groups.
    """
    find, labels = feature_finder(names, d), np.full(d, -1, dtype=np.int64)
    for g, (group, members) in enumerate(groups.items()):
        index = np.unique(find(members, f"Group {str(group)!r}"))
        taken = index[labels[index] >= 0]
        if len(taken):
            other = list(groups)[labels[taken[0]]]
            who = names[taken[0]] if names else int(taken[0])
            where = f"Feature {who!r} is in two groups, {str(other)!r} and {str(group)!r}"
            raise InputError(f"{where}. A feature can be in one group only. Remove it from one, or set single pairs of C instead.")
        labels[index] = g
    return labels


def first_difference(names):
    """The first difference of two lists of names, {whose: names}."""
    (first, names_first), (second, names_second) = names.items()
    only = {first: set(names_first).difference(names_second), second: set(names_second).difference(names_first)}
    parts = [
        f" Only in the {whose}: {listed(name for name in names[whose] if name in rest)}." for whose, rest in only.items() if rest
    ]
    differ = next((pair for pair in zip(names_first, names_second) if pair[0] != pair[1]), None)
    if parts or differ is None:
        return "".join(parts)
    return f" They first differ at {quote(differ[0])} against {quote(differ[1])}."


def _as_numbers(matrix, names):
    try:
        return matrix.astype(float)
    except (TypeError, ValueError):
        for row, column in np.ndindex(matrix.shape):
            try:
                float(matrix[row, column])
            except (TypeError, ValueError):
                kind = "text" if isinstance(matrix[row, column], str) else type(matrix[row, column]).__name__
                raise InputError(f"Found {kind} in {_describe_entry(row, column, names)}. Every entry must be a number.") from None
        raise


def _check_similarity(C, names):
    stored = C.tocoo()
    bad = np.flatnonzero(~((stored.data >= -ROUNDING) & (stored.data <= 1 + ROUNDING)))
    if len(bad):
        pair = f"C of {quote(names[stored.row[bad[0]]])} and {quote(names[stored.col[bad[0]]])}"
        raise InputError(
            f"{pair} is not between 0 and 1. For correlations take absolute values, df.corr().abs(), or give the data to "
            "Similarity.from_correlation."
        )
    off = np.abs(C.diagonal() - 1)
    if np.any(off > ROUNDING):
        raise InputError(f"C of {quote(names[int(off.argmax())])} with itself is not 1. The diagonal must be 1.")
    skew = abs(C - C.T).tocoo()
    if skew.nnz and skew.data.max() > ROUNDING:
        i, j = skew.row[skew.data.argmax()], skew.col[skew.data.argmax()]
        pair = f"C of {quote(names[i])} and {quote(names[j])} differs from C of {quote(names[j])} and {quote(names[i])}"
        raise InputError(f"C is not symmetric: {pair}.")


def _describe_entry(row, column, names):
    return f"row {row + 1}, column {column + 1}" + (f" ({quote(names[column])})" if names else "")


def refuse_other_features(parts):
    """Raise InputError unless two objects, {"what": (number of features, names or None)}, have the same features in order."""
    (first, (n, names)), (second, (other_n, other_names)) = parts.items()
    differ = ""
    if names is not None and other_names is not None and names != other_names:
        differ = first_difference({first: names, second: other_names})
    if n != other_n:
        raise InputError(f"The {first} has {n} features, but the {second} have {other_n}.{differ}")
    if differ:
        raise InputError(
            f"The {first} and the {second} name their features differently.{differ} Give both the same names in the same order."
        )


def refuse_path(path, what):
    """Raise InputError if no file can be written at a path. what: which file, with an example."""
    place = path if path.exists() else path.parent
    for is_wrong, sentence in (
        (not path.parent.is_dir(), f"There is no folder {path.parent}"),
        (path.is_dir(), f"{path} is a folder"),
        (not os.access(place, os.W_OK), f"You may not write to {place}"),
    ):
        if is_wrong:
            raise InputError(f"{sentence}. Choose a name for {what} in an existing folder to which you may write.")
