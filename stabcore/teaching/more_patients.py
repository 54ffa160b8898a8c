"""The number of patients for a correct panel, and the agreement that shows it."""

from __future__ import annotations

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson, agreement, top

MARKERS, TRUE, KEPT = 1000, 20, 0.95


def theory(patients: int, effect: float) -> dict[str, float]:
    """Return the true share of a panel of 20 and the agreement of two runs, with scores N(μ, 1), μ = effect · √n/2.

    Known for an effect of 0.3 and n = 100, 200, 500, 1000, 2000. Two halves: 0.006, 0.029, 0.18, 0.51, 0.88. 5% left out: 0.68,
    0.72, 0.84, 0.95, 1.00. True share selected on 95%: 0.18, 0.34, 0.70, 0.93, 1.00.
    """
    mean = effect * np.sqrt(patients) / 2
    cut, half_cut = _cut(mean * np.sqrt(KEPT)), _cut(mean * np.sqrt(0.5))
    return {
        "true": float(_passes(cut, mean * np.sqrt(KEPT))),
        "runs": _beyond(lambda of: _both(cut, of * np.sqrt(KEPT), KEPT), mean),
        "halves": _beyond(lambda of: _passes(half_cut, of * np.sqrt(0.5)) ** 2, mean),
    }


def _passes(cut, mean):
    """P(|Z| > c) of Z ~ N(μ, 1)."""
    from scipy.special import ndtr

    return ndtr(mean - cut) + ndtr(-mean - cut)


def _cut(mean):
    """The cut-off that 20 markers exceed on average."""
    from scipy.optimize import brentq

    return brentq(lambda cut: (MARKERS - TRUE) * _passes(cut, 0) + TRUE * _passes(cut, mean) - TRUE, 0, 50)


def _both(cut, mean, rho):
    """P(|X| > c, |Y| > c) of two scores with mean μ and correlation ρ."""
    u = np.linspace(-8, 8, 1601)
    weight = np.exp(-u * u / 2) / np.exp(-u * u / 2).sum()
    spread = np.sqrt(1 - rho)
    return weight @ _passes(cut / spread, (mean + np.sqrt(rho) * u) / spread) ** 2


def _beyond(both, mean):
    """Stability from the probability that two runs both select a marker of this mean on all patients."""
    share = TRUE / MARKERS
    mean_both = ((MARKERS - TRUE) * both(0.0) + TRUE * both(mean)) / MARKERS
    return float((mean_both - share**2) / (share * (1 - share)))


def simulate(rng, repeats, patients, effect):
    """Return true shares and agreements in studies of scores with 20 true markers."""
    mean = np.zeros(MARKERS)
    mean[:TRUE] = effect * np.sqrt(patients) / 2
    all_rows = mean + rng.normal(size=(repeats, 1, MARKERS))
    split = rng.normal(size=(repeats, 1, MARKERS))
    halves = top(np.abs(np.concatenate([all_rows + split, all_rows - split], axis=1)), TRUE)
    noise = rng.normal(size=(repeats, 2, MARKERS)) * np.sqrt(1 - KEPT)
    runs = top(np.abs(all_rows * np.sqrt(KEPT) + noise), TRUE)
    return {
        "true": runs[:, 0, :TRUE].mean(axis=1),
        "runs": agreement(runs[:, 0], runs[:, 1]),
        "halves": agreement(halves[:, 0], halves[:, 1]),
    }


def _describe(settings, expected, simulated):
    return (
        f"With {settings['patients']:,} patients, {expected['true'] * TRUE:.1f} of the {TRUE} chosen markers are true (simulated, "
        f"{MEAN}: {simulated['true'] * TRUE:.1f}). Runs that leave 5% out have a stability of {expected['runs']:.2f}, two halves "
        f"of {expected['halves']:.2f}."
    )


LESSON = Lesson(
    key="more_patients",
    question="How many patients until the panel is right?",
    story=f"{TRUE} of {MARKERS:,} markers are true, each with a small effect. A study selects the {TRUE} that look best. Half of "
    "the patients are sick.",
    ask=lambda settings: (
        f"With {settings['patients']:,} patients and an effect of {settings['effect']:g} standard deviations, how many of the "
        f"{TRUE} chosen markers are true?"
    ),
    guess=Guess(high=TRUE, step=1),
    right=lambda settings, expected: expected["true"] * TRUE,
    controls=(
        Control(key="patients", label="Patients", values=(100, 200, 500, 1000, 2000), default=200),
        Control(key="effect", label="Effect, in standard deviations", values=(0.2, 0.3, 0.5, 0.8), default=0.3),
    ),
    line=(100, 150, 200, 300, 400, 500, 700, 1000, 1400, 2000),
    log=True,
    y="Share, or stability",
    series={"true": "true share of the panel", "runs": "two runs, 5% left out", "halves": "two disjoint halves"},
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Small studies look stable when runs share nearly all patients. Only split-half agreement distinguishes the small "
    "study from the large one.",
    source="Normal model with independent markers. Ein-Dor, Zuk & Domany, PNAS 2006",
    page="pages/stability.py",
    page_label="What is the split-half agreement of my study?",
)
