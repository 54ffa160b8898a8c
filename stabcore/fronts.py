"""Fronts: which selectors no other beats in every criterion at once."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.words import listed


def front(points, criteria=("accuracy", "stability")):
    """The points with two more columns: beaten_by (how many others dominate each) and on_front.

    points: DataFrame, one row a candidate. criteria: columns in which higher is better. A point is dominated when another is
    at least as good in every criterion and better in one; ties and duplicates stay. A point with a missing criterion neither
    dominates nor is on the front: beaten_by is missing for it. Source: Sechidis et al. 2019 (non-dominated rank, Table 2).
    """
    missing = [name for name in criteria if name not in points.columns]
    if missing:
        raise InputError(f"The points have no column {listed(missing)}; they have {listed(points.columns, 20)}.")
    if not criteria:
        raise InputError("A front needs at least one criterion: a column in which higher is better.")
    values = points[list(criteria)].to_numpy(dtype=float)
    known = ~np.isnan(values).any(axis=1)
    at_least = (values[:, None, :] >= values[None, :, :]).all(axis=2)      # [a, b]: a at least as good as b
    better = (values[:, None, :] > values[None, :, :]).any(axis=2)
    beaten_by = (at_least & better).sum(axis=0)
    result = points.copy()
    result["beaten_by"] = np.where(known, beaten_by, np.nan)
    result["on_front"] = known & (beaten_by == 0)
    return result
