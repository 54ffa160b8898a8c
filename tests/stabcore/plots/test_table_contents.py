"""Figures of the classes and missing cells of a table, counted by patients or by rows."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.plots.table_contents import (
    FOLDED,
    MAX_BARS,
    draw_missing,
    draw_outcome,
    finding_missing,
    finding_outcome,
    frame_missing,
    frame_outcome,
)

RNG = np.random.default_rng(0)
N = 60
CELLS = pd.DataFrame(RNG.normal(size=(N, 9)), columns=list("abcdefghi"))
HOLES = CELLS.mask(RNG.random(CELLS.shape) < np.arange(9) / 12)
CLASSES = np.array(["well", "ill", "dead"])[RNG.integers(0, 3, N)]
VISITS = np.arange(N) // 2


def test_classes_count_rows_or_patients():
    rows = frame_outcome(sc.Dataset(CELLS, CLASSES))
    assert {row.group: row.count for row in rows.itertuples()} == {name: (name == CLASSES).sum() for name in set(CLASSES)}
    assert rows["share"].sum() == pytest.approx(1) and rows.attrs["noun"] == "row"
    by_patient = frame_outcome(sc.Dataset(CELLS.assign(who=VISITS), CLASSES, same_patient="who"))
    for row in by_patient.itertuples():
        assert row.count == len({patient for patient, name in zip(VISITS, CLASSES) if name == row.group})
    assert by_patient["share"].isna().all(), "a patient can be in two classes"
    assert by_patient.attrs["noun"] == "patient" and "patients" in finding_outcome(by_patient)
    bars = (trace for trace in drawn(draw_outcome(by_patient))["data"] if trace["type"] == "bar")
    assert [text for bar in bars for text in bar.get("text", ())] == [f" {count}" for count in by_patient["count"]]


def test_many_classes_share_a_row():
    classes = np.repeat([f"c{i}" for i in range(11)], np.arange(2, 13))
    data = sc.Dataset(pd.DataFrame({"a": np.arange(len(classes)) % 7, "b": np.arange(len(classes)) % 5}), classes)
    frame = frame_outcome(data)
    assert frame["group"].iloc[0] == "c10" and (frame["kind"] == FOLDED).sum() == 11 - MAX_BARS + 1
    figure = drawn(draw_outcome(frame))
    assert figure["layout"]["height"] <= 260 and len(figure["layout"]["yaxis"]["ticktext"]) == MAX_BARS
    assert "6 other classes" in finding_outcome(frame)


def test_a_number_has_a_histogram_and_a_time_events():
    numbers = RNG.gamma(2, size=N)
    frame = frame_outcome(sc.Dataset(CELLS, numbers))
    for row in frame.itertuples():
        last = row.Index == len(frame) - 1
        assert row.count == sum(row.low <= value and (value < row.high or last) for value in numbers)
    assert frame["count"].sum() == N and len(draw_outcome(frame).data[0].x) == len(frame)
    timed = pd.DataFrame({"months": RNG.integers(1, 50, N).astype(float), "died": VISITS % 3 == 0})
    timed["died"] = timed["died"].astype(int)
    data = sc.Dataset.from_frame(pd.concat([CELLS, timed], axis=1), target=["months", "died"], event=["1"])
    found = frame_outcome(data).set_index("group")["count"]
    assert found.to_dict() == {"event": timed["died"].sum(), "censored": N - timed["died"].sum()}


def test_features_and_given_columns_are_sorted_by_missing_cells():
    data = sc.Dataset(HOLES, CLASSES)
    frame = frame_missing(data)
    slow = {name: sum(value != value for value in HOLES[name]) for name in HOLES}
    assert dict(zip(frame["column"], frame["missing"])) == {name: count for name, count in slow.items() if count}
    assert frame["missing"].is_monotonic_decreasing and frame["share"].tolist() == [count / N for count in frame["missing"]]
    complete = sum(count == 0 for count in slow.values())
    names = drawn(draw_missing(frame))["layout"]["yaxis"]["ticktext"]
    assert names == [*frame["column"][: MAX_BARS - 1], f"{len(frame) - MAX_BARS + 1} others", f"{complete} complete"]
    assert f"{len(frame)} of 9 features" in finding_missing(frame) and frame["column"][0] in finding_missing(frame)
    assert finding_missing(frame_missing(sc.Dataset(CELLS, CLASSES))).startswith("No feature")
    table = HOLES.assign(age=np.where(np.arange(N) < 50, np.nan, 7.0 + np.arange(N)), outcome=CLASSES)
    frame = frame_missing(sc.Dataset.from_frame(table, target="outcome", given=["age"]))
    assert frame["column"].iloc[0] == "age" and frame["missing"].iloc[0] == 50 and "of 10 columns" in finding_missing(frame)
