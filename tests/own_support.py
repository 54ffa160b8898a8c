"""User-defined selectors, plans and classifiers that workers can import. Some break their contract."""

import ctypes
import os
import time
import warnings
from pathlib import Path

import numpy as np


class MeanDifference:
    """Ranks features of a whole table by the mean difference of two classes."""

    def fit(self, X, y, *, rng=None, k=None):
        values = np.nan_to_num(np.asarray(X.values))
        self.scores_ = self.importances_ = np.abs(values[y == 0].mean(axis=0) - values[y == 1].mean(axis=0))
        self.ranking_ = X.n_features - np.argsort(np.argsort(self.scores_, kind="stable")).astype(float)
        return self

    def select(self, k):
        return np.flatnonzero(self.ranking_ <= k)


class Warns(MeanDifference):
    """Warns differently in every run, silences warnings for a while as libraries do, and uses linear algebra."""

    def __init__(self, name="loud"):
        self.name = name

    def fit(self, X, y, **given):
        fitted = super().fit(X, y, **given)
        seed = int(np.nan_to_num(X.values).sum() * 1e6)
        for moment in range(3):
            warnings.warn(f"{self.name} was here at moment {moment} of {seed}", RuntimeWarning, stacklevel=1)
            warnings.warn("garbage of anybody", ResourceWarning, stacklevel=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                time.sleep(0.003)
                warnings.warn("nobody hears this", RuntimeWarning, stacklevel=1)
        draws = np.random.default_rng(seed).normal(size=200_000)
        self.scores_ = self.importances_ = self.scores_ + 1e-3 * (draws @ draws)  # its last digit depends on the threads
        return fitted


class Stuck(MeanDifference):
    """Writes a file with the id of its worker, then blocks in C code. holding: with the global interpreter lock."""

    def __init__(self, folder="", holding=False, seconds=60):
        self.folder, self.holding, self.seconds = folder, holding, seconds

    def fit(self, X, y, **given):
        Path(self.folder, f"{os.getpid()}.begun").touch()
        (ctypes.PyDLL if self.holding else ctypes.CDLL)(None).sleep(self.seconds)
        return super().fit(X, y, **given)


class Blocks:
    """A user-defined plan: run i holds out a block of rows, and learns from a sample of the others."""

    def __init__(self, n_runs=6, share=0.8):
        self.n_runs, self.share = n_runs, share

    def resample(self, run, target, seed, patients=None):
        rng, n = np.random.default_rng([seed, run]), len(target)
        held_out = np.arange(n)[run :: self.n_runs]
        others = np.setdiff1d(np.arange(n), held_out)
        return np.sort(rng.choice(others, int(self.share * len(others)), replace=False)), held_out


class Nearest:
    """A user-defined classifier by the nearest mean, without probabilities."""

    def __init__(self, power=2):
        self.power = power

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means = np.array([X[y == class_].mean(axis=0) for class_ in self.classes_])
        return self

    def predict(self, X):
        distance = (np.abs(X[:, None, :] - self.means) ** self.power).sum(axis=2)
        return self.classes_[distance.argmin(axis=1)]
