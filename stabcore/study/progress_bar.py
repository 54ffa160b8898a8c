"""How far a study is while it runs: a bar in terminals and notebooks, or a function that is called once per finished task."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stabcore.base.errors import InputError


@contextmanager
def shown_progress(
    progress: bool | Callable[[int, int], bool | None] | None, done: int, total: int
) -> Iterator[Callable[[], bool | None]]:
    """A function to call after each finished task; it gives what the person's own gives. progress: see Study.run."""
    if callable(progress):
        report = progress

        def advance():
            nonlocal done
            done += 1
            return report(done, total)

        yield advance
        return
    if progress not in (None, True, False):
        raise InputError(f"progress is True, False, or a function of the tasks done and planned. Found {progress!r}.")
    if not (_is_watched() if progress is None else progress):
        yield lambda: None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a notebook lacks widgets: then the bar is text
        from tqdm.auto import tqdm
    with tqdm(initial=done, total=total, unit="task") as bar:

        def advance_bar():
            bar.update()

        yield advance_bar


def _is_watched() -> bool:
    """Does somebody look at what is printed: in a terminal, or a notebook?"""
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())
