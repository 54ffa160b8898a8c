"""The folder of projects, and the writing of its files: for this user only, and never half."""

import os
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from stabcore.base.errors import InputError
from stabcore.study.working_files import StudyLock, replace_file

ADDRESS_FILE = "address"  # in the home: the last address of its server
MASK = 0o077  # mask of new files, which only the owner may read and write


def home() -> Path:
    """The folder of projects: $STABILITY_HOME, or a folder of the user. Raises InputError for a user without a home."""
    try:
        return Path(os.environ.get("STABILITY_HOME") or "~/.stability-dashboard").expanduser().absolute()
    except RuntimeError:
        raise InputError(
            "This user has no home folder for projects. Name a folder in the environment variable STABILITY_HOME."
        ) from None


def prepare_home(folder: Path):
    """Make the home, for this user only. One that exists keeps its rights. Raises InputError for wrong rights."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    posix = os.name == "posix"
    remedy = f"Run: chmod 700 {shlex.quote(str(folder))}" if posix else "Allow writing there"
    choice = "or name another folder in the environment variable STABILITY_HOME."
    if not os.path.isdir(folder):
        raise InputError(
            f"The folder for projects cannot be created: {folder}. Name another folder in the environment variable STABILITY_HOME."
        )
    mode = folder.stat().st_mode if posix else 0o700
    if mode & 0o700 != 0o700 or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise InputError(f"You cannot read and write the folder for projects: {folder}. {remedy}, {choice}")
    if mode & 0o077:
        raise InputError(f"Other accounts of this computer can open the folder for projects: {folder}. {remedy}, {choice}")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a file against all threads and processes. Raises InputError if another one keeps it locked."""
    lock = StudyLock(path)
    if not lock.acquire(wait=10.0):
        raise InputError("Another process is writing this project. Try again, or restart the app.")
    try:
        yield
    finally:
        lock.release()


def write_atomically(path: Path, content: bytes):
    """Write a file beside and move it into place, so that it is either old or new."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.chmod(0o600)
        replace_file(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def read_text(path: Path) -> str:
    """The content of a file without surrounding blanks, "" if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
