"""The floor selector by selector: which is known and why not, and how far it differs from table to table, by simulation."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from noise_support import noise_study

import stabcore as sc
from stabcore.analysis.floors import REACH, beyond, blind, floor_spread, floor_spreads, floors, halves_spread
from stabcore.figures.estimates import comes_back
from stabcore.inference.estimate import stability
from stabcore.inference.halves import agreement_of_halves
from stabcore.study.results import Results


def filtered(rng, plan, n, d, k, blocks=0.0):
    """Runs of a filter by the difference of two means, on a table of d features without any signal."""
    table = np.sqrt(1 - blocks) * rng.normal(size=(n, d)) + np.sqrt(blocks) * np.repeat(rng.normal(size=(n, d // 5)), 5, axis=1)
    target, seed, scores = rng.permutation(n) % 2, int(rng.integers(10**6)), np.empty((plan.runs, d))
    for run in range(plan.runs):
        rows = plan.resample(run, target, seed).rows
        sick = target[rows] == 1
        a, b = table[rows][sick], table[rows][~sick]
        scores[run] = np.abs(a.mean(axis=0) - b.mean(axis=0)) / np.sqrt(a.var(axis=0) / len(a) + b.var(axis=0) / len(b))
    return sc.Preferences.from_scores(scores).top(k)


@pytest.mark.parametrize("plan", [sc.Subsample(20, 0.05), sc.Subsample(20, 0.2), sc.Bootstrap(20)], ids=str)
def test_the_spread_is_that_of_tables_without_a_signal(plan):
    rng = np.random.default_rng(1)
    values = [stability(filtered(rng, plan, 100, 50, 10), "nogueira").value for _ in range(100)]
    expected = floor_spread(plan, 10, 50)
    assert 0.8 * expected < np.std(values) < 1.4 * expected      # 20 runs add something of their own
    assert np.mean(values) == pytest.approx(sc.noise_floor(plan, 10, 50), abs=0.03)


@pytest.mark.parametrize("d, k", [(20, 5), (50, 10), (200, 10)])
def test_the_spread_of_halves_is_that_of_tables_without_a_signal(d, k):
    rng, plan = np.random.default_rng(2), sc.Half(20)
    pairs = np.arange(plan.runs) // 2
    values = [agreement_of_halves(filtered(rng, plan, 100, d, k), pairs)["value"] for _ in range(80)]
    assert 0.75 * halves_spread(k, d) < np.std(values) < 1.35 * halves_spread(k, d)
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(80)


@pytest.mark.parametrize("blocks", [0.0, 0.5])
@pytest.mark.parametrize("plan", [sc.Subsample(20, 0.05), sc.Bootstrap(20), sc.Half(10)], ids=str)
def test_hardly_a_table_without_a_signal_comes_back_well_or_at_all(plan, blocks):
    """Judged against 0, all of them came back; against the floor alone 15 to 28 of 100."""
    rng, floor = np.random.default_rng(3), sc.noise_floor(plan, 10, 50)
    most = floor + REACH * floor_spread(plan, 10, 50)
    found = [stability(filtered(rng, plan, 100, 50, 10, blocks), "nogueira") for _ in range(100)]
    said = [comes_back(one.value, one.low, one.high, floor, most) for one in found]
    assert sum(one.startswith("come back") for one in said) <= 8
    if plan.kind == "subsample":
        assert sum(comes_back(one.value, one.low, one.high, np.nan).startswith("come back") for one in found) == 100


def test_a_spread_of_nothing_is_none():
    assert floor_spread(sc.Half(1), 5, 20) == 0 and floor_spread(sc.Bootstrap(5), 20, 20) == 0 and halves_spread(20, 20) == 0
    with pytest.raises(sc.InputError, match="found 21"):
        floor_spread(sc.Bootstrap(5), 21, 20)


# ---- of a result ----

def test_the_floor_of_every_selector_of_a_study():
    found = noise_study(1, selectors=("welch_t", "variance", "random"))
    made = floors(found)
    expected, reach = sc.noise_floor(found.plan, 3, 12), REACH * floor_spread(found.plan, 3, 12)
    assert made.loc["welch_t", ["floor", "floor_low", "floor_high"]].tolist() == pytest.approx(
        [expected, expected - reach, min(1, expected + reach)])
    assert made.loc["variance", "floor"] == found.table().loc["variance", "nogueira"], "it does not look at the outcome"
    assert made.loc["random", "floor"] == 0 and blind(found) == ["variance", "random"]
    assert floors(found, k=5).loc["welch_t", "floor"] == pytest.approx(sc.noise_floor(found.plan, 5, 12))
    jaccard = floors(found, "jaccard")
    assert np.isnan(jaccard.loc["welch_t", "floor"]) and "control by shuffling" in jaccard.loc["welch_t", "note"]
    alone = sc.Relation.from_groups({}, features=found.features)
    assert floors(found, "effective", alone).loc["welch_t", "floor"] == pytest.approx(expected), "where nothing is related"


def test_brought_selections_have_no_floor():
    found = floors(Results({"mine": sc.Preferences.from_selection_matrix(np.eye(4))}))
    assert np.isnan(found.loc["mine", "floor"]) and found.loc["mine", "note"] == "how these runs were made is not known"


def test_a_control_is_believed_before_the_closed_form():
    answer = pd.DataFrame({"value": 0.5, "floor": [0.3, 0.1], "floor_low": 0.05, "floor_high": 0.4, "beyond": 0.2, "p": 0.2,
                           "shuffles": 5, "note": ""}, index=["b", "a"])
    found = SimpleNamespace(has_control=True, ready=["a", "b"], entry_of=lambda label: None,
                            floor=lambda measure, relation, k: answer)
    assert floors(found)["floor"].tolist() == [0.1, 0.3] and floors(found)["shuffles"].tolist() == [5, 5]


def test_beyond_the_floor():
    assert beyond(0.8, 0.6) == pytest.approx(0.5) and beyond(0.5, 0.6) < 0 and np.isnan(beyond(1.0, 1.0))
    assert beyond(np.array([0.8, 0.7]), np.array([0.6, np.nan])) == pytest.approx([0.5, np.nan], nan_ok=True)


def test_spreads_along_a_curve_are_those_of_its_points():
    ks = list(range(1, 300))
    found = floor_spreads(sc.Subsample(50, 0.05), ks, 300)
    assert found == pytest.approx([floor_spread(sc.Subsample(50, 0.05), k, 300) for k in ks], rel=0.05)
