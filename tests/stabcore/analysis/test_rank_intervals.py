"""Rank intervals: against loops over pairs, simulated tables with known ranks, scales, and patients with several rows."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from support import slow

import stabcore as sc
from stabcore.analysis.rank_intervals import areas, place_bounds, rank_intervals
from stabcore.base.errors import InputError
from stabcore.inference.effect_sizes import area_under_curve, of_area, of_rank_correlation, rank_correlation
from stabcore.plots.effects import NO_TABLE, finding_rank_intervals

N = 100


def drawn(seed, effects, shared=0.0, n=N):
    """(X, y) of two classes: effects in standard deviations, features correlated by `shared`."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    noise = np.sqrt(1 - shared) * rng.normal(size=(n, len(effects))) + np.sqrt(shared) * rng.normal(size=(n, 1))
    return noise + y[:, None] * np.asarray(effects), y


def bounds(X, y):
    return place_bounds(area_under_curve(X, y)[0] - 0.5, of_area(X, y))


def table(X, y):
    return pd.DataFrame(X, columns=[f"g{i}" for i in range(X.shape[1])]).assign(outcome=np.where(y == 1, "ill", "well"))


def test_pairs_are_compared_one_by_one_with_holm():
    X, y = drawn(1, [2.0, 1.4, -1.2, 0.6, 0, 0, -0.1])
    effect, parts = area_under_curve(X, y)[0] - 0.5, of_area(X, y)
    size, sign, pairs = np.abs(effect), np.sign(effect), []
    for i in range(7):
        for j in range(7):
            if size[i] > size[j]:
                a, b = sign[i] * parts[:, i], sign[j] * parts[:, j]
                less, more = (np.sqrt((both**2).sum() * N / (N - 2)) for both in (a - b, a + b))
                z = min((size[i] - size[j]) / less, (size[i] + size[j]) / more)
                pairs.append((2 * student.sf(z, N - 2), i, j))
    low, high = np.ones(7, dtype=int), np.full(7, 7)
    for step, (p, i, j) in enumerate(sorted(pairs)):
        if p * (len(pairs) - step) >= 0.05:
            break
        low[j] += 1
        high[i] -= 1
    assert low.max() > 1 and high.min() < 7
    assert [bound.tolist() for bound in place_bounds(effect, parts)] == [low.tolist(), high.tolist()]


@pytest.mark.parametrize(("shared", "skewed"), [(0.6, True), slow(0.0, False)])
def test_equal_effects_are_called_different_in_few_tables(shared, skewed):
    """Twelve features with one effect, so every claim is false, in 80 tables. The scale of a feature makes no difference."""
    false = 0
    for seed in range(80):
        X, y = drawn(seed, np.full(12, 1.0), shared)
        low, high = bounds(np.exp(2 * X) if skewed else X, y)
        false += (low > 1).any() or (high < 12).any()
    assert 1 <= false <= 9  # P(more than 9 of 80 at 5%) = 1%


def test_known_ranks_are_covered_and_large_differences_found():
    """Eight features of 1.5 SD among 50, n = 100: each is clearly above most others, and every interval covers its rank."""
    true, missed, worst = np.r_[np.full(8, 1.5), np.zeros(42)], 0, []
    for seed in range(60):
        low, high = bounds(*drawn(seed, true))
        missed += (low[:8] > 1).any() or (high[8:] < 50).any() or (high[:8] < 8).any() or (low[8:] > 9).any()
        worst.append(high[:8].mean())
    assert missed <= 7 and np.mean(worst) < 25


def test_correlations_with_a_numeric_outcome_have_ranks_too():
    false, clear = 0, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        outcome = rng.normal(size=N)
        X = rng.normal(size=(N, 10)) + 0.8 * outcome[:, None]
        low, high = place_bounds(rank_correlation(X, outcome)[0], of_rank_correlation(X, outcome))
        false += (low > 1).any() or (high < 10).any()
        X[:, 0] += 2 * outcome
        clear += place_bounds(rank_correlation(X, outcome)[0], of_rank_correlation(X, outcome))[1][0] == 1
    assert false <= 6 and clear >= 54


def test_the_table_ranks_the_requested_features():
    X, y = drawn(2, np.linspace(2, 0, 12))
    data = sc.Dataset.from_frame(table(X, y), target="outcome")
    every = rank_intervals(data, compared=5)
    effect = np.abs(area_under_curve(X, y)[0] - 0.5)
    assert every["feature"].tolist() == [f"g{f}" for f in np.argsort(-effect)[:5]]
    assert every["place"].tolist() == [1, 2, 3, 4, 5] and (every["low"] <= every["place"]).all()
    assert (every["place"] <= every["high"]).all() and every["effect"].abs().to_numpy() == pytest.approx(np.sort(effect)[:-6:-1])
    few = rank_intervals(data, ["g3", "g11", "g0"])
    assert set(few["feature"]) == {"g0", "g3", "g11"} and few["high"].max() == 3
    with pytest.raises(InputError, match="'g99'"):
        rank_intervals(data, ["g99"])


def test_unknown_ranks_are_missing():
    X, y = drawn(3, [1, 0, 0.5])
    assert rank_intervals(sc.Dataset.from_frame(table(X, y).head(16), target="outcome")).empty
    levels = table(X, y).assign(stage=np.resize(["early", "mid", "late"], N))
    assert "stage" not in set(rank_intervals(sc.Dataset.from_frame(levels, target="outcome"))["feature"])
    assert finding_rank_intervals(rank_intervals(sc.Dataset.from_frame(table(X, y).head(16), target="outcome"))) == NO_TABLE


def test_several_classes_have_the_mean_over_all_pairs():
    """Ten features with one effect in three classes and one with a larger effect, 12 tables."""
    y, false, clear = np.arange(120) % 3, 0, 0
    for seed in range(12):
        X = np.random.default_rng(seed).normal(size=(120, 10)) + 0.7 * y[:, None]
        low, high = place_bounds(*areas(X, y))
        false += (low > 1).any() or (high < 10).any()
        X[:, 0] += 2 * y
        clear += place_bounds(*areas(X, y))[1][0] == 1
    assert false <= 2 and clear >= 10
    pairs = [area_under_curve(X[y != other], y[y != other] == max({0, 1, 2} - {other}))[0] for other in range(3)]
    assert areas(X, y)[0] == pytest.approx(np.abs(np.array(pairs) - 0.5).mean(axis=0))
    data = sc.Dataset.from_frame(table(X, y).assign(outcome=np.array(["x", "y", "z"])[y]), target="outcome")
    assert rank_intervals(data)["feature"].iloc[0] == "g0" and rank_intervals(data)["high"].iloc[0] == 1


def test_rows_of_one_patient_count_once():
    """Four equal rows per patient give the intervals of one row."""
    X, y = drawn(4, [2.0, 0.6, 0.2, 0.0], n=40)
    once = table(X, y).assign(who=[f"p{i}" for i in range(40)])
    four = pd.concat([once] * 4, ignore_index=True)
    intervals = [rank_intervals(sc.Dataset.from_frame(frame, target="outcome", same_patient="who")) for frame in (once, four)]
    assert intervals[0][["low", "high"]].equals(intervals[1][["low", "high"]])
    alone = rank_intervals(sc.Dataset.from_frame(four, target="outcome", exclude=["who"]))
    assert (alone["high"] - alone["low"]).sum() < (intervals[1]["high"] - intervals[1]["low"]).sum()


def test_too_few_patients_of_a_class_have_no_rank_intervals():
    """With four patients of a class and three distinct values, 19 of 100 tables without effects had a wrong interval."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(40, 5)), columns=list("vwxyz"))
    for n, empty in ((4, True), (9, True), (10, False)):
        data = sc.Dataset.from_frame(frame.assign(outcome=np.where(np.arange(40) < n, "ill", "well")), target="outcome")
        assert sc.rank_intervals(data).empty == empty
