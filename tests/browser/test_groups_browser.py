"""Groups & C in a browser: a grid that mirrors, a list with rows to add, undo."""

import pytest
from browser_support import choose, heading, metric, open_sample, settled
from playwright.sync_api import expect


@pytest.fixture
def wine(page, server):
    """The bundled study of wines, on Groups & C."""
    open_sample(page, server, "wine", "groups")
    heading(page, "Which features stand for each other?")
    said(page, "related pairs")
    return page


def said(page, text):
    expect(page.get_by_test_id("stAlert").filter(has_text="stand").first).to_contain_text(text)


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
        page.mouse.move(*cell(page, key, column, row))  # the grid looks where the mouse is before it takes a click
        page.wait_for_timeout(300)
        page.mouse.down()
        page.wait_for_timeout(100)
        page.mouse.up()
        page.wait_for_timeout(500)
        if not opened.is_visible():  # a click into the cell that is chosen already opens it
            page.keyboard.press("Enter")
            page.wait_for_timeout(500)
        if opened.is_visible():
            break
    expect(page.locator("input.gdg-input")).to_be_visible()
    page.keyboard.type(text, delay=50)
    page.keyboard.press("Enter")
    settled(page)


def base(page, start):
    page.locator(".st-key-scenario-base").get_by_text(start).click()
    settled(page)


def fine_tune(page):
    page.get_by_text("Fine-tune: single pairs by hand").click()
    settled(page)


def test_a_cell_of_the_grid_changes_its_mirror_image_and_the_numbers_and_undo_takes_it_back(wine):
    base(wine, "Nothing:")
    fine_tune(wine)
    choose(wine, "See what it does to", "Random ranking (baseline)")
    settled(wine)
    before = metric(wine, "Effective stability").inner_text()
    type_into(wine, "c-grid", 260, 6, "0.5")  # far enough down not to be the diagonal
    said(wine, "1 pair set by hand: 1 related pair.")
    expect(metric(wine, "Effective stability")).not_to_have_text(before)
    type_into(wine, "c-grid", 260, 7, "0.25")
    said(wine, "2 pairs set by hand: 2 related pairs.")
    wine.get_by_role("button", name="Undo").click()
    settled(wine)
    said(wine, "1 pair set by hand: 1 related pair.")
    wine.get_by_role("button", name="Undo").click()
    settled(wine)
    said(wine, "for itself only: 0 related pairs.")
    expect(metric(wine, "Effective stability")).to_have_text(before)
    type_into(wine, "c-grid", 260, 8, "1")  # what was undone does not come back with the next change
    said(wine, "1 pair set by hand: 1 related pair.")
    type_into(wine, "c-grid", 260, 7, "7")
    expect(wine.get_by_test_id("stAlert").filter(has_text="was given 7; C is a number from 0")).to_be_visible()
    said(wine, "1 pair set by hand: 1 related pair.")


@pytest.mark.slow
def test_a_list_of_pairs_takes_rows(wine):
    base(wine, "Nothing:")
    fine_tune(wine)
    type_into(wine, "c-grid", 260, 6, "0.5")
    wine.get_by_text("a list of pairs of any features").click()
    settled(wine)
    type_into(wine, "pair-list", 600, 0, "3")
    wine.get_by_role("button", name="Take these pairs").click()
    settled(wine)
    expect(wine.get_by_test_id("stAlert").filter(has_text="Row 1 has the value '3.0'")).to_be_visible()
    said(wine, "1 pair set by hand")
