"""For a class: a sheet of all questions without answers, and pooled draws."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import shown
from stabcore.inference.estimate import deviate
from stabcore.teaching.lesson import Lesson

MAX_DRAWS = 1000
_NUMBER = re.compile(r"[-+−]?\d+(?:[.,]\d+)?")
_HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Questions on feature stability</title><style>"
    "body{font:11pt/1.45 sans-serif;max-width:42em;margin:2em auto;padding:0 1em}li{margin-bottom:1.6em;break-inside:avoid}"
    "h1{font-size:1.4em}h2{font-size:1em;margin:0}p{margin:.3em 0}.line{border-bottom:1px solid #888;height:1.6em}"
    "@page{margin:15mm}@media print{body{margin:0;max-width:none;padding:0}li{margin-bottom:1.2em}}</style>"
)


@dataclass(frozen=True)
class Pooled:
    """Draws of a class: values, mean, and the half-width of the 95% interval by Student's t (NaN for a single one)."""

    values: tuple[float, ...]
    mean: float
    half: float


def pooled(text: str) -> Pooled | None:
    """Return the draws of a class, separated by spaces, semicolons or lines. None for an empty text.

    Raises InputError for a part that is not a number, and for more than 1000 numbers.
    """
    parts = [part for part in re.split(r"[\s;]+", text.strip()) if part]
    if not parts:
        return None
    for part in parts:
        if not _NUMBER.fullmatch(part):
            raise InputError(
                f"The draws contain {shown(part)}, which is not a number. Enter one number per person, separated by spaces or "
                "lines, for example: 3 5 4."
            )
    if len(parts) > MAX_DRAWS:
        raise InputError(f"There are {len(parts):,} draws, but at most {MAX_DRAWS:,} are pooled. Leave some out.")
    values = np.array([float(part.replace(",", ".").replace("−", "-")) for part in parts])
    half = deviate(0.95, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return Pooled(tuple(values), float(values.mean()), float(half))


def sheet(lessons: dict[str, Lesson]) -> str:
    """Return all questions as an HTML page to print, with room for the guess and without answers."""
    rows = []
    for lesson in lessons.values():
        choices = "".join(f"<p>☐ {escape(choice)}</p>" for choice in lesson.guess.choices)
        rows.append(
            f"<li><h2>{escape(lesson.question)}</h2><p>{escape(lesson.story)}</p>"
            f"<p><b>{escape(lesson.ask(lesson.settings()))}</b></p>"
            f"{choices or '<p>My guess, before anything is shown:</p><div class=line></div>'}"
            "<p>My reason:</p><div class=line></div></li>"
        )
    return (
        f"{_HEAD}<h1>How stable is a set of selected features?</h1><p>Name:</p><div class=line></div>"
        f"<ol>{''.join(rows)}</ol></html>\n"
    )
