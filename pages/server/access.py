"""Who may ask the server, by host, origin and session, and what every answer forbids the browser to do.

The server listens on this computer alone, yet others reach it: a web page that is open in the same browser, by another name for
127.0.0.1 (DNS rebinding) or from its own origin, and other accounts of this computer. So a browser needs a session, see `sessions`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.websockets import WebSocketClose

from pages.server.sessions import KEY_PARAMETER, SESSION_DAYS, Browsers
from stabcore.base.errors import InputError, fault_words

KEY = "STABILITY_TOKEN"  # in the environment: a key to type at the door; empty where something before the server asks who it is
SHORTEST_KEY = 16  # characters


def door_key() -> str | None:
    """The key that the environment sets; "" where it says that nobody is asked, None where it says nothing.

    Raises InputError for one that is short, or that nobody can type.
    """
    key = os.environ.get(KEY)
    if key and (len(key) < SHORTEST_KEY or not key.isprintable()):
        raise InputError(
            f"The environment variable {KEY} must hold at least {SHORTEST_KEY} characters without tabs and line ends. Set a longer "
            "key, or leave the variable out: then the app prints an address that opens once."
        )
    return key


def asks_browsers(signs_in: bool) -> bool:
    """Does a browser need a session here? Where people sign in it needs none, unless the environment sets a key."""
    key = door_key()
    return not signs_in if key is None else bool(key)


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

HEALTH = "/_stcore/health"  # tells nothing but that the server runs; what starts it asks for that
STATIC = "/static/"  # files whose names change with their content
LONGEST_FORM = 10_000  # bytes of what is typed at the door
MAX_SOCKETS = 200  # tabs that are open at once
NEW_ADDRESS = (
    "<p>Other people on this computer cannot look at your data: a browser comes in by an address that opens once. Open the address "
    "in the window where the app was started. If it was used already, run <code>feature-stability --invite</code> (in a checkout, "
    "<code>.venv/bin/python -m pages.server.launch --invite</code>) and open the address that it prints.</p>"
)
FORM = (
    '<form method="post"><label>Key: <input type="password" name="key" autofocus autocomplete="current-password"></label> '
    "<button>Open</button></form>"
)
WRONG_KEY = "<p>This is not the key.</p>"
ELSEWHERE = "<p>This app was asked for in the name of another site, and does not answer that.</p>"
PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Feature stability</title>{}'


@dataclass(frozen=True)
class Access:
    """Around an ASGI app.

    hosts, origins: give the names that the server may be asked by, and the other origins that may ask; browsers: those that have a
    session, None where nobody is asked; cookie: its name; key: what can be typed at the door, if anything; own_host: gives the host
    and port that browsers are led to, "" where any name will do; scripts: see script_hashes.
    """

    app: Callable[..., Any]
    hosts: Callable[[], Collection[str]] = tuple
    origins: Callable[[], Collection[str]] = tuple
    browsers: Browsers | None = None
    cookie: str = "stability"
    key: str = ""
    own_host: Callable[[], str] = str
    scripts: tuple[str, ...] = ()
    sockets: set[object] = field(default_factory=set)

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        host = request.headers.get("host", "")
        if not (is_allowed_host(host, self.hosts()) and is_allowed_origin(request.headers.get("origin", ""), host, self.origins())):
            answer = _refusal(scope, ELSEWHERE)
        elif scope["type"] == "websocket":
            answer = self._socket if self._knows(request) and len(self.sockets) < MAX_SOCKETS else _refusal(scope)
        elif KEY_PARAMETER in request.query_params:
            answer = self._by_address(request)
        else:
            answer = self.app if self._knows(request) else await self._door(Request(scope, receive))
        await answer(scope, receive, self._with_headers(send, host, scope["path"]))

    def _knows(self, request) -> bool:
        """Is a session asked for, and does this browser have one?"""
        if self.browsers is None or request.scope.get("method") == "GET" and request.scope["path"].endswith(HEALTH):
            return True  # only to be read: other addresses may end so, too
        return self.browsers.knows(request.cookies.get(self.cookie, ""))

    async def _socket(self, scope, receive, send):
        """The line to a tab, which ends with the session."""
        request, line = HTTPConnection(scope), object()

        async def receive_while_known():
            message = await receive()
            return message if self._knows(request) else {"type": "websocket.disconnect", "code": 1008}

        self.sockets.add(line)
        try:
            await self.app(scope, receive_while_known, send)
        finally:
            self.sockets.discard(line)

    def _by_address(self, request):
        """An address with a launch key: it opens once. In a browser that has a session it is as good as one without the key."""
        if self.browsers is None or self._knows(request):
            return _forward(_address(request))
        if self.browsers.take_key(request.query_params[KEY_PARAMETER]):
            return self._let_in(request)
        return _refusal(request.scope, NEW_ADDRESS + FORM * bool(self.key))

    async def _door(self, request):
        """What a browser without a session gets."""
        if request.method == "POST" and self.key:
            right = hmac.compare_digest((await _typed(request)).encode(), self.key.encode())
            return self._let_in(request) if right else _refusal(request.scope, WRONG_KEY + FORM)
        if request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate":
            if request.headers.get("sec-fetch-site") == "cross-site":  # a strict cookie is not sent along: this page asks once more
                return _forward(_address(request))
            if (own := self.own_host()) and own != request.headers.get("host"):
                return RedirectResponse(f"http://{own}{_address(request)}", 307)
        return _refusal(request.scope, FORM if self.key else NEW_ADDRESS)

    def _let_in(self, request):
        assert self.browsers is not None, "nobody is asked"
        try:
            session = self.browsers.open_session(request.headers.get("user-agent", ""))
        except OSError as error:
            return _refusal(request.scope, f"<p>{escape(fault_words(error))}</p>", 503)
        answer = _forward(_address(request))
        answer.set_cookie(
            self.cookie,
            session,
            max_age=SESSION_DAYS * 24 * 3600,
            httponly=True,
            samesite="strict",
            secure="https" in (request.url.scheme, request.headers.get("x-forwarded-proto")),
        )
        return answer

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


def _address(request) -> str:
    """Path and query of a request without a launch key; never the name of another server."""
    query = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != KEY_PARAMETER])
    path = request.scope["path"].lstrip("/\\")
    return f"/{path}?{query}" if query else f"/{path}"


def _forward(address):
    """A page that goes on by itself. After a redirect from another site, a browser would not send a strict cookie."""
    address = escape(address)
    return HTMLResponse(
        PAGE.format(f'<meta http-equiv="refresh" content="0; url={address}"><p><a href="{address}">Open the app</a></p>')
    )


async def _typed(request) -> str:
    """The key that was typed into FORM; "" where it is none."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_FORM:
            return ""
    try:
        return parse_qs(body.decode("ascii"), errors="strict").get("key", [""])[0]
    except ValueError:
        return ""


def _refusal(scope, words="", status=403):
    if scope["type"] == "websocket":
        return WebSocketClose(1008)
    return HTMLResponse(PAGE.format(words), status)
