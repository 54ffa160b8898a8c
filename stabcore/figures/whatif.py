"""What if some groups were off, or a feature, a run or an outer fold had not been there?"""

from __future__ import annotations

import numpy as np

from stabcore.analysis.whatif import groups, without_blocks, without_features, without_runs
from stabcore.figures.against import colours, sentence_nothing, shade, title
from stabcore.figures.floor import draw_floor
from stabcore.figures.names import told_apart
from stabcore.figures.style import PALETTE, blank, name_rows, safe
from stabcore.figures.ties import top
from stabcore.wording import all_of, join_tied, rounded

MOST_BARS = 25
NOTHING = 5e-4              # changes below are shown as 0.000


# ---- what each group does ----

def frame_effects(runs, relation):
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason), the largest effect first."""
    frame = groups(runs, relation)
    size = frame[["effect_alone", "effect_last"]].abs().max(axis=1)
    ordered = frame.iloc[np.argsort(-size.fillna(-1).to_numpy(), kind="stable")].reset_index(drop=True)
    ordered.attrs.update(frame.attrs)
    return ordered


def finding_effects(frame, half=np.nan) -> str:
    """The group that matters most in one sentence, or that none matters; half: of the interval of the stability."""
    known = frame.dropna(subset=["effect_alone", "effect_last"])
    if known.empty:
        return "The effect of the groups is undefined."
    size = known[["effect_alone", "effect_last"]].abs().max(axis=1)
    if size.max() < NOTHING:
        return "No group moves the stability, neither alone nor as the last of all groups."
    if nothing := sentence_nothing("group", size.max(), half):
        return nothing
    first = top(known["group"], size, decimals=3)
    if len(first) > 1:
        return f"{_who(first, known, 'group', 'matter')}: each moves stability by up to {size.max():.3f}."
    strongest = known.loc[size.idxmax()]
    return (f"{first[0]} matters most: switched on alone it {_moves(strongest['effect_alone'])}, and as the last of all groups it "
            f"{_moves(strongest['effect_last'])}.")


def draw_effects(frame, half=np.nan):
    """Two bars a group: what it adds alone, and what it adds when all others are on; dim where that is within the interval.

    half: of the interval of the stability, shaded around nothing.
    """
    import plotly.graph_objects as go

    shown = frame.head(MOST_BARS).iloc[::-1]
    at = np.arange(len(shown))
    figure = blank(x=title("Change of stability", half), height=130 + 34 * max(3, len(shown)))
    shade(figure, half)
    kinds = (("effect_last", "as the last one, beside all others", PALETTE[1], "/"), ("effect_alone", "alone", PALETTE[0], ""))
    for column, name, colour, pattern in kinds:
        figure.add_trace(go.Bar(x=shown[column], y=at, orientation="h", name=name, customdata=shown.index,
                                marker={"color": colours(shown[column], half, colour), "pattern": {"shape": pattern}},
                                unselected={"marker": {"opacity": 1}}, showlegend=False, offsetgroup=column,
                                text=[f"{safe(group)}, {name}: {change:+z.4f}" for group, change in
                                      shown[["group", column]].itertuples(index=False)], textposition="none",
                                hovertemplate="%{text}<extra></extra>"))
    # bars of less than a pixel cannot be hit: marks that nobody sees lie where they begin
    figure.add_trace(go.Scatter(x=[0.0] * len(shown), y=at, mode="markers", customdata=shown.index, showlegend=False,
                                marker={"symbol": "square", "size": 24, "opacity": 0}, unselected={"marker": {"opacity": 0}},
                                selected={"marker": {"opacity": 0}}, hoverinfo="text",
                                hovertext=[f"{safe(row.group)}: alone {row.effect_alone:+z.4f}, as the last {row.effect_last:+z.4f}"
                                           for row in shown.itertuples()]))
    for column, name, colour, pattern in kinds:         # bars that are dim would stand in the legend as they are
        figure.add_trace(go.Bar(x=[None], y=[None], name=name, legendgroup=column,
                                marker={"color": colour, "pattern": {"shape": pattern}}))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_layout(barmode="group", bargap=0.25, legend_traceorder="reversed")
    changes = np.append(shown[["effect_alone", "effect_last"]].to_numpy(dtype=float), [0.0, -half, half])
    low, high = 1.05 * np.nanmin(changes), 1.05 * np.nanmax(changes)       # told, as the marks would want more room
    if high > low:
        figure.update_xaxes(range=[low, high])
    name_rows(figure, at, told_apart(shown["group"]), range=[-0.5, max(len(shown), 1) - 0.5])
    return figure


def sentence_swaps(frame) -> str:
    """What of the disagreement is only one member in place of another, beyond what random sets do, of a within_between."""
    every = frame.iloc[-1]
    varies = f"Of {rounded(every['variance'])} that single features vary"
    swapped = f"{rounded(every['swaps'])} is one member in place of another"
    random = f"random sets of features that come as often would have {rounded(every['by_random_sets'])}"
    if every["beyond_low"] > 0:
        return f"{varies}, {swapped}; {random}, so that {rounded(every['beyond'])} [{rounded(every['beyond_low'])}, " \
               f"{rounded(every['beyond_high'])}] is swapping."
    if every["beyond_high"] < 0:
        return f"Members come and go together: {varies[0].lower()}{varies[1:]}, {swapped}, and {random}."
    return f"It cannot be seen that members take each other's place: {varies[0].lower()}{varies[1:]}, {swapped}, and {random}."


# ---- without a feature, a run, an outer fold ----

def frame_movers(runs, relation):
    """DataFrame(feature, frequency, value, change, reason): Φ_C if a feature had not been there, the largest change first."""
    return without_features(runs, relation)


def finding_movers(frame, half=np.nan) -> str:
    """The feature whose absence changes most in one sentence, or that none matters; half: of the interval of the stability."""
    return _strongest(frame.assign(name=frame["feature"]), "feature", half)


def draw_movers(frame, picked=(), half=np.nan):
    """A bar a feature, rising to the right of 0, dim within the interval; customdata is its row; highlighted features in bold."""
    import plotly.graph_objects as go

    shown = frame.dropna(subset="change").head(MOST_BARS).iloc[::-1]
    at = np.arange(len(shown))
    figure = blank(x=title("Change of stability", half), height=130 + 22 * max(4, len(shown)))
    shade(figure, half)
    marked = [f"<b>{called}</b>" if name in set(picked) else called
              for name, called in zip(shown["feature"], told_apart(shown["feature"]), strict=True)]
    kinds = ((shown["change"] >= 0, "rises", PALETTE[0], ""), (shown["change"] < 0, "falls", PALETTE[5], "/"))
    for which, name, colour, pattern in kinds:
        own = shown[which]
        figure.add_trace(go.Bar(x=own["change"], y=at[which], orientation="h", name=f"stability {name} without it",
                                customdata=own.index, marker={"color": colours(own["change"], half, colour),
                                                              "pattern": {"shape": pattern}},
                                unselected={"marker": {"opacity": 1}}, textposition="none",
                                text=[f"{safe(one.feature)}: to {one.value:z.4f} ({one.change:+z.4f})<br>selected in "
                                      f"{one.frequency:.0%} of the runs" for one in own.itertuples(index=False)],
                                hovertemplate="%{text}<extra></extra>"))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    name_rows(figure, at, marked)
    return figure


def frame_parts(runs, relation, numbers=None, folds=None):
    """DataFrame(part, value, change, reason): effective stability without each run in turn, or without each outer fold.

    numbers: (M,) what the runs are called; folds: (M,) the outer fold of each, when these are left out whole.
    """
    if folds is not None:
        return without_blocks(runs, folds, "effective", relation=relation).rename(columns={"block": "part"})
    frame = without_runs(runs, "effective", relation=relation).rename(columns={"run": "part"})
    return frame if numbers is None else frame.assign(part=numbers)


def finding_parts(frame, noun, half=np.nan) -> str:
    """Which run or outer fold moves the stability most in one sentence, or that none matters; half: as in finding_movers."""
    return _strongest(frame.assign(name=[f"{noun} {part}" for part in frame["part"]]), noun, half)


def draw_parts(frame, noun, floor=None, half=np.nan):
    """A point a run or outer fold: the stability without it, beside that with all, dim within its interval, which is shaded.

    floor: a frame_floor of this selector; half: of the interval.
    """
    import plotly.graph_objects as go

    known = frame.dropna(subset="change")
    figure = blank(x=f"Left out: {noun}", y="Stability without it", height=320)
    figure.add_trace(go.Scatter(x=known["part"], y=known["value"], mode="markers", showlegend=False,
                                marker={"color": colours(known["change"], half, PALETTE[0], marks=True), "size": 8},
                                text=[f"{change:+z.4f}" for change in known["change"]],
                                hovertemplate=f"without {noun} " + "%{x}: %{y:.4f} (%{text})<extra></extra>"))
    if len(known):
        every = float((known["value"] - known["change"]).iloc[0])
        shade(figure, half, every, "y")
        figure.add_hline(y=every, line={"dash": "dot", "color": "grey"}, name=f"with all: {every:z.3f}", showlegend=True)
    if floor is not None:
        draw_floor(floor, figure)
    if len(known) <= 12:
        figure.update_xaxes(tickvals=list(known["part"]))
    return figure


def _strongest(frame, noun, half):
    """Which name changes most when it is left out, in one sentence; those that change as much are level."""
    known = frame.dropna(subset="change")
    if known.empty:
        return f"What a single {noun} does to the stability is undefined."
    size = known["change"].abs()
    if size.max() < NOTHING:
        return f"No single {noun} moves the stability."
    if nothing := sentence_nothing(f"single {noun}", size.max(), half):
        return nothing
    first = top(known["name"], size, decimals=3)
    if len(first) > 1:
        return f"{_who(first, known, noun, 'move the stability')}: by {size.max():.3f} each, when it alone is left out."
    strongest = known.loc[size.idxmax()]
    return (f"Without {first[0]}, stability {_would(strongest['change'])} to {rounded(strongest['value'])}; no other {noun} moves "
            "it more.")


def _who(first, known, noun, verb):
    """a and b matter most, or All 3 groups matter equally."""
    every = len(first) == len(known)
    who = all_of(len(first), noun).capitalize() if every else join_tied(first)
    return f"{who} {verb} {'equally' if every else 'most'}"


def _moves(change):
    return "changes nothing" if abs(change) < NOTHING else f"{'raises' if change > 0 else 'lowers'} stability by {abs(change):.3f}"


def _would(change):
    return f"would {'rise' if change > 0 else 'fall'} by {abs(change):.3f}"
