"""What benchmarks share: seconds and memory of a call, and made-up similarities."""

import statistics
import time
import tracemalloc

import numpy as np
from scipy.sparse import coo_array, csr_array

import stabcore as sc


def timed(work, clock=time.perf_counter):
    """(seconds, the answer)"""
    start = clock()
    answer = work()
    return clock() - start, answer


def fastest(work, times=3, clock=time.process_time):
    """(fewest seconds of the processor, which other work on the machine disturbs less than the clock; the answer)"""
    found = [timed(work, clock) for _ in range(times)]
    return min(seconds for seconds, _ in found), found[-1][1]


def best(work, times=3):
    """Fewest seconds of several calls."""
    return fastest(work, times)[0]


def median(work, times=5):
    """Median seconds of a call, after one warm-up."""
    work()
    return statistics.median(timed(work)[0] for _ in range(times))


def peak(work):
    """The most memory in MB that Python held during a call."""
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return found


def sparse(d, each):
    """A similarity in which every feature is similar to about `each` others, by 0.5 to 1."""
    rng = np.random.default_rng(1)
    i, j = rng.integers(0, d, (2, d * each // 2))
    low, high = np.minimum(i, j)[i != j], np.maximum(i, j)[i != j]
    at = np.unique(low * d + high)
    C = coo_array((rng.uniform(0.5, 1, len(at)), (at // d, at % d)), shape=(d, d)).tocsr()
    return sc.Similarity(d, extra=csr_array(C + C.T))


def groups(d, size=11):
    """A similarity of groups of one size."""
    labels = np.random.default_rng(1).permutation(d) // size
    return sc.Similarity(d, None, labels, tuple(map(str, range(-(-d // size)))))
