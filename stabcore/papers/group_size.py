"""The group-size experiment of Hamer & Dupont 2021 (Figure 8): copies of a signal are added; what do the measures make of it?"""

from __future__ import annotations

import numpy as np

from stabcore.data.feature_table import FeatureTable
from stabcore.inference.estimate import stability
from stabcore.preferences import Preferences
from stabcore.relation.relation import Relation
from stabcore.selectors.catalog import selector

# shift of the mean inside groups, of loose features, correlation inside groups, selector (their Table 1)
SCENARIOS = {"1: group lasso, weaker groups": (0.35, 0.05, 0.8, "group_lasso"),
             "2: group lasso, strong groups": (0.5, 0.05, 0.8, "group_lasso"),
             "3: lasso, strong groups": (0.5, 0.05, 0.95, "lasso")}
SIZES, GROUPS, LOOSE, LOOSE_CHOSEN = (1, 2, 4, 8), 5, 150, 10       # they have 1,000 loose features
ROWS, RUNS = 120, 12                # they have 200 rows
MEASURES = {"φ (nogueira)": "nogueira", "φ_iw (importance-weighted)": "importance_weighted", "φ_pears (weights)": "pearson_weights",
            "φ_C (effective)": "effective"}


def group_sizes(source, tell):
    """DataFrame(facet, series, x, y): each measure against the size of the groups, scenario by scenario.

    The selector is asked for 5 groups' worth of features and ten loose ones, on bootstrap samples of one simulated table a size.
    """
    import pandas as pd

    rows, done, total = [], 0, len(SCENARIOS) * len(SIZES)
    for number, (scenario, settings) in enumerate(SCENARIOS.items()):
        for size in SIZES:
            tell(done, total)
            runs, relation = _runs(source, source.rng(number, size), size, *settings)
            rows += [(scenario, label, size, stability(runs, key, relation=relation if key == "effective" else None).value)
                     for label, key in MEASURES.items()]
            done += 1
    return pd.DataFrame(rows, columns=["facet", "series", "x", "y"])


def _runs(source, rng, size, inside, outside, correlation, key):
    """(Preferences, Relation of the groups) of one table, selected from on bootstrap samples."""
    X, y = _table(rng, size, inside, outside, correlation)
    y = source.outcome(y)
    names = [f"f{i}" for i in range(X.shape[1])]
    groups = {f"g{i}": names[i * size:(i + 1) * size] for i in range(GROUPS)}
    table, weights = FeatureTable(X, np.zeros(len(names), dtype=bool), tuple(names)), []
    grouped = key == "group_lasso"
    k = LOOSE_CHOSEN + GROUPS * (size if grouped else 1)
    for _ in range(RUNS):
        drawn = rng.integers(ROWS, size=ROWS)
        fitted = selector(key, **({"groups": groups} if grouped else {})).fit(table.rows(drawn), y[drawn], rng=rng, k=k)
        importances = np.zeros(len(names))
        chosen = fitted.select(k)
        importances[chosen] = fitted.importances_[chosen]
        weights.append(importances)
    return Preferences.from_importances(np.array(weights), names), Relation.from_groups(groups, names)


def _table(rng, size, inside, outside, correlation):
    y = np.arange(ROWS) % 2
    sign = 2 * y[:, None] - 1
    shared = np.sqrt(correlation) * np.repeat(rng.standard_normal((ROWS, GROUPS)), size, axis=1)
    groups = inside * sign + shared + np.sqrt(1 - correlation) * rng.standard_normal((ROWS, GROUPS * size))
    return np.hstack([groups, outside * sign + rng.standard_normal((ROWS, LOOSE))]), y
