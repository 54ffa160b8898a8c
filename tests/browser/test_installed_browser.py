"""What `pip install .` brings: the wheel is built and installed, and its command driven from a folder of its own."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import version

import pytest
from browser_support import Server, go, heading, open_from_start, person, settled
from playwright.sync_api import expect
from support import ROOT

PARTS = ("stabcore", "pages", "sample_data", ".streamlit")


def pip(*arguments):
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)],
        check=True,
        timeout=120,
        capture_output=True,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built of a copy, so that nothing is left among the sources."""
    assert int(version("setuptools").split(".")[0]) >= 77, "pip install -e '.[test]' brings what builds the wheel"
    copy, made = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.lock"))
    for name in ("app.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", made, copy)
    return next(made.glob("*.whl"))


@pytest.fixture
def installed(wheel, tmp_path):
    """The folder of commands of an environment with the wheel and the libraries of this environment."""
    venv.create(tmp_path / "env", symlinks=os.name != "nt")
    names = {"base": str(tmp_path / "env"), "platbase": str(tmp_path / "env")}
    packages = sysconfig.get_path("purelib", "venv", names)
    with open(os.path.join(packages, "shared.pth"), "w", encoding="utf-8") as beside:
        beside.write("\n".join(path for path in sys.path if path.endswith("site-packages")))
    scripts = sysconfig.get_path("scripts", "venv", names)
    pip(
        "--python",
        os.path.join(scripts, "python"),
        "install",
        "--no-deps",
        "--no-index",
        "--no-compile",
        "--ignore-installed",
        wheel,
    )
    return scripts


def test_the_wheel_holds_the_core_and_the_app_and_takes_no_other_name(wheel):
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
    here = {
        str(path.relative_to(ROOT)).replace(os.sep, "/")
        for part in PARTS
        for path in (ROOT / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".lock"
    } - {".streamlit/screenshot.png"}
    there = {name if name.startswith("stabcore/") else f"stabcore/dashboard/{name}" for name in {*here, "app.py"}}
    assert {name for name in names if ".dist-info/" not in name} == there


@pytest.mark.slow
def test_the_command_starts_the_app_from_any_folder(browser, installed, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)  # else the sources would be found first
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / ".streamlit").mkdir(parents=True)
    (elsewhere / ".streamlit" / "config.toml").write_text('[server]\naddress = "0.0.0.0"\n[browser]\ngatherUsageStats = true\n')
    server = Server(tmp_path / "home", [os.path.join(installed, "feature-stability"), "--no-browser"], "--port", elsewhere).start()
    page = person(browser).new_page()
    page.set_default_timeout(30_000)
    try:
        open_from_start(page, server, "wine")
        go(page, "Study")
        heading(page, "What did the study find?")
        page.get_by_text("Change settings and run again").click()
        page.get_by_text(re.compile("^Settings: selectors")).click()
        selectors = page.get_by_test_id("stMultiSelect").filter(has_text="Selectors")
        selectors.get_by_label("Clear all").click()  # one filter takes a moment, all of them half a minute
        selectors.locator("input").fill("Mutual information (MIM)")
        page.get_by_role("option", name="Mutual information (MIM)", exact=True).click()
        page.keyboard.press("Escape")
        page.get_by_label("Pairs of halves", exact=True).fill("2")
        page.get_by_label("Pairs of halves", exact=True).press("Enter")
        settled(page)
        page.get_by_role("button", name="Run study").click()
        expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=60_000)
        assert re.search(r"[?&]id=", page.url) and sorted(os.listdir(elsewhere)) == [".streamlit"]
    finally:
        page.context.close()
        server.stop()
