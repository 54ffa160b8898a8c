"""A real server and a real Chromium: the system's, because no test may download a browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pytest_collection_modifyitems(items):
    """Without a Chromium the browser tests are skipped with the reason; on the CI machine that is a failure instead."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("CI"):
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine (Debian: apt-get install chromium)"))


class Server:
    """The app on a port of its own, with a folder of its own for what people do."""

    def __init__(self, home):
        self.home, self.process = home, None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self):
        environment = {**os.environ, "STABILITY_HOME": str(self.home)}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--server.fileWatcherType", "none"],
            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1)
                return self
            except OSError:
                time.sleep(0.1)
        raise TimeoutError("the app did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("home")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[
            "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser, server):
    """A new page; at the end, nothing may have been asked of any address but the app's own."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    asked = []
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    context.close()
    outside = [url for url in asked if not url.startswith((server.url, f"ws://127.0.0.1:{server.port}", "data:", "blob:"))]
    assert not outside, f"the page asked for something outside this machine: {outside[:3]}"
