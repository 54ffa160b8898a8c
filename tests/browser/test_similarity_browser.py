"""Similarity in a browser: a grid that mirrors, and undo."""

from browser_support import choose, heading, metric, settled
from playwright.sync_api import expect

from stabcore.similarity.scenario import BASES


def pairs(page, number):
    expect(metric(page, "Similar pairs")).to_have_text(str(number))


def refused(page):
    expect(page.get_by_test_id("stAlertContentError")).to_be_visible()


def cell(page, key, column, row):
    """The middle of a cell of a grid: its names take the first column."""
    canvas = page.locator(f"[class*=st-key-{key}] canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    return box["x"] + column, box["y"] + 35 * row + 52


def type_into(page, key, column, row, text):
    page.mouse.move(0, 0)
    settled(page)  # until pictures above have their height
    opened = page.locator("input.gdg-input")
    for _ in range(6):  # a grid that is just drawn anew misses clicks and keys
        page.mouse.click(*cell(page, key, column, row))
        settled(page)
        if not opened.is_visible():  # a click into the cell that is chosen already opens it
            page.keyboard.press("Enter")
            settled(page)
        if opened.is_visible():
            break
    expect(opened).to_be_visible()
    page.keyboard.type(text, delay=50)
    page.keyboard.press("Enter")
    settled(page)


def test_a_cell_of_the_grid_changes_its_mirror_image_and_is_undone(page, open_small):
    page.set_viewport_size({"width": 1280, "height": 1800})  # so that cells need not be scrolled to
    open_small("similarity")
    heading(page, "Which features count as one?")
    choose(page, "Define similar features by", BASES["none"])
    pairs(page, 0)
    page.get_by_text("Edit pairs", exact=True).click()
    settled(page)
    choose(page, "Choose selector", "Random ranking (baseline)")
    settled(page)
    before = metric(page, "Effective stability").inner_text()
    type_into(page, "c-grid", 260, 4, "0.5")  # far enough down not to be the diagonal
    pairs(page, 1)
    expect(metric(page, "Effective stability")).not_to_have_text(before)
    page.locator(".st-key-undo button").first.click()
    settled(page)
    pairs(page, 0)
    expect(metric(page, "Effective stability")).to_have_text(before)
    type_into(page, "c-grid", 260, 5, "1")  # what was undone does not come back with the next change
    pairs(page, 1)
    type_into(page, "c-grid", 260, 3, "7")
    refused(page)
    pairs(page, 1)
