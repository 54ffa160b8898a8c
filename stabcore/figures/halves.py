"""What two separate halves of the patients share: the one agreement whose zero is honest, as no row is in both."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.floors import floors_of_halves
from stabcore.figures.estimates import comes_back, draw_estimates, written
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline
from stabcore.wording import plural, rounded

LABELS = {"kappa": "Two separate halves", "effective": "… when related features stand for each other"}
COST = ("Each half has half of the patients, so this is what studies of that size would agree on; with more patients markers come "
        "back more often, where there is a signal. No row is in both halves: without any signal they agree as random sets do, 0 on "
        "average, and in 95 of 100 tables of independent features within the range that is drawn.")


def frame_halves(halves, n_features, blind=()):
    """DataFrame with the columns of frame_estimates and those of StudyResult.split_half.

    halves: {measure: what split_half gives}. The floor is 0, with the range of 95 of 100 tables of
    independent features without any signal; selectors that do not look at the outcome (`blind`) select the same without it.
    """
    import pandas as pd

    parts = [one.reset_index().assign(measure=key, label=LABELS.get(key, entry(key).label)) for key, one in halves.items()]
    frame = pd.concat(parts, ignore_index=True)
    frame = frame.join(floors_of_halves(frame, n_features, blind))
    frame["text"] = [written(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)]
    return frame


def finding_halves(frame) -> str:
    """What two halves share, over all selectors, in one sentence; who shares most is not said."""
    own = frame[(frame["measure"] == frame["measure"].iloc[0]) & ~frame["selector"].map(is_baseline)].dropna(subset="value")
    own = own[own["floor"] == 0]
    if own.empty:
        return "Of no selector that looks at the outcome is it known what two separate halves of the patients share."
    clear = own["low"].fillna(own["value"]) > own["floor_high"].fillna(0.0).clip(lower=0)
    markers = f"{_span(own['size'])} {plural(own['size'].max(), 'marker')}"
    return (f"Two separate halves of the patients share {_span(own['shared'])} of {markers}"
            f"{', depending on the selector' if len(own) > 1 else ''}; random sets would share {_span(own['by_luck'])}."
            f"{'' if clear.any() else ' That is not clearly more than without any signal.'}")


def _span(numbers):
    low, high = _short(numbers.min()), _short(numbers.max())
    return low if low == high else f"{low} to {high}"


def _short(number):
    return f"{number:.1f}".removesuffix(".0")


def sentence_halves(own) -> str:
    """One selector in one sentence. own: its rows of frame_halves, the agreement without a relation first."""
    first, *others = own.to_dict("records")
    label = first["selector"]
    if np.isnan(first["value"]):
        return f"{label}: what two halves agree on is undefined{': ' * bool(first['note'])}{first['note']}."
    shares = (f"{label}: two separate halves share {first['shared']:.1f} of {_short(first['size'])} "
              f"{plural(first['size'], 'feature')}; random sets would share {first['by_luck']:.1f}")
    value = written(first["value"], first["low"], first["high"])
    if is_baseline(label):
        return f"{shares} ({value}; chosen by lot)."
    if first["floor"] != 0:
        return f"{shares} ({value}). It does not look at the outcome, so without any signal its halves would share as much."
    sentence = f"{shares}. They {comes_back(first['value'], first['low'], first['high'], 0.0, first['floor_high'])} ({value})"
    more = [f"{written(one['value'], one['low'], one['high'])} when related features stand for each other" for one in others
            if not np.isnan(one["value"]) and rounded(one["value"]) != rounded(first["value"])]
    return f"{'; '.join([sentence, *more])}."


def draw_halves(frame):
    """Agreement of two halves for each selector: a point and its interval. 0 is what no signal gives, and random sets."""
    figure = draw_estimates(frame.assign(floor=frame["floor"].where(frame["measure"] == "kappa")))
    figure.update_xaxes(title={"text": "Agreement of two halves<br>(0: no signal, 1: the same)"})
    return figure
