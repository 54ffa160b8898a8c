"""Browsers that may open the app. Each has its own session, which ends after 30 days or when it is revoked.

A browser gets a session by a launch key in an address that opens once. The folder `browsers` in the home has one file per session
and per unused key, named by a hash, so that reading the folder gives no access. Making and deleting a file are atomic, so several
servers can share a home without a lock.
"""

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pages.workspace.files import write_atomically

FOLDER = "browsers"  # folder in the home
KEY_PARAMETER = "token"  # in an address that opens once: its launch key
SESSION_DAYS = 30
KEY_MINUTES = 60  # minutes in which a launch key opens
MAX_SESSIONS = 200  # more sessions replace the oldest
_DAY = 24 * 3600
_KEY_SUFFIX = ".key"  # ending of the file name of a launch key


@dataclass(frozen=True)
class Session:
    """One browser. name: the beginning of its hash. browser: its own name. opened: seconds since 1970."""

    name: str
    browser: str
    opened: float


class Browsers:
    """The browsers that may open the projects of a home."""

    def __init__(self, home: Path):
        self.folder = home / FOLDER

    def make_key(self) -> str:
        """A launch key, which opens once within KEY_MINUTES."""
        key = secrets.token_urlsafe(24)
        self._write(_hash(key) + _KEY_SUFFIX, "")
        return key

    def make_address(self, server: str) -> str:
        """An address of a server that opens once."""
        return f"{server}/?{KEY_PARAMETER}={self.make_key()}"

    def is_unused(self, key: str) -> bool:
        """Whether this launch key still opens."""
        return _age(self._key_file(key)) < 60 * KEY_MINUTES

    def use_key(self, key: str) -> bool:
        """Use a launch key. False if it is invalid, used or too old. Of two simultaneous uses, one succeeds."""
        unused = self.is_unused(key)
        try:
            self._key_file(key).unlink()
        except OSError:
            return False
        return unused

    def open_session(self, browser: str) -> str:
        """The secret id of a new session. browser: its own name. Raises OSError if nothing can be written."""
        session = secrets.token_urlsafe(24)
        self._write(_hash(session), "".join(filter(str.isprintable, browser))[:120])
        for path in self._ended_files():
            path.unlink(missing_ok=True)
        return session

    def has_session(self, session: str) -> bool:
        """Whether this is the id of an open session."""
        return _age(self.folder / _hash(session)) < SESSION_DAYS * _DAY

    def sessions(self) -> list[Session]:
        """All open sessions, the latest first."""
        ended = set(self._ended_files())
        return [
            Session(path.name[:8], path.read_text(encoding="utf-8", errors="replace"), path.stat().st_mtime)
            for path in self._files()
            if path not in ended and path.suffix != _KEY_SUFFIX
        ]

    def revoke(self, name: str = "") -> int:
        """End the session of this name, "" for all. Returns their number."""
        ended = [path for path in self._files() if name in ("", path.name[:8])]
        for path in ended:
            path.unlink(missing_ok=True)
        return sum(path.suffix != _KEY_SUFFIX for path in ended)

    def _files(self) -> list[Path]:
        """Files of sessions and keys, the latest first."""
        with suppress(OSError):
            return sorted(self.folder.iterdir(), key=_age)
        return []

    def _ended_files(self) -> list[Path]:
        """Delete files of ended or surplus sessions and of old keys."""
        files = self._files()
        sessions, keys = ([path for path in files if (path.suffix == _KEY_SUFFIX) == is_key] for is_key in (False, True))
        return [
            *(path for number, path in enumerate(sessions) if number >= MAX_SESSIONS or _age(path) >= SESSION_DAYS * _DAY),
            *(path for path in keys if _age(path) >= 60 * KEY_MINUTES),
        ]

    def _key_file(self, key) -> Path:
        return self.folder / (_hash(key) + _KEY_SUFFIX)

    def _write(self, name, text):
        self.folder.mkdir(mode=0o700, exist_ok=True)
        write_atomically(self.folder / name, text.encode())


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _age(path) -> float:
    """Seconds since a file was written. Infinite without the file."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")
