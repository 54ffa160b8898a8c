"""Comparisons of all pairs of selectors of a result: by a measure of stability, a score of their predictions, or their size.

Comparisons are DataFrames with one row per pair. Statements about selectors use `clearly` only if these support it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.inference.comparison import ComparisonSide, compare_beyond_floors, compare_sides, compare_sizes, p_value_from_limit
from stabcore.inference.predictions import SCORES
from stabcore.measures.catalog import BY_KEY, entry
from stabcore.measures.entry import MeasureLike
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

COLUMNS = ("first", "second", "difference", "low", "high", "p_value", "p_holm", "n_runs", "paired", "note")
SIZE = "size"
NOT_ABOVE = "is not clearly above its noise floor"  # the end of the reason why a pair has no test
LEVEL = 0.05  # value of p_holm below which a difference is called clear


@public
def compare_selectors(
    result: AnyResult, by: MeasureLike = "nogueira", *, similarity: Similarity | None = None, k: int | None = None
) -> pd.DataFrame:
    """DataFrame(first, second, difference, low, high, p_value, p_holm, n_runs, paired, note): all pairs of selectors.

    There is one row per pair, n (n − 1)/2 in all. difference: first − second, with its 95% interval for this pair alone. p_value:
    of no difference. p_holm: with Holm's correction over all pairs. n_runs: runs of both that were compared. paired: whether these
    used the same resamples. note: reason for no interval. Comparisons of scores refer to new patients, all others to other
    resamples of this dataset.

    Parameters
    ----------
    result : StudyResult or Results
        A result of a study, or Results of uploaded selections.
    by : str or function, optional
        A measure of stability (a key, or a user-defined measure), a score of the predictions (accuracy, balanced_accuracy,
        auc), or "size", the number of features.
    similarity : Similarity, optional
        For measures that need one.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.

    Raises
    ------
    InputError
        For an unknown measure, or a k if `by` is not a measure of stability.

    References
    ----------
    Source: jackknife of the difference, see sc.compare; study.performance.compare_scores; Holm 1979.

    Examples
    --------
    >>> sc.compare_selectors(result)[["first", "second", "paired"]]
      first         second  paired
    0   mim  random_forest    True
    """
    result = Results.of(result)
    if not isinstance(by, str) or by not in (*SCORES, SIZE):
        if isinstance(by, str) and by not in BY_KEY:
            raise InputError(
                f"Selectors are compared by a measure ({', '.join(BY_KEY)}), a score ({', '.join(SCORES)}) or their "
                f"{SIZE}. Found {by!r}."
            )
        return stability_pairs(result, entry(by), similarity, k)
    if k is not None:
        raise InputError(f"With another number of features only stability is known, not {by}. Omit k=.")
    return size_pairs(result) if by == SIZE else score_pairs(result, by)


def stability_pairs(result, measure="nogueira", similarity=None, k=None):
    """The DataFrame of compare_selectors for a measure of stability, which refers to other resamples of this dataset.

    With a permutation control, the difference is that of the values beyond both noise floors. It is judged only if the selector
    that is ahead is clearly above its floor. Otherwise p_value is NaN and the note gives the reason.
    """
    sides = {}  # a selector with all its runs is the same in every comparison
    floors = _NoiseFloors(result, measure, similarity, k) if result.has_control else None

    def side(runs):
        if id(runs) not in sides:
            sides[id(runs)] = ComparisonSide(runs, measure, similarity)
        return sides[id(runs)]

    def of(first, second):
        runs, other, paired = result.paired(first, second, k)
        comparison = compare_sides(side(runs), side(other), paired=paired)
        return comparison if floors is None else floors.beyond(comparison, first, second)

    return _pairs_table(result.finished_selectors, of)


class _NoiseFloors:
    """The noise floors of all selectors of a result, to compare values beyond them."""

    def __init__(self, result, measure, similarity, k):
        self.floors, self.blind = result.noise_floor(measure, similarity=similarity, k=k), set(result.blind)
        self.values = {label: result.shuffled_values(label, measure, similarity, k) for label in result.finished_selectors}

    def beyond(self, comparison, first, second):
        """A comparison of two values beyond their floors, judged if the one ahead is clearly above its own floor."""
        if {first, second} & self.blind:
            comparison = self._with_blind(comparison, first, second)
        else:
            both = sorted(self.values[first].keys() & self.values[second].keys())
            comparison = compare_beyond_floors(
                comparison, *([self.values[label][shuffle] for shuffle in both] for label in (first, second))
            )
        ahead = first if comparison.difference > 0 else second
        if np.isnan(comparison.p_value) or self.floors.loc[ahead, "clear"]:
            return comparison
        return replace(comparison, p_value=np.nan, reason=f"{ahead} {NOT_ABOVE}")

    def _with_blind(self, comparison, first, second):
        """A selector that ignores the outcome is 0 beyond its floor. So the difference is that of the other selector."""
        sign, label = (1, first) if second in self.blind else (-1, second)
        row = self.floors.loc[label]
        low, high = sorted((sign * row["beyond_low"], sign * row["beyond_high"]))
        side = row["beyond"] - row["beyond_low"]
        p = p_value_from_limit(row["beyond"], side, comparison.level, max(1, int(row["shuffles"]) - 1))
        reason = "" if side > 0 else comparison.reason or "both ignore the outcome, so both are 0 beyond their floors"
        return replace(comparison, difference=sign * row["beyond"], low=low, high=high, se=np.nan, p_value=p, reason=reason)


def score_pairs(result, score="accuracy"):
    """The same DataFrame for a score of the predictions, accuracy, balanced_accuracy or auc, which refers to new patients."""
    return _pairs_table(result.finished_selectors, lambda first, second: result.compare_scores(first, second, score))


def size_pairs(result):
    """The same DataFrame for the number of selected features, where a positive difference means more features."""

    def of(first, second):
        runs, other, paired = result.paired(first, second)
        return compare_sizes(runs, other, paired=paired)

    return _pairs_table(result.finished_selectors, of)


def _pairs_table(labels, compared):
    rows = []
    for first, second in combinations(labels, 2):
        try:
            comparison = compared(first, second)
        except InputError as error:
            rows.append({"first": first, "second": second, "n_runs": 0, "note": str(error)})
            continue
        rows.append({"first": first, "second": second, **vars(comparison), "note": comparison.reason})
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["p_holm"] = holm(frame["p_value"].to_numpy(dtype=float))
    return frame


def clearly_above(pairs, labels, *, smaller=False, level=LEVEL):
    """(n, n) bool for labels (n,): [a, b] if a is clearly above b, p_holm < level, or clearly below with `smaller`.

    pairs: a DataFrame of all pairs, or None. Unknown comparisons are not clear.
    """
    place = {label: i for i, label in enumerate(labels)}
    ahead = np.zeros((len(place), len(place)), dtype=bool)
    for row in () if pairs is None else pairs[pairs["p_holm"] < level].itertuples():
        if row.first in place and row.second in place:
            more, less = (row.first, row.second) if (row.difference > 0) != smaller else (row.second, row.first)
            ahead[place[more], place[less]] = True
    return ahead


def p_above_baselines(pairs, labels, baselines):
    """(n,) the largest p that a label (n,) is not above a baseline, with Holm's correction over these pairs alone, 1 if below."""
    of_baselines = pairs[pairs["first"].isin(baselines) != pairs["second"].isin(baselines)]
    p = holm(of_baselines["p_value"].to_numpy(dtype=float))
    label = of_baselines["first"].where(of_baselines["second"].isin(baselines), of_baselines["second"])
    ahead = (of_baselines["difference"] > 0) == (of_baselines["first"] == label)
    p = pd.Series(np.where(ahead | np.isnan(p), p, 1.0), index=label)
    return np.array([p[p.index == name].max(skipna=False) for name in labels])


def needed_difference(pairs, labels) -> float:
    """The smallest difference that is clear among all pairs, for the typical pair of some labels: the median of t · standard error.

    t has the level of the first step of Holm's correction, 0.05 over the number of pairs. pairs: score_pairs, or None. NaN if no
    pair has an interval.
    """
    from scipy.special import stdtrit

    tested = None if pairs is None else pairs.dropna(subset=["low", "high"])
    if tested is None or not (of := tested[tested["first"].isin(labels) & tested["second"].isin(labels)])["n_runs"].gt(1).any():
        return np.nan
    wider = stdtrit(of["n_runs"] - 1, 1 - LEVEL / (2 * len(tested))) / stdtrit(of["n_runs"] - 1, 0.975)
    return float(((of["high"] - of["low"]) / 2 * wider).median())


def clearly_above_weighted(pairs, weights, labels):
    """(n, n) bool: [a, b] if the weighted sum of several criteria is clearly higher for a than for b.

    pairs: a DataFrame of all pairs for each criterion, or None. weights: one per criterion, 0 or more. Criteria of weight 0 are
    ignored. A sum is clear if it is clearly above in one criterion and the weighted sum of low ends is above 0. This is cautious,
    because the low ends of all criteria need not coincide.
    """
    used = [(comparison, weight) for comparison, weight in zip(pairs, weights, strict=True) if weight > 0]
    lowest = sum(weight * _lower_limits(comparison, labels) for comparison, weight in used)
    return (lowest > 0) & np.logical_or.reduce([clearly_above(comparison, labels) for comparison, _ in used])


def _lower_limits(pairs, labels):
    """(n, n): [a, b] the low end of the 95% interval of a − b, NaN without an interval."""
    place = {label: i for i, label in enumerate(labels)}
    lowest = np.full((len(place), len(place)), np.nan)
    for row in () if pairs is None else pairs.itertuples():
        if row.first in place and row.second in place:
            lowest[place[row.first], place[row.second]] = row.low
            lowest[place[row.second], place[row.first]] = -row.high
    return lowest
