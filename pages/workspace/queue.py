"""The queue of studies and of everything else that takes long: a limited number runs at once, and people take turns.

The process of a study holds its place in the queue from before its start to its end, by a lock of the operating system. So the
queue needs no server, and is the same for all processes of one. Computations after a study, and exhibits of the papers, which run
in the server, have places of their own.

python -m pages.workspace.queue run …, risk … or patients …: in the folder of a project, wait for the turn, then compute.
"""

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
from stabcore.study.working_files import StudyLock, cancel_file

STUDIES = "STABILITY_STUDIES"  # in the environment: number of simultaneous computations, by default one per core
FOLDER = "queue"  # next to the projects
WAITING = "waiting"  # printed before the start
RISKS, PATIENTS = ".risks", ".patients"  # suffixes of the name of a project: the places of computations after its study
PLACES = {"risk": RISKS, "patients": PATIENTS}  # by command
MAX_WAITING, MAX_WAITING_EACH = 50, 10  # limits of all people, and of one. Each place is a waiting process
CHECK_SECONDS = 0.5  # seconds between two checks
CANCELLED = "Cancelled while waiting. Earlier results are kept."
_TABLE = "CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT UNIQUE, person TEXT, runs INTEGER)"


@dataclass(frozen=True)
class Place:
    """A place in the queue. number: rises with time. name: of its project or computation. person: its owner. runs: or waits."""

    number: int
    name: str
    person: str
    runs: bool


def line(places) -> list[Place]:
    """Waiting places in the order of their turns: no second study starts before the first of everybody. Running ones count."""
    count, ranked = Counter(place.person for place in places if place.runs), []
    for place in sorted((place for place in places if not place.runs), key=lambda place: place.number):
        ranked.append((count[place.person], place.number, place))
        count[place.person] += 1
    return [place for *_, place in sorted(ranked, key=lambda rank: rank[:2])]


def has_turn(name, places, most) -> bool:
    """Whether the place of this name may start now."""
    free = most - sum(place.runs for place in places)
    return name in [place.name for place in line(places)[: max(0, free)]]


def most_at_once() -> int:
    """The number of simultaneous computations: from the environment, else one per core."""
    from loky import cpu_count

    asked = os.environ.get(STUDIES, "")
    return int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else cpu_count()


def before(folder, what="") -> tuple[int, int] | None:
    """(running computations, computations ahead of the study of this project, or of its RISKS), None unless it waits."""
    return _before(folder.parent / FOLDER, folder.name + what)


def has_place(folder, what="") -> bool:
    """Whether the study of this project, or its RISKS, waits or runs."""
    return StudyLock.held(folder.parent / FOLDER / (folder.name + what))


def refuse_when_full(home: Path, person: str):
    """Raise InputError if too many computations wait for this person or in all."""
    queue = home / FOLDER
    if not queue.is_dir():
        return
    with _open(queue) as base:
        waiting = line(_living(queue, base))
    if len(waiting) >= MAX_WAITING or sum(place.person == person for place in waiting) >= MAX_WAITING_EACH:
        raise InputError(
            f"Too many computations wait for their turn: at most {MAX_WAITING_EACH} of one person, and {MAX_WAITING} in all. Wait "
            "until some have finished, or cancel some."
        )


def describe_place(name: str, run: int, wait: int) -> str:
    """The place of a waiting computation, such as "Your study", as a sentence. run, wait: see `before`."""
    others = "1 computation runs now" if run == 1 else f"{run} computations run now"
    place = "yours is the next" if not wait else f"{'1 waits' if wait == 1 else f'{wait} wait'} before yours"
    return f"{name} waits for its turn: {others}, {place}."


@contextmanager
def turn(home: Path, name: str, person: str, on_progress: Callable[[int, int], object]) -> Iterator[None]:
    """Wait for the turn of a computation in the server. on_progress: called repeatedly with the computations before it.

    Raises InputError while the same computation exists.
    """
    queue = home / FOLDER
    refuse_when_full(home, person)
    with _place(queue, name, person):
        while not _begins(queue, name):
            on_progress(*(_before(queue, name) or (0, 0)))
            time.sleep(CHECK_SECONDS)
        yield


def main() -> int:
    """Wait, then run `python -m stabcore` with these arguments."""
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
    except (OSError, sqlite3.Error) as error:  # before its start. Later the command reports its own end
        if words := fault_words(error):
            _say(folder, words)
        raise
    return 0


def _say(folder, words):
    """The file or the last line in which the command reports its end."""
    if "--words" not in sys.argv:
        print(words, flush=True)
        return
    with suppress(OSError):
        (folder / _after("--words")).write_text(words, encoding="utf-8")


def _wait(queue, name, product) -> bool:
    """Wait for the turn. False if cancelled before. product: the result, beside which a file cancels the computation."""
    cancel = cancel_file(product)
    while not _begins(queue, name):
        time.sleep(CHECK_SECONDS)
        if cancel.exists():
            cancel.unlink()
            return False
    return True


def _begins(queue, name) -> bool:
    """Take the turn if it is the next one, with the queue locked."""
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
    """Add a place at the end of the queue. Raises InputError if it exists already."""
    queue.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = StudyLock(queue / name)
    if not lock.acquire():
        raise InputError("The same is being computed already, or waits for its turn. Wait until it has ended.")
    try:
        with _open(queue) as base:
            base.execute("INSERT OR REPLACE INTO place (work, person, runs) VALUES (?, ?, 0)", (name, person))
        yield
    finally:
        with suppress(OSError, sqlite3.Error), _open(queue) as base:  # a killed process leaves its place to the next one
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
    """The places of living processes."""
    rows = base.execute("SELECT number, work, person, runs FROM place ORDER BY number").fetchall()
    return [Place(number, name, person, bool(runs)) for number, name, person, runs in rows if StudyLock.held(queue / name)]


@contextmanager
def _open(queue):
    with closing(sqlite3.connect(queue / "places", timeout=30, isolation_level=None)) as base:
        base.execute(_TABLE)
        yield base


def _after(option) -> str:
    """The value of an option among the arguments."""
    return sys.argv[sys.argv.index(option) + 1]


# ---- computations in a thread of the server ----

STOPPED = "Cancelled. Finished runs are kept, and the next start continues from there."
PLACE_LOST = (
    "The server ended before this computation finished. Start it again with the same settings. Finished runs of a study are "
    "kept, and everything else starts anew."
)


class BackgroundTask:
    """A computation that starts at once and continues when its page is drawn again, reloaded or closed.

    It waits in the queue of studies and ends with the server. Finished runs of its study are on the disk by then.

    make: called with on_progress(done, total), which it calls repeatedly. Returns the result.

    person: the person who started it. before: (running computations, computations ahead) while it waits, else None. progress:
    (done, total). result: None until it is finished. words: why there is none.
    """

    def __init__(self, home: Path, name: str, person: str, make: Callable[[Callable[[int, int], None]], Any]):
        self.person, self.progress = person, (0, 0)
        self.before: tuple[int, int] | None = (0, 0)
        self.result, self.words, self.running = None, "", True
        self._cancelled = threading.Event()
        threading.Thread(target=self._run, args=(home, name, make), daemon=True).start()

    def cancel(self):
        """Cancel it at its next report of progress."""
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
            self.words = str(error) if isinstance(error, InputError) else fault_words(error)
            if not self.words:
                traceback.print_exception(error, file=sys.stderr)
                self.words = f"It ended with an error of this program ({type(error).__name__}). Finished runs are kept."
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
    """Whether it was started, and the server ended before the result."""
    return _marker(home, name).exists() and not has_place(home / name)


def _marker(home, name):
    """The file that exists while a computation waits or runs. A killed process leaves it."""
    return home / FOLDER / f"{name}.asked"


if __name__ == "__main__":
    sys.exit(main())
