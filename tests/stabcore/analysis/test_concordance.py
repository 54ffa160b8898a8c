"""Concordance of two results: slow loops, tied ranks, and noise that does not replicate."""

import numpy as np
import pytest
from replication_support import replication_alarms
from scipy import stats
from support import slow

import stabcore as sc
from stabcore.analysis.concordance import rank_sums
from stabcore.base.errors import InputError
from stabcore.study.results import Results


def result(order, features=None):
    """Four runs that rank features in this order, best first."""
    return Results({"one": sc.Selections.from_scores(np.tile(-np.argsort(order), (4, 1)), features).top(3)})


@pytest.mark.parametrize("edits", [{}, {(0, 7): 0.4, (3, 19): 0.9, (1, 2): 0.0}])
def test_common_and_related_features_are_counted_as_in_a_loop(edits):
    rng = np.random.default_rng(2)
    a, b = rng.permutation(20), rng.permutation(20)
    similarity = sc.Similarity.from_groups({"g": [1, 2, 9], "h": [4, 5]}, n_features=20).edited(edits)
    C = similarity.block(np.arange(20))
    table = sc.concordance(result(a), result(b), similarity)
    for row in table.itertuples():
        top_a, top_b, law = a[: row.k], b[: row.k], stats.hypergeom(20, row.k, row.k)
        assert row.common == len(set(top_a) & set(top_b)) and row.expected == pytest.approx(row.k**2 / 20)
        assert law.cdf(row.high) >= 0.975 and law.cdf(row.low) >= 0.025
        there, back = ((C[np.ix_(upper, lower)] > 0).any(axis=1).sum() for upper, lower in ((top_a, top_b), (top_b, top_a)))
        assert row.related == (there + back) / 2
    assert (table["related"] >= table["common"]).all() and (table["related_expected"] >= table["expected"] - 1.5).all()


def test_a_copied_cohort_replicates_and_a_shuffled_one_does_not():
    order = np.random.default_rng(3).permutation(60)
    assert (sc.concordance(result(order), result(order))["common"] == np.arange(1, 61)).all()
    outside = []
    for seed in range(60):
        table = sc.concordance(result(order), result(np.random.default_rng(100 + seed).permutation(60)), sizes=[10, 20, 30])
        outside.append(((table["common"] < table["low"]) | (table["common"] > table["high"])).mean())
    assert np.mean(outside) <= 0.08


def test_features_are_matched_by_name():
    first = result([0, 1, 2], features=["a", "b", "c"])
    second = result([0, 1, 2, 3], features=["x", "c", "a", "b"])
    table = sc.concordance(first, second)
    assert len(table) == 3 and table["common"].tolist() == [0, 1, 3]
    with pytest.raises(InputError):
        sc.concordance(first, result([0, 1, 2], features=["a", "y", "z"]))


def test_each_feature_of_a_panel_has_its_verdict():
    def of(row, last):
        return Results({"one": sc.Selections.from_matrix([row, row], ["a", "b", "c", last])})

    def verdicts(*given, **options):
        return sc.replication(*given, **options).set_index("feature")["replicates"].to_dict()

    first, second, same = of([1, 1, 0, 1], "own"), of([1, 0, 1, 0], "other"), of([1, 0, 1, 0], "own")
    similarity = sc.Similarity.from_groups({"twins": ["b", "c"]}, names=["a", "b", "c", "own"])
    assert verdicts(first, second) == {"a": "yes", "b": "no", "c": "no", "own": "unknown"}
    assert verdicts(first, same, similarity=similarity) == {"a": "yes", "b": "related", "c": "related", "own": "no"}


def test_ties_do_not_depend_on_the_order_of_the_table():
    """Uploaded lists: three of 30 features are selected, all others are tied."""

    def of(chosen, names):
        Z = np.zeros((4, 30), dtype=int)
        Z[:, chosen] = 1
        return Results({"one": sc.Selections.from_matrix(Z, names)})

    names = [f"f{i:02}" for i in range(30)]
    table = sc.concordance(of([0, 1, 2], names), of([3, 4, 5], names)).set_index("k")
    assert table.loc[3, "common"] == 0 and table.loc[30, "common"] == 30
    k = 12  # each side fills 9 of 27 tied ranks: 3 + 3 features of one side, 24 of none
    assert table.loc[k, "common"] == pytest.approx(3 * 9 / 27 * 2 + 24 * (9 / 27) ** 2)
    scores = np.array([[3.0, 2.0, np.nan, np.nan, np.nan], [3.0, np.nan, 2.0, np.nan, np.nan]])
    few = Results({"one": sc.Selections.from_scores(scores).top(1)})  # features without a rank share the last ranks
    assert rank_sums([few.selections("one")]).tolist() == [1.0, 3.0, 3.0, 4.0, 4.0]
    back = sc.concordance(of([0, 1, 2], names), of([26, 25, 24], names[::-1])).set_index("k")
    assert back["common"].to_numpy() == pytest.approx(table["common"].to_numpy())
    scores = np.zeros((3, 30))
    scores[:, :2] = 5
    tied = Results({"one": sc.Selections.from_scores(scores, names).top(2)})
    assert sc.concordance(tied, tied).set_index("k").loc[16, "common"] == pytest.approx(2 + 28 * (14 / 28) ** 2)


@pytest.mark.parametrize(("kind", "tables", "most"), [("factor", 15, 0.2), slow("factor", 60, 0.12), slow("blocks", 60, 0.12)])
def test_correlated_noise_does_not_replicate(kind, tables, most):
    """Two cohorts without signal, 20 shuffles of two pairs of halves: p ≤ 0.05 in 2 to 8%."""
    alarms = [alarm for seed in range(tables) for alarm in replication_alarms(seed, kind)["clear"]]
    assert np.mean(alarms) <= most


def test_signal_replicates_beyond_the_shuffles():
    alarms = [replication_alarms(seed, "blocks", effect=1.2) for seed in range(5)]
    assert np.mean([alarm["clear"] for alarm in alarms]) > 0.9 and all((alarm["beside"] == "shuffled").all() for alarm in alarms)
