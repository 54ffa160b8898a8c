"""The recipes for Caddy and nginx, run as they stand but for the ports: two apps behind each, at a port that is not 443."""

import http.client
import os
import re
import shutil
import subprocess
import sys
import time

import pytest
from browser_support import Server
from support import ROOT, free_port

from pages.server.sessions import Browsers

FOLDER = ROOT / ".ci" / "docker"
KNOCK = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "x" * 22 + "=="}


@pytest.fixture(scope="module")
def apps(tmp_path_factory):
    """Two apps that share their projects: one started as in a container, one as the recipe for nginx says."""
    if not (shutil.which("caddy") or shutil.which("nginx")):
        pytest.skip("neither Caddy nor nginx on this machine (Debian: apt-get install nginx)")
    folder = tmp_path_factory.mktemp("proxies")
    both = []
    for address in ("0.0.0.0", "127.0.0.1"):
        command = (sys.executable, "-m", "pages.server.launch", "--no-browser", "--address", address)
        app = Server(folder / "home", command=command, port="--port", cwd=folder, PYTHONPATH=str(ROOT), HOME=str(folder))
        app.environment["STREAMLIT_SERVER_ALLOWED_HOSTS"] = "127.0.0.1"
        del app.environment["STABILITY_TOKEN"]
        both.append(app.start())
    yield both
    for app in both:
        app.stop()


def caddy(port, apps, folder):
    """The command that starts Caddy by its recipe; containers are found by number here."""
    text = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    text, n = re.subn("dynamic a app 8501", "to " + " ".join(f"127.0.0.1:{app.port}" for app in apps), text)
    text, m = re.subn("^:8501", f"http://127.0.0.1:{port}", text, flags=re.MULTILINE)
    assert n == m == 1
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + text, encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def nginx(port, apps, folder):
    """The command that starts nginx by its recipe."""
    text = (FOLDER / "nginx.conf").read_text(encoding="utf-8").replace(":8501;", f":{port};")
    for number, app in zip((8502, 8503), apps):
        text = text.replace(f"127.0.0.1:{number};", f"127.0.0.1:{app.port};")
    (folder / "stability.conf").write_text(text, encoding="utf-8")
    temporary = "".join(f"{what}_temp_path {folder};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}} "
        f"http {{ access_log off; {temporary} include {folder}/stability.conf; }}",
        encoding="utf-8",
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


@pytest.fixture(params=[caddy, nginx], ids=["Caddy", "nginx"])
def port(request, apps, tmp_path):
    """Of a proxy before the apps."""
    name = request.param.__name__
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine (Debian: apt-get install {name})")
    at = free_port()
    command = request.param(at, apps, tmp_path)
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while True:
        assert process.poll() is None and time.monotonic() < until
        try:
            if ask(at, "/_stcore/health")[0] == 200:
                break
        except OSError:
            time.sleep(0.05)
    yield at
    process.terminate()
    process.wait(timeout=120)


def ask(port, path="/", cookie="", **headers):
    """(status, cookies that are set, body) by way of the proxy."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    line.request("GET", path, headers={**headers, **({"Cookie": cookie} if cookie else {})})
    answer = line.getresponse()
    cookies = "; ".join(text.split(";")[0] for text in answer.headers.get_all("Set-Cookie") or ())
    body = b"" if answer.status == 101 else answer.read()
    line.close()
    return answer.status, cookies, body


def test_a_browser_comes_in_by_way_of_the_proxy_and_its_page_is_no_strangers(port, apps):
    assert ask(port)[0] == ask(port, **{"Sec-Fetch-Mode": "navigate"})[0] == 403, "it is led to no other name"
    address = f"/?token={Browsers(apps[0].home).make_key()}"
    status, cookies, _ = ask(port, address)
    assert status == 200 and ask(port, address)[0] == 403
    status, more, body = ask(port, cookie=cookies)
    assert status == 200 and b"<script" in body
    page = {"Origin": f"http://127.0.0.1:{port}", **KNOCK}
    assert ask(port, "/_stcore/stream", cookie=cookies, **page)[0] == 101
    assert ask(port, "/_stcore/stream", **page)[0] == 403
    assert ask(port, "/_stcore/stream", cookie=cookies, **{**page, "Origin": "http://127.0.0.1:1"})[0] == 403


def test_either_app_knows_the_browser_when_the_other_ends(port, apps):
    _, cookies, _ = ask(port, f"/?token={Browsers(apps[0].home).make_key()}")
    session = next(text for text in cookies.split("; ") if text.startswith("stability-") and "container" not in text)
    assert all(ask(app.port, cookie=session)[0] == 200 for app in apps)
