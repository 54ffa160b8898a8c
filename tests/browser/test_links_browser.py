"""What-ifs are sent by their address: a second browser shows the same numbers of the read-only copy, and F5 does too."""

from browser_support import choose, forget, go
from links_support import apart, link, shown
from playwright.sync_api import expect

HIGH = {"width": 1280, "height": 3000}  # all of a screen is seen at once
# How often a picture was drawn anew after it stood; the first of Maps, in a box that scrolls, gets its width late.
AGAIN = """new MutationObserver(() => document.querySelectorAll('.js-plotly-plot').forEach(one => {
  if (!one.on || one.again !== undefined) return;
  one.again = 0;
  one.on('plotly_beforeplot', () => { one.again += 1; });
})).observe(document, {subtree: true, childList: true, attributes: true});"""
DRAWN_AGAIN = """() => [...document.querySelectorAll('.js-plotly-plot')].filter(one => !one.querySelector('.hm'))
  .map(one => one.again)"""


def test_a_link_shows_the_same_numbers_in_a_browser_that_knows_nothing_more(page, open_small):
    page.set_viewport_size(HIGH)
    project = open_small("stability")
    shown(page)
    main = page.get_by_test_id("stMain")
    main.get_by_text("Set features per run", exact=True).first.click()
    shown(page, "other-k=1")
    main.get_by_role("slider", name="Features per run").first.press("ArrowRight")
    shown(page, r"[?&]features=\d+")
    go(page, "Panel")
    shown(page)
    choose(page, "Choose selector", "mRMR")
    seen = shown(page, "panel-of=mRMR")
    assert len(seen["words"]) > 5 and len(seen["pictures"]) == 1 and len(seen["controls"]) > 1
    address = link(page)
    forget(page)
    page.reload()
    assert apart(seen, shown(page)) == {}
    changed = {**project.settings["scenario"], "threshold": 0.11}
    project.save(scenario=changed, scenarios={**project.settings["scenarios"], project.settings["scenario_name"]: changed})
    expect(page.get_by_test_id("stSidebar").get_by_test_id("stAlert").first).to_be_visible()  # by itself, some seconds later
    forget(page)
    page.goto(address, wait_until="commit")  # before the app has come
    page.evaluate(AGAIN)
    assert apart(seen, shown(page)) == {} and set(page.evaluate(DRAWN_AGAIN)) == {0}, "nothing was drawn twice"
