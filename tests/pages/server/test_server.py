"""The server as it is started: nobody comes in without a session, and it asks nobody outside, whoever knocks."""

import json
import socket
import socketserver
import subprocess
import sys
import threading

import pytest
from browser_support import KNOCK, Server, ask
from support import ROOT


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


@pytest.fixture(scope="module")
def server(tmp_path_factory, outside):
    proxy = f"http://127.0.0.1:{outside[0]}"
    home = tmp_path_factory.mktemp("walls") / "home"
    made = Server(home, http_proxy=proxy, https_proxy=proxy, HTTP_PROXY=proxy, HTTPS_PROXY=proxy)
    del made.environment["STABILITY_TOKEN"]
    yield made.start()
    made.stop()


def test_without_a_session_the_server_reveals_nothing(server, outside):
    for path, headers in (("/", {}), ("/_stcore/stream", KNOCK), ("/media/x.csv", {})):
        assert ask(server.port, path, **headers)[0] == 403
    status, found, _ = ask(server.port, "/_stcore/health")
    assert status == 200 and "script-src 'self' 'sha256-" in found["Content-Security-Policy"]
    for path, headers in (("/_stcore/stream", KNOCK), ("/_stcore/health", {})):
        assert ask(server.port, path, **headers, Origin="http://evil.org")[0] == 403
    assert outside[1] == []


LOADED = """
import gc, json
from threadpoolctl import threadpool_info
from pages.server import app
app.load_libraries()
threads = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
print(json.dumps([gc.get_freeze_count(), len(gc.get_objects()), list(threads)]))
"""


def test_no_rerun_collects_garbage_in_libraries_or_shares_threads():
    """After the server has loaded its libraries, in a process of its own."""
    said = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    frozen, others, threads = json.loads(said)
    assert frozen > 50 * others and threads == [1]


def test_silent_connections_do_not_block_others(server):
    """More than a process usually has files open."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4000:
        pytest.skip("the system allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4000, hard))
    half_open = []
    try:
        for number in range(1500):
            half_open.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            half_open[-1].send(b"GET / HT"[: number % 8])
        assert ask(server.port, "/_stcore/health")[0] == 200
    finally:
        for line in half_open:
            line.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
