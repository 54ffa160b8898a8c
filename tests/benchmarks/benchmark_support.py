"""What benchmarks share: seconds, memory, a line of a report, and made-up runs and relations."""

import statistics
import sys
import time
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array, csr_array

import stabcore as sc

IDLE = "() => !document.querySelector('[data-testid=\"stStatusWidget\"]')"  # a page that waits for nothing


# ---- what a call takes ----


def timed(work, clock=time.perf_counter):
    """(seconds, the answer)"""
    start = clock()
    answer = work()
    return clock() - start, answer


def fastest(work, times=3, clock=time.process_time):
    """(fewest seconds of the processor, which other work on the machine disturbs less than the clock; the answer)"""
    found = [timed(work, clock) for _ in range(times)]
    return min(seconds for seconds, _ in found), found[-1][1]


def best(work, times=3, clock=time.process_time):
    """Fewest seconds of several calls."""
    return fastest(work, times, clock)[0]


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


def line(name, seconds, target=None, more=""):
    verdict = "" if target is None else f"  target {target:g} s: {'met' if seconds <= target else 'MISSED'}"
    print(f"  {name:58} {seconds:8.3f} s{verdict} {more}", flush=True)


# ---- runs and relations ----


def runs_of(M, d, k, random_state=0):
    """M runs of k features out of d, by chance alone."""
    rng = np.random.default_rng(random_state)
    return sc.Selections.from_lists([rng.choice(d, k, replace=False) for _ in range(M)], n_features=d)


def sparse(d, each, random_state=1):
    """A relation in which every feature is related to about `each` others, by 0.5 to 1."""
    rng = np.random.default_rng(random_state)
    i, j = rng.integers(0, d, (2, d * each // 2))
    low, high = np.minimum(i, j)[i != j], np.maximum(i, j)[i != j]
    at = np.unique(low * d + high)
    C = coo_array((rng.uniform(0.5, 1, len(at)), (at // d, at % d)), shape=(d, d)).tocsr()
    return sc.Similarity(d, extra=csr_array(C + C.T))


def groups(d, size=11, random_state=1):
    """A relation of groups of one size."""
    return sc.Similarity(d, None, np.random.default_rng(random_state).permutation(d) // size, tuple(map(str, range(-(-d // size)))))


# ---- the app in a browser ----


@contextmanager
def app_in_browser(home):
    """(a Chromium, the server of the app), as the tests start them."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from browser_support import Server, chromium
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        server, browser = Server(Path(home)).start(), chromium(playwright)
        try:
            yield browser, server
        finally:
            browser.close()
            server.stop()
