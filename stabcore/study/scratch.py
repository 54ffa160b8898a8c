"""A folder for a study without a file of its own: it goes with the result, with the process, or at the next start after a crash."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

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
