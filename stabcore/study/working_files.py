"""Files beside a study file while it runs: the lock of the process that runs it, what asks for its end, and what its tasks share.

And how files are put into their place and taken away on systems where that has to wait for whoever has them open.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
import time
import weakref
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from stabcore.base.errors import InputError

NOT_WRITTEN = (
    "{name} could not be written beside the study file: the disk is full, or its folder can only be read. What was "
    "finished is kept. Free some space, or allow writing there."
)


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
                    return True  # else it was made just now, or removed: a lock on what nobody else sees
            except sqlite3.OperationalError as error:
                if _is_busy(error):
                    return False
                if before == self._number():
                    raise InputError(NOT_WRITTEN.format(name=self.path.name)) from None
            finally:
                if base is not None:
                    base.close()

    def release(self):
        """Let go of the lock, if it is held."""
        if self._base is not None:
            self._base.close()
            self._base = None

    def remove(self):
        """Its file goes, unless somebody has it."""
        if not self.acquire(wait=0):
            return
        if sys.platform == "win32":  # where no file goes that somebody has open, this one included
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
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def cancel_file(store) -> Path:
    """The file whose appearance tells a running study to stop."""
    return Path(f"{store}.cancel")


_MARK = ".work-"  # behind the name of the study file
WAITS = (0.01, 0.03, 0.1, 0.3, 1.0) if sys.platform == "win32" else ()  # seconds: who reads a file there lets nobody replace it


def in_place(beside, path):
    """Move a file that was written beside into its place: there is the old one or the new one. Raises OSError."""
    for wait in WAITS:
        try:
            return os.replace(beside, path)
        except PermissionError:
            time.sleep(wait)
    os.replace(beside, path)
    return None


def remove_folder(folder):
    """Take a folder away with all that is in it. Raises InputError, without its name, where something of it stays."""
    for wait in (*WAITS, 0.0):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(wait)
    raise InputError(
        "Not everything could be deleted: another program has a file open, or the disk can only be read. What could "
        "be deleted is gone; close other programs and try again."
    )


@contextmanager
def working_folder(store):
    """A folder of this user's own for as long as a study runs, whose lock is held; those of killed ones are removed."""
    store = Path(store).absolute()
    for left in left_behind(store):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{store.name}{_MARK}", dir=store.parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def left_behind(store) -> list[Path]:
    """Working folders of a study file; while it runs, the one in use is among them."""
    return [path for path in store.parent.iterdir() if path.name.startswith(f"{store.name}{_MARK}") and path.is_dir()]


PREFIX = "stabcore-study-"  # behind it stands the number of the process whose folder it is


def scratch_folder() -> Path:
    """A new folder that only this user may read. Those of processes that are gone are removed."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_left(left):
                shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def ends_with(owner: Any, folder: Path) -> None:
    """Remove the folder when its owner is gone, at the latest when this process ends."""
    weakref.finalize(owner, remove_scratch, folder, os.getpid())


def remove_scratch(folder: Path, process: int | None = None) -> None:
    """Remove the folder; in a copy of the process that made it, nothing is removed."""
    if process in (None, os.getpid()):
        shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder) -> bool:
    """Is the process that made it gone, or its number another one's by now?"""
    import psutil

    number = folder.name.removeprefix(PREFIX).partition("-")[0]
    if not number.isdecimal() or int(number) == os.getpid() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
        return False
    try:
        return psutil.Process(int(number)).create_time() > folder.stat().st_mtime + 1
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
