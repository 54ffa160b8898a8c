"""Pareto fronts against the definition, point by point, with ties, duplicates and gaps."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from noise_support import LABELS, REGIMES, simulated
from snapshot_support import check_refusals

import stabcore as sc
from stabcore.analysis import pareto
from stabcore.analysis.pareto import (
    DOMINATED,
    NOT_DISTINGUISHABLE,
    ON_FRONT,
    configurations_to_evaluate,
    front_changes,
    front_shares,
    mean_nondominated_rank,
    near_best,
    pareto_front,
    standings,
    weighted_choice,
)

points = arrays(float, st.tuples(st.integers(0, 9), st.integers(1, 3)), elements=st.sampled_from([0.0, 0.25, 1.0, -1.0, np.nan]))


def dominates(a, b):
    """Whether a is at least as good as b in everything and better in something. A point with a gap is outside this order."""
    return not np.isnan([*a, *b]).any() and all(x >= y for x, y in zip(a, b)) and any(x > y for x, y in zip(a, b))


@settings(max_examples=60, deadline=None)
@given(points, st.sets(st.sampled_from("abc")))
def test_fronts_equal_the_definition(values, smaller):
    names = list("abc")[: values.shape[1]]
    smaller = [name for name in names if name in smaller]
    found = sc.pareto_front(pd.DataFrame(values, columns=names), names, smaller=smaller)
    values = values * [-1 if name in smaller else 1 for name in names]
    for i, row in enumerate(values):
        dominated_by = sum(dominates(other, row) for other in values)
        if np.isnan(row).any():
            assert np.isnan(found["dominated_by"][i]) and not found["on_front"][i]
        else:
            assert found["dominated_by"][i] == dominated_by and found["on_front"][i] == (dominated_by == 0)


def test_ranks_are_averaged_over_the_datasets():
    table = pd.DataFrame({"dataset": ["d1"] * 3 + ["d2"] * 3, "selector": list("ABC") * 2})
    table = table.assign(accuracy=[0.9, 0.8, 0.7, 0.5, 0.9, 0.5], stability=[0.9, 0.8, 0.7, 0.9, 0.5, np.nan])
    found = mean_nondominated_rank(table)
    assert found["selector"].tolist() == ["A", "B", "C"] and found["rank"].tolist() == [1, 1.5, 3]
    assert found["dominated_by"].tolist() == [0, 0.5, 2] and found["on_front"].tolist() == [2, 1, 0]
    assert found["counted"].tolist() == [2, 2, 1] and found["missing"].tolist() == [0, 0, 1]
    assert mean_nondominated_rank(table.rename(columns={"dataset": "half"}), by="half").equals(found)
    assert mean_nondominated_rank(table.iloc[:0]).empty
    never = pd.DataFrame({"dataset": 1, "selector": ["never", "A"], "accuracy": [np.nan, 0.5], "stability": [1, 0.5]})
    found = mean_nondominated_rank(never)
    assert found["selector"].tolist() == ["A", "never"] and np.isnan(found["rank"][1]) and found["missing"].tolist() == [0, 1]
    with pytest.raises(sc.InputError):
        mean_nondominated_rank(table, by="study")


two = arrays(float, st.tuples(st.integers(0, 8), st.just(2)), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, np.nan]))
uneven = arrays(float, st.tuples(st.integers(0, 8), st.just(2)), elements=st.floats(-1, 1, width=16))


@settings(max_examples=20, deadline=None)
@given(two | uneven)
def test_the_compromise_is_the_best_weighted_sum_at_every_gamma(values):
    table = pd.DataFrame(values, columns=["accuracy", "stability"])
    ranges = weighted_choice(table)
    edge = np.unique(ranges[["gamma_low", "gamma_high"]].to_numpy())
    edge = edge[~np.isnan(edge)]
    on_front = [not np.isnan(row).any() and not any(dominates(other, row) for other in values) for row in values]
    turned = weighted_choice(-table, smaller=("accuracy", "stability"))
    assert turned["gamma_low"].to_numpy() == pytest.approx(ranges["gamma_low"].to_numpy(), nan_ok=True)
    for gamma in {*edge, *((edge[:-1] + edge[1:]) / 2), 0.0, 0.3, 1.0}:
        found = weighted_choice(table, gamma)
        score = gamma * values[:, 0] + (1 - gamma) * values[:, 1]
        assert found["score"].to_numpy() == pytest.approx(score, nan_ok=True)
        best = max(score[on_front], default=np.nan)
        assert all(on_front[i] and score[i] == pytest.approx(best, abs=1e-9) for i in np.flatnonzero(found["chosen"]))
        assert found["chosen"].any() == any(on_front)
        assert not on_front or not any(on_front) or best == pytest.approx(max(score[~np.isnan(score)]), abs=1e-9)


def test_points_on_one_line_tie_and_duplicates_share_their_range():
    for rows, chosen in (
        *(([], []), ([(0.3, 0.4)] * 3, [True] * 3), ([(0.1, 0.5), (0.4, 0.5)], [False, True])),
        *(([(0.5, 0.1), (0.5, 0.4)], [False, True]), ([(np.nan, 1), (0.1, 0.1)], [False, True]), ([(np.nan, 1)], [False])),
    ):
        for gamma in (0, 0.5, 1):
            found = weighted_choice(pd.DataFrame(rows, columns=["accuracy", "stability"], dtype=float), gamma)
            assert found["chosen"].tolist() == chosen
            assert found.loc[found["chosen"], ["gamma_low", "gamma_high"]].to_numpy().tolist() == [[0, 1]] * sum(chosen)
    line = pd.DataFrame({"accuracy": [0.1, 0.2, 0.3, 0.2], "stability": [0.3, 0.2, 0.1, 0.2]})
    found = weighted_choice(line)
    assert found["gamma_low"].tolist() == pytest.approx([0, 0.5, 0.5, 0.5])
    assert found["gamma_high"].tolist() == pytest.approx([0.5, 0.5, 1, 0.5])
    assert weighted_choice(line, 0.5)["chosen"].all()
    for steps in range(2, 30):  # rounding bends these lines a little in either direction
        share = np.arange(steps + 1) / steps
        found = weighted_choice(pd.DataFrame({"accuracy": 0.3 + 0.4 * share, "stability": 0.9 - 0.7 * share}), 7 / 11)
        assert found["chosen"].all() and (found["gamma_low"][1:].to_numpy() == pytest.approx(7 / 11))


def test_the_margin_keeps_selectors_nearly_as_good_as_the_best():
    table = pd.DataFrame(
        {"accuracy": [0.90, 0.85, 0.8499999, np.nan, 0.7], "size": [50, 10, 1, 1, 1], "stability": [0.5, 0.4, 1, 1, 1]}
    )
    near = near_best(table)
    assert near.index.tolist() == [0, 1]
    assert pareto_front(near, ("size", "stability"), smaller=("size",))["on_front"].tolist() == [True, True]
    assert near_best(table.rename(columns={"accuracy": "auc"}), "auc", 0).index.tolist() == [0]
    assert len(near_best(pd.DataFrame({"accuracy": [0.7, 0.8]}), margin=0.1)) == 2  # 0.8 - 0.1 > 0.7 in binary
    assert near_best(table.iloc[3:4]).empty and near_best(table.iloc[:0]).empty


def test_changes_of_the_front():
    table = pd.DataFrame(
        {"accuracy": [0.9, 0.8, 0.7, 0.6, 0.5], "nogueira": [0.2, 0.5, 0.4, 0.1, np.nan], "effective": [0.6, 0.5, 0.7, 0.1, 0.9]},
        index=["lasso", "mim", "jmi", "rf", "cmim"],
    )
    found = front_changes(table, "nogueira", "effective")
    assert found["change"].to_dict() == {"lasso": "stays", "mim": "leaves", "jmi": "enters", "rf": "", "cmim": "enters"}
    assert list(found) == ["accuracy", "before", "after", "on_front_before", "on_front_after", "change"]
    assert found["before"]["mim"] == 0.5 and found["after"]["jmi"] == 0.7
    assert found["on_front_before"].tolist() == [True] * 2 + [False] * 3
    assert front_changes(table, "nogueira", "nogueira")["change"].tolist() == ["stays", "stays", "", "", ""]
    assert front_changes(table.iloc[:0], "nogueira", "effective").empty


@settings(max_examples=60, deadline=None)
@given(
    arrays(float, st.tuples(st.integers(1, 6), st.just(2)), elements=st.sampled_from([0.0, 0.25, 1.0, np.nan])),
    st.integers(0, 2**31),
)
def test_standings_equal_the_definition(values, seed):
    rng, n = np.random.default_rng(seed), len(values)
    clear = [(rng.random((n, n)) < 0.6) & (values[:, None, c] > values[None, :, c]) for c in (0, 1)]
    found = standings(pd.DataFrame(values, columns=["accuracy", "stability"]), clear)
    assert found["dominated_by"].equals(pareto_front(pd.DataFrame(values, columns=["accuracy", "stability"]))["dominated_by"])
    complete = [i for i in range(n) if not np.isnan(values[i]).any()]
    for i in range(n):
        better = [j for j in complete if i in complete and j != i and not any(criterion[i, j] for criterion in clear)]
        beaten = any(dominates(values[j], values[i]) and any(criterion[j, i] for criterion in clear) for j in complete)
        expected = "" if i not in complete else DOMINATED if beaten else NOT_DISTINGUISHABLE if better else ON_FRONT
        assert found["standing"][i] == expected


def test_ranks_differ_clearly_only_over_many_datasets():
    def ranks(n_datasets):
        rows = [(f"d{i}", who, value, value) for i in range(n_datasets) for who, value in (("A", 0.9), ("B", 0.8), ("C", 0.7))]
        return mean_nondominated_rank(pd.DataFrame(rows, columns=["dataset", "selector", "accuracy", "stability"]))

    assert np.isnan(ranks(3)["p_holm"][0]) and ranks(3)["p_holm"].tolist()[1:] == pytest.approx([0.75, 0.75])  # 3 pairs, 2/2³
    assert (ranks(8)["p_holm"].to_numpy()[1:] < 0.05).all()


def test_wrong_arguments_are_refused():
    t = pd.DataFrame(np.zeros((2, 2)), columns=["accuracy", "stability"])
    cases = [
        *((pareto_front, t, ("accuracy", "size")), (pareto_front, t, ()), (weighted_choice, t, 0.5, ("accuracy",))),
        *((weighted_choice, t, 1.5), (weighted_choice, t.replace(0, np.inf)), (near_best, t, "accuracy", -1)),
        (near_best, t, "size"),
        *((partial(pareto_front, smaller=("size",)), t), (front_changes, t, "stability", "effective")),
    ]
    check_refusals("analysis/wrong_fronts", lambda ask, *given: ask(*given), cases)


def test_the_second_look_lists_accurate_stable_and_small_selectors():
    table = pd.DataFrame(
        {"accuracy": [0.90, 0.88, 0.86, 0.87, 0.70], "nogueira": [0.3, 0.6, 0.9, 0.5, 1.0], "mean_size": [40.0, 10, 60, 10, 1]},
        index=list("abcde"),
    )
    # d has the size of b but is less stable, and e is not accurate
    for options, expected in (({}, "bc"), ({"most": 1}, "b"), ({"margin": 0.0}, "a")):
        assert list(configurations_to_evaluate(table, **options).index) == list(expected)


def test_shares_equal_a_count_over_fronts():
    found = simulated(3)
    C = sc.Similarity.from_groups({"a": found.features[:2]}, names=found.features)
    halves = pareto._halves(np.arange(20), 10, np.random.default_rng(0))
    for measure, similarity in (("effective", C), ("jaccard", None)):
        times = pd.Series(0.0, index=list(LABELS))
        for half in halves:
            rows = np.flatnonzero(half)
            runs = [found.selections(label).take(rows) for label in LABELS]
            table = pd.DataFrame({"stability": [sc.stability(some, measure, similarity=similarity).value for some in runs]}, LABELS)
            table["accuracy"] = [np.mean([found.run_scores(label)[i + 1] for i in rows]) for label in LABELS]
            times += pareto_front(table.round(12))["on_front"]
        shares = front_shares(found, measure, similarity=similarity, halves=10)
        pd.testing.assert_series_equal(shares, times / 10, check_names=False)


def test_the_best_is_always_on_the_front_and_equals_share_it():
    best = front_shares(simulated(1, best=True))
    assert best["amber"] == 1 and best[["birch", "cedar", "delta"]].max() == 0
    equal = pd.DataFrame([front_shares(simulated(seed, REGIMES["few runs"])) for seed in range(8)])
    assert equal.mean().between(0.1, 0.9).all()  # each of four equal selectors is on some fronts but not on all
    assert equal.to_numpy().mean() == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, abs=0.12) and equal.max(axis=1).mean() > 0.7
    found = simulated(2, labels=("amber", "random"))
    assert front_shares(found)["amber"] == 1 and np.isnan(front_shares(found)["random"])
    assert front_shares(simulated(2, REGIMES["three runs"])).empty
    assert front_shares(sc.Results({"one": found.selections("amber")})).empty
    halves = pareto._halves(np.repeat(np.arange(6), 2), 20, np.random.default_rng(1))  # runs of one unit stay together
    assert (halves[:, ::2] == halves[:, 1::2]).all() and (halves.sum(axis=1) == 6).all()
