"""Helpers for tests of measures: small inputs, similarities of reference records, and names in other programs."""

import re
from dataclasses import replace
from inspect import signature
from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.analysis.stability_profile import stability_profile
from stabcore.measures.catalog import BY_KEY
from stabcore.measures.random_sets import random_pair_moments

CORRECTABLE = [key for key, entry in BY_KEY.items() if entry.pair and "corrected" in entry.options]  # pair by pair
NOT_OF_PAIRS = ("davis", "novovicova")  # their chance is for M sets together, in stabm for two


def runs_of(matrix):
    return sc.Selections.from_matrix(matrix)


def random_similarity(rng, d, filled=0.4, values=(0.3, 0.7, 1.0)):
    """An unstructured similarity with few distinct values, so that ties and thresholds matter."""
    C = np.triu(rng.choice(values, (d, d)) * (rng.random((d, d)) < filled), 1)
    return sc.Similarity.from_matrix(C + C.T + np.eye(d))


def takes(key, option):
    return option in signature(BY_KEY[key].function).parameters


def estimate(key, runs, similarity=None, **options):
    """Estimate by the jackknife, with the options of the measure."""
    taken = {name: value for name, value in options.items() if takes(key, name)}
    return sc.stability(runs, key, similarity=similarity, interval="jackknife", **taken)


def everything(rng, runs=6, features=10, top=4):
    """Selections with all data that measures need, few enough features to list chance, and a similarity."""
    scores = rng.random((runs, features))
    made = replace(sc.Selections.from_scores(scores), raw_importances=csr_array(scores)).top(top)
    return made, sc.Similarity.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=features)


def with_sets(matrix, rng=None):
    """Selections of this 0/1 matrix with all data that measures need, including consistent importances and scores."""
    matrix = np.asarray(matrix)
    inside = np.ones(matrix.shape) if rng is None else rng.uniform(0.2, 1, matrix.shape)
    runs = runs_of(matrix)
    scores = matrix * (1 + inside) + (1 - matrix) * (0.01 * np.arange(matrix.shape[1]) if rng is None else rng.random(matrix.shape))
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1) + 1.0
    return replace(runs, raw_importances=csr_array(matrix * inside), scores=scores, ranks=ranks)


def rearranged(runs, rows=slice(None), columns=slice(None)):
    """The runs with rows and columns reordered, repeated or left out."""

    def of(matrix):
        if matrix is None:
            return None
        taken = matrix[rows][:, columns]
        return taken.tocsr() if hasattr(taken, "tocsr") else taken

    return replace(
        runs, selection=of(runs.selection), raw_importances=of(runs.raw_importances), scores=of(runs.scores), ranks=of(runs.ranks)
    )


# ---- slow versions ----


def over(top, bottom):
    return top / bottom if abs(bottom) > 1e-12 else np.nan


def of_pairs(matrix, value):
    return np.mean([value(set(np.flatnonzero(a)), set(np.flatnonzero(b))) for a, b in combinations(np.asarray(matrix), 2)])


def same(found, slow, tolerance=1e-10):
    return np.isnan(found) if np.isnan(slow) else found == pytest.approx(slow, abs=tolerance)


# ---- stabm ----

SIMULATED = ("estimate", "estimate_by_size")


def key_of(record):
    """Our key of the measure of a record of stabm."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record["measure"].removeprefix("stability")).lower()
    return "effective" if name == "sechidis" else name


def question(key, record):
    """The options equivalent to those of a record of stabm."""
    options = {"penalty": record.get("penalty") or 0.0} if key == "davis" else {}
    if takes(key, "corrected") and record["correction"] != "builtin":
        options["corrected"] = record["correction"] != "none"
    if takes(key, "draws"):
        options["draws"] = 2000
    if takes(key, "undefined") and record.get("impute_na") is not None:
        options["undefined"] = record["impute_na"]
    return options


def agrees(found, record):
    """Return whether an Estimate agrees with the record within its simulation error, or both are undefined."""
    if record["status"] != "ok":
        return np.isnan(found.value) and bool(found.reason)
    noise = 0.0
    if record["correction"] in SIMULATED:
        noise = 6 * np.hypot(record.get("se") or 0.0, found.chance_error) + 1e-9
    return bool(np.isclose(found.value, record["value"], rtol=1e-9, atol=max(noise, 1e-12)))


def by_two_sets(key, runs, penalty, undefined):
    """`davis` or `novovicova` corrected as in stabm, for each pair by the expectation of two random sets."""
    d, n, most = runs.n_features, runs.n_runs, 1.0
    value = sc.stability(runs, key, **({"penalty": penalty} if key == "davis" else {})).value
    if key == "davis":
        most = max(1 - penalty / d, (n - 1) // 2 / n)

        def two(r, a, b, d):
            return np.maximum(0, (a + b) / 2 / (a + b - r) - penalty / d * (a + b) / 2)
    else:

        def two(r, a, b, d):
            return 2 * r / (a + b)

    pairs = []
    for a, b in combinations(runs.sizes, 2):
        expected = random_pair_moments(two, a, b, d)[0] if a + b else np.nan
        pairs.append((value - expected) / (most - expected) if most - expected > 1e-12 else np.nan)
    return np.mean(np.where(np.isnan(pairs), np.nan if undefined is None else undefined, pairs))


def slow_effective(Z, C):
    """Φ_C of a 0/1 matrix and a full C by the textbook, NaN where it is 0/0."""
    Z, C = np.asarray(Z, dtype=float), np.asarray(C, dtype=float)
    d, k = Z.shape[1], np.asarray(Z).sum(axis=1)
    off = ((k**2).mean() - k.mean()) / (d * d - d) - k.mean() ** 2 / d**2 if d > 1 else 0.0
    chance = np.full((d, d), off)
    np.fill_diagonal(chance, k.mean() / d * (1 - k.mean() / d))
    bottom = np.trace(C @ chance)
    if abs(bottom) <= 1e-12 * np.abs(C * chance).sum() + 1e-300:
        return np.nan
    return 1 - np.trace(C @ np.atleast_2d(np.cov(Z, rowvar=False))) / bottom


def checked_profile(runs, measure, similarity=None, level=0.95):
    """The stability profile, in which every k has the value and the interval of the k best."""
    curve = stability_profile(runs, measure, similarity=similarity, level=level)
    for row in curve.itertuples():
        found = sc.stability(runs.top(row.k), measure, similarity=similarity, interval="jackknife", level=level)
        assert (row.value, row.low, row.high) == pytest.approx((found.value, found.low, found.high), abs=1e-9, nan_ok=True), row.k
    return curve
