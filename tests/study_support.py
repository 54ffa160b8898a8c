"""A small study with a signal, a mixed table and missing values."""

import numpy as np
import pandas as pd

import stabcore as sc


def frame(rows=60, random_state=0):
    rng = np.random.default_rng(random_state)
    outcome = rng.integers(0, 2, rows)
    made = pd.DataFrame(rng.normal(size=(rows, 6)) + outcome[:, None] * [1.5, 1.2, 0.6, 0, 0, 0], columns=list("abcdef"))
    made.loc[rng.choice(rows, 5, replace=False), "c"] = np.nan
    made["stage"] = np.where(rng.random(rows) < 0.3, "early", np.where(rng.random(rows) < 0.5, "mid", "late"))
    made["outcome"] = np.where(outcome, "sick", "well")
    return made


def data(**options):
    return sc.Dataset.from_frame(frame(**options), target="outcome", name="toy")


def study(selectors=("mim", "lasso", "random"), runs=6, **options):
    return sc.Study(
        data(), selectors, plan=sc.Subsample(runs, test_size=0.2), k=3, random_state=5, **{"n_permutations": 0, **options}
    )


def resamples(plan, target, random_state=0, patients=None):
    """Resamples of every run of a plan."""
    return [plan.resample(run, target, random_state, patients) for run in range(plan.n_runs)]


# ---- a study with permutation control ----


TARGET = np.repeat([0, 1, 2], [20, 12, 8])
SELECTORS = {"mim": "mim", "random_forest": ("random_forest", {"trees": 10})}
