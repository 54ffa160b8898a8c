"""Who runs a study now, and the file that asks for its end: light, for whoever only waits or looks."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

from stabcore.errors import InputError

NOT_WRITTEN = ("{name} could not be written beside the study file: the disk is full, or its folder can only be read. What was "
               "finished is kept. Free some space, or allow writing there.")


class StudyLock:
    """At most one process runs a study. The lock is the operating system's: it goes with the process, however that ends.

    Neither workers nor the guard can have it: POSIX hands locks on to no child, and elsewhere SQLite hands on no file. A study
    has it until the last of its workers is gone, which is a moment, up to seconds, after its last task.
    """

    def __init__(self, store_path):
        self.path = Path(f"{store_path}.lock")
        self._base = None

    def acquire(self, wait=2.0) -> bool:
        """Have it, after so many seconds at most; False where somebody else has it. Raises InputError where nothing is written."""
        while True:
            before, base = self._number(), None
            try:
                base = sqlite3.connect(self.path, timeout=wait, isolation_level=None, check_same_thread=False)
                base.execute("BEGIN EXCLUSIVE")
                if before is not None and before == self._number():
                    self._base, base = base, None
                    return True         # else it was made just now, or removed: a lock on what nobody else sees
            except sqlite3.OperationalError as error:
                if _is_busy(error):
                    return False
                if before == self._number():
                    raise InputError(NOT_WRITTEN.format(name=self.path.name)) from None
            finally:
                if base is not None:
                    base.close()

    def release(self):
        if self._base is not None:
            self._base.close()
            self._base = None

    def remove(self):
        """Its file goes, unless somebody has it."""
        if not self.acquire(wait=0):
            return
        if sys.platform == "win32":     # where no file goes that somebody has open, this one included
            self.release()
        with suppress(OSError):
            self.path.unlink()
        self.release()

    @classmethod
    def held(cls, store_path) -> bool:
        """Is some process running this study now? Whoever looks reads: two who look at once do not see each other."""
        path = cls(store_path).path
        if not path.exists():
            return False
        try:
            with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as base:
                base.execute("SELECT name FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            return _is_busy(error)
        return False

    def _number(self):
        """That of its file on the disk; None where there is none."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return None


def _is_busy(error) -> bool:
    return (error.sqlite_errorcode & 0xff) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def cancel_file(store) -> Path:
    """The file whose appearance tells a running study to stop."""
    return Path(f"{store}.cancel")
