"""No marker matters, yet runs agree, because they share patients."""

from __future__ import annotations

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson, agreement, top

PATIENTS, MARKERS = 200, 130
NODES = 8  # nodes of Gauss-Hermite quadrature for each of the two cut-offs
STEPS = 64  # nodes of Gauss-Legendre quadrature for the correlation


def theory(left_out: int, k: int) -> dict[str, float]:
    """Return the expected stability of two runs that share 1 − left_out/100 of their patients, and of two complementary halves.

    Exactly k of d markers are selected, so the cut-off of a run is itself random. Given marker f, both runs select f if its
    p-values U and V are below S and T, the k-th smallest p-values of the other d − 1 markers in the two runs. So
        E|A ∩ B|/d = E C(S, T),      stability = (E C(S, T) − π²)/(π(1 − π)),      π = k/d,
    where C(s, t) = P(U < s, V < t) for normal scores with correlation ρ = 1 − left_out/100. S and T follow Beta(k, d − k). Their
    dependence is approximated by a normal copula with the correlation of two order statistics, (C(π, π) − π²)/(π(1 − π)). That
    correlation is also the stability for d → ∞, stabcore.inference.noise_floor.noise_floor. Halves share no patient: 0.
    Known by simulation for 5% left out (standard error 0.001): 0.714 for k = 20 and 0.661 for k = 5.
    Source: Plackett 1954 for C, and David & Nagaraja 2003, Order Statistics, for S and T.
    """
    from scipy.special import betaincinv, ndtr, ndtri

    share, rho = k / MARKERS, 1 - left_out / 100
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    u, v = (axis.ravel() for axis in np.meshgrid(nodes, nodes))
    weight = np.outer(weights, weights).ravel() / weights.sum() ** 2
    together = _excess(_both_above(-ndtri([share / 2]), -ndtri([share / 2]), rho)[0], share)
    first, second = (betaincinv(k, MARKERS - k, ndtr(normal)) for normal in (u, together * u + np.sqrt(1 - together**2) * v))
    both = _both_above(-ndtri(first / 2), -ndtri(second / 2), rho) @ weight
    return {"floor": float(_excess(both, share)), "halves": 0.0}


def _excess(both, share):
    """Chance-corrected agreement of two selections, given the probability that both select a marker."""
    return (both - share**2) / (share * (1 - share))


def _both_above(a, b, rho):
    """P(|X| > a, |Y| > b) of standard normal X and Y with correlation ρ, elementwise: the density integrated over ρ = sin t."""
    from scipy.special import ndtr

    nodes, weights = np.polynomial.legendre.leggauss(STEPS)
    top = np.arcsin(rho)
    t, a, b = top * (nodes + 1) / 2, np.asarray(a)[:, None], np.asarray(b)[:, None]
    squares, mixed, spread = a * a + b * b, 2 * a * b * np.sin(t), 2 * np.cos(t) ** 2
    inside = np.exp(-(squares - mixed) / spread) - np.exp(-(squares + mixed) / spread)
    return 4 * ndtr(-a[:, 0]) * ndtr(-b[:, 0]) + top / (2 * np.pi) * (inside @ weights)


def simulate(rng, repeats, left_out, k):
    """Return agreements on noise tables: of two runs that leave patients out, and of two halves, scored by class means."""
    values = {"floor": np.empty(repeats), "halves": np.empty(repeats)}
    size = PATIENTS // 2
    keep = round(size * (1 - left_out / 100))
    for i in range(repeats):
        sick, well = rng.standard_normal((2, size, MARKERS), dtype=np.float32)
        chosen = top(np.abs(np.stack([_difference(rng, sick, well, keep) for _ in range(2)])), k)
        values["floor"][i] = agreement(chosen[0], chosen[1])
        order = rng.permutation(size)
        parts = [sick[half].mean(axis=0) - well[half].mean(axis=0) for half in (order[: size // 2], order[size // 2 :])]
        first_half, other = top(np.abs(np.stack(parts)), k)
        values["halves"][i] = agreement(first_half, other)
    return values


def _difference(rng, sick, well, keep):
    """Difference of the class means over `keep` random patients of each class."""
    return sick[rng.permutation(len(sick))[:keep]].mean(axis=0) - well[rng.permutation(len(well))[:keep]].mean(axis=0)


def _describe(settings, expected, simulated):
    return (
        f"No marker matters. Two runs that each leave {settings['left_out']}% of the patients out have a stability of "
        f"{expected['floor']:.2f} (simulated, {MEAN}: {simulated['floor']:.2f}). Two disjoint halves have {expected['halves']:.0f} "
        f"(simulated: {simulated['halves']:z.2f}), as expected by chance."
    )


LESSON = Lesson(
    key="shared_rows",
    question="No marker matters. How stable is the selection?",
    story=f"A study has {PATIENTS} patients and {MARKERS} markers. No marker is related to the disease. Each run leaves a few "
    "patients out and selects the markers that differ most between sick and well.",
    ask=lambda settings: (
        f"Each run leaves {settings['left_out']}% of the patients out and selects {settings['k']} markers. How stable is the "
        "selection, if 0 is random subsets and 1 is the same markers every time?"
    ),
    guess=Guess(),
    controls=(
        Control(key="left_out", label="Patients left out each time, %", values=(5, 10, 20, 30, 50), default=5),
        Control(key="k", label=f"Markers selected of {MARKERS}", values=(5, 20, 60), default=20),
    ),
    line=tuple(range(5, 51, 3)),
    series={"floor": "two runs of a study", "halves": "two disjoint halves"},
    y="Stability (Nogueira)",
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="A stable selection need not be true. Runs agree because they share patients. Compare a stability with the noise "
    "floor of the same study. Two disjoint halves share no patient.",
    source="Two normal scores: Plackett, Biometrika 1954. Complementary halves: Shah & Samworth, JRSS B 2013",
    page="pages/stability.py",
    page_label="What is the noise floor of my study?",
)
