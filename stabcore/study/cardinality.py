"""How many features a selector is asked to select."""

from __future__ import annotations

from stabcore.errors import InputError

FREE = "free"           # as many as the selector likes, where it settles that itself


def how_many(k: float | str, n_features: int) -> int:
    """The cardinality in features: of a number, a share of all features, or "sqrt" for min(20, √d)."""
    if k == "sqrt":
        return max(1, min(20, int(n_features ** 0.5)))
    if isinstance(k, bool) or not isinstance(k, (int, float)):
        raise InputError(f"How many features to select is a number, a share between 0 and 1, or 'sqrt'; found {k!r}.")
    count = max(1, int(k * n_features + 0.5)) if isinstance(k, float) and 0 < k < 1 else k
    if not 1 <= count <= n_features or int(count) != count:
        raise InputError(f"Asked to select {k} of {n_features} features; give a whole number from 1 to {n_features}, or a "
                         "share between 0 and 1.")
    return int(count)


def range_told(sizes: set[int | None]) -> str:
    """How many features are selected, where that differs from selector to selector the range; None: as many as one likes."""
    known = sorted(size for size in sizes if size is not None)
    told = "" if not known else str(known[0]) if known[0] == known[-1] else f"{known[0]} to {known[-1]}"
    return " or ".join(filter(None, [told, "as many as the selector likes" if None in sizes else ""]))
