"""Studies on disk: one SQLite file a study, one transaction a finished task, safe to copy, readable while it grows."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from stabcore.errors import InputError
from stabcore.selectors.model_paths import ModelPath

FORMAT = 2      # columns were added since 1; what an earlier file lacks is what an Outcome has by default
KEY = ("shuffle", "repeat", "selector", "run")          # of a task; in this order what is read most lies side by side
GROWING = {"control": 0, "repeat_seeds": 1}     # settings that only add tasks, and what a file has that does not know them
ARRAYS = {"scores": "<f8", "ranking": "<f8", "importances": "<f8", "selected": "<i4", "held_out": "<i4",
           "predicted": "<i2", "probability": "<f8", "path_starts": "<i4", "path_sizes": "<i4", "path_features": "<i4",
           "path_importances": "<f4"}


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one task (a selector on one resample) gave; shuffle, repeat: see stabcore.study.tasks.Task.

    scores, ranking, importances  (d,); selected: chosen feature numbers; held_out: row numbers, with the class predicted for
    each and the probabilities (rows × classes), if any; path_…: see `path`. A failed task has a message and no arrays. What is
    added here is a column of the file; give an array its type in ARRAYS, and raise FORMAT.
    """

    selector: str
    run: int
    shuffle: int = 0
    repeat: int = 0
    status: str = "done"
    message: str = ""
    warnings: tuple[str, ...] = ()
    redrawn: int = 0
    fit_seconds: float = 0.0
    seconds: float = 0.0
    scores: np.ndarray | None = None
    ranking: np.ndarray | None = None
    importances: np.ndarray | None = None
    selected: np.ndarray | None = None
    held_out: np.ndarray | None = None
    predicted: np.ndarray | None = None
    probability: np.ndarray | None = None
    path_starts: np.ndarray | None = None
    path_sizes: np.ndarray | None = None
    path_features: np.ndarray | None = None
    path_importances: np.ndarray | None = None

    @property
    def path(self) -> ModelPath | None:
        """What the selector selects at every k, where that is not the first k of its ranking; else None."""
        if self.path_starts is None:
            return None
        return ModelPath(self.path_starts, self.path_sizes, self.path_features, self.path_importances)


_COLUMNS = [f.name for f in fields(Outcome)]


class Store:
    """One study file. `Store.create` begins or continues a study, `Store(path)` reads."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_file():
            raise InputError(f"There is no study file at {self.path}.")
        try:
            found = self.meta("format")
        except sqlite3.DatabaseError:
            raise InputError(f"{self.path.name} is not a study file of this program (or it is damaged).") from None
        if found not in range(1, FORMAT + 1):
            raise InputError(f"{self.path.name} was written in study format {found}; this version reads formats 1 to {FORMAT}.")

    @classmethod
    def create(cls, path, settings, about) -> Store:
        """Begin a study file, or continue one that was begun with the same settings.

        Those that only add tasks (GROWING) may be larger than it was begun with. Raises InputError when the file holds a study with
        other settings.
        """
        path = Path(path)
        if not path.exists() or path.stat().st_size == 0:
            with closing(sqlite3.connect(path, isolation_level=None)) as base:
                base.execute("BEGIN EXCLUSIVE")             # tables and settings appear together or not at all
                base.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
                base.execute(_new_table("task"))
                for key, value in {"format": FORMAT, "settings": settings, **about}.items():
                    base.execute("INSERT INTO meta VALUES (?, ?)", (key, json.dumps(value)))
                base.execute("COMMIT")
        store = cls(path)
        held = store.meta("settings")
        differs = differing(settings, held)
        if differs:
            raise InputError(f"{path.name} holds a study with other settings ({', '.join(differs)} differ). Choose another "
                             "file name, or run it with the settings it was begun with.")
        store._raise_format()
        told = {key: value for key, value in about.items() if store.meta(key) is None}      # what an earlier version did not tell
        if told or settings != GROWING | held:
            store.set_meta(settings=settings, **told)
        return store

    def _raise_format(self):
        """Give a file of an earlier format the columns it lacks, so that it can be continued."""
        with closing(sqlite3.connect(self.path, timeout=60, isolation_level=None)) as base:
            there = _columns_of(base)
            if there >= set(_COLUMNS):
                return
            common = ", ".join(name for name in _COLUMNS if name in there)
            base.execute("BEGIN IMMEDIATE")
            base.execute(_new_table("raised"))              # the key of a table cannot be changed
            base.execute(f"INSERT INTO raised ({common}) SELECT {common} FROM task")
            base.execute("DROP TABLE task")
            base.execute("ALTER TABLE raised RENAME TO task")
            base.execute("UPDATE meta SET value = ? WHERE key = 'format'", (json.dumps(FORMAT),))
            base.execute("COMMIT")

    def meta(self, key, default=None):
        """One entry of the file's settings and circumstances."""
        with self._reading() as base:
            row = base.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return default if row is None else json.loads(row[0])

    def set_meta(self, **entries):
        with closing(sqlite3.connect(self.path, timeout=60)) as base, base:
            for key, value in entries.items():
                base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def add(self, outcome: Outcome):
        """Keep one finished task, in one transaction."""
        values = [getattr(outcome, name) for name in _COLUMNS]
        row = [_packed(name, value) for name, value in zip(_COLUMNS, values)]
        with closing(sqlite3.connect(self.path, timeout=60)) as base, base:
            base.execute(f"INSERT OR REPLACE INTO task ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(row))})", row)

    def finished(self) -> set[tuple[str, int, int, int]]:
        """(selector, run, shuffle, repeat) of every task that is kept, failed ones included."""
        return {(one.selector, one.run, one.shuffle, one.repeat) for one in self.outcomes(columns=(), shuffle=None, repeat=None)}

    def version(self) -> str:
        """Changes whenever a task is added: for those who cache what they read."""
        with self._reading() as base:
            return str(base.execute("SELECT count(*) FROM task").fetchone()[0])

    def outcomes(self, selector=None, columns=None, shuffle=0, repeat=0) -> list[Outcome]:
        """Kept tasks in order of run, of one selector or of all; `columns` limits what is unpacked.

        Those of the outcome as it is and of the first dice, unless another shuffle or repeat is asked for; None: of all.
        """
        names = [name for name in _COLUMNS if columns is None or name in columns or name in (*KEY, "status")]
        asked = {"selector": selector, "shuffle": shuffle, "repeat": repeat}
        asked = {name: value for name, value in asked.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in asked) or "1"
        with self._reading() as base:
            there = _columns_of(base)
            names = [name for name in names if name in there or name in KEY]
            read = ", ".join(name if name in there else f"0 AS {name}" for name in names)
            rows = base.execute(f"SELECT {read} FROM task WHERE {where} ORDER BY selector, run, shuffle, repeat",
                                tuple(asked.values())).fetchall()
        return [Outcome(**{name: _unpacked(name, value) for name, value in zip(names, row)}) for row in rows]

    @contextmanager
    def _reading(self):
        # rw, not ro: only then can a reader undo the half-written transaction of a process that was killed
        with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=rw", uri=True, timeout=60)) as base:
            yield base


def differing(asked, held) -> list[str]:
    """Which of these settings a study that was begun with `held` cannot be continued with; those of GROWING may be larger."""
    asked, held = GROWING | asked, GROWING | held
    return [key for key in held | asked if asked.get(key) != held.get(key) and not (key in GROWING and asked[key] > held[key])]


def _new_table(name):
    """The statement that makes an empty table of tasks."""
    numbers = {"shuffle", "repeat"}         # an earlier file has none of them; for readers it is as if it had
    columns = ", ".join(f"{one} NOT NULL DEFAULT 0" if one in numbers else one for one in _COLUMNS)
    return f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({', '.join(KEY)}))"


def _columns_of(base) -> set[str]:
    return {row[1] for row in base.execute("PRAGMA table_info(task)")}


def _packed(name, value):
    if value is not None and name in ARRAYS:
        return zlib.compress(np.ascontiguousarray(value, dtype=ARRAYS[name]).tobytes(), 6)
    return json.dumps(list(value)) if name == "warnings" else value


def _unpacked(name, value):
    if value is not None and name in ARRAYS:
        return np.frombuffer(zlib.decompress(value), dtype=ARRAYS[name])
    return tuple(json.loads(value)) if name == "warnings" else value


class StudyLock:
    """At most one process runs a study. The lock is the operating system's: it goes with the process, however that ends."""

    def __init__(self, store_path):
        self.path = Path(f"{store_path}.lock")
        self._base = None

    def acquire(self, wait=2.0) -> bool:
        base = sqlite3.connect(self.path, timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            base.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            base.close()
            return False
        self._base = base
        return True

    def release(self):
        if self._base is not None:
            self._base.close()
            self._base = None

    @classmethod
    def held(cls, store_path) -> bool:
        """Is some process running this study now?"""
        lock = cls(store_path)
        if not lock.path.exists():
            return False
        free = lock.acquire(wait=0)
        lock.release()
        return not free


def cancel_file(store) -> Path:
    """The file whose appearance tells a running study to stop."""
    return Path(f"{store}.cancel")
