"""What if in a browser: clicks on a curve, a cell and a bar, and their effect on other screens."""

import re

import pytest
from browser_support import choose, click_mark, go, heading, metric, plots, settled
from playwright.sync_api import expect

THRESHOLD = "Set threshold |ρ|"
# Where on the page a point of a trace, by its number or its name, lies: its middle for a marker, half its length for a bar.
POINT = """([trace, place]) => {
  const plot = document.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
  const drawn = plot.calcdata.find((points, number) => number === trace || points[0].trace.name === trace);
  const one = drawn[Math.round(place * (drawn.length - 1))], box = plot.getBoundingClientRect(), bar = one.s !== undefined;
  return [box.left + layout.xaxis._offset + layout.xaxis.c2p(bar ? one.s / 2 : one.x),
          box.top + layout.yaxis._offset + layout.yaxis.c2p(bar ? one.p : one.y)];
}"""

# The note at the foot of the page: before a run, at its start (look, delay and duration in ms, whether it takes clicks), when it is
# visible, and after the run.
COMPUTING = """() => {
  const app = document.querySelector('[data-testid=stApp]'), state = app.dataset.testScriptState;
  const style = (...names) => names.map(name => getComputedStyle(app, '::after')[name]);
  const before = style('content');
  app.dataset.testScriptState = 'running';
  const now = style('content', 'opacity'), moves = app.getAnimations({subtree: true}).find(one => one.animationName === 'appears');
  const {delay, duration} = moves.effect.getTiming();
  const begun = [...now, delay, duration, ...style('pointerEvents')];
  moves.finish();
  const then = style('opacity')[0];
  app.dataset.testScriptState = state;
  return [before, begun, then, style('content')];
}"""
# The full dots of the first list of pairs, from the last one up: whose they are, the number of their trace, where in it they are.
DOTS = """() => {
  const plot = document.querySelector('.js-plotly-plot');
  return plot._fullData.flatMap((trace, number) => trace.text && trace.marker && !trace.marker.symbol.endsWith('-open') ?
    trace.text.map((text, i) => ({pair: text.split('<br>').slice(0, 2).join(' and '), trace: number,
      place: i / Math.max(trace.text.length - 1, 1)})) : []).reverse();
}"""


def question(page, text):
    page.get_by_test_id("stButtonGroup").get_by_text(text).click()


def selector(page, name):
    choose(page, "Choose selector", name)
    settled(page)


def click(page, trace, place):
    click_mark(page, *page.evaluate(POINT, [trace, place]))


def test_clicks_on_figures_reach_other_screens_and_no_key_is_lost(page, open_small):
    page.set_viewport_size({"width": 1280, "height": 1800})  # so that what is clicked need not be scrolled to
    open_small("whatif")
    heading(page, "What if similar features count as one?")
    plots(page)
    settled(page)
    states = [["none"], ['"Computing …"', "0", 700, 0, "none"], "1", ["none"]]
    assert page.evaluate(COMPUTING) == states, "a long computation is shown at the foot of the page"
    question(page, "Pairs")
    selector(page, "Random ranking (baseline)")
    pair, drawn = page.get_by_role("combobox", name="Choose pair"), page.evaluate(DOTS)
    assert [len(drawn) > 1, len({dot["pair"] for dot in drawn[:2]})] == [True, 2]
    for dot in drawn[:2]:
        click(page, dot["trace"], dot["place"])
        expect(pair).to_have_value(dot["pair"])
        settled(page)
    for name in pair.input_value().split(" and "):
        expect(page.get_by_test_id("stSidebar").get_by_text(name, exact=True)).to_be_visible()
    settled(page)
    now = metric(page, "Effective stability now").inner_text()
    page.get_by_role("slider", name="Set similarity C").focus()
    page.keyboard.press("End")
    expect(metric(page, "Effective stability now")).not_to_have_text(now)
    page.locator(".st-key-undo button").first.click()
    expect(metric(page, "Effective stability now")).to_have_text(now)
    settled(page)
    question(page, "Without a feature or run")
    settled(page)
    was = page.url
    click(page, 0, 1)
    expect(page).not_to_have_url(was)
    settled(page)
    assert re.search(r"[?&]highlighted=\d+", page.url)
    question(page, "Threshold")
    settled(page)
    slider = page.get_by_role("slider", name=THRESHOLD)
    before = slider.input_value()
    click(page, "measured", 0.8)
    expect(slider).not_to_have_value(before)
    settled(page)
    taken = float(slider.input_value())
    assert taken > 0.7
    slider.focus()
    for pause in (0, 0, 150, 0, 150):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(pause)
    settled(page)
    assert float(slider.input_value()) == pytest.approx(taken - 0.05)
    taken = slider.input_value()
    go(page, "Similarity")
    heading(page, "Which features count as one?")
    expect(page.get_by_role("slider", name=THRESHOLD)).to_have_value(taken)
