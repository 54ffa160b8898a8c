"""Targets: classes or a number, as asked or by the rule that a note names."""

import numpy as np
import pandas as pd
import pytest
from dataset_support import N

from stabcore.data import Dataset


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([1, 0] * 20, ("0", "1")),
        ([1.0, 2.0] * 20, ("1", "2")),
        ([0.5, 10.0] * 20, ("0.5", "10")),
        ([True, False] * 20, ("False", "True")),
        (["b", "a"] * 20, ("a", "b")),
        (["10", "9"] * 20, ("9", "10")),
        (list(range(20)) * 2, tuple(map(str, range(20)))),
        (pd.Categorical(["hi", "lo"] * 20, categories=["lo", "hi"]), ("hi", "lo")),
    ],
)
def test_classes(frame, values, classes):
    data = Dataset.from_frame(frame.assign(outcome=values), target="outcome")
    assert data.classes == classes
    names = [classes[code] for code in data.target]
    assert names == [f"{v:g}" if isinstance(v, float) else str(v) for v in values]


@pytest.mark.parametrize(
    ("values", "target_as", "number"),
    [
        (range(20), None, False),
        (range(21), None, True),
        (range(20), "number", True),
        ([0.5, 2, 7], "number", True),
        (range(20), "classes", False),
        ([0.5, 2, 7], None, False),
        (["0,5", *(f"{i},5" for i in range(1, 30))], None, True),
    ],
)
def test_which_targets_are_numbers(frame, values, target_as, number):
    many = (list(values) * N)[: max(N, 2 * len(values))]
    frame = pd.concat([frame, frame], ignore_index=True).iloc[: len(many)].assign(outcome=many)
    data = Dataset.from_frame(frame, target="outcome", target_as=target_as)
    assert data.numeric_target == number == (data.target.dtype == float) == (data.classes == ())
    assert any("number" in note for note in data.notes) == number
    if number:
        expected = [float(str(value).replace(",", ".")) for value in many]
        assert data.target.tolist() == expected


def test_a_number_target_has_a_fingerprint_of_its_own(frame):
    table = frame.assign(grade=[1, 2, 3, 4] * 10)
    other = table.replace({"grade": {4: 4.5}})
    prints = [
        Dataset.from_frame(one, target="grade", target_as=kind).fingerprint
        for one in (table, other)
        for kind in ("classes", "number")
    ]
    assert len(set(prints)) == 4
    zero = table.replace({"grade": {1: 0.0}})
    minus = zero.assign(grade=np.where(zero["grade"] == 0, -0.0, zero["grade"]))
    assert len({Dataset.from_frame(one, target="grade", target_as="number").fingerprint for one in (zero, minus)}) == 1
