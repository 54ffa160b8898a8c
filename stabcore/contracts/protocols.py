"""What may be given where: the shapes of one's own measures, selectors, plans and classifiers, for type checkers and editors.

Nothing here is asked at run time: the doors (`adopt` of each room) look at the object itself and say in a sentence what it lacks.

MeasureLike, SelectorLike, PlanLike, ClassifierLike   a name of the catalogue, or one's own
RunsLike                                              runs of one selector, of several, or of a whole result
MeasureFunction, SelectorObject, LearningModel, PlanObject, ClassifierObject   what an own one has, at least
TableLike, SparseMatrix, Seed                         numbers as people bring them, as they are kept, and where chance begins
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import ArrayLike

    from stabcore.data.dataset import Dataset
    from stabcore.measures.entry import Entry
    from stabcore.selections.preferences import Preferences
    from stabcore.study.resampling import Resample
    from stabcore.study.results import Results

Seed: TypeAlias = "int | np.random.Generator"
SparseMatrix: TypeAlias = Any                       # scipy.sparse.csr_array: SciPy brings no types
TableLike: TypeAlias = "ArrayLike | pd.DataFrame | Dataset | SparseMatrix"

MeasureFunction: TypeAlias = "Callable[Concatenate[Preferences, ...], float | np.floating]"
MeasureLike: TypeAlias = "str | Entry | MeasureFunction"


class SelectorObject(Protocol):
    """fit(X, y), perhaps with rng and k, and after it `scores_`, one number a column; see stabcore.selectors."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    @property
    def scores_(self) -> ArrayLike: ...


class LearningModel(Protocol):
    """A scikit-learn model: fit(X, y) and parameters, so that a fresh clone can be trained on every resample."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    def get_params(self, deep: bool = True) -> dict[str, Any]: ...


class ClassifierObject(Protocol):
    """fit(X, y), perhaps with rng (or rng and n_classes), and predict(X); see stabcore.classifiers."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    @property
    def predict(self) -> Callable[[Any], object]: ...


class PlanObject(Protocol):
    """How many runs, and which rows each of them learns from and holds out; see stabcore.study.resampling."""

    @property
    def runs(self) -> int: ...

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None, /
                 ) -> tuple[ArrayLike, ArrayLike] | Resample: ...


class SharesRows(Protocol):
    """A plan that says what share of its rows a run has in common with another."""

    def shared_rows(self) -> Sequence[tuple[float, float]]: ...


SelectorLike: TypeAlias = "str | tuple[str, Mapping[str, Any]] | SelectorObject | LearningModel"
ClassifierLike: TypeAlias = "str | ClassifierObject"
PlanLike: TypeAlias = PlanObject
RunsLike: TypeAlias = "Results | Mapping[str, Preferences] | Preferences"
