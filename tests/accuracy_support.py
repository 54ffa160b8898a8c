"""Accuracies of a simple model on simulated tables by any plan, as tests and benchmarks of their intervals need them."""

from types import SimpleNamespace

import numpy as np

from stabcore.study.scores import scored

CHOSEN = 10


def simulated_accuracies(plan, tables, effect, n=60, d=60, cases=0.5, random_state=0, score="accuracy"):
    """(tables, 3) a score and its interval: nearest mean of the ten best features by t; five features differ by `effect`."""
    rng, rows = np.random.default_rng([random_state, n, int(100 * effect)]), []
    for table in range(tables):
        y = rng.permutation((np.arange(n) < round(cases * n)).astype(int))
        X = rng.normal(size=(n, d))
        X[:, :5] += effect * y[:, None]
        told = scored([_run(plan.resample(run, y, table), run, X, y) for run in range(plan.n_runs)], y, 2)
        rows.append([told[score], told[f"{score}_low"], told[f"{score}_high"]])
    return np.array(rows)


def _run(drawn, run, X, y):
    a, b = X[drawn.rows][y[drawn.rows] == 1], X[drawn.rows][y[drawn.rows] == 0]
    best = np.argsort(-np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0) / len(a) + b.var(0) / len(b)))[:CHOSEN]
    one, other = a[:, best].mean(0), b[:, best].mean(0)
    merit = X[drawn.held_out][:, best] @ (one - other) - ((one**2).sum() - (other**2).sum()) / 2
    return SimpleNamespace(
        run=run,
        held_out=drawn.held_out,
        predicted=(merit > 0).astype(int),
        selected=best,
        seconds=0.0,
        probability=np.column_stack([-merit, merit]).ravel(),
    )
