"""Kill or cancel studies at random moments and let them end: tasks lost, processes that live on, files left outside, the digest?

python tests/benchmarks/bench_kills.py [kills, 1000 unless told] [seconds that it may take] [file]; about 4 seconds a kill. Half of
the studies run by the command line, half as the app runs them; a worker or the study itself, by SIGKILL or SIGTERM. What each few
kills cost is a line of the file, so that several runs add up: those that are in it already count.
"""

import json
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
from command_support import settings_file, tasks, wait_for
from kill_support import Toll, by_app, by_command, kill_by_lot

import stabcore as sc
from pages.workspace.project import Project
from stabcore.study.loading import load_study
from stabcore.study.working_files import StudyLock

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
    whole = {"kills": 0, "cancels": 0, "lost": [], "outlived": [], "left": [], "late": [], "longest": 0.0, "ended": 0, "equal": 0}
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
    print(f"  until the last process was gone: {whole['longest']:.1f} s at most (5 on an idle one); never: {whole['outlived'][:3]}")
    for one in whole["late"]:
        print(f"    late: {one}")
    print(f"  left outside of the workspace: {whole['left'][:5]}, at the end {left[:5]}")
    print(f"  studies that came to their end: {whole['ended']}, digests as undisturbed: {whole['equal']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
