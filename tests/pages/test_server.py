"""The server as it is started: its wall stands before it, and it asks nobody outside, whoever knocks."""

import http.client
import os
import socket
import socketserver
import subprocess
import sys
import threading
import time
import tomllib

import pytest
from browser_support import Server
from support import ROOT

from pages.parts import server as server_of_app
from stabcore.app.wall import script_hashes


@pytest.fixture(scope="module")
def outside():
    """(port of a proxy, what was asked of it): all that this computer would have asked of others."""
    asked = []

    class Recording(socketserver.StreamRequestHandler):
        def handle(self):
            asked.append(self.rfile.readline())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Recording) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield proxy.server_address[1], asked
        proxy.shutdown()


SEVERAL = {"command": (sys.executable, "-m", "pages.parts.launch", "--server", "2", "--no-browser"), "port": "--port",
           "PYTHONPATH": os.pathsep.join(map(str, sys.path))}


@pytest.fixture(scope="module", params=[{}, SEVERAL], ids=["one process", "two behind one address"])
def server(request, tmp_path_factory, outside):
    proxy = f"http://127.0.0.1:{outside[0]}"
    home = tmp_path_factory.mktemp("walls") / "home"
    home.mkdir(mode=0o755)
    made = Server(home, **request.param, STABILITY_TOKEN="k" * 32, http_proxy=proxy, https_proxy=proxy, HTTP_PROXY=proxy,
                  HTTPS_PROXY=proxy)
    made.several = bool(request.param)
    yield made.start()
    made.stop()


def test_one_address_is_said_and_it_is_the_one_that_opens(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(server_of_app, "_address", lambda: "http://127.0.0.1:1")
    opened = []
    monkeypatch.setattr(server_of_app.webbrowser, "open", opened.append)
    monkeypatch.setattr(server_of_app.st, "get_option", {"server.headless": False}.get)
    monkeypatch.setenv("STABILITY_TOKEN", "k" * 32)
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path))
    monkeypatch.delenv(server_of_app.FRONT, raising=False)
    server_of_app._tell()
    assert capsys.readouterr().err.strip() == f"Open this address, which holds the key: http://127.0.0.1:1/?token={'k' * 32}"
    assert opened == [f"http://127.0.0.1:1/?token={(tmp_path / 'once').read_text()}"], "others see what a browser is started with"
    assert tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["logger"]["hideWelcomeMessage"] is True


def ask(server, path="/", **headers):
    """(status, headers) of an answer."""
    return whole(server, path, **headers)[:2]


def whole(server, path="/", **headers):
    """(status, headers, body) of an answer."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    return answer.status, answer.headers, answer.read()


KNOCK = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "x" * 22 + "=="}


def test_without_the_key_the_server_tells_nothing(server):
    assert ask(server)[0] == ask(server, "/_stcore/stream", **KNOCK)[0] == ask(server, "/media/x.csv")[0] == 403
    assert ask(server, "/_stcore/health")[0] == 200


def test_the_key_opens_and_every_answer_forbids(server):
    status, found = ask(server, f"/?token={'k' * 32}")
    assert status == 303
    cookie = "; ".join(one.split(";")[0] for one in found.get_all("Set-Cookie"))
    status, found = ask(server, Cookie=cookie)
    for screen in ("/", "/panel"):
        page = whole(server, screen, Cookie=cookie, Accept="text/html,*/*", **{"Accept-Encoding": "gzip, br"})[2]
        assert b'import(new URL("./static/js/PlotlyChart.' in page
    assert all(one in found["Content-Security-Policy"] for one in script_hashes(page)), "each of its own scripts may run"
    ahead = found["Link"].partition(">")[0].removeprefix("<.")
    assert "/PlotlyChart." in ahead and ask(server, ahead, Cookie=cookie)[0] == 200 and ask(server, ahead)[0] == 403
    assert status == 200 and found["Cache-Control"] == "no-store" and found["X-Content-Type-Options"] == "nosniff"
    assert ask(server, "/_stcore/stream", **KNOCK, Cookie=cookie)[0] == 101
    assert ask(server, "/_stcore/stream", **KNOCK, Cookie=cookie, Host="evil.org")[0] == 403


def test_a_page_of_others_makes_the_server_ask_nobody(server, outside):
    assert ask(server, "/_stcore/stream", **KNOCK, Origin="http://evil.org")[0] == 403
    assert ask(server, "/_stcore/health", Origin="http://evil.org")[0] == 403
    assert outside[1] == []


@pytest.mark.slow           # that a front waits for a process: tests/stabcore/app/test_front.py
def test_a_process_that_dies_is_started_again_and_the_others_go_on(server):
    if not server.several:
        pytest.skip("there is one alone")
    import psutil

    def processes():
        return {one.pid: one for one in psutil.Process(server.process.pid).children() if one.status() != psutil.STATUS_ZOMBIE}

    before, port = processes(), server.port
    assert len(before) == 2
    killed = next(iter(before.values()))
    killed.kill()
    killed.wait(timeout=10)
    for number in "01":         # whichever it was: who belongs to it waits for it
        assert ask(server, "/_stcore/health", Cookie=f"stability-process-{port}={number}")[0] == 200
    until = time.monotonic() + 10
    while len(processes()) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    assert len(set(processes()) & set(before)) == 1 and len(processes()) == 2


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_a_home_that_was_open_is_closed(server):
    assert server.home.stat().st_mode & 0o777 == 0o700


def test_what_listens_sends_small_answers_at_once_and_nothing_else_is_touched():
    nodelay = socket.IPPROTO_TCP, socket.TCP_NODELAY
    with socket.socket() as listens, socket.socket() as other, socket.socket(type=socket.SOCK_DGRAM):
        listens.bind(("127.0.0.1", 0))
        listens.listen()
        server_of_app._send_at_once()
        assert listens.getsockopt(*nodelay) and not other.getsockopt(*nodelay)
        with socket.create_connection(listens.getsockname()), listens.accept()[0] as taken:
            assert taken.getsockopt(*nodelay)


def test_libraries_are_loaded_once_and_no_rerun_looks_for_garbage_among_them():
    told = subprocess.run([sys.executable, "-c", "import gc, sys; from pages.parts import server; server.load(); "
                           "from threadpoolctl import threadpool_info; threads = {one['num_threads'] for one in threadpool_info() "
                           "if one['user_api'] == 'blas'}; "
                           "print(gc.get_freeze_count(), len(gc.get_objects()), 'pandas' in sys.modules, *threads)"],
                          cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert told[2:] == ["True", "1"] and int(told[0]) > 50 * int(told[1])
