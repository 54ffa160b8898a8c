"""What is told from a control: floors, lines of frequencies, p, against slow loops."""

import statistics

import numpy as np
import pandas as pd
import pytest
from floor_support import KINDS, clear
from noise_support import noise_study

import stabcore as sc
from stabcore.inference.control import LEAST_KEPT, against, beside_floor, steadied_frequencies
from stabcore.measures.catalog import entry
from stabcore.study.study_result import StudyResult

# ---- what is told from them ----

def slow_floor(value, floors):
    floor = sum(floors) / len(floors)
    return {"value": value, "floor": floor, "floor_low": min(floors), "floor_high": max(floors),
            "floor_se": statistics.stdev(floors) / len(floors) ** 0.5, "beyond": value - floor,
            "p": (1 + sum(one >= value for one in floors)) / (len(floors) + 1)}


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
    found = noise_study(3, selectors=("anova_f", "welch_t", "random"), control=4, control_runs="all")
    table = found.floor(measure, k=k)
    for label in ("welch_t", "anova_f"):
        values = [slow(slow_sets(found.store, label, shuffle, k or 3), 12) for shuffle in range(5)]
        expected = slow_floor(values[0], values[1:])
        assert table.loc[label, list(expected)].to_dict() == pytest.approx(expected), label
        assert table.loc[label, "shuffles"] == 4 and table.loc[label, "note"] == ""


@pytest.mark.parametrize("plan, share", [(sc.Half(6), 12 / 132), (sc.KFold(4, 3), 36 / 132), (sc.Nested(3, 4), 36 / 132),
                                         (sc.Bootstrap(6), None), (sc.KFold(6), None)], ids=repr)
def test_few_runs_of_a_shuffle_are_weighed_as_in_the_study(plan, share):
    """Jaccard of pairs listed by hand: those within a cluster and between clusters, averaged apart."""
    found = noise_study(4, selectors=("welch_t",), plan=plan, control=3, classifier="none")
    assert {one.run for one in found.store.outcomes("welch_t", shuffle=1)} == set(plan.control_runs(4))
    for shuffle in (1, 2, 3):
        runs = [(plan.cluster(one.run), set(one.selected)) for one in found.store.outcomes("welch_t", shuffle=shuffle)]
        pairs = [(a == b, len(one & other) / len(one | other)) for i, (a, one) in enumerate(runs) for b, other in runs[:i]]
        inside, between = ([value for same, value in pairs if same == kind] for kind in (True, False))
        expected = np.mean(inside + between) if share is None else share * np.mean(inside) + (1 - share) * np.mean(between)
        assert found.shuffled_values("welch_t", "jaccard")[shuffle] == pytest.approx(expected)
    values = list(found.shuffled_values("welch_t", "jaccard").values())
    assert found.floor("jaccard").loc["welch_t", "floor"] == pytest.approx(np.mean(values))


def test_few_runs_stand_for_the_whole_plan():
    """The same shuffles with few and with all runs: nogueira comes to the same mean."""
    few, whole = (noise_study(2, selectors=("welch_t",), plan=sc.Half(8), control=30, control_runs=runs, classifier="none")
                  .floor().loc["welch_t"] for runs in (4, "all"))
    assert abs(few["floor"] - whole["floor"]) < 3 * np.hypot(few["floor_se"], whole["floor_se"])
    assert few["floor_se"] > whole["floor_se"] and few["floor"] > 0.05


def test_a_measure_that_is_no_mean_over_pairs_needs_all_runs():
    row, whole = (noise_study(4, selectors=("welch_t",), plan=sc.Half(4), control=2, control_runs=runs, classifier="none")
                  .floor("davis").loc["welch_t"] for runs in (4, "all"))
    assert np.isnan(row["floor"]) and row["shuffles"] == 0 and 'control_runs = "all"' in row["note"] and not row["clear"]
    assert whole["shuffles"] == 2 and not whole["note"]


def test_what_lies_beyond_has_an_interval_of_both_uncertainties():
    row = beside_floor(0.5, 0.4, 0.55, [0.1, 0.2, 0.15])
    t = 4.30265273 * np.std([0.1, 0.2, 0.15], ddof=1) / 3 ** 0.5
    assert (row["beyond"], row["beyond_low"], row["beyond_high"]) == pytest.approx(
        (0.35, 0.35 - np.hypot(0.1, t), 0.35 + np.hypot(0.05, t)))
    assert row["p"] == 0.25 and not row["clear"] and beside_floor(0.5, 0.4, 0.55, np.linspace(0, 0.4, 19))["clear"]
    assert not beside_floor(0.5, 0.4, 0.55, np.linspace(0, 0.5, 19))["clear"]


def test_what_does_not_look_at_the_outcome_has_itself_as_its_floor():
    plan = sc.Bootstrap(6)
    row = noise_study(3, selectors=("variance", "welch_t"), plan=plan, control=3).floor().loc["variance"]
    assert row["value"] == row["floor"] and row["beyond"] == 0 and row["p"] == 1 and not row["clear"] and row["shuffles"] == 0


def test_a_floor_of_one_leaves_nothing_beyond():
    same = sc.Preferences.from_selection_matrix([[1, 1, 0, 0]] * 4)
    row = against(same, [same, same])
    assert row["floor"] == 1 and row["beyond"] == 0 and row["p"] == 1
    other = sc.Preferences.from_selection_matrix([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]])
    row = against(same, [other, other, other])
    assert row["beyond"] == pytest.approx(4 / 3) and row["p"] == 0.25
    assert against(same, [])["note"] and np.isnan(against(same, [])["floor"])


def test_every_measure_relation_and_k_without_another_run(made):
    relation = sc.Relation.from_groups({"one": ["a", "b"], "two": ["c", "d", "e"]}, features=made.features)
    for number, key in enumerate(sc.list_measures().index):
        k = (None, 2)[number % 2]
        row = made.floor(key, relation, k).loc["mim"]
        rough = dict(entry(key).rough)
        values = [entry(key).function(made.preferences("mim", k, shuffle), relation, **(rough if shuffle else {}))
                  for shuffle in range(3)]
        assert row[["value", "floor"]].tolist() == pytest.approx([values[0], np.mean(values[1:])], nan_ok=True), key
        assert row["shuffles"] == 2 or row["note"], key
    assert "give relation=" in made.floor("effective").loc["mim", "note"]


def test_frequencies_of_whole_shuffles_are_as_they_are(made):
    for k in (None, 2, 7):
        shuffles = [slow_sets(made.store, "mim", shuffle, k or 3) for shuffle in (1, 2)]
        each = [[sum(f in one for one in sets) / 4 for f in range(7)] for sets in shuffles]
        np.testing.assert_allclose(made.shuffled_frequencies("mim", k), each)
        both = [slow_sets(made.store, "random_forest", shuffle, k or 3) for shuffle in (1, 2)]
        more = [[sum(f in one for one in sets) / 4 for f in range(7)] for sets in both]
        np.testing.assert_allclose(made.shuffled_frequencies(made.selectors, k), (np.array(each) + more) / 2)


@pytest.mark.parametrize("steady", [True, False])
def test_few_runs_tell_of_the_luckiest_feature_what_all_would(steady):
    """40 shuffles of 200 features, of which 50 runs, in 25 pairs, or 4 are known. Some features come often in every shuffle."""
    rng = np.random.default_rng(0)
    usual = np.where(np.arange(200) < 10, 0.6, 0.05) if steady else np.full(200, 0.08)
    p = rng.beta(8 * usual, 8 * (1 - usual), (40, 200))
    runs = (rng.random((40, 50, 200)) < p[:, None]).astype(float)
    clusters = runs.reshape(40, 25, 2, 200).mean(axis=2)
    whole, few = runs.mean(axis=1), steadied_frequencies(clusters[:, :2], 50, np.random.default_rng(1))
    raw = clusters[:, :2].mean(axis=1)
    assert abs(few.max(axis=1).mean() - whole.max(axis=1).mean()) < 0.04 < raw.max(axis=1).mean() - whole.max(axis=1).mean()
    for line in (0.5, 0.75):
        counts = [(one >= line).sum(axis=1).mean() for one in (few, whole, raw)]
        assert abs(counts[0] - counts[1]) < 0.25 * counts[1] + 0.15 and counts[2] > counts[1] + 0.3
    np.testing.assert_allclose(few.mean(axis=0).mean(), whole.mean(axis=0).mean(), atol=0.005)


def test_steadied_frequencies_where_nothing_varies_or_one_shuffle_is_known():
    rng = np.random.default_rng(0)
    fixed = np.tile([1.0, 1.0, 0.0, 0.0], (5, 2, 1))
    np.testing.assert_allclose(steadied_frequencies(fixed, 50, rng), fixed[:, 0])
    alone = (rng.random((1, 2, 6)) < 0.5).astype(float)
    np.testing.assert_allclose(steadied_frequencies(alone, 50, rng), alone.mean(axis=1))


def test_selectors_by_their_names_have_the_same_floors(made):
    named, key = StudyResult(made.path, named=True), ["mim", "random_forest"]
    assert named.selectors == [named.called(one) for one in key] != key and named.total == made.total
    pd.testing.assert_frame_equal(named.floor().reset_index(drop=True), made.floor().reset_index(drop=True))
    assert list(named.own_dice().index) == named.selectors[1:] and named.digest() == made.digest()
    for one in (*key, *named.selectors):
        np.testing.assert_allclose(named.shuffled_frequencies(one),
                                   made.shuffled_frequencies(key[named.selectors.index(named.called(one))]))
    pd.testing.assert_frame_equal(named.progress().reset_index(drop=True), made.progress().reset_index(drop=True))


def test_selections_that_were_brought_have_no_control():
    from stabcore.study.results import Results

    brought = Results({"mine": sc.Preferences.from_selection_matrix(np.eye(4))})
    assert not brought.has_control and not brought.has_repeats
    for ask in (brought.floor, brought.own_dice, lambda: brought.shuffled_frequencies("mine")):
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


@pytest.mark.parametrize("kind", KINDS)
def test_hardly_a_table_without_a_signal_is_clear_of_its_floor(kind):
    """Small version of benchmarks/bench_control.py: of 40 tables 2 are expected, 7 or more come once in 300 times."""
    without = np.sum([clear(np.random.default_rng([seed, 7]), kind, 0.0) for seed in range(40)], axis=0)
    assert (without <= 6).all(), without
    signal = np.mean([clear(np.random.default_rng([seed, 8]), kind, 0.9) for seed in range(8)], axis=0)
    assert (signal[:2] >= 0.75).all(), signal


def test_few_runs_widen_the_range_of_the_shuffles_and_that_is_taken_out():
    floors = np.array([0.0, 0.1, 0.2, 0.3])
    wide, drawn = beside_floor(0.31, 0.2, 0.4, floors), beside_floor(0.29, 0.2, 0.4, floors, floors.var(ddof=1) / 2)
    assert (wide["floor_low"], wide["floor_high"]) == (0.0, 0.3)
    assert (drawn["floor_low"], drawn["floor_high"]) == pytest.approx((0.15 - 0.15 * 0.5 ** 0.5, 0.15 + 0.15 * 0.5 ** 0.5))
    assert drawn["floor"] == pytest.approx(wide["floor"]) and drawn["floor_se"] == wide["floor_se"] and drawn["p"] == 0.2
    most = beside_floor(0.29, 0.2, 0.4, floors, 1e9)
    assert most["floor_high"] == pytest.approx(0.15 + 0.15 * LEAST_KEPT ** 0.5)
