"""Thousands of hostile or odd files, each through the door of its page: what came of them, in which time, in how much memory?

python tests/benchmarks/bench_shapes.py [of each family at most, all unless told] [seed] [families]. Each file is read in a child
process with limits; SECONDS are those of the processor, with all that the door starts. A failure is printed with what it takes to
see it again.
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

import psutil
import pyarrow

SECONDS, MEGABYTES = 10, 1000
SLOW = 5  # seconds of the processor that are told, though they are no failure yet
LIMIT = 6 * 2**30  # of addresses of a child: beyond it nothing is given
GROWN = 0.2  # of the memory before a dangerous file: what may stay behind
CLASSES = ("right", "asked", "refused", "raw", "wrong", "hang", "memory", "grown")


def child(pipe, every):
    """Read the cases whose numbers are sent, one after another; sends what came of each, its seconds and megabytes."""
    import hostile_support

    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    gc.freeze()  # what the parent holds is looked at no more
    while True:
        case = every[pipe.recv()]
        case = dataclasses.replace(case, data=case.data() if callable(case.data) else case.data)
        if case.dangerous:
            gc.collect()
        before, began = resident(), seconds()
        forget_peak()
        come, more = hostile_support.outcome(case)
        used, most = seconds() - began, max(peak() - before, children_peak())
        if case.dangerous:
            del case.__dict__["data"]
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)  # what the C library keeps for the next file is not lost
        pipe.send((come, more, used, most, before, resident()))


def seconds():
    """Of the processor, with children that have ended."""
    return sum(os.times()[:4])


def resident():
    """Megabytes."""
    return psutil.Process().memory_info().rss / 1e6


def forget_peak():
    """Linux keeps the most that a process held, until it is told to begin anew."""
    Path("/proc/self/clear_refs").write_text("5")


def peak():
    """The most megabytes since then."""
    return next(
        int(line.split()[1]) / 1e3 for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )


def children_peak():
    """Of the largest process that this one has started, ever: a child is replaced when this is too much."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3


class Reader:
    """A child process that can be replaced."""

    def __init__(self, every):
        self.process, self.every = None, every

    def __call__(self, number):
        """(what came of it, more, seconds, megabytes)"""
        case = self.every[number]
        if self.process is None:
            self.pipe, other = multiprocessing.get_context("fork").Pipe()
            self.process = multiprocessing.get_context("fork").Process(target=child, args=(other, self.every))
            self.process.start()
        self.pipe.send(number)
        began = seconds_of(self.process)
        while not self.pipe.poll(0.5):
            if not self.process.is_alive():
                self.end()
                return "memory", "the process was ended", 0, 0
            if seconds_of(self.process) - began > 6 * SECONDS:
                self.end()
                return "hang", f"over {6 * SECONDS} s", 6 * SECONDS, 0
        come, more, used, most, before, after = self.pipe.recv()
        if most > MEGABYTES:
            come, more = "memory", f"{most:.0f} MB; {come}: {more}"
            self.end()
        elif used > SECONDS:
            come, more = "hang", f"{used:.1f} s; {come}: {more}"
        elif case.dangerous and after > (1 + GROWN) * before:
            come, more = "grown", f"{before:.0f} to {after:.0f} MB; {come}: {more}"
        return come, more, used, most

    def end(self):
        """End it; the next case has a new one."""
        if self.process is not None:
            self.process.kill()  # it holds both ends of its pipe, so it would wait for ever
            self.process.join()
            self.process = None


def seconds_of(process):
    """Of the processor, of a process that runs and all below it."""
    try:
        one = psutil.Process(process.pid)
        return sum(sum(each.cpu_times()[:4]) for each in [one, *one.children(recursive=True)])
    except psutil.Error:
        return 0


def main(most=10**9, random_state=0, *families):
    import hostile_support

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # as the server does when it is started
    hostile_support.warm()
    every, by_family = list(hostile_support.cases(random_state, only=families)), collections.defaultdict(list)
    for number, case in enumerate(every):
        by_family[case.family].append(number)
    table, failures, read, began = collections.defaultdict(collections.Counter), [], Reader(every), time.monotonic()
    total, slowest, largest = 0, (0, ""), (0, "")
    if unknown := set(families) - set(hostile_support.FAMILY_QUOTAS):
        sys.exit(f"No families: {', '.join(unknown)}. There are: {', '.join(hostile_support.FAMILY_QUOTAS)}.")
    for family, own in by_family.items():
        for number in own if len(own) <= most else random.Random(random_state).sample(own, most):
            come, more, used, megabytes = read(number)
            case = every[number]
            table[family][come] += 1
            total, slowest, largest = total + 1, max(slowest, (used, str(case))), max(largest, (megabytes, str(case)))
            if used > SLOW:
                print(f"  slow: {case}: {used:.1f} s, {come}", flush=True)
            if come in CLASSES[3:]:
                failures.append(f"{come}: {case} seed {random_state}: {more}")
                print(f"  {failures[-1][:400]}", flush=True)
        print(f"{family:22} " + "  ".join(f"{name} {table[family][name]:4}" for name in CLASSES), flush=True)
    read.end()
    whole = sum(table.values(), collections.Counter())
    print(f"{'all':22} " + "  ".join(f"{name} {whole[name]:4}" for name in CLASSES))
    print(
        f"{total} distinct files in {time.monotonic() - began:.0f} s; slowest {slowest[0]:.1f} s ({slowest[1]}), most memory "
        f"{largest[0]:.0f} MB ({largest[1]})"
    )
    print(f"{len(failures)} failures")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
