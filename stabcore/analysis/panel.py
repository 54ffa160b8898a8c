"""The panel: which features a result leaves in the end, how sure each place is, and how many of them are false."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.floors import panel_floor
from stabcore.analysis.swaps import swaps
from stabcore.errors import InputError
from stabcore.inference.error_control import BOUNDS, UNIMODAL, checked_by_shuffles, expected_false

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from stabcore.data.dataset import Dataset
    from stabcore.relation.relation import Relation
    from stabcore.study.results import AnyResult

LEVEL = 0.95
THRESHOLD = 0.75        # share of the runs in which a feature of the panel has to be selected
NEVER_MISSED = 0.02     # an end of an interval so near to every run is put there
FALSE = ("stays", "q", *BOUNDS, "shuffled", "expected_false", "basis", "reason")
SEVERAL = "The bounds on false features are about the panel of one selector."
IN = "in "              # before the label of a selector, in the names of columns


def panel(result: AnyResult, threshold: float = THRESHOLD, k: int | None = None, relation: Relation | None = None,
          selectors: Sequence[str] | None = None, with_swaps: bool = True, data: Dataset | None = None) -> pd.DataFrame:
    """DataFrame, one row a feature that any run selected, most often selected first: is it in the panel, and how sure is that.

    feature             its name
    stays               is its frequency at least the threshold?
    frequency           share of the runs that select it, mean over the selectors
    low, high           where the frequency would be if more such runs were made, see frequency_interval (runs of other patients
                        may differ by more). For several selectors M is that of one, as if they all did the same: rather too wide
                        than too narrow
    approval, selectors in how many of the selectors its own frequency is at least the threshold, of how many
    rank                mean over the selectors of its median rank (1 = best, d where a run does not rank it); NaN without ranks
    any_related         share of the runs that select it or any feature that stands for it (C > 0), mean over the selectors
    group               name of its group in the relation, "" for none
    shuffled            how often the same feature is selected with the outcome shuffled, mean over shuffles and selectors; NaN
                        without a control
    line                how often the luckiest feature of any shuffle is selected, mean over the selectors; NaN without a control
    clear               does it stay, and is its interval wholly above the line?
    swaps_with          of a feature that stays: what is selected instead of it, surest first (see analysis.swaps); "" where
                        these runs tell of none, and for all others. Left out with with_swaps=False
    missingness         where its cells are missing, if that differs by class: it may be selected for that. Only with data
    in <selector>       one column a selector: its frequency there
    result: a result, of a study or brought. threshold: 0 to 1. k: as if every run selected its k best. relation: C, or None.
    selectors: labels, by default all that are ready but baselines. data: the table, if it is at hand. Raises InputError for a
    threshold outside 0 … 1 or an unknown label.
    Source: the frequencies of Meinshausen & Bühlmann 2010, JRSS B 72:417-473; the interval is that of a uniform prior.
    """
    import pandas as pd

    _refuse_threshold(threshold)
    labels = chosen_selectors(result, selectors)
    runs = [result.preferences(label, k) for label in labels]
    each = np.stack([one.frequencies for one in runs])
    ever = np.flatnonzero(each.any(axis=0))
    often, many = each[:, ever].mean(axis=0), np.mean([one.n_runs for one in runs])
    low, high = frequency_interval(often, many)
    groups = ["" if relation is None or relation.labels is None or relation.labels[f] < 0 else
              relation.group_names[relation.labels[f]] for f in ever]
    own, luckiest = panel_floor(result, labels, k)
    table = pd.DataFrame({
        "feature": [result.features[f] for f in ever], "stays": False, "frequency": often, "low": low, "high": high,
        "approval": 0, "selectors": len(labels),
        "rank": np.mean([_median_rank(one, ever) for one in runs], axis=0),
        "any_related": np.mean([any_related(one, relation, ever) for one in runs], axis=0), "group": groups,
        "shuffled": own[ever] if len(own) else np.nan, "line": luckiest.max() if len(luckiest) else np.nan,
        "clear": False})
    shares = {f"{IN}{label}": row[ever] for label, row in zip(labels, each, strict=True)}
    table = at_threshold(table.assign(**shares), threshold)
    if data is not None:
        told = [data.missingness.get(name, "") for name in table["feature"]]
        table.insert(list(table.columns).index(next(iter(shares))), "missingness", told)
    if with_swaps:
        table.insert(list(table.columns).index(next(iter(shares))), "swaps_with", _swaps_with(result, table, k, relation, labels))
    return table.sort_values(["frequency", "rank"], ascending=[False, True], kind="stable", ignore_index=True)


def at_threshold(table, threshold) -> pd.DataFrame:
    """The same panel with another threshold, on which nothing but `stays`, `clear` and `approval` depends."""
    shares, stays = table[[name for name in table if name.startswith(IN)]], table["frequency"] >= threshold - 1e-9
    return table.assign(stays=stays, clear=stays & (table["low"] > table["line"]),
                        approval=(shares >= threshold - 1e-9).sum(axis=1))


def frequency_interval(often, runs) -> tuple[np.ndarray, np.ndarray]:
    """(low, high) of frequencies over so many runs: 2.5 and 97.5% of Beta(1 + h, 1 + M − h), h = M · frequency.

    A lower end below 1/M is 0: a feature is looked at because it came at least once, so one that hardly ever comes is seen when it
    came too often. An upper end above 1 − min(1/M, NEVER_MISSED) is 1: many features come in every run, of this table and any more.
    With 20 runs or more the interval holds 90 to 100% of frequencies wherever these lie, and 98 to 99% where halves of a pair
    depend on each other: tests/benchmarks/bench_panel_truth.py.
    """
    from scipy.special import betaincinv

    h, near = runs * often, 1 / runs
    low, high = (betaincinv(1 + h, 1 + runs - h, (1 + side * LEVEL) / 2) for side in (-1, 1))
    return np.where(low < near, 0.0, low), np.where(high > 1 - min(near, NEVER_MISSED), 1.0, high)


def any_related(runs, relation, index) -> np.ndarray:
    """(len(index),) share of the runs that select each feature or any that stands for it (C > 0)."""
    if relation is None or relation.n_related == 0:
        return runs.frequencies[index]
    relation.check_covers(runs)
    ever = np.union1d(index, np.flatnonzero(runs.counts))
    stands_for = relation.among(ever).times(runs.selection_matrix[:, ever].toarray().T) > 0
    return stands_for.mean(axis=1)[np.searchsorted(ever, index)]


def false_features(result: AnyResult, threshold: float = THRESHOLD, k: int | None = None,
                   selectors: Sequence[str] | None = None) -> pd.DataFrame:
    """DataFrame, one row a selector: how many features stay, and how many false ones such panels hold on average.

    stays: features selected in at least `threshold` of its runs; q: mean number selected; one column a bound of BOUNDS (see
    inference.error_control.expected_false) on the mean over studies, NaN where it is not defined; shuffled: how many features pass
    the threshold with the outcome shuffled, mean over shuffles, NaN without a control; expected_false: the number to tell; basis:
    where it comes from, "bound" (unimodal), or "shuffled" where there is no bound or the shuffles contradict it; reason: why there
    is no bound. The bounds are theorems about complementary halves, so every other plan is refused with that reason. They also need
    a selector that rarely selects what is not related to the outcome: where more features pass with the outcome shuffled than the
    bound allows, the selector is none of those.
    result: a result; threshold: a share of the runs, 0 to 1; k: as if every run selected its k best. selectors: labels, by
    default all that are ready but baselines. Raises InputError for a threshold outside 0 … 1 or an unknown label.
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80.
    """
    import pandas as pd

    _refuse_threshold(threshold)
    labels = chosen_selectors(result, selectors)
    rows = [{"selector": label, **false_together(result, [label], threshold, k)} for label in labels]
    return pd.DataFrame(rows, columns=["selector", *FALSE])


def false_together(result, labels, threshold=THRESHOLD, k=None) -> dict:
    """{column of FALSE: value} as `false_features` tells it, of the panel that some selectors make by their mean frequencies.

    No bound is known of several selectors together; the shuffles speak of them all the same.
    """
    runs = [result.preferences(label, k) for label in labels]
    q, pairs = float(np.mean([one.sizes.mean() for one in runs])), runs[0].n_runs // 2
    reason = no_bound(result, threshold) or (SEVERAL if len(labels) > 1 else "")
    bounds = {bound: np.nan if reason else expected_false(q, runs[0].n_features, threshold, pairs, bound) for bound in BOUNDS}
    often = np.mean([one.frequencies for one in runs], axis=0)
    shuffled = result.shuffled_frequencies(labels, k) if result.has_control else np.zeros((0, 0))
    counted = float((shuffled >= threshold - 1e-9).sum(axis=1).mean()) if len(shuffled) else np.nan
    expected, basis = checked_by_shuffles(float(bounds[UNIMODAL]), counted)
    return {"stays": int((often >= threshold - 1e-9).sum()), "q": q, **bounds, "shuffled": counted, "expected_false": expected,
            "basis": basis, "reason": reason}


def no_bound(result, threshold=THRESHOLD) -> str:
    """Why nothing bounds the number of false features of a result; "" where something does."""
    if result.plan is None:
        return "The bounds on false features hold for runs on separate halves of the rows; how these runs were made is not known."
    if not result.plan.separate_halves:
        return ("The bounds on false features hold for runs on separate halves of the rows. These runs share more of their rows, "
                "so a feature can be selected often without signal. Run the study with the plan of complementary halves.")
    if not threshold > 0.5:
        return "The bounds on false features hold for thresholds above half of the runs."
    return ""


def _swaps_with(result, table, k, relation, labels):
    """[names of what is selected instead of each feature that stays, "" for the others]."""
    names = {feature: [] for feature in table.loc[table["stays"], "feature"]}
    for row in (swaps(result, k, relation, labels).itertuples() if names else ()):
        for one, other in ((row.feature, row.partner), (row.partner, row.feature)):
            if one in names and other not in names[one]:
                names[one].append(other)
    return [", ".join(names.get(feature, ())) for feature in table["feature"]]


def _median_rank(runs, index):
    if runs.ranks is None and runs.scores is None:
        return np.full(len(index), np.nan)
    ranks = runs.ranking()[:, index]
    return np.median(np.where(np.isnan(ranks), runs.n_features, ranks), axis=0)


def _refuse_threshold(threshold):
    if not 0 <= threshold <= 1:
        raise InputError(f"The threshold of a panel is a share of the runs, 0 to 1; found {threshold!r}.")
