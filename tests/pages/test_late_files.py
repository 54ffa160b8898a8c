"""Files that pages offer: made though the page was drawn anew since, kept until the browser has them, never held back by others."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.parts import late_files


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(late_files, "time", clock)
    return clock


@pytest.fixture
def manager(clock, monkeypatch):
    """The toolkit's manager of files, watched, at the session "anne"."""
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "anne")
    monkeypatch.setattr(late_files, "get_script_run_ctx", lambda: SimpleNamespace(session_id="anne"))
    manager = media_file_manager.MediaFileManager(MemoryMediaFileStorage("/media"))
    late_files.LateFiles().watch(manager)
    return manager


def drawn(manager, content, clock):
    """The page is drawn: as the toolkit does it, whatever it drew before is forgotten."""
    manager.clear_session_refs()
    promise = manager.add_deferred(lambda: content, "text/html", "0.1", file_name="report.html", element_id="report-html")
    clock.now += 100
    manager.remove_orphaned_files()
    return promise


def content(manager, address):
    return manager.read_file(address.rpartition("/")[2].partition(".")[0]).content


def test_a_button_that_the_browser_still_shows_gives_its_file(manager, clock):
    first = drawn(manager, "first", clock)
    second = drawn(manager, "second", clock)
    assert content(manager, manager.execute_deferred(first)) == b"first"
    assert content(manager, manager.execute_deferred(second)) == b"second"
    for number in range(late_files.OFFERS - 1):
        drawn(manager, str(number), clock)
    assert content(manager, manager.execute_deferred(second)) == b"second"
    with pytest.raises(MediaFileStorageError, match="not found"):
        manager.execute_deferred(first)


def test_what_a_session_offered_goes_with_it(manager, clock):
    first = drawn(manager, "first", clock)
    drawn(manager, "second", clock)
    manager.clear_session_refs("bert")
    assert manager.execute_deferred(first)
    manager.clear_session_refs("anne")
    clock.now += 100
    manager.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError, match="not found"):
        manager.execute_deferred(first)


def test_a_file_stays_until_the_browser_has_fetched_it_whoever_else_draws_a_page(manager, clock):
    address = manager.execute_deferred(drawn(manager, "first", clock))
    for _ in range(20):
        clock.now += late_files.FETCHED / 20.1
        manager.remove_orphaned_files()
    assert content(manager, address) == b"first"
    for _ in range(3):
        clock.now += late_files.FETCHED
        manager.remove_orphaned_files()
    with pytest.raises(AttributeError):
        content(manager, address)


def asked(path, method="GET", **headers):
    """(status, length as told, body) of a file of five bytes behind the wall."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        await send({"type": "http.response.body", "body": b"12345"})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "method": method,
             "headers": [(f"sec-fetch-{name}".encode(), value.encode()) for name, value in headers.items()]}
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, late_files.NothingUnread(app)(scope, None, send)).result()
    return sent[0]["status"], dict(sent[0]["headers"])[b"content-length"], sent[1]["body"]


def test_whether_a_file_is_there_is_answered_without_the_file():
    whole = 200, b"5", b"12345"
    assert asked("/media/a.html", dest="empty", mode="cors") == (200, b"0", b"")
    assert asked("/base/media/a.html", dest="empty", mode="cors") == (200, b"0", b"")
    assert asked("/media/a.html") == asked("/media/a.html", "HEAD", dest="empty", mode="cors") == whole
    assert asked("/media/a.html", dest="document", mode="navigate") == asked("/media/a.png", dest="image", mode="no-cors") == whole
    assert asked("/other/a.js", dest="empty", mode="cors") == whole
