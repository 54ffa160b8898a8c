"""Large studies on two workers: the seven selectors of Sechidis et al. 2019 × 50 runs on 102 × 12 600, and a random search.

Time, memory, handing out, two workers against one. The table is data/checks/microarray_singh.csv.gz of the folder beside the
repository, or noise of the same size. 100 configurations × 10 folds of the search may take ten minutes.
    python tests/benchmarks/bench_large_study.py [runs, 50 unless told] [configurations, 100 unless told]
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

ROOT = Path(__file__).resolve().parents[2]
SEVEN = ["lasso", "random_forest", "gbm", "mim", "mrmr", "jmi", "cmim"]
MINUTES, ASKED = 10, 100


def data():
    path = ROOT.parent / "shared" / "data" / "checks" / "microarray_singh.csv.gz"
    if path.exists():
        return sc.Dataset.from_file(path, target="target")
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(102, 12_600))).assign(target=np.arange(102) % 2)
    return sc.Dataset.from_frame(frame, target="target")


def watch_memory(stop, found):
    """Peak of the memory of this process and its workers, not counting twice what they share."""
    while not stop.wait(0.3):
        total = 0
        for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().uss
        found.append(total)


def seven(runs):
    study = sc.Study(data(), SEVEN, plan=sc.Subsample(runs, test_size=0.05), k=50, random_state=1, n_permutations=0)
    seconds, digests = {}, set()
    for workers in (2, 1):
        stop, memory = Event(), []
        watcher = Thread(target=watch_memory, args=(stop, memory))
        watcher.start()
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            result = study.run(store=Path(folder, "s.stab"), n_jobs=workers)
            seconds[workers] = time.perf_counter() - start
            digests.add(result.digest())
            progress = result.progress()
        stop.set()
        watcher.join()
        work = float((progress["seconds_a_run"] * progress["done"]).sum())
        print(
            f"{workers} worker{'s' * (workers > 1)}: {seconds[workers]:.0f} s for {int(progress['done'].sum())} tasks, "
            f"{work:.0f} s in tasks, {1 - work / (workers * seconds[workers]):.1%} of the workers' time elsewhere, "
            f"at most {max(memory) / 1e6:.0f} MB"
        )
        print(progress["seconds_a_run"].round(2).to_string())
    print(f"two workers {seconds[1] / seconds[2]:.2f}× one; same digest: {len(digests) == 1}")


def search(configurations):
    table = sc.Dataset.from_file(ROOT / "sample_data" / "alzheimer_ad.csv", target="target")
    with tempfile.TemporaryDirectory() as folder:
        start, plan = time.perf_counter(), sc.RepeatedKFold(10)
        result = sc.random_search(table, n=configurations, plan=plan, random_state=1, n_jobs=2, store=Path(folder, "s.stab"))
        seconds, progress = time.perf_counter() - start, result.progress()
    print(
        f"\n{configurations} configurations × 10 folds, half of 333 × {table.n_features}: {seconds:.1f} s; {ASKED} would be "
        f"{seconds * ASKED / configurations / 60:.1f} minutes, {MINUTES} are allowed; {int(progress['done'].sum())} of "
        f"{result.total} tasks done; seconds a run, by learner:"
    )
    by_learner = progress["seconds_a_run"].groupby(lambda label: label.split(" + ")[-1])
    print(by_learner.agg(["mean", "max"]).round(3).to_string())


if __name__ == "__main__":
    runs, configurations = (int(text) for text in [*sys.argv[1:], *("50", "100")[len(sys.argv) - 1 :]])
    seven(runs)
    search(configurations)
