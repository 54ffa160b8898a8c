"""Overlap of the selected sets, not corrected for chance: bigger selections agree more by luck alone."""

from __future__ import annotations

from stabcore.measures.terms import pair_measure, ratio


@pair_measure("two runs that both selected nothing have no overlap to speak of (0/0)")
def jaccard(r, a, b, d):
    """Mean share of features that two runs have in common: r / u over pairs, u = a + b − r.

    Range [0, 1]: 0 when no two runs share a feature, 1 when all runs select the same. Not corrected for chance.
    `undefined`: what to do with pairs of empty runs (None, "skip" or a number).
    Source: Jaccard 1901; the Tanimoto similarity S_S of Kalousis et al. 2005.
    """
    return ratio(r, a + b - r)
