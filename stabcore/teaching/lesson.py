"""A lesson and its answer at some settings: theory as a line, simulation as points, and one draw."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

THEORY, SIMULATED, EXACT = "theory", "simulated", "measured"
LARGEST_SEED = 10**6
FEW, MANY = 3, 12  # simulations at each value of the first control, and at its current value
MEAN = f"mean of {MANY}"


@dataclass(frozen=True, kw_only=True)
class Control:
    """A setting: its values from low to high, or names. names: {value: its name on screen}."""

    key: str
    label: str
    values: tuple
    default: Any
    names: Mapping = field(default_factory=dict)

    def name_of(self, value) -> str:
        """Return a value as text for screens."""
        return str(self.names.get(value, f"{value:,}" if isinstance(value, int) else value))

    def nearest(self, text):
        """Return the value with this text, from an address for example, or the default if there is none."""
        return {str(value): value for value in self.values}.get(str(text), self.default)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """The question before the answer: a number from low to high, or one of the choices."""

    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    choices: tuple[str, ...] = ()

    def read(self, text):
        """Return the guess in an address: an allowed number, one of the choices, or None."""
        if self.choices:
            return text if text in self.choices else None
        try:
            value = float(text)
        except (TypeError, ValueError):
            return None
        return value if self.low <= value <= self.high else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """A question, its known answer, and a simulation.

    theory      (**settings) -> {series: value}: the known answer. Names that are not in `series` are not drawn
    simulate    (rng, repeats, **settings) -> {series: (repeats,) values}
    describe    (settings, theory, simulated means) -> the answer in words
    right       (settings, theory) -> the right guess, a number or a choice; by default the first series
    controls    the first is the x axis. line: additional values for the line of theory
    series      {key: its name in the figure}. exact: whether theory is a mean over all measurements, not a formula
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
    describe: Callable[[dict, dict, dict], str]
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
        """Return the series of the guess and of the draw."""
        return next(iter(self.series))

    def settings(self, texts=None) -> dict:
        """Return the value of every control. texts: texts or values by the key of a control."""
        return {control.key: control.nearest((texts or {}).get(control.key)) for control in self.controls}

    def truth(self, settings) -> Any:
        """Return the right guess at these settings."""
        expected = self.theory(**settings)
        return self.right(settings, expected) if self.right else expected[self.first]


@dataclass(frozen=True, eq=False)
class Answer:
    """A lesson at some settings and a seed.

    table       (series, kind, x, y): every point of the figure
    theory      {series: the known answer}. simulated: {series: (repeats,) values}
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
        """Return the first simulated value of the first simulated series."""
        return float(self.simulated[self.drawable][0])

    @property
    def drawable(self) -> str:
        """Return the first series that is simulated, which excludes bounds."""
        return next(name for name in self.lesson.series if name in self.simulated)


def answer(lesson: Lesson, settings: dict, random_state: int = 0) -> Answer:
    """Return theory and simulation of a lesson at these settings, the same for the same seed.

    settings: from lesson.settings. Points at other values stay in place while the first control moves.
    """
    control, kind, rows, draws = lesson.controls[0], EXACT if lesson.exact else THEORY, [], {}
    for x in lesson.line or control.values:
        expected = lesson.theory(**{**settings, control.key: x})
        rows += [(name, kind, x, expected[name]) for name in lesson.series]
    for number, x in enumerate(control.values):
        repeats = MANY if x == settings[control.key] else FEW
        draws[x] = lesson.simulate(np.random.default_rng([random_state, number]), repeats, **{**settings, control.key: x})
        rows += [(name, SIMULATED, x, float(y)) for name in lesson.series for y in draws[x].get(name, ())]
    expected, simulated = lesson.theory(**settings), draws[settings[control.key]]
    means = {name: float(np.mean(values)) for name, values in simulated.items()}
    table = pd.DataFrame(rows, columns=["series", "kind", "x", "y"])
    return Answer(lesson, settings, random_state, table, expected, simulated, lesson.describe(settings, expected, means))


def verdict(lesson: Lesson, guess, settings: dict) -> str:
    """Compare a guess with the right one at the settings for which it was asked."""
    truth = lesson.truth(settings)
    if lesson.guess.choices:
        return f"You guessed: {guess}. " + ("That is right." if guess == truth else f"The answer is: {truth}.")
    close = abs(guess - truth) <= max(0.1 * abs(truth), lesson.guess.step)
    return f"You guessed {guess:g}. The answer is {truth:.3g}." + (" That is close." if close else "")


def fresh_seed() -> int:
    """Return a new seed, for a class in which each person draws."""
    return secrets.randbelow(LARGEST_SEED)


def seed_of(text) -> int:
    """Return the seed in a text, or 1 if there is none."""
    text = str(text or "")
    return int(text) % LARGEST_SEED if text.isdecimal() and len(text) < 12 else 1


def top(scores, k):
    """Return (…, d) bool: the k largest of each row of (…, d) distinct scores."""
    return scores >= np.partition(scores, -k, axis=-1)[..., -k, None]


def agreement(first, second):
    """Return the stability of two sets of k of d features, (…, d) bool: 0 by chance, 1 if equal (`nogueira`, `kappa`)."""
    return beyond_random((first & second).sum(axis=-1), first.sum(axis=-1), first.shape[-1])


# ---- sets selected on the bundled Alzheimer's table, made and checked by tests/benchmarks/bench_lessons.py ----

FILE = Path(__file__).with_name("measured.json")
K, D = 20, 130  # selected features, and all features


@lru_cache(maxsize=1)
def _read():
    return json.loads(FILE.read_text(encoding="utf-8"))


def sets_of(study, kind) -> list[list[int]]:
    """Return the sets of a study: "forests" (kind: the number of trees) or "shuffled" (kind: the key of a selector)."""
    return _read()[study][str(kind)]


@lru_cache(maxsize=32)
def shared_by_pairs(study, kind) -> np.ndarray:
    """Return (pairs,) the overlaps of every two of these sets."""
    return np.array([len({*first} & {*second}) for first, second in combinations(sets_of(study, kind), 2)], dtype=float)


def beyond_random(shared, k=K, d=D):
    """Return the stability of sets of k of d features with these overlaps: 0 by chance, 1 if equal."""
    return (shared - k * k / d) / (k - k * k / d)
