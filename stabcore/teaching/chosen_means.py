"""Chosen because it looked large: how far a selected effect is overstated."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import plural
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

STUDIES = 300


def theory(effect: float, level: int) -> dict[str, float]:
    """E(Z given |Z| > c)/μ of Z ~ N(μ, 1), with c of the level, and the power P(|Z| > c).
    Known at 5%: 2.45, 1.39, 1.09 for μ = 1, 2, 3, with power 0.17, 0.52, 0.85.
    """
    from scipy.special import ndtr

    cut = _cut(level)
    up, down = (np.exp(-((cut + sign * effect) ** 2) / 2) / np.sqrt(2 * np.pi) for sign in (-1, 1))
    power = ndtr(effect - cut) + ndtr(-effect - cut)
    size = up + effect * ndtr(effect - cut) - down + effect * ndtr(-effect - cut)
    return {"overstated": float(size / power / effect), "power": float(power)}


def _cut(level):
    from scipy.special import ndtri

    return -ndtri(level / 200)


def simulate(rng, repeats, effect, level):
    """How far the significant ones among 300 studies overstate the effect, on average."""
    z = rng.normal(effect, 1, size=(repeats, STUDIES))
    chosen = np.abs(z) > _cut(level)
    return {"overstated": (z * chosen).sum(axis=1) / np.maximum(chosen.sum(axis=1), 1) / effect, "power": chosen.mean(axis=1)}


def _errors(at):
    return f"{at['effect']:g} {plural(at['effect'], 'standard error')}"


def _say(at, known, seen):
    return (
        f"A true effect of {_errors(at)} is significant in {known['power']:.0%} of the studies, and those that "
        f"find it overstate it {known['overstated']:.2f} times (simulated, {MEAN}: {seen['overstated']:.2f})."
    )


LESSON = Lesson(
    key="chosen_means",
    question="A marker gets in when it is significant. By how much is it overstated?",
    story="A marker has a real but small effect. Many studies measure it, and a study reports it only if it is significant.",
    ask=lambda at: (
        f"The true effect is {_errors(at)}, significant means p < "
        f"{at['level'] / 100:g}. How many times too large is the effect in the studies that report it?"
    ),
    guess=Guess(low=1, high=10, step=0.1),
    controls=(
        Control(key="effect", label="True effect, in standard errors", values=(1.0, 1.5, 2.0, 2.5, 3.0, 4.0), default=1.0),
        Control(key="level", label="Significant below, %", values=(1, 5, 10), default=5),
    ),
    line=tuple(round(1 + 0.1 * i, 1) for i in range(31)),
    series={"overstated": "times too large"},
    y="Reported / true effect",
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Chosen means flattered: the weaker the study, the more. Effects of a panel should be measured on patients that "
    "did not choose it.",
    source="Heinze, Wallisch & Dunkler, Biometrical Journal 2018; van Zwet & Cator 2021",
    page="pages/panel.py",
    page_label="How much do the effects of my panel flatter?",
)
