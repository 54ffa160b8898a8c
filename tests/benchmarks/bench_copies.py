"""What copies of a row do: the share of noise features that score above 0 on bootstrap samples, beside that on subsamples.

Both should say the same. ReliefF is far from one half wherever classes are of unequal size, on subsamples as well: the rows of a
small class lie further from each other than those of a large one.
"""

import numpy as np
from threadpoolctl import threadpool_limits

from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector

SELECTORS = ("relieff", "random_forest_permutation")
TABLES = {"100 rows": (100, 2, 0.5), "40 rows": (40, 2, 0.5), "three classes": (100, 3, None), "a fifth are cases": (100, 2, 0.2)}
FEATURES, TIMES = 30, 25


def noise(n, classes, cases, rng):
    y = np.arange(n) % classes if cases is None else np.arange(n) < cases * n
    return rng.normal(size=(n, FEATURES)), rng.permutation(y.astype(int))


def subsample(rng, n):
    return rng.choice(n, int(0.8 * n), replace=False)


def bootstrap(rng, n):
    return rng.integers(0, n, n)


def above(key, table, draw):
    """(mean, standard error) of the share of features above 0."""
    found = []
    for seed in range(TIMES):
        rng = np.random.default_rng(seed)
        X, y = noise(*table, rng)
        rows = draw(rng, len(y))
        found.append(np.mean(selector(key).fit(as_table(X).rows(rows), y[rows], rng=seed).scores_ > 0))
    return np.mean(found), np.std(found) / TIMES**0.5


def main():
    for key in SELECTORS:
        for name, table in TABLES.items():
            found = [(draw.__name__, *above(key, table, draw)) for draw in (subsample, bootstrap)]
            shares = "   ".join(f"{plan} {mean:4.0%} ± {error:.0%}" for plan, mean, error in found)
            print(f"  {key:26} {name:18} {shares}", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
