"""Survival tables with reference values of R, simulated ones, and slow versions of survival statistics."""

import numpy as np
import pandas as pd
from support import golden, shared

from stabcore.base.target import survival_target

TABLES = {"actg175": ("data", "sample", "actg175.csv"), "pbc": ("data", "checks", "pbc.csv")}


def of_r(name):
    """Return (values of R, complete columns (p, n) by name, records of time and event)."""
    printed, frame = golden(f"survival_{name}.json"), pd.read_csv(shared(*TABLES[name]))
    if "sex" in printed["features"]:
        frame["sex"] = (frame["sex"] == "m").astype(float)
    frame = frame.dropna(subset=[*printed["features"], printed["time"], printed["event"]])
    columns = {feature: frame[feature].to_numpy(dtype=float) for feature in printed["features"]}
    return printed, columns, survival_target(frame[printed["time"]], frame[printed["event"]] == 1)


def standardised(columns):
    """Return (p, n) rows of mean 0 and standard deviation 1, and their original deviations (p,)."""
    values = np.array(list(columns.values()) if isinstance(columns, dict) else columns)
    deviation = values.std(axis=1)
    return (values - values.mean(axis=1, keepdims=True)) / deviation[:, None], deviation


def simulated(rng, n=100, d=8, weights=(), censored=0.4, tied=False):
    """Return (X (n, d), records) of exponential times with log hazard X · weights, some censored, some equal if `tied`."""
    X = rng.standard_normal((n, d))
    hazard = np.exp(X[:, : len(weights)] @ np.array(weights, dtype=float))
    time, end = rng.exponential(size=n) / hazard, rng.exponential(size=n) * (1 - censored) / max(censored, 1e-9)
    observed = np.minimum(time, end)
    return X, survival_target(np.ceil(observed * 8) if tied else observed, time <= end)


def slow_log_likelihood(margin, target, efron=True):
    """Log partial likelihood, one event after another."""
    time, event, weight = target["time"], target["event"], np.exp(margin)
    total = 0.0
    for t in np.unique(time[event]):
        dying, at_risk = np.flatnonzero(event & (time == t)), weight[time >= t].sum()
        for number, row in enumerate(dying):
            share = number / len(dying) if efron else 0.0
            total += margin[row] - np.log(at_risk - share * weight[dying].sum())
    return total


def slow_concordance(risk, target, weight=lambda t: 1.0):
    """Σ over comparable pairs, pair by pair."""
    time, event, agree, pairs = target["time"], target["event"], 0.0, 0.0
    for i in np.flatnonzero(event):
        for j in range(len(time)):
            if time[j] > time[i] or (time[j] == time[i] and not event[j]):
                pairs += weight(time[i])
                agree += weight(time[i]) * ((risk[i] > risk[j]) + (risk[i] == risk[j]) / 2)
    return agree / pairs
