"""Shared by the maps of selections: runs × columns in an order, colours and legend, the axis of runs, pictures as PNG."""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from stabcore.analysis.seriation import coselection_order
from stabcore.plots.marks import points
from stabcore.plots.names import shorten, text_width
from stabcore.plots.style import MEASURED, PALE_GREY, PALETTE, TOOL_BAR, legend_layout, name_styles, rgba

ORDERS = {"frequency": "selection frequency", "name": "name", "group": "group", "coselection": "selected together"}
MAX_COLOURS = 7
MAX_NUMBERED_RUNS = 10  # largest number of runs with numbers at the axis
OTHER_GROUPS = "#5F5F5F"  # groups without a separate colour
MAX_NAMED_FOLDS = 4  # largest number of folds whose names fit on a telephone
BAND_COLOUR = "rgba(128,128,128,0.16)"
RUNS_BY_SIMILARITY = "Runs by similarity"
LEGEND_LINE = 20  # pixels of a name in a legend
SWATCH_WIDTH, TELEPHONE_WIDTH = 48, 340  # pixels of the colour before a name with its gap, and of a picture on a telephone
FIRST_LEGEND = 2  # first column of a legend, because the first legend of the toolkit has another colour


@dataclass(frozen=True, eq=False)
class Map:
    """M runs × C columns of one selector, as matrices, so that a million cells stay small.

    columns    DataFrame(feature, position, features, frequency, group, highlighted, strength), one row per column, from left to
               right. features: number of features in the column. frequency: share of the runs that selected any of them.
               strength: share of the importance over all compared selectors
    groups     names of the groups, by decreasing importance
    column_of  (d,) 0-based column of each feature, −1 for none
    counts     (M, C) number of features of a column that each run selected
    weights    (M, C) importance of a column, the sum of its features, None without importances
    runs       (M,) numbers of the runs, from 1, possibly with gaps
    folds      (M,) number of the outer fold of each run, from 1, None if there are none
    """

    columns: pd.DataFrame
    groups: list
    column_of: np.ndarray
    counts: np.ndarray
    weights: np.ndarray | None
    runs: np.ndarray
    folds: np.ndarray | None = None

    @property
    def merged(self) -> bool:
        """Whether any column has more than one feature."""
        return bool((self.columns["features"] > 1).any())

    def shares(self) -> np.ndarray:
        """(M, C) share of each column in the importance of a run, or in its number of features without importances."""
        return _row_shares(self.counts if self.weights is None else self.weights)

    def members(self, column) -> list[int]:
        """0-based numbers of the features of a column."""
        return np.flatnonzero(self.column_of == column).tolist()

    def slice_columns(self, first, last) -> Map:
        """Return the columns at positions first … last only."""
        inside, cut = (self.column_of >= first - 1) & (self.column_of < last), slice(first - 1, last)
        column_of = np.where(inside, self.column_of - first + 1, -1)
        weights = None if self.weights is None else self.weights[:, cut]
        return replace(self, columns=self.columns.iloc[cut], column_of=column_of, counts=self.counts[:, cut], weights=weights)

    def order_by_similarity(self) -> Map:
        """Return the map with similar runs next to each other, without outer folds, which would be split."""
        order = coselection_order(self.counts.T > 0) if self.counts.size else np.arange(len(self.runs))
        weights = None if self.weights is None else self.weights[order]
        return replace(self, counts=self.counts[order], weights=weights, runs=self.runs[order], folds=None)

    def group_by_direction(self, ways: dict[str, str]) -> Map:
        """Return the map with directions of features in place of groups, for colours. ways: {feature: direction}.

        A column of several features has none. The column `way` of `columns` marks that groups are directions.
        """
        ways_of = [
            "" if n_features > 1 else ways.get(name, "")
            for name, n_features in self.columns[["feature", "features"]].itertuples(index=False)
        ]
        groups = sorted({way for way in ways_of if way})
        return replace(self, columns=self.columns.assign(group=ways_of, way=ways_of), groups=groups)

    @property
    def is_in_order(self) -> bool:
        """Whether the runs are in the order in which they were made."""
        return bool((np.diff(self.runs) > 0).all())

    def long_columns(self, values, name):
        """{run, fold, name} columns of a long table: one row per run and column."""
        c = values.shape[1]
        folds = {} if self.folds is None else {"fold": np.repeat(self.folds, c)}
        return {"run": np.repeat(self.runs, c), **folds, name: values.ravel()}


def selection_maps(selections, similarity=None, order="frequency", *, merged=False, picked=(), runs=None, folds=None) -> list[Map]:
    """Return a Map for each of several selectors, with the same columns in the same order: all features that any run selected.

    selections  list of Selections over the same features
    order        "frequency" (over all of them, ties by importance, then name), "name", "group" (within by frequency,
                 single features last) or "coselection" (see stabcore.analysis.seriation)
    merged       the members of each group of the similarity are one column
    picked       names of the features that are highlighted
    runs, folds  for each selector the numbers of its runs and of their outer folds, from 1. None: 1 … M, no folds
    """
    d = selections[0].n_features
    column_of, names, groups = _map_columns(selections, similarity, merged)
    counts = [_sum_by_column(runs.selection_matrix, column_of, len(names)) for runs in selections]
    weights = [None if runs.weights is None else _sum_by_column(runs.weights, column_of, len(names)) for runs in selections]
    strength = sum(_row_shares(count if weight is None else weight).sum(axis=0) for count, weight in zip(counts, weights))
    place = _column_order(order, names, groups, counts, strength)
    leading = pd.Series(strength).groupby(groups).sum().drop("", errors="ignore").sort_values(ascending=False, kind="stable")
    number = np.full(d + 1, -1)
    number[place] = np.arange(len(place))
    column_of = number[column_of]
    features, wanted = np.zeros(len(names), dtype=int), set(picked)
    np.add.at(features, column_of[column_of >= 0], 1)
    marked = [column for column, name in zip(column_of, selections[0].features) if name in wanted]
    highlighted = np.isin(np.arange(len(names)), marked)
    maps = []
    for i, (count, weight) in enumerate(zip(counts, weights)):
        columns = pd.DataFrame(
            {
                "feature": names[place],
                "position": np.arange(1, len(names) + 1),
                "features": features,
                "frequency": (count[:, place] > 0).mean(axis=0),
                "group": groups[place],
                "highlighted": highlighted,
                "strength": strength[place] / max(strength.sum(), 1e-300),
            }
        )
        numbers = np.arange(1, len(count) + 1) if runs is None or runs[i] is None else np.asarray(runs[i])
        bands = None if folds is None or folds[i] is None else np.asarray(folds[i])
        weight = None if weight is None else weight[:, place]
        maps.append(Map(columns, list(leading.index), column_of, count[:, place], weight, numbers, bands))
    return maps


def column_colours(grid):
    """Return ((C,) number of the colour of each column, the colours, [(name, colour, symbol)] for a legend) of a Map.

    Highlighted columns have the colours and all others are dim. Without highlights, the leading groups have the colours.
    """
    columns = grid.columns
    highlighted = np.flatnonzero(columns["highlighted"])
    number = np.zeros(len(columns), dtype=np.uint8)
    if len(highlighted):
        looks = list(name_styles(range(len(highlighted))).values())
        number[highlighted] = 1 + np.arange(len(highlighted)) % len(PALETTE)
        named = [(columns["feature"].iloc[i], colour, symbol) for i, (colour, symbol, _) in zip(highlighted, looks)]
        return number, [PALE_GREY, *PALETTE], [*named, ("all others", PALE_GREY, "square")]
    if not grid.groups:
        return number, [MEASURED], []
    colours = dict(zip(grid.groups[:MAX_COLOURS], PALETTE))
    if len(grid.groups) > MAX_COLOURS:
        colours["other groups"] = OTHER_GROUPS
    colours[""] = PALE_GREY
    place = {name: i for i, name in enumerate(colours)}
    number = columns["group"].map(lambda name: place.get(name, MAX_COLOURS)).to_numpy(dtype=np.uint8)
    alone = "unknown direction" if "way" in columns else "single features"
    return number, list(colours.values()), [(name or alone, colour, "square") for name, colour in colours.items()]


def legend_height(entries) -> int:
    """Return the pixels of the legend, with one spare line for another entry."""
    return LEGEND_LINE * (-(-len(entries) // _legend_columns(entries)) + 1) if entries else 0


def _legend_columns(entries) -> int:
    """Number of names per line of a legend that fit on a telephone."""
    longest = max((text_width(shorten(name)) for name, _, _ in entries), default=0)
    return int(max(1, TELEPHONE_WIDTH // (longest + SWATCH_WIDTH)))


def add_legend(figure, entries):
    """Add named colours above a figure, in columns that fit its margin. entries: (name, colour, symbol), the others last.

    Each column is a horizontal legend with names too wide for two per line, because a vertical one would push the picture aside.
    """
    side, top = _legend_columns(entries), 1 - TOOL_BAR / figure.layout.height
    rows = -(-len(entries) // side)
    for i in range(side):
        look = {"bgcolor": "rgba(0,0,0,0)", "entrywidth": 1, "entrywidthmode": "fraction"}
        figure.layout[f"legend{FIRST_LEGEND + i}"] = legend_layout(top, "container", **look, x=i / side)
        add_legend_entries(figure, entries[i * rows : (i + 1) * rows], FIRST_LEGEND + i)


def add_legend_entries(figure, entries, column=FIRST_LEGEND):
    """Add names to a column of the legend that add_legend makes."""
    for name, colour, symbol in entries:
        look = {"color": colour, "size": 11, "symbol": symbol}
        figure.add_trace(points([None], [None], look, name=shorten(name), legend=f"legend{column}"))


def runs_as_rows(figure, runs, folds):
    """Set an axis of runs as rows, the first at the top, with outer folds as bands."""
    first, last = (runs.min(), runs.max()) if len(runs) else (1, 1)
    few = {"tick0": first, "dtick": 1} if last - first < MAX_NUMBERED_RUNS else {}
    figure.update_yaxes(range=[last + 0.5, first - 0.5], showgrid=False, zeroline=False, **few)
    _add_folds(figure, runs, folds, "y", figure.update_yaxes)


def runs_as_columns(figure, grid):
    """Set an axis of runs of a Map as columns: by number with outer folds as bands, or in their order by similarity."""
    runs, axis = grid.runs, figure.layout.xaxis
    if not grid.is_in_order:
        order = {"categoryarray": [str(run) for run in runs], "range": [-0.5, len(runs) - 0.5]}
        axis.update(type="category", **order, title_text=RUNS_BY_SIMILARITY, showticklabels=False)
        return
    first, last = (runs.min(), runs.max()) if len(runs) else (1, 1)
    ticks = {"tick0": first, "dtick": 1} if last - first < MAX_NUMBERED_RUNS else {"nticks": 6}
    axis.update(range=[first - 0.5, last + 0.5], **ticks)
    _add_folds(figure, runs, grid.folds, "x", axis.update)


def _add_folds(figure, runs, folds, axis, update):
    """Outer folds along an axis of runs: every second one shaded, with lines between them and names instead of numbers."""
    if folds is None:
        return
    other = "y" if axis == "x" else "x"
    across = {f"{other}ref": f"{other} domain" if axis == "x" else "paper", f"{other}0": 0, f"{other}1": 1}
    ends = [(fold, runs[folds == fold].min() - 0.5, runs[folds == fold].max() + 0.5) for fold in np.unique(folds)]
    for i, (_, begin, end) in enumerate(ends):
        if i % 2:
            band = {f"{axis}0": begin, f"{axis}1": end, "line_width": 0, "fillcolor": BAND_COLOUR}
            figure.add_shape(type="rect", layer="below", **across, **band)
        if i:
            figure.add_shape(type="line", **across, **{f"{axis}0": begin, f"{axis}1": begin}, line={"width": 2, "color": "#6B6B6B"})
    word = "fold " if axis == "y" or len(ends) <= MAX_NAMED_FOLDS else ""
    middles, names = [(begin + end) / 2 for _, begin, end in ends], [f"{word}{fold}" for fold, _, _ in ends]
    update(title_text="Run, by outer fold", tickvals=middles, ticktext=names, automargin=True)


def _map_columns(selections, similarity, merged):
    """((d,) column of each feature or −1, names, groups) of the columns, in the order of the features."""
    d = selections[0].n_features
    ever = sum(runs.counts for runs in selections) > 0
    label = np.full(d, -1) if similarity is None or similarity.labels is None else similarity.labels
    group = np.array([*(() if similarity is None else similarity.group_names), ""], dtype=object)
    names = np.array(selections[0].features, dtype=object)
    column_of = np.full(d, -1)
    if not merged:
        column_of[ever] = np.arange(ever.sum())
        return column_of, names[ever], group[label[ever]]
    used = np.unique(label[ever & (label >= 0)])
    alone = ever & (label < 0)
    number = np.full(len(group), -1)
    number[used] = np.arange(len(used))
    column_of[label >= 0] = number[label[label >= 0]]
    column_of[alone] = len(used) + np.arange(alone.sum())
    return column_of, np.append(group[used], names[alone]), np.append(group[used], np.full(alone.sum(), "", dtype=object))


def _sum_by_column(matrix, column_of, n_columns):
    """(M, C) dense sums over the features of each column of a sparse (M, d) matrix."""
    entries = matrix.tocoo()
    columns = column_of[entries.coords[1]]
    inside = columns >= 0
    sums = np.zeros((matrix.shape[0], n_columns))
    np.add.at(sums, (entries.coords[0][inside], columns[inside]), entries.data[inside])
    return sums


def _column_order(order, names, groups, counts, strength):
    """Numbers of the columns from left to right."""
    frequency = sum((count > 0).mean(axis=0) for count in counts)
    often = (names, -np.round(strength, 9), -np.round(frequency, 9))
    if order == "coselection":
        first = np.lexsort(often)
        return first[coselection_order(np.vstack(counts)[:, first] > 0)]
    return np.lexsort({"frequency": often, "name": (names,), "group": (*often, groups, groups == "")}[order])


def _row_shares(values):
    total = values.sum(axis=1, keepdims=True)
    return np.divide(values, total, out=np.zeros_like(values), where=total > 0)


# ---- a picture of cells ----


def png_data_uri(cells, colours) -> str:
    """PNG with a palette, as a data: address, of an (h, w) array of colour numbers.

    colours: up to 256 of "#RRGGBB" or "rgba(r,g,b,a)". Source: ISO/IEC 15948 (PNG), colour type 3.
    """
    height, width = cells.shape
    palette = np.array([rgba(colour) for colour in colours], dtype=np.uint8)
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each row begins with the number of its filter: none
    rows[:, 1:] = cells
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette[:, :3].tobytes()),
        (b"tRNS", palette[:, 3].tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 6)),
        (b"IEND", b""),
    )
    return _png_uri(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts))


def recolour_png(source, colours) -> str:
    """The picture of a png_data_uri with other colours. colours: {"#RRGGBB" there: "#RRGGBB" here}."""
    png = base64.b64decode(source.partition(",")[2])
    start = png.index(b"PLTE") + 4
    stop = start + int.from_bytes(png[start - 8 : start - 4], "big")
    palette = [png[i : i + 3].hex().upper() for i in range(start, stop, 3)]
    other = bytes.fromhex("".join(colours.get(f"#{colour}", f"#{colour}")[1:] for colour in palette))
    return _png_uri(png[: start - 8] + _chunk(b"PLTE", other) + png[stop + 4 :])


def _png_uri(png):
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
