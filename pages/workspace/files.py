"""Where projects lie, and how their files are written: for this user alone, and never half."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stabcore.base.errors import InputError
from stabcore.study.working_files import StudyLock, in_place

ADDRESS_FILE = "address"  # in the home: where its server was started last
MASK = 0o077  # of new files: nobody else reads or writes them


def home() -> Path:
    """Where projects lie: $STABILITY_HOME, or a folder of the user's own. Raises InputError where the user has none."""
    try:
        return Path(os.environ.get("STABILITY_HOME") or "~/.stability-dashboard").expanduser().absolute()
    except RuntimeError:
        raise InputError(
            "This user has no home folder that projects could be kept in. Give a folder by the environment variable STABILITY_HOME."
        ) from None


def prepare_home(folder: Path):
    """Make the home, for this user alone; one that exists keeps its rights. Raises InputError for one with the wrong rights."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    posix = os.name == "posix"
    mend = f"Run: chmod 700 {shlex.quote(str(folder))}" if posix else "Allow writing there"
    choice = "or name another folder by the environment variable STABILITY_HOME."
    if not os.path.isdir(folder):
        raise InputError(
            f"Projects are kept in {folder}, which is no folder that you can make. Name another folder by STABILITY_HOME."
        )
    mode = folder.stat().st_mode if posix else 0o700
    if mode & 0o700 != 0o700 or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise InputError(f"Projects are kept in {folder}, which you may not read and write. {mend}, {choice}")
    if mode & 0o077:
        raise InputError(f"Projects are kept in {folder}, which other accounts of this computer may open. {mend}, {choice}")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Have a file to oneself among all threads and processes. Raises InputError where somebody else does not let go of it."""
    lock = StudyLock(path)
    if not lock.acquire(wait=10.0):
        raise InputError("Another process is writing this project, and does not end. Try again, or start the app again.")
    try:
        yield
    finally:
        lock.release()


def write_whole(path: Path, content: bytes):
    """Write a file beside and move it into place: there is the old one or the new one, never half of one."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        beside.write_bytes(content)
        beside.chmod(0o600)
        in_place(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def read_text(path: Path) -> str:
    """What a file holds, without the blanks around it; "" where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
