"""The one error that people, not programmers, are meant to read; and faults of the machine in the same words."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path


class InputError(ValueError):
    """What was found, where, what is allowed and what to do: a sentence to show as it stands."""


_FULL = "{what} could not be written: the disk is full. What was finished before is kept. Free some space, then try again."
_SHUT = (
    "{what} may not be written: the folder or the disk can only be read, or belongs to somebody else. Nothing was changed. "
    "Allow writing there, or set STABILITY_HOME to a folder of your own."
)
_GONE = "{what} is not there any more: it was deleted or moved meanwhile, so it keeps nothing more. Put it back, or begin anew."
_BUSY = "{what} is being used by another program, which did not let go of it for a minute. What was finished is kept. Try again."
_BROKEN = "The disk could not read or write {what}. What was finished before is kept. Check the disk and its connection."
_MEMORY = "Memory ran out. What was finished is kept. Close other programs, use fewer workers, or leave out features or rows."
_NAMES = {
    "ENOSPC": _FULL,
    "EDQUOT": _FULL,
    "EROFS": _SHUT,
    "EACCES": _SHUT,
    "EPERM": _SHUT,
    "ENOENT": _GONE,
    "ESTALE": _GONE,
    "EIO": _BROKEN,
}
_OF_SYSTEM = {getattr(errno, name): words for name, words in _NAMES.items() if hasattr(errno, name)}  # no system has them all
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _SHUT,
    sqlite3.SQLITE_PERM: _SHUT,
    sqlite3.SQLITE_CANTOPEN: _GONE,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_IOERR: _BROKEN,
}


def fault_words(error) -> str:
    """What a fault of the machine (a full disk, a file that is gone, too little memory) means; empty for any other error."""
    if isinstance(error, MemoryError):
        return _MEMORY
    if isinstance(error, sqlite3.Error):
        return _OF_SQLITE.get((getattr(error, "sqlite_errorcode", None) or 0) & 0xFF, "").format(what="The study file")
    if isinstance(error, OSError):
        if error.errno is None and "requested and" in str(error):  # as numpy says it
            return _FULL.format(what="A file")
        name = Path(str(error.filename or "")).name
        what = f"The file {name}" if "." in name else "A file"  # never a folder, whose name may be a key
        return _OF_SYSTEM.get(error.errno or 0, "").format(what=what)
    return ""
