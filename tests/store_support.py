"""Contents of a study file without a study: settings, and matching tasks."""

import numpy as np

from stabcore.study.task_result import TaskResult


def store_contents(runs=4, labels=("mim",), d=4, rows=6, k=2):
    """Return (settings, circumstances) for Store.create."""
    settings = {
        "data": {"name": "toy", "fingerprint": "0" * 64, "target": "y", "n_rows": rows, "n_features": d},
        "selectors": [{"label": label, "key": label, "options": {}} for label in labels],
        "plan": {"kind": "subsample", "n_runs": runs},
        **{"k": k, "n_selected": k, "classifier": "none", "random_state": 0},
        **{"n_permutations": 0, "n_seeds": 1, "permutation_runs": "all"},
    }
    return settings, {
        "features": [f"f{i}" for i in range(d)],
        "classes": ["a", "b"],
        "target": [i % 2 for i in range(rows)],
        "chance_inside": [False] * len(labels),
        "versions": {"numpy": "2"},
    }


def done(run, label="mim", d=4, k=2, **parts):
    """A finished task of such a study."""
    ranking = np.arange(1, d + 1, dtype=float)
    found = {"scores": -ranking, "ranking": ranking, "importances": (ranking <= k).astype(float)}
    return TaskResult(label, run, **found | {"selected": np.arange(k), "held_out": np.array([0, 1])} | parts)
