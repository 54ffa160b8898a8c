"""The process of a study: started apart from the page and the server, watched by its lock, asked to stop by a file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from stabcore.app.frozen import Frozen
from stabcore.errors import InputError
from stabcore.study.guard import APART

STARTING = 20       # seconds in which a process that has said nothing yet counts as running


class StudyProcess(Frozen):
    """What a workspace, which has `folder`, `settings` and `save`, can do with the study in its folder."""

    def start(self, pilot=False, scheduler=None):
        """Run what is missing of the study, in a process of its own that outlives the page and the server.

        pilot: only the first run of every selector. scheduler: address of a Dask cluster to run on.
        """
        from stabcore.study.store import cancel_file

        self.refuse_frozen()
        store = self.folder / "study.stab"
        cancel_file(store).unlink(missing_ok=True)
        package = str(Path(__file__).resolve().parents[2])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
        options = ["--pilot"] * bool(pilot) + (["--scheduler", scheduler] if scheduler else [])
        with open(self.folder / "study.log", "w", encoding="utf-8") as log:
            subprocess.Popen(
                [sys.executable, "-m", "stabcore", "run", str(self.folder / "study.toml"), "--store", str(store), *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env=environment, **APART)
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
        path = self.folder / "study.log"
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines() if path.exists() else []
        return lines[-1] if lines else ""
