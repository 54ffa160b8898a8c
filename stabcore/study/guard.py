"""Guard: a small process beside a study that ends its workers when the study's own process is gone, and removes its files.

It is run by its path in the folder that the study's tasks share; no argument names that, for everybody can read those. The study
holds the other end of its standard input, which the system closes however the study ends. A worker cannot see to that itself: in
the middle of C code none of its threads may run.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

# How a process is started that what ends its parent does not end. Without any console (DETACHED_PROCESS) each of its workers would
# open a window; one of its own that nobody sees is handed on to them.
APART: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
DONE = b"done"


def sign_in(folder, study):
    """In a worker, before its first task: be known to the guard; end at once when the study's process is gone already."""
    import psutil

    Path(folder, f"{os.getpid()}.worker").touch()
    parent = psutil.Process().parent()
    if parent is None or parent.pid != study:
        os._exit(1)


def watch(folder):
    """Wait for the study's process to end its work; end its workers and what they have started, and if it is gone, its files.

    Workers that it ended itself are gone by then; where its pool broke at the end, they would wait for ever.
    """
    import psutil

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    done = sys.stdin.buffer.read() == DONE
    ended = [process for file in Path(folder).glob("*.worker") for process in _family(int(file.stem))]
    for process in ended:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(ended, timeout=2)  # not every system removes a file that is open
    if not done:
        shutil.rmtree(folder, ignore_errors=True)


def _family(number):
    """A worker and all that it has started; nothing when its number has become another process's."""
    import psutil

    try:
        worker = psutil.Process(number)
        return [worker, *worker.children(recursive=True)] if "loky" in " ".join(worker.cmdline()) else []
    except psutil.Error:
        return []


if __name__ == "__main__":
    shared = Path.cwd()
    os.chdir(shared.parent)  # not every system removes the folder that a process is in
    watch(shared)
