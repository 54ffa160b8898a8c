"""Variation of risks between models of new samples, and between models of runs, on simulated tables."""

import numpy as np

import stabcore as sc
from stabcore.classifiers.catalog import classifier
from stabcore.data.feature_table import FeatureTable

PLANS = {
    "halves": lambda runs: sc.ComplementaryPairs(runs // 2),
    "bootstrap": sc.Bootstrap,
    "5% left out": lambda runs: sc.Subsample(runs, 0.05),
    "20% left out": lambda runs: sc.Subsample(runs, 0.2),
}


def drawn(rng, n, d=100, true=10, effect=0.5):
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, :true] += effect * y[:, None]
    return X, y


def chances(X, y, rows, asked, key, k=10):
    """Risks of the patients `asked` by the whole procedure on given rows."""
    first, second = (X[rows][y[rows] == class_] for class_ in (0, 1))
    error = np.sqrt(first.var(axis=0) / len(first) + second.var(axis=0) / len(second))
    t = np.abs(second.mean(axis=0) - first.mean(axis=0)) / error
    best = np.argsort(-t)[:k]
    names, numbers = tuple(f"f{i}" for i in best), np.zeros(k, dtype=bool)
    fitted = classifier(key).fit(FeatureTable(X[rows][:, best], numbers, names), y[rows], np.random.default_rng(0), n_classes=2)
    return fitted.predict(FeatureTable(asked[:, best], numbers, names))[1][:, 1]


def moved(seed, key, runs, n=100):
    """{scheme: mean distance from the risks by all rows}. "new samples": from their mean. "new, this": from this table."""
    rng = np.random.default_rng(seed)
    X, y = drawn(rng, n)
    whole = chances(X, y, np.arange(n), X, key)
    new = np.array([chances(*drawn(rng, n), np.arange(n), X, key) for _ in range(runs)])
    distances = {
        "new samples": np.abs(new - new.mean(axis=0)).mean() * np.sqrt(runs / (runs - 1)),
        "new, this": np.abs(new - whole).mean(),
    }
    for name, make in PLANS.items():
        plan = make(runs)
        distances[name] = np.mean(
            [np.abs(chances(X, y, plan.resample(run, y, seed).rows, X, key) - whole).mean() for run in range(plan.n_runs)]
        )
    return distances
