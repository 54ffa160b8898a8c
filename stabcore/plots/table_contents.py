"""The content of a table: bars for the classes of the outcome, or its histogram, and bars for missing cells."""

import numpy as np

from stabcore.analysis.table_contents import missing_cells, outcome_counts
from stabcore.base.text import counted
from stabcore.plots.marks import bars, note, points, tick
from stabcore.plots.names import safe, shorten, shorten_distinctly, show_row_names
from stabcore.plots.style import FLOOR_COLOUR, MEASURED, TITLE_LINE, TOOL_BAR, empty_figure

MIN_ROWS, MAX_BARS = 2, 6  # rows of a figure. Beyond, the last one shares a row with all others
ROW_HEIGHT, HISTOGRAM_HEIGHT = 24, 200  # pixels
FOLDED = "folded"


def frame_outcome(data):
    """Return analysis.table_contents.outcome_counts with `kind`: FOLDED for classes that share the last row. attrs: words."""
    frame = outcome_counts(data)
    numeric = data.numeric_target
    if not numeric and len(frame) > MAX_BARS:
        frame = frame.sort_values("count", ascending=False, kind="stable", ignore_index=True)
    frame["kind"] = "" if numeric else _row_kinds(len(frame))
    noun = "row" if numeric else data.counted_noun
    frame.attrs = {"noun": noun, "outcome": data.target_columns[-1] if data.timed else data.target_name, "numeric": numeric}
    return frame


def finding_outcome(frame) -> str:
    """Count the patients of each class in one sentence."""
    noun, outcome = frame.attrs["noun"], frame.attrs["outcome"]
    if frame.attrs["numeric"]:
        return f"{outcome} lies between {frame['low'].iloc[0]:.4g} and {frame['high'].iloc[-1]:.4g}."
    unfolded, others = frame[frame["kind"] == ""], frame[frame["kind"] == FOLDED]
    more = f", and {len(others)} other classes" if len(others) else ""
    return (
        f"{outcome}: {', '.join(f'{row.group} in {counted(row.count, noun)}' for row in unfolded.itertuples(index=False))}{more}."
    )


def draw_outcome(frame):
    """Draw a bar with the number of patients per class, or the histogram of a numeric outcome."""
    noun, outcome = frame.attrs["noun"], shorten(frame.attrs["outcome"])
    if not frame.attrs["numeric"]:
        most = frame["count"].max()
        return _draw_bars(frame, "group", "count", f"<b>{noun.capitalize()}s by outcome</b> ({outcome})", MEASURED, most)
    figure = empty_figure(height=HISTOGRAM_HEIGHT)
    figure.layout.margin.b, figure.layout.bargap = 24, 0.04
    hovers = [f"{safe(group)}: {counted(count, noun)}" for group, count in zip(frame["group"], frame["count"])]
    middle, width = (frame["low"] + frame["high"]) / 2, frame["high"] - frame["low"]
    look = {"marker": {"color": MEASURED}, "hovertext": hovers, "hoverinfo": "text", "showlegend": False}
    figure.add_bar(x=middle, y=frame["count"], width=width, **look)
    figure.update_yaxes(nticks=4)
    return _add_heading(figure, f"<b>{noun.capitalize()}s by outcome</b> ({outcome})")


def frame_missing(data):
    """Return analysis.table_contents.missing_cells with `kind`: FOLDED for columns that share a row. attrs: rows, columns, noun."""
    frame = missing_cells(data)
    frame["kind"] = _row_kinds(len(frame))
    n_columns = data.n_features + len(data.given_names)
    frame.attrs = {"rows": data.n_rows, "columns": n_columns, "noun": "column" if data.given_names else "feature"}
    return frame


def finding_missing(frame) -> str:
    """Describe the number of columns with missing cells, and the one with the most."""
    noun, incomplete = frame.attrs["noun"], len(frame)
    if not incomplete:
        return f"No {noun} has missing cells."
    worst = frame.iloc[0]
    return (
        f"{incomplete:,} of {frame.attrs['columns']:,} {noun}s {'has' if incomplete == 1 else 'have'} missing cells. "
        f"{worst['column']} has the most ({_percent(worst['share'])} of the rows)."
    )


def draw_missing(frame):
    """Draw the share of missing cells of the most incomplete columns, ticks for the other ones, and the number of complete ones."""
    head = f"<b>Missing cells</b> in {len(frame):,} of {frame.attrs['columns']:,} {frame.attrs['noun']}s"
    return _draw_bars(frame, "column", "share", head, FLOOR_COLOUR, 1, frame.attrs["columns"] - len(frame))


def table_contents(frame):
    """Return the table behind a figure, without empty columns."""
    return frame.drop(columns="kind").dropna(axis=1, how="all")


def _row_kinds(n_rows):
    """The kind of each row of a frame, in its order."""
    unfolded = n_rows if n_rows <= MAX_BARS else MAX_BARS - 1
    return np.where(np.arange(n_rows) < unfolded, "", FOLDED)


def _percent(share) -> str:
    return "less than 1%" if 0 < share < 0.005 else f"{share:.0%}"


def _draw_bars(frame, name, value, head, colour, most, complete=0):
    """A bar per row with its count and share, one row of ticks for the folded ones, and one for complete columns."""
    unfolded, folded = frame[frame["kind"] == ""], frame[frame["kind"] == FOLDED]
    counts = unfolded["count" if name == "group" else "missing"]
    names = shorten_distinctly(unfolded[name])
    names += [f"{len(folded):,} others"] * bool(len(folded)) + [f"{complete:,} complete"] * bool(complete)
    figure = empty_figure(height=TOOL_BAR + TITLE_LINE + ROW_HEIGHT * max(len(names), MIN_ROWS) + 10)
    places = -np.arange(len(names))
    shares = ["" if np.isnan(share) else f" ({_percent(share).replace('less than ', '&lt;')})" for share in unfolded["share"]]
    numbers = [f" {count:,}{share}" for count, share in zip(counts, shares, strict=True)]
    hovers = [f"{safe(row)}:{number}" for row, number in zip(unfolded[name], numbers, strict=True)]
    look = {"text": numbers, "textposition": "outside", "cliponaxis": False, "width": 0.6, "showlegend": False}
    look |= {"constraintext": "none", "textfont": {"size": 12}}
    figure.add_trace(bars(unfolded[value].to_numpy(), places[: len(unfolded)], colour, hovers, **look))
    if len(folded):
        values = folded.drop_duplicates(value)[value].to_numpy()
        figure.add_trace(points(values, np.full(len(values), places[len(unfolded)]), tick(14, 1, colour), showlegend=False))
    figure.layout.xaxis.update(range=[0, most * 1.35], showticklabels=False, zeroline=True, fixedrange=True, automargin=False)
    show_row_names(figure, places, names, showgrid=False, range=[-max(len(names), MIN_ROWS) + 0.4, 0.6], fixedrange=True)
    return _add_heading(figure, head)


def _add_heading(figure, head):
    figure.layout.margin.t = TOOL_BAR + TITLE_LINE
    figure.add_annotation(note(head, 0, 1, yshift=4, xshift=-figure.layout.margin.l))
    return figure
