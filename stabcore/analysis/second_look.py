"""Which configurations of a search are worth another look, and what that look told beside the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stabcore.analysis.pareto import front, within

if TYPE_CHECKING:
    import pandas as pd


def second_look(table: pd.DataFrame, margin: float = 0.05, most: int = 6, measure: str = "nogueira") -> pd.DataFrame:
    """The candidates of a search that are worth another look: within `margin` of the best accuracy, and among these not beaten in
    both stability and mean number of features; at most so many, the smallest first.

    table: as `AnyResult.table([measure])`. Source: Bommert et al. 2017, section 5.
    """
    points = within(table, "accuracy", margin)
    small = front(points, (measure, "mean_size"), smaller=("mean_size",)).query("on_front")
    return table.loc[small.sort_values("mean_size", kind="stable").index[:most]]


def both_halves(searched: pd.DataFrame, again: pd.DataFrame, measure: str = "nogueira") -> pd.DataFrame:
    """DataFrame of the configurations of `again`: accuracy, stability and number of features on the half on which they were
    chosen, the first, and on the other one.

    searched, again: as `AnyResult.table([measure])`, of the first half of the rows and of the other.
    """
    import pandas as pd

    names = {"accuracy": "accuracy", measure: "stability", "mean_size": "features"}
    looks = {"first half": searched.reindex(again.index), "other half": again}
    return pd.DataFrame({f"{name}, {half}": table[column] for column, name in names.items() for half, table in looks.items()})
