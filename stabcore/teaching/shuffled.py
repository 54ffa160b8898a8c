"""The outcome is shuffled: who still selects the same again and again?"""

from __future__ import annotations

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson
from stabcore.teaching.measured import D, K, beyond_random, shared_by_pairs

NAMES = {"variance": "Variance", "relieff": "ReliefF", "lasso": "Lasso", "random_forest": "Random forest", "random": "At random"}


def theory(selector: str) -> dict[str, float]:
    """Stability over all pairs of twenty runs that were really made, each without 5% of the patients of alzheimer_ad, with the
    outcome shuffled once. Known: variance 1.00, relieff 0.70, lasso 0.66, forest 0.47, random 0.00.
    """
    shared = shared_by_pairs("shuffled", selector).mean()
    return {"stability": float(beyond_random(shared)), "shared": float(shared)}


def simulate(rng, repeats, selector):
    """The stability of so many pairs of these runs, drawn at random."""
    return {"stability": beyond_random(rng.choice(shared_by_pairs("shuffled", selector), size=repeats))}


def _say(at, known, seen):
    return (
        f"With the outcome shuffled, two runs of {NAMES[at['selector']]} still share {known['shared']:.1f} of {K} "
        f"markers, a stability of {known['stability']:z.2f} ({MEAN} such pairs drawn here: {seen['stability']:z.2f}). "
        "Nothing that it found can be true."
    )


def most_stable() -> str:
    """The selector that comes back to the same markers most."""
    return max(NAMES, key=lambda one: theory(one)["stability"])


LESSON = Lesson(
    key="shuffled",
    question="The outcome is shuffled. Which selector is the most stable?",
    story=f"Who is sick is handed out anew among 333 patients, so that none of {D} markers can have anything to do with it. Each "
    f"selector picks {K} again and again, each time without 5% of the patients.",
    ask=lambda at: "Which of them comes back to the same markers most?",
    guess=Guess(choices=tuple(NAMES.values())),
    right=lambda at, known: NAMES[most_stable()],
    controls=(Control(key="selector", label="Selector", values=tuple(NAMES), default="lasso", names=NAMES),),
    series={"stability": "stability of its runs"},
    y="Stability (Nogueira)",
    exact=True,
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Stability without accuracy says nothing: who never looks at the outcome cannot be confused by it.",
    source="Measured here on the bundled Alzheimer's table with its outcome shuffled once; Kalousis, Prados & Hilario 2007",
    page="pages/pareto.py",
    page_label="Which selectors are stable and accurate on my data?",
)
