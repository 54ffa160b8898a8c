"""Features of few different values beside features of many, which selectors by counted information treat unlike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stabcore.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection

    from stabcore.data.dataset import Dataset

COUNTS_CELLS = {"mim", "mrmr", "jmi", "cmim"}       # selectors by information counted in the cells of a table of two features
FEW, MANY = 3, 10                                   # different values: at most, at least


def few_values(data: Dataset) -> list[str]:
    """Names of the features that have few different values, where others have many; none where all have few."""
    features = data.columns[data.columns["role"] == "feature"]
    few = features.loc[features["distinct"] <= FEW, "column"].tolist()
    return few if (features["distinct"] >= MANY).any() else []


def caution(data: Dataset, keys: Collection[str]) -> str:
    """The sentence on them where a selector of COUNTS_CELLS is among the keys, else nothing.

    In tables without any signal, of 60 to 300 rows, in which features came in 5 to 20% of the runs on average, mRMR took a single
    feature of two values in 97 to 100%, of three in 53%, each of ten among twenty in 25%; MIM, JMI and CMIM all of these in
    0 to 7%.
    """
    few = few_values(data) if COUNTS_CELLS.intersection(keys) else []
    if not few:
        return ""
    return (f"{listed(few)} {'has' if len(few) == 1 else 'have'} few different values, other features many. Information counted in "
            "cells grows with their number: where nothing is related to the outcome, mRMR takes such features more often than "
            "others (a single one of two values in nearly all runs), MIM, JMI and CMIM hardly ever. Read them beside a selector of "
            "another kind, or with a control by shuffling.")
