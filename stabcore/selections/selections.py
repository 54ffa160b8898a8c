"""Selections: the selections of M runs among d features, the input of all measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import as_pandas, same_fields
from stabcore.base.validation import (
    add_unselected,
    all_features,
    default_names,
    feature_finder,
    is_between,
    number_table,
    refuse_wrong_entry,
)
from stabcore.selections.model_paths import ModelPath, selections_at

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.base.types import SparseMatrix
    from stabcore.data.feature_table import TableLike


class SparseRows(Protocol):
    """A sparse matrix of SciPy, which has no types."""

    def tocsr(self) -> Any:
        """The matrix by rows."""


SelectionsLike: TypeAlias = "Selections | np.ndarray | pd.DataFrame | SparseRows | Sequence[Iterable[str | int]]"


class Moments(NamedTuple):
    """S = (RᵀR − s sᵀ/n)/divisor: rows R (·, d) sparse, sums s (d,), n and the divisor."""

    rows: SparseMatrix
    sums: np.ndarray
    n: int
    divisor: float

    @property
    def variances(self) -> np.ndarray:
        """(d,) S_ff."""
        squares = np.bincount(self.rows.indices, self.rows.data**2, len(self.sums))
        return (squares - self.sums**2 / self.n) / self.divisor


@public
@dataclass(frozen=True, eq=False, repr=False)
class Selections:
    """M runs × d features: the selection of each run and, if known, its scores, ranks and importances.

    Built by one of the constructors, which check the input once.

    Parameters
    ----------
    selection : sparse matrix, optional
        Sparse (M, d), 1 if a run selected a feature. None while the runs only rank.
    n_features : int, optional
        Number of features d, without names.
    names : tuple, optional
        All d feature names, in the order of the columns.
    raw_importances : sparse matrix, optional
        Sparse (M, d) ≥ 0 as given, also of features that are not selected, or None.
    scores : array, optional
        (M, d) higher is better, NaN not ranked, or None.
    ranks : array, optional
        (M, d) 1 = best, NaN not ranked, or None.
    weighs : bool, optional
        Whether scores are weights, or only define an order.
    paths : tuple, optional
        M ModelPaths: the selection of each run at every k, if it is not the k best features. None otherwise.
    raw_importances_for : int, optional
        The k of the importances, if they depend on k, else None.
    units : array, optional
        (M,) unit of each run, 0 … G − 1. None: each run is its own unit. Runs of one unit were made together, or learned from
        the same rows. Intervals leave them out together (see in_units).
    counted : str, optional
        A sentence on the counting of runs for readers of intervals, usually "".
    k : int, optional
        The number of features that every run should select. None if the runs determine it.
    within_units : bool, optional
        Whether measures compare only the runs of one unit with each other, such as two disjoint halves. See in_pairs.

    Raises
    ------
    InputError
        If the class is called directly.

    Examples
    --------
    >>> selections = sc.Selections.from_matrix(Z, names=["CRP", "IL6", "age", "sex"])
    >>> selections.n_runs, selections.features
    (3, ('CRP', 'IL6', 'age', 'sex'))
    """

    selection: SparseMatrix | None = None
    n_features: int = 0
    names: tuple[str, ...] | None = None
    raw_importances: SparseMatrix | None = None
    scores: np.ndarray | None = None
    ranks: np.ndarray | None = None
    weighs: bool = True
    paths: tuple[ModelPath, ...] | None = None
    raw_importances_for: int | None = None
    units: np.ndarray | None = None
    counted: str = ""
    k: int | None = None
    within_units: bool = False

    def __eq__(self, other: object) -> bool:
        return same_fields(self, other) if isinstance(other, Selections) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.n_runs, self.n_features, self.names))

    def __repr__(self) -> str:
        return f"{self._summary()}\n{self._shown()}" if self.selection is not None else self._summary()

    def _repr_html_(self) -> str:
        from html import escape

        table = "" if self.selection is None else self._frequency_table().head(MAX_SHOWN).to_html(float_format="{:.2f}".format)
        return f"<p>{escape(self._summary())}</p>{table}"

    def _summary(self) -> str:
        head = f"Selections: {self.n_runs} runs, {self.n_features:,} features"
        if self.selection is None:
            return f"{head}, ranked, none selected yet"
        low, high = int(self.sizes.min()), int(self.sizes.max())
        return f"{head}, {low if low == high else f'{low} to {high}'} selected per run"

    def _shown(self) -> str:
        more = f"\n… and {self.n_features - MAX_SHOWN:,} more features" if self.n_features > MAX_SHOWN else ""
        return self._frequency_table().head(MAX_SHOWN).to_string(float_format="{:.2f}".format) + more

    def _frequency_table(self) -> pd.DataFrame:
        import pandas as pd

        table = pd.DataFrame({"frequency": self.frequencies}, index=pd.Index(self.features, name="feature"))
        return table.sort_values("frequency", ascending=False, kind="stable")

    def to_frame(self) -> pd.DataFrame:
        """The selection matrix as a DataFrame (M, d) of 0 and 1, with names as columns. `from_matrix` reads it back.

        Raises
        ------
        InputError
            While the runs only rank.

        Examples
        --------
        >>> sc.Selections.from_matrix(Z).to_frame()
           f1  f2  f3  f4
        0   1   1   0   0
        1   1   1   0   0
        2   1   0   1   0
        """
        import pandas as pd

        return pd.DataFrame(self.selection_matrix.toarray().astype(int), columns=list(self.features))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: the features, and the names that each run selected.

        Raises
        ------
        InputError
            While the runs only rank.

        Examples
        --------
        >>> sc.Selections.from_matrix(Z).to_dict()["selected"]
        [['f1', 'f2'], ['f1', 'f2'], ['f1', 'f3']]
        """
        chosen = np.split(self.selection_matrix.indices, self.selection_matrix.indptr[1:-1])
        selected = [[self.features[f] for f in np.sort(columns)] for columns in chosen]
        return {"features": list(self.features), "selected": selected}

    def __post_init__(self) -> None:
        made = self.selection is not None and hasattr(self.selection, "indptr") or self.scores is not None
        if not made or not isinstance(self.n_features, (int, np.integer)):
            raise InputError(
                "Selections are made of what runs selected: Selections.from_matrix(Z), from_lists(sets, names), "
                "from_weights(W), from_scores(S) or from_rankings(R)."
            )

    # ---- constructors, one per kind of input ----

    @classmethod
    def of(cls, runs: SelectionsLike, names: Iterable[str] | None = None, n_features: int | None = None) -> Selections:
        """Selections from a matrix, lists or Selections.

        Parameters
        ----------
        runs : Selections, array, DataFrame or list
            Selections, or a 0/1 matrix (M, d) as an array, DataFrame, sparse matrix or nested list. Or M lists or sets of feature
            names or 0-based indices, with `names` or `n_features`.
        names : list of str, optional
            All d feature names, in the order of the columns.
        n_features : int, optional
            Number of features d, without names.

        Raises
        ------
        InputError
            For anything else, and as the constructors do.

        Examples
        --------
        >>> sc.Selections.of([["CRP"], ["CRP", "age"]], names=["CRP", "IL6", "age"]).n_runs
        2
        """
        if isinstance(runs, Selections):
            return runs
        table: Any = as_pandas(runs)
        if hasattr(table, "columns") or hasattr(table, "tocsr") or isinstance(table, np.ndarray) and table.ndim == 2:
            return cls.from_matrix(table, names)
        if hasattr(table, "finished_selectors"):
            raise InputError("A result holds the runs of several selectors. Take those of one: result.selections('lasso').")
        rows = list(table) if isinstance(table, (list, tuple)) or hasattr(table, "tolist") or hasattr(table, "__next__") else None
        if not rows or not all(isinstance(row, (list, tuple, set, frozenset, np.ndarray)) for row in rows):
            raise InputError(
                "Give the selections of runs as a 0/1 matrix (array or DataFrame, one row per run), as lists or sets of names with "
                f"n_features=, or as Selections. Found {type(runs).__name__}. See also Selections.from_weights and from_rankings."
            )
        return cls.from_lists(rows, names, n_features) if _is_lists(rows, n_features) else cls.from_matrix(rows, names)

    @classmethod
    def from_matrix(cls, Z: TableLike, names: Iterable[str] | None = None) -> Selections:
        """From a 0/1 matrix (M, d): array, scipy.sparse or DataFrame, one row per run.

        Parameters
        ----------
        Z : DataFrame, array or Dataset
            0/1 matrix (M, d), one row per run.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Raises
        ------
        InputError
            For fewer than two runs, no features, an entry that is not 0 or 1 (with its row and column).

        Examples
        --------
        >>> sc.Selections.from_matrix(Z).frequencies.round(2)
        array([1.  , 0.67, 0.33, 0.  ])
        """
        matrix, feature_names = _matrix_and_names(Z, names)
        refuse_wrong_entry(
            matrix,
            feature_names,
            lambda x: (x != 0) & (x != 1),
            "a selection matrix must hold only 0 (not selected) and 1 (selected). If these are importances, use from_weights",
        )
        return cls(_sparse_matrix(matrix), matrix.shape[1], feature_names)

    @classmethod
    def from_weights(cls, importances: TableLike, names: Iterable[str] | None = None) -> Selections:
        """From importances (M, d) ≥ 0, where 0 means not selected. They may be on any scale, which may differ between runs.

        Parameters
        ----------
        importances : DataFrame, array or Dataset
            Importances (M, d), 0 if a feature is not selected.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Raises
        ------
        InputError
            For a negative or missing entry (with its row and column).

        Examples
        --------
        >>> sc.Selections.from_weights([[0.5, 0.0, 2.0], [1.5, 0.2, 0.0]]).sizes
        array([2., 2.])
        """
        matrix, feature_names = _matrix_and_names(importances, names)
        refuse_wrong_entry(
            matrix,
            feature_names,
            lambda x: ~(np.isfinite(x) & (x >= 0)),
            "an importance must be a finite number of at least 0 (not selected). For signed weights use from_scores",
        )
        weights = _sparse_matrix(matrix)
        chosen = weights.copy()
        chosen.data = np.ones_like(chosen.data)
        return cls(chosen, matrix.shape[1], feature_names, raw_importances=weights)

    @classmethod
    def from_scores(cls, scores: TableLike, names: Iterable[str] | None = None) -> Selections:
        """From scores (M, d), higher is better, NaN if a run did not rank a feature. `.top(k)` then selects.

        Parameters
        ----------
        scores : DataFrame, array or Dataset
            Scores (M, d), higher is better, NaN where a run did not rank the feature.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Raises
        ------
        InputError
            For an infinite score, or a run that ranks nothing.

        Examples
        --------
        >>> sc.Selections.from_scores([[0.9, 0.1, 0.5], [0.8, 0.3, 0.2]]).top(2).counts
        array([2., 1., 1.])
        """
        matrix, feature_names = _matrix_and_names(scores, names)
        matrix = np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=float)
        refuse_wrong_entry(
            matrix, feature_names, np.isinf, "a score must be a finite number, or empty if a run did not rank the feature"
        )
        silent = np.flatnonzero(np.isnan(matrix).all(axis=1))
        if len(silent):
            raise InputError(f"Run {silent[0] + 1} scores no feature. Leave that run out.")
        return cls(None, matrix.shape[1], feature_names, scores=matrix)

    @classmethod
    def from_rankings(cls, ranks: TableLike, names: Iterable[str] | None = None) -> Selections:
        """From ranks (M, d), 1 = best, NaN if a run did not rank a feature. `.top(k)` then selects.

        Parameters
        ----------
        ranks : DataFrame, array or Dataset
            Ranks (M, d), 1 = best, NaN where a run did not rank the feature.
        names : list of str, optional
            All d feature names, in the order of the columns.

        Raises
        ------
        InputError
            For an infinite rank or one below 1, or a run that ranks nothing.

        Examples
        --------
        >>> sc.Selections.from_rankings([[1, 2, 3], [2, 1, 3]]).top(2).counts
        array([2., 2., 0.])
        """
        ranked, feature_names = _matrix_and_names(ranks, names)
        refuse_wrong_entry(
            ranked, feature_names, lambda x: x < 1, "a rank must be 1 (best) or more, or empty if a run did not rank the feature"
        )
        values = np.asarray(ranked.toarray() if hasattr(ranked, "toarray") else ranked, dtype=float)
        return replace(cls.from_scores(-values, feature_names), weighs=False)

    @classmethod
    def from_lists(
        cls, sets: Iterable[Iterable[str | int]], names: Iterable[str] | None = None, n_features: int | None = None
    ) -> Selections:
        """From M sets of feature names or of 0-based indices.

        Parameters
        ----------
        sets : list
            Features of each run, by name or 0-based number.
        names : list of str, optional
            All d feature names, in the order of the columns.
        n_features : int, optional
            Number of features d, without names. Features that no run selected then have placeholders as names.

        Raises
        ------
        InputError
            For an unknown name, an index outside 0 … d−1, and without d, on which chance depends.

        Examples
        --------
        >>> sc.Selections.from_lists([{"CRP", "IL6"}, {"CRP"}], names=["CRP", "IL6", "age"]).sizes
        array([2., 1.])
        """
        from scipy.sparse import csr_array

        sets = list(sets)
        feature_names, d = all_features(names, n_features, "Selections.from_lists(sets, names=all_names)")
        lists = [members for members in sets if isinstance(members, (list, tuple, set, frozenset))]
        selected = {member for members in lists for member in members if isinstance(member, str)}
        if feature_names is None and selected:
            feature_names = add_unselected(selected, d)
        find = feature_finder(feature_names, d)
        rows = [np.unique(find(members, f"Run {i + 1}")) for i, members in enumerate(sets)]
        _refuse_shape(len(rows), d)
        start = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        columns = np.concatenate(rows).astype(np.int64)
        return cls(csr_array((np.ones(len(columns)), columns, start), shape=(len(rows), d)), d, feature_names)

    # ---- input of measures ----

    @property
    def n_runs(self) -> int:
        """M, the number of runs."""
        rows: Any = self.selection if self.selection is not None else self.scores
        return rows.shape[0]

    @property
    def n_units(self) -> int:
        """G, the number of units, equal to the number of runs unless some belong together."""
        return self.n_runs if self.units is None else int(self.units.max()) + 1

    @property
    def members(self) -> list[np.ndarray]:
        """Numbers of the runs of each unit."""
        units = np.arange(self.n_runs) if self.units is None else self.units
        return [np.flatnonzero(units == unit) for unit in range(self.n_units)]

    @cached_property
    def unit_counts(self) -> SparseMatrix:
        """Sparse (G, d): number of runs of each unit that selected each feature."""
        from scipy.sparse import csr_array

        if self.units is None:
            return self.selection_matrix
        runs = np.arange(self.n_runs)
        return csr_array((np.ones(self.n_runs), (self.units, runs)), shape=(self.n_units, self.n_runs)) @ self.selection_matrix

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The d names, f1 … fd if none were given."""
        return self.names or default_names(self.n_features)

    @property
    def selection_matrix(self) -> SparseMatrix:
        """Sparse (M, d) selection. Raises InputError while the runs only rank."""
        if self.selection is None:
            raise InputError("These runs rank the features but select none. Choose the number of selected features with .top(k).")
        return self.selection

    @cached_property
    def sizes(self) -> np.ndarray:
        """(M,) number of features that each run selected."""
        return np.diff(self.selection_matrix.indptr).astype(float)

    @cached_property
    def counts(self) -> np.ndarray:
        """(d,) number of runs that selected each feature."""
        return np.bincount(self.selection_matrix.indices, minlength=self.n_features).astype(float)

    @property
    def frequencies(self) -> np.ndarray:
        """(d,) share of the runs that selected each feature."""
        return self.counts / self.n_runs

    @cached_property
    def shared(self) -> np.ndarray:
        """(M, M) number of features that two runs share."""
        return (self.selection_matrix @ self.selection_matrix.T).toarray()

    @cached_property
    def differences(self) -> SparseMatrix:
        """Sparse (P, d) of −1, 0, 1: one run minus another, for every two runs of one unit."""
        pairs = np.array([pair for runs in self.members for pair in combinations(runs.tolist(), 2)], dtype=int).reshape(-1, 2)
        rows = self.selection_matrix
        return (rows[pairs[:, 0]] - rows[pairs[:, 1]]).tocsr()

    @cached_property
    def moments(self) -> Moments:
        """The parts of the unbiased covariance of the selections, over the pairs of runs that are compared."""
        if self.within_units:
            return Moments(self.differences, np.zeros(self.n_features), 1, 2 * self.differences.shape[0] or np.nan)
        return Moments(self.selection_matrix, self.counts, self.n_runs, self.n_runs - 1)

    @property
    def compared(self) -> np.ndarray:
        """(M, M) 1 for every two runs that measures compare, else 0."""
        together = np.ones((self.n_runs, self.n_runs))
        if self.within_units:
            units = np.arange(self.n_runs) if self.units is None else self.units
            together = (units[:, None] == units).astype(float)
        return together - np.eye(self.n_runs)

    @cached_property
    def kinds(self) -> np.ndarray:
        """(M,) a number for each different set, 0, 1, … in the order of their first runs: equal for equal selections."""
        indices, ends = self.selection_matrix.indices, self.selection_matrix.indptr.tolist()
        numbers: dict[bytes, int] = {}
        return np.array([numbers.setdefault(np.sort(indices[start:end]).tobytes(), len(numbers)) for start, end in pairwise(ends)])

    @cached_property
    def selected(self) -> np.ndarray:
        """(M, d) bool, dense, for display and not for millions of features."""
        return self.selection_matrix.toarray() > 0

    @cached_property
    def weights(self) -> SparseMatrix | None:
        """Sparse (M, d) importances of the selected features, None if the runs carry none."""
        if self.raw_importances is None or self.selection is None:
            return self.raw_importances
        return self.raw_importances.multiply(self.selection).tocsr()

    @property
    def importances(self) -> np.ndarray | None:
        """(M, d) importances, 0 where not selected, dense. None if the runs carry none."""
        return None if self.weights is None else self.weights.toarray()

    @property
    def no_importances(self) -> str:
        """The reason why the runs carry no importances although their selector gives some, else ""."""
        if self.raw_importances is not None or self.raw_importances_for is None:
            return ""
        return (
            f"the importances of this selector are those of a model on the selected features, and are known for the "
            f"{self.raw_importances_for} that the study selected. For another number, run the study with that number"
        )

    def ranking(self, random_state: int = 0) -> np.ndarray:
        """(M, d) ranks, 1 = best: as given, else from the scores with ties in seeded random order.

        Parameters
        ----------
        random_state : int, optional
            Seed of everything drawn at random.

        Raises
        ------
        InputError
            For runs that carry neither.

        Examples
        --------
        >>> sc.Selections.from_scores([[0.9, 0.1, 0.5], [0.8, 0.3, 0.2]]).ranking()
        array([[1., 3., 2.],
               [1., 2., 3.]])
        """
        if self.ranks is not None:
            return self.ranks
        if self.scores is None:
            raise InputError("These runs carry selections only, without scores or ranks. This needs a ranking of all features.")
        return _score_ranks(self.scores, random_state)

    @cached_property
    def n_ranked(self) -> int:
        """The largest number of features available in every run, limited by the shortest ranking or path."""
        if self.paths is not None:
            return min(path.max_k for path in self.paths)
        ranked = self.scores if self.ranks is None else self.ranks
        return 0 if ranked is None else int(np.count_nonzero(~np.isnan(ranked), axis=1).min())

    def take(self, runs: ArrayLike) -> Selections:
        """Some of the runs, by 0-based number. Raises InputError for fewer than are needed.

        Parameters
        ----------
        runs : array_like
            0-based numbers, or one True or False per run.

        Examples
        --------
        >>> sc.Selections.from_matrix(Z).take([0, 2]).n_runs
        2
        """
        index = np.asarray(runs)
        if index.dtype == bool and index.shape == (self.n_runs,):
            index = np.flatnonzero(index)
        if index.ndim != 1 or index.dtype.kind not in "iu" or not is_between(np.abs(index + 0.5).max(initial=0), 0, self.n_runs):
            raise InputError(f"Runs are taken by 0-based numbers below {self.n_runs}, or by one True or False per run.")
        _refuse_shape(len(index), self.n_features)

        def of(rows):
            return None if rows is None else rows[index]

        return replace(
            self,
            selection=of(self.selection),
            raw_importances=of(self.raw_importances),
            scores=of(self.scores),
            ranks=of(self.ranks),
            paths=None if self.paths is None else tuple(self.paths[i] for i in index),
            units=_label_numbers(of(self.units)),
        )

    def in_units(self, units: ArrayLike | None, counted: str = "") -> Selections:
        """The same runs with units that the jackknife leaves out as a whole. units None: each run by itself.

        Parameters
        ----------
        units : array_like
            (M,) any labels, equal for runs that were made together (the two halves of a pair) or learned from the same rows.
        counted : str, optional
            A sentence on that for readers of intervals.

        Raises
        ------
        InputError
            Without one label per run.

        Examples
        --------
        >>> sc.Selections.from_matrix(Z).in_units(["a", "a", "b"]).n_units
        2
        """
        if units is not None and np.shape(units) != (self.n_runs,):
            raise InputError(
                f"Units need one label per run, equal for runs that belong together. Found {np.shape(units)} labels "
                f"for {self.n_runs} runs."
            )
        return replace(self, units=_label_numbers(units), counted=counted, within_units=False)

    def in_pairs(self, pairs: ArrayLike, counted: str = "") -> Selections:
        """The same runs, where measures compare only the runs of one pair with each other.

        Parameters
        ----------
        pairs : array_like
            (M,) any labels, equal for the two runs of a pair, such as two disjoint halves of the patients.
        counted : str, optional
            A sentence on that for readers of intervals.

        Raises
        ------
        InputError
            Without one label per run.

        Examples
        --------
        >>> pairs = sc.Selections.from_matrix([[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 1]]).in_pairs([1, 1, 2, 2])
        >>> sc.stability(pairs).value  # the mean overlap of a pair is 1.5 of 2 features, expected by chance is 1
        0.5
        """
        return replace(self.in_units(pairs, counted), within_units=True)

    def top(self, k: int, random_state: int = 0) -> Selections:
        """The same runs, each with its k best features (fewer if a run ranks fewer), or the selection of its path at k.

        Importances of another k are left out, and `no_importances` gives the reason. Ties are broken at random with
        `random_state`.

        Parameters
        ----------
        k : int
            As if every run had selected its k best features. None: as the runs select.
        random_state : int, optional
            Seed of everything drawn at random.

        Raises
        ------
        InputError
            For k outside 1 … d.

        Examples
        --------
        >>> sc.Selections.from_scores([[0.9, 0.1, 0.5], [0.8, 0.3, 0.2]]).top(1).to_dict()["selected"]
        [['f1'], ['f1']]
        """
        if not is_between(k, 1, self.n_features) or int(k) != k:
            raise InputError(
                f"Asked for the best {k!r} of {self.n_features} features. Give a whole number from 1 to {self.n_features}."
            )
        raw_importances = self.raw_importances if self.raw_importances_for in (None, k) else None
        if self.paths is not None:
            selection, of_path = selections_at(self.paths, k, self.n_features)
            return replace(self, selection=selection, raw_importances=raw_importances if of_path is None else of_path, k=int(k))
        ranks = self.ranking(random_state)
        return replace(
            self, selection=_sparse_matrix((ranks <= k).astype(float)), ranks=ranks, raw_importances=raw_importances, k=int(k)
        )


MAX_SHOWN = 8  # features in a repr


def _is_lists(rows, n_features):
    """Whether these rows are lists of features, not rows of a 0/1 matrix."""
    if n_features is not None or any(isinstance(row, (set, frozenset)) for row in rows):
        return True
    return len({len(row) for row in rows}) > 1 or any(isinstance(entry, str) for row in rows for entry in row)


def _label_numbers(labels):
    """(M,) whole numbers 0 … G − 1 of labels, None if all differ."""
    if labels is None:
        return None
    kinds, numbers = np.unique(labels, return_inverse=True)
    return numbers if len(kinds) < len(numbers) else None


def _matrix_and_names(values, features):
    """(matrix, names) of a table with one row per run, after a check of its shape."""
    matrix, names = number_table(values, features)
    _refuse_shape(*matrix.shape)
    return matrix, names


def _refuse_shape(n_runs, n_features):
    if n_features < 1:
        raise InputError("There are no features: the table has no columns.")
    if n_runs < 2:
        raise InputError(f"Stability compares runs, so at least 2 are needed. Found {n_runs}.")


def _sparse_matrix(matrix):
    from scipy.sparse import csr_array

    sparse = csr_array(matrix, dtype=float)
    sparse.sum_duplicates()
    sparse.eliminate_zeros()
    return sparse


def _score_ranks(scores, seed):
    """(M, d) ranks of scores, 1 = highest, ties in random order. NaN stays NaN."""
    tie = np.random.default_rng(seed).random(scores.shape)
    order = np.lexsort((tie, -scores), axis=1)  # NaN sorts last
    ranks = np.empty(scores.shape)
    np.put_along_axis(ranks, order, np.arange(1.0, scores.shape[1] + 1)[None, :].repeat(len(scores), 0), axis=1)
    ranks[np.isnan(scores)] = np.nan
    return ranks
