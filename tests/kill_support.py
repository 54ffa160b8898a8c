"""Studies that are killed by lot: which process, when and how; what is lost, who lives on, and what is left where it should not be.

A study is run as the command line runs it, and as the app does.
"""

import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from command_support import alive, start, tasks, wait_for

from stabcore.study.lock import StudyLock

PATIENCE = 5.0  # seconds after which no process of a study that was killed is alive, on a machine that does nothing else
SEMAPHORES = Path("/dev/shm")


@dataclass
class Toll:
    """What so many kills cost: finished tasks, processes that lived on and how long, files outside of the workspace."""

    kills: int = 0
    lost: list = field(default_factory=list)
    outlived: list = field(default_factory=list)
    left: set = field(default_factory=set)
    longest: float = 0.0


def by_command(settings, store):
    """(the process of the study, its store) as the command line runs it."""
    return psutil.Process(start(settings, store, stderr=subprocess.DEVNULL).pid), store


def by_app(work):
    """(the process of the study, its store) as the app runs it: apart from whoever started it."""
    before = {one.pid for one in psutil.Process().children()}
    work.start()
    (process,) = [one for one in psutil.Process().children() if one.pid not in before]
    return process, work.folder / "study.stab"


def kill_by_lot(run, rng, temporary, toll, latest=1.0):
    """Start a study by `run`, kill one of its workers or itself after a while, then itself; adds to the toll.

    temporary: the folder for temporary files of all that is started, empty before and after.
    """
    process, store = run()
    before, family = tasks(store), {}
    if rng.random() < 0.75:  # else anywhere in its beginning
        wait_for(lambda: len(tasks(store)) > len(before) or not process.is_running() or not alive(process.pid), 600)
    time.sleep(rng.uniform(0, latest))
    for victim in ("worker", "study") if rng.random() < 0.3 else ("study",):
        family |= family_of(process)
        seen = tasks(store)
        numbers = [pid for pid, what in family.items() if what == victim and alive(pid)]
        if numbers:
            os.kill(rng.choice(numbers), rng.choice((signal.SIGKILL, signal.SIGTERM)))
            toll.kills += 1
            if victim == "worker":
                time.sleep(rng.uniform(0, latest))
        before |= seen
    killed = time.monotonic()
    while time.monotonic() - killed < 12 * PATIENCE and (remains := _remains(family, temporary)):
        time.sleep(0.05)
    toll.longest = max(toll.longest, time.monotonic() - killed)
    toll.outlived += [what for what in remains if not isinstance(what, str)]
    toll.left |= {what for what in remains if isinstance(what, str)}
    wait_for(lambda: not StudyLock.held(store), 600)
    toll.lost += sorted(before - tasks(store))


def _remains(family, temporary):
    """(what it is, number) of processes that are alive, and names of what lies where nothing should."""
    return [
        *((what, pid) for pid, what in family.items() if alive(pid)),
        *(path.name for path in temporary.iterdir()),
        *semaphores(family),
    ]


def family_of(process) -> dict[int, str]:
    """{number: what it is} of a study's process and of all that it has started."""
    try:
        below = process.children(recursive=True)
    except psutil.NoSuchProcess:
        return {}
    return {process.pid: "study"} | {one.pid: kind_of(one) for one in below}


def kind_of(process) -> str:
    """Worker, or another process that a study starts."""
    try:
        words = " ".join(process.cmdline())
    except psutil.Error:
        return "gone"
    return "worker" if "LokyProcess" in words else "guard" if "guard.py" in words else f"helper {words[-90:]}"


def semaphores(family) -> set[str]:
    """Names of semaphores that these processes have left in the system's memory."""
    if not SEMAPHORES.is_dir():
        return set()
    return {path.name for path in SEMAPHORES.glob("sem.loky-*") if any(f"-{pid}-" in path.name for pid in family)}
