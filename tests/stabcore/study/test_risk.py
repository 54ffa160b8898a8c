"""Risks from the stored selections: against a loop over runs, stored results, and refusals."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest
from project_support import patients, study_file
from risk_support import moved

import stabcore as sc
from stabcore.__main__ import main
from stabcore.base.errors import InputError
from stabcore.classifiers.catalog import classifier
from stabcore.study.pieces import MAX_QUESTIONS, pack_pieces, read_from_study, read_models, unpack_pieces, write_to_study
from stabcore.study.risk import Risk, risk_from_models, risk_question
from stabcore.study.working_files import StudyLock

FRAME = patients("abcdef", 60)


@pytest.fixture(scope="module")
def data():
    return sc.Dataset.from_frame(FRAME, target="outcome")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return sc.open_study(study_file(tmp_path_factory.mktemp("risk") / "r.stab", FRAME, ["mim", "random"], sc.Bootstrap(6)))


def test_models_use_rows_and_selections_of_their_run(data, study):
    found, runs = sc.risk_instability(data, study, "mim", "logistic"), study.selections("mim")
    assert sc.risk_instability(data, study, "mim").classifier == "3nn"  # the classifier of the study
    assert found.models.shape == (6, 60) and found.classifier == "logistic" and found.event == "sick"
    assert found.happened.tolist() == [label == found.event for label in FRAME["outcome"]]
    for i, run in enumerate(study.run_numbers("mim")):
        rows = study.plan.resample(run - 1, data.target, 1).rows
        features = np.flatnonzero(runs.selected[i])
        made = classifier("logistic").fit(data.table.rows(rows).columns(features), data.target[rows], n_classes=2)
        assert found.models[i] == pytest.approx(made.predict(data.table.columns(features))[1][:, 0])
    assert sc.risk_instability(data, study, "mim", "logistic", event="well").on_all_rows == pytest.approx(1 - found.on_all_rows)
    assert found.table(0.3)["row"].tolist() == list(range(1, 61))


def test_numbers_of_each_patient_match_a_loop():
    rng = np.random.default_rng(0)
    whole, models = rng.random(9), rng.random((13, 9))
    table = Risk(whole, models, np.zeros(9, dtype=int), "sick", "logistic").table(0.3)
    for i, row in enumerate(table.itertuples()):
        assert row.mape == pytest.approx(sum(abs(model[i] - whole[i]) for model in models) / 13)
        assert row.changes == sum((model[i] > 0.3) != (whole[i] > 0.3) for model in models) / 13
        assert (row.low, row.high) == (np.quantile(models[:, i], 0.025), np.quantile(models[:, i], 0.975))


def test_risks_need_bootstrap_or_complementary_pairs(tmp_path, data):
    halves = sc.open_study(study_file(tmp_path / "h.stab", FRAME, ["mim"], sc.ComplementaryPairs(2)))
    assert sc.risk_instability(data, halves, "mim", "logistic").models.shape == (4, 60)
    for name, plan in (("s", sc.Subsample(3, 0.05)), ("k", sc.RepeatedKFold(4))):
        other = sc.open_study(study_file(tmp_path / f"{name}.stab", FRAME, ["mim"], plan))
        with pytest.raises(InputError):
            sc.risk_instability(data, other, "mim")


def test_risks_vary_like_those_of_new_samples():
    """Halves and bootstrap vary about as much as new samples. Leaving out 5% varies far less. Means of six tables."""
    each = pd.DataFrame([moved(seed, "logistic", 10) for seed in range(6)]).mean()
    assert each[["halves", "bootstrap"]].to_numpy() == pytest.approx(each["new samples"], rel=0.15)
    assert each["5% left out"] < 0.5 * each["new samples"]


def test_studies_without_risks_are_refused(data, study):
    number = np.random.default_rng(0).normal(size=60)
    others = (FRAME.iloc[:-1], FRAME.assign(outcome=np.arange(60) % 3), FRAME.assign(outcome=pd.Series(number)))
    cases = [(sc.Dataset.from_frame(unsuitable, target="outcome"), {}) for unsuitable in others]
    for of, options in (*cases, (data, {"classifier": "svm"}), (data, {"event": "dead"})):
        with pytest.raises(InputError):
            sc.risk_instability(of, study, "mim", **options)


def test_a_stopped_risk_computation_continues_with_the_same_result(data, study, tmp_path):
    keep, models_done = tmp_path / "part.json", []
    with pytest.raises(InputError, match="2 of 6"):
        sc.risk_instability(data, study, "mim", "logistic", keep=keep, progress=lambda done, of: done < 2)
    asked = risk_question(data, study, "mim", "logistic")
    assert set(read_models(keep, asked, 60)) == {"0", "1", "2"} and read_models(keep, asked | {"k": 1}, 60) == {}
    before = json.loads(keep.read_text(encoding="utf-8"))["models"]
    again = sc.risk_instability(data, study, "mim", "logistic", keep=keep, progress=lambda done, of: models_done.append(done))
    fresh = sc.risk_instability(data, study, "mim", "logistic")
    assert (again.models == fresh.models).all() and (again.on_all_rows == fresh.on_all_rows).all()
    assert before.items() <= json.loads(keep.read_text(encoding="utf-8"))["models"].items()


def test_stored_risks_are_validated(tmp_path):
    good = pack_pieces({"0": np.array([0.1, 0.9]), "1": np.array([0.2, 1.0])})
    assert {model: chances.tolist() for model, chances in unpack_pieces(good, 2).items()} == {"0": [0.1, 0.9], "1": [0.2, 1.0]}
    wrong = (pack_pieces({"0": np.array(array)}) for array in ([0.1], [0.1, 2.0], [0.1, np.nan], np.zeros(10**6)))
    for damaged in (*wrong, {"0": "%%%"}, {"0": good["0"][:-8]}, {"0": 7}, {"0": None}, [], None):
        assert unpack_pieces(damaged, 2) == {}
    (tmp_path / "cut.json").write_text('{"asked"', encoding="utf-8")
    assert read_models(tmp_path / "cut.json", {}, 2) == {} == read_models(tmp_path / "none.json", {}, 2)


def test_study_file_keeps_the_latest_risks_and_its_seal(tmp_path, data):
    path = study_file(tmp_path / "r.stab", FRAME, ["mim"], sc.Bootstrap(3))
    asked = risk_question(data, sc.open_study(path), "mim", "logistic")
    for k in range(MAX_QUESTIONS + 2):
        write_to_study(path, asked | {"k": k}, {"0": np.full(60, k / 100)})
    result = sc.open_study(path)
    assert result.store.intact() and len(result.store.meta("risks")) == MAX_QUESTIONS and not result.notes
    assert (
        read_from_study(result, asked | {"k": 3})["0"].tolist() == [0.03] * 60 and read_from_study(result, asked | {"k": 0}) == {}
    )
    assert risk_from_models(data, result, asked, {"0": np.zeros(60)}) is None
    with sqlite3.connect(path) as base:
        base.execute("UPDATE task SET seconds = 99")
    write_to_study(path, asked, {"0": np.zeros(60)})
    assert sc.open_study(path).store.intact() is False  # the note on the earlier change is kept


def test_separate_process_computes_risks_and_can_be_cancelled(tmp_path, capsys):
    path = study_file(tmp_path / "r.stab", FRAME, ["mim"], sc.Bootstrap(3))
    FRAME.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "risk.toml").write_text('[data]\nfile = "table.csv"\ntarget = "outcome"\n', encoding="utf-8")
    asked = ["risk", str(path), str(tmp_path / "risk.toml"), "--selector", "mim", "--classifier", "logistic"]
    (tmp_path / "beside").mkdir()
    assert main([*asked, "--beside", str(tmp_path / "beside")]) == 0 and sc.open_study(path).store.meta("risks") is None
    assert len(list((tmp_path / "beside").glob("risk-*.json"))) == 1
    assert main(asked) == 0 and "60 patients by 3 models" in capsys.readouterr().err
    assert len(sc.open_study(path).store.meta("risks")) == 1
    assert main([*asked[:-1], "svm"]) == 2 and "gives none" in capsys.readouterr().err
    lock = StudyLock(path)
    assert lock.acquire() and main([*asked, "--k", "1"]) == 2 and "finished" in capsys.readouterr().err
    lock.release()
