"""What a result would show without any signal, selector by selector."""

from __future__ import annotations

import numpy as np

from stabcore.inference.control import COLUMNS, NO_CONTROL, NO_FLOOR_OF_UPLOADED, beside_floor, own_floor
from stabcore.inference.estimate import stability
from stabcore.measures.catalog import entry


def floors(result, measure="nogueira", relation=None, k=None):
    """DataFrame, one row a selector: a measure beside its noise floor, with the columns of `StudyResult.floor`.

    Without a control the floor and all that is told from it are missing (NaN, clear False), and the note says so; what does not
    look at the outcome has its own value as floor all the same.
    """
    import pandas as pd

    if result.has_control:
        return result.floor(measure, relation=relation, k=k)
    rows, missing = [], NO_FLOOR_OF_UPLOADED if result.plan is None else NO_CONTROL
    for label in result.ready:
        estimate = stability(result.preferences(label, k), [measure], relation=relation)[entry(measure).key]
        known = own_floor(estimate.value, estimate.low, estimate.high) if label in result.blind else (
            beside_floor(estimate.value, estimate.low, estimate.high, ()))
        rows.append({"selector": label, "value": estimate.value, "low": estimate.low, "high": estimate.high, **known,
                     "note": estimate.reason or ("" if label in result.blind else missing)})
    return pd.DataFrame(rows, columns=["selector", *COLUMNS]).set_index("selector")


def panel_floor(result, labels, k=None):
    """(own, luckiest): how often each feature (d,) comes without any signal, and the luckiest feature of each shuffle (S,).

    Frequencies averaged over some selectors, as in a panel of them; own: the mean over shuffles. Two empty arrays where the
    floor was not measured, or none of the selectors looks at the outcome.
    """
    shuffled = result.shuffled_frequencies(labels, k) if result.has_control else np.zeros((0, len(result.features)))
    return (shuffled.mean(axis=0), shuffled.max(axis=1)) if len(shuffled) else (np.zeros(0), np.zeros(0))


def blind(result) -> list[str]:
    """The selectors of a result that do not look at the outcome."""
    return [label for label in result.ready if label in result.blind]
