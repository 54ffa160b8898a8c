"""Missing cells that predict: columns with more missing cells in one class of the outcome than in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.public import public
from stabcore.base.text import listed, quote
from stabcore.data.missing import blank_tests, describe_shares, predicting_rows

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.data.dataset import Dataset


@public
def blanks_by_class(data: Dataset) -> pd.DataFrame:
    """Share of missing cells per feature and class, and whether these shares differ.

    Parameters
    ----------
    data : Dataset
        The table with its outcome. A patient with several rows counts once, as missing if any of the rows is.

    Returns
    -------
    DataFrame
        One row per feature with missing cells, in the order of the table. Columns: feature, missing (share of all patients, or of
        all rows where no classes can be compared), one share per class (named as the class, for an outcome with classes), p,
        p_holm, differs (p_holm <= 0.05).

    Notes
    -----
    Two classes: Fisher's exact test. More classes: the smallest p of each class against the others, times their number.
    A numeric outcome: the Mann-Whitney test of the outcome between rows with and without the feature. Holm's correction over all
    features with missing cells keeps the chance of any false alarm at most 5 %. NaN if the rows of one patient differ in the
    outcome.

    Source: Fisher 1922; Mann & Whitney 1947; Holm 1979.

    Examples
    --------
    >>> list(sc.blanks_by_class(data))
    ['feature', 'missing', 'healthy', 'ill', 'p', 'p_holm', 'differs']
    """
    from stabcore.data.dataset import Dataset  # imported here, because dataset imports this module

    data = Dataset.of(data)
    return blank_tests(np.asarray(data.table.values, dtype=float), data.features, data.target, data.classes, data.patients)


def describe_blank(row) -> str:
    """One row of `blanks_by_class` as a sentence: 'CRP' is blank in 60% of 'ill' and 0% of 'well'."""
    if shares := describe_shares(row):
        return f"{quote(row['feature'])} is blank in {shares}"
    return f"{quote(row['feature'])} is blank in {row['missing']:.0%} of the rows, and these rows differ in the outcome"


def describe_blanks(frame) -> str:
    """The limitation of a study if missing cells differ by class, otherwise ""."""
    rows = predicting_rows(frame)
    if not len(rows):
        return ""
    first = describe_blank(rows.iloc[0])
    others = f" The same holds for {listed(list(rows['feature'][1:]))}." if len(rows) > 1 else ""
    return f"{first}. Such a feature can be selected because its cells are missing, not because of its values.{others}"
