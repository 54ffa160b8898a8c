"""A marker gets copies: which measures still say the same?"""

from __future__ import annotations

import numpy as np

from stabcore.measures.chance import nogueira
from stabcore.measures.effective import Chance, effective
from stabcore.measures.information import importance_weighted
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

GROUPS, LOOSE, POOL, RUNS = 5, 35, 1000, 40  # strong groups; loose markers selected, and to choose from
WEIGHT = 4.0  # what a group counts beside one loose marker
TAKEN = {"all": "All copies", "most": "All copies, of four groups in five", "one": "One copy, by lot"}
FALLS, STAYS, GROWS = "it falls", "it stays about the same", "it grows"


def theory(copies: int, taken: str) -> dict[str, float]:
    """Expected nogueira, effective stability and (where groups are always taken) φ_iw, from what two runs share on average.

    Known (Hamer & Dupont 2021, Figure 8): groups taken as a whole make nogueira grow with their size; effective stability grows
    if they always come and falls without limit if they come and go; φ_iw stays. One copy by lot: only effective stability stays.
    """
    chosen = GROUPS - (taken == "most")
    each = 1 if taken == "one" else copies
    d, k = GROUPS * copies + POOL, chosen * each + LOOSE
    loose, groups = LOOSE**2 / POOL, chosen**2 / GROUPS  # of each, what two runs share on average
    shared = loose + groups * each * (1 / copies if taken == "one" else 1)
    varying = LOOSE - loose + each**2 * (chosen - groups)  # tr(CS)
    related = GROUPS * copies * (copies - 1)
    expected = {
        "nogueira": (shared - k * k / d) / (k - k * k / d),
        "effective": float(Chance.of(k, k * k, d).stability(varying, related)),
    }
    return expected | _weighted(chosen, each, copies, taken, d)


def _weighted(chosen, each, copies, taken, d):
    """φ_iw: importance at the same place, beyond that of any place."""
    of_copy, total = WEIGHT / each, chosen * WEIGHT + LOOSE
    same = LOOSE**2 / POOL + chosen**2 / GROUPS * WEIGHT / (copies if taken == "one" else 1)
    many = chosen * each
    anywhere = (many**2 * of_copy + 2 * many * LOOSE * min(of_copy, 1) + LOOSE**2) / d
    return {"weighted": (same - anywhere) / (total - anywhere)}


def simulate(rng, repeats, copies, taken):
    """The three measures of so many studies of 60 runs."""
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
    """(RUNS, d) importances: groups as they are taken, and loose markers by lot."""
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
    """What a measure does from one copy to ten: within 0.05 is about the same."""
    moved = theory(copies, taken)[name] - theory(1, taken)[name]
    return STAYS if abs(moved) < 0.05 else GROWS if moved > 0 else FALLS


def _say(at, known, seen):
    three = ", ".join(f"{label} {known[name]:z.2f} ({seen[name]:z.2f})" for name, label in SERIES.items())
    trends = {label: trend(at["taken"], name) for name, label in SERIES.items()}
    return (
        f"{at['copies']} of each, and in brackets simulated, {MEAN}: {three}. From 1 to 10 copies, "
        f"{'; '.join(f'{label}: {way}' for label, way in trends.items())}. The information in the panels never changed."
    )


SERIES = {"nogueira": "classic (Nogueira)", "effective": "effective", "weighted": "importance-weighted"}
LESSON = Lesson(
    key="copies",
    question="A marker gets ten copies. Does the measure still say the same?",
    story=f"{GROUPS} strong findings, each measured by several markers that say the same, and {POOL:,} loose markers. Every "
    f"run takes the strong ones and {LOOSE} loose ones by lot. More copies add no information.",
    ask=lambda at: (
        f"{TAKEN[at['taken']]} of each finding {'is' if at['taken'] == 'one' else 'are'} taken. What does the usual "
        "stability (Nogueira) do when 1 copy becomes 10?"
    ),
    guess=Guess(choices=(FALLS, STAYS, GROWS)),
    right=lambda at, known: trend(at["taken"], "nogueira"),
    controls=(
        Control(key="copies", label="Copies of each strong marker", values=(1, 2, 4, 6, 10), default=10),
        Control(key="taken", label="What a run takes", values=tuple(TAKEN), default="all", names=TAKEN),
    ),
    line=tuple(range(1, 11)),
    series=SERIES,
    y="Stability",
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Measures answer different questions. Whether copies should count is yours to say, and the measure follows from it.",
    source="Hamer & Dupont, JMLR 2021, Figure 8",
    page="pages/stability.py",
    page_label="What do the measures say of my selections?",
)
