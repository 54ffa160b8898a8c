"""Typing errors in the outcome are asked about, never guessed, and the answer is kept in the settings."""

import pytest
from snapshot_support import check_refusals

from stabcore.data import Dataset
from stabcore.io.check import cell_questions
from stabcore.io.choices import Choices, Mend
from stabcore.io.table import read_table


def table(outcomes):
    """A .csv file of an outcome and two features."""
    return "\n".join(["Y,a,b", *(f"{outcome},{i},{(i * 7) % 11}" for i, outcome in enumerate(outcomes))]).encode()


def slips(outcomes, mends=(), outcome="Y"):
    asked = cell_questions(read_table(table(outcomes), "t.csv"), mends, outcome=outcome)
    return [question for question in asked if question.kind == "slip"]


BOTH = ["Yes", "No"] * 15


@pytest.mark.parametrize(
    ("outcomes", "nearest_first", "place"),
    [
        (["Yes", "No", "yse", *BOTH], ["Yes", "No"], "line 4"),
        (["N0", *BOTH, "No"], ["No", "Yes"], "line 2"),
        (["0", "1"] * 15 + ["11"], ["1", "0"], "line 32"),
        (["0", "1"] * 15 + ["O"], ["0", "1"], "line 32"),
        (["TRUE", "FALSE"] * 15 + ["TRUR"], ["TRUE", "FALSE"], "line 32"),
        (["ill", "well"] * 20 + ["wlel"] * 2 + ["lil"], ["ill", "well"], "line 44"),
        (["well"] * 30 + ["sick", "sikc"], ["sick", "well"], "line 33"),
        (["low", "mid", "high"] * 15 + ["hihg", "hihg"], ["high", "low", "mid"], "line 47, line 48"),
    ],
)
def test_a_rare_class_is_asked_about_with_the_nearest_class_first(outcomes, nearest_first, place):
    asked = next(slip for slip in slips(outcomes) if place in slip.sentence)
    others = ["Missing, rows left out", "A separate class"] if "," in place else ["Missing, row left out"]
    labels = [f"Read as {name!r}" for name in nearest_first]
    assert sorted([*labels, *others]) == sorted(label for label, _ in asked.offers) and asked.offers[0][0] == labels[0]
    assert asked.columns == ("Y",)


@pytest.mark.parametrize(
    "outcomes",
    [
        BOTH,
        ["Yes", "No", "No "] * 5,
        [*BOTH, "YES"],
        [*BOTH, "?"],
        [*BOTH, ""],
        [str(i) for i in range(30)],
        [*"abcdefghij"] * 2 + ["k"] * 4,
        ["Yes"] * 30 + ["No"],
        [f"{i / 7:.3f}" for i in range(60)],
    ],
)
def test_other_outcomes_raise_no_question_about_typing_errors(outcomes):
    assert not slips(outcomes)
    assert not slips([*BOTH, "yse"], outcome=None), "only the outcome is asked about"


def read(outcomes, *mends):
    choices = Choices.of(Choices(mends=mends).settings())  # through the form of a settings file
    return Dataset.from_reading(read_table(table(outcomes), "t.csv", choices), target="Y")


@pytest.mark.parametrize(
    ("outcomes", "answer", "sizes"),
    [
        ([*BOTH, "yse"], 0, {"No": 15, "Yes": 16}),
        ([*BOTH, "yse"], 1, {"No": 16, "Yes": 15}),
        ([*BOTH, "yse"], 2, {"No": 15, "Yes": 15}),
        (["0", "1"] * 15 + ["11"], 0, {"0": 15, "1": 16}),
        (["low", "mid", "high"] * 15 + ["hihg"] * 2, 4, {"high": 15, "hihg": 2, "low": 15, "mid": 15}),
    ],
)
def test_the_answer_is_kept_in_the_settings(outcomes, answer, sizes):
    (asked,) = slips(outcomes)
    mend = asked.offers[answer][1]
    data = read(outcomes, mend)
    assert dict(zip(data.classes, [int((data.target == c).sum()) for c in range(len(data.classes))], strict=True)) == sizes
    assert len(data.mended) == 1 and not slips(outcomes, [mend])
    assert Choices(mends=(mend,)).without(0) == Choices() and slips(outcomes)


def test_mends_of_one_column_can_be_in_any_order():
    outcomes, as_yes, joined = [*BOTH, "YES", "yse"], Mend("as", ("Y",), ("yse",), into="Yes"), Mend("spelling", ("Y",))
    assert read(outcomes, as_yes, joined).classes == read(outcomes, joined, as_yes).classes == ("No", "Yes")
    yes_no = Mend("yes-no", ("Y",))
    assert read(outcomes, as_yes, yes_no).classes == read(outcomes, yes_no, as_yes).classes == ("no", "yes")


def test_a_mend_without_cells_or_a_class_is_refused():
    missing = ({"cells": ["a"]}, {"into": "Yes"}, {"cells": ["a"], "into": " "}, {"cells": ["a"], "into": 3})
    cases = [{"do": "as", "columns": ["Y"], **part} for part in missing]
    check_refusals("io/wrong_mends", Mend.of, cases)
