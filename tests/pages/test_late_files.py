"""Files that pages offer: made though the page was drawn anew since, kept until the browser has them, never held back by others."""

import http.client
import socket
from threading import Thread
from types import SimpleNamespace

import pytest
import uvicorn
from starlette.applications import Starlette
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.web.server.starlette.starlette_routes import create_media_routes

from pages.parts import late_files, server
from stabcore.app.ahead import Ahead
from stabcore.app.wall import script_hashes


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


def test_pages_that_a_session_has_left_are_forgotten_one_by_one(manager, clock):
    def offered(button):
        return manager.add_deferred(lambda: button, "text/csv", "0.1", file_name="x.csv", element_id=button)

    first, second = offered("first"), offered("second")
    for number in range(late_files.BUTTONS - 2):
        offered(str(number))
    first_again = offered("first")
    offered("one more")
    manager.clear_session_refs()
    manager._deferred_callables.clear()
    assert content(manager, manager.execute_deferred(first)) == content(manager, manager.execute_deferred(first_again)) == b"first"
    with pytest.raises(MediaFileStorageError, match="not found"):
        manager.execute_deferred(second)


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


def test_every_page_asks_whether_a_file_is_there_and_not_for_the_file():
    """What the script does, a browser tells: tests/browser/test_downloads_browser.py."""
    wall, ahead, *_ = server.walls()
    assert late_files.ASKS_FOR_THE_HEAD in ahead.kwargs["page_part"]
    assert set(script_hashes(late_files.ASKS_FOR_THE_HEAD.encode())) < set(wall.kwargs["scripts"]), "the page may run it"


@pytest.fixture
def port(manager):
    """Of a server of what the manager holds, by plain http."""
    app = Ahead(Starlette(routes=create_media_routes(manager._storage, None)), page_part=late_files.ASKS_FOR_THE_HEAD)
    listens = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none"))
    thread = Thread(target=running.run, kwargs={"sockets": [listens]})
    thread.start()
    yield listens.getsockname()[1]
    running.should_exit = True
    thread.join(10)


def test_many_questions_whether_a_file_is_there_leave_nothing_unread_and_need_no_word_of_the_browser(manager, port, clock):
    address = manager.execute_deferred(drawn(manager, "x" * 5_000_000, clock))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:         # one connection: nothing may be left in it
        for method, path, status, body in [("HEAD", address, 200, 0)] * 8 + [("HEAD", "/media/none.html", 404, 0),
                                                                            ("GET", address, 200, 5_000_000)]:
            line.sendall(f"{method} {path} HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n".encode())
            answer = http.client.HTTPResponse(line, method=method)
            answer.begin()
            assert answer.status == status and len(answer.read()) == body
