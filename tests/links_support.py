"""Links in a browser: all that a screen shows once it stands still, the link to it, and where two screens differ."""

import re

from browser_support import settled
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


def shown(page, address="."):
    """What is seen once nothing changes any more, and the address says this."""
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


def apart(one, other):
    """Where two screens differ: {what: the first difference}; tables as far as both have room for their columns."""
    one, other = ({**this, "tables": common(this["tables"], that["tables"])} for this, that in ((one, other), (other, one)))
    return {
        what: next(((a, b) for a, b in zip(one[what], other[what]) if a != b), (len(one[what]), len(other[what])))
        for what in one
        if one[what] != other[what]
    }


def common(tables, beside):
    """The rows of tables, each as far as the same row beside it reaches: a table that is drawn anew may have room for another
    column."""
    if [len(rows) for rows in tables] != [len(rows) for rows in beside]:
        return tables
    return [[row[: len(same)] for row, same in zip(rows, others)] for rows, others in zip(tables, beside)]
