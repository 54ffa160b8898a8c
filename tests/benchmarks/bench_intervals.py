"""Coverage of 95% intervals, and false alarms of the paired test, by simulation. Printed, not asserted.

Each regime draws runs that are independent given a truth, as the theory assumes. The truth of a measure is its average over many
studies. A good interval covers it in 92 to 98% of the studies. A good test of two equal selectors rejects in about 5%. For
plans, the runs are those of a filter on a fixed table, and the truth is its average over many seeds. Each number has its standard
error.

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
COVERED = (
    *("nogueira/published", "nogueira/jackknife", "effective", "jaccard", "phi", "importance_weighted", "somol", "novovicova"),
    *("davis", "zucknick", "yu", "intersection_mbm", "pearson_weights", "canberra"),
)
WIDER = sc.Similarity.from_groups({str(g): range(3 * g, 3 * g + 3) for g in range(10)}, n_features=30)
RELATION = sc.Similarity.from_groups({str(g): range(5 * g, 5 * g + 5) for g in range(D // 5)}, n_features=D)


def top(rng, merit, m, k, noise):
    scores = merit + noise * rng.normal(size=(m, D))
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    return np.where(ranks < k, np.exp(scores), 0.0)


def own_sizes(rng, m):
    chance = np.clip(np.linspace(0.9, -0.3, D), 0.02, 0.95)
    return (rng.random((m, D)) < chance * rng.uniform(0.6, 1.0, (m, 1))) * rng.uniform(0.5, 1.5, (m, D))


def regimes():
    """(name, runs, how they are drawn, random numbers)"""
    for (name, draw), m in product(REGIMES.items(), (30, 100)):
        yield f"{name}, M = {m}", m, draw, np.random.default_rng(1)


def heading(what, columns):
    print(f"\n{what}\n  {'':42}" + "".join(f"{column[:18]:>20}" for column in columns), flush=True)


def row(name, cells):
    print(f"  {name:42}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def coverage(studies):
    heading("coverage of 95% intervals, %", COVERED)
    for name, m, draw, rng in regimes():
        found = {key: [] for key in COVERED}
        for _ in range(studies):
            runs = sc.Selections.from_weights(draw(rng, m))
            for label in COVERED:
                key, _, how = label.partition("/")
                draws = {"draws": 200} if "draws" in str(BY_KEY[key].function.__signature__) else {}
                estimate = sc.stability(runs, key, similarity=RELATION, interval=how or None, **draws)
                found[label].append((estimate.value, estimate.low, estimate.high))
        cells = []
        for values in found.values():
            value, low, high = np.array(values).T
            truth, finite = np.nanmean(value), np.isfinite(low)
            cells.append(share(((low <= truth) & (truth <= high))[finite]))
        row(name, cells)


def few_runs(studies):
    """Both intervals of nogueira with few runs. Features are independent, and most are selected rarely or nearly always."""
    run_counts = (3, 5, 10, 20, 30, 50)
    heading("coverage of the 95% intervals of nogueira with few runs, %", [f"M = {m}" for m in run_counts])
    for how, (d, k) in product(("published", "jackknife"), ((10, 3), (100, 20), (1000, 20))):
        rng, cells = np.random.default_rng(3), []
        chance = np.clip(rng.beta(0.3, 0.3 * (d - k) / k, size=d), 0.001, 0.999)
        truth = 1 - (chance * (1 - chance)).mean() / (chance.mean() * (1 - chance.mean()))
        for m in run_counts:
            drawn = [(rng.random((m, d)) < chance).astype(float) for _ in range(studies)]
            found = [sc.stability(sc.Selections.from_weights(frequencies), interval=how) for frequencies in drawn]
            cells.append(share([estimate.low <= truth <= estimate.high for estimate in found if np.isfinite(estimate.low)]))
        row(f"{how}, {d} features, about {k} a run", cells)


def paired(studies):
    keys = ("nogueira", "effective", "jaccard", "importance_weighted")
    heading("paired test of two equal selectors: rejections at 5%, %", keys)
    for name, m, draw, rng in regimes():
        rejected = {key: [] for key in keys}
        for _ in range(studies):
            first, second = (sc.Selections.from_weights(draw(rng, m)) for _ in range(2))
            for key, found in rejected.items():
                found.append(sc.compare(first, second, key, similarity=RELATION).p_value < 0.05)
        row(name, map(share, rejected.values()))


def unpaired(studies):
    """Two equal selectors that share no runs: the published test, and the jackknife with Student's t."""
    how = ("published", "jackknife")
    heading("unpaired test of two equal selectors by nogueira: rejections at 5%, %", how)
    for (name, draw), (first, second) in product(REGIMES.items(), ((3, 3), (10, 10), (30, 30), (5, 30))):
        rng, rejected = np.random.default_rng(2), {method: [] for method in how}
        for _ in range(studies):
            both = [sc.Selections.from_weights(draw(rng, m)) for m in (first, second)]
            for method, found in rejected.items():
                found.append(sc.compare(*both, paired=False, interval=method).p_value < 0.05)
        row(f"{name}, {first} and {second} runs", map(share, rejected.values()))


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
    parts = ("error", "coverage", "half width")
    heading("plans, by unit and run by run: estimated / true error, coverage in %, mean half width", 2 * parts)
    for name, plan in PLANS.items():
        by_unit, by_run = [], []
        for number in range(tables):
            X, y = table(number)
            runs = [filtered(plan, X, y, seed) for seed in range(studies // tables)]
            for ours, some in ((by_unit, runs), (by_run, [run.in_units(None) for run in runs])):
                found = [sc.stability(selections, interval="jackknife") for selections in some]
                value = np.array([estimate.value for estimate in found])
                standard_errors, half = np.array([(estimate.se, half_width(estimate, estimate.n_runs)) for estimate in found]).T
                ours.append(
                    (
                        np.nanmean(standard_errors) / value.std(ddof=1),
                        [holds(estimate, value.mean()) for estimate in found],
                        np.nanmean(half),
                    )
                )
        cells = []
        for ours in (by_unit, by_run):
            errors, held, halves = zip(*ours, strict=True)
            cells += [f"{np.mean(errors):.2f}", share(sum(held, [])), f"{np.mean(halves):.3f}"]
        row(f"{name} ({runs[0].n_units} units of {runs[0].n_runs} runs)", cells)


def seldom(studies):
    """Selectors that deviate in 1 of 20 and 1 of 5 runs: coverage of whatever is shown, and how often nothing is."""
    keys = ("nogueira", "jaccard", "effective", "importance_weighted", "pearson_weights")
    heading("selectors that rarely vary: coverage in % (studies in which nothing is shown)", keys)
    for deviation, rate in product(DEVIATIONS, (0.05, 0.2)):
        rng = np.random.default_rng(4)
        truth = {key: BY_KEY[key].function(deviating(rng, 1500, rate, deviation), WIDER) for key in keys}
        for m in (3, 5, 10, 20, 50):
            drawn, cells = [deviating(rng, m, rate, deviation) for _ in range(studies)], []
            for key in keys:
                found = [holds(sc.stability(runs, key, similarity=WIDER), truth[key]) for runs in drawn]
                cells.append(f"{share(found)} ({found.count(None)})")
            row(f"{rate:.0%} {deviation}, M = {m}", cells)


def new_patients(tables):
    """Intervals for new patients: do they hold the average over tables, and how much wider are they than needed?"""
    heading("new patients, 25 pairs, ten of 100 features: coverage in %, width / needed", ("Φ", "κ of halves"))
    for selector, kind, n, effect in [
        *product(("filter", "mrmr"), ("independent",), (100, 300), (0.0, 0.35, 0.7)),
        *product(("filter",), ("blocks", "factor"), (100,), (0.0, 0.35, 0.7)),
    ]:
        value, half = simulated_intervals(tables, n, effect, kind, selector)
        held, wider = np.abs(value - value.mean(axis=0)) <= half, half.mean(axis=0) / (1.96 * value.std(axis=0, ddof=1))
        row(f"{selector}, {kind}, n = {n}, effect {effect:g}", [f"{share(held[:, m])}, {wider[m]:.2f}" for m in (0, 1)])


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
    scores = ("accuracy", "balanced_accuracy", "auc")
    heading("scores: coverage in %, width / needed", scores)
    regimes = ((100, 0.0, 0.5), (100, 0.6, 0.5), (300, 0.6, 0.5), (100, 0.6, 0.2))
    for (name, plan), (n, effect, cases) in product(ACCURACY.items(), regimes):
        cells = []
        for score in scores:
            value, low, high = simulated_accuracies(plan, tables, effect, n, 100, cases, score=score).T
            held = ((low <= np.nanmean(value)) & (np.nanmean(value) <= high))[np.isfinite(low)]
            cells.append(f"{share(held)}, {np.nanmean(high - low) / 2 / (1.96 * np.nanstd(value, ddof=1)):.2f}")
        row(f"{name}, n = {n}, effect {effect:g}, {cases:.0%} cases", cells)


def share(held):
    """A share in % with its standard error."""
    held = [hit for hit in held if hit is not None]
    mean = np.mean(held) if held else np.nan
    return f"{100 * mean:.1f} ± {100 * np.sqrt(mean * (1 - mean) / len(held)):.1f}" if held else "-"


PARTS = {
    "coverage": coverage,
    "few": few_runs,
    "paired": paired,
    "unpaired": unpaired,
    "plans": plans,
    "patients": new_patients,
    "accuracy": accuracies,
    "seldom": seldom,
}

if __name__ == "__main__":
    n_studies = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for part in sys.argv[2:] or PARTS:
        PARTS[part](n_studies)
