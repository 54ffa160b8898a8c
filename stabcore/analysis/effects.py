"""Which way and how much: the relation of every feature to the outcome, on all rows and on those of every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import effect_sizes as sizes

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.data.dataset import Dataset
    from stabcore.study.results import Results

AUC, DIFFERENCE, MEDIANS = "AUC", "standardised difference", "median difference"
EXPLAINED, RANK, SHARES = "share explained (η²)", "rank correlation", "difference of shares"

MUTE = frozenset("yes no y n ja nein oui non true false 0 1 2 0.0 1.0 2.0 positive negative".split())       # names of classes


def effects(data: Dataset, result: Results | None = None, selector: str | None = None, k: int | None = None) -> pd.DataFrame:
    """DataFrame, one row a feature: which way it goes with the outcome, by how much, and how that held in the runs of a selector.

    feature, kind            its name; "number" or "category"
    level                    of a category the level of which the share differs most (so its effect flatters), "" of a number
    direction                in words: "higher in sick", "more often yes in sick", "rises with age"; "" where nothing is known
    effect, low, high        the effect that is comparable between features, with its 95% interval for new patients, and what it is
    measure                  called: the standardised difference (two classes), η² (more), Spearman's ρ (a number)
    auc, auc_low, auc_high   of two classes, P(a row of the one that is told of has more)
    median, median_low, median_high    of two classes and a number, in the units of the table
    known                    rows in which it is recorded
    Intervals count a patient of several rows once for what they tell alike (inference.repeated).
    With a result, its rows being those of the runs:
    same_sign                share of the runs on whose own rows the effect has the sign that it has on all rows
    exaggeration             mean effect over the runs that selected it, over that over all runs, − 1: what is chosen flatters, see
                             inference.effect_sizes.overstated
    data: the table; selector: label, by default the first that is ready; k: as if every run had selected its k best.
    Raises InputError where the result is of another table or brought.
    Source: Heinze, Wallisch & Dunkler 2018, Biometrical Journal 60:431-449; intervals: stabcore.inference.effect_sizes.
    """
    import pandas as pd

    X, levels = columns_of(data)
    table = pd.DataFrame({"feature": data.features, "kind": np.where(data.table.categorical, "category", "number"),
                          "level": levels})
    measure, estimate = _main(data)
    outcome = _outcome(data)
    value, low, high = estimate(X, outcome, data.patients)
    table = table.assign(effect=value, low=low, high=high, measure=measure)
    if len(data.classes) == 2:
        for name, other in (("auc", sizes.area_under_curve), ("median", sizes.median_difference)):
            ends = other(X, outcome, data.patients)
            table = table.assign(**dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True)))
        table.loc[table["kind"] == "category", ["median", "median_low", "median_high"]] = np.nan
    table.insert(3, "direction", [_direction(data, *row, measure) for row in zip(signed(table), levels, strict=True)])
    table["known"] = (~np.isnan(np.asarray(data.table.values))).sum(axis=0)
    if result is None:
        return table
    by_run, runs = effects_by_run(data, result, selector, k)
    with np.errstate(invalid="ignore", divide="ignore"):
        table["same_sign"] = np.where(np.isnan(value), np.nan, (np.sign(by_run) == np.sign(value)).mean(axis=0))
        if measure == EXPLAINED:
            table["same_sign"] = np.nan         # it has no sign
    table["exaggeration"] = sizes.overstated(by_run, runs.selection_matrix.toarray() > 0)
    return table


def ways(data: Dataset) -> dict[str, str]:
    """{feature: which way it goes with the outcome on all rows, in words that features share}; {} where no way is defined.

    Two classes: higher (of a category: more often its level) or lower in the one that is told of (Dataset.told_of); a number: rises
    or falls with it. A feature of which nothing is known, or that differs by nothing, has "". Nothing for more classes, between
    which η² has no direction.
    """
    table = effects(data)
    if table["measure"].iloc[0] == EXPLAINED:
        return {}
    named = data.target_name if data.numeric_target else _class(data)
    up, down = (f"{verb} {named}" for verb in (("rises with", "falls with") if data.numeric_target else ("higher in", "lower in")))
    sign = np.sign(np.nan_to_num(signed(table)))
    return {name: up if one > 0 else down if one < 0 else "" for name, one in zip(table["feature"], sign, strict=True)}


def effects_by_run(data, result, selector=None, k=None):
    """((M, d) the main effect of each feature on the rows that each run learned from, the Preferences of these runs)."""
    if result.plan is None:
        raise InputError("Selections that were brought along do not say on which rows they rest, so effects in their runs are not "
                         "known.")
    if result.settings["data"]["fingerprint"] != data.fingerprint:
        raise InputError("This study was made of another table than the one at hand, so effects in its runs cannot be computed. "
                         "Bring the table that the study was made of.")
    label = result.ready[0] if selector is None else selector
    runs, (X, _), outcome = result.preferences(label, k), columns_of(data), _outcome(data)
    _, estimate = _main(data)
    effects = []
    for number in result.run_numbers(label):
        rows = result.plan.resample(number - 1, data.target, result.settings["seed"], data.patients).rows
        effects.append(estimate(X[rows], outcome[rows])[0])
    return np.stack(effects), runs


def columns_of(data):
    """((n, d) numbers, NaN missing; [level] of each feature): a category is the 0/1 of the level that differs most."""
    X, levels = np.array(data.table.values, dtype=float), [""] * data.n_features
    for f in np.flatnonzero(data.table.categorical):
        names = data.levels[data.features[f]]
        known = ~np.isnan(X[:, f])
        each = np.where(known[:, None], X[:, [f]] == np.arange(len(names)), np.nan)
        best = len(names) - 1 if len(names) <= 2 else _most_different(each, data)
        X[:, f], levels[f] = each[:, best], names[best]
    return X, levels


def _most_different(each, data):
    explained = np.abs(_main(data)[1](each, data.target)[0])
    return int(np.nanargmax(explained)) if np.isfinite(explained).any() else 0


def _main(data):
    """(name, function) of the effect that is comparable between features, for the outcome of a dataset."""
    if data.numeric_target:
        return RANK, sizes.rank_correlation
    return (DIFFERENCE, sizes.standardised_difference) if len(data.classes) == 2 else (EXPLAINED, sizes.share_explained)


def signed(table):
    """(d,) the effects; where these divide by nothing, as nothing varies inside the classes, how far the AUC is from ½."""
    value = table["effect"].to_numpy(dtype=float)
    return np.where(np.isnan(value), table["auc"].to_numpy(dtype=float) - 0.5, value) if "auc" in table else value


def _direction(data, value, level, measure):
    if np.isnan(value) or value == 0 or measure == EXPLAINED:
        return ""
    if measure == RANK:
        what = f"more often {level} with more" if level else "rises with"
        fewer = f"less often {level} with more" if level else "falls with"
        return f"{what if value > 0 else fewer} {data.target_name}"
    way = (f"more often {level}" if value > 0 else f"less often {level}") if level else ("higher" if value > 0 else "lower")
    return f"{way} in {_class(data)}"


def _outcome(data):
    """(n,) the outcome as numbers; of two classes 1 in the one that is told of."""
    return 1 - data.target if len(data.classes) == 2 and data.told_of == 0 else data.target


def _class(data):
    """The class that is told of as it stands in sentences: sick, or relapse = yes where its name alone says nothing."""
    name = data.classes[data.told_of]
    return f"{data.target_name} = {name}" if name.lower() in MUTE else name
