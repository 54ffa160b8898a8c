"""What the tasks of a running study share lies beside its study file: it goes with the work, and never stays in a common folder."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

_MARK = ".work-"        # behind the name of the study file


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
