"""Agreement cutoffs: how often one is claimed, and how often the interval holds the peak, with standard errors.

The peak is the number of features at which two runs share most beyond chance. Where effects fade, it is no cutoff.
"""

import numpy as np
from cutoff_support import clear, fading, headed, shifted, top_of

import stabcore as sc
from stabcore.analysis.agreement_cutoff import MIN_RUNS, agreement_cutoff

TABLES, RUNS = 200, (MIN_RUNS, 10, 20, 50, 200)


def made():
    """{name: (M, rng -> scores, peak or None)}"""
    faint, smooth = clear(size=4.5), fading()
    return {
        "head of 12, one order": (lambda M, rng: headed(12, 130, M, rng), 12),
        "head of 12, any order": (lambda M, rng: headed(12, 130, M, rng, ordered=False), 12),
        "12 effects, hardly missed": (lambda M, rng: shifted(clear(), M, rng), 12),
        "12 effects, often missed": (lambda M, rng: shifted(faint, M, rng), top_of(faint)),
        "effects that fade": (lambda M, rng: shifted(smooth, M, rng), top_of(smooth)),
        "no signal": (lambda M, rng: rng.random((M, 130)), None),
    }


def share_of(answers):
    """Share of true answers as text, with its standard error."""
    share = np.mean(answers)
    return f"{100 * share:5.1f} ± {100 * np.sqrt(share * (1 - share) / len(answers)):3.1f}%"


def main():
    print(f"{'rankings':28}{'peak':>5}{'runs':>6}{'a cutoff is claimed':>22}{'interval holds peak':>22}{'width':>8}")
    for name, (scores, peak) in made().items():
        for M in RUNS:
            found = [agreement_cutoff(sc.Selections.from_scores(scores(M, np.random.default_rng([M, i])))) for i in range(TABLES)]
            claimed = share_of([not np.isnan(cutoff.k) for cutoff in found])
            held = share_of([cutoff.low <= peak <= cutoff.high for cutoff in found]) if peak else "-"
            widths = [cutoff.high - cutoff.low for cutoff in found if not np.isnan(cutoff.low)]
            width = f"{np.median(widths):.0f}" if widths else "-"
            print(f"{name:28}{peak or '-':>5}{M:>6}{claimed:>22}{held:>22}{width:>8}", flush=True)


if __name__ == "__main__":
    main()
