"""Wrong tables are refused with their place."""

from functools import partial

import numpy as np
import pytest
from dataset_support import N
from snapshot_support import check_snapshot, refusals

from stabcore.base.errors import InputError
from stabcore.data import Dataset, describe
from stabcore.io.table import read_table


def low(words):
    return lambda frame: frame.assign(ALT=["<0.5" if i in words else f"{i / 7:.3f}" for i in range(N)])


ROLES = (
    *({"target": "outcomes"}, {"exclude": ["sexx"]}, {"same_patient": "who"}, {"exclude": ["outcome"]}),
    {"same_patient": "outcome"},
)
WRONG = [
    *((lambda f: f, {"target": "outcome", **roles}) for roles in ROLES),
    (lambda f: f.assign(outcome="ill"), {}),
    (lambda f: f.assign(outcome=None), {}),
    (lambda f: f.assign(outcome=np.arange(N) * 1.5), {"target_as": "classes"}),
    (lambda f: f.assign(outcome=range(N)).head(15), {}),
    (lambda f: f.assign(outcome=[f"p{i}" for i in range(N)]), {}),
    (lambda f: f.assign(outcome=np.arange(N) % 30), {"target_as": "classes"}),
    (lambda f: f.assign(outcome=[3] * 39 + [7]), {}),
    (lambda f: f.assign(outcome=["yes", "none"] * 19 + ["yes", "nnoe"]), {}),
    (lambda f: f.assign(outcome=[3, 5, 8] * 13 + [7]), {}),
    (lambda f: f, {"target_as": "number"}),
    (lambda f: f, {"target": "male", "target_as": "number"}),
    (lambda f: f, {"target_as": "amount"}),
    (lambda f: f.assign(outcome=3), {"target_as": "number"}),
    (lambda f: f.assign(outcome=[f"2024-01-{i % 9 + 1:02d}" for i in range(N)]), {"target_as": "number"}),
    (lambda f: f.assign(outcome=[np.inf, *range(1, N)]), {}),
    (lambda f: low({3})(f), {"target": "ALT"}),
    (lambda f: f.assign(outcome=["ill"] * 39 + ["w"]), {}),
    (lambda f: f.assign(outcome=[f"2024-01-{i % 9 + 1:02d}" for i in range(N)]), {}),
    (lambda f: f.assign(outcome=["<1"] + [i % 15 for i in range(1, N)]), {}),
    (lambda f: f.assign(outcome=[np.inf] + [i % 3 for i in range(1, N)]), {}),
    (lambda f: f.head(9), {}),
    (lambda f: f[["outcome", "sex"]].assign(sex="f"), {}),
    (lambda f: f[["outcome", "sex"]], {"exclude": ["sex"]}),
    (lambda f: f.set_axis(["a", "a", "b", "c", "d", "outcome"], axis=1), {}),
    (lambda f: f.set_axis(["", "a", "b", "c", "d", "outcome"], axis=1), {}),
    (lambda f: f.assign(ALT=[1.0, -np.inf] * 20), {}),
    (low({3, 5}), {}),
    (lambda f: low({0})(f).assign(male=["n.d."] + [1, 0, 2] * 13), {}),
    (lambda f: f.assign(ALT=["1,234", "5,678"] * 20), {}),
]


def test_wrong_tables_are_refused_with_their_place(frame):
    calls = {
        f"{number}: {roles}": partial(Dataset.from_frame, change(frame), **{"target": "outcome"} | roles)
        for number, (change, roles) in enumerate(WRONG)
    }
    check_snapshot("data/wrong_tables", refusals(calls))


def test_lines_of_the_file_are_named():
    rows = [f"{i / 7:.3f},{'ill' if i % 2 else 'well'}" for i in range(20)]
    rows[10] = "<0.5,ill"
    reading = read_table("\n".join(["CRP,y", "", *rows]).encode(), "t.csv")
    with pytest.raises(InputError):
        Dataset.from_frame(reading.frame, target="y")
    assert "'<0.5' (line 13)" in describe(reading.frame)["why"][0]
    assert Dataset.from_frame(reading.frame.assign(x=range(20)), target="y", exclude=["CRP"]).features == ("x",)
