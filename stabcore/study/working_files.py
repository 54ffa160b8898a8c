"""What the tasks of a running study share lies beside its study file: it goes with the work, and never stays in a common folder.

And how files are put into their place and taken away on systems where that has to wait for whoever has them open.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from stabcore.errors import InputError

_MARK = ".work-"        # behind the name of the study file
WAITS = (0.01, 0.03, 0.1, 0.3, 1.0) if sys.platform == "win32" else ()      # seconds: who reads a file there lets nobody replace it


def in_place(beside, path):
    """Move a file that was written beside into its place: there is the old one or the new one. Raises OSError."""
    for wait in WAITS:
        try:
            return os.replace(beside, path)
        except PermissionError:
            time.sleep(wait)
    os.replace(beside, path)


def remove_folder(folder):
    """Take a folder away with all that is in it. Raises InputError, without its name, where something of it stays."""
    for wait in (*WAITS, 0.0):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(wait)
    raise InputError("Not everything could be deleted: another program has a file open, or the disk can only be read. What could "
                     "be deleted is gone; close other programs and try again.")


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
