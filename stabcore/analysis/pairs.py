"""Every two selectors of a result compared: by a measure of stability, by a score of their predictions, by their size.

Comparisons come as DataFrames with one row a pair; what is said about selectors only says `clearly` what they show.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.changes import change
from stabcore.inference.comparison import Side, compare_sides, compare_sizes, holm
from stabcore.inference.predictions import SCORES
from stabcore.measures.catalog import BY_KEY, entry

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.contracts.protocols import MeasureLike
    from stabcore.relation.relation import Relation
    from stabcore.study.results import Results

COLUMNS = ("first", "second", "difference", "low", "high", "p_value", "p_holm", "paired", "note")
SIZE = "size"
LEVEL = 0.05            # of p_holm, below which a difference is called clear


def compare_all(result: Results, by: MeasureLike = "nogueira", *, relation: Relation | None = None,
                k: int | None = None) -> pd.DataFrame:
    """DataFrame(first, second, difference, low, high, p_value, p_holm, paired, note): every two selectors of a result compared.

    result: a result of a study, or Results of selections that were brought. by: a measure of stability (a key, or one's own), a
    score of the predictions (accuracy, balanced_accuracy, auc), or "size", the number of selected features. relation: for measures
    that need one; k: stability as if every run had selected its k best. One row a pair of the n (n − 1)/2.
    difference: first − second, with its 95% interval, one pair by itself; p_value of no difference; p_holm: with Holm's correction
    for asking about all pairs at once; paired: whether the runs of both rest on the same resamples; note: why there is no interval.
    Scores are about new patients, all else about other resamples of this dataset. Source: jackknife of the difference, see
    sc.compare; Nadeau & Bengio 2003 for scores; Holm 1979.
    Raises InputError for an unknown measure, or a k where by is no measure.
    """
    if not isinstance(by, str) or by not in (*SCORES, SIZE):
        if isinstance(by, str) and by not in BY_KEY:
            raise InputError(f"Selectors are compared by a measure ({', '.join(BY_KEY)}), a score ({', '.join(SCORES)}) or their "
                             f"{SIZE}; found {by!r}.")
        return stability_pairs(result, entry(by), relation, k)
    if k is not None:
        raise InputError(f"With another number of features only stability is known, not {by}: leave out k=.")
    return size_pairs(result) if by == SIZE else score_pairs(result, by)


def stability_pairs(result, measure="nogueira", relation=None, k=None):
    """The DataFrame of compare_all for a measure of stability: about drawing other resamples of this dataset."""
    sides = {}          # a selector whose runs are all there is the same whoever it is compared with

    def side(runs):
        if id(runs) not in sides:
            sides[id(runs)] = Side(runs, measure, relation)
        return sides[id(runs)]

    def of(first, second):
        runs, other, paired = result.paired(first, second, k)
        return compare_sides(side(runs), side(other), paired=paired)

    return _every_pair(result.ready, of)


def score_pairs(result, score="accuracy"):
    """The same DataFrame for a score of the predictions, accuracy, balanced_accuracy or auc: about new patients."""
    return _every_pair(result.ready, lambda first, second: result.compare_scores(first, second, score))


def size_pairs(result):
    """The same DataFrame for the number of selected features, where a positive difference is more features."""
    def of(first, second):
        runs, other, paired = result.paired(first, second)
        return compare_sizes(runs, other, paired=paired)

    return _every_pair(result.ready, of)


def _every_pair(labels, compared):
    import pandas as pd

    rows = []
    for first, second in combinations(labels, 2):
        try:
            comparison = compared(first, second)
        except InputError as error:
            rows.append({"first": first, "second": second, "note": str(error)})
            continue
        rows.append({"first": first, "second": second, "difference": comparison.difference, "low": comparison.low,
                     "high": comparison.high,
                     "p_value": comparison.p_value, "paired": comparison.paired, "note": comparison.reason})
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["p_holm"] = holm(frame["p_value"].to_numpy(dtype=float))
    return frame


def changes(result, before="nogueira", after="effective", relation=None, k=None):
    """DataFrame(change, change_low, change_high, change_note), one row a selector: after − before on its runs, see `change`."""
    import pandas as pd

    comparisons = [change(result.preferences(label, k), before, after, relation=relation) for label in result.ready]
    return pd.DataFrame([(one.difference, one.low, one.high, one.reason) for one in comparisons],
                        columns=["change", "change_low", "change_high", "change_note"],
                        index=pd.Index(result.ready, name="selector"))


def above(pairs, labels, *, smaller=False):
    """(n, n) bool for labels (n,): [a, b] where a is clearly above b, p_holm < 0.05; with `smaller`, clearly below.

    pairs: a DataFrame of all pairs, or None; what is not known is not clear.
    """
    place = {label: i for i, label in enumerate(labels)}
    ahead = np.zeros((len(place), len(place)), dtype=bool)
    for row in () if pairs is None else pairs[pairs["p_holm"] < LEVEL].itertuples():
        if row.first in place and row.second in place:
            more, less = (row.first, row.second) if (row.difference > 0) != smaller else (row.second, row.first)
            ahead[place[more], place[less]] = True
    return ahead


def weighed_above(pairs, weights, labels):
    """(n, n) bool: [a, b] where the weighted sum of several criteria is clearly higher for a than for b.

    pairs: a DataFrame of all pairs for each criterion, or None; weights: as many, 0 or more; criteria of weight 0 do not count.
    Clear is what is clearly above in one criterion and whose weighted low ends are above 0 together: cautious, as the low ends of
    all criteria need not come together.
    """
    used = [(one, weight) for one, weight in zip(pairs, weights, strict=True) if weight > 0]
    lowest = sum(weight * _at_least(one, labels) for one, weight in used)
    return (lowest > 0) & np.logical_or.reduce([above(one, labels) for one, _ in used])


def _at_least(pairs, labels):
    """(n, n): [a, b] how much a is above b at the least, the low end of the 95% interval of a − b; NaN where there is none."""
    place = {label: i for i, label in enumerate(labels)}
    lowest = np.full((len(place), len(place)), np.nan)
    for row in () if pairs is None else pairs.itertuples():
        if row.first in place and row.second in place:
            lowest[place[row.first], place[row.second]] = row.low
            lowest[place[row.second], place[row.first]] = -row.high
    return lowest
