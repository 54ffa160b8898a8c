"""Many people at once, each moving the threshold on What if: seconds until the answer, CPU of each, memory of all processes.

Usage: bench_people.py [PEOPLE SECONDS]: so many people, each with one threshold in about so many seconds (60 to 140% of them). They
speak to the server as browsers do, over websockets, but draw nothing; the screen asks by itself every few seconds whether something
changed.
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

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

LASTS = 20  # seconds of each measurement
GOAL = "goal for 20 people, one threshold every 5 s, on 2 cores: p95 ≤ 1.5 s, ≤ 1000 MB"


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
            if kind == "new_session":
                self.page = told.new_session.page_script_hash
            elif kind == "auto_rerun":
                self.looks[told.auto_rerun.fragment_id] = told.auto_rerun.interval, time.monotonic()
            elif kind == "stop_auto_rerun":
                self.looks.clear()
            elif kind == "delta" and told.delta.new_element.slider.label.startswith("Features stand for each other"):
                self.slider, self.fragment = told.delta.new_element.slider.id, told.delta.fragment_id
            elif kind == "script_finished" and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return


async def day(server, works, every):
    """Seconds of all answers."""
    chance, people = random.Random(1), [Person(server, work) for work in works]
    for one in people:
        await one.come()
    assert all(one.slider for one in people), "the screen has its slider"
    for one in people:
        await one.move(0.33)  # the first change of each is not counted
    looks = [asyncio.ensure_future(one.look()) for one in people]
    before, until, seconds = spent(server), time.monotonic() + LASTS, []

    async def live(one):
        await asyncio.sleep(chance.uniform(0, every))
        while time.monotonic() < until:
            took = await one.move(chance.randrange(20, 90) / 100)
            seconds.append(took)
            await asyncio.sleep(max(0, every * chance.uniform(0.6, 1.4) - took))

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


def measure(people, every):
    """One line of the table."""
    from bench_whatif_screen import bundled
    from browser_support import Server

    with tempfile.TemporaryDirectory() as home:
        works = [bundled(home) for _ in range(people)]
        server = Server(
            Path(home),
            port="--port",
            PYTHONPATH=os.pathsep.join(sys.path),
            command=(sys.executable, "-m", "pages.server.launch", "--no-browser"),
        ).start()
        try:
            seconds, cpu = asyncio.run(day(server, works, every))
            memory = sum(one.memory_info().rss for one in processes(server)) / 1e6
        finally:
            server.stop()
    p50, p95 = np.quantile(seconds, [0.5, 0.95])
    print(
        f"{people:3} people, every {every:g} s: p50 {p50:.2f} s, p95 {p95:.2f} s, {len(seconds):4} answers, "
        f"{cpu:.3f} s of CPU each (looks of idle screens counted), {memory:.0f} MB",
        flush=True,
    )


def main():
    print(GOAL)
    if len(sys.argv) == 3:
        return measure(int(sys.argv[1]), float(sys.argv[2]))
    for people, every in itertools.product((1, 5, 20), (5, 1)):
        measure(people, every)
    return None


if __name__ == "__main__":
    main()
