"""More runs: a narrower interval for the same study, with the same uncertainty about other patients."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

MARKERS, SHARE, SHARED_ROWS = 100, 0.2, 0.95
STUDIES, TABLES, WITHIN_95 = 60, 2000, 1.96


def frequencies(rng, tables):
    """Return (tables, d) selection frequencies in runs on a table. Runs share ρ of their variance with the table."""
    from scipy.special import ndtr, ndtri

    cut, scores = ndtri(1 - SHARE), rng.normal(size=(tables, MARKERS))
    return ndtr((np.sqrt(SHARED_ROWS) * scores - cut) / np.sqrt(1 - SHARED_ROWS))


def of_many_runs(p):
    """Return (…,) stability of infinitely many runs that select each marker with its probability p (…, d)."""
    k = p.mean(axis=-1)
    return 1 - (p * (1 - p)).mean(axis=-1) / (k * (1 - k))


def variance(p, runs):
    """Return (…,) variance of the stability of M such runs.

    The variance of the influence function over M, plus 2 (p(1 − p))²/(M(M − 1)) from the unbiased variances of markers.
    """
    k, single = p.mean(axis=-1, keepdims=True), p * (1 - p)
    null = k * (1 - k)
    slope = single.mean(axis=-1, keepdims=True) * (1 - 2 * k) / null - (1 - 2 * p)
    return ((single * slope**2 / runs + 2 * single**2 / (runs * (runs - 1))) / (MARKERS * null) ** 2).sum(axis=-1)


@lru_cache(maxsize=1)
def _tables():
    """Tables of other patients. The first is that of this study."""
    return frequencies(np.random.default_rng(6), TABLES)


def theory(runs: int) -> dict[str, float]:
    """Return the half-width of the range of 95% of the studies, with other runs of the same patients and with other patients.

    1.96 standard deviations, from the variances v/M and σ² + v/M. Known: twice the runs multiply the first by 1/√2 and leave the
    second.
    """
    tables = _tables()
    return {
        "runs": WITHIN_95 * float(np.sqrt(variance(tables[0], runs))),
        "patients": WITHIN_95 * float(np.sqrt(of_many_runs(tables).var() + variance(tables, runs).mean())),
        "factor": float(np.sqrt(0.5)),
    }


def simulate(rng, repeats, runs):
    """Return the spread of 60 studies of this table, with new runs each, and of 60 studies of other tables."""

    def spread(p):
        p_hat = rng.binomial(runs, p, size=(repeats, STUDIES, MARKERS)) / runs
        k = p_hat.mean(axis=-1)
        values = 1 - runs / (runs - 1) * (p_hat * (1 - p_hat)).mean(axis=-1) / (k * (1 - k))
        return WITHIN_95 * values.std(axis=1, ddof=1)

    others = frequencies(rng, repeats * STUDIES).reshape(repeats, STUDIES, MARKERS)
    return {"runs": spread(_tables()[0]), "patients": spread(others)}


def _describe(settings, expected, simulated):
    return (
        f"With {settings['runs']} other runs of the same patients, 95% of the values lie within ± {expected['runs']:.3f} "
        f"(simulated, {MEAN}: {simulated['runs']:.3f}). Twice as many runs multiply that by {expected['factor']:.2f}. With other "
        f"patients, they lie within ± {expected['patients']:.3f} (simulated: {simulated['patients']:.3f}). More runs hardly change "
        "that."
    )


LESSON = Lesson(
    key="more_runs",
    question="Twice as many runs. How much narrower is the interval?",
    story="A study resamples the same patients many times and gives its stability with an interval. The number of runs is "
    "doubled. Then somebody asks about other patients.",
    ask=lambda settings: "By how much do twice as many runs multiply the width of the interval?",
    guess=Guess(high=2),
    right=lambda settings, expected: expected["factor"],
    controls=(Control(key="runs", label="Runs", values=(10, 20, 50, 100, 200, 400), default=50),),
    line=(10, 14, 20, 28, 40, 50, 70, 100, 140, 200, 280, 400),
    log=True,
    y="Half-width of the range of 95%",
    series={"runs": "other runs, same patients", "patients": "other patients"},
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Runs are not patients. The interval describes further runs on the same table. It does not cover other patients.",
    source="Nogueira, Sechidis & Brown, JMLR 2018, Theorem 7",
    page="pages/feature_count.py",
    page_label="Are my runs enough?",
)
