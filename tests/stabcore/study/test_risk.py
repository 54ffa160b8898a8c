"""Risks by the stored selections: against a walk over the runs, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from page_support import patients, study_file

import stabcore as sc
from stabcore.classifiers.catalog import classifier
from stabcore.errors import InputError

FRAME = patients("abcdef", 60)


@pytest.fixture(scope="module")
def data():
    return sc.Dataset.from_frame(FRAME, target="outcome")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return sc.open_study(study_file(tmp_path_factory.mktemp("risk") / "r.stab", FRAME, ["mim", "random"], sc.Bootstrap(6)))


def test_every_model_learns_from_the_rows_and_the_selection_of_its_run(data, study):
    found, runs = sc.risk(data, study, "mim", "logistic"), study.preferences("mim")
    assert sc.risk(data, study, "mim").classifier == "3nn"          # that of the study
    assert found.models.shape == (6, 60) and found.classifier == "logistic" and found.event == data.classes[1] and not found.note
    assert found.happened.tolist() == [one == found.event for one in FRAME["outcome"]]
    for i, run in enumerate(study.run_numbers("mim")):
        rows = study.plan.resample(run - 1, data.target, 1).rows
        features = np.flatnonzero(runs.selected[i])
        made = classifier("logistic").fit(data.table.rows(rows).columns(features), data.target[rows], n_classes=2)
        assert found.models[i] == pytest.approx(made.predict(data.table.columns(features))[1][:, 1])
    table = found.table(0.3)
    assert (table["low"] <= table["high"]).all() and len(table) == 60 and table["row"].iloc[0] == 1
    assert table["mape"].to_numpy() == pytest.approx(np.abs(found.models - found.whole).mean(axis=0))


def test_it_is_the_same_twice_and_the_other_class_has_the_other_risk(data, study):
    one, again = (sc.risk(data, study, "mim", "random_forest") for _ in range(2))
    assert (one.models == again.models).all() and (one.whole == again.whole).all()
    other = sc.risk(data, study, "mim", event=data.classes[0])
    assert other.whole == pytest.approx(1 - sc.risk(data, study, "mim").whole)
    told = []
    sc.risk(data, study, "mim", k=1, progress=lambda done, of: told.append((done, of)))
    assert told == [(done, 6) for done in range(7)]


def test_other_plans_say_what_they_cannot_tell(tmp_path, data):
    halves = sc.open_study(study_file(tmp_path / "h.stab", FRAME, ["mim"], sc.Half(2)))
    assert "half of the patients" in sc.risk(data, halves, "mim").note
    few = sc.open_study(study_file(tmp_path / "s.stab", FRAME, ["mim"], sc.Subsample(3, 0.05)))
    assert "share most of their rows" in sc.risk(data, few, "mim").note


def test_what_has_no_risk_is_refused(data, study):
    with pytest.raises(InputError, match="'svm' gives none. Choose one of: 3nn, logistic or random_forest"):
        sc.risk(data, study, "mim", "svm")
    with pytest.raises(InputError, match="There is no class 'dead'"):
        sc.risk(data, study, "mim", event="dead")
    with pytest.raises(InputError, match="the very table"):
        sc.risk(sc.Dataset.from_frame(FRAME.iloc[:-1], target="outcome"), study, "mim")
    three = FRAME.assign(outcome=np.arange(60) % 3)
    with pytest.raises(InputError, match="say whose risk"):
        sc.risk(sc.Dataset.from_frame(three, target="outcome"), study, "mim")
    number = FRAME.assign(outcome=pd.Series(np.random.default_rng(0).normal(size=60)))
    with pytest.raises(InputError, match="outcome is a number"):
        sc.risk(sc.Dataset.from_frame(number, target="outcome"), study, "mim")
