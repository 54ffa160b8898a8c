"""Who runs a study now, and the file that asks for its end: light, for whoever only waits or looks."""

from __future__ import annotations

import sqlite3
from pathlib import Path


class StudyLock:
    """At most one process runs a study. The lock is the operating system's: it goes with the process, however that ends."""

    def __init__(self, store_path):
        self.path = Path(f"{store_path}.lock")
        self._base = None

    def acquire(self, wait=2.0) -> bool:
        base = sqlite3.connect(self.path, timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            base.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            base.close()
            return False
        self._base = base
        return True

    def release(self):
        if self._base is not None:
            self._base.close()
            self._base = None

    @classmethod
    def held(cls, store_path) -> bool:
        """Is some process running this study now?"""
        lock = cls(store_path)
        if not lock.path.exists():
            return False
        free = lock.acquire(wait=0)
        lock.release()
        return not free


def cancel_file(store) -> Path:
    """The file whose appearance tells a running study to stop."""
    return Path(f"{store}.cancel")
