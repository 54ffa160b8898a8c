"""How often is something claimed of selectors that are equal? Measured by simulation; nothing here is asserted.

First the tests themselves, then every maker of sentences (tests/claims_support.py lists them), then what more runs do. A good test
is wrong in 5% of the results, a good interval covers in 95%; the standard error stands above each table.
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.special import bdtr

import stabcore as sc
from stabcore.inference.predictions import compare_predictions
from stabcore.study.accuracy import compare_scores

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from claims_support import MAKERS, Compared
from noise_support import EQUALS, PLANS, REGIMES, predictions, simulated


def ahead_on_more_rows(found):
    """p of the sign test that gave each row to whoever is right in more runs: it rewards the steadier selector."""
    b, c = found.first_ahead, found.second_ahead
    return min(1.0, 2 * bdtr(min(b, c), b + c, 0.5)) if b + c else 1.0


def error(many):
    return f"standard error {100 * (0.05 * 0.95 / many) ** 0.5:.1f} where it is 5"


def tests_of_predictions(many, n=300):
    print(f"two selectors of equal accuracy, {n} rows: p < 0.05 in % of {many} ({error(many)})")
    print(f"  {'plan, and how they differ':34}{'sign-flip':>12}{'its interval':>14}{'by run (N-B)':>14}{'ahead on rows':>15}")
    for plan in PLANS:
        for kind in EQUALS:
            rng, wrong = np.random.default_rng(1), Counter()
            for _ in range(many):
                first, second, target = predictions(rng, plan, kind, n)
                found = compare_predictions(first, second, target)
                wrong["flip"] += found.p_value < 0.05
                wrong["interval"] += found.low <= 0 <= found.high
                wrong["score"] += compare_scores(first, second, target, 2).p_value < 0.05
                wrong["ahead"] += ahead_on_more_rows(found) < 0.05
            print(f"  {plan + ', ' + kind:34}" + "".join(f"{100 * wrong[one] / many:{wide}.1f}" for one, wide in (
                ("flip", 12), ("interval", 14), ("score", 14), ("ahead", 15))), flush=True)


def power(many):
    print(f"\nwhat can be seen: how often of {many} a true difference is found, and the one that is said to be found in 80%")
    for n, pairs, plan, other in ((100, 28, "once", 0.8), (100, 28, "once", 0.66), (100, 1, "once", 0.74), (300, 28, "once", 0.78),
                                  (300, 28, "kfold", 0.81), (300, 28, "bootstrap", 0.82), (300, 1, "bootstrap", 0.844)):
        rng = np.random.default_rng(2)
        found = [compare_predictions(*predictions(rng, plan, "unsteady", n, (0.9, other))) for _ in range(many)]
        print(f"  {n} rows, {plan:10} {pairs:2} pairs: 0.90 against {other:.3f}: found in "
              f"{100 * np.mean([one.p_value < 0.05 / pairs for one in found]):5.1f}%, "
              f"detectable {np.mean([one.detectable(pairs) for one in found]):.3f} against {0.9 - other:.3f}", flush=True)


def claims(many):
    print(f"\nresults of four equal selectors of which something is claimed, % of {many} ({error(many)})")
    print(f"  {'':14}" + "".join(f"{maker.name[:12]:>13}" for maker in MAKERS))
    for name, regime in REGIMES.items():
        counted = Counter()
        for seed in range(many):
            compared = Compared(simulated(seed, regime))
            counted.update(maker.name for maker in MAKERS if maker.claimed(compared))
        print(f"  {name:14}" + "".join(f"{100 * counted[maker.name] / many:13.1f}" for maker in MAKERS), flush=True)


def more_runs(many, n=100, d=50, k=10):
    """Two selectors that rank features by their difference between the classes, each on features of its own."""
    print(f"\ntwo selectors that are equally stable over datasets: % of {many} datasets on which they differ with p < 0.05")
    rng, runs = np.random.default_rng(3), (10, 50, 200)
    differ = Counter()
    for _ in range(many):
        keep = np.array([rng.permutation(n) < 0.95 * n for _ in range(max(runs))])
        outcome = np.where(rng.permutation(n) < n / 2, 1, -1)
        chosen = []
        for _ in range(2):
            scores = np.abs((keep * outcome) @ rng.normal(size=(n, d)))
            chosen.append((-scores).argsort(axis=1).argsort(axis=1) < k)
        for m in runs:
            first, second = (sc.Preferences.from_selection_matrix(one[:m].astype(int)) for one in chosen)
            differ[m] += sc.compare(first, second).p_value < 0.05
    print("  " + ", ".join(f"{m} runs: {100 * differ[m] / many:.0f}" for m in runs), flush=True)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tests_of_predictions(many)
    power(many)
    claims(many)
    more_runs(many)
