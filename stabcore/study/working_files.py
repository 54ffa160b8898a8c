"""Files next to a running study file: the lock of its process, the request to stop, and the shared data of its tasks.

It also replaces and deletes files on systems where this must wait until other programs close them.
"""

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
    "{name} could not be written next to the study file: the disk is full, or its folder is read-only. Finished runs "
    "are kept. Free some space, or allow writing there."
)


class StudyLock:
    """A lock so that at most one process runs a study. It belongs to the operating system and ends with the process.

    Neither workers nor the guard can hold it: POSIX passes locks to no child, and elsewhere SQLite passes on no file. A study
    holds it until the last of its workers is gone, a moment or some seconds after its last task.
    """

    def __init__(self, store_path):
        self.path = Path(f"{store_path}.lock")
        self._base = None

    def acquire(self, wait=2.0) -> bool:
        """Acquire it within this number of seconds. False if another process has it. Raises InputError if writing is impossible."""
        while True:
            before, base = self._number(), None
            try:
                base = sqlite3.connect(self.path, timeout=wait, isolation_level=None, check_same_thread=False)
                base.execute("BEGIN EXCLUSIVE")
                if before is not None and before == self._number():
                    self._base, base = base, None
                    return True  # otherwise the file was just made or removed, and others do not see the lock
            except sqlite3.OperationalError as error:
                if _is_busy(error):
                    return False
                if before == self._number():
                    raise InputError(NOT_WRITTEN.format(name=self.path.name)) from None
            finally:
                if base is not None:
                    base.close()

    def release(self):
        """Release the lock, if it is held."""
        if self._base is not None:
            self._base.close()
            self._base = None

    def remove(self):
        """Remove its file, unless another process has it."""
        if not self.acquire(wait=0):
            return
        if sys.platform == "win32":  # open files cannot be removed there, including this one
            self.release()
        with suppress(OSError):
            self.path.unlink()
        self.release()

    @classmethod
    def held(cls, store_path) -> bool:
        """Whether some process runs this study. It only reads, so two simultaneous checks do not see each other."""
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
        """The identity of its file on the disk, None if absent."""
        try:
            return self.path.stat().st_ino
        except OSError:
            return None


def _is_busy(error) -> bool:
    return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def cancel_file(store) -> Path:
    """The file whose appearance stops a running study."""
    return Path(f"{store}.cancel")


_WORKING_PREFIX = ".work-"  # follows the name of the study file
WAIT_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0) if sys.platform == "win32" else ()  # files being read there cannot be replaced


def replace_file(beside, path):
    """Replace a file by a new one, so that either the old or the new file exists. Raises OSError."""
    for wait in WAIT_SECONDS:
        try:
            return os.replace(beside, path)
        except PermissionError:
            time.sleep(wait)
    os.replace(beside, path)
    return None


def remove_folder(folder):
    """Delete a folder with its content. Raises InputError, without its name, if something remains."""
    for wait in (*WAIT_SECONDS, 0.0):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(wait)
    raise InputError(
        "Not everything could be deleted: another program has a file open, or the disk is read-only. The rest is "
        "deleted. Close other programs and try again."
    )


@contextmanager
def working_folder(store):
    """A private folder for a running study, with its lock. Folders of killed studies are removed."""
    store = Path(store).absolute()
    for left in working_folders(store):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        prefix=f"{store.name}{_WORKING_PREFIX}", dir=store.parent, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def working_folders(store) -> list[Path]:
    """Working folders of a study file, including the one in use while it runs."""
    return [path for path in store.parent.iterdir() if path.name.startswith(f"{store.name}{_WORKING_PREFIX}") and path.is_dir()]


SCRATCH_PREFIX = "stabcore-study-"  # followed by the number of its process


def scratch_folder() -> Path:
    """A new folder that only this user may read. Folders of ended processes are removed."""
    for left in Path(tempfile.gettempdir()).glob(f"{SCRATCH_PREFIX}*"):
        with suppress(OSError):
            if _is_left_behind(left):
                shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{SCRATCH_PREFIX}{os.getpid()}-"))


def remove_with_owner(owner: Any, folder: Path) -> None:
    """Remove the folder when its owner is gone, at the latest when this process ends."""
    weakref.finalize(owner, remove_scratch, folder, os.getpid())


def remove_scratch(folder: Path, process: int | None = None) -> None:
    """Remove the folder, but not in a copy of the process that made it."""
    if process in (None, os.getpid()):
        shutil.rmtree(folder, ignore_errors=True)


def _is_left_behind(folder) -> bool:
    """Whether the process that made it is gone, or its number belongs to another process."""
    import psutil

    number = folder.name.removeprefix(SCRATCH_PREFIX).partition("-")[0]
    if not number.isdecimal() or int(number) == os.getpid() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
        return False
    try:
        return psutil.Process(int(number)).create_time() > folder.stat().st_mtime + 1
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False
