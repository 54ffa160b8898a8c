"""The plan that leaves one centre out: each run learns from all other centres, and predicts that one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import joined, listed, nearest, several, shown
from stabcore.data.dataset import MAX_PARTS
from stabcore.resampling.plan import Plan, Resample

if TYPE_CHECKING:
    from stabcore.data.dataset import Dataset


@dataclass(frozen=True)
class LeaveOneSiteOut(Plan):
    """One run per centre: it learns from the rows of all other centres, and the rows of its own centre are held out.

    column: the column with the centre of a row. It is left out of the features (`exclude` of the Dataset), because it is constant
    in the held-out rows. centres, of_row: the names, and the number of the centre of each row, which the study takes from the
    table. Source: Riley et al. 2016, BMJ 353:i3140 (internal-external validation: each cluster left out in turn).
    """

    column: str = ""
    centres: tuple[str, ...] = ()
    of_row: tuple[int, ...] = ()
    kind = "leave_one_site_out"
    stratified = False
    parts_rows = True

    def __post_init__(self):
        object.__setattr__(self, "centres", tuple(self.centres))
        object.__setattr__(self, "of_row", tuple(self.of_row))

    @property
    def n_runs(self) -> int:
        self._refuse_unknown()
        return len(self.centres)

    def of_table(self, data: Dataset) -> LeaveOneSiteOut:
        cells = _cells(data, self.column)
        centres = tuple(sorted(set(cells)))
        number = {name: i for i, name in enumerate(centres)}
        plan = replace(self, centres=centres, of_row=tuple(number[cell] for cell in cells))
        _refuse_lost_class(plan, data)
        _refuse_split_patient(plan, data)
        return plan

    def resample(self, run: int, target: np.ndarray, seed: int, patients: np.ndarray | None = None) -> Resample:
        self._refuse_unknown()
        if len(target) != len(self.of_row):
            raise InputError(f"The plan knows the centres of {several(len(self.of_row), 'row')}, but there are {len(target)}.")
        held_out = np.array(self.of_row) == run
        return Resample(np.flatnonzero(~held_out), np.flatnonzero(held_out))

    def shared_rows(self) -> list[tuple[float, float]]:
        """Of the runs without centres i and j: n − nᵢ − nⱼ rows in common, of √((n − nᵢ)(n − nⱼ)), as means of them correlate."""
        self._refuse_unknown()
        sizes = np.bincount(self.of_row)
        first, second = np.triu_indices(len(sizes), 1)
        left = len(self.of_row) - sizes
        common = (left[first] - sizes[second]) / np.sqrt(left[first] * left[second])
        return [(share, n_pairs / len(common)) for share, n_pairs in sorted(Counter(np.round(common, 3).tolist()).items())]

    def sentence(self) -> str:
        return f"{self.n_runs} runs, each leaving out one of {self.n_runs} centres ({self.column})"

    def _refuse_unknown(self):
        if not self.centres:
            raise InputError("The centres come from the table. Give this plan to a Study.")


def possible_columns(data: Dataset) -> list[str]:
    """The columns left out that could be the centre: 2 to MAX_PARTS different values, none missing."""
    return [] if data.aside is None else [name for name in data.aside.columns if not data.aside[name].isna().any()]


def _cells(data, column):
    """The text of each cell of the column of the centres. Raises InputError where it names no centres."""
    possible, names = possible_columns(data), data.columns["column"].tolist()
    needed = f"a column left out of the features, filled in every row, with 2 to {MAX_PARTS} different values"
    offer = f"Choose one of: {listed(possible)}." if possible else f"The centre is {needed}. This table has none."
    if not column:
        raise InputError(f"Choose the column of the centre. {offer}")
    if column in data.features:
        raise InputError(f"{shown(column)} is a feature. Leave it out of the features, or choose another column. {offer}")
    if column not in names:
        raise InputError(f"There is no column {shown(column)}{nearest(column, names)}. {offer}")
    if data.aside is None or column not in data.aside:
        raise InputError(f"{shown(column)} is not {needed}. {offer}")
    n_missing = int(data.aside[column].isna().sum())
    if n_missing:
        raise InputError(f"{shown(column)} is empty in {several(n_missing, 'row')}. Fill in these cells.")
    return data.aside[column].astype(str).tolist()


def _refuse_lost_class(plan, data):
    """Every run has to learn from rows of every class."""
    for run, name in enumerate(plan.centres):
        left = data.target[np.array(plan.of_row) != run]
        lost = [data.classes[c] for c in range(len(data.classes)) if not (left == c).any()]
        if lost:
            labels = joined([shown(label) for label in lost])
            raise InputError(f"All rows of {labels} are in the centre {shown(name)}. Merge centres, or choose another plan.")


def _refuse_split_patient(plan, data):
    if data.patients is None:
        return
    pairs = {*zip(data.patients.tolist(), plan.of_row, strict=True)}
    moved = [patient for patient, times in Counter(patient for patient, _ in pairs).items() if times > 1]
    if moved:
        who = several(len(moved), "patient")
        raise InputError(f"{who} have rows in more than one centre ({plan.column}). Give each patient one centre.")
