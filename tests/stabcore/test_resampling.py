"""Resampling plans: who is left out, how many of each class, patients in one piece, and the same draw for the same seed and run."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stabcore as sc
from stabcore.resampling import MOST_REDRAWS, PLANS, plan_from, plan_settings

targets = st.lists(st.integers(1, 12), min_size=1, max_size=4).filter(lambda sizes: sum(sizes) > 1).map(
    lambda sizes: np.random.default_rng(len(sizes)).permutation(np.repeat(np.arange(len(sizes)), sizes)))
SKEWED = np.repeat([0, 1, 2], [100, 15, 5])


def resamples(plan, target, seed=0, patients=None):
    return [plan.resample(run, target, seed, patients) for run in range(plan.runs)]


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
    wanted = max(1, int(len(target) * share + 0.5))
    assert len(one.held_out) <= wanted
    sizes, left = np.bincount(target), np.bincount(target[one.held_out], minlength=target.max() + 1)
    if not stratified:
        assert len(one.held_out) == min(wanted, len(target) - 1)
        return
    assert (left <= np.ceil(np.round(sizes * share, 9))).all() and (left >= np.minimum(np.floor(sizes * share), sizes - 1)).all()
    if (sizes > np.ceil(sizes * share)).all():
        assert len(one.held_out) == wanted


def test_subsample_as_in_the_paper_leaves_out_5_percent():
    for one in resamples(sc.Subsample(), SKEWED):
        assert len(one.held_out) == 6 and 4 <= (SKEWED[one.held_out] == 0).sum() <= 6


def test_every_row_is_held_out_sooner_or_later_and_about_equally_often():
    times = np.zeros(len(SKEWED))
    for one in resamples(sc.Subsample(400), SKEWED):
        times[one.held_out] += 1
    assert times.min() > 0
    by_class = [times[SKEWED == c].mean() for c in range(3)]
    assert by_class == pytest.approx([20, 20, 20], rel=0.25)        # 400 runs × 5 %, also in the class of 5


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


# ---- the same seed and run give the same rows, whatever else ----

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


# ---- rows of one patient ----

def visits(rng, n=80):
    """(target, patient of each row as text): 1 to 5 rows a patient, rows of all patients mixed; a few patients change class."""
    sizes = rng.integers(1, 6, n)
    patient = np.repeat([f"P{i:03}" for i in range(n)], sizes)
    target = np.repeat((np.arange(n) % 4 == 0).astype(int), sizes)
    target[rng.choice(len(target), 5, replace=False)] ^= 1
    order = rng.permutation(len(target))
    return target[order], patient[order]


@pytest.mark.parametrize("plan", [sc.Subsample(30, 0.2), sc.Bootstrap(30), sc.Subsample(30, 0.2, stratified=False)])
def test_patients_stay_in_one_piece_and_every_row_is_somewhere(plan):
    target, patient = visits(np.random.default_rng(0))
    for one in resamples(plan, target, 1, patient):
        assert not set(patient[one.rows]) & set(patient[one.held_out])
        assert set(one.rows) | set(one.held_out) == set(range(len(target)))
        for who in set(patient[one.rows]):
            times = np.bincount(one.rows, minlength=len(target))[patient == who]
            assert (times == times[0]).all()                    # a patient drawn twice comes twice with all rows


def test_patients_are_stratified_by_their_most_common_class_and_counted_not_their_rows():
    rng = np.random.default_rng(1)
    target, patient = visits(rng)
    names = np.unique(patient)
    usual = np.array([np.bincount(target[patient == who], minlength=2).argmax() for who in names])
    for one in resamples(sc.Subsample(30, 0.2), target, 1, patient):
        left = np.isin(names, patient[one.held_out])
        assert left.sum() == 16
        for c in (0, 1):
            assert abs((left & (usual == c)).sum() - 0.2 * (usual == c).sum()) < 1
    for one in resamples(sc.Bootstrap(5), target, 1, patient):
        drawn = [who for who in names for _ in range(np.bincount(one.rows, minlength=len(target))[patient == who][0])]
        assert len(drawn) == len(names)
        assert sum(usual[names == who][0] for who in drawn) == usual.sum()


def test_one_row_a_patient_is_as_good_as_no_patients():
    for plan in (sc.Subsample(5), sc.Bootstrap(5)):
        for a, b in zip(resamples(plan, SKEWED, 2), resamples(plan, SKEWED, 2, np.arange(120))):
            assert (a.rows == b.rows).all() and (a.held_out == b.held_out).all()


# ---- a class is never lost ----

def test_a_resample_that_loses_a_class_is_drawn_again_and_that_is_counted():
    target = np.r_[np.zeros(18, dtype=int), 1, 1]
    found = resamples(sc.Bootstrap(300, stratified=False), target)
    assert all(set(target[one.rows]) == {0, 1} for one in found)
    lost = 0.9 ** 20
    again = np.array([one.redrawn for one in found])
    assert again.mean() == pytest.approx(lost / (1 - lost), abs=4 * np.sqrt(lost) / (1 - lost) / np.sqrt(300))
    assert not any(one.redrawn for one in resamples(sc.Bootstrap(50), target))


def test_a_class_that_cannot_be_kept_gets_a_sentence():
    target, patients = np.array([0, 0, 1, 1]), np.array([7, 7, 8, 8])
    with pytest.raises(sc.InputError, match=f"all 2 classes of the target in {MOST_REDRAWS} draws"):
        sc.Subsample(5, 0.5, stratified=False).resample(0, target, 0, patients)        # without either patient a class is gone
    kept = sc.Subsample(5, 0.5).resample(0, target, 0, patients)
    assert len(kept.rows) == 4 and len(kept.held_out) == 0      # stratified: the only patient of a class is never left out


# ---- settings and errors ----

def test_plans_survive_as_settings():
    for plan in (sc.Subsample(30, 0.1, False), sc.Bootstrap(7), sc.Subsample()):
        assert plan_from(plan_settings(plan)) == plan
    assert plan_settings(sc.Subsample(30)) == {"kind": "subsample", "runs": 30, "leave_out": 0.05, "stratified": True}
    assert plan_from({"runs": 9}) == sc.Subsample(9) and set(PLANS) == {"subsample", "bootstrap"}


@pytest.mark.parametrize("make, said", [
    (lambda: sc.Subsample(1), "at least 2; found 1"),
    (lambda: sc.Bootstrap(2.5), "at least 2; found 2.5"),
    (lambda: sc.Subsample(5, 0), "between 0 and 1; found 0"),
    (lambda: sc.Subsample(5, 1.0), "between 0 and 1; found 1.0"),
    (lambda: sc.Subsample(5, np.nan), "between 0 and 1; found nan"),
    (lambda: plan_from({"kind": "jackknife"}), "no resampling plan 'jackknife'. Choose one of: subsample, bootstrap"),
    (lambda: plan_from({"kind": "bootstrap", "leave_out": 0.1}), "'bootstrap' has the options runs, stratified; found leave_out"),
    (lambda: plan_from({"runs": 1}), "at least 2; found 1"),
])
def test_wrong_plans_get_sentences(make, said):
    with pytest.raises(sc.InputError, match=said):
        make()
