"""What-if: every answer equals measuring again under the changed assumption, and derivatives equal small steps."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import random_selection

import stabcore as sc
from stabcore.whatif import thresholds as module
from stabcore.whatif.chance import UNDEFINED

R, W = sc.Relation, sc.whatif


def effective(Z, C):
    """Φ_C of a 0/1 matrix and a full C by the textbook, NaN where it is 0/0."""
    Z, C = np.asarray(Z, dtype=float), np.asarray(C, dtype=float)
    d, k = Z.shape[1], np.asarray(Z).sum(axis=1)
    off = ((k ** 2).mean() - k.mean()) / (d * d - d) - k.mean() ** 2 / d ** 2 if d > 1 else 0.0
    chance = np.full((d, d), off)
    np.fill_diagonal(chance, k.mean() / d * (1 - k.mean() / d))
    bottom = np.trace(C @ chance)
    if abs(bottom) <= 1e-12 * np.abs(C * chance).sum() + 1e-300:
        return np.nan
    return 1 - np.trace(C @ np.atleast_2d(np.cov(Z, rowvar=False))) / bottom


def related(rng, d):
    """(Relation, dense C): groups, pairs set inside and between them, some to 0."""
    labels = rng.integers(-1, 3, d)
    relation = R.from_groups({f"g{g}": np.flatnonzero(labels == g) for g in range(3)}, n_features=d)
    pairs = [tuple(rng.choice(d, 2, replace=False)) for _ in range(d)] if d > 1 else []
    relation = relation.edited({pair: rng.choice([0.0, 0.3, 0.7]) for pair in pairs})
    return relation, relation.block(np.arange(d)), labels


def table(rng, n=20, d=8, gaps=True):
    """Data with ties, gaps, a constant column, and columns that are copies, so that |ρ| are equal."""
    X = (rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=(n, d))).round(1)
    X[:, d // 2:] = X[:, : d - d // 2] * rng.choice([-1, 2], d - d // 2)
    X[:, 0] = 4.0
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


# ---- threshold curves ----

@pytest.mark.parametrize("method", ["spearman", "pearson", "kendall"])
@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("gaps", [True, False])
@pytest.mark.parametrize("block", [2, 3, 512])
def test_a_curve_is_the_value_at_each_threshold(method, binary, gaps, block, monkeypatch):
    monkeypatch.setattr("stabcore.correlation.BLOCK", block)
    rng = np.random.default_rng(block)
    X, runs = table(rng, gaps=gaps), sc.Preferences.from_selection_matrix(random_selection(rng, 5, 8, low=0))
    exact = R.from_correlation(X, method, 0.0, binary=False).pairs()["value"].to_numpy()       # |ρ| themselves: ties
    grid = np.unique([0, *rng.random(4), *exact, *np.minimum(exact + 1e-9, 1), 1])
    curve = W.threshold_curve(runs, X, method=method, thresholds=rng.permutation(grid), binary=binary, level=0.9)
    assert curve["threshold"].tolist() == grid.tolist() and len(exact) > 8
    for row in curve.itertuples():
        C = R.from_correlation(X, method, row.threshold, binary=binary)
        again = sc.stability(runs, "effective", relation=C, level=0.9)
        assert row.value == pytest.approx(again.value, abs=1e-9, nan_ok=True)
        assert row.value == pytest.approx(effective(runs.selected, C.block(range(8))), abs=1e-9, nan_ok=True)
        assert (row.low, row.high) == pytest.approx((again.low, again.high), abs=1e-7, nan_ok=True)
        assert row.reason == (UNDEFINED if np.isnan(row.value) else "")


def test_the_default_grid_and_ties_at_it():
    rng = np.random.default_rng(1)
    X = rng.permuted(np.tile(np.arange(5.0), (12, 1)), axis=1).T           # |ρ| in tenths
    runs = sc.Preferences.from_selection_matrix(random_selection(rng, 6, 12))
    curve = W.threshold_curve(runs, X)
    assert curve["threshold"].tolist() == [i / 1000 for i in range(1001)] and list(curve) == ["threshold", "value", "reason"]
    for threshold in (0.0, 0.1, 0.101, 0.3, 0.6, 0.7, 0.9, 0.999, 1.0):
        C = R.from_correlation(X, threshold=threshold)
        value = curve.loc[curve["threshold"] == threshold, "value"].item()
        assert value == pytest.approx(sc.stability(runs, "effective", relation=C).value, abs=1e-12)


def test_several_selectors_share_bins_and_may_use_other_features(monkeypatch):
    rng = np.random.default_rng(2)
    X = table(rng, d=14, gaps=False)
    Z = [random_selection(rng, 4, 14, high=3), random_selection(rng, 7, 14), np.tile(random_selection(rng, 1, 14), (3, 1))]
    named = {label: sc.Preferences.from_selection_matrix(one) for label, one in zip(["a", "b", "always"], Z)}
    bins = W.CorrelationBins.of(X, "pearson", [0.2, 0.5, 0.8])
    together = W.threshold_curve(named, bins)
    assert together["selector"].tolist() == ["a"] * 3 + ["b"] * 3 + ["always"] * 3
    assert together.equals(W.threshold_curve(named, bins))                   # from what is kept
    for most in (90, 30, 0):            # room for all pairs, for those of a few features, for none
        monkeypatch.setattr(module, "MOST_KEPT", most)
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


def test_undefined_points_have_their_reason():
    X = np.column_stack([np.arange(9.0)] * 4)
    runs = sc.Preferences.from_selection_matrix([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]])
    curve = W.threshold_curve(runs, X, thresholds=[0.5])                      # all stand for all, sizes equal: 0/0
    assert np.isnan(curve["value"][0]) and "0/0" in curve["reason"][0]


def test_curves_about_other_features_and_wrong_thresholds_are_refused():
    X, runs = pd.DataFrame(np.eye(4), columns=list("abcd")), sc.Preferences.from_selection_matrix(np.eye(4), list("abcx"))
    for make, said in ((lambda: W.threshold_curve(runs, X), "Only in the relation: 'd'"),
                       (lambda: W.threshold_curve(runs, X.iloc[:, :3]), "3 features"),
                       (lambda: W.CorrelationBins.of(X, thresholds=[0.5, 1.2]), "between 0 and 1"),
                       (lambda: W.CorrelationBins.of(X, thresholds=[]), "between 0 and 1"),
                       (lambda: W.CorrelationBins.of(X, thresholds=[np.nan]), "between 0 and 1"),
                       (lambda: W.threshold_curve({}, X), "no runs"),
                       (lambda: W.CorrelationBins.of(X, "rho"), "not known")):
        with pytest.raises(sc.InputError, match=said):
            make()


def test_crossings():
    def curves(**values):
        grid = np.arange(5) / 10
        return pd.concat([pd.DataFrame({"selector": label, "threshold": grid, "value": value}) for label, value in values.items()])

    found = W.crossings(curves(cmim=[0.1, 0.2, np.nan, 0.6, 0.2], gbm=[0.3] * 5, rf=[0.3, 0.3, 0.3, 0.2, 0.2]))
    assert found.to_numpy().tolist() == [[0.1, 0.3, "cmim", "gbm"], [0.1, 0.3, "cmim", "rf"], [0.3, 0.4, "gbm", "cmim"]]
    assert W.crossings(curves(a=[1] * 5)).empty and W.crossings(curves(a=[1] * 5, b=[1, 1, 2, 1, 1])).empty
    with pytest.raises(sc.InputError, match="several"):
        W.crossings(pd.DataFrame({"threshold": [0.1], "value": [1.0]}))


# ---- influence of single pairs ----

@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10 ** 6), st.integers(2, 8), st.integers(2, 6), st.sampled_from([2, 512]))
def test_influence_is_the_slope_of_a_small_step(seed, d, n_runs, block):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0)
    relation, C, _ = related(rng, d)
    runs = sc.Preferences.from_selection_matrix(Z)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stabcore.whatif.pairs.BLOCK", block)
        found = W.influence(runs, relation)
        few = W.influence(runs, relation, most=3)
    ever = np.flatnonzero(Z.any(axis=0))
    assert len(found) == len(ever) * (len(ever) - 1) // 2
    assert found["derivative"].abs().fillna(-1).is_monotonic_decreasing and few.equals(found.head(3))
    value = effective(Z, C)
    for one in found.itertuples():
        i, j = int(one.feature_a[1:]) - 1, int(one.feature_b[1:]) - 1
        assert i < j and one.value == pytest.approx(C[i, j]) and one.together == (Z[:, i] * Z[:, j]).sum()
        if np.isnan(value):
            assert np.isnan(one.derivative)
            continue
        step = np.zeros_like(C)
        step[i, j] = step[j, i] = 1e-6
        slope = (effective(Z, C + step) - effective(Z, C - step)) / 2e-6
        assert one.derivative == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_too_many_pairs_for_a_table_are_refused(monkeypatch):
    monkeypatch.setattr("stabcore.whatif.pairs.MOST_ROWS", 5)
    runs = sc.Preferences.from_selection_matrix(np.eye(4, dtype=int))
    with pytest.raises(sc.InputError, match="4 features .* 6 pairs.*most=1000"):
        W.influence(runs, R.identity(4))
    assert len(W.influence(runs, R.identity(4), most=5)) == 5 and W.influence(runs, R.identity(4), most=0).empty


# ---- groups ----

@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10 ** 6), st.integers(1, 9), st.integers(2, 6))
def test_group_switches_equal_measuring_again(seed, d, n_runs):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    relation, C, labels = related(rng, d)
    runs, names = sc.Preferences.from_selection_matrix(Z), list(relation.group_names)

    def with_on(on):
        kept = C.copy()
        for g, name in enumerate(names):
            if name not in on:
                kept[np.outer(labels == g, labels == g)] = 0
        np.fill_diagonal(kept, 1)
        return kept

    for size in range(4):
        for on in combinations(names, size):
            assert relation.with_groups(on).block(range(d)) == pytest.approx(with_on(on), abs=1e-12)
    found = W.groups(runs, relation)
    whole, none = effective(Z, C), effective(Z, with_on([]))
    assert (found.attrs["all"], found.attrs["none"]) == pytest.approx((whole, none), abs=1e-9, nan_ok=True)
    for g, row in enumerate(found.itertuples()):
        alone = effective(Z, with_on([row.group]))
        without = effective(Z, with_on([name for name in names if name != row.group]))
        assert row.features == (labels == g).sum()
        assert (row.alone, row.without) == pytest.approx((alone, without), abs=1e-9, nan_ok=True)
        assert (row.effect_alone, row.effect_last) == pytest.approx((alone - none, whole - without), abs=1e-9, nan_ok=True)
        assert bool(row.reason) == bool(np.isnan(alone + without + none + whole))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10 ** 6), st.integers(2, 9), st.integers(3, 6))
def test_within_and_between_parts_add_up(seed, d, n_runs):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    relation, C, labels = related(rng, d)
    runs, S = sc.Preferences.from_selection_matrix(Z), np.cov(Z, rowvar=False)
    parts = W.within_between(runs, relation).set_index("group")
    assert list(parts.index) == [*relation.group_names, "(in no group)", "(between groups)", "(all)"]
    for g, name in enumerate([*relation.group_names, "(in no group)"]):
        members = np.flatnonzero(labels == (g if g < 3 else -1))
        row, single = parts.loc[name], np.trace(S[np.ix_(members, members)])
        assert row["features"] == len(members) and row["variance"] == pytest.approx(single, abs=1e-12)
        counted = np.sum((C * S)[np.ix_(members, members)]) if g < 3 else single
        assert row["effective_variance"] == pytest.approx(counted, abs=1e-12)
        assert row["swaps"] == pytest.approx(single - counted, abs=1e-12)
        again = effective(Z[:, members], np.eye(len(members))) if len(members) else np.nan
        assert row["stability"] == pytest.approx(again, abs=1e-9, nan_ok=True) and bool(row["reason"]) == bool(np.isnan(again))
    assert parts.loc["(all)", "variance"] == pytest.approx(np.trace(S), abs=1e-12)
    assert parts.loc["(all)", "effective_variance"] == pytest.approx(np.trace(C @ S), abs=1e-12)
    assert parts["effective_variance"].iloc[:-1].sum() == pytest.approx(np.trace(C @ S), abs=1e-12)
    assert parts["variance"].iloc[:-1].sum() == pytest.approx(np.trace(S), abs=1e-12)


def test_swaps_inside_a_group_are_what_c_forgives():
    runs = sc.Preferences.from_selection_matrix([[1, 0, 1, 0], [0, 1, 1, 0]] * 5)
    C = R.from_groups({"liver": [0, 1]}, n_features=4)
    parts = W.within_between(runs, C).set_index("group")
    assert parts.loc[["liver", "(all)"], "effective_variance"].tolist() == pytest.approx([0, 0])
    assert parts.loc["liver", "swaps"] == parts.loc["(all)", "swaps"] == pytest.approx(5 / 9)
    uneven = sc.Preferences.from_selection_matrix([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0]])
    classic = sc.stability(uneven, level=0.8)
    assert W.within_between(uneven, C, level=0.8)[["stability", "low", "high"]].iloc[-1].tolist() == pytest.approx(
        [classic.value, classic.low, classic.high]) and classic.low < classic.high
    together = sc.Preferences.from_selection_matrix([[1, 1, 0, 0], [0, 0, 1, 1]] * 5)
    assert W.within_between(together, C).set_index("group").loc["liver", "swaps"] < 0


def test_no_groups_no_rows_and_unknown_groups():
    runs = sc.Preferences.from_selection_matrix(np.eye(3, dtype=int))
    assert W.groups(runs, R.identity(3)).empty
    assert W.within_between(runs, R.identity(3))["group"].tolist() == ["(in no group)", "(between groups)", "(all)"]
    with pytest.raises(sc.InputError, match="no group 'livr' .did you mean 'liver'.*; the groups are 'liver'"):
        R.from_groups({"liver": [0, 1]}, n_features=3).with_groups(["livr"])


# ---- leaving out ----

@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10 ** 6), st.integers(1, 8), st.integers(2, 6), st.booleans())
def test_without_a_feature_equals_measuring_without_its_column(seed, d, n_runs, plain):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    relation, C, _ = related(rng, d)
    runs, C = sc.Preferences.from_selection_matrix(Z), np.eye(d) if plain else C
    found = W.without_features(runs, None if plain else relation)
    assert sorted(found["feature"]) == sorted(f"f{i + 1}" for i in np.flatnonzero(Z.any(axis=0)))
    changes = found["change"].abs().fillna(-1)
    assert (changes.to_numpy()[:-1] >= changes.to_numpy()[1:] - 1e-12).all()
    for row in found.itertuples():
        f = int(row.feature[1:]) - 1
        rest = np.delete(np.arange(d), f)
        value = effective(Z[:, rest], C[np.ix_(rest, rest)]) if d > 1 else np.nan
        assert row.value == pytest.approx(value, abs=1e-9, nan_ok=True) and row.frequency == Z[:, f].mean()
        assert row.change == pytest.approx(value - effective(Z, C), abs=1e-9, nan_ok=True)
        assert bool(row.reason) == bool(np.isnan(value))


@pytest.mark.parametrize("measure", ["nogueira", "effective", "jaccard"])
def test_without_a_run_equals_measuring_the_others(measure):
    rng = np.random.default_rng(3)
    runs = sc.Preferences.from_selection_matrix(random_selection(rng, 6, 9))
    relation = related(rng, 9)[0] if measure == "effective" else None
    found = W.without_runs(runs, measure, relation=relation)
    assert found["run"].tolist() == [1, 2, 3, 4, 5, 6] and set(found["reason"]) == {""}
    for i, row in enumerate(found.itertuples()):
        again = sc.stability(runs.take([j for j in range(6) if j != i]), measure, relation=relation).value
        assert row.value == pytest.approx(again, abs=1e-12)
        assert row.change == pytest.approx(again - sc.stability(runs, measure, relation=relation).value, abs=1e-12)


def test_two_runs_cannot_spare_one():
    found = W.without_runs(sc.Preferences.from_selection_matrix([[1, 0, 1], [0, 1, 1]]))
    assert found["value"].isna().all() and "only one would be left" in found["reason"][0]


def test_a_relation_about_other_features_is_refused_everywhere():
    runs = sc.Preferences.from_selection_matrix(np.eye(3, dtype=int))
    for ask in (W.influence, W.groups, W.within_between, W.without_features):
        with pytest.raises(sc.InputError, match="about 4 features"):
            ask(runs, R.identity(4))


@pytest.mark.parametrize("measure", ["nogueira", "jaccard", "effective"])
def test_without_a_block_of_runs_is_the_measure_of_the_others(measure):
    rng, blocks = np.random.default_rng(5), ["b", "a", "b", "c", "a", "a", "c", "b", "b"]
    runs = sc.Preferences.from_selection_matrix(random_selection(rng, 9, 12))
    relation = related(rng, 12)[0] if measure == "effective" else None
    found = W.without_blocks(runs, blocks, measure, relation=relation)
    assert found["block"].tolist() == ["b", "a", "c"]
    every = sc.stability(runs, measure, relation=relation).value
    for row in found.itertuples():
        rest = runs.take([i for i, block in enumerate(blocks) if block != row.block])
        assert row.value == sc.stability(rest, measure, relation=relation).value
        assert row.change == pytest.approx(row.value - every) and row.reason == ""


def test_blocks_that_leave_fewer_than_two_runs_say_so():
    found = W.without_blocks(sc.Preferences.from_selection_matrix([[1, 0, 1], [0, 1, 1], [0, 1, 1]]), [1, 1, 2])
    assert found["reason"].tolist() == ["fewer than two runs would be left", ""]
    assert np.isnan(found["value"][0]) and np.isnan(found["change"][0])
    assert found["value"][1] == pytest.approx(-0.5)     # two runs of two among three: 1 − (1/3)/(2/9)
