"""Stability in a real browser: the picture and its sentence on the first screen, the floor in it, where it moves."""

import re

import pytest
from browser_support import narrow, open_sample, plots, settled
from playwright.sync_api import expect

FLOORS = """() => [...document.querySelector('.js-plotly-plot').data].filter(one => one.name === 'without any signal')
    .flatMap(one => Array.from(one.x._inputArray ?? one.x))"""


@pytest.mark.parametrize("key", ["alzheimer_ad", "wine"])
def test_the_picture_and_its_sentence_are_above_the_fold(page, server, key):
    page.set_viewport_size({"width": 1400, "height": 900})
    open_sample(page, server, key, "stability")
    plots(page)
    settled(page)
    places = page.evaluate("""() => [...document.querySelector('[data-testid=stMain]')
        .querySelectorAll('.js-plotly-plot, strong, li')].map(one => [
            one.className.includes('js-plotly-plot') ? 'plot' : one.tagName, one.getBoundingClientRect().bottom])""")
    assert next(bottom for what, bottom in places if what == "plot") <= 900
    order = [what for what, _ in places]
    assert order.index("STRONG") < order.index("plot") < order.index("LI"), "sentences of single selectors come after the picture"


def test_the_floor_is_drawn_and_moves_with_the_number_of_features(page, server):
    open_sample(page, server, "alzheimer_ad", "stability")
    plots(page)
    settled(page)
    before = page.evaluate(FLOORS)
    assert len(before) >= 7 and all(0 <= one < 1 for one in before)
    page.get_by_text("What if another number of features were selected?").click()
    slider = page.get_by_role("slider").first
    expect(slider).to_be_visible()
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    settled(page)
    expect(page.get_by_text(re.compile("about 21 features a run")).first).to_be_visible()
    after = page.evaluate(FLOORS)
    assert len(after) == len(before) and after != before


def test_a_telephone_shows_the_picture(page, server):
    page.set_viewport_size({"width": 400, "height": 900})
    open_sample(page, server, "alzheimer_ad", "stability")
    plots(page)
    settled(page)
    assert narrow(page)
    inside = page.evaluate("() => document.querySelector('.js-plotly-plot')._fullLayout._size.w")
    assert inside > 150, "names leave room for numbers"
