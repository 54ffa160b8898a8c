"""Do 95% intervals cover, and does the paired test reject too often? Measured by simulation; nothing here is asserted.

Each regime draws runs that are independent of each other given a truth, as the theory takes them to be. The truth of a measure
is its average over many studies. A good interval covers it in 92–98% of the studies; a good test of two equal selectors
rejects in about 5%. Of plans, the runs are those of a filter on a fixed table, and the truth is its average over many seeds.
Beside each number stands its standard error.

    python tests/benchmarks/bench_intervals.py [studies] [part …]
"""

import sys
from itertools import product

import numpy as np
from interval_support import DEVIATIONS, deviating, filtered, holds, simulated_accuracies, table
from new_patients_support import simulated_intervals

import stabcore as sc
from stabcore.inference.runs_needed import half_width
from stabcore.measures.catalog import BY_KEY

D = 60
REGIMES = {
    "top 15 of noisy scores": lambda rng, m: top(rng, np.linspace(2, -2, D), m, 15, 1.0),
    "top 15, little noise": lambda rng, m: top(rng, np.linspace(2, -2, D), m, 15, 0.2),
    "sizes that vary": lambda rng, m: own_sizes(rng, m),
    "groups that swap": lambda rng, m: top(rng, np.repeat(np.linspace(2, -2, D // 5), 5), m, 12, 0.5),
}
RELATION = sc.Similarity.from_groups({str(g): range(5 * g, 5 * g + 5) for g in range(D // 5)}, n_features=D)


def top(rng, merit, m, k, noise):
    scores = merit + noise * rng.normal(size=(m, D))
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    return np.where(ranks < k, np.exp(scores), 0.0)


def own_sizes(rng, m):
    chance = np.clip(np.linspace(0.9, -0.3, D), 0.02, 0.95)
    return (rng.random((m, D)) < chance * rng.uniform(0.6, 1.0, (m, 1))) * rng.uniform(0.5, 1.5, (m, D))


def coverage(keys, studies):
    print(f"{'coverage of 95% intervals, %':38}" + "".join(f"{key[:12]:>14}" for key in keys))
    for name, draw in REGIMES.items():
        for m in (30, 100):
            rng = np.random.default_rng(1)
            found = {key: [] for key in keys}
            for _ in range(studies):
                runs = sc.Selections.from_weights(draw(rng, m))
                for label in keys:
                    key, _, interval = label.partition("/")
                    one = sc.stability(
                        runs,
                        key,
                        similarity=RELATION,
                        interval=interval or None,
                        **({"draws": 200} if "draws" in str(BY_KEY[key].function.__signature__) else {}),
                    )
                    found[label].append((one.value, one.low, one.high))
            row = f"  {name + f', M = {m}':36}"
            for key in keys:
                value, low, high = np.array(found[key]).T
                known = np.isfinite(low)
                truth = np.nanmean(value)
                row += f"{100 * ((low <= truth) & (truth <= high))[known].mean():14.1f}" if known.any() else f"{'-':>14}"
            print(row, flush=True)


def few_runs(studies):
    """Both intervals of nogueira with few runs; every feature is drawn by itself, most of them seldom or nearly always."""
    print("\ncoverage of the 95% intervals of nogueira, %")
    for how, (d, k) in product(("published", "jackknife"), ((10, 3), (100, 20), (1000, 20))):
        rng = np.random.default_rng(3)
        chance = np.clip(rng.beta(0.3, 0.3 * (d - k) / k, size=d), 0.001, 0.999)
        truth = 1 - (chance * (1 - chance)).mean() / (chance.mean() * (1 - chance.mean()))
        row = f"  {f'{how}, {d} features, about {k} a run':46}"
        for m in (3, 5, 10, 20, 30, 50):
            drawn = [(rng.random((m, d)) < chance).astype(float) for _ in range(studies)]
            found = [sc.stability(sc.Selections.from_weights(one), "nogueira", interval=how) for one in drawn]
            known = [one.low <= truth <= one.high for one in found if np.isfinite(one.low)]
            row += f"{f'M = {m}: {100 * np.mean(known):.0f}':>14}"
        print(row, flush=True)


def false_positives(keys, studies):
    print(f"\n{'paired test of two equal selectors: rejections at 5%, %':38}")
    for name, draw in REGIMES.items():
        for m in (30, 100):
            rng, rejected = np.random.default_rng(2), {key: 0 for key in keys}
            for _ in range(studies):
                first, second = (sc.Selections.from_weights(draw(rng, m)) for _ in range(2))
                for key in keys:
                    rejected[key] += sc.compare(first, second, key, similarity=RELATION).p_value < 0.05
            print(f"  {name + f', M = {m}':36}" + "".join(f"{100 * rejected[key] / studies:14.1f}" for key in keys), flush=True)


def unpaired(studies):
    """Two equal selectors that share no runs: the published test, and the jackknife with Student's t."""
    print("\nunpaired test of two equal selectors by nogueira: rejections at 5%, %")
    for name, draw in REGIMES.items():
        for first, second in ((3, 3), (10, 10), (30, 30), (5, 30)):
            rng, rejected = np.random.default_rng(2), {"published": [], "jackknife": []}
            for _ in range(studies):
                both = [sc.Selections.from_weights(draw(rng, m)) for m in (first, second)]
                for how, found in rejected.items():
                    found.append(sc.compare(*both, paired=False, interval=how).p_value < 0.05)
            print(
                f"  {f'{name}, {first} and {second} runs':46}"
                + "".join(f"{how:>12}: {share(found)}" for how, found in rejected.items()),
                flush=True,
            )


PLANS = {
    "subsample 50": sc.Subsample(50, 0.2),
    "bootstrap 50": sc.Bootstrap(50),
    "3 halves": sc.ComplementaryPairs(3),
    "5 halves": sc.ComplementaryPairs(5),
    "25 halves": sc.ComplementaryPairs(25),
    "10-fold": sc.RepeatedKFold(10),
    "10-fold × 3": sc.RepeatedKFold(10, 3),
    "10-fold × 5": sc.RepeatedKFold(10, 5),
    "10-fold × 10": sc.RepeatedKFold(10, 10),
    "5-fold × 10": sc.RepeatedKFold(5, 10),
    "nested 10 × 10": sc.NestedKFold(),
    "nested 5 × 5": sc.NestedKFold(5, 5),
}


def plans(studies, tables=3):
    """Intervals of nogueira when runs were drawn by a plan, counted as the plan says and run by run."""
    print("\nof each plan: error told / true error, coverage of 95% intervals in %, mean half width")
    for name, plan in PLANS.items():
        row = {"by unit": [], "run by run": []}
        for number in range(tables):
            X, y = table(number)
            runs = [filtered(plan, X, y, seed) for seed in range(studies // tables)]
            for how, ours in row.items():
                found = [sc.stability(one if how == "by unit" else one.in_units(None), interval="jackknife") for one in runs]
                value = np.array([one.value for one in found])
                told, half = np.array([(one.se, half_width(one, one.n_runs)) for one in found]).T
                ours.append((np.nanmean(told) / value.std(ddof=1), [holds(one, value.mean()) for one in found], np.nanmean(half)))
        print(
            f"  {name:16}"
            + "".join(
                f"{how:>14} ({runs[0].n_units if how == 'by unit' else runs[0].n_runs:3}): {np.mean([a for a, _, _ in ours]):.2f}, "
                f"{share(sum((b for _, b, _ in ours), []))}, ± {np.mean([c for _, _, c in ours]):.3f}"
                for how, ours in row.items()
            ),
            flush=True,
        )


def seldom(keys, studies):
    """Selectors that deviate in 1 of 20 and 1 of 5 runs: coverage of whatever is shown, and how often nothing is."""
    print("\nselectors that seldom deviate: coverage in % of the interval or lower limit (studies in which nothing is shown)")
    for deviation, rate in product(DEVIATIONS, (0.05, 0.2)):
        rng = np.random.default_rng(4)
        truth = {key: BY_KEY[key].function(deviating(rng, 1500, rate, deviation), WIDER) for key in keys}
        for m in (3, 5, 10, 20, 50):
            row = f"  {f'{rate:.0%} {deviation}, M = {m}':34}"
            drawn = [deviating(rng, m, rate, deviation) for _ in range(studies)]
            for key in keys:
                found = [holds(sc.stability(runs, key, similarity=WIDER), truth[key]) for runs in drawn]
                shown = [one for one in found if one is not None]
                row += f"{key[:12]:>14}: {share(shown)} ({len(found) - len(shown)})"
            print(row, flush=True)


WIDER = sc.Similarity.from_groups({str(g): range(3 * g, 3 * g + 3) for g in range(10)}, n_features=30)


def new_patients(tables):
    """Intervals for new patients: do they hold the average over tables, and how much wider are they than needed?"""
    print("\nnew patients, 25 pairs, ten of 100 features: Φ, then κ of halves: coverage in %, width / needed")
    for selector, kind, n, effect in [
        *product(("filter", "mrmr"), ("independent",), (100, 300), (0.0, 0.35, 0.7)),
        *product(("filter",), ("blocks", "factor"), (100,), (0.0, 0.35, 0.7)),
    ]:
        value, half = simulated_intervals(tables, n, effect, kind, selector)
        row = f"  {f'{selector}, {kind}, n = {n}, effect {effect:g}':44}"
        for m in (0, 1):
            hits = np.abs(value[:, m] - value[:, m].mean()) <= half[:, m]
            row += f"{share(hits):>16}, {half[:, m].mean() / (1.96 * value[:, m].std(ddof=1)):.2f}"
        print(row, flush=True)


ACCURACY = {
    "5% out": sc.Subsample(50, 0.05),
    "10% out": sc.Subsample(50, 0.1),
    "20% out": sc.Subsample(50, 0.2),
    "bootstrap": sc.Bootstrap(50),
    "10-fold": sc.RepeatedKFold(10),
    "10-fold × 5": sc.RepeatedKFold(10, 5),
    "halves": sc.ComplementaryPairs(25),
}


def accuracies(tables):
    """Intervals of scores on held-out rows, nearest mean of the ten best of 100 features: do they hold the average over tables?"""
    print("\naccuracy, balanced accuracy, AUC: coverage in %, width / needed")
    for (name, plan), (n, effect, cases) in product(
        ACCURACY.items(), ((100, 0.0, 0.5), (100, 0.6, 0.5), (300, 0.6, 0.5), (100, 0.6, 0.2))
    ):
        row = f"  {f'{name}, n = {n}, effect {effect:g}, {cases:.0%} cases':44}"
        for score in ("accuracy", "balanced_accuracy", "auc"):
            value, low, high = simulated_accuracies(plan, tables, effect, n, 100, cases, score=score).T
            hits = (low <= np.nanmean(value)) & (np.nanmean(value) <= high)
            row += f"{share(hits[np.isfinite(low)]):>16}, {np.nanmean(high - low) / 2 / (1.96 * np.nanstd(value, ddof=1)):.2f}"
        print(row, flush=True)


def share(hits):
    """A share in % with its standard error."""
    hits = [one for one in hits if one is not None]
    if not hits:
        return "-"
    mean = np.mean(hits)
    return f"{100 * mean:.1f} ± {100 * np.sqrt(mean * (1 - mean) / len(hits)):.1f}"


PARTS = {
    "coverage": lambda many: coverage(
        [
            "nogueira/published",
            "nogueira/jackknife",
            "effective",
            "jaccard",
            "phi",
            "importance_weighted",
            "somol",
            "novovicova",
            "davis",
            "zucknick",
            "yu",
            "intersection_mbm",
            "pearson_weights",
            "canberra",
        ],
        many,
    ),
    "few": few_runs,
    "paired": lambda many: false_positives(["nogueira", "effective", "jaccard", "importance_weighted"], many),
    "unpaired": unpaired,
    "plans": plans,
    "patients": new_patients,
    "accuracy": accuracies,
    "seldom": lambda many: seldom(["nogueira", "jaccard", "effective", "importance_weighted", "pearson_weights"], many),
}

if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for part in sys.argv[2:] or PARTS:
        PARTS[part](many)
