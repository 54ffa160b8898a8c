"""The toy maps of Hamer & Dupont: the same features with other importances."""

import numpy as np

from stabcore.measures.chance import nogueira
from stabcore.measures.information import importance_weighted
from stabcore.measures.weights import canberra, pearson_weights
from stabcore.selections.selections import Selections
from stabcore.teaching.lesson import NOT_SELECTED, SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson

FEATURES, RUNS, CELLS, GAP = 2500, 10, 60, 3  # features and runs of a map, cells of a row, and cells between two maps
N_SELECTABLE = 20 + 6 * RUNS  # features that a run may select
NAMES = {3: "A", 4: "B", 5: "C", 6: "D"}  # {number of the figure: name}
PRINTED = {  # Figures 3 to 6, for infinitely many features. For the order, Figure 3 prints what equation 5 subtracts, 0.47
    3: {"weighted": 0.90, "pearson": 0.97, "subset": 1.00, "order": 0.53},
    4: {"weighted": 0.21, "pearson": 0.13, "subset": 0.72, "order": 0.39},
    5: {"weighted": 0.53, "pearson": 0.42, "subset": 1.00, "order": 0.55},
    6: {"weighted": 0.50, "pearson": 0.25, "subset": 0.75, "order": 0.51},
}
NOISE = 0.177  # A: standard deviation of equal importances
# B: shares of the first feature and of 14 others, and how often a run drops one of these
LEADS, MINOR, DROPPED = 0.1363, 0.0055, 0.3
PEAKS, PEAK = 4, 8.12  # C: features of a run that are more important than the others, and how much more
TRENDS, SLIGHTLY = {4: 1.65, 5: 0.53}, 1e-3  # B and C: how much the order of nearly equal importances is the same in all runs


def theory(figure: int) -> dict[str, float]:
    """Return the values that the paper prints for a map."""
    return PRINTED[figure]


def importances(rng, figure):
    """Return (RUNS, d): a map with the printed values.

    The paper gives its data for Figure 6 alone, in section 6.3. The other maps are built so that the expected measures are those
    printed, which a test holds.
    """
    weights = np.zeros((RUNS, N_SELECTABLE))
    new = 20 + np.arange(RUNS * 6).reshape(RUNS, 6)  # features of one run only
    here = np.arange(RUNS)
    if figure == 3:
        weights[:, :20] = np.maximum(rng.normal(1, NOISE, (RUNS, 20)), 0.01)
    elif figure == 4:
        weights[:, 0], weights[:, 1:15] = LEADS, MINOR
        np.put_along_axis(weights, new[:, :5], (1 - LEADS - 14 * MINOR) / 5, axis=1)
        drops = here[rng.random(RUNS) < DROPPED]
        weights[drops, rng.integers(1, 15, len(drops))] = 0
        weights[drops, new[drops, 5]] = MINOR
    elif figure == 5:
        weights[:, :20] = 1
        np.put_along_axis(weights, rng.random((RUNS, 20)).argsort(axis=1)[:, :PEAKS], PEAK, axis=1)
    else:
        weights[:, :15] = 2 / 3
        np.put_along_axis(weights, new[:, :5], 2.0, axis=1)
    if figure in TRENDS:
        weights *= 1 + SLIGHTLY * (rng.random(weights.shape) - TRENDS[figure] * np.arange(N_SELECTABLE) / 20)
    return np.pad(weights, ((0, 0), (0, FEATURES - N_SELECTABLE)))


def draw(rng, figure):
    """Return four maps, and the measures of the chosen one."""
    maps = {number: importances(rng, number) for number in NAMES}
    runs = Selections.from_weights(maps[figure])
    values = {
        "weighted": importance_weighted(runs),
        "pearson": pearson_weights(runs),
        "subset": nogueira(runs),
        "order": canberra(runs, k=20),
    }
    gap = np.full((RUNS, GAP), -1)
    cells = np.concatenate([part for weights in maps.values() for part in (_map_cells(weights), gap)][:-1], axis=1)
    return Draw({name: float(value) for name, value in values.items()}, {f"Run {run + 1}": row for run, row in enumerate(cells)})


def _map_cells(weights):
    """(RUNS, CELLS): the features of each run beside each other, as wide as they are important, new ones pale."""
    ends = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    centres = (np.arange(CELLS) + 0.5) / CELLS
    feature = np.stack([np.searchsorted(row, centres) for row in ends])
    return np.where(feature >= 20, NOT_SELECTED, np.where(feature % 2, SELECTED_BY_BOTH, SELECTED))


def _describe(settings, expected):
    return (
        f"Map {NAMES[settings['figure']]}: {expected['subset']:.2f} if features are counted, {expected['weighted']:.2f} if "
        f"weighted by importance, {expected['pearson']:.2f} by correlation, {expected['order']:.2f} by order."
    )


LESSON = Lesson(
    key="maps",
    question="Which map is more stable?",
    story="Four maps, A to D from left to right. A row is a run, a bar is a feature, as wide as it is important. Each run selects "
    "20 features. Those in colour are the same in all runs, pale ones are new.",
    ask=lambda settings: "How stable is each map, if features count by their importance? 0 is chance, 1 is the same in all runs.",
    guess=Guess(curve=True),
    controls=(Control(key="figure", label="Map", values=tuple(NAMES), default=5, names=NAMES),),
    series={"weighted": "weighted (φ_iw)", "pearson": "correlation (φ_pears)", "subset": "counted (φ)", "order": "order (φ_can)"},
    y="Stability",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "a feature", SELECTED_BY_BOTH: "the next", NOT_SELECTED: "new features"},
    insight="Counted, A and C are equally stable, and B nearly as D. Weighted by importance, half of C and most of B is unstable. "
    "By the order, C is even the most stable. Look at the map, not only at a number.",
    note="Many rate C as high as A, because the same features are in every run, and B as high as D.",
    source="Hamer & Dupont, JMLR 2021, Figures 3 to 6. Map D has their data, the other maps are built to the printed values. "
    "Figure 3 prints 1 − 0.53 for the order",
    page="pages/maps.py",
    page_label="What is the map of my study?",
    shown_first=True,
)
