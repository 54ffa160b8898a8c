"""Two labs select markers at random: overlap grows with the panel."""

import numpy as np

from stabcore.teaching.lesson import SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson, Step, cell_kinds


def theory(k: int, d: int) -> dict[str, float]:
    """Return the mean overlap of two random sets of k of d, k²/d, and their mean Jaccard index, Σ_r P(r) r/(2k − r).

    r is hypergeometric. Known for d = 100: 4 and 0.113 with k = 20, 25 and 0.335 with k = 50.
    """
    from scipy.stats import hypergeom

    r = np.arange(k + 1)
    return {"shared": k * k / d, "jaccard": float(hypergeom.pmf(r, d, k, k) @ (r / (2 * k - r)))}


def draw(rng, k, d):
    """Return two random sets, and the number of markers that they share."""
    panels = np.zeros((2, d), dtype=bool)
    for panel in panels:
        panel[rng.choice(d, k, replace=False)] = True
    rows = {"Lab 1": cell_kinds(panels[0], panels[1]), "Lab 2": cell_kinds(panels[1], panels[0])}
    return Draw({"shared": float((panels[0] & panels[1]).sum())}, rows)


def _describe(settings, expected):
    return (
        f"Two random panels of {settings['k']} of {settings['d']:,} markers share {expected['shared']:.3g} on average "
        f"({settings['k']} × {settings['k']} / {settings['d']:,}). Their mean Jaccard index is {expected['jaccard']:.3f}."
    )


LESSON = Lesson(
    key="blind_labs",
    question="Two labs select markers at random. How many do they share?",
    story="Two laboratories have the same list of markers. Each selects its panel at random, without looking at any patient.",
    ask=lambda settings: f"Each selects {settings['k']} of {settings['d']:,} markers. How many do the two panels share on average?",
    guess=Guess(high=100, step=1, limit="k"),
    controls=(
        Control(key="k", label="Markers in each panel", values=(5, 10, 20, 30, 40, 50), default=20, free=True),
        Control(key="d", label="Markers to choose from", values=(50, 100, 200, 1000), default=100, free=True),
    ),
    line=tuple(range(1, 51)),
    series={"shared": "markers that both selected"},
    y="Markers in common",
    theory=theory,
    draw=draw,
    counts=True,
    describe=_describe,
    cells={SELECTED: "selected", SELECTED_BY_BOTH: "by both"},
    insight="Overlap grows with the size of the panel. An index without a correction for chance (Jaccard, a count) rates large "
    "panels as stable.",
    note="Many guess 0 or 1, because 20 of 100 seems few. Each of the 20 markers of one lab has a chance of 20% in the other.",
    steps=(
        Step(words="One pair of labs. Cells in the second colour are in both panels."),
        Step(words="A thousand pairs. Their mean is the line.", draws=1000),
        Step(words="Larger panels share more, although nobody looked at a patient.", settings={"k": 50}, draws=1000),
        Step(words="With more markers to choose from, they share fewer.", settings={"k": 50, "d": 1000}, draws=1000),
    ),
    source="Kuncheva 2007, and Nogueira, Sechidis & Brown, JMLR 2018, section 3",
    page="pages/stability.py",
    page_label="How stable are my selections?",
)
