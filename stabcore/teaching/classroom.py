"""For a class: a sheet of questions, a sheet of answers with notes for its teacher, and pooled replies."""

from dataclasses import dataclass
from html import escape

import numpy as np

from stabcore.inference.estimate import critical_value
from stabcore.teaching.lesson import Lesson, describe_right_answer

PICTURE_IS_SHOWN = " The teacher shows the picture."
_HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Questions on feature stability</title><style>"
    "body{font:11pt/1.45 sans-serif;max-width:42em;margin:2em auto;padding:0 1em}li{margin-bottom:1.6em;break-inside:avoid}"
    "h1{font-size:1.4em}h2{font-size:1em;margin:0}p{margin:.3em 0}.line{border-bottom:1px solid #888;height:1.6em}"
    "@page{margin:15mm}@media print{body{margin:0;max-width:none;padding:0}li{margin-bottom:1.2em}}</style>"
)


@dataclass(frozen=True)
class Reply:
    """The guess of one person of a class, and the value of the first draw (NaN if it has none)."""

    guess: float | str
    draw: float


@dataclass(frozen=True)
class PooledNumbers:
    """Numbers of a class: their values, mean, and the half-width of the 95% interval by Student's t (NaN for a single one)."""

    values: tuple[float, ...]
    mean: float
    half: float


def pool_numbers(numbers) -> PooledNumbers | None:
    """Return the pooled numbers of a class, None for none. Those without a value (NaN) are left out."""
    values = np.array([number for number in numbers if number == number], dtype=float)
    if not len(values):
        return None
    half = critical_value(0.95, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return PooledNumbers(tuple(values), float(values.mean()), float(half))


def question_sheet(lessons: dict[str, Lesson]) -> str:
    """Return all questions as an HTML page to print, with room for the guess and without answers."""
    rows = []
    for lesson in lessons.values():
        choices = "".join(f"<p>☐ {escape(choice)}</p>" for choice in lesson.guess.choices)
        rows.append(
            f"<li><h2>{escape(lesson.question)}</h2><p>{escape(lesson.story)}{PICTURE_IS_SHOWN * lesson.shown_first}</p>"
            f"<p><b>{escape(lesson.ask(lesson.settings()))}</b></p>"
            f"{choices or _answer_space(lesson)}"
            "<p>My reason:</p><div class=line></div></li>"
        )
    return (
        f"{_HEAD}<h1>How stable is a set of selected features?</h1><p>Name:</p><div class=line></div>"
        f"<ol>{''.join(rows)}</ol></html>\n"
    )


def _answer_space(lesson):
    """Room for a number, or for one at every point of a curve."""
    first = lesson.controls[0]
    if not lesson.guess.curve:
        return "<p>My guess, before anything is shown:</p><div class=line></div>"
    points = "".join(f"<p>{escape(first.label)}: {first.name_of(value)} → ______</p>" for value in first.values)
    return f"<p>My guess, before anything is shown:</p>{points}"


def _right_answers(lesson, settings):
    """The right answer, or that at every point of a curve."""
    if not lesson.guess.curve:
        return describe_right_answer(lesson, settings)
    first = lesson.controls[0]
    return " ".join(f"{first.name_of(point[first.key])}: {lesson.shown_truth(point)}." for point in lesson.along(settings))


def answer_key(lessons: dict[str, Lesson]) -> str:
    """Return all questions with their answers and notes on common guesses, as an HTML page."""
    rows = []
    for lesson in lessons.values():
        settings = lesson.settings()
        parts = (
            ("", lesson.ask(settings)),
            ("Answer: ", f"{_right_answers(lesson, settings)} {lesson.describe(settings, lesson.theory(**settings))}"),
            ("In class: ", lesson.note),
            ("Remember: ", lesson.insight),
            ("Source: ", f"{lesson.source}."),
        )
        rows.append(
            f"<li><h2>{escape(lesson.question)}</h2>{''.join(f'<p><b>{label}</b>{escape(text)}</p>' for label, text in parts)}</li>"
        )
    return f"{_HEAD}<h1>Answers and notes for teachers</h1><ol>{''.join(rows)}</ol></html>\n"
