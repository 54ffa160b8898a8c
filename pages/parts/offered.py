"""Where people sign in, a file that a page offers is given to whom it was offered, not to whoever has its address.

The toolkit gives a file by its name alone, a digest of what is in it. Here is remembered for whom each was made: the person of the
session that offered it. What is offered before anybody has signed in is for everybody: the icon of the app.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from posixpath import basename, splitext
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from pages.parts import people
from stabcore.app.people import NOBODY, person_of

FILES = "/media/"           # of the toolkit
MOST = 20_000               # files that are remembered; whoever has an older page open loads it anew
GONE = "This file is no longer offered. Load the page that offered it once more, signed in as you were then."


class Offered:
    """To whom files of the toolkit's manager were offered, by their names."""

    def __init__(self):
        self._persons: dict[str, frozenset[str | None]] = {}
        self._now = threading.local()           # a file is made where nobody's session is known

    def watch(self, manager):
        """Remember from now on what a manager is given. Files are made at once, or when somebody asks for them."""
        add, later, make = manager.add, manager.add_deferred, manager.execute_deferred

        def added(*given, **named):
            return self._remember(add(*given, **named), {people.who()})

        def promised(content, *given, **named):
            person = people.who()

            def for_person():
                self._now.person = person
                return content()

            return later(for_person, *given, **named)

        def carried_out(promise):
            address = make(promise)             # whoever asks, it is for whom the page was drawn
            return self._remember(address, {self._now.person})

        manager.add, manager.add_deferred, manager.execute_deferred = added, promised, carried_out

    def may(self, person: str | None, address: str) -> bool:
        """Was the file at this address offered to this person, or to everybody?"""
        return not self._persons.get(_name(address), frozenset()).isdisjoint({person, NOBODY})

    def _remember(self, address, persons):
        """Keep for whom it is; the one that was offered longest ago is forgotten."""
        self._persons[_name(address)] = self._persons.pop(_name(address), frozenset()) | frozenset(persons)
        while len(self._persons) > MOST:
            del self._persons[next(iter(self._persons))]
        return address


@dataclass(frozen=True)
class OwnFiles:
    """Around an ASGI app: asks who wants a file. may: see Offered."""

    app: Callable[..., Any]
    may: Callable[[str | None, str], bool]

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http" and FILES in scope["path"] and not self.may(person_of_request(Request(scope)), scope["path"]):
            await PlainTextResponse(GONE, status_code=404)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def person_of_request(request) -> str | None:
    """Who asks, by the cookie that the toolkit signed; people.NOBODY without one."""
    # Not public: loaded where people sign in, so that a toolkit that reads it in another way stops nobody else.
    from streamlit.web.server.starlette.starlette_auth_routes import USER_COOKIE_NAME, _get_cookie_value_from_request

    try:
        return person_of(json.loads(_get_cookie_value_from_request(request, USER_COOKIE_NAME) or b"{}"))
    except ValueError:
        return NOBODY


def _name(address):
    """Of a file, as the toolkit looks it up."""
    return splitext(basename(address))[0]
