"""The origin of thresholds: the number of false markers with a high selection frequency."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stabcore.inference.error_bounds import MEINSHAUSEN_BUHLMANN, pfer_bound
from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson, top

MARKERS, PAIRS, PATIENTS = 1000, 25, 64


def theory(threshold: int, q: int) -> dict[str, float]:
    """Return the bound q²/((2τ − 1)d) on false markers, and the number that pass a filter without signal.

    Known for q = 20 of 1000: 2, 0.8 and 0.5 at 60, 75 and 90%.
    """
    return {
        "bound": float(pfer_bound(q, MARKERS, threshold / 100, PAIRS, MEINSHAUSEN_BUHLMANN)),
        "filter": _of_filter(threshold, q),
    }


def _of_filter(threshold, q):
    """Expected number of markers in at least τ of the runs of a filter by |z|, without signal."""
    return float(MARKERS * _counts(q)[_least(threshold) :].sum())


def _least(threshold):
    """The least number of runs that must select a marker."""
    return int(np.ceil(2 * PAIRS * threshold / 100 - 1e-9))


@lru_cache(maxsize=8)
def _counts(q):
    """(2B + 1,) the probabilities that 0 … 2B of the runs select such a marker.

    With score u on all patients, the halves of a pair have (u ± w)/√2, w standard normal and, given u, nearly independent between
    pairs. So the count is the sum of B draws of 0, 1 or 2.
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
    """Return the number of markers of noise tables selected that often in 25 pairs of halves."""
    counts, quarter = np.empty(repeats), PATIENTS // 4
    classes = np.repeat([1.0, -1.0], PATIENTS // 2)
    for i in range(repeats):
        X = rng.standard_normal((PATIENTS, MARKERS), dtype=np.float32)
        half = rng.permuted(np.repeat([[[1, 0]]], PAIRS * 2, axis=1).repeat(quarter, axis=2)[0], axis=1).reshape(PAIRS, PATIENTS)
        signs = (np.concatenate([half, 1 - half]) * classes).astype(np.float32)
        # not by BLAS, whose threads need longer to synchronise than this takes
        counts_of_markers = top(np.abs(np.einsum("ij,jk->ik", signs, X)), q).sum(axis=0)
        counts[i] = np.count_nonzero(counts_of_markers >= _least(threshold))
    return {"filter": counts}


def _describe(settings, expected, simulated):
    return (
        f"Markers selected in at least {settings['threshold']}% of the halves include at most {expected['bound']:.1f} false ones "
        f"on average. The bound is q²/((2τ − 1)d) with q = {settings['q']}, d = {MARKERS:,} and τ = "
        f"{settings['threshold'] / 100:g}. Without signal {expected['filter']:.2f} pass this filter (simulated, "
        f"{MEAN} tables: {simulated['filter']:.2f})."
    )


LESSON = Lesson(
    key="threshold",
    question="Markers in most of the halves are kept. How many are false?",
    story=f"A table has {MARKERS:,} markers. It is halved many times, and each half selects its best. Only markers that most of "
    "the halves select are kept. Suppose that no marker matters.",
    ask=lambda settings: (
        f"Every half selects {settings['q']} markers. Those in at least {settings['threshold']}% of the halves are kept. How many "
        "false markers are kept at most, on average?"
    ),
    guess=Guess(high=20, step=0.1),
    controls=(
        Control(key="threshold", label="Least share of the halves, %", values=(60, 65, 70, 75, 80, 90), default=60),
        Control(key="q", label="Selected in every half", values=(10, 20, 40), default=20),
    ),
    line=tuple(range(56, 97, 2)),
    series={"bound": "at most, by the theorem", "filter": "a filter without signal"},
    y="False markers kept",
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="The threshold and the number of selected markers determine how many false markers you accept.",
    source="Meinshausen & Bühlmann, JRSS B 2010, Theorem 1",
    page="pages/panel.py",
    page_label="How many of my markers may be false?",
)
