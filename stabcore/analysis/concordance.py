"""Concordance: features that two results, of two cohorts or two selectors, share at every number of features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.analysis.effects import EXPLAINED, effects
from stabcore.analysis.panel import THRESHOLD, related_frequencies
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import counted
from stabcore.base.validation import number_list
from stabcore.data.dataset import Dataset
from stabcore.inference.panel_rule import PanelRule
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

DRAWS = 400  # random orders for the range with similar features, which has no formula
TIE_ORDERS = 20  # orders to average with similar features, if features are tied
SEED = 0
LEVEL = 0.05
CHANCE, SHUFFLED = "chance", "shuffled"


@public
def concordance(
    first: AnyResult,
    second: AnyResult,
    similarity: Similarity | None = None,
    selector: str | None = None,
    other: str | None = None,
    sizes: ArrayLike | None = None,
) -> pd.DataFrame:
    """Count the features that two results share among their first k, for every k, and the number expected without signal.

    Parameters
    ----------
    first, second : AnyResult
        Two results. Features are matched by name.
    similarity : Similarity, optional
        C over the features of the first result.
    selector, other : str, optional
        One selector of each. By default the ranks of all but baselines are averaged.
    sizes : array_like of int, optional
        Values of k, by default all.

    Returns
    -------
    DataFrame
        k, common, expected, low, high, p, clear, beside. With a permutation control in both, beside is "shuffled". Then expected,
        low and high are the mean and the 2.5 and 97.5% points over all pairs of a shuffle of each. p = (1 + #)/(pairs + 1) counts
        the pairs with at least as many in common, and clear is p ≤ 0.05. Else beside is "chance": k²/d and the hypergeometric
        distribution of two random rankings. That ignores correlated features, so p is NaN and clear False. With a similarity also
        related, related_expected, related_low, related_high: the same for features that are in the other list or similar to one
        there (C > 0).

    Raises InputError if fewer than two features have the same name.

    Notes
    -----
    The ranking of a result uses the mean rank over runs and selectors. Ties, and features that a run does not rank, share the mean
    of their ranks. For features with equal mean ranks, common is the expected number over all orders. The order of the table never
    matters.

    Source: Irizarry et al. 2005, Nature Methods 2:345-350 (agreement at the top).

    Examples
    --------
    >>> list(sc.concordance(result, result, sizes=[5]))
    ['k', 'common', 'expected', 'low', 'high', 'p', 'clear', 'beside']
    """
    similarity = None if similarity is None else Similarity.of(similarity)
    first, second = Results.of(first), Results.of(second)
    matched = [name for name in first.features if name in set(second.features)]
    d = len(matched)
    if d < 2:
        raise InputError(f"The two results have {counted(d, 'feature')} with the same name. A comparison needs two or more.")
    index = [np.array([names.index(name) for name in matched]) for names in (list(first.features), list(second.features))]
    sides = list(zip((first, second), (selector, other), index, strict=True))
    places = [
        rank_sums([result.selections(name) for name in _labels(result, label)])[of_matched] for result, label, of_matched in sides
    ]
    ks = np.arange(1, d + 1) if sizes is None else number_list(sizes, "sizes").astype(int)
    table = pd.DataFrame({"k": ks, "common": _expected_common(places[0], places[1], ks)})
    shared_similarity = None if similarity is None or similarity.n_related == 0 else similarity.among(index[0])
    rng = np.random.default_rng(SEED)
    shuffled = [[place[of_matched] for place in _shuffled_ranks(result, label)] for result, label, of_matched in sides]
    null = _shuffle_pair_counts(shuffled, ks, shared_similarity, rng)
    table = table.assign(**_expected_columns(table["common"].to_numpy(), ks, d, None if null is None else null[0]))
    if shared_similarity is None:
        return table
    orders = [[_random_order(place, rng) for place in places] for _ in range(TIE_ORDERS if _has_ties(places) else 1)]
    table["related"] = np.mean([_related_counts(order, another, shared_similarity, ks) for order, another in orders], axis=0)
    if null is None:
        drawn = np.stack([_related_counts(orders[0][0], rng.permutation(d), shared_similarity, ks) for _ in range(DRAWS)])
    return table.assign(**_range_columns(drawn if null is None else null[1], "related_"))


def _expected_columns(common, ks, d, null):
    """Columns on the overlap of the results without signal. null: (pairs of shuffles, K) shared, or None without a control."""
    from scipy.stats import hypergeom

    if null is None:
        low, high = (hypergeom.ppf(share, d, ks, ks) for share in (0.025, 0.975))
        return {"expected": ks**2 / d, "low": low, "high": high, "p": np.nan, "clear": False, "beside": CHANCE}
    p = (1 + (null >= common - 1e-9).sum(axis=0)) / (len(null) + 1)
    return _range_columns(null, "") | {"p": p, "clear": p <= LEVEL, "beside": SHUFFLED}


@public
def replication(
    first: AnyResult,
    second: AnyResult,
    threshold: float = THRESHOLD,
    k: int | None = None,
    similarity: Similarity | None = None,
    selector: str | None = None,
    other: str | None = None,
) -> pd.DataFrame:
    """DataFrame, one row per feature in the panel of either result: whether the other panel has it, or a similar feature.

    first, second: selection frequency in each result. in_first, in_second: whether it is at least the threshold. related_first,
    related_second: share of the runs with the feature or a similar one. replicates: "yes" if it is in both panels, "related" if it
    is in one and similar features are in the other, "no", or "unknown" if the other table lacks it.

    Parameters
    ----------
    first, second : StudyResult or Results
        Two results. Features are matched by name.
    threshold : float, optional
        A share of the runs, 0 to 1.
    k : int, optional
        As if every run selected its k best.
    similarity : Similarity, optional
        C over the features of the first result.
    selector, other : str, optional
        One selector of each result, by default all but baselines.

    Raises
    ------
    InputError
        For a threshold outside 0 … 1 or an unknown label.

    References
    ----------
    Source: REMARK (McShane et al. 2005) asks for replication. This form is ours.

    Examples
    --------
    >>> list(sc.replication(result, result))[:2]
    ['feature', 'first']
    """
    PanelRule(value=threshold)  # raises InputError unless it is a share
    similarity = None if similarity is None else Similarity.of(similarity)
    first, second = Results.of(first), Results.of(second)
    columns = {}
    for which, result, label in (("first", first, selector), ("second", second, other)):
        usable = None if similarity is None or result is not first and result.features != first.features else similarity
        every, runs = np.arange(len(result.features)), [result.selections(name, k) for name in _labels(result, label)]
        columns[which] = pd.Series(np.mean([run.frequencies for run in runs], axis=0), result.features)
        columns[f"related_{which}"] = pd.Series(
            np.mean([related_frequencies(run, usable, every) for run in runs], axis=0), result.features
        )
    table = pd.DataFrame(columns).rename_axis("feature").reset_index()
    inside = {which: table[which] >= threshold - 1e-9 for which in ("first", "second")}
    table = table.assign(**{f"in_{which}": inside_panel for which, inside_panel in inside.items()})
    table = table[inside["first"] | inside["second"]]
    table["replicates"] = [_verdict(row, threshold) for row in table.to_dict("records")]
    best = table[["first", "second"]].mean(axis=1)
    return table.assign(best=best).sort_values("best", ascending=False, ignore_index=True).drop(columns="best")


def add_directions(table: pd.DataFrame, first: Dataset, second: Dataset) -> pd.DataFrame:
    """A table of `replication` with the effect of each feature in both tables, and whether its direction is the same.

    first_effect, second_effect: from analysis.effects, NaN if a table lacks the feature. same_way: True, False, or None
    if one of them is unknown or has no direction (more than two classes). The second class must be the
    same in both, and so must the level of a category, else None.
    """
    effects_of = [effects(data).set_index("feature").reindex(table["feature"]) for data in (first, second)]
    values, levels = ([side[name].to_numpy() for side in effects_of] for name in ("effect", "level"))
    directed = effects_of[0]["measure"].to_numpy() != EXPLAINED
    comparable = (levels[0] == levels[1]) & (first.classes == second.classes) & directed
    ways: list[Any] = [
        bool(a * b > 0) if ok and a * b != 0 and np.isfinite(a * b) else None for a, b, ok in zip(*values, comparable, strict=True)
    ]
    return table.assign(first_effect=values[0], second_effect=values[1], same_way=ways)


def _verdict(row, threshold):
    if np.isnan(row["first"]) or np.isnan(row["second"]):
        return "unknown"
    if row["in_first"] and row["in_second"]:
        return "yes"
    lacking = "second" if row["in_first"] else "first"
    return "related" if row[f"related_{lacking}"] >= threshold - 1e-9 else "no"


def _labels(result, selector):
    return chosen_selectors(result, None if selector is None else [selector])


def rank_sums(of_selectors):
    """(d,) sum over selectors of the mean ranks of their runs."""
    return np.round(sum(_mean_ranks(runs) for runs in of_selectors), 9)


def _mean_ranks(runs):
    """(d,) mean rank of each feature over the runs. Ties, and features that a run does not rank, have the mean of their ranks."""
    d, total = runs.n_features, np.zeros(runs.n_features)
    if runs.ranks is None and runs.scores is None:
        return -runs.frequencies * d
    for ranks, scores in zip(runs.ranking(), runs.scores if runs.scores is not None else [None] * runs.n_runs, strict=True):
        ranked = ~np.isnan(ranks)
        places = np.full(d, (ranked.sum() + 1 + d) / 2)
        places[ranked] = ranks[ranked]
        if scores is not None:
            same = np.unique(scores[ranked], return_inverse=True)[1]
            places[ranked] = (np.bincount(same, weights=places[ranked]) / np.bincount(same))[same]
        total += places
    return total / runs.n_runs


def _shuffled_ranks(result, selector):
    """[(d,) ranks] of each shuffle of the outcome that all selectors finished. Empty without a permutation control."""
    of_labels = [[runs for _, runs in result.shuffled(label)] for label in _labels(result, selector) if result.has_control]
    return [rank_sums(of_selectors) for of_selectors in zip(*of_labels, strict=False)]


def _shuffle_pair_counts(both, ks, similarity, rng):
    """((P, K) common, (P, K) related or None) of every shuffle of one with every shuffle of the other. None without shuffles."""
    if not all(both):
        return None
    orders = [[_random_order(ranking, rng) for ranking in side] for side in both]
    pairs = [(a, b) for a in orders[0] for b in orders[1]]
    common = np.stack([np.cumsum(np.bincount(np.maximum(a, b), minlength=len(a)))[ks - 1] for a, b in pairs])
    return common, None if similarity is None else np.stack([_related_counts(a, b, similarity, ks) for a, b in pairs])


def _range_columns(drawn, prefix):
    """Columns of mean and range of (P, K) numbers."""
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return {f"{prefix}expected": drawn.mean(axis=0), f"{prefix}low": low, f"{prefix}high": high}


def _expected_common(first, second, ks):
    """(K,) expected number of common features among the first k, with ties in random order in both."""
    if not _has_ties([first, second]):
        order = np.maximum(_random_order(first), _random_order(second))
        return np.cumsum(np.bincount(order, minlength=len(order)))[ks - 1].astype(float)
    return np.array([_top_probabilities(first, k) @ _top_probabilities(second, k) for k in ks])


def _top_probabilities(places, k):
    """(d,) probability of each feature to be among the first k."""
    before = np.searchsorted(np.sort(places), places, side="left")
    same = np.searchsorted(np.sort(places), places, side="right") - before
    return np.clip((k - before) / same, 0, 1)


def _has_ties(sides):
    return any(len(np.unique(side)) < len(side) for side in sides)


def _random_order(places, rng=None):
    """(d,) rank of each feature from 0, the smallest first, ties in random order."""
    order = np.empty(len(places), dtype=int)
    ties = np.zeros(len(places)) if rng is None else rng.random(len(places))
    order[np.lexsort((ties, places))] = np.arange(len(places))
    return order


def _best_related_ranks(places, similarity) -> np.ndarray:
    """(d,) the best rank of any feature similar to each one (C > 0), including itself."""
    first = places.copy()
    if similarity.labels is not None:
        grouped = np.flatnonzero(similarity.labels >= 0)
        best = np.full(len(similarity.group_names), len(places))
        np.minimum.at(best, similarity.labels[grouped], places[grouped])
        first[grouped] = best[similarity.labels[grouped]]
    if similarity.extra is None:
        return first
    pairs = similarity.extra.tocoo()
    stands = similarity.same_group(pairs.row, pairs.col) + pairs.data > 0
    for f in np.unique(pairs.row[~stands]):  # a pair of its group was removed by hand
        members = np.flatnonzero(similarity.same_group(np.full(len(places), f), np.arange(len(places))))
        apart = pairs.col[(pairs.row == f) & ~stands]
        first[f] = min(places[f], places[np.setdiff1d(members, apart)].min(initial=len(places)))
    np.minimum.at(first, pairs.row[stands], places[pairs.col[stands]])
    return first


def _related_counts(order, other_order, similarity, ks):
    """(K,) number of the first k of one result with a similar feature among the first k of the other, averaged over both."""
    total = np.zeros(len(ks))
    for selected, others in ((order, other_order), (other_order, order)):
        total += np.cumsum(np.bincount(np.maximum(selected, _best_related_ranks(others, similarity)), minlength=len(order)))[ks - 1]
    return total / 2
