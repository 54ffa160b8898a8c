"""The origin of thresholds: the number of false markers with a high selection frequency."""

import numpy as np

from stabcore.inference.error_bounds import MEINSHAUSEN_BUHLMANN, pfer_bound
from stabcore.teaching.lesson import SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson, Step, measured_mean, select_highest

MARKERS, PAIRS, PATIENTS, SHOWN = 1000, 25, 64, 10
CLASSES = np.repeat([1.0, -1.0], PATIENTS // 2)


def theory(threshold: int, q: int) -> dict[str, float]:
    """Return the bound q²/((2τ − 1)d) on false markers, and the number that pass a filter without signal, a mean of 20,000 tables.

    Known for q = 20 of 1000: at most 2, 0.8 and 0.5 at 60, 75 and 90%.
    """
    bound = float(pfer_bound(q, MARKERS, threshold / 100, PAIRS, MEINSHAUSEN_BUHLMANN))
    return {**measured_mean("threshold", q, threshold), "bound": bound}


def min_runs(threshold):
    """Return the least number of runs that must select a marker."""
    return int(np.ceil(2 * PAIRS * threshold / 100 - 1e-9))


def draw_selections(rng, q):
    """Return (2 PAIRS, MARKERS) bool: the markers that differ most in each half of a noise table."""
    quarter = PATIENTS // 4
    X = rng.standard_normal((PATIENTS, MARKERS), dtype=np.float32)
    half = rng.permuted(np.repeat([[[1, 0]]], PAIRS * 2, axis=1).repeat(quarter, axis=2)[0], axis=1).reshape(PAIRS, PATIENTS)
    signs = (np.concatenate([half, 1 - half]) * CLASSES).astype(np.float32)
    # not by BLAS, whose threads need longer to synchronise than this takes
    return select_highest(np.abs(np.einsum("ij,jk->ik", signs, X)), q)


def draw(rng, threshold, q):
    """Return the number of markers of a noise table selected that often in 25 pairs of halves, and the ten most frequent ones."""
    chosen = draw_selections(rng, q)
    counts = chosen.sum(axis=0)
    passes = counts >= min_runs(threshold)
    first = np.argsort(-counts, kind="stable")[:SHOWN]
    rows = {
        f"Marker {marker + 1}": chosen[:, marker].astype(int) * (SELECTED_BY_BOTH if passes[marker] else SELECTED)
        for marker in first
    }
    return Draw({"filter": float(np.count_nonzero(passes))}, rows)


def _describe(settings, expected):
    return (
        f"Without signal, {expected['filter']:.2g} markers on average are in at least {settings['threshold']}% of the "
        f"halves. The theorem allows at most {expected['bound']:.2g}, which is q²/((2τ − 1)d)."
    )


LESSON = Lesson(
    key="threshold",
    question="Markers in most of the halves are kept. How many are false?",
    story=f"A table has {MARKERS:,} markers. It is halved many times, and each half selects its best. Only markers that most of "
    "the halves select are kept. Suppose that no marker matters.",
    ask=lambda settings: (
        f"Every half selects {settings['q']} markers. Those in at least {settings['threshold']}% of the halves are kept. How many "
        "false markers are kept on average?"
    ),
    guess=Guess(high=20, step=0.1),
    controls=(
        Control(key="threshold", label="Least share of the halves, %", values=(60, 65, 70, 75, 80, 90), default=60),
        Control(key="q", label="Selected in every half", values=(10, 20, 40), default=40),
    ),
    line=tuple(range(56, 97)),
    series={"filter": "kept without signal", "bound": "at most, by the theorem"},
    y="False markers kept",
    digits=2,
    theory=theory,
    draw=draw,
    counts=True,
    describe=_describe,
    cells={SELECTED: "selected, a column per half", SELECTED_BY_BOTH: "and kept"},
    insight="The threshold and the number of selected markers determine how many false markers you accept.",
    note="Many guess 0 or 40. A useless marker that looks good on all patients also looks good in most halves. The bound assumes "
    "little about the selector, so a filter stays well below it.",
    steps=(
        Step(words="The ten most frequent of a thousand useless markers. The kept ones have the second colour."),
        Step(words="A hundred tables. A few useless markers pass.", draws=100),
        Step(words="A higher threshold lets fewer pass.", settings={"threshold": 80}, draws=100),
        Step(words="So does selecting fewer in every half.", settings={"threshold": 60, "q": 10}, draws=100),
    ),
    source="Meinshausen & Bühlmann, JRSS B 2010, Theorem 1",
    page="pages/panel.py",
    page_label="How many of my markers may be false?",
)
