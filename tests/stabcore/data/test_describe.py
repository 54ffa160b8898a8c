"""What describe() says of the columns of a table."""

import numpy as np
import pandas as pd
from dataset_support import N

import stabcore as sc
from stabcore.data import describe
from stabcore.data.describe import class_medians


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
    assert dict(zip(table["column"], table["suggestion"], strict=True)) == {
        "ALT": "feature",
        "stage": "feature",
        "sex": "feature",
        "smoker": "feature",
        "male": "feature",
        "outcome": "likely target",
        "patient_id": "identifier",
        "visit_of_patient": "constant",
        "patient": "patient",
        "day": "date",
        "text": "identifier",
        "nothing": "empty",
        "low": "correct cells",
    }
    row = table.set_index("column").loc["stage"]
    assert row.kind == "category" and row.distinct == 3 and row.missing == 0 and row.example == "I, II, III"


def test_class_medians_are_those_of_the_rows_of_each_class_with_three_digits():
    frame = pd.DataFrame(
        {"big": [12345.0, 12347.0, 1.0, 3.0], "small": [0.00121, 0.0012568, np.nan, np.nan], "kind": ["a", "b", "a", "b"]}
    )
    data = sc.Dataset(pd.concat([frame] * 5, ignore_index=True), ["ill", "ill", "well", "well"] * 5)
    medians = class_medians(data).set_index("column")
    assert medians.index.tolist() == ["big", "small"]
    assert medians["Median, ill"].tolist() == [12346.0, 0.00123]
    assert medians["Median, well"].iloc[0] == 2.0 and np.isnan(medians["Median, well"].iloc[1])
    many = sc.Dataset(pd.concat([frame] * 5, ignore_index=True), list("abcd") * 5)
    assert class_medians(many).columns.tolist() == ["column"]
