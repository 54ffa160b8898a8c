"""Runs, groups and their effective stability, for tests of What if."""

import numpy as np
from support import random_selection

import stabcore as sc

D, NAMES = 8, list("abcdefgh")


def runs(random_state=0, M=6):
    return sc.Selections.from_matrix(random_selection(np.random.default_rng(random_state), M, D, low=2, high=5), NAMES)


def groups():
    return sc.Similarity.from_groups({"one": ["a", "b", "c"], "two": ["d", "e"], "<b>three": ["f", "g"]}, names=NAMES)


def effective(some, similarity):
    return sc.stability(some, "effective", similarity=similarity).value
