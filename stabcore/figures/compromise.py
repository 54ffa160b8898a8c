"""One choice from the front: how much accuracy counts against stability, and how long the choice stands."""

from __future__ import annotations

from stabcore.analysis.pairs import weighed_above
from stabcore.analysis.pareto import OPEN, compromise
from stabcore.figures.floor import draw_floor
from stabcore.figures.pareto import FOR_NEW, FOR_RESAMPLES, at_edge, by_criterion, left_free, placed, points, reach_of, say_floor
from stabcore.figures.points import BASELINE, add_points, join_settings
from stabcore.figures.style import GREY, beside_rows, blank, channels, mark_at, name_rows, safe
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import rivals
from stabcore.wording import be, join_tied, joined, plural, rounded

RING, THICK = 28, 4         # pixels of the ring around the choice


def frame_compromise(table, key, accuracy="accuracy", gamma=0.5, pairs=None):
    """DataFrame: the points of a result table with beaten_by, on_front, standing, gamma_low, gamma_high, score, chosen and level.

    pairs: as in frame_fronts. level: its score cannot be told apart from that of the first that is chosen.
    """
    own = by_criterion(pairs, key, accuracy)
    every = placed(points(table, key, accuracy), own)
    weighed = compromise(rivals(every), gamma).reindex(every.index)[["gamma_low", "gamma_high", "score", "chosen"]]
    frame = every.assign(**weighed).assign(chosen=weighed["chosen"].eq(True))
    best = frame.index[frame["chosen"]]
    if not len(best):
        return frame.assign(level=False)
    clear = weighed_above([own["accuracy"], own["stability"]], [gamma, 1 - gamma], frame["selector"])
    return frame.assign(level=frame["score"].notna() & ~clear[best[0]])


def finding_compromise(frame, gamma) -> str:
    """Who is chosen, who cannot be told apart from that choice, and for which γ it stands, in one sentence."""
    best = frame[frame["chosen"]]
    if best.empty:
        return "No selector has both an accuracy and a stability yet."
    names, row = best["selector"].tolist(), best.iloc[0]
    level = frame[frame["level"] & ~frame["chosen"]]["selector"].tolist()
    if len(names) > 1:
        return f"With γ = {gamma:.2f}, {joined(names)} are equally good choices."
    if level:
        return (f"With γ = {gamma:.2f}, {names[0]} scores most, but {join_tied(level)} cannot be told apart from it: "
                f"{'either' if len(level) == 1 else 'any of them'} may be the choice.")
    if row["gamma_low"] <= 0 and row["gamma_high"] >= 1:
        return f"{names[0]} is the choice however much accuracy counts against stability."
    return (f"With γ = {gamma:.2f}, {names[0]} is the choice; it stands for γ from {rounded(row['gamma_low'])} to "
            f"{rounded(row['gamma_high'])}.")


def sentences_reach(frame) -> list[str]:
    """For each selector of the front as measured, the γ for which it would be chosen, the most accurate last; and what is open."""
    sentences = []
    for row in frame[frame["on_front"]].sort_values(["gamma_low", "gamma_high"]).to_dict("records"):
        if row["gamma_low"] != row["gamma_low"]:
            sentences.append(f"{row['selector']} is on the front but below the line that joins the others: never chosen by any γ.")
        elif row["gamma_low"] == row["gamma_high"]:
            sentences.append(f"{row['selector']} only ties, at γ = {rounded(row['gamma_low'])}.")
        else:
            sentences.append(f"{row['selector']} for γ from {rounded(row['gamma_low'])} to {rounded(row['gamma_high'])}.")
    unsure = frame[frame["on_front"] & (frame["standing"] == OPEN)]["selector"].tolist()
    if unsure:
        its, it = ("its", "it") if len(unsure) == 1 else ("their", "them")
        sentences.append(f"That {joined(unsure)} {be(len(unsure))} on the front may be chance, and so may {its} "
                         f"{plural(len(unsure), 'range')}: these runs leave open whether others beat {it}.")
    return sentences


def sentence_ties(frame) -> str:
    """Everybody by score, the highest first: who cannot be told apart from the choice, and who lies clearly below it."""
    known = frame[frame["score"].notna() & (frame["standing"] != BASELINE)].sort_values("score", ascending=False, kind="stable")
    level = [f"{row.selector} ({rounded(row.score)})" for row in known.itertuples() if row.level or row.chosen]
    below = [f"{row.selector} ({rounded(row.score)})" for row in known.itertuples() if not (row.level or row.chosen)]
    if not level:
        return ""
    sentence = f"Scores, the highest first: {joined(level)}" + (" cannot be told apart" if len(level) > 1 else "")
    return f"{sentence}; clearly below: {joined(below)}." if below else f"{sentence}."


def draw_compromise(frame, score="Accuracy", floor=None, families=None):
    """The points with their intervals, the hull that choices come from, and a ring around what is chosen now. customdata: rows of
    the frame.

    floor: a frame_floor of this measure. families: as `settings_of_one` gives them, joined by a line each.
    """
    import plotly.graph_objects as go

    key = frame["measure"].iloc[0]
    figure = blank(x=f"{entry(key).label}<br>({FOR_RESAMPLES})", y=f"{score} on held-out rows<br>({FOR_NEW})", height=480)
    figure.update_layout(showlegend=False)
    hull = frame[frame["gamma_low"].notna()].sort_values(["stability", "accuracy"])
    figure.add_trace(go.Scatter(x=hull["stability"], y=hull["accuracy"], mode="lines", name="reachable by some γ",
                                line={"color": "grey", "dash": "dash"}, hoverinfo="skip"))
    now = frame[frame["chosen"]]
    figure.add_trace(go.Scatter(x=now["stability"], y=now["accuracy"], mode="markers", name="chosen", hoverinfo="skip",
                                marker={"symbol": "circle-open", "size": RING, "color": GREY, "line": {"width": THICK}}))
    known, styles = frame[frame["standing"] != ""], channels(frame["selector"].unique())
    rival = known["standing"] != BASELINE
    reach = {name: reach_of(frame, name, [floor] if floor is not None and name == "stability" else ())
             for name in ("stability", "accuracy")}
    join_settings(figure, known[rival], "stability", "accuracy", families or {}, styles)
    if floor is not None:
        draw_floor(floor, figure, axis="x", at=known[rival].set_index("selector")["accuracy"].to_dict(), styles=styles)
        say_floor(figure, floor)
    add_points(figure, known[rival], "stability", "accuracy", styles, reach=tuple(reach.values()),
               kept=left_free(figure, known[~rival], reach["accuracy"], styles),
               ringed=dict.fromkeys(now["selector"], RING + THICK))
    if reach["stability"]:
        at_edge(figure, known[~rival], reach["stability"], styles)
    for axis, ends in (("xaxis", reach["stability"]), ("yaxis", reach["accuracy"])):
        figure.layout[axis].update(range=ends)
    return figure


def frame_reach(frame):
    """DataFrame(selector, gamma_low, gamma_high) of the front's choices, in order of γ."""
    own = frame[frame["gamma_low"].notna()].sort_values(["gamma_low", "gamma_high"])
    return own[["selector", "gamma_low", "gamma_high"]].reset_index(drop=True)


def draw_reach(frame, gamma, selectors=()):
    """For each choice a bar over the γ for which it stands; a dotted line at the γ that is set.

    selectors: all of them, in the order that gives them their colours elsewhere.
    """
    import plotly.graph_objects as go

    styles = channels(list(selectors) or frame["selector"].unique())
    figure = blank(x="γ: 0 stability alone,<br>1 accuracy alone", height=136 + 34 * len(frame))
    figure.update_layout(showlegend=False)
    for place, row in enumerate(frame.itertuples()):
        colour, symbol, _ = styles[row.selector]
        figure.add_trace(go.Scatter(
            x=[row.gamma_low, row.gamma_high], y=[place, place], mode="lines+markers", line={"color": colour, "width": 6},
            marker={"symbol": symbol, "size": 11}, hoverinfo="text",
            hovertext=[f"{safe(row.selector)}<br>γ from {row.gamma_low:.2f} to {row.gamma_high:.2f}"] * 2))
    mark_at(figure, gamma, f"γ = {gamma:.2f}")
    figure.update_xaxes(range=[-0.02, 1.02])
    name_rows(figure, range(len(frame)), [beside_rows(name) for name in frame["selector"]],
              range=[-0.6, max(len(frame), 1) - 0.4])
    return figure
