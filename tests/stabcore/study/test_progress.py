"""Notes on missing runs and on classes that are rarely held out."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from noise_support import Here

import stabcore as sc
from stabcore.study.performance import describe_rare_classes
from stabcore.study.progress import missing_runs_table, sentences_by_selector
from stabcore.study.results import Results


def held_out(target, parts):
    return [SimpleNamespace(held_out=np.array(part), predicted=np.zeros(len(part), dtype=int)) for part in parts]


RARE = np.repeat([0, 1], [100, 9])


def test_failed_and_waiting_runs_are_counted():
    status = {("svm", run): "done" if run % 5 else "failed" for run in range(90)} | {("mim", run): "done" for run in range(100)}
    row = missing_runs_table(status, ["mim", "svm", "late"], range(100)).set_index("selector")
    assert row.index.tolist() == ["svm", "late"]
    assert row.loc["svm"].tolist()[:-1] == [72, 100, 18, 10, 0, 0]
    assert row.loc["svm"].iloc[-1].endswith("(18 failed, 10 not finished)"), "there are no outer folds to tell of"
    status = {("svm", run): "failed" if run in (104, 107) else "done" for run in range(110)}
    frame = missing_runs_table(status, ["svm"], range(100), range(100, 110))  # outer folds are counted separately
    assert frame.loc[0].tolist()[:-1] == ["svm", 100, 100, 0, 0, 8, 10] and missing_runs_table({}, [], range(5)).empty
    assert Results({"mine": sc.Selections.from_matrix(np.eye(3))}).missing_runs().empty
    assert sentences_by_selector({"a": "x", "b": "x"}) == ["x"] and sentences_by_selector(
        {"a": "x", "b": "x"}, unless_all=False
    ) == ["a, b: x"]
    assert (
        sentences_by_selector({"a": "x", "b": "", "c": "x", "d": "y"}) == ["a, c: x", "d: y"]
        and sentences_by_selector({"a": "", "b": ""}) == []
    )


@pytest.mark.parametrize(
    ("cases", "phrase"), [(0, "no information"), *((cases, "almost no information") for cases in (2, 6)), (7, "")]
)
def test_rarely_held_out_class_is_named(cases, phrase):
    """Rarely: in fewer than three runs, or less than half of its proportional share, here 6.2 of 150 held-out rows."""
    parts = [[run, run + 20, 100 if run < cases else 50] for run in range(50)]
    found = describe_rare_classes(held_out(RARE, parts), RARE, ("well", "sick"))
    assert phrase in found and ("9 of 109" in found) == bool(phrase)
    none = [SimpleNamespace(held_out=np.arange(3), predicted=None)]
    assert describe_rare_classes(none, RARE, ("a", "b")) == describe_rare_classes([], np.linspace(0, 1, 5), ()) == ""


def test_accuracy_notes_a_class_that_is_rarely_or_never_held_out():
    X = np.random.default_rng(0).normal(size=(60, 3))
    for n, noted in ((9, True), (15, False)):
        made = sc.Study(X, np.where(np.arange(60) < n, "ill", "well"), ["mim"], plan=sc.RepeatedKFold(3), k=1, n_permutations=0)
        row = made.run(Here()).accuracy().iloc[0]
        assert ("'ill'" in row["accuracy_note"]) == noted == np.isnan(row["auc_low"])
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=list("abc"))
    frame = frame.assign(y=["well"] * 37 + ["sick"] * 3, who=[*range(37), 37, 37, 37])
    data = sc.Dataset.from_frame(frame, target="y", same_patient="who")
    made = sc.Study(data, ["mim", "random"], plan=sc.Subsample(5, 0.2), k=1, n_permutations=0).run(Here())
    assert made.accuracy()["accuracy_note"].str.contains("'sick'.*3 of 40.*none of 5").all()
    assert made.table().loc["mim", "accuracy_note"] == made.accuracy().loc["mim", "accuracy_note"]
    assert made.table(k=2).loc["mim", "accuracy_note"] == ""  # without accuracy there is no note
