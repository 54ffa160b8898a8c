"""Replies of a class are pooled, the sheet has every question and no answer, and its teacher has the answers."""

import numpy as np
import pytest

from stabcore.plots.lessons import draw_class, finding_class, frame_class
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import Reply, pooled, sheet
from stabcore.teaching.lesson import answer


def test_numbers_are_pooled_without_those_that_have_no_value():
    found = pooled([3, 5, 4, 4.5, -1, np.nan])
    assert found.values == (3, 5, 4, 4.5, -1) and found.mean == pytest.approx(3.1)
    assert found.half == pytest.approx(2.7764 * 2.4083 / 5**0.5, abs=1e-3)
    assert pooled([np.nan]) is None and pooled([7]).half != pooled([7]).half


def test_a_class_is_a_pile_of_guesses_without_names_and_the_answer_only_when_it_may_be_shown():
    replies = [Reply(8.0, 4.0), Reply(2.0, np.nan), Reply(8.0, 5.0)]
    hidden = frame_class(replies)
    assert hidden[["what", "value", "place"]].to_numpy().tolist() == [
        ["guess", 2.0, 1],
        ["guess", 8.0, 1],
        ["guess", 8.0, 2],
        ["first draw", 4.0, 1],
        ["first draw", 5.0, 1],
    ]
    lesson = LESSONS["blind_labs"]
    shown = frame_class(replies, answer(lesson, lesson.settings()))
    assert shown.iloc[-1].tolist() == ["known answer", 4.0, 1]
    assert "3 guesses: mean 6.00." in finding_class(shown) and "2 first draws: mean 4.50" in finding_class(shown)
    chosen = frame_class([Reply("Lasso", 0.5), Reply("Variance", 0.6)])
    assert finding_class(chosen).startswith("2 guesses.")


def test_curves_of_a_class_are_pooled_at_the_settings_of_its_question():
    lesson = LESSONS["shared_rows"]
    settings = {**lesson.settings(), "left_out": 20}
    replies = [Reply(lesson.guess_at(settings, (0.9, 0.8, height, 0.2, 0.1)), 0.5) for height in (0.3, 0.5)]
    shown = answer(lesson, settings)
    frame = frame_class(replies, shown)
    assert frame.loc[frame["what"] == "guess", "value"].tolist() == [0.3, 0.5]
    assert "20" in draw_class(frame, shown).layout.xaxis.title.text


def test_the_sheet_asks_everything_and_answers_nothing():
    page = sheet(LESSONS)
    for lesson in LESSONS.values():
        assert lesson.question in page.replace("&#x27;", "'")
        assert lesson.insight not in page and lesson.describe(lesson.settings(), lesson.theory(**lesson.settings())) not in page
    assert "<script" not in page and "http" not in page
