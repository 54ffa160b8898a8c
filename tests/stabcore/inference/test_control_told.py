"""What is told from a control: floors, lines of frequencies, p, against slow loops."""

import numpy as np
import pandas as pd
import pytest
from noise_support import noise_study

import stabcore as sc
from stabcore.inference.control import against
from stabcore.measures.catalog import entry
from stabcore.study.study_result import StudyResult

# ---- what is told from them ----

def slow_floor(value, floors):
    floor = sum(floors) / len(floors)
    return {"value": value, "floor": floor, "floor_low": min(floors), "floor_high": max(floors),
            "beyond": (value - floor) / (1 - floor), "p": (1 + sum(one >= value for one in floors)) / (len(floors) + 1)}


def slow_sets(store, label, shuffle, k):
    """The k best by the stored rankings, read from the file by hand."""
    return [set(np.flatnonzero(one.ranking <= k)) for one in store.outcomes(label, shuffle=shuffle)]


def slow_nogueira(sets, d):
    p = [sum(f in one for one in sets) / len(sets) for f in range(d)]
    k = sum(len(one) for one in sets) / len(sets)
    return 1 - sum(len(sets) / (len(sets) - 1) * at * (1 - at) for at in p) / d / (k / d * (1 - k / d))


def slow_jaccard(sets, d):
    pairs = [(one, other) for i, one in enumerate(sets) for other in sets[:i]]
    return sum(len(one & other) / len(one | other) for one, other in pairs) / len(pairs)


@pytest.mark.parametrize("measure, slow", [("nogueira", slow_nogueira), ("jaccard", slow_jaccard)])
@pytest.mark.parametrize("k", [None, 2, 5])
def test_the_floor_is_that_of_a_slow_loop_over_the_file(measure, slow, k):
    found = noise_study(3, selectors=("variance", "welch_t", "random"), control=4)
    table = found.floor(measure, k=k)
    for label in ("welch_t", "random"):
        values = [slow(slow_sets(found.store, label, shuffle, k or 3), 12) for shuffle in range(5)]
        expected = slow_floor(values[0], values[1:])
        assert table.loc[label, list(expected)].to_dict() == pytest.approx(expected), label
        assert table.loc[label, "shuffles"] == 4 and table.loc[label, "note"] == ""


def test_what_does_not_look_at_the_outcome_has_itself_as_its_floor():
    plan = sc.Bootstrap(6, stratified=False)
    row = noise_study(3, selectors=("variance", "welch_t"), plan=plan, control=3).floor().loc["variance"]
    assert row["value"] == row["floor"] == row["floor_low"] == row["floor_high"] and row["beyond"] == 0 and row["p"] == 1


def test_a_floor_of_one_leaves_nothing_beyond():
    same = sc.Preferences.from_selection_matrix([[1, 1, 0, 0]] * 4)
    row = against(same, [same, same])
    assert row["floor"] == 1 and np.isnan(row["beyond"]) and row["p"] == 1 and "whatever the outcome" in row["note"]
    other = sc.Preferences.from_selection_matrix([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]])
    row = against(same, [other, other, other])
    assert row["beyond"] == 1 and row["p"] == 0.25
    assert against(same, [])["note"] and np.isnan(against(same, [])["floor"])


def test_every_measure_relation_and_k_without_another_run(made):
    relation = sc.Relation.from_groups({"one": ["a", "b"], "two": ["c", "d", "e"]}, features=made.features)
    for number, key in enumerate(sc.measures().index):
        k = (None, 2)[number % 2]
        row = made.floor(key, relation, k).loc["mim"]
        values = [entry(key).function(made.preferences("mim", k, shuffle), relation) for shuffle in range(3)]
        assert row[["value", "floor"]].tolist() == pytest.approx([values[0], np.mean(values[1:])], nan_ok=True), key
        assert row["shuffles"] == 2 or row["note"], key
    assert "give relation=" in made.floor("effective").loc["mim", "note"]


def test_the_line_of_frequencies_is_the_largest_of_any_feature_in_any_shuffle(made):
    for k in (None, 2, 7):
        shuffles = [slow_sets(made.store, "mim", shuffle, k or 3) for shuffle in (1, 2)]
        most = max(sum(f in one for one in sets) / 4 for sets in shuffles for f in range(7))
        assert made.frequency_line("mim", k) == pytest.approx(most)


def test_selectors_by_their_names_have_the_same_floors(made):
    named, key = StudyResult(made.path, named=True), ["mim", "random_forest"]
    assert named.selectors == [named.called(one) for one in key] != key and named.total == made.total
    pd.testing.assert_frame_equal(named.floor().reset_index(drop=True), made.floor().reset_index(drop=True))
    assert list(named.own_dice().index) == named.selectors[1:] and named.digest() == made.digest()
    for one in (*key, *named.selectors):
        assert named.frequency_line(one) == made.frequency_line(key[named.selectors.index(named.called(one))])
    pd.testing.assert_frame_equal(named.progress().reset_index(drop=True), made.progress().reset_index(drop=True))


def test_selections_that_were_brought_have_no_control():
    from stabcore.study.results import Results

    brought = Results({"mine": sc.Preferences.from_selection_matrix(np.eye(4))})
    assert not brought.has_control and not brought.has_repeats
    for ask in (brought.floor, brought.own_dice, lambda: brought.frequency_line("mine")):
        with pytest.raises(sc.InputError, match="Run the study with"):
            ask()


def test_p_is_uniform_where_there_is_no_signal():
    """Small version of benchmarks/bench_control.py: among 4 exchangeable values the real one is equally often at every place."""
    options = {"selectors": ("welch_t",), "plan": sc.Subsample(6, 0.3), "control": 3, "classifier": "none"}
    studies = (noise_study(seed, **options) for seed in range(32))
    counts = np.bincount([round(4 * one.floor().loc["welch_t", "p"]) for one in studies], minlength=5)[1:]
    assert counts.sum() == 32 and ((counts - 8) ** 2 / 8).sum() < 16.3           # χ² with 3 degrees of freedom, p = 0.001


def test_p_is_small_where_there_is_a_signal():
    found = noise_study(1, kind="known", selectors=("welch_t",), plan=sc.Half(8), control=9, classifier="none").floor()
    assert found.loc["welch_t", "p"] == 0.1 and found.loc["welch_t", "beyond"] > 0.3
