"""Data for tests of recursive elimination and its models."""

import numpy as np


def data(n=50, d=90, random_state=0, classes=2):
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    return rng.normal(size=(n, d)) * rng.uniform(0.5, 2, d) + np.outer(y, np.linspace(0, 1, d)), y


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)
