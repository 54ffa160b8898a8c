"""What if C came from another threshold, some groups were off, or a feature, a run or an outer fold had not been there?"""

from __future__ import annotations

import numpy as np

from stabcore.figures.ends import name_ends
from stabcore.figures.floor import draw_floor
from stabcore.figures.influence import short
from stabcore.figures.standing import sentence_ends
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, GREY, PALETTE, blank, brief, channels, initials, mark_at, safe, taller
from stabcore.figures.ties import top
from stabcore.selectors.baseline import is_baseline
from stabcore.whatif import crossings, groups, threshold_curve, without_blocks, without_features, without_runs
from stabcore.wording import all_of, join_tied, rounded

MOST_BARS = 25
CURVES = 0.78               # of the height for the curves, the rest for the histogram
SENTENCES = 5
NEAR = 0.1                  # of the chosen threshold: no crossing inside is left out
NOTHING = 5e-4              # changes below are shown as 0.000
WILD = 0.1                  # thresholds below do not decide how high the picture is
MARKED = 21                 # symbols on a curve, the second channel beside its colour; all its points can be clicked


# ---- from which correlation on ----

def frame_thresholds(runs, bins):
    """DataFrame(selector, threshold, value, reason): effective stability of {selector: Preferences} at every threshold."""
    return threshold_curve(runs, bins)


def at_threshold(frame, chosen):
    """The rows of frame_thresholds at the threshold that is nearest to the chosen one."""
    grid = frame["threshold"].unique()
    return frame[frame["threshold"] == grid[np.abs(grid - chosen).argmin()]]


def finding_thresholds(frame, chosen, pairs=None) -> str:
    """The curves at the chosen threshold in one sentence.

    pairs: every two selectors compared there (see stabcore.analysis.pairs): only what is clear by these is said. Baselines are
    yardsticks and neither best nor least.
    """
    here = at_threshold(frame, chosen).dropna(subset="value")
    here = here[[not is_baseline(label) for label in here["selector"]]]
    if here.empty:
        return f"From |ρ| = {chosen:.2f} on, no selector has a stability that is defined."
    condition = f"If features stand for each other from |ρ| = {chosen:.2f} on,"
    return f"{sentence_ends(here['selector'], here['value'], pairs, condition)}."


def draw_thresholds(frame, chosen, floor=None, unrelated=None, pairs=None):
    """A curve a selector, named at its end; x of a point is its threshold; the chosen one is a dotted line.

    pairs: a count_pairs, drawn as a histogram below: how many pairs of features come in at each threshold.
    floor: a frame_floor, of each selector at the chosen threshold, or the closed form, which holds from the threshold `unrelated`
    on, where no features stand for each other any more, and is drawn there.
    """
    import plotly.graph_objects as go

    figure = blank(x="Features stand for each other<br>from this |ρ| on", y="Effective stability", height=480)
    styles = channels(frame["selector"].unique())
    called = brief(list(styles))
    for name, (colour, symbol, dash) in styles.items():
        own = frame[frame["selector"] == name]
        marker = {"symbol": symbol, "size": 7, "maxdisplayed": MARKED, "opacity": 1}
        figure.add_trace(go.Scatter(x=own["threshold"].to_numpy(dtype=np.float32), name=called[name],
                                    y=own["value"].to_numpy(dtype=np.float32),
                                    mode="lines+markers", line={"color": colour, "dash": dash, "width": 2}, marker=marker,
                                    unselected={"marker": {"opacity": 1}},
                                    hovertemplate="|ρ| ≥ %{x:.3f}: %{y:.3f}<extra>%{fullData.name}</extra>"))
    if pairs is not None:
        _histogram(figure, pairs)
    mark_at(figure, chosen, f"|ρ| ≥ {chosen:.2f}")
    if floor is not None and len(floor) and (floor["shuffles"].max() > 0 or unrelated is not None):
        draw_floor(floor, figure, at=dict.fromkeys(styles, chosen), styles=styles, reach=(unrelated, 1))
    figure.update_xaxes(range=[-0.01, 1.01])
    usual = frame.loc[frame["threshold"] >= WILD, "value"]
    low, high = usual.min(), usual.max()
    if low == low:              # near 0 nearly all features are one, and curves dive far below: that may leave the picture
        reach = min(low, 0) - 0.05, max(high, 1) + 0.05
        short = initials(list(styles))
        ends = [(short[name], *own[["threshold", "value"]].iloc[-1], styles[name][0])
                for name, own in frame.dropna(subset="value").groupby("selector", sort=False)]
        if floor is not None and len(floor) == 1 and unrelated is not None:
            ends.append((FLOOR, 1, floor["floor"].iloc[0], FLOOR_COLOUR))
        name_ends(figure, ends, reach)
    return figure


def count_pairs(bins, width=0.02):
    """DataFrame(low, high, pairs): how many pairs of features have a |ρ| in each step of the axis; of binary CorrelationBins."""
    import pandas as pd

    edges = np.arange(0, 1 + width / 2, width)
    at_least = np.append(bins.amount, 0)[np.searchsorted(bins.thresholds, edges - 1e-9)]
    at_least[-1] = 0                # |ρ| = 1 itself belongs to the last step
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "pairs": at_least[:-1] - at_least[1:]})


def _histogram(figure, pairs):
    """Bars below the curves on the same axis, logarithmic: few pairs have the large |ρ| that are asked about."""
    import plotly.graph_objects as go

    figure.add_trace(go.Bar(x=(pairs["low"] + pairs["high"]) / 2, y=pairs["pairs"], width=pairs["high"] - pairs["low"], yaxis="y2",
                            marker={"color": GREY, "line": {"width": 0}}, showlegend=False, name="pairs of features",
                            unselected={"marker": {"opacity": 1}},
                            text=[f"{one.pairs:,.0f} pairs with |ρ| from {one.low:.2f} to {one.high:.2f}"
                                  for one in pairs.itertuples()], textposition="none", hovertemplate="%{text}<extra></extra>"))
    taller(figure, 70).update_layout(yaxis={"domain": [1 - CURVES, 1]}, xaxis={"anchor": "y2"}, bargap=0,
                         yaxis2={"domain": [0, 0.9 - CURVES], "type": "log", "title": {"text": "Pairs"}, "anchor": "x",
                                 "tickvals": [1, 100, 10_000, 1_000_000], "ticktext": ["1", "100", "10⁴", "10⁶"]})


def sentences_crossings(crossed, chosen):
    """Where one selector passes another, nearest to the chosen threshold first: every place within NEAR of it, and at least the
    SENTENCES nearest."""
    away = np.maximum(np.maximum(crossed["threshold_low"] - chosen, chosen - crossed["threshold_high"]), 0)
    near = crossed.assign(away=away).sort_values(["away", "threshold_high"], kind="stable")
    told = near[(near["away"] <= NEAR + 1e-9) | (np.arange(len(near)) < SENTENCES)]
    return [f"From |ρ| = {one.threshold_high:.3f} {_until(one)}, {one.above} lies above {one.below} as measured{_then(one)}."
            for one in told.itertuples(index=False)]


def _until(one):
    return "on" if not one.then else f"to {one.until:.3f}" if one.until > one.threshold_high else "only"


def _then(one):
    return {"": "", "equal": "; then the two are equal", "undefined": "; then one of them has no value",
            "below": "; then the other way round"}[one.then]


def table_crossings(frame):
    """DataFrame(threshold_low, threshold_high, above, below, until, then) of frame_thresholds."""
    return crossings(frame)


# ---- what each group does ----

def frame_effects(runs, relation):
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason), the largest effect first."""
    frame = groups(runs, relation)
    size = frame[["effect_alone", "effect_last"]].abs().max(axis=1)
    ordered = frame.iloc[np.argsort(-size.fillna(-1).to_numpy(), kind="stable")].reset_index(drop=True)
    ordered.attrs.update(frame.attrs)
    return ordered


def finding_effects(frame) -> str:
    """The group that matters most in one sentence."""
    known = frame.dropna(subset=["effect_alone", "effect_last"])
    if known.empty:
        return "The effect of the groups is undefined."
    size = known[["effect_alone", "effect_last"]].abs().max(axis=1)
    if size.max() < NOTHING:
        return "No group moves the stability, neither alone nor as the last of all groups."
    first = top(known["group"], size, decimals=3)
    if len(first) > 1:
        return f"{_who(first, known, 'group', 'matter')}: each moves stability by up to {size.max():.3f}."
    one = known.loc[size.idxmax()]
    return (f"{first[0]} matters most: switched on alone it {_moves(one['effect_alone'])}, and as the last of all groups it "
            f"{_moves(one['effect_last'])}.")


def draw_effects(frame):
    """Two bars a group: what it adds alone, and what it adds when all others are on."""
    import plotly.graph_objects as go

    shown = frame.head(MOST_BARS).iloc[::-1]
    at = np.arange(len(shown))
    figure = blank(x="Change of stability", height=130 + 34 * max(3, len(shown)))
    kinds = (("effect_last", "as the last one, beside all others", PALETTE[1], "/"), ("effect_alone", "alone", PALETTE[0], ""))
    for column, name, colour, pattern in kinds:
        figure.add_trace(go.Bar(x=shown[column], y=at, orientation="h", name=name, customdata=shown.index,
                                marker={"color": colour, "pattern": {"shape": pattern}}, unselected={"marker": {"opacity": 1}},
                                text=[f"{safe(group)}, {name}: {change:+z.4f}" for group, change in
                                      shown[["group", column]].itertuples(index=False)], textposition="none",
                                hovertemplate="%{text}<extra></extra>"))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_layout(barmode="group", bargap=0.25, legend_traceorder="reversed")
    figure.update_yaxes(tickvals=at, ticktext=[short(group) for group in shown["group"]])
    return figure


def sentence_swaps(frame) -> str:
    """What of the disagreement is only one member in place of another, beyond what random sets do, of a within_between."""
    one = frame.iloc[-1]
    varies = f"Of {rounded(one['variance'])} that single features vary"
    found = f"{rounded(one['swaps'])} is one member in place of another"
    random = f"random sets of features that come as often would have {rounded(one['by_random_sets'])}"
    if one["beyond_low"] > 0:
        return f"{varies}, {found}; {random}, so that {rounded(one['beyond'])} [{rounded(one['beyond_low'])}, " \
               f"{rounded(one['beyond_high'])}] is swapping."
    if one["beyond_high"] < 0:
        return f"Members come and go together: {varies[0].lower()}{varies[1:]}, {found}, and {random}."
    return f"It cannot be seen that members take each other's place: {varies[0].lower()}{varies[1:]}, {found}, and {random}."


# ---- without a feature, a run, an outer fold ----

def frame_movers(runs, relation):
    """DataFrame(feature, frequency, value, change, reason): Φ_C if a feature had not been there, the largest change first."""
    return without_features(runs, relation)


def finding_movers(frame) -> str:
    """The feature whose absence changes most in one sentence."""
    return _strongest(frame.assign(name=frame["feature"]), "feature")


def draw_movers(frame, picked=()):
    """A bar a feature, rising to the right of 0; customdata is its row; highlighted features in bold."""
    import plotly.graph_objects as go

    shown = frame.dropna(subset="change").head(MOST_BARS).iloc[::-1]
    at = np.arange(len(shown))
    figure = blank(x="Change of stability", height=130 + 22 * max(4, len(shown)))
    marked = [f"<b>{short(name)}</b>" if name in set(picked) else short(name) for name in shown["feature"]]
    kinds = ((shown["change"] >= 0, "rises", PALETTE[0], ""), (shown["change"] < 0, "falls", PALETTE[5], "/"))
    for which, name, colour, pattern in kinds:
        own = shown[which]
        figure.add_trace(go.Bar(x=own["change"], y=at[which], orientation="h", name=f"stability {name} without it",
                                customdata=own.index, marker={"color": colour, "pattern": {"shape": pattern}},
                                unselected={"marker": {"opacity": 1}}, textposition="none",
                                text=[f"{safe(one.feature)}: to {one.value:z.4f} ({one.change:+z.4f})<br>selected in "
                                      f"{one.frequency:.0%} of the runs" for one in own.itertuples(index=False)],
                                hovertemplate="%{text}<extra></extra>"))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    figure.update_yaxes(tickvals=at, ticktext=marked)
    return figure


def frame_parts(runs, relation, numbers=None, folds=None):
    """DataFrame(part, value, change, reason): effective stability without each run in turn, or without each outer fold.

    numbers: (M,) what the runs are called; folds: (M,) the outer fold of each, when these are left out whole.
    """
    if folds is not None:
        return without_blocks(runs, folds, "effective", relation=relation).rename(columns={"block": "part"})
    frame = without_runs(runs, "effective", relation=relation).rename(columns={"run": "part"})
    return frame if numbers is None else frame.assign(part=numbers)


def finding_parts(frame, noun) -> str:
    """Which run or outer fold moves the stability most in one sentence."""
    return _strongest(frame.assign(name=[f"{noun} {part}" for part in frame["part"]]), noun)


def draw_parts(frame, noun, floor=None):
    """A point a run or outer fold: the stability without it, beside that with all. floor: a frame_floor of this selector."""
    import plotly.graph_objects as go

    known = frame.dropna(subset="change")
    figure = blank(x=f"Left out: {noun}", y="Stability without it", height=320)
    figure.add_trace(go.Scatter(x=known["part"], y=known["value"], mode="markers", showlegend=False,
                                marker={"color": PALETTE[0], "size": 8}, text=[f"{change:+z.4f}" for change in known["change"]],
                                hovertemplate=f"without {noun} " + "%{x}: %{y:.4f} (%{text})<extra></extra>"))
    if len(known):
        every = float((known["value"] - known["change"]).iloc[0])
        figure.add_hline(y=every, line={"dash": "dot", "color": "grey"}, name=f"with all: {every:z.3f}", showlegend=True)
    if floor is not None:
        draw_floor(floor, figure)
    if len(known) <= 12:
        figure.update_xaxes(tickvals=list(known["part"]))
    return figure


def _strongest(frame, noun):
    """Which name changes most when it is left out, in one sentence; those that change as much are level."""
    known = frame.dropna(subset="change")
    if known.empty:
        return f"What a single {noun} does to the stability is undefined."
    size = known["change"].abs()
    if size.max() < NOTHING:
        return f"No single {noun} moves the stability."
    first = top(known["name"], size, decimals=3)
    if len(first) > 1:
        return f"{_who(first, known, noun, 'move the stability')}: by {size.max():.3f} each, when it alone is left out."
    one = known.loc[size.idxmax()]
    return f"Without {first[0]}, stability {_would(one['change'])} to {rounded(one['value'])}; no other {noun} moves it more."


def _who(first, known, noun, verb):
    """a and b matter most, or All 3 groups matter equally."""
    every = len(first) == len(known)
    who = all_of(len(first), noun).capitalize() if every else join_tied(first)
    return f"{who} {verb} {'equally' if every else 'most'}"


def _moves(change):
    return "changes nothing" if abs(change) < NOTHING else f"{'raises' if change > 0 else 'lowers'} stability by {abs(change):.3f}"


def _would(change):
    return f"would {'rise' if change > 0 else 'fall'} by {abs(change):.3f}"
