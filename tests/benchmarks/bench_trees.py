"""Trees, boosting and single features: seconds beside scikit-learn and scipy, and growth with d."""

import time

import numpy as np
from benchmark_support import fastest, median, timed
from scipy.stats import f_oneway, pearsonr, ttest_ind
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import roc_auc_score

from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.stumps import Cuts, boosted

GROWING = ("random_forest", "random_forest_permutation", "gbm", "variance", "auc", "auc_mrmr", "welch_t", "anova_f", "estimator")


def data(n, d, random_state=1):
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)  # scikit-learn's trees compare in single precision
    return X, (X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=n) > 0).astype(int)


def stumps():
    print("gbm: 100 boosted stumps, d = 10 000, beside scikit-learn's GradientBoostingClassifier(max_depth=1)")
    for n in (200, 1000):
        X, y = data(n, 10_000)
        ours, fitted = fastest(lambda: selector("gbm").fit(X, y, rng=0), clock=time.perf_counter)
        model = GradientBoostingClassifier(max_depth=1, n_estimators=100, random_state=0)
        theirs, _ = timed(lambda: model.fit(X, y))
        splits = boosted(Cuts(as_table(X)), y, 100, np.random.default_rng(0))
        same = sum(equal(X, split, stage[0].tree_) for split, stage in zip(splits, model.estimators_, strict=True))
        apart = np.abs(fitted.importances_ - model.feature_importances_).max()
        print(
            f"  n = {n:>5}: {ours:6.2f} s, theirs {theirs:6.2f} s: {theirs / ours:.1f}× (target 4×); {same} of 100 splits the "
            f"same, importances apart by {apart:.0e} at most",
            flush=True,
        )


def equal(X, split, tree):
    """Whether a split asks the same column as a tree, and parts the rows alike."""
    low = np.flatnonzero(X[:, split.column] <= tree.threshold[0])
    return split.column == tree.feature[0] and np.array_equal(np.sort(split.low), low)


def one_by_one():
    print("\nsingle features, n = 200, d = 10 000, beside a loop over features with scipy or scikit-learn")
    X, y = data(200, 10_000)
    slow = {
        "variance": lambda x: x.var(ddof=1),
        "auc": lambda x: abs(0.5 - roc_auc_score(y, x)),
        "welch_t": lambda x: abs(ttest_ind(x[y == 1], x[y == 0], equal_var=False).statistic),
        "anova_f": lambda x: f_oneway(x[y == 0], x[y == 1]).statistic,
    }
    for key, function in slow.items():
        ours = median(lambda: selector(key).fit(X, y, rng=0), 3)
        theirs, found = timed(lambda: np.array([function(x) for x in X.T[:1000]]))
        apart = np.abs(selector(key).fit(X, y, rng=0).scores_[:1000] - found).max()
        theirs *= 10  # the loop went through a tenth of the features
        print(f"  {key:9} {ours:7.3f} s, the loop {theirs:7.2f} s: {theirs / ours:5.0f}×; apart by {apart:.0e}", flush=True)
    X = X[:, :1000]
    ours, fitted = timed(lambda: selector("auc_mrmr", length=20).fit(X, y, rng=0))
    theirs, order = timed(lambda: quotients_slowly(X, y, 20))
    same = np.array_equal(np.argsort(fitted.ranking_)[:20], order)
    print(f"  auc_mrmr, d = 1000, 20 choices {ours:.3f} s, the loop {theirs:.1f} s: {theirs / ours:.0f}×; same order: {same}")


def quotients_slowly(X, y, length):
    relevance = np.array([abs(0.5 - roc_auc_score(y, x)) for x in X.T])
    order, redundancy = [int(relevance.argmax())], np.zeros(X.shape[1])
    while len(order) < length:
        redundancy += [abs(pearsonr(x, X[:, order[-1]]).statistic) for x in X.T]
        order.append(int(max(set(range(X.shape[1])) - set(order), key=lambda f: relevance[f] / redundancy[f])))
    return order


def growth():
    print("\ngrowth with d, n = 200 (ratio to the quarter before it)")
    tables = {d: data(200, d) for d in (1250, 5000, 20_000)}
    for key in GROWING:
        row, before = [], None
        for d in (1250, 5000, 20_000):
            X, y = tables[d]
            seconds = median(lambda: selector(key).fit(X, y, rng=0, k=20), 3)
            row.append(f"d = {d:>6,}: {seconds:7.3f} s" + (f" {seconds / before:4.1f}×" if before else ""))
            before = seconds
        print(f"  {key:26}", "   ".join(row), flush=True)


if __name__ == "__main__":
    for part in (stumps, one_by_one, growth):
        part()
