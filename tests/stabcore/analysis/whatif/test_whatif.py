"""What-if: every answer equals measuring again under the changed assumption, and derivatives equal small steps."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measure_support import slow_effective as effective
from support import random_selection

import stabcore as sc
from stabcore.analysis.whatif.pairs import similar_pairs
from stabcore.base.holm import holm

R, W = sc.Similarity, sc.whatif


def related(rng, d):
    """(Similarity, dense C): groups, pairs set inside and between them, some to 0."""
    labels = rng.integers(-1, 3, d)
    similarity = R.from_groups({f"g{g}": np.flatnonzero(labels == g) for g in range(3)}, n_features=d)
    pairs = [tuple(rng.choice(d, 2, replace=False)) for _ in range(d)] if d > 1 else []
    similarity = similarity.edited({pair: rng.choice([0.0, 0.3, 0.7]) for pair in pairs})
    return similarity, similarity.block(np.arange(d)), labels


def test_pull_of_similar_pairs_is_the_slope_without_similarity():
    rng = np.random.default_rng(3)
    Z = random_selection(rng, 30, 6, low=1)
    runs, similarity = sc.Selections.from_matrix(Z), R.from_groups({"g": [0, 1, 2], "h": [4, 5]}, n_features=6)
    found = similar_pairs(runs, similarity)
    number = {name: i for i, name in enumerate(runs.features)}
    slopes = W.influence(runs, R.identity(6, runs.features)).set_index(["feature_a", "feature_b"])["derivative"]
    assert len(found) == 4 and (found["pull"].abs().diff().dropna() <= 1e-12).all()
    for row in found.itertuples():
        a, b = Z[:, number[row.feature_a]], Z[:, number[row.feature_b]]
        assert (row.both, row.one, row.neither) == ((a & b).sum(), (a ^ b).sum(), (1 - (a | b)).sum())
        assert row.pull == pytest.approx(slopes[row.feature_a, row.feature_b])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(2, 6), st.sampled_from([2, 512]))
def test_influence_is_the_slope_of_a_small_step(seed, d, n_runs, block):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0)
    similarity, C, _ = related(rng, d)
    runs = sc.Selections.from_matrix(Z)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stabcore.analysis.whatif.pairs.BLOCK", block)
        found = W.influence(runs, similarity)
        few = W.influence(runs, similarity, most=3)
    ever = np.flatnonzero(Z.any(axis=0))
    assert len(found) == len(ever) * (len(ever) - 1) // 2
    assert found["derivative"].abs().fillna(-1).is_monotonic_decreasing and few.equals(found.head(3))
    value = effective(Z, C)
    for row in found.itertuples():
        i, j = int(row.feature_a[1:]) - 1, int(row.feature_b[1:]) - 1
        assert i < j and row.value == pytest.approx(C[i, j]) and row.together == (Z[:, i] * Z[:, j]).sum()
        if np.isnan(value):
            assert np.isnan(row.derivative)
            continue
        step = np.zeros_like(C)
        step[i, j] = step[j, i] = 1e-6
        slope = (effective(Z, C + step) - effective(Z, C - step)) / 2e-6
        assert row.derivative == pytest.approx(slope, rel=1e-4, abs=1e-5)
        assert row.change == pytest.approx(row.derivative * ((1 if C[i, j] < 1 else 0) - C[i, j]))  # the largest step that C allows


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(2, 6))
def test_group_switches_equal_measuring_again(seed, d, n_runs):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    similarity, C, labels = related(rng, d)
    runs, names = sc.Selections.from_matrix(Z), list(similarity.group_names)

    def with_on(on):
        switched = C.copy()
        for g, name in enumerate(names):
            if name not in on:
                switched[np.outer(labels == g, labels == g)] = 0
        np.fill_diagonal(switched, 1)
        return switched

    for size in range(4):
        for on in combinations(names, size):
            assert similarity.with_groups(on).block(range(d)) == pytest.approx(with_on(on), abs=1e-12)
    found = W.groups(runs, similarity)
    whole, none = effective(Z, C), effective(Z, with_on([]))
    assert (found.attrs["all"], found.attrs["none"]) == pytest.approx((whole, none), abs=1e-9, nan_ok=True)
    for g, row in enumerate(found.itertuples()):
        alone = effective(Z, with_on([row.group]))
        without = effective(Z, with_on([name for name in names if name != row.group]))
        assert row.features == (labels == g).sum()
        assert (row.alone, row.without) == pytest.approx((alone, without), abs=1e-9, nan_ok=True)
        assert (row.effect_alone, row.effect_last) == pytest.approx((alone - none, whole - without), abs=1e-9, nan_ok=True)
        assert bool(row.reason) == bool(np.isnan(alone + without + none + whole))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(3, 6))
def test_within_and_between_parts_add_up(seed, d, n_runs):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    similarity, C, labels = related(rng, d)
    runs, S = sc.Selections.from_matrix(Z), np.cov(Z, rowvar=False)
    parts = W.within_between(runs, similarity).set_index("group")
    assert list(parts.index) == [*similarity.group_names, "(in no group)", "(between groups)", "(all)"]
    for g, name in enumerate([*similarity.group_names, "(in no group)"]):
        members = np.flatnonzero(labels == (g if g < 3 else -1))
        row, single = parts.loc[name], np.trace(S[np.ix_(members, members)])
        assert row["features"] == len(members) and row["variance"] == pytest.approx(single, abs=1e-12)
        counted = np.sum((C * S)[np.ix_(members, members)]) if g < 3 else single
        assert row["effective_variance"] == pytest.approx(counted, abs=1e-12)
        assert row["substitution"] == pytest.approx(single - counted, abs=1e-12)
        again = effective(Z[:, members], np.eye(len(members))) if len(members) else np.nan
        assert row["stability"] == pytest.approx(again, abs=1e-9, nan_ok=True) and bool(row["reason"]) == bool(np.isnan(again))
    assert parts.loc["(all)", "variance"] == pytest.approx(np.trace(S), abs=1e-12)
    assert parts.loc["(all)", "effective_variance"] == pytest.approx(np.trace(C @ S), abs=1e-12)
    assert parts["effective_variance"].iloc[:-1].sum() == pytest.approx(np.trace(C @ S), abs=1e-12)
    assert parts["variance"].iloc[:-1].sum() == pytest.approx(np.trace(S), abs=1e-12)


def test_no_groups_no_rows_and_unknown_groups():
    runs = sc.Selections.from_matrix(np.eye(3, dtype=int))
    assert W.groups(runs, R.identity(3)).empty
    assert W.within_between(runs, R.identity(3))["group"].tolist() == ["(in no group)", "(between groups)", "(all)"]
    with pytest.raises(sc.InputError):
        R.from_groups({"liver": [0, 1]}, n_features=3).with_groups(["livr"])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(2, 6), st.booleans())
def test_without_a_feature_equals_measuring_without_its_column(seed, d, n_runs, plain):
    rng = np.random.default_rng(seed)
    Z = random_selection(rng, n_runs, d, low=0, high=d)
    similarity, C, _ = related(rng, d)
    runs, C = sc.Selections.from_matrix(Z), np.eye(d) if plain else C
    found = W.without_features(runs, None if plain else similarity)
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
def test_without_runs_equals_measuring_the_others(measure):
    rng, blocks = np.random.default_rng(3), ["b", "a", "b", "c", "a", "a", "c", "b", "b"]
    runs = sc.Selections.from_matrix(random_selection(rng, 9, 12))
    similarity = related(rng, 12)[0] if measure == "effective" else None

    def value(runs):
        return sc.stability(runs, measure, similarity=similarity).value

    each = W.without_runs(runs, measure, similarity=similarity)
    of_blocks = W.without_blocks(runs, blocks, measure, similarity=similarity)
    assert each["run"].tolist() == [*range(1, 10)] and of_blocks["block"].tolist() == ["b", "a", "c"]
    kept = [[j for j in range(9) if j + 1 != run] for run in each["run"]]
    kept += [[j for j in range(9) if blocks[j] != block] for block in of_blocks["block"]]
    for row, others in zip([*each.itertuples(), *of_blocks.itertuples()], kept, strict=True):
        again = value(runs.take(others))
        assert (row.value, row.change) == pytest.approx((again, again - value(runs)), abs=1e-12) and row.reason == ""


def test_fewer_than_two_remaining_runs_have_a_reason():
    assert W.without_runs(sc.Selections.from_matrix([[1, 0, 1], [0, 1, 1]]))["reason"].all()
    found = W.without_blocks(sc.Selections.from_matrix([[1, 0, 1], [0, 1, 1], [0, 1, 1]]), [1, 1, 2])
    assert found["reason"].astype(bool).tolist() == [True, False] and np.isnan(found["value"][0]) and np.isnan(found["change"][0])
    assert found["value"][1] == pytest.approx(-0.5)  # two runs of two among three: 1 − (1/3)/(2/9)


def test_other_features_and_too_many_pairs_are_refused(monkeypatch):
    runs = sc.Selections.from_matrix(np.eye(4, dtype=int))
    for ask in (W.influence, W.groups, W.within_between, W.without_features):
        with pytest.raises(sc.InputError):
            ask(runs, R.identity(5))
    monkeypatch.setattr("stabcore.analysis.whatif.pairs.MAX_ROWS", 5)
    with pytest.raises(sc.InputError):
        W.influence(runs, R.identity(4))
    assert len(W.influence(runs, R.identity(4), most=5)) == 5 and W.influence(runs, R.identity(4), most=0).empty


D, NAMES = 9, list("abcdefghi")


def runs(seed, M=8):
    return sc.Selections.from_matrix(random_selection(np.random.default_rng(seed), M, D, low=3, high=6), NAMES)


@pytest.fixture
def similarity():
    return sc.Similarity.from_groups({"one": ["a", "b", "c"], "two": ["d", "e"]}, names=NAMES).edited({("a", "i"): 0.5})


def test_two_selectors_are_compared_inside_each_group(similarity):
    first, second = runs(1), runs(2)
    frame = sc.whatif.within_between_beside(first, second, similarity)
    assert frame["group"].tolist() == ["one", "two", "(in no group)", "(between groups)", "(all)"]
    for side, side_runs in (("first", first), ("second", second)):
        alone = sc.whatif.within_between(side_runs, similarity)
        for part in ("stability", "variance", "effective_variance", "substitution"):
            np.testing.assert_array_equal(frame[f"{part}_{side}"], alone[part])
    for row, members in zip(frame.itertuples(), ([0, 1, 2], [3, 4], [5, 6, 7, 8], None, range(D))):
        if members is None:
            assert np.isnan(row.difference)
            continue
        gap = sc.compare(*(sc.Selections.from_matrix(either.selected[:, list(members)]) for either in (first, second)))
        assert (row.difference, row.low, row.high) == pytest.approx((gap.difference, gap.low, gap.high))
    assert frame["p_holm"][:3].to_numpy() == pytest.approx(holm(frame["p_value"][:3].to_numpy()))
    assert frame["p_holm"][3:].isna().all()
    apart = sc.whatif.within_between_beside(first, runs(3, 6), similarity, paired=False)
    assert apart["high"].notna().sum() == 4
