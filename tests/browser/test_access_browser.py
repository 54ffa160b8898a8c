"""Screens for everybody: axe finds nothing serious, light or dark; the keyboard is seen and does what clicks do; large type."""

import re

import pytest
from browser_support import go, narrow, open_sample, settled
from page_support import TITLES
from playwright.sync_api import expect

from stabcore.glossary.catalog import TERMS, words_of

SERIOUS = ("serious", "critical")
SCREENS = {"some": ("Start", "Study", "Panel"), "all": tuple(TITLES.values())}      # each takes seconds
FINDINGS = """() => axe.run({resultTypes: ['violations']}).then(found => found.violations.map(
  one => [one.impact, one.id, ...one.nodes.map(node => node.target.join(' ') + ': ' + node.failureSummary)]))"""
AT_ONCE = "* {transition: none !important; animation: none !important;}"
RING = "() => getComputedStyle(document.activeElement).outlineWidth"


def serious(page):
    """What axe finds that keeps people from reading or using a screen; headings that leave out a level too."""
    return [one for one in page.evaluate(FINDINGS) if one[0] in SERIOUS or one[1] == "heading-order"]


@pytest.mark.parametrize("which", ["some", pytest.param("all", marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious_light_or_dark(page, server, which):
    scripts = pytest.importorskip("axe_playwright_python.base", reason="pip install axe-playwright-python")
    open_sample(page, server, "wine", "stability")
    settled(page)
    page.evaluate(scripts.AXE_SCRIPT)
    page.add_style_tag(content=AT_ONCE)
    found = {}
    for title in SCREENS[which]:
        go(page, title)
        settled(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(200)
            found[title, scheme] = serious(page)
    assert not {where: what for where, what in found.items() if what}


def press(page, keys, url):
    """Press keys, after which the address is like this."""
    page.keyboard.press(keys)
    expect(page).to_have_url(re.compile(url))
    settled(page)


def test_the_keyboard_is_seen_and_takes_back_what_it_did_after_a_reload_too(page, server):
    open_sample(page, server, "wine", "panel")
    settled(page)
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.evaluate(RING) == "3px", "a link of the menu"
    page.get_by_role("slider").first.focus()
    press(page, "ArrowRight", "share=80")
    press(page, "Control+z", "^(?!.*share=)")
    press(page, "Control+y", "share=80")
    page.reload()
    expect(page.locator(".st-key-undo button:enabled").first).to_be_visible()
    settled(page)
    press(page, "Control+z", "^(?!.*share=)")


def test_keys_of_who_types_take_back_letters_and_no_choice(page, server):
    open_sample(page, server, "wine", "report")
    settled(page)
    page.get_by_role("slider").first.focus()
    press(page, "ArrowRight", "share=80")
    text = page.get_by_role("textbox", name="Where do the patients come from?")
    text.focus()
    page.keyboard.type("Ulm")
    page.keyboard.press("Control+z")
    expect(text).not_to_have_value("Ulm")
    page.keyboard.press("Control+y")
    expect(text).to_have_value("Ulm")
    settled(page)
    assert "share=80" in page.url
    page.get_by_role("slider").first.focus()
    press(page, "Control+z", "^(?!.*share=)")


def test_every_word_is_found_by_keyboard_with_its_sentence_its_symbol_and_its_picture(page, server):
    open_sample(page, server, "wine", "panel")
    settled(page)
    page.get_by_role("button", name="Words", exact=True).focus()
    page.keyboard.press("Enter")
    words = page.get_by_role("dialog", name="What the words mean")
    expect(words.get_by_role("heading", name="On this screen")).to_be_visible()
    seen = words_of(page.get_by_test_id("stMain").evaluate("main => main.innerText"))       # behind the dialog
    assert {"panel", "frequency", "semidefinite", "threshold"} <= {one.key for one in seen}
    for one in seen:
        expect(words.get_by_text(one.sentence)).to_be_attached()
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_have_count(0)                 # on other screens
    words.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_be_attached()
    words.get_by_role("textbox", name="Look for a word").focus()
    page.keyboard.type("effective stab")
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_have_count(0)
    term = TERMS["effective"]
    expect(words.get_by_text(term.sentence)).to_be_visible()
    expect(words.get_by_text(f"{term.name} · {term.symbol}")).to_be_visible()
    picture = words.get_by_role("img", name=term.picture.alt)
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    expect(words.locator(".katex").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("no such word")
    expect(words.get_by_text("No word has “no such word” in it")).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_have_count(0)


def test_large_type_and_small_screens_show_the_sentence_and_the_picture(page, server):
    page.set_viewport_size({"width": 640, "height": 500})               # 1280 pixels at 200 %
    open_sample(page, server, "wine", "panel")
    picture = page.locator(".stPlotlyChart").first
    for width, height in ((640, 500), (400, 800)):                      # and a telephone
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        assert narrow(page) and box["x"] >= 0 and box["x"] + box["width"] <= width
    page.get_by_test_id("stExpandSidebarButton").click()
    menu = page.get_by_test_id("stSidebar")
    choice = menu.get_by_test_id("stMultiSelect")
    choice.scroll_into_view_if_needed()
    assert choice.bounding_box()["width"] > 150
    menu.get_by_role("link", name="Maps").click()
    expect(page.get_by_role("heading", name="What did each run select?")).to_be_visible()
