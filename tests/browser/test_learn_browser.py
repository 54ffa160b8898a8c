"""Learn in a browser: a guess by keyboard, the answer, a control, and a reload that keeps all of it."""

import re

from browser_support import fine, plots, settled
from playwright.sync_api import expect


def test_guess_answer_control_reload(page, server):
    page.goto(f"{server.url}/learn?lesson=shared_rows&seed=3")
    expect(page.get_by_role("heading", name="No marker matters")).to_be_visible()
    assert page.locator(".js-plotly-plot").count() == 0
    box = page.get_by_role("spinbutton").first
    box.fill("0.2")
    box.press("Enter")
    expect(page.get_by_text("You guessed 0.2; it is 0.722.")).to_be_visible()
    plots(page)
    page.get_by_role("slider").first.press("ArrowRight")
    expect(page.get_by_text("leave 10 % of the patients out come to a stability of 0.61")).to_be_visible()
    page.wait_for_url(re.compile(r"left_out=10.*guess=0\.2"))
    page.reload()
    plots(page)
    expect(page.get_by_text("leave 10 % of the patients out come to a stability of 0.61")).to_be_visible()
    settled(page)
    fine(page)
