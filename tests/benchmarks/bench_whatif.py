"""What-if: threshold curves, influence and group switches at d = 10 000, beside their targets and beside brute force."""

import time
from functools import partial

import numpy as np
from benchmark_support import best as fewest
from benchmark_support import line, peak, timed

import stabcore as sc

D, N, M = 10_000, 200, 100
best = partial(fewest, clock=time.perf_counter)  # by the clock: correlations use every core


def data(rng):
    """Rows × features in modules of ten that share a cause."""
    return np.repeat(rng.normal(size=(N, D // 10)), 10, axis=1) + rng.normal(size=(N, D))


def selectors(rng, noise):
    """Eight selectors with 100 … 1000 of the features a run; noise: how much their rankings move from run to run."""
    merit = rng.normal(size=D)
    return {
        f"k = {k}": sc.Selections.from_scores(merit + noise * rng.normal(size=(M, D))).top(k)
        for k in np.linspace(100, 1000, 8).astype(int)
    }


def curves(X, named, title):
    ever = len(np.flatnonzero(np.any([runs.counts > 0 for runs in named.values()], axis=0)))
    print(f"\nthreshold curves, d = {D:,}, n = {N}, M = {M}, 8 selectors, 1001 thresholds; {title}: {ever:,} ever selected")

    def first():
        bins = sc.whatif.CorrelationBins.of(X)
        return bins, sc.whatif.threshold_curve(named, bins)

    taken, (bins, curve) = timed(first)
    line("first time", min(taken, best(first, 2)), 4)
    line("afterwards", best(lambda: sc.whatif.threshold_curve(named, bins)), 0.3)
    line("crossings", best(lambda: sc.whatif.crossings(curve)))
    slow, worst = [], 0.0
    for threshold in (0.3, 0.5, 0.7):
        brute, values = timed(
            lambda: [
                sc.stability(runs, "effective", similarity=similarity).value
                for similarity in [sc.Similarity.from_correlation(X, threshold=threshold)]
                for runs in named.values()
            ]
        )
        slow.append(brute)
        worst = max(worst, np.abs(curve[curve["threshold"] == threshold]["value"].to_numpy() - values).max())
    one = np.mean(slow)
    line("brute force, one threshold", one, more=f"so 1001 thresholds {1001 * one / taken:,.0f}× slower; differs by {worst:.1e}")
    print(f"  peak {peak(first):,.0f} MB")


def small(rng):
    X = data(rng)[:, :130]
    runs = {str(i): sc.Selections.from_scores(rng.normal(size=130) + rng.normal(size=(50, 130))).top(20) for i in range(8)}
    print("\nd = 130, M = 50, 8 selectors")
    bins = sc.whatif.CorrelationBins.of(X)
    line("curves with intervals", best(lambda: sc.whatif.threshold_curve(runs, bins, level=0.95)))
    line("curves", best(lambda: sc.whatif.threshold_curve(runs, bins)))


def pairs_and_groups(named):
    runs = named["k = 614"] if "k = 614" in named else list(named.values())[4]
    labels = np.arange(D) // 10
    C = sc.Similarity.from_groups({str(g): np.flatnonzero(labels == g) for g in range(D // 10)}, n_features=D)
    n_ever = np.count_nonzero(runs.counts)
    print(f"\none selector, {n_ever:,} features ever selected, 1000 groups of 10")
    line(
        f"influence, the largest 1000 of {n_ever * (n_ever - 1) // 2:,} pairs",
        best(lambda: sc.whatif.influence(runs, C, most=1000)),
    )
    quick = best(lambda: sc.whatif.groups(runs, C))
    slow = best(lambda: [sc.stability(runs, "effective", similarity=C.with_groups([g])) for g in ("1", "2")], 1) / 2
    line("groups, each alone and left out", quick, more=f"one by one {2000 * slow / quick:,.0f}× slower")
    line("within_between", best(lambda: sc.whatif.within_between(runs, C), 1))
    line("without_features", best(lambda: sc.whatif.without_features(runs, C)))
    line("all pairs of C as a table", best(C.pairs))


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    X, steady = data(rng), selectors(rng, 0.3)
    curves(X, steady, "rankings that move a little")
    curves(X, selectors(rng, 3.0), "rankings that move a lot")
    pairs_and_groups(steady)
    small(rng)
