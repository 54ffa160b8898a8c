"""Effective stability at every threshold of |ρ| beside that of the same selectors with the outcome shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.inference.comparison import holm
from stabcore.inference.control import steadied
from stabcore.inference.estimate import jackknife_variance
from stabcore.whatif.thresholds import _terms, _values

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.preferences import Preferences
    from stabcore.whatif.thresholds import CorrelationBins

COLUMNS = ("selector", "threshold", "floor", "floor_low", "floor_high", "floor_se", "floor_sd", "p")
LEADS, TIED, BEHIND = "leads", "not distinguishable from the first", "behind, or not clearly above its floor"
MOST_SUMS = 400_000_000         # pairs of features times runs, up to which every selector's curve gets its interval at once
LEVEL, SAME = 0.05, 1e-12       # of a test; values closer than this are equal but for rounding


def floor_curves(runs: dict[str, Preferences], shuffled: dict[str, list[Preferences]], bins: CorrelationBins,
                 share: float | None = None) -> pd.DataFrame:
    """DataFrame(selector, threshold, floor, floor_low, floor_high, floor_se, p): each selector's noise floor at every threshold.

    runs: {selector: Preferences} as measured; shuffled: {selector: one Preferences for each shuffle of the outcome}; share: of the
    pairs of runs of the study that lie within a unit of the shuffles, see inference.control.against. floor: mean over the
    shuffles; floor_low, floor_high, floor_sd: their range and standard deviation, what few runs add taken out (see
    inference.control.beside_floor); floor_se: standard error of the mean; p = (1 + #{shuffles ≥ value})/(S + 1). No
    rows of a selector without a shuffle. Source: of the measure, see threshold_curve; of the control, see inference.control.
    """
    import pandas as pd

    every = [one for many in (*shuffled.values(), list(runs.values())) for one in many]
    bins.blocks(np.flatnonzero(np.any([one.counts > 0 for one in every], axis=0)))          # kept for what follows
    parts = []
    for label, controls in shuffled.items():
        if not controls:
            continue
        few = [_terms(one, bins, np.flatnonzero(one.counts)) for one in controls]
        values = np.array([one.value() if share is None else one.value_with(share) for one in few])
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.full(values.shape[1], np.nan)
        error, real = spread / np.sqrt(len(values)), runs[label]
        noise = 0.0 if share is None else _noise(real, bins) * real.n_runs / controls[0].n_runs
        values = steadied(values, noise)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else spread
        known = _values(real, bins)
        p = np.where(np.isnan(known), np.nan, (1 + np.count_nonzero(values >= known - SAME, axis=0)) / (len(values) + 1))
        parts.append(pd.DataFrame(dict(zip(COLUMNS, (label, bins.thresholds, values.mean(axis=0), values.min(axis=0),
                                                     values.max(axis=0), error, spread, p)))))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))


def _noise(runs, bins):
    """(K,) variance of a curve by leaving out units; 0 where that takes long, which leaves the range of the shuffles too wide."""
    if not affordable({"": runs}):
        return 0.0
    return jackknife_variance(_terms(runs, bins, np.flatnonzero(runs.counts)).leaving_one_out())


def affordable(runs: dict[str, Preferences]) -> bool:
    """Are intervals of all curves a matter of seconds? Each takes one pass over the pairs of features for each run."""
    ever = np.count_nonzero(np.any([one.counts > 0 for one in runs.values()], axis=0))
    return bool(ever ** 2 * sum(one.n_runs for one in runs.values()) <= MOST_SUMS)


def standings(runs: dict[str, Preferences], floors: pd.DataFrame, bins: CorrelationBins) -> pd.DataFrame:
    """DataFrame(selector, threshold, standing): who is first beyond the noise floor at each threshold.

    runs: {selector: Preferences}; floors: as floor_curves gives them; selectors without a floor are left out. Nobody is
    first who is not clearly above its own floor there. LEADS: clearly ahead of all others; TIED: the first, or not clearly behind
    it; BEHIND: all others. Each selector is compared with the first one: the difference of what is beyond the floor, its variance
    by the jackknife of the measured difference (paired where both have the same units) plus those of both floors; normal, with
    Holm's correction over the comparisons at one threshold. Source: ours; Holm 1979.
    """
    import pandas as pd
    from scipy.special import ndtr

    labels = [label for label in runs if label in set(floors["selector"])]
    if len(labels) < 2:
        return pd.DataFrame(columns=["selector", "threshold", "standing"])
    parts = [_terms(runs[label], bins, np.flatnonzero(runs[label].counts)) for label in labels]
    own = [floors[floors["selector"] == label] for label in labels]
    left_out, grid = [terms.leaving_one_out() for terms in parts], np.arange(len(bins.thresholds))
    beyond = np.array([terms.value() - one["floor"].to_numpy() for terms, one in zip(parts, own, strict=True)])
    noise, above = (np.array([one[name].to_numpy() for one in own]) for name in ("floor_se", "p"))
    noise, above = noise ** 2, above <= LEVEL
    first = np.where(above & ~np.isnan(beyond), beyond, -np.inf).argmax(axis=0)
    single = np.array([jackknife_variance(one) for one in left_out])
    p = np.ones(beyond.shape)
    for leader in np.unique(first):
        at = grid[first == leader]
        for other in range(len(labels)):
            if other == leader:
                continue
            same = len(left_out[leader]) == len(left_out[other])
            variance = (jackknife_variance(left_out[leader][:, at] - left_out[other][:, at]) if same else
                        single[leader, at] + single[other, at])
            apart = beyond[leader, at] - beyond[other, at]
            spread = np.sqrt(variance + noise[leader, at] + noise[other, at])
            z = np.divide(apart, spread, out=np.zeros(apart.shape), where=spread > 0)    # 0 where both always select the same
            p[other, at] = 2 * ndtr(-np.abs(z))
    others = np.arange(len(labels))[:, None] != first
    corrected = np.ones(p.shape)
    for t in grid:
        corrected[others[:, t], t] = holm(p[others[:, t], t])
    behind = (corrected < LEVEL) & others
    standing = np.where(behind | ~above, BEHIND, TIED)
    alone = above[first, grid] & (behind.sum(axis=0) == len(labels) - 1)
    standing[first[alone], grid[alone]] = LEADS
    return pd.DataFrame({"selector": np.repeat(labels, len(grid)), "threshold": np.tile(bins.thresholds, len(labels)),
                         "standing": standing.ravel()})
