"""No marker matters, yet runs agree, because they share patients."""

from __future__ import annotations

import numpy as np

from stabcore.teaching.lesson import BOTH, IN, Control, Draw, Guess, Lesson, Step, agreement, marked, top

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


def draw(rng, left_out, k):
    """Return agreements on one noise table: of two runs that leave patients out, and of two halves, scored by class means."""
    size = PATIENTS // 2
    sick, well = rng.standard_normal((2, size, MARKERS), dtype=np.float32)
    keep = round(size * (1 - left_out / 100))
    used = np.stack([_used(rng, size, keep) for _ in range(2)])
    chosen = _chosen(sick, well, used, k)
    half = _used(rng, size, size // 2)
    halves = _chosen(sick, well, np.stack([half, ~half]), k)
    rows = {f"Patients {run + 1}": used[run].ravel().astype(int) for run in range(2)}
    rows |= {f"Markers {run + 1}": marked(chosen[run], chosen[1 - run]) for run in range(2)}
    values = {"floor": agreement(chosen[0], chosen[1]), "halves": agreement(halves[0], halves[1])}
    return Draw({name: float(value) for name, value in values.items()}, rows)


def _used(rng, size, keep):
    """(2, size) bool: the patients of each class that a run keeps."""
    used = np.zeros((2, size), dtype=bool)
    for of_class in used:
        of_class[rng.permutation(size)[:keep]] = True
    return used


def _chosen(sick, well, used, k):
    """(2, d) bool: the k markers that differ most between the classes, for each of two runs (2, 2, size)."""
    return top(np.abs(np.stack([sick[run[0]].mean(axis=0) - well[run[1]].mean(axis=0) for run in used])), k)


def _describe(settings, expected):
    return (
        f"No marker matters, but two runs that each leave {settings['left_out']}% of the patients out have a stability of "
        f"{expected['floor']:.2f}. Two disjoint halves have {expected['halves']:.0f}, as expected by chance."
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
    draw=draw,
    describe=_describe,
    cells={IN: "in this run", BOTH: "selected by both"},
    insight="A stable selection need not be true. Runs agree because they share patients. Compare a stability with the noise "
    "floor of the same study. Two disjoint halves share no patient.",
    note="Many guess 0, because nothing is to be found. The runs share nearly all patients, so they find the same chance "
    "differences again.",
    steps=(
        Step(words="Two runs on the same patients. Each leaves a few out."),
        Step(words="A thousand studies without any signal. Their runs agree each time.", draws=1000),
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
