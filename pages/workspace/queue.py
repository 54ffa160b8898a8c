"""Studies wait for their turn: as many run at once as the computer bears, and people take turns. So does all that takes long.

Every study has a place in the queue, kept by its process from before it begins until it ends, however that ends: the lock beside
the place is the operating system's. So the queue needs no server, and is the same for all processes of one. What is computed
after a study has a place of its own, and so have exhibits of the papers, which a page makes itself.

python -m pages.workspace.queue run …, risk … or patients …: in the folder of a project, wait for the turn, then compute.
"""

from __future__ import annotations

import os
import runpy
import sqlite3
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pages.workspace.people import owner_of
from pages.workspace.speed import learn_speeds
from stabcore.base.errors import InputError, fault_words

STUDIES = "STABILITY_STUDIES"  # in the environment: how many run at once; else one a core
FOLDER = "queue"  # beside the projects
WAITING = "waiting"  # is printed before it does
RISKS, PATIENTS = ".risks", ".patients"  # behind the name of a project: the places of what is computed after its study
PLACES = {"risk": RISKS, "patients": PATIENTS}  # by command
MAX_WAITING, MAX_WAITING_EACH = 50, 10  # of all people, and of one: each is a process that waits
LOOK = 0.5  # seconds between two looks
CANCELLED = "Cancelled while it waited for its turn; what was done before is kept."
_TABLE = "CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT UNIQUE, person TEXT, runs INTEGER)"


@dataclass(frozen=True)
class Place:
    """Of a study. number: rises with time; name: of its project, or of what else is made; person: whose; runs: or does it wait?"""

    number: int
    name: str
    person: str
    runs: bool


def line(places) -> list[Place]:
    """Those that wait, in the order of their turns: nobody's second study begins before everybody's first, running ones counted."""
    count, ranked = Counter(place.person for place in places if place.runs), []
    for place in sorted((place for place in places if not place.runs), key=lambda place: place.number):
        ranked.append((count[place.person], place.number, place))
        count[place.person] += 1
    return [place for *_, place in sorted(ranked, key=lambda rank: rank[:2])]


def has_turn(name, places, most) -> bool:
    """May what has this name begin now?"""
    free = most - sum(place.runs for place in places)
    return name in [place.name for place in line(places)[: max(0, free)]]


def most_at_once() -> int:
    """How many studies run at once: as the environment says, else one a core."""
    from loky import cpu_count

    asked = os.environ.get(STUDIES, "")
    return int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else cpu_count()


def before(folder, what="") -> tuple[int, int] | None:
    """(What runs now, what waits before the study of this project, or its RISKS); None where that does not wait."""
    return _before(folder.parent / FOLDER, folder.name + what)


def has_place(folder, what="") -> bool:
    """Does the study of this project, or its RISKS, wait or run?"""
    return _lives(folder.parent / FOLDER, folder.name + what)


def refuse_when_full(home: Path, person: str):
    """Raise InputError where this person may ask for nothing more, because too much waits."""
    queue = home / FOLDER
    if not queue.is_dir():
        return
    with _open(queue) as base:
        waiting = line(_living(queue, base))
    if len(waiting) >= MAX_WAITING or sum(place.person == person for place in waiting) >= MAX_WAITING_EACH:
        raise InputError(
            f"Too many computations wait for their turn: at most {MAX_WAITING_EACH} of one person, and {MAX_WAITING} in all. Wait "
            "until some have ended, or cancel some."
        )


def describe_place(name: str, run: int, wait: int) -> str:
    """The place of what waits, such as "Your study", as a sentence; run, wait: see `before`."""
    others = "1 computation runs now" if run == 1 else f"{run} computations run now"
    place = "yours is the next" if not wait else f"{'1 waits' if wait == 1 else f'{wait} wait'} before yours"
    return f"{name} waits for its turn: {others}, {place}."


@contextmanager
def turn(home: Path, name: str, person: str, tell: Callable[[int, int], object]) -> Iterator[None]:
    """Have a turn of what a page makes itself, under a name; tell: is told again and again what is before it.

    Raises InputError while the same is being made already.
    """
    queue = home / FOLDER
    refuse_when_full(home, person)
    with _place(queue, name, person):
        while not _begins(queue, name):
            tell(*(_before(queue, name) or (0, 0)))
            time.sleep(LOOK)
        yield


def main() -> int:
    """Wait, then run `python -m stabcore` with the arguments given."""
    folder, what = Path.cwd(), PLACES.get("".join(sys.argv[1:2]), "")
    queue, name = folder.parent / FOLDER, folder.name + what
    try:
        with _place(queue, name, owner_of(folder) or ""):
            print(WAITING, file=sys.stderr, flush=True)
            product = folder / (what or _after("--store"))
            if not _wait(queue, name, product):
                _say(folder, CANCELLED)
                return 3
            with nullcontext() if what else learn_speeds(folder, product, here="--scheduler" not in sys.argv):
                runpy.run_module("stabcore", run_name="__main__", alter_sys=True)
    except InputError as error:
        raise SystemExit(str(error)) from None
    except (OSError, sqlite3.Error) as error:  # before it began; the command says by itself what happens to it
        if words := fault_words(error):
            _say(folder, words)
        raise
    return 0


def _say(folder, words):
    """Where the command says how it ended: in a file, or as its last line."""
    if "--words" not in sys.argv:
        print(words, flush=True)
        return
    with suppress(OSError):
        (folder / _after("--words")).write_text(words, encoding="utf-8")


def _wait(queue, name, product) -> bool:
    """Until it has its turn; False where it was cancelled before. product: what is to be made, beside which a file cancels it."""
    from stabcore.study.working_files import cancel_file

    cancel = cancel_file(product)
    while not _begins(queue, name):
        time.sleep(LOOK)
        if cancel.exists():
            cancel.unlink()
            return False
    return True


def _begins(queue, name) -> bool:
    """Take the turn, if it is this one's; nobody else looks meanwhile."""
    from stabcore.study.working_files import StudyLock

    with _open(queue) as base:
        base.execute("BEGIN IMMEDIATE")
        places = _living(queue, base)
        begins = has_turn(name, places, most_at_once())
        if begins:
            base.execute("UPDATE place SET runs = 1 WHERE work = ?", (name,))
        dead = {gone for (gone,) in base.execute("SELECT work FROM place")} - {place.name for place in places}
        base.executemany("DELETE FROM place WHERE work = ?", [(gone,) for gone in dead])
        base.execute("COMMIT")
    for gone in dead:
        StudyLock(queue / gone).remove()
    return begins


@contextmanager
def _place(queue, name, person):
    """Have a place, at the end of the queue. Raises InputError where this one has a place already."""
    from stabcore.study.working_files import StudyLock

    queue.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = StudyLock(queue / name)
    if not lock.acquire():
        raise InputError("The same is being computed already, or waits for its turn. Wait until it has ended.")
    try:
        with _open(queue) as base:
            base.execute("INSERT OR REPLACE INTO place (work, person, runs) VALUES (?, ?, 0)", (name, person))
        yield
    finally:
        with suppress(OSError, sqlite3.Error), _open(queue) as base:  # who is killed leaves it to the next who begins
            base.execute("DELETE FROM place WHERE work = ?", (name,))
        lock.release()
        lock.remove()


def _before(queue, name):
    if not queue.is_dir():
        return None
    with _open(queue) as base:
        places = _living(queue, base)
    waiting = [place.name for place in line(places)]
    return (sum(place.runs for place in places), waiting.index(name)) if name in waiting else None


def _living(queue, base) -> list[Place]:
    """The places of processes that live."""
    rows = base.execute("SELECT number, work, person, runs FROM place ORDER BY number").fetchall()
    return [Place(number, name, person, bool(runs)) for number, name, person, runs in rows if _lives(queue, name)]


def _lives(queue, name) -> bool:
    from stabcore.study.working_files import StudyLock

    return StudyLock.held(queue / name)


@contextmanager
def _open(queue):
    with closing(sqlite3.connect(queue / "places", timeout=30, isolation_level=None)) as base:
        base.execute(_TABLE)
        yield base


def _after(option) -> str:
    """What follows an option among the arguments."""
    return sys.argv[sys.argv.index(option) + 1]


# ---- what a page asks for that takes a while, made by a thread of the server ----

STOPPED = "Cancelled; what was done of a study is kept, and it goes on from there the next time."
LOST = (
    "The server ended while this was being made or waited, so there is no result, and nothing half. Make it again with the "
    "same settings: what was done of a study is kept, anything else begins anew."
)


class BackgroundTask:
    """Begun at once; drawing the page anew, F5 or closing it end nothing. It waits for its turn among the studies, and is gone with
    the server; what a study of it has finished lies on the disk by then.

    make: called with tell(done, total), which it calls meanwhile; gives the result.

    person: who asked for it. before: (what runs now, what waits before it) while it waits for its turn, else None. progress: (done,
    total). result: None until it is there. words: why there is none.
    """

    def __init__(self, home: Path, name: str, person: str, make: Callable[[Callable[[int, int], None]], Any]):
        self.person, self.progress = person, (0, 0)
        self.before: tuple[int, int] | None = (0, 0)
        self.result, self.words, self.running = None, "", True
        self._cancelled = threading.Event()
        threading.Thread(target=self._run, args=(home, name, make), daemon=True).start()

    def cancel(self):
        """End it when it next tells how far it is."""
        self._cancelled.set()

    def _run(self, home, name, make):
        marker = _marker(home, name)
        try:
            marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            marker.touch()
            with turn(home, name, self.person, self._wait):
                self.before = None
                self._report(0, 0)
                self.result = make(self._report)
        except Exception as error:
            self.words = _describe(error)
        with suppress(OSError):
            marker.unlink()
        self.running = False

    def _wait(self, run, wait):
        self.before = run, wait
        if self._cancelled.is_set():
            raise InputError(CANCELLED)

    def _report(self, done, total):
        self.progress = done, total
        if self._cancelled.is_set():
            raise InputError(STOPPED)


def was_lost(home: Path, name: str) -> bool:
    """Was this asked for, and the server ended before it was made?"""
    return _marker(home, name).exists() and not has_place(home / name)


def _marker(home, name):
    """The file that is there while something is made or waits; whoever is killed leaves it."""
    return home / FOLDER / f"{name}.asked"


def _describe(error):
    words = str(error) if isinstance(error, InputError) else fault_words(error)
    if not words:
        traceback.print_exception(error, file=sys.stderr)
        words = f"It ended with an error of this program ({type(error).__name__}). What is done is kept."
    return words


if __name__ == "__main__":
    sys.exit(main())
