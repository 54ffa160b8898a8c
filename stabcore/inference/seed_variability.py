"""Seed variability: the share of the disagreement between runs due to another seed on the same rows."""

from __future__ import annotations

import numpy as np

from stabcore.inference.estimate import deviate, jackknife_variance

COLUMNS = ("share", "low", "high", "own", "total", "runs", "note")
NO_REPEATS = (
    "Seed variability is unknown, because no run was refitted with another seed. Run the study with n_seeds = 2, or use the "
    "switch on Study."
)


def own_share(repeats, level=0.95) -> dict:
    """Return the share of the disagreement between runs due to another seed on the same rows.

    repeats: R ≥ 2 Selections of the same M runs, on the same rows. With Z the selection of feature f in a fit
    and p_f its frequency in all MR:
        total = (1/d) Σ_f p_f (1 − p_f)
        own   = (1/d) Σ_f of the mean over runs of the unbiased variance of Z_f over the R fits of a run
        share = own / total: 0 if only the rows matter, 1 (the limit) if another seed has the same effect as other rows and seed
    low, high: the jackknife over the units of the first (runs, unless some were drawn together): Student's t around the share less
    its bias, which is about 1/M of it, cut at 0 and 1. NaN with a `note` if no two fits disagree, if the fits of a run never
    do, or below 3 units.
    """
    hits = sum(repeat.selected.astype(float) for repeat in repeats)  # (M, d) number of its R fits
    n_repeats, (runs, d) = len(repeats), hits.shape
    inside = (hits * (n_repeats - hits)).sum(axis=1) / (n_repeats * (n_repeats - 1) * d)  # (M,) the variance within each run
    units = np.arange(runs) if repeats[0].units is None else repeats[0].units
    groups = [[], *(np.flatnonzero(units == unit) for unit in np.unique(units))]  # the left-out runs: none, then each unit
    within, total = np.array([_parts(hits, inside, out, n_repeats) for out in groups]).T
    with np.errstate(invalid="ignore"):
        share = within / total
    low, high, note = _interval(share[0], share[1:], level)
    return dict(zip(COLUMNS, (float(min(share[0], 1.0)), low, high, float(within[0]), float(total[0]), runs, note)))


def _parts(hits, inside, out, n_repeats):
    """(own, total) without some of the runs."""
    left, out = len(hits) - len(out), np.asarray(out, dtype=int)
    p = (hits.sum(axis=0) - hits[out].sum(axis=0)) / (n_repeats * left) if left else np.zeros(hits.shape[1])
    return (inside.sum() - inside[out].sum()) / max(left, 1), (p * (1 - p)).mean()


def _interval(share, left_out, level):
    """(low, high, reason if missing) from the shares without one unit each."""
    n = len(left_out)
    if np.isnan(share):
        return np.nan, np.nan, "no two fits disagree"
    if share == 0:
        return np.nan, np.nan, "every refitted run selects the same features on the same rows"
    if n < 3 or not np.isfinite(left_out).all():
        return np.nan, np.nan, "an interval needs at least three runs, and disagreement without each of them"
    middle = n * share - (n - 1) * left_out.mean()
    half = deviate(level, n - 1) * np.sqrt(jackknife_variance(left_out))
    return float(np.clip(middle - half, 0, 1)), float(np.clip(middle + half, 0, 1)), ""
