"""Safe opening of study files from anybody: SQLite reads them with all defences, and every failure becomes one sentence.

A study file is foreign input: somebody sent it, or a disk damaged it. Its tables are compared with those of this program before
any query, so that no view, trigger or expression of the file is executed. It is opened read-only. Work and lengths are bounded
by its size. stabcore.study.contents checks its values.
"""

import json
import re
import sqlite3
import zlib
from contextlib import closing, contextmanager
from pathlib import PurePath
from urllib.parse import quote

from stabcore.base.errors import InputError, describe_fault
from stabcore.study.task_result import COLUMNS, FIT_KINDS, IN_EVERY_FORMAT, KEY

META = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
MAX_VALUE_BYTES = 64_000_000  # bytes of one value
MAX_STEPS = 1_000_000  # limit of SQLite's steps for any file, plus a part that grows with its size
MAX_INFLATED = 64_000_000  # limit of unpacked bytes of any file, plus a hundred times its size
_TASK = re.compile(r'CREATE TABLE (?:task|"task") \(([A-Za-z0_, ]{1,1000}), PRIMARY KEY \(([a-z, ]{1,100})\)\)')
_KEYS = (KEY, ("shuffle", "repeat", "selector", "run"), ("selector", "run"))  # the second until format 5, the third of format 1
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
    """A study file has content that no study writes. It is never raised outside of this package."""


def sqlite_uri(path: PurePath, mode: str) -> str:
    """The URI of a file for SQLite, to open as "ro" or "rw". It has no hosts, so a network share begins with four slashes."""
    name = path.as_posix()
    return f"file://{'' if name.startswith('/') else '/'}{quote(name, safe='/:')}?mode={mode}"


@contextmanager
def errors_as_input_errors(path):
    """Errors of SQLite, zlib and JSON, and wrong values of a study file, as an InputError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(_error_message(path, error)) from None
    except (Damaged, zlib.error, ValueError, RecursionError, OverflowError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path.name} is damaged, or was changed by another program. Use another copy of this study file, or run the study "
            "again. Nothing that is open was changed."
        ) from None


@contextmanager
def open_read_only(path):
    """(connection, columns of its table of tasks) of a study file, read-only. Raises InputError for other files."""
    with errors_as_input_errors(path):
        # a killed process may have left half a transaction next to the file, which only a writer can undo
        mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
        with closing(sqlite3.connect(sqlite_uri(path.resolve(), mode), uri=True, timeout=60)) as base:
            size = path.stat().st_size
            _limit_resources(base, size)
            yield base, _columns(base)


def query_rows(base, path, question, asked=()):
    """Yield the rows of an answer. Their total length cannot exceed the file, unless its pages overlap."""
    left = path.stat().st_size + 100_000
    with closing(base.execute(question, asked)) as cursor:  # an open one would lock the file
        for row in cursor:
            left -= sum(len(value) for value in row if isinstance(value, (str, bytes)))
            if left < 0:
                raise Damaged
            yield row


def parse_json(text):
    """A JSON value."""
    if not isinstance(text, str):
        raise Damaged
    return json.loads(text)


class Inflater:
    """Unpacks the arrays of one file, within limits for each and for all together."""

    def __init__(self, size):
        self.left = MAX_INFLATED + 100 * size

    def __call__(self, value, most) -> bytes:
        """The unpacked bytes of a value, up to a limit."""
        if not isinstance(value, bytes):
            raise Damaged
        tool = zlib.decompressobj()
        content = tool.decompress(value, min(most, self.left) + 1)
        self.left -= len(content)
        if len(content) > most or self.left < 0 or not tool.eof or tool.unused_data:
            raise Damaged
        return content


def _limit_resources(base, size):
    for name in _DEFENCES:
        base.execute(f"PRAGMA {name}")
    for limit, most in _LIMITS.items():
        base.setlimit(limit, most)
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(MAX_VALUE_BYTES, size + 1_000_000))
    steps = iter(range((MAX_STEPS + 2 * size) // 10_000))
    base.set_progress_handler(lambda: next(steps, None) is None, 10_000)  # true stops it


def _columns(base) -> frozenset[str]:
    """The columns of the tasks. Raises Damaged unless the file holds the two tables of a study and nothing else."""
    schema = base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 9").fetchall()
    tables = {name: sql for kind, name, _, sql in schema if kind == "table"}
    rest = {(kind, name, table, sql) for kind, name, table, sql in schema if kind != "table"}
    if not schema or not {"meta", "task"} & {table for _, _, table, _ in schema}:
        raise sqlite3.NotSupportedError("other tables")
    if set(tables) != {"meta", "task"} or rest != {("index", f"sqlite_autoindex_{name}_1", name, None) for name in tables}:
        raise Damaged
    shape = _TASK.fullmatch(tables["task"] or "")
    if tables["meta"] != META or not shape:
        raise Damaged
    columns, key = ([part.strip() for part in text.split(",")] for text in shape.groups())
    names = [column.removesuffix(" NOT NULL DEFAULT 0") if column.partition(" ")[0] in FIT_KINDS else column for column in columns]
    if len(set(names)) < len(names) or not set(IN_EVERY_FORMAT) <= set(names) <= set(COLUMNS) or tuple(key) not in _KEYS:
        raise Damaged
    return frozenset(names)


def _error_message(path, error) -> str:
    code = getattr(error, "sqlite_errorcode", None) or 0
    if code & 0xFF == sqlite3.SQLITE_CANTOPEN and not path.exists():
        return describe_fault(error)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path.name} was locked by another program for a minute. Try again later."
    if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return f"{path.name} cannot be opened: {error}. Check that the file exists and that you may read it."
    if code & 0xFF == sqlite3.SQLITE_INTERRUPT:
        return f"{path.name} is damaged: reading it would take far longer than expected from its size. Use another copy."
    return f"{path.name} is not a study file of this program (or it is damaged). Use another copy, or another file."
