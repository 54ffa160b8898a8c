"""What lies on the disk is for this user alone and never half written, and so is the key that a browser needs."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress

from stabcore.study.working_files import in_place

MASK = 0o077                # of new files: nobody else reads or writes them
KEY = "STABILITY_TOKEN"     # in the environment: the token to ask for; empty where something before the server asks who it is
ONCE = "once"               # in the folder of works: the key that opens once
ONCE_SECONDS = 600          # in which it does
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,200}")


def close(home):
    """Make the folder of works, and let nobody else into it, whoever made it."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(OSError):         # it is somebody else's
        home.chmod(0o700)


def write_whole(path, content: bytes):
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


def token(home, signs_in=False) -> str:
    """What the first address must hold; the same after a restart, so that an address that was kept still opens.

    signs_in: do people sign in? Then none is asked for, unless the environment says so.
    """
    asked = os.environ.get(KEY)
    if asked is not None or signs_in:
        return asked or ""
    path = home / "token"
    with suppress(OSError, UnicodeDecodeError):
        kept = path.read_text(encoding="utf-8").strip()
        if _TOKEN.fullmatch(kept):
            return kept
    new = secrets.token_urlsafe(24)
    with suppress(OSError):         # a home that cannot be written: another one at the next start
        close(home)
        write_whole(path, new.encode())
    return new


def token_once(home) -> str:
    """What the address holds that a browser is started with: everybody can read the arguments of a process, so it opens once."""
    new = secrets.token_urlsafe(24)
    write_whole(home / ONCE, new.encode())
    return new


def opens_once(home, told) -> bool:
    """Is this the key that opens once, told for the first time? Of several processes one alone can say so."""
    path = home / ONCE
    with suppress(OSError, UnicodeError):
        if (secrets.compare_digest(path.read_text(encoding="ascii").encode(), told.encode())
                and 0 <= time.time() - path.stat().st_mtime < ONCE_SECONDS):
            path.unlink()
            return True
    return False
