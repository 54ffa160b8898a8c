"""Selectors whose accuracies cannot be told apart: among them stability decides, as far as it can."""

from __future__ import annotations

from stabcore.analysis.pairs import above
from stabcore.selectors.baseline import is_baseline
from stabcore.wording import joined, rounded


def table_alike(groups, predictions, table, key, stabilities=None):
    """DataFrame(group, selector, accuracy, stability, floor, most_stable, reach, detectable): selectors of one accuracy.

    groups, predictions: as `indistinguishable` gives them; table: with each stability beyond its noise floor, where that was
    measured, as analysis.beyond.beyond_floor gives it; stabilities: the differences of every two selectors by the measure
    `key`, see analysis.pairs. most_stable: none of the group is clearly more stable. reach: how large a difference the intervals
    of the group leave possible; detectable: from where on each two of them would have differed in 8 of 10 such studies. A baseline
    can be as accurate as others, but is not compared in stability.
    """
    import pandas as pd

    rows = []
    for number, group in enumerate(groups, start=1):
        own = table.reindex(list(group))
        no_rival = own[key].isna().to_numpy() | own.index.map(is_baseline).to_numpy(dtype=bool)
        beaten = above(stabilities, list(group)).any(axis=0) | no_rival
        inside = predictions[predictions["first"].isin(group) & predictions["second"].isin(group)]
        reach = inside[["low", "high"]].abs().max().max()
        rows += [[number, label, row["accuracy"], row[key], row[f"{key}_floor"], not below, reach, inside["detectable"].max()]
                 for (label, row), below in zip(own.iterrows(), beaten, strict=True)]
    return pd.DataFrame(rows, columns=["group", "selector", "accuracy", "stability", "floor", "most_stable", "reach", "detectable"])


def sentence_alike(own) -> str:
    """One group of table_alike in one sentence: who is equally accurate as far as can be seen, how far that is, who is stable."""
    names, best, first = own["selector"].tolist(), own[own["most_stable"]], own.iloc[0]
    if len(names) == 1:
        return f"The accuracy of {names[0]} differs from that of every other selector that predicted the same rows."
    seen = (f"only from about {rounded(first['detectable'])} on would a difference be seen in 8 of 10 such studies"
            if first["detectable"] < 1 else "on so few patients no difference would be seen, however large")
    reach = rounded(first["reach"])
    alike = f"The accuracies of {joined(names)} cannot be told apart: they may differ by up to {reach}, and {seen}"
    beyond = " beyond its noise floor" if own["floor"].notna().any() else ""
    rivals = sum(not is_baseline(name) for name in names)
    if rivals < 2:
        return f"{alike}."
    if best.empty:
        return f"{alike}. None of them has a stability that is defined."
    if len(best) == 1:
        return f"{alike}. The most stable of them{beyond} is {best['selector'].iloc[0]} ({rounded(best['stability'].iloc[0])})."
    than = "another" if len(best) == rivals else joined(best["selector"].tolist(), "or")
    return f"{alike}. None of them is clearly more stable{beyond} than {than}."
