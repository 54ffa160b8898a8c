"""Helpers for tests and benchmarks of intervals: studies of a simple filter, and selectors that rarely vary."""

from types import SimpleNamespace

import numpy as np

import stabcore as sc
from stabcore.inference.predictions import compare_predictions
from stabcore.study.agreement import run_units
from stabcore.study.performance import compare_scores
from stabcore.study.run_scores import mean_scores


def table(random_state=0, rows=80, features=40):
    """Return (X, y), in which the first features are related to the two classes."""
    rng = np.random.default_rng(random_state)
    y = rng.integers(0, 2, rows)
    return rng.normal(size=(rows, features)) + np.outer(y, np.linspace(1.2, 0, features) ** 2), y


def filtered(plan, X, y, seed, k=8, patients=None):
    """Selections as in a study, of the k features most correlated with the class in every run of a plan."""
    sets, outcomes = [], []
    for run in filter(plan.measures_stability, range(plan.n_runs)):
        drawn = plan.resample(run, y, seed, patients)
        rows, target = X[drawn.rows] - X[drawn.rows].mean(axis=0), y[drawn.rows] - y[drawn.rows].mean()
        sets.append(np.argsort(-np.abs(target @ rows) / np.sqrt((rows**2).sum(axis=0)))[:k])
        outcomes.append(SimpleNamespace(run=run, held_out=drawn.held_out))
    return sc.Selections.from_lists(sets, n_features=X.shape[1]).in_units(*run_units(plan, outcomes))


D, K = 30, 6  # of selectors that deviate
DEVIATIONS = {
    "to one other set": lambda rng: np.arange(K, 2 * K),
    "by one swap": lambda rng: np.r_[np.arange(K - 1), K],
    "by any swap": lambda rng: np.r_[rng.choice(K, K - 1, replace=False), rng.integers(K, D)],
    "to a random set": lambda rng: rng.choice(D, K, replace=False),
}


def deviating(rng, runs, share, deviation):
    """Selections of the same six of 30 features, except in a share of the runs."""
    importances = np.zeros((runs, D))
    for row in importances:
        row[DEVIATIONS[deviation](rng) if rng.random() < share else np.arange(K)] = rng.uniform(0.8, 1.2, K)
    return sc.Selections.from_weights(importances)


def holds(found, truth):
    """Return whether the interval or lower limit of an Estimate covers the truth, or None without an interval."""
    if np.isnan(found.low):
        return None
    return found.low - 1e-9 <= truth and not found.high + 1e-9 < truth


# ---- accuracies of simulated studies ----


CHOSEN = 10


def simulated_accuracies(plan, tables, effect, n=60, d=60, cases=0.5, random_state=0, score="accuracy"):
    """Return (tables, 3): score and interval of nearest mean of ten features by t, five of which differ by `effect`."""
    rng, rows = np.random.default_rng([random_state, n, int(100 * effect)]), []
    for table in range(tables):
        y = rng.permutation((np.arange(n) < round(cases * n)).astype(int))
        X = rng.normal(size=(n, d))
        X[:, :5] += effect * y[:, None]
        scores = mean_scores([_run(plan.resample(run, y, table), run, X, y) for run in range(plan.n_runs)], y, (score,))
        rows.append([scores[score], scores[f"{score}_low"], scores[f"{score}_high"]])
    return np.array(rows)


def _run(drawn, run, X, y):
    a, b = X[drawn.rows][y[drawn.rows] == 1], X[drawn.rows][y[drawn.rows] == 0]
    best = np.argsort(-np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0) / len(a) + b.var(0) / len(b)))[:CHOSEN]
    case_means, control_means = a[:, best].mean(0), b[:, best].mean(0)
    merit = X[drawn.held_out][:, best] @ (case_means - control_means) - ((case_means**2).sum() - (control_means**2).sum()) / 2
    return SimpleNamespace(
        run=run,
        held_out=drawn.held_out,
        predicted=(merit > 0).astype(int),
        selected=best,
        seconds=0.0,
        probability=np.column_stack([-merit, merit]).ravel(),
    )


def equal_selectors(plan, tables, score, effect=0.0, n=60, d=60, cases=0.5, random_state=0):
    """Return (tables,) p-values of two selectors, each of half of the features, equally good. score: or "predictions"."""
    p_values = []
    for table in range(tables):
        rng = np.random.default_rng([random_state, n, int(100 * effect), table])
        y = rng.permutation((np.arange(n) < round(cases * n)).astype(int))
        X = rng.normal(size=(n, d)) + effect * y[:, None] * (np.arange(d) % (d // 2) < 3)
        drawn = [plan.resample(run, y, table) for run in range(plan.n_runs)]
        first, second = ([_run(each, run, part, y) for run, each in enumerate(drawn)] for part in (X[:, : d // 2], X[:, d // 2 :]))
        compared = compare_predictions(first, second, y) if score == "predictions" else compare_scores(first, second, y, score)
        p_values.append(compared.p_value)
    return np.array(p_values)
