"""Similarity: the matrix C of feature similarities, never stored as d × d.

C = I + groups + extra. Groups are one label per feature (1 between members). extra is a sparse symmetric matrix with an empty
diagonal. Every quantity below is linear in C, so each is a sum of three cheap parts for any d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import as_pandas, same_fields
from stabcore.base.text import counted, listed, quote, suggest_name
from stabcore.base.validation import (
    all_features,
    default_names,
    feature_finder,
    group_labels,
    is_between,
    refuse_other_features,
    similarity_table,
)
from stabcore.similarity.overlap import shared_set_matrix

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.base.types import SparseMatrix
    from stabcore.data.feature_table import TableLike
    from stabcore.selections.selections import Selections

MAX_DENSE_FEATURES = 512  # largest number of features for which dense arithmetic may be faster


@public
@dataclass(frozen=True, eq=False, repr=False)
class Similarity:
    """d × d matrix C of the similarity of features: symmetric, 1 on the diagonal, entries in [0, 1].

    Parameters
    ----------
    n_features : int
        Number of features d, where no names are given.
    names : tuple, optional
        All d feature names, in the order of the columns.
    labels : array, optional
        Number of the group of each feature (d,), −1 for none.
    group_names : tuple, optional
        One name per group.
    extra : sparse matrix, optional
        Sparse (d, d), the entries of C outside the diagonal and the groups.

    Examples
    --------
    >>> sc.Similarity.from_groups({"inflammation": ["CRP", "IL6"]}, names=["CRP", "IL6", "age"])
    Similarity: C of 3 features: 1 group
    """

    n_features: int
    names: tuple[str, ...] | None = None
    labels: np.ndarray | None = None
    group_names: tuple[str, ...] = ()
    extra: SparseMatrix | None = None

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if isinstance(other, Similarity) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.n_features, self.names, self.group_names))

    def __repr__(self) -> str:
        return f"Similarity: {self}"

    def to_frame(self) -> pd.DataFrame:
        """C as a DataFrame (d, d) with the names as rows and columns. `from_matrix` reads it again.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": [0, 1]}, n_features=3).to_frame()
             f1   f2   f3
        f1  1.0  1.0  0.0
        f2  1.0  1.0  0.0
        f3  0.0  0.0  1.0
        """
        import pandas as pd

        return pd.DataFrame(self.block(np.arange(self.n_features)), index=list(self.features), columns=list(self.features))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them: the features, the groups, and single pairs with their C.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": [0, 1]}, n_features=3).to_dict()
        {'features': ['f1', 'f2', 'f3'], 'groups': {'g': ['f1', 'f2']}, 'pairs': []}
        """
        pairs: list[Any] = []
        if self.extra is not None:
            held = self.extra.tocoo()
            i, j = held.row[held.row < held.col], held.col[held.row < held.col]
            pairs = [[self.features[a], self.features[b], float(c)] for a, b, c in zip(i, j, self.values(i, j), strict=True)]
        return {"features": list(self.features), "groups": self.groups, "pairs": pairs}

    def __str__(self):
        amounts = ((len(self.group_names), "group"), (0 if self.extra is None else self.extra.nnz // 2, "single pair"))
        held = " and ".join(counted(count, what) for count, what in amounts if count)
        return f"C of {counted(self.n_features, 'feature')}: {held or 'no similar features'}"

    @property
    def is_identity(self) -> bool:
        """Whether no two features are similar."""
        grouped = self.labels is not None and (np.bincount(self.labels[self.labels >= 0]) > 1).any()
        return not grouped and (self.extra is None or not self.extra.nnz)

    # ---- constructors ----

    @classmethod
    def of(cls, similarity: Any) -> Similarity:
        """The same Similarity. Raises InputError for anything else, with the line that makes one.

        Parameters
        ----------
        similarity : object
            A Similarity. Anything else is refused.

        Examples
        --------
        >>> sc.Similarity.of(C) is C
        True
        """
        if isinstance(similarity, cls):
            return similarity
        raise InputError(
            f"A feature similarity is a Similarity. Found {type(similarity).__name__}. Make one with "
            "sc.Similarity.from_correlation(X), from_groups(groups, names) or from_matrix(df.corr().abs())."
        )

    @classmethod
    def identity(cls, n_features: int | None, names: Iterable[str] | None = None) -> Similarity:
        """No similar features: C = I. Raises InputError for names and a number that differ, or neither.

        Parameters
        ----------
        n_features : int
            Number of features d, where no names are given.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Examples
        --------
        >>> sc.Similarity.identity(3)
        Similarity: C of 3 features: no similar features
        """
        feature_names, d = all_features(names, n_features, "Similarity.identity(d)")
        return cls(d, feature_names)

    @classmethod
    def from_groups(cls, groups: GroupsLike, names: Iterable[str] | None = None, n_features: int | None = None) -> Similarity:
        """Members of one group are fully similar (1), and other pairs not at all (0).

        Parameters
        ----------
        groups : dict, Series, DataFrame or path
            The groups: {name: members}, a Series of the group of each feature, or a DataFrame or .csv file with the columns feature
            and group. A .gmt file of gene sets is also possible. Members are names (with `names`) or 0-based indices (with
            `n_features`). If the sets of a file overlap, similarity is their overlap.
        names : list of str, optional
            All d feature names, in the order of the columns.
        n_features : int, optional
            Number of features d, where no names are given.

        Raises
        ------
        InputError
            For an unknown member or a feature in two groups.

        Examples
        --------
        >>> groups = pd.DataFrame({"feature": ["CRP", "IL6"], "group": ["g", "g"]})
        >>> sc.Similarity.from_groups(groups, names=["CRP", "IL6", "age"]).groups
        {'g': ['CRP', 'IL6']}
        """
        if isinstance(groups, (str, PathLike)):
            return _from_file(groups, names)
        groups = _group_members(groups)
        feature_names, d = all_features(names, n_features, "Similarity.from_groups(groups, names=all_names)")
        return cls(d, feature_names, group_labels(groups, feature_names, d), tuple(str(group) for group in groups))

    @classmethod
    def from_matrix(cls, A: TableLike, names: Iterable[str] | None = None, threshold: float = 0.0) -> Similarity:
        """From a full matrix (dense, scipy.sparse or DataFrame). Entries below `threshold` count as 0.

        Parameters
        ----------
        A : DataFrame, array or Dataset
            Matrix of numbers (d, d).
        names : list of str, optional
            All d feature names, in the order of the columns.
        threshold : float, optional
            Smallest entry that counts, 0 to 1.

        Raises
        ------
        InputError
            If A is not square, not symmetric, outside [0, 1], or its diagonal is not 1. The message names the entry.

        Examples
        --------
        >>> sc.Similarity.from_matrix(data.to_frame().drop(columns="outcome").corr().abs(), threshold=0.7)
        Similarity: C of 50 features: 5 single pairs
        """
        extra, feature_names = similarity_table(A, names)
        return cls(extra.shape[0], feature_names, extra=extra).thresholded(threshold)

    @classmethod
    def from_correlation(
        cls, X: TableLike, method: str = "spearman", threshold: float = 0.5, binary: bool = True, names: Iterable[str] | None = None
    ) -> Similarity:
        """C from correlations: features with |ρ| ≥ threshold are similar, fully (binary) or by |ρ|.

        Methods: see stabcore.similarity.correlation.

        Parameters
        ----------
        X : DataFrame, array or Dataset
            Dataset, DataFrame or array (n, d). It is correlated in blocks of columns, so memory depends on the number of similar
            pairs. A column with fewer than two different values, or a category of three or more levels, correlates with nothing.
        method : str, optional
            Correlation: 'spearman', 'pearson' or 'kendall'.
        threshold : float, optional
            Smallest |ρ| of similar features, 0 to 1.
        binary : bool, optional
            Whether similar features count fully (1) or by |ρ|.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Raises
        ------
        InputError
            For a threshold outside [0, 1], an unknown method, or columns that cannot be correlated.

        Examples
        --------
        >>> sc.Similarity.from_correlation(data, threshold=0.7)
        Similarity: C of 50 features: 5 single pairs
        """
        from stabcore.similarity.correlation import correlated_pairs

        check_threshold(threshold)
        extra, columns = correlated_pairs(X, method=method, threshold=threshold)
        feature_names, d = all_features(columns if names is None else names, extra.shape[0], "names=all_names")
        similarity = cls(d, feature_names, extra=extra)
        return similarity.thresholded(threshold, binary=True) if binary else similarity

    def edited(self, edits: Mapping[tuple[str | int, str | int], float]) -> Similarity:
        """C with single pairs set by hand: {(a, b): value}, names or indices. Mirror entries change too. The last value counts.

        Parameters
        ----------
        edits : dict
            {(first feature, second feature): value}.

        Raises
        ------
        InputError
            For an unknown feature, the diagonal, or a value outside [0, 1].

        Examples
        --------
        >>> sc.Similarity.identity(3, ["CRP", "IL6", "age"]).edited({("CRP", "IL6"): 0.8}).pairs()
          feature_a feature_b  value
        0       CRP       IL6    0.8
        """
        from scipy.sparse import csr_array

        if not isinstance(edits, Mapping) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in edits):
            raise InputError("Edits of C are a dict {(first feature, second feature): value}.")
        if not edits:
            return self
        find, wanted = feature_finder(self.names, self.n_features), {}
        for (a, b), value in edits.items():
            i, j = sorted(find([a, b], "The edit").tolist())
            if i == j:
                raise InputError(f"C of {a!r} with itself cannot be set, because the diagonal of C is always 1.")
            if not is_between(value, 0, 1):
                raise InputError(f"C of {a!r} and {b!r} was set to {value!r}. It lies between 0 (unrelated) and 1 (the same).")
            wanted[i, j] = float(value)
        i, j = np.array(list(wanted)).T
        values = np.array(list(wanted.values())) - self.same_group(i, j)
        extra = csr_array((self.n_features,) * 2) if self.extra is None else self.extra
        return self._replaced(replace_entries(extra, np.append(i, j), np.append(j, i), np.tile(values, 2)))

    def thresholded(self, threshold: float, binary: bool = False) -> Similarity:
        """C with entries below `threshold` set to 0. Raises InputError for a threshold outside 0 … 1.

        Parameters
        ----------
        threshold : float
            Smallest entry that counts, 0 to 1.
        binary : bool, optional
            Whether the other entries are set to 1 or stay.

        Examples
        --------
        >>> sc.Similarity.from_matrix([[1, 0.4], [0.4, 1]]).thresholded(0.5)
        Similarity: C of 2 features: no similar features
        """
        check_threshold(threshold)
        if self.extra is None or (threshold == 0 and not binary):
            return self
        least = smallest_value_rounding_to(threshold)
        if self.labels is None:
            keep = self.extra.data >= least
            values = self._ones[: np.count_nonzero(keep)] if binary else np.compress(keep, self.extra.data)
        else:
            inside = self.in_one_group(self.extra)
            C = self.extra.data + inside
            values = np.where(least <= C, 1.0 if binary else C, 0.0) - inside
            keep = values != 0
            values = np.compress(keep, values)
        return self._replaced(filter_entries(self.extra, keep, values))

    def with_groups(self, on: Iterable[str]) -> Similarity:
        """C with only some of its groups, by name. Pairs between different groups, or outside groups, stay.

        Parameters
        ----------
        on : list of str
            Names of the groups that stay.

        Raises
        ------
        InputError
            For a group that does not exist.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": [0, 1], "h": [2, 3]}, n_features=4).with_groups(["g"])
        Similarity: C of 4 features: 2 groups
        """
        if isinstance(on, str) or not hasattr(on, "__iter__"):
            raise InputError(f"Give the names of groups as a list. Found {on!r}.")
        wanted = [str(group) for group in on]
        unknown = [group for group in wanted if group not in self.group_names]
        if unknown:
            near = suggest_name(unknown[0], self.group_names)
            raise InputError(f"There is no group {quote(unknown[0])}{near}. The groups are {listed(self.group_names) or 'none'}.")
        if self.labels is None:
            return self
        is_wanted = np.array([group in wanted for group in self.group_names], dtype=bool)
        labels = np.where((self.labels >= 0) & np.append(is_wanted, False)[self.labels], self.labels, -1)
        extra = self.extra
        if extra is not None:  # pairs set by hand inside a group are removed with it
            keep = ~self.in_one_group(extra) | (labels[extra.indices] >= 0)
            extra = filter_entries(extra, keep, np.compress(keep, extra.data))
        return self._replaced(extra, labels)

    def check_covers(self, selections: Selections) -> None:
        """Raise InputError unless the similarity is about the same features, in the same order, as the runs.

        Parameters
        ----------
        selections : Selections
            Selections of one selector.

        Examples
        --------
        >>> C.check_covers(runs)
        """
        refuse_other_features({"similarity": (self.n_features, self.names), "runs": (selections.n_features, selections.names)})

    @cached_property
    def total(self) -> float:
        """Sum of all entries of C."""
        inside = 0.0 if self.labels is None else float((self.group_sizes.astype(float) ** 2 - self.group_sizes).sum())
        return self.n_features + inside + (0.0 if self.extra is None else float(self.extra.data.sum()))

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """(G,) number of members of each group."""
        grouped = np.zeros(0, dtype=int) if self.labels is None else self.labels[self.labels >= 0]
        return np.bincount(grouped, minlength=len(self.group_names))

    def times(self, A: np.ndarray) -> np.ndarray:
        """C A for a dense (d, …) array."""
        A = np.asarray(A, dtype=float)
        if self.dense is not None:
            return self.dense @ A
        result = A.copy()
        if self.labels is not None:
            sums = self.membership.T @ A
            grouped = self.labels >= 0
            result[grouped] = sums[self.labels[grouped]]
        return result if self.extra is None else result + self.extra @ A

    def self_products(self, Z: SparseMatrix, W: SparseMatrix | None = None) -> np.ndarray:
        """(M,) z C wᵀ of the rows of two sparse (M, d) 0/1 matrices, pair by pair. With itself, z gives its effective size."""
        W = Z if W is None else W
        if self.dense is not None:
            entries = W.tocoo()
            return np.bincount(entries.row, (Z @ self.dense)[entries.row, entries.col] * entries.data, minlength=W.shape[0])
        amount = Z.multiply(W).sum(axis=1)
        if self.labels is not None:
            grouped = np.flatnonzero(self.labels >= 0)
            amount = amount + (Z @ self.membership).multiply(W @ self.membership).sum(axis=1)
            amount = amount - Z[:, grouped].multiply(W[:, grouped]).sum(axis=1)
        if self.extra is not None:
            amount = amount + (Z @ self.extra).multiply(W).sum(axis=1)
        return np.asarray(amount, dtype=float).ravel()

    def among(self, index: np.ndarray) -> Similarity:
        """C of some of the features only (0-based numbers), nameless."""
        labels = None if self.labels is None else self.labels[index]
        extra = None if self.extra is None else self.extra[index][:, index].tocsr()
        return Similarity(len(index), None, labels, self.group_names, extra)

    def cross_products(self, Z: SparseMatrix) -> np.ndarray:
        """(M, M) z_i C z_jᵀ: the effective intersections of the rows of a sparse (M, d) 0/1 matrix."""
        result = (Z @ Z.T).toarray()
        if self.labels is not None:
            per_group = Z @ self.membership
            inside = Z[:, np.flatnonzero(self.labels >= 0)]
            result = result + (per_group @ per_group.T).toarray() - (inside @ inside.T).toarray()
        return result if self.extra is None else result + (Z @ self.extra @ Z.T).toarray()

    def value(self, i: str | int, j: str | int) -> float:
        """C_ij of two features, by name or 0-based number. Raises InputError for an unknown feature.

        Parameters
        ----------
        i, j : str or int
            The two features.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": ["CRP", "IL6"]}, names=["CRP", "IL6", "age"]).value("CRP", "IL6")
        1.0
        """
        i, j = feature_finder(self.names, self.n_features)([i, j], "The pair").tolist()
        return 1.0 if i == j else float(self.values([i], [j])[0])

    def values(self, i: ArrayLike, j: ArrayLike) -> np.ndarray:
        """(P,) C_ij of P pairs of different features, by 0-based number.

        Parameters
        ----------
        i, j : array_like
            Features, by 0-based number, as many of both.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": [0, 1]}, n_features=3).values([0, 0], [1, 2])
        array([1., 0.])
        """
        i, j = np.asarray(i, dtype=int), np.asarray(j, dtype=int)
        beside = 0.0 if self.extra is None or not len(i) else np.asarray(self.extra.tocsr()[i[:, None], j[:, None]].toarray())[:, 0]
        return self.same_group(i, j) + beside

    def same_group(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """For feature numbers i and j, elementwise: do they share a group?"""
        if self.labels is None:
            return np.zeros(np.shape(i), dtype=bool)
        return (self.labels[i] == self.labels[j]) & (self.labels[i] >= 0)

    def in_one_group(self, matrix: SparseMatrix) -> np.ndarray:
        """For each stored entry of a sparse (d, d) matrix: do its two features share a group?"""
        if self.labels is None:  # said before the entries are listed: there may be tens of millions
            return np.zeros(matrix.nnz, dtype=bool)
        return self.same_group(np.repeat(np.arange(self.n_features), np.diff(matrix.indptr)), matrix.indices)

    def block(self, index: ArrayLike | Iterable[str]) -> np.ndarray:
        """Dense C of a few features, by name or 0-based number. Raises InputError for an unknown feature.

        Parameters
        ----------
        index : array_like or list of str
            Features, by 0-based number.

        Examples
        --------
        >>> sc.Similarity.from_groups({"g": ["CRP", "IL6"]}, names=["CRP", "IL6", "age"]).block(["CRP", "IL6", "age"])
        array([[1., 1., 0.],
               [1., 1., 0.],
               [0., 0., 1.]])
        """
        if not isinstance(index, np.ndarray):
            index = feature_finder(self.names, self.n_features)(index, "The block")
        index = np.asarray(index, dtype=int)
        result = np.equal.outer(index, index).astype(float)
        if self.labels is not None:
            result = np.maximum(result, self.same_group(index[:, None], index[None, :]))
        return result if self.extra is None else result + self.extra[index][:, index].toarray()

    @cached_property
    def n_related(self) -> int:
        """Number of pairs of different features with C > 0, without listing them."""
        inside = 0 if self.labels is None else int((self.group_sizes * (self.group_sizes - 1) // 2).sum())
        if self.extra is None:
            return inside
        values, within = self.extra.data, self.in_one_group(self.extra)
        added, removed = np.count_nonzero(~within & (values > 0)), np.count_nonzero(within & (values <= -1))
        return int(inside + (added - removed) // 2)

    def pairs(self, most: int | None = 100_000) -> pd.DataFrame:
        """DataFrame(feature_a, feature_b, value) of the pairs with C > 0, largest first, ties in the order of the features.

        attrs["total"] of the frame is the number of all such pairs.

        Parameters
        ----------
        most : int, optional
            Largest number of rows. None: all.

        Raises
        ------
        InputError
            If `most` is not a number of rows.

        Examples
        --------
        >>> C.pairs(2).round(2)
          feature_a feature_b  value
        0         A    A_twin    1.0
        1         B    B_twin    1.0
        """
        import pandas as pd
        from scipy.sparse import coo_array

        d = self.n_features
        if most is not None and not is_between(most, 0, np.inf):
            raise InputError(f"most, how many pairs to list, must be a number. Found {most!r}.")
        most = self.n_related if most is None else int(most)
        beside = coo_array((d, d)) if self.extra is None else self.extra.tocoo()
        upper = beside.row < beside.col
        i, j, value = beside.row[upper].astype(np.int64), beside.col[upper].astype(np.int64), beside.data[upper]
        inside = self.same_group(i, j)
        value = value + inside
        if self.labels is not None:
            first, second = self._pairs_in_groups(self.labels, most + np.count_nonzero(inside))
            plain = ~np.isin(first * d + second, i[inside] * d + j[inside])
            i, j = np.append(i, first[plain]), np.append(j, second[plain])
            value = np.append(value, np.ones(np.count_nonzero(plain)))
        order = np.lexsort((j, i, -value))
        order = order[value[order] > 0][:most]
        names = np.array(self.features, dtype=object)
        frame = pd.DataFrame({"feature_a": names[i[order]], "feature_b": names[j[order]], "value": value[order]})
        frame.attrs["total"] = self.n_related
        return frame

    def _pairs_in_groups(self, labels, most):
        """(first, second) feature numbers of pairs in one group, in the order of the features, all or at least `most`."""
        order = np.argsort(labels, kind="stable")
        order = order[labels[order] >= 0]  # members next to each other, each group in feature order
        end = np.cumsum(self.group_sizes)[labels[order]]
        later = end - np.arange(len(order)) - 1  # number of later members for each
        turn = np.argsort(order)  # the positions in `order`, by feature
        turn = turn[: np.searchsorted(np.cumsum(later[turn]), most) + 1]
        place = np.repeat(turn, later[turn])
        step = np.arange(len(place)) - np.repeat(np.cumsum(later[turn]) - later[turn], later[turn])
        return order[place], order[place + 1 + step]

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The d names, f1 … fd if none were given."""
        return self.names or default_names(self.n_features)

    @property
    def groups(self) -> dict[str, list[str]]:
        """{group name: members by name}."""
        if self.labels is None:
            return {}
        return {group: [self.features[i] for i in np.flatnonzero(self.labels == g)] for g, group in enumerate(self.group_names)}

    @cached_property
    def memo(self) -> dict:
        """A cache for expensive results about C that every selector needs."""
        return {}

    @cached_property
    def dense(self) -> np.ndarray | None:
        """C as a dense matrix if it is small and full enough that dense arithmetic is faster, else None."""
        few = self.n_features <= MAX_DENSE_FEATURES and self.extra is not None and self.extra.nnz > self.n_features**2 / 50
        return self.block(np.arange(self.n_features)) if few else None

    @cached_property
    def _ones(self) -> np.ndarray:
        """Ones for all entries of `extra`, reused by thresholds, because allocating memory takes longer than filling it."""
        ones = np.ones(0 if self.extra is None else self.extra.nnz)
        ones.setflags(write=False)
        return ones

    @cached_property
    def membership(self) -> SparseMatrix:
        """Sparse (d, G) 0/1 membership of features in groups."""
        from scipy.sparse import csr_array

        labels = np.full(self.n_features, -1) if self.labels is None else self.labels
        rows = np.flatnonzero(labels >= 0)
        return csr_array((np.ones(len(rows)), (rows, labels[rows])), shape=(self.n_features, len(self.group_names)))

    def _replaced(self, extra, labels=None):
        """The same with other extra entries, and possibly other labels."""
        return Similarity(self.n_features, self.names, self.labels if labels is None else labels, self.group_names, extra)


# ---- forms of groups from users ----

GroupsLike: TypeAlias = "Mapping[str, Iterable[str | int]] | pd.Series | pd.DataFrame | str | PathLike[str]"


def _group_members(groups) -> Mapping[str, Iterable[str | int]]:
    """{group: members} of a dict, of a Series by feature, or of a frame with the columns feature and group."""
    if isinstance(groups, Mapping):
        return groups
    groups = as_pandas(groups)
    if hasattr(groups, "columns"):
        if not {"feature", "group"} <= set(groups.columns):
            raise InputError(f"A table of groups needs the columns 'feature' and 'group'. Found {listed(groups.columns)}.")
        groups = groups.set_index("feature")["group"]
    if not hasattr(groups, "items"):
        raise InputError(
            "Give groups as a dict {name: members}, a Series by feature, or a table with the columns feature and group. A path of "
            f"such a .csv file or of a .gmt file is possible, too. Found {type(groups).__name__}."
        )
    members: dict[str, list[str | int]] = {}
    for feature, group in groups.dropna().items():
        members.setdefault(str(group), []).append(feature)
    return members


def _from_file(path, names) -> Similarity:
    """C of the groups or gene sets of a file."""
    from stabcore.io.feature_sets import read_sets

    names, _ = all_features(names, None, "Similarity.from_groups(path, names=all_names)")
    read = read_sets(Path(path), Path(path).name, names)
    if not read.overlapping:
        return Similarity.from_groups(read.sets, names)
    return Similarity(len(names), tuple(names), extra=shared_set_matrix(read.sets, names))


# ---- changes of a sparse matrix in place, because copies of tens of millions of entries are expensive ----


def filter_entries(matrix, keep, values):
    """Some of the stored entries of a sparse matrix, with other values. keep: a mark for each stored entry."""
    from scipy.sparse import csr_array

    stored = np.diff(matrix.indptr) > 0
    counts = np.zeros(len(matrix.indptr), dtype=matrix.indptr.dtype)
    if stored.any():
        counts[1:][stored] = np.add.reduceat(keep.view(np.int8), matrix.indptr[:-1][stored], dtype=counts.dtype)
    return csr_array((values, np.compress(keep, matrix.indices), np.cumsum(counts, dtype=counts.dtype)), shape=matrix.shape)


def replace_entries(matrix, i, j, values):
    """A sparse matrix with other values at some positions. Entries that become 0 are not stored.

    It may share its positions with the original matrix, so these are sorted first. SciPy sorts rows in place, and would leave the
    values of the other matrix unsorted.
    """
    from scipy.sparse import csr_array

    matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
    stored_place = np.full(len(i), -1)
    for place, (row, column) in enumerate(zip(i, j, strict=True)):
        stored_at = np.flatnonzero(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]] == column)
        if len(stored_at):
            stored_place[place] = matrix.indptr[row] + stored_at[0]
    stored, data = stored_place >= 0, matrix.data.copy()
    data[stored_place[stored]] = values[stored]
    if (values[stored] == 0).any():
        keep = np.ones(len(data), dtype=bool)
        keep[stored_place[stored & (values == 0)]] = False
        changed = filter_entries(matrix, keep, np.compress(keep, data))
    else:
        changed = csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    new = ~stored & (values != 0)
    return changed + csr_array((values[new], (i[new], j[new])), shape=matrix.shape) if new.any() else changed


# ---- comparison of |ρ| or C with a threshold ----


def check_threshold(threshold):
    """Raise InputError for a threshold of |ρ| or of C outside [0, 1]."""
    if not is_between(threshold, 0, 1):
        raise InputError(f"The threshold lies between 0 and 1. Found {threshold!r}.")


def smallest_value_rounding_to(thresholds):
    """The smallest number that, rounded to 12 decimals, reaches each threshold and is above 0, because 0 is never similar.

    Comparisons with thresholds then need no rounding, and values equal up to rounding are treated as equal.
    """
    wanted = np.maximum(thresholds, 1e-12)
    below, reach = wanted - 2e-12, wanted + 2e-12
    for _ in range(64):
        middle = (below + reach) / 2
        enough = np.round(middle, 12) >= wanted
        below, reach = np.where(enough, below, middle), np.where(enough, middle, reach)
    return reach
