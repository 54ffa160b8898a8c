"""A study of 8 selectors × 50 runs on the bundled Alzheimer table: with one and two workers, cancelled, and continued."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import stabcore as sc
from stabcore.study.store import Store

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = ROOT / "sample_data" / "alzheimer_ad.toml"


def command(store, workers):
    line = [sys.executable, "-m", "stabcore", "run", str(SETTINGS), "--store", str(store), "--n-jobs", str(workers)]
    return subprocess.Popen(line, cwd=ROOT, stderr=subprocess.DEVNULL)


def main():
    with tempfile.TemporaryDirectory() as folder:
        seconds = {}
        for workers in (1, 2):
            start = time.perf_counter()
            command(Path(folder, f"{workers}.stab"), workers).wait()
            seconds[workers] = time.perf_counter() - start
        one, two = (sc.open_study(Path(folder, f"{workers}.stab")) for workers in (1, 2))
        print(
            f"8 selectors × 50 runs, 333 × 130: one worker {seconds[1]:.1f} s, two {seconds[2]:.1f} s "
            f"({seconds[1] / seconds[2]:.2f}×, {os.cpu_count()} cores); same digest: {one.digest() == two.digest()}"
        )
        print(two.progress()[["seconds_a_run"]].round(3).to_string())
        work = two.progress()["seconds_a_run"].sum() * 50
        print(f"work in tasks {work:.1f} s; everything else {2 * seconds[2] - work:.1f} s of {2 * seconds[2]:.1f} worker seconds")

        store = Path(folder, "cancelled.stab")
        process = command(store, 2)
        while not store.exists() or len(Store(store).finished()) < 20:
            time.sleep(0.1)
        Path(f"{store}.cancel").touch()
        start = time.perf_counter()
        process.wait()
        done = len(Store(store).finished())
        print(f"cancelled with {done} of 400 done: ended {time.perf_counter() - start:.2f} s after being asked")
        start = time.perf_counter()
        command(store, 2).wait()
        print(f"continued: {time.perf_counter() - start:.1f} s; same digest: {sc.open_study(store).digest() == two.digest()}")


if __name__ == "__main__":
    main()
