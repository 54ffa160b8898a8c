"""One address before several processes: who goes where, what they are told, and that a process that is away is waited for."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from stabcore.app import front
from stabcore.app.front import END, HEAD, Front, process_of, with_cookie
from stabcore.app.front import Head as RequestHead

COOKIE = "stability-process-1"


def head(*fields, first="GET / HTTP/1.1"):
    return "\r\n".join([first, *fields]).encode("latin-1") + END


def test_what_the_wall_looks_at_is_passed_on_and_claims_are_not():
    kept = ["Host: example.org", "Origin: https://evil.org", "Cookie: a=1; stability-x=key", "X-Own: ä", "Content-Length: 3"]
    claims = ["X-Forwarded-For: 127.0.0.1", "x-forwarded-proto: https", "X-FORWARDED-HOST: evil.org", "Forwarded: for=127.0.0.1",
              "X-Real-IP: 127.0.0.1", "Connection: keep-alive, X-Own", "Keep-Alive: 5", "Proxy-Connection: x"]
    passed = RequestHead.of(head(*kept, *claims)).passed_on()
    assert passed == head(*kept, "Connection: close")
    knock = RequestHead.of(head("Upgrade: WebSocket", "Connection: Upgrade", "Sec-WebSocket-Protocol: streamlit, a, b"))
    assert knock.upgrades and knock.passed_on().endswith(b"Sec-WebSocket-Protocol: streamlit, a, b\r\nConnection: Upgrade" + END)


@pytest.mark.parametrize("wrong", [
    head("Host : a"), head("Host: a\rX: b"), head("Host: a\nX: b"), head(" folded: a"), head("no colon"), head("a\0: b"),
    head(": b"),
    head("ä: b"), head(first="GET /"), head(first="GET  / HTTP/1.1"), head(first="get / HTTP/1.1"), head(first="GET / HTTP/2"),
    head(first="GET / HTTP/1.1\nX: b"), END, b"\x16\x03\x01" + END])
def test_a_head_that_could_be_read_in_two_ways_is_refused(wrong):
    with pytest.raises(ValueError):
        RequestHead.of(wrong)


@pytest.mark.parametrize(("told", "number"), [("0", 0), ("2", 2), ("3", None), ("-1", None), ("", None), ("x", None), ("²", None),
                                              ("1" * 5000, None), ("00", 0)])
def test_a_browser_stays_with_its_process_while_there_is_one(told, number):
    assert process_of(RequestHead.of(head(f"Cookie: a=b; {COOKIE}={told}; c=d")), COOKIE, 3) == number
    assert process_of(RequestHead.of(head(f"Cookie: x{COOKIE}={told}")), COOKIE, 3) is None


def test_a_new_browser_is_told_its_process():
    answer = with_cookie(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b" + END, COOKIE, 1)
    ours = b"Set-Cookie: stability-process-1=1; Path=/; HttpOnly; SameSite=Lax"
    assert answer == b"HTTP/1.1 200 OK\r\n" + ours + b"\r\nSet-Cookie: a=b" + END


# ---- served ----

def run(talk, count=2):
    """Let a conversation run with a front before processes that say their number, what they were sent, and go on with echoes."""
    async def process(number, reader, writer):
        asked = await reader.readuntil(END)
        if b"Expect" in asked:
            writer.write(b"HTTP/1.1 100 Continue" + END)
        kind = b"101 Switching" if b"Connection: Upgrade" in asked else b"200 OK"
        writer.write(b"HTTP/1.1 " + kind + b"\r\nX-Process: %d" % number + END)
        while piece := await reader.read(1000):
            writer.write(piece.upper())
            await writer.drain()
            if b"Connection: close" in asked:
                break
        writer.close()

    async def everything():
        servers = [await asyncio.start_server(lambda *streams, number=number: process(number, *streams), "127.0.0.1", 0)
                   for number in range(count)]
        ports = [one.sockets[0].getsockname()[1] for one in servers]
        served = Front(lambda: ports, COOKIE)
        server = await asyncio.start_server(served.serve, "127.0.0.1", 0, limit=HEAD)
        try:
            return await talk(served, server.sockets[0].getsockname()[1], ports, servers)
        finally:
            for one in (server, *servers):
                one.close()

    with ThreadPoolExecutor(1) as apart:            # a browser test before may have left a loop running in this thread
        return apart.submit(lambda: asyncio.run(asyncio.wait_for(everything(), 30))).result()


async def say(port, text):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    return reader, writer


async def answer(port, text):
    reader, writer = await say(port, text)
    told = await reader.read()
    writer.close()
    return told


def test_sessions_are_spread_and_each_request_goes_to_its_own_process():
    async def talk(served, port, *_):
        knock = head("Upgrade: websocket", "Connection: Upgrade")
        pages = [await say(port, knock) for _ in range(4)]
        numbers = [(await reader.readuntil(END)) for reader, _ in pages]
        assert sorted(b"X-Process: 1" in one for one in numbers) == [False, False, True, True] and served._open == [2, 2]
        assert all(b"Set-Cookie: stability-process-1=" in one for one in numbers)
        pages[0][1].write(b"hello")
        assert await pages[0][0].read(5) == b"HELLO"
        for number in (0, 1, 1, 0):
            told = await answer(port, head(f"Cookie: {COOKIE}={number}", "Content-Length: 3") + b"abc")
            assert b"X-Process: %d" % number in told and told.endswith(b"ABC") and b"Set-Cookie" not in told
        for _, writer in pages:
            writer.close()
        while any(served._open):
            await asyncio.sleep(0.01)

    run(talk)


def test_one_request_a_connection_so_that_nobody_slips_in_behind_another():
    async def talk(_, port, *rest):
        behind = head("Cookie: stability-process-1=1")
        told = await answer(port, head("Cookie: stability-process-1=0") + behind)
        assert told.count(b"HTTP/1.1") == 2 and b"X-Process: 0" in told and b"X-Process: 1" not in told      # the second is echoed

    run(talk)


def test_what_only_says_to_go_on_is_no_answer_yet():
    async def talk(_, port, *rest):
        told = await answer(port, head("Expect: 100-continue", "Content-Length: 3") + b"abc")
        assert told.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: ")

    run(talk)


@pytest.mark.parametrize("text", [b"\x16\x03\x01" + END, b"GET / HTTP/1.1\r\n" + b"x" * (HEAD + 10), head("no colon")])
def test_what_is_no_request_is_refused_and_harms_nobody(text):
    async def talk(_, port, *rest):
        told = await answer(port, text)
        assert told == b"" or told.startswith(b"HTTP/1.1 400")
        assert (await answer(port, head("Content-Length: 1") + b"x")).startswith(b"HTTP/1.1 200")

    run(talk)


def test_who_says_nothing_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(front, "HEAD_SECONDS", 0.1)

    async def talk(_, port, *rest):
        assert await answer(port, b"GET / HT") == b""

    run(talk)


def test_a_process_that_is_away_is_waited_for_and_said_when_it_stays_away(monkeypatch):
    async def talk(_, port, ports, servers):
        servers[0].close()
        away, ports[0] = ports[0], 1
        waiting = asyncio.ensure_future(answer(port, head("Cookie: stability-process-1=0", "Content-Length: 1") + b"x"))
        await asyncio.sleep(0.3)
        assert not waiting.done() and away != 1
        ports[0] = ports[1]
        assert (await waiting).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(front, "STARTING", 0.2)
        ports[0] = 1
        assert b"503" in await answer(port, head("Cookie: stability-process-1=0"))

    run(talk)
