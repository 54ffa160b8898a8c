"""The process of a study: started apart from the page and the server, watched by its lock, asked to stop by a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from stabcore.errors import InputError
from stabcore.study.guard import APART

STARTING = 20       # seconds in which a process that has said nothing yet counts as running


class StudyProcess:
    """What a workspace, which has `folder`, `settings` and `save`, can do with the study in its folder."""

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        raise NotImplementedError

    @property
    def settings(self) -> dict:
        """What was saved about it."""
        raise NotImplementedError

    def start(self, pilot=False, scheduler=None):
        """Run what is missing of the study, in a process of its own that outlives the page and the server.

        pilot: only the first run of every selector. scheduler: address of a Dask cluster to run on.
        """
        from stabcore.study.store import cancel_file

        store = self.folder / "study.stab"
        cancel_file(store).unlink(missing_ok=True)
        options = ["--pilot"] * bool(pilot) + (["--scheduler", scheduler] if scheduler else [])
        launch(self.folder, "study.log", ["run", str(self.folder / "study.toml"), "--store", str(store), *options])
        self.save(started=time.time(), trial=bool(pilot))

    def cancel(self):
        """Ask a running study to stop; what is done is kept."""
        from stabcore.study.store import cancel_file

        if self.running:
            cancel_file(self.folder / "study.stab").touch()

    @property
    def running(self) -> bool:
        """Is the study being run now, by whichever process, or just about to be?"""
        from stabcore.study.store import StudyLock

        if StudyLock.held(self.folder / "study.stab"):
            return True
        with suppress(InputError):      # of damaged settings; those who need them say so
            return not self.last_words and time.time() - self.settings.get("started", 0) < STARTING
        return False

    @property
    def last_words(self) -> str:
        """The last line that the study's process printed: why it ended, when it ended early."""
        return last_line(self.folder / "study.log")


def launch(folder, log, arguments):
    """Start `python -m stabcore …` in a process that outlives the page and the server; what it prints goes into a file."""
    package = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
    with open(folder / log, "w", encoding="utf-8") as printed:
        subprocess.Popen([sys.executable, "-m", "stabcore", *arguments], stdin=subprocess.DEVNULL, stdout=printed, stderr=printed,
                         cwd=folder, env=environment, **APART)


def last_line(path) -> str:
    """The last line of a file, "" where there is none."""
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines() if path.exists() else []
    return lines[-1] if lines else ""
