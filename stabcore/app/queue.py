"""Studies wait for their turn: as many run at once as the computer bears, and people take turns.

Every study has a place in the queue, kept by its process from before it begins until it ends, however that ends: the lock beside
the place is the operating system's. So the queue needs no server, and is the same for all processes of one.

python -m stabcore.app.queue run …: in the folder of a work, wait for the turn of its study, then run it.
"""

from __future__ import annotations

import os
import runpy
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from stabcore.app.people import owner_of

STUDIES = "STABILITY_STUDIES"       # in the environment: how many run at once; else one a core
FOLDER = "queue"                    # beside the works
WAITING = "waiting"                 # is printed before it does
LOOK = 0.5                          # seconds between two looks
CANCELLED = "Cancelled while it waited for its turn; what was done before is kept."
_TABLE = "CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT UNIQUE, person TEXT, runs INTEGER)"


@dataclass(frozen=True)
class Place:
    """Of a study. number: rises with time; person: whose it is; runs: does it run, or wait?"""

    number: int
    work: str
    person: str
    runs: bool


def line(places) -> list[Place]:
    """Those that wait, in the order of their turns: nobody's second study begins before everybody's first, running ones counted."""
    count, ranked = Counter(one.person for one in places if one.runs), []
    for one in sorted((one for one in places if not one.runs), key=lambda one: one.number):
        ranked.append((count[one.person], one.number, one))
        count[one.person] += 1
    return [one for *_, one in sorted(ranked, key=lambda rank: rank[:2])]


def has_turn(work, places, most) -> bool:
    """May the study of this work begin now?"""
    free = most - sum(one.runs for one in places)
    return work in [one.work for one in line(places)[:max(0, free)]]


def at_once() -> int:
    """How many studies run at once: as the environment says, else one a core."""
    from loky import cpu_count

    asked = os.environ.get(STUDIES, "")
    return int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else cpu_count()


def before(folder) -> tuple[int, int] | None:
    """(Studies that run now, studies that wait before that of this work); None where it does not wait."""
    places = _places(folder)
    waiting = [one.work for one in line(places)]
    return (sum(one.runs for one in places), waiting.index(folder.name)) if folder.name in waiting else None


def has_place(folder) -> bool:
    """Does the study of this work wait or run?"""
    return _lives(folder.parent / FOLDER, folder.name)


def main() -> int:
    """Wait, then run `python -m stabcore` with the arguments given."""
    folder = Path.cwd()
    with _place(folder):
        if not _wait(folder):
            with suppress(OSError):
                (folder / _after("--words")).write_text(CANCELLED, encoding="utf-8")
            return 3
        runpy.run_module("stabcore", run_name="__main__", alter_sys=True)
    return 0


def _wait(folder) -> bool:
    """Until it is this study's turn; False where it was cancelled before."""
    from stabcore.study.lock import cancel_file

    cancel = cancel_file(folder / _after("--store"))
    while not _begins(folder):
        time.sleep(LOOK)
        if cancel.exists():
            cancel.unlink()
            return False
    return True


def _begins(folder) -> bool:
    """Take the turn, if it is this study's; nobody else looks meanwhile."""
    with _open(folder.parent / FOLDER) as base:
        base.execute("BEGIN IMMEDIATE")
        places = _living(folder.parent / FOLDER, base)
        begins = has_turn(folder.name, places, at_once())
        if begins:
            base.execute("UPDATE place SET runs = 1 WHERE work = ?", (folder.name,))
        dead = {one for one, in base.execute("SELECT work FROM place")} - {one.work for one in places}
        base.executemany("DELETE FROM place WHERE work = ?", [(one,) for one in dead])
        base.execute("COMMIT")
    for one in dead:
        (folder.parent / FOLDER / f"{one}.lock").unlink(missing_ok=True)
    return begins


@contextmanager
def _place(folder):
    """Have a place, at the end of the queue."""
    from stabcore.study.lock import StudyLock

    queue = folder.parent / FOLDER
    queue.mkdir(mode=0o700, exist_ok=True)
    lock = StudyLock(queue / folder.name)
    if not lock.acquire():
        raise SystemExit("The study of this work waits or runs already.")
    try:
        print(WAITING, file=sys.stderr, flush=True)
        with _open(queue) as base:
            base.execute("INSERT OR REPLACE INTO place (work, person, runs) VALUES (?, ?, 0)",
                         (folder.name, owner_of(folder) or ""))
        yield
    finally:
        lock.release()


def _places(folder) -> list[Place]:
    queue = folder.parent / FOLDER
    if not queue.is_dir():
        return []
    with _open(queue) as base:
        return _living(queue, base)


def _living(queue, base) -> list[Place]:
    """The places of processes that live."""
    rows = base.execute("SELECT number, work, person, runs FROM place ORDER BY number").fetchall()
    return [Place(number, work, person, bool(runs)) for number, work, person, runs in rows if _lives(queue, work)]


def _lives(queue, work) -> bool:
    from stabcore.study.lock import StudyLock

    return StudyLock.held(queue / work)


@contextmanager
def _open(queue):
    with closing(sqlite3.connect(queue / "places", timeout=30, isolation_level=None)) as base:
        base.execute(_TABLE)
        yield base


def _after(option) -> str:
    """What follows an option among the arguments."""
    return sys.argv[sys.argv.index(option) + 1]


if __name__ == "__main__":
    sys.exit(main())
