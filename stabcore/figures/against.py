"""Changes drawn against the interval of what changes: what is smaller than that is grey, and where all is, that is said."""

from __future__ import annotations

import numpy as np

from stabcore.figures.style import GREY, REST

SHADE = "rgba(128,128,128,0.16)"


def half_width(estimate) -> float:
    """Half of the interval of an Estimate; NaN where it has none."""
    return float(estimate.high - estimate.low) / 2 if np.isfinite(estimate.low + estimate.high) else np.nan


def title(what, half) -> str:
    """The title of an axis of changes."""
    return what if np.isnan(half) else f"{what}<br>(shaded: its interval, ± {half:.3f})"


def shade(figure, half, at=0.0, axis="x"):
    """The interval behind the changes, around nothing or around the value itself; axis: where the stability stands."""
    if np.isfinite(half):
        add = figure.add_vrect if axis == "x" else figure.add_hrect
        add(**{f"{axis}0": at - half, f"{axis}1": at + half}, fillcolor=SHADE, line_width=0, layer="below")


def colours(changes, half, usual, *, marks=False) -> list:
    """A colour for each change: dim where it is within the interval. marks: are they drawn as marks or lines, not as bars?"""
    within = GREY if marks else REST
    return [within if abs(one) <= half else usual for one in changes]   # of NaN nothing is within


def sentence_nothing(noun, largest, half) -> str:
    """That no change goes beyond the interval; "" where one does, or where the interval is not known.

    largest: the size of the largest change.
    """
    if not largest <= half:
        return ""
    return (f"Nothing here matters: no {noun} moves the stability by more than {largest:.3f}, and its interval alone reaches "
            f"± {half:.3f}.")
