"""Selected because it was significant: the overestimation of its effect."""

import numpy as np

from stabcore.base.text import plural
from stabcore.teaching.lesson import NOT_SELECTED, SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson, Step


def theory(effect: float, level: int) -> dict[str, float]:
    """Return E(Z given |Z| > c)/μ of Z ~ N(μ, 1), with c of the level, and the power P(|Z| > c).

    Known at 5%: 2.45, 1.39, 1.09 for μ = 1, 2, 3, with power 0.17, 0.52, 0.85.
    """
    from scipy.special import ndtr

    cut = _critical_value(level)
    up, down = (np.exp(-((cut + sign * effect) ** 2) / 2) / np.sqrt(2 * np.pi) for sign in (-1, 1))
    power = ndtr(effect - cut) + ndtr(-effect - cut)
    size = up + effect * ndtr(effect - cut) - down + effect * ndtr(-effect - cut)
    return {"overstated": float(size / power / effect), "power": float(power)}


def _critical_value(level):
    from scipy.special import ndtri

    return -ndtri(level / 200)


def draw(rng, effect, level):
    """Return the estimate of one study as a multiple of the true effect: reported if it is significant, silent otherwise."""
    z, cut = rng.normal(effect, 1), _critical_value(level)
    reported = abs(z) > cut
    axis = np.arange(-3, 8.05, 0.1)
    interval = np.where(np.abs(axis - z) <= cut, SELECTED_BY_BOTH if reported else SELECTED, NOT_SELECTED)
    marks = np.where((np.abs(axis) < 0.06) | (np.abs(axis - effect) < 0.06), SELECTED, NOT_SELECTED)
    values = {"overstated": z / effect if reported else np.nan, "silent": np.nan if reported else z / effect}
    return Draw(values, {"0 and true": marks, "Study": interval})


def _errors(settings):
    return f"{settings['effect']:g} {plural(settings['effect'], 'standard error')}"


def _describe(settings, expected):
    return (
        f"A true effect of {_errors(settings)} is significant in {expected['power']:.0%} of the studies. On average they report "
        f"{expected['overstated']:.2f} times the true effect."
    )


LESSON = Lesson(
    key="chosen_means",
    question="A marker is reported if it is significant. How much is its effect overstated?",
    story="A marker has a real but small effect. Many studies measure it, and a study reports it only if it is significant.",
    ask=lambda settings: (
        f"The true effect is {_errors(settings)}. Significant means p < {settings['level'] / 100:g}. How many times the true "
        "effect do the studies report that find it significant, on average?"
    ),
    guess=Guess(low=1, high=10, step=0.1),
    controls=(
        Control(key="effect", label="True effect, standard errors", values=(1.0, 1.5, 2.0, 2.5, 3.0, 4.0), default=1.0, free=True),
        Control(key="level", label="Significant below, %", values=(1, 5, 10), default=5, free=True),
    ),
    line=tuple(round(1 + 0.1 * i, 1) for i in range(31)),
    series={"overstated": "reported", "silent": "not significant"},
    y="Estimated / true effect",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "contains 0", SELECTED_BY_BOTH: "significant"},
    insight="Selected effects are overstated, most in weak studies. Estimate the effects of a panel on patients that did not "
    "select it.",
    note="Many guess 1, because each study is unbiased. Only the studies that were lucky are reported.",
    steps=(
        Step(words="One study: its estimate, and an interval that contains 0 or not."),
        Step(words="Ten studies. Nobody hears of those that are not significant.", draws=10),
        Step(words="A thousand studies. On average, the reported ones lie above the truth, which is 1.", draws=1000),
        Step(words="A stronger effect is nearly always reported, and hardly overstated.", settings={"effect": 4.0}, draws=1000),
    ),
    source="Heinze, Wallisch & Dunkler, Biometrical Journal 2018, and van Zwet & Cator 2021",
    page="pages/panel.py",
    page_label="Are the effects of my panel overstated?",
)
