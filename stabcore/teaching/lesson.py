"""A lesson and its answer at some settings: the known answer as a line, and draws one after the other."""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from stabcore.base.text import counted, rounded

LARGEST_SEED = 10**6
LADDER = (*range(1, 11), *range(20, 101, 10), *range(200, 1001, 100))  # numbers of draws: one at a time, then ten, then a hundred
CLOSE_CURVE = 0.05  # mean difference of a close curve, as a share of the range of a guess
SEPARATOR = "~"  # between the numbers of a curve in an address
MAX_PILE_LEVELS = 50  # heights at which draws pile up, of a value that is not a count
NOT_SELECTED, SELECTED, SELECTED_BY_BOTH = range(3)  # kinds of cells of a draw: pale, in colour, in the second colour


@dataclass(frozen=True, kw_only=True)
class Control:
    """A setting: its values from low to high, or names.

    names: {value: its name on screen}. free: whether a user-defined lesson may have any number between the first and last value.
    """

    key: str
    label: str
    values: tuple
    default: Any
    names: Mapping = field(default_factory=dict)
    free: bool = False

    def name_of(self, value) -> str:
        """Return a value as text for screens."""
        return str(self.names.get(value, f"{value:,}" if isinstance(value, int) else value))

    def nearest(self, text):
        """Return the value with this text, from an address for example, or the default if there is none."""
        return {str(value): value for value in self.values}.get(str(text), self.default)


@dataclass(frozen=True, kw_only=True)
class Guess:
    """The question before the answer: a number from low to high, one of the choices, or a curve.

    curve: whether a number is asked at every value of the first control. Such a guess is a tuple of numbers. limit: the
    control whose value no answer exceeds, which the caption names.
    """

    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    choices: tuple[str, ...] = ()
    curve: bool = False
    limit: str = ""


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw, as shown.

    values      {series: its value}, NaN where the draw has none
    rows        {name of a row: kinds of its cells}, such as the patients of a resample or the markers of a panel
    """

    values: dict[str, float]
    rows: dict[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of a story: words, and the settings and number of draws that show them."""

    words: str
    settings: Mapping = field(default_factory=dict)
    draws: int = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """A question, its known answer, and draws.

    theory      (**settings) -> {series: value, or (low, high) of a range}: the known answer. Names not in `series` are not drawn
    draw        (rng, **settings) -> Draw
    describe    (settings, theory) -> the known answer in words
    right       (settings, theory) -> the right guess, a number or a choice. By default the first series
    place       (settings, theory, guess) -> height of a guess in the figure, if it is another number. A choice is a value of the
                first control
    cells       {kind of a cell: its meaning}
    drawn       (values) -> the draws in words, by default the mean of the first series with draws
    controls    the first is the x axis. line: additional values for the line of theory
    series      {key: its name in the figure}
    steps       the story in steps. note: for teachers, what many people guess, and why
    digits      significant digits of the known answer
    counts      whether draws are whole numbers. shown_first: whether a draw is shown before the guess
    """

    key: str
    question: str
    story: str
    ask: Callable[[dict], str]
    guess: Guess
    controls: tuple[Control, ...]
    series: Mapping[str, str]
    y: str
    theory: Callable[..., dict[str, Any]]
    draw: Callable[..., Draw]
    describe: Callable[[dict, dict], str]
    cells: Mapping[int, str]
    insight: str
    note: str
    source: str
    page: str
    page_label: str
    right: Callable[[dict, dict], Any] | None = None
    place: Callable[[dict, dict, float], float] | None = None
    drawn: Callable[[dict], str] | None = None
    steps: tuple[Step, ...] = ()
    line: tuple = ()
    log: bool = False
    digits: int = 3
    counts: bool = False
    shown_first: bool = False

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

    def shown_truth(self, settings) -> str:
        """Return the right guess as text, a number with the digits that are known."""
        truth = self.truth(settings)
        return truth if self.guess.choices else f"{truth:.{self.digits}g}"

    def read_guess(self, text):
        """Return the guess in an address: an allowed number, one of the choices, the numbers of a curve, or None."""
        guess, first = self.guess, self.controls[0]
        if guess.choices:
            return text if text in guess.choices else None
        parts = str(text).split(SEPARATOR)
        if len(parts) != (len(first.values) if guess.curve else 1):
            return None
        try:
            values = tuple(map(float, parts))
        except ValueError:
            return None
        if not all(guess.low <= value <= guess.high for value in values):
            return None
        return values if guess.curve else values[0]

    def flat(self, height):
        """Return the guess of this number everywhere, or the first choice."""
        if self.guess.choices:
            return self.guess.choices[0]
        return (height,) * len(self.controls[0].values) if self.guess.curve else height

    def asked(self, settings) -> dict:
        """Return the settings on which a guess depends: of a curve, all but those along it."""
        return {key: value for key, value in settings.items() if not (self.guess.curve and key == self.controls[0].key)}

    def along(self, settings) -> list[dict]:
        """Return these settings at every value of the first control."""
        first = self.controls[0]
        return [{**settings, first.key: value} for value in first.values]

    def guess_at(self, settings, guess) -> Any:
        """Return the guess itself, or the height of a curve at these settings."""
        first = self.controls[0]
        return guess[first.values.index(settings[first.key])] if self.guess.curve else guess

    def points(self, settings, guess) -> list[tuple[Any, float]]:
        """Return [(x, y)] of a guess in the figure. A choice is a value of the first control, at its known answer."""
        first = self.controls[0]
        if self.guess.choices:
            x = next(value for value in first.values if first.name_of(value) == guess)
            return [(x, self.theory(**{**settings, first.key: x})[self.first])]
        return [
            (point[first.key], self.place(point, self.theory(**point), height) if self.place else height)
            for point in (self.along(settings) if self.guess.curve else [settings])
            for height in [self.guess_at(point, guess)]
        ]


@dataclass(frozen=True, eq=False)
class Answer:
    """A lesson at some settings and a seed, after some draws.

    theory      {series: the known answer, or (low, high)}
    lines       {series: [(x, its known answer)]} over the first control
    draws       one after the other
    """

    lesson: Lesson
    settings: dict
    seed: int
    theory: dict[str, Any]
    lines: dict[str, list]
    draws: list[Draw]

    @property
    def sentence(self) -> str:
        """Return the known answer in words."""
        return self.lesson.describe(self.settings, self.theory)

    @cached_property
    def values(self) -> dict[str, np.ndarray]:
        """Return {series: (draws,) values}, NaN where a draw has none."""
        return {name: np.array([draw.values[name] for draw in self.draws]) for name in self.draws[0].values}

    @property
    def drawable(self) -> str:
        """Return the first series with draws, which excludes bounds."""
        return next(name for name in self.lesson.series if name in self.values)

    @property
    def drawn(self) -> float:
        """Return the value of the first draw, which a class can pool."""
        return float(self.values[self.drawable][0])

    @property
    def means(self) -> dict[str, float]:
        """Return {series: mean of the draws that have a value}, without those that have none."""
        return {name: float(np.nanmean(values)) for name, values in self.values.items() if np.isfinite(values).any()}

    @property
    def drawn_sentence(self) -> str:
        """Return the draws in words."""
        if self.lesson.drawn and len(self.draws) > 1:
            return f"{counted(len(self.draws), 'draw')}: {self.lesson.drawn(self.values)}."
        values = self.values[self.drawable]
        among = "" if np.isfinite(values).all() else f", of which {np.isfinite(values).sum()} count"
        mean = self.means.get(self.drawable)
        if mean is None:
            return f"{counted(len(values), 'draw')}, of which none counts."
        if len(values) == 1:
            return f"This draw gives {f'{mean:g}' if self.lesson.counts else rounded(mean)}."
        return f"{counted(len(values), 'draw')}{among}: mean {rounded(mean)}."

    def piles(self) -> dict[str, np.ndarray]:
        """Return {series: (draws, 2)}: the height of each draw, and how many lie there already, with itself."""
        heights = np.concatenate([np.ravel([y for _, y in line]) for line in self.lines.values()])
        step = 1.0 if self.lesson.counts else _round_step(np.ptp(heights) / MAX_PILE_LEVELS)
        return {name: _pile_positions(values, step) for name, values in self.values.items()}


def _round_step(width):
    """The next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(max(width, 1e-12)))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))


def _pile_positions(values, step):
    """(n, 2): every value rounded to a step, and the number of equal ones up to it."""
    heights = np.round(values / step) * step
    lying: dict[float, int] = {}
    order = np.zeros(len(values))
    for i, level in enumerate(np.round(values / step)):
        lying[level] = order[i] = lying.get(level, 0) + 1
    return np.stack([heights, order], axis=1)


def draws_of_seed(lesson: Lesson, settings: dict, random_state: int, n: int) -> list[Draw]:
    """Return the first n draws of a seed at these settings. More draws begin with the same ones.

    The random numbers are the same for all settings, so that a moved control changes nothing else.
    """
    rng = np.random.default_rng(random_state)
    return [lesson.draw(rng, **settings) for _ in range(n)]


def answer(lesson: Lesson, settings: dict, random_state: int = 0, n: int = 1) -> Answer:
    """Return the known answer of a lesson at these settings and n draws, the same for the same seed.

    settings: from lesson.settings.
    """
    control = lesson.controls[0]
    theory = {x: lesson.theory(**{**settings, control.key: x}) for x in lesson.line or control.values}
    lines = {
        name: [(x, values[name]) for x, values in theory.items()]
        for name in lesson.series
        if all(name in values for values in theory.values())
    }
    return Answer(
        lesson, settings, random_state, lesson.theory(**settings), lines, draws_of_seed(lesson, settings, random_state, n)
    )


def next_n_draws(n: int) -> int:
    """Return the number of draws after n on the ladder."""
    return next((step for step in LADDER if step > n), LADDER[-1])


def n_draws_on_ladder(n, ladder=LADDER) -> int:
    """Return the largest number of draws on the ladder that is not above n, a number or its text. 1 for anything else."""
    n = int(n) if str(n).isdecimal() and len(str(n)) < 6 else 1
    return max((step for step in ladder if step <= n), default=1)


def close_range(lesson: Lesson, settings) -> Any:
    """Return the right choice, or the lowest and highest number that are close to the right one."""
    truth = lesson.truth(settings)
    if lesson.guess.choices:
        return truth
    near = max(0.1 * abs(truth), lesson.guess.step)
    return [truth - near, truth + near]


def describe_right_answer(lesson: Lesson, settings) -> str:
    """Say the right answer to a guess."""
    return f"The answer is{':' if lesson.guess.choices else ''} {lesson.shown_truth(settings)}."


def describe_verdict(lesson: Lesson, guess, settings: dict) -> str:
    """Compare a guess with the right one at the settings for which it was asked."""
    if lesson.guess.curve:
        return _describe_curve_verdict(lesson, guess, settings)
    close, truth = close_range(lesson, settings), describe_right_answer(lesson, settings)
    if lesson.guess.choices:
        return f"You guessed {guess}. " + ("That is right." if guess == close else truth)
    return f"You guessed {guess:.4g}. {truth}" + (" That is close." if close[0] <= guess <= close[1] else "")


def _describe_curve_verdict(lesson, guess, settings):
    """Compare a curve with the right one: the mean difference, and the largest with its place."""
    every = lesson.along(settings)
    gaps = [abs(lesson.guess_at(setting, guess) - lesson.truth(setting)) for setting in every]
    worst = every[int(np.argmax(gaps))]
    place = lesson.controls[0].name_of(worst[lesson.controls[0].key])
    mean, range_ = float(np.mean(gaps)), lesson.guess.high - lesson.guess.low
    close = " That is close." if mean <= CLOSE_CURVE * range_ else ""
    return (
        f"Your guesses are off by {mean:.2g} on average.{close} The difference is largest at {place}: you guessed "
        f"{lesson.guess_at(worst, guess):.4g}, the answer is {lesson.shown_truth(worst)}."
    )


def new_seed() -> int:
    """Return a new seed, for a class in which each person draws."""
    return secrets.randbelow(LARGEST_SEED)


def read_seed(text) -> int:
    """Return the seed in a text, or 1 if there is none."""
    text = str(text or "")
    return int(text) % LARGEST_SEED if text.isdecimal() and len(text) < 12 else 1


def select_highest(scores, k):
    """Return (…, d) bool: the k largest of each row of (…, d) distinct scores."""
    return scores >= np.partition(scores, -k, axis=-1)[..., -k, None]


def two_set_stability(first, second):
    """Return the stability of two sets of k of d features, (…, d) bool: 0 by chance, 1 if equal (`nogueira`, `kappa`)."""
    return overlap_stability((first & second).sum(axis=-1), first.sum(axis=-1), first.shape[-1])


def cell_kinds(first, second) -> np.ndarray:
    """Return the cells of one set (d,) bool beside another: OUT, IN, or BOTH if the other has them, too."""
    return np.where(first & second, SELECTED_BY_BOTH, np.where(first, SELECTED, NOT_SELECTED))


# ---- what has no formula: sets selected on the bundled Alzheimer's table, and means of many draws, all made and checked by
# tests/benchmarks/bench_lessons.py ----

MEASURED_FILE = Path(__file__).with_name("measured.json")
K, D = 20, 130  # selected features, and all features


@lru_cache(maxsize=1)
def _read_measured():
    return json.loads(MEASURED_FILE.read_text(encoding="utf-8"))


def measured_mean(lesson, kind, value) -> dict[str, float]:
    """Return the means of many draws of a lesson: kind is the value of its other controls, `value` a value of its line."""
    return _read_measured()[lesson][str(kind)][str(value)]


def measured_sets(study, kind) -> list[list[int]]:
    """Return the sets of a study: "forests" (kind: the number of trees) or "shuffled" (kind: the key of a selector)."""
    return _read_measured()[study][str(kind)]


def draw_pair(rng, study, kind) -> np.ndarray:
    """Return (2, D) bool: two of these sets, at random."""
    sets = measured_sets(study, kind)
    chosen = np.zeros((2, D), dtype=bool)
    for row, which in zip(chosen, rng.choice(len(sets), 2, replace=False), strict=True):
        row[sets[which]] = True
    return chosen


def pair_stability(study, kind) -> dict[str, float]:
    """Return the mean overlap of every two of these sets, and its stability."""
    shared = float(np.mean([len({*first} & {*second}) for first, second in combinations(measured_sets(study, kind), 2)]))
    return {"shared": shared, "stability": float(overlap_stability(shared))}


def overlap_stability(shared, k=K, d=D):
    """Return the stability of sets of k of d features with these overlaps: 0 by chance, 1 if equal."""
    return (shared - k * k / d) / (k - k * k / d)
