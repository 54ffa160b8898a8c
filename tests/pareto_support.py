"""Result tables as on the pages, comparisons of all pairs of rows, and drawn points."""

from itertools import combinations

import numpy as np
import pandas as pd

from stabcore.analysis.noise_floors import beyond_floor

KEYS = ["nogueira", "effective"]
FLOOR = 0.1  # noise floor of every selector, if measured


def table(accuracy, nogueira, effective=None, size=5.0, labels="abcdefgh", floor=FLOOR):
    """A result table as on the pages, with intervals from 0.02 below to 0.03 above each value.

    The given stabilities are beyond the floor. With floor None, no floor was measured and they are the stability itself.
    """
    columns = {}
    effective = nogueira if effective is None else effective
    for key, values in (("accuracy", accuracy), ("nogueira", nogueira), ("effective", effective)):
        values = np.array(values, dtype=float) + (floor or 0.0) * (key != "accuracy")
        columns |= {key: values, f"{key}_low": values - 0.02, f"{key}_high": values + 0.03}
    made = pd.DataFrame({**columns, "mean_size": size}, index=pd.Index(list(labels)[: len(accuracy)], name="selector"))
    return beyond_floor(made, {key: floors_of(made, key, floor) for key in KEYS})


def floors_of(made, key, floor=FLOOR, clear=True):
    """Noise floors of a column of a result table, like those of result.floor. floor None: not measured."""
    none = floor is None
    beyond = made[key] - (np.nan if none else floor)
    return pd.DataFrame(
        {
            "value": made[key],
            "floor": np.nan if none else floor,
            "floor_low": np.nan if none else floor - 0.02,
            "floor_high": np.nan if none else floor + 0.02,
            "beyond": beyond,
            "beyond_low": beyond - 0.02,
            "beyond_high": beyond + 0.03,
            "clear": clear and not none,
            "shuffles": 0 if none else 20,
        },
        index=made.index,
    )


def apart(made, column, se=0.0):
    """Compare all pairs of rows by a column. Differences of more than 2 se are clear."""
    rows = [(a, b, made.loc[a, column] - made.loc[b, column]) for a, b in combinations(made.index, 2)]
    return pd.DataFrame(
        [
            (a, b, gap, gap - 2 * se, gap + 2 * se, np.nan if np.isnan(gap) else 0.01 if abs(gap) > 2 * se else 0.9)
            for a, b, gap in rows
        ],
        columns=["first", "second", "difference", "low", "high", "p_holm"],
    ).assign(p_value=lambda pairs: pairs["p_holm"] / 10, n_runs=100)


def row_pairs(made, se=0.0, **errors):
    """{column: comparisons of all pairs of rows}, with a common standard error, or other ones for some."""
    named = {"nogueira": "nogueira", "effective": "effective", "accuracy": "accuracy", "size": "mean_size"}
    return {name: apart(made, column, errors.get(name, se)) for name, column in named.items()}


def named(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.legendgroup}
