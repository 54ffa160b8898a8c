"""The seven selectors of Sechidis et al. 2019 × 50 runs on 102 × 12 600: time, memory, handing out, two workers against one.

Reads data/checks/microarray_singh.csv.gz of the shared folder; without it, noise of the same size. An argument: how many runs.
"""

import contextlib
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pandas as pd
import psutil

import stabcore as sc

SEVEN = ["lasso", "random_forest", "gbm", "mim", "mrmr", "jmi", "cmim"]


def data():
    path = Path(__file__).resolve().parents[3] / "shared" / "data" / "checks" / "microarray_singh.csv.gz"
    if path.exists():
        return sc.Dataset.from_file(path, target="target")
    rng = np.random.default_rng(0)
    return sc.Dataset.from_frame(pd.DataFrame(rng.normal(size=(102, 12_600))).assign(target=np.arange(102) % 2), target="target")


def most_memory(stop, found):
    """Peak of the memory of this process and its workers, not counting twice what they share."""
    while not stop.wait(0.3):
        total = 0
        for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().uss
        found.append(total)


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    asked = sc.Study(data(), SEVEN, plan=sc.Subsample(runs, test_size=0.05), k=50, random_state=1, n_permutations=0)
    seconds, digests = {}, set()
    for workers in (2, 1):
        stop, memory = Event(), []
        watcher = Thread(target=most_memory, args=(stop, memory))
        watcher.start()
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            made = asked.run(store=Path(folder, "s.stab"), n_jobs=workers)
            seconds[workers] = time.perf_counter() - start
            digests.add(made.digest())
            progress = made.progress()
        stop.set()
        watcher.join()
        work = float((progress["seconds_a_run"] * progress["done"]).sum())
        print(
            f"{workers} worker{'s' * (workers > 1)}: {seconds[workers]:.0f} s for {int(progress['done'].sum())} tasks, "
            f"{work:.0f} s in tasks, {1 - work / (workers * seconds[workers]):.1%} of the workers' time elsewhere, "
            f"at most {max(memory) / 1e6:.0f} MB"
        )
        print(progress["seconds_a_run"].round(2).to_string())
    print(
        f"two workers {seconds[1] / seconds[2]:.2f}× one; same digest: {len(digests) == 1}; other processes use "
        f"{psutil.cpu_percent(1):.0f}% of the {psutil.cpu_count()} cores now"
    )


if __name__ == "__main__":
    main()
