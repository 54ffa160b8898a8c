"""The noise floor: what a selector gives with the outcome shuffled, each selector beside its own, and what is beyond it."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import above
from stabcore.analysis.noise_floors import any_beyond, beyond_pairs, blind, floors
from stabcore.base.text import join_tied, plural, rounded, several
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.style import (
    BEYOND,
    FLOOR,
    FLOOR_AREA,
    FLOOR_COLOUR,
    FLOOR_DASH,
    GREY,
    GRID,
    INK,
    MEASURED,
    PAPER,
    SECOND_INK,
    TOOL_BAR,
    blank,
    channels,
    error_bar,
)
from stabcore.plots.values import few_ticks, format_number, format_range, format_with_interval, format_with_range
from stabcore.selectors.baseline import is_baseline, rivals

FLOOR_COLUMNS = ("selector", "floor", "low", "high", "shuffles")
NOT_MEASURED = (
    "The noise floor was not measured, so nothing is judged here. Switch on the permutation control on Study and "
    "continue the study."
)
NOTHING_JUDGED = "So nothing is judged here."
PANELS = {
    "halves": ("Separate halves", "no patient in both"),
    "runs": ("All runs", "Nogueira’s Φ"),
    "effective": ("Similar features count as one", "effective, other scale"),
}
BEYOND_COLUMNS = (
    "value",
    "low",
    "high",
    "floor",
    "floor_low",
    "floor_high",
    "floor_se",
    "floor_sd",
    "beyond",
    "beyond_low",
    "beyond_high",
    "p",
    "clear",
    "shuffles",
    "note",
)
ROW_HEIGHT, LOW_ROW_HEIGHT, MOST_HIGH_ROWS = 36, 20, 12  # pixels of a row, and of one of more than so many
# pixels of the two lines above a panel, of a line of the legend, of numbers below
HEADINGS_HEIGHT, LEGEND_LINE, FOOT_HEIGHT = 48, 24, 30
RULE_COLOUR = "rgba(128,128,128,0.25)"  # between rows: faint on white and on black
NUMBERS_WIDTH = 0.2  # of the width of a panel, for the number at its right
PANEL_GAP = 0.02  # of the width, before every panel but the first
HOW_TO_READ = (
    "Grey: the same selector with the outcome shuffled {times} times, its range and mean. Pale blue: what is beyond "
    "that. "
    "Filled: clearly above the shuffles (p ≤ 0.05). 0 is chance (random subsets)."
)
HOW_TO_READ_WITHOUT_FLOOR = "Open marks: no noise floor is known, so no selector is called stable. 0 is chance (random subsets)."
OF_HALVES = "Each half has half of the patients, so this is what studies of that size would agree on."
OF_ALL_RUNS = "All runs are another quantity: they share patients, so values and noise floors are higher."
OF_EFFECTIVE = (
    "Effective stability is below the classic one where some runs select several of a group and others none. Its floor "
    "differs between selectors, so only what is beyond it is compared."
)
MOST_LEADERS = 3  # selectors that are named together as the first
MOSTLY = 0.5  # of a value: a floor that holds more of it is told


# ---- the floor in other figures ----


def frame_floor(result, k=None, measure="nogueira", similarity=None, computed=None):
    """DataFrame(selector, floor, low, high, shuffles): each selector's noise floor; no rows without a control.

    k: the number of features that is asked for; None: that of the study. computed: what analysis.noise_floors gives for the
    same question, where it was computed already.
    """
    import pandas as pd

    if not result.has_control:
        return pd.DataFrame(columns=list(FLOOR_COLUMNS))
    computed = floors(result, measure, similarity, k) if computed is None else computed
    computed = computed.rename_axis("selector").reset_index()
    computed = computed.loc[computed["shuffles"] > 0, ["selector", "floor", "floor_low", "floor_high", "shuffles"]]
    return computed.set_axis(list(FLOOR_COLUMNS), axis="columns").dropna(subset="floor", ignore_index=True)


def describe_unknown_floor(result=None) -> str:
    """Why no noise floor is known of some runs, and how to get it: runs of a study, or selections that were brought."""
    return f"{NO_FLOOR_OF_UPLOADED} {NOTHING_JUDGED}" if getattr(result, "plan", None) is None else NOT_MEASURED


def describe_floor(frame, result, k=None) -> str:
    """The noise floors in one sentence, or why they are not known; the range leaves out what does not look at the outcome."""
    looking = frame[~frame["selector"].isin(blind(result))] if len(frame) else frame
    frame = looking if len(looking) else frame
    if frame.empty:
        return describe_unknown_floor(result)
    low, high = rounded(frame["floor"].min()), rounded(frame["floor"].max())
    span = low if low == high else f"{low} to {high}, depending on the selector"
    return f"Noise floor: {span} (outcome shuffled {several(int(frame['shuffles'].max()), 'time')})."


def describe_frequencies(result, label, frequencies, k=None) -> str:
    """How many features of a selector come more often than any with the outcome shuffled; "" where nobody shuffled it.

    frequencies: (d,) share of the runs that select each feature.
    """
    if not result.has_control:
        return ""
    line = result.frequency_line(label, k)
    if not np.isfinite(line):
        return ""
    count = int((np.asarray(frequencies) > line).sum())
    sentence = (
        f"With the outcome shuffled, no feature is selected in more than {line:.0%} of the runs. "
        f"Here {count or 'no'} {plural(count or 1, 'feature')} {'exceeds' if count <= 1 else 'exceed'} that"
    )
    return f"{sentence} ({describe_without_signal(result)})." if count else f"{sentence}."


def describe_without_signal(result) -> str:
    """How often the first feature passes the line of S shuffles though nothing has a signal: its table is one of S + 1 alike."""
    return f"without signal, the first feature does so in up to 1 of {result.settings['n_permutations'] + 1} tables"


def draw_floor(frame, figure=None, *, axis="y", positions=None, styles=None):
    """The floor on a figure, named in its legend so that nothing is written over the picture.

    One row: a line across with its range as a band; several selectors: a tick each, in the colour of `styles`.
    positions: {selector: its place on the other axis}. axis: "x" or "y", where the stability stands.
    """
    figure = figure or blank()
    if len(frame) == 1:
        level, other = frame.iloc[0], "x" if axis == "y" else "y"
        if np.isfinite(level["low"]) and level["high"] > level["low"]:
            ends = {f"{other}0": 0, f"{other}1": 1, f"{other}ref": f"{other} domain"}
            figure.add_shape(
                type="rect",
                **{f"{axis}0": level["low"], f"{axis}1": level["high"]},
                **ends,
                fillcolor=FLOOR_COLOUR,
                opacity=0.12,
                line_width=0,
                layer="below",
            )
        _add_floor_line(figure, level["floor"], axis)
    elif len(frame):
        _add_floor_ticks(figure, frame, axis, positions or {}, styles or channels(frame["selector"]))
    return figure


def _add_floor_line(figure, value, axis):
    add = figure.add_hline if axis == "y" else figure.add_vline
    add(
        **{axis if axis == "x" else "y": value},
        line={"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 1.8},
        layer="below",
        name=f"{FLOOR}: {rounded(value)}",
        showlegend=True,
    )


def _add_floor_ticks(figure, frame, axis, positions, styles):
    """A tick for each selector across its floor, with the range over the shuffles; one name for all."""
    for number, row in enumerate(frame[frame["selector"].isin(list(positions))].itertuples()):
        place = {axis: [row.floor], "x" if axis == "y" else "y": [positions[row.selector]]}
        figure.add_scatter(
            **place,
            mode="markers",
            name=FLOOR,
            legendgroup=FLOOR,
            showlegend=number == 0,
            hoverinfo="text",
            marker={
                "symbol": f"line-{'ew' if axis == 'y' else 'ns'}-open",
                "size": 14,
                "line": {"width": 3, "color": styles[row.selector][0]},
                "color": styles[row.selector][0],
            },
            **{
                f"error_{axis}": {
                    "type": "data",
                    "symmetric": False,
                    "array": [row.high - row.floor],
                    "arrayminus": [row.floor - row.low],
                    "thickness": 1,
                    "width": 0,
                    "color": styles[row.selector][0],
                }
            },
            hovertext=[
                f"{safe(row.selector)}<br>{FLOOR}: {rounded(row.floor)} [{rounded(row.low)}, {rounded(row.high)}], outcome "
                f"shuffled {row.shuffles} times"
            ],
        )


# ---- each selector beside its floor ----


def panels_of(result, similarity, halves, runs) -> dict:
    """{a key of PANELS: what is drawn there}, the headline first: separate halves where the plan makes them, else all runs.

    halves, runs: measure -> what StudyResult.split_half, noise_floors.floors give. Where no feature is similar to another one
    the effective stability would say all again, and is left out.
    """
    separate = getattr(result.plan, "separate_halves", False)
    panels = {"halves": halves("kappa")} if separate else {}
    panels["runs"] = runs("nogueira")
    if similarity is not None and similarity.n_related > 0:
        panels["effective"] = halves("effective") if separate else runs("effective")
    return panels


def frame_beyond(panels, blind=()):
    """DataFrame, one row per panel and selector: a stability beside its noise floor, in the order of the figure.

    panels: {a key of PANELS: DataFrame indexed by selector, as StudyResult.split_half or noise_floors.floors gives it}. The
    first is the headline, by which selectors are sorted: farthest beyond the floor first, and as they come where no floor was
    measured; baselines last. blind: selectors that do not look at the outcome.
    """
    import pandas as pd

    first = next(iter(panels.values()))
    names = pd.Series(first.index)
    measured = (first["shuffles"] > 0).any()
    farthest = -first["beyond"].fillna(-np.inf).to_numpy() if measured else np.zeros(len(names))
    order = np.lexsort((np.arange(len(names)), farthest, names.map(is_baseline)))
    parts = [table.reindex(names[order]).reset_index(names="selector").assign(panel=key) for key, table in panels.items()]
    frame = pd.concat(parts, ignore_index=True)
    more = [name for name in ("shared", "expected_by_chance", "size") if name in frame]
    frame = frame.assign(
        clear=frame["clear"].eq(True), blind=frame["selector"].isin(blind), shuffles=frame["shuffles"].fillna(0).astype(int)
    )
    return frame[["panel", "selector", *BEYOND_COLUMNS, "blind", *more]]


def headline_rows(frame):
    """The rows of the panel that selectors are sorted by, without baselines."""
    return rivals(frame[frame["panel"] == frame["panel"].iloc[0]])


def floor_is_measured(frame) -> bool:
    """Whether the outcome was shuffled, so that anything can be judged."""
    return bool((headline_rows(frame)["shuffles"] > 0).any())


def draw_beyond(frame, panels=None, lines=2, titles=None):
    """A row per selector: the floor's range and mean in grey, what is beyond it in pale blue, the value with its interval in blue.

    panels: which of the frame, all by default; lines: those that the legend takes; titles: {panel: (what stands above it, below
    that)}. Baselines are not drawn: their floor is themselves.
    """
    shown = list(dict.fromkeys(frame["panel"])) if panels is None else list(panels)
    frame = rivals(frame)
    names = list(dict.fromkeys(frame["selector"]))
    row = ROW_HEIGHT if len(names) <= MOST_HIGH_ROWS else LOW_ROW_HEIGHT
    top = TOOL_BAR + LEGEND_LINE * lines + HEADINGS_HEIGHT
    figure = blank(height=top + row * max(len(names), 1) + FOOT_HEIGHT)
    figure.layout.margin.t, figure.layout.margin.b = top, FOOT_HEIGHT
    figure.update_layout(barmode="overlay", bargap=0)
    place = {name: len(names) - 1 - position for position, name in enumerate(names)}
    for number, key in enumerate(shown):
        rows = frame[frame["panel"] == key]
        rows = rows.assign(place=rows["selector"].map(place))
        _add_marks(figure, rows, number, len(shown), row)
        _set_axis(figure, number, len(shown), _axis_range(frame, key))
        _add_words(figure, rows, (titles or PANELS)[key], number, len(shown))
    rules = [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "yref": "y",
            "y0": position + 0.5,
            "y1": position + 0.5,
            "layer": "below",
            "line": {"width": 1, "color": RULE_COLOUR},
        }
        for position in range(len(names) - 1)
    ]
    figure.layout.shapes += tuple(rules)
    name_rows(figure, list(place.values()), [row_name(name) for name in names], range=[-0.5, len(names) - 0.5], showgrid=False)
    return figure


def _axis_range(frame, key):
    """(low, high) of the axis of a panel; the two of classic stability share one, every other has its own."""
    classic = ("halves", "runs")
    rows = frame[frame["panel"].isin(classic) if key in classic else frame["panel"] == key]
    ends = rows[["value", "low", "high", "floor_low", "floor_high"]].to_numpy(dtype=float)
    low, high = min(np.nanmin(ends, initial=0.0), 0.0), max(np.nanmax(ends, initial=0.1), 0.1)
    pad = 0.04 * (high - low)
    return low - pad, high + pad


def _set_axis(figure, number, n_panels, reach):
    """The x axis of a panel, with three to five ticks."""
    ticks, width = few_ticks(*reach), 1 / n_panels
    name = f"xaxis{number + 1 if number else ''}"
    figure.layout[name] = {
        "domain": [number * width + (PANEL_GAP if number else 0), (number + 1 - NUMBERS_WIDTH) * width],
        "range": list(reach),
        "tickvals": ticks,
        "ticktext": [format_number(tick, digits=1) for tick in ticks],
        "showgrid": True,
        "gridcolor": GRID,
        "anchor": "y",
        "automargin": False,
        "fixedrange": True,
    }
    figure.layout.shapes += (
        {
            "type": "line",
            "xref": name.replace("axis", ""),
            "x0": 0,
            "x1": 0,
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "layer": "below",
            "line": {"width": 1.5, "color": GREY},
        },
    )


def _add_marks(figure, rows, number, n_panels, row):
    """The marks of one panel."""
    axes = {"xaxis": f"x{number + 1 if number else ''}", "yaxis": "y"}
    in_legend = {trace.name for trace in figure.data if trace.showlegend}

    def named(name):
        return {"name": name, "legendgroup": name, "showlegend": name not in in_legend, **axes}

    with_floor = rows[(rows["shuffles"] > 0) & rows["floor"].notna() & rows["value"].notna()]
    hovers = {label: _hover(row) for label, row in zip(rows["selector"], rows.to_dict("records"))}
    if len(with_floor):
        block = with_floor["floor_high"] - with_floor["floor_low"]
        figure.add_bar(
            x=block,
            base=with_floor["floor_low"],
            y=with_floor["place"],
            orientation="h",
            width=0.5,
            hoverinfo="skip",
            marker={"color": FLOOR_AREA, "line": {"width": 0}},
            **named("outcome shuffled: mean and range"),
        )
        figure.add_bar(
            x=with_floor["value"] - with_floor["floor"],
            base=with_floor["floor"],
            y=with_floor["place"],
            orientation="h",
            width=0.17,
            hoverinfo="skip",
            marker={"color": BEYOND, "line": {"width": 0}},
            **named("beyond the noise floor"),
        )
        figure.add_scatter(
            x=with_floor["floor"],
            y=with_floor["place"],
            mode="markers",
            showlegend=False,
            hoverinfo="skip",
            marker={"symbol": "line-ns", "size": row / 2 - 2, "color": FLOOR_COLOUR, "line": {"width": 2, "color": FLOOR_COLOUR}},
            **axes,
        )
    judged = (rows["shuffles"] > 0).any()
    usual = "measured, 95% interval"
    for clear, name in ((True, usual), (False, "not clearly above the floor" if judged else usual)):
        some = rows[rows["clear"].eq(clear) & rows["value"].notna()]
        if some.empty:
            continue
        colour = MEASURED if judged else GREY
        figure.add_scatter(
            x=some["value"],
            y=some["place"],
            mode="markers",
            **named(name),
            marker={
                "symbol": "circle",
                "size": 10 if row == ROW_HEIGHT else 8,
                "color": colour if clear else PAPER,
                "line": {"width": 2, "color": colour},
            },
            error_x=error_bar(
                some["value"],
                some["low"].fillna(some["value"]),
                some["high"].fillna(some["value"]),
                color=colour,
                thickness=2.5,
                width=0,
            ),
            text=[hovers[name] for name in some["selector"]],
            hovertemplate="%{text}<extra></extra>",
        )


def _hover(row):
    """What a point says when pointed at."""
    lines = [safe(row["selector"]), f"measured {format_with_interval(row['value'], row['low'], row['high'])}"]
    if row["shuffles"]:
        lines += [
            f"noise floor {format_with_range(row['floor'], row['floor_low'], row['floor_high'])}",
            f"beyond {format_with_interval(row['beyond'], row['beyond_low'], row['beyond_high'])}",
        ]
    return "<br>".join(lines)


def _add_words(figure, rows, titles, number, n_panels):
    """What stands above a panel, and the numbers at its right."""
    left, right = (number / n_panels + (PANEL_GAP if number else 0), (number + 1) / n_panels - 0.005)
    notes = [
        {
            "text": text,
            "x": left,
            "xref": "paper",
            "xanchor": "left",
            "y": 1,
            "yref": "paper",
            "yanchor": "bottom",
            "yshift": up,
            "showarrow": False,
            "font": {"size": 13, "color": colour},
            "align": "left",
        }
        for text, up, colour in ((f"<b>{titles[0]}</b>", 22, INK), (titles[1], 4, SECOND_INK))
        if text
    ]
    judged = rows[(rows["shuffles"] > 0) & rows["beyond"].notna()]
    if len(judged):
        notes.append(
            {
                "text": "beyond",
                "x": right,
                "xref": "paper",
                "xanchor": "right",
                "y": 1,
                "yref": "paper",
                "yshift": 4,
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13, "color": SECOND_INK},
            }
        )
    for row in judged.itertuples():
        number = format_number(row.beyond, sign=True)
        notes.append(
            {
                "text": f"<b>{number}</b>" if row.clear else number,
                "x": right,
                "xref": "paper",
                "xanchor": "right",
                "y": row.place,
                "yref": "y",
                "yanchor": "middle",
                "showarrow": False,
                "font": {"size": 13, "color": INK if row.clear else SECOND_INK},
            }
        )
    figure.layout.annotations += tuple(notes)


# ---- what is said of it ----


def finding_beyond(frame, result=None, pairs=None) -> str:
    """Which selectors are farthest beyond their noise floors; nobody is judged who is not clearly above it.

    frame: a frame_beyond; result: of which it is told why no floor is known; pairs: every two selectors compared by the headline,
    see analysis.compare_selectors.stability_pairs; without it by what the frame says of each.
    """
    headline = headline_rows(frame).dropna(subset="value")
    headline = headline[~headline["blind"]] if not headline["blind"].all() else headline
    if headline.empty:
        return "No selector has a stability that is defined."
    if not floor_is_measured(frame):
        return f"{_describe_range(headline)} {describe_unknown_floor(result)}".strip()
    clear = headline[headline["clear"]]
    if not any_beyond(headline):
        passes, own_test = ("passes", "its own test") if len(clear) == 1 else ("pass", "their own tests")
        alone = "" if clear.empty else f" {join_tied(list(clear['selector']))} {passes} {own_test}, as 1 of 20 does without signal."
        return (
            f"No selector is clearly more stable than with the outcome shuffled.{alone}"
            if len(headline) > 1
            else f"{headline['selector'].iloc[0]} is not clearly more stable than with the outcome shuffled."
        )
    return f"{_describe_leaders(headline, clear, pairs)}{_describe_mostly_floor(headline, clear)}"


def _describe_range(headline):
    return f"{'Stability' if len(headline) == 1 else 'The selectors have stabilities of'} {format_range(headline['value'])}."


def _describe_leaders(headline, clear, pairs):
    """Who is first beyond the floor, as far as these runs and shuffles tell."""
    by = dict(zip(clear["selector"], clear["beyond"], strict=True))
    row = clear.iloc[0]
    if len(headline) == 1:
        return (
            f"{row['selector']} is more stable than its noise floor by "
            f"{format_with_interval(*row[['beyond', 'beyond_low', 'beyond_high']])}."
        )
    names = list(headline["selector"])
    ahead = above(beyond_pairs(headline) if pairs is None else pairs, names)
    most = [name for name in leading_selectors(names, ahead) if name in by]
    if len(most) == 1:
        return (
            f"{most[0]} is the most stable selector beyond its noise floor: "
            f"{format_with_interval(*clear.set_index('selector').loc[most[0], ['beyond', 'beyond_low', 'beyond_high']])}."
        )
    if 1 < len(most) <= MOST_LEADERS:
        level = "" if ahead[: len(most), : len(most)].any() else " They are not distinguishable."
        return f"{join_tied(most)} are farthest beyond their noise floors (by {format_range([by[name] for name in most])}).{level}"
    who = f"{len(by)} of {several(len(headline), 'selector')} {'is' if len(by) == 1 else 'are'}"
    if len(by) == len(headline):
        who = "Both selectors are" if len(by) == 2 else f"All {len(headline)} selectors are"
    floors = "its noise floor" if len(by) == 1 else "their noise floors"
    return f"{who} clearly more stable than {floors} (by {format_range(by.values())})."


def _describe_mostly_floor(headline, clear):
    """A second sentence where the highest value is another selector's, and is mostly its floor."""
    highest = headline.loc[headline["value"].idxmax()]
    if highest["selector"] == clear["selector"].iloc[0] or not highest["floor"] > MOSTLY * highest["value"]:
        return ""
    return (
        f" {highest['selector']} has the highest value ({rounded(highest['value'])}), of which {rounded(highest['floor'])} is "
        "its floor."
    )


def describe_shared_features(frame) -> str:
    """What separate halves share in features, beside what random subsets would; "" where the study made none."""
    rows = headline_rows(frame)
    rows = rows[~rows["blind"]].dropna(subset="value")
    if "shared" not in rows or rows.empty or rows["panel"].iloc[0] != "halves":
        return ""
    return (
        f"Two separate halves of the patients share {_format_counts(rows['shared'])} of {_format_counts(rows['size'])} "
        f"{plural(rows['size'].max(), 'feature')}. Random subsets share {_format_counts(rows['expected_by_chance'])}."
    )


def _format_counts(numbers):
    low, high = (f"{number:.1f}".removesuffix(".0") for number in (numbers.min(), numbers.max()))
    return low if low == high else f"{low} to {high}"


def describe_beyond(row) -> str:
    """One selector in one sentence; row: of a frame_beyond, as a dictionary. Nothing is judged that is not clear."""
    label, value = row["selector"], format_with_interval(row["value"], row["low"], row["high"])
    if np.isnan(row["value"]):
        return f"{label}: undefined{', because ' * bool(row['note'])}{row['note']}."
    if is_baseline(label):
        return f"{label}: {value}. It selects at random, so this is its noise floor."
    if row["blind"]:
        return f"{label}: {value}. It does not look at the outcome, so this is its noise floor."
    if not row["shuffles"] or np.isnan(row["floor"]):
        return f"{label}: {value}. Its noise floor is unknown."
    verdict = "clearly above it" if row["clear"] else "not clearly above it"
    return (
        f"{label}: {value}, noise floor {rounded(row['floor'])} ({rounded(row['floor_low'])} to {rounded(row['floor_high'])}), "
        f"{verdict} (p = {row['p']:.3f})."
    )


def table_beyond(frame):
    """DataFrame, one row per selector of the headline panel: what people read, in the order of the figure."""
    rows = frame[frame["panel"] == frame["panel"].iloc[0]]
    shown = rows[["selector"]].assign(
        **({"shared": rows["shared"].round(1)} if "shared" in rows else {}),
        value=[format_with_interval(*row) for row in rows[["value", "low", "high"]].itertuples(index=False)],
        floor=[format_with_range(*row) for row in rows[["floor", "floor_low", "floor_high"]].itertuples(index=False)],
        beyond=[
            format_with_interval(*row) if not np.isnan(row[0]) else ""
            for row in rows[["beyond", "beyond_low", "beyond_high"]].itertuples(index=False)
        ],
        p=rows["p"],
    )
    return shown if floor_is_measured(frame) else shown.drop(columns=["floor", "beyond", "p"])


def notes_beyond(frame) -> list[str]:
    """How to read the figure, in two paragraphs: what its marks are, and which quantities it holds."""
    panels = set(frame["panel"])
    quantities = [
        describe_shared_features(frame),
        *[OF_HALVES, OF_ALL_RUNS] * ("halves" in panels),
        *[OF_EFFECTIVE] * ("effective" in panels),
    ]
    return [
        paragraph
        for paragraph in (
            HOW_TO_READ.format(times=frame["shuffles"].max()) if floor_is_measured(frame) else HOW_TO_READ_WITHOUT_FLOOR,
            " ".join(filter(None, quantities)),
        )
        if paragraph
    ]


def leading_selectors(labels, clear):
    """The fewest of labels (n,), highest first, of which each is clearly above each of the others; [] where there are none.

    clear: (n, n) bool as analysis.compare_selectors.above gives it.
    """
    return next((labels[:n] for n in range(1, len(labels)) if clear[:n, n:].all()), [])
