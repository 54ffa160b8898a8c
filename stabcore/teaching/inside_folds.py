"""Selected on all patients, then cross-validated: noise looks like a discovery."""

import numpy as np

from stabcore.teaching.lesson import SELECTED, SELECTED_BY_BOTH, Control, Draw, Guess, Lesson, Step, measured_mean

FOLDS = 5


def theory(markers: int, patients: int, k: int) -> dict[str, float]:
    """Return the accuracy of the nearest mean on noise markers selected on all patients, and 0.5 for selection inside the folds.

    The first is a mean over 400,000 tables (tests/benchmarks/bench_lessons.py), known to ± 0.0001: 0.963 for n = 50, d = 5000,
    k = 20.
    """
    return {**measured_mean("inside_folds", f"{patients},{k}", markers), "inside": 0.5}


def draw(rng, markers, patients, k):
    """Return accuracies on one table of noise, and which patients are predicted correctly.

    Only the class differences in each fold are drawn for every marker, and then patients for the selected markers. The
    distribution is that of whole tables, at a fraction of their cost.
    """
    size = patients // FOLDS
    signs = np.where(np.arange(size) % 2 == 0, 1, -1)
    differences = np.sqrt(size) * rng.standard_normal((FOLDS, markers), dtype=np.float32)
    total = differences.sum(axis=0)
    outside, inside = _best_markers(total, k), [_best_markers(total - in_fold, k) for in_fold in differences]
    chosen = np.unique([outside, *inside])
    X = _patient_values(rng, differences[:, chosen], size) * signs[:, None]
    values, rows = {}, {}
    for name, label, sets in (("outside", "On all", [outside] * FOLDS), ("inside", "Inside", inside)):
        right = np.array([_is_right(X[:, :, np.searchsorted(chosen, among)], out, signs) for out, among in enumerate(sets)])
        values[name], rows[label] = float(right.mean()), right.ravel().astype(int)
    return Draw(values, {"Fold": np.repeat(np.arange(FOLDS) % 2 * SELECTED_BY_BOTH, size), **rows})


def _best_markers(differences, k):
    return np.argpartition(-np.abs(differences), k - 1)[:k]


def _patient_values(rng, sums, size):
    """(folds, patients of each, markers): standard normal values, given their sums in each fold."""
    values = rng.standard_normal((FOLDS, size, sums.shape[1]))
    return values + ((sums - values.sum(axis=1)) / size)[:, None]


def _is_right(X, out, signs):
    """Whether each patient of one fold is nearer to the mean of its class in the other folds, bool."""
    others = np.delete(X, out, axis=0)
    mean_sick, mean_well = (others[:, signs == sign].mean(axis=(0, 1)) for sign in (1, -1))
    beyond = (X[out] - (mean_sick + mean_well) / 2) @ (mean_sick - mean_well)
    return np.sign(beyond) == signs


def _describe(settings, expected):
    return (
        f"Chosen on all {settings['patients']} patients, {settings['k']} of {settings['markers']:,} noise markers seem to predict "
        f"{expected['outside']:.0%} correctly. Chosen inside the folds, they predict {expected['inside']:.0%}."
    )


LESSON = Lesson(
    key="inside_folds",
    question="Noise markers are chosen on all patients, then cross-validated. What accuracy?",
    story="No marker is related to the disease. Half of the patients are sick. The markers that differ most are chosen on all "
    f"patients. Then a simple classifier on them is cross-validated in {FOLDS} folds.",
    ask=lambda settings: (
        f"{settings['patients']} patients, {settings['markers']:,} markers, {settings['k']} chosen. What accuracy does the "
        "cross-validation give (0.5: a coin)?"
    ),
    guess=Guess(),
    controls=(
        Control(key="markers", label="Markers to choose from", values=(100, 200, 1000, 5000), default=5000),
        Control(key="patients", label="Patients", values=(50, 100), default=50),
        Control(key="k", label="Markers chosen", values=(5, 10, 20), default=20),
    ),
    line=(100, 200, 500, 1000, 2000, 5000),
    log=True,
    y="Accuracy, cross-validated",
    series={"outside": "chosen on all patients", "inside": "chosen inside the folds"},
    theory=theory,
    draw=draw,
    describe=_describe,
    cells={SELECTED: "patient predicted correctly", SELECTED_BY_BOTH: "every second fold"},
    insight="Selection belongs inside the resampling. Otherwise the selection is validated on the patients that were used for it.",
    note="Many guess 0.5, because cross-validation is honest. It is, but the markers had already seen the patients that are left "
    "out.",
    steps=(
        Step(words="One table of noise. A cell per patient, in colour if predicted correctly."),
        Step(words="A hundred tables. The wrong way always finds something.", draws=100),
        Step(words="With fewer markers to choose from, it finds less.", settings={"markers": 100}, draws=100),
        Step(
            words="With more patients, too. Selection inside the folds finds nothing on average.",
            settings={"markers": 100, "patients": 100},
            draws=100,
        ),
    ),
    source="Ambroise & McLachlan, PNAS 2002, and Simon et al., JNCI 2003",
    page="pages/study.py",
    page_label="Run a study that selects inside its folds",
)
