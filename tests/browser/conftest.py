"""One app and one browser per process, one page per test. Tests without a Chromium are skipped."""

import os
from pathlib import Path

import pytest
from browser_support import CHROMIUM, Server, chromium, person
from project_support import patients, studied, study_file

import stabcore as sc


def pytest_collection_modifyitems(items):
    """Skip browser tests without a Chromium. On the CI machine they fail instead."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("CI"):
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine (Debian: apt-get install chromium)"))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("home")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        opened = chromium(playwright, "--force-prefers-reduced-motion")  # what glides and spins is a third of its work
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def tab(browser):
    """One page for all tests of a process: a new one takes in the app's scripts from the start, half of what a screen costs."""
    context = person(browser)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def small_file(tmp_path_factory):
    return study_file(
        tmp_path_factory.mktemp("small") / "study.stab", patients("abcdef", 48), ["mim", "mrmr", "random"], sc.ComplementaryPairs(4)
    )


@pytest.fixture
def open_small(page, server, small_file, monkeypatch):
    """Open a screen of a small study with its table, where it matters only what the browser does."""
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    scenario = {"base": "correlation", "groups": {}}
    chosen = {"scenarios": {"correlated": scenario}, "scenario": scenario, "scenario_name": "correlated"}

    def open_it(screen):
        project = studied(small_file, patients("abcdef", 48), **chosen)
        page.goto(f"{server.url}/{screen}?id={project.id}")
        return project

    return open_it


@pytest.fixture
def page(tab, server):
    """The tab in its first state. At the end, every request must have gone to the app."""
    tab.set_viewport_size({"width": 1280, "height": 1000})
    tab.emulate_media(color_scheme="null")
    tab.set_default_timeout(30_000)
    asked = []

    def note(request):
        asked.append(request.url)

    tab.mouse.move(0, 0)
    tab.on("request", note)
    yield tab
    tab.remove_listener("request", note)
    if tab.url.startswith(server.url):
        tab.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    tab.context.clear_cookies()
    tab.goto("about:blank")
    outside = [url for url in asked if not url.startswith((server.url, f"ws://127.0.0.1:{server.port}", "data:", "blob:"))]
    assert not outside, f"the page asked for something outside this machine: {outside[:3]}"
