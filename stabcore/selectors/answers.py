"""What a fitted selector gives, checked: one's own may give anything."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError


def chosen(fitted, k, n_features) -> np.ndarray:
    """Sorted numbers of the features that `select(k)` gives. Raises InputError for what are none, or not different."""
    found = np.asarray(fitted.select(k))
    if found.size == 0:
        return np.zeros(0, dtype=int)
    numbers = found.ndim == 1 and found.dtype.kind in "iu"
    if not numbers or found.min() < 0 or found.max() >= n_features or len(np.unique(found)) < len(found):
        raise InputError(f"select({k}) of {type(fitted).__name__} must give different feature numbers from 0 to {n_features - 1}; "
                         f"found {np.array2string(found, threshold=6)}.")
    return np.sort(found).astype(int)


def of_features(fitted, name, n_features) -> np.ndarray:
    """scores_, ranking_ or importances_ (d,). Raises InputError for another shape, or none."""
    try:
        found = np.asarray(getattr(fitted, name, None), dtype=float)
    except (TypeError, ValueError):
        found = np.empty(())
    if found.shape != (n_features,):
        raise InputError(f"{type(fitted).__name__}.{name} must be {n_features} numbers after fit, one a feature; found the shape "
                         f"{found.shape}.")
    return found
