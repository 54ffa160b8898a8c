"""Resampling plans: held-out rows, shares of classes, rows of one patient, and reproducible draws."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from snapshot_support import check_refusals
from study_support import resamples
from support import slow

import stabcore as sc
from stabcore.resampling.catalog import plan_from_settings, plan_settings
from stabcore.resampling.draws import distinct_draws, draw_count_probabilities

targets = (
    st.lists(st.integers(1, 12), min_size=1, max_size=4)
    .filter(lambda sizes: sum(sizes) > 1)
    .map(lambda sizes: np.random.default_rng(len(sizes)).permutation(np.repeat(np.arange(len(sizes)), sizes)))
)
SKEWED = np.repeat([0, 1, 2], [100, 15, 5])
EACH = [sc.Subsample(8, 0.2), sc.Bootstrap(8), sc.RepeatedKFold(4, 2), sc.NestedKFold(3, 2), sc.ComplementaryPairs(4)]
each_plan = pytest.mark.parametrize("plan", EACH, ids=lambda plan: plan.kind)


def rows_of(found):
    return [(resample.rows.tolist(), resample.held_out.tolist()) for resample in found]


# ---- subsample ----


@settings(max_examples=40, deadline=None)
@given(targets, st.sampled_from([0.01, 0.05, 0.2, 0.29, 0.5, 0.9]), st.booleans(), st.integers(0, 99))
def test_subsample_leaves_out_a_share_of_every_class(target, share, stratified, seed):
    try:
        resample = sc.Subsample(2, share, stratified).resample(seed % 7, target, seed)
    except sc.InputError:
        assert not stratified  # without strata a class can be lost
        return
    assert sorted([*resample.rows, *resample.held_out]) == list(range(len(target)))  # each row exactly once
    assert set(target[resample.rows]) == set(target)
    sizes, left = np.bincount(target), np.bincount(target[resample.held_out], minlength=target.max() + 1)
    if not stratified:
        assert len(resample.held_out) == min(max(1, int(len(target) * share + 0.5)), len(target) - 1)
        return
    exact = np.minimum(sizes * share, sizes - 1)
    assert (left >= np.floor(exact)).all() and (left < sizes).all()
    if exact.sum() >= 1:
        assert (left <= np.ceil(np.round(exact, 9))).all()
        assert np.floor(exact.sum().round(9)) <= len(resample.held_out) <= np.ceil(exact.sum().round(9))
    else:
        assert len(resample.held_out) == (sizes.max() > 1)


@pytest.mark.parametrize("rows", [1, 3])
def test_rare_class_is_held_out_in_proportion(rows):
    """100 controls and 9 cases make 0.45 cases per run, which rounding turns into none. rows: number per patient."""
    target = np.repeat(np.r_[np.zeros(100, dtype=int), np.ones(9, dtype=int)], rows)
    patients = np.repeat(np.arange(109), rows) if rows > 1 else None
    held = [resample.held_out for resample in resamples(sc.Subsample(500), target, 1, patients)]
    cases = sum(target[rows_out].sum() for rows_out in held) / rows
    assert abs(cases - 225) < 4 * np.sqrt(500 * 0.45 * 0.55)
    assert {len(rows_out) // rows for rows_out in held} == {5, 6}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.sampled_from([0.01, 0.05, 0.1, 0.29, 1 / 3, 0.5, 0.9]))
def test_random_rounding_gives_every_class_its_mean_share(sizes, share):
    table = draw_count_probabilities(tuple(sizes), share)
    assert sum(table.values()) == pytest.approx(1)
    average = sum(chance * np.array(counts) for counts, chance in table.items())
    exact = np.minimum(np.array(sizes) * share, np.array(sizes) - 1)
    if len(sizes) == 1:
        exact = np.floor(exact + 0.5)
    if exact.sum() < 1:
        exact = exact / exact.sum() if exact.sum() else np.sign(np.array(sizes) - 1.0) * (len(sizes) == 1)
    assert average == pytest.approx(exact, abs=1e-7)


# ---- bootstrap ----


@settings(max_examples=40, deadline=None)
@given(targets, st.booleans(), st.integers(0, 99))
def test_bootstrap_draws_n_rows_and_holds_out_the_rest(target, stratified, seed):
    try:
        drawn = sc.Bootstrap(2, stratified).resample(seed % 5, target, seed)
    except sc.InputError:
        assert not stratified
        return
    assert len(drawn.rows) == len(target) and set(target[drawn.rows]) == set(target)
    assert sorted({*drawn.rows} | {*drawn.held_out}) == list(range(len(target))) and not {*drawn.rows} & {*drawn.held_out}
    assert len(set(drawn.held_out)) == len(drawn.held_out)
    if stratified:
        assert (np.bincount(target[drawn.rows]) == np.bincount(target)).all()


# ---- folds ----


def check_folds(parts, units):
    """Assert that each unit is held out once, and that sizes of folds differ by at most one."""
    held = np.concatenate([part.held_out for part in parts])
    assert sorted(held) == sorted(units)
    sizes = [len(part.held_out) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    for part in parts:
        assert sorted([*part.rows, *part.held_out]) == sorted(units)


@settings(max_examples=30, deadline=None)
@given(targets, st.integers(2, 6), st.booleans(), st.integers(0, 99))
def test_folds_hold_out_every_row_once_in_class_proportion(target, folds, stratified, seed):
    plan = sc.RepeatedKFold(folds, 2, stratified)
    try:
        found = resamples(plan, target, seed)
    except sc.InputError:
        assert folds > len(target) or np.bincount(target)[np.unique(target)].min() == 1 or not stratified
        return
    for repeat in (found[:folds], found[folds:]):
        check_folds(repeat, range(len(target)))
        for c in np.unique(target) if stratified else ():
            counts = [(target[resample.held_out] == c).sum() for resample in repeat]
            assert max(counts) - min(counts) <= 1
        assert len({resample.redrawn for resample in repeat}) == 1


def test_inner_folds_use_only_training_rows():
    plan = sc.NestedKFold(4, 3)
    found = resamples(plan, SKEWED, 5)
    assert plan.n_runs == 16 and len(found) == 16
    outer = found[12:]
    check_folds(outer, range(len(SKEWED)))
    for fold in range(4):
        inner = found[3 * fold : 3 * fold + 3]
        left = [np.setdiff1d(outer[fold].rows, resample.rows) for resample in inner]
        assert sorted(np.concatenate(left)) == sorted(outer[fold].rows)  # inner folds partition the training rows
        assert all(len(resample.held_out) == 0 and set(resample.rows) <= set(outer[fold].rows) for resample in inner)
    assert [plan.block(run) for run in range(16)] == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [0, 1, 2, 3]
    assert [plan.measures_stability(run) for run in range(16)] == [True] * 12 + [False] * 4


@settings(max_examples=30, deadline=None)
@given(targets, st.integers(0, 99))
def test_complementary_pairs_have_equal_halves(target, seed):
    try:
        found = resamples(sc.ComplementaryPairs(3), target, seed)
    except sc.InputError:
        assert np.bincount(target)[np.unique(target)].min() == 1
        return
    for a, b in zip(found[::2], found[1::2]):
        assert (a.rows == b.held_out).all() and (b.rows == a.held_out).all() and abs(len(a.rows) - len(b.rows)) <= 1
        assert sorted([*a.rows, *b.rows]) == list(range(len(target)))
        for c in np.unique(target):
            assert abs((target[a.rows] == c).sum() - (target[b.rows] == c).sum()) <= 1


@each_plan
def test_plans_accept_a_numeric_target(plan):
    target = np.random.default_rng(0).normal(size=43)
    for resample in resamples(plan, target):
        assert len(resample.rows) and not set(resample.rows) & set(resample.held_out)


# ---- reproducible draws ----


@pytest.mark.parametrize("patients", [None, np.arange(120) // 2])
@each_plan
def test_a_run_depends_on_the_seed_and_its_number_only(plan, patients):
    target = np.repeat([0, 1, 2], 40)
    first = rows_of(resamples(plan, target, 3, patients))
    np.random.seed(0)
    backwards = [plan.resample(run, target, 3, patients) for run in reversed(range(plan.n_runs))][::-1]
    assert rows_of(backwards) == first
    assert len({str(resample) for resample in first}) == plan.n_runs
    assert not any(resample in first for resample in rows_of(resamples(plan, target, 4, patients)))
    splits = plan.split(np.zeros((120, 1)), target, patients, random_state=3)  # as scikit-learn asks for them
    assert [(rows.tolist(), held_out.tolist()) for rows, held_out in splits] == first and plan.get_n_splits() == plan.n_runs


# ---- settings and errors ----


def test_plans_survive_settings():
    for plan in (*EACH, sc.Subsample(), sc.Subsample(30, 0.1, False), sc.ComplementaryPairs(9, False)):
        assert plan_from_settings(plan_settings(plan)) == plan
    assert plan_settings(sc.Subsample(30)) == {"kind": "subsample", "n_runs": 30, "test_size": 0.05, "stratified": True}
    assert plan_from_settings({"n_runs": 9}) == sc.Subsample(9)


def test_wrong_plans_get_sentences():
    def call(make):
        make()

    cases = [
        lambda: sc.Subsample(1),
        lambda: sc.Bootstrap(2.5),
        lambda: sc.Subsample(5, 0),
        lambda: sc.Subsample(5, 1.0),
        lambda: sc.Subsample(5, np.nan),
        lambda: plan_from_settings({"kind": "jackknife"}),
        lambda: plan_from_settings({"kind": "bootstrap", "test_size": 0.1}),
        lambda: plan_from_settings({"n_runs": 1}),
        lambda: sc.RepeatedKFold(1),
        lambda: sc.RepeatedKFold(5, 0),
        lambda: sc.NestedKFold(3, True),
        lambda: sc.ComplementaryPairs("many"),
        lambda: sc.RepeatedKFold(9).resample(0, np.array([0, 1] * 4), 0),
    ]
    check_refusals("resampling/wrong_plans", call, cases)


# ---- rows of one patient ----


def visits(rng, n=80):
    """Return target and patient of 1 to 5 rows per patient, in random order. A few patients change class."""
    sizes = rng.integers(1, 6, n)
    patient = np.repeat([f"P{i:03}" for i in range(n)], sizes)
    target = np.repeat((np.arange(n) % 4 == 0).astype(int), sizes)
    target[rng.choice(len(target), 5, replace=False)] ^= 1
    order = rng.permutation(len(target))
    return target[order], patient[order]


@pytest.mark.parametrize(
    "plan",
    [
        sc.Subsample(30, 0.2),
        sc.Bootstrap(30),
        sc.Subsample(30, 0.2, stratified=False),
        sc.RepeatedKFold(5, 2),
        sc.ComplementaryPairs(8),
    ],
    ids=lambda plan: plan.kind,
)
def test_rows_of_a_patient_stay_together(plan):
    target, patient = visits(np.random.default_rng(0))
    for resample in resamples(plan, target, 1, patient):
        assert not set(patient[resample.rows]) & set(patient[resample.held_out])
        assert set(resample.rows) | set(resample.held_out) == set(range(len(target)))
        for who in set(patient[resample.rows]):
            times = np.bincount(resample.rows, minlength=len(target))[patient == who]
            assert (times == times[0]).all()  # a patient drawn twice has every row twice


def test_patients_are_stratified_by_their_most_common_class():
    rng = np.random.default_rng(1)
    target, patient = visits(rng)
    names = np.unique(patient)
    usual = np.array([np.bincount(target[patient == who], minlength=2).argmax() for who in names])
    for resample in resamples(sc.Subsample(30, 0.2), target, 1, patient):
        left = np.isin(names, patient[resample.held_out])
        assert left.sum() == 16
        for c in (0, 1):
            assert abs((left & (usual == c)).sum() - 0.2 * (usual == c).sum()) < 1
    for resample in resamples(sc.Bootstrap(5), target, 1, patient):
        drawn = [who for who in names for _ in range(np.bincount(resample.rows, minlength=len(target))[patient == who][0])]
        assert len(drawn) == len(names)
        assert sum(usual[names == who][0] for who in drawn) == usual.sum()


# ---- no class is lost ----


def test_classes_are_kept_by_drawing_again_or_the_plan_is_refused():
    target = np.r_[np.zeros(18, dtype=int), 1, 1]
    found = resamples(sc.Bootstrap(300, stratified=False), target)
    assert all(set(target[resample.rows]) == {0, 1} for resample in found)
    lost = 0.9**20
    again = np.array([resample.redrawn for resample in found])
    assert again.mean() == pytest.approx(lost / (1 - lost), abs=4 * np.sqrt(lost) / (1 - lost) / np.sqrt(300))
    assert not any(resample.redrawn for resample in resamples(sc.Bootstrap(50), target))
    target, patients = np.array([0, 0, 1, 1]), np.array([7, 7, 8, 8])
    with pytest.raises(sc.InputError):
        sc.Subsample(5, 0.5, stratified=False).resample(0, target, 0, patients)  # without either patient a class is lost
    resample = sc.Subsample(5, 0.5).resample(0, target, 0, patients)
    assert len(resample.rows) == 4 and len(resample.held_out) == 0  # the only patient of a class is never left out


# ---- few distinct resamples ----


def held_out_sets(found):
    return [tuple(resample.held_out) for resample in found]


@pytest.mark.parametrize("rows", [1, 5])
def test_each_patient_is_left_out_once_before_any_twice(rows):
    target, patients = np.repeat(np.arange(14) % 2, rows), np.repeat(np.arange(14), rows)
    found = held_out_sets(resamples(sc.Subsample(50), target, 1, patients))
    for first in range(0, 42, 14):
        assert len(set(found[first : first + 14])) == 14
    assert sorted(Counter(found).values()) == [3] * 6 + [4] * 8
    assert sc.Subsample(50).n_distinct(target, 1, patients) == 14 and sc.Subsample(9).n_distinct(target, 1, patients) == 9


def test_a_run_does_not_depend_on_earlier_draws():
    target = np.repeat([0, 1], [10, 3])
    found = held_out_sets(resamples(sc.Subsample(40, 0.1), target, 2))
    for run in (39, 17, 3, 0):
        distinct_draws.cache_clear()
        assert tuple(sc.Subsample(40, 0.1).resample(run, target, 2).held_out) == found[run]
        assert tuple(sc.Subsample(run + 2, 0.1).resample(run, target, 2).held_out) == found[run]


def test_drawing_without_repetition_keeps_class_shares():
    """With 10 and 3 rows there are 10 ways to leave one out and 30 to leave two out. A case is due in 3 of 10 runs."""
    target, held = np.repeat([0, 1], [10, 3]), np.zeros(2)
    for seed in range(8):
        found = resamples(sc.Subsample(40, 0.1), target, seed)
        held += sum(np.bincount(target[resample.held_out], minlength=2) for resample in found)
        counted = Counter(held_out_sets(found))
        assert sorted(counted.values()) == [1] * 12 + [2] * 2 + [3] * 8
    assert held / 320 == pytest.approx([1, 0.3])


@pytest.mark.parametrize("sizes", [(4, 2), (2, 2, 3), *map(slow, ((3, 3), (6,), (3, 4), (5, 2), (5,)))])
def test_distinct_resamples_are_counted(sizes):
    target = np.repeat(np.arange(len(sizes)), sizes)
    strata = [np.flatnonzero(target == c) for c in range(len(sizes))]
    rng = np.random.default_rng(0)
    for plan in (sc.ComplementaryPairs(5), sc.Subsample(5, 0.2), sc.Subsample(5, 0.4)):
        seen = {frozenset(tuple(left) for _, left in plan.parts(strata, rng)) for _ in range(1500)}
        assert sum(n for _, n in plan.kinds(strata).values()) == pytest.approx(len(seen))


def test_draws_of_earlier_versions_are_reproduced():
    rows_by_sizes = {(40, 20): [9, 23, 51], (30, 30): [26, 36, 55], (59,): [25, 44, 58]}
    for sizes, rows in rows_by_sizes.items():
        assert sc.Subsample().resample(0, np.repeat(np.arange(len(sizes)), sizes), 1).held_out.tolist() == rows


def test_repeated_resamples_are_announced():
    target = np.arange(14) % 2
    assert "14 of 50" in sc.Subsample(50).repetition(target, 1, np.arange(14))
    assert "14 of 70" in sc.RepeatedKFold(14, 5).repetition(target, 1)
    for plan in (*EACH[1:], sc.Subsample(14), sc.RepeatedKFold(14), sc.RepeatedKFold(5, 3)):
        assert plan.repetition(target, 1) == ""
    assert sc.Subsample(50).repetition(SKEWED, 1) == ""
