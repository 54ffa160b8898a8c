"""Stability from selection frequencies alone, if the runs are unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.inference.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

NO_RUNS = "frequencies do not show how much single runs differ"


def stability_from_frequencies(shares: ArrayLike, n_runs: int) -> Estimate:
    """The measure nogueira of M runs, from the selection frequencies of d features.

    With the frequencies p, Φ = 1 − M/(M − 1) · Σ_f p_f (1 − p_f) / (k̄ (1 − k̄/d)), where k̄ = Σ_f p_f. The interval of Φ, and
    every other measure, needs the runs. shares: (d,) share of the runs that selected each feature, also of features that no run
    selected. Raises InputError for shares outside 0 … 1, or fewer than two runs.
    Source: Nogueira, Sechidis & Brown 2018, JMLR 18(174).
    """
    p = np.asarray(shares, dtype=float)
    if p.ndim != 1 or not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise InputError("Selection frequencies are one number from 0 to 1 per feature.")
    if n_runs < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed. Found {n_runs}.")
    size, d = p.sum(), len(p)
    possible = size * (1 - size / d)
    if possible < 1e-12:
        reason = "no run selects a feature" if size < 0.5 else "every run selects every feature"
        return Estimate("nogueira", np.nan, n_runs=n_runs, reason=reason)
    value = 1 - n_runs / (n_runs - 1) * float((p * (1 - p)).sum()) / possible
    return Estimate("nogueira", value, n_runs=n_runs, no_interval=NO_RUNS, warnings=(f"No interval: {NO_RUNS}.",))
