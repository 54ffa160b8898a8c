"""Accuracy in a browser: selecting points chooses selectors, and figures are saved for journals."""

import re
import struct
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browser_support import choose, click_mark, go, heading, settled
from playwright.sync_api import expect


def chosen(page):
    """The selectors that were marked, as the address says."""
    return parse_qs(urlsplit(page.url).query).get("pareto_selectors", [])


def test_pictures_are_saved_light_and_marked_points_chosen_for_maps(page, open_small):
    page.set_viewport_size({"width": 1280, "height": 2000})
    page.emulate_media(color_scheme="dark")
    open_small("pareto")
    heading(page, "Which selectors are accurate and stable?")
    plot = page.locator(".js-plotly-plot").first
    expect(plot).to_be_visible()
    settled(page)
    for item, size in (("PNG, 85 mm wide, 300 dpi", (1004, 488 * 1004 / 321)), ("SVG, 85 mm wide", None)):
        share = page.get_by_test_id("stMain").get_by_role("button", name="Share").first
        share.click()
        choose(page, "The camera of a figure saves it as", item)
        settled(page)
        share.click()
        settled(page)
        plot.hover()
        with page.expect_download() as saved:
            plot.locator(".modebar-btn[data-title^='Download plot']").click()
        name, content = saved.value.suggested_filename, Path(saved.value.path()).read_bytes()
        assert re.match("own - Accuracy against stability", name)
        if size:
            assert struct.unpack(">II", content[16:24]) == pytest.approx(size, abs=4)
        else:
            text = content.decode()
            assert text.startswith("<svg") and 'width="321"' in text and re.search(r"fill: rgb\(255, 255, 255\)", text)
    box = plot.locator(".scatterlayer .trace .point").last.bounding_box()
    click_mark(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile("[?&]pareto_selectors="))
    (marked,) = chosen(page)
    go(page, "Maps")
    heading(page, "What did each run select?")
    expect(page.locator(".st-key-shown_selector__widget input")).to_have_value(marked)
