"""The app as people start it, attacked: by another account, another port, a text browser, a folder with the wrong rights."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from support import ROOT, wait_for

from pages.server.app import DashboardServer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes and modes are asked for as on POSIX")
COMMAND = (sys.executable, "-m", "pages.server.launch")
STREAMLIT = (sys.executable, "-m", "streamlit", "run", "app.py")  # as `make app`
OTHERS = os.name == "posix" and os.geteuid() == 0 and shutil.which("setpriv") is not None
# What another account does all the time: reads the arguments of all processes. It prints what opens the app.
WATCHER = r"""
import os, re, sys, time
seen, until, opened = set(), time.time() + 60, 0
while time.time() < until:
    if os.path.exists(sys.argv[1]) and not opened:
        opened, until = 1, time.time() + 2
    time.sleep(0.02)
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{number}/cmdline", "rb").read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        seen |= set(re.findall(r"token=[\w-]+|file://\S*feature-stability-\d+\.html", words))
for text in sorted(seen):
    path = text.removeprefix("file://")
    try:
        print("opened", open(path).read() if path != text else text)
    except OSError:
        print("closed", path)
"""
BROWSER = """\
#!/bin/sh
echo $$ >> "{folder}/pids"
cp "${{1#file://}}" "{folder}/page" 2>/dev/null
echo "$1" >> "{folder}/opened"
exec sleep 600
"""


@contextmanager
def started(folder, *options, command=COMMAND, cwd=ROOT, **environment):
    """(the process, the file of what it prints, the first address) of an app that has started."""
    printed, user = folder / "printed", folder / "user"
    user.mkdir(exist_ok=True)
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "STABILITY_TOKEN")
    }
    with open(printed, "w") as file:
        process = subprocess.Popen(
            [*command, *options],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env={**clean, "STABILITY_HOME": str(folder / "home, für €"), "HOME": str(user), "PYTHONPATH": str(ROOT), **environment},
        )
    try:
        found = wait_for(lambda: process.poll() is not None or re.search(r"http://\S+", printed.read_text(encoding="utf-8")))
        assert process.poll() is None, printed.read_text(encoding="utf-8")
        yield process, printed, found[0]
    finally:
        process.terminate()
        process.wait(timeout=120)
        browsers = [int(number) for number in (folder / "pids").read_text().split()] if (folder / "pids").exists() else []
        for number in browsers:
            os.kill(number, signal.SIGKILL)


def port_of(address):
    return int(re.search(r":(\d+)", address)[1])


def ask(address, cookie="", host=None):
    """(status, cookie, body), asked by number, because not every system resolves names below localhost."""
    port, path = port_of(address), address.partition("/?")[2]
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/?{path}", headers={"Cookie": cookie, "Host": host or f"127.0.0.1:{port}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, (answer.headers["Set-Cookie"] or "").split(";")[0], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", error.read().decode()


def fake_browser(folder):
    """A text browser that never ends, and keeps its arguments and the page that it read."""
    script = folder / "w3m"
    script.write_text(BROWSER.format(folder=folder))
    script.chmod(0o755)
    return str(script)


def written(path):
    return wait_for(lambda: path.exists() and path.read_text())


def in_a_text_browser(folder, process, printed, address):
    """A text browser that never ends blocks nothing, and its arguments hold no key. Its page opens the app once."""
    argument = written(folder / "opened").strip()
    page = folder / "user" / f"feature-stability-{port_of(address)}.html"
    assert argument == page.as_uri() and stat.S_IMODE(page.stat().st_mode) == 0o600
    (target,) = re.findall(r"url=(http://[^\"]+)", written(folder / "page"))
    assert ask(address)[0] == 200 and ask(address)[0] == 403, "that address opened once"
    status, cookie, _ = ask(target)
    assert status == 200 and ask(target)[0] == 403 and cookie.partition("=")[2] not in printed.read_text()
    assert ask(f"http://x:{port_of(address)}/?", cookie)[0] == 200 and process.poll() is None
    wait_for(lambda: not page.exists())  # it goes when its key was used


def as_nobody(*command):
    """A command of another account."""
    return subprocess.Popen(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command], stdout=subprocess.PIPE, text=True, cwd="/"
    )


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """(folder, app, another account that looks on while it starts, if there can be one)"""
    folder = tmp_path_factory.mktemp("watched")
    for path in (folder, *folder.parents):
        if path.stat().st_mode & 0o777 == 0o700:
            path.chmod(0o755)  # so that rights of the app's own files alone keep others out
    watcher = as_nobody("/usr/bin/python3", "-c", WATCHER, str(folder / "opened")) if OTHERS else None
    with started(folder, BROWSER=fake_browser(folder), DISPLAY=":99") as app:
        yield folder, app, watcher


@pytest.mark.skipif(not OTHERS, reason="root alone can be another account (setpriv)")
def test_another_account_cannot_enter_or_listen_in_place_of_the_app(opened):
    folder, (_, _, address), watcher = opened
    seen = watcher.communicate(timeout=120)[0]
    assert "closed" in seen and "opened" not in seen, "it saw how the browser was started, and no key"
    tries = f"import glob, os; os.chdir('/'); print(os.listdir({str(folder / 'home, für €')!r}))"
    stranger = as_nobody("/usr/bin/python3", "-c", f"try:\n {tries}\nexcept PermissionError:\n print('closed')")
    assert stranger.communicate(timeout=120)[0].strip() == "closed"
    knock = f"http://127.0.0.1:{port_of(address)}/"
    stranger = as_nobody("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", knock)
    assert stranger.communicate(timeout=120)[0] == "403"
    assert ".localhost:" in address
    script = f"""
        import socket
        for family, place in ((socket.AF_INET6, "::1"), (socket.AF_INET, "127.0.0.1")):
            line = socket.socket(family)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                line.bind((place, {port_of(address)}))
                line.listen()
                print("took", place)
            except OSError:
                print("closed")
    """
    stranger = as_nobody("/usr/bin/python3", "-c", textwrap.dedent(script))
    assert stranger.communicate(timeout=120)[0].split() == ["closed", "closed"]


def test_a_text_browser_comes_in(opened):
    folder, app, _ = opened
    in_a_text_browser(folder, *app)


@pytest.fixture
def squatted():
    """The option of a port that another server uses at the first address that browsers try, none without IPv6."""
    try:
        squatter = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        yield ()
        return
    with squatter:
        yield "--port", str(squatter.getsockname()[1])


def test_a_second_start_takes_the_next_port_and_sessions_survive(tmp_path, squatted):
    """The second is started by `make app`, the restart has no name of its own: a browser would hand its cookie to who listens."""
    apart = tmp_path / "second"
    apart.mkdir()
    beside = {"command": STREAMLIT, "BROWSER": fake_browser(apart), "DISPLAY": ":99"}
    with started(tmp_path, BROWSER=fake_browser(tmp_path)) as (_, _, address), started(apart, **beside) as second:
        assert port_of(second[-1]) != port_of(address) and min(port_of(address), port_of(second[-1])) >= 8501
        in_a_text_browser(apart, *second)
        status, cookie, _ = ask(address)
        assert status == 200
        assert not (tmp_path / "opened").exists() and list((tmp_path / "user").iterdir()) == [], "without a display, no browser"
    with started(tmp_path, *squatted) as (_, _, later):
        assert not squatted or later.startswith(f"http://127.0.0.1:{squatted[1]}/?token=")
        assert later != address and ask(address.replace(str(port_of(address)), str(port_of(later))))[0] == 403
        assert ask(later.partition("token=")[0], cookie)[0] == 200


def test_what_is_set_wrong_starts_no_server(monkeypatch):
    monkeypatch.setenv("STABILITY_TOKEN", "abc")
    with pytest.raises(SystemExit, match="STABILITY_TOKEN"):
        DashboardServer()
