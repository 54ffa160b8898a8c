"""The same patients, the same forest, another seed: seed variability."""

from stabcore.teaching.lesson import (
    SELECTED,
    SELECTED_BY_BOTH,
    Control,
    D,
    Draw,
    Guess,
    K,
    Lesson,
    cell_kinds,
    draw_pair,
    pair_stability,
)


def theory(trees: int) -> dict[str, float]:
    """Return the mean overlap of all pairs of twelve forests grown on the 333 patients of alzheimer_ad, and its stability.

    Known: about 0.73 with 100 trees, rising with their number.
    """
    return pair_stability("forests", trees)


def draw(rng, trees):
    """Return the sets of two of these forests, and how many markers they share."""
    first, second = draw_pair(rng, "forests", trees)
    return Draw(
        {"shared": float((first & second).sum())}, {"Forest 1": cell_kinds(first, second), "Forest 2": cell_kinds(second, first)}
    )


def _describe(settings, expected):
    return (
        f"Two forests of {settings['trees']:,} trees on the same patients share {expected['shared']:.1f} of {K} markers (stability "
        f"{expected['stability']:.2f}). Only the seed differs."
    )


LESSON = Lesson(
    key="forest_seed",
    question="Same patients, same forest, another seed. How many markers stay?",
    story=f"A random forest ranks {D} markers of 333 patients and selects the {K} best. It is then grown again on the same "
    "patients with another seed. A draw takes two of twelve such forests.",
    ask=lambda settings: f"Draw the curve: how many of the {K} markers do two such forests share, with 10 to 1,000 trees each?",
    guess=Guess(high=K, step=1, curve=True),
    controls=(Control(key="trees", label="Trees in each forest", values=(10, 30, 100, 300, 1000), default=100),),
    series={"shared": f"markers that stay, of {K}"},
    y="Markers that stay",
    log=True,
    theory=theory,
    draw=draw,
    counts=True,
    describe=_describe,
    cells={SELECTED: "selected", SELECTED_BY_BOTH: "by both"},
    insight="A selector with a random seed disagrees between two fits on the same patients. More trees reduce that.",
    note="Many guess 20, because the patients are the same. A forest draws rows and columns at random for every tree.",
    source="Measured here on the bundled Alzheimer's table (Craig-Schapiro et al., PLoS ONE 2011). Breiman 2001",
    page="pages/stability.py",
    page_label="What is the seed variability of my study?",
)
