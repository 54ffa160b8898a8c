"""The screens in a real Chromium: first picture, and from a key on a slider to the redrawn figure.

Medians of several. Seconds of the clock say something on a machine that does nothing else; those of the processor always.
    python tests/benchmarks/bench_screens.py [first|keys|links]
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
from browser_support import CARD, person
from links_support import apart, link, shown

import stabcore as sc
from pages.workspace.project import Project

GOAL = "goal: 2.5 s on a fresh server, 1 s afterwards"
RESTS = 0.02  # seconds of the processor in a quarter of a second: less, and a server has done what it began with


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
        if now - before < RESTS:
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

KEYS = (  # (screen and what is open there, slider, key)
    ("whatif?", "Set threshold |ρ|", "ArrowRight"),
    ("similarity?", "Set threshold |ρ|", "ArrowRight"),
    ("panel?", "Set threshold (% of runs)", "ArrowLeft"),
    ("feature_count?", "Set features per run", "ArrowRight"),
    ("maps?map=importance&", "Set number of separate features", "ArrowLeft"),
)


def large(home, d=10_000, k=500):
    """Id of a project with a study of 8 selectors on a made-up table."""
    os.environ["STABILITY_HOME"] = home
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 51)
    frame = pd.DataFrame(rng.normal(size=(102, d)) + y[:, None] * np.linspace(1, 0, d), columns=[f"gene{i}" for i in range(d)])
    project = Project.create()
    name = project.keep("made.csv", frame.assign(outcome=np.where(y, "sick", "well")).to_csv(index=False).encode())
    data, roles = sc.Dataset.from_file(project.folder / name, target="outcome"), {"target": "outcome", "exclude": []}
    project.save(kind="table", name=f"{d} features", table=name, roles=roles, store="study.stab")
    study = sc.Study(data, SELECTORS, plan=sc.ComplementaryPairs(25), k=k, classifier="none", n_permutations=0)
    study.run(store=project.folder / "study.stab", n_jobs=2)
    return project.id


def keys():
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        for name, work in (("d = 130", bundled(home)), ("d = 10 000", large(home))):
            for screen, slider, key in KEYS:
                page = browser.new_page(viewport={"width": 1280, "height": 2200})
                page.set_default_timeout(120_000)
                page.add_init_script(LISTEN)
                page.goto(f"{server.url}/{screen}id={work}")
                page.locator(".js-plotly-plot .main-svg").first.wait_for()
                page.wait_for_timeout(3000)
                if screen.startswith("maps"):
                    page.get_by_role("button", name="More settings").click()
                total, drawing, size = redrawn(page, step(page, slider, key), 0)
                print(f"{name}, {screen} {slider}: {total:.2f} s, {drawing:.2f} s of it in the browser, {size:.0f} KB", flush=True)
                page.close()


# ---- from the address of a link to its last number ----

# Before anything of the page: when words or figures of the screen changed last, in ms since the address was asked for.
WATCH = """
window.changed = 0;
new MutationObserver(all => {
  const main = document.querySelector('[data-testid=stMain]');
  const inside = all.map(one => one.target).filter(one => main?.contains(one));
  if (inside.some(one => !(one.closest ? one : one.parentElement)?.closest('canvas'))) window.changed = performance.now();
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


def links(allowed=3000):
    """ms from a link to the last number, in a browser that was never here."""
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        work, page = bundled(home), person(browser, viewport={"width": 1280, "height": 3000}).new_page()
        page.set_default_timeout(120_000)
        for screen in dict.fromkeys(screen for screen, *_ in KEYS):
            page.goto(f"{server.url}/{screen}id={work}")
            seen, address = shown(page), link(page)
            viewer = person(browser, viewport={"width": 1280, "height": 3000}).new_page()
            viewer.add_init_script(WATCH)
            viewer.goto(address, wait_until="commit")
            same, ms = not apart(seen, shown(viewer)), viewer.evaluate("() => window.changed")
            print(f"a link to {screen} {ms:.0f} ms, {allowed} are allowed; {'the same' if same else 'OTHER'} numbers", flush=True)
            viewer.context.close()


PARTS = {"first": first, "keys": keys, "links": links}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
