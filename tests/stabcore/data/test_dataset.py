"""Dataset: roles of columns, text cells, fingerprints, and every table is a dataset or an error."""

import numpy as np
import pandas as pd
import pytest
from dataset_support import N
from hypothesis import given, settings
from hypothesis import strategies as st

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.data import Dataset, check, describe
from stabcore.data.dataset import align_features
from stabcore.data.describe import class_medians
from stabcore.reporting.patients import features_by_class


def account(data, column):
    """The row of one column in the summary of columns."""
    return data.columns.set_index("column").loc[column]


def test_columns_become_features(frame):
    frame.loc[4, "ALT"] = np.nan
    data = Dataset.from_frame(frame, target="outcome", name="trial")
    assert data.features == ("ALT", "stage", "sex", "smoker", "male") and (data.n_rows, data.n_features) == (N, 5)
    assert data.table.categorical.tolist() == [False, True, True, True, False]  # 0/1 counts as a number
    assert data.classes == ("ill", "well") and data.target.tolist() == [0] * 15 + [1] * 25
    assert data.levels == {"stage": ("I", "II", "III"), "sex": ("f", "m"), "smoker": ("no", "yes")}
    assert list(data.columns["column"]) == list(frame.columns) and data.name == "trial" and data.patients is None
    assert list(data.columns["kind"]) == ["number", "category", "category", "yes-no", "number", "category"]
    assert list(data.columns["role"]) == ["feature"] * 5 + ["target"]
    assert account(data, "ALT").missing == 1 and np.isnan(data.table.values[4, 0])
    assert account(data, "smoker").missing == 10 and np.isnan(data.table.values[2, 3])
    assert list(data.columns["why"])[:5] == [""] * 5 and data.columns["why"].iloc[5].endswith("."), (
        "kinds of columns are listed once"
    )


def test_numbers_for_correlation(frame):
    numbers = Dataset.from_frame(frame, target="outcome").numbers()
    np.testing.assert_array_equal(numbers[:, 0], frame["ALT"])
    assert np.isnan(numbers[:, 1]).all()  # three levels have no order, so no number
    assert numbers[:2, 2].tolist() == [0, 1] and np.isnan(numbers[2, 3])


def test_columns_left_out_automatically_are_noted(frame):
    frame = frame.assign(
        empty=np.nan,
        same=5,
        day=pd.Timestamp("2024-01-01"),
        note=[f"text {i}" for i in range(N)],
        visit=[f"2024-02-{i % 28 + 1:02d}" for i in range(N)],
        seen=["x", None] * (N // 2),
    )
    frame.loc[0, "day"] = pd.Timestamp("2024-01-02")
    data = Dataset.from_frame(frame, target="outcome", exclude="sex")
    assert data.features == ("ALT", "stage", "smoker", "male")
    expected = {"empty": "empty", "same": "constant", "day": "date", "note": "text", "visit": "date", "seen": "constant"}
    for column, kind in expected.items():
        assert account(data, column).role == "left out" and account(data, column).kind == kind
        assert any(repr(column) in note for note in data.notes)
    assert account(data, "sex").role == "left out"


def test_rows_without_a_target_are_dropped_and_counted(frame):
    frame.loc[[0, 39], "outcome"] = None
    frame["late"] = [7] * 39 + [8]  # constant without the last row
    data = Dataset.from_frame(frame, target="outcome")
    assert data.n_rows == 38 and account(data, "late").kind == "constant"
    np.testing.assert_array_equal(data.table.values[:, 0], frame["ALT"][1:39])


def test_rows_know_their_lines_in_the_file(tmp_path):
    (tmp_path / "t.csv").write_text("title\n\nx,y\n" + "".join(f"{i},{'' if i == 1 else i % 2}\n" for i in range(20)))
    data = Dataset.from_file(tmp_path / "t.csv", target="y")
    assert data.lines.tolist() == [4, *range(6, 24)] and data.part([0, 2], "two").lines.tolist() == [4, 7]
    assert Dataset.from_frame(data.to_frame(), target="y").lines is None


def test_same_patient(frame):
    frame["who"] = [f"p{i // 2}" for i in range(N)]
    data = Dataset.from_frame(frame, target="outcome", same_patient="who")
    assert data.patients.tolist() == [np.unique(frame["who"]).tolist().index(who) for who in frame["who"]]
    assert account(data, "who").role == "patient" and "who" not in data.features
    assert "of 20 patients" in data.extent and "row" not in data.extent.partition(".")[2]
    first, second = (f"{name} in {data.count(data.target == code)} patients" for code, name in enumerate(data.classes))
    assert first in data.extent and second in data.extent and " 1 patient " in data.extent
    frame.loc[3, "who"] = None
    for wrong in (frame, frame.assign(who="p")):
        with pytest.raises(InputError):
            Dataset.from_frame(wrong, target="outcome", same_patient="who")
    found = check(frame, "outcome", same_patient="who")[0]
    assert found.severity == "error" and found.columns == ("who",)


def test_text_cells_become_numbers_and_levels(frame):
    frame = frame.assign(
        text_number=["1.5", "2"] * 20,
        comma=["0,5", "1,25"] * 20,
        site=["01", "02", "10", "11"] * 10,
        stage_t=["1", "2", "3", "4a"] * 10,
        truth=["TRUE", "false"] * 20,
        sign=["+", "-"] * 20,
    )
    data = Dataset.from_frame(frame, target="outcome")
    kinds = data.columns.set_index("column")["kind"]
    assert kinds["text_number"] == kinds["comma"] == "number"
    assert kinds["site"] == kinds["stage_t"] == "category" and kinds["truth"] == kinds["sign"] == "yes-no"
    assert data.table.values[:2, data.features.index("comma")].tolist() == [0.5, 1.25]
    assert data.levels["truth"] == ("False", "True") and data.levels["stage_t"] == ("1", "2", "3", "4a")


cells = st.one_of(
    st.none(),
    st.integers(-3, 3),
    st.floats(allow_nan=True, allow_infinity=True),
    st.booleans(),
    st.sampled_from(["", "NA", "a", "b", "1", "1,5", "<1", "2020-01-01", "yes", "no", "007", "-", "+"]),
)


@settings(max_examples=30, deadline=None)
@given(st.integers(10, 14).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=4)))
def test_any_table_is_a_dataset_or_an_error(columns):
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
        present = data.table.values[:, j][~data.table.missing[:, j]]
        assert len(np.unique(present)) >= 2
        assert bool(data.table.categorical[j]) == (name in data.levels)
        if name in data.levels:
            assert set(present) == set(range(len(data.levels[name])))


FINGERPRINT = "1f93ec55a8eeecc1fd26ffa5a73b51e09983467c7fc3aa7232813ed3e371160a"


def test_the_fingerprint_of_classes_is_fixed():
    """Study files contain it, so with another one no stored study could be continued."""
    table = pd.DataFrame({"a": np.arange(12) / 4, "b": ["x", None, "z"] * 4, "who": range(12), "y": ["no", "yes"] * 6})
    data = Dataset.from_frame(table, target="y", same_patient="who")
    assert data.fingerprint == FINGERPRINT


def test_the_fingerprint_depends_on_the_content_only(frame, tmp_path):
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t", na_rep="NA")
    frame.to_csv(tmp_path / "t.txt", index=False, sep=";", decimal=",", encoding="utf-16")
    frame.to_parquet(tmp_path / "t.parquet")
    names = ["t.csv", "t.tsv", "t.txt", "t.parquet"]
    prints = {Dataset.from_file(tmp_path / name, target="outcome").fingerprint for name in names}
    prints.add(Dataset.from_frame(frame, target="outcome", name="other").fingerprint)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_the_fingerprint_depends_on_every_cell_and_role(frame):
    frame["who"] = [i // 2 for i in range(N)]
    outcome_role = {"target": "outcome"}
    changed = frame.copy()
    changed.loc[7, "ALT"] += 1e-9
    cases = [
        (frame, outcome_role),
        (changed, outcome_role),
        (frame.rename(columns={"ALT": "AST"}), outcome_role),
        (frame, outcome_role | {"exclude": ["ALT"]}),
        (frame, outcome_role | {"same_patient": "who"}),
        (frame[::-1], outcome_role),
        (frame, {"target": "sex"}),
        (frame.replace({"stage": {"I": "IV"}}), outcome_role),
        (frame.replace({"outcome": {"ill": "sick"}}), outcome_role),
        (frame[list(frame.columns[::-1])], outcome_role),
        (frame.iloc[1:], outcome_role),
    ]
    assert len({Dataset.from_frame(table, **roles).fingerprint for table, roles in cases}) == len(cases)


def test_describe(frame):
    frame = frame.assign(
        patient_id=range(101, 101 + N),
        visit_of_patient=0,
        patient=[f"p{i // 2}" for i in range(N)],
        day="2024-01-01",
        text=[f"t{i}" for i in range(N)],
        nothing=None,
        low=["<1"] + [f"{i}.5" for i in range(1, N)],
    )
    frame.loc[0, "day"] = "2024-03-01"
    table = describe(frame)
    assert list(table.columns) == ["column", "kind", "why", "distinct", "missing", "example", "suggestion"]
    table = table.set_index("column")
    assert table["suggestion"].to_dict() == {
        **dict.fromkeys(["ALT", "stage", "sex", "smoker", "male"], "feature"),
        **{"outcome": "likely target", "patient_id": "identifier", "visit_of_patient": "constant", "patient": "patient"},
        **{"day": "date", "text": "identifier", "nothing": "empty", "low": "correct cells"},
    }
    row = table.loc["stage"]
    assert row.kind == "category" and row.distinct == 3 and row.missing == 0 and row.example == "I, II, III"


def test_medians_of_classes_have_three_digits_and_count_patients_once():
    columns = {"big": [12345.0, 12347.0, 1.0, 3.0], "small": [0.00121, 0.0012568, np.nan, np.nan], "kind": list("abab")}
    frame = pd.concat([pd.DataFrame(columns)] * 5, ignore_index=True)
    data = Dataset(frame, ["ill", "ill", "well", "well"] * 5)
    medians = class_medians(data).set_index("column")
    assert medians.index.tolist() == ["big", "small"]
    assert medians["Median, ill"].tolist() == ["12346", "0.00123"]
    assert medians["Median, well"].tolist() == ["2", ""]
    assert class_medians(Dataset(frame, list("abcd") * 5)).columns.tolist() == ["column"], "four classes have no medians"
    visits = pd.DataFrame({"crp": [1.0, 3.0, np.nan, 5.0, 5.0, 5.0, 9.0, 9.0, 7.0, 8.0, 6.0, 4.0], "hb": np.arange(12.0)})
    data = Dataset(visits, ["ill"] * 7 + ["well"] * 5, groups=list("aabcccdefghi"))
    medians, reported = class_medians(data).set_index("column"), features_by_class(data).set_index("feature")
    assert medians.loc["crp"].tolist() == ["5", "7"]  # ill: 2, none, 5, 9
    for name, shown in medians.iterrows():
        assert [float(text.split()[0]) for text in reported.loc[name].iloc[2:4]] == list(map(float, shown))


def test_a_table_is_aligned_with_uploaded_selections(frame):
    data = Dataset.from_frame(frame.assign(AST=frame["ALT"] + np.arange(N) / 9), target="outcome")
    runs = sc.Selections.from_lists([["AST", "CRP"], ["ALT", "stage"], ["ALT", "CRP"]], names=["AST", "stage", "CRP", "ALT"])
    matched = align_features(data, runs.features)
    assert matched.features == runs.features and matched.levels == {"stage": data.levels["stage"]}
    places = [data.features.index(name) for name in ("AST", "stage", "ALT")]
    np.testing.assert_array_equal(matched.table.values[:, [0, 1, 3]], data.table.values[:, places])
    assert np.isnan(matched.table.values[:, 2]).all() and matched.table.categorical.tolist() == [False, True, False, False]
    assert (matched.target == data.target).all() and matched.classes == data.classes
    C = sc.Similarity.from_correlation(matched, threshold=0.3)
    assert C.pairs()[["feature_a", "feature_b"]].to_numpy().tolist() == [["AST", "ALT"]], "CRP is not in the table"
    assert sc.stability(runs, "effective", similarity=C).value > sc.stability(runs).value
    assert align_features(data, data.features) is data and align_features(data, ["CRP", "IL6"]) is None
