"""What a class draws is pooled, and the sheet has every question and no answer."""

import pytest

from stabcore.base.errors import InputError
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import pooled, sheet


def test_draws_are_pooled_however_they_are_typed():
    found = pooled(" 3 5;4\n4,5\n−1 ")
    assert found.values == (3, 5, 4, 4.5, -1) and found.mean == pytest.approx(3.1)
    assert found.half == pytest.approx(2.7764 * 2.4083 / 5**0.5, abs=1e-3)
    assert pooled(" \n") is None and pooled("7").half != pooled("7").half


@pytest.mark.parametrize(("typed", "words"), [("3 four 5", "'four'"), ("3 <b>", "'<b>'"), ("1 " * 1001, "1,001"), ("nan", "'nan'")])
def test_what_is_no_draw_is_refused_with_a_sentence(typed, words):
    with pytest.raises(InputError, match=words):
        pooled(typed)


def test_the_sheet_asks_everything_and_answers_nothing():
    page = sheet(LESSONS)
    for lesson in LESSONS.values():
        assert lesson.question in page.replace("&#x27;", "'")
        assert lesson.insight not in page and lesson.describe(lesson.settings(), lesson.theory(**lesson.settings())) not in page
    assert "<script" not in page and "http" not in page
