"""Selectors of one's own that do what they should not: each is a class that workers can import."""

import ctypes
import os
import time
import warnings
from pathlib import Path

import numpy as np


class Tame:
    """Ranks features by the mean difference of two classes, in a table that it is handed whole."""

    def fit(self, X, y, *, rng=None, k=None):
        values = np.nan_to_num(np.asarray(X.values))
        self.scores_ = self.importances_ = np.abs(values[y == 0].mean(axis=0) - values[y == 1].mean(axis=0))
        self.ranking_ = X.n_features - np.argsort(np.argsort(self.scores_, kind="stable")).astype(float)
        return self

    def select(self, k):
        return np.flatnonzero(self.ranking_ <= k)


class Writes(Tame):
    """Changes what it was given in place: the table's values, what the table keeps about them, or the target."""

    def __init__(self, what="values"):
        self.what = what

    def fit(self, X, y, **given):
        given_to_it = {"values": X.values, "categorical": X.categorical, "missing": X.missing, "lowest": X.extremes[0], "target": y}
        given_to_it[self.what][:] = 0
        return super().fit(X, y, **given)


class Loud(Tame):
    """Warns of every run by its own sentence, hushes others for a while as libraries do, and adds up many numbers."""

    def __init__(self, name="loud"):
        self.name = name

    def fit(self, X, y, **given):
        fitted = super().fit(X, y, **given)
        told = int(np.nan_to_num(X.values).sum() * 1e6)
        for moment in range(3):
            warnings.warn(f"{self.name} was here at moment {moment} of {told}", RuntimeWarning, stacklevel=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                time.sleep(0.003)
                warnings.warn("nobody hears this", RuntimeWarning, stacklevel=1)
        many = np.random.default_rng(told).normal(size=200_000)
        self.scores_ = self.importances_ = self.scores_ + 1e-3 * (many @ many)      # its last digit depends on the threads
        return fitted


class Stuck(Tame):
    """Says that it has begun, by a file with the worker's number, then stays in C code; holding: no thread of Python runs then."""

    def __init__(self, folder="", holding=False, seconds=60):
        self.folder, self.holding, self.seconds = folder, holding, seconds

    def fit(self, X, y, **given):
        Path(self.folder, f"{os.getpid()}.begun").touch()
        (ctypes.PyDLL if self.holding else ctypes.CDLL)(None).sleep(self.seconds)
        return super().fit(X, y, **given)
