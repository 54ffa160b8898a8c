"""More runs: a narrower interval for the same study, with the same uncertainty about other patients."""

from functools import lru_cache

import numpy as np

from stabcore.teaching.lesson import SELECTED, Control, Draw, Guess, Lesson, Step

MARKERS, SHARE, SHARED_ROWS = 100, 0.2, 0.95
TABLES, WITHIN_95 = 2000, 1.96
CENTRE, SPREAD = 0.7753, 0.04479  # mean and standard deviation of `limiting_stability` over many tables


def frequencies(rng, tables):
    """Return (tables, d) selection frequencies in runs on a table. Runs share ρ of their variance with the table."""
    from scipy.special import ndtr, ndtri

    cut, scores = ndtri(1 - SHARE), rng.normal(size=(tables, MARKERS))
    return ndtr((np.sqrt(SHARED_ROWS) * scores - cut) / np.sqrt(1 - SHARED_ROWS))


def limiting_stability(p):
    """Return (…,) stability of infinitely many runs that select each marker with its probability p (…, d)."""
    k = p.mean(axis=-1)
    return 1 - (p * (1 - p)).mean(axis=-1) / (k * (1 - k))


def stability_variance(p, runs):
    """Return (…,) variance of the stability of M such runs.

    The variance of the influence function over M, plus 2 (p(1 − p))²/(M(M − 1)) from the unbiased variances of markers.
    """
    k, single = p.mean(axis=-1, keepdims=True), p * (1 - p)
    null = k * (1 - k)
    slope = single.mean(axis=-1, keepdims=True) * (1 - 2 * k) / null - (1 - 2 * p)
    return ((single * slope**2 / runs + 2 * single**2 / (runs * (runs - 1))) / (MARKERS * null) ** 2).sum(axis=-1)


@lru_cache(maxsize=1)
def _tables():
    """Tables of patients. The first is that of this study."""
    return frequencies(np.random.default_rng(6), TABLES)


def theory(runs: int) -> dict:
    """Return the range of 95% of the studies, with other runs of the same patients and with other patients.

    1.96 standard deviations around the mean, from the variances v/M and σ² + v/M. Known: twice the runs multiply the first by 1/√2
    and leave the second.
    """
    tables = _tables()
    same = WITHIN_95 * float(np.sqrt(stability_variance(tables[0], runs)))
    others = WITHIN_95 * float(np.sqrt(SPREAD**2 + stability_variance(tables, runs).mean()))
    here = float(limiting_stability(tables[0]))
    return {
        "patients": (CENTRE - others, CENTRE + others),
        "runs": (here - same, here + same),
        "wider": others / same,
        "widths": (same, others),
    }


def draw(rng, runs):
    """Return the stability of a study with other runs of the same patients, and of one with other patients."""
    values, rows = {}, {}
    for name, label, p in (("patients", "Others", frequencies(rng, 1)[0]), ("runs", "Same", _tables()[0])):
        p_hat = rng.binomial(runs, p) / runs
        values[name] = float(1 - runs / (runs - 1) * (p_hat * (1 - p_hat)).mean() / (p_hat.mean() * (1 - p_hat.mean())))
        rows[label] = (p_hat >= 0.5).astype(int)
    return Draw(values, {"Same": rows["Same"], "Others": rows["Others"]})


def _standard_deviation(values):
    same, others = (WITHIN_95 * values[name].std(ddof=1) for name in ("runs", "patients"))
    return f"± {same:.3f} with the same patients, ± {others:.3f} with others"


def _describe(settings, expected):
    same, others = expected["widths"]
    return (
        f"With {settings['runs']} other runs of the same patients, 95% of the values lie within ± {same:.3f}. With other patients, "
        f"they lie within ± {others:.3f}, which is {expected['wider']:.1f} times as wide. More runs narrow the first "
        "range, but hardly the second."
    )


LESSON = Lesson(
    key="more_runs",
    question="Other patients: how much wider is the range?",
    story=f"A study has {MARKERS} markers. Each run leaves 5% of the patients out, and selects the markers with the highest "
    "scores, one in five. The study is repeated: with other runs of the same patients, and with other patients.",
    ask=lambda settings: (
        f"A study has {settings['runs']} runs. How many times as wide is the range of its stability with other patients as with "
        "other runs of the same patients?"
    ),
    guess=Guess(low=0, high=20, step=0.1),
    right=lambda settings, expected: expected["wider"],
    place=lambda settings, expected, guess: CENTRE + guess * expected["widths"][0],
    controls=(Control(key="runs", label="Runs", values=(10, 20, 50, 100, 200, 400), default=50, free=True),),
    line=(10, 14, 20, 28, 40, 50, 70, 100, 140, 200, 280, 400),
    log=True,
    y="Stability (Nogueira)",
    series={"patients": "other patients", "runs": "other runs, same patients"},
    digits=2,
    theory=theory,
    draw=draw,
    drawn=_standard_deviation,
    describe=_describe,
    cells={SELECTED: "selected in most runs"},
    insight="Runs are not patients. The interval describes further runs on the same table. It does not cover other patients.",
    note="Many guess 1, because the interval has 95% on it. It narrows with more runs. The other patients stay as different as "
    "they are. The star is the upper end that a guess would give.",
    steps=(
        Step(words="Two studies: one repeats the runs, the other the patients, too."),
        Step(words="A hundred of each.", draws=100),
        Step(words="Eight times as many runs. One range shrinks, the other stays.", settings={"runs": 400}, draws=100),
    ),
    source="Nogueira, Sechidis & Brown, JMLR 2018, Theorem 7",
    page="pages/feature_count.py",
    page_label="Are my runs enough?",
)
