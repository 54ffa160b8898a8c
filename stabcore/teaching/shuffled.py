"""The outcome is shuffled: which selector is the most stable?"""

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
    overlap_stability,
    pair_stability,
)

NAMES = {
    "variance": "Variance",
    "relieff": "ReliefF",
    "lasso": "Lasso",
    "random_forest": "Random forest",
    "random": "Random choice",
}


def theory(selector: str) -> dict[str, float]:
    """Return the stability of twenty runs without 5% of the patients of alzheimer_ad, with the outcome shuffled once.

    Known: variance 1.00, relieff 0.70, lasso 0.66, forest 0.47, random 0.00.
    """
    return pair_stability("shuffled", selector)


def draw(rng, selector):
    """Return two of these runs, and their stability."""
    first, second = draw_pair(rng, "shuffled", selector)
    value = float(overlap_stability((first & second).sum()))
    return Draw({"stability": value}, {"Run 1": cell_kinds(first, second), "Run 2": cell_kinds(second, first)})


def _describe(settings, expected):
    return (
        f"With the outcome shuffled, two runs of {NAMES[settings['selector']]} share {expected['shared']:.1f} of {K} markers "
        f"(stability {expected['stability']:z.2f}). None of its findings can be true."
    )


LESSON = Lesson(
    key="shuffled",
    question="The outcome is shuffled. Which selector is the most stable?",
    story=f"The outcome of 333 patients is shuffled, so none of {D} markers is related to it. Each selector selects {K} markers "
    "many times, each time without 5% of the patients.",
    ask=lambda settings: "Which of them selects the same markers most often?",
    guess=Guess(choices=tuple(NAMES.values())),
    right=lambda settings, expected: NAMES[max(NAMES, key=lambda selector: theory(selector)["stability"])],
    controls=(Control(key="selector", label="Selector", values=tuple(NAMES), default="lasso", names=NAMES),),
    series={"stability": "stability of its runs"},
    y="Stability (Nogueira)",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "selected", SELECTED_BY_BOTH: "by both"},
    insight="Stability alone does not show that findings are true. Variance ignores the outcome, and is the most stable here.",
    note="Many guess the selector that they trust. The variance of a marker does not depend on the outcome at all.",
    source="Measured here on the bundled Alzheimer's table with its outcome shuffled once. Kalousis, Prados & Hilario 2007",
    page="pages/pareto.py",
    page_label="Which selectors are stable and accurate on my data?",
)
