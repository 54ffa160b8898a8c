"""One feature: its selection frequency with each selector, and its ranks."""

import numpy as np

from stabcore.analysis.feature_profile import feature_ranks, usual_rank_ranges
from stabcore.analysis.panel import frequency_interval
from stabcore.base.text import counted, join_tied
from stabcore.plots.marks import points, tick
from stabcore.plots.names import safe, selector_rows, short_names, show_row_names
from stabcore.plots.style import FLOOR_COLOUR, GREY, MEASURED, PAPER, TOOL_BAR, empty_figure, set_log_axis
from stabcore.selectors.baseline import drop_baselines

FREQUENCY_ROW, LEGEND_HEIGHT = 32, 26  # pixels. A row holds a name in two lines


def finding_frequency(table, feature) -> str:
    """Describe the range of the selection frequencies, of feature_profile, without baselines."""
    table = drop_baselines(table)
    if table.empty:
        return f"Only a random ranking was requested for {feature}."
    lowest, highest = table["frequency"].min(), table["frequency"].max()
    if lowest == highest:
        return f"{feature} is selected in {highest:.0%} of the runs of {counted(len(table), 'selector')}."
    short = short_names(table["selector"])
    least, most = (
        f"{end:.0%} ({short[names.iloc[0]] if len(names) == 1 else counted(len(names), 'selector')})"
        for end, names in ((end, table.loc[table["frequency"] == end, "selector"]) for end in (lowest, highest))
    )
    return f"{feature} is selected in {least} to {most} of the runs."


def frame_frequency(table, result, k=None):
    """DataFrame(selector, frequency, line, clear) of analysis.feature_profile.feature_profile.

    line: the largest selection frequency of any feature with the outcome shuffled, missing without a permutation control. clear:
    whether the whole interval of the frequency exceeds it.
    """
    lines = np.array([result.frequency_line(selector, k) if result.has_control else np.nan for selector in table["selector"]])
    lines[~np.isfinite(lines)] = np.nan  # selectors that ignore the outcome have no shuffles
    runs = np.array([result.selections(selector, k).n_runs for selector in table["selector"]])
    low = frequency_interval(table["frequency"].to_numpy(dtype=float), runs)[0]
    return table[["selector", "frequency"]].assign(line=lines, clear=low > lines)


def describe_frequency_line(frame) -> str:
    """Describe the selectors that clearly select it more often than any in the shuffles, "" without a permutation control."""
    judged = drop_baselines(frame).dropna(subset="line")
    short = short_names(judged["selector"])
    above = [short[selector] for selector in judged[judged["clear"]]["selector"]]
    if judged.empty:
        return ""
    who = f" ({join_tied(above)})" if 0 < len(above) < len(judged) else ""
    selectors = f"{len(above) or 'None'} of {counted(len(judged), 'selector')}{who}"
    return f"{selectors} {'select' if len(above) > 1 else 'selects'} it clearly more often than any feature in the shuffles."


def draw_frequency(frame):
    """Draw a row per selector: a dot for the selection frequency, and a grey tick at the largest one of the shuffles.

    A dot is hollow if the shuffles reach the interval of its frequency, or if there are no shuffles. A cross marks a selector
    that ignores the outcome.
    """
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure = empty_figure(x="Selection frequency", height=TOOL_BAR + LEGEND_HEIGHT + 60 + FREQUENCY_ROW * len(shown))
    figure.layout.margin.t = TOOL_BAR + LEGEND_HEIGHT
    judged = shown.dropna(subset="line")
    if len(judged):
        name = "outcome shuffled: highest of any feature"
        figure.add_trace(points(judged["line"], judged.index, tick(16, 3, FLOOR_COLOUR), name=name))
    unjudged = shown["line"].isna() & bool(len(judged))
    for part, name, symbol, fill, colour in (
        (shown[shown["clear"]], "selection frequency", "circle", MEASURED, MEASURED),
        (
            shown[~shown["clear"] & ~unjudged],
            *("not clearly above the shuffles" if len(judged) else "selection frequency", "circle", PAPER, MEASURED),
        ),
        (shown[unjudged], "outcome ignored", "x-thin", GREY, GREY),
    ):
        if len(part):
            hovers = [f"{safe(row.selector)}: {row.frequency:.0%}" for row in part.itertuples()]
            look = {"size": 10, "symbol": symbol, "color": fill, "line": {"width": 2, "color": colour}}
            figure.add_trace(points(part["frequency"], part.index, look, hovers, name=name, cliponaxis=False))
    figure.update_xaxes(
        range=[-0.01, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], ticktext=["0", "25", "50", "75", "100%"], showgrid=True
    )
    figure.update_yaxes(range=[-0.6, len(shown) - 0.4], showgrid=False)
    return show_row_names(figure, list(shown.index), selector_rows(shown["selector"]))


def frame_ranks(runs_of, feature):
    """DataFrame(selector, run, rank): every rank of a feature, of the selectors that rank."""
    return feature_ranks(runs_of, feature)


def finding_ranks(frame, feature, n_features) -> str:
    """Describe the narrowest and the widest range of ranks of a feature, without baselines."""
    frame = drop_baselines(frame)
    if frame.empty:
        return f"No selector here ranks {feature}."
    ranks = usual_rank_ranges(frame)
    width = ranks["high"] - ranks["low"]
    narrow, wide = width.idxmin(), width.idxmax()
    sentence = (
        f"Among {counted(n_features, 'feature')}, {feature} ranks {_format_ranks(ranks.loc[narrow])} with {narrow} in at least 90% "
        "of the runs."
    )
    if width.min() == width.max():
        return sentence
    return f"{sentence} The range is widest with {wide}: {_format_ranks(ranks.loc[wide])}."


def _format_ranks(row) -> str:
    return f"{row['low']:.0f} to {row['high']:.0f}" if row["high"] > row["low"] else f"{row['low']:.0f}"


def draw_ranks(frame):
    """Draw the ranks of all runs of each selector as a row of ticks on a logarithmic axis. The best rank is at the left."""
    labels = list(frame["selector"].unique())
    figure = empty_figure(x="Rank (1 = best)", height=TOOL_BAR + 60 + FREQUENCY_ROW * len(labels))
    rows = frame["selector"].map({label: position for position, label in enumerate(labels)})
    hovers = [f"{safe(row.selector)}, run {row.run}: rank {row.rank:g}" for row in frame.itertuples()]
    look = {**tick(16, 1, MEASURED), "opacity": 0.6}
    figure.add_trace(points(frame["rank"], rows, look, hovers, showlegend=False, cliponaxis=False))
    set_log_axis(figure, frame["rank"].max())
    return show_row_names(figure, range(len(labels)), selector_rows(labels), autorange="reversed", showgrid=False)
