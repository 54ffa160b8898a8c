"""The recipes for Caddy and nginx, run as they stand but for the ports: two apps behind each, at a port that is not 443."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest
from browser_support import KNOCK, Server, ask, cookies_of
from support import ROOT, free_port, wait_for

from pages.server.sessions import Browsers

FOLDER = ROOT / ".ci" / "docker"


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
    """The command that starts Caddy by its recipe, with numbers instead of names of containers."""
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


def answers(port):
    with suppress(OSError):
        return ask(port, "/_stcore/health")[0] == 200


@pytest.fixture(params=[caddy, nginx], ids=["Caddy", "nginx"])
def port(request, apps, tmp_path):
    """Of a proxy before the apps."""
    name = request.param.__name__
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine (Debian: apt-get install {name})")
    port_number = free_port()
    command = request.param(port_number, apps, tmp_path)
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: process.poll() is not None or answers(port_number))
    assert process.poll() is None
    yield port_number
    process.terminate()
    process.wait(timeout=120)


def test_a_browser_comes_in_through_the_proxy_with_its_own_session(port, apps):
    assert ask(port)[0] == ask(port, **{"Sec-Fetch-Mode": "navigate"})[0] == 403, "it is led to no other name"
    address = f"/?token={Browsers(apps[0].home).make_key()}"
    status, found, _ = ask(port, address)
    assert status == 200 and ask(port, address)[0] == 403
    cookies = cookies_of(found)
    status, _, body = ask(port, Cookie=cookies)
    assert status == 200 and b"<script" in body
    page = {"Origin": f"http://127.0.0.1:{port}", **KNOCK}
    assert ask(port, "/_stcore/stream", Cookie=cookies, **page)[0] == 101
    assert ask(port, "/_stcore/stream", **page)[0] == 403
    assert ask(port, "/_stcore/stream", Cookie=cookies, **{**page, "Origin": "http://127.0.0.1:1"})[0] == 403


def test_either_app_knows_the_browser_when_the_other_ends(port, apps):
    _, found, _ = ask(port, f"/?token={Browsers(apps[0].home).make_key()}")
    session = next(text for text in cookies_of(found).split("; ") if text.startswith("stability-") and "container" not in text)
    assert all(ask(app.port, Cookie=session)[0] == 200 for app in apps)
