"""Measured stabilities with their intervals, one row a selector."""

from __future__ import annotations

import numpy as np

from stabcore.figures.style import blank, channels, safe
from stabcore.figures.ties import ends
from stabcore.measures.catalog import entries
from stabcore.words import does, everyone, named, plural, two

BACK = ((0.75, "well"), (0.4, "moderately"), (0.1, "poorly"), (-0.1, "hardly more often than by luck"),
        (-np.inf, "less often than by luck"))


def frame_estimates(table, keys):
    """DataFrame(selector, measure, label, value, low, high, note, text) of a result table: one row a selector and measure.

    keys: the measures (keys, or one's own) that the table was asked for.
    """
    import pandas as pd

    parts = [pd.DataFrame({"selector": table.index, "measure": one.key, "label": one.label, "value": table[one.key].to_numpy(),
                           "low": table[f"{one.key}_low"].to_numpy(), "high": table[f"{one.key}_high"].to_numpy(),
                           "note": table[f"{one.key}_note"].to_numpy()}) for one in entries(keys)]
    frame = pd.concat(parts, ignore_index=True)
    frame["text"] = [written(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)]
    return frame


def written(value, low, high) -> str:
    """A value with its interval as people write it."""
    if np.isnan(value):
        return "undefined"
    if np.isnan(high):                  # the runs never differ: there is a lower limit at most
        return two(value) if np.isnan(low) else f"{two(value)}, at least {two(low)}"
    return f"{two(value)} [{two(low)}, {two(high)}]"


def sentence(label, row) -> str:
    """One selector of a result table in one plain sentence: classic stability, and what the relation changes."""
    if np.isnan(row["nogueira"]):
        return f"{label}: the agreement is undefined, because {row['nogueira_note']}."
    word, size = next(word for limit, word in BACK if row["nogueira"] >= limit), round(row["mean_size"])
    said = (f"{label}: about {size} {plural(size, 'feature')} a run, which {does(size, 'come')} back {word} "
            f"({written(row['nogueira'], row['nogueira_low'], row['nogueira_high'])})")
    if np.isnan(row["effective"]) or two(row["effective"]) == two(row["nogueira"]):
        return f"{said}."
    change = "rises" if row["effective"] > row["nogueira"] else "falls"
    return (f"{said}; when related features stand for each other it {change} to "
            f"{written(row['effective'], row['effective_low'], row['effective_high'])}.")


def finding_estimates(frame) -> str:
    """The most and the least stable selector in one sentence."""
    first = frame[frame["measure"] == frame["measure"].iloc[0]].dropna(subset="value")
    if first.empty:
        return "No selector has a stability that is defined."
    best, last, high, low = ends(first["selector"], first["value"])
    if len(first) == 1:
        return f"{best[0]} agrees with itself to {two(high)}, where 0 is luck and 1 is always the same."
    if best == last:
        who = everyone(len(best), "selector").capitalize()
        return f"{who} bring the same features back equally well ({two(high)}); 0 is luck, 1 is always the same."
    return (f"{named(best)} {does(len(best), 'bring')} the same features back most ({two(high)}), {named(last)} least "
            f"({two(low)}); 0 is luck, 1 is always the same.")


def draw_estimates(frame):
    """A point and its interval for each selector and measure; selectors from most to least stable in the first measure."""
    import plotly.graph_objects as go

    first = frame[frame["measure"] == frame["measure"].iloc[0]]
    order = first.sort_values("value", ascending=True, na_position="first")["selector"].tolist()
    keys = list(frame["measure"].unique())
    figure = blank(x="Stability<br>(0: as by luck, 1: always the same)", height=90 + 44 * len(order) + 18 * len(keys))
    offset = np.linspace(0.16, -0.16, len(keys)) if len(keys) > 1 else [0]
    for (key, (colour, symbol, _)), shift in zip(channels(keys).items(), offset):
        own = frame[frame["measure"] == key].set_index("selector").loc[order]
        figure.add_trace(go.Scatter(
            x=own["value"], y=np.arange(len(order)) + shift, mode="markers", name=own["label"].iloc[0],
            marker={"color": colour, "symbol": symbol, "size": 11},
            error_x={"type": "data", "symmetric": False, "array": (own["high"] - own["value"]).fillna(0.0),
                     "arrayminus": own["value"] - own["low"], "thickness": 2, "width": 5},
            text=[f"{safe(s)}<br>{said}" for s, said in zip(order, own["text"])],
            hovertemplate="%{text}<extra>%{fullData.name}</extra>"))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_yaxes(tickvals=np.arange(len(order)), ticktext=[safe(name) for name in order], range=[-0.6, len(order) - 0.4])
    return figure
