"""MIM, mRMR, JMI and CMIM beside straightforward NumPy, and the growth of every selector with the number of features.

Run with OMP_NUM_THREADS=1; read the ratios.
"""

from dataclasses import replace

import numpy as np
from benchmark_support import best

from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import BY_KEY, selector

FAMILY = {"mim": 15, "mrmr": 3, "jmi": 3, "cmim": 3}  # {key: how many times faster it should be}
K = 20


def data(n, d, random_state=0):
    """Fifty features that tell something, the rest noise."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, d))
    X[:, :50] += y[:, None] * np.linspace(0, 1.5, 50)
    return as_table(X), y


def fit(key, table, y):
    """One selector on a resample it has not seen: nothing packed yet, no extremes known."""
    options = {"length": K} if "length" in BY_KEY[key].options else {}
    return selector(key, **options).fit(replace(table), y, rng=0, k=K)


def line(name, ours, other, target=None):
    verdict = "" if target is None else f"  target {target:g}×: {'met' if other / ours >= target else 'MISSED'}"
    print(f"  {name:54} {ours:8.4f} s {other:9.3f} s {other / ours:7.1f}×{verdict}", flush=True)


def equal_width(x, bins=5):
    low, high = x.min(), x.max()
    return np.minimum((bins * (x - low) / (high - low)).astype(int), bins - 1)


def information(x, y, of_x, of_y):
    """I(X; Y) of codes by one bincount."""
    joint = np.bincount(x * of_y + y, minlength=of_x * of_y).reshape(of_x, of_y) / len(y)
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    return (joint[some] * np.log(joint[some] / independent[some])).sum()


def loop(key, table, y, bins=5):
    """The four criteria with one call a feature; the features chosen."""
    columns = [equal_width(x, bins) for x in table.values.T]
    relevance = np.array([information(x, y, bins, 2) for x in columns])
    if key == "mim":
        return np.argsort(-relevance)[:K]
    chosen, state = [int(relevance.argmax())], relevance.copy() if key == "cmim" else np.zeros(len(columns))
    while len(chosen) < K:
        last = columns[chosen[-1]]
        if key == "mrmr":
            state += [information(x, last, bins, bins) for x in columns]
            criterion = relevance - state / len(chosen)
        else:
            joint = np.array([information(x * bins + last, y, bins * bins, 2) for x in columns])
            state = state + joint if key == "jmi" else np.minimum(state, joint - relevance[chosen[-1]])
            criterion = state.copy()
        criterion[chosen] = -np.inf
        chosen.append(int(criterion.argmax()))
    return np.array(chosen)


def family(n):
    table, y = data(n, 10_000)
    print(f"\nn = {n}, d = 10 000, k = {K}: one bincount a feature, from the table to the choice")
    for key, target in FAMILY.items():
        same = np.array_equal(fit(key, table, y).select(K), np.sort(loop(key, table, y)))
        times = 3 if key == "mim" else 1
        name = key if same else f"{key} (other features chosen)"
        line(name, best(lambda: fit(key, table, y), 7), best(lambda: loop(key, table, y), times), target)


def growth(n):
    sizes = (2500, 5000, 10_000, 20_000)
    print(f"\nn = {n}, d = {', '.join(f'{d:,}' for d in sizes)}: seconds, and the ratio for each doubling (2 is linear)")
    tables = [data(n, d) for d in sizes]
    for key in BY_KEY:
        if "groups" in BY_KEY[key].options:
            continue
        seconds = [best(lambda: fit(key, *table)) for table in tables]
        ratios = ", ".join(f"{after / before:.1f}×" for before, after in zip(seconds, seconds[1:]))
        print(f"  {key:26} {', '.join(f'{one:.4f} s' for one in seconds)}; {ratios}", flush=True)


if __name__ == "__main__":
    for n in (200, 1000):
        family(n)
    growth(200)
