"""Rows that are copies of others are told before a study; rows that are alike by themselves are not."""

import numpy as np
import pandas as pd
import pytest

from stabcore.data import check
from stabcore.data.copies import copied_rows

RNG = np.random.default_rng(8)


def table(n=40, d=5):
    return pd.DataFrame(RNG.normal(size=(n, d)), columns=[f"x{j}" for j in range(d)]).assign(y=np.arange(n) % 2)


def warned(frame, **roles):
    return [finding.sentence for finding in check(frame, "y", **roles) if "cop" in finding.sentence]


def test_a_table_without_signal_that_came_three_times_is_told_to_come_back_without_any():
    frame = table()
    assert warned(frame) == []
    again = warned(pd.concat([frame] * 3, ignore_index=True))
    assert len(again) == 1 and again[0].startswith("80 rows")
    assert warned(pd.concat([frame, frame[:1]], ignore_index=True))[0].startswith("1 row ")


def test_copies_that_keep_together_as_one_patient_are_fine_and_of_two_patients_are_not():
    frame = pd.concat([table().assign(who=np.arange(40))] * 2, ignore_index=True)
    assert warned(frame, same_patient="who") == []
    frame.loc[40:, "who"] += 100
    assert warned(frame, same_patient="who")[0].startswith("40 rows")


@pytest.mark.parametrize(
    "values",
    [
        RNG.integers(0, 2, size=(90, 4)),
        RNG.integers(0, 30, size=(300, 2)),
        RNG.integers(0, 99, size=(300, 1)),
        np.column_stack([RNG.integers(20, 80, size=900), RNG.integers(0, 2, size=900)]),
    ],
)
def test_rows_of_few_different_values_are_alike_by_themselves(values):
    assert len(np.unique(values, axis=0)) < len(values) and copied_rows(values * 1.0, np.ones(values.shape[1], dtype=bool)) == 0
