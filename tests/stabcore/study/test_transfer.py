"""A panel tested in another table: against sklearn, categories by name, what is refused, tables without any signal."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from page_support import study_file
from sklearn.metrics import roc_auc_score
from snapshot_support import check_refusals

import stabcore as sc
from stabcore.analysis.concordance import replication, same_ways
from stabcore.classifiers.catalog import classifier
from stabcore.plots.replication import describe_same_directions, finding_external_validation


def table(seed, rows=120, effect=1.0, levels=("early", "late")):
    rng = np.random.default_rng(seed)
    outcome = rng.integers(0, 2, rows)
    frame = pd.DataFrame(rng.normal(size=(rows, 6)), columns=list("abcdef"))
    frame["a"] += effect * outcome
    frame["b"] -= effect * outcome
    return frame.assign(
        stage=np.where((rng.random(rows) < 0.3 + 0.4 * outcome * (effect > 0)), *reversed(levels)),
        outcome=np.where(outcome, "sick", "well"),
    )


def dataset(frame):
    return sc.Dataset.from_frame(frame, target="outcome")


def test_it_is_trained_on_one_table_and_tested_on_the_other():
    first, second = dataset(table(1)), dataset(table(2, 90))
    told = sc.external_validation(first, second, ["a", "b"])
    assert told["tested"].tolist() == ["second", "first"] and told["rows"].tolist() == [90, 120]
    model = classifier("logistic").fit(first.table.columns([0, 1]), first.target, np.random.default_rng(0), n_classes=2)
    slow = roc_auc_score(second.target, model.predict(second.table.columns([0, 1]))[1][:, 1])
    assert told.loc[0, "auc"] == pytest.approx(slow) and told.loc[0, "auc_low"] < slow < told.loc[0, "auc_high"]
    assert "reach an AUC of" in finding_external_validation(
        told, 2
    ) and "The other table lacks 3 features" in finding_external_validation(told, 2, 3)


def test_levels_are_matched_by_name_and_not_by_code():
    """The second table has one level more, so that every code of it is another one."""
    second = table(4)
    second.loc[:5, "stage"] = "a third"
    told = sc.external_validation(dataset(table(3)), dataset(second), ["stage"])
    assert told.loc[0, "auc"] > 0.6


def test_what_cannot_be_tested_is_said():
    first = dataset(table(1))
    other = table(2).assign(outcome=np.where(table(2)["outcome"] == "sick", "ill", "well"))
    cases = [
        (dataset(table(2).drop(columns="a")), ["a"]),
        (dataset(table(2).assign(stage=1.0 * np.arange(120))), ["stage"]),
        (dataset(other), ["a"]),
        (first, []),
    ]
    check_refusals("study/what_cannot_be_validated", partial(sc.external_validation, first), cases)
    with pytest.raises(sc.InputError, match="'oracle'"):
        sc.external_validation(first, first, ["a"], "oracle")


def test_without_any_signal_nothing_is_claimed_and_with_one_it_is():
    clear = 0
    for seed in range(20):
        told = sc.external_validation(dataset(table(2 * seed, 60, 0.0)), dataset(table(2 * seed + 1, 60, 0.0)), ["a", "b", "c"])
        clear += "not clearly above chance" not in finding_external_validation(told, 3)
    assert clear <= 3
    assert "not clearly above chance" not in finding_external_validation(
        sc.external_validation(dataset(table(1)), dataset(table(2)), ["a", "b"]), 2
    )


def test_a_feature_goes_the_same_way_or_not(tmp_path):
    frames = table(1), table(2).assign(b=-table(2)["b"])
    first, second = (
        sc.open_study(study_file(tmp_path / f"{i}.stab", frame, ["welch_t"], sc.ComplementaryPairs(3)))
        for i, frame in enumerate(frames)
    )
    ways = same_ways(replication(first, second, 0.5), *map(dataset, frames)).set_index("feature")
    assert ways["same_way"].to_dict() == {"a": True, "b": False}
    assert "1 of 2 features of this panel have the same direction" in describe_same_directions(ways.reset_index())
    assert "unknown" in describe_same_directions(ways.assign(same_way=None).reset_index())


def test_two_visits_of_a_patient_are_no_two_patients():
    frame = table(2, 40)
    visits = pd.concat([frame, frame]).assign(patient=np.tile([f"p{i}" for i in range(40)], 2))
    once, copied = dataset(frame), sc.Dataset.from_frame(visits, target="outcome", same_patient="patient")
    first = dataset(table(1))
    unsaid = dataset(visits.drop(columns="patient"))
    one, twice, unsaid = (sc.external_validation(first, second, ["a", "b"]).loc[0] for second in (once, copied, unsaid))
    assert one["auc"] == pytest.approx(twice["auc"]) and twice["auc_low"] == pytest.approx(one["auc_low"], abs=0.02)
    assert unsaid["auc_low"] > one["auc_low"] + 0.03
