"""What a lesson is, and its answer at some settings: theory as a line, simulation as points, and one draw of one's own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

THEORY, SIMULATED, EXACT = "theory", "simulated", "measured"
LARGEST_SEED = 10**6
FEW, MANY = 3, 12  # simulations at every place of the picture, and more where the control stands
MEAN = f"mean of {MANY}"  # what a sentence tells of these, beside the one draw of the seed


@dataclass(frozen=True, kw_only=True)
class Control:
    """One thing to turn: its values from low to high, or names; names: {value: what it is called}."""

    key: str
    label: str
    values: tuple
    default: Any
    names: Mapping = field(default_factory=dict)

    def name_of(self, value) -> str:
        """A value as it stands on screen."""
        return str(self.names.get(value, f"{value:,}" if isinstance(value, int) else value))

    def nearest(self, told):
        """The value that somebody's text names, in an address for example; the default where it names none."""
        by_text = {str(value): value for value in self.values}
        return by_text.get(str(told), self.default)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """What is asked before anything is shown: a number from low to high, or one of the choices."""

    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    choices: tuple[str, ...] = ()

    def read(self, told):
        """A guess from an address: a number that is allowed, a choice that is there, or None."""
        if self.choices:
            return told if told in self.choices else None
        try:
            value = float(told)
        except (TypeError, ValueError):
            return None
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """A question, its known answer, and how to see it happen.

    theory      (**settings) -> {series: value}: the known answer; names that are not in `series` are said, not drawn
    simulate    (rng, repeats, **settings) -> {series: (repeats,) values}: what happens, repeats times
    say         (settings, theory, simulated means) -> the sentence of what is shown
    right       (settings, theory) -> what the guess is held against, a number or a choice; else the first series
    controls    the first moves along the picture. line: more places for the line of theory
    series      {key: its name in the picture}; exact: theory is the mean over all that was measured, not a formula
    """

    key: str
    question: str
    story: str
    ask: Callable[[dict], str]
    guess: Guess
    controls: tuple[Control, ...]
    series: Mapping[str, str]
    y: str
    theory: Callable[..., dict[str, float]]
    simulate: Callable[..., dict[str, np.ndarray]]
    say: Callable[[dict, dict, dict], str]
    insight: str
    source: str
    page: str
    page_label: str
    right: Callable[[dict, dict], Any] | None = None
    line: tuple = ()
    log: bool = False
    exact: bool = False

    @property
    def first(self) -> str:
        """The series that a guess and a draw are about."""
        return next(iter(self.series))

    def settings(self, told=None) -> dict:
        """What every control is at; told: texts or values by the key of a control."""
        return {one.key: one.nearest((told or {}).get(one.key)) for one in self.controls}

    def truth(self, settings) -> Any:
        """What a guess at these settings is held against."""
        known = self.theory(**settings)
        return self.right(settings, known) if self.right else known[self.first]


@dataclass(frozen=True, eq=False)
class Answer:
    """A lesson at some settings and a seed.

    table       (series, kind, x, y): every point of the picture
    theory      {series: the known answer here}; simulated {series: (repeats,) what happened here}
    drawn       the one draw of this seed, which a class can pool
    """

    lesson: Lesson
    settings: dict
    seed: int
    table: pd.DataFrame
    theory: dict[str, float]
    simulated: dict[str, np.ndarray]
    sentence: str

    @property
    def drawn(self) -> float:
        """What happened the first time, to the first series that can be drawn."""
        return float(self.simulated[self.drawable][0])

    @property
    def drawable(self) -> str:
        """The first series that happens; a bound does not."""
        return next(name for name in self.lesson.series if name in self.simulated)


def answer(lesson: Lesson, settings: dict, random_state: int = 0) -> Answer:
    """Theory and simulation of a lesson at these settings: the same for the same seed.

    settings: as lesson.settings gives them. The points of other places stay where they are while the first control moves.
    """
    import pandas as pd

    at = lesson.controls[0]
    rows = [
        (name, EXACT if lesson.exact else THEORY, x, known[name])
        for x in lesson.line or at.values
        for known in [lesson.theory(**{**settings, at.key: x})]
        for name in lesson.series
    ]
    draws = {
        x: lesson.simulate(
            np.random.default_rng([random_state, number]), MANY if x == settings[at.key] else FEW, **{**settings, at.key: x}
        )
        for number, x in enumerate(at.values)
    }
    rows += [(name, SIMULATED, x, float(y)) for x, here in draws.items() for name in lesson.series for y in here.get(name, ())]
    known, simulated = lesson.theory(**settings), draws[settings[at.key]]
    seen = {name: float(np.mean(values)) for name, values in simulated.items()}
    table = pd.DataFrame(rows, columns=["series", "kind", "x", "y"])
    return Answer(lesson, settings, random_state, table, known, simulated, lesson.say(settings, known, seen))


def verdict(lesson: Lesson, guess, settings: dict) -> str:
    """A guess beside what is known at the settings for which it was asked."""
    truth = lesson.truth(settings)
    if lesson.guess.choices:
        return f"You said: {guess}. " + ("So it is." if guess == truth else f"The answer: {truth}.")
    close = abs(guess - truth) <= max(0.1 * abs(truth), lesson.guess.step)
    return f"You guessed {guess:g}; it is {truth:.3g}." + (" That is close." if close else "")


def fresh_seed() -> int:
    """A seed of one's own, for a class in which everybody draws."""
    return secrets.randbelow(LARGEST_SEED)


def seed_of(told) -> int:
    """The seed that somebody's text names; 1 where it names none."""
    text = str(told or "")
    return int(text) % LARGEST_SEED if text.isdecimal() and len(text) < 12 else 1


def top(scores, k):
    """(…, d) bool: the k largest of each row of (…, d) scores, of which no two are equal."""
    return scores >= np.partition(scores, -k, axis=-1)[..., -k, None]


def agreement(one, other):
    """Stability of two sets of k of d features each, (…, d) bool: 0 as random sets share, 1 all (`nogueira`, `kappa` of two)."""
    k, d = one.sum(axis=-1), one.shape[-1]
    return ((one & other).sum(axis=-1) - k * k / d) / (k - k * k / d)
