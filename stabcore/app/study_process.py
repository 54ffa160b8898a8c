"""The process of a study: started apart from the page and the server, watched by its lock, asked to stop by a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from stabcore.app import pace, queue
from stabcore.app.frozen import Frozen
from stabcore.app.private import MASK
from stabcore.errors import InputError
from stabcore.study.guard import APART

STARTING = 20       # seconds in which a process that has said nothing yet counts as running
LOG, WORDS = "study.log", "study.words"     # all that the process printed; how it ended, as it says itself
PRIVATE = {} if sys.platform == "win32" else {"umask": MASK}
PROGRESS = re.compile(rf"\d+ of \d+|{queue.WAITING}")
KILLED = ("Its process was ended from outside: this computer was switched off, somebody ended it, or memory ran out. What was "
          "finished is kept.")


class StudyProcess(Frozen):
    """What a workspace, which has `folder`, `settings` and `save`, can do with the study in its folder."""

    def start(self, pilot=False, scheduler=None):
        """Run what is missing of the study when it is its turn, in a process of its own that outlives the page and the server.

        pilot: only the first run of every selector. scheduler: address of a Dask cluster to run on.
        """
        from stabcore.study.working_files import cancel_file

        self.refuse_frozen()
        store = self.folder / "study.stab"
        cancel_file(store).unlink(missing_ok=True)
        for told in (WORDS, pace.TIMES):
            (self.folder / told).unlink(missing_ok=True)
        options = ["--pilot"] * bool(pilot) + (["--scheduler", scheduler] if scheduler else [])
        launch(self.folder, LOG, ["run", "study.toml", "--store", store.name, "--words", WORDS, *options], "stabcore.app.queue")
        self.save(started=time.time(), trial=bool(pilot))

    def cancel(self):
        """Ask a running study to stop; what is done is kept."""
        from stabcore.study.working_files import cancel_file

        if self.running:
            cancel_file(self.folder / "study.stab").touch()

    @property
    def running(self) -> bool:
        """Is the study being run now, by whichever process, or just about to be, or does it wait for its turn?"""
        if self.has_process:
            return True
        with suppress(InputError):      # of damaged settings; those who need them say so
            since = time.time() - self.settings.get("started", -STARTING)
            return 0 <= since < STARTING and not self._has_begun and not (self.folder / WORDS).exists()      # clocks are set back
        return False

    @property
    def has_process(self) -> bool:
        """Is there a process that runs the study, or waits to do so?"""
        from stabcore.study.working_files import StudyLock

        return StudyLock.held(self.folder / "study.stab") or queue.has_place(self.folder)

    @property
    def before(self) -> tuple[int, int] | None:
        """(What runs now, what waits before this study); None where it does not wait for its turn."""
        return queue.before(self.folder)

    @property
    def ran_for(self) -> float | None:
        """Seconds since the study has its turn, or that it took when it ran last; None where nothing tells."""
        return pace.seconds(self.folder, self.running)

    @property
    def last_words(self) -> str:
        """Why the study's process ended, as it says itself; empty while none was started or one still runs."""
        words = _text(self.folder / WORDS)
        return words or (KILLED if self._has_begun and not self.running else "")

    @property
    def _has_begun(self) -> bool:
        """Has the process begun to print how far it is, or that it waits?"""
        return any(PROGRESS.fullmatch(line) for line in _text(self.folder / LOG).splitlines())


def launch(folder, log, arguments, module="stabcore"):
    """Start `python -m stabcore …`, or another module, in a process that outlives page and server; what it prints goes into a file.

    Everybody on this computer can read the arguments of a process: the folder, whose name is the key to the work, is in none.
    """
    package = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
    with open(folder / log, "w", encoding="utf-8") as printed:
        subprocess.Popen([sys.executable, "-m", module, *arguments], stdin=subprocess.DEVNULL, stdout=printed, stderr=printed,
                         cwd=folder.absolute(), env=environment, **PRIVATE, **APART)


def last_line(path) -> str:
    """The last line of a file, "" where there is none."""
    return (_text(path).splitlines() or [""])[-1]


def _text(path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
