"""Who may ask the server, by host, origin and key, and what every answer forbids the browser to do.

The server listens on this computer alone, yet others reach it: a web page that is open in the same browser, by another name for
127.0.0.1 (DNS rebinding) or from its own origin, and other accounts of this computer. So the first address holds a key, which the
browser then keeps in a cookie.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.websockets import WebSocketClose

from pages.workspace.files import make_private, write_whole

# ---- the key ----

KEY = "STABILITY_TOKEN"  # in the environment: the key to ask for; empty where something before the server asks who it is
KEY_FILE = "token"  # in the folder of works: the key
ONCE_FILE = "once"  # likewise: the key that opens once
ONCE_SECONDS = 600  # in which it does
_KEY = re.compile(r"[A-Za-z0-9_-]{22,200}")


def access_key(home: Path, signs_in: bool = False) -> str:
    """What the first address must hold; the same after a restart, so that an address that was kept still opens.

    signs_in: do people sign in? Then none is asked for, unless the environment says so.
    """
    asked = os.environ.get(KEY)
    if asked is not None or signs_in:
        return asked or ""
    path, new = home / KEY_FILE, secrets.token_urlsafe(24)
    if key := _read_key(path):
        return key
    with suppress(OSError):  # a home that cannot be written: another key at the next start
        make_private(home)
        if path.exists():
            write_whole(path, new.encode())
        else:  # of several servers that share the works one makes it
            with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                file.write(new)
    return _read_key(path) or new


def _read_key(path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        if _KEY.fullmatch(key := path.read_text(encoding="utf-8").strip()):
            return key
    return ""


def make_one_time_key(home: Path) -> str:
    """What the address holds that a browser is started with: everybody can read the arguments of a process, so it opens once."""
    key = secrets.token_urlsafe(24)
    write_whole(home / ONCE_FILE, key.encode())
    return key


def take_one_time_key(home: Path, key: str) -> bool:
    """Is this the key that opens once, given for the first time?"""
    path = home / ONCE_FILE
    with suppress(OSError, UnicodeError):
        if _same(path.read_text(encoding="ascii"), key) and 0 <= time.time() - path.stat().st_mtime < ONCE_SECONDS:
            path.unlink()
            return True
    return False


def _same(text, key) -> bool:
    return secrets.compare_digest(text.encode(), key.encode())


# ---- hosts, origins, and what answers forbid ----

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[a-z0-9.:\[\]_-]{1,255}", re.IGNORECASE)


def script_hashes(page: bytes) -> tuple[str, ...]:
    """The scripts that stand in a page itself, as a policy names them."""
    return tuple(f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in _INLINE.findall(page))


def content_policy(host: str, scripts: Collection[str] = ()) -> str:
    """What the browser may load and ask: of this server alone, so that nothing leaves the computer whatever is drawn."""
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join(
        [
            "default-src 'self'",
            " ".join(["script-src 'self'", *scripts]),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' blob:",
            "worker-src 'self' blob:",
            f"connect-src 'self'{sockets} data: blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        ]
    )


def is_allowed_host(host: str, allowed: Collection[str]) -> bool:
    """Is the server asked for by a name of its own? Every name is, where none is given; *.example.org: all below that."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return not allowed
    return not allowed or any(
        pattern == "*" or name == pattern or (pattern.startswith("*.") and name.endswith(pattern[1:]))
        for pattern in map(str.lower, allowed)
    )


def is_allowed_origin(origin: str, host: str, allowed: Collection[str]) -> bool:
    """Does a page of this very server ask? What is no page of a browser says no origin."""
    return not origin or urlsplit(origin).netloc == host or origin in allowed or "*" in allowed


# ---- the middleware ----

KEY_PARAMETER = "token"  # of the first address
HEALTH = "_stcore/health"  # tells nothing but that the server runs; what starts it asks for that
STATIC = "/static/"  # files whose names change with their content
YEAR = 365 * 24 * 3600
KEY_MISSING = (
    "This dashboard asks for its key, so that other people on this computer cannot look at your data. Open the address "
    "that stands in the window where it was started: it ends with ?token= and the key. This browser then knows it."
)
ELSEWHERE = "This dashboard was asked for in the name of another site, which it does not answer."


@dataclass(frozen=True)
class Access:
    """Around an ASGI app.

    hosts, origins: give the names that the server may be asked by, and the other origins that may ask; key: nothing where none
    is asked for; is_one_time_key: is a text another one, good for this time alone? scripts: see script_hashes.
    """

    app: Callable[..., Any]
    hosts: Callable[[], Collection[str]] = tuple
    origins: Callable[[], Collection[str]] = tuple
    key: str = ""
    is_one_time_key: Callable[[str], bool] = lambda _: False
    scripts: tuple[str, ...] = ()

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        host, given = request.headers.get("host", ""), request.query_params.get(KEY_PARAMETER, "")
        if not (is_allowed_host(host, self.hosts()) and is_allowed_origin(request.headers.get("origin", ""), host, self.origins())):
            answer = _refusal(scope, ELSEWHERE)
        elif self.key and scope["type"] == "http" and given and (_same(given, self.key) or self.is_one_time_key(given)):
            answer = RedirectResponse(_without_key(request), 303)
            answer.set_cookie(self._cookie, self.key, max_age=YEAR, httponly=True, samesite="lax")
        elif not self._knows(request):
            answer = _refusal(scope, KEY_MISSING)
        else:
            answer = self.app
        await answer(scope, receive, self._with_headers(send, host, scope["path"]))

    def _knows(self, request) -> bool:
        return not self.key or request.scope["path"].endswith(HEALTH) or _same(request.cookies.get(self._cookie, ""), self.key)

    @property
    def _cookie(self) -> str:
        """Its name: browsers mix those of all servers of a computer, which have keys of their own."""
        return f"stability-{hashlib.sha256(self.key.encode()).hexdigest()[:12]}"

    def _with_headers(self, send, host, path):
        """Sends what an answer forbids with it."""

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update({**HEADERS, "content-security-policy": content_policy(host, self.scripts)})
                if STATIC not in path:
                    headers["cache-control"] = "no-store"
                message = {**message, "headers": headers.raw}
            await send(message)

        return send_with_headers


def _without_key(request) -> str:
    """Path and query to go on to; never the name of another server."""
    query = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != KEY_PARAMETER])
    path = request.scope["path"].lstrip("/\\")
    return f"/{path}?{query}" if query else f"/{path}"


def _refusal(scope, why):
    return WebSocketClose(1008) if scope["type"] == "websocket" else PlainTextResponse(why, 403)
