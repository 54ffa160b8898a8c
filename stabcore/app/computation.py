"""What is computed after a study by a process of its own: one at a time of each kind, watched by its lock and its file.

It waits for its turn among the studies, as they do.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from stabcore.app import queue
from stabcore.app.study_process import KILLED, PROGRESS, STARTING, last_line, launch


class What(NamedTuple):
    """A kind of computation. command: of `python -m stabcore`; place: in the queue; files: of what is made."""

    command: str
    place: str
    files: str


RISKS, PATIENTS = What("risk", queue.RISKS, "risk-*.json"), What("patients", queue.PATIENTS, "interval-*.json")


class Computation:
    """One kind of computation in the folder of a work."""

    def __init__(self, folder: Path, what: What):
        self.folder, self.what = folder, what
        self.log = folder / f"{what.command}.log"

    def start(self, store: str, data: dict, options: list[str]):
        """Begin it. store: the study file; data: the table [data] of a settings file."""
        import tomli_w

        from stabcore.study.working_files import cancel_file

        settings = f"{self.what.command}.toml"
        (self.folder / settings).write_text(tomli_w.dumps({"data": data}), encoding="utf-8")
        cancel_file(self.folder / self.what.place).unlink(missing_ok=True)
        launch(self.folder, self.log.name, [self.what.command, store, settings, *options], "stabcore.app.queue")

    def cancel(self):
        """Ask the process to stop; what is done is kept."""
        from stabcore.study.working_files import cancel_file

        if self.before is not None:
            cancel_file(self.folder / self.what.place).touch()
        for part in self._parts_running():
            cancel_file(part).touch()

    @property
    def running(self) -> bool:
        """Is it being computed now, or just about to be, or does it wait for its turn?"""
        silent = self.log.exists() and not self.log.stat().st_size
        begun = silent and 0 <= time.time() - self.log.stat().st_mtime < STARTING        # clocks are set back
        return begun or queue.has_place(self.folder, self.what.place) or bool(self._parts_running())

    @property
    def before(self) -> tuple[int, int] | None:
        """(What runs now, what waits before it); None where it does not wait for its turn."""
        return queue.before(self.folder, self.what.place)

    @property
    def words(self) -> str:
        """The last line that the process printed: how far it is, or how it ended."""
        words = last_line(self.log)
        return KILLED if PROGRESS.fullmatch(words) and not self.running else words

    def _parts_running(self):
        from stabcore.study.working_files import StudyLock

        locks = self.folder.glob(f"{self.what.files}.lock")
        return [part for part in (lock.with_suffix("") for lock in locks) if StudyLock.held(part)]
