"""Stability against the number of features: profiles, where the agreement of rankings ends, and the features ranked next."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.agreement_cutoff import GOES_ON, agreement_cutoffs, marginal_stabilities
from stabcore.analysis.compare_selectors import LEVEL
from stabcore.analysis.noise_floors import marginal_beside, profiles_beside
from stabcore.base.text import join_tied, several, verb_for
from stabcore.measures.catalog import ENTRIES, entry
from stabcore.plots.names import name_rows, row_name, safe
from stabcore.plots.noise_floor import describe_unknown_floor, finding_beyond
from stabcore.plots.small_multiples import CurveAxis, small_multiples
from stabcore.plots.style import blank, channels, mark_value
from stabcore.selectors.baseline import rivals

LOGARITHMIC_FROM = 20  # numbers of features from which on an axis of all of them is logarithmic
FADES_COLOUR = "#7F7F7F"  # what is no finding, on white and on black
ENDS, FADES = "comes to an end", "fades: where two runs share most"


# ---- profiles ----


def profiled_measures() -> list[str]:
    """Keys of the measures that have a profile, the usual ones first."""
    return [measure.key for measure in sorted(ENTRIES, key=lambda measure: measure.pair is not None) if measure.profiled]


def frame_profiles(runs, measure, similarity=None, shuffled=None, share=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): each selector's profile and floor.

    runs: {selector: Selections}; shuffled, share: see analysis.noise_floors.profiles_beside, None without a control. A selector
    of which a run selects nothing has no profile.
    """
    ranked = {label: selections for label, selections in runs.items() if selections.n_ranked}
    return profiles_beside(ranked, shuffled or {}, measure, similarity=similarity, share=share)


def finding_profiles(beyond, k, measure, result=None, pairs=None) -> str:
    """Who is farthest beyond its noise floor with k features. beyond: a frame_beyond of it; see finding_beyond."""
    return f"With {several(k, 'feature')}, by {entry(measure).label} over all runs: {finding_beyond(beyond, result, pairs)}"


def draw_profiles(frame, k, beyond, columns=4):
    """A small panel for each selector, in the order of beyond: its curve, the same with the outcome shuffled, and k marked."""
    return small_multiples(frame, axis_of_sizes(frame), k, beyond, columns)


def axis_of_sizes(frame):
    """The axis of all numbers of features in a frame, logarithmic where they are many."""
    first, most = (int(frame["k"].min()), int(frame["k"].max())) if len(frame) else (1, 1)
    log = most >= LOGARITHMIC_FROM and first > 0
    leading = (1,) if most > 200 and log else (1, 2, 5) if log else (1, 2, 4, 6, 8)
    steps = [step * 10**power for power in range(8) for step in leading]
    steps = [step for step in steps if first <= step <= most]
    if not log and len(steps) > 5:
        steps = steps[::2]
    return CurveAxis("k", first, max(most, first + 1), {step: f"{step:,}" for step in steps}, "%{x} features", log)


# ---- where agreement ends ----


def frame_agreement_cutoffs(runs, similarity=None):
    """DataFrame(selector, k, low, high, shared, reason): the knot of each selector in {label: Selections}; see agreement_cutoff."""
    return agreement_cutoffs(runs, similarity=similarity)


def describe_agreement_cutoffs(frame) -> dict[str, str]:
    """{selector: where its lists stop agreeing, or why nobody can tell}."""
    return {row.selector: f"{row.selector}: {_describe_cutoff(row)}." for row in frame.itertuples()}


def _describe_cutoff(row) -> str:
    within = "" if np.isnan(row.low) else _format_sizes(row.low, row.high)
    if np.isnan(row.k):
        return f"{row.reason}{f'; two runs share most beyond random sets {within}' if within else ''}"
    return (
        f"two runs share most beyond random sets with {several(round(row.k), 'feature')} ({row.shared:.1f} more than these; "
        f"these runs cannot tell it from {within.removeprefix('with ')}), what is ranked next comes as if at random"
    )


def _format_sizes(low, high) -> str:
    """With 9 to 13 features, or with 12."""
    return f"with {low:.0f} to {high:.0f} features" if high > low else f"with {several(round(low), 'feature')}"


def finding_agreement_cutoffs(frame) -> str:
    """How many selectors come to an end, and where; that this needs no signal."""
    ending, total = frame.dropna(subset="k"), len(frame)
    if ending.empty:
        return f"No end of agreement can be seen in {several(total, 'selector')}."
    first, last = round(ending["low"].min()), round(ending["high"].max())
    return (
        f"In {len(ending)} of {several(total, 'selector')} agreement beyond random sets comes to an end, "
        f"{_format_sizes(first, last)}. Shared patients and correlated features can give such an end without any signal too."
    )


def draw_agreement_cutoffs(frame, k=None):
    """A row a selector: a diamond on the range that these runs cannot tell from it where agreement ends.

    Where it fades without an end, the range alone, dotted, with an arrow where it goes on as far as runs tell. k: the chosen one.
    """
    labels = list(frame["selector"])[::-1]
    figure = blank(x="Number of selected features", height=110 + 40 * len(labels))
    colour, position_of = channels(["knot"])["knot"][0], {label: place for place, label in enumerate(labels)}
    for name, part, look in (
        (ENDS, frame[frame["k"].notna()], {"color": colour, "width": 5}),
        (FADES, frame[frame["k"].isna() & frame["low"].notna()], {"color": FADES_COLOUR, "width": 3, "dash": "dot"}),
    ):
        hovers = [safe(text) for text in describe_agreement_cutoffs(part).values()]
        for number, (row, text) in enumerate(zip(part.itertuples(), hovers, strict=True)):
            position, ends = position_of[row.selector], np.isfinite(row.k)
            figure.add_scatter(
                x=[row.low, row.high],
                y=[position, position],
                mode="lines" if ends else "lines+markers",
                name=name,
                legendgroup=name,
                showlegend=not ends and number == 0,
                line=look,
                hoverinfo="text",
                hovertext=[text] * 2,
                marker={
                    "symbol": ["line-ns-open", "arrow-right" if row.reason == GOES_ON else "line-ns-open"],
                    "size": 12,
                    "color": FADES_COLOUR,
                    "line": {"width": 2, "color": FADES_COLOUR},
                },
            )
        if name == ENDS and len(part):
            figure.add_scatter(
                x=part["k"],
                y=part["selector"].map(position_of),
                mode="markers",
                name=name,
                legendgroup=name,
                marker={"color": colour, "symbol": "diamond", "size": 14},
                hoverinfo="text",
                hovertext=hovers,
            )
    if k is not None:
        mark_value(figure, k, f"k = {k}")
    figure.update_xaxes(rangemode="tozero")
    name_rows(figure, range(len(labels)), [row_name(name) for name in labels], range=[-0.6, len(labels) - 0.4])
    return figure


# ---- the features ranked next ----


def frame_marginal(runs, window=None, shuffled=None, share=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): marginal stability of each selector.

    The intervals hold for all the selectors together (Bonferroni), since one sentence is made of all of them. runs: {selector:
    Selections}; shuffled, share: see analysis.noise_floors.marginal_beside, None without a control.
    """
    return marginal_beside(marginal_stabilities(runs, window), shuffled or {}, share)


def finding_marginal(frame, k, result=None) -> str:
    """Of which selectors the features after the k best (or the nearest k computed) agree more than with the outcome shuffled."""
    size = k if frame.empty else min(k, frame["k"].max())
    here = rivals(frame[frame["k"] == size].dropna(subset=["value", "low"]))
    after = f"After the best {several(size, 'feature') if size > 1 else 'feature'},"
    if here.empty:
        return f"{after} the rankings leave too few features to say how stable the next ones are."
    judged = here[here["shuffles"] > 0]
    if judged.empty:
        return f"{after} nothing can be judged. {describe_unknown_floor(result)}"
    still = judged[(judged["low"] > judged["floor_high"]) & (judged["p"] <= LEVEL)]["selector"].tolist()
    if not still:
        return f"{after} no selector clearly adds features more stably than with the outcome shuffled."
    if len(still) == len(judged):
        return f"{after} every selector still adds features more stably than with the outcome shuffled."
    return (
        f"{after} {len(still)} of {len(judged)} selectors still {verb_for(len(still), 'add')} features more stably than with "
        f"the outcome shuffled: {join_tied(still, 5)}."
    )


def draw_marginal(frame, k, columns=4):
    """A small panel for each selector: marginal stability over the number of features already selected, beside its noise floor."""
    import pandas as pd

    order = pd.DataFrame({"selector": list(dict.fromkeys(frame["selector"]))}).assign(
        panel="runs", beyond=np.nan, clear=False, shuffles=int(frame["shuffles"].max()) if len(frame) else 0
    )
    return small_multiples(frame, axis_of_sizes(frame), k, order, columns)
