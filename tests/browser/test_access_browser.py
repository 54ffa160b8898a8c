"""Keyboard focus, keys instead of clicks, and large type. test_screens_browser.py runs axe."""

import io
import re
import secrets
import shutil
from urllib.parse import urlencode

import pytest
from browser_support import go, narrow, open_from_start, settled
from page_support import TITLES
from PIL import Image, ImageChops
from playwright.sync_api import expect
from support import wait_for

from stabcore.glossary.catalog import TERMS

AT_ONCE = "* {transition: none !important; animation: none !important;}"
FITS = """() => {
  const picture = document.querySelector('.stPlotlyChart');
  if (!picture) return false;
  const box = (picture.closest('[class*=st-key-sideways]') || picture).getBoundingClientRect();
  return box.width > 100 && box.left >= 0 && box.right <= window.innerWidth;
}"""
RING = "() => getComputedStyle(document.activeElement).outlineWidth"


def press(page, keys, url):
    """Press keys, after which the address is like this."""
    page.keyboard.press(keys)
    expect(page).to_have_url(re.compile(url))
    settled(page)


def test_keyboard_focus_is_visible_and_keys_undo_choices_or_typing(page, server, open_small):
    open_small("report")
    settled(page)
    for _ in range(4):
        page.keyboard.press("Tab")
    assert page.evaluate(RING) == "3px", "a link of the menu"
    page.get_by_role("slider").first.focus()
    press(page, "ArrowRight", "panel_threshold=80")
    press(page, "Alt+z", "^(?!.*panel_threshold=)")
    press(page, "Alt+y", "panel_threshold=80")
    page.locator(".st-key-two-questions button").click()
    text = page.get_by_role("textbox", name="Where do the patients come from?")
    text.focus()
    page.keyboard.type("Ulm")
    page.keyboard.press("Control+z")
    expect(text).not_to_have_value("Ulm")
    page.keyboard.press("Control+y")
    expect(text).to_have_value("Ulm")
    settled(page)
    assert "panel_threshold=80" in page.url
    page.get_by_role("slider").first.focus()  # who leaves the field has answered, which is a step
    settings = server.home / re.search(r"[?&]id=([\w-]+)", page.url)[1] / "workspace.json"
    wait_for(lambda: page.wait_for_timeout(100) or "Ulm" in settings.read_text(encoding="utf-8"))  # the answer is kept
    settled(page)
    page.keyboard.press("Alt+z")
    expect(text).to_have_value("")
    settled(page)
    assert "panel_threshold=80" in page.url
    page.reload()
    expect(page.locator(".st-key-undo button:enabled").first).to_be_visible()
    settled(page)
    press(page, "Alt+z", "^(?!.*panel_threshold=)")


def test_the_glossary_works_by_keyboard_and_large_type_fits(page, open_small):
    page.set_viewport_size({"width": 640, "height": 500})  # 1280 pixels at 200%
    open_small("panel")
    expect(page.get_by_role("heading", name="Which features belong in the panel?")).to_be_visible()
    for width, height in ((640, 500), (400, 800)):  # and a telephone
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        page.wait_for_function(FITS)  # Plotly follows the window with a delay
        assert narrow(page)
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.get_by_role("button", name="Glossary", exact=True).focus()
    page.keyboard.press("Enter")
    words = page.get_by_role("dialog", name="Glossary")
    expect(words.get_by_role("heading", name="On this screen")).to_be_visible()
    for key in ("panel", "frequency"):  # of sentences on the screen behind the dialog
        expect(words.get_by_text(TERMS[key].sentence).first).to_be_attached()  # a formula below can say the same
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_have_count(0)  # on other screens
    words.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_be_attached()
    words.get_by_role("textbox", name="Search term").focus()
    page.keyboard.type("effective stab")
    expect(words.get_by_text(TERMS["jackknife"].sentence)).to_have_count(0)
    term = TERMS["effective"]
    expect(words.get_by_text(term.sentence)).to_be_visible()
    expect(words.get_by_text(f"{term.name} · {term.symbol}")).to_be_visible()
    picture = words.get_by_role("img", name=term.picture.alt)
    assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth > 0; }")
    expect(words.locator(".katex").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("no such word")
    expect(words.get_by_text("No term contains “no such word”")).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    page.set_viewport_size({"width": 400, "height": 800})
    page.get_by_test_id("stExpandSidebarButton").click()
    menu = page.get_by_test_id("stSidebar")
    choice = menu.get_by_test_id("stMultiSelect")
    settled(page)  # until the menu has slid in
    assert choice.bounding_box()["width"] > 150
    menu.get_by_role("link", name="Maps").click()
    expect(page.get_by_role("heading", name="What did each run select?")).to_be_visible()


# What has the keyboard, or the label or list around it, as it is seen: {x, y, width, height}; None inside of a table, which draws
# its own.
SPOT = """() => {
  const at = document.activeElement, one = at.closest('label, [data-testid=stMultiSelect]') || at, around = 5;
  const box = one.getBoundingClientRect();
  return at === document.body || at.closest('canvas, .dvn-scroller') ? null : {x: Math.max(0, box.x - around),
    y: Math.max(0, box.y - around), width: box.width + 2 * around, height: box.height + 2 * around};
}"""
CHANGED, PIXELS = 40, 60  # of 255, by which a pixel is clearly another one; of those
PLACE = """() => { const at = document.activeElement; return at === document.body ? null :
  [[at.tagName, at.type, at.role, at.closest('[data-testid]')?.dataset.testid], at.getAttribute('aria-label') || at.innerText]; }"""


def ring(page):
    """Number of pixels that show the keyboard focus of an element, None for an exempt element."""
    spot = page.evaluate(SPOT)
    if spot is None:
        return None
    images = []
    for act in ("() => { window.was = document.activeElement; }", "() => window.was.blur()"):
        page.evaluate(act)
        page.wait_for_timeout(60)
        images.append(Image.open(io.BytesIO(page.screenshot(clip=spot))).convert("RGB"))
    page.evaluate("() => window.was.focus({focusVisible: true, preventScroll: true})")
    return sum(ImageChops.difference(*images).convert("L").histogram()[CHANGED:])


def unseen(page, seen_kinds, most=120):
    """Elements that Tab reaches without a visible focus, the first of each kind, without known exceptions."""
    page.evaluate("() => document.activeElement.blur()")
    found, begun = [], None
    for _ in range(most):
        page.keyboard.press("Tab")
        place = page.evaluate(PLACE)
        if place in (None, begun):
            return found
        begun, kind = begun or place, tuple(place[0])
        if kind not in seen_kinds:
            seen_kinds.add(kind)
            pixels = ring(page)
            if pixels is not None and pixels < PIXELS:
                found.append((*place, pixels))
    return [*found, "the key does not come to an end"]


def open_sample(page, server, key, screen, **chosen):
    """Open a screen of a bundled study by its URL, in a copy of the workspace that Start made once.

    chosen: {parameter of the URL: value}, such as the open analysis.
    """
    if key not in server.opened:
        open_from_start(page, server, key)
        page.wait_for_url(re.compile(r"[?&]id="))
        settled(page)  # a folder cannot be copied while a process writes to it
        server.opened[key] = re.search(r"[?&]id=([\w-]+)", page.url)[1]
    copied = secrets.token_urlsafe(16)
    shutil.copytree(server.home / server.opened[key], server.home / copied)
    page.goto(f"{server.url}/{screen}?{urlencode({'id': copied, **chosen})}")


@pytest.mark.slow  # a minute each
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wherever_the_keyboard_is_on_any_screen_is_seen(page, server, scheme):
    open_sample(page, server, "wine", "stability")
    settled(page)
    page.emulate_media(color_scheme=scheme)
    page.add_style_tag(content=AT_ONCE)
    found, seen_kinds = {}, set()
    for title in TITLES.values():
        go(page, title)
        settled(page)
        found[title] = unseen(page, seen_kinds)
    assert not {title: what for title, what in found.items() if what}
