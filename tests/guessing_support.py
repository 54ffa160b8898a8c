"""Tables with and without signal, and held-out predictions of a classifier of the best features."""

from types import SimpleNamespace

import numpy as np

from stabcore.study.performance import CLEARLY_BETTER
from stabcore.study.run_scores import excess_over_guessing

KINDS = {"independent": 0, "blocks": 10, "one factor": 1}  # number of common factors


def columns(rng, kind, n, d):
    """Return (n, d) columns of standard deviation 1: independent, in blocks (ρ = 0.7), or with a factor (ρ = 0.5)."""
    factors = KINDS[kind]
    if not factors:
        return rng.normal(size=(n, d))
    shared = 0.5 if factors == 1 else 0.7
    common = np.repeat(rng.normal(size=(n, factors)), -(-d // factors), axis=1)[:, :d]
    return np.sqrt(1 - shared) * rng.normal(size=(n, d)) + np.sqrt(shared) * common


def tasks(plan, X, y, seed, classifier="mean", k=10):
    """Held-out predictions of every run of a plan, by the k features of largest |Welch's t| in its rows."""
    made = []
    for run in range(plan.n_runs):
        drawn = plan.resample(run, y, seed)
        A, b = X[drawn.rows], y[drawn.rows]
        cases, controls = A[b == 1], A[b == 0]
        t = np.abs(cases.mean(0) - controls.mean(0)) / np.sqrt(cases.var(0) / len(cases) + controls.var(0) / len(controls))
        few = np.argsort(-t)[:k]
        made.append(SimpleNamespace(held_out=drawn.held_out, **_predicted(A[:, few], b, X[drawn.held_out][:, few], classifier)))
    return made


def _predicted(A, b, held, classifier):
    if classifier == "mean":
        high, low = A[b == 1].mean(0), A[b == 0].mean(0)
        score = (held - (high + low) / 2) @ (high - low)
        risk = 1 / (1 + np.exp(-score))
    else:
        from sklearn.linear_model import LogisticRegression
        from sklearn.neighbors import KNeighborsClassifier

        model = KNeighborsClassifier(3) if classifier == "3-nn" else LogisticRegression()
        risk = model.fit(A, b).predict_proba(held)[:, 1]
    return {"predicted": (risk > 0.5).astype(int), "probability": np.column_stack([1 - risk, risk])}


def false_alarms(plan, kind, tables, random_state, score="balanced_accuracy", classifier="mean", n=80, d=60, share=0.5, effect=0.0):
    """Share of tables in which the classifier is called better than the larger class. effect: of five features."""
    alarms = 0
    for number in range(tables):
        rng = np.random.default_rng([random_state, number])
        y = rng.permutation((np.arange(n) < round(share * n)).astype(int))
        X = columns(rng, kind, n, d) + effect * y[:, None] * (np.arange(d) < 5)
        alarms += excess_over_guessing(tasks(plan, X, y, number, classifier), y, score)[2] < CLEARLY_BETTER
    return alarms / tables
