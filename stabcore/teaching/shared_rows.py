"""No marker matters, yet runs agree, because they share patients."""

import numpy as np

from stabcore.teaching.lesson import (
    SELECTED,
    SELECTED_BY_BOTH,
    Control,
    Draw,
    Guess,
    Lesson,
    Step,
    cell_kinds,
    measured_mean,
    select_highest,
    two_set_stability,
)

PATIENTS, MARKERS = 200, 130


def theory(left_out: int, k: int) -> dict[str, float]:
    """Return the expected stability of two runs that leave patients out, and of two complementary halves.

    The first is a mean over 400,000 tables (tests/benchmarks/bench_lessons.py), known to ± 0.0003. Halves share no patient: 0. For
    d → ∞ the first is `stabcore.inference.noise_floor.noise_floor`, which is 0.72 for 5% left out and k = 20.
    """
    return {**measured_mean("shared_rows", k, left_out), "halves": 0.0}


def draw(rng, left_out, k):
    """Return agreements on one noise table: of two runs that leave patients out, and of two halves, scored by class means."""
    size = PATIENTS // 2
    sick, well = rng.standard_normal((2, size, MARKERS), dtype=np.float32)
    keep = round(size * (1 - left_out / 100))
    used = np.stack([_drawn_patients(rng, size, keep) for _ in range(2)])
    chosen = _selected_markers(sick, well, used, k)
    half = _drawn_patients(rng, size, size // 2)
    halves = _selected_markers(sick, well, np.stack([half, ~half]), k)
    rows = {f"Patients {run + 1}": used[run].ravel().astype(int) for run in range(2)}
    rows |= {f"Markers {run + 1}": cell_kinds(chosen[run], chosen[1 - run]) for run in range(2)}
    values = {"floor": two_set_stability(chosen[0], chosen[1]), "halves": two_set_stability(halves[0], halves[1])}
    return Draw({name: float(value) for name, value in values.items()}, rows)


def _drawn_patients(rng, size, keep):
    """(2, size) bool: the patients of each class that a run keeps."""
    used = np.zeros((2, size), dtype=bool)
    for of_class in used:
        of_class[rng.permutation(size)[:keep]] = True
    return used


def _selected_markers(sick, well, used, k):
    """(2, d) bool: the k markers that differ most between the classes, for each of two runs (2, 2, size)."""
    return select_highest(np.abs(np.stack([sick[run[0]].mean(axis=0) - well[run[1]].mean(axis=0) for run in used])), k)


def _describe(settings, expected):
    return (
        f"No marker matters, but two runs that each leave {settings['left_out']}% of the patients out have a stability of "
        f"{expected['floor']:.2f}. Two disjoint halves have {expected['halves']:.0f}, as expected by chance."
    )


LESSON = Lesson(
    key="shared_rows",
    question="No marker matters. How stable is the selection?",
    story=f"A study has {PATIENTS} patients and {MARKERS} markers. No marker is related to the disease. Each run leaves some "
    "patients out and selects the markers that differ most between sick and well.",
    ask=lambda settings: (
        f"Each run selects {settings['k']} markers. Draw the curve: how stable is the selection if a run leaves out 5%, 10%, up to "
        "50% of the patients? 0 is random subsets, 1 the same markers every time."
    ),
    guess=Guess(curve=True),
    controls=(
        Control(key="left_out", label="Patients left out each time, %", values=(5, 10, 20, 30, 50), default=5),
        Control(key="k", label=f"Markers selected of {MARKERS}", values=(5, 20, 60), default=20),
    ),
    line=tuple(sorted({*range(5, 51, 3), 10, 30})),
    series={"floor": "two runs of a study", "halves": "two disjoint halves"},
    y="Stability (Nogueira)",
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "in this run", SELECTED_BY_BOTH: "selected by both"},
    insight="A stable selection need not be true. Runs agree because they share patients. Compare a stability with the noise "
    "floor of the same study. Two disjoint halves share no patient.",
    note="Many guess 0, because nothing is to be found. The runs share nearly all patients, so they find the same chance "
    "differences again.",
    steps=(
        Step(words="Two runs on the same patients. Each leaves a few out."),
        Step(words="A thousand studies without signal. Their runs agree each time.", draws=1000),
        Step(
            words="The more patients a run leaves out, the fewer its findings are found again.",
            settings={"left_out": 30},
            draws=1000,
        ),
        Step(
            words="Half of the patients left out. Disjoint halves share none, and agree as by chance.",
            settings={"left_out": 50},
            draws=1000,
        ),
    ),
    source="Two normal scores: Plackett, Biometrika 1954. Complementary halves: Shah & Samworth, JRSS B 2013",
    page="pages/stability.py",
    page_label="What is the noise floor of my study?",
)
