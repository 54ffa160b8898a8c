"""The number of patients for a correct panel, and the agreement that shows it."""

import numpy as np

from stabcore.teaching.lesson import (
    SELECTED,
    SELECTED_BY_BOTH,
    Control,
    Draw,
    Guess,
    Lesson,
    Step,
    measured_mean,
    select_highest,
    two_set_stability,
)

MARKERS, TRUE, CORRELATION = 1000, 20, 0.95


def theory(patients: int, effect: float) -> dict[str, float]:
    """Return the true share of a panel of 20 and the agreement of two runs, with scores N(μ, 1), μ = effect · √n/2.

    Means of 20,000 studies, because exactly 20 markers are chosen. A fixed cut-off gives about the same. For an effect of 0.3 and
    n = 100, 200, 500, 1000, 2000, two halves have 0.006, 0.029, 0.18, 0.51, 0.88. Runs have 0.68, 0.72, 0.84, 0.95, 1.00. The true
    share is 0.18, 0.34, 0.70, 0.93, 1.00.
    """
    return measured_mean("more_patients", effect, patients)


def draw(rng, patients, effect):
    """Return how many chosen markers are true, and agreements, in one study of scores with 20 true markers."""
    mean = np.zeros(MARKERS)
    mean[:TRUE] = effect * np.sqrt(patients) / 2
    of_all, split = mean + rng.normal(size=MARKERS), rng.normal(size=MARKERS)
    halves = select_highest(np.abs(np.stack([of_all + split, of_all - split])), TRUE)
    runs = select_highest(np.abs(of_all * np.sqrt(CORRELATION) + rng.normal(size=(2, MARKERS)) * np.sqrt(1 - CORRELATION)), TRUE)
    picked = {"Run 1": runs[0], "Run 2": runs[1], "Half 1": halves[0], "Half 2": halves[1]}
    true = np.arange(MARKERS) < TRUE
    shown = true | np.any(list(picked.values()), axis=0)
    values = {
        "true": runs[0, :TRUE].mean(),
        "runs": two_set_stability(runs[0], runs[1]),
        "halves": two_set_stability(halves[0], halves[1]),
    }
    return Draw(
        {name: float(value) for name, value in values.items()},
        {name: (chosen * np.where(true, SELECTED_BY_BOTH, SELECTED))[shown] for name, chosen in picked.items()},
    )


def _describe(settings, expected):
    return (
        f"With {settings['patients']:,} patients, {expected['true']:.0%} of the {TRUE} chosen markers are true. Runs that "
        f"leave 5% out have a stability of {expected['runs']:.2f}, two halves of {expected['halves']:.2f}."
    )


LESSON = Lesson(
    key="more_patients",
    question="How many patients until the panel is right?",
    story=f"{TRUE} of {MARKERS:,} markers are true, each with the same effect. A study selects the {TRUE} that look best. Half of "
    "the patients are sick.",
    ask=lambda settings: (
        f"The effect is {settings['effect']:g} standard deviations. Draw the curve: what share of the {TRUE} chosen markers is "
        "true, with 100 to 2,000 patients?"
    ),
    guess=Guess(curve=True),
    controls=(
        Control(key="patients", label="Patients", values=(100, 200, 500, 1000, 2000), default=200),
        Control(key="effect", label="Effect, in standard deviations", values=(0.2, 0.3, 0.5, 0.8), default=0.3),
    ),
    line=(100, 150, 200, 300, 400, 500, 700, 1000, 1400, 2000),
    log=True,
    y="Share, or stability",
    series={"true": "true share of the panel", "runs": "two runs, 5% left out", "halves": "two disjoint halves"},
    digits=2,
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "selected", SELECTED_BY_BOTH: "selected and true"},
    insight="Small studies look stable when runs share nearly all patients. Only split-half agreement distinguishes the small "
    "study from the large one.",
    note="Many guess half or more. The runs agree well long before the panel is right, because they share their patients.",
    steps=(
        Step(words="One study. The first 20 columns are the true markers."),
        Step(words="A hundred studies. Runs agree, but two of three findings are false.", draws=100),
        Step(words="With more patients, halves begin to agree, too.", settings={"patients": 500}, draws=100),
        Step(words="With many patients, the panel is right, and everything agrees.", settings={"patients": 2000}, draws=100),
    ),
    source="Normal model with independent markers. Ein-Dor, Zuk & Domany, PNAS 2006",
    page="pages/stability.py",
    page_label="What is the split-half agreement of my study?",
)
