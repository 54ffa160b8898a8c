"""Studies that are killed or cancelled by lot: when and how; what is lost, who lives on, and what is left where it should not be.

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

from stabcore.study.working_files import StudyLock, cancel_file

PATIENCE = 5.0  # seconds after which no process of a study that was killed is alive, on a machine that does nothing else
CANCELLED = 0.25  # of the studies are cancelled, not killed: then the study's own process ends its pool
SEMAPHORES = Path("/dev/shm")


@dataclass
class Toll:
    """What so many kills and cancels cost: finished tasks, processes that lived on and how long, files outside of the workspace."""

    kills: int = 0
    cancels: int = 0
    lost: list = field(default_factory=list)
    outlived: list = field(default_factory=list)
    left: set = field(default_factory=set)
    longest: float = 0.0
    late: list = field(default_factory=list)  # what was alive when PATIENCE had passed, see `waiting`


def by_command(settings, store):
    """(the process of the study, its store) as the command line runs it."""
    return psutil.Process(start(settings, store, stderr=subprocess.DEVNULL).pid), store


def by_app(project):
    """(the process of the study, its store) as the app runs it: apart from whoever started it."""
    before = {one.pid for one in psutil.Process().children()}
    project.start()
    (process,) = [one for one in psutil.Process().children() if one.pid not in before]
    return process, project.folder / "study.stab"


def kill_by_lot(run, rng, temporary, toll, latest=1.0):
    """Start a study by `run`, kill one of its workers or itself after a while, then kill or cancel itself; adds to the toll.

    temporary: the folder for temporary files of all that is started, empty before and after.
    """
    old = semaphores()  # of others: a number that was theirs may come again
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
    killed, used, late = time.monotonic(), {pid: spent(pid) for pid in family}, []
    while time.monotonic() - killed < 12 * PATIENCE and (remains := _remains(family, temporary, old)):
        if time.monotonic() - killed > PATIENCE and not late:
            late = [waiting(what, pid, used[pid]) for what, pid in (one for one in remains if not isinstance(one, str))]
        time.sleep(0.05)
    toll.late += late
    toll.longest = max(toll.longest, time.monotonic() - killed)
    toll.outlived += [what for what in remains if not isinstance(what, str)]
    toll.left |= {what for what in remains if isinstance(what, str)}
    wait_for(lambda: not StudyLock.held(store), 600)
    toll.lost += sorted(before - tasks(store))


def spent(pid) -> float:
    """Seconds of the processor; 0 where there is no such process any more."""
    try:
        return sum(psutil.Process(pid).cpu_times()[:2])
    except psutil.Error:
        return 0.0


def waiting(what, pid, before) -> dict:
    """Why a process is late: seconds of the processor that it got since the kill, what it waits for, what else runs meanwhile.

    One that is ready to run, or has had little of the processor, is late because of the others; one that sleeps is not.
    """
    try:
        state, asleep = psutil.Process(pid).status(), Path(f"/proc/{pid}/wchan")
        reason = asleep.read_text() if asleep.exists() else ""
    except (OSError, psutil.Error):
        state, reason = "gone", ""
    return {"what": what, "seconds": round(spent(pid) - before, 2), "state": state, "waits for": reason, "load": os.getloadavg()[0]}


def _remains(family, temporary, old):
    """(what it is, number) of processes that are alive, and names of what lies where nothing should."""
    return [
        *((what, pid) for pid, what in family.items() if alive(pid)),
        *(path.name for path in temporary.iterdir()),
        *(name for name in semaphores() - old if any(f"-{pid}-" in name for pid in family)),
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


def semaphores() -> set[str]:
    """Names of all semaphores of pools in the system's memory."""
    return {path.name for path in SEMAPHORES.glob("sem.loky-*")} if SEMAPHORES.is_dir() else set()
