"""Stability against the number of features: each selector's curve beside its own noise floor."""

from __future__ import annotations

from stabcore.analysis.noise_floors import profiles_beside
from stabcore.figures.beyond_words import finding_beyond
from stabcore.figures.small import Along, small_panels
from stabcore.measures.catalog import ENTRIES, entry
from stabcore.wording import several

WIDE = 20               # numbers of features from which on an axis of all of them is logarithmic


def profiled() -> list[str]:
    """Keys of the measures that have a profile, the usual ones first."""
    return [one.key for one in sorted(ENTRIES, key=lambda one: one.pair is not None) if one.profiled]


def frame_curves(runs, measure, relation=None, shuffled=None, share=None):
    """DataFrame(selector, k, value, low, high, floor, floor_low, floor_high, p, shuffles): each selector's profile and floor.

    runs: {selector: Preferences}; shuffled, share: see analysis.floor_profiles.profiles_beside, None without a control. A selector
    of which a run selects nothing has no profile.
    """
    ranked = {label: one for label, one in runs.items() if one.n_ranked}
    return profiles_beside(ranked, shuffled or {}, measure, relation=relation, share=share)


def finding_curves(beyond, k, measure, result=None, pairs=None) -> str:
    """Who is farthest beyond its noise floor with k features. beyond: a frame_beyond of it; see finding_beyond."""
    return f"With {several(k, 'feature')}, by {entry(measure).label} over all runs: {finding_beyond(beyond, result, pairs)}"


def draw_curves(frame, k, beyond, columns=4):
    """A small panel for each selector, in the order of beyond: its curve, the same with the outcome shuffled, and k marked."""
    return small_panels(frame, over_sizes(frame), k, beyond, columns)


def over_sizes(frame):
    """The axis of all numbers of features in a frame, logarithmic where they are many."""
    first, most = (int(frame["k"].min()), int(frame["k"].max())) if len(frame) else (1, 1)
    log = most >= WIDE and first > 0
    leading = (1,) if most > 200 and log else (1, 2, 5) if log else (1, 2, 4, 6, 8)
    steps = [step * 10 ** power for power in range(8) for step in leading]
    steps = [one for one in steps if first <= one <= most]
    if not log and len(steps) > 5:
        steps = steps[::2]
    return Along("k", first, max(most, first + 1), {one: f"{one:,}" for one in steps}, "%{x} features", log)
