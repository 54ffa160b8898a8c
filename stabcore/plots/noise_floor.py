"""The noise floor: the stability of each selector with the outcome shuffled, and the part beyond it."""

import numpy as np
import pandas as pd

from stabcore.analysis.compare_selectors import LEVEL, clearly_above
from stabcore.analysis.noise_floors import blind_selectors, is_any_beyond_floor, noise_floors, pairs_beyond_floors
from stabcore.analysis.panel import frequency_interval
from stabcore.base.text import counted, format_span, format_with_interval, is_or_are, join_tied, plural, rounded
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.plots.estimates import few_ticks, format_number, format_on_unit_scale, format_p, format_range, format_with_range
from stabcore.plots.marks import bars, error_bar, note, points, rule, tick
from stabcore.plots.names import safe, selector_rows, short_names, show_row_names
from stabcore.plots.style import (
    BEYOND,
    FLOOR_AREA,
    FLOOR_COLOUR,
    FLOOR_DASH,
    FLOOR_NAME,
    GREY,
    GRID,
    INK,
    MEASURED,
    PAPER,
    SECOND_INK,
    TOOL_BAR,
    empty_figure,
)
from stabcore.selectors.baseline import drop_baselines, is_baseline
from stabcore.study.progress import shuffle_run_counts

FLOOR_COLUMNS = ("selector", "floor", "low", "high", "shuffles")
NOT_MEASURED = (
    "The noise floor was not measured, so no stability is judged here. Switch on the permutation control on Study and "
    "continue the study."
)
NOT_FINISHED = "No run with the outcome shuffled is finished yet, so the noise floor is unknown and no stability is judged."
FACETS = {
    "halves": ("Disjoint halves", "no patient in both"),
    "runs": ("All runs", "every pair of runs"),
    "effective": ("Similar features as one", "effective stability"),
}
INTERVAL, FLOOR_RANGE = ("value", "low", "high"), ("floor", "floor_low", "floor_high")
BEYOND_PARTS = ("beyond", "beyond_low", "beyond_high")
BEYOND_COLUMNS = (*INTERVAL, *FLOOR_RANGE, "floor_se", "floor_sd", *BEYOND_PARTS, "p", "clear", "shuffles", "note")
ROW_HEIGHT, LOW_ROW_HEIGHT, MAX_HIGH_ROWS = 36, 20, 12  # pixels of a row, and of one among more than MAX_HIGH_ROWS
# pixels of the two lines above a facet, of a line of the legend, of numbers below
HEADINGS_HEIGHT, LEGEND_LINE, FOOT_HEIGHT = 48, 24, 48
RULE_COLOUR = "rgba(128,128,128,0.25)"  # between rows: faint on white and on black
AXIS_TITLE = "Stability (0: random subsets, 1: identical)"
MIN_SHARED = -0.3  # effective stability below which it has an axis of its own
NUMBERS_WIDTH = 0.2  # share of the width of a facet for the number at its right
FACET_GAP = 0.02  # share of the width before every facet
HOW_TO_READ = (
    "Pale blue: the part beyond the mean of the shuffles. Filled dots: above the shuffles (p ≤ 0.05 for each selector alone, and "
    "an interval of the difference above 0). 0 is expected by chance (random subsets). Intervals can be narrower than their dots."
)
HOW_TO_READ_WITHOUT_FLOOR = (
    "Open marks: no noise floor is known, so no selector is called stable. 0 is expected by chance (random subsets)."
)
ABOUT_CORRECTION = (
    "A shuffle has only {} runs per selector, so {} runs of each shuffle are simulated. They are drawn from a probit model, fitted "
    "to how often each feature is selected on average and how much this differs between shuffles."
)
ABOUT_HALVES = (
    "Each half has half of the patients, so this estimates the agreement of two studies of that size with other patients."
)
ABOUT_ALL_RUNS = "Over all runs, most pairs share patients, which raises stability and noise floors."
ABOUT_EFFECTIVE_OF_HALVES = "Effective stability compares disjoint halves, too."
ABOUT_EFFECTIVE = (
    "Effective stability: two runs agree if they select different ones of several similar features. How many of them a run selects "
    "still matters, so it falls if some runs select all of them and others none. "
    "Noise floors differ between selectors, so only the part beyond them is compared."
)
MAX_LEADERS = 3  # selectors named together as the most stable
LARGE_FLOOR = 0.5  # share of a value above which its floor is mentioned


# ---- the floor in other figures ----


def frame_floor(result, k=None, measure="nogueira", similarity=None, computed=None):
    """DataFrame(selector, floor, low, high, shuffles): the noise floor of each selector. No rows without a permutation control.

    k: number of features. None: that of the study. computed: the result of analysis.noise_floors for the same question.
    """
    if not result.has_control:
        return pd.DataFrame(columns=list(FLOOR_COLUMNS))
    table = (noise_floors(result, measure, similarity, k) if computed is None else computed).rename_axis("selector").reset_index()
    table = table.loc[table["shuffles"] > 0, ["selector", *FLOOR_RANGE, "shuffles"]]
    return table.set_axis(list(FLOOR_COLUMNS), axis="columns").dropna(subset="floor", ignore_index=True)


def describe_unknown_floor(result=None) -> str:
    """Describe why no noise floor is known and how to get it, for a study or for uploaded selections."""
    if getattr(result, "plan", None) is None:
        return f"{NO_FLOOR_OF_UPLOADED} So no stability is judged here."
    is_planned = result.settings.get("n_permutations") and set(blind_selectors(result)) != set(result.selectors)
    return NOT_FINISHED if is_planned else NOT_MEASURED


def describe_floor(frame, result, k=None) -> str:
    """Describe the range of the noise floors, without selectors that ignore the outcome, or why none is known."""
    with_outcome = frame[~frame["selector"].isin(blind_selectors(result))] if len(frame) else frame
    frame = with_outcome if len(with_outcome) else frame
    if frame.empty:
        return describe_unknown_floor(result)
    return f"Noise floor: {format_range(frame['floor'])} (outcome shuffled {counted(int(frame['shuffles'].max()), 'time')})."


def describe_frequencies(result, label, k=None) -> str:
    """Count the features of a selector whose whole interval exceeds the highest frequency of any with the outcome shuffled.

    "" without a permutation control.
    """
    line = result.frequency_line(label, k) if result.has_control else np.nan
    if not np.isfinite(line):
        return ""
    runs = result.selections(label, k)
    count = int((frequency_interval(runs.frequencies, runs.n_runs)[0] > line).sum())
    simulated = " (simulated)" if shuffle_run_counts(result)[0] < result.n_runs else ""
    if round(line, 2) >= 1:
        return f"With the outcome shuffled, a feature can also reach 100%{simulated}."
    highest = f"{line:.0%}, the highest frequency of any feature with the outcome shuffled{simulated}"
    return f"{count or 'No'} {plural(max(count, 1), 'feature')} {is_or_are(max(count, 1))} clearly above {highest}."


def describe_p_of_curves(result, place) -> str:
    """Describe the p of a curve and how shuffles of few runs are compared, "" without a permutation control.

    place: what changes along the curves, such as "threshold".
    """
    if not result.has_control:
        return ""
    shuffles = result.settings["n_permutations"]
    most = int(LEVEL * (shuffles + 1) + 1e-9) - 1
    reached = f"at most {counted(most, 'shuffle')} reach" if most else "no shuffle reaches"
    needed = f" So p ≤ {LEVEL} if {reached} it." if most >= 0 else ""
    few = f" {few_runs}" if (few_runs := describe_few_runs(result)) else ""
    return (
        f"Each p is of one selector and one {place} alone, not corrected for their number. If many are tested, some pass by "
        f"chance. p = (1 + number of shuffles that reach the value)/{shuffles + 1}, where 1 is for the study itself.{needed}{few} "
        f"A curve is thick where p ≤ {LEVEL} and the interval of its difference from the noise floor is above 0. The interval "
        "shown is that of the measured value, so it can still reach the range of the shuffles."
    )


def describe_few_runs(result) -> str:
    """Describe how shuffles of few runs are compared with a study of more, "" where they have as many."""
    of_shuffle, n_runs = shuffle_run_counts(result)
    if of_shuffle >= n_runs:
        return ""
    return (
        f"A shuffle has only {of_shuffle} runs per selector, so its value varies more than with {n_runs}. Therefore the values of "
        f"the shuffles are first moved towards their mean, until they vary as much as expected with {n_runs} runs (grey range). "
        "Differences between the runs of a shuffle show how much that is. Then p counts the shuffles that reach the value of the "
        "study. This p is approximate: with 20 shuffles, 3 to 6% of simulated studies without signal had p ≤ 0.05."
    )


def describe_chance_of_exceeding(result) -> str:
    """Describe a frequency above the S shuffles: without signal, the most frequent feature has it in one of S + 1 studies."""
    studies = result.settings["n_permutations"] + 1
    several = " The line on Panel differs: it is for the mean of all selectors." if len(result.finished_selectors) > 1 else ""
    of_shuffle, n_runs = shuffle_run_counts(result)
    corrected = f"{ABOUT_CORRECTION.format(of_shuffle, n_runs)} " if of_shuffle < n_runs else ""
    return (
        f"{corrected}All runs of a shuffle use the same patients, so a feature associated with the outcome by chance is "
        f"selected again and again. A whole interval above all {studies - 1} shuffles has p ≤ {format_p(1 / studies)} for one "
        f"selector. With several selectors, one such feature by chance is more likely.{several}"
    )


def draw_floor(frame, figure=None, *, positions=None):
    """Add the floor to a figure whose y is stability, named in its legend.

    One row: a line with its range as a band. Several selectors: a tick each.
    positions: {selector: its position on the x axis}.
    """
    figure = figure or empty_figure()
    if len(frame) == 1:
        level = frame.iloc[0]
        if np.isfinite(level["low"]) and level["high"] > level["low"]:
            ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": level["low"], "y1": level["high"]}
            figure.add_shape(type="rect", **ends, fillcolor=FLOOR_COLOUR, opacity=0.12, line_width=0, layer="below")
        pen, name = {"color": FLOOR_COLOUR, "dash": FLOOR_DASH, "width": 1.8}, f"{FLOOR_NAME}: {rounded(level['floor'])}"
        figure.add_hline(level["floor"], line=pen, layer="below", name=name, showlegend=True)
    elif len(frame):
        _add_floor_ticks(figure, frame, positions or {})
    return figure


def _add_floor_ticks(figure, frame, positions):
    """A tick for each selector at its floor, with the range over the shuffles, under one name in the legend."""
    for number, row in enumerate(frame[frame["selector"].isin(list(positions))].itertuples()):
        hover = (
            f"{FLOOR_NAME}: {rounded(row.floor)} [{rounded(row.low)}, {rounded(row.high)}], outcome shuffled {row.shuffles} times"
        )
        ends = map(np.atleast_1d, (row.floor, row.low, row.high))
        interval = error_bar(*ends, thickness=1, width=0, color=FLOOR_COLOUR)
        look = {"symbol": "line-ew-open", "size": 14, "line": {"width": 3, "color": FLOOR_COLOUR}, "color": FLOOR_COLOUR}
        legend = {"name": FLOOR_NAME, "legendgroup": FLOOR_NAME, "showlegend": number == 0, "error_y": interval}
        figure.add_trace(points([positions[row.selector]], [row.floor], look, [f"{safe(row.selector)}<br>{hover}"], **legend))


# ---- each selector with its floor ----


def floor_facets(result, similarity, halves, runs) -> dict:
    """{a key of FACETS: its table}, the headline first: disjoint halves if the plan has them, else all runs.

    halves, runs: measure → table, from StudyResult.split_half and noise_floors.noise_floors. Effective stability is left out if
    no features are similar, because it would equal the classic one.
    """
    facets = {"halves": halves("nogueira")} if result.has_halves else {}
    facets["runs"] = runs("nogueira")
    if similarity is not None and similarity.n_related > 0:
        facets["effective"] = halves("effective") if result.has_halves else runs("effective")
    return facets


def compared_facet(result) -> str:
    """The key in FACETS of the runs that the stabilities of a result compare."""
    return "halves" if result.of_halves else "runs"


def frame_beyond(facets, blind=()):
    """DataFrame, one row per facet and selector: stability and noise floor, in the order of the figure.

    facets: {a key of FACETS: DataFrame indexed by selector, from StudyResult.split_half or noise_floors.noise_floors}. The first
    is the headline, by which selectors are sorted: farthest beyond the floor first, in their given order without a floor, baselines
    last. blind: selectors that ignore the outcome.
    """
    first = next(iter(facets.values()))
    names = pd.Series(first.index)
    measured = (first["shuffles"] > 0).any()
    farthest = -first["beyond"].fillna(-np.inf).to_numpy() if measured else np.zeros(len(names))
    order = np.lexsort((np.arange(len(names)), farthest, names.map(is_baseline)))
    parts = [table.reindex(names[order]).reset_index(names="selector").assign(facet=key) for key, table in facets.items()]
    frame = pd.concat(parts, ignore_index=True)
    more = [name for name in ("shared", "expected_by_chance", "size") if name in frame]
    frame = frame.assign(
        clear=frame["clear"].eq(True), blind=frame["selector"].isin(blind), shuffles=frame["shuffles"].fillna(0).astype(int)
    )
    return frame[["facet", "selector", *BEYOND_COLUMNS, "blind", *more]]


def result_beyond(result, measure, similarity=None, k=None, labels=None):
    """A frame_beyond of the runs that the stabilities of a result compare. labels: by default all finished selectors."""
    table = noise_floors(result, measure, similarity, k)
    return frame_beyond({compared_facet(result): table if labels is None else table.loc[list(labels)]}, blind_selectors(result))


def headline_rows(frame):
    """Return the rows of the facet that selectors are sorted by, without baselines."""
    return drop_baselines(frame[frame["facet"] == frame["facet"].iloc[0]])


def floor_is_measured(frame) -> bool:
    """Whether the outcome was shuffled, so that stability can be judged."""
    return bool((headline_rows(frame)["shuffles"] > 0).any())


def range_above_shuffles(curves, x, chosen):
    """(first, last) value of x around the chosen one at which all selectors are above their shuffles (p ≤ LEVEL each).

    curves: DataFrame(selector, value, p) and the column x. Both ends are the chosen value if the selectors are not above there.
    """
    counts = curves.dropna(subset="value").assign(above=curves["p"] <= LEVEL).groupby(x)["above"].sum()
    above = counts == curves["selector"].nunique()
    places, failing = above.index.to_numpy(dtype=float), above.index[~above].to_numpy(dtype=float)
    low, high = failing[failing < chosen].max(initial=-np.inf), failing[failing > chosen].min(initial=np.inf)
    inside = places[(places > low) & (places < high)]
    return (inside[0], inside[-1]) if len(inside) and chosen not in failing else (chosen, chosen)


def draw_beyond(frame, facets=None, lines=2, titles=None):
    """Draw a row per selector: the floor's range and mean in grey, the part beyond it in pale blue, the value in blue.

    facets: those of the frame to draw, all by default. lines: of the legend. titles: {facet: (heading, line below it)}.
    Baselines are left out, because their floor is their own value.
    """
    shown = list(dict.fromkeys(frame["facet"])) if facets is None else list(facets)
    frame = drop_baselines(frame)
    names = list(dict.fromkeys(frame["selector"]))
    height = ROW_HEIGHT if len(names) <= MAX_HIGH_ROWS else LOW_ROW_HEIGHT
    top = TOOL_BAR + LEGEND_LINE * lines + HEADINGS_HEIGHT
    figure = empty_figure(height=top + height * max(len(names), 1) + FOOT_HEIGHT)
    figure.layout.margin.t, figure.layout.margin.b = top, FOOT_HEIGHT
    figure.update_layout(barmode="overlay", bargap=0)
    place = {name: len(names) - 1 - position for position, name in enumerate(names)}
    some_clear = bool(frame.loc[frame["facet"].isin(shown), "clear"].any())
    for number, key in enumerate(shown):
        rows = frame[frame["facet"] == key]
        rows = rows.assign(place=rows["selector"].map(place))
        _add_marks(figure, rows, f"x{number + 1 if number else ''}", height, some_clear)
        _set_axis(figure, number, len(shown), _axis_range(frame, key))
        _add_texts(figure, rows, (titles or FACETS)[key], number, len(shown))
    figure.add_annotation(note(AXIS_TITLE, FACET_GAP, 0, "left", "top", colour=SECOND_INK, yshift=-24))
    between = [position + 0.5 for position in range(len(names) - 1)]
    figure.layout.shapes += tuple(rule(0, 1, y, y, 1, RULE_COLOUR, xref="paper", yref="y") for y in between)
    axis = {"range": [-0.5, len(names) - 0.5], "showgrid": False}
    return show_row_names(figure, list(place.values()), selector_rows(names), **axis)


def _axis_range(frame, key):
    """(low, high) of the axis of a facet, up to 1 in every study. All share one, unless effective stability is far below 0."""
    least = frame[["value", "low", "floor_low"]].min(axis=1)
    if least.min() < MIN_SHARED:
        least = least[(frame["facet"] == "effective") == (key == "effective")]
    low = min(0.0, least.min())  # in this order 0 if a facet has no value
    pad = 0.04 * (1 - low)
    return low - pad, 1 + pad


def _set_axis(figure, number, n_facets, reach):
    """The x axis of a facet, with three to five ticks and a line at 0."""
    ticks, width, end = few_ticks(*reach), 1 / n_facets, number + 1 if number else ""
    figure.layout[f"xaxis{end}"] = {
        "domain": [number * width + FACET_GAP, (number + 1 - NUMBERS_WIDTH) * width],
        "range": list(reach),
        "tickvals": ticks,
        "ticktext": [format_on_unit_scale(tick) for tick in ticks],
        **{"showgrid": True, "gridcolor": GRID, "anchor": "y", "automargin": False, "fixedrange": True},
    }
    figure.layout.shapes += (rule(0, 0, 0, 1, 1.5, xref=f"x{end}", yref="paper"),)


def _add_marks(figure, rows, axis, height, some_clear):
    """The marks of a facet. some_clear: whether the legend explains filled points."""
    in_legend = {trace.name for trace in figure.data if trace.showlegend}

    def named(name):
        return {"name": name, "legendgroup": name, "showlegend": name not in in_legend, "xaxis": axis, "yaxis": "y"}

    with_floor = rows[(rows["shuffles"] > 0) & rows["floor"].notna() & rows["value"].notna()]
    floor, value, y = with_floor["floor"], with_floor["value"], with_floor["place"]
    if len(with_floor):
        flat, low = {"line": {"width": 0}}, with_floor["floor_low"]
        wide, thin = ({"width": width, "marker": flat} for width in (0.5, 0.17))
        shuffled, beyond = named("outcome shuffled: mean (noise floor), range"), named("beyond the noise floor")
        figure.add_trace(bars(with_floor["floor_high"] - low, y, FLOOR_AREA, base=low, **wide, **shuffled))
        figure.add_trace(bars(value - floor, y, BEYOND, base=floor, **thin, **beyond))
        mean = {"showlegend": False, "xaxis": axis, "yaxis": "y"}
        figure.add_trace(points(floor, y, tick(height / 2 - 2, 2, FLOOR_COLOUR), **mean))
    judged = (rows["shuffles"] > 0).any()
    colour, usual = MEASURED if judged else GREY, "measured, 95% interval"
    unclear = "not clearly above the floor" if some_clear else f"{usual}, not clearly above the floor"
    for clear, name in ((True, usual), (False, unclear if judged else usual)):
        part = rows[rows["clear"].eq(clear) & rows["value"].notna()]
        if part.empty:
            continue
        value, size = part["value"], 9 if height == ROW_HEIGHT else 8
        interval = error_bar(value, part["low"].fillna(value), part["high"].fillna(value), color=colour, thickness=2.5, width=0)
        look = {"symbol": "circle", "size": size, "color": colour if clear else PAPER, "line": {"width": 2, "color": colour}}
        hovers = [_hover_text(row) for row in part.to_dict("records")]
        figure.add_trace(points(value, part["place"], look, hovers, **named(name), error_x=interval))


def _hover_text(row):
    lines = [safe(row["selector"]), f"measured {format_with_interval(*map(row.get, INTERVAL))}"]
    if row["shuffles"]:
        lines.append(f"noise floor {format_with_range(*map(row.get, FLOOR_RANGE))}")
        lines.append(f"beyond {format_with_interval(*map(row.get, BEYOND_PARTS))}")
    return "<br>".join(lines)


def _add_texts(figure, rows, titles, number, n_facets):
    """The headings of a facet, and the numbers at its right."""
    left, right = (number / n_facets + FACET_GAP, (number + 1) / n_facets - 0.005)
    headings = ((f"<b>{titles[0]}</b>", 22, INK), (titles[1], 4, SECOND_INK))
    notes = [note(text, left, 1, size=13, colour=colour, yshift=up, align="left") for text, up, colour in headings if text]
    judged = rows[(rows["shuffles"] > 0) & rows["beyond"].notna()]
    if len(judged):
        notes.append(note("beyond floor", right, 1, "right", size=13, colour=SECOND_INK, yshift=4))
    for row in judged.itertuples():
        value = format_number(row.beyond, sign=True)
        text, colour = (f"<b>{value}</b>", INK) if row.clear else (value, SECOND_INK)
        notes.append(note(text, right, row.place, "right", "middle", size=13, colour=colour, yref="y"))
    figure.layout.annotations += tuple(notes)


# ---- in words ----


def finding_beyond(frame, result=None, pairs=None, brief=False) -> str:
    """Describe the selectors farthest beyond their noise floors. Only clear differences are claimed.

    frame: a frame_beyond. result: for the reason if no floor is known. pairs: all pairs of selectors compared by the headline, see
    analysis.compare_selectors.stability_pairs. Without it, the intervals of the frame are used. brief: without
    the compared runs, and without the values where all or most are clear.
    """
    headline = headline_rows(frame).dropna(subset="value")
    headline = headline[~headline["blind"]] if not headline["blind"].all() else headline
    if headline.empty:
        return "No selector has a defined stability."
    where = "" if brief else describe_compared_runs(headline)
    if not floor_is_measured(frame):
        return f"Stability: {format_range(headline['value'])}. {describe_unknown_floor(result)}"
    clear = headline[headline["clear"]]
    if not is_any_beyond_floor(headline):
        none = f"{where}{'no' if where else 'No'} selector is clearly more stable than with the outcome shuffled."
        if clear.empty:
            return none
        names = f"{join_tied(list(clear['selector']))} {is_or_are(len(clear))}"
        return f"{none} {names} clear only if tested alone, as 1 of 20 is without signal."
    return " ".join(filter(None, (_describe_leaders(headline, clear, pairs, where, brief), _describe_large_floor(headline, clear))))


def describe_compared_runs(headline) -> str:
    """Describe the runs that a stability compares, "" if all of them."""
    return "Between disjoint halves, " if headline["facet"].iloc[0] == "halves" else ""


def format_compared_runs(result) -> str:
    """The runs that the stabilities of a result compare, in words."""
    return "between disjoint halves" if result.of_halves else "over all runs"


def _describe_leaders(headline, clear, pairs, where="", brief=False):
    names = list(headline["selector"])
    ahead = clearly_above(pairs_beyond_floors(headline) if pairs is None else pairs, names)
    # the fewest selectors, highest first, of which each is clearly above each of the others
    leading = next((names[:n] for n in range(1, len(names)) if ahead[:n, n:].all()), names if len(names) == 1 else [])
    leaders = clear[clear["selector"].isin(leading)]
    if len(leaders) == 1:
        row = leaders.iloc[0]
        most = "the most stable selector" if len(names) > 1 else "clearly stable"
        return f"{where}{row['selector']} is {most} beyond its noise floor: {format_with_interval(*row[list(BEYOND_PARTS)])}."
    if 1 < len(leaders) <= MAX_LEADERS:
        level = "" if ahead[: len(leaders), : len(leaders)].any() else " They are not distinguishable."
        tied, values = join_tied(list(leaders["selector"])), format_range(leaders["beyond"])
        return f"{where}{tied} are farthest beyond their noise floors ({values}).{level}"
    least, most = (clear.loc[clear["beyond"].idxmin()], clear.loc[clear["beyond"].idxmax()])
    how_many, short = ("all" if where else "All") if len(clear) == len(names) else f"{len(clear)} of", short_names(names)
    ends = " to ".join(f"{rounded(row['beyond'])} ({short[row['selector']]})" for row in (least, most))
    are = f"{where}{how_many} {counted(len(names), 'selector')} are more stable than with the outcome shuffled (p ≤ {LEVEL} each)"
    return f"{are}." if brief else f"{are}: by {ends}."


def _describe_large_floor(headline, clear):
    """A second sentence if another selector has the highest value, and most of it is its floor."""
    highest = headline.loc[headline["value"].idxmax()]
    if highest["selector"] == clear["selector"].iloc[0] or not highest["floor"] > LARGE_FLOOR * highest["value"]:
        return ""
    value, floor = rounded(highest["value"]), rounded(highest["floor"])
    return f"{highest['selector']} has the highest value ({value}), of which {floor} is its floor."


def describe_shared_features(frame) -> str:
    """Describe the number of features that disjoint halves share, and that of random subsets, "" without halves."""
    rows = headline_rows(frame)
    rows = rows[~rows["blind"]].dropna(subset="value")
    if "shared" not in rows or rows.empty or rows["facet"].iloc[0] != "halves":
        return ""
    size, expected = (_format_counts(rows[name]) for name in ("size", "expected_by_chance"))
    short, ends = short_names(rows["selector"].tolist()), rows.loc[[rows["shared"].idxmin(), rows["shared"].idxmax()]]
    least, most = (f"{row.shared:.1f} ({short[row.selector]})" for row in ends.itertuples())
    shared, noun = format_span(least, most), plural(rows["size"].max(), "feature")
    return f"Selections from two disjoint halves share {shared} of {size} {noun} on average. Random subsets share {expected}."


def _format_counts(numbers):
    return format_span(*(f"{number:.1f}".removesuffix(".0") for number in (numbers.min(), numbers.max())))


def describe_beyond(row) -> str:
    """Describe one selector with its noise floor. row: of a frame_beyond, as a dictionary."""
    label, value = row["selector"], format_with_interval(*map(row.get, INTERVAL))
    if np.isnan(row["value"]):
        return f"{label}: undefined{', because ' * bool(row['note'])}{row['note']}."
    if is_baseline(label):
        return f"{label}: {value}. It selects at random, so this is its noise floor."
    if row["blind"]:
        return f"{label}: {value}. It ignores the outcome, so this is its noise floor."
    if not row["shuffles"] or np.isnan(row["floor"]):
        return f"{label}: {value}. Its noise floor is unknown."
    verdict = "clearly above it" if row["clear"] else "not clearly above it"
    if not row["clear"] and row["p"] <= LEVEL:
        verdict += ", as the interval of the difference includes 0"
    floor = f"noise floor {rounded(row['floor'])} ({rounded(row['floor_low'])} to {rounded(row['floor_high'])})"
    return f"{label}: {value}, {floor}, {verdict} (p = {row['p']:.3f})."


def table_beyond(frame):
    """DataFrame, one row per selector of the headline facet, as text and in the order of the figure."""
    rows = frame[frame["facet"] == frame["facet"].iloc[0]]

    def in_words(form, columns):
        return ["" if np.isnan(row[0]) and columns != INTERVAL else form(*row) for row in rows[list(columns)].to_numpy(dtype=float)]

    shown = rows[["selector"]].assign(
        **({"shared": rows["shared"].round(1)} if "shared" in rows else {}),
        value=in_words(format_with_interval, INTERVAL),
        floor=in_words(format_with_range, FLOOR_RANGE),
        beyond=in_words(format_with_interval, BEYOND_PARTS),
        p=rows["p"],
    )
    return shown if floor_is_measured(frame) else shown.drop(columns=["floor", "beyond", "p"])


def describe_marks_beyond(frame) -> list[str]:
    """Describe how to read the figure: its marks and its quantities."""
    marks = HOW_TO_READ if floor_is_measured(frame) else HOW_TO_READ_WITHOUT_FLOOR
    caption = describe_shared_features(frame)  # of the screen
    return [marks, *(paragraph for paragraph in describe_quantities(frame) if paragraph != caption)]


def describe_quantities(frame) -> list[str]:
    """Describe the quantities of a frame_beyond."""
    facets, shared = set(frame["facet"]), describe_shared_features(frame)
    halves, effective = [ABOUT_HALVES, ABOUT_ALL_RUNS] * ("halves" in facets), [ABOUT_EFFECTIVE] * ("effective" in facets)
    both = [ABOUT_EFFECTIVE_OF_HALVES] * ({"halves", "effective"} <= facets)
    return [*[shared] * bool(shared), *halves, *both, *effective]
