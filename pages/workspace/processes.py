"""Processes that outlive the page and the server: started apart from both, watched by their locks, stopped by a file.

Each waits in the queue, see `queue`.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from pages.workspace import queue
from pages.workspace.files import MASK, read_text
from pages.workspace.people import owner_of
from stabcore.study.guard import NEW_SESSION
from stabcore.study.working_files import StudyLock, cancel_file

APP_FOLDER = Path(__file__).resolve().parents[2]  # app.py and its pages, in a checkout or installed by pip
START_SECONDS = 20  # seconds in which a process without output counts as running
PROGRESS_LINE = re.compile(rf"\d+ of \d+|{queue.WAITING}")
KILLED = (
    "The process was ended from outside: by a person, by a restart of the computer, or for lack of memory. Finished parts are kept."
)
DETACHED: dict[str, Any] = {**NEW_SESSION, **({} if sys.platform == "win32" else {"umask": MASK})}


def start_process(folder: Path, log: str, arguments: list[str]):
    """Start `python -m stabcore …` in its turn, with its output in a file of the folder.

    All accounts can read the arguments of a process, so none holds the folder, whose name opens the project. Python does not look
    for modules there (-P), where uploaded files are. Raises InputError for a full queue.
    """
    queue.refuse_when_full(folder.parent, owner_of(folder) or "")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(APP_FOLDER), os.environ.get("PYTHONPATH")]))}
    with open(folder / log, "w", encoding="utf-8") as printed:
        subprocess.Popen(
            [sys.executable, "-P", "-m", queue.__name__, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            cwd=folder.absolute(),
            env=environment,
            **DETACHED,
        )


class ComputationKind(NamedTuple):
    """A kind of computation: command and options of `python -m stabcore`, place in the queue, files, and error while it runs."""

    command: str
    options: tuple[str, ...]
    place: str
    files: str
    busy: str


RISKS_RUNNING = "Other risks are being computed in this project. Wait until they are finished, or cancel them."
RISKS = ComputationKind("risk", ("selector", "classifier", "event", "k"), queue.RISK_SUFFIX, "risk-*.json", RISKS_RUNNING)
INTERVAL_RUNNING = "Another interval is being computed in this project. Wait until it is finished, or cancel it."
INTERVALS = ComputationKind("patients", ("selector", "k"), queue.INTERVAL_SUFFIX, "interval-*.json", INTERVAL_RUNNING)


class Computation:
    """A computation after a study in the folder of a project, one at a time per kind."""

    def __init__(self, folder: Path, kind: ComputationKind):
        self.folder, self.kind = folder, kind
        self.log = folder / f"{kind.command}.log"

    def start(self, store: str, data: dict, options: list[str]):
        """Start it. store: the study file. data: the table [data] of a settings file."""
        import tomli_w

        settings = f"{self.kind.command}.toml"
        (self.folder / settings).write_text(tomli_w.dumps({"data": data}), encoding="utf-8")
        cancel_file(self.folder / self.kind.place).unlink(missing_ok=True)
        start_process(self.folder, self.log.name, [self.kind.command, store, settings, *options])

    def cancel(self):
        """Ask the process to stop. Finished parts are kept."""
        if self.queue_position is not None:
            cancel_file(self.folder / self.kind.place).touch()
        for product in self._unfinished_products():
            cancel_file(product).touch()

    @property
    def is_running(self) -> bool:
        """Whether it runs, is about to run, or waits in the queue."""
        silent = self.log.exists() and not self.log.stat().st_size
        begun = silent and 0 <= time.time() - self.log.stat().st_mtime < START_SECONDS  # clocks are set back
        return begun or queue.has_place(self.folder, self.kind.place) or bool(self._unfinished_products())

    @property
    def queue_position(self) -> tuple[int, int] | None:
        """(running computations, computations ahead), None outside of the queue."""
        return queue.queue_position(self.folder, self.kind.place)

    @property
    def last_line(self) -> str:
        """The last printed line of the process: its progress, or its end."""
        line = (read_text(self.log).splitlines() or [""])[-1]
        return KILLED if PROGRESS_LINE.fullmatch(line) and not self.is_running else line

    def _unfinished_products(self) -> list[Path]:
        products = (lock.with_suffix("") for lock in self.folder.glob(f"{self.kind.files}.lock"))
        return [product for product in products if StudyLock.held(product)]
