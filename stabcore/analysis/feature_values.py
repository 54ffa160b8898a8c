"""The values of one feature by outcome: a dot per row, the median of each class, the share of each level."""

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.data.dataset import Dataset
from stabcore.inference.effect_sizes import median_interval, patient_codes

COLUMNS_OF_DOTS = 70  # columns for stacked dots, over the range of the values
SUMMARY_COLUMNS = ["group", "rows", "class_median", "low", "high"]
DOTS_PER_SIDE = 9  # dots of a full lane above its middle, beyond which stacks are compressed


def feature_values(data: Dataset, feature: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(DataFrame of the dots, DataFrame of a summary of each class) of a feature that is recorded as a number.

    dots: group (class), value, and offset, the position of the dot in the lane of its class, −1 to 1. With a numeric outcome:
    value, outcome, and with a time to an event also event. Missing values are left out. summary: group, rows, class_median, and
    low, high, its 95% interval (NaN if too few rows are known). Empty with another outcome. Raises InputError for an
    unknown feature, or a category.

    The interval of the median is exact for independent rows of one class: its limits are order statistics with ranks from the
    binomial distribution. If patients have several rows, see effect_sizes.median_interval. It does not account for the selection of
    the feature in the same table.
    """
    values, categorical = _column(data, feature)
    if categorical:
        raise InputError(f"{feature} is a category. Use level_shares.")
    recorded = ~np.isnan(values)
    if data.timed or data.numeric_target:
        target = data.target[recorded]
        outcome = {"outcome": target["time"], "event": target["event"]} if data.timed else {"outcome": np.asarray(target, float)}
        return pd.DataFrame({"value": values[recorded], **outcome}), pd.DataFrame(columns=SUMMARY_COLUMNS)
    ends = (values[recorded].min(), values[recorded].max()) if recorded.any() else (0.0, 1.0)
    parts, rows = [], []
    for code in ordered_classes(data):
        rows_of_class = np.flatnonzero(recorded & (data.target == code))
        of_class = np.sort(values[rows_of_class])
        parts.append(pd.DataFrame({"group": data.classes[code], "value": of_class, "offset": _dot_offsets(of_class, *ends)}))
        patients = None if data.patients is None else np.asarray(data.patients)[rows_of_class]
        rows.append((data.classes[code], len(of_class), *_median(values[rows_of_class], patients)))
    return pd.concat(parts, ignore_index=True), pd.DataFrame(rows, columns=SUMMARY_COLUMNS)


def level_shares(data: Dataset, feature: str) -> pd.DataFrame:
    """Counts and shares of each level of a category in each class: group, level, count, rows, share.

    Raises InputError for an unknown feature, a number, or an outcome without classes.
    """
    values, categorical = _column(data, feature)
    if not categorical or not data.classes:
        raise InputError(f"{feature} has no shares of levels by class.")
    rows = []
    for code in ordered_classes(data):
        of_class = values[(data.target == code) & ~np.isnan(values)].astype(int)
        counts = np.bincount(of_class, minlength=len(data.levels[feature]))
        total = max(len(of_class), 1)
        rows += [
            (data.classes[code], level, int(count), len(of_class), count / total)
            for level, count in zip(data.levels[feature], counts, strict=False)
        ]
    return pd.DataFrame(rows, columns=["group", "level", "count", "rows", "share"])


def ordered_classes(data) -> list[int]:
    """Codes of the classes, with the event last for two classes."""
    codes = list(range(len(data.classes)))
    return sorted(codes, key=lambda code: code == data.event_class) if len(codes) == 2 else codes


def _column(data, feature):
    if feature not in data.features:
        raise InputError(f"There is no feature {feature!r} in this table.")
    place = data.features.index(feature)
    return np.asarray(data.table.values[:, place], float), bool(data.table.categorical[place])


def _median(values, patients):
    """(median, low, high) of the values of one class."""
    from scipy.stats import quantile_test

    if not len(values):
        return np.nan, np.nan, np.nan
    middle = float(np.median(values))
    if patient_codes(patients) is None:
        interval = quantile_test(values, q=middle, p=0.5).confidence_interval(0.95)
        return middle, float(interval.low), float(interval.high)
    return middle, *(float(end[0]) for end in median_interval(values[:, None], patients))


def _dot_offsets(values, low, high):
    """(n,) positions of sorted values in their lane, stacked from its middle, alternately above and below."""
    if not len(values):
        return np.empty(0)
    column = np.floor((values - low) / max(high - low, 1e-300) * (COLUMNS_OF_DOTS - 1)).astype(int)
    _, first, counts = np.unique(column, return_index=True, return_counts=True)
    place = np.arange(len(values)) - np.repeat(first, counts)
    signed = np.where(place % 2, (place + 1) // 2, -(place // 2))
    tallest = np.repeat(np.maximum(counts // 2, DOTS_PER_SIDE), counts)
    return signed / tallest
