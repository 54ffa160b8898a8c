"""Two labs select markers at random: overlap grows with the panel."""

from __future__ import annotations

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson


def theory(k: int, d: int) -> dict[str, float]:
    """Return the mean overlap of two random sets of k of d, k²/d, and their mean Jaccard index, Σ_r P(r) r/(2k − r).

    r is hypergeometric. Known for d = 100: 4 and 0.113 with k = 20, 25 and 0.335 with k = 50.
    """
    from scipy.stats import hypergeom

    r = np.arange(k + 1)
    return {"shared": k * k / d, "jaccard": float(hypergeom(d, k, k).pmf(r) @ (r / (2 * k - r)))}


def simulate(rng, repeats, k, d):
    """Return the overlaps of pairs of random sets."""
    return {"shared": rng.hypergeometric(k, d - k, k, size=repeats).astype(float)}


def _describe(settings, expected, simulated):
    return (
        f"Two random panels of {settings['k']} of {settings['d']:,} markers share {expected['shared']:.1f} on average "
        f"({settings['k']} × {settings['k']} / {settings['d']:,}). Simulated, {MEAN}: {simulated['shared']:.1f}. Their mean "
        f"Jaccard index is {expected['jaccard']:.3f}."
    )


LESSON = Lesson(
    key="blind_labs",
    question="Two labs select markers at random. How many do they share?",
    story="Two laboratories have the same list of markers. Each selects its panel at random, without looking at any patient.",
    ask=lambda settings: f"Each selects {settings['k']} of {settings['d']:,} markers. How many do the two panels share on average?",
    guess=Guess(high=100, step=1),
    controls=(
        Control(key="k", label="Markers in each panel", values=(5, 10, 20, 30, 40, 50), default=20),
        Control(key="d", label="Markers to choose from", values=(50, 100, 200, 1000), default=100),
    ),
    line=tuple(range(1, 51)),
    series={"shared": "markers that both selected"},
    y="Markers in common",
    theory=theory,
    simulate=simulate,
    describe=_describe,
    insight="Overlap grows with the size of the panel. An index without a correction for chance (Jaccard, a count) rates large "
    "panels as stable.",
    source="Kuncheva 2007, and Nogueira, Sechidis & Brown, JMLR 2018, section 3",
    page="pages/stability.py",
    page_label="How stable are my selections?",
)
