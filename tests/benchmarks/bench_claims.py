"""How often is something claimed of selectors that are equal? Measured by simulation; nothing here is asserted.

First the tests themselves, then every maker of sentences (tests/claims_support.py lists them), then what more runs do. A good test
is wrong in 5% of the results, a good interval covers in 95%; the standard error stands above each table.
"""

import sys
from collections import Counter

import numpy as np
from claims_support import MAKERS, OF_ITSELF, Compared
from interval_support import filtered
from noise_support import EQUALS, PLANS, REGIMES, noise_study, predictions, simulated
from replication_support import cohort, replication_alarms
from scipy.special import bdtr

import stabcore as sc
from stabcore.data.blanks import blanks
from stabcore.inference.predictions import compare_predictions
from stabcore.study.results import Results
from stabcore.study.scores import compare_scores


def ahead_on_more_rows(found):
    """p of the sign test that gave each row to whoever is right in more runs: it rewards the steadier selector."""
    b, c = found.first_ahead, found.second_ahead
    return min(1.0, 2 * bdtr(min(b, c), b + c, 0.5)) if b + c else 1.0


def error(many):
    return f"standard error {100 * (0.05 * 0.95 / many) ** 0.5:.1f} where it is 5"


def tests_of_predictions(many, n):
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
            print(
                f"  {plan + ', ' + kind:34}"
                + "".join(
                    f"{100 * wrong[one] / many:{wide}.1f}"
                    for one, wide in (("flip", 12), ("interval", 14), ("score", 14), ("ahead", 15))
                ),
                flush=True,
            )


def power(many):
    print(f"\nwhat can be seen: how often of {many} a true difference is found, and the one that is said to be found in 80%")
    for n, pairs, plan, other in (
        (100, 28, "once", 0.8),
        (100, 28, "once", 0.66),
        (100, 1, "once", 0.74),
        (300, 28, "once", 0.78),
        (300, 28, "kfold", 0.81),
        (300, 28, "bootstrap", 0.82),
        (300, 1, "bootstrap", 0.844),
    ):
        rng = np.random.default_rng(2)
        found = [compare_predictions(*predictions(rng, plan, "unsteady", n, (0.9, other))) for _ in range(many)]
        print(
            f"  {n} rows, {plan:10} {pairs:2} pairs: 0.90 against {other:.3f}: found in "
            f"{100 * np.mean([one.p_value < 0.05 / pairs for one in found]):5.1f}%, "
            f"detectable {np.mean([one.detectable(pairs) for one in found]):.3f} against {0.9 - other:.3f}",
            flush=True,
        )


def claims(many):
    print(f"\nresults of four equal selectors of which something is claimed, % of {many} ({error(many)})")
    print(f"  {'':14}" + "".join(f"{maker.name[:12]:>13}" for maker in MAKERS))
    for name, regime in REGIMES.items():
        counted = Counter()
        for seed in range(many):
            compared = Compared(simulated(seed, regime))
            counted.update(maker.name for maker in MAKERS if maker.claimed(compared))
        print(f"  {name:14}" + "".join(f"{100 * counted[maker.name] / many:13.1f}" for maker in MAKERS), flush=True)


def judged_on_noise(many):
    """What Stability says of three selectors on tables without any signal, each study with its control of 20 shuffles."""
    print(f"\nstudies of tables without any signal of which something is claimed, % of {many} ({error(many)})")
    print(f"  {'table, plan':28}" + "".join(f"{maker.name[:18]:>20}" for maker in OF_ITSELF) + f"{'one selector clear':>20}")
    for kind in ("plain", "blocks", "one factor"):
        for plan in (sc.ComplementaryPairs(10), sc.Subsample(20, 0.05)):
            counted, clear = Counter(), []
            for seed in range(1000, 1000 + many):
                study = noise_study(seed, kind, ("mim", "welch_t", "mrmr"), plan=plan, n_permutations=20, classifier="none")
                counted.update(maker.name for maker in OF_ITSELF if maker.claimed(study))
                clear.append(study.noise_floor()["clear"].mean())
            print(
                f"  {kind + ', ' + plan.kind:28}"
                + "".join(f"{100 * counted[maker.name] / many:20.1f}" for maker in OF_ITSELF)
                + f"{100 * np.mean(clear):20.1f}",
                flush=True,
            )


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
            first, second = (sc.Selections.from_matrix(one[:m].astype(int)) for one in chosen)
            differ[m] += sc.compare(first, second).p_value < 0.05
    print("  " + ", ".join(f"{m} runs: {100 * differ[m] / many:.0f}" for m in runs), flush=True)


def correlated_noise(many):
    """Replication and swaps without any signal: features independent, in six blocks (ρ .7), or with one factor (ρ .5)."""
    print(f"\nnoise of correlated features: claimed in % of {many} ({error(many)})")
    for kind in ("independent", "blocks", "factor"):
        again = [replication_alarms(seed, kind)["clear"].iloc[0] for seed in range(many)]
        row = f"  {kind:14} replicates {100 * np.mean(again):5.1f}"
        for name, plan in (
            ("5% out", sc.Subsample(50, 0.05)),
            ("20% out", sc.Subsample(50, 0.2)),
            ("halves", sc.ComplementaryPairs(25)),
        ):
            shown = 0
            for seed in range(many):
                X, y = cohort(np.random.default_rng([seed, 5]), kind, n=100)
                shown += len(sc.substitutes(Results({"one": filtered(plan, X, y, seed, k=10)}))) > 0
            row += f", swaps {name} {100 * shown / many:5.1f}"
        print(row, flush=True)


def missing_cells(many, d=20):
    """Blanks that have nothing to do with the outcome: is any of d columns called different between the classes?"""
    print(f"\nany of {d} columns has blanks that differ by class, in % of {many} tables without signal ({error(many)})")
    for n, classes, shared in ((80, 2, 0.0), (80, 2, 0.8), (300, 2, 0.0), (300, 2, 0.8), (120, 3, 0.0), (120, 3, 0.8)):
        rng, alarms = np.random.default_rng(4), 0
        for _ in range(many):
            y = rng.integers(0, classes, n)
            z = np.sqrt(shared) * rng.normal(size=(n, 1)) + np.sqrt(1 - shared) * rng.normal(size=(n, d))
            values = np.where(z > rng.uniform(0.2, 1.8, d), np.nan, 0.0)
            alarms += blanks(values, [str(j) for j in range(d)], y, tuple("abc"[:classes]))["differs"].any()
        print(f"  {n} rows, {classes} classes, one factor {shared:.1f}: {100 * alarms / many:.1f}", flush=True)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tests_of_predictions(many)
    power(many)
    claims(many)
    more_runs(many)
    correlated_noise(many)
    judged_on_noise(max(many // 2, 20))
    missing_cells(many)
