"""The panel as a picture: every feature with its selection frequency, beside what the same runs give with the outcome shuffled."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.panel import IN as OF
from stabcore.figures.names import starred
from stabcore.figures.points import MEASURED, PALE
from stabcore.figures.style import GREY, INK, LINE, STRIP, blank, initials, mark_at, name_rows, safe
from stabcore.wording import be, several

ROWS, MOST_SHOWN = 20, 30       # rows of features: more than the first only for features that stay, and never more than the second
ROW, HEAD = 24, 96              # pixels of a row, and of all around them
FOLDED, LUCKIEST = "folded", "luckiest"
FAR = 0.4               # from the mean, beyond which a selector is named
BLOCK, DIM = "rgba(128,136,148,0.35)", "rgba(128,136,148,0.6)"      # the outcome shuffled; what is folded
EFFECTS, GAP = 0.28, 0.08       # shares of the width: effects, between two columns
SMALL_EFFECT = 0.2             # the axis of effects reaches at least so far, or those of noise would look large
SHARE, VOTES = 42, 30           # pixels of the columns of numbers at the right
INTERVALS = ("Intervals: where the frequency would lie if more such runs were made of this table (95%). "
             "They do not speak of other patients.")
SHUFFLED = ("Grey block: how often the same feature is selected with the outcome shuffled. Last row: the luckiest feature of each "
            "shuffle; the grey line is the largest. ")
MARKS = "Dot: {}, filled in the panel. {}Dashed rules: between them more runs could decide otherwise. "
TICKS = "Thin ticks: each selector. "
BOUNDED = ("A number of false features is an average over many studies made in this way, not a count in this panel. It holds for a "
           "threshold and a number of features that were set before looking.")


def finding_panel(table, threshold, false=None) -> str:
    """How many features stay, how many of these are clear of the luckiest one of all shuffles, and how many may be false.

    table: an analysis.panel.panel; false: what analysis.panel.false_together tells of it, None where that is not known.
    """
    many = int(table["stays"].sum())
    who = several(many, "feature") if many else "No feature"
    selectors = int(table["selectors"].iloc[0]) if len(table) else 1
    of = f", mean of {several(selectors, 'selector')}" if selectors > 1 else ""
    sentences = [f"{who} {'stays' if many < 2 else 'stay'} in the panel (selected in at least {threshold:.0%} of the runs{of})."]
    if many and table["line"].notna().any():
        clear = int(table["clear"].sum())
        which = "All" if clear == many > 1 else clear or "None"
        sentences.append(f"{which} of them {be(clear or 1)} clear of the luckiest feature with the outcome shuffled "
                         f"({table['line'].iloc[0]:.0%}).")
    if many and false is not None and np.isfinite(false["expected_false"]):
        sentences.append(sentence_false(false))
    return " ".join(sentences)


def sentence_false(false) -> str:
    """How many false features to expect in a panel, and why that many, in one sentence.

    false: what analysis.panel.false_together tells, or a row of analysis.panel.false_features.
    """
    many, stays = false["expected_false"], int(false["stays"])
    number = f"{many:.1f}" if many >= 0.1 or not many else f"{many:.2f}"
    lead = "All of them may be false: " if many >= stays > 0 else ""
    if false["basis"] == "shuffled":
        told = f"with the outcome shuffled, {number if many else 'no'} features pass the threshold{' on average' * bool(many)}."
    else:
        told = f"such panels hold at most {number} false features on average."
    return lead + told if lead else told[0].upper() + told[1:]


def frame_panel(table, threshold, highlighted=(), effects=None, luckiest=()):
    """DataFrame, one row for each feature of an analysis.panel.panel and one for each shuffle, as they are drawn.

    kind "" for a feature with a row of its own, FOLDED for the others, LUCKIEST for the luckiest feature of each shuffle, with its
    frequency. place: the number of the feature in the table, which a click gives. effect, effect_low, effect_high: of an
    analysis.effects.effects, shrunken where that is known, missing without one. between: does its interval hold the threshold?
    """
    import pandas as pd

    shown = max(ROWS, min(int(table["stays"].sum()), MOST_SHOWN))
    places = np.arange(len(table))
    frame = table.assign(kind=np.where(places < shown, "", FOLDED), threshold=threshold, place=places,
                         highlighted=table["feature"].isin(list(highlighted)),
                         between=(table["low"] < threshold) & (table["high"] >= threshold))
    known = None if effects is None else effects.set_index("feature")
    for column, name, measured in (("effect", "shrunken", "effect"), ("effect_low", "shrunken_low", "low"),
                                   ("effect_high", "shrunken_high", "high")):
        frame[column] = np.nan if known is None else frame["feature"].map(known[name].fillna(known[measured])).astype(float)
    lucky = pd.DataFrame({"feature": "", "kind": LUCKIEST, "frequency": np.asarray(luckiest, dtype=float), "threshold": threshold})
    return pd.concat([frame, lucky], ignore_index=True) if len(lucky) else frame


def draw_panel(frame):
    """One row for each feature: its effect where one is known, and its selection frequency with interval beside the same feature
    with the outcome shuffled; all further features and the luckiest ones of the shuffles in a row each."""
    own, folded, lucky = (frame[frame["kind"] == kind] for kind in ("", FOLDED, LUCKIEST))
    rows = len(own) + bool(len(folded)) + bool(len(lucky))
    y = rows - 1 - np.arange(len(own))
    left = EFFECTS + GAP if own["effect"].notna().any() else 0.0
    figure = blank(height=HEAD + STRIP + ROW * max(rows, 4))
    beside = SHARE + VOTES * (len(own) > 0 and own["selectors"].iloc[0] > 1) + 4
    figure.update_layout(showlegend=False, barmode="overlay", margin={"t": STRIP + 2 * LINE, "b": 40, "r": beside})
    figure.layout.xaxis.update(domain=(left, 1), range=[-0.02, 1.03], tickvals=[0, 0.5, 1], showgrid=True,
                               ticktext=["0", "50", "100%"], tickangle=0, automargin=False)
    figure.add_traces([*_blocks(own, y), *_ticks(own, y), *_points(own, y), *_folded(folded, len(lucky) > 0, "frequency", "x"),
                       *_lucky(lucky)])
    if left:
        _effects(figure, own, y, folded, len(lucky) > 0)
    names = starred(own["feature"], own["highlighted"])
    names = [f"<b>{name}</b>" if stays and not name.startswith("<b>") else name for name, stays in zip(names, own["stays"])]
    more = ([f"{len(folded):,} more"] if len(folded) else []) + (["Luckiest feature"] if len(lucky) else [])
    name_rows(figure, [*y, *range(len(more) - 1, -1, -1)], [*names, *more], showgrid=False, range=[-0.7, rows - 0.3],
              anchor="free", position=0)
    if len(own):
        _lines(figure, own, y, lucky)
        _numbers(figure, own, y)
    return figure


def _blocks(own, y):
    """The same features with the outcome shuffled: a block that ends in a tick."""
    if own["shuffled"].notna().any():
        yield {"type": "bar", "orientation": "h", "x": own["shuffled"].to_numpy(), "y": y, "width": 0.7, "hoverinfo": "skip",
               "marker": {"color": BLOCK}, "name": "outcome shuffled"}
        yield {"type": "scatter", "mode": "markers", "x": own["shuffled"].to_numpy(), "y": y, "name": "outcome shuffled, mean",
               "hoverinfo": "text", "hovertext": [f"{safe(row.feature)}, outcome shuffled: {row.shuffled:.0%}"
                                                  for row in own.itertuples()],
               "marker": {"symbol": "line-ns", "size": 14, "line": {"width": 2, "color": GREY}}}


def _ticks(own, y):
    """A thin tick for each selector where there are several."""
    labels = [name.removeprefix(OF) for name in own.columns if name.startswith(OF)]
    if len(labels) > 1 and len(own):
        share = own[[f"{OF}{label}" for label in labels]].to_numpy()
        called = initials(labels)
        yield {"type": "scatter", "mode": "markers+text", "x": share.ravel(), "y": np.repeat(y, len(labels)),
               "name": "each selector", "hoverinfo": "text", "customdata": np.repeat(own["place"].to_numpy(), len(labels)),
               "textposition": np.where(share.ravel() > 1 - FAR, "middle left", "middle right"),
               "text": _odd(share, own["frequency"].to_numpy(), [safe(called[one]) for one in labels]),
               "textfont": {"size": 11, "color": "grey"},
               "hovertext": [f"{name}, {safe(label)}: {one:.0%}" for name, line in zip(map(safe, own["feature"]), share)
                             for label, one in zip(labels, line)],
               "marker": {"symbol": "line-ns", "size": 11, "line": {"width": 1, "color": GREY}}}


def _odd(share, often, names):
    """Names of selectors that lie far from the mean, where it is one alone in its row; "" for all others."""
    far = np.abs(share - often[:, None]) > FAR
    return [name if odd and alone else "" for line, alone in zip(far, far.sum(axis=1) == 1) for name, odd in zip(names, line)]


def _points(own, y):
    """Each feature with its interval, those in the panel full, the others hollow."""
    for stays, name, colour, pale in ((True, "in the panel", MEASURED, PALE), (False, "not in it", GREY, BLOCK)):
        part, at = own[own["stays"] == stays], y[(own["stays"] == stays).to_numpy(dtype=bool)]
        if not len(part):
            continue
        often, low, high = (part[column].to_numpy(dtype=float) for column in ("frequency", "low", "high"))
        yield {"type": "scatter", "x": often, "y": at, "mode": "markers", "name": name, "hoverinfo": "text",
               "customdata": part["place"].to_numpy(),
               "marker": {"size": 10, "color": colour, "symbol": "circle" if stays else "circle-open",
                          "line": {"width": 2, "color": colour}},
               "error_x": {"type": "data", "symmetric": False, "array": high - often, "arrayminus": often - low, "width": 0,
                           "thickness": 3, "color": pale},
               "text": [f"{safe(one)}: {share:.0%} [{least:.0%}, {most:.0%}]" for one, share, least, most in
                        zip(part["feature"], often, low, high, strict=True)]}


def _folded(folded, above, column, axis):
    """All further features as ticks in one row."""
    if len(folded):
        yield {"type": "scatter", "mode": "markers", "x": folded[column].to_numpy(dtype=float), "xaxis": axis,
               "y": np.full(len(folded), int(above)), "name": FOLDED, "hoverinfo": "text",
               "hovertext": [safe(one) for one in folded["feature"]],
               "customdata": folded["place"].to_numpy(),
               "marker": {"symbol": "line-ns", "size": 14, "line": {"width": 1, "color": DIM}}}


def _lucky(lucky):
    """The luckiest feature of each shuffle as rings in the last row."""
    if len(lucky):
        yield {"type": "scatter", "mode": "markers", "x": lucky["frequency"].to_numpy(), "y": np.zeros(len(lucky)),
               "name": LUCKIEST, "hoverinfo": "text",
               "hovertext": [f"luckiest of a shuffle: {one:.0%}" for one in lucky["frequency"]],
               "marker": {"symbol": "circle-open", "size": 8, "color": GREY, "line": {"width": 1.5, "color": GREY}}}


def _effects(figure, own, y, folded, above):
    """The column of effects: an arrow in its direction, with its interval."""
    effect, low, high = (own[column].to_numpy(dtype=float) for column in ("effect", "effect_low", "effect_high"))
    colour = np.where(own["stays"].to_numpy(dtype=bool), MEASURED, GREY)
    figure.add_trace({
        "type": "scatter", "mode": "markers", "x": effect, "y": y, "xaxis": "x2", "name": "effect", "hoverinfo": "text",
        "customdata": own["place"].to_numpy(),
        "hovertext": [f"{safe(name)}: {one:+.2f} [{least:.2f}, {most:.2f}]" for name, one, least, most in
                      zip(own["feature"], effect, low, high)],
        "marker": {"size": 9, "color": colour, "symbol": np.where(effect < 0, "triangle-left", "triangle-right")},
        "error_x": {"type": "data", "symmetric": False, "array": high - effect, "arrayminus": effect - low, "width": 0,
                    "thickness": 1.5, "color": GREY}})
    figure.add_traces(list(_folded(folded, above, "effect", "x2")))
    ends = np.concatenate([low, high, effect, folded["effect"].to_numpy(dtype=float)])
    least, most = np.nanmin(ends, initial=-SMALL_EFFECT), np.nanmax(ends, initial=SMALL_EFFECT)
    pad = 0.05 * (most - least)
    figure.update_layout(xaxis2={"domain": (0, EFFECTS), "anchor": "y", "range": [least - pad, most + pad], "nticks": 4,
                                 "tickangle": 0, "automargin": False, "zeroline": True, "zerolinecolor": GREY})
    for at, text in ((EFFECTS / 2, "Effect"), ((1 + EFFECTS + GAP) / 2, "Selection frequency")):
        _head(figure, at, f"<b>{text}</b>", 1)


def _lines(figure, own, y, lucky):
    """Threshold, luckiest feature, the rule between in and out, and those around what more runs could decide."""
    mark_at(figure, own["threshold"].iloc[0], f"threshold {own['threshold'].iloc[0]:.0%}")
    if len(lucky):
        figure.add_vline(x=lucky["frequency"].max(), line={"color": GREY, "width": 1.5}, layer="below", name=LUCKIEST)
    staying, between = y[own["stays"].to_numpy(dtype=bool)], y[own["between"].to_numpy(dtype=bool)]
    rules = [(staying.min() - 0.5, "solid")] if 0 < len(staying) < len(own) else []
    around = (between.max() + 0.5, between.min() - 0.5) if len(between) else ()
    rules += [(at, "dash") for at in around if y.min() - 0.5 < at < y.max() + 0.5 and at not in [one for one, _ in rules]]
    for at, dash in rules:
        figure.add_shape(type="line", xref="paper", x0=0, x1=1, y0=at, y1=at, line={"color": GREY, "width": 1, "dash": dash},
                         layer="below")


def _numbers(figure, own, y):
    """At the right: the frequency, and in how many selectors it passes the threshold."""
    of = int(own["selectors"].iloc[0])
    for row, at in zip(own.itertuples(), y, strict=True):
        for shift, text in ((SHARE, f"{row.frequency:.0%}"), *([(SHARE + VOTES, f"{row.approval:.0f}")] if of > 1 else [])):
            figure.add_annotation(x=1, xref="paper", xshift=shift, y=at, text=f"<b>{text}</b>" if row.stays else text,
                                  showarrow=False, xanchor="right", font={"size": 12, "color": INK if row.stays else "grey"})
    if of > 1:
        _head(figure, 1, f"of {of}", 0, "right", SHARE + VOTES)


def _head(figure, x, text, line, anchor="center", shift=0):
    figure.add_annotation(x=x, xref="paper", xshift=shift, y=1, yref="paper", yanchor="bottom", yshift=4 + LINE * line,
                          xanchor=anchor, text=text, showarrow=False, font={"size": 12, "color": INK})


def caption(frame) -> str:
    """How to read the picture: its marks, as far as it has them."""
    many = frame["selectors"].max() > 1
    marks = MARKS.format("mean of the selectors" if many else "selection frequency", TICKS if many else "")
    return marks + (SHUFFLED if frame["shuffled"].notna().any() else "") + INTERVALS
