"""Kill or cancel studies at random moments and let them end: tasks lost, processes that live on, files left outside, the digest?

python tests/benchmarks/bench_kills.py [kills, 1000 unless told] [seconds that it may take] [file]; about 4 seconds a kill. Half of
the studies run by the command line, half as the app runs them; a worker or the study itself, by SIGKILL or SIGTERM. What each few
kills cost is a line of the file, so that several runs add up: those that are in it already count.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from command_support import alive, settings_file, start, tasks, wait_for

import stabcore as sc
from pages.workspace.project import Project
from stabcore.study.loading import load_study
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
    killed = time.monotonic()
    while time.monotonic() - killed < 12 * PATIENCE and (remains := _remains(family, temporary, old)):
        time.sleep(0.05)
    toll.longest = max(toll.longest, time.monotonic() - killed)
    toll.outlived += [what for what in remains if not isinstance(what, str)]
    toll.left |= {what for what in remains if isinstance(what, str)}
    wait_for(lambda: not StudyLock.held(store), 600)
    toll.lost += sorted(before - tasks(store))


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


SELECTORS = ("mim", "lasso", "relieff")
RUNS = 100
NEARLY = 0.8  # of the tasks are done: the study may end, and begins anew


def studies(folder, runs):
    """(settings of a study for the command line, a work with the same study)."""
    settings, work = settings_file(folder, runs=runs, selectors=SELECTORS), Project.create()
    for file in (settings, folder / "toy.csv"):
        shutil.copy(file, work.folder / file.name)
    return settings, work


def to_the_end(run):
    """The digest of a study that may end in peace, which is then taken away so that it can begin anew."""
    process, store = run()
    wait_for(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, 1200)
    wait_for(lambda: not StudyLock.held(store))
    digest = sc.open_study(store).digest()
    store.unlink()
    return digest


def read(file):
    """The tolls of a file, added up, with how many studies came to their end, and how many of them with the same digest."""
    whole = {"kills": 0, "cancels": 0, "lost": [], "outlived": [], "left": [], "longest": 0.0, "ended": 0, "equal": 0}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        for name, value in json.loads(line).items():
            whole[name] = max(whole[name], value) if name == "longest" else whole[name] + value
    return whole


def write(file, toll, digests, calm):
    told = {**vars(toll), "left": sorted(toll.left), "ended": len(digests), "equal": digests.count(calm)}
    with open(file, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(told) + "\n")


def main(kills=1000, seconds=100_000, file=None):
    began, rng, kills, seconds = time.monotonic(), random.Random(), int(kills), int(seconds)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(file or Path(folder, "kills.jsonl")).absolute()
        temporary, home, plain = (Path(folder, name) for name in ("temporary", "home", "plain"))
        for one in (temporary, home, plain):
            one.mkdir(mode=0o700)
        os.environ |= {"TMPDIR": str(temporary), "STABILITY_HOME": str(home)}
        tempfile.tempdir = str(plain)  # of this process itself
        settings, work = studies(plain, RUNS)
        with ThreadPoolExecutor(1) as executor:
            calm = load_study(settings).run(executor, store=plain / "calm.stab").digest()
        runs = {
            plain / "killed.stab": lambda: by_command(settings, plain / "killed.stab"),
            work.folder / "study.stab": lambda: by_app(work),
        }
        while (whole := read(file))["kills"] < kills and time.monotonic() - began < seconds:
            toll, digests = Toll(), []
            for store, run in runs.items():
                kill_by_lot(run, rng, temporary, toll)
                if len(tasks(store)) > NEARLY * RUNS * len(SELECTORS):
                    digests.append(to_the_end(run))
            write(file, toll, digests, calm)
            print(
                "  "
                + ", ".join(
                    f"{name} {len(value) if isinstance(value, list) else f'{value:.4g}'}" for name, value in read(file).items()
                ),
                flush=True,
            )
        write(file, Toll(), [to_the_end(run) for run in runs.values()], calm)
        left, whole = sorted(path.name for path in temporary.iterdir()), read(file)
    tell(whole, left)


def tell(whole, left):
    print(f"{whole['kills']} kills and {whole['cancels']} cancels, half of the studies by the command line, half by the app")
    print(f"  finished tasks lost: {len(whole['lost'])} {whole['lost'][:3]}")
    print(f"  until the last process was gone: {whole['longest']:.1f} s at most (5 promised); never: {whole['outlived'][:3]}")
    print(f"  left outside of the workspace: {whole['left'][:5]}, at the end {left[:5]}")
    print(f"  studies that came to their end: {whole['ended']}, digests as undisturbed: {whole['equal']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
