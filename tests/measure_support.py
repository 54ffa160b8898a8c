"""What the tests of measures share: small inputs, the relation of a reference record, names that other programs use."""

from dataclasses import replace
from inspect import signature

import numpy as np
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.measures.catalog import BY_KEY

STABM = {"Jaccard": "jaccard", "Dice": "dice", "Ochiai": "ochiai", "Hamming": "hamming", "Novovicova": "novovicova",
         "Davis": "davis", "Lustgarten": "lustgarten", "Wald": "wald", "Kappa": "kappa", "Phi": "phi", "Unadjusted": "unadjusted",
         "Somol": "somol", "Nogueira": "nogueira", "IntersectionCount": "intersection_count", "Sechidis": "effective",
         "IntersectionMean": "intersection_mean", "IntersectionMBM": "intersection_mbm", "Yu": "yu", "Zucknick": "zucknick",
         "IntersectionGreedy": "intersection_greedy"}
NOT_OF_PAIRS = ("davis", "novovicova")          # their chance is that of M sets at once, stabm takes that of two


def runs_of(matrix):
    return sc.Preferences.from_selection_matrix(matrix)


def relation_of(sim, d, threshold=0.0):
    """The relation that a record of reference values describes."""
    i, j = np.indices((d, d))
    if sim["type"] == "groups":
        C = np.eye(d)
        for group in sim["groups_0based"]:
            C[np.ix_(group, group)] = sim["within"]
        np.fill_diagonal(C, 1)
    else:
        C = {"identity": lambda: np.eye(d), "power": lambda: sim["base"] ** abs(i - j), "ones": lambda: np.ones((d, d)),
             "matrix": lambda: np.array(sim["values"])}[sim["type"]]()
    return sc.Relation.from_matrix(C, threshold=threshold)


def random_relation(rng, d, filled=0.4, values=(0.3, 0.7, 1.0)):
    """A relation with no structure at all: entries of a few values, so that ties and thresholds matter."""
    C = np.triu(rng.choice(values, (d, d)) * (rng.random((d, d)) < filled), 1)
    return sc.Relation.from_matrix(C + C.T + np.eye(d))


def takes(key, option):
    return option in signature(BY_KEY[key].function).parameters


def estimate(key, runs, relation=None, **options):
    """Estimate with the jackknife, of the options that the measure has."""
    known = {name: value for name, value in options.items() if takes(key, name)}
    return sc.stability(runs, key, relation=relation, interval="jackknife", **known)


def everything(rng, runs=6, features=10, top=4):
    """Preferences that carry all a measure may need, of as many features as lets chance be listed, and a relation."""
    scores = rng.random((runs, features))
    made = replace(sc.Preferences.from_scores(scores), given=csr_array(scores)).top(top)
    return made, sc.Relation.from_groups({"a": [0, 1, 2], "b": [5, 6]}, n_features=features)


def with_sets(matrix, rng=None):
    """Preferences that carry all a measure may need and select exactly this 0/1 matrix: importances and scores lead to it."""
    matrix = np.asarray(matrix)
    inside = np.ones(matrix.shape) if rng is None else rng.uniform(0.2, 1, matrix.shape)
    runs = runs_of(matrix)
    scores = matrix * (1 + inside) + (1 - matrix) * (0.01 * np.arange(matrix.shape[1]) if rng is None else rng.random(matrix.shape))
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1) + 1.0
    return replace(runs, given=csr_array(matrix * inside), scores=scores, ranks=ranks)


def rearranged(runs, rows=slice(None), columns=slice(None)):
    """The same runs with rows and columns taken in another order (or again, or not at all)."""
    def of(matrix):
        if matrix is None:
            return None
        taken = matrix[rows][:, columns]
        return taken.tocsr() if hasattr(taken, "tocsr") else taken

    return replace(runs, selection=of(runs.selection), given=of(runs.given), scores=of(runs.scores), ranks=of(runs.ranks))
