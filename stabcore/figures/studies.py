"""Several studies laid over each other: the same selectors on other data, and how often each is dominated on average."""

from __future__ import annotations

from stabcore.analysis.pairs import LEVEL
from stabcore.analysis.pareto import averaged_ranks
from stabcore.figures.estimates import written
from stabcore.figures.labels import places
from stabcore.figures.pareto import by_criterion, placed, points
from stabcore.figures.points import BASELINE
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, GREY, PALETTE, SYMBOLS, blank, safe
from stabcore.figures.ties import ends
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import rivals
from stabcore.wording import all_of, join_tied, rounded


def frame_studies(tables, key, accuracy="accuracy"):
    """DataFrame of {study: result table}: the points of all with their study; beaten_by and on_front within each study."""
    import pandas as pd

    unknown = by_criterion(None, key, accuracy)
    return pd.concat([placed(points(table, key, accuracy), unknown).assign(study=study) for study, table in tables.items()],
                     ignore_index=True)


def table_ranks(frame):
    """DataFrame(selector, rank, beaten_by, on_front, counted, missing, p_holm): non-dominated ranks averaged over the studies,
    without baselines."""
    return averaged_ranks(rivals(frame), by="study")


def finding_studies(frame) -> str:
    """Which selectors others dominate least, averaged over the studies, and of whom that may be chance, in one sentence."""
    ranks, studies = table_ranks(frame), frame["study"].nunique()
    known = ranks[ranks["counted"] == ranks["counted"].max()]
    if known.empty or not known["counted"].iloc[0]:
        return "No selector has both an accuracy and a stability in any of these studies."
    most, best, _, low = ends(known["selector"], known["beaten_by"])
    if len(best) > 1:
        who = f"{all_of(len(best), 'selector')} are dominated equally" if best == most else f"{join_tied(best)} are dominated least"
    else:
        who = f"{best[0]} is dominated least"
    studied = f"{int(known['counted'].iloc[0])} of {studies} {'study' if studies == 1 else 'studies'}"
    level = known[~known["selector"].isin(best) & ~(known["p_holm"] < LEVEL)]["selector"].tolist()
    chance = f", but over so few that {join_tied(level)} may be dominated as little" if level else ""
    return f"Over {studied}, {who}, by {rounded(low)} other selectors on average{chance}."


def draw_studies(frame, score="Accuracy", floors=None):
    """Every selector of every study: colour by selector, symbol by study, filled on the front of its study.

    floors: {study: its frame_floor} of those whose floor is known.
    """
    import plotly.graph_objects as go

    figure = blank(x=entry(frame["measure"].iloc[0]).label, y=f"{score} on held-out rows", height=540)
    own = frame[frame["standing"] != ""]
    studies, selectors = list(frame["study"].unique()), list(frame["selector"].unique())
    for study in studies:
        edge = own[(own["study"] == study) & own["on_front"]].sort_values("stability")
        symbol = SYMBOLS[studies.index(study) % len(SYMBOLS)]
        figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines+markers", name=safe(study),
                                    hoverinfo="skip", legendgroup="studies", marker={"symbol": f"{symbol}-open", "color": "grey"},
                                    line={"color": "grey", "dash": "dot", "shape": "vh", "width": 1}))
    _floors(figure, own, floors or {})
    shown = set()
    words, at = places(own["stability"], own["accuracy"], [safe(row.selector) if row.on_front else "" for row in own.itertuples()])
    for row, word, place in zip(own.to_dict("records"), words, at, strict=True):
        colour = GREY if row["standing"] == BASELINE else PALETTE[selectors.index(row["selector"]) % len(PALETTE)]
        symbol = SYMBOLS[studies.index(row["study"]) % len(SYMBOLS)]
        name = safe(row["selector"])
        figure.add_trace(go.Scatter(
            x=[row["stability"]], y=[row["accuracy"]], mode="markers+text", name=name, legendgroup=name,
            showlegend=name not in shown, text=[word], textposition=place,
            marker={"color": colour, "size": 12, "symbol": symbol if row["on_front"] else f"{symbol}-open",
                    "line": {"width": 2, "color": colour}}, hoverinfo="text",
            hovertext=[f"{safe(row['study'])} · {name}<br>"
                       f"stability {written(row['stability'], row['stability_low'], row['stability_high'])}<br>"
                       f"accuracy {written(row['accuracy'], row['accuracy_low'], row['accuracy_high'])}"]))
        shown.add(name)
    return figure


def _floors(figure, own, floors):
    """Over the accuracies of each study a line at its floor, or at the lowest and highest of its selectors; one name for all."""
    import plotly.graph_objects as go

    line, named = {"color": FLOOR_COLOUR, "dash": "dot", "width": 2}, False
    for study, floor in floors.items():
        floor, high = rivals(floor), own.loc[own["study"] == study, "accuracy"]
        for value in dict.fromkeys([floor["floor"].min(), floor["floor"].max()] if len(floor) and len(high) else []):
            figure.add_trace(go.Scatter(
                x=[value, value], y=[high.min(), high.max()], mode="lines", name=FLOOR, legendgroup=FLOOR,
                showlegend=not named, line=line, hoverinfo="text", hovertext=[f"{safe(study)}<br>{FLOOR}: {rounded(value)}"] * 2))
            named = True


def sentence_floors(floors) -> str:
    """What each study would show without any signal, in one sentence, of {study: its frame_floor}."""
    said = []
    for study, floor in floors.items():
        floor = rivals(floor)
        low, high = (rounded(floor["floor"].min()), rounded(floor["floor"].max())) if len(floor) else ("not known", "")
        said.append(f"{study}: {low}{f' to {high}' if high not in ('', low) else ''}")
    return f"Without any signal: {'; '.join(said)}. Random sets give 0." if said else ""
