"""Benchmarks of this checkout beside those of an earlier commit, in turns on the same machine: every time and its ratio.

Usage: against.py COMMIT [ROUNDS [BENCH ...]], e.g. against.py HEAD~20 3 bench_core bench_study
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = re.compile(r"(\d+(?:\.\d+)?) s\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def timed(checkout, bench):
    """{(line without its numbers, which of its times): seconds} of one run of a benchmark."""
    script = Path(checkout, "tests", "benchmarks", f"{bench}.py")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (checkout, Path(checkout, "tests"))))}
    printed = subprocess.run(
        [sys.executable, str(script)], cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    title, times = "", {}
    for line in printed.splitlines():
        seconds = SECONDS.findall(line)
        if not seconds:
            title = line.strip() or title
        settings, colon, _ = line.partition(":")  # what a row is of; its numbers are settings, not measurements
        name = settings if colon and not SECONDS.search(settings) else NUMBER.sub("#", line)
        times |= {(title, name.strip(), i): float(value) for i, value in enumerate(seconds)}
    return times


def main():
    commit, rounds, benches = sys.argv[1], int((sys.argv[2:3] or [3])[0]), sys.argv[3:] or ["bench_core", "bench_study"]
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder, "earlier")
        subprocess.run(["git", "worktree", "add", "--detach", str(earlier), commit], cwd=ROOT, check=True, capture_output=True)
        try:
            for bench in benches:
                compared(bench, earlier, rounds)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(earlier)], cwd=ROOT, check=True)


def compared(bench, earlier, rounds):
    """Print the median of each time at both commits, the rounds in turns, and the ratio (above 1: slower now)."""
    found = defaultdict(lambda: ([], []))
    for _ in range(rounds):
        for which, checkout in enumerate((earlier, ROOT)):
            for name, seconds in timed(checkout, bench).items():
                found[name][which].append(seconds)
    print(f"{bench}: median of {rounds} rounds; before, now, now/before (range of the rounds' ratios)")
    for (title, name, i), (before, now) in found.items():
        if not before or not now:
            print(f"  only {'before' if before else 'now'}: {title} {name}")
            continue
        ratios = [new / old for old, new in zip(before, now) if old]
        before, now = statistics.median(before), statistics.median(now)
        told = f"{now / before:5.2f}× ({min(ratios):.2f}–{max(ratios):.2f})" if ratios else ""
        print(f"  {title[:45]:45} {name[:60]:60} [{i}] {before:8.3f} {now:8.3f} {told}", flush=True)


if __name__ == "__main__":
    main()
