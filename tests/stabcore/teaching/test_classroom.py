"""Classroom: pooled replies, their figure, and a sheet of questions without answers."""

import numpy as np
import pytest

from stabcore.plots.lessons import draw_class, finding_class, frame_class
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import PICTURE_IS_SHOWN, Reply, pool_numbers, question_sheet
from stabcore.teaching.lesson import answer


def test_pooling_leaves_out_missing_numbers():
    found = pool_numbers([3, 5, 4, 4.5, -1, np.nan])
    assert found.values == (3, 5, 4, 4.5, -1) and found.mean == pytest.approx(3.1)
    assert found.half == pytest.approx(2.7764 * 2.4083 / 5**0.5, abs=1e-3)
    assert pool_numbers([np.nan]) is None and pool_numbers([7]).half != pool_numbers([7]).half


def test_figure_of_a_class_hides_names_and_the_answer():
    replies = [Reply(8.0, 4.0), Reply(2.0, np.nan), Reply(8.0, 5.0)]
    hidden = frame_class(replies)
    assert hidden[["what", "value", "place"]].to_numpy().tolist() == [["guess", 2.0, 1], ["guess", 8.0, 1], ["guess", 8.0, 2]]
    assert finding_class(hidden) == "3 guesses: mean 6.00."  # the mean of many draws is nearly the answer
    lesson = LESSONS["blind_labs"]
    shown = frame_class(replies, answer(lesson, lesson.settings()))
    assert shown.iloc[3:].to_numpy().tolist() == [["first draw", 4.0, 1], ["first draw", 5.0, 1], ["known answer", 4.0, 1]]
    assert "3 guesses: mean 6.00." in finding_class(shown) and "mean 4.50" in finding_class(shown)
    chosen = frame_class([Reply("Lasso", 0.5), Reply("Variance", 0.6)])
    assert finding_class(chosen).startswith("2 guesses.")


def test_curves_of_a_class_are_pooled_at_its_settings():
    lesson = LESSONS["shared_rows"]
    settings = {**lesson.settings(), "left_out": 20}
    replies = [Reply(lesson.guess_at(settings, (0.9, 0.8, height, 0.2, 0.1)), 0.5) for height in (0.3, 0.5)]
    shown = answer(lesson, settings)
    frame = frame_class(replies, shown)
    assert frame.loc[frame["what"] == "guess", "value"].tolist() == [0.3, 0.5]
    assert "20" in draw_class(frame, shown).layout.xaxis.title.text


def test_sheet_has_every_question_and_no_answer():
    page = question_sheet(LESSONS)
    for lesson in LESSONS.values():
        assert lesson.question in page.replace("&#x27;", "'")
        assert lesson.insight not in page and lesson.describe(lesson.settings(), lesson.theory(**lesson.settings())) not in page
    assert page.count(PICTURE_IS_SHOWN) == 1, "only the maps are shown before the guess"
    assert "<script" not in page and "http" not in page
