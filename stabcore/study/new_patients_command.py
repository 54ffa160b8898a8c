"""An interval for new patients, computed by a process of its own."""

from __future__ import annotations

from pathlib import Path

from stabcore.study import new_patients
from stabcore.study.risk_command import alone_at
from stabcore.study.risk_file import INTERVALS, in_study, name_of, put_into_study
from stabcore.study.study import load_data
from stabcore.study.study_result import open_study


def make_interval(store: Path, settings: Path, selector: str, k: int | None = None, beside: Path | None = None) -> str:
    """Compute what is missing, keep it in the study file (or, with `beside`, in that folder alone), and return how it ended.

    Raises InputError as `patient_interval` does, while the study or this interval is computed elsewhere, and when it is cancelled.
    """
    data, result = load_data(settings), open_study(store, named=True)
    asked = new_patients.question(data, result, selector, k)
    part = (beside or store.parent) / name_of(asked, INTERVALS)
    with alone_at(part, store if beside is None else None) as progress:
        parts = new_patients.pieces(data, result, asked, progress, part)
        if beside is None and not in_study(result, asked, new_patients.size_of(result), INTERVALS):
            put_into_study(store, asked, parts, INTERVALS)
            part.unlink(missing_ok=True)
    return f"Done: {len(parts)} studies without one group of patients."
