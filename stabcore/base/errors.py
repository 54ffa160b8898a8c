"""The error for users, and messages for system errors."""

import errno
import sqlite3
from pathlib import Path


class InputError(ValueError):
    """An error for users. Its text says what was found, where, and what to do."""


_FULL = "{what} could not be written: the disk is full. Finished runs are kept. Free some space, then try again."
_READ_ONLY = (
    "{what} cannot be written: the folder or the disk is read-only, or belongs to another user. Nothing was changed. Allow writing "
    "there, or set STABILITY_HOME to your own folder."
)
_MISSING = "{what} is missing: it was deleted or moved. Put it back, or start again."
_BUSY = "{what} is used by another program. Finished runs are kept. Try again."
_BROKEN = "The disk could not read or write {what}. Finished runs are kept. Check the disk and its connection."
_MEMORY = "Memory ran out. Finished runs are kept. Close other programs, use fewer workers, or leave out features or rows."
_NAMES = {
    "ENOSPC": _FULL,
    "EDQUOT": _FULL,
    "EROFS": _READ_ONLY,
    "EACCES": _READ_ONLY,
    "EPERM": _READ_ONLY,
    "ENOENT": _MISSING,
    "ESTALE": _MISSING,
    "EIO": _BROKEN,
}
_BY_ERRNO = {getattr(errno, name): words for name, words in _NAMES.items() if hasattr(errno, name)}  # no system defines all
_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _MISSING,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_IOERR: _BROKEN,
}


def describe_fault(error) -> str:
    """The message for a system error (full disk, missing file, too little memory), empty for any other error."""
    if isinstance(error, MemoryError):
        return _MEMORY
    if isinstance(error, sqlite3.Error):
        return _BY_SQLITE_CODE.get((getattr(error, "sqlite_errorcode", None) or 0) & 0xFF, "").format(what="The study file")
    if isinstance(error, OSError):
        if error.errno is None and "requested and" in str(error):  # the wording of NumPy
            return _FULL.format(what="A file")
        name = Path(str(error.filename or "")).name
        what = f"The file {name}" if "." in name else "A file"  # a folder is not named, because its name may be a key
        return _BY_ERRNO.get(error.errno or 0, "").format(what=what)
    return ""
