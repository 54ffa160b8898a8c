"""Random search on the bundled Alzheimer's table: 100 configurations × 10 folds on two workers, which may take ten minutes.

python tests/benchmarks/bench_search.py [configurations, 100 unless told] [workers, 2 unless told]
"""

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MINUTES, ASKED = 10, 100


def main(configurations=ASKED, n_jobs=2):
    import stabcore as sc

    data = sc.Dataset.from_file(ROOT / "sample_data" / "alzheimer_ad.csv", target="target")
    with tempfile.TemporaryDirectory() as folder:
        store, (begun, cpu) = Path(folder, "search.stab"), (time.perf_counter(), own_and_children())
        result = sc.random_search(data, n=configurations, plan=sc.RepeatedKFold(10), random_state=1, n_jobs=n_jobs, store=store)
        seconds, cpu = time.perf_counter() - begun, own_and_children() - cpu
        progress = result.progress()
        print(
            f"{configurations} configurations × 10 folds, half of 333 × {data.n_features}: {seconds:.1f} s "
            f"on {n_jobs} workers ({os.cpu_count()} cores), {cpu:.1f} s of processors; {int(progress['done'].sum())} of "
            f"{result.total} tasks done"
        )
        print(f"{ASKED} would be {seconds * ASKED / configurations / 60:.1f} minutes at this rate; {MINUTES} are allowed")
        by_learner = progress["seconds_a_run"].groupby(lambda label: label.split(" + ")[-1])
        print("seconds a run, by learner:")
        print(by_learner.agg(["mean", "max"]).round(3).to_string())


def own_and_children():
    """Processor seconds of this process and of its workers that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
