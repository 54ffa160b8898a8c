"""The content of a result, from a study or from uploaded selections, for the functions of this package.

Parts that only a study has are empty by default: no plan, no tasks, no shuffles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

from stabcore.base.public import public

if TYPE_CHECKING:
    import numpy as np

    from stabcore.resampling.plan import Plan
    from stabcore.selections.selections import Selections
    from stabcore.selectors.catalog import Entry as SelectorEntry
    from stabcore.study.store import Store
    from stabcore.study.task_result import TaskResult


@public
class ResultData(Protocol):
    """Runs of one or more selectors over the same features, and the available information on their origin."""

    features: tuple[str, ...]
    settings: dict[str, Any]
    classes: tuple[str, ...]
    target: np.ndarray

    @property
    def notes(self) -> list[str]:
        """Warnings for the reader of any number."""

    @property
    def patients(self) -> list[int] | None:
        """Number of the patient of each row, None if each row is its own patient."""
        return None

    @property
    def plan(self) -> Plan | None:
        """The resampling plan. None if the origin of the runs is unknown, and so is their noise floor."""
        return None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the columns that are always in the model."""
        return () if self.plan is None else tuple(self.settings["data"].get("given", ()))

    @property
    def has_halves(self) -> bool:
        """Whether the plan makes complementary halves, which share no patient."""
        return self.plan is not None and self.plan.separate_halves

    @property
    def of_halves(self) -> bool:
        """Whether stabilities compare two disjoint halves of the patients, see StudyResult.between_halves."""
        return False

    def as_compared(self) -> Self:
        """The result with the runs that the dashboard compares: two disjoint halves where the plan has them, else all runs.

        Examples
        --------
        >>> result.as_compared().of_halves
        True
        """
        return self

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors, in the order of the study."""

    @property
    def finished_selectors(self) -> list[str]:
        """Selectors with at least two finished runs, so that there is agreement to measure."""

    @property
    def n_runs(self) -> int:
        """Planned runs of each selector that measure its stability. For uploaded selections, the largest number of runs."""

    @property
    def n_selected(self) -> int | None:
        """The number of features that each run should select, None if unknown."""
        return None

    def display_name(self, label: str) -> str:
        """The display name of a selector, by its label or its stored key.

        Parameters
        ----------
        label : str
            Name of a selector in the result.

        Examples
        --------
        >>> result.display_name("mim")
        'mim'
        """
        return label

    def entry_of(self, label: str) -> SelectorEntry | None:
        """The catalogue entry of a selector, None for a user-defined or unknown one."""
        return None

    def can_rank(self, label: str) -> bool:
        """Whether its runs rank the features, so that other numbers of features are possible.

        Parameters
        ----------
        label : str
            Name of a selector in the result.

        Examples
        --------
        >>> result.can_rank("mim")
        True
        """

    def selections(self, label: str, k: int | None = None) -> Selections:
        """Selections of one selector over its finished runs. With `k`, its selections at another number of features.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Raises
        ------
        InputError
            For an unknown selector, and while fewer than two runs are finished.

        Examples
        --------
        >>> result.selections("mim", k=3).sizes.max()
        np.float64(3.0)
        """

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Selections, Selections, bool]:
        """(Selections of both, on their common runs, and whether these use the same resamples, one by one).

        Parameters
        ----------
        first, second : str
            Names of the two selectors in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Raises
        ------
        InputError
            For fewer than two common runs.

        Examples
        --------
        >>> first, second, same_resamples = result.paired("mim", "random_forest")
        >>> same_resamples
        True
        """

    def run_numbers(self, label: str) -> list[int]:
        """The names of the runs in `selections(label)`, from 1.

        Parameters
        ----------
        label : str
            Name of a selector in the result.

        Examples
        --------
        >>> result.run_numbers("mim")
        [1, 2, 3, 4, 5, 6, 7, 8]
        """

    def folds(self, label: str) -> list[int] | None:
        """Number of the outer fold, from 1, of each run in `selections(label)`. None without several outer folds."""
        return None

    def run_status(self) -> dict[tuple[str, int], str]:
        """{(selector, run from 0): "done" or "failed"} of the tasks that have ended."""
        return {}

    def finished_tasks(self, label: str) -> list[TaskResult]:
        """The successful tasks of a selector."""
        return []

    def agreeing_tasks(self, label: str) -> list[TaskResult]:
        """The tasks that measure the stability of a selector. Raises InputError for an unknown selector."""
        return []

    def finished_shuffles(self, label: str) -> list[int]:
        """Numbers of the shuffles whose runs have all ended, at least two of them successfully."""
        return []

    def finished_refits(self, label: str) -> list[tuple[int, int]]:
        """(repeat, imputation) of each fit that all runs finished, from (0, 0) on."""
        return [(0, 0)]

    def shuffled(self, label: str, k: int | None = None) -> list[tuple[int, Selections]]:
        """[(number, Selections)] of each finished shuffle, the clusters of the plan as their units.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Examples
        --------
        >>> [number for number, _ in result.shuffled("mim")]
        [1, 2]
        """
        return []

    def refitted(self, label: str, k: int | None = None) -> dict[tuple[int, int], Selections]:
        """{(repeat, imputation): Selections} of the fits of a selector, on the runs that all of them finished."""
        return {}


class StudyData(ResultData, Protocol):
    """Additional content of a study file."""

    def between_halves(self) -> Self:
        """The same result, where every stability compares the two disjoint halves of a pair, which share no patient."""

    store: Store

    @property
    def plan(self) -> Plan:
        """The resampling plan."""

    @property
    def n_selected(self) -> int:
        """The number of features that each run should select."""

    def run_numbers(self, label: str, repeat: int = 0, shuffle: int = 0, imputation: int = 0) -> list[int]:
        """Numbers, from 1, of the finished runs that measure stability, or of another fit of the runs."""

    def n_selected_by(self, label: str) -> int | None:
        """The number of features that each run of a selector should select, None if the selector determines it."""

    def selections_of_tasks(self, label: str, tasks: list[TaskResult]) -> Selections:
        """Selections of some tasks of a selector."""
