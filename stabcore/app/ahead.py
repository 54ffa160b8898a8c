"""What a browser reads before it needs it: scripts of the toolkit, fetched at once, the largest also run while nothing else does.

An ASGI middleware that knows no framework. A browser that was never here spends most of its time on those scripts, one after the
other as they are found to be needed; meanwhile it often waits for the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

END_OF_HEAD = b"</head>"
_RUN = ("<script>addEventListener('load', () => (window.requestIdleCallback ?? setTimeout)"
        "(() => import(new URL('{path}', document.baseURI))))</script>")


def running(path: str) -> str:
    """Runs a script, given from the page, as soon as the browser has nothing else to do. As part of a page, for its policy too."""
    return _RUN.format(path=path)


@dataclass(frozen=True)
class Ahead:
    """Around an ASGI app. scripts, given from the page: are fetched with every page; page_part: stands in its head, last."""

    app: Callable[..., Any]
    scripts: tuple[str, ...] = field(default=())
    page_part: str = ""

    async def __call__(self, scope, receive, send) -> None:
        await self.app(scope, receive, self._telling(send) if scope["type"] == "http" else send)

    def _telling(self, send):
        """Sends a page when it is whole, and anything else as it comes."""
        start, pieces = {}, []

        async def sending(message):
            if message["type"] == "http.response.start" and _is_page(message.get("headers", ())):
                start.update(message)
                return
            if start and message["type"] == "http.response.body":
                pieces.append(message.get("body", b""))
                if message.get("more_body"):
                    return
                body = b"".join(pieces).replace(END_OF_HEAD, self.page_part.encode() + END_OF_HEAD, 1)
                await send({**start, "headers": self._headers(start["headers"], body)})
                message = {**message, "body": body}
            await send(message)

        return sending

    def _headers(self, came, body):
        own = {b"link": ", ".join(f"<{path}>; rel=modulepreload; crossorigin; fetchpriority=low" for path in self.scripts).encode()}
        if body:                            # where only the head was asked for, its length stays that of the page
            own[b"content-length"] = str(len(body)).encode()
        return [*((name, value) for name, value in came if name.lower() not in own), *own.items()]


def _is_page(headers) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)
