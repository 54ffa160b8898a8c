"""Every screen once: few words and a figure on a desk, axe light and dark, nothing wider than a telephone, and a finger scrolls."""

import io
import os
import re

import pytest
from browser_support import RUNS, fine, go, narrow, open_from_start, plots, settled
from page_support import TITLES
from playwright.sync_api import expect
from support import ROOT, slow

MAX_WORDS, FEW = 250, {"start": 150, "check": 150, "learn": 150}
DESK, TELEPHONE = {"width": 1366, "height": 850}, {"width": 390, "height": 844}
FIGURES = ("data", "stability", "panel", "pareto", "similarity", "whatif", "maps", "feature_count", "feature_profile")
CONTROLS = (
    ":is("
    + ", ".join(
        f"[data-testid=st{name}]"
        for name in ("Selectbox", "MultiSelect", "Slider", "Checkbox", "ButtonGroup", "NumberInput", "Popover", "Button")
    )
    + ")"
)
# Words in sight (icons are no words, most kinds of files are cut, and a person has any number of projects), where the figure ends,
# and how many controls stand between the title and it.
SEEN = r"""(kinds) => {
  const main = document.querySelector('[data-testid=stMain]');
  const words = (one) => (one.innerText.match(/\S*[\p{L}\p{N}]\S*/gu) || []).length;
  const cut = [...main.querySelectorAll(
    ':is([data-testid=stFileUploaderDropzoneInstructions], [data-testid=stIconMaterial], .st-key-projects)')]
    .filter(one => one.checkVisibility());
  const plot = [...main.querySelectorAll('.js-plotly-plot')].find(one => one.getClientRects().length);
  const box = plot && plot.getBoundingClientRect(), title = main.querySelector('h1').getBoundingClientRect().bottom;
  const above = [...main.querySelectorAll(kinds)].map(one => one.getBoundingClientRect()).filter(
    one => one.width && one.top > title && (!box || one.bottom <= box.top));
  return [words(main) - cut.map(words).reduce((sum, one) => sum + one, 0), box && Math.round(box.bottom), above.length];
}"""
SERIOUS = ("serious", "critical")
FINDINGS = """() => axe.run({resultTypes: ['violations'], preload: false}).then(found => found.violations.map(
  one => [one.impact, one.id, ...one.nodes.map(node => node.target.join(' ') + ': ' + node.failureSummary)]))"""
AT_ONCE = "* {transition: none !important; animation: none !important;}"
CUT = """() => [...document.querySelectorAll('[data-testid=stMain] :is(label, button) *')].filter(one =>
  getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"""
DRAWN = "() => document.querySelector('.st-key-narrow-stability .js-plotly-plot')._fullLayout._size.w"
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def serious(page):
    """Serious findings of axe, and headings that skip a level.

    Lists are left out, because the menu of Streamlit puts other elements between a list and its items.
    """
    findings = [finding for finding in page.evaluate(FINDINGS) if finding[1] not in ("list", "listitem")]
    return [finding for finding in findings if finding[0] in SERIOUS or finding[1] == "heading-order"]


def scroll_by_finger(page, fingers, picture):
    """A finger that moves up over a picture scrolls the page."""
    picture.scroll_into_view_if_needed()
    settled(page)
    place = picture.bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    before = page.evaluate(SCROLLED)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 15 * step}]})
        page.wait_for_timeout(20)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"before => ({SCROLLED})() > before + 50", arg=before)


@pytest.fixture
def fingers(page):
    """Those that touch a page, which listens to them if there are any when it is loaded."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield session
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def recolour(page, scheme):
    """Switch the theme, and wait until the app has redrawn the page."""
    page.evaluate(RUNS)
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("() => window.runsEnded > 0")
    settled(page)


@pytest.mark.parametrize("light", [0, slow(1)])
def test_every_screen_is_short_fits_a_telephone_and_satisfies_axe(page, server, fingers, light):
    """Axe looks at every other screen on a desk and in light colours, at the others on a telephone and in dark ones."""
    scripts = pytest.importorskip("axe_playwright_python.base", reason="pip install axe-playwright-python")
    page.set_viewport_size(DESK)
    open_from_start(page, server, "alzheimer_ad")
    faults, screens = {}, list(TITLES.items())
    for dark, of_scheme in enumerate((screens[light::2], screens[1 - light :: 2])):
        if dark:
            recolour(page, "dark")
        for key, title in of_scheme:
            page.set_viewport_size(DESK)
            go(page, title)
            page.wait_for_url(re.compile("/[?]" if key == "start" else f"/{key}[?]"))
            settled(page)
            if key in FIGURES:
                plots(page)
            words, ends, controls = page.evaluate(SEEN, CONTROLS)
            print(f"{title:16} {words:4} words, {controls} controls, figure ends at {ends}")
            faults[title, "words"] = words if words > FEW.get(key, MAX_WORDS) else 0
            page.evaluate(scripts.AXE_SCRIPT)
            page.add_style_tag(content=AT_ONCE)
            if not dark:
                faults[title, "desk, light"] = serious(page)
            page.set_viewport_size(TELEPHONE)
            settled(page)
            if dark:
                faults[title, "telephone, dark"] = serious(page)
            faults[title, "wide"], faults[title, "cut"] = not narrow(page), page.evaluate(CUT)
            if key == "stability":
                plots(page)
                assert page.evaluate(DRAWN) > 150, "names leave room for numbers"
                expect(page.locator(".st-key-wide-stability")).to_be_hidden()
                scroll_by_finger(page, fingers, page.locator(".st-key-narrow-stability .nsewdrag").first)
            fine(page)
    assert not {what: fault for what, fault in faults.items() if fault}


def test_the_picture_in_the_readme_shows_the_screen_of_today(page, server):
    """Its text is kept inside the file. After a change: REMAKE_PICTURES=1, as for the other pictures."""
    from PIL import Image, PngImagePlugin

    picture = ROOT / ".streamlit" / "screenshot.png"
    page.set_viewport_size(DESK)
    open_from_start(page, server, "alzheimer_ad")
    go(page, "Stability")
    plots(page)
    settled(page)
    text = " ".join(page.get_by_test_id("stMain").inner_text().split())
    if os.environ.get("REMAKE_PICTURES"):
        about = PngImagePlugin.PngInfo()
        about.add_itxt("screen", text)
        Image.open(io.BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE).save(
            picture, pnginfo=about, optimize=True
        )
    assert Image.open(picture).text["screen"] == text
