"""The panel: its features with the permutation control, other sizes and thresholds, and features shared by panels."""

import numpy as np
import pandas as pd

from stabcore.analysis.effects import EXPLAINED
from stabcore.analysis.panel import SELECTOR_PREFIX as SELECTOR_PREFIX
from stabcore.base.text import adjusted_for, counted, format_count_of, format_span, is_or_are, join_tied, plural, rounded
from stabcore.base.validation import default_names
from stabcore.plots.labels import END_LINE, label_curve_ends
from stabcore.plots.marks import bars, error_bar, line, note, points, rule, segments, tick
from stabcore.plots.names import SHORT_LENGTH, WIDE_LENGTH, safe, short_names, shorten, show_row_names, star_highlighted, text_width
from stabcore.plots.noise_floor import ABOUT_CORRECTION
from stabcore.plots.style import (
    FLOOR_AREA,
    GREY,
    INK,
    LEGEND_LINE,
    MEASURED,
    POINT_COLOUR,
    POINT_PALE,
    TITLE_LINE,
    TOOL_BAR,
    empty_figure,
    fade,
    mark_value,
    set_log_axis,
)

# rows of features: more than the first only for features of the panel, and never more than the second
MIN_ROWS, MAX_SHOWN = 14, 30
ROW_HEIGHT, FRAME_HEIGHT = 22, 96  # pixels of a row, and of all around them
FOLDED, LUCKIEST = "folded", "luckiest"
OFTEN_OUTSIDE = 0.25  # least selection frequency of a feature outside the panel that is named as similar to one in it
FAR_FROM_MEAN = 0.4  # distance from the mean beyond which a selector is named
SHUFFLED_COLOUR, FOLDED_COLOUR = "rgba(128,136,148,0.35)", "rgba(128,136,148,0.6)"  # the outcome shuffled, and folded features
EFFECTS_WIDTH, COLUMN_GAP = 0.28, 0.08  # shares of the width: effects, between two columns
# on a telephone: share of the width for effects, pixels of a row with its name, lines of the legend
NARROW_EFFECTS, NARROW_ROW, NARROW_LEGEND = 0.4, 42, 4
LEGEND_LINES = 2  # on other screens
SMALL_EFFECT = 0.2  # smallest range of the axis of effects, so that those of noise do not look large
SHARE_WIDTH, VOTES_WIDTH = 42, 62  # pixels of the columns of numbers at the right
NEAR_EDGES = (0.3, 0.6)  # frequencies below and above which there is space for the name of a line on one side only
ABOUT_INTERVALS = "Intervals (95%) of frequencies: further runs of the same selectors on this table, not other patients."
ABOUT_SHUFFLES = (
    "Grey blocks: mean frequency with the outcome shuffled. They differ by chance, and because selectors prefer some features "
    "even without signal. Crosses: the most frequent feature of each shuffle. The vertical grey line is the largest. A "
    "feature clearly exceeds it if its whole interval does. With 20 shuffles, this was so in at most 5% of simulated studies "
    "without signal. Equal marks overlap."
)
ABOUT_MEANS = (
    "Blocks, crosses and the line refer to the mean over the selectors. One selector alone can reach more. Selectors of one kind "
    "often agree, so several of them are not independent votes."
)
ABOUT_OMITTED = "Features that no run selected are not shown."
ABOUT_PATHS = (
    "The limit is an average over many studies of this kind, not a count in this panel. It follows from how high each run ranks a "
    "feature, at many numbers of features per run (integrated path stability selection, m = 2).",
    "It assumes that unrelated features are alike: each is ranked first as often as any other. A permutation control checks this. "
    "It also shows how often unrelated features are selected again. Strongly correlated features are also judged without it.",
)
ABOUT_BOUND = (
    "An expected number of false selections is an average over many studies of this kind, not a count in this panel. It holds if "
    "the threshold and the number of features per run were set before looking at the results."
)
ABOUT_GRID_SHUFFLES = (
    "Set the threshold and the number of features per run before looking at the results. Otherwise more features may pass without "
    "signal than the shuffles show."
)
GRID_SCALE = [[0, fade(MEASURED, 0.04)], [1, MEASURED]]  # from nearly transparent, so that zeros are not the brightest
GRID_COLOURS = {"panel_size": "features in<br>the panel", "false": "expected<br>false"}  # titles of the colour scale
FALSE_WORDS = {"bound": "at most {} false on average", "shuffled": "{} pass with the outcome shuffled"}
NEAR_THRESHOLD = 0.1  # largest distance of other thresholds in the summary
GRID_TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
MAX_COLUMNS = 25  # intersections shown
SHARED_ROW, NAMES_LENGTH = 26, 60  # pixels of an intersection, and letters of the names beside it
# the answer: words, names in it, the first of more names, and letters of a name
MAX_WORDS, MAX_NAMES, FIRST_NAMES, NAME_LENGTH = 30, 8, 5, 22


# ---- the panel ----


def finding_panel(table, threshold, false=None, given=()) -> str:
    """Describe the panel, the features above the permutation control, and those not clearly below the threshold.

    table: an analysis.panel.panel. false: from analysis.panel.joint_false_selections, None if unknown. given: names of the columns
    that are always in the model.
    """
    in_panel, clear, low, high, line = (table[name].to_numpy() for name in ("in_panel", "clear", "low", "high", "line"))
    size, sentences = int(in_panel.sum()), [_describe_members(table, threshold, given)]
    if not size:
        return f"{sentences[0]}{_describe_most_frequent(table)}"
    if not np.isnan(line).all():
        highest = f"{line[0]:.0%}, the highest {'mean ' * _is_mean(table)}frequency with the outcome shuffled"
        above = int((clear & in_panel).sum())
        which = f"Of these, {above or 'none'} {is_or_are(max(above, 1))}" if size > 1 else f"It is{' not' * (not above)}"
        sentences.append(f"{which} clearly above {highest}.")
    if false is not None and false["pfer_bound"] >= size:
        return " ".join([*sentences, "All of them may be false."])
    close = int(((low < threshold) & (high >= threshold) & ~in_panel).sum())
    sentences += [f"{counted(close, 'other')} {is_or_are(close)} not clearly below {threshold:.0%}."] * (close > 0)
    return " ".join(sentences[:-1] if sum(len(sentence.split()) for sentence in sentences) > MAX_WORDS else sentences)


def _describe_members(table, threshold, given):
    """The features selected at least as often as the threshold, in one sentence."""
    names, mean = table["feature"].to_numpy()[table["in_panel"].to_numpy()], ", on average over selectors" * _is_mean(table)
    who = f"{_name_features(names)} {is_or_are(len(names))}" if len(names) else "No feature is"
    return f"{who} selected in at least {threshold:.0%} of runs{mean}{adjusted_for(given)}."


def _name_features(names):
    """All names of up to MAX_NAMES features, else the first and the number of others."""
    names = [name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1]}…" for name in map(str, names)]
    return join_tied(names, limit=len(names) if len(names) <= MAX_NAMES else FIRST_NAMES + 1)


def _is_mean(table):
    """Whether the frequencies of an analysis.panel.panel are means over selectors."""
    return len(table) > 0 and bool(table["selectors"].iloc[0] > 1)


def _describe_most_frequent(table):
    if table.empty:
        return ""
    first = table.iloc[0]
    return f" The most frequent is {_name_features([first['feature']])} ({first['frequency']:.0%})."


def finding_by_rule(table, rule, false=None, given=(), brief=False) -> str:
    """Describe a panel by its rule: finding_panel under a threshold, else its size, the limit and the features.

    table: an analysis.panel.panel. rule: its PanelRule. false: of analysis.panel.joint_false_selections. given: as above. brief:
    only the features.
    """
    if not rule.is_target:
        return _describe_members(table, rule.value, given) if brief else finding_panel(table, rule.value, false, given)
    names = table.loc[table["in_panel"], "feature"].tolist()
    who = f": {_name_features(names)}" if names else ""
    return f"The limit ({rule.description()}) gives {counted(len(names), 'feature')}{adjusted_for(given)}{who}."


def describe_similar_outside(table, similarity) -> str:
    """Name frequent features outside the panel that are similar to one in it, "" without any: a selector may take either.

    table: an analysis.panel.panel. similarity: C of its features.
    """
    inside, outside = (table[table["in_panel"].eq(inside)].set_index("feature")["frequency"] for inside in (True, False))
    outside = outside[outside >= OFTEN_OUTSIDE]
    if inside.empty or outside.empty:
        return ""
    number = {name: i for i, name in enumerate(similarity.names or default_names(similarity.n_features))}
    members, named = [number[name] for name in inside.index], []
    for name, share in outside.items():
        C = similarity.values(members, [number[name]] * len(members))
        if C.max() > 0:
            named.append(f"{name} ({share:.0%} of runs, similar to {inside.index[C.argmax()]})")
    return f"Outside the panel, but similar to a feature in it: {join_tied(named)}." if named else ""


def describe_not_fixed(rule, result) -> str:
    """Say that a limit on false features was not fixed in advance. "" if the settings of the study fixed it."""
    fixed = result.settings.get("panel") == rule.settings()
    return "" if fixed else "The settings of the study did not fix this limit. It holds only if it was chosen before looking."


def describe_false_features(false, of_mean=False) -> str:
    """Describe the expected number of false selections in a panel.

    false: from analysis.panel.joint_false_selections, or a row of analysis.panel.false_selection_bounds. of_mean: whether
    frequencies are means over selectors.
    """
    bound, size = false["pfer_bound"], int(false["panel_size"])
    number = f"{max(bound, 0.01):.2f}" if 0 < bound < 0.1 else f"{bound:.1f}"
    warning = " So all of them may be false." if bound >= size > 0 else ""
    if false["basis"] == "shuffled":
        mean = " in the mean of the selectors" if of_mean else ""
        return f"With the outcome shuffled, {number} features pass the threshold on average{mean}.{warning}"
    return f"Such panels have at most {number} false features on average.{warning}"


def frame_panel(table, threshold, highlighted=(), effects=None, luckiest=(), least=MIN_ROWS):
    """DataFrame, one row for each feature of analysis.panel.panel and one for each shuffle.

    kind: "" for a feature with its own row, FOLDED for the others, LUCKIEST for the most frequent one of each shuffle. place: the
    number of the feature in the table, which a click gives. effect, effect_low, effect_high: from analysis.effects.effects, shrunk
    where possible, missing without effects. least: rows of features. More
    are only for features of the panel.
    """
    shown = max(least, min(int(table["in_panel"].sum()), MAX_SHOWN))
    places, lit = np.arange(len(table)), table["feature"].isin(list(highlighted))
    kind = np.where(places < shown, "", FOLDED)
    frame = table.assign(kind=kind, threshold=threshold, place=places, highlighted=lit)
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
    combined = pd.concat([frame, lucky], ignore_index=True) if len(lucky) else frame
    combined.attrs["effect"] = ("", "") if effects is None else _common_effect(effects)
    return combined


def panel_without_control(table):
    """A panel of one selector from feature, in_panel, frequency, low and high alone, with the other columns that figures read."""
    return table.assign(selectors=1, approval=table["in_panel"].astype(int), shuffled=np.nan, line=np.nan, clear=False)


def draw_panel(frame, narrow=False, wide=False):
    """Draw one row per feature: its effect if known, and its selection frequency with that of the shuffled outcome.

    All other features share one row, and the most frequent ones of the shuffles another. narrow: for a telephone, with the names
    above their rows. wide: whether there is space for long names.
    """
    rows, folded, lucky = (frame[frame["kind"] == kind] for kind in ("", FOLDED, LUCKIEST))
    n_rows = len(rows) + bool(len(folded)) + bool(len(lucky))
    y = n_rows - 1 - np.arange(len(rows))
    effects_width, row_height = (NARROW_EFFECTS, NARROW_ROW) if narrow else (EFFECTS_WIDTH, ROW_HEIGHT)
    left = effects_width + COLUMN_GAP if rows["effect"].notna().any() else 0.0
    legend = LEGEND_LINE * (NARROW_LEGEND if narrow else LEGEND_LINES)
    figure = empty_figure(height=FRAME_HEIGHT + TOOL_BAR + legend + row_height * max(n_rows, 4))
    beside = SHARE_WIDTH + VOTES_WIDTH * (len(rows) > 0 and rows["selectors"].iloc[0] > 1) + 4
    figure.update_layout(barmode="overlay", margin={"t": TOOL_BAR + legend + 2 * TITLE_LINE, "b": 40, "r": beside})
    ticks = {"tickvals": [0, 0.5, 1], "ticktext": ["0", "50", "100%"], "tickangle": 0}
    figure.layout.xaxis.update(domain=(left, 1), range=[-0.02, 1.03], showgrid=True, automargin=False, **ticks)
    figure.add_traces([*_shuffled_blocks(rows, y), *_selector_ticks(rows, y, named=not narrow), *_feature_points(rows, y)])
    if len(folded):
        figure.add_trace(_folded_dots(folded, len(lucky) > 0, "frequency", "x"))
    if len(lucky):
        hovers = [f"most frequent feature of a shuffle: {frequency:.0%}" for frequency in lucky["frequency"]]
        look = {"symbol": "x-thin", "size": 7, "color": GREY, "line": {"width": 1.5, "color": GREY}}
        about = {"name": "highest in one shuffle", "showlegend": False}  # their row has a name
        figure.add_trace(points(lucky["frequency"].to_numpy(), np.zeros(len(lucky)), look, hovers, **about))
    if left:
        measure, up = frame.attrs.get("effect", ("", ""))
        _add_effects(figure, rows, y, folded, len(lucky) > 0, effects_width, measure)
        title = "Effect" if narrow or not measure else measure[:1].upper() + measure[1:]
        _add_heading(figure, 0, f"<b>{title}</b>", f"▶ {shorten(up.removeprefix('associated with a '), WIDE_LENGTH)}" * bool(up))
    _add_heading(figure, left, "<b>Selection frequency</b>")
    names = star_highlighted(rows["feature"], rows["highlighted"], WIDE_LENGTH if wide else SHORT_LENGTH)
    names = [f"<b>{name}</b>" if member and not name.startswith("<b>") else name for name, member in zip(names, rows["in_panel"])]
    names += [f"{len(folded):,} more"] * bool(len(folded)) + ["Highest in shuffles"] * bool(len(lucky))
    axis = {"showgrid": False, "range": [-0.7, n_rows - 0.3], "anchor": "free", "position": 0}
    if narrow:
        figure.update_yaxes(**axis, showticklabels=False)
        figure.layout.margin.l = 0
        figure.layout.annotations += tuple(
            note(name, 0, n_rows - 1 - place, "left", "bottom", yref="y", yshift=3) for place, name in enumerate(names)
        )
    else:
        show_row_names(figure, range(n_rows - 1, -1, -1), names, **axis)
    if len(rows):
        _add_lines(figure, rows, y, lucky, narrow)
        _add_numbers(figure, rows, y)
    return figure


def _shuffled_blocks(rows, y):
    """The same features with the outcome shuffled: a block with an outline that is seen on every background."""
    if rows["shuffled"].notna().any():
        hovers = [f"{safe(row.feature)}, outcome shuffled: {row.shuffled:.0%}" for row in rows.itertuples()]
        look = {"color": SHUFFLED_COLOUR, "line": {"width": 1, "color": GREY}}
        yield bars(rows["shuffled"].to_numpy(), y, None, hovers, width=0.3, name="outcome shuffled", marker=look)


def _selector_ticks(rows, y, named):
    """A thin tick for each of several selectors, if there is space named where it alone is far from the mean."""
    labels = [name.removeprefix(SELECTOR_PREFIX) for name in rows.columns if name.startswith(SELECTOR_PREFIX)]
    if len(labels) > 1 and len(rows):
        share, short = rows[[f"{SELECTOR_PREFIX}{label}" for label in labels]].to_numpy(), short_names(labels)
        far = np.abs(share - rows["frequency"].to_numpy()[:, None]) > FAR_FROM_MEAN
        alone = far & (far.sum(axis=1, keepdims=True) == 1) & named
        hovers = [
            f"{safe(feature)}, {safe(label)}: {frequency:.0%}"
            for feature, frequencies in zip(rows["feature"], share)
            for label, frequency in zip(labels, frequencies)
        ]
        yield {
            **points(share.ravel(), np.repeat(y, len(labels)), tick(10, 1), name="one selector"),
            "mode": "markers+text",
            "text": np.where(alone, [safe(short[label]) for label in labels], "").ravel().tolist(),
            "textfont": {"size": 12, "color": "grey"},
            "textposition": np.where(share.ravel() > 1 - FAR_FROM_MEAN, "middle left", "middle right"),
            "customdata": np.repeat(rows["place"].to_numpy(), len(labels)),
            "hoverinfo": "text",
            "hovertext": hovers,
        }


def _feature_points(rows, y):
    """Each feature with its interval, filled in the panel, hollow otherwise."""
    for in_panel, name, symbol, colour, pale in (
        (True, "in the panel", "circle", POINT_COLOUR, POINT_PALE),
        (False, "outside", "circle-open", GREY, SHUFFLED_COLOUR),
    ):
        inside = (rows["in_panel"] == in_panel).to_numpy(dtype=bool)
        part = rows[inside]
        if part.empty:
            continue
        frequency, low, high = (part[column].to_numpy(dtype=float) for column in ("frequency", "low", "high"))
        hovers = [
            f"{safe(feature)}: {share:.0%} [{least:.0%}, {most:.0%}]"
            for feature, share, least, most in zip(part["feature"], frequency, low, high, strict=True)
        ]
        look = {"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}}
        interval = error_bar(frequency, low, high, color=pale, thickness=3, width=0)
        customdata = part["place"].to_numpy()
        # on a telephone, the edge is close to 100%
        yield points(frequency, y[inside], look, hovers, name=name, customdata=customdata, error_x=interval, cliponaxis=False)


def _folded_dots(folded, above, column, axis):
    """All other features as small dots in one row."""
    x, y, customdata = folded[column].to_numpy(dtype=float), np.full(len(folded), int(above)), folded["place"].to_numpy()
    hovers = [safe(feature) for feature in folded["feature"]]
    look = {"size": 5, "color": FOLDED_COLOUR}
    return points(x, y, look, hovers, xaxis=axis, name=FOLDED, customdata=customdata, showlegend=False)


def _add_effects(figure, rows, y, folded, above, width, measure):
    """A column of effects at the left, with a triangle for the direction if the measure has one."""
    effect, low, high = (rows[column].to_numpy(dtype=float) for column in ("effect", "effect_low", "effect_high"))
    colours = np.where(rows["in_panel"].to_numpy(dtype=bool), POINT_COLOUR, GREY)
    hovers = [
        f"{safe(name)}: {size:+.2f} [{least:.2f}, {most:.2f}]"
        for name, size, least, most in zip(rows["feature"], effect, low, high)
    ]
    arrows = np.where(effect < 0, "triangle-left", "triangle-right")
    symbols = np.where(np.full(len(rows), measure == EXPLAINED), "diamond", arrows)  # η² has no direction
    look = {"size": 9, "color": colours, "symbol": symbols}
    interval = error_bar(effect, low, high, color=GREY, thickness=1.5, width=0)
    about = {"xaxis": "x2", "name": "effect", "customdata": rows["place"].to_numpy(), "showlegend": False}
    figure.add_trace(points(effect, y, look, hovers, error_x=interval, **about))
    if len(folded):
        figure.add_trace(_folded_dots(folded, above, "effect", "x2"))
    ends = np.concatenate([low, high, effect, folded["effect"].to_numpy(dtype=float)])
    least, most = np.nanmin(ends, initial=-SMALL_EFFECT), np.nanmax(ends, initial=SMALL_EFFECT)
    pad = 0.05 * (most - least)
    axis = {"anchor": "y", "nticks": 4, "tickangle": 0, "automargin": False, "zeroline": True, "zerolinecolor": GREY}
    figure.layout.xaxis2 = {"domain": (0, width), "range": [least - pad, most + pad], **axis}


def _add_heading(figure, x, first, second="", xanchor="left", xshift=0):
    for text, yshift in ((first, 4 + TITLE_LINE), (second, 4)):
        if text:
            figure.add_annotation(note(text, x, 1, xanchor, yshift=yshift, xshift=xshift))


def _add_lines(figure, rows, y, lucky, narrow):
    """The threshold, the most frequent shuffled feature, and the end of the panel."""
    highest, threshold = lucky["frequency"].max(), rows["threshold"].iloc[0]  # a limit on false features has no threshold
    if not np.isnan(threshold):
        mark_value(figure, threshold, f"threshold {threshold:.0%}")
        figure.layout.annotations[-1].xanchor = _name_anchor(threshold, highest)
    if len(lucky):
        figure.add_vline(x=highest, line={"color": GREY, "width": 1.5}, layer="below", name=LUCKIEST)
        anchor = _name_anchor(highest, threshold)
        name = f"{'shuffles' if narrow else f'highest in {len(lucky)} shuffles'} {highest:.0%}"
        figure.add_annotation(note(name, highest, 1, anchor, colour="grey", xref="x", yshift=4))
    members = y[rows["in_panel"].to_numpy(dtype=bool)]
    if 0 < len(members) < len(rows):
        figure.add_shape(rule(0, 1, members.min() - 0.5, members.min() - 0.5, xref="paper"))


def _name_anchor(value, other):
    """The anchor of the name of a line: on the side away from the other line, if there is space."""
    low, high = NEAR_EDGES
    return "left" if value < low or (value > other and value <= high) else "right" if value > high or value < other else "center"


def _format_frequency(frequency, threshold):
    """A frequency in percent. It has a decimal if it is below the threshold by less than that."""
    below = frequency < threshold <= round(frequency, 2)
    return f"{np.floor(1000 * frequency) / 10:.1f}%" if below else f"{frequency:.0%}"


def _add_numbers(figure, rows, y):
    """At the right: the frequency, and the number of selectors in which it passes the threshold."""
    selectors, notes = int(rows["selectors"].iloc[0]), []
    for row, position in zip(rows.itertuples(), y, strict=True):
        frequency = _format_frequency(row.frequency, row.threshold)
        numbers = [(SHARE_WIDTH, frequency), (SHARE_WIDTH + VOTES_WIDTH, f"{row.approval:.0f} of {selectors}")]
        for shift, number in numbers[: 1 + (selectors > 1)]:
            text, colour = (f"<b>{number}</b>", INK) if row.in_panel else (number, "grey")
            notes.append(note(text, 1, position, "right", None, colour=colour, yref="y", xshift=shift))
    if selectors > 1:
        threshold = rows["threshold"].iloc[0]
        passing = "" if np.isnan(threshold) else f"≥ {threshold:.0%}"
        _add_heading(figure, 1, "", "Mean", "right", SHARE_WIDTH)
        _add_heading(figure, 1, "Selectors", passing, "right", SHARE_WIDTH + VOTES_WIDTH)
    figure.layout.annotations += tuple(notes)  # all at once: each alone would check all before it again


def caption_panel(frame) -> str:
    """Describe the marks of the figure that have no name."""
    alone = frame["selectors"].max() <= 1
    dots = f"{'Lines:' if alone else 'Circles: means of the selectors, with'} 95% intervals for further runs."
    others = " Small dots: all others that were selected." if frame["kind"].eq(FOLDED).any() else ""
    end = " Horizontal line: end of the panel." if frame["in_panel"].eq(True).any() else ""
    order = " Fewest expected false features first." if frame["threshold"].isna().all() else ""
    return f"{dots}{others}{end}{order}"


def _common_effect(effects):
    """(measure of the effects, meaning of a positive one), "" where features differ in it."""
    rows = effects[effects["effect"].notna() & (effects["level"] == "")]
    measures, up = rows["measure"].unique(), rows.loc[(rows["effect"] > 0) & (rows["direction"] != ""), "direction"].unique()
    return (measures[0] if len(measures) == 1 else ""), (up[0] if len(up) == 1 else "")


def describe_effects(frame) -> str:
    """Describe the column of effects, "" without it."""
    if not frame["effect"].notna().any():
        return ""
    measure, up = frame.attrs["effect"]
    right = f" Right: {up}." if up else ""
    return (
        f"Effect: {measure or 'by kind of feature'}.{right} Intervals (95%) of effects: other patients like these. Effects of "
        "selected features are overestimated on average."
    )


def describe_marks(frame, runs_per_shuffle=0, n_runs=0) -> list[str]:
    """Describe the other marks in the figure, a paragraph each. The numbers of runs: of a shuffle and of the study."""
    shuffled = frame["shuffled"].notna().any()
    marks = (
        (ABOUT_SHUFFLES, shuffled),
        (ABOUT_CORRECTION.format(runs_per_shuffle, n_runs), shuffled and runs_per_shuffle < n_runs),
        (ABOUT_MEANS, shuffled and frame["selectors"].max() > 1),
        (ABOUT_OMITTED, (frame["kind"] == FOLDED).any()),
        (ABOUT_INTERVALS, True),
    )
    return [paragraph for paragraph, shown in marks if shown]


# ---- other sizes and thresholds ----


def finding_threshold_grid(frame, k=None, threshold=0.75) -> str:
    """Describe the size of the panel at the chosen k and threshold, and near them, of panel.threshold_grid.

    k: features per run, None where runs select different numbers.
    """
    near = (
        frame[frame["k"].between(k / 2, 2 * k) & ((frame["threshold"] - threshold).abs() < NEAR_THRESHOLD + 1e-9)] if k else frame
    )
    if k is None or frame.empty or near["panel_size"].isna().all():
        return "The map shows the size of the panel for each number of features per run and each threshold."
    here = frame.loc[((frame["k"] - k).abs() + (frame["threshold"] - threshold).abs()).idxmin()]
    least, most = int(near["panel_size"].min()), int(near["panel_size"].max())
    return (
        f"The panel has {counted(int(here['panel_size']), 'feature')} with {int(here['k'])} per run and a threshold of "
        f"{here['threshold']:.0%}. Panels with half to twice as many per run and thresholds within 10 points have "
        f"{format_span(least, most)} {plural(most, 'feature')}."
    )


def frame_threshold_grid(table):
    """Return analysis.panel.threshold_grid with `text`, the hover text of each cell."""
    return table.assign(
        text=[
            f"threshold {cell.threshold:.0%}, {cell.k} per run: {counted(cell.panel_size, 'feature')}"
            + ("" if np.isnan(cell.false) else f"<br>{FALSE_WORDS[cell.basis].format(rounded(cell.false))}")
            for cell in table.itertuples()
        ]
    )


def draw_threshold_grid(frame, k=None, threshold=None, colours="panel_size"):
    """Draw the size of the panel at every number of features per run and every threshold, with the chosen pair marked.

    colours: a key of GRID_COLOURS. Undefined cells have no colour.
    """
    grid, hovers = (frame.pivot(index="threshold", columns="k", values=name) for name in (colours, "text"))
    figure = empty_figure(x="Features each run selects", y="Threshold", height=420)
    places = [str(size) for size in grid.columns]
    ticks = {"tickvals": np.log1p(GRID_TICKS), "ticktext": [f"{count:g}" for count in GRID_TICKS]}
    bar = {"title": {"text": GRID_COLOURS[colours]}, **ticks}
    look = {"colorscale": GRID_SCALE, "colorbar": bar, "hoverinfo": "text", "hoverongaps": False}
    figure.add_heatmap(z=np.log1p(grid.to_numpy()), x=places, y=grid.index, text=hovers.to_numpy(), **look)
    if k is not None and threshold is not None:
        near = min(range(len(places)), key=lambda i: abs(grid.columns[i] - k))
        cross = {"symbol": "x-thin", "size": 14, "line": {"width": 3, "color": INK}}
        figure.add_trace(points([places[near]], [threshold], cross, showlegend=False))
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", showgrid=False)
    return figure


def finding_paths(frame, threshold) -> str:
    """Describe how many features of the panel also pass with half to twice as many features per run, of frame_paths."""
    members = frame[frame["in_panel"]]
    if members.empty:
        return f"No feature has a selection frequency of {threshold:.0%} with this number of features per run."
    near = members[members["near"]]
    passes = near.groupby("feature")["frequency"].min() >= threshold - 1e-9
    sizes = format_span(near["k"].min(), near["k"].max())
    return f"{format_count_of(int(passes.sum()), len(passes), 'feature')} always in the panel with {sizes} features per run."


def frame_paths(table, threshold, k=None, highlighted=()):
    """Return analysis.panel.stability_paths with the columns in_panel, near, strong and text.

    in_panel: whether the feature passes the threshold at the number nearest to k. near: whether the number is from half to twice k.
    strong: whether the path is highlighted, or in the panel if none is. text: its hover text.
    """
    sizes = table["k"].unique()
    k = k or sizes[-1]
    here = min(sizes, key=lambda row: abs(row - k))
    passing = table.loc[(table["k"] == here) & (table["frequency"] >= threshold - 1e-9), "feature"]
    in_panel = table["feature"].isin(passing)
    return table.assign(
        in_panel=in_panel,
        near=table["k"].between(here / 2, 2 * here),
        strong=table["feature"].isin(list(highlighted)) if len(highlighted) else in_panel,
        text=[f"{safe(row.feature)}: {row.frequency:.0%} with {row.k}" for row in table.itertuples()],
    )


def draw_paths(frame, threshold, k=None):
    """Draw the selection frequency of each feature against the number of features per run. Strong ones have names at their ends."""
    ends = frame[frame["strong"]].groupby("feature", sort=False).tail(1)
    figure = empty_figure(x="Features each run selects", y="Share of the runs", height=max(420, 150 + 2 * END_LINE * len(ends)))
    for name, path in frame.groupby("feature", sort=False):
        colour, width = (MEASURED, 2) if path["strong"].iloc[0] else (GREY, 1)
        figure.add_trace(line(path["k"], path["frequency"], colour, width, path["text"], name=safe(name), showlegend=False))
    figure.add_hline(y=threshold, line={"dash": "dot", "color": "grey"}, layer="below")
    first, last = frame["k"].min(), max(frame["k"].max(), k or 0)
    log = bool(last > 30)
    if log:
        set_log_axis(figure, last)
    figure.update_xaxes(range=np.log10([first, last]) if log else [first, max(last, first + 1)])
    figure.update_yaxes(tickformat=".0%")
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    named_ends = [(end.feature, end.k, end.frequency, MEASURED) for end in ends.itertuples()]
    return label_curve_ends(figure, named_ends, (-0.02, 1.03), log)


# ---- features shared by panels ----


def finding_shared(frame, n_selectors) -> str:
    """Describe how many features all panels share and how many are in one only, of analysis.consensus.shared_panels."""
    if frame.empty:
        return "No selector has a feature above the threshold."
    every, alone = (int(frame.loc[frame["n_selectors"] == n, "size"].sum()) for n in (n_selectors, 1))
    of_all, of_one = (f"{counted(n, 'feature') if n else 'No feature'} {is_or_are(max(n, 1))}" for n in (every, alone))
    return f"{of_all} in the panels of all selectors. {of_one} in one panel only."


def describe_same_sets(table) -> str:
    """Describe how often runs select the same set, of analysis.consensus.identical_sets."""
    if (table["different"] == table["runs"]).all():
        return "No selector selects the same set in two runs."
    fewest, most = table.loc[table["different"].idxmin()], table.loc[table["different"].idxmax()]
    sentence = f"{fewest['selector']} selects {fewest['different']} different sets in {counted(fewest['runs'], 'run')}"
    if fewest["different"] == most["different"]:
        return f"{sentence}."
    return f"{sentence}, the fewest. {most['selector']} selects {most['different']} in {counted(most['runs'], 'run')}, the most."


def frame_shared(table, labels):
    """DataFrame(place, selectors, features, size, one Boolean column per selector) of consensus.shared_panels."""
    shown = table.head(MAX_COLUMNS).reset_index(drop=True)
    frame = shown.assign(
        place=shown.index,
        features=[", ".join(names) for names in shown["features"]],
        **{label: [label in selectors for selectors in shown["selectors"]] for label in labels},
    )
    return frame.assign(selectors=[", ".join(selectors) for selectors in shown["selectors"]])


def draw_shared(frame, labels):
    """Draw an UpSet plot, lying: a row per combination of panels, with a dot for each of them, a bar, and the features' names."""
    short, y = short_names(labels), -frame["place"].to_numpy()
    figure, inside = empty_figure(height=TOOL_BAR), frame[labels].to_numpy(dtype=bool)
    hovers = [f"{size}: {safe(names)}" for size, names in zip(frame["size"], frame["features"])]
    widest = max(int(frame["size"].max()), 1) if len(frame) else 1
    texts = [f" {size}  {shorten(names, NAMES_LENGTH)}" for size, names in zip(frame["size"], frame["features"])]
    look = {"textposition": "outside", "width": 0.6, "showlegend": False, "cliponaxis": False}
    figure.add_trace(bars(frame["size"].to_numpy(), y, MEASURED, hovers, xaxis="x2", text=texts, **look))
    places = np.arange(len(labels))
    dots = {"size": 10, "color": np.where(inside.ravel(), MEASURED, FLOOR_AREA)}
    figure.add_trace(points(np.tile(places, len(frame)), np.repeat(y, len(labels)), dots, showlegend=False))
    joined = [(places[members], height) for members, height in zip(inside, y) if members.sum() > 1]
    x, y_of_lines = segments([((row.min(), height), (row.max(), height)) for row, height in joined])
    figure.add_trace(line(x, y_of_lines, MEASURED, 2))
    names = [safe(short[label]) for label in labels]
    # names are vertical, because eight of them share 150 pixels on a telephone
    above = round(TOOL_BAR + max((text_width(short[label]) for label in labels), default=0) + 16)
    figure.update_layout(height=above + SHARED_ROW * max(len(frame), 2) + 40, margin={"t": above, "l": 10, "b": 30})
    plain = {"showgrid": False, "zeroline": False, "automargin": False}
    figure.layout.xaxis = {"domain": (0, 0.4), "tickvals": places, "ticktext": names, "tickangle": -90, **plain}
    figure.layout.xaxis.update(side="top", range=[-0.6, len(labels) - 0.4])
    # a bar of all the width would hide how few features there are, and names need room
    figure.layout.xaxis2 = {"domain": (0.44, 1), "range": [0, max(widest * 3, 12)], "showticklabels": False, **plain}
    figure.layout.yaxis = {"range": [y.min(initial=0) - 0.6, 0.6], "showticklabels": False, **plain}
    return figure
