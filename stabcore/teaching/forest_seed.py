"""The same patients, the same forest, another seed: the forest's own dice."""

from __future__ import annotations

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson
from stabcore.teaching.measured import D, K, beyond_random, shared_by_pairs


def theory(trees: int) -> dict[str, float]:
    """Mean over all pairs of twelve forests that were really grown on the 333 patients of alzheimer_ad, and its stability.
    Known: about 0.73 with 100 trees, rising with their number.
    """
    shared = shared_by_pairs("forests", trees).mean()
    return {"shared": float(shared), "stability": float(beyond_random(shared))}


def simulate(rng, repeats, trees):
    """What so many pairs of these forests share, drawn at random."""
    return {"shared": rng.choice(shared_by_pairs("forests", trees), size=repeats)}


def _say(at, known, seen):
    return (
        f"Of {K} markers, two forests of {at['trees']:,} trees on the very same patients share {known['shared']:.1f} (a "
        f"stability of {known['stability']:.2f}); {MEAN} such pairs drawn here: {seen['shared']:.1f}. What they differ in is "
        "the forest's own dice."
    )


LESSON = Lesson(
    key="forest_seed",
    question="Same patients, same forest, another seed. How many markers stay?",
    story=f"A random forest ranks {D} markers of 333 patients, and the {K} best are kept. Then it is grown once more, on the same "
    "patients, with another seed. Twelve forests of every size were really grown for this picture.",
    ask=lambda at: f"With {at['trees']:,} trees: how many of the {K} markers do two such forests share?",
    guess=Guess(high=K, step=1),
    controls=(Control(key="trees", label="Trees in each forest", values=(10, 30, 100, 300, 1000), default=100),),
    series={"shared": f"markers that stay, of {K}"},
    y="Markers that stay",
    log=True,
    exact=True,
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="A selector with dice inside disagrees with itself. Such disagreement goes away with more trees; more patients do not "
    "help against it.",
    source="Measured here on the bundled Alzheimer's table (Craig-Schapiro et al., PLoS ONE 2011); Breiman 2001",
    page="pages/stability.py",
    page_label="Whose dice are in my study?",
)
