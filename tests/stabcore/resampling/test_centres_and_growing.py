"""Plans that leave centres out or take growing numbers of patients: rows, refusals and results."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from snapshot_support import check_refusals
from study_support import frame

import stabcore as sc
from stabcore.resampling.catalog import plan_from_settings, plan_settings
from stabcore.resampling.draws import ComplementaryPairs, possible_site_columns
from stabcore.study.loading import load_study
from stabcore.study.performance import correct_share
from stabcore.study.rerun import continued_tables, settings_text

CITIES = np.array(["Oslo", "Bern", "Rome"])


def table(rows=60, random_state=0, **columns):
    """The toy table with a centre for each row, unrelated to the outcome."""
    rng = np.random.default_rng(random_state + 99)
    return frame(rows, random_state).assign(city=CITIES[rng.integers(0, 3, rows)], code=rng.integers(1, 5, rows), **columns)


def dataset(made=None, exclude=("city", "code"), **roles):
    return sc.Dataset.from_frame(table() if made is None else made, target="outcome", exclude=exclude, **roles)


def study(plan, given=None, **options):
    return sc.Study(given or dataset(), ["mim", "random"], plan=plan, **{"k": 3, "random_state": 2, "n_permutations": 0, **options})


def run_study(made, store=None):
    with ThreadPoolExecutor(1) as executor:
        return made.run(executor, store=store)


@pytest.fixture(scope="module")
def by_centre(tmp_path_factory):
    return run_study(study(sc.LeaveOneSiteOut("city")), tmp_path_factory.mktemp("centres") / "centres.stab")


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    made = study(sc.LearningCurve(4), dataset(table(160)), classifier="none")
    return run_study(made, tmp_path_factory.mktemp("grown") / "grown.stab")


def test_each_run_holds_out_one_centre(by_centre):
    plan, city = by_centre.plan, table()["city"].to_numpy()
    assert plan.n_runs == 3 and plan.centres == ("Bern", "Oslo", "Rome")
    for run, name in enumerate(plan.centres):
        resample = plan.resample(run, by_centre.target, 0)
        assert (city[resample.held_out] == name).all() and sorted([*resample.rows, *resample.held_out]) == list(range(60))
    assert by_centre.selections("mim").n_runs == 3
    learned = [set(np.flatnonzero(city != name)) for name in plan.centres]
    shares = {round(len(a & b) / np.sqrt(len(a) * len(b)), 3) for a, b in combinations(learned, 2)}
    assert {share for share, _ in plan.shared_rows()} == shares
    assert sum(weight for _, weight in plan.shared_rows()) == pytest.approx(1)


def test_accuracy_of_each_centre_is_that_of_its_rows(by_centre):
    centres = by_centre.centres().set_index(["selector", "centre"])
    for task in by_centre.store.tasks("mim"):
        row = centres.loc["mim", by_centre.plan.centres[task.run]]
        truth = by_centre.target[task.held_out]
        assert row["accuracy"] == pytest.approx((task.predicted == truth).mean()) and row["rows"] == len(truth)
        assert row["auc"] == pytest.approx(roc_auc_score(truth, task.probability.reshape(-1, 2)[:, 1]))
        assert row["accuracy_low"] < row["accuracy"] < row["accuracy_high"] and row["largest"] >= 0.5
    with pytest.raises(sc.InputError):
        run_study(study(sc.LeaveOneSiteOut("city"), classifier="none")).centres()


def test_a_study_of_centres_is_stored_and_continued(by_centre, tmp_path):
    asked = study(sc.LeaveOneSiteOut("city"))
    assert asked.settings()["plan"] == by_centre.settings["plan"] == plan_settings(plan_from_settings(by_centre.settings["plan"]))
    assert continued_tables(by_centre.settings, dataset())["plan"] == {"kind": "leave_one_site_out", "column": "city"}
    table().to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "study.toml").write_text(settings_text(by_centre.settings, dataset()).replace('name = ""\n', ""), encoding="utf-8")
    assert load_study(tmp_path / "study.toml").settings()["plan"] == asked.settings()["plan"]
    other = study(sc.LeaveOneSiteOut("city"), dataset(table().assign(city=table()["city"].to_numpy()[::-1])))
    assert other.data.fingerprint == asked.data.fingerprint and other.settings() != asked.settings()


def test_damaged_list_of_centres_is_refused(by_centre, tmp_path):
    for change in ({"of_row": [0] * 60}, {"of_row": [0, 1, 2]}, {"centres": ["a", "a", "b"]}, {"column": 7}):
        by_centre.store.copy(tmp_path / "changed.stab")
        settings = by_centre.settings | {"plan": by_centre.settings["plan"] | change}
        base = sqlite3.connect(tmp_path / "changed.stab")
        with base:
            base.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (json.dumps(settings),))
        base.close()
        with pytest.raises(sc.InputError):
            sc.open_study(tmp_path / "changed.stab")


def test_invalid_centre_columns_are_refused():
    def call(change, column):
        study(sc.LeaveOneSiteOut(column), dataset(table().assign(**change)))

    cases = [
        ({}, ""),
        ({}, "citty"),
        ({}, "stage"),
        ({"city": "Oslo"}, "city"),
        ({"city": [None, *["Oslo", "Bern"] * 29, "Bern"]}, "city"),
        ({"city": np.where(frame()["outcome"] == "sick", "Oslo", "Bern")}, "city"),
    ]
    check_refusals("resampling/wrong_centres", call, cases)


def test_patients_have_one_centre_and_numbers_can_be_centres():
    made = table().assign(who=np.arange(60) // 2)
    with pytest.raises(sc.InputError):
        study(sc.LeaveOneSiteOut("city"), dataset(made, same_patient="who"))
    coded = study(sc.LeaveOneSiteOut("code"))
    assert coded.plan.centres == ("1", "2", "3", "4") and possible_site_columns(coded.data) == ["city", "code"]
    with pytest.raises(sc.InputError):
        print(sc.LeaveOneSiteOut("city").n_runs)


def test_learning_curve_has_halves_and_disjoint_smaller_parts(grown):
    plan, target = grown.plan, grown.target
    assert plan.n_runs == 24 and grown.n_runs == 8 and grown.selections("mim").n_runs == 8
    for run in range(8):
        assert plan.resample(run, target, 2).rows.tolist() == ComplementaryPairs(4).resample(run, target, 2).rows.tolist()
    for run in range(0, 24, 2):
        rows, others = (set(plan.resample(half, target, 2).rows.tolist()) for half in (run, run + 1))
        assert not rows & others and abs(len(rows) - 160 / plan.part(run)) <= 1
        assert set(target[sorted(rows)]) == {0, 1}
    assert plan.resample(12, target, 2).held_out.size == 0 and plan.shared_rows() == ComplementaryPairs(4).shared_rows()


def test_learning_curves_of_halves_have_sizes(grown):
    growth = grown.growth().set_index(["selector", "patients"])
    assert [size for label, size in growth.index if label == "mim"] == [20, 40, 80]
    assert growth.loc[("mim", 80), "value"] == pytest.approx(grown.split_half().loc["mim", "value"])
    assert (growth["pairs"] == 4).all() and grown.growth(k=2)["size"].eq(2).all()
    assert grown.missing_runs().empty
    with pytest.raises(sc.InputError):
        run_study(study(sc.ComplementaryPairs(2))).growth()


def test_class_too_small_for_eighths_is_refused_at_the_start():
    with pytest.raises(sc.InputError):
        study(sc.LearningCurve(3), dataset(table().assign(outcome=["sick"] * 7 + ["well"] * 53)))
    assert study(sc.LearningCurve(3), dataset(table().assign(outcome=["sick"] * 8 + ["well"] * 52))).plan.n_runs == 18
    with pytest.raises(sc.InputError):
        sc.LearningCurve(2)


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_interval_of_accuracy_covers_with_several_rows_a_patient(alike):
    """alike: share of further rows of a patient that repeat the first one. 40 patients have one to four rows each."""
    rng, inside, times = np.random.default_rng(0), 0, 400
    for _ in range(times):
        of_row = np.repeat(np.arange(40), rng.integers(1, 5, 40))
        right = rng.random(len(of_row)) < 0.7
        first = right[np.unique(of_row, return_index=True)[1]][of_row]
        _, low, high = correct_share(np.where(rng.random(len(of_row)) < alike, first, right), of_row)
        inside += low <= 0.7 <= high
    assert 0.93 * times <= inside <= 0.98 * times
    assert correct_share(np.array([True, False]), np.array([0, 0])) == (0.5, 0.0, 1.0)
    each_half = np.tile([True, False], 4), np.repeat([0, 1], 4)  # the patients do not differ, which is no reason for certainty
    assert correct_share(*each_half)[1:] < (0.1, 1.1) and correct_share(*each_half)[2] > 0.9
