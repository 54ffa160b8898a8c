"""Access by host, origin and session, and the limits of every answer in the browser.

The server listens on this computer only, but others reach it. Another account can connect. A web page in the same browser can, by
another name of 127.0.0.1 (DNS rebinding) or from its own origin. So a browser needs a session, see `sessions`.
"""

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
from stabcore.base.errors import InputError, describe_fault

KEY_VARIABLE = "STABILITY_TOKEN"  # in the environment: a key to type. Empty if a proxy checks people
MIN_KEY_LENGTH = 16  # characters


def access_key() -> str | None:
    """The key from the environment. "" if no key is required, None if the variable is missing.

    Raises InputError for a key that is short or cannot be typed.
    """
    key = os.environ.get(KEY_VARIABLE)
    if key and (len(key) < MIN_KEY_LENGTH or not key.isprintable()):
        raise InputError(
            f"The environment variable {KEY_VARIABLE} must hold at least {MIN_KEY_LENGTH} characters without tabs and line ends. "
            "Set a longer key, or leave the variable out: then the app prints an address that opens once."
        )
    return key


def needs_session(signs_in: bool) -> bool:
    """Whether a browser needs a session here. With sign-in it does not, unless the environment sets a key."""
    key = access_key()
    return not signs_in if key is None else bool(key)


# ---- hosts, origins, and the limits of answers ----

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[a-z0-9.:\[\]_-]{1,255}", re.IGNORECASE)


def script_hashes(page: bytes) -> tuple[str, ...]:
    """The scripts in the page itself, as a policy names them."""
    return tuple(f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in _INLINE.findall(page))


def content_policy(host: str, scripts: Collection[str] = ()) -> str:
    """The sources that the browser may load: this server only, so that no data leaves the computer."""
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
    """Whether the host is a name of this server. Every name is, without a list. *.example.org: all names below it."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return not allowed
    return not allowed or any(
        pattern == "*" or name == pattern or (pattern.startswith("*.") and name.endswith(pattern[1:]))
        for pattern in map(str.lower, allowed)
    )


def is_allowed_origin(origin: str, host: str, allowed: Collection[str]) -> bool:
    """Whether the request comes from a page of this server. Programs other than browsers send no origin."""
    return not origin or urlsplit(origin).netloc == host or origin in allowed or "*" in allowed


# ---- addresses of before ----

NEW_NAMES = {"groups": "similarity", "profiles": "feature_count", "passport": "feature_profile"}  # screens by their old names


@dataclass(frozen=True)
class RenamedScreens:
    """The middleware that leads a link to a screen of another name to that screen, with its query."""

    app: Callable[..., Any]

    async def __call__(self, scope, receive, send) -> None:
        screen = NEW_NAMES.get(scope["path"].rpartition("/")[2]) if scope["type"] == "http" else None
        query = scope["query_string"].decode("latin-1") if screen else ""
        answer = RedirectResponse(f"{screen}?{query}" if query else screen, 308) if screen else self.app  # relative
        await answer(scope, receive, send)


# ---- the middleware ----

HEALTH_PATH = "/_stcore/health"  # an address that only reports that the server runs, for the program that starts it
STATIC_PATH = "/static/"  # files whose names change with their content
MAX_FORM_LENGTH = 10_000  # limit of bytes of a typed key
MAX_SOCKETS = 200  # limit of open tabs
NO_SESSION = (
    "<p>This browser has no session yet. Open the address that the app printed at its start. An address opens once. For another "
    "one, run <code>feature-stability --invite</code> (in a checkout, "
    "<code>.venv/bin/python -m pages.server.launch --invite</code>).</p>"
)
KEY_FORM = (
    '<form method="post"><label>Key: <input type="password" name="key" autofocus autocomplete="current-password"></label> '
    "<button>Open</button></form>"
)
WRONG_KEY = "<p>This is not the key.</p>"
FOREIGN_ORIGIN = "<p>This request came from another site, so the app refuses it.</p>"
PAGE_HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Feature stability</title>{}'


@dataclass(frozen=True)
class AccessControl:
    """The middleware around an ASGI app.

    hosts, origins: functions for the names of the server, and for other allowed origins. browsers: the browsers with a session,
    None if none is required. cookie: its name. key: the key that can be typed, if any. own_host: a function for the host and port
    to which browsers are redirected, "" if any name will do. scripts: see script_hashes.
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
            answer = _refusal(scope, FOREIGN_ORIGIN)
        elif scope["type"] == "websocket":
            answer = self._serve_socket if self._has_session(request) and len(self.sockets) < MAX_SOCKETS else _refusal(scope)
        elif KEY_PARAMETER in request.query_params:
            answer = self._answer_launch_key(request)
        else:
            answer = self.app if self._has_session(request) else await self._answer_without_session(Request(scope, receive))
        await answer(scope, receive, self._add_headers(send, host, scope["path"]))

    def _has_session(self, request) -> bool:
        """Whether a session is required, and this browser has one."""
        if self.browsers is None or request.scope.get("method") == "GET" and request.scope["path"].endswith(HEALTH_PATH):
            return True  # read only: other addresses may end this way, too
        return self.browsers.has_session(request.cookies.get(self.cookie, ""))

    async def _serve_socket(self, scope, receive, send):
        """The connection to a tab, which ends with the session."""
        request, line = HTTPConnection(scope), object()

        async def receive_in_session():
            message = await receive()
            return message if self._has_session(request) else {"type": "websocket.disconnect", "code": 1008}

        self.sockets.add(line)
        try:
            await self.app(scope, receive_in_session, send)
        finally:
            self.sockets.discard(line)

    def _answer_launch_key(self, request):
        """An address with a launch key, which opens once. A browser with a session needs no key."""
        if self.browsers is None or self._has_session(request):
            return _redirect_page(_address_without_key(request))
        if self.browsers.use_key(request.query_params[KEY_PARAMETER]):
            return self._start_session(request)
        return _refusal(request.scope, NO_SESSION + KEY_FORM * bool(self.key))

    async def _answer_without_session(self, request):
        """The answer to a browser without a session."""
        if request.method == "POST" and self.key:
            right = hmac.compare_digest((await _typed_key(request)).encode(), self.key.encode())
            return self._start_session(request) if right else _refusal(request.scope, WRONG_KEY + KEY_FORM)
        if request.method == "GET" and request.headers.get("sec-fetch-mode") == "navigate":
            # from another site a strict cookie is not sent along, so this page requests again
            if request.headers.get("sec-fetch-site") == "cross-site":
                return _redirect_page(_address_without_key(request))
            if (host := self.own_host()) and host != request.headers.get("host"):
                return RedirectResponse(f"http://{host}{_address_without_key(request)}", 307)
        return _refusal(request.scope, KEY_FORM if self.key else NO_SESSION)

    def _start_session(self, request):
        assert self.browsers is not None, "nobody is asked"
        try:
            session = self.browsers.open_session(request.headers.get("user-agent", ""))
        except OSError as error:
            return _refusal(request.scope, f"<p>{escape(describe_fault(error))}</p>", 503)
        answer = _redirect_page(_address_without_key(request))
        answer.set_cookie(
            self.cookie,
            session,
            max_age=SESSION_DAYS * 24 * 3600,
            httponly=True,
            samesite="strict",
            secure="https" in (request.url.scheme, request.headers.get("x-forwarded-proto")),
        )
        return answer

    def _add_headers(self, send, host, path):
        """Send the limits with an answer."""

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update({**HEADERS, "content-security-policy": content_policy(host, self.scripts)})
                if STATIC_PATH not in path:
                    headers["cache-control"] = "no-store"
                message = {**message, "headers": headers.raw}
            await send(message)

        return send_with_headers


def _address_without_key(request) -> str:
    """Path and query of a request without a launch key, never the name of another server."""
    query = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != KEY_PARAMETER])
    path = request.scope["path"].lstrip("/\\")
    return f"/{path}?{query}" if query else f"/{path}"


def _redirect_page(address):
    """A page that redirects. After a redirect from another site, a browser would not send a strict cookie."""
    address = escape(address)
    return HTMLResponse(
        PAGE_HTML.format(f'<meta http-equiv="refresh" content="0; url={address}"><p><a href="{address}">Open the app</a></p>')
    )


async def _typed_key(request) -> str:
    """The key typed into FORM, "" for another one."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_LENGTH:
            return ""
    try:
        return parse_qs(body.decode("ascii"), errors="strict").get("key", [""])[0]
    except ValueError:
        return ""


def _refusal(scope, words="", status=403):
    if scope["type"] == "websocket":
        return WebSocketClose(1008)
    return HTMLResponse(PAGE_HTML.format(words), status)
