"""Which configurations of a search are worth another look, and what that look told beside the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stabcore.analysis.pareto import front, within

if TYPE_CHECKING:
    import pandas as pd


def second_look(table: pd.DataFrame, margin: float = 0.05, most: int = 6, measure: str = "nogueira") -> pd.DataFrame:
    """The candidates of a search that are worth another look: within `margin` of the best accuracy, and among these not beaten in
    both stability and mean number of features; at most so many, the smallest first.

    table: as `Results.table([measure])`. Source: Bommert et al. 2017, section 5.
    """
    points = within(table, "accuracy", margin)
    small = front(points, (measure, "mean_size"), smaller=("mean_size",)).query("on_front")
    return table.loc[small.sort_values("mean_size", kind="stable").index[:most]]


def both_halves(searched: pd.DataFrame, again: pd.DataFrame, measure: str = "nogueira") -> pd.DataFrame:
    """DataFrame of the configurations of `again`: accuracy, stability and number of features there, and where they were chosen.

    searched, again: as `Results.table([measure])`, of the half of the rows on which they were chosen and of the other one.
    """
    names = {"accuracy": "accuracy", measure: "stability", "mean_size": "features selected"}
    there = again[list(names)].rename(columns=names)
    first = searched.reindex(again.index)[list(names)].rename(columns=lambda name: f"{names[name]}, where it was chosen")
    return there.join(first)[[column for name in names.values() for column in (f"{name}, where it was chosen", name)]]
