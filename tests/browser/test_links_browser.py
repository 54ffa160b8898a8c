"""What-ifs are sent by their address: a second browser shows the same numbers, F5 too; and what another tab changes is told."""

import re

import pytest
from browser_support import choose, go, heading, open_sample, plots, press, settled
from playwright.sync_api import expect

from stabcore.app.workspace import Workspace

NUMBERS = """() => [...document.querySelectorAll('[data-testid=stMain] :is(p, li, [data-testid=stMetricValue])')]
  .map(one => one.innerText).filter(one => /\\d/.test(one))"""
DRAWN = """() => [...document.querySelectorAll('.js-plotly-plot')].map(one => JSON.stringify(one.data.map(
  trace => [trace.name, trace.x, trace.y])))"""
SCREENS = {"Stability": "How often do the same features come back?", "Panel": "Which features stay in the end?",
           "Pareto": "Accurate and stable: which selectors give both?"}


def read(page):
    """All numbers in words and in pictures."""
    plots(page)
    settled(page)
    return page.evaluate(NUMBERS), page.evaluate(DRAWN)


@pytest.fixture
def second(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    yield context.new_page()
    context.close()


def test_a_link_shows_the_same_numbers_in_a_second_browser(page, second, server, monkeypatch):
    open_sample(page, server, "wine", "stability")
    heading(page, "How often do the same")
    settled(page)
    page.get_by_text("What if another number of features were selected?").click()
    slider = page.get_by_role("slider", name="Features selected in every run")
    slider.wait_for()
    settled(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    settled(page)
    expect(page).to_have_url(re.compile(r"[?&]features=\d+"))
    seen = {}
    for name in SCREENS:
        go(page, name)
        heading(page, SCREENS[name])
        plots(page)
        settled(page)
        if name == "Panel":
            choose(page, "Whose panel", "Lasso")
            settled(page)
        if name == "Pareto":
            press(page, "Weigh them")
            settled(page)
        seen[name] = (page.url, *read(page))
    assert "panel-of=Lasso" in seen["Panel"][0] and "front=weigh" in seen["Pareto"][0]
    for name, (url, words, drawn) in seen.items():
        second.goto(url)
        heading(second, SCREENS[name])
        assert read(second) == (words, drawn), name
    page.reload()
    heading(page, SCREENS["Pareto"])
    assert read(page) == seen["Pareto"][1:]
    monkeypatch.setenv("STABILITY_HOME", str(server.home))
    work = Workspace.find(re.search(r"[?&]id=([\w-]+)", page.url)[1])
    changed = {**work.settings["scenario"], "threshold": 0.11}
    work.save(scenario=changed, scenarios={**work.settings["scenarios"], work.settings["scenario_name"]: changed})
    expect(page.get_by_text("was changed in another tab").first).to_be_visible()      # by itself, some seconds later
