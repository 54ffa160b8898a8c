"""A marker gets copies: which measures change?"""

import numpy as np

from stabcore.measures.chance import nogueira
from stabcore.measures.effective import ChanceVariance, effective
from stabcore.measures.information import importance_weighted
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity
from stabcore.teaching.lesson import SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson, Step, cell_kinds

GROUPS, SINGLE, POOL, RUNS = 5, 35, 1000, 40  # strong groups, selected single markers, all single markers, runs
WEIGHT = 4.0  # importance of a group relative to that of a single marker
COPIES_SELECTED = {"all": "All copies", "most": "All copies, of four groups in five", "one": "One copy at random"}


def theory(copies: int, taken: str) -> dict[str, float]:
    """Return expected nogueira, effective stability and φ_iw, from the mean overlap of two runs.

    Known (Hamer & Dupont 2021, Figure 8): groups selected as a whole make nogueira grow with their size. Effective stability grows
    if they are always selected, and falls without limit if they are selected in some runs only. φ_iw stays. With one copy at random
    only effective stability stays.
    """
    chosen = GROUPS - (taken == "most")
    each = 1 if taken == "one" else copies
    d, k = GROUPS * copies + POOL, chosen * each + SINGLE
    loose, groups = SINGLE**2 / POOL, chosen**2 / GROUPS  # mean overlap of two runs in each kind
    shared = loose + groups * each * (1 / copies if taken == "one" else 1)
    varying = SINGLE - loose + each**2 * (chosen - groups)  # tr(CS)
    related = GROUPS * copies * (copies - 1)
    expected = {
        "nogueira": (shared - k * k / d) / (k - k * k / d),
        "effective": float(ChanceVariance.of(k, k * k, d).stability(varying, related)),
    }
    return expected | _weighted_stability(chosen, each, copies, taken, d)


def _weighted_stability(chosen, each, copies, taken, d):
    """φ_iw: shared importance, corrected for chance."""
    of_copy, total = WEIGHT / each, chosen * WEIGHT + SINGLE
    same = SINGLE**2 / POOL + chosen**2 / GROUPS * WEIGHT / (copies if taken == "one" else 1)
    n_copies = chosen * each
    anywhere = (n_copies**2 * of_copy + 2 * n_copies * SINGLE * min(of_copy, 1) + SINGLE**2) / d
    return {"weighted": (same - anywhere) / (total - anywhere)}


def draw(rng, copies, taken):
    """Return the three measures of a study of 40 runs, and its first two runs."""
    d = GROUPS * copies + POOL
    similarity = Similarity.from_groups({f"g{i}": range(i * copies, (i + 1) * copies) for i in range(GROUPS)}, n_features=d)
    weights = _runs(rng, copies, taken)
    runs = Selections.from_weights(weights)
    values = {"nogueira": nogueira(runs), "effective": effective(runs, similarity), "weighted": importance_weighted(runs)}
    first, second = weights[0] > 0, weights[1] > 0
    seen = first | second | (np.arange(d) < GROUPS * copies)
    rows = {"Run 1": cell_kinds(first, second)[seen], "Run 2": cell_kinds(second, first)[seen]}
    return Draw({name: float(value) for name, value in values.items()}, rows)


def _runs(rng, copies, taken):
    """(RUNS, d) importances of groups and of random single markers."""
    groups, here = np.zeros((RUNS, GROUPS, copies)), np.arange(RUNS)
    if taken == "one":
        np.put_along_axis(groups, rng.integers(copies, size=(RUNS, GROUPS, 1)), WEIGHT, axis=2)
    else:
        groups[:] = WEIGHT / copies
    if taken == "most":
        groups[here, rng.integers(GROUPS, size=RUNS)] = 0
    loose = np.zeros((RUNS, POOL))
    np.put_along_axis(loose, rng.random((RUNS, POOL)).argpartition(SINGLE, axis=1)[:, :SINGLE], 1.0, axis=1)
    return np.concatenate([groups.reshape(RUNS, -1), loose], axis=1)


def _format_copies(settings):
    return f"{settings['copies']} {'copy' if settings['copies'] == 1 else 'copies'}"


def _describe(settings, expected):
    if settings["copies"] == 1:
        return f"1 copy: {', '.join(f'{label} {expected[name]:z.2f}' for name, label in SERIES.items())}."
    before = theory(1, settings["taken"])
    values = ", ".join(f"{label} {before[name]:z.2f} → {expected[name]:z.2f}" for name, label in SERIES.items())
    return f"1 copy → {_format_copies(settings)}: {values}. The markers carry the same information."


SERIES = {"nogueira": "classic (Nogueira)", "effective": "effective", "weighted": "importance-weighted"}
LESSON = Lesson(
    key="copies",
    question="A marker gets copies. Does the measure change?",
    story=f"{GROUPS} strong findings are each measured by several identical markers. There are {POOL:,} other markers. Every run "
    f"selects strong ones and {SINGLE} of the others at random. More copies add no information.",
    ask=lambda settings: (
        f"With 1 copy, the usual stability (Nogueira) is {theory(1, settings['taken'])['nogueira']:.2f}. A run selects for each "
        f"finding: {COPIES_SELECTED[settings['taken']].lower()}. What is the stability with {_format_copies(settings)}?"
    ),
    guess=Guess(),
    controls=(
        Control(key="copies", label="Copies of each strong marker", values=(1, 2, 4, 6, 10), default=10, free=True),
        Control(key="taken", label="A run selects", values=tuple(COPIES_SELECTED), default="all", names=COPIES_SELECTED),
    ),
    line=tuple(range(1, 11)),
    series=SERIES,
    y="Stability",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "selected", SELECTED_BY_BOTH: "by both"},
    insight="Measures answer different questions. Decide whether copies should count, then choose the measure.",
    note="Many guess no change, because copies say nothing new. The usual measure counts each copy that is selected again.",
    steps=(
        Step(words="The strong findings come first, in both runs.", settings={"copies": 1}),
        Step(words="More copies: both runs share more cells.", settings={"copies": 4}, draws=10),
        Step(words="Ten copies. Only the importance-weighted measure stays.", settings={"copies": 10}, draws=10),
        Step(
            words="If a run takes one copy at random, only effective stability stays.",
            settings={"copies": 10, "taken": "one"},
            draws=10,
        ),
    ),
    source="Hamer & Dupont, JMLR 2021, Figure 8",
    page="pages/stability.py",
    page_label="What are the measures of my selections?",
)
