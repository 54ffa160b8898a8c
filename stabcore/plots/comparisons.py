"""Comparisons of selectors, and of measures."""

from textwrap import wrap

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL, NOT_ABOVE
from stabcore.analysis.measure_agreement import values_at_sizes
from stabcore.base.text import counted, rounded
from stabcore.inference.comparison import rank_correlations
from stabcore.measures.catalog import entry
from stabcore.plots.marks import error_bar, note, points
from stabcore.plots.names import ROW_LETTERS, safe, short_names, shorten, show_row_names
from stabcore.plots.style import MEASURED, TOOL_BAR, empty_figure
from stabcore.selectors.baseline import is_baseline

ABOUT_P = (
    "Read the intervals first. p refers to other resamples of this dataset, not other patients. With more runs any difference "
    "becomes significant. In simulations, two selectors had the same mean stability over many datasets. Then p was below 0.05 "
    "for 29 of 100 datasets with 10 runs, for 66 with 50 runs and for 84 with 200 runs."
)
CLEAR, NOT_CLEAR = "clear difference", "no clear difference"
CELL_GAP, CELL_LETTERS = 0.08, 11  # share of a gap between cells, and letters of a name in a cell


def frame_comparisons(pairs):
    """Return all pairs of selectors (of compare_selectors or .predictions) with differences of at least 0, largest first.

    baseline: whether one of the two is a baseline. Findings leave such pairs out.
    """
    frame, turn = pairs.copy(), pairs["difference"] < 0
    for first, second in (("first", "second"), ("first_ahead", "second_ahead")):
        if first in frame:
            frame.loc[turn, [first, second]] = frame.loc[turn, [second, first]].to_numpy()
    frame.loc[turn, ["difference", "low", "high"]] = -frame.loc[turn, ["difference", "high", "low"]].to_numpy(dtype=float)
    frame["baseline"] = frame["first"].map(is_baseline) | frame["second"].map(is_baseline)
    return frame.sort_values("difference", ascending=False, ignore_index=True)


def finding_comparisons(frame, what="stability") -> str:
    """Describe the number of clear differences, and the largest, without baselines.

    The largest has no interval, because that of one pair holds less often for the largest of many.
    """
    pairs = frame[~frame["baseline"]]
    tested, untested = pairs[pairs["p_holm"].notna()], pairs[pairs["difference"].notna() & pairs["p_holm"].isna()]
    of_floor = len(untested) > 0 and untested["note"].str.endswith(NOT_ABOVE).all()
    if tested.empty:
        why = f" In each pair, the selector ahead {NOT_ABOVE}." if of_floor else ""
        return f"No two selectors can be compared in {what}.{why}"
    clear = tested[tested["p_holm"] < LEVEL]
    if clear.empty:
        reach = rounded(tested[["low", "high"]].abs().max().max())
        sentence = f"The selectors do not clearly differ in {what}. The intervals allow differences of up to {reach}."
    else:
        row = clear.iloc[0]
        sentence = (
            f"{len(clear)} of {counted(len(tested), 'pair')} of selectors clearly differ in {what}. The largest measured "
            f"difference is between {row['first']} and {row['second']}: {rounded(row['difference'])}."
        )
    ahead = f", whose selector ahead {NOT_ABOVE}" if of_floor else ""
    return f"{sentence} Not tested: {counted(len(untested), 'pair')}{ahead}." if len(untested) else sentence


def draw_comparisons(frame, what="stability"):
    """Draw the difference of all pairs of selectors with its interval, grey where it is not clear or with a baseline."""
    shown = frame.dropna(subset="difference").iloc[::-1]
    short = short_names(dict.fromkeys([*shown["first"], *shown["second"]]))
    names = [_pair_name(short[first], short[second]) for first, second in zip(shown["first"], shown["second"])]
    row = 34 if any("<br>" in name for name in names) else 22  # pixels
    figure = empty_figure(x=f"Difference in {what}<br>(first minus second)", height=100 + row * max(len(shown), 4))
    positions = np.arange(len(shown))
    kind = np.where(shown["baseline"], "with a baseline", np.where(shown["p_holm"] < LEVEL, CLEAR, NOT_CLEAR))
    for name, colour, symbol in (
        (CLEAR, MEASURED, "circle"),
        (NOT_CLEAR, "#8A8A8A", "circle-open"),
        ("with a baseline", "#8A8A8A", "x-thin-open"),
    ):
        part, y = shown[kind == name], positions[kind == name]
        if name == "with a baseline" and part.empty:
            continue
        interval = error_bar(part["difference"], part["low"], part["high"], color=colour, thickness=2, width=4)
        hovers = [_hover_text(row) for row in part.to_dict("records")]
        look = {"color": colour, "symbol": symbol, "size": 9}
        figure.add_trace(points(part["difference"], y, look, hovers, name=name, error_x=interval))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    return show_row_names(figure, positions, names, range=[-0.7, len(shown) - 0.3])


def _pair_name(first, second):
    """Two names next to a row, one below the other if they do not fit on a line."""
    return (" − " if len(first) + len(second) <= ROW_LETTERS + 4 else " −<br>").join(shorten(name) for name in (first, second))


def _hover_text(row):
    """The values of one pair, or why it has no test."""
    text = f"{safe(row['first'])} − {safe(row['second'])}: {row['difference']:z.3f}"
    if not np.isnan(row["low"]):
        text += f" [{row['low']:z.3f}, {row['high']:z.3f}]"
    return f"{text}<br>{safe(row['note'])}" if np.isnan(row["p_holm"]) else f"{text}, p = {row['p_holm']:.2g} (Holm)"


def frame_agreement(result, measures, similarity=None):
    """DataFrame(selector, size, one column per measure): every selector at several numbers of features."""
    return values_at_sizes(result, measures, similarity)


def table_agreement(frame):
    """DataFrame measure × measure: Spearman correlation of the values over all rows of a frame_agreement."""
    table = rank_correlations(frame.drop(columns=["selector", "size"]))
    return table.rename(index=lambda key: entry(key).label, columns=lambda key: entry(key).label)


def finding_agreement(frame) -> str:
    """Describe the highest and the lowest rank correlation of two measures."""
    table = table_agreement(frame)
    pairs = {(table.index[i], table.columns[j]): table.iloc[i, j] for i in range(len(table)) for j in range(i)}
    pairs = {pair: value for pair, value in pairs.items() if not np.isnan(value)}
    if not pairs:
        return "Choose two or more measures to compare them."
    (first, second), highest = max(pairs.items(), key=lambda pair: pair[1])
    sentence = f"Over {counted(len(frame), 'selection')}, {first} and {second} have a rank correlation of {rounded(highest)}."
    (first, second), lowest = min(pairs.items(), key=lambda pair: pair[1])
    return sentence if len(pairs) == 1 else f"{sentence} The lowest correlation is between {first} and {second}: {rounded(lowest)}."


def draw_agreement(frame):
    """Draw a scatter matrix of the measures with rank correlations. A point is a selector at one size, shown by its colour."""
    values = frame.drop(columns=["selector", "size"])
    names = [safe(entry(key).label.split(" (")[0]) for key in values]
    place = {"orientation": "h", "thickness": 10, "y": 1, "yanchor": "bottom", "ypad": 10}  # of the scale of colours, above
    look = {
        "text": [f"{safe(s)}, {counted(round(k), 'feature')}" for s, k in zip(frame["selector"], frame["size"])],
        "marker": {
            **{"size": 5, "color": frame["size"], "colorscale": "Cividis", "showscale": True},
            **{"line": {"width": 0.4, "color": "white"}, "colorbar": {"title": {"text": "Features", "side": "top"}, **place}},
        },
    }
    if len(names) == 2:  # Plotly draws nothing for half of a 2 × 2 matrix
        figure = empty_figure(x=names[0], y=names[1], height=480)
        return figure.add_scatter(x=values.iloc[:, 0], y=values.iloc[:, 1], mode="markers", hoverinfo="x+y+text", **look)
    return _scatter_matrix(values, names, table_agreement(frame).to_numpy(), look)


def _scatter_matrix(columns, names, correlations, look):
    """All pairs of at least three columns, with names on the diagonal and correlations above it.

    These are ordinary scatter plots. Plotly's matrix needs WebGL, which remote desktops and old computers lack.
    names: safe. correlations: (columns, columns), NaN allowed. look: text and marker of the points, which are the rows.
    """
    count = len(names)
    figure = empty_figure(height=TOOL_BAR + 120 + 110 * count)
    step = 1 / (count - CELL_GAP)
    cells = [(step * i, step * (i + 1 - CELL_GAP)) for i in range(count)]
    for i, (low, high) in enumerate(cells):
        shown = bool(columns.iloc[:, i].notna().any())
        axis = {"nticks": 4, "zeroline": False, "title": {"text": ""}, "showticklabels": shown}
        figure.update_layout({f"xaxis{i + 1}": {**axis, "domain": [low, high], "anchor": f"y{count}"}})
        figure.update_layout({f"yaxis{i + 1}": {**axis, "domain": [1 - high, 1 - low], "anchor": "x"}})
    for row, column in zip(*np.tril_indices(count, -1), strict=True):
        marker = look["marker"] if (row, column) == (1, 0) else {**look["marker"], "showscale": False}
        axes = {"xaxis": f"x{column + 1}", "yaxis": f"y{row + 1}", "hoverinfo": "x+y+text", "showlegend": False}
        figure.add_trace(points(columns.iloc[:, column], columns.iloc[:, row], marker, look["text"], **axes))
    middles = [(low + high) / 2 for low, high in cells]
    for row, column in zip(*np.triu_indices(count), strict=True):
        number = rounded(correlations[row, column]) if np.isfinite(correlations[row, column]) else "–"
        text, size = ("<br>".join(wrap(names[row], CELL_LETTERS)), 12) if row == column else (number, 15)
        place = (middles[column], 1 - middles[row], "center", "middle")
        figure.add_annotation(note(text, *place, size=size, colour=None, borderpad=0))
    return figure
