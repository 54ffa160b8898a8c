"""Browsers that may open the app: each has a session of its own, which ends after 30 days and can be revoked before.

A browser comes in by a launch key, which an address holds and which opens once. The folder `browsers` in the home holds one file
for each session and each unused key, named by a hash, so that whoever reads the folder cannot come in. Making and deleting a file
are single steps of the system: they need no lock, also where several servers share a home.
"""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pages.workspace.files import write_whole

FOLDER = "browsers"  # in the home
KEY_PARAMETER = "token"  # of an address that opens once: its launch key
SESSION_DAYS = 30
KEY_MINUTES = 60  # in which a launch key opens
MAX_SESSIONS = 200  # more replace the oldest
_DAY = 24 * 3600
_KEY = ".key"  # ends the name of the file of a launch key


@dataclass(frozen=True)
class Session:
    """One browser. name: the beginning of its hash; browser: what it calls itself; opened: seconds since 1970."""

    name: str
    browser: str
    opened: float

    @property
    def ends(self) -> float:
        return self.opened + SESSION_DAYS * _DAY


class Browsers:
    """The browsers that may open the projects of a home."""

    def __init__(self, home: Path):
        self.folder = home / FOLDER

    def make_key(self) -> str:
        """A launch key: it opens once, within KEY_MINUTES."""
        key = secrets.token_urlsafe(24)
        self._write(_hash(key) + _KEY, "")
        return key

    def make_address(self, server: str) -> str:
        """An address of a server that opens once."""
        return f"{server}/?{KEY_PARAMETER}={self.make_key()}"

    def is_unused(self, key: str) -> bool:
        """Does this launch key still open?"""
        return _age(self._key_file(key)) < 60 * KEY_MINUTES

    def take_key(self, key: str) -> bool:
        """Use a launch key up; False where it is none, or was used or too old. Of two who give it at once, one comes in."""
        unused = self.is_unused(key)
        try:
            self._key_file(key).unlink()
        except OSError:
            return False
        return unused

    def open_session(self, browser: str) -> str:
        """The secret id of a new session. browser: what the browser calls itself. Raises OSError where nothing can be written."""
        session = secrets.token_urlsafe(24)
        self._write(_hash(session), "".join(filter(str.isprintable, browser))[:120])
        for path in self._ended():
            path.unlink(missing_ok=True)
        return session

    def knows(self, session: str) -> bool:
        """Is this the id of a session that has not ended?"""
        return _age(self.folder / _hash(session)) < SESSION_DAYS * _DAY

    def sessions(self) -> list[Session]:
        """All that have not ended, the latest first."""
        ended = set(self._ended())
        return [
            Session(path.name[:8], path.read_text(encoding="utf-8", errors="replace"), path.stat().st_mtime)
            for path in self._files()
            if path not in ended and path.suffix != _KEY
        ]

    def revoke(self, name: str = "", but: str = "") -> int:
        """End the session of this name, all with ""; how many there were. but: the id of a session that stays."""
        ended = [path for path in self._files() if name in ("", path.name[:8]) and path.name != _hash(but)]
        for path in ended:
            path.unlink(missing_ok=True)
        return sum(path.suffix != _KEY for path in ended)

    def _files(self) -> list[Path]:
        """Of sessions and keys, the latest first."""
        with suppress(OSError):
            return sorted(self.folder.iterdir(), key=_age)
        return []

    def _ended(self) -> list[Path]:
        """Files of sessions that have ended, or are too many, and of keys that are too old."""
        files = self._files()
        sessions, keys = ([path for path in files if (path.suffix == _KEY) == is_key] for is_key in (False, True))
        return [
            *(path for number, path in enumerate(sessions) if number >= MAX_SESSIONS or _age(path) >= SESSION_DAYS * _DAY),
            *(path for path in keys if _age(path) >= 60 * KEY_MINUTES),
        ]

    def _key_file(self, key) -> Path:
        return self.folder / (_hash(key) + _KEY)

    def _write(self, name, text):
        self.folder.mkdir(mode=0o700, exist_ok=True)
        write_whole(self.folder / name, text.encode())


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _age(path) -> float:
    """Seconds since a file was written; endless where there is none."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")
