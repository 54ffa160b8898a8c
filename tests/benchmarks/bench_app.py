"""The app: first picture and redrawn figures in a Chromium, many people at once, and memory that sessions leave behind.

    python tests/benchmarks/bench_app.py [first|keys|people|sessions]

Seconds of the clock say something on a machine that does nothing else. Many people speak to the server as browsers do, over
websockets, but draw nothing. Their screen asks by itself every few seconds whether something changed.
"""

import asyncio
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil
from browser_support import CARD, Server, chromium, settled
from page_support import PAGES
from playwright.sync_api import sync_playwright
from project_support import patients, sample, studied, study_file

import stabcore as sc
from stabcore.io.feature_sets import read_sets

LASTS = 40  # seconds of a measurement of many people
SESSIONS, SWITCHES, LEAK = 400, 200, 20  # so many sessions and page switches may leave so many megabytes behind
KEPT = 128  # closed sessions that Streamlit keeps, so that a tab comes back after a break of the line
FIGURE = ".js-plotly-plot .main-svg"
KEYS = (  # (screen and what is open there, slider, key)
    ("whatif?", "Set threshold |ρ|", "ArrowRight"),
    ("similarity?", "Set threshold |ρ|", "ArrowRight"),
    ("panel?", "Set threshold (% of runs)", "ArrowLeft"),
    ("feature_count?", "Set features per run", "ArrowRight"),
    ("maps?map=importance&", "Set number of separate features", "ArrowLeft"),
)


@contextmanager
def app(**how):
    """The server of the app in a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["STABILITY_HOME"] = home
        server = Server(Path(home), **how).start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def app_in_browser():
    """The server, and a Chromium."""
    with app() as server, sync_playwright() as playwright:
        browser = chromium(playwright)
        yield server, browser
        browser.close()


def bundled():
    """Id of a project with a bundled study of 130 features and 8 selectors in 50 runs, and its groups."""
    project = sample(CARD)
    groups = read_sets(project.sample.groups, None, sc.open_study(project.sample.store).features).sets
    project.save(scenario={"base": "groups", "groups": groups})
    return project.id


def large(folder, d=10_000):
    """Id of a project with a study of three selectors of a table with many features."""
    frame = patients([f"gene{i}" for i in range(d)], 100)
    selectors = ["mim", "welch_t", "anova_f"]
    file = study_file(folder / "large.stab", frame, selectors, sc.ComplementaryPairs(25), k=500)
    return studied(file, frame, scenario={"base": "correlation", "groups": {}}).id


# ---- in a browser ----


def first():
    """Seconds from the click on a bundled study to its first figure, on a server just started and afterwards."""
    print("first picture: the goal is 2.5 s on a server just started, 1 s afterwards")
    with app_in_browser() as (server, browser):
        for what in ("just started", "afterwards", "afterwards, in another browser"):
            page = browser.new_context().new_page()
            page.set_default_timeout(120_000)
            page.goto(server.url)
            button = page.locator(f".st-key-open-{CARD} button")
            button.wait_for()
            start = time.perf_counter()
            button.click()
            page.locator(FIGURE).first.wait_for()
            print(f"  {what}: {time.perf_counter() - start:.2f} s", flush=True)


def keys():
    """Median seconds from a key on a slider to the last change of the page."""
    with app_in_browser() as (server, browser):
        for name, work in (("d = 10 000", large(server.home)), ("d = 130", bundled())):
            for screen, label, key in KEYS:
                page, found = browser.new_page(viewport={"width": 1280, "height": 2200}), []
                page.set_default_timeout(120_000)
                page.goto(f"{server.url}/{screen}id={work}")
                page.get_by_role("heading").first.wait_for()
                settled(page)
                if screen.startswith("maps"):
                    page.get_by_role("button", name="More settings").click()
                for _ in range(7):  # each time to a place where the slider was not before, for what was sent once is kept
                    page.get_by_role("slider", name=label).first.focus()
                    start = page.evaluate("() => performance.now()")
                    page.keyboard.press(key)
                    settled(page)
                    found.append((page.evaluate("() => window.watched.changed") - start) / 1000)
                print(f"  {name}, {screen} {label}: {statistics.median(found):.2f} s", flush=True)
                page.close()


# ---- many people ----


class Person:
    """One browser tab."""

    def __init__(self, server, work):
        self.url, self.query = f"ws://127.0.0.1:{server.port}/_stcore/stream", f"id={work}"
        self.slider = self.fragment = self.page = None
        self.looks, self.one_at_a_time = {}, asyncio.Lock()

    async def come(self, page="whatif"):
        """Open a screen."""
        import websockets

        self.line = await websockets.connect(self.url, subprotocols=["streamlit"], max_size=None)
        await self.ask(page_name=page)

    async def move(self, threshold):
        """Move the slider of What if; seconds until all is drawn anew."""
        return await self.ask(threshold, fragment_id=self.fragment, page_script_hash=self.page)

    async def look(self):
        """What the screen asks by itself, every few seconds, as the server told it."""
        while True:
            await asyncio.sleep(0.25)
            for fragment, (seconds, last) in list(self.looks.items()):
                if time.monotonic() - last > seconds and fragment in self.looks:
                    self.looks[fragment] = seconds, time.monotonic()
                    await self.ask(fragment_id=fragment, page_script_hash=self.page, is_auto_rerun=True)

    async def ask(self, threshold=None, **asked):
        """Seconds of one rerun, to its end."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        start = time.perf_counter()
        async with self.one_at_a_time, asyncio.timeout(60):
            message = BackMsg()
            message.rerun_script.query_string = self.query
            for name, value in asked.items():
                setattr(message.rerun_script, name, value)
            if threshold is not None:
                widget = message.rerun_script.widget_states.widgets.add(id=self.slider)
                widget.double_array_value.data.append(threshold)
            await self.line.send(message.SerializeToString())
            await self._finished()
        return time.perf_counter() - start

    async def _finished(self):
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        while True:
            told = ForwardMsg.FromString(await self.line.recv())
            kind = told.WhichOneof("type")
            if kind == "navigation":
                self.page = told.navigation.page_script_hash
            elif kind == "auto_rerun":
                self.looks[told.auto_rerun.fragment_id] = told.auto_rerun.interval, time.monotonic()
            elif kind == "stop_auto_rerun":
                self.looks.clear()
            elif kind == "delta" and told.delta.new_element.slider.label.startswith("Set threshold"):
                self.slider, self.fragment = told.delta.new_element.slider.id, told.delta.fragment_id
            elif kind == "script_finished" and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return


async def day(server, works, low, high):
    """Seconds of all answers of people who move the threshold every low to high seconds."""
    chance, people = random.Random(1), [Person(server, work) for work in works]
    await asyncio.gather(*(one.come() for one in people))
    await asyncio.gather(*(one.move(0.33) for one in people))  # the first change of each is not counted
    looks = [asyncio.ensure_future(one.look()) for one in people]
    until, seconds = time.monotonic() + LASTS, []

    async def live(one):
        await asyncio.sleep(chance.uniform(0, high))
        while time.monotonic() < until:
            took = await one.move(chance.randrange(20, 90) / 100)
            seconds.append(took)
            await asyncio.sleep(max(0, chance.uniform(low, high) - took))

    await asyncio.gather(*map(live, people))
    for task in looks:
        task.cancel()
    await asyncio.gather(*looks, return_exceptions=True)
    return seconds


def megabytes(server):
    """Resident memory of the server."""
    own = psutil.Process(server.process.pid)
    return sum(one.memory_info().rss for one in (own, *own.children(recursive=True))) / 1e6


def people():
    """Seconds until the answer for 1, 5 and 20 people on What if, as `feature-stability` serves them."""
    print("many people: the goal for 20, one threshold every 3 to 7 s, on 2 cores, is p95 ≤ 1.5 s and ≤ 1000 MB")
    command = (sys.executable, "-m", "pages.server.launch", "--no-browser")
    for number, (low, high) in itertools.product((1, 5, 20), ((3, 7), (1, 1))):
        with app(port="--port", command=command, PYTHONPATH=os.pathsep.join(sys.path)) as server:
            seconds = asyncio.run(day(server, [bundled() for _ in range(number)], low, high))
            p50, p95 = np.quantile(seconds, [0.5, 0.95])
            print(
                f"  {number:3} people, every {low} to {high} s: p50 {p50:.2f} s, p95 {p95:.2f} s, {len(seconds):4} answers, "
                f"{megabytes(server):.0f} MB, load {os.getloadavg()[0]:.0f}",
                flush=True,
            )


async def comes_and_goes(server, work, times):
    """So many sessions, one after another, each on another page."""
    for page in itertools.islice(itertools.cycle(PAGES), times):
        person = Person(server, work)
        await person.come(page)
        await person.line.close()


async def turns(server, work, times):
    """One session that goes from page to page."""
    person = Person(server, work)
    await person.come("stability")
    for page in itertools.islice(itertools.cycle(PAGES), times):
        await person.ask(page_name=page)
    await person.line.close()


async def left_behind(server, work):
    """Megabytes that stay behind once every page was seen, and as many sessions have closed as Streamlit keeps."""
    await turns(server, work, 2 * len(PAGES))
    await comes_and_goes(server, work, KEPT + 2 * len(PAGES))
    first = megabytes(server)
    for what, do, times in (("page switches", turns, SWITCHES), ("sessions", comes_and_goes, SESSIONS)):
        await do(server, work, times)
        print(f"  {times} {what}: {megabytes(server) - first:+.1f} MB", flush=True)
    return megabytes(server) - first


def sessions():
    """Memory that sessions leave behind."""
    with app() as server:
        grown = asyncio.run(left_behind(server, bundled()))
    print(f"  sessions left {grown:.1f} MB behind, {'met' if grown < LEAK else 'MISSED'} (less than {LEAK} MB)")


PARTS = {"first": first, "keys": keys, "people": people, "sessions": sessions}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
