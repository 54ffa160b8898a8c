"""Stability in a real browser: the picture and its sentence on the first screen, the floor in it, where it moves."""

import re

import pytest
from browser_support import narrow, open_sample, plots, settled
from playwright.sync_api import expect

SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"
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


@pytest.mark.slow           # the same without a browser: tests/pages/test_floor_on_pages.py
def test_two_halves_have_their_floor_at_zero(page, server):
    open_sample(page, server, "alzheimer_ad", "stability")
    plots(page)
    settled(page)
    drawn = page.evaluate(FLOORS)
    assert len(drawn) >= 7 and set(drawn) == {0}


@pytest.mark.slow           # the same without a browser: tests/pages/test_floor_on_pages.py
def test_the_floor_is_told_and_moves_with_the_number_of_features(page, server):
    open_sample(page, server, "wine", "profiles")
    plots(page)
    settled(page)
    assert page.evaluate(FLOORS), "the floor is drawn"
    told = page.get_by_text(re.compile(r"^With \d+ features, by Nogueira .* without any signal: 0\.\d\d"))
    before = told.inner_text()
    slider = page.get_by_test_id("stMain").get_by_role("slider").first
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    settled(page)
    expect(page.get_by_text(re.compile("^With 9 features, by Nogueira"))).to_be_visible()
    assert told.inner_text().rsplit(":", 1)[1] != before.rsplit(":", 1)[1]


def test_a_telephone_shows_the_picture(page, server):
    page.set_viewport_size({"width": 400, "height": 900})
    open_sample(page, server, "alzheimer_ad", "stability")
    plots(page)
    settled(page)
    assert narrow(page)
    inside = page.evaluate("() => document.querySelector('.js-plotly-plot')._fullLayout._size.w")
    assert inside > 150, "names leave room for numbers"


def test_a_finger_over_a_picture_scrolls_the_page(browser, server, page):
    open_sample(page, server, "wine", "stability")
    plots(page)
    context = browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    telephone = context.new_page()
    telephone.goto(page.url)
    telephone.locator(".js-plotly-plot .nsewdrag").first.scroll_into_view_if_needed()
    settled(telephone)
    place, fingers = telephone.locator(".js-plotly-plot .nsewdrag").first.bounding_box(), context.new_cdp_session(telephone)
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    before = telephone.evaluate(SCROLLED)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 15 * step}]})
        telephone.wait_for_timeout(20)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    telephone.wait_for_function(f"before => ({SCROLLED})() > before + 50", arg=before)
    context.close()
