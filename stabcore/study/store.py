"""Studies on disk: one SQLite file per study, one transaction per finished task, safe to copy, readable while it grows."""

from __future__ import annotations

import errno
import hashlib
import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from stabcore.base.errors import InputError
from stabcore.base.text import quote
from stabcore.selectors.baseline import BASELINE_SUFFIX, Random, is_baseline
from stabcore.selectors.catalog import BY_KEY
from stabcore.study import earlier, opening
from stabcore.study.contents import KNOWN_ENTRIES, read_limits, read_tasks
from stabcore.study.task_result import COLUMNS, FIT_KINDS, KEY, TaskResult, pack_value

FORMAT = 6  # since 1, 3, 4 and 5: columns, with the defaults of TaskResult. Since 2: names of settings, see study/earlier.py
MAX_ENTRIES = 100  # largest number of entries of settings and circumstances
GROWING_SETTINGS = ("n_permutations", "n_seeds", "n_imputations")  # settings that only add tasks, the last if there is one already


class Store:
    """One study file. `Store.create` begins or continues a study, `Store(path)` reads."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.is_file():
            raise InputError(f"There is no study file at {self.path}.")
        self._read()

    def _read(self):
        """The checked entries of the file about its study, and the limits for its tasks."""
        with opening.open_read_only(self.path) as (base, _):
            rows = list(opening.query_rows(base, self.path, f"SELECT key, value FROM meta LIMIT {MAX_ENTRIES}"))
            self._meta = {key: opening.parse_json(value) for key, value in rows}
            number = self._meta.get("format")
            if type(number) is not int or number not in range(1, FORMAT + 1):
                raise InputError(
                    f"{self.path.name} was written in study format {quote(number)}. This version reads formats 1 to {FORMAT}."
                )
            if number < FORMAT and isinstance(self._meta.get("settings"), dict):
                self._meta["settings"] = earlier.convert_study_settings(self._meta["settings"])
            self.limits = read_limits(self._meta)

    @classmethod
    def create(cls, path, settings, about) -> Store:
        """Begin a study file, or continue one that was begun with the same settings.

        Settings that only add tasks (GROWING_SETTINGS) may be larger than at the beginning. Raises InputError if the file holds a
        study with other settings.
        """
        path = Path(path)
        if path.with_name(f"{path.name}-journal").exists():  # a killed process left half a transaction, which SQLite undoes
            with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as base:
                base.execute("SELECT name FROM sqlite_master").fetchone()
        if not path.exists() or path.stat().st_size == 0:
            with closing(sqlite3.connect(path, isolation_level=None)) as base:
                base.execute("BEGIN EXCLUSIVE")  # tables and settings appear together or not at all
                base.execute(opening.META)
                base.execute(_new_table("task"))
                begun = datetime.now(UTC).isoformat(timespec="seconds")
                for key, value in {"format": FORMAT, "settings": settings, "begun": begun, **about}.items():
                    base.execute("INSERT INTO meta VALUES (?, ?)", (key, json.dumps(value)))
                base.execute("COMMIT")
        store = cls(path)
        held = store.meta("settings")
        differs = differing_settings(settings, held)
        if differs:
            raise InputError(
                f"{path.name} holds a study with other settings ({', '.join(differs)} differ). Choose another "
                "file name, or use the original settings."
            )
        with store._writing() as base, base:  # sealed again when the study ends
            base.execute("DELETE FROM meta WHERE key = 'seal'")
        store._meta.pop("seal", None)
        store._add_columns()
        missing = {key: value for key, value in about.items() if store.meta(key) is None}
        if missing or settings != held or store.meta("format") < FORMAT:
            store.set_meta(settings=settings, format=FORMAT, **missing)
        return store

    def _add_columns(self):
        """Give a file of an earlier format the columns it lacks, so that it can be continued."""
        with closing(sqlite3.connect(self.path, timeout=60, isolation_level=None)) as base:
            columns = {row[1] for row in base.execute("PRAGMA table_info(task)")}
            if columns >= set(COLUMNS):
                return
            common = ", ".join(name for name in COLUMNS if name in columns)
            base.execute("BEGIN IMMEDIATE")
            base.execute(_new_table("raised"))  # the key of a table cannot be changed
            base.execute(f"INSERT INTO raised ({common}) SELECT {common} FROM task")
            base.execute("DROP TABLE task")
            base.execute("ALTER TABLE raised RENAME TO task")
            base.execute("COMMIT")

    def meta(self, key, default=None):
        """One entry of the settings and circumstances, as they were when the file was opened."""
        return self._meta.get(key, default)

    @property
    def unknown(self) -> list[str]:
        """Entries of the file that this version does not know, from a later version or a change."""
        return sorted(str(key) for key in self._meta if key not in KNOWN_ENTRIES)

    def set_meta(self, **entries):
        """Write entries about the study, {name: plain value}."""
        with self._writing() as base, base:
            for key, value in entries.items():
                base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))
        self._meta |= entries

    def _writing(self):
        """The file, opened for writing. A deleted file is not made again."""
        return closing(sqlite3.connect(opening.sqlite_uri(self.path.resolve(), "rw"), uri=True, timeout=60))

    def add(self, *tasks: TaskResult):
        """Keep finished tasks in one transaction, because each transaction waits for the disk, for longer than a filter takes."""
        rows = [[pack_value(name, getattr(task, name)) for name in COLUMNS] for task in tasks]
        with self._writing() as base, base:
            base.executemany(f"INSERT OR REPLACE INTO task ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})", rows)

    def finished(self) -> set[tuple[str, int, int, int, int]]:
        """The key of every stored task (see TaskResult), including failed ones except those that lacked memory."""
        return {task.key for task in self.every_task(("message",)) if not task.lacked_memory}

    def lacked_memory(self) -> set[tuple[str, int, int, int, int]]:
        """The tasks to try again, see `finished`."""
        return {task.key for task in self.every_task(("message",)) if task.lacked_memory}

    def every_task(self, columns=None, selector=None) -> list[TaskResult]:
        """All stored tasks, see `tasks`."""
        return self.tasks(selector, columns, shuffle=None, repeat=None, imputation=None)

    def tasks(self, selector=None, columns=None, shuffle=0, repeat=0, imputation=0) -> list[TaskResult]:
        """Stored tasks in order of run, of one selector or of all. `columns` limits what is unpacked.

        Tasks with the original outcome, the first seed and the first filling of missing cells, unless another shuffle, repeat or
        imputation is given. None: with any.
        """
        names = [name for name in COLUMNS if columns is None or name in columns or name in (*KEY, "status")]
        asked = {"selector": selector, "shuffle": shuffle, "repeat": repeat, "imputation": imputation}
        asked = {name: value for name, value in asked.items() if value is not None}
        with opening.open_read_only(self.path) as (base, columns_of_file):
            where = " AND ".join(f"{name if name in columns_of_file else 0} = ?" for name in asked) or "1"
            names = [name for name in names if name in columns_of_file or name in KEY]
            read = ", ".join(name if name in columns_of_file else f"0 AS {name}" for name in names)
            order = "selector, run, shuffle, repeat" + ", imputation" * ("imputation" in columns_of_file)
            question = f"SELECT {read} FROM task WHERE {where} ORDER BY {order}"
            rows = list(opening.query_rows(base, self.path, question, tuple(asked.values())))
            tasks = read_tasks(names, rows, self.limits, opening.Inflater(self.path.stat().st_size))
            return [TaskResult(**values) for values in tasks]

    # ---- integrity ----

    def seal(self):
        """Store a digest of everything in the file, so that later changes can be detected."""
        if not self.path.exists():  # not wrong input: it existed when the study began
            raise FileNotFoundError(errno.ENOENT, "deleted while the study ran", str(self.path))
        with opening.open_read_only(self.path) as (base, columns):
            digest = self._digest(base, columns)
        self.set_meta(seal=digest)

    def intact(self) -> bool | None:
        """Whether everything is unchanged since the study ended. None: it has not ended, or an earlier version made it."""
        with opening.open_read_only(self.path) as (base, columns):
            sealed = base.execute("SELECT value FROM meta WHERE key = 'seal'").fetchone()
            return None if sealed is None else opening.parse_json(sealed[0]) == self._digest(base, columns)

    def _digest(self, base, there) -> str:
        """SHA-256 of the content of the file without the seal, independent of SQLite's storage."""
        digest = hashlib.sha256()
        columns, order = ", ".join(sorted(there)), ", ".join(name for name in KEY if name in there)
        for question in (
            "SELECT key, value FROM meta WHERE key <> 'seal' ORDER BY key",
            f"SELECT {columns} FROM task ORDER BY {order}",
        ):
            for row in opening.query_rows(base, self.path, question):
                for value in row:
                    content = value if isinstance(value, bytes) else repr(value).encode()
                    digest.update(f"{type(value).__name__} {len(content)} ".encode())
                    digest.update(content)
        return digest.hexdigest()

    def copy(self, path, **circumstances):
        """Copy the current file, also while a study runs, with additional circumstances."""
        with closing(sqlite3.connect(self.path, timeout=60)) as base, closing(sqlite3.connect(path)) as other:
            base.backup(other)
        copied = Store(path)
        sealed = copied.intact()
        copied.set_meta(**circumstances)
        if sealed:
            copied.seal()


def file_version(path) -> str:
    """A text that changes whenever a task is added to a study file, for caches."""
    with opening.open_read_only(Path(path)) as (base, _):
        return str(base.execute("SELECT count(*) FROM task").fetchone()[0])


def differing_settings(asked, held) -> list[str]:
    """The settings with which a study begun with `held` cannot be continued. Settings of GROWING_SETTINGS may be larger.

    The number of runs per shuffle can be chosen as long as there is no shuffle.
    """
    asked, held = earlier.EARLIER_DEFAULTS | asked, earlier.EARLIER_DEFAULTS | held
    if not held["n_permutations"]:
        held["permutation_runs"] = asked["permutation_runs"]
    return [
        key
        for key in held | asked
        if not earlier.is_equal_without_marks(asked.get(key), held.get(key))
        and not (key in GROWING_SETTINGS and key in held and asked.get(key, 0) > held[key])
    ]


def _new_table(name):
    # an earlier file has no column of some of these numbers, and readers use the default
    columns = ", ".join(f"{column} NOT NULL DEFAULT 0" if column in FIT_KINDS else column for column in COLUMNS)
    return f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({', '.join(KEY)}))"


class NamedStore(Store):
    """A study file with selectors under their catalogue names, as "Random forest" for random_forest.

    Labels of users are kept, and so is a key whose name is already a label. A random selector is marked as
    a baseline. This is for reading only: written data and the fingerprint of a study use the stored labels.
    """

    def __init__(self, path):
        super().__init__(path)
        selectors = super().meta("settings")["selectors"]
        stored = [about["label"] for about in selectors]
        names = {about["label"]: _catalogue_name(**about) for about in selectors}
        self.names = {label: name for label, name in names.items() if name not in stored}

    def meta(self, key, default=None):
        """See Store. Selectors have their catalogue names."""
        value = super().meta(key, default)
        if key == "settings":
            return {**value, "selectors": [{**about, "label": self._name(about["label"])} for about in value["selectors"]]}
        if key == "importances_of_one_k" and value:
            return {self._name(label): of_one_k for label, of_one_k in value.items()}
        return value

    def tasks(self, selector=None, *asked, **how):
        """See Store. A selector is given by its name or its stored label."""
        stored = next((label for label, name in self.names.items() if name == selector), selector)
        return [replace(task, selector=self._name(task.selector)) for task in super().tasks(stored, *asked, **how)]

    def _name(self, label):
        return self.names.get(label, label)


def _catalogue_name(label, key=None, **_):
    if key == label and key in BY_KEY:
        return BY_KEY[key].label
    return f"{label} {BASELINE_SUFFIX}" if key in BY_KEY and BY_KEY[key].build is Random and not is_baseline(label) else label
