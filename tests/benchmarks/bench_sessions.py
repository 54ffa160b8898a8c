"""Sessions that come and go, and one that turns pages: what memory of the server stays behind?

Usage: bench_sessions.py [SESSIONS SWITCHES]. They speak to the server as browser tabs do, over websockets, but draw nothing. The
toolkit keeps the last 128 closed sessions for a while, so that a tab comes back after a break of the line: as many have been there
before memory is looked at. The first one comes while the libraries are still loaded.
"""

import asyncio
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

import psutil

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

GOAL = 20  # megabytes that 200 page switches and 400 sessions may leave behind
KEPT = 128  # closed sessions that the toolkit keeps
PARTS = 4  # memory is told so many times


async def comes_and_goes(server, work, pages, times):
    """So many sessions, one after another, each on another page."""
    from bench_people import Person

    for page in islice(cycle(pages), times):
        person = Person(server, work)
        await person.come(page)
        await person.line.close()


async def turns(server, work, pages, times):
    """One session that goes from page to page."""
    from bench_people import Person

    person = Person(server, work)
    await person.come("stability")
    for page in islice(cycle(pages), times):
        await person.ask(page_name=page)
    await person.line.close()


def megabytes(server):
    """Resident memory of the server."""
    return psutil.Process(server.process.pid).memory_info().rss / 1e6


async def measured(server, work, sessions, switches):
    """Megabytes that stayed behind."""
    from page_support import PAGES

    await comes_and_goes(server, work, ["start"], 1)
    print(f"  a session at once after the start        {megabytes(server):7.1f} MB", flush=True)
    await asyncio.sleep(5)
    await turns(server, work, PAGES, 2 * len(PAGES))
    await comes_and_goes(server, work, PAGES, KEPT + 2 * len(PAGES))
    first = megabytes(server)
    print(f"  every page seen, {KEPT} sessions closed       {first:7.1f} MB", flush=True)
    for what, do, times in (("page switches", turns, switches), ("sessions", comes_and_goes, sessions)):
        for part in range(1, PARTS + 1):
            await do(server, work, PAGES, times // PARTS)
            print(f"  {times // PARTS * part:4} {what:35} {megabytes(server):7.1f} MB", flush=True)
    return megabytes(server) - first


def main(sessions=400, switches=200):
    from benchmark_support import bundled
    from browser_support import Server

    with tempfile.TemporaryDirectory() as home:
        work = bundled(home)
        server = Server(Path(home)).start()
        try:
            grown = asyncio.run(measured(server, work, sessions, switches))
        finally:
            server.stop()
    print(f"  stayed behind: {grown:.1f} MB, {'met' if grown < GOAL else 'MISSED'} (less than {GOAL} MB)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
