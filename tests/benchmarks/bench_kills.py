"""Kill or cancel studies at random moments and let them end. Counts lost tasks, surviving processes, stray files and other results.

python tests/benchmarks/bench_kills.py [kills, 1000 by default]. A kill takes about 4 seconds. Half of the studies run by the
command line, half by the app. A worker or the study itself is killed, by SIGKILL or SIGTERM.
"""

import os
import random
import shutil
import sys
import tempfile
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


def to_the_end(run):
    """The digest of a study that may end in peace, which is then taken away so that it can begin anew."""
    process, store = run()
    wait_for(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, 1200)
    wait_for(lambda: not StudyLock.held(store))
    digest = sc.open_study(store).digest()
    store.unlink()
    return digest


def main(kills=1000):
    rng, toll, digests = random.Random(), Toll(), []
    with tempfile.TemporaryDirectory() as folder:
        temporary, home, plain = (Path(folder, name) for name in ("temporary", "home", "plain"))
        for folder_path in (temporary, home, plain):
            folder_path.mkdir(mode=0o700)
        os.environ |= {"TMPDIR": str(temporary), "STABILITY_HOME": str(home)}
        tempfile.tempdir = str(plain)  # of this process itself
        settings, project = settings_file(plain, runs=RUNS, selectors=SELECTORS), Project.create()
        for file in (settings, plain / "toy.csv"):
            shutil.copy(file, project.folder / file.name)
        with ThreadPoolExecutor(1) as executor:
            calm = load_study(settings).run(executor, store=plain / "calm.stab").digest()
        runs = {
            plain / "killed.stab": lambda: by_command(settings, plain / "killed.stab"),
            project.folder / "study.stab": lambda: by_app(project),
        }
        while toll.kills < int(kills):
            for store, run in runs.items():
                kill_by_lot(run, rng, temporary, toll)
                if len(tasks(store)) > NEARLY * RUNS * len(SELECTORS):
                    digests.append(to_the_end(run))
        digests += [to_the_end(run) for run in runs.values()]
        left = sorted(path.name for path in temporary.iterdir())
    print(f"{toll.kills} kills and {toll.cancels} cancels, half of the studies by the command line, half by the app")
    print(f"  finished tasks lost: {len(toll.lost)} {toll.lost[:3]}")
    print(f"  until the last process was gone: {toll.longest:.1f} s at most (5 on an idle one); never: {toll.outlived[:3]}")
    print(f"  left outside of the workspace: {sorted(toll.left)[:5]}, at the end {left[:5]}")
    print(f"  studies that came to their end: {len(digests)}, digests as undisturbed: {digests.count(calm)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
