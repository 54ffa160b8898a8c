"""All lessons as one HTML file without a server: every draw and sentence computed beforehand, for lessons.js to look up."""

import json
from collections.abc import Callable
from itertools import product
from math import isfinite

import numpy as np

from stabcore.plots.lessons import dot_size, draw_lesson, frame_lesson
from stabcore.plots.rendering import figure_json
from stabcore.reporting.page import lessons_html
from stabcore.teaching.lesson import (
    CLOSE_CURVE,
    LADDER,
    Answer,
    Lesson,
    answer,
    close_range,
    describe_right_answer,
    n_draws_on_ladder,
)

SEED = 1


def lessons_page(lessons: dict[str, Lesson], report: Callable[[str], None] = lambda words: None, ladder=LADDER) -> str:
    """Return the file of some lessons, the same bytes each time.

    report: called with the lesson that is computed. ladder: the numbers of draws on offer.
    """
    values = []
    for number, lesson in enumerate(lessons.values(), 1):
        report(f"{number} of {len(lessons)}: {lesson.question}")
        values.append(lesson_values(lesson, ladder))
    return lessons_html({"ladder": list(ladder), "sizes": [dot_size(n) for n in ladder], "close": CLOSE_CURVE, "lessons": values})


def lesson_values(lesson: Lesson, ladder=LADDER) -> dict:
    """Return everything that the file shows of a lesson. Settings are named by the places of their values: "0,2"."""
    usual = answer(lesson, lesson.settings(), SEED, 1)
    guess = lesson.guess
    places = [range(len(control.values)) for control in lesson.controls]
    return {
        "key": lesson.key,
        **{name: getattr(lesson, name) for name in ("question", "story", "insight", "source", "shown_first")},
        "guess": {name: getattr(guess, name) for name in ("choices", "low", "high", "step", "curve")},
        "controls": [
            {"label": control.label, "names": [control.name_of(value) for value in control.values], "at": _value_index(control)}
            for control in lesson.controls
        ],
        "steps": [
            {
                "words": step.words,
                "at": [_value_index(control, step.settings.get(control.key)) for control in lesson.controls],
                "draws": ladder.index(n_draws_on_ladder(step.draws, ladder)),
            }
            for step in lesson.steps
        ],
        # only the numbers of its traces change
        "figure": json.loads(figure_json(draw_lesson(frame_lesson(usual, lesson.flat(guess.low)), usual))),
        "at": {
            ",".join(map(str, setting)): _values_at(
                lesson, {c.key: c.values[i] for c, i in zip(lesson.controls, setting, strict=True)}, ladder
            )
            for setting in product(*places)
        },
    }


def _value_index(control, value=None):
    return control.values.index(control.default if value is None else value)


def _values_at(lesson, settings, ladder):
    """The known answer and all draws at some settings."""
    full = answer(lesson, settings, SEED, ladder[-1])
    piles = full.piles()
    upto = [Answer(lesson, settings, SEED, full.theory, full.lines, full.draws[:n]) for n in ladder]
    return {
        "ask": lesson.ask(settings),
        "sentence": full.sentence,
        "truth": describe_right_answer(lesson, settings),
        "number": lesson.shown_truth(settings),
        "value": None if lesson.guess.choices else _number(lesson.truth(settings)),
        "close": close_range(lesson, settings),
        "x": lesson.controls[0].names.get(first := settings[lesson.controls[0].key], first),
        "points": _guess_points(lesson, settings),
        "lines": {name: _line_heights(line) for name, line in full.lines.items()},
        "y": {name: _numbers(pile[:, 0]) for name, pile in piles.items()},
        "place": {name: [int(n) for n in pile[:, 1]] for name, pile in piles.items()},
        "means": {name: [_number(answer.means.get(name, np.nan)) for answer in upto] for name in piles},
        "drawn": [answer.drawn_sentence for answer in upto],
        "cells": [[[name, _cell_letters(kinds)] for name, kinds in answer.draws[-1].rows.items()] for answer in upto],
    }


def _guess_points(lesson, settings):
    """{choice: (x, y)} of every guess, or [y of guess 0, change of y by 1], because numbers are guessed on a straight axis."""
    names = lesson.controls[0].names
    if lesson.guess.choices:
        places = {choice: lesson.points(settings, choice)[0] for choice in lesson.guess.choices}
        return {choice: [names[x], _number(y)] for choice, (x, y) in places.items()}
    start, end = (lesson.points(settings, lesson.flat(guess))[0][1] for guess in (0.0, 1.0))
    return [_number(start), _number(end - start)]


def _line_heights(line):
    """The heights of a line, or of the two lines of a range."""
    ends = np.array([y for _, y in line], dtype=float)
    return [_numbers(end) for end in (ends.T if ends.ndim > 1 else [ends])]


def _cell_letters(kinds):
    """The kinds of the cells of a row, a letter each."""
    return "".join("." if kind < 0 else str(int(kind)) for kind in kinds)


def _number(value):
    return round(float(value), 4) if isfinite(value) else None


def _numbers(values):
    return [_number(value) for value in values]
