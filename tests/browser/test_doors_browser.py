"""From an own file to the first number, in a real browser; clicks and seconds are told by tests/benchmarks/bench_doors.py."""

import pytest
from browser_support import settled
from doors_support import FILES, to_stability, to_study

WHOLE_WAY = "a laboratory's workbook"
MOST_CLICKS = 6  # up to the form of a study: choose, use, turn, answer, confirm, go on


@pytest.mark.slow  # a whole path stands in test_browser.py; the doors without a browser: tests/pages
@pytest.mark.parametrize("what", FILES)
def test_own_files_reach_the_study_and_one_its_first_number(page, server, what):
    person = to_study(page, server, FILES[what])
    assert person.clicks <= MOST_CLICKS
    if what == WHOLE_WAY:
        page.get_by_text("Details: selectors").click()
        pairs = page.get_by_label("Pairs of halves", exact=False).first
        pairs.fill("2")
        pairs.press("Enter")
        settled(page)
        to_stability(person)
