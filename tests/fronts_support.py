"""Result tables as the pages have them, every two rows compared, and what is drawn of them."""

import json
from itertools import combinations

import numpy as np
import pandas as pd

KEYS = ["nogueira", "effective"]


def table(accuracy, nogueira, effective=None, size=5.0, labels="abcdefgh"):
    """A result table as the pages have it, every interval ± 0.02 by − and ± 0.03 by +."""
    columns = {}
    effective = nogueira if effective is None else effective
    for key, values in (("accuracy", accuracy), ("nogueira", nogueira), ("effective", effective)):
        values = np.array(values, dtype=float)
        columns |= {key: values, f"{key}_low": values - 0.02, f"{key}_high": values + 0.03}
    return pd.DataFrame({**columns, "mean_size": size}, index=pd.Index(list(labels)[:len(accuracy)], name="selector"))


def apart(made, column, se=0.0):
    """Every two rows compared by a column: clear where they differ by more than 2 se; at se 0 by anything."""
    rows = [(a, b, made.loc[a, column] - made.loc[b, column]) for a, b in combinations(made.index, 2)]
    return pd.DataFrame([(a, b, gap, gap - 2 * se, gap + 2 * se, np.nan if np.isnan(gap) else 0.01 if abs(gap) > 2 * se else 0.9)
                         for a, b, gap in rows], columns=["first", "second", "difference", "low", "high", "p_holm"])


def known(made, se=0.0, **own):
    """{column: every two rows compared}, with a standard error for all or one's own for some."""
    named = {"nogueira": "nogueira", "effective": "effective", "accuracy": "accuracy", "size": "mean_size"}
    return {name: apart(made, column, own.get(name, se)) for name, column in named.items()}


def drawn(figure):
    return json.loads(figure.to_json())["data"]


def named(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.legendgroup}
