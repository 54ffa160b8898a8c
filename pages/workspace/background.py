"""What a page asks for that takes a while, made by a thread of the server: drawing the page anew, F5 or closing it end nothing.

It waits for its turn among the studies, and is gone with the server; what a study of it has finished lies on the disk by then.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pages.workspace.queue import CANCELLED, FOLDER, has_place, turn
from stabcore.base.errors import InputError, fault_words

STOPPED = "Cancelled; what was done of a study is kept, and it goes on from there the next time."
LOST = (
    "The server ended while this was being made or waited, so there is no result, and nothing half. Make it again with the "
    "same settings: what was done of a study is kept, anything else begins anew."
)


class BackgroundTask:
    """One of them, begun at once. make: called with tell(done, total), which it calls meanwhile; gives the result.

    person: who asked for it. before: (what runs now, what waits before it) while it waits for its turn, else None. progress: (done,
    total). result: None until it is there. words: why there is none.
    """

    def __init__(self, home: Path, name: str, person: str, make: Callable[[Callable[[int, int], None]], Any]):
        self.person, self.progress = person, (0, 0)
        self.before: tuple[int, int] | None = (0, 0)
        self.result, self.words, self.running = None, "", True
        self._cancelled = threading.Event()
        threading.Thread(target=self._run, args=(home, name, make), daemon=True).start()

    def cancel(self):
        """End it when it next tells how far it is."""
        self._cancelled.set()

    def _run(self, home, name, make):
        marker = _marker(home, name)
        try:
            marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            marker.touch()
            with turn(home, name, self.person, self._wait):
                self.before = None
                self._report(0, 0)
                self.result = make(self._report)
        except Exception as error:
            self.words = _describe(error)
        with suppress(OSError):
            marker.unlink()
        self.running = False

    def _wait(self, run, wait):
        self.before = run, wait
        if self._cancelled.is_set():
            raise InputError(CANCELLED)

    def _report(self, done, total):
        self.progress = done, total
        if self._cancelled.is_set():
            raise InputError(STOPPED)


def was_lost(home: Path, name: str) -> bool:
    """Was this asked for, and the server ended before it was made?"""
    return _marker(home, name).exists() and not has_place(home / name)


def _marker(home, name):
    """The file that is there while something is made or waits; whoever is killed leaves it."""
    return home / FOLDER / f"{name}.asked"


def _describe(error):
    words = str(error) if isinstance(error, InputError) else fault_words(error)
    if not words:
        traceback.print_exception(error, file=sys.stderr)
        words = f"It ended with an error of this program ({type(error).__name__}). What is done is kept."
    return words
