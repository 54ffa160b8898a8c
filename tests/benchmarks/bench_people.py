"""Many people at once on What if, and sessions that come and go: seconds until the answer, CPU of each, memory of the server.

Usage: bench_people.py [people|class|sessions …]. People speak to the server as browsers do, over websockets, but draw nothing;
the screen asks by itself every few seconds whether something changed. A class has thirty pages of a real Chromium. The toolkit
keeps the last 128 closed sessions for a while, so that a tab comes back after a break of the line: as many have been there before
memory is looked at.
"""

import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from benchmark_support import app_in_browser, bundled, line
from browser_support import Server, in_class
from page_support import PAGES
from playwright.sync_api import expect

LASTS = 40  # seconds of each measurement
GOAL = "goal for 20 people, one threshold every 3 to 7 s, on 2 cores: p95 ≤ 1.5 s, ≤ 1000 MB"
SESSIONS, SWITCHES, LEAK = 400, 200, 20  # so many sessions and page switches may leave so many megabytes behind
KEPT, PARTS = 128, 4  # closed sessions that the toolkit keeps; memory is told so many times


class Person:
    """One browser tab on What if."""

    def __init__(self, server, work):
        self.url, self.query = f"ws://127.0.0.1:{server.port}/_stcore/stream", f"id={work}"
        self.slider = self.fragment = self.page = None
        self.looks, self.one_at_a_time = {}, asyncio.Lock()

    async def come(self, page="whatif"):
        """Open a screen; seconds until it is there."""
        import websockets

        self.line = await websockets.connect(self.url, subprotocols=["streamlit"], max_size=None)
        return await self.ask(page_name=page)

    async def move(self, threshold):
        """Move the slider; seconds until all is drawn anew."""
        return await self.ask(
            {"id": self.slider, "double_array_value": {"data": [threshold]}}, fragment_id=self.fragment, page_script_hash=self.page
        )

    async def look(self):
        """What the screen asks by itself, every few seconds, as the server told it."""
        while True:
            await asyncio.sleep(0.25)
            for fragment, (seconds, last) in list(self.looks.items()):
                if time.monotonic() - last > seconds and fragment in self.looks:
                    self.looks[fragment] = seconds, time.monotonic()
                    await self.ask(fragment_id=fragment, page_script_hash=self.page, is_auto_rerun=True)

    async def ask(self, *widgets, **asked):
        """One rerun, to its end."""
        from streamlit.proto.BackMsg_pb2 import BackMsg

        start = time.perf_counter()
        async with self.one_at_a_time, asyncio.timeout(60):
            message = BackMsg()
            state = message.rerun_script
            state.query_string = self.query
            for name, value in asked.items():
                setattr(state, name, value)
            for told in widgets:
                widget = state.widget_states.widgets.add(id=told["id"])
                widget.double_array_value.data.extend(told["double_array_value"]["data"])
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
    """Seconds of all answers of people who move the threshold every low to high seconds, and of the processor for each."""
    chance, people = random.Random(1), [Person(server, work) for work in works]
    await asyncio.gather(*(one.come() for one in people))
    assert all(one.slider for one in people), "the screen has its slider"
    await asyncio.gather(*(one.move(0.33) for one in people))  # the first change of each is not counted
    looks = [asyncio.ensure_future(one.look()) for one in people]
    before, until, seconds = spent(server), time.monotonic() + LASTS, []

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
    return seconds, (spent(server) - before) / len(seconds)


def processes(server):
    """All of the server."""
    own = psutil.Process(server.process.pid)
    return [own, *own.children(recursive=True)]


def spent(server):
    return sum(sum(one.cpu_times()[:2]) for one in processes(server))


def measure(people, low, high):
    """One line of the table."""
    with tempfile.TemporaryDirectory() as home:
        works = [bundled(home) for _ in range(people)]
        server = Server(
            Path(home),
            port="--port",
            PYTHONPATH=os.pathsep.join(sys.path),
            command=(sys.executable, "-m", "pages.server.launch", "--no-browser"),
        ).start()
        try:
            seconds, cpu = asyncio.run(day(server, works, low, high))
            memory = sum(one.memory_info().rss for one in processes(server)) / 1e6
        finally:
            server.stop()
    p50, p95 = np.quantile(seconds, [0.5, 0.95])
    print(
        f"{people:3} people, every {low:g} to {high:g} s: p50 {p50:.2f} s, p95 {p95:.2f} s, {len(seconds):4} answers, "
        f"{cpu:.3f} s of CPU each (looks of idle screens counted), {memory:.0f} MB, load {os.getloadavg()[0]:.0f}",
        flush=True,
    )


async def comes_and_goes(server, work, times, pages=PAGES):
    """So many sessions, one after another, each on another page."""
    for page in itertools.islice(itertools.cycle(pages), times):
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


def megabytes(server):
    """Resident memory of the server."""
    return psutil.Process(server.process.pid).memory_info().rss / 1e6


async def left_behind(server, work):
    """Megabytes that stayed behind."""
    await comes_and_goes(server, work, 1, ["start"])
    print(f"  a session at once after the start        {megabytes(server):7.1f} MB", flush=True)
    await asyncio.sleep(5)
    await turns(server, work, 2 * len(PAGES))
    await comes_and_goes(server, work, KEPT + 2 * len(PAGES))
    first = megabytes(server)
    print(f"  every page seen, {KEPT} sessions closed       {first:7.1f} MB", flush=True)
    for what, do, times in (("page switches", turns, SWITCHES), ("sessions", comes_and_goes, SESSIONS)):
        for part in range(1, PARTS + 1):
            await do(server, work, times // PARTS)
            print(f"  {times // PARTS * part:4} {what:35} {megabytes(server):7.1f} MB", flush=True)
    return megabytes(server) - first


def people():
    print(GOAL)
    for number, (low, high) in itertools.product((1, 5, 20), ((3, 7), (1, 1))):
        measure(number, low, high)


def a_class(size=30, most=30):
    """Browsers of a class on one teacher's page; most: seconds of the server, the rest is the work of browsers."""
    expect.set_options(timeout=300_000)
    with tempfile.TemporaryDirectory() as home, app_in_browser(home) as (browser, server):
        before = spent(server)
        teacher, *pages = (browser.new_context(viewport={"width": 390, "height": 844}).new_page() for _ in range(size + 1))
        opened, pooled = in_class(server, teacher, pages)
        line(f"{size} people open the link of a class, all browsers here", opened)
        line("from then until all guesses are pooled", pooled)
        line("the server's processor in all", spent(server) - before, most)


def sessions():
    with tempfile.TemporaryDirectory() as home:
        work, server = bundled(home), Server(Path(home)).start()
        try:
            grown = asyncio.run(left_behind(server, work))
        finally:
            server.stop()
    print(f"  stayed behind: {grown:.1f} MB, {'met' if grown < LEAK else 'MISSED'} (less than {LEAK} MB)")


if __name__ == "__main__":
    parts = {"people": people, "class": a_class, "sessions": sessions}
    for part in sys.argv[1:] or parts:
        parts[part]()
