"""What Bommert et al. 2017 make of a random search: criteria of every configuration, fronts by measure, and a second look."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.pareto import front, within
from stabcore.data.dataset import Dataset
from stabcore.inference.estimate import terms_of
from stabcore.measures.catalog import entry
from stabcore.study.search import confirm_study

# what they call it: the measure, and its options
MEASURES = {"SJ": ("jaccard", {}), "SD": ("dice", {}), "SO": ("ochiai", {}), "SN": ("novovicova", {}),
            **{f"SD-{alpha}": ("davis", {"penalty": float(alpha)}) for alpha in (0, 1, 2, 10)},
            "SL": ("lustgarten", {}), "SS": ("somol", {}), "SC": ("phi", {})}
UNCORRECTED, FEWER_IS_BETTER = ("SJ", "SD", "SO", "SN", "SD-0"), ("SD-1", "SD-2", "SD-10")
MARGIN = 0.05           # of the error that may be lost for stability and size
CONFIRMED = 12          # configurations that are looked at again


def searched(source, tell):
    """The StudyResult of the search of the settings file `bommert`."""
    return source.study("bommert", tell)


def criteria(result):
    """DataFrame(selector, filter, learner, error, size, a column a measure), one row a configuration that selected anything."""
    import pandas as pd

    accuracy = result.accuracy()
    options = {result.called(one["label"]): one["options"] for one in result.settings["selectors"]}
    rows = []
    for label in result.ready:
        runs = result.preferences(label)
        if not runs.sizes.any():
            continue
        values = {called: terms_of(runs, entry(key), None, given | ({"undefined": 0.0} if "undefined" in entry(key).options else {})
                                   ).value() for called, (key, given) in MEASURES.items()}
        rows.append({"selector": label, "filter": options[label]["filter"], "learner": options[label]["learner"],
                     "error": 1 - accuracy.loc[label, "accuracy"], "size": runs.sizes.mean(), **values})
    return pd.DataFrame(rows)


def fronts(points, measures=tuple(MEASURES)):
    """DataFrame(selector, measure): the configurations that no other beats in error, size and stability, by each measure."""
    import pandas as pd

    parts = [front(points, ("error", "size", one), smaller=("error", "size")).query("on_front")[["selector"]].assign(measure=one)
             for one in measures]
    return pd.concat(parts, ignore_index=True)


def good(points):
    """Only the configurations whose error is within 0.05 of the least."""
    return within(points, "error", MARGIN, smaller=("error",))


def second_look(source, tell, measure="SC"):
    """DataFrame(selector, kind, error, size, stability, error there, size there, stability there): chosen configurations, again.

    Chosen on one half: those good enough that no other beats in stability and size ("front"), and the most accurate ("accurate");
    a configuration that is both stands in two rows.
    """
    import pandas as pd

    result = searched(source, tell)
    points = source.once("criteria", lambda: criteria(result))
    best = points[points["error"] <= points["error"].min() + 1e-12]
    few = front(good(points), ("size", measure), smaller=("size",)).query("on_front").sort_values("size")
    chosen = pd.concat([few.assign(kind="front").head(CONFIRMED // 2), best.assign(kind="accurate").head(CONFIRMED // 2)])
    data: Dataset = source.data("bommert")
    labels = chosen["selector"].tolist()
    again = source.run(confirm_study(data, result, list(dict.fromkeys(labels))), "bommert-again", tell)
    there = criteria(again).set_index("selector").reindex(labels)
    there.columns = [f"{name} there" for name in there.columns]
    both = pd.concat([chosen.reset_index(drop=True), there.reset_index(drop=True)], axis=1)
    shown = ["selector", "kind", *(name + place for place in ("", " there") for name in ("error", "size", measure))]
    return both[shown].rename(columns={measure: "stability", f"{measure} there": "stability there"})


def rank_correlations(points, measures=tuple(MEASURES)):
    """DataFrame of Spearman correlations of every two measures over the configurations."""
    return points[list(measures)].corr(method="spearman")


def mean_within(table, names):
    """The mean correlation of every two of some measures; one that is the same everywhere has none with any."""
    inside = table.loc[list(names), list(names)].to_numpy()
    return float(np.nanmean(inside[np.triu_indices(len(names), 1)]))
