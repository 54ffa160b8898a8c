"""“Whose dice?” in a real browser: switched on at Study, run, and seen on Stability."""

import re

import pytest
from browser_support import go, heading, open_sample, plots, press, settled
from playwright.sync_api import expect


@pytest.mark.slow  # the same without a browser: tests/pages/test_study_again.py
def test_it_is_switched_on_run_and_seen(page, server):
    open_sample(page, server, "wine", "study")
    heading(page, "Run the selectors again and again")
    settled(page)
    page.get_by_text("Details: selectors and their settings").click()
    page.get_by_label("Pairs of halves", exact=True).fill("2")
    page.get_by_label("Pairs of halves", exact=True).press("Enter")
    settled(page)
    page.get_by_text(re.compile("^Whose dice. Fit ")).click()
    settled(page)
    page.get_by_role("button", name="Start the study").click()
    expect(page.get_by_text("The study is finished.")).to_be_visible(timeout=180_000)
    go(page, "Stability")
    heading(page, "How often do the same features come back?")
    settled(page)
    press(page, re.compile("Whose dice"))
    settled(page)
    plots(page, 2)
    expect(page.get_by_text("Share of the disagreement").first).to_be_visible()
    expect(page.get_by_text(re.compile("fitted again to the same rows with other dice"))).to_be_visible()
