"""The profile of one feature: its frequency, ranks, importance and substitutes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import is_single_selector, runs_by_selector
from stabcore.analysis.substitutes import compared_pairs
from stabcore.base.errors import InputError
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult

PARTNER_COLUMNS = ["partner", "related", "both", "only_this", "only_partner", "association", "p_holm"]


@public
def feature_profile(runs: AnyResult | Mapping[str, Selections] | Selections, feature: str) -> pd.DataFrame:
    """DataFrame(selector, frequency, runs, rank_low, rank_middle, rank_high, ranked, importance): one row per selector.

    frequency: share of the runs that select the feature. rank_low … rank_high: quartiles of its rank (1 = best, Hazen's) over the
    `ranked` runs that rank it. importance: mean share of a run's importance over the runs that select it. NaN where runs carry no
    ranks or importances.

    Parameters
    ----------
    runs : StudyResult or Results, dict or Selections
        A result, {selector: Selections}, or Selections (then without the column selector).
    feature : str
        Name of the feature.

    Raises
    ------
    InputError
        For an unknown name.

    References
    ----------
    Source: Meinshausen & Bühlmann 2010, JRSS B 72:417-473, for selection frequencies. Ranks and importances are ours.

    Examples
    --------
    >>> sc.feature_profile(result, "A")["selector"].tolist()
    ['mim', 'random_forest']
    """
    rows = []
    for label, runs_of_one in runs_by_selector(runs).items():
        f = _feature_number(runs_of_one, feature)
        chosen = runs_of_one.selection_matrix[:, [f]].toarray().ravel() > 0
        quartiles, ranked = _ranks(runs_of_one, f)
        rows.append([label, float(chosen.mean()), runs_of_one.n_runs, *quartiles, ranked, _importance(runs_of_one, f, chosen)])
    columns = ["selector", "frequency", "runs", "rank_low", "rank_middle", "rank_high", "ranked", "importance"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.drop(columns="selector") if is_single_selector(runs) else frame


def feature_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): the rank of a feature in every run that ranks it, of the selectors that rank."""
    parts = []
    for label, runs in runs_of.items():
        if runs.ranks is not None or runs.scores is not None:
            ranks = runs.ranking()[:, _feature_number(runs, feature)]
            ranked = np.flatnonzero(~np.isnan(ranks))
            parts.append(pd.DataFrame({"selector": label, "run": ranked + 1, "rank": ranks[ranked]}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["selector", "run", "rank"])


def usual_rank_ranges(frame):
    """DataFrame(low, high, inside, runs), one row per selector of a frame of `feature_ranks`: the range of ≥ 90% of its ranks.

    inside: the number of runs in that range, of `runs`.
    """
    ranks = frame.groupby("selector", sort=False)["rank"]
    table = ranks.agg(
        low=lambda places: places.quantile(0.05, "lower"), high=lambda places: places.quantile(0.95, "higher"), runs="size"
    )
    low, high = (frame["selector"].map(table[end]) for end in ("low", "high"))
    return table.assign(inside=frame["rank"].between(low, high).groupby(frame["selector"]).sum())


def feature_substitutes(
    runs: Selections, feature: str, similarity: Similarity | None = None, most: int = 10, level: float = 0.05
) -> pd.DataFrame:
    """DataFrame(partner, related, both, only_this, only_partner, association, p_holm): substitutes of a feature, clearest first.

    The pairs of `analysis.substitutes.substitutes` with this feature, of one selector. p_holm: with Holm's correction over all
    compared pairs of that selector, or with a similarity over the similar ones (C > 0). Only those below `level` are returned. The
    other columns are shares of the runs. In simulated noise, a feature in half of the runs had one in 0 to 13% of 60 tables of each
    kind. Corrected over the partners of this feature alone, it was 0 to 35% with 50 runs and up to 98% with 200.
    Source: see analysis.substitutes.
    """
    _feature_number(runs, feature)
    pairs = compared_pairs(runs, similarity)
    pairs = pairs if similarity is None else pairs[pairs["related"] > 0]
    pairs = pairs.assign(p_holm=holm(pairs["p"].to_numpy(dtype=float)))
    turned = pairs.rename(
        columns={"feature": "partner", "partner": "feature", "only_this": "only_partner", "only_partner": "only_this"}
    )
    own = pd.concat([each[each["feature"] == feature] for each in (pairs, turned)])
    own = own.assign(rounded=own["association"].round(12))[own["p_holm"] < level]
    return own.sort_values(["p_holm", "rounded"], kind="stable", ignore_index=True)[PARTNER_COLUMNS].head(most)


def _feature_number(runs, feature) -> int:
    try:
        return runs.features.index(feature)
    except ValueError:
        raise InputError(f"There is no feature {feature!r} among the {runs.n_features} of these runs.") from None


def _ranks(runs, f):
    """((3,) quartiles of the ranks of a feature, NaN without any, number of runs that rank it)."""
    ranks = np.empty(0) if runs.ranks is None and runs.scores is None else runs.ranking()[:, f]
    ranks = ranks[~np.isnan(ranks)]
    return (np.percentile(ranks, [25, 50, 75], method="hazen") if len(ranks) else [np.nan] * 3), len(ranks)


def _importance(runs, f, chosen):
    if runs.weights is None or not chosen.any():
        return np.nan
    total = np.asarray(runs.weights.sum(axis=1)).ravel()[chosen]
    weights = runs.weights[:, [f]].toarray().ravel()[chosen]
    return float(np.mean(np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)))
