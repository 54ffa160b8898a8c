"""Filters: ratios to straightforward NumPy and to skrebate, and growth with the number of features.

ReliefF is compared with skrebate where it can be imported (pip install skrebate==0.8.4, in an environment of its own beside
this package), otherwise with plain loops over probes. Run with OMP_NUM_THREADS=1; read the ratios.
"""

from dataclasses import replace

import numpy as np
from benchmark_support import best

from stabcore.data.encoding import discretise
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.contingency import Information, PackedTable

FAMILY = ("mim", "mrmr", "jmi", "cmim")
GROWING = (*FAMILY, "information_gain", "relieff")


def data(n, d, random_state=0):
    """Fifty features that tell something, the rest noise."""
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, d))
    X[:, :50] += y[:, None] * np.linspace(0, 1.5, 50)
    return as_table(X), y


def fit(key, table, y, k=20):
    """One selector on a resample it has not seen: nothing packed yet, no extremes known."""
    table = replace(table)
    options = {"length": k} if key in ("mrmr", "jmi", "cmim") else {}
    return selector(key, **options).fit(table, y, rng=0)


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


def loop(key, table, y, k=20, bins=5):
    """The four criteria with one call a feature; the features chosen."""
    columns = [equal_width(x, bins) for x in table.values.T]
    relevance = np.array([information(x, y, bins, 2) for x in columns])
    if key == "mim":
        return np.argsort(-relevance)[:k]
    chosen, state = [int(relevance.argmax())], relevance.copy() if key == "cmim" else np.zeros(len(columns))
    while len(chosen) < k:
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
    print(f"\nn = {n}, d = 10 000, k = 20: one bincount a feature, from the table to the choice")
    for key, target in zip(FAMILY, (15, 3, 3, 3), strict=True):
        ours, theirs = fit(key, table, y).select(20), np.sort(loop(key, table, y))
        line(
            key + ("" if np.array_equal(ours, theirs) else " (other features chosen)"),
            best(lambda: fit(key, table, y), 7),
            best(lambda: loop(key, table, y), 3 if key == "mim" else 1),
            target,
        )
    packed, columns = PackedTable(table, 5), list(np.ascontiguousarray(discretise(table)[0].T).astype(int))
    line(
        "mim, counting alone: tables cut into intervals already",
        best(lambda: Information(packed, y), 7),
        best(lambda: [information(x, y, 5, 2) for x in columns]),
    )


def entropy(labels):
    share = np.bincount(labels, minlength=2) / len(labels)
    return -(share[share > 0] * np.log2(share[share > 0])).sum()


def cut(x, y):
    """Fayyad & Irani's recursion for one sorted feature: falls of N · entropy in bits."""
    ends = np.flatnonzero(x[:-1] < x[1:]) + 1
    if len(ends) == 0:
        return 0.0
    ones, n = np.cumsum(y), len(y)

    def impurity(part, size):
        p = np.clip(part / size, 1e-300, 1 - 1e-16)
        return -size * (p * np.log2(p) + (1 - p) * np.log2(1 - p))

    left = impurity(ones[ends - 1], ends) + impurity(ones[-1] - ones[ends - 1], n - ends)
    i = ends[left.argmin()]
    total, low, high = entropy(y), entropy(y[:i]), entropy(y[i:])
    fall = n * total - i * low - (n - i) * high
    k = [len(np.unique(part)) for part in (y, y[:i], y[i:])]
    if fall <= np.log2(n - 1) + np.log2(3.0 ** k[0] - 2) - (k[0] * total - k[1] * low - k[2] * high):
        return 0.0
    return fall + cut(x[:i], y[:i]) + cut(x[i:], y[i:])


def gain_loop(table, y):
    orders = (np.argsort(x) for x in table.values.T)
    return np.array([cut(x[order], y[order]) for x, order in zip(table.values.T, orders, strict=True)]) * np.log(2) / len(y)


def information_gain(n):
    table, y = data(n, 10_000)
    print(f"\nn = {n}, d = 10 000: information gain, one recursion a feature")
    difference = np.abs(fit("information_gain", table, y).scores_ - gain_loop(table, y)).max()
    line(
        f"information_gain (largest difference {difference:.0e})",
        best(lambda: fit("information_gain", table, y)),
        best(lambda: gain_loop(table, y), 1),
    )


def relief_loop(X, y, neighbours=10):
    """Weights for two classes, one probe at a time."""
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    weights = np.zeros(X.shape[1])
    for i in range(len(Z)):
        diff = np.abs(Z - Z[i])
        distance = diff.sum(axis=1)
        distance[i] = np.inf
        for c in (0, 1):
            rows = np.flatnonzero(y == c)
            near = rows[np.argsort(distance[rows], kind="stable")[:neighbours]]
            weights += (-1 if c == y[i] else 1) * diff[near].mean(axis=0) / len(Z)
    return weights


def relieff(n, d=1000):
    table, y = data(n, d)
    try:
        from skrebate import ReliefF

        name, target = "skrebate", 50

        def theirs():
            return ReliefF(n_neighbors=10, n_jobs=1).fit(table.values, y).feature_importances_
    except ImportError:
        name, target = "plain loops; skrebate is not installed", None

        def theirs():
            return relief_loop(table.values, y)

    print(f"\nn = {n}, d = {d}: ReliefF beside {name}")
    difference = np.abs(fit("relieff", table, y).scores_ - theirs()).max()
    line(f"relieff (largest difference {difference:.0e})", best(lambda: fit("relieff", table, y), 5), best(theirs, 1), target)


def growth(n):
    print(f"\nn = {n}, seconds and ratio for each doubling of d (2 is linear)")
    sizes = (2500, 5000, 10_000, 20_000)
    tables = [data(n, d) for d in sizes]
    print(" " * 20 + "".join(f"{f'd = {d:,}':>19}" for d in sizes))
    for key in GROWING:
        seconds = [best(lambda: fit(key, *one), 3 if key == "relieff" else 7) for one in tables]
        ratios = [None, *(b / a for a, b in zip(seconds, seconds[1:], strict=False))]
        print(
            f"  {key:18}"
            + "".join(f"{s:11.4f} s" + (f"{r:5.1f}×" if r else " " * 6) for s, r in zip(seconds, ratios, strict=True)),
            flush=True,
        )


def main():
    for n in (200, 1000):
        for part in (family, information_gain, relieff, growth):
            part(n)


if __name__ == "__main__":
    main()
