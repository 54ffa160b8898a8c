"""A marker gets copies: which measures change?"""

from __future__ import annotations

import numpy as np

from stabcore.measures.chance import nogueira
from stabcore.measures.effective import Chance, effective
from stabcore.measures.information import importance_weighted
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

GROUPS, LOOSE, POOL, RUNS = 5, 35, 1000, 40  # strong groups, selected single markers, all single markers, runs
WEIGHT = 4.0  # importance of a group relative to that of a single marker
TAKEN = {"all": "All copies", "most": "All copies, of four groups in five", "one": "One copy at random"}
FALLS, STAYS, GROWS = "falls", "stays about the same", "grows"


def theory(copies: int, taken: str) -> dict[str, float]:
    """Return expected nogueira, effective stability and φ_iw, from the mean overlap of two runs.

    Known (Hamer & Dupont 2021, Figure 8): groups selected as a whole make nogueira grow with their size. Effective stability grows
    if they are always selected, and falls without limit if they are selected in some runs only. φ_iw stays. With one copy at random
    only effective stability stays.
    """
    chosen = GROUPS - (taken == "most")
    each = 1 if taken == "one" else copies
    d, k = GROUPS * copies + POOL, chosen * each + LOOSE
    loose, groups = LOOSE**2 / POOL, chosen**2 / GROUPS  # mean overlap of two runs in each kind
    shared = loose + groups * each * (1 / copies if taken == "one" else 1)
    varying = LOOSE - loose + each**2 * (chosen - groups)  # tr(CS)
    related = GROUPS * copies * (copies - 1)
    expected = {
        "nogueira": (shared - k * k / d) / (k - k * k / d),
        "effective": float(Chance.of(k, k * k, d).stability(varying, related)),
    }
    return expected | _weighted(chosen, each, copies, taken, d)


def _weighted(chosen, each, copies, taken, d):
    """φ_iw: shared importance, corrected for chance."""
    of_copy, total = WEIGHT / each, chosen * WEIGHT + LOOSE
    same = LOOSE**2 / POOL + chosen**2 / GROUPS * WEIGHT / (copies if taken == "one" else 1)
    n_copies = chosen * each
    anywhere = (n_copies**2 * of_copy + 2 * n_copies * LOOSE * min(of_copy, 1) + LOOSE**2) / d
    return {"weighted": (same - anywhere) / (total - anywhere)}


def simulate(rng, repeats, copies, taken):
    """Return the three measures of studies of 40 runs."""
    d = GROUPS * copies + POOL
    similarity = Similarity.from_groups({f"g{i}": range(i * copies, (i + 1) * copies) for i in range(GROUPS)}, n_features=d)
    values = {name: np.empty(repeats) for name in SERIES}
    for i in range(repeats):
        runs = Selections.from_weights(_runs(rng, copies, taken))
        for name, measure in (("nogueira", nogueira), ("weighted", importance_weighted)):
            values[name][i] = measure(runs)
        values["effective"][i] = effective(runs, similarity)
    return values


def _runs(rng, copies, taken):
    """(RUNS, d) importances of groups and of random single markers."""
    groups, here = np.zeros((RUNS, GROUPS, copies)), np.arange(RUNS)
    if taken == "one":
        np.put_along_axis(groups, rng.integers(copies, size=(RUNS, GROUPS, 1)), WEIGHT, axis=2)
    else:
        groups[:] = WEIGHT / copies
    if taken == "most":
        groups[here, rng.integers(GROUPS, size=RUNS)] = 0
    loose = (rng.random((RUNS, POOL)).argsort(axis=1) < LOOSE).astype(float)
    return np.concatenate([groups.reshape(RUNS, -1), loose], axis=1)


def trend(taken, name, copies=10) -> str:
    """Return whether a measure falls, stays (within 0.05) or grows from one copy to ten."""
    moved = theory(copies, taken)[name] - theory(1, taken)[name]
    return STAYS if abs(moved) < 0.05 else GROWS if moved > 0 else FALLS


def _describe(settings, expected, simulated):
    values = ", ".join(f"{label} {expected[name]:z.2f} ({simulated[name]:z.2f})" for name, label in SERIES.items())
    trends = ", ".join(f"{label} {trend(settings['taken'], name)}" for name, label in SERIES.items())
    return (
        f"With {settings['copies']} of each (in brackets simulated, {MEAN}): {values}. From 1 to 10 copies: {trends}. The copies "
        "add no information."
    )


SERIES = {"nogueira": "classic (Nogueira)", "effective": "effective", "weighted": "importance-weighted"}
LESSON = Lesson(
    key="copies",
    question="A marker gets ten copies. Does the measure change?",
    story=f"{GROUPS} strong findings are each measured by several identical markers. There are {POOL:,} other markers. Every run "
    f"selects the strong ones and {LOOSE} of the others at random. More copies add no information.",
    ask=lambda settings: (
        f"A run selects for each finding: {TAKEN[settings['taken']].lower()}. What happens to the usual stability (Nogueira) when "
        "1 copy becomes 10?"
    ),
    guess=Guess(choices=(FALLS, STAYS, GROWS)),
    right=lambda settings, expected: trend(settings["taken"], "nogueira"),
    controls=(
        Control(key="copies", label="Copies of each strong marker", values=(1, 2, 4, 6, 10), default=10),
        Control(key="taken", label="A run selects", values=tuple(TAKEN), default="all", names=TAKEN),
    ),
    line=tuple(range(1, 11)),
    series=SERIES,
    y="Stability",
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Measures answer different questions. Decide whether copies should count, then choose the measure.",
    source="Hamer & Dupont, JMLR 2021, Figure 8",
    page="pages/stability.py",
    page_label="What are the measures of my selections?",
)
