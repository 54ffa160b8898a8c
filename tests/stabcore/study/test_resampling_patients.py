"""Resamples of patients with several rows, and of classes that must not be lost."""

import numpy as np
import pytest
from study_support import resamples

import stabcore as sc
from stabcore.study.sampling_units import MOST_REDRAWS

SKEWED = np.repeat([0, 1, 2], [100, 15, 5])


# ---- rows of one patient ----

def visits(rng, n=80):
    """(target, patient of each row as text): 1 to 5 rows a patient, rows of all patients mixed; a few patients change class."""
    sizes = rng.integers(1, 6, n)
    patient = np.repeat([f"P{i:03}" for i in range(n)], sizes)
    target = np.repeat((np.arange(n) % 4 == 0).astype(int), sizes)
    target[rng.choice(len(target), 5, replace=False)] ^= 1
    order = rng.permutation(len(target))
    return target[order], patient[order]


@pytest.mark.parametrize("plan", [sc.Subsample(30, 0.2), sc.Bootstrap(30), sc.Subsample(30, 0.2, stratified=False), sc.KFold(5, 2),
                                  sc.Half(8)], ids=lambda plan: plan.kind)
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
