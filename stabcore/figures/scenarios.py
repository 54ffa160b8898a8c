"""Scenarios side by side: a dumbbell from one relation C to each other one, and which lead of a selector depends on C."""

from __future__ import annotations

from stabcore.analysis.floors import blind
from stabcore.analysis.pairs import LEVEL
from stabcore.analysis.scenarios import LOST, MAYBE, SHIFTED, TURNS, across_scenarios
from stabcore.figures.beyond import draw_beyond, frame_beyond, measured
from stabcore.figures.estimates import written
from stabcore.figures.names import short
from stabcore.figures.style import initials, safe
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import be, join_tied, joined, rounded, several

NOT_JUDGED = "No noise floor is known, so it is not judged what depends on which features count as the same."
VERDICTS = {TURNS: "turns round", LOST: "depends on it", SHIFTED: "by how much depends on it", MAYBE: "cannot be told",
            "holds": "holds under all", "never clear": "never clear"}


def frame_scenarios(result, scenarios, against=None, k=None):
    """DataFrame of stabcore.analysis.scenarios.across_scenarios as a frame_beyond with a panel for each scenario, that which others
    are held against first, by which selectors are sorted; and text, the value as people write it."""
    frame = across_scenarios(result, scenarios, against=against, k=k)
    base = frame["against"].iloc[0]
    order = [base, *(name for name in scenarios if name != base)]
    shown = frame_beyond({name: frame[frame["scenario"] == name].set_index("selector") for name in order}, blind(result))
    rest = frame.drop(columns=[name for name in shown if name in frame and name != "selector"])
    shown = shown.merge(rest.rename(columns={"scenario": "panel"}), on=["selector", "panel"])
    shown["scenario"] = shown["panel"]
    return shown.assign(text=[written(*row) for row in shown[["value", "low", "high"]].itertuples(index=False)],
                        baseline=shown["selector"].map(is_baseline))


def finding_scenarios(frame) -> str:
    """Under which scenario how many selectors are clearly more or less stable than under the one they are held against."""
    parts, base = [], frame["against"].iloc[0] if len(frame) else ""
    moved = rivals(frame[frame["scenario"] != base])
    if len(moved) and not measured(frame):
        return NOT_JUDGED
    for name, own in moved.groupby("scenario", sort=False):
        changed = own["p_holm"] < LEVEL
        clear = {word: way[changed & (way > 0)] for word, way in (("more", own["change"]), ("less", -own["change"]))}
        moves = [f"{len(by)} {be(len(by))} clearly {word} stable (by {'up to ' * (len(by) > 1)}{rounded(by.max())})"
                 for word, by in clear.items() if len(by)]
        parts.append(f"under {name} {joined(moves) if moves else 'none clearly changes'}")
    if not parts:
        return "There is nothing to hold against each other."
    return (f"Beyond the noise floor, held against {base}, of "
            f"{several(moved['selector'].nunique(), 'selector')}: {', '.join(parts)}.")


def draw_scenarios(frame, panels=None, lines=2):
    """Each scenario as a panel: every selector beside its own noise floor under it; panels, lines: see draw_beyond."""
    titles = {name: (safe(short(name)), "") for name in dict.fromkeys(frame["panel"])}
    return draw_beyond(frame, panels, lines=lines, titles=titles)


def table_scenarios(frame):
    """DataFrame selector × scenario of a frame_scenarios: each value with its interval, as people write it."""
    return frame.pivot(index="selector", columns="scenario", values="text")[list(dict.fromkeys(frame["scenario"]))].reindex(
        list(dict.fromkeys(frame["selector"])))


def table_conclusions(frame):
    """DataFrame, a row a pair, of stabcore.analysis.scenarios.conclusions: one column a scenario, and what becomes of the lead."""
    import pandas as pd

    rows, called = [], initials({*frame["first"], *frame["second"]})
    for (first, second), own in frame.groupby(["first", "second"], sort=False):
        leads = {row["scenario"]: written(row["difference"], row["low"], row["high"]) + (" *" if row["ahead"] else "")
                 for row in own.to_dict("records")}
        rows.append({"pair": f"{called[first]} − {called[second]}", "verdict": VERDICTS[own["verdict"].iloc[0]], **leads})
    order = {verdict: i for i, verdict in enumerate(VERDICTS.values())}
    table = pd.DataFrame(rows, columns=["pair", "verdict", *dict.fromkeys(frame["scenario"])])
    return table.sort_values("verdict", key=lambda verdicts: verdicts.map(order), kind="stable", ignore_index=True)


def finding_conclusions(frame) -> str:
    """Which lead of one selector over another depends on what counts as the same, beyond what may be chance."""
    each = [own for _, own in frame.groupby(["first", "second"], sort=False)]
    if not each:
        return "There are no two selectors of which one could lead."
    of = {verdict: [own for own in each if own["verdict"].iloc[0] == verdict] for verdict in VERDICTS}
    leads = [sentence_lead(own) for own in of[TURNS] + of[LOST]]
    if leads:
        more = f" The same holds for {several(len(leads) - 2, 'more pair')}." if len(leads) > 2 else ""
        return f"Who leads depends on what counts as the same: {'; '.join(leads[:2])}.{more}"
    parts = []
    if of[SHIFTED]:
        apart = join_tied([f"{own['first'].iloc[0]} and {own['second'].iloc[0]}" for own in of[SHIFTED]])
        parts.append(f"how far {apart} are apart clearly changes")
    for verdict, word in (("holds", "clear under every scenario"), (MAYBE, "clear under some only, which may be chance"),
                          ("never clear", "never clear")):
        if of[verdict]:
            parts.append(f"{several(len(of[verdict]), 'lead')} {be(len(of[verdict]))} {word}")
    return f"No lead clearly depends on what counts as the same: of {several(len(each), 'pair')} of selectors, {', '.join(parts)}."


def sentence_lead(own) -> str:
    """Who leads under which scenario, of the rows of one pair of conclusions(); "not under" only where the difference differs."""
    first, second = own[["first", "second"]].iloc[0]
    parts = []
    for one, other in ((first, second), (second, first)):
        where = own.loc[own["ahead"] == one]
        if len(where):
            by = abs(where["difference"].iloc[0])
            parts.append(f"{one} is clearly ahead of {other} under {joined(list(where['scenario']))} (by {rounded(by)})")
    lost = (own["ahead"] == "") & ((own["shift_p_holm"] < LEVEL) | (own["scenario"] == own["against"]))
    nobody = own.loc[lost, "scenario"]
    return " and ".join(parts) + (f", not under {joined(list(nobody), 'or')}" if len(nobody) else "")
