"""Thousands of hostile or odd files, each read as its page reads it: result, time and memory.

    python tests/benchmarks/bench_shapes.py [most files per family, by default all] [seed] [families]

Each file is read in a child process with limits. Seconds are processor time, including all processes that reading starts. A failure
is printed with everything needed to repeat it.
"""

import collections
import ctypes
import dataclasses
import gc
import multiprocessing
import os
import random
import resource
import sys
import time
from pathlib import Path

import hostile_support
import psutil
import pyarrow

SECONDS, MEGABYTES = 10, 1000
LIMIT = 6 * 2**30  # of addresses of a child: beyond it nothing is given
GROWN = 0.2  # of the memory before a dangerous file: what may stay behind
CLASSES = ("right", "asked", "refused", "raw", "wrong", "hang", "memory", "grown")


def child(pipe, every):
    """Read the cases whose numbers arrive. Sends the result of each, with seconds and megabytes."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    gc.freeze()  # what the parent holds is looked at no more
    while True:
        case = every[pipe.recv()]
        case = dataclasses.replace(case, data=case.data() if callable(case.data) else case.data)
        if case.dangerous:
            gc.collect()
        before, began = resident(), sum(os.times()[:4])
        Path("/proc/self/clear_refs").write_text("5")  # Linux keeps the most that a process held, until this reset
        come, more = hostile_support.outcome(case)
        used, most = sum(os.times()[:4]) - began, max(peak() - before, children_peak())
        if case.dangerous:
            del case.__dict__["data"]
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)  # what the C library keeps for the next file is not lost
        pipe.send((come, more, used, most, before, resident()))


def resident():
    """Megabytes."""
    return psutil.Process().memory_info().rss / 1e6


def peak():
    """The largest number of megabytes since the last reset."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1e3


def children_peak():
    """Megabytes of the largest process that this one has started, ever: a child is replaced when this is too much."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3


class Reader:
    """A child process that can be replaced."""

    def __init__(self, every):
        self.process, self.every = None, every

    def __call__(self, number):
        """(what came of it, more, seconds, megabytes)"""
        if self.process is None:
            fork = multiprocessing.get_context("fork")
            self.pipe, other = fork.Pipe()
            self.process = fork.Process(target=child, args=(other, self.every))
            self.process.start()
        self.pipe.send(number)
        began = seconds_of(self.process)
        while not self.pipe.poll(0.5):
            if not self.process.is_alive() or seconds_of(self.process) - began > 6 * SECONDS:
                come = "hang" if self.process.is_alive() else "memory"
                self.end()
                return come, "the process was ended", 6 * SECONDS, 0
        come, more, used, most, before, after = self.pipe.recv()
        description = f"{used:.1f} s, {most:.0f} MB, from {before:.0f} to {after:.0f} MB; {come}: {more}"
        if most > MEGABYTES:
            self.end()
            return "memory", description, used, most
        if used > SECONDS:
            return "hang", description, used, most
        if self.every[number].dangerous and after > (1 + GROWN) * before:
            return "grown", description, used, most
        return come, more, used, most

    def end(self):
        """End the process. The next case has a new one."""
        if self.process is not None:
            self.process.kill()  # it holds both ends of its pipe, so it would wait for ever
            self.process.join()
            self.process = None


def seconds_of(process):
    """Of the processor, of a process that runs and all below it."""
    try:
        running = psutil.Process(process.pid)
        return sum(sum(each.cpu_times()[:4]) for each in [running, *running.children(recursive=True)])
    except psutil.Error:
        return 0


def main(most=10**9, random_state=0, *families):
    if unknown := set(families) - set(hostile_support.FAMILY_QUOTAS):
        sys.exit(f"No families: {', '.join(unknown)}. There are: {', '.join(hostile_support.FAMILY_QUOTAS)}.")
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # as the server does when it is started
    hostile_support.warm()
    every, by_family = list(hostile_support.cases(random_state, only=families)), collections.defaultdict(list)
    for number, case in enumerate(every):
        by_family[case.family].append(number)
    table, failures, read, began = collections.defaultdict(collections.Counter), 0, Reader(every), time.monotonic()
    slowest, largest = (0, ""), (0, "")
    for family, numbers in by_family.items():
        for number in numbers if len(numbers) <= most else random.Random(random_state).sample(numbers, most):
            come, more, used, megabytes = read(number)
            case = every[number]
            table[family][come] += 1
            slowest, largest = max(slowest, (used, str(case))), max(largest, (megabytes, str(case)))
            if come in CLASSES[3:]:
                failures += 1
                print(f"  {come}: {case} seed {random_state}: {more}"[:400], flush=True)
        print(f"{family:22} " + "  ".join(f"{name} {table[family][name]:4}" for name in CLASSES), flush=True)
    read.end()
    files = sum(table.values(), collections.Counter()).total()
    print(f"{files} distinct files in {time.monotonic() - began:.0f} s; {failures} failures")
    print(f"slowest {slowest[0]:.1f} s ({slowest[1]}), most memory {largest[0]:.0f} MB ({largest[1]})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
