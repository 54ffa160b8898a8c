"""Paths: selections at every k that are not the first k of a ranking.

On the path of a penalised model, features can leave again and groups enter as a whole, so the sets need not be nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

MAX_K = 200  # largest k requested from a selector with `select`, one by one
WORDS_AT_ONCE = 4_000_000  # words of 64 features compared at once


@dataclass(frozen=True, eq=False)
class ModelPath:
    """The selections of one run at k = 1, 2, …, each different model once.

    starts       (m,) rising, the first k of each model
    sizes        (m,) features in each
    features     (Σ sizes,) their numbers, ascending inside a model
    importances  (Σ sizes,) their importances in the model, None if unknown
    """

    starts: np.ndarray
    sizes: np.ndarray
    features: np.ndarray
    importances: np.ndarray | None = None

    @classmethod
    def of(cls, models, importances=None) -> ModelPath:
        """From {k: features}, k rising, and matching arrays of importances."""

        def joined(parts, kind):
            return np.concatenate([np.empty(0, kind), *parts]).astype(kind)

        return cls(
            np.array(list(models), dtype=int),
            np.array([len(selected) for selected in models.values()], dtype=int),
            joined(models.values(), int),
            None if importances is None else joined(importances, float),
        )

    @classmethod
    def from_selector(cls, select, ranking) -> ModelPath | None:
        """From the `select` of a selector, called with each k up to MAX_K, or until it fails.

        None if it gives only the first k of its ranking (d,).
        """
        models, last = {}, np.empty(0, dtype=int)
        for k in range(1, min(len(ranking), MAX_K) + 1):
            try:
                selected = np.unique(np.asarray(select(k), dtype=int))
            except Exception:  # user-defined code may refuse a k in any way
                break
            if not np.array_equal(selected, last):
                models[k] = last = selected
        path, first = cls.of(models), cls.from_ranking(ranking)
        same = np.array_equal(path.starts, first.starts) and np.array_equal(path.features, first.features)
        return None if same else path

    @classmethod
    def from_ranking(cls, ranking) -> ModelPath:
        """The first k of a ranking (d,), k up to MAX_K or the number of ranked features."""
        ranked = int(np.count_nonzero(~np.isnan(ranking)))
        return cls.of({k: np.flatnonzero(ranking <= k) for k in range(1, min(ranked, MAX_K) + 1)})

    @cached_property
    def bounds(self):
        """(m + 1,) start of each model in `features`, and the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(int)

    @property
    def max_k(self) -> int:
        """The largest k with information. Beyond it, the last model is used."""
        return int(max(self.starts[-1], self.sizes.max())) if len(self.starts) else 0

    def model_numbers(self, ks):
        """(len(ks),) number of the model at each k, −1 if nothing is selected."""
        return np.searchsorted(self.starts, ks, side="right") - 1

    def model_slice(self, model) -> slice:
        """The position of a model in `features` and `importances`, empty for −1."""
        return slice(self.bounds[model], self.bounds[model + 1]) if model >= 0 else slice(0, 0)


def selections_at(paths, k, n_features):
    """(sparse (M, d) selection, the same with importances or None) of the models of M paths at one k."""
    from scipy.sparse import csr_array

    parts = [path.model_slice(path.model_numbers([k])[0]) for path in paths]
    columns = np.concatenate([path.features[part] for path, part in zip(paths, parts, strict=True)]).astype(np.int64)
    start = np.concatenate([[0], np.cumsum([part.stop - part.start for part in parts])])

    def matrix(values):
        return csr_array((values, columns, start), shape=(len(paths), n_features))

    if any(path.importances is None for path in paths):
        return matrix(np.ones(len(columns))), None
    counted = np.concatenate([path.importances[part] for path, part in zip(paths, parts, strict=True)])
    return matrix(np.ones(len(columns))), matrix(counted.astype(float))


def sizes_at(paths, ks):
    """(M, K) number of selected features of each run at each k."""
    return np.array([np.append(path.sizes, 0)[path.model_numbers(ks)] for path in paths], dtype=float)


def shared_counts(paths, ks):
    """Yield (slice of ks, i, (M − 1 − i, K') features that run i shares with each later run at these k).

    Features are bits of words, so that 64 of them are compared at once without a loop over k.
    """
    selected = np.unique(np.concatenate([path.features for path in paths]))
    words = max(1, -(-len(selected) // 64))
    step = max(1, WORDS_AT_ONCE // (words * len(paths)))
    for start in range(0, len(ks), step):
        part = slice(start, min(start + step, len(ks)))
        bits = np.stack([_set_bits(path, path.model_numbers(ks[part]), selected, words) for path in paths])
        for i in range(len(paths) - 1):
            yield part, i, np.bitwise_count(bits[i] & bits[i + 1 :]).sum(axis=2, dtype=np.int64)


def _set_bits(path, models, selected, words):
    """(K', words) the sets at some k, one bit per feature of `selected`."""
    distinct, which = np.unique(models, return_inverse=True)
    contains = np.zeros((len(distinct), 64 * words), dtype=bool)
    for row, model in zip(contains, distinct, strict=True):
        row[np.searchsorted(selected, path.features[path.model_slice(model)])] = True
    return np.packbits(contains, axis=1, bitorder="little").view(np.uint64)[which]


def path_changes(paths, n_features, last):
    """For each k from 1 to `last`: (runs, features, signs) of features that enter (+1) or leave (−1) the sets of M paths."""
    parts = []
    for run, path in enumerate(paths):
        here = np.repeat(np.arange(len(path.sizes)), path.sizes) * n_features + path.features
        before = here + n_features  # the features of the previous model
        new = np.setdiff1d(here, before, assume_unique=True)
        removed = np.setdiff1d(before[before < len(path.sizes) * n_features], here, assume_unique=True)
        model, feature = np.divmod(np.concatenate([new, removed]), n_features)
        parts.append([path.starts[model], np.full(len(model), run), feature, np.repeat([1.0, -1.0], [len(new), len(removed)])])
    starts, *moved = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(starts, kind="stable")
    ends = np.searchsorted(starts[order], np.arange(1, last + 2))
    return [tuple(column[order[start:end]] for column in moved) for start, end in zip(ends[:-1], ends[1:], strict=True)]
