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
from pages.workspace.speed import record_speeds
from stabcore.base.errors import InputError, describe_fault
from stabcore.study.working_files import StudyLock, cancel_file

MAX_RUNNING = "STABILITY_STUDIES"  # in the environment: number of simultaneous computations, by default one per core
FOLDER = "queue"  # next to the projects
WAITING = "waiting"  # printed before the start
RISK_SUFFIX, INTERVAL_SUFFIX = (
    ".risks",
    ".patients",
)  # suffixes of the name of a project: the places of computations after its study
SUFFIXES = {"risk": RISK_SUFFIX, "patients": INTERVAL_SUFFIX}  # by command
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


def waiting_places(places) -> list[Place]:
    """Waiting places in the order of their turns: no second study starts before the first of everybody. Running ones count."""
    count, ranked = Counter(place.person for place in places if place.runs), []
    for place in sorted((place for place in places if not place.runs), key=lambda place: place.number):
        ranked.append((count[place.person], place.number, place))
        count[place.person] += 1
    return [place for *_, place in sorted(ranked, key=lambda rank: rank[:2])]


def has_turn(name, places, limit) -> bool:
    """Whether the place of this name may start now."""
    free = limit - sum(place.runs for place in places)
    return name in [place.name for place in waiting_places(places)[: max(0, free)]]


def max_running() -> int:
    """The number of simultaneous computations: from the environment, else one per core."""
    from loky import cpu_count

    asked = os.environ.get(MAX_RUNNING, "")
    return int(asked) if asked.isascii() and asked.isdigit() and int(asked) > 0 else cpu_count()


def queue_position(folder, suffix="") -> tuple[int, int] | None:
    """(running computations, computations ahead of the study of this project, or of its RISKS), None unless it waits."""
    return _queue_position(folder.parent / FOLDER, folder.name + suffix)


def has_place(folder, suffix="") -> bool:
    """Whether the study of this project, or its RISKS, waits or runs."""
    return StudyLock.held(folder.parent / FOLDER / (folder.name + suffix))


def refuse_when_full(home: Path, person: str):
    """Raise InputError if too many computations wait for this person or in all."""
    queue = home / FOLDER
    if not queue.is_dir():
        return
    with _open_database(queue) as database:
        waiting = waiting_places(_places_of_living(queue, database))
    if len(waiting) >= MAX_WAITING or sum(place.person == person for place in waiting) >= MAX_WAITING_EACH:
        raise InputError(
            f"Too many computations wait for their turn: at most {MAX_WAITING_EACH} of one person, and {MAX_WAITING} in all. Wait "
            "until some have finished, or cancel some."
        )


def describe_place(name: str, running: int, ahead: int) -> str:
    """The place of a waiting computation, such as "Your study", as a sentence. running, ahead: see `queue_position`."""
    others = "1 computation runs now" if running == 1 else f"{running} computations run now"
    place = "yours is the next" if not ahead else f"{'1 waits' if ahead == 1 else f'{ahead} wait'} before yours"
    return f"{name} waits for its turn: {others}, {place}."


@contextmanager
def wait_for_turn(home: Path, name: str, person: str, on_progress: Callable[[int, int], object]) -> Iterator[None]:
    """Wait for the turn of a computation in the server. on_progress: called repeatedly with the computations before it.

    Raises InputError while the same computation exists.
    """
    queue = home / FOLDER
    refuse_when_full(home, person)
    with _reserved_place(queue, name, person):
        while not _take_turn(queue, name):
            on_progress(*(_queue_position(queue, name) or (0, 0)))
            time.sleep(CHECK_SECONDS)
        yield


def main() -> int:
    """Wait, then run `python -m stabcore` with these arguments."""
    folder, suffix = Path.cwd(), SUFFIXES.get("".join(sys.argv[1:2]), "")
    queue, name = folder.parent / FOLDER, folder.name + suffix
    try:
        with _reserved_place(queue, name, owner_of(folder) or ""):
            print(WAITING, file=sys.stderr, flush=True)
            product = folder / (suffix or _option_value("--store"))
            if not _wait_unless_cancelled(queue, name, product):
                _report_end(folder, CANCELLED)
                return 3
            with nullcontext() if suffix else record_speeds(folder, product, local="--scheduler" not in sys.argv):
                runpy.run_module("stabcore", run_name="__main__", alter_sys=True)
    except InputError as error:
        raise SystemExit(str(error)) from None
    except (OSError, sqlite3.Error) as error:  # before its start. Later the command reports its own end
        if words := describe_fault(error):
            _report_end(folder, words)
        raise
    return 0


def _report_end(folder, words):
    """The file or the last line in which the command reports its end."""
    if "--words" not in sys.argv:
        print(words, flush=True)
        return
    with suppress(OSError):
        (folder / _option_value("--words")).write_text(words, encoding="utf-8")


def _wait_unless_cancelled(queue, name, product) -> bool:
    """Wait for the turn. False if cancelled before. product: the result, beside which a file cancels the computation."""
    cancel = cancel_file(product)
    while not _take_turn(queue, name):
        time.sleep(CHECK_SECONDS)
        if cancel.exists():
            cancel.unlink()
            return False
    return True


def _take_turn(queue, name) -> bool:
    """Take the turn if it is the next one, with the queue locked."""
    with _open_database(queue) as database:
        database.execute("BEGIN IMMEDIATE")
        places = _places_of_living(queue, database)
        begins = has_turn(name, places, max_running())
        if begins:
            database.execute("UPDATE place SET runs = 1 WHERE work = ?", (name,))
        dead = {gone for (gone,) in database.execute("SELECT work FROM place")} - {place.name for place in places}
        database.executemany("DELETE FROM place WHERE work = ?", [(gone,) for gone in dead])
        database.execute("COMMIT")
    for gone in dead:
        StudyLock(queue / gone).remove()
    return begins


@contextmanager
def _reserved_place(queue, name, person):
    """Add a place at the end of the queue. Raises InputError if it exists already."""
    queue.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = StudyLock(queue / name)
    if not lock.acquire():
        raise InputError("The same is being computed already, or waits for its turn. Wait until it has ended.")
    try:
        with _open_database(queue) as database:
            database.execute("INSERT OR REPLACE INTO place (work, person, runs) VALUES (?, ?, 0)", (name, person))
        yield
    finally:
        # a killed process leaves its place to the next one
        with suppress(OSError, sqlite3.Error), _open_database(queue) as database:
            database.execute("DELETE FROM place WHERE work = ?", (name,))
        lock.release()
        lock.remove()


def _queue_position(queue, name):
    if not queue.is_dir():
        return None
    with _open_database(queue) as database:
        places = _places_of_living(queue, database)
    waiting = [place.name for place in waiting_places(places)]
    return (sum(place.runs for place in places), waiting.index(name)) if name in waiting else None


def _places_of_living(queue, database) -> list[Place]:
    """The places of living processes."""
    rows = database.execute("SELECT number, work, person, runs FROM place ORDER BY number").fetchall()
    return [Place(number, name, person, bool(runs)) for number, name, person, runs in rows if StudyLock.held(queue / name)]


@contextmanager
def _open_database(queue):
    with closing(sqlite3.connect(queue / "places", timeout=30, isolation_level=None)) as database:
        database.execute(_TABLE)
        yield database


def _option_value(option) -> str:
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

    compute: called with on_progress(done, total), which it calls repeatedly. Returns the result.

    person: the person who started it. queue_position: (running computations, computations ahead) while it waits, else None.
    progress: (done, total). result: None until it is finished. failure: why there is none.
    """

    def __init__(self, home: Path, name: str, person: str, compute: Callable[[Callable[[int, int], None]], Any]):
        self.person, self.progress = person, (0, 0)
        self.queue_position: tuple[int, int] | None = (0, 0)
        self.result, self.failure, self.is_running = None, "", True
        self._cancelled = threading.Event()
        threading.Thread(target=self._run, args=(home, name, compute), daemon=True).start()

    def cancel(self):
        """Cancel it at its next report of progress."""
        self._cancelled.set()

    def _run(self, home, name, compute):
        marker = _marker_file(home, name)
        try:
            marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            marker.touch()
            with wait_for_turn(home, name, self.person, self._report_waiting):
                self.queue_position = None
                self._report_progress(0, 0)
                self.result = compute(self._report_progress)
        except Exception as error:
            self.failure = str(error) if isinstance(error, InputError) else describe_fault(error)
            if not self.failure:
                traceback.print_exception(error, file=sys.stderr)
                self.failure = f"It ended with an error of this program ({type(error).__name__}). Finished runs are kept."
        with suppress(OSError):
            marker.unlink()
        self.is_running = False

    def _report_waiting(self, running, ahead):
        self.queue_position = running, ahead
        if self._cancelled.is_set():
            raise InputError(CANCELLED)

    def _report_progress(self, done, total):
        self.progress = done, total
        if self._cancelled.is_set():
            raise InputError(STOPPED)


def was_lost(home: Path, name: str) -> bool:
    """Whether it was started, and the server ended before the result."""
    return _marker_file(home, name).exists() and not has_place(home / name)


def _marker_file(home, name):
    """The file that exists while a computation waits or runs. A killed process leaves it."""
    return home / FOLDER / f"{name}.asked"


if __name__ == "__main__":
    sys.exit(main())
