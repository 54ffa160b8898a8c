"""Selectors compared with each other, and measures compared with each other."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.measure_agreement import measured_at_sizes
from stabcore.base.text import all_of, join_tied, rounded, several, verb_for
from stabcore.inference.comparison import rank_correlations
from stabcore.measures.catalog import entry
from stabcore.plots.names import ROW_LETTERS, name_rows, safe, short_names, shorten
from stabcore.plots.style import PALETTE, TOOL_BAR, blank, error_bar
from stabcore.plots.values import highest, highest_and_lowest
from stabcore.selectors.baseline import is_baseline

MORE_RUNS = (
    "Read the intervals first: p is about drawing from this dataset again, not about other patients, and with more runs "
    "any difference becomes clear. In simulations, two selectors that are equally stable over many datasets differed with "
    "p < 0.05 on 29 of 100 of them with 10 runs, on 66 with 50 and on 84 with 200."
)
CELL_GAP, CELL_LETTERS = 0.08, 11  # between the cells, of a cell; letters of a name in one


# ---- two selectors ----


def frame_comparisons(pairs):
    """Every two selectors (a DataFrame of compare_selectors or .predictions) as shown: largest difference first, none below 0.

    baseline: is one of the two a yardstick and no rival? Then no sentence names the pair.
    """
    frame, turn = pairs.copy(), pairs["difference"] < 0
    for first, second in (("first", "second"), ("first_ahead", "second_ahead")):
        if first in frame:
            frame.loc[turn, [first, second]] = frame.loc[turn, [second, first]].to_numpy()
    frame.loc[turn, ["difference", "low", "high"]] = -frame.loc[turn, ["difference", "high", "low"]].to_numpy(dtype=float)
    frame["baseline"] = frame["first"].map(is_baseline) | frame["second"].map(is_baseline)
    return frame.sort_values("difference", ascending=False, ignore_index=True)


def finding_comparisons(frame, what="stability") -> str:
    """How far apart selectors are, how many pairs of them clearly are, and of how many nobody can tell; without baselines."""
    rivals = frame[~frame["baseline"]]
    if rivals.empty and len(frame):
        return "There are no two selectors to compare: beside one, there is only the random ranking, which is no rival."
    return _describe_differences(rivals, what) + _describe_untested(rivals)


def _describe_untested(frame):
    """Why some pairs have a difference and no test."""
    why = frame.loc[frame["difference"].notna() & frame["p_holm"].isna(), "note"]
    if why.empty:
        return ""
    return f" Nothing is said of {several(len(why), 'pair')}: {why.iloc[0] if why.nunique() == 1 else 'the table says why'}."


def _describe_differences(frame, what):
    tested = frame[frame["p_holm"].notna()]
    if tested.empty:
        return f"No two selectors can be compared in {what}."
    clear = tested[tested["p_holm"] < LEVEL]
    if clear.empty and len(tested) == 1:
        row = tested.iloc[0]
        return f"{row['first']} and {row['second']} do not clearly differ in {what}: {_format_difference(row)}."
    if clear.empty:
        reach = tested[["low", "high"]].abs().max().max()
        return f"None of the {len(tested)} pairs of selectors clearly differs in {what}; they may differ by up to {rounded(reach)}."
    pairs = [f"{first} from {second}" for first, second in zip(clear["first"], clear["second"], strict=True)]
    level, first_clear = highest(pairs, clear["difference"]), clear.iloc[0]
    if len(level) == 1:
        who = f"{first_clear['first']} and {first_clear['second']} differ most in {what}, by {_format_difference(first_clear)}"
    else:
        whom = "All of them" if len(level) == len(tested) else join_tied(level)
        who = f"{whom} differ most in {what}, by {rounded(first_clear['difference'])} each"
    return (
        f"{who}; {len(clear)} of {several(len(tested), 'pair')} of selectors {verb_for(len(clear), 'differ')} clearly in these "
        "runs."
    )


def _format_difference(row):
    return f"{rounded(row['difference'])} [{rounded(row['low'])}, {rounded(row['high'])}]"


def draw_comparisons(frame, what="stability"):
    """The difference of every two selectors with its interval; grey where it may be nothing, and where one is a baseline."""
    shown = frame.dropna(subset="difference").iloc[::-1]
    figure = blank(x=f"Difference in {what}<br>(first minus second)", height=100 + 34 * max(len(shown), 4))
    positions = np.arange(len(shown))
    kind = np.where(shown["baseline"], "from a baseline", np.where(shown["p_holm"] < LEVEL, "differs", "may be nothing"))
    for name, colour, symbol in (
        ("differs", PALETTE[0], "circle"),
        ("may be nothing", "#8A8A8A", "circle-open"),
        ("from a baseline", "#8A8A8A", "x-thin-open"),
    ):
        in_part = kind == name
        if name == "from a baseline" and not in_part.any():
            continue
        part = shown[in_part]
        figure.add_scatter(
            x=part["difference"],
            y=positions[in_part],
            mode="markers",
            name=name,
            marker={"color": colour, "symbol": symbol, "size": 9},
            error_x=error_bar(part["difference"], part["low"], part["high"], color=colour, thickness=2, width=4),
            text=[_hover(row) for row in part.to_dict("records")],
            hovertemplate="%{text}<extra></extra>",
        )
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    called = short_names(dict.fromkeys([*shown["first"], *shown["second"]]))
    name_rows(
        figure,
        positions,
        [_pair_name(called[a], called[b]) for a, b in zip(shown["first"], shown["second"])],
        range=[-0.7, len(shown) - 0.3],
    )  # else the room at both ends grows with the number of rows
    return figure


def _pair_name(first, second):
    """Two names beside a row, one below the other where a line has no room for both."""
    return (" − " if len(first) + len(second) <= ROW_LETTERS + 4 else " −<br>").join(shorten(name) for name in (first, second))


def _hover(row):
    """What one pair says when pointed at; of a pair without a test, why."""
    text = f"{safe(row['first'])} − {safe(row['second'])}: {row['difference']:z.3f}"
    if not np.isnan(row["low"]):
        text += f" [{row['low']:z.3f}, {row['high']:z.3f}]"
    return f"{text}<br>{safe(row['note'])}" if np.isnan(row["p_holm"]) else f"{text}, p = {row['p_holm']:.2g} (Holm)"


def frame_agreement(result, measures, similarity=None):
    """DataFrame(selector, size, one column a measure): every selector at several numbers of features, see measure_agreement."""
    return measured_at_sizes(result, measures, similarity)


def table_agreement(frame):
    """DataFrame measure × measure: Spearman correlation of the values over all rows of a frame_agreement."""
    keys = [column for column in frame.columns if column not in ("selector", "size")]
    table = rank_correlations(frame[keys])
    return table.rename(index=lambda key: entry(key).label, columns=lambda key: entry(key).label)


def finding_agreement(frame) -> str:
    """Which two measures tell the same story, and which two do not."""
    table = table_agreement(frame)
    pairs = {(table.index[i], table.columns[j]): table.iloc[i, j] for i in range(len(table)) for j in range(i)}
    pairs = {pair: value for pair, value in pairs.items() if not np.isnan(value)}
    if not pairs:
        return "Choose two or more measures to see whether they tell the same story."
    best, last, high, low = highest_and_lowest(list(pairs), list(pairs.values()))
    over = several(len(frame), "selection")
    if len(pairs) == 1:
        return f"{' and '.join(best[0])} order {over} with a rank correlation of {rounded(low)}."
    if best == last:
        return (
            f"Over {over}, {all_of(len(best), 'pair')} of measures tell equally the same story (rank correlation {rounded(high)})."
        )
    return (
        f"Over {over}, {_join_pairs(best)} tell most nearly the same story (rank correlation {rounded(high)}), "
        f"{_join_pairs(last)} least "
        f"({rounded(low)})."
    )


def _join_pairs(pairs):
    """A and b; of several pairs, a with b and a with c."""
    return " and ".join(pairs[0]) if len(pairs) == 1 else join_tied([" with ".join(pair) for pair in pairs])


def draw_agreement(frame):
    """Scatter matrix of the measures with their rank correlations; a point is a selector and size, its colour the size."""
    keys = [column for column in frame.columns if column not in ("selector", "size")]
    names = [safe(entry(key).label.split(" (")[0]) for key in keys]
    look = {
        "text": [f"{safe(s)}, {several(round(k), 'feature')}" for s, k in zip(frame["selector"], frame["size"])],
        "marker": marker_by_value(frame["size"], "Features"),
    }
    if len(keys) == 2:  # of two measures, plotly draws no half of a matrix but nothing at all
        figure = blank(x=names[0], y=names[1], height=480)
        figure.add_scatter(x=frame[keys[0]], y=frame[keys[1]], mode="markers", hoverinfo="x+y+text", **look)
        return figure
    return scatter_matrix(frame[keys], names, table_agreement(frame).to_numpy(), look)


# ---- every two columns of a table ----


def marker_by_value(values, title, **scale):
    """The marker of points that are coloured by a number, its scale above the picture; scale: more about that, as its ticks."""
    return {
        "size": 5,
        "color": values,
        "colorscale": "Cividis",
        "showscale": True,
        "line": {"width": 0.4, "color": "white"},
        "colorbar": {
            "title": {"text": title, "side": "top"},
            "orientation": "h",
            "thickness": 10,
            "y": 1,
            "yanchor": "bottom",
            "ypad": 10,
            **scale,
        },
    }


def scatter_matrix(columns, names, correlations, look):
    """Every two columns of a DataFrame of three or more against each other, names on the diagonal, correlations above it.

    Drawn as ordinary scatter plots: Plotly's own matrix needs WebGL, which remote desktops and old computers do not have.
    names: safe; correlations: (columns, columns), or NaN; look: text and marker of the points, which are the rows.
    """
    keys = list(columns)
    figure = blank(height=TOOL_BAR + 120 + 110 * len(keys))
    cells = _cells(len(keys))
    for i, (low, high) in enumerate(cells):
        axis = {"nticks": 4, "zeroline": False, "title": {"text": ""}, "showticklabels": bool(columns[keys[i]].notna().any())}
        figure.update_layout(
            {
                f"xaxis{i + 1}": {**axis, "domain": [low, high], "anchor": f"y{len(keys)}"},
                f"yaxis{i + 1}": {**axis, "domain": [1 - high, 1 - low], "anchor": "x"},
            }
        )
    for row, column in zip(*np.tril_indices(len(keys), -1), strict=True):
        first = (row, column) == (1, 0)
        figure.add_scatter(
            x=columns[keys[column]],
            y=columns[keys[row]],
            mode="markers",
            xaxis=f"x{column + 1}",
            yaxis=f"y{row + 1}",
            hoverinfo="x+y+text",
            showlegend=False,
            text=look["text"],
            marker=look["marker"] if first else {**look["marker"], "showscale": False},
        )
    _add_names_and_numbers(figure, names, correlations, [(low + high) / 2 for low, high in cells])
    return figure


def _cells(count):
    """(low, high) of each row or column of a square of so many cells."""
    step = 1 / (count - CELL_GAP)
    return [(step * i, step * (i + 1 - CELL_GAP)) for i in range(count)]


def _add_names_and_numbers(figure, names, correlations, middle):
    """The name of each measure on the diagonal, and the rank correlations above it. middle: of each column, from 0 to 1."""
    for i, j in zip(*np.triu_indices(len(names)), strict=True):
        diagonal = i == j
        number = rounded(correlations[i, j]) if np.isfinite(correlations[i, j]) else "–"
        text = "<br>".join(wrap(names[i], CELL_LETTERS)) if diagonal else number
        figure.add_annotation(
            text=text,
            xref="paper",
            yref="paper",
            x=middle[j],
            y=1 - middle[i],
            xanchor="center",
            yanchor="middle",
            showarrow=False,
            font={"size": 12 if diagonal else 15},
            borderpad=0,
        )
