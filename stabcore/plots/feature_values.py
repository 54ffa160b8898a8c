"""The values of one feature by outcome: the overlap of the classes, in the units of the table."""

import numpy as np
import pandas as pd

from stabcore.analysis.feature_values import feature_values, level_shares
from stabcore.base.text import join_tied
from stabcore.data.columns import format_short_number
from stabcore.plots.marks import line, note, points
from stabcore.plots.names import ROW_LETTERS, row_name, safe, shorten_distinctly, show_row_names
from stabcore.plots.style import FLOOR_COLOUR, INK, MEASURED, PALETTE, SECOND_CLASS, TOOL_BAR, empty_figure

MANY_ROWS = 400  # rows of a class beyond which dots are small
LANE_HEIGHT, HEAD_HEIGHT = 96, 96  # pixels of the lane of a class, and of the rest
EVENT_LANES = (("censored", FLOOR_COLOUR, False), ("event", SECOND_CLASS, True))  # name, colour, did it happen?
MAX_COLOURS = 3  # classes that have a colour each
SMALL_LANE, FACET_HEAD, FACET_FOOT = 36, 24, 28  # pixels of a lane of several features, of its name and of its axis
SWARM, FOOT = 0.42, 0.48  # shares of a lane: from its centre to the farthest dots, and to the interval of the median below them
MAX_NAMED = 5  # features named in a sentence


def frame_feature_values(data, feature):
    """DataFrame of the dots of analysis.feature_values, or of the shares of level_shares. attrs: kind, feature, unit, summary.

    None for a category and a numeric outcome.
    """
    categorical = data.table.categorical[data.features.index(feature)]
    outcome = data.target_columns[0] if data.timed else data.target_name
    about = {"feature": feature, "unit": data.units.get(feature, ""), "outcome": outcome, "noun": _row_noun(data)}
    if categorical and not data.classes:
        return None
    frame, summary = (level_shares(data, feature), pd.DataFrame()) if categorical else feature_values(data, feature)
    kind = "levels" if categorical else "classes" if data.classes else "numbers"
    frame.attrs.update({**about, "kind": kind, "summary": summary.to_dict("records")})
    return frame


def table_feature_values(frame):
    """The table behind the figure: the summary of each class, if there is one, else the frame."""
    return pd.DataFrame(frame.attrs["summary"]) if frame.attrs["summary"] else frame.copy()


def finding_feature_values(frame) -> str:
    """The medians of the classes in one sentence."""
    feature, unit = frame.attrs["feature"], f" {frame.attrs['unit']}" if frame.attrs["unit"] else ""
    if frame.attrs["kind"] != "classes":
        return f"Values of {feature} by {frame.attrs['outcome']}."
    medians = [
        f"{format_short_number(row['class_median'])}{unit} in {row['group']}" for row in frame.attrs["summary"] if row["rows"]
    ]
    return f"Median of {feature}: {', '.join(medians)}." if medians else f"No value of {feature} is recorded."


def describe_dots(frame) -> str:
    """Describe the marks of draw_feature_values."""
    if frame.attrs["kind"] == "levels":
        return "Dot: share of a class with a level."
    values = "" if frame.attrs["unit"] else ", values as in the table"
    marks = " Vertical line: median. Thick bar: its 95% interval." if frame.attrs["kind"] == "classes" else ""
    return f"One dot per {frame.attrs['noun'].removesuffix('s')}{values}.{marks}"


def draw_feature_values(frame):
    """One dot per row in the lane of its class with the median and its interval, or shares of levels, or a scatter plot."""
    return {"classes": _draw_classes, "levels": _draw_levels, "numbers": _draw_numbers}[frame.attrs["kind"]](frame)


def frame_values(data, features):
    """DataFrame(feature, unit, group, value, offset) of the numbers among these features. attrs: summary, {feature: its classes}.

    Empty with a numeric outcome. Categories are left out.
    """
    asked = [] if data.numeric_target else [feature for feature in features if feature in data.features]
    frames = [frame_feature_values(data, feature) for feature in asked]
    frames = [frame for frame in frames if frame is not None and frame.attrs["kind"] == "classes" and len(frame)]
    parts = [frame.assign(feature=frame.attrs["feature"], unit=frame.attrs["unit"]) for frame in frames]
    columns = ["feature", "unit", "group", "value", "offset"]
    combined = pd.concat([part[columns] for part in parts], ignore_index=True) if parts else pd.DataFrame(columns=columns)
    combined.attrs = {"summary": {frame.attrs["feature"]: frame.attrs["summary"] for frame in frames}, "noun": _row_noun(data)}
    return combined


def table_values(frame):
    """The table behind the figure: feature, unit, class, rows, median and its interval."""
    units = frame.drop_duplicates("feature").set_index("feature")["unit"]
    rows = [{"feature": name, "unit": units[name], **row} for name, classes in frame.attrs["summary"].items() for row in classes]
    return pd.DataFrame(rows)


def finding_values(frame) -> str:
    """Name the features whose values are drawn, and say that the differences are overestimated."""
    names = list(frame.attrs["summary"])
    return (
        f"Values of {join_tied(names, MAX_NAMED)} by outcome. The features were selected on these {frame.attrs['noun']}, so the "
        "differences are overestimated."
    )


def draw_values(frame):
    """Draw a facet per feature with a separate scale: a dot per row in the lane of its class, the median and its interval."""
    summary = frame.attrs["summary"]
    groups = list(dict.fromkeys(row["group"] for classes in summary.values() for row in classes))
    colours, lanes = _class_colours(groups), {group: -number for number, group in enumerate(groups)}
    columns = min(2, max(len(summary), 1))
    rows, facet = -(-len(summary) // columns), FACET_HEAD + FACET_FOOT + SMALL_LANE * len(groups)
    figure = empty_figure(height=TOOL_BAR + facet * max(rows, 1))
    figure.layout.margin.t, figure.layout.margin.b = TOOL_BAR, 0
    counts = [{row["rows"] for classes in summary.values() for row in classes if row["group"] == group} for group in groups]
    names = shorten_distinctly(groups, ROW_LETTERS)
    if all(len(of) == 1 for of in counts):  # features with other missing values have other counts
        names = [f"{name}<br>{min(of):,}" for name, of in zip(names, counts, strict=True)]
    show_row_names(figure, list(lanes.values()), names, showgrid=False, range=[-len(groups) + 0.4, 0.6])
    for number, (feature, classes) in enumerate(summary.items()):
        end = number + 1 if number else ""
        across, top = number % columns, 1 - (number // columns) / rows
        ends = (across / columns + (0.03 if across else 0), (across + 1) / columns - 0.01)
        high, low = top - FACET_HEAD / facet / rows, top - (facet - FACET_FOOT) / facet / rows
        axes = {"xaxis": f"x{end}", "yaxis": f"y{end}", "showlegend": False}
        figure.layout[f"xaxis{end}"] = {"domain": ends, "anchor": f"y{end}", "nticks": 5, "tickangle": 0, "automargin": False}
        place = {"domain": (low, high), "anchor": f"x{end}", "showgrid": False, "zeroline": False}
        if number:
            figure.layout[f"yaxis{end}"] = {**place, "matches": "y", "showticklabels": False}
        else:
            figure.layout.yaxis.update(place)
        part = frame[frame["feature"] == feature]
        for row in classes:
            lane, dots = lanes[row["group"]], part[part["group"] == row["group"]]
            look = {"color": colours[row["group"]], "size": 4 if row["rows"] <= MANY_ROWS else 2, "opacity": 0.6}
            hovers = [f"{safe(row['group'])}: {value:g}" for value in dots["value"]]
            figure.add_trace(points(dots["value"], lane + SWARM * dots["offset"], look, hovers, **axes))
            figure.add_traces(_median_lines(row, lane, 3, **axes))
        unit = part["unit"].iloc[0]
        figure.add_annotation(note(f"<b>{safe(feature)}</b>{f' [{safe(unit)}]' if unit else ''}", ends[0], high, size=13, yshift=2))
    return figure


def _row_noun(data):
    return "patients" if data.patients is None else "rows"


def _title(frame):
    unit = frame.attrs["unit"]
    return safe(frame.attrs["feature"] + (f" [{unit}]" if unit else ""))


def _class_colours(groups):
    """{class: colour}. The second of two classes is highlighted, and none of many."""
    if len(groups) == 2:
        return dict(zip(groups, (FLOOR_COLOUR, SECOND_CLASS), strict=True))
    return dict(zip(groups, PALETTE, strict=False)) if len(groups) <= MAX_COLOURS else dict.fromkeys(groups, FLOOR_COLOUR)


def _draw_classes(frame):
    summary = frame.attrs["summary"]
    colours = _class_colours([row["group"] for row in summary])
    figure = empty_figure(x=_title(frame), height=HEAD_HEIGHT + LANE_HEIGHT * len(summary))
    lanes = -np.arange(len(summary))
    for lane, row in zip(lanes, summary, strict=True):
        dots = frame[frame["group"] == row["group"]]
        look = {"color": colours[row["group"]], "size": 6 if row["rows"] <= MANY_ROWS else 3, "opacity": 0.6}
        hover = {"text": safe(row["group"]), "hovertemplate": "%{text}: %{x}<extra></extra>", "hoverinfo": None}
        figure.add_trace(points(dots["value"], lane + SWARM * dots["offset"], look, showlegend=False, **hover))
        figure.add_traces(_median_lines(row, lane))
        figure.add_annotation(
            x=row["class_median"],
            y=lane - SWARM,
            text=format_short_number(row["class_median"]),
            showarrow=False,
            xanchor="left",
            xshift=4,
            yanchor="bottom",
        )
    names = [f"{row_name(row['group'])}<br>{row['rows']:,} {frame.attrs['noun']}" for row in summary]
    figure.update_yaxes(tickvals=lanes, ticktext=names, range=[lanes[-1] - 0.6, 0.6], showgrid=False, zeroline=False)
    return figure


def _median_lines(row, lane, width=5, **axes):
    """The interval of a median as a thick line below the dots, which it would hide, and the median as a thin one across them."""
    across = line([row["class_median"]] * 2, [lane - FOOT, lane + 0.4], INK, 2, **axes)
    return [line([row["low"], row["high"]], [lane - FOOT] * 2, INK, width, **axes), across]


def _draw_levels(frame):
    groups, levels = list(dict.fromkeys(frame["group"])), list(dict.fromkeys(frame["level"]))
    colours = _class_colours(groups)
    figure = empty_figure(x=f"{_title(frame)}<br>share of rows", height=HEAD_HEIGHT + 40 * max(len(levels), 2))
    positions = {level: -number for number, level in enumerate(levels)}
    for number, group in enumerate(groups):
        part = frame[frame["group"] == group]
        y = [positions[level] + 0.12 * (len(groups) - 1 - 2 * number) / 2 for level in part["level"]]
        texts = [f"{count:,} of {rows:,}" for count, rows in zip(part["count"], part["rows"], strict=True)]
        hover = {"customdata": [safe(group)] * len(part), "hovertemplate": "%{customdata}: %{x:.0%} (%{text})<extra></extra>"}
        look = {"color": colours[group], "size": 10}
        figure.add_trace(points(part["share"], y, look, texts, name=safe(group), **{**hover, "hoverinfo": None}))
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(tickvals=list(positions.values()), ticktext=[row_name(level) for level in levels])
    return figure


def _draw_numbers(frame):
    figure = empty_figure(x=_title(frame), y=safe(frame.attrs["outcome"]), height=360)
    figure.layout.legend.itemsizing = "constant"  # else as small as the dots
    parts = [("", MEASURED, frame)]
    if "event" in frame:  # censored rows first, so that events are above them
        parts = [(name, colour, frame[frame["event"] == happened]) for name, colour, happened in EVENT_LANES]
    for name, colour, part in parts:
        look = {"color": colour, "size": 6 if len(frame) <= MANY_ROWS else 3, "opacity": 0.6}
        hover = {"hovertemplate": "%{x}, %{y}<extra></extra>", "hoverinfo": None}
        figure.add_trace(points(part["value"], part["outcome"], look, name=name, showlegend=bool(name), **hover))
    return figure
