"""The door of study files: whoever made one, SQLite reads it with every defence, and what goes wrong becomes one sentence.

A study file is foreign input: somebody mailed it, or a disk has damaged it. Its tables are compared with those that this program
makes before anything is asked of them, so that no view, trigger or expression of the file is ever carried out; it is opened for
reading only; and work and lengths are bounded by its size. What its values may be is for stabcore.study.contents to say.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from contextlib import closing, contextmanager
from pathlib import PurePath
from urllib.parse import quote

from stabcore.base.errors import InputError, fault_words
from stabcore.study.outcome import COLUMNS, IN_EVERY_FORMAT, KEY

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
LONGEST = 64_000_000  # bytes of one value
STEPS = 1_000_000  # of SQLite's machine that any file may take, and the more the larger it is
MOST_INFLATED = 64_000_000  # bytes that come out of any file at once, and a hundred times what it is large
_TASK = re.compile(r'CREATE TABLE (?:task|"task") \(([A-Za-z0_, ]{1,1000}), PRIMARY KEY \(([a-z, ]{1,100})\)\)')
_KEYS = (KEY, ("selector", "run"))  # the second of format 1
_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 64,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 64,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_DEFENCES = ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0")


class Damaged(Exception):
    """What is wrong with a study file, as the middle of a sentence; never seen outside of this room."""


def address(path: PurePath, mode: str) -> str:
    """That of a file for SQLite, to be opened "ro" or "rw"; it knows no hosts, so a share begins with four slashes."""
    name = path.as_posix()
    return f"file://{'' if name.startswith('/') else '/'}{quote(name, safe='/:')}?mode={mode}"


@contextmanager
def sentences(path):
    """What SQLite, zlib, JSON and a wrong value of a study file say, as an InputError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(_said(path, error)) from None
    except (Damaged, zlib.error, ValueError, RecursionError, OverflowError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        what = str(error) if isinstance(error, Damaged) else "a value in it cannot be read"
        raise InputError(
            f"{path.name} is damaged, or was changed by something else: {what}. Take another copy of this study "
            "file, or run the study again; nothing that is open was changed."
        ) from None


@contextmanager
def reading(path):
    """(connection, columns of its table of tasks) of a study file, for reading only. Raises InputError for what is none."""
    with sentences(path):
        # a process that was killed may have left half a transaction beside the file, which only a writer can undo
        mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
        with closing(sqlite3.connect(address(path.resolve(), mode), uri=True, timeout=60)) as base:
            size = path.stat().st_size
            _defend(base, size)
            yield base, _columns(base)


def rows(base, path, question, asked=()):
    """Yield the rows of an answer; together they cannot be longer than the file, or its pages lie on top of each other."""
    left = path.stat().st_size + 100_000
    for row in base.execute(question, asked):
        left -= sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if left < 0:
            raise Damaged("its pages lie on top of each other")
        yield row


def parsed(text):
    """A JSON value."""
    if not isinstance(text, str):
        raise Damaged("an entry of its settings is no text")
    return json.loads(text)


class Inflating:
    """Unpacks the arrays of one file: none longer than it may be, and all together bounded by the size of the file."""

    def __init__(self, size):
        self.left = MOST_INFLATED + 100 * size

    def __call__(self, value, name, most) -> bytes:
        """The bytes of a value, unpacked, at most so many."""
        if not isinstance(value, bytes):
            raise Damaged(f"{name} is no array")
        tool = zlib.decompressobj()
        content = tool.decompress(value, min(most, self.left) + 1)
        self.left -= len(content)
        if len(content) > most or self.left < 0 or not tool.eof or tool.unused_data:
            raise Damaged(f"{name} is longer than it can be, or cut off")
        return content


def _defend(base, size):
    for name in _DEFENCES:
        base.execute(f"PRAGMA {name}")
    for limit, most in _LIMITS.items():
        base.setlimit(limit, most)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(LONGEST, size + 1_000_000))
    steps = iter(range((STEPS + 2 * size) // 10_000))
    base.set_progress_handler(lambda: next(steps, None) is None, 10_000)  # true: no further


def _columns(base) -> frozenset[str]:
    """The columns of the tasks. Raises Damaged unless the file holds the two tables of a study and nothing else."""
    schema = base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 9").fetchall()
    tables = {name: sql for kind, name, _, sql in schema if kind == "table"}
    rest = {(kind, name, table, sql) for kind, name, table, sql in schema if kind != "table"}
    if not schema or not {"meta", "task"} & {table for _, _, table, _ in schema}:
        raise sqlite3.NotSupportedError("other tables")
    if set(tables) != {"meta", "task"} or rest != {("index", f"sqlite_autoindex_{name}_1", name, None) for name in tables}:
        raise Damaged("it holds other tables, views or triggers than a study file has")
    shape = _TASK.fullmatch(tables["task"] or "")
    if tables["meta"] != META or not shape:
        raise Damaged("its tables are not those of a study file")
    columns, key = ([part.strip() for part in text.split(",")] for text in shape.groups())
    names = [
        column.removesuffix(" NOT NULL DEFAULT 0") if column.startswith(("shuffle ", "repeat ")) else column for column in columns
    ]
    if len(set(names)) < len(names) or not set(IN_EVERY_FORMAT) <= set(names) <= set(COLUMNS) or tuple(key) not in _KEYS:
        raise Damaged("its tables are not those of a study file")
    return frozenset(names)


def _said(path, error) -> str:
    code = getattr(error, "sqlite_errorcode", None) or 0
    if code & 0xFF == sqlite3.SQLITE_CANTOPEN and not path.exists():
        return fault_words(error)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path.name} is being written by another program, which did not let go of it for a minute. Try again later."
    if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return f"{path.name} cannot be opened: {error}. Check that the file is there and that you may read it."
    if code & 0xFF == sqlite3.SQLITE_INTERRUPT:
        return f"{path.name} is damaged: reading it would take far longer than a study file of its size can. Take another copy."
    return f"{path.name} is not a study file of this program (or it is damaged). Take another copy, or another file."
