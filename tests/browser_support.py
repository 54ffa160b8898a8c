"""A real server and a real Chromium: the system's, because no test may download a browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from support import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


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
            [*command, "--server.fileWatcherType", "none", "--server.headless", "true"],
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
