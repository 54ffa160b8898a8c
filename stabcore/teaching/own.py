"""A user-defined lesson from a TOML file: other words, settings and guess for one of the simulations. No code is run."""

import hashlib
import tomllib
from dataclasses import replace

from stabcore.base.errors import InputError
from stabcore.base.text import joined, quote, suggest_name
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import Control, Guess, Lesson

MAX_BYTES = 20_000  # bytes of a file
MAX_LENGTHS = {"question": 200, "text": 800, "ask": 400, "remember": 400, "note": 800, "source": 300}  # {entry: most letters}
REQUIRED_ENTRIES = ("simulation", "question", "text", "ask")
ENTRIES = ("simulation", *MAX_LENGTHS, "guess", "low", "high", "settings")
NUMBER, CURVE, CHOICE = "number", "curve", "choice"

EXAMPLE = """simulation = "blind_labs"
question = "Two biobanks select proteins at random. How many do they share?"
text = "Both measure the same 400 proteins. Each selects its panel at random, without looking at any patient."
ask = "Each selects 40 of the 400 proteins. How many do the two panels share on average?"
guess = "number"        # or "curve"
low = 0
high = 40

[settings]
k = 40
d = 400
"""


def read_lesson(content: bytes, name: str = "The file") -> Lesson:
    """Return the lesson of a TOML file, which asks for the answer of one of the simulations in other words.

    content: `simulation` (the key of a lesson), `question`, `text` and `ask`. Optional are [settings] by the key of a control,
    `guess` ("number" or "curve"), `low` and `high` of a guess, `remember`, `note` and `source`. name: that of the file in errors.
    Answer and draws are those of the simulation. The key of the lesson follows from the content. Raises InputError if the file is
    not TOML, an entry is missing, unknown or of a wrong kind, or the answer cannot be guessed.
    """
    entries = _read_entries(content, name)
    base = LESSONS[entries["simulation"]]
    lesson = replace(
        base,
        key=f"own-{hashlib.sha256(content).hexdigest()[:8]}",
        question=entries["question"],
        story=entries["text"],
        ask=lambda settings: entries["ask"],
        insight=entries.get("remember", base.insight),
        note=entries.get("note", base.note),
        source=entries.get("source", base.source),
        controls=tuple(_control_with_default(control, entries["settings"], name) for control in base.controls),
        guess=_read_guess(entries, base, name),
        steps=(),
    )
    settings = lesson.settings()
    asked = lesson.along(settings) if lesson.guess.curve else [settings]
    if not lesson.guess.choices and not all(lesson.guess.low <= lesson.truth(point) <= lesson.guess.high for point in asked):
        raise InputError(f"The answer of {name} does not lie between low and high. Widen them.")
    return lesson


def _read_entries(content, name):
    """The entries of a file, of known names and right kinds."""
    if len(content) > MAX_BYTES:
        raise InputError(f"{name} has {len(content):,} bytes. A lesson has at most {MAX_BYTES:,}. Shorten its texts.")
    try:
        entries = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        fault = str(error).partition(";")[0]
        raise InputError(f"{name} is not TOML in UTF-8: {fault}. Save it as UTF-8 text, with straight quotes.") from None
    for entry in entries:
        if entry not in ENTRIES:
            raise _unknown_entry_error(entry, ENTRIES, name)
    for entry in REQUIRED_ENTRIES:
        if entry not in entries:
            raise InputError(f'{name} has no {entry}. Add a line {entry} = "…".')
    for entry, most in MAX_LENGTHS.items():
        value = entries.get(entry, "-")
        if not isinstance(value, str) or not value.strip() or len(value) > most:
            raise InputError(f"{entry} in {name} must be a text of 1 to {most} letters, in quotes.")
    if not isinstance(entries["simulation"], str) or entries["simulation"] not in LESSONS:
        raise InputError(
            f"{name} names the unknown simulation {quote(entries['simulation'])}{suggest_name(entries['simulation'], LESSONS)}. "
            f"Choose from {joined(list(LESSONS))}."
        )
    if not isinstance(entries.setdefault("settings", {}), dict):
        raise InputError(f"settings in {name} must be a table that begins with [settings].")
    keys = [control.key for control in LESSONS[entries["simulation"]].controls]
    for key in entries["settings"]:
        if key not in keys:
            raise _unknown_entry_error(key, keys, f"[settings] in {name}")
    return entries


def _unknown_entry_error(entry, allowed, where):
    return InputError(f"{where} has the unknown entry {quote(entry)}{suggest_name(entry, allowed)}. Choose from {joined(allowed)}.")


def _control_with_default(control: Control, settings, name) -> Control:
    """A control that begins at the value of the file."""
    if control.key not in settings:
        return control
    value = settings[control.key]
    if control.names:
        named = {str(key): key for key in control.values} | {words: key for key, words in control.names.items()}
        if str(value) not in named:
            raise InputError(f"{control.key} in {name} must be one of {joined(list(named), 'or')}. Found {quote(value)}.")
        return replace(control, default=named[str(value)])
    low, high, kind = control.values[0], control.values[-1], type(control.values[0])
    number = isinstance(value, (int, kind)) and not isinstance(value, bool)
    if number and kind(value) in control.values:
        return replace(control, default=kind(value))
    if not control.free or not number or not low <= value <= high:
        words = f"one of {joined(list(map(str, control.values)), 'or')}"
        if control.free:
            words = f"a {'whole ' if kind is int else ''}number from {low} to {high}"
        raise InputError(f"{control.key} in {name} must be {words}. Found {quote(value)}.")
    return replace(control, values=tuple(sorted({*control.values, kind(value)})), default=kind(value))


def _read_guess(entries, base, name) -> Guess:
    """How the lesson asks. A simulation that is asked by choices keeps them."""
    kinds = (CHOICE,) if base.guess.choices else (NUMBER, CURVE)
    kind = entries.get("guess", kinds[0])
    if kind not in kinds:
        kinds_in_words = joined([f'"{each}"' for each in kinds], "or")
        raise InputError(f"guess in {name} must be {kinds_in_words} for this simulation. Found {quote(kind)}.")
    low, high = entries.get("low", base.guess.low), entries.get("high", base.guess.high)
    for entry, value in (("low", low), ("high", high)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1e6:
            raise InputError(f"{entry} in {name} must be a number. Found {quote(value)}.")
    if low >= high:
        raise InputError(f"low in {name} must be less than high. Found {low} and {high}.")
    return replace(base.guess, low=float(low), high=float(high), curve=kind == CURVE)
