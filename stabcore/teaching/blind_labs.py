"""Two labs pick markers blindly: overlap grows with the panel."""

from __future__ import annotations

import numpy as np

from stabcore.teaching.lesson import MEAN, Control, Guess, Lesson


def theory(k: int, d: int) -> dict[str, float]:
    """Mean number of markers that two random sets of k of d share, k²/d; their mean Jaccard index, Σ_r P(r) r/(2k − r), with r
    hypergeometric. Known: k = 20, d = 100: 4 and 0.113; k = 50: 25 and 0.335.
    """
    from scipy.stats import hypergeom

    r = np.arange(k + 1)
    return {"shared": k * k / d, "jaccard": float(hypergeom(d, k, k).pmf(r) @ (r / (2 * k - r)))}


def simulate(rng, repeats, k, d):
    """How many markers each of so many pairs of random sets share."""
    return {"shared": rng.hypergeometric(k, d - k, k, size=repeats).astype(float)}


def _say(at, known, seen):
    return (
        f"Two panels of {at['k']} of {at['d']:,} markers, both picked at random, share {known['shared']:.1f} on average "
        f"({at['k']} × {at['k']} / {at['d']:,}; simulated, {MEAN} draws: {seen['shared']:.1f}). Their mean Jaccard index is "
        f"{known['jaccard']:.3f}, and nobody looked at a patient."
    )


LESSON = Lesson(
    key="blind_labs",
    question="Two labs pick markers blindly. How many do they share?",
    story="Two laboratories are given the same list of markers. Neither looks at a single patient: each picks its panel at random.",
    ask=lambda at: f"Each picks {at['k']} of {at['d']:,} markers. How many do the two panels share on average?",
    guess=Guess(high=100, step=1),
    controls=(
        Control(key="k", label="Markers in each panel", values=(5, 10, 20, 30, 40, 50), default=20),
        Control(key="d", label="Markers to choose from", values=(50, 100, 200, 1000), default=100),
    ),
    line=tuple(range(1, 51)),
    series={"shared": "markers that both picked"},
    y="Markers in common",
    theory=theory,
    simulate=simulate,
    say=_say,
    insight="Overlap grows with the panel, whatever the panel is worth. An index that does not take away what random sets share "
    "(Jaccard, a bare count) calls large panels stable.",
    source="Kuncheva 2007; Nogueira, Sechidis & Brown, JMLR 2018, section 3",
    page="pages/stability.py",
    page_label="How often do the same of my features come back?",
)
