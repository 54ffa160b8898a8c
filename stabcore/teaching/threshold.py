"""Where thresholds come from: how many false markers come back often."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stabcore.inference.error_bounds import MEINSHAUSEN_BUHLMANN, pfer_bound
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson, top

MARKERS, PAIRS, PATIENTS = 1000, 25, 64


def theory(threshold: int, q: int) -> dict[str, float]:
    """At most q²/((2τ − 1)d) false markers, and how many a filter lets through without any signal.
    Known for q = 20 of 1000: 2, 0.8 and 0.5 at 60, 75 and 90%.
    """
    return {
        "bound": float(pfer_bound(q, MARKERS, threshold / 100, PAIRS, MEINSHAUSEN_BUHLMANN)),
        "filter": _of_filter(threshold, q),
    }


def _of_filter(threshold, q):
    """Expected number of markers in at least τ of the runs of a filter by |z|, no marker related to the outcome."""
    return float(MARKERS * _counts(q)[_least(threshold) :].sum())


def _least(threshold):
    """In how many of the runs a marker has to come."""
    return int(np.ceil(2 * PAIRS * threshold / 100 - 1e-9))


@lru_cache(maxsize=8)
def _counts(q):
    """(2B + 1,) how probable it is that such a marker comes in 0 … 2B of the runs.

    Of a marker with score u on all patients, the halves of a pair have (u ± w)/√2, w standard normal and, given u, as good as
    independent from pair to pair; so its count is the sum of B draws of 0, 1 or 2.
    """
    from scipy.special import ndtri

    cut, grid = -ndtri(q / MARKERS / 2), np.linspace(-6, 6, 401)
    weight = np.exp(-grid * grid / 2) / np.exp(-grid * grid / 2).sum()
    above, below = (np.abs(grid[:, None] + sign * grid) > cut * np.sqrt(2) for sign in (1, -1))
    both, none = (above & below) @ weight, (~above & ~below) @ weight
    turn = np.exp(-2j * np.pi * np.arange(2 * PAIRS + 1) / (2 * PAIRS + 1))
    powers = (none[:, None] + (1 - both - none)[:, None] * turn + both[:, None] * turn**2) ** PAIRS
    return weight @ np.fft.ifft(powers, axis=1).real


def simulate(rng, repeats, threshold, q):
    """How many markers of tables of noise come back so often in 25 pairs of halves."""
    counts, quarter = np.empty(repeats), PATIENTS // 4
    classes = np.repeat([1.0, -1.0], PATIENTS // 2)
    for i in range(repeats):
        X = rng.standard_normal((PATIENTS, MARKERS), dtype=np.float32)
        half = rng.permuted(np.repeat([[[1, 0]]], PAIRS * 2, axis=1).repeat(quarter, axis=2)[0], axis=1).reshape(PAIRS, PATIENTS)
        signs = (np.concatenate([half, 1 - half]) * classes).astype(np.float32)
        # not by BLAS, whose threads take longer to meet than this takes
        often = top(np.abs(np.einsum("ij,jk->ik", signs, X)), q).sum(axis=0)
        counts[i] = np.count_nonzero(often >= _least(threshold))
    return {"filter": counts}


def _say(at, known, seen):
    return (
        f"Keeping what comes back in at least {at['threshold']}% of the halves lets at most {known['bound']:.1f} false "
        f"markers through on average: q²/((2τ − 1)d), where a half selects q = {at['q']} of d = {MARKERS:,} and τ = "
        f"{at['threshold'] / 100:g} is the share that is asked for. This filter would let {known['filter']:.2f} through where "
        f"no marker matters (simulated, {MEAN} tables: {seen['filter']:.2f})."
    )


LESSON = Lesson(
    key="threshold",
    question="Markers in most of the halves are kept. How many are false?",
    story=f"{MARKERS:,} candidates. A table is halved again and again, each half selects its best, and only markers that come "
    "back in most of the halves are kept. Suppose that no marker matters at all.",
    ask=lambda at: (
        f"Every half selects {at['q']}; kept is what comes back in at least {at['threshold']}%. How many false markers "
        "are kept at most, on average?"
    ),
    guess=Guess(high=20, step=0.1),
    controls=(
        Control(key="threshold", label="Kept from this share of the halves on, %", values=(60, 65, 70, 75, 80, 90), default=60),
        Control(key="q", label="Selected in every half", values=(10, 20, 40), default=20),
    ),
    line=tuple(range(56, 97, 2)),
    series={"bound": "at most, by the theorem", "filter": "a filter without any signal"},
    y="False markers kept",
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="A threshold is a promise: with it and the number selected you say how many false markers you accept.",
    source="Meinshausen & Bühlmann, JRSS B 2010, Theorem 1",
    page="pages/panel.py",
    page_label="How many of my markers may be false?",
)
