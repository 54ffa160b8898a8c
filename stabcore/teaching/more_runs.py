"""More runs: a narrower interval of the same study, and no surer of other patients."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson

MARKERS, SHARE, SHARED_ROWS = 100, 0.2, 0.95
STUDIES, TABLES, WITHIN_95 = 60, 2000, 1.96


def frequencies(rng, tables):
    """(tables, d) how often each marker is selected in runs on a table: runs share ρ of their variance with the table."""
    from scipy.special import ndtr, ndtri

    cut, own = ndtri(1 - SHARE), rng.normal(size=(tables, MARKERS))
    return ndtr((np.sqrt(SHARED_ROWS) * own - cut) / np.sqrt(1 - SHARED_ROWS))


def of_many_runs(p):
    """(…,) stability of endlessly many runs that select each marker with its own probability, (…, d)."""
    k = p.mean(axis=-1)
    return 1 - (p * (1 - p)).mean(axis=-1) / (k * (1 - k))


def variance(p, runs):
    """(…,) variance of the stability of M such runs: its influence function over M, and what the unbiased variances of single
    markers add, 2 (p(1 − p))²/(M(M − 1)).
    """
    k, own = p.mean(axis=-1, keepdims=True), p * (1 - p)
    null = k * (1 - k)
    slope = own.mean(axis=-1, keepdims=True) * (1 - 2 * k) / null - (1 - 2 * p)
    return ((own * slope**2 / runs + 2 * own**2 / (runs * (runs - 1))) / (MARKERS * null) ** 2).sum(axis=-1)


@lru_cache(maxsize=1)
def _tables():
    """Tables of other patients; the first is that of this study."""
    return frequencies(np.random.default_rng(6), TABLES)


def theory(runs: int) -> dict[str, float]:
    """What 95% of the studies lie within, 1.96 standard deviations: with M other runs of the same patients, v/M; with other
    patients, σ² + v/M. Known: twice the runs give 1/√2 of the first, and leave the second where it was.
    """
    tables = _tables()
    return {
        "runs": WITHIN_95 * float(np.sqrt(variance(tables[0], runs))),
        "patients": WITHIN_95 * float(np.sqrt(of_many_runs(tables).var() + variance(tables, runs).mean())),
        "factor": float(np.sqrt(0.5)),
    }


def simulate(rng, repeats, runs):
    """How far 60 studies of this table lie apart, with other runs each, and 60 studies of other tables."""

    def spread(p):
        p_hat = rng.binomial(runs, p, size=(repeats, STUDIES, MARKERS)) / runs
        k = p_hat.mean(axis=-1)
        values = 1 - runs / (runs - 1) * (p_hat * (1 - p_hat)).mean(axis=-1) / (k * (1 - k))
        return WITHIN_95 * values.std(axis=1, ddof=1)

    others = frequencies(rng, repeats * STUDIES).reshape(repeats, STUDIES, MARKERS)
    return {"runs": spread(_tables()[0]), "patients": spread(others)}


def _say(at, known, seen):
    return (
        f"{at['runs']} other runs of the same patients: 95% of the values lie within ± {known['runs']:.3f} "
        f"(simulated, {MEAN}: {seen['runs']:.3f}), which twice as many runs multiply by {known['factor']:.2f}. Other patients: "
        f"within ± {known['patients']:.3f} (simulated, {MEAN}: {seen['patients']:.3f}), which more runs hardly move."
    )


LESSON = Lesson(
    key="more_runs",
    question="Twice as many runs. How much surer are we?",
    story="A study resamples the same patients again and again and gives its stability with an interval. Computers are "
    "cheap, so the number of runs is doubled. Then somebody asks about other patients.",
    ask=lambda at: "Twice as many runs: the width of the interval is multiplied by …?",
    guess=Guess(high=2),
    right=lambda at, known: known["factor"],
    controls=(Control(key="runs", label="Runs", values=(10, 20, 50, 100, 200, 400), default=50),),
    line=(10, 14, 20, 28, 40, 50, 70, 100, 140, 200, 280, 400),
    log=True,
    y="Half the width of what holds 95%",
    series={"runs": "other runs, same patients", "patients": "other patients"},
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Runs are not patients. The interval tells what more runs of the same table would give; how far other patients move "
    "the number it does not know.",
    source="Nogueira, Sechidis & Brown, JMLR 2018, Theorem 7",
    page="pages/profiles.py",
    page_label="Are my runs enough?",
)
