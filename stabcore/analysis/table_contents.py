"""The content of a table: the size of each class of the outcome, and the missing cells of each column."""

import numpy as np
import pandas as pd

from stabcore.data.dataset import Dataset

MAX_BINS = 20  # bars of the histogram of a numeric outcome


def outcome_counts(data: Dataset) -> pd.DataFrame:
    """DataFrame(group, count, share, low, high): patients of each class, with an event and censored, or rows in ranges of a number.

    share: of all patients, or rows without a patient column. A patient with rows in two classes counts in both, and then no class
    has a share. low, high: the range of a numeric outcome, in which all rows count, NaN otherwise.
    """
    if data.numeric_target:
        return _histogram(data.target)
    if data.timed:
        events = data.count(data.target["event"])
        groups, counts = ["event", "censored"], [events, data.n_patients - events]
    else:
        groups, counts = list(data.classes), [data.count(data.target == code) for code in range(len(data.classes))]
    share = np.array(counts) / (data.n_patients if sum(counts) == data.n_patients else np.nan)
    return pd.DataFrame({"group": groups, "count": counts, "share": share, "low": np.nan, "high": np.nan})


def _histogram(values):
    counts, edges = np.histogram(values, min(MAX_BINS, int(np.ceil(np.sqrt(len(values))))))
    low, high = edges[:-1], edges[1:]
    groups = [f"{begin:.4g} to {end:.4g}" for begin, end in zip(low, high, strict=True)]
    return pd.DataFrame({"group": groups, "count": counts, "share": counts / len(values), "low": low, "high": high})


def missing_cells(data: Dataset) -> pd.DataFrame:
    """DataFrame(column, missing, share): the missing cells of features and columns always in the model, most incomplete first.

    share: of the rows. Complete columns are left out.
    """
    names, counts = [], []
    for table in (data.table, data.given):
        if table is not None:
            gaps = np.flatnonzero(table.extremes[2])
            names += [table.features[i] for i in gaps]
            counts += np.isnan(np.asarray(table.values)[:, gaps]).sum(axis=0).tolist()
    frame = pd.DataFrame({"column": names, "missing": np.array(counts, dtype=int)})
    frame = frame.assign(share=frame["missing"] / data.n_rows)
    return frame.sort_values("missing", ascending=False, kind="stable", ignore_index=True)
