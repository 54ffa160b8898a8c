"""How far measures vary from study to study (Hamer & Dupont 2021, Figures 19 and 20): many small studies by the lasso."""

from __future__ import annotations

import numpy as np

from stabcore.inference.estimate import terms_of
from stabcore.measures.catalog import entry
from stabcore.preferences import Preferences
from stabcore.selectors.catalog import selector

TABLES = ("twins", "groups", "chain", "weak")
RUNS, TOGETHER, SELECTED = 200, 5, 10        # they have 1,000 runs, five an estimate
MEASURES = {"φ": "nogueira", "φ_iw": "importance_weighted", "φ_pears": "pearson_weights"}


def estimates(source, tell, tables=TABLES, runs=RUNS):
    """DataFrame(table, series, y): stability of every five bootstrap runs of the lasso, by each measure, on simulated tables."""
    import pandas as pd

    rows = []
    for number, key in enumerate(tables):
        data, rng = source.simulated(key), source.rng(7, number)
        importances = np.zeros((runs, data.n_features))
        for i in range(runs):
            if i % TOGETHER == 0:
                tell(number * runs + i, len(tables) * runs)
            drawn = rng.integers(data.n_rows, size=data.n_rows)
            fitted = selector("lasso", length=SELECTED).fit(data.table.rows(drawn), data.target[drawn], rng=rng, k=SELECTED)
            chosen = fitted.select(SELECTED)
            importances[i, chosen] = fitted.importances_[chosen]
        for start in range(0, runs, TOGETHER):
            few = Preferences.from_importances(importances[start:start + TOGETHER])
            rows += [(key, label, terms_of(few, entry(one), None, {}).value()) for label, one in MEASURES.items()]
    return pd.DataFrame(rows, columns=["table", "series", "y"])


def variation(frame):
    """DataFrame(table, φ, φ_iw, φ_pears): the coefficient of variation of the estimates, σ/μ."""
    grouped = frame.groupby(["table", "series"], sort=False)["y"]
    return (grouped.std() / grouped.mean()).unstack()[list(MEASURES)].reset_index()
