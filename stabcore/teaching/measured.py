"""Sets that were really selected on the bundled Alzheimer's table, for lessons that a formula does not answer.

Made by tests/benchmarks/bench_lessons.py, which also finds out whether they still come out the same.
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


def sets_of(what, kind) -> list[list[int]]:
    """The sets of one kind: what "forests" (kind: the number of trees) or "shuffled" (kind: the key of a selector)."""
    return _read()[what][str(kind)]


@lru_cache(maxsize=32)
def shared_by_pairs(what, kind) -> np.ndarray:
    """(pairs,) how many features every two of these sets share."""
    return np.array([len({*one} & {*other}) for one, other in combinations(sets_of(what, kind), 2)], dtype=float)


def beyond_random(shared, k=K, d=D):
    """The stability of sets of k out of d that share so many: 0 as random sets do, 1 all."""
    return (shared - k * k / d) / (k - k * k / d)
