"""The files for a container, tested without one."""

import json
import re
import tomllib
import urllib.request

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support import ROOT

from pages.server import launch
from pages.server.sign_in import describe_fault
from pages.workspace.projects import KEEP_DAYS, QUOTA, QUOTA_EACH
from pages.workspace.queue import MAX_RUNNING

FOLDER = ROOT / ".ci" / "docker"
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")


def test_the_container_starts_the_command_with_options_it_knows():
    words = re.findall(r'"([^"]+)"', DOCKERFILE.splitlines()[-1])
    asked = launch._parse_arguments(words[1:])
    assert words[0] == "feature-stability"
    assert (asked.address, asked.port, asked.browser) == ("0.0.0.0", "8501", False)
    assert re.findall(r"^EXPOSE (\d+)", DOCKERFILE, re.MULTILINE) == [asked.port]


@pytest.mark.parametrize(("path", "address"), [(None, "/_stcore/health"), ("/stability/", "/stability/_stcore/health")])
def test_its_health_is_asked_where_the_server_answers(path, address, monkeypatch):
    """Under a path the server answers there alone."""
    (command,) = re.findall(r"^    CMD (.*)", DOCKERFILE, re.MULTILINE)
    asked = []
    monkeypatch.setattr(urllib.request, "urlopen", lambda url, timeout: asked.append(url))
    if path:
        monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", path)
    exec(json.loads(command)[-1], {})
    assert asked == [f"http://127.0.0.1:8501{address}"]


def test_the_image_is_the_same_every_time_and_bound():
    """The base image and all packages are named to the last number, as pyproject.toml allows them."""
    assert not re.findall(r"^FROM (?!\S+:\d+\.\d+\.\d+-)", DOCKERFILE, re.MULTILINE)
    lines = (FOLDER / "constraints.txt").read_text(encoding="utf-8").splitlines()[1:]
    versions = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for text in [*project["dependencies"], *extras["server"], *extras["formats"]]:
        asked = Requirement(text)
        assert versions[canonicalize_name(asked.name)] in asked.specifier, text
    assert "-c /wheel/constraints.txt" in DOCKERFILE and "[server,formats]" in DOCKERFILE
    services = (FOLDER / "compose.yaml").read_text(encoding="utf-8").partition("services:")[2]
    assert len(re.findall("mem_limit: ", services)) == len(re.findall("pids_limit: ", services)) == 2


def test_sign_in_settings_are_complete_and_outside_the_image():
    compose = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    auth_section = "\n".join(line.lstrip("# ") for line in compose.split("[auth]")[1].split("(or several")[0].splitlines())
    assert describe_fault(tomllib.loads(auth_section), True) == ""
    assert ".streamlit/secrets.toml" in (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (MAX_RUNNING, QUOTA, QUOTA_EACH, KEEP_DAYS):
        assert f"\n      {name}: " in compose


def test_the_container_runs_without_root_and_keeps_projects():
    (user,) = re.findall(r"^USER (\w+)", DOCKERFILE, re.MULTILINE)
    (home,) = re.findall(r"STABILITY_HOME=(\S+)", DOCKERFILE)
    assert user != "root" and f"VOLUME {home}\n" in DOCKERFILE and f"-o {user}" in DOCKERFILE
    app, caddy = (FOLDER / "compose.yaml").read_text(encoding="utf-8").split("  caddy:\n")
    assert f':{home}"]' in app and "ports:" not in app, "Caddy alone is reached"
    assert re.findall(r"^\s+ports: (.*)", caddy, re.MULTILINE) == ['["127.0.0.1:8501:8501"]']
    sent = re.findall(r"^!(.*)", (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8"), re.MULTILINE)
    assert {".ci/docker/constraints.txt", "app.py", "pages", "stabcore", "sample_data", ".streamlit", "pyproject.toml"} < set(sent)
    assert all((ROOT / name).exists() for name in sent)
