"""Scenarios side by side: a dumbbell from one relation C to each other one, and which lead of a selector depends on C."""

from __future__ import annotations

from stabcore.analysis.pairs import LEVEL
from stabcore.analysis.scenarios import LOST, MAYBE, SHIFTED, TURNS, across_scenarios
from stabcore.figures.estimates import written
from stabcore.figures.names import short
from stabcore.figures.style import GREY, blank, channels, initials, name_rows, safe
from stabcore.selectors.baseline import is_baseline, rivals
from stabcore.wording import be, join_tied, joined, rounded, several

ROW, LINE = 18, 26          # pixels of a scenario of a selector, and of what is between two selectors
VERDICTS = {TURNS: "turns round", LOST: "depends on it", SHIFTED: "by how much depends on it", MAYBE: "cannot be told",
            "holds": "holds under all", "never clear": "never clear"}


def frame_scenarios(result, scenarios, against=None, k=None):
    """DataFrame of stabcore.analysis.scenarios.across_scenarios and baseline, text, clear: who is no rival, the value as people
    write it, and whether it clearly differs from that under `against`. The highest under `against` come first, baselines last."""
    frame = across_scenarios(result, scenarios, against=against, k=k)
    own = frame[frame["scenario"] == frame["against"]].set_index("selector")["value"]
    frame = frame.assign(baseline=frame["selector"].map(is_baseline), clear=frame["p_holm"] < LEVEL, at=frame["selector"].map(own),
                         text=[written(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)])
    return frame.sort_values(["baseline", "at"], ascending=[True, False], kind="stable", ignore_index=True)


def finding_scenarios(frame) -> str:
    """Under which scenario how many selectors are clearly more or less stable than under the one they are held against."""
    parts, base = [], frame["against"].iloc[0] if len(frame) else ""
    moved = rivals(frame[frame["scenario"] != base])
    for name, own in moved.groupby("scenario", sort=False):
        clear = {word: way[own["clear"] & (way > 0)] for word, way in (("more", own["change"]), ("less", -own["change"]))}
        moves = [f"{len(by)} {be(len(by))} clearly {word} stable (by {'up to ' * (len(by) > 1)}{rounded(by.max())})"
                 for word, by in clear.items() if len(by)]
        parts.append(f"under {name} {joined(moves) if moves else 'none clearly changes'}")
    if not parts:
        return "There is nothing to hold against each other."
    return f"Held against {base}, of {several(moved['selector'].nunique(), 'selector')}: {'; '.join(parts)}."


def draw_scenarios(frame):
    """A band a selector: a line where it is under the scenario that others are held against, and a row for each of these, its
    whisker the paired interval of the change. Full where the change is clear. customdata: rows of the frame."""
    import plotly.graph_objects as go

    base = frame["against"].iloc[0]
    others = [name for name in dict.fromkeys(frame["scenario"]) if name != base]
    labels = list(dict.fromkeys(frame["selector"]))
    styles, called = channels([base, *others]), initials(labels)
    deep = ROW * len(others) + LINE
    place = {label: (len(labels) - i) * deep for i, label in enumerate(labels)}
    figure = blank(x="Effective stability<br>(whiskers: of the change)", height=150 + deep * max(len(labels), 2))
    own = frame[(frame["scenario"] == base) & frame["value"].notna()]
    ends = [(value, place[label] + side * ROW * len(others) / 2, None) for label, value in zip(own["selector"], own["value"])
            for side in (-1, 1)]
    x, y = ([part for i, (value, at, _) in enumerate(ends) for part in ((value, at)[axis], *[None] * (i % 2))] for axis in (0, 1))
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line={"color": GREY, "width": 3}, name=safe(base), hoverinfo="skip"))
    for number, name in enumerate(others):
        shown = frame[(frame["scenario"] == name) & frame["change"].notna()]
        up = [place[label] + ROW * ((len(others) - 1) / 2 - number) for label in shown["selector"]]
        _dumbbells(figure, shown, up, styles[name], base)
    name_rows(figure, list(place.values()), [short(called[label]) for label in labels],
              range=[deep / 2, (len(labels) + 0.5) * deep])
    return figure


def _dumbbells(figure, shown, up, style, base):
    """One scenario: a thin line from where each selector is under the other one, and a point with the interval of the change."""
    import plotly.graph_objects as go

    colour, symbol, _ = style
    x = [part for row in shown.to_dict("records") for part in (row["at"], row["value"], None)]
    figure.add_trace(go.Scatter(x=x, y=[part for at in up for part in (at, at, None)], mode="lines", hoverinfo="skip",
                                showlegend=False, line={"color": colour, "width": 3}, opacity=0.35))
    figure.add_trace(go.Scatter(
        x=shown["value"], y=up, mode="markers", name=safe(shown["scenario"].iloc[0]) if len(shown) else "",
        customdata=shown.index.to_list(),
        marker={"size": 9, "color": colour, "line": {"width": 2, "color": colour},
                "symbol": [symbol if clear else f"{symbol}-open" for clear in shown["clear"]]},
        error_x={"type": "data", "symmetric": False, "array": shown["change_high"] - shown["change"],
                 "arrayminus": shown["change"] - shown["change_low"], "color": colour, "thickness": 1.5, "width": 4},
        text=[_told(row, base) for row in shown.to_dict("records")], hovertemplate="%{text}<extra></extra>"))


def _told(row, base):
    """What one point says when pointed at."""
    change = written(row["change"], row["change_low"], row["change_high"])
    return f"{safe(row['selector'])}, {safe(row['scenario'])}: {row['text']}<br>against {safe(base)}: {change}" + (
        f"<br>{safe(row['change_note'])}" if row["change_note"] else "")


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
