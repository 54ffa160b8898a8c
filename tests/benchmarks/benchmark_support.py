"""What benchmarks share: seconds, memory, a line of a report, and made-up runs and relations."""

import os
import statistics
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
    from browser_support import Server, chromium
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        server, browser = Server(Path(home)).start(), chromium(playwright)
        try:
            yield browser, server
        finally:
            browser.close()
            server.stop()


# When what arrived (bytes), and when which figure was drawn; before the page opens its connection.
LISTEN = """
window.got = [];
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {
  constructor(...how) {
    super(...how);
    this.addEventListener('message', e => window.got.push([performance.now(), e.data.byteLength ?? e.data.size ?? e.data.length]));
  }
};"""
# Streamlit puts another element in the place of a figure that changed; the last change inside of it is the end of its drawing.
WATCH = """i => {
  const at = () => document.querySelectorAll('.js-plotly-plot')[i], before = at();
  window.drawn = [];
  window.eye?.disconnect();
  window.eye = new MutationObserver(changes => {
    const now = at();
    if (now && now !== before && changes.some(one => now.contains(one.target))) window.drawn.push(performance.now());
  });
  window.eye.observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def redrawn(page, act, figure):
    """(seconds from an action to the redrawn figure, of these after its data arrived, KB received), medians of seven."""
    found = []
    for _ in range(7):
        page.wait_for_timeout(600)
        page.evaluate(WATCH, figure)
        start = page.evaluate("() => { window.got = []; return performance.now() }")
        act()
        page.wait_for_function("() => window.drawn.length > 0")
        page.wait_for_function(IDLE)
        page.wait_for_timeout(600)
        got, drawn = page.evaluate("() => [window.got, window.drawn]")
        arrived = max((one for one in got if one[0] < drawn[-1]), key=lambda one: one[1])
        found.append(((drawn[-1] - start) / 1000, (drawn[-1] - arrived[0]) / 1000, sum(size for _, size in got) / 1000))
    return [statistics.median(column) for column in zip(*found)]


def step(page, label, key="ArrowRight"):
    """An action: one step on a slider, each time to a place where it was not before, for what was sent once is kept."""
    slider = page.get_by_role("slider", name=label).first

    def act():
        slider.focus()
        page.keyboard.press(key)

    return act


SELECTORS = {
    "mim": "mim",
    "mim, 3 bins": ("mim", {"bins": 3}),
    "mim, 10 bins": ("mim", {"bins": 10}),
    "welch_t": "welch_t",
    "anova_f": "anova_f",
    "auc": "auc",
    "variance": "variance",
    "random": "random",
}


def bundled(home):
    """Id of a workspace with a bundled study of 130 features and 8 selectors, M = 50, and its groups."""
    import stabcore as sc
    from pages.workspace.project import Project
    from pages.workspace.samples import samples
    from stabcore.io.feature_sets import read_sets

    os.environ["STABILITY_HOME"] = home
    one = next(one for one in samples() if one.key == "alzheimer_ad")
    made = Project.create()
    made.save(
        kind="sample",
        sample=one.key,
        name=one.about["title"],
        roles=one.roles,
        scenario={"base": "groups", "groups": read_sets(one.groups, None, sc.open_study(one.store).features).sets},
    )
    return made.id
