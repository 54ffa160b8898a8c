"""The person of this session on a server with sign-in. It is checked at every access and never kept in the session."""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from starlette.requests import Request

from pages.server.access import is_allowed_origin
from pages.workspace import people

SIGNED_IN = "is_logged_in"  # the toolkit knows a person only if its secrets.toml has a table [auth]
REQUIRED_ENTRIES = (
    "client_id",
    "client_secret",
    "server_metadata_url",
)  # entries of every provider, in [auth] or in a separate table
PACKAGE_MISSING = "A package for sign-in is missing. The administrator can install it: pip install Authlib httpx."


def has_sign_in() -> bool:
    """Whether people sign in here, so that each has projects of their own."""
    return SIGNED_IN in st.user


def current_person() -> str | None:
    """The person of this session for projects: people.SOLE_USER without sign-in, people.NOBODY before sign-in."""
    return people.person_from_claims(st.user.to_dict()) if has_sign_in() else people.SOLE_USER


def read_settings() -> dict:
    """The table [auth] of .streamlit/secrets.toml, empty without sign-in."""
    try:
        return st.secrets["auth"].to_dict()
    except (FileNotFoundError, KeyError):
        return {}


def fault() -> str:
    """The reason why sign-in fails, "" if it works or is not used."""
    auth = read_settings()
    return describe_fault(auth, all(map(find_spec, ("authlib", "httpx")))) if auth else ""


def providers(auth: Mapping) -> dict[str, Mapping]:
    """{name for the toolkit: settings} of the providers in [auth]. "default": the one with its settings in [auth] itself."""
    named = {name: table for name, table in auth.items() if isinstance(table, Mapping) and name != "client_kwargs"}
    return named if named and "client_id" not in auth else {"default": auth, **named}


def describe_fault(auth: Mapping, package: bool) -> str:
    """Why sign-in fails, as a sentence for the administrator, "" if nothing is missing.

    auth: the table [auth] of .streamlit/secrets.toml. package: whether the package for sign-in is installed.
    """
    if not package:
        return PACKAGE_MISSING
    missing = [f"auth.{name}" for name in ("redirect_uri", "cookie_secret") if not auth.get(name)]
    for provider, table in providers(auth).items():
        where = "auth" if provider == "default" else f"auth.{provider}"
        missing += [f"{where}.{name}" for name in REQUIRED_ENTRIES if not table.get(name)]
    if missing:
        return (
            f"In .streamlit/secrets.toml there is no {', no '.join(missing)}. The administrator can add it and restart the server."
        )
    if not str(auth["redirect_uri"]).endswith("/oauth2callback"):
        return (
            "In .streamlit/secrets.toml, auth.redirect_uri must be the address of this server in the browser, followed by "
            "/oauth2callback."
        )
    return ""


# ---- the return after sign-in ----
#
# Sign-in goes through another server and ends on Start. This returns people to the address from which they came. The browser names
# that page when it leaves (Referer, which access limits to this server), and a cookie keeps it for the few minutes until the
# browser returns. The provider learns nothing of it, and nothing is stored here. The cookie is named after the state of this
# sign-in, a secret number, so that no other tab, person or site chooses where somebody ends. It leads to a screen of this server,
# by a link, or to none.

LOGIN_PATH, CALLBACK_PATH = (
    "/auth/login",
    "/oauth2callback",
)  # paths at which Streamlit starts the sign-in, and to which people return
COOKIE_MINUTES = 10  # time for signing in
MAX_ADDRESS_LENGTH = 2500  # limit of characters of an address. Browsers keep 4096 of a cookie
COOKIE_PREFIX = "stability-came-by-"
_SCREEN = re.compile(r"[a-z_]{0,40}(\?[!-~]*)?")


def screen_of(address: str, host: str, origins: Collection[str]) -> str:
    """The screen in an address of this server, with its query, as in "whatif?id=…". "" for other addresses."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if not parts.netloc or not is_allowed_origin(f"{parts.scheme}://{parts.netloc}", host, set(origins) - {"*"}):
        return ""
    screen = parts.path.rpartition("/")[2] + (f"?{parts.query}" if parts.query else "")
    return screen if _is_screen(screen) else ""


def _is_screen(text) -> bool:
    """The name of a screen and a query only: no folder, no other server, no header."""
    return len(text) <= MAX_ADDRESS_LENGTH and _SCREEN.fullmatch(text) is not None


def cookie_name(state: str) -> str:
    """The name of the cookie of one sign-in."""
    return COOKIE_PREFIX + hashlib.sha256(state.encode()).hexdigest()[:32]


def encode_screen(screen: str) -> str:
    """The address in the form of a cookie."""
    return base64.urlsafe_b64encode(screen.encode()).decode().rstrip("=")


def decode_screen(text: str) -> str:
    """The address in a cookie, "" if it is no screen."""
    try:
        screen = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    return screen if _is_screen(screen) else ""


@dataclass(frozen=True)
class ReturnAddress:
    """An ASGI middleware around an app with sign-in. origins: a function for the other origins of this server."""

    app: Callable[..., Any]
    origins: Callable[[], Collection[str]] = tuple

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http" and scope["path"].endswith((LOGIN_PATH, CALLBACK_PATH)):
            send = self._change_redirects(Request(scope), send)
        await self.app(scope, receive, send)

    def _change_redirects(self, request, send):
        """Send the answer of the toolkit, with the cookie when people leave, and with its address when they return."""
        change = self._remember_screen if request.scope["path"].endswith(LOGIN_PATH) else _lead_back

        async def send_changed(message):
            if message["type"] == "http.response.start" and message["status"] in (302, 303, 307):
                message = {**message, "headers": change(request, list(message.get("headers", ())))}
            await send(message)

        return send_changed

    def _remember_screen(self, request, headers):
        screen = screen_of(request.headers.get("referer", ""), request.headers.get("host", ""), self.origins())
        state = parse_qs(urlsplit(_location_header(headers)).query).get("state", [""])[0]
        if screen and state:
            headers.append(_cookie_header(request, cookie_name(state), encode_screen(screen), 60 * COOKIE_MINUTES))
        return headers


def _lead_back(request, headers):
    name = cookie_name(request.query_params.get("state", ""))
    screen, base = decode_screen(request.cookies.get(name, "")), request.scope["path"].removesuffix(CALLBACK_PATH) + "/"
    if name not in request.cookies:
        return headers
    headers.append(_cookie_header(request, name, "", 0))
    if screen and _location_header(headers) == base and not base.startswith("//"):
        headers = [(key, (base + screen).encode() if key.lower() == b"location" else value) for key, value in headers]
    return headers


def _location_header(headers) -> str:
    return next((value.decode("latin-1") for key, value in headers if key.lower() == b"location"), "")


def _cookie_header(request, name, value, seconds):
    """A header that keeps a cookie for the page of the return only. With zero seconds the cookie is deleted."""
    path = request.scope["path"].removesuffix(LOGIN_PATH).removesuffix(CALLBACK_PATH) + CALLBACK_PATH
    return b"set-cookie", f"{name}={value}; Max-Age={seconds}; Path={path}; HttpOnly; SameSite=Lax".encode("latin-1", "ignore")
