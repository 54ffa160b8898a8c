"""The outcome is shuffled: which selector is the most stable?"""

from __future__ import annotations

from stabcore.teaching.lesson import MEAN, Control, D, Guess, K, Lesson, beyond_random, shared_by_pairs

NAMES = {"variance": "Variance", "relieff": "ReliefF", "lasso": "Lasso", "random_forest": "Random forest", "random": "At random"}


def theory(selector: str) -> dict[str, float]:
    """Return the stability of twenty runs without 5% of the patients of alzheimer_ad, with the outcome shuffled once.

    Known: variance 1.00, relieff 0.70, lasso 0.66, forest 0.47, random 0.00.
    """
    shared = shared_by_pairs("shuffled", selector).mean()
    return {"stability": float(beyond_random(shared)), "shared": float(shared)}


def simulate(rng, repeats, selector):
    """Return the stabilities of random pairs of these runs."""
    return {"stability": beyond_random(rng.choice(shared_by_pairs("shuffled", selector), size=repeats))}


def _describe(settings, expected, simulated):
    return (
        f"With the outcome shuffled, two runs of {NAMES[settings['selector']]} share {expected['shared']:.1f} of {K} markers "
        f"(stability {expected['stability']:z.2f}). {MEAN.capitalize()} random pairs: {simulated['stability']:z.2f}. None of its "
        "findings can be true."
    )


def most_stable() -> str:
    """Return the selector with the most stable runs."""
    return max(NAMES, key=lambda selector: theory(selector)["stability"])


LESSON = Lesson(
    key="shuffled",
    question="The outcome is shuffled. Which selector is the most stable?",
    story=f"The outcome of 333 patients is shuffled, so none of {D} markers is related to it. Each selector selects {K} markers "
    "many times, each time without 5% of the patients.",
    ask=lambda settings: "Which of them selects the same markers most often?",
    guess=Guess(choices=tuple(NAMES.values())),
    right=lambda settings, expected: NAMES[most_stable()],
    controls=(Control(key="selector", label="Selector", values=tuple(NAMES), default="lasso", names=NAMES),),
    series={"stability": "stability of its runs"},
    y="Stability (Nogueira)",
    exact=True,
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Stability has no meaning without accuracy. A selector that ignores the outcome is perfectly stable.",
    source="Measured here on the bundled Alzheimer's table with its outcome shuffled once. Kalousis, Prados & Hilario 2007",
    page="pages/pareto.py",
    page_label="Which selectors are stable and accurate on my data?",
)
