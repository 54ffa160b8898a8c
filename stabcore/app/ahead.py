"""What a browser reads before it needs it: scripts of the toolkit, fetched at once, the largest also run while it waits.

An ASGI middleware around the toolkit's server. A browser that was never here spends most of its time on those scripts, one after
the other as they are found to be needed; what it waits for meanwhile is the server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

END_OF_HEAD = b"</head>"
LENGTH = b"content-length"
AS_IT_IS = {b"content-encoding", b"content-disposition"}        # of what is packed, and of what is kept as a file
_RUN = """<script>
new MutationObserver((_, watch) => {
  if (!document.querySelector("[data-test-connection-state=CONNECTED]")) return;
  watch.disconnect();
  import(new URL("{path}", document.baseURI));
}).observe(document, {subtree: true, attributeFilter: ["data-test-connection-state"], childList: true});
</script>"""


def running(path: str) -> str:
    """The part of a page that runs a script, given from the page, when it has asked the server for the first screen.

    Earlier it would hold up what has to be asked; later it holds up what came.
    """
    return _RUN.replace("{path}", path)


@dataclass(frozen=True)
class Ahead:
    """Around an ASGI app. scripts, given from the page: are fetched with every page; page_part: stands in its head, last."""

    app: Callable[..., Any]
    scripts: tuple[str, ...] = field(default=())
    page_part: str = ""

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "http":
            scope, send = _unpacked(scope), self._telling(send, scope.get("method") == "HEAD")
        await self.app(scope, receive, send)

    def _telling(self, send, head_alone):
        """Sends a page when it is whole, and anything else as it comes, as a piece of a page does."""
        start, pieces = {}, []

        async def sending(message):
            if message["type"] == "http.response.start" and message["status"] == 200 and _is_page(message.get("headers", ())):
                start.update(message)
                return
            if start and message["type"] == "http.response.body":
                pieces.append(message.get("body", b""))
                if message.get("more_body"):
                    return
                body = b"".join(pieces).replace(END_OF_HEAD, self.page_part.encode() + END_OF_HEAD, 1)
                await send({**start, "headers": self._headers(start["headers"], None if head_alone else body)})
                message = {**message, "body": body}
            await send(message)

        return sending

    def _headers(self, came, body):
        """body: None where only the head was asked for; its length is that of the page."""
        own = {b"link": ", ".join(f"<{path}>; rel=modulepreload; crossorigin; fetchpriority=low" for path in self.scripts).encode()}
        told = _by_name(came)
        if body is not None:
            own[LENGTH] = str(len(body)).encode()
        elif LENGTH in told:
            own[LENGTH] = str(int(told[LENGTH]) + len(self.page_part.encode())).encode()
        return [*((name, value) for name, value in came if name.lower() not in own), *own.items()]


def _unpacked(scope):
    """The request, where it is for a page, as of a browser that cannot unpack: what is packed has no head to write into."""
    headers = [(name.lower(), value) for name, value in scope["headers"]]
    if not any(name == b"accept" and b"text/html" in value for name, value in headers):
        return scope
    return {**scope, "headers": [one for one in headers if one[0] != b"accept-encoding"]}


def _is_page(headers) -> bool:
    """A page to be shown; a report that is fetched as a file has nothing of this server in it."""
    told = _by_name(headers)
    return told.get(b"content-type", b"").startswith(b"text/html") and told.keys().isdisjoint(AS_IT_IS)


def _by_name(headers) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in headers}
