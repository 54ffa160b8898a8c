"""scikit-learn splitters as plans: rows, runs of one cross-validation, and continued studies."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from study_support import data

import stabcore as sc
from stabcore.resampling.catalog import adopt_plan

TARGET = np.arange(24) % 2


def plan_of(splitter, random_state=3, patients=None):
    return adopt_plan(splitter, TARGET, random_state, patients)


@pytest.mark.parametrize("splitter", [KFold(4), StratifiedKFold(3, shuffle=True, random_state=7)], ids=["KFold", "own seed"])
def test_rows_match_the_splitter(splitter):
    plan, splits = plan_of(splitter), list(splitter.split(np.zeros((24, 1)), TARGET))
    assert plan.n_runs == len(splits)
    for run, (rows, held_out) in enumerate(splits):
        drawn = plan.resample(run, TARGET, 3)
        assert drawn.rows.tolist() == rows.tolist() and drawn.held_out.tolist() == held_out.tolist()


def test_splitter_uses_the_seed_of_the_study():
    plan = plan_of(ShuffleSplit(3, test_size=0.25))
    first, second, other = (plan.resample(1, TARGET, seed).rows.tolist() for seed in (3, 3, 4))
    assert first == second != other
    assert plan.unit(0) != plan.unit(1) and plan.parts_rows and not plan.separate_halves


def test_folds_of_one_cross_validation_belong_together():
    plan = plan_of(RepeatedStratifiedKFold(n_splits=3, n_repeats=2))
    assert len({plan.unit(run) for run in (0, 1, 2)}) == len({plan.unit(run) for run in (3, 4, 5)}) == 1
    assert plan.unit(0) != plan.unit(3) and plan.parts_rows and not plan.separate_halves
    inside, between = sc.RepeatedKFold(3, 2).shared_rows()
    shares = dict(plan.shared_rows())
    assert shares[0.5] == pytest.approx(inside[1]) and sum(shares.values()) == pytest.approx(1)
    assert sum(share * weight for share, weight in shares.items()) == pytest.approx(
        inside[0] * inside[1] + between[0] * between[1], abs=1e-3
    )  # shares are rounded


def test_rows_of_a_patient_need_a_group_splitter():
    patients = np.repeat(np.arange(12), 2)
    held_out = plan_of(GroupKFold(4), patients=patients).resample(0, TARGET, 3, patients).held_out
    assert len(set(patients[held_out])) == 3 and len(held_out) == 6
    with pytest.raises(sc.InputError):
        plan_of(KFold(5), patients=patients)
    folds = patients % 3
    assert plan_of(PredefinedSplit(folds), patients=patients).n_runs == 3
    folds[2] = 2  # the first fold still holds out whole patients
    with pytest.raises(sc.InputError):
        plan_of(PredefinedSplit(folds), patients=patients)


def test_study_is_continued_only_with_the_same_splitter(tmp_path):
    def study(splitter):
        return sc.Study(data(), ["mim"], plan=splitter, k=3, random_state=5, n_permutations=0)

    result = study(RepeatedStratifiedKFold(n_splits=2, n_repeats=3)).run(store=tmp_path / "s.stab", n_jobs=1)
    assert result.n_runs == 6 and result.plan.separate_halves and len(result.split_half()) == 1
    assert result.settings["plan"]["own"].startswith("RepeatedStratifiedKFold(") and "n_repeats=3" in result.settings["plan"]["own"]
    again = study(RepeatedStratifiedKFold(n_splits=2, n_repeats=3)).run(store=tmp_path / "s.stab", n_jobs=1)
    assert again.digest() == result.digest()
    with pytest.raises(sc.InputError):
        study(RepeatedStratifiedKFold(n_splits=3, n_repeats=2)).run(store=tmp_path / "s.stab", n_jobs=1)


@pytest.mark.parametrize(("splitter", "unequal"), [(TimeSeriesSplit(6), True), (ShuffleSplit(6, test_size=0.3), False)])
def test_runs_that_share_unequal_numbers_of_rows_are_warned_of(splitter, unequal):
    result = sc.Study(data(), ["random"], plan=splitter, k=2, n_permutations=0).run(n_jobs=1, progress=False)
    assert ("48% to 92%" in result.stability()["note"][0]) == unequal
