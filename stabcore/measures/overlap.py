"""Overlap of the selected sets without correction for chance: larger random sets overlap more.

All accept corrected=True: (score − E)/(max − E), E over random sets of the same sizes. The range is then −1 to 1, 0 is chance.
"""

import numpy as np

from stabcore.base.errors import InputError
from stabcore.measures.random_sets import count_probabilities, expected_without_each, union_probabilities
from stabcore.measures.statistic import PairStatistic, measure, pair_measure, ratio

_BOTH_EMPTY = "the overlap of two runs that both selected nothing is undefined (0/0)"
_ONE_EMPTY = "the shared part of an empty selection is undefined (0/0)"
_ALL_EMPTY = "every run selected nothing (0/0)"
_NO_CHOICE = "every run selected nothing or everything, or no value above chance is possible, so agreement is undefined (0/0)"
_ROUGH_INTERVAL = (
    "The interval is rough. The value depends on features that were selected only once. In simulations, 95% "
    "intervals covered between 75% and 100%."
)


@pair_measure(_BOTH_EMPTY, correctable=True)
def jaccard(r, a, b, d):
    """Mean share of features that two runs have in common: r / u over pairs, u = a + b − r.

    Range [0, 1]: 0 when no two runs share a feature, 1 when all runs are equal. It is not corrected for chance.
    `undefined`: the treatment of pairs of empty runs (None, "skip" or a number). Source: Jaccard 1901, and the Tanimoto
    similarity S_S of Kalousis et al. 2005.
    """
    return ratio(r, a + b - r)


@pair_measure(_BOTH_EMPTY, correctable=True)
def dice(r, a, b, d):
    """Mean of 2r/(a + b) over pairs: shared features relative to the mean size.

    Range [0, 1]: 0 nothing shared, 1 equal runs. corrected=True gives `kappa`. Source: Dice 1945.
    """
    return ratio(2 * r, a + b)


@pair_measure(_ONE_EMPTY, correctable=True)
def ochiai(r, a, b, d):
    """Mean of r/√(ab) over pairs: shared features relative to the geometric mean of the sizes.

    Range [0, 1]: 0 nothing shared, 1 equal runs. corrected=True gives `unadjusted`. Source: Ochiai 1957.
    """
    return ratio(r, np.sqrt(a * b))


@pair_measure("", correctable=True)
def hamming(r, a, b, d):
    """Mean share of all features on which two runs agree, selected by both or by neither: (r + d − u)/d.

    Range [0, 1], near 1 for any small selection, because it counts features that neither run selected. Defined for empty runs.
    corrected=True gives `kappa`. Source: Dunne, Cunningham & Azuaje 2002.
    """
    return (2 * r + d - a - b) / d


@pair_measure(_ONE_EMPTY, correctable=True)
def pog(r, a, b, d):
    """Percentage of overlapping genes: mean of r/a and r/b over pairs.

    Range [0, 1]: 0 nothing shared, 1 equal runs. Source: Shi et al. 2006, Zhang et al. 2009.
    """
    return (ratio(r, a) + ratio(r, b)) / 2


@measure
def novovicova(selections, similarity=None, *, corrected=False):
    """Entropy of the frequencies: (1/(q log₂M)) Σ_f h_f log₂ h_f, h_f runs select f, q = Σ h_f.

    Range [0, 1]: 0 when no feature is selected twice, 1 when all runs are equal. corrected=True: (value − E)/(1 − E), E exact over
    M random sets of the same sizes (h_f is Poisson-binomial). Undefined when every run is empty.
    Source: Novovičová, Somol & Pudil 2009. It is the measure SN of Bommert et al. 2017.
    """
    sizes, n, units = selections.sizes, selections.n_runs, selections.units
    total = _h_log_h(selections.counts).sum()
    sums = (total, total - _losses_by_unit(selections, lambda counts, of_unit: _h_log_h(counts) - _h_log_h(counts - of_unit)))
    if not corrected:
        return PairStatistic(
            lambda n, size, concentration: ratio(concentration, n * size * np.log2(n)),
            n,
            runs=(sizes,),
            totals=(sums,),
            units=units,
            reason=_ALL_EMPTY,
        )

    def expected(sizes_drawn):
        chance = count_probabilities(sizes_drawn / selections.n_features)
        return selections.n_features * (chance * _h_log_h(np.arange(len(sizes_drawn) + 1.0))).sum()

    def formula(n, size, concentration, by_chance):
        most = n * size * np.log2(n)
        return ratio(concentration - by_chance, most - by_chance, scale=most)

    chances = (expected(sizes), expected_without_each(sizes, expected, units))
    return PairStatistic(formula, n, runs=(sizes,), totals=(sums, chances), units=units, reason=_NO_CHOICE)


def _losses_by_unit(selections, amount):
    """(G,) loss without each unit: Σ_f amount(runs that selected f, those of the unit) over the features of the unit."""
    unit_counts = selections.unit_counts
    unit = np.repeat(np.arange(selections.n_units), np.diff(unit_counts.indptr))
    return np.bincount(unit, amount(selections.counts[unit_counts.indices], unit_counts.data), selections.n_units)


def _h_log_h(h):
    return np.where(h > 1, h * np.log2(np.maximum(h, 1)), 0.0)


@measure
def davis(selections, similarity=None, *, penalty=0.0, corrected=False):
    """Mean frequency of the features that were ever selected, less a penalty for long lists.

    max{0, (1/|V|) Σ_f h_f/M − (α/d)·median(k_i)}.

    penalty: α ≥ 0. Range [0, 1): 1 only for α = 0 and identical runs. corrected=True gives (value − E)/(max − E), with the largest
    possible value max(1 − α/d, ⌊(M−1)/2⌋/M). E is exact over M random sets of the same sizes, from the distribution of the size of
    their union. The jackknife interval is rough: in simulations, 95% intervals covered between 75% and 100%. Undefined when every
    run is empty. Source: Davis et al. 2006. It is the measure SD-α of Bommert et al. 2017.
    """
    if not penalty >= 0:
        raise InputError(f"The penalty of davis must be 0 or more. Found {penalty}.")
    sizes, d, n, units = selections.sizes, selections.n_features, selections.n_runs, selections.units
    union = float((selections.counts > 0).sum())
    unions = (union, union - _losses_by_unit(selections, lambda counts, of_unit: counts == of_unit))
    medians = (float(np.median(sizes)), expected_without_each(sizes, np.median, units, most=n))

    def formula(n, size, union, median):
        return np.maximum(0.0, ratio(size, union) - penalty / d * median)

    if not corrected:
        return PairStatistic(
            formula,
            n,
            runs=(sizes,),
            totals=(unions, medians),
            units=units,
            reason=_ALL_EMPTY,
            warn=lambda value: [_ROUGH_INTERVAL],
        )

    def expected(sizes_drawn):
        size, chance = union_probabilities(sizes_drawn, d)
        return (chance * formula(len(sizes_drawn), sizes_drawn.mean(), size, np.median(sizes_drawn))).sum()

    def beyond(n, size, union, median, by_chance):
        most = np.maximum(1 - penalty / d, (n - 1) // 2 / n)
        return ratio(formula(n, size, union, median) - by_chance, most - by_chance)

    chances = (expected(sizes), expected_without_each(sizes, expected, units))
    return PairStatistic(
        beyond,
        n,
        runs=(sizes,),
        totals=(unions, medians, chances),
        units=units,
        reason=_NO_CHOICE,
        warn=lambda value: [_ROUGH_INTERVAL],
    )
