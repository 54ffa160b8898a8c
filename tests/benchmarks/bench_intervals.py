"""Do 95 % intervals cover, and does the paired test reject too often? Measured by simulation; nothing here is asserted.

Each regime draws runs that are independent of each other given a truth, as the theory takes them to be. The truth of a measure
is its average over many studies. A good interval covers it in 92–98 % of the studies; a good test of two equal selectors
rejects in about 5 %.
"""

import sys
from itertools import product

import numpy as np

import stabcore as sc
from stabcore.measures.catalog import BY_KEY

D = 60
REGIMES = {
    "top 15 of noisy scores": lambda rng, m: top(rng, np.linspace(2, -2, D), m, 15, 1.0),
    "top 15, little noise": lambda rng, m: top(rng, np.linspace(2, -2, D), m, 15, 0.2),
    "sizes that vary": lambda rng, m: own_sizes(rng, m),
    "groups that swap": lambda rng, m: top(rng, np.repeat(np.linspace(2, -2, D // 5), 5), m, 12, 0.5),
}
RELATION = sc.Relation.from_groups({str(g): range(5 * g, 5 * g + 5) for g in range(D // 5)}, n_features=D)


def top(rng, merit, m, k, noise):
    scores = merit + noise * rng.normal(size=(m, D))
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    return np.where(ranks < k, np.exp(scores), 0.0)


def own_sizes(rng, m):
    chance = np.clip(np.linspace(0.9, -0.3, D), 0.02, 0.95)
    return (rng.random((m, D)) < chance * rng.uniform(0.6, 1.0, (m, 1))) * rng.uniform(0.5, 1.5, (m, D))


def coverage(keys, studies):
    print(f"{'coverage of 95 % intervals, %':38}" + "".join(f"{key[:12]:>14}" for key in keys))
    for name, draw in REGIMES.items():
        for m in (30, 100):
            rng = np.random.default_rng(1)
            found = {key: [] for key in keys}
            for _ in range(studies):
                runs = sc.Preferences.from_importances(draw(rng, m))
                for label in keys:
                    key, _, interval = label.partition("/")
                    one = sc.stability(runs, key, relation=RELATION, interval=interval or None,
                                       **({"draws": 200} if "draws" in str(BY_KEY[key].function.__signature__) else {}))
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
    print("\ncoverage of the 95 % intervals of nogueira, %")
    for how, (d, k) in product(("published", "jackknife"), ((10, 3), (100, 20), (1000, 20))):
        rng = np.random.default_rng(3)
        chance = np.clip(rng.beta(0.3, 0.3 * (d - k) / k, size=d), 0.001, 0.999)
        truth = 1 - (chance * (1 - chance)).mean() / (chance.mean() * (1 - chance.mean()))
        row = f"  {f'{how}, {d} features, about {k} a run':46}"
        for m in (3, 5, 10, 20, 30, 50):
            drawn = [(rng.random((m, d)) < chance).astype(float) for _ in range(studies)]
            found = [sc.stability(sc.Preferences.from_importances(one), "nogueira", interval=how) for one in drawn]
            known = [one.low <= truth <= one.high for one in found if np.isfinite(one.low)]
            row += f"{f'M = {m}: {100 * np.mean(known):.0f}':>14}"
        print(row, flush=True)


def false_positives(keys, studies):
    print(f"\n{'paired test of two equal selectors: rejections at 5 %, %':38}")
    for name, draw in REGIMES.items():
        for m in (30, 100):
            rng, rejected = np.random.default_rng(2), {key: 0 for key in keys}
            for _ in range(studies):
                first, second = (sc.Preferences.from_importances(draw(rng, m)) for _ in range(2))
                for key in keys:
                    rejected[key] += sc.compare(first, second, key, relation=RELATION).p_value < 0.05
            print(f"  {name + f', M = {m}':36}" + "".join(f"{100 * rejected[key] / studies:14.1f}" for key in keys), flush=True)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    coverage(["nogueira/published", "nogueira/jackknife", "effective", "jaccard", "phi", "importance_weighted", "somol",
              "novovicova", "davis", "zucknick", "yu", "intersection_mbm", "pearson_weights", "canberra"], many)
    few_runs(many)
    false_positives(["nogueira", "effective", "jaccard", "importance_weighted"], many)
