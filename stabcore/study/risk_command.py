"""The risks of patients made by a process of their own: one at a time, watched by a lock, stopped by a file, kept at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from stabcore.errors import InputError
from stabcore.study.lock import StudyLock, cancel_file
from stabcore.study.risk import question, risk
from stabcore.study.risk_file import in_study, name_of, put_into_study, read_models
from stabcore.study.study import load_data
from stabcore.study.study_result import open_study
from stabcore.wording import several


def make_risk(store: Path, settings: Path, selector: str, classifier: str | None = None, event: str | None = None,
              k: int | None = None, beside: Path | None = None) -> str:
    """Compute what of a risk is missing, keep it in the study file (or, with `beside`, in that folder alone); say what came of it.

    Raises InputError as `risk` does, while the study or this risk is being run by another process, and when it is cancelled.
    """
    data, result = load_data(settings), open_study(store, named=True)
    asked = question(data, result, selector, classifier, event, k)
    part = (beside or store.parent) / name_of(asked)
    with alone_at(part, store if beside is None else None) as progress:
        told = risk(data, result, asked["selector"], asked["classifier"], event=event, k=k, progress=progress, keep=part)
        if beside is None and not in_study(result, asked):
            put_into_study(store, asked, read_models(part, asked, data.n_rows))
            part.unlink(missing_ok=True)
    return f"Done: the risks of {several(len(told.whole), 'patient')} by {several(len(told.models), 'model')}."


@contextmanager
def alone_at(part: Path, store: Path | None) -> Iterator[Callable[[int, int], bool]]:
    """Be the only process that makes a file; gives what prints progress and returns False once it was cancelled.

    Raises InputError while another process makes it, or runs the study that it is to be kept in (store, None: in none).
    """
    lock, cancel = StudyLock(part), cancel_file(part)
    if store is not None and StudyLock.held(store):
        raise InputError(f"{store.name} is being run by another process now. Wait until the study is finished.")
    if not lock.acquire():
        raise InputError("The same is being computed by another process now.")

    def progress(done, total):
        print(f"{done} of {total}", file=sys.stderr, flush=True)
        return not cancel.exists()

    try:
        cancel.unlink(missing_ok=True)
        yield progress
    finally:
        cancel.unlink(missing_ok=True)
        lock.release()
