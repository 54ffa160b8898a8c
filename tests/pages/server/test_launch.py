"""The command feature-stability: the server that it starts, and its errors."""

import os
import re
import socket
import subprocess
import sys
import tomllib

import pytest

from pages.server import launch
from pages.server.launch import APP_FOLDER
from pages.server.sessions import Browsers


@pytest.fixture
def started(monkeypatch, tmp_path):
    """The flags for the server, without starting it."""
    asked = []
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "works"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("STABILITY_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(launch.runpy, "run_module", lambda module, run_name: asked.append(sys.argv[1:]))
    return asked


@pytest.fixture
def taken():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def flag(started, name):
    (words,) = started
    assert words[:2] == ["run", str(APP_FOLDER / "app.py")]
    return words[words.index(f"--{name}") + 1]


def test_it_listens_to_this_computer_alone_and_sends_nothing(started, capsys):
    assert launch.main([]) == 0
    assert flag(started, "server.address") == "127.0.0.1" and flag(started, "browser.gatherUsageStats") == "false"
    assert "--server.headless" not in started[0], "where there is no display, the toolkit opens no browser"
    assert not {"--server.port", "--server.allowedHosts"} & set(started[0])


def test_a_port_that_is_taken_is_said_and_passed_by(started, taken, monkeypatch, capsys):
    monkeypatch.setattr(launch, "FIRST_PORT", taken)
    assert launch.main(["--no-browser"]) == 0 and str(taken) in capsys.readouterr().err
    assert flag(started, "server.headless") == "true" and "--server.port" not in started[0], "the toolkit takes the next one"


def test_who_else_can_come_in_is_said(started, tmp_path, capsys):
    assert launch.main(["--address", "0.0.0.0"]) == 0
    assert flag(started, "server.address") == "0.0.0.0"
    said = capsys.readouterr().err
    assert "0.0.0.0" in said and str(tmp_path / "works") in said
    assert flag(started, "server.allowedHosts") == "*"


def refusal(capsys, *arguments):
    assert launch.main([str(argument) for argument in arguments]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    return said


def test_a_user_without_a_home_or_with_a_closed_one_gets_a_sentence(started, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as for a number that no user has
    assert launch.main([]) == 0 and started  # STABILITY_HOME says where
    assert os.environ["HOME"] == str(tmp_path / "works") and "may open" in capsys.readouterr().err
    monkeypatch.delenv("STABILITY_HOME")
    assert "STABILITY_HOME" in refusal(capsys)


def test_a_port_that_was_asked_for_and_is_taken_is_not_exchanged(started, taken, capsys):
    said = refusal(capsys, "--port", taken)
    (free,) = re.findall("feature-stability --port ([0-9]+)", said)
    assert str(taken) in said and int(free) > taken and launch.main(["--port", free]) == 0
    assert flag(started, "server.port") == free


def test_what_cannot_be_is_named_and_starts_nothing(started, tmp_path, monkeypatch, capsys):
    for port in ("x", "0", "65536", "²"):
        assert f"Found {port}." in refusal(capsys, f"--port={port}")
    for address in ("192.0.2.7", "no.such.host.invalid"):
        assert refusal(capsys, "--address", address).startswith(f"{address} ")
    (tmp_path / ".streamlit").mkdir()
    for name, content in (("config.toml", b"[server\n"), ("config.toml", b"\xff"), ("secrets.toml", b"[auth\n")):
        file = tmp_path / ".streamlit" / name
        file.write_bytes(content)
        assert str(file) in refusal(capsys), "secrets that were passed over in silence would let everybody in"
        file.unlink()
    for key in ("abc", "line end" * 3 + "\n"):
        monkeypatch.setenv("STABILITY_TOKEN", key)
        said = refusal(capsys)
        assert "STABILITY_TOKEN" in said and key not in said
    monkeypatch.delenv("STABILITY_TOKEN")
    (tmp_path / "file").touch()
    for home in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv("STABILITY_HOME", str(home))
        said = refusal(capsys)
        assert str(home) in said and "STABILITY_HOME" in said
    assert not started


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize("mode", [0o500, 0o755, 0o000])
def test_wrong_rights_of_the_home_are_refused_with_a_remedy(mode, started, tmp_path, monkeypatch, capsys):
    home = tmp_path / "a home, für $HOME"
    home.mkdir(mode=0o700)
    home.chmod(mode)
    monkeypatch.setenv("STABILITY_HOME", str(home))
    said = refusal(capsys)
    assert home.stat().st_mode & 0o777 == mode and not started
    subprocess.run(re.search("chmod 700 '.*'", said)[0], shell=True, check=True)
    assert launch.main([]) == 0 and started and home.stat().st_mode & 0o777 == 0o700


def test_sessions_are_listed_and_ended_by_the_command(started, tmp_path, capsys):
    (tmp_path / "works").mkdir(mode=0o700)
    browsers = Browsers(tmp_path / "works")
    session = browsers.open_session("Firefox on Linux")
    assert launch.main(["--sessions"]) == 0
    listed = capsys.readouterr().out
    name = listed.split()[0]
    assert "Firefox on Linux" in listed and session not in listed
    assert launch.main(["--revoke", "nothing"]) == 0 and browsers.has_session(session)
    assert launch.main(["--revoke", name]) == 0 and not browsers.has_session(session) and not started


def test_one_more_browser_is_invited_where_the_app_was_started_last(started, tmp_path, capsys):
    assert "feature-stability" in refusal(capsys, "--invite")
    (tmp_path / "works" / "address").write_text("http://x.localhost:8501")
    assert launch.main(["--invite"]) == 0 and not started
    address, _, key = capsys.readouterr().out.strip().partition("/?token=")
    assert address == "http://x.localhost:8501" and Browsers(tmp_path / "works").use_key(key)


def test_bundled_settings_keep_others_out_and_data_in():
    config = tomllib.loads((APP_FOLDER / ".streamlit/config.toml").read_text(encoding="utf-8"))
    server, browser, client = (config[name] for name in ("server", "browser", "client"))
    assert set(server["allowedHosts"]) == {"127.0.0.1", "localhost", "*.localhost"} and server["enableXsrfProtection"] is True
    assert server["address"] == browser["serverAddress"] == "127.0.0.1", "else an outside address is asked"
    assert browser["gatherUsageStats"] is client["showErrorLinks"] is False and client["showErrorDetails"] == "none"
