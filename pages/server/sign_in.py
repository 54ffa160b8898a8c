"""Who is at this session, where who runs the server lets people sign in: asked at every door, never kept in the session."""

from __future__ import annotations

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

SIGNED_IN = "is_logged_in"  # what the toolkit tells of a person only where its secrets.toml has a table [auth]
NEEDED = ("client_id", "client_secret", "server_metadata_url")  # of every provider; below [auth], or in a table of its own
PACKAGE_MISSING = (
    "The package that does it is missing here. Who runs this server installs it: pip install 'stabcore[server]' "
    "(or pip install Authlib httpx)."
)


def signs_in() -> bool:
    """Do people sign in here, so that each has projects of their own?"""
    return SIGNED_IN in st.user


def who() -> str | None:
    """The person of this session, as projects know them; people.ALONE where nobody signs in, people.NOBODY before somebody has."""
    return people.person_of(st.user.to_dict()) if signs_in() else people.ALONE


def read_settings() -> dict:
    """The table [auth] of .streamlit/secrets.toml; empty where nobody signs in."""
    try:
        return st.secrets["auth"].to_dict()
    except (FileNotFoundError, KeyError):
        return {}


def fault() -> str:
    """Why nobody can sign in, though people should; "" where all is well, or nobody signs in."""
    auth = read_settings()
    return describe_fault(auth, all(map(find_spec, ("authlib", "httpx")))) if auth else ""


def providers(auth: Mapping) -> dict[str, Mapping]:
    """{name as the toolkit wants it: its settings} of the tables of [auth]; "default" for the one whose settings stand in it."""
    named = {name: table for name, table in auth.items() if isinstance(table, Mapping) and name != "client_kwargs"}
    return named if named and "client_id" not in auth else {"default": auth, **named}


def describe_fault(auth: Mapping, package: bool) -> str:
    """Why nobody can sign in, as a sentence for who runs the server; "" where nothing is missing.

    auth: the table [auth] of .streamlit/secrets.toml; package: is the package there that does it?
    """
    if not package:
        return PACKAGE_MISSING
    missing = [f"auth.{name}" for name in ("redirect_uri", "cookie_secret") if not auth.get(name)]
    for provider, table in providers(auth).items():
        where = "auth" if provider == "default" else f"auth.{provider}"
        missing += [f"{where}.{name}" for name in NEEDED if not table.get(name)]
    if missing:
        return (
            f"In .streamlit/secrets.toml there is no {', no '.join(missing)}. Who runs this server adds that, and starts it again."
        )
    if not str(auth["redirect_uri"]).endswith("/oauth2callback"):
        return (
            "In .streamlit/secrets.toml, auth.redirect_uri has to be the address of this server as browsers know it, with "
            "/oauth2callback at its end."
        )
    return ""


# ---- the way back ----
#
# Signing in leads by way of another server and ends on Start; this brings people back to the address by which they came. The
# browser says from which page it went to sign in (Referer, which access tells it to send to this server alone), and a cookie of its
# own keeps that for the few minutes until it comes back: nothing of it is told to who vouches, and nothing is kept here. The cookie
# is named for the state of this very sign-in, a number that nobody else knows, so that no other tab, person or site decides where
# somebody ends; and it leads to a screen of this server, as a link, or nowhere.

BEGINS, ENDS = "/auth/login", "/oauth2callback"  # where the toolkit sends people away, and where they come back
MINUTES = 10  # in which somebody has signed in
LONGEST = 2500  # characters of an address; browsers keep 4096 of a cookie
NAME = "stability-came-by-"
_SCREEN = re.compile(r"[a-z]{0,40}(\?[!-~]*)?")


def screen_of(address: str, host: str, origins: Collection[str]) -> str:
    """The screen that an address of this server names, with what it says, as in "whatif?id=…"; "" for any other address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if not parts.netloc or not is_allowed_origin(f"{parts.scheme}://{parts.netloc}", host, set(origins) - {"*"}):
        return ""
    screen = parts.path.rpartition("/")[2] + (f"?{parts.query}" if parts.query else "")
    return screen if _is_screen(screen) else ""


def _is_screen(text) -> bool:
    """Nothing but the name of a screen and a query: no other folder, no other server, no line of a head."""
    return len(text) <= LONGEST and _SCREEN.fullmatch(text) is not None


def cookie_name(state: str) -> str:
    """Of the cookie of one sign-in."""
    return NAME + hashlib.sha256(state.encode()).hexdigest()[:32]


def encode(screen: str) -> str:
    """As a cookie can hold it."""
    return base64.urlsafe_b64encode(screen.encode()).decode().rstrip("=")


def decode(text: str) -> str:
    """What a cookie says; "" where that is no screen."""
    try:
        screen = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    return screen if _is_screen(screen) else ""


@dataclass(frozen=True)
class ReturnAddress:
    """An ASGI middleware around an app that signs people in. origins: gives the other origins by which this server is reached."""

    app: Callable[..., Any]
    origins: Callable[[], Collection[str]] = tuple

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http" and scope["path"].endswith((BEGINS, ENDS)):
            send = self._noting(Request(scope), send)
        await self.app(scope, receive, send)

    def _noting(self, request, send):
        """Sends what the toolkit answers, with the note where it sends people away, and by the note where it takes them in."""
        change = self._away if request.scope["path"].endswith(BEGINS) else _back

        async def sending(message):
            if message["type"] == "http.response.start" and message["status"] in (302, 303, 307):
                message = {**message, "headers": change(request, list(message.get("headers", ())))}
            await send(message)

        return sending

    def _away(self, request, headers):
        screen = screen_of(request.headers.get("referer", ""), request.headers.get("host", ""), self.origins())
        state = parse_qs(urlsplit(_location(headers)).query).get("state", [""])[0]
        if screen and state:
            headers.append(_cookie(request, cookie_name(state), encode(screen), 60 * MINUTES))
        return headers


def _back(request, headers):
    name = cookie_name(request.query_params.get("state", ""))
    screen, base = decode(request.cookies.get(name, "")), request.scope["path"].removesuffix(ENDS) + "/"
    if name not in request.cookies:
        return headers
    headers.append(_cookie(request, name, "", 0))
    if screen and _location(headers) == base and not base.startswith("//"):
        headers = [(key, (base + screen).encode() if key.lower() == b"location" else value) for key, value in headers]
    return headers


def _location(headers) -> str:
    return next((value.decode("latin-1") for key, value in headers if key.lower() == b"location"), "")


def _cookie(request, name, value, seconds):
    """A head that keeps a cookie where people come back, and nowhere else; for no seconds it is thrown away."""
    path = request.scope["path"].removesuffix(BEGINS).removesuffix(ENDS) + ENDS
    return b"set-cookie", f"{name}={value}; Max-Age={seconds}; Path={path}; HttpOnly; SameSite=Lax".encode("latin-1", "ignore")
