"""Every screen on a telephone: nothing is wider than it, and what is drawn can be read."""

import pytest
from browser_support import go, narrow, open_sample, plots, settled
from page_support import TITLES
from playwright.sync_api import expect

SCREENS = {"some": ("Stability", "Maps", "What if", "Pareto", "Groups & C"), "all": tuple(TITLES.values())}  # each takes seconds
DRAWN = "() => document.querySelector('.st-key-narrow-stability .js-plotly-plot')._fullLayout._size.w"


@pytest.mark.parametrize("which", ["some", pytest.param("all", marks=pytest.mark.slow)])
def test_on_a_telephone_nothing_is_wider_than_the_screen(page, server, which):
    open_sample(page, server, "alzheimer_ad", "stability")
    settled(page)
    wide = []
    for title in SCREENS[which]:
        page.set_viewport_size({"width": 1280, "height": 900})  # where the menu is open
        go(page, title)
        settled(page)
        page.set_viewport_size({"width": 400, "height": 900})
        settled(page)
        wide += [] if narrow(page) else [title]
        if title == "Stability":
            plots(page)
            assert page.evaluate(DRAWN) > 150, "names leave room for numbers"
            expect(page.locator(".st-key-wide-stability")).to_be_hidden()
    assert not wide
