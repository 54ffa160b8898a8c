"""What-ifs are sent by their address: a second browser shows the same numbers of the read-only copy, and F5 does too."""

import re

from browser_support import choose, forget, go, settled
from playwright.sync_api import expect

# All that a screen says: words, controls and what they are at, tables, pictures with their marks, what stands beside the screen.
SHOWN = """() => {
  const main = document.querySelector('[data-testid=stMain]'), all = (what) => [...main.querySelectorAll(what)];
  const value = (one) => ['checkbox', 'radio'].includes(one.type) ? one.checked : one.value;
  const plain = (key, one) => ArrayBuffer.isView(one) ? [...one] : one;
  return {
    words: all(':is(h1, h2, h3, p, li, summary, [data-testid=stMetricValue], [data-testid=stMetricDelta])').filter(
      one => !one.closest('[class*=st-key-undo-bar]')).map(one => one.innerText.trim()).filter(Boolean),
    controls: all(':is(input:not([type=file]), textarea)').map(one => [one.getAttribute('aria-label'), value(one)]),
    lists: all('[data-testid=stMultiSelect]').map(one => one.textContent),
    pressed: all(':is([aria-checked=true], [aria-pressed=true])').map(one => one.innerText.trim()),
    tables: all('canvas table').map(one => [...one.querySelectorAll('[role=row]')].map(row => row.innerText)),
    pictures: all('.js-plotly-plot').filter(one => one.getClientRects().length)     // the toolkit may keep one that was, hidden
      .map(one => JSON.stringify([one.data, one.layout.annotations, one.layout.shapes], plain)),
    beside: [...document.querySelectorAll('[data-testid=stSidebar] :is([data-testid=stMultiSelect], [data-testid=stSelectbox])')]
      .map(one => [one.innerText, ...[...one.querySelectorAll('input')].map(value)]),
  }; }"""
HIGH = {"width": 1280, "height": 3000}  # all of a screen is seen at once
# How often a picture was drawn anew after it stood; the first of Maps, in a box that scrolls, gets its width late.
AGAIN = """new MutationObserver(() => document.querySelectorAll('.js-plotly-plot').forEach(one => {
  if (!one.on || one.again !== undefined) return;
  one.again = 0;
  one.on('plotly_beforeplot', () => { one.again += 1; });
})).observe(document, {subtree: true, childList: true, attributes: true});"""
DRAWN_AGAIN = """() => [...document.querySelectorAll('.js-plotly-plot')].filter(one => !one.querySelector('.hm'))
  .map(one => one.again)"""


def shown(page, address="."):
    """The visible texts of a screen that no longer changes, and its address."""
    expect(page).to_have_url(re.compile(address))
    settled(page)
    return page.evaluate(SHOWN)


def link(page):
    """The address of a read-only copy of what is seen."""
    share = page.get_by_test_id("stMain").get_by_role("button", name="Share").first
    share.click()
    make = page.get_by_role("button", name="Make link")
    made = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").locator("code")
    make.or_(made).first.wait_for()
    settled(page)
    if make.is_visible():
        make.click()
    made.wait_for()
    settled(page)
    address = made.inner_text().replace("\n", "")
    share.click()
    made.wait_for(state="hidden")
    return address


def apart(first, second):
    """{part: first difference} of two screens. Tables are compared on the columns that both show."""
    first, second = (
        {**this, "tables": common(this["tables"], that["tables"])} for this, that in ((first, second), (second, first))
    )
    return {
        what: next(((a, b) for a, b in zip(first[what], second[what]) if a != b), (len(first[what]), len(second[what])))
        for what in first
        if first[what] != second[what]
    }


def common(tables, beside):
    """Rows of two tables, cut to the same length, because a table drawn again may show one column more."""
    if [len(rows) for rows in tables] != [len(rows) for rows in beside]:
        return tables
    return [[row[: len(same)] for row, same in zip(rows, others)] for rows, others in zip(tables, beside)]


def test_a_link_shows_the_same_numbers_in_a_new_browser(page, open_small):
    page.set_viewport_size(HIGH)
    project = open_small("stability")
    shown(page)
    main = page.get_by_test_id("stMain")
    main.get_by_text("Set features per run", exact=True).first.click()
    shown(page, "other_feature_count=1")
    main.get_by_role("slider", name="Features per run").first.press("ArrowRight")
    shown(page, r"[?&]feature_count=\d+")
    go(page, "Panel")
    shown(page)
    choose(page, "Choose selector", "mRMR")
    seen = shown(page, "panel_selector=mRMR")
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
