"""Checks of the results of a fitted selector, because a user-defined selector may give anything."""

import numpy as np

from stabcore.base.errors import InputError


def selected_features(fitted, k, n_features) -> np.ndarray:
    """Sorted feature numbers from `select(k)`. Raises InputError unless they are distinct numbers of features."""
    selected = np.asarray(fitted.select(k))
    if selected.size == 0:
        return np.zeros(0, dtype=int)
    numbers = selected.ndim == 1 and selected.dtype.kind in "iu"
    if not numbers or selected.min() < 0 or selected.max() >= n_features or len(np.unique(selected)) < len(selected):
        found = np.array2string(selected, threshold=6)
        what = f"different feature numbers from 0 to {n_features - 1}"
        raise InputError(f"select({k}) of {type(fitted).__name__} must give {what}. Found {found}.")
    return np.sort(selected).astype(int)


def feature_values(fitted, name, n_features) -> np.ndarray:
    """scores_, ranking_ or importances_ (d,). Raises InputError for another shape or a missing attribute."""
    try:
        values = np.asarray(getattr(fitted, name, None), dtype=float)
    except (TypeError, ValueError):
        values = np.empty(())
    if values.shape != (n_features,):
        where = f"{type(fitted).__name__}.{name} must be {n_features} numbers after fit, one per feature"
        raise InputError(f"{where}. Found the shape {values.shape}.")
    return values
