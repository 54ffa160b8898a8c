"""The panel: which features a result leaves in the end, how sure each place is, and how many of them are false."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.places import LEVEL, places
from stabcore.analysis.swaps import swaps
from stabcore.errors import InputError
from stabcore.inference.error_control import BOUNDS, UNIMODAL, expected_false

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from stabcore.relation.relation import Relation
    from stabcore.study.results import Results

THRESHOLD = 0.75        # share of the runs in which a feature of the panel has to be selected
NEVER_MISSED = 0.02     # an end of an interval so near to every run is put there
IN = "in "              # before the label of a selector, in the names of columns


def panel(result: Results, threshold: float = THRESHOLD, k: int | None = None, relation: Relation | None = None,
          selectors: Sequence[str] | None = None, with_places: bool = True, with_swaps: bool = True) -> pd.DataFrame:
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
    line                the largest share of the runs in which any feature came with the outcome shuffled, mean over the
                        selectors; NaN without a control
    place_low, place_high   between which places among the first 50 by importance it lies (analysis.places); NaN for all others,
                        and where that is not known. Left out with with_places=False
    swaps_with          of a feature that stays: what is selected instead of it, surest first (see analysis.swaps); "" where
                        these runs tell of none, and for all others. Left out with with_swaps=False
    in <selector>       one column a selector: its frequency there
    result: a Results, of a study or brought. threshold: 0 to 1. k: as if every run selected its k best. relation: C, or None.
    selectors: labels, by default all that are ready but baselines. Raises InputError for a threshold outside 0 … 1 or an unknown
    label.
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
    line = np.mean([result.frequency_line(label, k) for label in labels]) if result.has_control else np.nan
    table = pd.DataFrame({
        "feature": [result.features[f] for f in ever], "stays": False, "frequency": often, "low": low, "high": high,
        "approval": 0, "selectors": len(labels),
        "rank": np.mean([_median_rank(one, ever) for one in runs], axis=0),
        "any_related": np.mean([any_related(one, relation, ever) for one in runs], axis=0), "group": groups, "line": line})
    if with_places:
        table = add_places(table, places(result, labels))
    shares = {f"{IN}{label}": row[ever] for label, row in zip(labels, each, strict=True)}
    table = at_threshold(table.assign(**shares), threshold)
    if with_swaps:
        table.insert(list(table.columns).index(next(iter(shares))), "swaps_with", _swaps_with(result, table, k, relation, labels))
    return table.sort_values(["frequency", "rank"], ascending=[False, True], kind="stable", ignore_index=True)


def at_threshold(table, threshold) -> pd.DataFrame:
    """The same panel with another threshold, on which nothing but `stays` and `approval` depends."""
    shares = table[[name for name in table if name.startswith(IN)]]
    return table.assign(stays=table["frequency"] >= threshold - 1e-9, approval=(shares >= threshold - 1e-9).sum(axis=1))


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


def add_places(table, known):
    """A panel with the columns place_low and place_high, of an analysis.places.places."""
    known = known.set_index("feature")
    return table.assign(place_low=table["feature"].map(known["low"]), place_high=table["feature"].map(known["high"]))


def false_features(result: Results, threshold: float = THRESHOLD, k: int | None = None,
                   selectors: Sequence[str] | None = None) -> pd.DataFrame:
    """DataFrame, one row a selector: how many features stay, and how many false ones such panels hold at most, on average.

    stays: features selected in at least `threshold` of its runs; q: mean number selected; one column a bound of BOUNDS (see
    inference.error_control.expected_false) on the mean over studies, NaN where it is not defined; any_false: the largest share of
    studies with any false feature, min(1, unimodal), by Markov's inequality; reason: why there is none. The bounds are theorems
    about complementary halves, so every other plan is refused with that reason.
    result: a Results; threshold: a share of the runs, 0 to 1; k: as if every run selected its k best. selectors: labels, by
    default all that are ready but baselines. Raises InputError for a threshold outside 0 … 1 or an unknown label.
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80.
    """
    import pandas as pd

    _refuse_threshold(threshold)
    rows = []
    for label in chosen_selectors(result, selectors):
        runs = result.preferences(label, k)
        q, reason = float(runs.sizes.mean()), no_bound(result, threshold)
        bounds = {bound: np.nan if reason else expected_false(q, runs.n_features, threshold, runs.n_runs // 2, bound)
                  for bound in BOUNDS}
        stays = int((runs.frequencies >= threshold - 1e-9).sum())
        rows.append({"selector": label, "stays": stays, "q": q, **bounds, "any_false": np.minimum(1.0, bounds[UNIMODAL]),
                     "reason": reason})
    return pd.DataFrame(rows, columns=["selector", "stays", "q", *BOUNDS, "any_false", "reason"])


def no_bound(result, threshold=THRESHOLD) -> str:
    """Why nothing bounds the number of false features of a result; "" where something does."""
    if result.plan is None:
        return "The bounds on false features hold for runs on separate halves of the rows; how these runs were made is not known."
    if not result.plan.separate_halves:
        return ("The bounds on false features hold for runs on separate halves of the rows. These runs share more of their rows, "
                "so a feature can come back without any signal: run the study with the plan of complementary halves.")
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
