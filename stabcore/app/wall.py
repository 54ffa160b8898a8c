"""The wall before the server: who may ask (by host, origin and token), and what every answer forbids the browser to do.

An ASGI middleware that knows no framework. The server listens on this computer alone, yet others reach it: a web page that is open
in the same browser, by another name for 127.0.0.1 (DNS rebinding) or from its own origin, and other accounts of this computer.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

TOKEN = "token"                             # in the first address
ALWAYS = "_stcore/health"                   # tells nothing but that the server runs; what starts it asks for that
YEAR = 365 * 24 * 3600
UNCHANGING = "/static/"                     # files of the toolkit, whose names change with their content
FORBIDS = {
    "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN", "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin"}
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[a-z0-9.:\[\]_-]{1,255}", re.IGNORECASE)
KEY_MISSING = ("This dashboard asks for its key, so that other people on this computer cannot look at your data. Open the address "
               "that stands in the window where it was started: it ends with ?token= and the key. This browser then knows it.")
ELSEWHERE = "This dashboard was asked for in the name of another site, which it does not answer."


def script_hashes(page: bytes) -> tuple[str, ...]:
    """The scripts that stand in a page itself, as a policy names them."""
    return tuple(f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" for script in _INLINE.findall(page))


def policy(host, scripts=()) -> str:
    """What the browser may load and ask: of this server alone, so that nothing leaves the computer whatever is drawn.

    The toolkit hands the script of a component to the browser as a blob; only a script that runs already can make one.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join([
        "default-src 'self'", " ".join(["script-src 'self' blob:", *scripts]), "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:", "font-src 'self' data:", "media-src 'self' blob:", "worker-src 'self' blob:",
        f"connect-src 'self'{sockets} data: blob:", "object-src 'none'", "base-uri 'self'", "form-action 'self'",
        "frame-ancestors 'self'"])


def is_allowed_host(host: str, allowed: Collection[str]) -> bool:
    """Is the server asked for by a name of its own? Every name is, where none is given; *.example.org: all below that."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return not allowed
    return not allowed or any(one == "*" or name == one or (one.startswith("*.") and name.endswith(one[1:]))
                              for one in map(str.lower, allowed))


def is_allowed_origin(origin: str, host: str, allowed: Collection[str]) -> bool:
    """Does a page of this very server ask? What is no page of a browser says no origin."""
    return not origin or urlsplit(origin).netloc == host or origin in allowed or "*" in allowed


@dataclass(frozen=True)
class Request:
    """What is asked, as far as the wall looks at it."""

    path: str
    query: str
    headers: dict[str, str]

    @classmethod
    def of(cls, scope) -> Request:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        return cls(scope["path"], scope.get("query_string", b"").decode("latin-1"), headers)

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    @property
    def token(self) -> str:
        """The one in the address, if there is one."""
        return dict(parse_qsl(self.query)).get(TOKEN, "")

    def cookie(self, name) -> str:
        """The value of a cookie; nothing where it is not sent."""
        pairs = (pair.strip().partition("=") for pair in self.headers.get("cookie", "").split(";"))
        return next((value for own, _, value in pairs if own == name), "")

    def without_token(self) -> str:
        """Path and query to go on to; never the name of another server."""
        rest = urlencode([(name, value) for name, value in parse_qsl(self.query, keep_blank_values=True) if name != TOKEN])
        path = self.path.lstrip("/\\")
        return f"/{path}?{rest}" if rest else f"/{path}"


@dataclass(frozen=True)
class Wall:
    """Around an ASGI app.

    hosts, origins: give the names that the server may be asked by, and the other origins that may ask; token: nothing where none
    is asked for; once: is a text another one, good for this time alone? scripts: see script_hashes.
    """

    app: Callable[..., Any]
    hosts: Callable[[], Collection[str]] = tuple
    origins: Callable[[], Collection[str]] = tuple
    token: str = ""
    once: Callable[[str], bool] = lambda _: False
    scripts: tuple[str, ...] = field(default=())

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = Request.of(scope)
        send = self._forbidding(request, send)
        if not (is_allowed_host(request.host, self.hosts())
                and is_allowed_origin(request.headers.get("origin", ""), request.host, self.origins())):
            await _refuse(scope, receive, send, ELSEWHERE)
        elif self.token and scope["type"] == "http" and request.token and (
                self._is_token(request.token) or self.once(request.token)):
            await _answer(send, 303, [("location", request.without_token()), ("set-cookie", self._cookie())])
        elif not self._knows(request):
            await _refuse(scope, receive, send, KEY_MISSING)
        else:
            await self.app(scope, receive, send)

    def _knows(self, request) -> bool:
        return not self.token or request.path.endswith(ALWAYS) or self._is_token(request.cookie(self._name))

    def _is_token(self, text) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())

    @property
    def _name(self) -> str:
        """Of the cookie: browsers mix those of all servers of a computer, which have tokens of their own."""
        return f"stability-{hashlib.sha256(self.token.encode()).hexdigest()[:12]}"

    def _cookie(self) -> str:
        return f"{self._name}={self.token}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax"

    def _forbidding(self, request, send):
        """Sends what an answer forbids with it."""
        more = {**FORBIDS, "content-security-policy": policy(request.host, self.scripts)}
        if UNCHANGING not in request.path:
            more["cache-control"] = "no-store"

        async def sending(message):
            if message["type"] == "http.response.start":
                came = message.get("headers", ())
                kept = [(name, value) for name, value in came if name.decode("latin-1").lower() not in more]
                message = {**message, "headers": [*kept, *((name.encode(), value.encode()) for name, value in more.items())]}
            await send(message)

        return sending


async def _refuse(scope, receive, send, why):
    if scope["type"] == "websocket":
        await receive()                     # what was sent to connect; then the server says no
        await send({"type": "websocket.close", "code": 1008})
        return
    await _answer(send, 403, [("content-type", "text/plain; charset=utf-8")], why.encode())


async def _answer(send, status, headers, body=b""):
    headers = [*headers, ("content-length", str(len(body)))]
    await send({"type": "http.response.start", "status": status,
                "headers": [(name.encode(), value.encode("latin-1", "ignore")) for name, value in headers]})
    await send({"type": "http.response.body", "body": body})
