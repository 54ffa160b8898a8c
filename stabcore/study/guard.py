"""Guard: a small process that ends the workers of a study when the process of the study is gone, and removes its files.

It is run by its path in the shared folder of the tasks. No argument names that folder, because everybody can read arguments. The
study holds the other end of its standard input, which the system closes when the study ends in any way. A worker cannot do this:
while it runs C code, none of its threads may run.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

# Start a process that survives what ends its parent. Without a console (DETACHED_PROCESS), each of its workers would open a
# window. Its invisible console is inherited by them.
NEW_SESSION: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    NEW_SESSION = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
DONE = b"done"


def register_worker(folder, study):
    """In a worker, before its first task: register with the guard. End at once if the process of the study is already gone."""
    import psutil

    Path(folder, f"{os.getpid()}.worker").touch()
    parent = psutil.Process().parent()
    if parent is None or parent.pid != study:
        os._exit(1)


def guard_study(folder):
    """Wait for the process of the study. Then end its workers and their children, and remove its files if it is gone.

    Workers that the study ended are gone by then. If its pool broke at the end, they would wait forever.
    """
    import psutil

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    done = sys.stdin.buffer.read() == DONE
    ended = [process for file in Path(folder).glob("*.worker") for process in _worker_and_children(int(file.stem))]
    for process in ended:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(ended, timeout=2)  # some systems do not remove open files
    if not done:
        shutil.rmtree(folder, ignore_errors=True)


def _worker_and_children(number):
    """A worker and its children. Empty if its number now belongs to another process."""
    import psutil

    try:
        worker = psutil.Process(number)
        return [worker, *worker.children(recursive=True)] if "loky" in " ".join(worker.cmdline()) else []
    except psutil.Error:
        return []


if __name__ == "__main__":
    shared = Path.cwd()
    os.chdir(shared.parent)  # some systems do not remove the current folder of a process
    guard_study(shared)
