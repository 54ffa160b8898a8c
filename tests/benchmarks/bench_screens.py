"""The screens in a real Chromium: first picture, and from a key to the redrawn figures of Maps, Panel, Groups & C and Profiles.

Medians of several. Seconds of the clock say something on a machine that does nothing else; those of the processor always.
    python tests/benchmarks/bench_screens.py [first|maps|panel|numbers …]
"""

import os
import statistics
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import psutil
from benchmark_support import LISTEN, SELECTORS, app_in_browser, bundled, redrawn, step
from browser_support import CARD

import stabcore as sc
from pages.workspace.project import Project

GOAL = "goal: 2.5 s on a fresh server, 1 s afterwards"
BUSY = 0.02  # seconds of the processor in a quarter of a second: less, and a server has done what it began with


def spent(pid) -> float:
    """Seconds of the processor, of a process and all below it."""
    every = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    return sum(sum(one.cpu_times()[:2]) for one in every)


def at_rest(server):
    """Until the server has loaded what it loads while somebody reads Start."""
    before = spent(server.process.pid)
    while True:
        time.sleep(0.25)
        now = spent(server.process.pid)
        if now - before < BUSY:
            return
        before = now


def first_picture(where, server, read=False):
    """((seconds from the click on a bundled study to its first drawn figure, of them of the server's processor, of the browser's),
    the page). where: the browser, which knows the scripts or was never here; read: is Start read before the click?
    """
    page = where.new_page()
    page.set_default_timeout(120_000)
    page.goto(server.url)
    button = page.locator(f".st-key-open-{CARD} button")
    button.wait_for()
    if read:
        at_rest(server)
    of_server, of_all, start = spent(server.process.pid), spent(psutil.Process().pid), time.perf_counter()
    button.click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    seconds, served = time.perf_counter() - start, spent(server.process.pid) - of_server
    return (seconds, served, spent(psutil.Process().pid) - of_all - served), page


def closed(where, server):
    """As first_picture, of a page that is closed again."""
    numbers, page = first_picture(where, server)
    page.close()
    return numbers


def told(what, numbers):
    print(
        f"first picture of a bundled study (d = 130), {what}: {numbers[0]:.2f} s; of the processor {numbers[1]:.2f} s in the "
        f"server, {numbers[2]:.2f} s in the browser",
        flush=True,
    )


def first():
    print(GOAL)
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        told("clicked at once on a server just started", first_picture(browser.new_context(), server)[0])
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        numbers, page = first_picture(browser.new_context(), server, read=True)
        told("clicked when Start was read", numbers)
        for what, where in (("in browsers that were never here", browser.new_context), ("in the same", lambda: page.context)):
            told(f"afterwards, {what}", [statistics.median(column) for column in zip(*(closed(where(), server) for _ in range(3)))])


# ---- from a key to the redrawn figure ----


def study(home, d, k, selectors=("mim",), plan=None):
    """Id of a project with a study on a made-up table."""
    os.environ["STABILITY_HOME"] = home
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 51)
    frame = pd.DataFrame(rng.normal(size=(102, d)) + y[:, None] * np.linspace(1, 0, d), columns=[f"gene{i}" for i in range(d)])
    project = Project.create()
    name = project.keep("made.csv", frame.assign(outcome=np.where(y, "sick", "well")).to_csv(index=False).encode())
    data = sc.Dataset.from_file(project.folder / name, target="outcome")
    roles = {"target": "outcome", "exclude": []}
    project.save(kind="table", name=f"{d} features", table=name, roles=roles, store="study.stab")
    sc.Study(data, selectors, plan=plan or sc.Subsample(100), k=k, classifier="none", n_permutations=0).run(
        store=project.folder / "study.stab", n_jobs=2
    )
    return project.id


def opened(browser, server, address, figures=1):
    page = browser.new_page(viewport={"width": 1280, "height": 2200})
    page.set_default_timeout(120_000)
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}/{address}")
    page.locator(".js-plotly-plot .main-svg").nth(figures - 1).wait_for()
    page.wait_for_timeout(3000)
    return page


def moved(what, page, slider, figure=0, key="ArrowRight", goal=""):
    total, drawing, size = redrawn(page, step(page, slider, key), figure)
    print(f"{what}: {total:.2f} s to the redrawn figure{goal}, {drawing:.2f} s of it in the browser, {size:.0f} KB", flush=True)


def maps():
    places, pieces = "Places in the order", "Features drawn one by one"
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        large, small = study(home, 10_000, 3000), study(home, 50, 45)
        moved("grid 100 × all of 10 000 features that were selected", opened(browser, server, f"maps?id={large}", 2), places)
        moved("rectangles 100 × 41 to 47", opened(browser, server, f"maps?id={small}", 2), pieces, 1)
        page = opened(browser, server, f"maps?id={large}", 2)
        step(page, pieces, "End")()
        page.wait_for_timeout(3000)
        moved("rectangles beyond 5000 segments", page, pieces, 1, "ArrowLeft")


def panel():
    k = "Features selected in every run"
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        wide = study(home, 12_600, 20, SELECTORS, sc.ComplementaryPairs(25))
        for d, identity, goal in ((130, bundled(home), " (0.3 s asked)"), (12_600, wide, " (1 s asked)")):
            for section in ("panel", "together"):
                page = opened(browser, server, f"panel?id={identity}&panel={section}&other-k=1")
                moved(f"d = {d:,}, {section}: threshold", page, "Least share", key="ArrowLeft", goal=goal)
                if section == "panel":
                    moved(f"d = {d:,}, {section}: k", page, k, goal=goal)
                page.close()


def numbers():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        identity = bundled(home)
        for address, slider in (
            (f"groups?id={identity}", "Stand for each other"),
            (f"profiles?id={identity}", "Number of selected"),
        ):
            moved(address.partition("?")[0], opened(browser, server, address), slider)


PARTS = {"first": first, "maps": maps, "panel": panel, "numbers": numbers}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
