"""Knots: how often the interval holds the true end, and how often one is claimed where there is none, with standard errors."""

import numpy as np
from knot_support import clear, fading, headed, shifted, top_of

import stabcore as sc
from stabcore.analysis.agreement_cutoff import agreement_cutoff

TABLES, RUNS = 200, (3, 5, 10, 20, 50, 200)


def made():
    """{name: (M, rng -> scores, true end, is it an end?)}"""
    faint, smooth = clear(size=4.5), fading()
    return {
        "head of 12, one order": (lambda M, rng: headed(12, 130, M, rng), 12, True),
        "head of 12, any order": (lambda M, rng: headed(12, 130, M, rng, ordered=False), 12, True),
        "12 effects, hardly missed": (lambda M, rng: shifted(clear(), M, rng), 12, True),
        "12 effects, often missed": (lambda M, rng: shifted(faint, M, rng), top_of(faint), True),
        "effects that fade": (lambda M, rng: shifted(smooth, M, rng), top_of(smooth), False),
        "no signal": (lambda M, rng: rng.random((M, 130)), None, False),
    }


def main():
    print(f"{'rankings':28}{'end':>5}{'runs':>6}{'an end is claimed':>22}{'interval holds it':>22}{'width':>8}")
    for name, (scores, end, _) in made().items():
        for M in RUNS:
            found = [agreement_cutoff(sc.Selections.from_scores(scores(M, np.random.default_rng([M, i])))) for i in range(TABLES)]
            claimed = np.array([not np.isnan(cutoff.k) for cutoff in found])
            held = np.array([cutoff.low <= end <= cutoff.high for cutoff in found]) if end else np.full(TABLES, np.nan)
            width = np.nanmedian([cutoff.high - cutoff.low for cutoff in found])
            parts = [f"{100 * x.mean():5.1f} ± {100 * np.sqrt(x.mean() * (1 - x.mean()) / TABLES):3.1f}%" for x in (claimed, held)]
            print(f"{name:28}{end or '-':>5}{M:>6}{parts[0]:>22}{parts[1]:>22}{width:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
