"""Who is most and who is least stable, as far as these runs tell: what is said beyond what may be chance."""

from __future__ import annotations

from stabcore.wording import rounded


def leaders(labels, clear):
    """The fewest of labels (n,), highest first, of which each is clearly above each of the others; [] where there are none.

    clear: (n, n) bool as analysis.pairs.above gives it.
    """
    return next((labels[:n] for n in range(1, len(labels)) if clear[:n, n:].all()), [])


def range_of(value, names) -> str:
    """The values {name: value} of some names as one text: 0.40, or 0.40 to 0.70."""
    low, high = rounded(min(value[one] for one in names)), rounded(max(value[one] for one in names))
    return high if low == high else f"{low} to {high}"
