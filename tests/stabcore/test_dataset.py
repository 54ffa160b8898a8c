"""Dataset: every column accounted for, every wrong table refused with its place, equal content an equal dataset."""

import io
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stabcore.dataset import Dataset, check, describe
from stabcore.dataset.columns import understand
from stabcore.errors import InputError
from stabcore.reading import read_table, read_text

N = 40
FINGERPRINT = "1f93ec55a8eeecc1fd26ffa5a73b51e09983467c7fc3aa7232813ed3e371160a"
HOSTILE = ["![x](http://evil.example/a.png)", "<img src=x onerror=alert(1)>", "=1+1", "x" * 5000, "漢字 µ", "{a}%s\n"]


@pytest.fixture
def frame():
    rng = np.random.default_rng(3)
    return pd.DataFrame({
        "ALT": rng.normal(30, 5, N).round(1), "stage": rng.choice(["I", "II", "III"], N), "sex": ["f", "m"] * (N // 2),
        "smoker": ["yes", "no", None, "no"] * (N // 4), "male": [0, 1] * (N // 2),
        "outcome": ["ill"] * 15 + ["well"] * 25})


def account(data, column):
    return data.columns.set_index("column").loc[column]


# ---- what a dataset is ----

def test_columns_become_features(frame):
    frame.loc[4, "ALT"] = np.nan
    data = Dataset.from_frame(frame, target="outcome", name="trial")
    assert data.features == ("ALT", "stage", "sex", "smoker", "male") and (data.n_rows, data.n_features) == (N, 5)
    assert data.table.categorical.tolist() == [False, True, True, True, False]      # 0/1 is a number
    assert data.classes == ("ill", "well") and data.target.tolist() == [0] * 15 + [1] * 25
    assert data.levels == {"stage": ("I", "II", "III"), "sex": ("f", "m"), "smoker": ("no", "yes")}
    assert list(data.columns["column"]) == list(frame.columns) and data.name == "trial" and data.patients is None
    assert list(data.columns["kind"]) == ["number", "category", "category", "yes-no", "number", "category"]
    assert list(data.columns["role"]) == ["feature"] * 5 + ["target"]
    assert account(data, "ALT").missing == 1 and np.isnan(data.table.values[4, 0])
    assert account(data, "smoker").missing == 10 and np.isnan(data.table.values[2, 3])
    assert all(why.endswith(".") for why in data.columns["why"])


def test_numbers_for_correlation(frame):
    numbers = Dataset.from_frame(frame, target="outcome").numbers()
    np.testing.assert_array_equal(numbers[:, 0], frame["ALT"])
    assert np.isnan(numbers[:, 1]).all()                        # three levels have no order
    assert numbers[:2, 2].tolist() == [0, 1] and np.isnan(numbers[2, 3])


def test_left_out_without_being_asked_is_said(frame):
    frame = frame.assign(empty=np.nan, same=5, day=pd.Timestamp("2024-01-01"), note=[f"text {i}" for i in range(N)],
                         visit=[f"2024-02-{i % 28 + 1:02d}" for i in range(N)], seen=["x", None] * (N // 2))
    frame.loc[0, "day"] = pd.Timestamp("2024-01-02")
    data = Dataset.from_frame(frame, target="outcome", exclude="sex")
    assert data.features == ("ALT", "stage", "smoker", "male")
    expected = {"empty": "empty", "same": "constant", "day": "date", "note": "text", "visit": "date",
                "seen": "constant"}
    for column, kind in expected.items():
        assert account(data, column).role == "left out" and account(data, column).kind == kind
        assert any(repr(column) in note for note in data.notes)
    assert "if empty means no" in account(data, "seen").why
    assert account(data, "sex").role == "left out" and account(data, "sex").why.startswith("Left out on request.")
    assert not any("'sex'" in note for note in data.notes)


def test_rows_without_a_target_are_dropped_and_counted(frame):
    frame.loc[[0, 39], "outcome"] = None
    frame["late"] = [7] * 39 + [8]                              # constant once the last row is gone
    data = Dataset.from_frame(frame, target="outcome")
    assert data.n_rows == 38 and data.notes[0] == "Left out: 2 rows without a value for 'outcome'."
    assert account(data, "late").kind == "constant"
    np.testing.assert_array_equal(data.table.values[:, 0], frame["ALT"][1:39])


def test_same_patient(frame):
    frame["who"] = [f"p{i // 2}" for i in range(N)]
    data = Dataset.from_frame(frame, target="outcome", same_patient="who")
    assert data.patients.tolist() == [np.unique(frame["who"]).tolist().index(who) for who in frame["who"]]
    assert account(data, "who").role == "patient" and "20 patients" in account(data, "who").why
    assert "who" not in data.features
    frame.loc[3, "who"] = None
    with pytest.raises(InputError, match=r"'who' says .* but is empty in row 4"):
        Dataset.from_frame(frame, target="outcome", same_patient="who")
    with pytest.raises(InputError, match="all rows belong to one patient"):
        Dataset.from_frame(frame.assign(who="p"), target="outcome", same_patient="who")
    found = check(frame, "outcome", same_patient="who")[0]
    assert found.severity == "error" and "row 4" in found.sentence and found.columns == ("who",)


@pytest.mark.parametrize("values, classes", [
    ([1, 0] * 20, ("0", "1")), ([1.0, 2.0] * 20, ("1", "2")), ([0.5, 10.0] * 20, ("0.5", "10")),
    ([True, False] * 20, ("False", "True")),
    (["b", "a"] * 20, ("a", "b")), (["10", "9"] * 20, ("9", "10")), (list(range(20)) * 2, tuple(map(str, range(20)))),
    (pd.Categorical(["hi", "lo"] * 20, categories=["lo", "hi"]), ("hi", "lo"))])
def test_classes(frame, values, classes):
    data = Dataset.from_frame(frame.assign(outcome=values), target="outcome")
    assert data.classes == classes
    names = [classes[code] for code in data.target]
    assert names == [f"{v:g}" if isinstance(v, float) else str(v) for v in values]


# ---- a target that is a number ----

@pytest.mark.parametrize("values, target_as, number", [
    (range(20), None, False), (range(21), None, True), (range(20), "number", True), ([0.5, 2, 7], "number", True),
    (range(20), "classes", False), ([0.5, 2, 7], None, False), (["0,5", *(f"{i},5" for i in range(1, 30))], None, True)])
def test_which_targets_are_numbers(frame, values, target_as, number):
    many = (list(values) * N)[:max(N, 2 * len(values))]
    frame = pd.concat([frame, frame], ignore_index=True).iloc[:len(many)].assign(outcome=many)
    data = Dataset.from_frame(frame, target="outcome", target_as=target_as)
    assert data.numeric_target == number == (data.target.dtype == float) == (data.classes == ())
    assert any("number" in note for note in data.notes) == number
    if number:
        expected = [float(str(value).replace(",", ".")) for value in many]
        assert data.target.tolist() == expected
        assert account(data, "outcome").why == f"The target: a number from {min(expected):g} to {max(expected):g}."


def test_the_note_names_the_rule(frame):
    table = frame.assign(age=np.arange(N) * 1.5)
    assert Dataset.from_frame(table, target="age").notes == (
        "The target 'age' has 40 different numbers, so it is treated as a number; group it into classes (such as low and high) "
        "to predict classes.",)
    assert "as asked" in Dataset.from_frame(table, target="age", target_as="number").notes[0]
    table.loc[3, "age"] = np.nan
    data = Dataset.from_frame(table, target="age")
    assert "1 row without a value" in data.notes[0] and "39 different" in data.notes[1] and len(data.target) == 39


def test_a_number_target_has_a_fingerprint_of_its_own(frame):
    table = frame.assign(grade=[1, 2, 3, 4] * 10)
    other = table.replace({"grade": {4: 4.5}})
    prints = [Dataset.from_frame(one, target="grade", target_as=kind).fingerprint
              for one in (table, other) for kind in ("classes", "number")]
    assert len(set(prints)) == 4
    zero = table.replace({"grade": {1: 0.0}})
    minus = zero.assign(grade=np.where(zero["grade"] == 0, -0.0, zero["grade"]))
    assert len({Dataset.from_frame(one, target="grade", target_as="number").fingerprint for one in (zero, minus)}) == 1


def test_the_fingerprint_of_classes_never_changes():
    """Study files carry it: a change would make every one of them another study."""
    table = pd.DataFrame({"a": np.arange(12) / 4, "b": ["x", None, "z"] * 4, "who": range(12), "y": ["no", "yes"] * 6})
    data = Dataset.from_frame(table, target="y", same_patient="who")
    assert data.fingerprint == FINGERPRINT


def test_from_file_takes_the_kind_of_target(frame, tmp_path):
    frame.assign(grade=[1, 2, 3, 4] * 10).to_csv(tmp_path / "t.csv", index=False)
    assert Dataset.from_file(tmp_path / "t.csv", target="grade", target_as="number").numeric_target
    assert not Dataset.from_file(tmp_path / "t.csv", target="grade").numeric_target


def test_text_is_understood(frame):
    frame = frame.assign(text_number=["1.5", "2"] * 20, comma=["0,5", "1,25"] * 20, site=["01", "02", "10", "11"] * 10,
                         stage_t=["1", "2", "3", "4a"] * 10, truth=["TRUE", "false"] * 20, sign=["+", "-"] * 20)
    data = Dataset.from_frame(frame, target="outcome")
    kinds = data.columns.set_index("column")["kind"]
    assert kinds["text_number"] == kinds["comma"] == "number"
    assert kinds["site"] == kinds["stage_t"] == "category" and kinds["truth"] == kinds["sign"] == "yes-no"
    assert data.table.values[:2, data.features.index("comma")].tolist() == [0.5, 1.25]
    assert data.levels["truth"] == ("False", "True") and data.levels["stage_t"] == ("1", "2", "3", "4a")
    assert "decimal comma" in account(data, "comma").why and "codes" in account(data, "site").why


def test_hostile_names_and_levels(frame):
    frame = frame.assign(**{name: HOSTILE[:2] * 20 for name in HOSTILE})
    data = Dataset.from_frame(frame.assign(outcome=HOSTILE[:2] * 20), target="outcome")
    assert data.features[-len(HOSTILE):] == tuple(HOSTILE) and data.levels["=1+1"] == tuple(sorted(HOSTILE[:2]))
    for finding in check(frame, "outcome"):
        assert len(finding.sentence) < 700
    with pytest.raises(InputError) as error:
        Dataset.from_frame(frame, target="y" * 10_000)
    assert len(str(error.value)) < 900


def test_arrays_travel_to_workers(frame):
    data = Dataset.from_frame(frame, target="outcome")
    again = pickle.loads(pickle.dumps(data))
    assert again.fingerprint == data.fingerprint


# ---- fingerprint ----

def test_fingerprint_is_of_the_content_not_of_the_file(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t", na_rep="NA")
    frame.to_csv(tmp_path / "t.txt", index=False, sep=";", decimal=",", encoding="utf-16")
    frame.to_parquet(tmp_path / "t.parquet")
    names = ["t.csv", "t.tsv", "t.txt", "t.parquet"]
    prints = {Dataset.from_file(tmp_path / name, target="outcome").fingerprint for name in names}
    prints.add(Dataset.from_frame(frame, target="outcome", name="other").fingerprint)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_fingerprint_sees_every_difference(frame):
    frame["who"] = [i // 2 for i in range(N)]
    one = {"target": "outcome"}
    changed = frame.copy()
    changed.loc[7, "ALT"] += 1e-9
    cases = [(frame, one), (changed, one), (frame.rename(columns={"ALT": "AST"}), one),
             (frame, one | {"exclude": ["ALT"]}),
             (frame, one | {"same_patient": "who"}), (frame[::-1], one), (frame, {"target": "sex"}),
             (frame.replace({"stage": {"I": "IV"}}), one), (frame.replace({"outcome": {"ill": "sick"}}), one),
             (frame[list(frame.columns[::-1])], one), (frame.iloc[1:], one)]
    assert len({Dataset.from_frame(table, **roles).fingerprint for table, roles in cases}) == len(cases)


def test_fingerprint_takes_no_notice_of_zero_signs_and_kinds_of_nan(frame):
    frame.loc[0, "ALT"], frame.loc[1, "ALT"] = 0.0, np.nan
    other = frame.copy()
    other.loc[0, "ALT"] = -0.0
    other["ALT"] = other["ALT"].astype("Float64")
    assert len({Dataset.from_frame(table, target="outcome").fingerprint for table in (frame, other)}) == 1


def test_from_file_keeps_the_notes_and_the_name(frame, tmp_path):
    frame.to_csv(tmp_path / "my trial.v2.csv", index=False, sep=";")
    data = Dataset.from_file(tmp_path / "my trial.v2.csv", target="outcome")
    assert data.name == "my trial" and "semicolons" in data.notes[0]
    assert Dataset.from_file(tmp_path / "my trial.v2.csv", target="outcome", name="x").name == "x"


# ---- what is refused ----

def low(words):
    return lambda frame: frame.assign(ALT=["<0.5" if i in words else f"{i / 7:.3f}" for i in range(N)])


WRONG = [
    (lambda f: f, {"target": "outcomes"}, ["no column 'outcomes'", "did you mean 'outcome'?", "'ALT'"]),
    (lambda f: f, {"target": "outcome", "exclude": ["sexx"]}, ["no column 'sexx'", "did you mean 'sex'?"]),
    (lambda f: f, {"target": "outcome", "same_patient": "who"}, ["no column 'who'"]),
    (lambda f: f, {"target": "outcome", "exclude": ["outcome"]}, ["'outcome' is the target"]),
    (lambda f: f, {"target": "outcome", "same_patient": "outcome"}, ["'outcome' is the target"]),
    (lambda f: f.assign(outcome="ill"), {}, ["only one value, 'ill'", "choose another target"]),
    (lambda f: f.assign(outcome=None), {}, ["0 rows with a value for 'outcome'", "at least 10"]),
    (lambda f: f.assign(outcome=np.arange(N) * 1.5), {"target_as": "classes"},
     ["differs in every row", "treat it as a number", "group its numbers into classes"]),
    (lambda f: f.assign(outcome=range(N)).head(15), {}, ["differs in every row", "treat it as a number"]),
    (lambda f: f.assign(outcome=[f"p{i}" for i in range(N)]), {}, ["differs in every row", "2 to 20 classes"]),
    (lambda f: f.assign(outcome=np.arange(N) % 30), {"target_as": "classes"},
     ["30 different values", "2 to 20 classes", "such as low and high"]),
    (lambda f: f.assign(outcome=[3] * 39 + [7]), {}, ["class '7' of 'outcome' has only one row (row 40)", "with another."]),
    (lambda f: f.assign(outcome=[3, 5, 8] * 13 + [7]), {}, ["class '7'", "treat the target as a number"]),
    (lambda f: f, {"target_as": "number"}, ["'outcome' holds text (ill, well)", "treat it as classes"]),
    (lambda f: f, {"target": "male", "target_as": "number"}, ["only 2 different numbers", "at least 3"]),
    (lambda f: f, {"target_as": "amount"}, ["found 'amount'", '"classes"', '"number"']),
    (lambda f: f.assign(outcome=3), {"target_as": "number"}, ["only one value"]),
    (lambda f: f.assign(outcome=[f"2024-01-{i % 9 + 1:02d}" for i in range(N)]), {"target_as": "number"}, ["holds dates"]),
    (lambda f: f.assign(outcome=[np.inf, *range(1, N)]), {}, ["infinite in row 1"]),
    (lambda f: low({3})(f), {"target": "ALT"}, ["'<0.5' (row 4)", "choose another target"]),
    (lambda f: f.assign(outcome=["ill"] * 39 + ["w"]), {}, ["class 'w' of 'outcome' has only one row (row 40)"]),
    (lambda f: f.assign(outcome=[f"2024-01-{i % 9 + 1:02d}" for i in range(N)]), {}, ["holds dates"]),
    (lambda f: f.assign(outcome=["<1"] + [i % 15 for i in range(1, N)]), {}, ["'<1' (row 1)", "choose another target"]),
    (lambda f: f.assign(outcome=[np.inf] + [i % 3 for i in range(1, N)]), {}, ["infinite in row 1"]),
    (lambda f: f.head(9), {}, ["9 rows", "at least 10"]),
    (lambda f: f[["outcome", "sex"]].assign(sex="f"), {}, ["No feature is left"]),
    (lambda f: f[["outcome", "sex"]], {"exclude": ["sex"]}, ["No feature is left"]),
    (lambda f: f.set_axis(["a", "a", "b", "c", "d", "outcome"], axis=1), {}, ["more than once", "'a'"]),
    (lambda f: f.set_axis(["", "a", "b", "c", "d", "outcome"], axis=1), {}, ["Column 1 has no name"]),
    (lambda f: f.assign(ALT=[1.0, -np.inf] * 20), {}, ["'ALT' is infinite in row 2", "leave it empty"]),
    (low({3, 5}), {}, ["'ALT' is a column of numbers", "2 cells", "'<0.5' (row 4)", "'<0.5' (row 6)", "leave the "
                                                                                                      "column out"]),
    (lambda f: low({0})(f).assign(male=["n.d."] + [1, 0, 2] * 13), {}, ["'ALT'", "'<0.5' (row 1)", "also in 'male'"]),
    (lambda f: f.assign(ALT=["1,234", "5,678"] * 20), {}, ["'ALT' holds numbers such as '1,234'", "two ways"]),
]


@pytest.mark.parametrize("change, roles, words", WRONG, ids=range(len(WRONG)))
def test_wrong_tables_are_refused_with_their_place(frame, change, roles, words):
    table, roles = change(frame), {"target": "outcome"} | roles
    with pytest.raises(InputError) as error:
        Dataset.from_frame(table, **roles)
    for word in words:
        assert word in str(error.value)


def test_lines_of_the_file_are_named():
    rows = [f"{i / 7:.3f},{'ill' if i % 2 else 'well'}" for i in range(20)]
    rows[10] = "<0.5,ill"
    reading = read_text("\n".join(["CRP,y", "", *rows]))
    with pytest.raises(InputError, match=r"1 cell: '<0\.5' \(line 13\)"):
        Dataset.from_frame(reading.frame, target="y")
    assert "'<0.5' (line 13)" in describe(reading.frame)["why"][0]
    assert Dataset.from_frame(reading.frame.assign(x=range(20)), target="y", exclude=["CRP"]).features == ("x",)


# ---- describe ----

def test_describe(frame):
    frame = frame.assign(patient_id=range(101, 101 + N), visit_of_patient=0, patient=[f"p{i // 2}" for i in range(N)],
                         day="2024-01-01", text=[f"t{i}" for i in range(N)], nothing=None,
                         low=["<1"] + [f"{i}.5" for i in range(1, N)])
    frame.loc[0, "day"] = "2024-03-01"
    table = describe(frame)
    assert list(table.columns) == ["column", "kind", "why", "distinct", "missing", "example", "suggestion"]
    assert dict(zip(table["column"], table["suggestion"], strict=True)) == {
        "ALT": "feature", "stage": "feature", "sex": "feature", "smoker": "feature", "male": "feature",
        "outcome": "likely target", "patient_id": "identifier", "visit_of_patient": "constant", "patient": "patient",
        "day": "date", "text": "identifier", "nothing": "empty", "low": "correct cells"}
    row = table.set_index("column").loc["stage"]
    assert row.kind == "category" and row.distinct == 3 and row.missing == 0 and row.example == "I, II, III"


def test_describe_finds_a_target_by_name_or_place(frame):
    def likely(table):
        found = describe(table)
        return found["column"][found["suggestion"] == "likely target"].tolist()

    assert likely(frame.rename(columns={"sex": "target"})) == ["target"]
    assert likely(frame.rename(columns={"outcome": "xyz"})) == ["xyz"]
    assert likely(frame[["outcome", "ALT"]].rename(columns={"outcome": "xyz"})) == []
    assert describe(pd.DataFrame()).empty


# ---- check ----

def finding(findings, column):
    return next(f for f in findings if column in f.columns)


def test_check_finds_what_is_wrong(frame):
    rng = np.random.default_rng(0)
    frame = frame.assign(
        id=rng.permutation(N), copy=frame["ALT"], sex2=frame["sex"], same=1,
        sparse=np.where(np.arange(N) % 4 == 0, rng.normal(size=N), np.nan),
        leak=np.r_[rng.normal(size=15), 9 + rng.normal(size=25)], code=["dead"] * 15 + ["alive"] * 25,
        endless=[np.inf, *range(1, N)],
        low=["<1", *(f"{i}.5" for i in range(1, N))], seen_if_ill=np.r_[rng.normal(size=15), np.full(25, np.nan)])
    found = check(frame, "outcome")
    assert finding(found, "id").severity == "warning" and finding(found, "id").remedy == "leave out"
    assert finding(found, "copy").sentence.startswith("'ALT' comes again, cell by cell, as 'copy'")
    assert finding(found, "sex2").columns == ("sex2",)
    assert finding(found, "same").severity == "note" and finding(found, "same").remedy == "leave out"
    assert finding(found, "sparse").remedy == "leave out" and "More than half" in finding(found, "sparse").sentence
    assert finding(found, "leak").columns == ("leak", "code", "seen_if_ill")
    assert "perfectly" in finding(found, "leak").sentence
    assert finding(found, "endless").severity == "error" and "infinite" in finding(found, "endless").sentence
    assert finding(found, "low").severity == "error" and "'<1' (row 1)" in finding(found, "low").sentence
    assert [f.severity for f in found] == sorted((f.severity for f in found), key=["error", "warning", "note"].index)
    fine = check(frame, "outcome", exclude=[c for f in found if f.remedy == "leave out" for c in f.columns])
    assert not [f for f in fine if f.severity != "note"]


def test_check_of_a_good_table_is_short(frame):
    assert check(frame, "outcome") == [finding(check(frame, "outcome"), "smoker")]


def test_check_of_targets_balance_and_width(frame):
    assert check(frame.assign(outcome=1), "outcome")[0].remedy == "choose another target"
    found = check(frame.assign(outcome=["ill"] * 3 + ["well"] * 37), "outcome")
    assert any("'ill' has only 3 of 40 rows" in f.sentence for f in found)
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(N, 60))).add_prefix("g").assign(y=[0, 1] * (N // 2))
    assert any("60 features for 40 rows" in f.sentence for f in check(wide, "y"))
    with pytest.raises(InputError, match="no column 'z'"):
        check(wide, "z")
    assert check(frame[["outcome"]], "outcome")[0].severity == "error"


def test_leaks_with_three_classes_and_none_by_chance():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    table = pd.DataFrame({"grade": y * 3 + rng.random(60), "half": (y > 0) + 0.1 * rng.random(60), "y": y})
    assert finding(check(table, "y"), "grade").columns == ("grade",)
    few = pd.DataFrame(rng.normal(size=(10, 2000))).add_prefix("g").assign(y=[0, 1] * 5)
    assert not any("perfectly" in f.sentence for f in check(few, "y"))       # many columns separate 5 from 5 by chance


def test_check_of_a_number_target():
    rng = np.random.default_rng(2)
    y = rng.gamma(2, 10, 60)
    half = np.where(np.arange(60) % 2, np.exp(-y / 9), np.nan)
    table = pd.DataFrame({"y": y, "log": np.log(y), "near": y + 0.3 * rng.normal(size=60), "half": half, "half_too": -half,
                          "far": y + 9 * rng.normal(size=60), "grade": [f"g{i // 6}" for i in np.argsort(np.argsort(y))],
                          "few": np.where(np.arange(60) < 9, y, np.nan), "noise": rng.normal(size=60)})
    found = check(table, "y")
    leak = next(f for f in found if "order of the target" in f.sentence)
    assert leak.columns == ("log", "near", "half", "half_too", "grade") and leak.severity == "warning"
    assert leak.remedy == "leave out" and "group it into classes" in found[-1].sentence + found[-2].sentence
    assert not any("class" in f.sentence and f.severity != "note" for f in found)
    few = pd.DataFrame(rng.normal(size=(21, 4000))).add_prefix("g").assign(y=rng.normal(size=21))
    assert not any("order of the target" in f.sentence for f in check(few, "y"))


def test_spearman_of_many_columns_is_scipys():
    from scipy.stats import spearmanr

    from stabcore.dataset.leaks import _correlations

    rng = np.random.default_rng(4)
    values = rng.integers(0, 9, (50, 30)).astype(float)
    values[rng.random((50, 30)) < 0.3] = np.nan
    values[:, 3] = 1.0
    target = rng.integers(0, 20, 50).astype(float)
    columns = understand(pd.DataFrame(values).add_prefix("c"))
    found = _correlations(columns, target)
    expected = [spearmanr(column, target, nan_policy="omit").statistic if j != 3 else 0 for j, column in enumerate(values.T)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_check_of_a_running_number_as_target(frame):
    found = check(frame.assign(id=range(1, N + 1)), "id")
    assert any(f.remedy == "choose another target" and "identifiers" in f.sentence for f in found)
    assert not any("identifiers" in f.sentence for f in check(frame.assign(age=np.arange(N) * 1.5), "age"))
    assert check(frame, "male", target_as="number")[0].severity == "error"


# ---- properties ----

cells = st.one_of(st.none(), st.integers(-3, 3), st.floats(allow_nan=True, allow_infinity=True), st.booleans(),
                  st.sampled_from(["", "NA", "a", "b", "1", "1,5", "<1", "2020-01-01", "yes", "no", "007", "-", "+"]))


@settings(max_examples=60, deadline=None)
@given(st.integers(10, 14).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_any_table_is_a_dataset_or_a_sentence(columns):
    n = len(columns[0])
    table = pd.DataFrame({f"c{j}": pd.Series(column, dtype=object) for j, column in enumerate(columns)})
    table["y"] = [0, 1] * (n // 2) + [0] * (n % 2)
    described = describe(table)
    assert (described["missing"] <= n).all() and (described["distinct"] + described["missing"] <= n).all()
    errors = [f for f in check(table, "y") if f.severity == "error"]
    try:
        data = Dataset.from_frame(table, target="y")
    except InputError as error:
        assert errors and str(error).endswith(".")
        return
    assert not errors
    assert data.table.values.shape == (n, data.n_features) and not np.isinf(data.table.values).any()
    assert set(data.features) == set(data.columns["column"][data.columns["role"] == "feature"])
    for j, name in enumerate(data.features):
        known = data.table.values[:, j][~data.table.missing[:, j]]
        assert len(np.unique(known)) >= 2
        assert bool(data.table.categorical[j]) == (name in data.levels)
        if name in data.levels:
            assert set(known) == set(range(len(data.levels[name])))


def test_reading_twice_changes_nothing(frame):
    frame["mixed"] = ["<0,5", *(f"{i},5" for i in range(1, N))]
    once = read_table(io.BytesIO(frame.to_csv(index=False, sep=";").encode()), "t.csv").frame
    again = read_table(io.BytesIO(once.to_csv(index=False).encode()), "t.csv").frame
    pd.testing.assert_frame_equal(once, again)


def test_import_is_light():
    heavy = ("pandas", "sklearn", "streamlit", "pyarrow")
    code = f"import sys, stabcore.dataset; sys.exit(any(name in sys.modules for name in {heavy}))"
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=root).returncode == 0
