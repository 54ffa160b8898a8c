"""Groups & C in a browser: grids that mirror, lists with rows to add, a cut that moves, files out and back in, undo."""

import re

import pytest
from browser_support import choose, heading, metric, narrow, open_sample, settled
from playwright.sync_api import expect


@pytest.fixture
def wine(page, server):
    """The bundled study of wines, on Groups & C."""
    open_sample(page, server, "wine", "groups")
    heading(page, "Which features stand for each other?")
    said(page, "similar pairs")
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


def slide(page, slider, steps):
    """Where a slider is after so many presses of a key, some of which a page that is just drawn anew may miss."""
    for _ in range(steps):
        slider.press("ArrowRight")
        page.wait_for_timeout(60)
    settled(page)
    return float(slider.input_value())


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
    said(wine, "1 pair set by hand: 1 similar pair.")
    expect(metric(wine, "Effective stability")).not_to_have_text(before)
    type_into(wine, "c-grid", 260, 7, "0.25")
    said(wine, "2 pairs set by hand: 2 similar pairs.")
    wine.get_by_role("button", name="Undo").click()
    settled(wine)
    said(wine, "1 pair set by hand: 1 similar pair.")
    wine.get_by_role("button", name="Undo").click()
    settled(wine)
    said(wine, "No similar features: 0 similar pairs.")
    expect(metric(wine, "Effective stability")).to_have_text(before)
    type_into(wine, "c-grid", 260, 8, "1")  # what was undone does not come back with the next change
    said(wine, "1 pair set by hand: 1 similar pair.")
    type_into(wine, "c-grid", 260, 7, "7")
    expect(wine.get_by_test_id("stAlert").filter(has_text="was given 7; C is a number from 0")).to_be_visible()
    said(wine, "1 pair set by hand: 1 similar pair.")


def test_the_threshold_moves_numbers_and_picture(wine):
    before = wine.get_by_test_id("stAlert").first.inner_text()
    picture = wine.locator(".js-plotly-plot .hm image").first
    picture.wait_for()
    source = picture.get_attribute("xlink:href") or picture.get_attribute("href")
    slider = wine.locator(".st-key-scenario-threshold").get_by_role("slider")
    slider.focus()
    value = slide(wine, slider, 20)
    expect(wine.get_by_test_id("stAlert").first).not_to_have_text(before)
    expect(wine.get_by_test_id("stAlert").first).to_contain_text(f"|ρ| ≥ {value:.2f}")
    now = wine.locator(".js-plotly-plot .hm image").first
    assert (now.get_attribute("xlink:href") or now.get_attribute("href")) != source
    expect(metric(wine, "Effective stability")).to_be_visible()


@pytest.mark.slow  # the same without a browser: tests/pages/test_groups_page.py
def test_groups_by_the_tree_follow_the_cut_and_are_taken(wine):
    base(wine, "My groups")
    wine.get_by_text("Suggest by correlation").click()
    settled(wine)
    expect(wine.get_by_text("Cut at |ρ| = 0.50")).to_be_visible()
    slider = wine.locator(".st-key-cut_at__widget").get_by_role("slider")
    slider.focus()
    expect(wine.get_by_text(f"Cut at |ρ| = {slide(wine, slider, 10):.2f}")).to_be_visible()
    wine.get_by_role("button", name="Take these groups").click()
    settled(wine)
    expect(wine.get_by_text(re.compile(r"groups? so far: 'like "))).to_be_visible()


@pytest.mark.slow  # the same without a browser: tests/pages/test_groups_page.py
def test_a_pattern_shows_its_features_while_it_is_typed_and_makes_a_group(wine):
    base(wine, "My groups")
    wine.get_by_text("Name pattern").click()
    settled(wine)
    wine.get_by_role("textbox", name="Names that fit").press_sequentially("al*", delay=40)
    expect(wine.get_by_text(re.compile("2 features.*'alcohol'.*'alcalinity_of_ash'"))).to_be_visible()
    expect(wine.get_by_text(re.compile("'alcalinity_of_ash' will leave the group"))).to_be_visible()
    wine.get_by_role("button", name="Add this group").click()
    settled(wine)
    expect(wine.get_by_text(re.compile("groups so far: .*'al'"))).to_be_visible()


@pytest.mark.slow  # the same without a browser: tests/pages/test_groups_page.py
def test_a_matrix_is_brought_and_a_wrong_one_is_a_sentence(wine, tmp_path):
    base(wine, "A matrix from a file")
    said(wine, "No matrix was uploaded yet")
    for number, (value, sentence) in enumerate(((7, "holds '7'"), (0.5, None))):
        path = tmp_path / f"C{number}.csv"
        path.write_text(f"feature_a,feature_b,value\nalcohol,hue,{value}\n", encoding="utf-8")
        wine.locator(".st-key-matrix-file input[type=file]").set_input_files(str(path))
        expect(wine.get_by_text(path.name)).to_be_visible()  # else the button would still take the file before
        settled(wine)
        wine.get_by_role("button", name="Take this matrix").click()
        settled(wine)
        if sentence:
            expect(wine.get_by_test_id("stAlert").filter(has_text=sentence)).to_be_visible()
    said(wine, "as in the uploaded matrix: 1 similar pair.")
    wine.get_by_role("button", name="Save or load").click()
    with wine.expect_download() as download:
        wine.get_by_role("button", name="Download this scenario").click()
    download.value.save_as(tmp_path / "scenario.toml")
    assert "alcohol" in (tmp_path / "scenario.toml").read_text(encoding="utf-8")


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


@pytest.mark.slow  # the same without a browser: tests/pages/test_scenarios.py
def test_a_scenario_goes_out_as_a_file_and_comes_back(wine, tmp_path):
    wine.get_by_role("button", name="Save or load").click()
    with wine.expect_download() as download:
        wine.get_by_role("button", name="Download this scenario").click()
    path = tmp_path / "scenario.toml"
    download.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert 'base = "correlation"' in text and "threshold = 0.5" in text
    path.write_text(text.replace("threshold = 0.5", "threshold = 0.9").replace('name = "', 'name = "strict '), encoding="utf-8")
    wine.locator(".st-key-scenario-file input[type=file]").set_input_files(str(path))
    wine.get_by_role("button", name="Add this scenario").click()
    settled(wine)
    said(wine, "|ρ| ≥ 0.90")
    expect(wine.locator(".st-key-scenario-here input")).to_have_value("strict correlated")
    wine.get_by_role("button", name="Undo").click()
    settled(wine)
    said(wine, "|ρ| ≥ 0.50")


def test_on_a_narrow_screen_nothing_is_wider_than_the_page(wine):
    wine.set_viewport_size({"width": 400, "height": 900})
    settled(wine)
    assert narrow(wine)
    for plot in wine.locator(".js-plotly-plot").all():
        assert plot.bounding_box()["width"] <= 400
