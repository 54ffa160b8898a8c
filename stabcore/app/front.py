"""One address before several processes of the app; each browser stays with one of them, where its session lives.

A connection is read up to the end of the head of one request, handed to a process, and passed on byte by byte until that closes
it: it is told to do so after this one request, so that the next is looked at anew, whatever lies before this program. Host, origin
and cookies reach the wall of the process as they came; what claims to be somebody else's address is left out.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

HEAD = 64 * 1024            # bytes of a head, at most
HEAD_SECONDS = 30           # in which it has to come
STARTING = 30               # seconds in which a process that has just died is waited for
PIECE = 64 * 1024
END = b"\r\n\r\n"
CLAIMS = re.compile(rb"(x-forwarded-.*|forwarded|x-real-ip|connection|keep-alive|proxy-connection)")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n\0]*)")
_REQUEST = re.compile(rb"[A-Z]{1,16} [^\s\0]+ HTTP/1\.[01]")
BAD, BUSY = (400, "This is no request."), (503, "The dashboard is just being started again. Load this page once more in a moment.")


@dataclass(frozen=True)
class Head:
    """The head of a request: its first line, its fields (name in small letters, the field as it came)."""

    first: bytes
    fields: tuple[tuple[bytes, bytes], ...]

    @classmethod
    def of(cls, text: bytes) -> Head:
        """Raises ValueError for one that could be read in two ways."""
        first, *lines = text.removesuffix(END).split(b"\r\n")
        fields = [_FIELD.fullmatch(line) for line in lines]
        if not _REQUEST.fullmatch(first) or not all(fields):
            raise ValueError("no head of a request")
        return cls(first, tuple((field[1].lower(), field[0]) for field in fields))

    def value(self, name: bytes) -> bytes:
        """What all fields of a name say."""
        return b"; ".join(field.partition(b":")[2].strip() for own, field in self.fields if own == name)

    @property
    def upgrades(self) -> bool:
        """Does it ask for a websocket?"""
        return self.value(b"upgrade").lower() == b"websocket"

    def cookie(self, name: str) -> str:
        """The value of a cookie; nothing where it is not sent."""
        pairs = (pair.strip().partition(b"=") for pair in self.value(b"cookie").split(b";"))
        return next((value.decode("latin-1") for own, _, value in pairs if own == name.encode()), "")

    def passed_on(self) -> bytes:
        """As a process is to see it."""
        kept = [field for name, field in self.fields if not CLAIMS.fullmatch(name)]
        return b"\r\n".join([self.first, *kept, b"Connection: " + (b"Upgrade" if self.upgrades else b"close")]) + END


def process_of(head: Head, cookie: str, count: int) -> int | None:
    """Number of the process that a browser stays with; None where it knows none of these."""
    told = head.cookie(cookie)
    return int(told) if re.fullmatch(r"[0-9]{1,3}", told) and int(told) < count else None


def with_cookie(answer: bytes, cookie: str, number: int) -> bytes:
    """The head of an answer that lets the browser know its process."""
    first, _, rest = answer.partition(b"\r\n")
    return first + f"\r\nSet-Cookie: {cookie}={number}; Path=/; HttpOnly; SameSite=Lax\r\n".encode() + rest


class Front:
    """Serves connections. ports: gives those of the processes now, each at its number; cookie: the name of the cookie."""

    def __init__(self, ports: Callable[[], list[int]], cookie: str):
        self._ports, self._cookie = ports, cookie
        count = len(ports())
        self._open, self._given = [0] * count, [0] * count
        self._tasks: set[asyncio.Task] = set()

    async def serve(self, reader, writer):
        """One connection, to its end."""
        task = asyncio.current_task()
        self._tasks.add(task)               # the loop alone would let go of it while it waits
        task.add_done_callback(self._tasks.discard)
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            try:
                head = Head.of(await asyncio.wait_for(reader.readuntil(END), HEAD_SECONDS))
            except (ValueError, asyncio.LimitOverrunError):
                _say(writer, *BAD)
            else:
                known = process_of(head, self._cookie, len(self._open))
                number = self._next() if known is None else known
                await self._serve(head, number, known is None, reader, writer)
        with suppress(OSError):
            writer.close()
            await writer.wait_closed()

    def _next(self) -> int:
        """The process with the fewest open pages; among equals the one that was given the fewest browsers."""
        number = min(range(len(self._open)), key=lambda one: (self._open[one], self._given[one]))
        self._given[number] += 1
        return number

    async def _serve(self, head, number, new, reader, writer):
        try:
            back, forth = await self._reach(number)
        except OSError:
            return _say(writer, *BUSY)
        self._open[number] += head.upgrades
        try:
            forth.write(head.passed_on())
            sending = asyncio.ensure_future(_pump(reader, forth))
            try:
                if new:
                    writer.write(with_cookie(await _answer(back, writer), self._cookie, number))
                await _pump(back, writer)
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
        finally:
            self._open[number] -= head.upgrades
            forth.close()

    async def _reach(self, number):
        """A connection to a process; one that has just died is waited for. Raises OSError."""
        loop = asyncio.get_running_loop()
        until = loop.time() + STARTING
        while True:
            try:
                return await asyncio.open_connection("127.0.0.1", self._ports()[number], limit=HEAD)
            except OSError:
                if loop.time() > until:
                    raise
                await asyncio.sleep(0.1)


async def _answer(back, writer) -> bytes:
    """The head of an answer; what only says to go on is passed on."""
    while True:
        answer = await back.readuntil(END)
        if not re.match(rb"HTTP/1\.1 1(?!01)", answer):
            return answer
        writer.write(answer)


async def _pump(reader, writer):
    """Pass on what comes until there is no more."""
    while piece := await reader.read(PIECE):
        writer.write(piece)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


def _say(writer, status, words):
    body = words.encode()
    writer.write(f"HTTP/1.1 {status} -\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
                 "Connection: close\r\n\r\n".encode() + body)
