"""Studies killed or cancelled at random: lost tasks, surviving processes and stray files.

A study runs as from the command line, or as from the app.
"""

import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from command_support import alive, start, tasks, wait_for

from stabcore.study.working_files import StudyLock, cancel_file

PATIENCE = 60.0  # seconds after which no process of a study that was killed is alive, also on a busy machine
CANCELLED = 0.25  # share of studies that are cancelled, not killed, so their process ends its pool
SEMAPHORES = Path("/dev/shm")


@dataclass
class Toll:
    """Costs of kills and cancellations: lost tasks, surviving processes and their time, files outside the workspace."""

    kills: int = 0
    cancels: int = 0
    lost: list = field(default_factory=list)
    outlived: list = field(default_factory=list)
    left: set = field(default_factory=set)
    longest: float = 0.0


def by_command(settings, store):
    """Start a study as the command line does. Return (its process, its store)."""
    return psutil.Process(start(settings, store, stderr=subprocess.DEVNULL).pid), store


def by_app(project):
    """Start a study as the app does, detached. Return (its process, its store)."""
    before = {child.pid for child in psutil.Process().children()}
    project.start_study()
    (process,) = [child for child in psutil.Process().children() if child.pid not in before]
    return process, project.folder / "study.stab"


def kill_by_lot(run, rng, temporary, toll, latest=1.0):
    """Start a study by `run`, kill a worker or the study after a while, then kill or cancel the study. Adds to the toll.

    temporary: folder for temporary files of all processes, empty before and after.
    """
    old = semaphores()  # processes by object, because ids are reused
    process, store = run()
    before, family = tasks(store), {}
    if rng.random() < 0.75:  # else anywhere in its beginning
        wait_for(lambda: len(tasks(store)) > len(before) or not process.is_running() or not alive(process.pid), 600)
    time.sleep(rng.uniform(0, latest))
    last = "cancel" if rng.random() < CANCELLED else "study"
    for victim in ("worker", last) if rng.random() < 0.3 else (last,):
        family |= family_of(process)
        seen = tasks(store)
        if victim == "cancel":
            cancel_file(store).touch()
            toll.cancels += alive(process.pid)
        numbers = [pid for pid, what in family.items() if what == victim and alive(pid)]
        if numbers:
            os.kill(rng.choice(numbers), rng.choice((signal.SIGKILL, signal.SIGTERM)))
            toll.kills += 1
            if victim == "worker":
                time.sleep(rng.uniform(0, latest))
        before |= seen
    killed = time.monotonic()
    while time.monotonic() - killed < PATIENCE and (remains := _remains(family, temporary, old)):
        time.sleep(0.05)
    toll.longest = max(toll.longest, time.monotonic() - killed)
    toll.outlived += [what for what in remains if not isinstance(what, str)]
    toll.left |= {what for what in remains if isinstance(what, str)}
    wait_for(lambda: not StudyLock.held(store), 600)
    toll.lost += sorted(before - tasks(store))


def _remains(family, temporary, old):
    """Return (kind, id) of running processes, and names of stray files."""
    return [
        *((what, pid) for pid, what in family.items() if alive(pid)),
        *(path.name for path in temporary.iterdir()),
        *(name for name in semaphores() - old if any(f"-{pid}-" in name for pid in family)),
    ]


def family_of(process) -> dict[int, str]:
    """{id: kind} of the process of a study and its descendants."""
    try:
        below = process.children(recursive=True)
    except psutil.NoSuchProcess:
        return {}
    return {process.pid: "study"} | {child.pid: kind_of(child) for child in below}


def kind_of(process) -> str:
    """Return the kind of a process that a study starts."""
    try:
        words = " ".join(process.cmdline())
    except psutil.Error:
        return "gone"
    return "worker" if "LokyProcess" in words else "guard" if "guard.py" in words else f"helper {words[-90:]}"


def semaphores() -> set[str]:
    """Names of all semaphores of pools on the system."""
    return {path.name for path in SEMAPHORES.glob("sem.loky-*")} if SEMAPHORES.is_dir() else set()
