"""The simulation of Hamer & Dupont 2021, section 5.3 (Figure 8): correlated groups of growing size."""

import numpy as np
import pandas as pd

from stabcore.inference.estimate import stability
from stabcore.selections.selections import Selections
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Logistic, Problem
from stabcore.similarity.similarity import Similarity

# Table 1 of the paper: means inside and outside groups, correlation inside groups, whether groups are selected as a whole
SCENARIOS = {
    "1: group lasso, weaker groups": (0.35, 0.05, 0.8, True),
    "2: group lasso, strong groups": (0.5, 0.05, 0.8, True),
    "3: lasso, strong groups": (0.5, 0.05, 0.95, False),
}
SIZES, GROUPS, LOOSE, SELECTED = (1, 2, 4, 10), 5, 1000, 40
ROWS, RUNS, TABLES = 200, 30, 10
MEASURES = {"φ": "nogueira", "φ_iw": "importance_weighted", "φ_pears": "pearson_weights", "φ_C": "effective"}


def group_sizes(source, on_progress):
    """DataFrame(facet, series, x, y): the mean of each measure over the tables, against the size of the groups."""
    values, total = [], len(SCENARIOS) * TABLES
    for scenario, (name, (inside, outside, correlation, together)) in enumerate(SCENARIOS.items()):
        for number in range(TABLES):
            on_progress(scenario * TABLES + number, total)
            rng = source.rng(scenario, number)
            groups, loose, y = _table(rng, inside, outside, correlation)
            y, drawn, penalty = source.outcome(y), rng.integers(ROWS, size=(RUNS, ROWS)), None
            for size in SIZES:
                columns = np.hstack([groups[:, :, :size].reshape(ROWS, -1), loose])
                sizes = [size] * GROUPS if together else [1] * (GROUPS * size)
                of_groups = np.array(sizes + [1] * LOOSE)
                problems = [_problem(columns[rows], y[rows], of_groups) for rows in drawn]
                if penalty is None:
                    penalty = np.median([_penalty(problem, rng) for problem in problems])
                weights = np.array([_weights(problem, penalty, rng) for problem in problems])
                values += [(name, label, size, value) for label, value in _stabilities(weights, size).items()]
    frame = pd.DataFrame(values, columns=["facet", "series", "x", "y"])
    return frame.groupby(["facet", "series", "x"], sort=False, as_index=False)["y"].mean()


def _table(rng, inside, outside, correlation):
    """(rows, groups, largest size) features inside groups, (rows, loose) others, (rows,) classes."""
    y = np.arange(ROWS) % 2
    sign = 2 * y - 1
    shared = np.sqrt(correlation) * rng.standard_normal((ROWS, GROUPS, 1))
    noise = np.sqrt(1 - correlation) * rng.standard_normal((ROWS, GROUPS, max(SIZES)))
    return inside * sign[:, None, None] + shared + noise, outside * sign[:, None] + rng.standard_normal((ROWS, LOOSE)), y


def _problem(columns, y, sizes):
    """The logistic (group) lasso of one bootstrap sample, on standardised columns."""
    standardised = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    return Problem(np.ascontiguousarray(standardised.T), Logistic(y.astype(float)), sizes)


def _penalty(problem, rng):
    """The penalty that selects about 40 features."""
    return next(model.penalty for model in penalised.path(problem, rng) if len(model.active) >= SELECTED)


def _weights(problem, penalty, rng):
    """(d,) absolute weights of the model at this penalty."""
    weights, before = np.zeros(len(problem.columns)), None
    for model in penalised.path(problem, rng):
        if model.penalty < penalty and before is not None:
            model_between = penalised.between(problem, before, model, penalty, rng)
            weights[model_between.active] = np.abs(model_between.weights)
            break
        before = model
    return weights


def _stabilities(weights, size):
    runs, names = Selections.from_weights(weights), [range(g * size, (g + 1) * size) for g in range(GROUPS)]
    similarity = Similarity.from_groups({f"g{g}": members for g, members in enumerate(names)}, n_features=weights.shape[1])
    return {
        label: stability(runs, key, similarity=similarity if key == "effective" else None).value for label, key in MEASURES.items()
    }
