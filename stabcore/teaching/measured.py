"""Sets selected on the bundled Alzheimer's table, for lessons without a formula.

Made and checked by tests/benchmarks/bench_lessons.py.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("measured.json")
K, D = 20, 130  # features selected, and to choose from


@lru_cache(maxsize=1)
def _read():
    return json.loads(FILE.read_text(encoding="utf-8"))


def sets_of(study, kind) -> list[list[int]]:
    """Return the sets of a study: "forests" (kind: the number of trees) or "shuffled" (kind: the key of a selector)."""
    return _read()[study][str(kind)]


@lru_cache(maxsize=32)
def shared_by_pairs(study, kind) -> np.ndarray:
    """Return (pairs,) the overlaps of every two of these sets."""
    return np.array([len({*first} & {*second}) for first, second in combinations(sets_of(study, kind), 2)], dtype=float)


def beyond_random(shared, k=K, d=D):
    """Return the stability of sets of k of d features with these overlaps: 0 by chance, 1 if equal."""
    return (shared - k * k / d) / (k - k * k / d)
