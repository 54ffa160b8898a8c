"""Effective stability over thresholds: every value, with ties and rounding, and the crossings of curves."""

import numpy as np
import pandas as pd
import pytest
from measure_support import slow_effective as effective
from snapshot_support import check_refusals
from support import random_selection, slow

import stabcore as sc
from stabcore.analysis.whatif import thresholds as module
from stabcore.measures.effective import UNDEFINED

R, W = sc.Similarity, sc.whatif


def table(rng, n=20, d=8, gaps=True):
    """Data with ties, gaps, a constant column, and columns that are copies, so that |ρ| are equal."""
    X = (rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(n, d))).round(1)
    X[:, d // 2 :] = X[:, : d - d // 2] * rng.choice([-1, 2], d - d // 2)
    X[:, 0] = 4.0
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


@pytest.mark.parametrize(
    ("method", "binary", "gaps", "block"),
    [
        *(("spearman", True, True, 3), ("spearman", False, False, 512), ("pearson", True, False, 3), ("kendall", True, True, 3)),
        *(slow("pearson", False, True, 2), slow("kendall", False, False, 512)),
    ],
)
def test_a_curve_is_the_value_at_each_threshold(method, binary, gaps, block, monkeypatch):
    monkeypatch.setattr("stabcore.similarity.correlation.BLOCK", block)
    rng = np.random.default_rng(block)
    X, runs = table(rng, gaps=gaps), sc.Selections.from_matrix(random_selection(rng, 5, 8, low=0))
    exact = R.from_correlation(X, method, 0.0, binary=False).pairs()["value"].to_numpy()  # thresholds that equal |ρ|
    grid = np.unique([0, *rng.random(4), *exact, *np.minimum(exact + 1e-9, 1), 1])
    curve = W.threshold_curve(runs, X, method=method, thresholds=rng.permutation(grid), binary=binary, level=0.9)
    assert curve["threshold"].tolist() == grid.tolist() and len(exact) > 8
    for row in curve.itertuples():
        C = R.from_correlation(X, method, row.threshold, binary=binary)
        again = sc.stability(runs, "effective", similarity=C, level=0.9)
        assert row.value == pytest.approx(again.value, abs=1e-9, nan_ok=True)
        assert row.value == pytest.approx(effective(runs.selected, C.block(range(8))), abs=1e-9, nan_ok=True)
        assert (row.low, row.high) == pytest.approx((again.low, again.high), abs=1e-7, nan_ok=True)
        assert row.reason == (UNDEFINED if np.isnan(row.value) else "")


def test_several_selectors_share_bins_and_may_use_other_features(monkeypatch):
    rng = np.random.default_rng(2)
    X = table(rng, d=14, gaps=False)
    Z = [random_selection(rng, 4, 14, high=3), random_selection(rng, 7, 14), np.tile(random_selection(rng, 1, 14), (3, 1))]
    named = {label: sc.Selections.from_matrix(matrix) for label, matrix in zip(["a", "b", "always"], Z)}
    bins = W.CorrelationBins.of(X, "pearson", [0.2, 0.5, 0.8])
    together = W.threshold_curve(named, bins)
    assert together["selector"].tolist() == ["a"] * 3 + ["b"] * 3 + ["always"] * 3
    assert together.equals(W.threshold_curve(named, bins))  # from the cache
    for most in (90, 30, 0):  # the cache holds all pairs, those of a few features, or none
        monkeypatch.setattr(module, "MAX_CACHED_PAIRS", most)
        other = W.CorrelationBins.of(X, "pearson", [0.8, 0.5, 0.2])
        for labels in (["a"], ["a", "b", "always"], ["always"], ["a", "always"]):
            some = together[together["selector"].isin(labels)].reset_index(drop=True)
            found = W.threshold_curve({label: named[label] for label in labels}, other)
            pd.testing.assert_frame_equal(found, some, rtol=1e-12)
    for label, runs in named.items():
        alone = W.threshold_curve(runs, X, method="pearson", thresholds=[0.2, 0.5, 0.8])
        assert together.loc[together["selector"] == label, "value"].tolist() == pytest.approx(alone["value"].tolist(), abs=1e-12)
        C = R.from_correlation(X, "pearson", 0.5)
        assert alone["value"][1] == pytest.approx(effective(runs.selected, C.block(range(14))), abs=1e-12)


def test_other_features_and_wrong_thresholds_are_refused():
    X, runs = pd.DataFrame(np.eye(4), columns=list("abcd")), sc.Selections.from_matrix(np.eye(4), list("abcx"))
    bins = W.CorrelationBins.of
    cases = [
        *((W.threshold_curve, runs, X), (W.threshold_curve, runs, X.iloc[:, :3])),
        *((bins, X, "spearman", thresholds) for thresholds in ([0.5, 1.2], [], [np.nan])),
        *((W.threshold_curve, {}, X), (bins, X, "rho")),
    ]
    check_refusals("analysis/wrong_thresholds", lambda ask, *given: ask(*given), cases)


def test_crossings():
    def curves(**values):
        grid = np.arange(5) / 10
        return pd.concat([pd.DataFrame({"selector": label, "threshold": grid, "value": value}) for label, value in values.items()])

    found = W.crossings(curves(cmim=[0.1, 0.2, np.nan, 0.6, 0.2], gbm=[0.3] * 5, rf=[0.3, 0.3, 0.3, 0.2, 0.2]))
    assert found.to_numpy().tolist() == [
        [0.1, 0.3, "cmim", "gbm", 0.3, "below"],
        [0.1, 0.3, "cmim", "rf", 0.3, "equal"],
        [0.3, 0.4, "gbm", "cmim", 0.4, ""],
    ]
    assert W.crossings(curves(a=[1] * 5)).empty and W.crossings(curves(a=[1] * 5, b=[1, 1, 2, 1, 1])).empty
    with pytest.raises(sc.InputError):
        W.crossings(pd.DataFrame({"threshold": [0.1], "value": [1.0]}))
