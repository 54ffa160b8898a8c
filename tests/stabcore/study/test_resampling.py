"""Resampling plans: who is left out, how many of each class, and the same draw for the same seed and run."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from study_support import resamples

import stabcore as sc
from stabcore.study.lots import leave_out, lots
from stabcore.study.plans import PLANS, plan_from, plan_settings

targets = st.lists(st.integers(1, 12), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) > 1).map(
    lambda sizes: np.random.default_rng(len(sizes)).permutation(np.repeat(np.arange(len(sizes)), sizes)))
SKEWED = np.repeat([0, 1, 2], [100, 15, 5])


# ---- subsample ----

@settings(max_examples=100, deadline=None)
@given(targets, st.sampled_from([0.01, 0.05, 0.2, 0.29, 0.5, 0.9]), st.booleans(), st.integers(0, 99))
def test_subsample_leaves_out_the_share_of_every_class_and_never_a_whole_one(target, share, stratified, seed):
    try:
        one = sc.Subsample(2, share, stratified).resample(seed % 7, target, seed)
    except sc.InputError:
        assert not stratified                   # only by class can no class be lost
        return
    assert sorted([*one.rows, *one.held_out]) == list(range(len(target)))           # each row once, here or there
    assert set(target[one.rows]) == set(target)
    sizes, left = np.bincount(target), np.bincount(target[one.held_out], minlength=target.max() + 1)
    if not stratified:
        assert len(one.held_out) == min(max(1, int(len(target) * share + 0.5)), len(target) - 1)
        return
    exact = np.minimum(sizes * share, sizes - 1)
    assert (left >= np.floor(exact)).all() and (left < sizes).all()
    if exact.sum() >= 1:
        assert (left <= np.ceil(np.round(exact, 9))).all()
        assert np.floor(exact.sum().round(9)) <= len(one.held_out) <= np.ceil(exact.sum().round(9))
    else:
        assert len(one.held_out) == (sizes.max() > 1)


def test_subsample_as_in_the_paper_leaves_out_5_percent():
    for one in resamples(sc.Subsample(), SKEWED):
        assert len(one.held_out) == 6 and 4 <= (SKEWED[one.held_out] == 0).sum() <= 6


def test_every_row_is_held_out_sooner_or_later_and_about_equally_often():
    times = np.zeros(len(SKEWED))
    for one in resamples(sc.Subsample(400), SKEWED):
        times[one.held_out] += 1
    assert times.min() > 0
    by_class = [times[SKEWED == c].mean() for c in range(3)]
    assert by_class == pytest.approx([20, 20, 20], rel=0.25)        # 400 runs × 5%, also in the class of 5


@pytest.mark.parametrize("rows", [1, 3])
def test_a_rare_class_is_held_out_as_often_as_its_share_has_it(rows):
    """100 controls and 9 cases, rows or patients with three rows each: 0.45 cases a run, which used to be none in any."""
    target = np.repeat(np.r_[np.zeros(100, dtype=int), np.ones(9, dtype=int)], rows)
    patients = np.repeat(np.arange(109), rows) if rows > 1 else None
    held = [one.held_out for one in resamples(sc.Subsample(500), target, 1, patients)]
    cases = sum(target[one].sum() for one in held) / rows
    assert abs(cases - 225) < 4 * np.sqrt(500 * 0.45 * 0.55)
    assert {len(one) // rows for one in held} == {5, 6}


def test_no_design_leaves_a_rare_class_out_of_what_is_held_out():
    rng = np.random.default_rng(4)
    for _ in range(40):
        sizes = rng.integers(30, 300), rng.integers(2, 10)
        target = np.repeat([0, 1], sizes)
        held = [target[one.held_out] for one in resamples(sc.Subsample(120), target, int(rng.integers(99)))]
        wanted = np.array(sizes) * 0.05
        found = np.mean([np.bincount(one, minlength=2) for one in held], axis=0)
        assert (np.abs(found - wanted) <= 4.5 * np.sqrt((wanted % 1) * (1 - wanted % 1) / 120) + 1e-9).all(), sizes


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.sampled_from([0.01, 0.05, 0.1, 0.29, 1 / 3, 0.5, 0.9]))
def test_the_lot_gives_every_class_its_share_on_average(sizes, share):
    table = lots(sizes, share)
    assert sum(table.values()) == pytest.approx(1)
    average = sum(chance * np.array(counts) for counts, chance in table.items())
    exact = np.minimum(np.array(sizes) * share, np.array(sizes) - 1)
    if len(sizes) == 1:
        exact = np.floor(exact + 0.5)
    if exact.sum() < 1:
        exact = exact / exact.sum() if exact.sum() else np.sign(np.array(sizes) - 1.0) * (len(sizes) == 1)
    assert average == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("sizes, share", [((100, 9), 0.05), ((10, 3), 0.1), ((7, 7), 0.05), ((59, 71, 48), 0.05), ((3, 1, 2), 0.3),
                                          ((40, 20), 0.05)])
def test_the_lot_is_drawn_as_its_chances_say(sizes, share):
    rng, table = np.random.default_rng(6), lots(sizes, share)
    drawn = Counter(tuple(leave_out(sizes, share, rng).tolist()) for _ in range(4000))
    assert set(drawn) <= set(table)
    for counts, chance in table.items():
        assert drawn[counts] / 4000 == pytest.approx(chance, abs=4.5 * np.sqrt(chance * (1 - chance) / 4000) + 1e-9)


def test_a_class_of_one_row_is_always_learned_from():
    target = np.r_[np.zeros(9, dtype=int), 1]
    assert all(9 in one.rows for one in resamples(sc.Subsample(60, 0.5), target))


# ---- bootstrap ----

@settings(max_examples=100, deadline=None)
@given(targets, st.booleans(), st.integers(0, 99))
def test_bootstrap_draws_as_many_rows_as_there_are_and_holds_out_the_rest(target, stratified, seed):
    try:
        one = sc.Bootstrap(2, stratified).resample(seed % 5, target, seed)
    except sc.InputError:
        assert not stratified
        return
    assert len(one.rows) == len(target) and set(target[one.rows]) == set(target)
    assert sorted({*one.rows} | {*one.held_out}) == list(range(len(target))) and not {*one.rows} & {*one.held_out}
    assert len(set(one.held_out)) == len(one.held_out)
    if stratified:
        assert (np.bincount(target[one.rows]) == np.bincount(target)).all()


def test_bootstrap_holds_out_about_37_percent_and_draws_with_replacement():
    found = [len(one.held_out) / 120 for one in resamples(sc.Bootstrap(200), SKEWED)]
    assert np.mean(found) == pytest.approx(np.exp(-1), abs=0.015)
    times = np.zeros(120)
    for one in resamples(sc.Bootstrap(200), SKEWED):
        np.add.at(times, one.rows, 1)
    assert times.mean() == 200 and times.std() == pytest.approx(np.sqrt(200), rel=0.2)


# ---- folds ----

def check_folds(parts, units):
    """Each unit is held out once; folds are of one size, but for one."""
    held = np.concatenate([one.held_out for one in parts])
    assert sorted(held) == sorted(units)
    sizes = [len(one.held_out) for one in parts]
    assert max(sizes) - min(sizes) <= 1
    for one in parts:
        assert sorted([*one.rows, *one.held_out]) == sorted(units)


@settings(max_examples=60, deadline=None)
@given(targets, st.integers(2, 6), st.booleans(), st.integers(0, 99))
def test_folds_hold_out_every_row_once_and_every_class_alike(target, folds, stratified, seed):
    plan = sc.KFold(folds, 2, stratified)
    try:
        found = resamples(plan, target, seed)
    except sc.InputError:
        assert folds > len(target) or np.bincount(target)[np.unique(target)].min() == 1 or not stratified
        return
    for repeat in (found[:folds], found[folds:]):
        check_folds(repeat, range(len(target)))
        for c in np.unique(target) if stratified else ():
            counts = [(target[one.held_out] == c).sum() for one in repeat]
            assert max(counts) - min(counts) <= 1
        assert len({one.redrawn for one in repeat}) == 1


def test_repeats_are_different_partitions():
    found = resamples(sc.KFold(4, 3), SKEWED)
    assert len({tuple(one.held_out) for one in found}) == 12


def test_nested_folds_lie_inside_the_training_part_of_their_outer_fold():
    plan = sc.Nested(4, 3)
    found = resamples(plan, SKEWED, 5)
    assert plan.runs == 16 and len(found) == 16
    outer = found[12:]
    check_folds(outer, range(len(SKEWED)))
    for fold in range(4):
        inner = found[3 * fold:3 * fold + 3]
        left = [np.setdiff1d(outer[fold].rows, one.rows) for one in inner]
        assert sorted(np.concatenate(left)) == sorted(outer[fold].rows)         # the inner folds part the training rows
        assert all(len(one.held_out) == 0 and set(one.rows) <= set(outer[fold].rows) for one in inner)
    assert [plan.block(run) for run in range(16)] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [0, 1, 2, 3]
    assert [plan.measures_stability(run) for run in range(16)] == [True] * 12 + [False] * 4


@settings(max_examples=60, deadline=None)
@given(targets, st.integers(0, 99))
def test_halves_are_complementary_and_of_one_size(target, seed):
    try:
        found = resamples(sc.Half(3), target, seed)
    except sc.InputError:
        assert np.bincount(target)[np.unique(target)].min() == 1
        return
    for a, b in zip(found[::2], found[1::2]):
        assert (a.rows == b.held_out).all() and (b.rows == a.held_out).all() and abs(len(a.rows) - len(b.rows)) <= 1
        assert sorted([*a.rows, *b.rows]) == list(range(len(target)))
        for c in np.unique(target):
            assert abs((target[a.rows] == c).sum() - (target[b.rows] == c).sum()) <= 1


@pytest.mark.parametrize("plan", [sc.KFold(5), sc.Nested(4, 3), sc.Half(3), sc.Subsample(4, 0.2), sc.Bootstrap(4)],
                         ids=lambda plan: plan.kind)
def test_a_target_that_is_a_number_needs_no_classes(plan):
    target = np.random.default_rng(0).normal(size=43)
    for one in resamples(plan, target):
        assert len(one.rows) and not set(one.rows) & set(one.held_out)


def test_every_plan_says_what_it_does():
    for plan in (sc.Subsample(), sc.Bootstrap(), sc.KFold(10, 2), sc.Nested(), sc.Half()):
        assert "runs" in plan.sentence()
    assert sc.KFold(10, 2).sentence() == "20 runs, each holding out one of 10 folds (10-fold cross-validation, 2 times over)"


# ---- the same seed and run give the same rows, whatever else ----

@pytest.mark.parametrize("patients", [None, np.arange(120) // 2])
@pytest.mark.parametrize("plan", [sc.KFold(4, 2), sc.Nested(3, 2), sc.Half(4)], ids=lambda plan: plan.kind)
def test_folds_and_halves_depend_on_the_seed_and_the_run_only(plan, patients):
    target = np.repeat([0, 1, 2], 40)
    first = [(one.rows.tolist(), one.held_out.tolist()) for one in resamples(plan, target, 3, patients)]
    np.random.seed(0)
    backwards = [plan.resample(run, target, 3, patients) for run in reversed(range(plan.runs))][::-1]
    assert [(one.rows.tolist(), one.held_out.tolist()) for one in backwards] == first
    other = [(one.rows.tolist(), one.held_out.tolist()) for one in resamples(plan, target, 4, patients)]
    assert not any(one in first for one in other)


@pytest.mark.parametrize("plan", [sc.Subsample, sc.Bootstrap])
@pytest.mark.parametrize("patients", [None, np.arange(120) // 2])
def test_a_run_depends_on_the_seed_and_its_number_only(plan, patients):
    first = [(one.rows.tolist(), one.held_out.tolist()) for one in resamples(plan(8), SKEWED, 3, patients)]
    np.random.seed(0)
    backwards = [plan(500).resample(run, SKEWED, 3, patients) for run in reversed(range(8))][::-1]
    assert [(one.rows.tolist(), one.held_out.tolist()) for one in backwards] == first
    assert len({str(one) for one in first}) == 8
    other = [(one.rows.tolist(), one.held_out.tolist()) for one in resamples(plan(8), SKEWED, 4, patients)]
    assert not any(one in first for one in other)


# ---- settings and errors ----

def test_plans_survive_as_settings():
    for plan in (sc.Subsample(30, 0.1, False), sc.Bootstrap(7), sc.Subsample(), sc.KFold(5, 3), sc.Nested(4, 6), sc.Half(9, False)):
        assert plan_from(plan_settings(plan)) == plan
    assert plan_settings(sc.Subsample(30)) == {"kind": "subsample", "runs": 30, "leave_out": 0.05, "stratified": True}
    assert plan_from({"runs": 9}) == sc.Subsample(9) and set(PLANS) == {"subsample", "bootstrap", "kfold", "nested", "half",
                                                                  "growing", "site"}


@pytest.mark.parametrize("make, said", [
    (lambda: sc.Subsample(1), "at least 2; found 1"),
    (lambda: sc.Bootstrap(2.5), "at least 2; found 2.5"),
    (lambda: sc.Subsample(5, 0), "between 0 and 1; found 0"),
    (lambda: sc.Subsample(5, 1.0), "between 0 and 1; found 1.0"),
    (lambda: sc.Subsample(5, np.nan), "between 0 and 1; found nan"),
    (lambda: plan_from({"kind": "jackknife"}), "no resampling plan 'jackknife'. Choose one of: subsample, bootstrap"),
    (lambda: plan_from({"kind": "bootstrap", "leave_out": 0.1}), "'bootstrap' has the options runs, stratified; found leave_out"),
    (lambda: plan_from({"runs": 1}), "at least 2; found 1"),
    (lambda: sc.KFold(1), "folds is a whole number of at least 2; found 1"),
    (lambda: sc.KFold(5, 0), "repeats is a whole number of at least 1; found 0"),
    (lambda: sc.Nested(3, True), "inner is a whole number of at least 2; found True"),
    (lambda: sc.Half("many"), "pairs is a whole number of at least 1; found 'many'"),
    (lambda: sc.KFold(9).resample(0, np.array([0, 1] * 4), 0), "9 folds need at least 9 rows .* there are 8"),
])
def test_wrong_plans_get_sentences(make, said):
    with pytest.raises(sc.InputError, match=said):
        make()
