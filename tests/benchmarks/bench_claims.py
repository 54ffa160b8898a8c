"""How often something is claimed of equal selectors, by simulation. Printed, not asserted.

    python tests/benchmarks/bench_claims.py [studies]

First the test of predictions, then every maker of sentences in tests/claims_support.py. A good test is wrong in 5% of the results,
and a good interval covers in 95%. The standard error is above each table.
"""

import sys
from collections import Counter

import numpy as np
from claims_support import MAKERS, OF_ITSELF, Compared
from interval_support import filtered
from noise_support import EQUALS, PLANS, REGIMES, noise_study, predictions, simulated
from replication_support import cohort, replication_alarms

import stabcore as sc
from stabcore.inference.predictions import compare_predictions
from stabcore.study.results import Results


def heading(what, n_studies, columns):
    """The results for a table, and the names of their columns."""
    print(f"\n{what}, % of {n_studies} (standard error {100 * (0.05 * 0.95 / n_studies) ** 0.5:.1f} where it is 5)")
    print(f"  {'':30}" + "".join(f"{name[:12]:>13}" for name in columns))


def row(name, counts, n_studies, columns):
    print(f"  {name:30}" + "".join(f"{100 * counts[column] / n_studies:13.1f}" for column in columns), flush=True)


def tests_of_predictions(n_draws, n):
    columns = ("p < 0.05", "in interval")
    heading(f"two selectors of equal accuracy, {n} rows", n_draws, columns)
    for plan in PLANS:
        for kind in EQUALS:
            rng, counts = np.random.default_rng(1), Counter()
            for _ in range(n_draws):
                found = compare_predictions(*predictions(rng, plan, kind, n))
                counts["p < 0.05"] += found.p_value < 0.05
                counts["in interval"] += found.low <= 0 <= found.high
            row(f"{plan}, {kind}", counts, n_draws, columns)


def claims(n_results):
    columns = [maker.name for maker in MAKERS]
    heading("results of four equal selectors of which something is claimed", n_results, columns)
    for name, regime in REGIMES.items():
        counts = Counter()
        for seed in range(n_results):
            compared = Compared(simulated(seed, regime))
            counts.update(maker.name for maker in MAKERS if maker.claimed(compared))
        row(name, counts, n_results, columns)


def judged_on_noise(n_studies):
    """What Stability says of three selectors on tables without signal, each study with its control of 20 shuffles."""
    columns = [*(maker.name for maker in OF_ITSELF), "one clear"]
    heading("studies of tables without signal of which something is claimed", n_studies, columns)
    for kind in ("plain", "blocks", "one factor"):
        for plan in (sc.ComplementaryPairs(10), sc.Subsample(20, 0.05)):
            counts = Counter()
            for seed in range(1000, 1000 + n_studies):
                study = noise_study(seed, kind, ("mim", "welch_t", "mrmr"), plan=plan, n_permutations=20, classifier="none")
                counts.update(maker.name for maker in OF_ITSELF if maker.claimed(study))
                counts["one clear"] += study.noise_floor()["clear"].mean()
            row(f"{kind}, {plan.kind}", counts, n_studies, columns)


def correlated_noise(n_tables):
    """Replication and substitutes without signal: features independent, in six blocks (ρ .7), or with one factor (ρ .5)."""
    plans = {"5% out": sc.Subsample(50, 0.05), "20% out": sc.Subsample(50, 0.2), "halves": sc.ComplementaryPairs(25)}
    columns = ["replicates", *plans]
    heading("noise of correlated features that replicates, or has substitutes", n_tables, columns)
    for kind in ("independent", "blocks", "factor"):
        counts = Counter()
        for seed in range(n_tables):
            X, y = cohort(np.random.default_rng([seed, 5]), kind, n=100)
            counts["replicates"] += bool(replication_alarms(seed, kind)["clear"].iloc[0])
            for name, plan in plans.items():
                counts[name] += len(sc.substitutes(Results({"one": filtered(plan, X, y, seed, k=10)}))) > 0
        row(kind, counts, n_tables, columns)


if __name__ == "__main__":
    n_studies = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tests_of_predictions(n_studies, 300)
    claims(n_studies)
    correlated_noise(n_studies)
    judged_on_noise(max(n_studies // 2, 20))
