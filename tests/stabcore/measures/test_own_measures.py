"""User-defined measures work wherever a key does, and every broken contract has its error."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from snapshot_support import check_refusals
from study_support import study
from support import random_selection

import stabcore as sc
from stabcore.analysis.compare_selectors import stability_pairs
from stabcore.analysis.stability_by_runs import runs_needed
from stabcore.analysis.whatif.leaving_out import without_runs
from stabcore.inference import runs_needed as precision
from stabcore.measures.entry import Entry
from stabcore.plots.comparisons import frame_comparisons
from stabcore.plots.estimates import table_estimates
from stabcore.plots.learning_curves import frame_stability_by_runs


def shared_share(selections):
    """Jaccard, computed from the sets only."""
    sets = selections.selection_matrix.toarray()
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    return np.mean([np.minimum(a, b).sum() / np.maximum(a, b).sum() for a, b in pairs])


def with_similarity(selections, similarity, *, power=1.0):
    return float(similarity.n_features) ** power


@pytest.fixture(scope="module")
def runs():
    return sc.Selections.from_matrix(random_selection(np.random.default_rng(1), 7, 12))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    with ThreadPoolExecutor(1) as executor:
        return study(["mim", "random"]).run(executor, store=tmp_path_factory.mktemp("own") / "m.stab")


def test_a_user_measure_equals_the_same_measure_of_the_catalogue(runs):
    passed, named = sc.stability(runs, shared_share), sc.stability(runs, "jaccard")
    assert passed.measure == "shared_share" and passed.value == pytest.approx(named.value)
    interval = passed.se, max(passed.low, 0), passed.high  # the interval of jaccard ends at 0
    assert interval == pytest.approx((named.se, named.low, named.high))
    assert precision.runs_needed(passed, 0.05) == precision.runs_needed(named, 0.05)
    other = sc.Selections.from_matrix(random_selection(np.random.default_rng(2), 7, 12))
    mine, theirs = sc.compare(runs, other, shared_share), sc.compare(runs, other, "jaccard")
    assert (mine.difference, mine.low, mine.p_value) == pytest.approx((theirs.difference, theirs.low, theirs.p_value))
    np.testing.assert_allclose(without_runs(runs, shared_share)["value"], without_runs(runs, "jaccard")["value"])
    shown = ["runs", "value", "spread_low", "spread_high"]
    np.testing.assert_allclose(*(precision.stability_by_runs(runs, given, orders=5)[shown] for given in (shared_share, "jaccard")))


def test_tables_and_figures_include_a_user_measure(made):
    table = made.table([shared_share, "jaccard"])
    np.testing.assert_allclose(table["shared_share"], table["jaccard"])
    np.testing.assert_allclose(table["shared_share_low"], table["jaccard_low"])
    shown = Entry(key="mine", label="My measure", function=shared_share, low=0.0, high=1.0)
    frame = table_estimates(made.table(shown), [shown])
    assert set(frame["label"]) == {"My measure"} and frame["value"].notna().all()
    assert len(frame_comparisons(stability_pairs(made, shared_share))) == 1
    all_runs = {label: made.selections(label) for label in made.finished_selectors}
    assert (runs_needed(all_runs, shown)["reason"] == "").all() and len(frame_stability_by_runs(all_runs, shown))


def test_an_entry_sets_the_label_and_limits_of_a_user_measure(runs):
    wide, cut = (
        sc.stability(runs, Entry(key="mine", label="Mine", function=lambda p: 50 * shared_share(p), **limits))
        for limits in ({}, {"low": 0.0, "high": 20.0})
    )
    assert wide.high > 20 and cut.value == wide.value and cut.high == max(20.0, cut.value) and cut.low >= 0


def test_options_and_similarity_reach_a_user_measure(runs):
    similarity = sc.Similarity.from_groups({"g": [0, 1]}, n_features=12)
    assert sc.stability(runs, with_similarity, similarity=similarity, power=2.0).value == 144
    for wrong in ({}, {"similarity": similarity, "pwer": 2}):
        with pytest.raises(sc.InputError):
            sc.stability(runs, with_similarity, **wrong)
    assert sc.stability(runs, lambda p, similarity=None: 1.0 if similarity is None else 2.0).value == 1.0


def failing(selections):
    raise ZeroDivisionError("by nought")


def jaccard(selections):
    return 0.5


def test_broken_contracts_are_refused(runs):
    cases = [
        *(3, lambda: 1.0, lambda *, selections: 1.0, lambda selections, weights: 1.0, lambda selections: "high"),
        *(lambda selections: None, lambda selections: np.ones(3), lambda selections: 1j, failing, jaccard),
        Entry(key="nogueira", label="Mine", function=failing),
        Entry(key="mine", label="Mine", function="nogueira"),
    ]
    check_refusals("measures/wrong_measures", lambda measure: sc.stability(runs, measure), cases)


def test_a_failing_measure_does_not_hide_the_others(runs, made):
    found = sc.stability(runs, ["nogueira", failing])
    assert np.isfinite(found["nogueira"].value)
    assert made.table(["nogueira", failing])["failing_note"].str.contains("by nought").all()
    assert list(sc.stability(runs, [shared_share, shared_share])) == ["shared_share"]
    for both in ([lambda p: 1.0, lambda p: 2.0], [shared_share, Entry(key="shared_share", label="", function=failing)]):
        with pytest.raises(sc.InputError):
            sc.stability(runs, both)
    with pytest.raises(sc.InputError):
        sc.stability_profile(runs, shared_share)
    assert np.isfinite(sc.stability(runs, Entry(key="part", label="Part", function=partial(shared_share))).value)
