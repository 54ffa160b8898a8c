"""Selected because it was significant: the overestimation of its effect."""

from __future__ import annotations

import numpy as np

from stabcore.base.text import plural
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

STUDIES = 300


def theory(effect: float, level: int) -> dict[str, float]:
    """Return E(Z given |Z| > c)/μ of Z ~ N(μ, 1), with c of the level, and the power P(|Z| > c).

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
    """Return the mean overestimation in the significant ones among 300 studies."""
    z = rng.normal(effect, 1, size=(repeats, STUDIES))
    chosen = np.abs(z) > _cut(level)
    return {"overstated": (z * chosen).sum(axis=1) / np.maximum(chosen.sum(axis=1), 1) / effect, "power": chosen.mean(axis=1)}


def _errors(settings):
    return f"{settings['effect']:g} {plural(settings['effect'], 'standard error')}"


def _describe(settings, expected, simulated):
    return (
        f"A true effect of {_errors(settings)} is significant in {expected['power']:.0%} of the studies. Those studies overstate "
        f"it {expected['overstated']:.2f} times (simulated, {MEAN}: {simulated['overstated']:.2f})."
    )


LESSON = Lesson(
    key="chosen_means",
    question="A marker is reported if it is significant. How much is its effect overstated?",
    story="A marker has a real but small effect. Many studies measure it, and a study reports it only if it is significant.",
    ask=lambda settings: (
        f"The true effect is {_errors(settings)}. Significant means p < {settings['level'] / 100:g}. How many times too large is "
        "the effect in the studies that report it?"
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
    describe=_describe,
    insight="Selected effects are overstated, most in weak studies. Estimate the effects of a panel on patients that did not "
    "select it.",
    source="Heinze, Wallisch & Dunkler, Biometrical Journal 2018, and van Zwet & Cator 2021",
    page="pages/panel.py",
    page_label="Are the effects of my panel overstated?",
)
