"""The panel: who stays beside what the shuffled outcome gives, other choices of size and threshold, what panels share."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.panel import IN as OF
from stabcore.base.text import be, plural, rounded, several, verb_for
from stabcore.plots.labels import END_LINE, label_curve_ends
from stabcore.plots.names import name_rows, row_name, safe, short_names, star_highlighted
from stabcore.plots.style import (
    GREY,
    INK,
    PALETTE,
    POINT_COLOUR,
    POINT_PALE,
    TITLE_LINE,
    TOOL_BAR,
    blank,
    error_bar,
    log_axis,
    mark_value,
)

# rows of features: more than the first only for features that stay, and never more than the second
LEAST_ROWS, MOST_SHOWN = 20, 30
ROW_HEIGHT, FRAME_HEIGHT = 24, 96  # pixels of a row, and of all around them
FOLDED, LUCKIEST = "folded", "luckiest"
FAR_FROM_MEAN = 0.4  # from the mean, beyond which a selector is named
SHUFFLED_COLOUR, FOLDED_COLOUR = "rgba(128,136,148,0.35)", "rgba(128,136,148,0.6)"  # the outcome shuffled; what is folded
EFFECTS_WIDTH, COLUMN_GAP = 0.28, 0.08  # shares of the width: effects, between two columns
SMALL_EFFECT = 0.2  # the axis of effects reaches at least so far, or those of noise would look large
SHARE_WIDTH, VOTES_WIDTH = 42, 30  # pixels of the columns of numbers at the right
INTERVALS = (
    "Intervals: where the frequency would lie if more such runs were made of this table (95%). They do not speak of other patients."
)
HOW_SHUFFLED = (
    "Grey block: how often the same feature is selected with the outcome shuffled. Last row: the luckiest feature of "
    "each "
    "shuffle; the grey line is the largest. "
)
HOW_MARKED = "Dot: {}, filled in the panel. {}Dashed rules: between them more runs could decide otherwise. "
HOW_TICKED = "Thin ticks: each selector. "
BOUNDED = (
    "A number of false features is an average over many studies made in this way, not a count in this panel. It holds for a "
    "threshold and a number of features that were set before looking."
)
GRID_SCALE = [[0, "rgba(0,114,178,0.04)"], [1, "rgba(0,114,178,1)"]]  # from what is behind, so that no zero is the brightest
GRID_COLOURS = {"stays": "stay", "false": "false"}  # what colours of the map of choices tell, at their scale
FALSE_WORDS = {"bound": "at most {} false on average", "shuffled": "{} pass with the outcome shuffled"}
NEAR_THRESHOLD = 0.1  # of the threshold, how far other choices are looked at
GRID_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000, 3000)
MOST_TICKS = 10  # of an axis that counts features one by one
MOST_COLUMNS = 25  # intersections shown
SELECTOR_HEIGHT = 34  # pixels of a selector below them, whose name may have two lines
SIZES_WIDTH = 72  # pixels of the axis of their sizes, with its title
PANEL_COLOUR = PALETTE[0]


# ---- who stays ----


def finding_panel(table, threshold, false=None) -> str:
    """How many features stay, how many of these are clear of the luckiest one of all shuffles, and how many may be false.

    table: an analysis.panel.panel; false: what analysis.panel.false_together tells of it, None where that is not known.
    """
    staying = int(table["stays"].sum())
    who = several(staying, "feature") if staying else "No feature"
    selectors = int(table["selectors"].iloc[0]) if len(table) else 1
    of = f", mean of {several(selectors, 'selector')}" if selectors > 1 else ""
    sentences = [f"{who} {'stays' if staying < 2 else 'stay'} in the panel (selected in at least {threshold:.0%} of the runs{of})."]
    if staying and table["line"].notna().any():
        clear = int(table["clear"].sum())
        which = "All" if clear == staying > 1 else clear or "None"
        sentences.append(
            f"{which} of them {be(clear or 1)} clear of the luckiest feature with the outcome shuffled "
            f"({table['line'].iloc[0]:.0%})."
        )
    if staying and false is not None and np.isfinite(false["pfer_bound"]):
        sentences.append(describe_false_features(false))
    return " ".join(sentences)


def describe_false_features(false) -> str:
    """How many false features to expect in a panel, and why that many, in one sentence.

    false: what analysis.panel.false_together tells, or a row of analysis.panel.false_selection_bounds.
    """
    false_features, stays = false["pfer_bound"], int(false["stays"])
    number = f"{false_features:.1f}" if false_features >= 0.1 or not false_features else f"{false_features:.2f}"
    lead = "All of them may be false: " if false_features >= stays > 0 else ""
    if false["basis"] == "shuffled":
        passing = f"{number} features pass the threshold on average" if false_features else "no features pass the threshold"
        sentence = f"with the outcome shuffled, {passing}."
    else:
        sentence = f"such panels hold at most {number} false features on average."
    return lead + sentence if lead else sentence[0].upper() + sentence[1:]


def frame_panel(table, threshold, highlighted=(), effects=None, luckiest=()):
    """DataFrame, one row for each feature of an analysis.panel.panel and one for each shuffle, as they are drawn.

    kind "" for a feature with a row of its own, FOLDED for the others, LUCKIEST for the luckiest feature of each shuffle, with its
    frequency. place: the number of the feature in the table, which a click gives. effect, effect_low, effect_high: of an
    analysis.effects.effects, shrunken where that is known, missing without one. between: does its interval hold the threshold?
    """
    import pandas as pd

    shown = max(LEAST_ROWS, min(int(table["stays"].sum()), MOST_SHOWN))
    places = np.arange(len(table))
    frame = table.assign(
        kind=np.where(places < shown, "", FOLDED),
        threshold=threshold,
        place=places,
        highlighted=table["feature"].isin(list(highlighted)),
        between=(table["low"] < threshold) & (table["high"] >= threshold),
    )
    by_feature = None if effects is None else effects.set_index("feature")
    for column, name, measured in (
        ("effect", "shrunken", "effect"),
        ("effect_low", "shrunken_low", "low"),
        ("effect_high", "shrunken_high", "high"),
    ):
        frame[column] = np.nan
        if by_feature is not None:
            frame[column] = frame["feature"].map(by_feature[name].fillna(by_feature[measured])).astype(float)
    lucky = pd.DataFrame({"feature": "", "kind": LUCKIEST, "frequency": np.asarray(luckiest, dtype=float), "threshold": threshold})
    return pd.concat([frame, lucky], ignore_index=True) if len(lucky) else frame


def draw_panel(frame):
    """One row for each feature: its effect where one is known, and its selection frequency beside that of the shuffled outcome.

    All further features and the luckiest ones of the shuffles have a row each.
    """
    rows, folded, lucky = (frame[frame["kind"] == kind] for kind in ("", FOLDED, LUCKIEST))
    n_rows = len(rows) + bool(len(folded)) + bool(len(lucky))
    y = n_rows - 1 - np.arange(len(rows))
    left = EFFECTS_WIDTH + COLUMN_GAP if rows["effect"].notna().any() else 0.0
    figure = blank(height=FRAME_HEIGHT + TOOL_BAR + ROW_HEIGHT * max(n_rows, 4))
    beside = SHARE_WIDTH + VOTES_WIDTH * (len(rows) > 0 and rows["selectors"].iloc[0] > 1) + 4
    figure.update_layout(showlegend=False, barmode="overlay", margin={"t": TOOL_BAR + 2 * TITLE_LINE, "b": 40, "r": beside})
    figure.layout.xaxis.update(
        domain=(left, 1),
        range=[-0.02, 1.03],
        tickvals=[0, 0.5, 1],
        showgrid=True,
        ticktext=["0", "50", "100%"],
        tickangle=0,
        automargin=False,
    )
    figure.add_traces(
        [
            *_shuffled_blocks(rows, y),
            *_selector_ticks(rows, y),
            *_feature_points(rows, y),
            *_folded_ticks(folded, len(lucky) > 0, "frequency", "x"),
            *_luckiest_rings(lucky),
        ]
    )
    if left:
        _add_effects(figure, rows, y, folded, len(lucky) > 0)
    names = star_highlighted(rows["feature"], rows["highlighted"])
    names = [f"<b>{name}</b>" if stays and not name.startswith("<b>") else name for name, stays in zip(names, rows["stays"])]
    more = ([f"{len(folded):,} more"] if len(folded) else []) + (["Luckiest feature"] if len(lucky) else [])
    name_rows(
        figure,
        [*y, *range(len(more) - 1, -1, -1)],
        [*names, *more],
        showgrid=False,
        range=[-0.7, n_rows - 0.3],
        anchor="free",
        position=0,
    )
    if len(rows):
        _add_lines(figure, rows, y, lucky)
        _add_numbers(figure, rows, y)
    return figure


def _shuffled_blocks(rows, y):
    """The same features with the outcome shuffled: a block that ends in a tick."""
    if rows["shuffled"].notna().any():
        yield {
            "type": "bar",
            "orientation": "h",
            "x": rows["shuffled"].to_numpy(),
            "y": y,
            "width": 0.7,
            "hoverinfo": "skip",
            "marker": {"color": SHUFFLED_COLOUR},
            "name": "outcome shuffled",
        }
        yield {
            "type": "scatter",
            "mode": "markers",
            "x": rows["shuffled"].to_numpy(),
            "y": y,
            "name": "outcome shuffled, mean",
            "hoverinfo": "text",
            "hovertext": [f"{safe(row.feature)}, outcome shuffled: {row.shuffled:.0%}" for row in rows.itertuples()],
            "marker": {"symbol": "line-ns", "size": 14, "line": {"width": 2, "color": GREY}},
        }


def _selector_ticks(rows, y):
    """A thin tick for each selector where there are several."""
    labels = [name.removeprefix(OF) for name in rows.columns if name.startswith(OF)]
    if len(labels) > 1 and len(rows):
        share = rows[[f"{OF}{label}" for label in labels]].to_numpy()
        called = short_names(labels)
        yield {
            "type": "scatter",
            "mode": "markers+text",
            "x": share.ravel(),
            "y": np.repeat(y, len(labels)),
            "name": "each selector",
            "hoverinfo": "text",
            "customdata": np.repeat(rows["place"].to_numpy(), len(labels)),
            "textposition": np.where(share.ravel() > 1 - FAR_FROM_MEAN, "middle left", "middle right"),
            "text": _names_far_from_mean(share, rows["frequency"].to_numpy(), [safe(called[label]) for label in labels]),
            "textfont": {"size": 11, "color": "grey"},
            "hovertext": [
                f"{safe(feature)}, {safe(label)}: {frequency:.0%}"
                for feature, line in zip(rows["feature"], share)
                for label, frequency in zip(labels, line)
            ],
            "marker": {"symbol": "line-ns", "size": 11, "line": {"width": 1, "color": GREY}},
        }


def _names_far_from_mean(share, often, names):
    """Names of selectors that lie far from the mean, where it is one alone in its row; "" for all others."""
    far = np.abs(share - often[:, None]) > FAR_FROM_MEAN
    return [name if odd and alone else "" for line, alone in zip(far, far.sum(axis=1) == 1) for name, odd in zip(names, line)]


def _feature_points(rows, y):
    """Each feature with its interval, those in the panel full, the others hollow."""
    for stays, name, colour, pale in (
        (True, "in the panel", POINT_COLOUR, POINT_PALE),
        (False, "not in it", GREY, SHUFFLED_COLOUR),
    ):
        part, positions = rows[rows["stays"] == stays], y[(rows["stays"] == stays).to_numpy(dtype=bool)]
        if not len(part):
            continue
        often, low, high = (part[column].to_numpy(dtype=float) for column in ("frequency", "low", "high"))
        yield {
            "type": "scatter",
            "x": often,
            "y": positions,
            "mode": "markers",
            "name": name,
            "hoverinfo": "text",
            "customdata": part["place"].to_numpy(),
            "marker": {
                "size": 10,
                "color": colour,
                "symbol": "circle" if stays else "circle-open",
                "line": {"width": 2, "color": colour},
            },
            "error_x": error_bar(often, low, high, color=pale, thickness=3, width=0),
            "text": [
                f"{safe(feature)}: {share:.0%} [{least:.0%}, {most:.0%}]"
                for feature, share, least, most in zip(part["feature"], often, low, high, strict=True)
            ],
        }


def _folded_ticks(folded, above, column, axis):
    """All further features as ticks in one row."""
    if len(folded):
        yield {
            "type": "scatter",
            "mode": "markers",
            "x": folded[column].to_numpy(dtype=float),
            "xaxis": axis,
            "y": np.full(len(folded), int(above)),
            "name": FOLDED,
            "hoverinfo": "text",
            "hovertext": [safe(feature) for feature in folded["feature"]],
            "customdata": folded["place"].to_numpy(),
            "marker": {"symbol": "line-ns", "size": 14, "line": {"width": 1, "color": FOLDED_COLOUR}},
        }


def _luckiest_rings(lucky):
    """The luckiest feature of each shuffle as rings in the last row."""
    if len(lucky):
        yield {
            "type": "scatter",
            "mode": "markers",
            "x": lucky["frequency"].to_numpy(),
            "y": np.zeros(len(lucky)),
            "name": LUCKIEST,
            "hoverinfo": "text",
            "hovertext": [f"luckiest of a shuffle: {frequency:.0%}" for frequency in lucky["frequency"]],
            "marker": {"symbol": "circle-open", "size": 8, "color": GREY, "line": {"width": 1.5, "color": GREY}},
        }


def _add_effects(figure, rows, y, folded, above):
    """The column of effects: an arrow in its direction, with its interval."""
    effect, low, high = (rows[column].to_numpy(dtype=float) for column in ("effect", "effect_low", "effect_high"))
    colour = np.where(rows["stays"].to_numpy(dtype=bool), POINT_COLOUR, GREY)
    figure.add_trace(
        {
            "type": "scatter",
            "mode": "markers",
            "x": effect,
            "y": y,
            "xaxis": "x2",
            "name": "effect",
            "hoverinfo": "text",
            "customdata": rows["place"].to_numpy(),
            "hovertext": [
                f"{safe(name)}: {size:+.2f} [{least:.2f}, {most:.2f}]"
                for name, size, least, most in zip(rows["feature"], effect, low, high)
            ],
            "marker": {"size": 9, "color": colour, "symbol": np.where(effect < 0, "triangle-left", "triangle-right")},
            "error_x": error_bar(effect, low, high, color=GREY, thickness=1.5, width=0),
        }
    )
    figure.add_traces(list(_folded_ticks(folded, above, "effect", "x2")))
    ends = np.concatenate([low, high, effect, folded["effect"].to_numpy(dtype=float)])
    least, most = np.nanmin(ends, initial=-SMALL_EFFECT), np.nanmax(ends, initial=SMALL_EFFECT)
    pad = 0.05 * (most - least)
    figure.update_layout(
        xaxis2={
            "domain": (0, EFFECTS_WIDTH),
            "anchor": "y",
            "range": [least - pad, most + pad],
            "nticks": 4,
            "tickangle": 0,
            "automargin": False,
            "zeroline": True,
            "zerolinecolor": GREY,
        }
    )
    for middle, text in ((EFFECTS_WIDTH / 2, "Effect"), ((1 + EFFECTS_WIDTH + COLUMN_GAP) / 2, "Selection frequency")):
        _add_heading(figure, middle, f"<b>{text}</b>", 1)


def _add_lines(figure, rows, y, lucky):
    """Threshold, luckiest feature, the rule between in and out, and those around what more runs could decide."""
    mark_value(figure, rows["threshold"].iloc[0], f"threshold {rows['threshold'].iloc[0]:.0%}")
    if len(lucky):
        figure.add_vline(x=lucky["frequency"].max(), line={"color": GREY, "width": 1.5}, layer="below", name=LUCKIEST)
    staying, between = y[rows["stays"].to_numpy(dtype=bool)], y[rows["between"].to_numpy(dtype=bool)]
    rules = [(staying.min() - 0.5, "solid")] if 0 < len(staying) < len(rows) else []
    around = (between.max() + 0.5, between.min() - 0.5) if len(between) else ()
    rules += [
        (position, "dash")
        for position in around
        if y.min() - 0.5 < position < y.max() + 0.5 and position not in [other for other, _ in rules]
    ]
    for position, dash in rules:
        figure.add_shape(
            type="line",
            xref="paper",
            x0=0,
            x1=1,
            y0=position,
            y1=position,
            line={"color": GREY, "width": 1, "dash": dash},
            layer="below",
        )


def _add_numbers(figure, rows, y):
    """At the right: the frequency, and in how many selectors it passes the threshold."""
    of = int(rows["selectors"].iloc[0])
    for row, position in zip(rows.itertuples(), y, strict=True):
        for shift, text in (
            (SHARE_WIDTH, f"{row.frequency:.0%}"),
            *([(SHARE_WIDTH + VOTES_WIDTH, f"{row.approval:.0f}")] if of > 1 else []),
        ):
            figure.add_annotation(
                x=1,
                xref="paper",
                xshift=shift,
                y=position,
                text=f"<b>{text}</b>" if row.stays else text,
                showarrow=False,
                xanchor="right",
                font={"size": 12, "color": INK if row.stays else "grey"},
            )
    if of > 1:
        _add_heading(figure, 1, f"of {of}", 0, "right", SHARE_WIDTH + VOTES_WIDTH)


def _add_heading(figure, x, text, line, anchor="center", shift=0):
    figure.add_annotation(
        x=x,
        xref="paper",
        xshift=shift,
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=4 + TITLE_LINE * line,
        xanchor=anchor,
        text=text,
        showarrow=False,
        font={"size": 12, "color": INK},
    )


def describe_marks(frame) -> str:
    """How to read the picture: its marks, as far as it has them."""
    several_selectors = frame["selectors"].max() > 1
    marks = HOW_MARKED.format(
        "mean of the selectors" if several_selectors else "selection frequency", HOW_TICKED if several_selectors else ""
    )
    return marks + (HOW_SHUFFLED if frame["shuffled"].notna().any() else "") + INTERVALS


# ---- other choices ----


def finding_threshold_grid(frame, k=None, threshold=0.75) -> str:
    """How many features the chosen number and threshold leave, and how many others near them would, of an panel.threshold_grid.

    k: features a run, None where each run selected as many as it did.
    """
    if k is None or frame.empty:
        return "The map shows how many features each choice of number and threshold leaves."
    here = frame.loc[((frame["k"] - k).abs() + (frame["threshold"] - threshold).abs()).idxmin()]
    near = frame[frame["k"].between(k / 2, 2 * k) & ((frame["threshold"] - threshold).abs() < NEAR_THRESHOLD + 1e-9)]
    if near["stays"].isna().all():
        return "The map shows how many features each choice of number and threshold leaves."
    low, high = int(near["stays"].min()), int(near["stays"].max())
    staying = int(here["stays"])
    return (
        f"The panel has {several(staying, 'feature')} ({several(int(here['k']), 'feature')} a run, threshold "
        f"{here['threshold']:.0%}). Half to twice as many features a run, with thresholds within 10 points, leave "
        f"{low if low == high else f'{low} to {high}'}."
    )


def frame_threshold_grid(table):
    """An analysis.panel.threshold_grid with what each cell of the picture says: a column `text`."""
    return table.assign(
        text=[
            f"{cell.threshold:.0%} of the runs, {cell.k} a run: {cell.stays} {verb_for(cell.stays, 'stay')}"
            + ("" if np.isnan(cell.false) else f"<br>{FALSE_WORDS[cell.basis].format(rounded(cell.false))}")
            for cell in table.itertuples()
        ]
    )


def draw_threshold_grid(frame, k=None, threshold=None, colours="stays"):
    """How many features stay at every number of features a run and every threshold; the chosen pair is marked.

    colours: what they tell, a key of GRID_COLOURS. What is not defined has none.
    """
    grid, hovers = (frame.pivot(index="threshold", columns="k", values=name) for name in (colours, "text"))
    figure = blank(x="Features each run selects", y="Threshold", height=420)
    places = [str(size) for size in grid.columns]
    figure.add_heatmap(
        z=np.log1p(grid.to_numpy()),
        x=places,
        y=grid.index,
        text=hovers.to_numpy(),
        hoverinfo="text",
        hoverongaps=False,
        colorscale=GRID_SCALE,
        colorbar={
            "title": {"text": GRID_COLOURS[colours]},
            "tickvals": np.log1p(GRID_TICKS),
            "ticktext": [f"{count:g}" for count in GRID_TICKS],
        },
    )
    if k is not None and threshold is not None:
        near = min(range(len(places)), key=lambda i: abs(grid.columns[i] - k))
        figure.add_scatter(
            x=[places[near]],
            y=[threshold],
            mode="markers",
            showlegend=False,
            hoverinfo="skip",
            marker={"symbol": "x-thin", "size": 14, "line": {"width": 3, "color": INK}},
        )
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", showgrid=False)
    return figure


def finding_paths(frame, threshold) -> str:
    """How many features of the panel would also pass with half and with twice as many features a run, of a frame_paths."""
    staying = frame[frame["stays"]]
    in_panel = staying["feature"].nunique()
    if not in_panel:
        return f"No feature passes {threshold:.0%} of the runs with this number of features a run."
    passes = staying[staying["near"]].groupby("feature")["frequency"].min() >= threshold - 1e-9
    return (
        f"{int(passes.sum())} of the {several(in_panel, 'feature')} in the panel {'passes' if passes.sum() == 1 else 'pass'} "
        f"{threshold:.0%} at every number from half to twice that of the panel."
    )


def frame_paths(table, threshold, k=None, highlighted=()):
    """An analysis.panel.stability_paths with four more columns.

    stays: does the feature pass the threshold at the number nearest to k, so that it is in the panel; near: is the number from half
    to twice k; strong: is the path highlighted, or in the panel where none is; text: what a point of it says.
    """
    sizes = table["k"].unique()
    k = k or sizes[-1]
    here = min(sizes, key=lambda row: abs(row - k))
    passing = table.loc[(table["k"] == here) & (table["frequency"] >= threshold - 1e-9), "feature"]
    stays = table["feature"].isin(passing)
    return table.assign(
        stays=stays,
        near=table["k"].between(here / 2, 2 * here),
        strong=table["feature"].isin(list(highlighted)) if len(highlighted) else stays,
        text=[f"{safe(row.feature)}: {row.frequency:.0%} with {row.k}" for row in table.itertuples()],
    )


def draw_paths(frame, threshold, k=None):
    """The share of the runs that select each feature against the number of features a run; strong ones named at their ends."""
    ends = frame[frame["strong"]].groupby("feature", sort=False).tail(1)
    figure = blank(x="Features each run selects", y="Share of the runs", height=max(420, 150 + 2 * END_LINE * len(ends)))
    for name, path in frame.groupby("feature", sort=False):
        strong = path["strong"].iloc[0]
        figure.add_scatter(
            x=path["k"],
            y=path["frequency"],
            mode="lines",
            name=safe(name),
            showlegend=False,
            hoverinfo="text",
            text=path["text"],
            line={"color": PANEL_COLOUR if strong else GREY, "width": 2 if strong else 1},
        )
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    first, last = frame["k"].min(), max(frame["k"].max(), k or 0)
    log = bool(last > 30)
    if log:
        log_axis(figure, last)
    figure.update_xaxes(range=np.log10([first, last]) if log else [first, max(last, first + 1)])
    figure.update_yaxes(tickformat=".0%")
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    return label_curve_ends(
        figure, [(end.feature, end.k, end.frequency, PANEL_COLOUR) for end in ends.itertuples()], (-0.02, 1.03), log
    )


def finding_shared(frame, n_selectors) -> str:
    """What the panels of the selectors have in common, of an analysis.consensus.shared_panels."""
    if frame.empty:
        return "No selector has a feature above the threshold."
    if n_selectors == 1:
        return f"{several(int(frame['size'].sum()), 'feature')} {be(int(frame['size'].sum()))} in the panel of the one selector."
    every = int(frame.loc[frame["n_selectors"] == n_selectors, "size"].sum())
    alone = int(frame.loc[frame["n_selectors"] == 1, "size"].sum())
    return (
        f"{every or 'No'} {plural(every or 1, 'feature')} {be(every or 1)} in the panel of all "
        f"{several(n_selectors, 'selector')}, {alone or 'none'} in that of one only."
    )


def describe_same_sets(table) -> str:
    """How many different sets there were, of an analysis.consensus.same_sets: the selectors with fewest and most of them."""
    if len(table) > 1 and table["different"].nunique() == table["runs"].nunique() == 1:
        different, runs = int(table["different"].iloc[0]), int(table["runs"].iloc[0])
        sets = "One and the same set" if different == 1 else f"{different} different sets"
        never = "; no set came back" if different == runs else ""
        return f"{sets} in {several(runs, 'run')} of each of the {len(table)} selectors{never}."
    parts = [
        f"{row.different} different sets in {several(row.runs, 'run')} of {row.selector}"
        for row in table.sort_values("different", kind="stable").itertuples()
    ]
    return f"{parts[0]}." if len(parts) == 1 else f"From {parts[0]} to {parts[-1]}."


def frame_shared(table, labels):
    """DataFrame(place, selectors, features, size, and a column a selector: is it one of them) of consensus.shared_panels."""
    shown = table.head(MOST_COLUMNS).reset_index(drop=True)
    frame = shown.assign(
        place=shown.index,
        features=[", ".join(names) for names in shown["features"]],
        **{label: [label in who for who in shown["selectors"]] for label in labels},
    )
    return frame.assign(selectors=[", ".join(who) for who in shown["selectors"]])


def draw_shared(frame, labels):
    """UpSet picture: bars of how many features, under each the selectors in whose panel, and nobody else's, they are."""
    figure, places = blank(height=260 + SELECTOR_HEIGHT * len(labels)), frame["place"].tolist()
    hovers = [f"{size}: {safe(names)}" for size, names in zip(frame["size"], frame["features"])]
    rows = np.arange(len(labels))[::-1]
    inside = frame[labels].to_numpy(dtype=bool)
    held = [rows[selectors] for selectors in inside]
    under = {"type": "scatter", "yaxis": "y2", "showlegend": False, "hoverinfo": "skip"}
    figure.add_traces(
        [  # one trace of all dots: a trace a selector takes four times as long
            {
                "type": "bar",
                "x": places,
                "y": frame["size"].to_numpy(),
                "marker": {"color": PANEL_COLOUR},
                "text": [f"{size}" for size in frame["size"]],
                "textposition": "outside",
                "hovertext": hovers,
                "hoverinfo": "text",
                "showlegend": False,
                "cliponaxis": False,
            },
            {
                **under,
                "x": np.repeat(places, len(labels)),
                "y": np.tile(rows, len(frame)),
                "mode": "markers",
                "marker": {"size": 10, "color": np.where(inside.ravel(), PANEL_COLOUR, "rgba(128,128,128,0.2)")},
            },
            {
                **under,
                "x": [part for place in places for part in (place, place, None)],
                "mode": "lines",
                "y": [part for inside_rows in held for part in (inside_rows.min(), inside_rows.max(), None)],
                "line": {"color": PANEL_COLOUR, "width": 2},
            },
        ]
    )
    low = SELECTOR_HEIGHT * len(labels) / (200 + SELECTOR_HEIGHT * len(labels))
    figure.layout.margin.l = SIZES_WIDTH
    figure.layout.xaxis = {"showticklabels": False, "showgrid": False, "zeroline": False, "automargin": False}
    figure.layout.yaxis = {
        "domain": [low + 0.03, 0.96],
        "title": {"text": "Features"},
        "automargin": False,
        **({"dtick": 1} if frame["size"].max() < MOST_TICKS else {}),
    }
    figure.layout.yaxis2 = {"domain": [0, low], "anchor": "x", "showgrid": False, "zeroline": False}
    return name_rows(figure, rows, map(row_name, labels), "yaxis2", range=[-0.6, len(labels) - 0.4])
