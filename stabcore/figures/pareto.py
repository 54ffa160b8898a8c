"""Accuracy against stability beyond the noise floor: the Pareto front as points, and what these runs can tell apart."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.beyond import needed_difference, ties
from stabcore.analysis.pairs import above
from stabcore.analysis.pareto import BEATEN, CRITERIA, ON
from stabcore.figures.estimates import written
from stabcore.figures.labels import at_right
from stabcore.figures.placed import NOT_MEASURED, by_criterion, measured, placed, points
from stabcore.figures.points import PALE, add_points, axis_of, join_settings
from stabcore.figures.style import GREY, blank, plot_height
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import rivals
from stabcore.wording import be, join_tied, joined, rounded

GUESSING = "No selector predicts better than always naming the larger class."
NONE_CLEAR = "No selector is clearly more stable than with the outcome shuffled."
BEYOND, MEASURED = "Stability beyond the noise floor<br>(0: outcome shuffled)", "{}<br>(noise floor not measured)"
LARGER = "always the larger class: {:.2f}"
ABOVE, RIGHT, STEP, THICK = 26, 34, 8, 5    # pixels: the strip of bars above and at the right, from bar to bar, of a bar
SCORE_NAMES = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "auc": "the area under the ROC curve"}
PERCENT = ("accuracy", "balanced_accuracy")


def frame_fronts(table, key, accuracy="accuracy", pairs=None, shares=None, guessing=None):
    """DataFrame(selector, measure, stability, stability_low, stability_high, measured, floor, clear, accuracy, accuracy_low,
    accuracy_high, size, beaten_by, on_front, standing, stability_ties, accuracy_ties, stability_behind, accuracy_behind,
    difference_needed, better, share): one row a selector of a result table.

    table: as analysis.beyond.beyond_floor gives it; stability is what lies beyond the noise floor, or as measured where that is
    not known (floor is missing then, and standing makes no verdict). pairs: {measure or score: DataFrame of its differences between
    every two selectors, see analysis.pairs}. beaten_by and on_front follow the numbers; standing says what is clear. _ties: numbers
    of the runs of selectors that are not distinguishable (see analysis.beyond.ties); _behind: is another clearly better in this?
    difference_needed: the difference in accuracy that would be seen; better: does it predict better than always naming the larger
    class, of `guessing`, as result.beats_guessing gives it; share: of random halves of the runs with it on the front, of a Series
    as analysis.half_samples gives it.
    """
    import pandas as pd

    own = by_criterion(pairs, key, accuracy)
    frame = placed(points(table, key, accuracy), own)
    compete = rivals(frame)
    if not measured(frame):
        own = {**own, "stability": None}
    for one in CRITERIA:
        clear = above(own[one], compete["selector"])
        numbers = pd.Series("", index=compete.index)
        for number, rows in enumerate(ties(compete[one], clear) if own[one] is not None else (), start=1):
            numbers.iloc[list(rows)] += f" {number}"
        frame[f"{one}_ties"] = numbers.str.strip().reindex(frame.index).fillna("")
        frame[f"{one}_behind"] = pd.Series(clear.any(axis=0), index=compete.index).reindex(frame.index).eq(True)
    better = {} if guessing is None else guessing["better"].to_dict()
    shares = {} if shares is None else shares.to_dict()
    needed = needed_difference(own["accuracy"], compete["selector"])
    return frame.assign(difference_needed=needed, better=frame["selector"].map(better),
                        share=frame["selector"].map(shares).astype(float))


def finding_fronts(frame, score="accuracy") -> str:
    """Whether anything predicts better than guessing; then which selectors accuracy and stability set apart, in one to three
    sentences. score: which one accuracy is, for two scores of the same runs need not agree."""
    known = rivals(frame)
    known = known[known["beaten_by"].notna()]
    if known.empty:
        return "No selector has both an accuracy and a stability yet."
    if no_better(known):
        return GUESSING
    if not measured(frame):
        return NOT_MEASURED
    if len(known) == 1:
        return f"{known['selector'].iloc[0]} is the only selector with an accuracy and a stability."
    if not known["clear"].any():
        return NONE_CLEAR
    return " ".join([_leaders(known, SCORE_NAMES[score]), *_dominated(known)])


def no_better(frame) -> bool:
    """Does no selector predict better than always naming the larger class, as far as that is known?"""
    better = rivals(frame)["better"].dropna()
    return bool(len(better)) and not better.any()


def _leaders(known, accuracy):
    """Who leads in what separates the selectors; accuracy: what the score is called."""
    every = f"these {len(known)} selectors"
    apart = {one: known[f"{one}_behind"].any() for one in CRITERIA}
    stable = known[~known["stability_behind"] & known["clear"]]
    accurate = known[~known["accuracy_behind"]]["selector"].tolist()
    if not any(apart.values()):
        return f"Neither {accuracy} nor stability beyond the noise floor separates {every}."
    if not apart["stability"]:
        return f"{_most(accurate)} the most accurate. Stability beyond the noise floor does not separate {every}."
    if not apart["accuracy"]:
        return f"{accuracy[0].upper()}{accuracy[1:]} does not separate {every}. {_most_stable(stable)}"
    on = known[(known["standing"] == ON) & known["clear"]]["selector"].tolist()
    if not on:
        return f"{_most(accurate)} the most accurate. {_most_stable(stable)}"
    return f"{joined(on)} {be(len(on))} on the Pareto front of accuracy and stability."


def _most(names):
    return f"{join_tied(names)} {be(len(names))}"


def _most_stable(stable):
    """The most stable selectors, best first; one alone with its number."""
    stable = stable.sort_values("stability", ascending=False, kind="stable")
    names = stable["selector"].tolist()
    if not names:
        return "None of the most stable selectors is clear of its noise floor."
    if len(names) > 1:
        return f"{_most(names)} the most stable beyond their noise floors."
    row = stable.iloc[0]
    return (f"{names[0]} is the most stable beyond its noise floor ({rounded(row['stability'])}, 95% CI "
            f"{rounded(row['stability_low'])} to {rounded(row['stability_high'])}).")


def _dominated(known):
    beaten = known[known["standing"] == BEATEN]["selector"].tolist()
    return [f"{join_tied(beaten, 5)} {be(len(beaten))} dominated."] if beaten else []


def stability_title(frame) -> str:
    """The title of the axis of stability."""
    key = frame["measure"].iloc[0] if len(frame) else "nogueira"
    return BEYOND if measured(frame) else MEASURED.format(entry(key).label)


def draw_fronts(frame, score="accuracy", label="Accuracy", *, chosen=(), guessed=np.nan, families=None):
    """A point for each selector; pale steps join the front as measured. Bars above: selectors whose stability is not
    distinguishable; at the right the same for accuracy, and the difference that would be seen as a thin line.

    score: which one accuracy is; label: what it is called. chosen: with a ring. guessed: the score of always naming the larger
    class, a line, or an arrow where that lies far below. families: as `settings_of_one` gives them, joined by a line each. The
    customdata of a point is the row of its selector in the frame.
    """
    import plotly.graph_objects as go

    own = frame[frame["standing"] != ""]
    figure = blank(x=stability_title(frame), y=f"{label} on held-out rows", height=460)
    figure.update_layout(showlegend=False)
    edge = own[own["on_front"]].sort_values("stability")
    figure.add_trace(go.Scatter(x=edge["stability"], y=edge["accuracy"], mode="lines", name="front", hoverinfo="skip",
                                line={"color": PALE, "width": 4, "shape": "vh"}))
    up, always, named = _larger_class(_with(reach_of(own, "accuracy"), own["accuracy"]), guessed)
    across = _with(reach_of(own, "stability"), [0.0]) if measured(frame) else reach_of(own, "stability")
    join_settings(figure, own, "stability", "accuracy", families or {})
    tall = plot_height(figure) - ABOVE
    add_points(figure, own, "stability", "accuracy", frame["selector"].unique(), chosen=chosen, reach=(across, up),
               kept=at_right(named, always, up, tall) if named else ())
    axis_of(figure, "xaxis", across)
    axis_of(figure, "yaxis", up, percent=score in PERCENT)
    _lines(figure, measured(frame), guessed if always == guessed else np.nan)
    if named:
        figure.add_annotation(text=named, x=1, xref="x domain", y=always, xanchor="right", yanchor="bottom", showarrow=False,
                              font={"size": 11, "color": "grey"})
    if up is not None:
        _tied(figure, own, up)
    return figure


def _lines(figure, floor, guessed):
    """The zero line, which is the noise floor, and the larger class."""
    if floor:
        figure.add_vline(x=0, line={"color": GREY, "width": 2}, layer="below")
    if np.isfinite(guessed):
        figure.add_hline(y=guessed, line={"color": GREY, "width": 2}, layer="below")


def _tied(figure, own, up):
    """Bars of what is not distinguishable, above the plot and at its right, where the difference that is needed stands too."""
    tall = plot_height(figure)
    figure.layout.yaxis.domain = (0, 1 - ABOVE / tall)
    figure.layout.margin.r = RIGHT
    bars = {one: _runs_of(own, one) for one in CRITERIA}
    for level, low, high in bars["stability"]:
        at = 1 - (2 + STEP * level) / tall
        _line(figure, "not distinguishable in stability", THICK, GREY, x0=low, x1=high, y0=at, y1=at, yref="paper")
    for level, low, high in bars["accuracy"]:
        _beside(figure, "not distinguishable in accuracy", 10 + STEP * level, low, high, THICK, GREY)
    needed, lowest = (own["difference_needed"].iloc[0], rivals(own)["accuracy"].min()) if len(own) else (np.nan, np.nan)
    if np.isfinite(needed) and bars["accuracy"]:
        _beside(figure, "difference needed", RIGHT - 4, max(lowest - needed, up[0]), lowest, 2, GREY)


def _beside(figure, name, right, low, high, width, colour):
    """An upright line in the margin, so many pixels right of the plot."""
    _line(figure, name, width, colour, x0=right, x1=right, xref="paper", xsizemode="pixel", xanchor=1, y0=low, y1=high)


def _line(figure, name, width, colour, **at):
    figure.add_shape(type="line", line={"color": colour, "width": width}, name=name, **at)


def _runs_of(own, one):
    """[(level, low, high)] of each run of selectors that are not distinguishable; runs that overlap lie on different levels."""
    numbers = sorted({int(number) for many in own[f"{one}_ties"] for number in many.split()})
    ends, spans = [], []
    for number in numbers:
        values = own[one][[str(number) in many.split() for many in own[f"{one}_ties"]]]
        low, high = float(values.min()), float(values.max())
        level = next((i for i, end in enumerate(ends) if low > end), len(ends))
        ends[level:level + 1] = [high]
        spans.append((min(level, 2), low, high))
    return spans


def reach_of(frame, name):
    """[low, high] of one axis: all intervals that are drawn, with some room."""
    columns = [name, f"{name}_low", f"{name}_high"] if name == "stability" else [name]
    ends = frame[columns].to_numpy(dtype=float).ravel()
    ends = ends[np.isfinite(ends)]
    return [ends.min() - 0.08 * np.ptp(ends) - 0.01, ends.max() + 0.08 * np.ptp(ends) + 0.01] if len(ends) else None


def _with(ends, values):
    """Ends of an axis that reach some values, too."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    return ends if ends is None or not len(known) else [min(ends[0], known.min() - 0.01), max(ends[1], known.max() + 0.01)]


def _larger_class(ends, guessed):
    """([low, high] of the axis of accuracy, where on it the larger class is named, its name): beside its line; or, where that
    lies so far below that it would take more than half of the picture from the points, at the lower edge with an arrow."""
    if ends is None or not np.isfinite(guessed):
        return ends, np.nan, ""
    wider = _with(ends, [guessed])
    if ends[0] - wider[0] > ends[1] - ends[0]:
        return ends, ends[0], f"{LARGER.format(guessed)} ↓"
    return wider, guessed, LARGER.format(guessed)


def table_chosen(table, keys, frame, selectors):
    """DataFrame of some selectors side by side as people read it: stabilities, accuracies, size, how many dominate each."""
    import pandas as pd

    own = table.loc[[one for one in selectors if one in table.index]]
    chosen = pd.DataFrame({"selector": own.index})
    for key in [*keys, "accuracy", "balanced_accuracy", "auc"]:
        if key in own and (key in keys or own[key].notna().any()):
            label = entry(key).label if key in keys else key
            chosen[label] = [written(*row) for row in own[[key, f"{key}_low", f"{key}_high"]].itertuples(index=False)]
    chosen["mean_size"] = own["mean_size"].round(1).to_numpy()
    placed_ = frame.set_index("selector").reindex(own.index)
    return chosen.assign(beyond_floor=placed_["stability"].where(placed_["floor"].notna()).to_numpy(),
                         beaten_by=placed_["beaten_by"].to_numpy())
