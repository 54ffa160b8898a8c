"""Would it replicate: what two results, of two cohorts or two selectors, have in common at every number of features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.each import chosen_selectors
from stabcore.analysis.effects import EXPLAINED, effects
from stabcore.analysis.panel import THRESHOLD, any_related
from stabcore.errors import InputError
from stabcore.wording import several

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.data.dataset import Dataset
    from stabcore.relation.relation import Relation
    from stabcore.study.results import Results

DRAWS = 400             # random orders for the band of what stands for each other, which has no formula
SEED = 0


def concordance(first: Results, second: Results, relation: Relation | None = None, selector: str | None = None,
                other: str | None = None, sizes: ArrayLike | None = None) -> pd.DataFrame:
    """DataFrame(k, common, expected, low, high), one row a cardinality: the first k features of both results that are the same.

    common: how many of the first k of one are among the first k of the other; expected, low, high: mean k²/d and 2.5 … 97.5% of
    the hypergeometric law, what two random orders of the d features that both know would have. With a relation also related,
    related_expected, related_low, related_high: the mean of how many of the first k of either have the same feature, or one that
    stands for it (C > 0), among the first k of the other; its band is of DRAWS random orders (seed 0).
    A result's order is that of the mean rank over runs and selectors (consensus); selector, other: of one selector of each.
    relation: C over the features of the first result. Raises InputError where fewer than two features have the same name.
    Source: Irizarry et al. 2005, Nature Methods 2:345-350 (agreement at the top).
    """
    import pandas as pd
    from scipy.stats import hypergeom

    a, b = _places(first, selector), _places(second, other)
    names = [name for name in first.features if name in b]
    d = len(names)
    if d < 2:
        raise InputError(f"The two results have {several(d, 'feature')} of the same name; to be compared they need two or more.")
    order, other_order = (_order([ranks[name] for name in names]) for ranks in (a, b))
    ks = np.arange(1, d + 1) if sizes is None else np.unique(np.asarray(sizes, dtype=int))
    common = np.cumsum(np.bincount(np.maximum(order, other_order), minlength=d))[ks - 1]
    table = pd.DataFrame({"k": ks, "common": common, "expected": ks ** 2 / d, "low": hypergeom.ppf(0.025, d, ks, ks),
                          "high": hypergeom.ppf(0.975, d, ks, ks)})
    if relation is None or relation.n_related == 0:
        return table
    kept = relation.among(np.array([first.features.index(name) for name in names]))
    table["related"] = _related(order, other_order, kept, ks)
    rng = np.random.default_rng(SEED)
    drawn = np.stack([_related(order, rng.permutation(d), kept, ks) for _ in range(DRAWS)])
    table["related_expected"] = drawn.mean(axis=0)
    table["related_low"], table["related_high"] = np.quantile(drawn, [0.025, 0.975], axis=0)
    return table


def replicated(first: Results, second: Results, threshold: float = THRESHOLD, k: int | None = None,
               relation: Relation | None = None, selector: str | None = None, other: str | None = None) -> pd.DataFrame:
    """DataFrame, one row a feature in the panel of either: is it in that of the other, or something that stands for it?

    feature; first, second: share of the runs, mean over the selectors, NaN where a result does not know the feature; in_first,
    in_second: at least the threshold; related_first, related_second: share of the runs with it or any that stands for it.
    replicates: "yes" in both; "related" in one, and in the other at least the threshold with what stands for it; "no"; "unknown"
    where the other does not know it. threshold: a share of the runs, 0 to 1; k: as if every run selected its k best; relation:
    C over the features of the first result. selector, other: of one selector of each result, by default all but baselines.
    Raises InputError for a threshold outside 0 … 1 or an unknown label. Source: REMARK (McShane et al. 2005) asks for it; this form
    is ours.
    """
    import pandas as pd

    columns = {}
    for which, result, label in (("first", first, selector), ("second", second, other)):
        own = None if relation is None or result is not first and result.features != first.features else relation
        runs = [result.preferences(one, k) for one in chosen_selectors(result, None if label is None else [label])]
        index = np.arange(len(result.features))
        columns[which] = pd.Series(np.mean([one.frequencies for one in runs], axis=0), result.features)
        columns[f"related_{which}"] = pd.Series(np.mean([any_related(one, own, index) for one in runs], axis=0), result.features)
    table = pd.DataFrame(columns).rename_axis("feature").reset_index()
    inside = {which: table[which] >= threshold - 1e-9 for which in ("first", "second")}
    table = table.assign(**{f"in_{which}": one for which, one in inside.items()})
    table = table[inside["first"] | inside["second"]]
    table["replicates"] = [_verdict(row, threshold) for row in table.to_dict("records")]
    best = table[["first", "second"]].mean(axis=1)
    return table.assign(best=best).sort_values("best", ascending=False, ignore_index=True).drop(columns="best")


def same_ways(table: pd.DataFrame, first: Dataset, second: Dataset) -> pd.DataFrame:
    """A table of `replicated` with the effect of each feature in both tables, and whether it goes the same way in both.

    first_effect, second_effect: as analysis.effects tells them, NaN where a table lacks the feature; same_way: True, False, or None
    where one of them is not known or has no direction (more than two classes). The class that counts as the second has to be the
    same in both; so has the level of a category, else None.
    """
    known = [effects(data).set_index("feature").reindex(table["feature"]) for data in (first, second)]
    values = [side["effect"].to_numpy(dtype=float) for side in known]
    alike = (known[0]["level"].to_numpy() == known[1]["level"].to_numpy()) & (first.classes == second.classes) & (
        known[0]["measure"].to_numpy() != EXPLAINED)
    ways = [bool(a * b > 0) if ok and a * b != 0 and np.isfinite(a * b) else None
            for a, b, ok in zip(*values, alike, strict=True)]
    return table.assign(first_effect=values[0], second_effect=values[1], same_way=ways)


def _verdict(row, threshold):
    if np.isnan(row["first"]) or np.isnan(row["second"]):
        return "unknown"
    if row["in_first"] and row["in_second"]:
        return "yes"
    lacking = "second" if row["in_first"] else "first"
    return "related" if row[f"related_{lacking}"] >= threshold - 1e-9 else "no"


def _places(result, selector):
    """{feature: mean rank over runs and selectors}; what a run does not rank comes after all that it ranks."""
    labels = chosen_selectors(result, None if selector is None else [selector])
    total = np.zeros(len(result.features))
    for label in labels:
        runs = result.preferences(label)
        if runs.ranks is None and runs.scores is None:
            total -= runs.frequencies * len(result.features)
        else:
            ranks = runs.ranking()
            total += np.where(np.isnan(ranks), len(result.features), ranks).mean(axis=0)
    return dict(zip(result.features, total, strict=True))


def _order(places):
    """(d,) place of each feature from 0, the smallest first; equal ones in their order in the table."""
    order = np.empty(len(places), dtype=int)
    order[np.argsort(places, kind="stable")] = np.arange(len(places))
    return order


def _nearest(places, relation) -> np.ndarray:
    """(d,) the first place of any feature that stands for each one (C > 0), its own included."""
    first = places.copy()
    if relation.labels is not None:
        grouped = np.flatnonzero(relation.labels >= 0)
        best = np.full(len(relation.group_names), len(places))
        np.minimum.at(best, relation.labels[grouped], places[grouped])
        first[grouped] = best[relation.labels[grouped]]
    if relation.extra is None:
        return first
    pairs = relation.extra.tocoo()
    stands = relation.same_group(pairs.row, pairs.col) + pairs.data > 0
    for f in np.unique(pairs.row[~stands]):         # a pair of its group was taken out by hand
        members = np.flatnonzero(relation.same_group(np.full(len(places), f), np.arange(len(places))))
        apart = pairs.col[(pairs.row == f) & ~stands]
        first[f] = min(places[f], places[np.setdiff1d(members, apart)].min(initial=len(places)))
    np.minimum.at(first, pairs.row[stands], places[pairs.col[stands]])
    return first


def _related(order, other_order, relation, ks):
    """(K,) how many of the first k of either have one that stands for them among the first k of the other, mean of both ways."""
    total = np.zeros(len(ks))
    for own, others in ((order, other_order), (other_order, order)):
        total += np.cumsum(np.bincount(np.maximum(own, _nearest(others, relation)), minlength=len(order)))[ks - 1]
    return total / 2
