"""What a result holds, of a study or of uploaded selections: all that the functions of this room compute from.

What only a study knows is empty unless somebody says it: no plan, no outcomes of tasks, no shuffles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from stabcore.resampling.plan import Plan
    from stabcore.selections.selections import Selections
    from stabcore.selectors.catalog import Entry as SelectorEntry
    from stabcore.study.outcome import Outcome
    from stabcore.study.store import Store


class ResultData(Protocol):
    """Runs of one or more selectors over the same features, and what is known of how they came about."""

    features: tuple[str, ...]
    settings: dict[str, Any]
    classes: tuple[str, ...]
    target: np.ndarray

    @property
    def notes(self) -> list[str]:
        """What the reader of any number must know."""

    @property
    def patients(self) -> list[int] | None:
        """Number of the patient of each row; None where each row is a patient."""
        return None

    @property
    def plan(self) -> Plan | None:
        """The resampling plan; None: nobody knows how the runs came about, so what they share without any signal is not known."""
        return None

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors, in the order of the study."""

    @property
    def finished_selectors(self) -> list[str]:
        """Selectors with at least two finished runs, so that there is agreement to measure."""

    @property
    def n_runs(self) -> int:
        """Runs planned for each selector, of those that its stability rests on; of uploaded selections the most of any."""

    @property
    def n_selected(self) -> int | None:
        """How many features each run was asked to select; None when nobody knows."""
        return None

    def display_name(self, label: str) -> str:
        """What a selector is called here, which may be told by the key it is stored under.

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
        """The catalogue entry of a selector; None for somebody's own, and where nobody knows it.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return None

    def can_rank(self, label: str) -> bool:
        """Do its runs rank the features, so that other cardinalities can be asked for?"""

    def selections(self, label: str, k: int | None = None) -> Selections:
        """Selections of one selector over its finished runs; with `k`, what it would have selected at another k."""

    def paired(self, first: str, second: str, k: int | None = None) -> tuple[Selections, Selections, bool]:
        """(Selections of both, on the runs that both have; whether these rest on the same resamples, one by one)."""

    def run_numbers(self, label: str) -> list[int]:
        """What the runs in `selections(label)` are called, from 1."""

    def folds(self, label: str) -> list[int] | None:
        """Number of the outer fold, from 1, of each run in `selections(label)`; None unless there are several.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return None

    def run_status(self) -> dict[tuple[str, int], str]:
        """{(selector, run from 0): "done" or "failed"} of the tasks that have ended."""
        return {}

    def finished_outcomes(self, label: str) -> list[Outcome]:
        """What the tasks of a selector gave that ended well.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return []

    def agreeing_outcomes(self, label: str) -> list[Outcome]:
        """Those of them that the stability of the selector rests on.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return []

    def finished_shuffles(self, label: str) -> list[int]:
        """Numbers of the shuffles of the outcome of which all runs have ended, and at least two well.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return []

    def finished_repeats(self, label: str) -> list[int]:
        """Numbers of the fits with other dice of which all runs have ended, and at least two well.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        """
        return []

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

    def repeated(self, label: str, k: int | None = None) -> list[Selections]:
        """Selections of each fit of a selector, on the runs that all of them finished.

        Parameters
        ----------
        label : str
            Name of a selector in the result.
        k : int, optional
            As if every run had selected its k best features. None: as the runs select.

        Examples
        --------
        >>> len(result.repeated("random_forest"))
        2
        """
        return []


class StudyData(ResultData, Protocol):
    """What a study file holds besides."""

    store: Store

    @property
    def plan(self) -> Plan:
        """The resampling plan."""

    @property
    def n_selected(self) -> int:
        """How many features each run was asked to select."""

    def run_numbers(self, label: str, repeat: int = 0, shuffle: int = 0) -> list[int]:
        """Numbers, from 1, of the finished runs that the stability of a selector rests on; of a repeat, or a shuffle."""

    def selected_by(self, label: str) -> int | None:
        """How many features each run of one selector was asked to select; None where it settles that itself."""

    def selections_of(self, label: str, outcomes: list[Outcome]) -> Selections:
        """Selections of some outcomes of a selector."""
