"""Python asks the same questions as the Data screen: units, limits, digits, and similar classes and names."""

import numpy as np
import pandas as pd
import pytest

from stabcore.base.errors import InputError
from stabcore.data import Dataset, check
from stabcore.io.check import cell_questions, first_answers
from stabcore.io.table import read_frame

N = 40


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(size=N).round(2), "b": rng.normal(size=N).round(2), "y": ["ill", "well"] * (N // 2)})


@pytest.mark.parametrize("write", ["{:.1f} mg/l", "{:.0f} %", "{:.1f}mg/dl"])
def test_numbers_with_a_unit_are_asked_about_and_read_as_suggested(table, write, tmp_path):
    numbers = np.random.default_rng(1).normal(90, 5, N)
    frame = table.assign(CRP=[write.format(number) for number in numbers])
    with pytest.raises(InputError):
        Dataset.from_frame(frame, target="y")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for make, given in ((Dataset.from_frame, frame), (Dataset.from_file, tmp_path / "t.csv")):
        data = make(given, target="y", mends="suggested")
        assert np.allclose(data.table.values[:, 2], numbers, atol=0.51) and data.choices["mends"][0]["do"] == "unit"
    again = Dataset.from_frame(frame, target="y", mends=data.choices["mends"])
    assert again.fingerprint == data.fingerprint
    assert "CRP" not in Dataset.from_frame(frame, target="y", exclude=["CRP"]).features


@pytest.mark.parametrize("zero", ["０", "٠", "०"])
def test_digits_of_other_scripts_are_read(table, zero):
    wide = [str(value).translate({48 + i: chr(ord(zero) + i) for i in range(10)}) for value in range(10, 10 + N)]
    assert Dataset.from_frame(table.assign(w=wide), target="y").table.values[:, 2].tolist() == list(range(10, 10 + N))
    wide = ["１２．５", "－３"] * (N // 2)
    assert Dataset.from_frame(table.assign(w=wide), target="y").table.values[:2, 2].tolist() == [12.5, -3]


def test_classes_that_look_alike_are_asked_about(table):
    frame = table.assign(y=["Ill", "ill", "well", "well"] * (N // 4))
    with pytest.raises(InputError):
        Dataset.from_frame(frame, target="y")
    assert check(frame, "y")[0].severity == "error"
    assert len(Dataset.from_frame(frame, target="y", alike="join").classes) == 2
    assert Dataset.from_frame(frame, target="y", alike="keep").classes == ("Ill", "ill", "well")
    assert not [finding for finding in check(frame, "y", apart=["y"]) if finding.severity == "error"]
    with pytest.raises(InputError):
        Dataset.from_frame(frame, target="y", alike="x")


@pytest.mark.parametrize("double", ["cafe\u0301", "caf\u00e9\u200b"])
def test_names_that_look_alike_are_asked_about(table, double):
    frame = table.rename(columns={"a": "caf\u00e9"}).assign(**{double: np.arange(N)})
    with pytest.raises(InputError):
        Dataset.from_frame(frame, target="y")
    assert Dataset.from_frame(frame, target="y", alike="keep").n_features == 3
    assert Dataset.from_frame(frame, target="y", exclude=[double]).n_features == 2
    (asked,) = [question for question in cell_questions(read_frame(frame), outcome="y") if question.kind == "names"]
    assert set(asked.columns) == {"caf\u00e9", double} and not cell_questions(read_frame(frame), [asked.offers[0][1]], outcome="y")


def test_limits_of_an_outcome_remain_classes(table):
    frame = table.assign(y=["<50", ">=50"] * (N // 2), IL6=["<2", *map(str, range(1, N))])
    assert Dataset.from_frame(frame, target="y", mends="suggested").classes == ("<50", ">=50")
    asked = cell_questions(read_frame(frame), outcome="y")
    assert {name for question in asked for name in question.columns} == {"IL6"}
    mixed = frame.assign(y=["<50", "45", "61", "n.d."] * (N // 4))
    assert all(mend.columns == ("IL6",) for mend in first_answers(cell_questions(read_frame(mixed), outcome="y"), "y"))
    assert Dataset.from_frame(table.assign(y=["<50", "45", "61", "70"] * (N // 4)), target="y").classes == ("45", "61", "70", "<50")


def test_decimal_commas_among_points_are_asked_about(table):
    frame = table.assign(IL6=["0,51", "0.25", "1.5", "2.75"] * (N // 4))
    (asked,) = cell_questions(read_frame(frame), outcome="y")
    assert asked.kind == "decimals" and asked.columns == ("IL6",) and asked.count == N // 4
    data = Dataset.from_frame(frame, target="y", mends="suggested")
    assert sorted(set(data.table.values[:, list(data.features).index("IL6")])) == [0.25, 0.51, 1.5, 2.75]
    doubtful = read_frame(table.assign(IL6=["1,234", "0.25", "1.5", "2.75"] * (N // 4)))
    assert not any(question.kind == "decimals" for question in cell_questions(doubtful, outcome="y")), "1,234 can also mean 1234"
