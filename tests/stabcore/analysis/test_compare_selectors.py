"""Pairwise comparisons of selectors: criteria, direction and significance."""

import numpy as np
import pandas as pd
import pytest
from noise_support import Regime, simulated
from scipy import stats

import stabcore as sc
from stabcore.analysis.compare_selectors import (
    COLUMNS,
    clearly_above,
    clearly_above_weighted,
    needed_difference,
    p_above_baselines,
    score_pairs,
    stability_pairs,
)
from stabcore.base.holm import holm
from stabcore.study.results import Results

LABELS = ["a", "b", "c"]


def pairs(*rows):
    """(first, second, difference, low, high, p_holm) each."""
    return pd.DataFrame(rows, columns=["first", "second", "difference", "low", "high", "p_holm"])


def test_all_pairs_of_selectors_are_compared():
    found = simulated(1, Regime(runs=8, selectors=3, k=None))
    C = sc.Similarity.from_groups({"g": [0, 1]}, names=found.features)
    for asked, compared in (
        ({"by": "effective", "similarity": C}, lambda *two: sc.compare(*map(found.selections, two), "effective", similarity=C)),
        ({"by": "jaccard", "k": 3}, lambda a, b: sc.compare(found.selections(a, 3), found.selections(b, 3), "jaccard")),
        ({"by": "auc"}, lambda a, b: found.compare_scores(a, b, "auc")),
    ):
        frame = sc.compare_selectors(found, **asked)
        assert list(frame.columns) == list(COLUMNS) and len(frame) == 3 and frame["paired"].all()
        np.testing.assert_array_equal(frame["p_holm"], holm(frame["p_value"].to_numpy()))
        for row in frame.itertuples():
            gap = compared(row.first, row.second)
            assert (row.difference, row.low, row.high, row.p_value) == (gap.difference, gap.low, gap.high, gap.p_value)
    for row in sc.compare_selectors(found, by="size").itertuples():
        sizes = [found.selections(label).sizes for label in (row.first, row.second)]
        assert row.paired and row.difference == pytest.approx((sizes[0] - sizes[1]).mean())


def test_a_missing_comparison_has_a_reason():
    rng = np.random.default_rng(0)
    brought = Results({label: sc.Selections.from_matrix(rng.random((5, 6)) < 0.5) for label in LABELS})
    assert score_pairs(brought)["note"].str.contains("no accuracy").all() and score_pairs(brought)["p_holm"].isna().all()
    assert not stability_pairs(brought)["paired"].any() and stability_pairs(brought)["p_value"].notna().all()
    assert stability_pairs(brought, "effective")["note"].str.contains("similarity=").all()
    assert stability_pairs(brought, k=2)["note"].str.contains("ranking").all()
    assert not clearly_above(score_pairs(brought), LABELS).any()
    alone = Results({"a": brought.selections("a")})
    assert stability_pairs(alone).empty and list(stability_pairs(alone).columns) == list(COLUMNS)


@pytest.mark.parametrize(("by", "k"), [("stabilty", None), (3, None), ("accuracy", 2), ("size", 2)])
def test_wrong_criteria_are_refused(by, k):
    with pytest.raises(sc.InputError):
        sc.compare_selectors(simulated(1, Regime(runs=5, selectors=2)), by, k=k)


def test_a_clear_difference_has_a_corrected_p_below_5_percent():
    found = pairs(("a", "b", 0.2, 0.1, 0.3, 0.01), ("a", "c", -0.2, -0.3, -0.1, 0.04), ("b", "c", 0.1, 0.0, 0.2, 0.05))
    assert clearly_above(found, LABELS).tolist() == [[False, True, False], [False, False, False], [True, False, False]]
    assert (clearly_above(found, LABELS, smaller=True) == clearly_above(found, LABELS).T).all()
    assert clearly_above(found, ["c", "a"]).tolist() == [[False, True], [False, False]] and not clearly_above(None, LABELS).any()
    assert not clearly_above(found.assign(p_holm=np.nan), LABELS).any()


def test_when_a_weighted_sum_is_clear():
    stable = pairs(("a", "b", 0.3, 0.2, 0.4, 0.001))
    accurate = pairs(("b", "a", 0.05, -0.05, 0.15, 0.9))  # a − b: −0.05 [−0.15, 0.05]
    for gamma, clear in ((0, True), (0.5, True), (0.57, True), (0.58, False), (1, False)):  # 0.43 · 0.2 = 0.086 against 0.57 · 0.15
        assert clearly_above_weighted([accurate, stable], [gamma, 1 - gamma], ["a", "b"])[0, 1] == clear
    unsure = stable.assign(p_holm=0.2)
    assert not clearly_above_weighted([accurate, unsure], [0.5, 0.5], ["a", "b"]).any()  # its interval alone is not corrected
    assert not clearly_above_weighted([None, stable], [0.5, 0.5], ["a", "b"]).any()
    assert clearly_above_weighted([None, stable], [0, 1], ["a", "b"])[0, 1]


def test_comparisons_with_baselines_are_corrected_separately():
    pairs = pd.DataFrame(
        [("a", "b", 0.1, 0.001), ("a", "random", 0.2, 0.02), ("random", "b", -0.2, 0.03), ("c", "random", -0.3, 0.001)],
        columns=["first", "second", "difference", "p_value"],
    )
    found = p_above_baselines(pairs, ["a", "b", "c"], ["random"])
    assert found == pytest.approx([0.04, 0.04, 1])  # 2 · 0.02, and Holm's p never falls
    gaps = pairs.assign(p_value=[0.001, 0.03, np.nan, 0.001])
    assert p_above_baselines(gaps, ["a", "b", "d"], ["random"])[0] == 0.03
    assert np.isnan(p_above_baselines(gaps, ["b", "d"], ["random"])).all()


def test_the_needed_difference_passes_the_first_step_of_holm():
    n, se = 8, 0.1
    half = stats.t.ppf(0.975, n - 1) * se
    pairs = pd.DataFrame({"first": ["a", "a", "b"], "second": ["b", "random", "random"], "low": -half, "high": half, "n_runs": n})
    needed = needed_difference(pairs, ["a", "b"])
    assert holm(2 * stats.t.sf(np.array([needed, 0, 0]) / se, n - 1))[0] == pytest.approx(0.05)
    assert np.isnan(needed_difference(None, ["a"])) and np.isnan(needed_difference(pairs, ["a"]))
