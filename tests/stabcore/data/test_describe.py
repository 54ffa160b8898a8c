"""What describe() says of the columns of a table."""

from dataset_support import N

from stabcore.data import describe


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
