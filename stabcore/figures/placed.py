"""Points of selectors by accuracy, stability and size: who dominates whom, and what of that is clear, in numbers and in words."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import above
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON, OPEN, standings
from stabcore.figures.points import BASELINE
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import be, join_tied, joined

NOT_MEASURED = "The noise floor of these selectors was not measured, so none of them is judged."


def points(table, key, accuracy):
    """One row a selector of a result table: stability by one measure, its noise floor, one kind of accuracy, mean size."""
    import pandas as pd

    frame = pd.DataFrame({"selector": table.index, "measure": key})
    for name, column in (("stability", key), ("accuracy", accuracy)):
        for part in ("", "_low", "_high"):
            frame[name + part] = table[column + part].to_numpy(dtype=float) if column + part in table else np.nan
    for name, other in (("measured", frame["stability"]), ("floor", np.nan), ("clear", False)):
        frame[name] = table[f"{key}_{name}"].to_numpy() if f"{key}_{name}" in table else other
    return frame.assign(size=table["mean_size"].to_numpy(dtype=float))


def by_criterion(pairs, key, accuracy):
    """{criterion: the differences of every two selectors in it, or None} of {measure, score or "size": the same}."""
    pairs = pairs or {}
    return {"accuracy": pairs.get(accuracy), "stability": pairs.get(key), "size": pairs.get("size")}


def measured(frame) -> bool:
    """Was the noise floor of these points measured, so that they can be judged?"""
    return bool(rivals(frame)["floor"].notna().any())


def placed(frame, pairs, criteria=CRITERIA, smaller=()):
    """The points with beaten_by, on_front and standing; pairs as by_criterion gives them. Baselines do not compete.

    Without a measured noise floor nothing is clear, in any criterion: there is no verdict.
    """
    own, judged = rivals(frame), measured(frame)
    clear = [above(pairs[one] if judged else None, own["selector"], smaller=one in smaller) for one in criteria]
    standing = standings(own, clear, criteria, smaller=smaller)[["beaten_by", "on_front", "standing"]].reindex(frame.index)
    yardstick = frame["selector"].map(is_baseline) & frame[list(criteria)].notna().all(axis=1)
    return frame.assign(beaten_by=standing["beaten_by"].astype(float), on_front=standing["on_front"].eq(True),
                        standing=standing["standing"].fillna("").mask(yardstick, BASELINE))


def sentence_standing(frame, better, lead="") -> str:
    """Who is not dominated as far as these runs tell, and of whom they leave it open. better: what dominating is, in words."""
    known = frame[frame["beaten_by"].notna() & (frame["standing"] != BASELINE)]
    if not measured(known):
        return NOT_MEASURED
    on, open_, beaten = (known[known["standing"] == one]["selector"].tolist() for one in (ON, OPEN, BEATEN))
    if len(known) == 1:
        return f"{lead}{known['selector'].iloc[0]} is the only selector that can be placed."
    first = f"no other selector is {better} than {joined(on, 'or')}" if on else (
        f"{join_tied(open_, 5)} {be(len(open_))} not distinguishable") if open_ else ""
    sentence = lead + first
    told = [f"{sentence[0].upper()}{sentence[1:]}."] if first else []
    return " ".join([*told, *([f"{join_tied(beaten, 5)} {be(len(beaten))} dominated."] if beaten else [])])


def movement(before, after) -> str:
    """What becomes clear, and what does not stay clear, from one front to another, as part of a sentence."""
    was, now = (one.set_index("selector")["standing"] for one in (before, after))
    changed = [one for one in now.index if was.get(one) and now[one] and was[one] != now[one]]
    on, beaten, open_ = ([one for one in changed if now[one] == standing] for standing in (ON, BEATEN, OPEN))
    parts = [f"{joined(who)} {be(len(who))} now {words}" for who,
             words in ((on, "clearly on the front"), (beaten, "dominated"), (open_, "not distinguishable from the front")) if who]
    return joined(parts) if parts else "nothing changes that these runs can tell"


def missing(frame) -> str:
    """Which selectors cannot be placed, or nothing."""
    lost = list(dict.fromkeys(frame[frame["standing"] == ""]["selector"]))
    return f"Not drawn, because a criterion is missing: {joined(lost)}." if lost else ""
