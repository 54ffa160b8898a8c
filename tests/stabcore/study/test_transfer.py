"""A panel tested in another table: against scikit-learn, levels by name, refusals, and tables without signal."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from snapshot_support import check_refusals
from support import slow
from survival_support import slow_concordance

import stabcore as sc
from stabcore.analysis.concordance import add_directions
from stabcore.classifiers.catalog import classifier
from stabcore.plots.replication import finding_external_validation
from stabcore.study.transfer import score_with_interval
from stabcore.survival.cox import fit_cox


def table(seed, rows=120, effect=1.0):
    rng = np.random.default_rng(seed)
    outcome = rng.integers(0, 2, rows)
    frame = pd.DataFrame(rng.normal(size=(rows, 6)), columns=list("abcdef"))
    frame["a"] += effect * outcome
    frame["b"] -= effect * outcome
    return frame.assign(
        stage=np.where(rng.random(rows) < 0.3 + 0.4 * outcome * (effect > 0), "late", "early"),
        outcome=np.where(outcome, "sick", "well"),
    )


def dataset(frame):
    return sc.Dataset.from_frame(frame, target="outcome")


def test_panel_is_trained_on_one_table_and_tested_on_another():
    first, second = dataset(table(1)), dataset(table(2, 90))
    validation = sc.external_validation(first, second, ["a", "b"])
    assert validation["tested"].tolist() == ["second", "first"] and validation["rows"].tolist() == [90, 120]
    model = classifier("logistic").fit(first.table.columns([0, 1]), first.target, np.random.default_rng(0), n_classes=2)
    slow = roc_auc_score(second.target, model.predict(second.table.columns([0, 1]))[1][:, 1])
    assert validation.loc[0, "value"] == pytest.approx(slow) and validation.loc[0, "low"] < slow < validation.loc[0, "high"]
    assert validation["score"].eq("auc").all() and validation["given_alone"].isna().all()


def test_levels_are_matched_by_name():
    """The second table has an additional level, so all its codes differ."""
    second = table(4)
    second.loc[:5, "stage"] = "a third"
    validation = sc.external_validation(dataset(table(3)), dataset(second), ["stage"])
    assert validation.loc[0, "value"] > 0.6


def test_untestable_panels_are_refused():
    first, aged = dataset(table(1)), times(followed(1), ["age"])
    other = table(2).assign(outcome=np.where(table(2)["outcome"] == "sick", "ill", "well"))
    cases = [
        (first, dataset(table(2).drop(columns="a")), ["a"]),
        (first, dataset(table(2).assign(stage=1.0 * np.arange(120))), ["stage"]),
        *((first, dataset(other), ["a"]), (first, first, []), (first, first, ["a"], "oracle")),
        *((aged, second, ["a"]) for second in (times(followed(2)), times(followed(2), ["age", "sex"]), first)),
        (aged, aged, ["a"], "logistic"),
        (first.changed(units={"a": "mg/dl"}), first.changed(units={"a": "µmol/l"}), ["a"]),
        (first, dataset(table(2).assign(b=lambda frame: frame["b"] + 88.4)), ["a", "b"]),
    ]
    check_refusals("study/wrong_validations", sc.external_validation, cases)


def test_better_than_chance_only_with_signal():
    def claimed(seed, n, effect, panel):
        validation = sc.external_validation(dataset(table(2 * seed, n, effect)), dataset(table(2 * seed + 1, n, effect)), panel)
        return "not clearly above chance" not in finding_external_validation(validation, len(panel))

    assert sum(claimed(seed, 60, 0.0, ["a", "b", "c"]) for seed in range(20)) <= 3 and claimed(1, 120, 1.0, ["a", "b"])


def test_an_auc_has_no_interval_with_few_patients_of_a_class():
    """Of 3 times the spread, 2 to 4 patients of a class had intervals that held in 77 to 91 of 100 tables."""
    learned = dataset(table(1))
    for cases in (4, 5):
        rare = table(2).assign(outcome=np.where(np.arange(len(table(2))) < cases, *np.unique(table(2)["outcome"])))
        validation = sc.external_validation(learned, dataset(rare), ["a", "b"])
        assert validation["value"].notna().all() and validation["low"].notna().tolist() == [cases == 5, True]
        said = finding_external_validation(validation, 2)
        assert ("no interval" in said) == (cases == 4) and "–" not in said and "nan" not in said.lower()


def test_directions_of_features_are_compared():
    frames = table(1), table(2).assign(b=-table(2)["b"])
    panel = sc.Results({"one": sc.Selections.from_matrix(np.ones((2, 2)), ["a", "b"])})
    ways = add_directions(sc.replication(panel, panel, threshold=0.5), *map(dataset, frames)).set_index("feature")
    assert ways["same_way"].to_dict() == {"a": True, "b": False}


def test_visits_of_a_patient_are_not_independent():
    frame = table(2, 40)
    visits = pd.concat([frame, frame]).assign(patient=np.tile([f"p{i}" for i in range(40)], 2))
    once, copied = dataset(frame), sc.Dataset.from_frame(visits, target="outcome", same_patient="patient")
    first = dataset(table(1))
    unsaid = dataset(visits.drop(columns="patient"))
    single, twice, unsaid = (sc.external_validation(first, second, ["a", "b"]).loc[0] for second in (once, copied, unsaid))
    assert single["value"] == pytest.approx(twice["value"]) and twice["low"] == pytest.approx(single["low"], abs=0.02)
    assert unsaid["low"] > single["low"] + 0.03


def followed(seed, n=150, effect=0.8):
    """A table of survival times with two markers and age."""
    rng = np.random.default_rng([7, seed])
    X, age = rng.standard_normal((n, 4)), rng.standard_normal(n)
    hazard = np.exp(effect * (X[:, 0] - X[:, 1]) + 0.8 * age)
    time, end = rng.exponential(size=n) / hazard, 2 * rng.exponential(size=n)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(age=60 + 10 * age, sex=rng.choice(["m", "w"], n))
    return frame.assign(days=np.minimum(time, end), status=(time <= end).astype(int))


def times(frame, given=()):
    return sc.Dataset.from_frame(frame, target=("days", "status"), given=given, exclude=[] if given else ["age", "sex"])


def test_concordance_with_given_columns():
    first, second = (times(followed(seed), ["age", "sex"]) for seed in (1, 2))
    validation = sc.external_validation(first, second, ["a", "b"])
    assert validation["score"].tolist() == ["harrell", "harrell"]
    other = times(followed(2)[["sex", "b", "age", "a", "c", "d", "days", "status"]], ["sex", "age"])  # in another order
    assert sc.external_validation(first, other, ["a", "b"]).equals(validation)
    frames = [followed(seed) for seed in (1, 2)]
    columns = [np.column_stack([frame[["a", "b", "age"]], frame["sex"] == "w"]) for frame in frames]
    mean, deviation = columns[0].mean(axis=0), columns[0].std(axis=0)
    fitted = fit_cox(((columns[0] - mean) / deviation).T, first.target, ridge=np.array([1, 1, 1e-4, 1e-4]))
    risk = (columns[1] - mean) / deviation @ fitted.weights
    assert validation["value"][0] == pytest.approx(slow_concordance(risk, second.target), abs=0.002)
    assert validation["low"][0] < validation["value"][0] < validation["high"][0]
    assert validation["given_alone"][0] < validation["value"][0] - 0.05


@pytest.mark.parametrize(("n_tables", "effect"), [(15, 0.0), slow(200, 0.0), slow(200, 0.8)])
def test_intervals_cover_the_concordance_of_many_patients(n_tables, effect):
    """One panel, trained once, in many new tables."""
    first, many_patients = times(followed(0, effect=effect)), times(followed(1, 4000, effect))
    truth = sc.external_validation(first, many_patients, ["a", "b"])["value"][0]
    tables = (times(followed(seed, effect=effect)) for seed in range(2, n_tables + 2))
    rows = [sc.external_validation(first, other, ["a", "b"]).loc[0] for other in tables]
    covered = np.mean([row["low"] <= truth <= row["high"] for row in rows])
    assert covered >= (0.9 if n_tables > 50 else 0.7)


def test_intervals_of_a_concordance_cover_with_few_events():
    """Of 100 patients, 5 have the event. By the number of patients, the interval covered in 83 of 100 tables."""
    rng, held = np.random.default_rng(1), []
    for _ in range(300):
        time, end = rng.exponential(size=100), 0.05 * rng.uniform(0.3, 1.7, 100)
        target = np.array(list(zip(np.minimum(time, end), time <= end)), dtype=[("time", float), ("event", bool)])
        if target["event"].sum() > 1:
            _, low, high = score_with_interval(rng.normal(size=100), SimpleNamespace(timed=True, target=target, patients=None))
            held.append(low <= 0.5 <= high)
    assert np.mean(held) >= 0.9
