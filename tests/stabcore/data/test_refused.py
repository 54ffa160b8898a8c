"""Wrong tables are refused with their place."""

import numpy as np
import pytest
from dataset_support import N

from stabcore.base.errors import InputError
from stabcore.data import Dataset, describe
from stabcore.io.table import read_table


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
    (
        lambda f: f.assign(outcome=np.arange(N) * 1.5),
        {"target_as": "classes"},
        ["differs in every row", "treat it as a number", "group its numbers into classes"],
    ),
    (lambda f: f.assign(outcome=range(N)).head(15), {}, ["differs in every row", "treat it as a number"]),
    (lambda f: f.assign(outcome=[f"p{i}" for i in range(N)]), {}, ["differs in every row", "2 to 20 classes"]),
    (
        lambda f: f.assign(outcome=np.arange(N) % 30),
        {"target_as": "classes"},
        ["30 different values", "2 to 20 classes", "such as low and high"],
    ),
    (lambda f: f.assign(outcome=[3] * 39 + [7]), {}, ["class '7' of 'outcome' has only one row (row 40)", "with another."]),
    (
        lambda f: f.assign(outcome=["yes", "none"] * 19 + ["yes", "nnoe"]),
        {},
        ["(row 40) (did you mean 'none'?); correct the cell in your file"],
    ),
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
    (lambda f: f.assign(outcome=["<1"] + [i % 15 for i in range(1, N)]), {}, ["class '<1'", "row 1"]),
    (lambda f: f.assign(outcome=[np.inf] + [i % 3 for i in range(1, N)]), {}, ["infinite in row 1"]),
    (lambda f: f.head(9), {}, ["9 rows", "at least 10"]),
    (lambda f: f[["outcome", "sex"]].assign(sex="f"), {}, ["No feature is left"]),
    (lambda f: f[["outcome", "sex"]], {"exclude": ["sex"]}, ["No feature is left"]),
    (lambda f: f.set_axis(["a", "a", "b", "c", "d", "outcome"], axis=1), {}, ["more than once", "'a'"]),
    (lambda f: f.set_axis(["", "a", "b", "c", "d", "outcome"], axis=1), {}, ["Column 1 has no name"]),
    (lambda f: f.assign(ALT=[1.0, -np.inf] * 20), {}, ["'ALT' is infinite in row 2", "leave it empty"]),
    (low({3, 5}), {}, ["'ALT' is a column of numbers", "2 cells", "'<0.5' (row 4)", "'<0.5' (row 6)", "leave the column out"]),
    (lambda f: low({0})(f).assign(male=["n.d."] + [1, 0, 2] * 13), {}, ["'ALT'", "'<0.5' (row 1)", "also in 'male'"]),
    (lambda f: f.assign(ALT=["1,234", "5,678"] * 20), {}, ["'ALT' holds numbers such as '1,234'", "two ways"]),
]


@pytest.mark.parametrize(("change", "roles", "words"), WRONG, ids=range(len(WRONG)))
def test_wrong_tables_are_refused_with_their_place(frame, change, roles, words):
    table, roles = change(frame), {"target": "outcome"} | roles
    with pytest.raises(InputError) as error:
        Dataset.from_frame(table, **roles)
    for word in words:
        assert word in str(error.value)


def test_lines_of_the_file_are_named():
    rows = [f"{i / 7:.3f},{'ill' if i % 2 else 'well'}" for i in range(20)]
    rows[10] = "<0.5,ill"
    reading = read_table("\n".join(["CRP,y", "", *rows]).encode(), "t.csv")
    with pytest.raises(InputError, match=r"1 cell: '<0\.5' \(line 13\)"):
        Dataset.from_frame(reading.frame, target="y")
    assert "'<0.5' (line 13)" in describe(reading.frame)["why"][0]
    assert Dataset.from_frame(reading.frame.assign(x=range(20)), target="y", exclude=["CRP"]).features == ("x",)
