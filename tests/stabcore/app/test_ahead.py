"""What a browser reads ahead of need: told with pages alone, which stay whole."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from stabcore.app.ahead import Ahead, running

PAGE = (b"<html><head><title>t</title></head>", b"<body></head></body></html>")
PART = running("./static/js/a.js")


def answer(pieces, kind=b"text/html; charset=utf-8", length=None, encoding=None, method="GET", status=200, more=(), **ahead):
    """What is sent for an answer that comes in pieces."""
    sent = []

    async def app(scope, receive, send):
        headers = [(b"Content-Type", kind), (b"Content-Length", str(length or sum(map(len, pieces))).encode())]
        headers += [*[(b"Content-Encoding", encoding)] * bool(encoding), *more]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for number, piece in enumerate(pieces, 1):
            await send({"type": "http.response.body", "body": piece, "more_body": number < len(pieces)})

    async def send(message):
        sent.append(message)

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, Ahead(app, **ahead)({"type": "http", "method": method, "headers": []}, None, send)).result()
    return sent


@pytest.mark.parametrize("pieces", [PAGE, (b"".join(PAGE),), (PAGE[0][:30], PAGE[0][30:], PAGE[1])])
def test_a_page_gets_its_part_once_and_says_its_length_and_scripts(pieces):
    start, body = answer(pieces, scripts=("./static/js/a.js", "./static/js/b.js"), page_part=PART)
    assert body["body"] == b"".join(PAGE).replace(b"</head>", PART.encode() + b"</head>", 1) and not body.get("more_body")
    headers = dict(start["headers"])
    assert headers[b"content-length"] == str(len(body["body"])).encode() and b"Content-Length" not in headers
    assert headers[b"link"] == (b"<./static/js/a.js>; rel=modulepreload; crossorigin; fetchpriority=low, "
                                b"<./static/js/b.js>; rel=modulepreload; crossorigin; fetchpriority=low")


def test_anything_else_comes_as_it_is():
    assert answer(PAGE, b"text/csv", scripts=("a",), page_part=PART) == answer(PAGE, b"text/csv")
    assert [one["body"] for one in answer(PAGE, b"text/csv", page_part=PART)[1:]] == list(PAGE)


def test_the_head_of_a_page_alone_tells_the_length_that_the_page_has():
    whole, page = dict(answer(PAGE, page_part=PART)[0]["headers"]), sum(map(len, PAGE))
    start, body = answer((b"",), length=page, method="HEAD", scripts=("a",), page_part=PART)
    assert dict(start["headers"])[b"content-length"] == whole[b"content-length"] and body["body"] == b""


def test_a_report_that_is_fetched_as_a_file_and_a_piece_of_a_page_come_as_they_are():
    as_file = [(b"Content-Disposition", b'attachment; filename="report.html"')]
    assert answer(PAGE, more=as_file, scripts=("a",), page_part=PART) == answer(PAGE, more=as_file)
    assert answer(PAGE, status=206, scripts=("a",), page_part=PART) == answer(PAGE, status=206)
    assert answer(PAGE, status=206, scripts=("a",), page_part=PART)[1]["body"] == PAGE[0]


@pytest.mark.parametrize(("accept", "packs"), [(b"text/html,*/*;q=0.8", False), (b"*/*", True)])
def test_a_page_is_asked_for_unpacked_and_nothing_else_is(accept, packs):
    seen = []

    async def app(scope, receive, send):
        seen.append(dict(scope["headers"]))

    scope = {"type": "http", "headers": [(b"Accept", accept), (b"Accept-Encoding", b"gzip"), (b"cookie", b"a=b")]}
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, Ahead(app, page_part=PART)(scope, None, None)).result()
    assert {name.lower() for name in seen[0]} == {b"accept", b"cookie", *[b"accept-encoding"] * packs}


def test_a_packed_page_stays_as_it_is():
    packed = answer((b"packed</head>",), b"text/html", encoding=b"gzip", scripts=("a",), page_part=PART)
    assert packed[1]["body"] == b"packed</head>"


def test_what_is_no_http_passes():
    seen = []

    async def app(scope, receive, send):
        seen.append(send)

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, Ahead(app, page_part=PART)({"type": "lifespan"}, None, "as it came")).result()
    assert seen == ["as it came"]
