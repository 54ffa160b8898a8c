"""What two separate halves of the patients share: the one agreement whose zero is honest, as no row is in both."""

from __future__ import annotations

import numpy as np

from stabcore.figures.estimates import comes_back, draw_estimates, written
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline

LABELS = {"kappa": "Two separate halves", "effective": "… when related features stand for each other"}
COST = ("Each half has half of your patients, so this is what studies of that size would agree on; with more patients markers come "
        "back more often, where there is a signal. No row is in both halves: without any signal they agree as random sets do, 0.")


def frame_halves(halves):
    """DataFrame with the columns of frame_estimates and those of StudyResult.split_half; the floor is 0 for every selector.

    halves: {measure: what split_half gives}.
    """
    import pandas as pd

    parts = [one.reset_index().assign(measure=key, label=LABELS.get(key, entry(key).label)) for key, one in halves.items()]
    frame = pd.concat(parts, ignore_index=True).assign(floor=0.0, floor_low=np.nan, floor_high=np.nan)
    frame["text"] = [written(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)]
    return frame


def finding_halves(frame) -> str:
    """What two halves share, over all selectors, in one sentence; who shares most is not said."""
    own = frame[(frame["measure"] == frame["measure"].iloc[0]) & ~frame["selector"].map(is_baseline)].dropna(subset="shared")
    if own.empty:
        return "No selector has finished both halves of any pair."
    return (f"Two separate halves of your patients share {_span(own['shared'])} of {_span(own['size'])} markers"
            f"{', depending on the selector' if len(own) > 1 else ''}; random sets would share {_span(own['by_luck'])}.")


def _span(numbers):
    low, high = (f"{value:.1f}".removesuffix(".0") for value in (numbers.min(), numbers.max()))
    return low if low == high else f"{low} to {high}"


def sentence_halves(label, rows) -> str:
    """One selector in one sentence. rows: {measure: its row of split_half}, agreement as it is first."""
    (_, first), *others = rows.items()
    if np.isnan(first["value"]):
        return f"{label}: what two halves agree on is undefined{': ' * bool(first['note'])}{first['note']}."
    shares = (f"{label}: two separate halves share {first['shared']:.1f} of {first['size']:.1f} features; random sets would share "
              f"{first['by_luck']:.1f}")
    value = written(first["value"], first["low"], first["high"])
    if is_baseline(label):
        return f"{shares} ({value}; chosen by lot)."
    said = f"{shares}. They {comes_back(first['value'], first['low'], first['high'], 0.0)} ({value})"
    more = [f"{written(one['value'], one['low'], one['high'])} when related features stand for each other" for _, one in others
            if not np.isnan(one["value"])]
    return f"{'; '.join([said, *more])}."


def draw_halves(frame):
    """Agreement of two halves for each selector: a point and its interval. 0 is what no signal gives, and random sets."""
    figure = draw_estimates(frame.assign(floor=np.nan))
    figure.update_xaxes(title={"text": "Agreement of two separate halves<br>(0: without any signal, 1: always the same)"})
    return figure
