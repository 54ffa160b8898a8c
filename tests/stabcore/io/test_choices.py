"""Choices about a table: settings, refused values, and application without loss of rows."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from messy_support import messy_rows, messy_workbook
from snapshot_support import check_snapshot, refusals
from table_shapes_support import NAMES, ROWS, text

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.data import Dataset, check
from stabcore.io.check import cell_questions
from stabcore.io.choices import Choices, Layout
from stabcore.io.contents import MisplacedError
from stabcore.io.mends import apply_mends
from stabcore.io.table import mend_reading, read_table

MENDS = (
    *("all", [3], [{"do": "missing"}], [{"do": "mising", "columns": []}], [{"do": "missing", "columns": "CRP"}]),
    *([{"do": "missing", "columns": ["CRP"], "run": "x"}], [{"do": "missing", "columns": ["CRP"], "cells": [1]}]),
)
WRONG = [
    *({"sheets": "x"}, {"header": 0}, {"header": 10**9}, {"units": True}, {"last": "9"}, {"decimal": ";"}, {"sheet": "a\0b"}),
    *({"sheet": 3}, *({"mends": mends} for mends in MENDS)),
]


def test_wrong_choices_are_refused():
    check_snapshot("io/wrong_choices", refusals({str(entries): partial(Choices.of, entries) for entries in WRONG}))


def test_a_missing_line_is_reported_with_the_existing_ones():
    data = text([["title"], NAMES, *ROWS])
    for layout in (Layout(header=900), Layout(units=1), Layout(header=1, units=0)):
        with pytest.raises(MisplacedError) as error:
            read_table(data, "a.csv", choices=Choices(layout))
        assert error.value.place.head[0] == (1, ["title"])
    with pytest.raises(InputError):
        read_table(messy_workbook(), "a.xlsx", choices=Choices(Layout(sheet="X")))
    assert list(read_table(messy_workbook(), "a.xlsx", choices=Choices(Layout(sheet="Codes"))).frame.columns) == ["ja", "yes"]


def test_a_mended_table_equals_the_intended_one():
    read = read_table(messy_workbook(), "a.xlsx")
    mended = apply_mends(read, [question.offers[0][1] for question in cell_questions(read)]).frame
    true, given = messy_rows(wrong=False), messy_rows()
    for j, name in ((1, "Age"), (2, "CRP"), (3, "IL6"), (4, "Dose"), (6, "Weight")):
        meant = {"<0.5": 0.25, ">50": 50, "n.d.": np.nan, "k.A.": np.nan}
        expected = [meant.get(row[j], right[j]) for row, right in zip(given, true, strict=True)]
        np.testing.assert_allclose(mended[name].to_numpy(float), expected)
    assert list(mended["Smoker"]) == [{"ja": "yes", "nein": "no"}[row[5]] for row in true]


def test_columns_set_aside_and_mends_are_kept_in_the_study(tmp_path):
    path = tmp_path / "m.xlsx"
    path.write_bytes(messy_workbook())
    frame = read_table(path).frame
    with pytest.raises(InputError):
        Dataset.from_frame(frame, target="Outcome")
    data = Dataset.from_frame(frame, target="Outcome", set_aside=True)
    assert "CRP" not in data.features
    assert data.columns.set_index("column")["role"]["CRP"] == "set aside"
    assert [finding.severity for finding in check(frame, "Outcome", set_aside=True)].count("error") == 0
    half = {"do": "half", "columns": ["CRP"], "cells": ["<0.5"]}
    mended = Dataset.from_file(path, target="Outcome", set_aside=True, mends=[half])
    about = sc.Study(mended, ["mim"], plan=sc.Subsample(3), k=1, n_permutations=0)._about()
    assert about["units"]["CRP"] == "mg/L"


def test_sentences_of_studies_and_reports_hold_no_text_of_a_person():
    """The choices keep the texts, because the study needs them to read the table again."""
    crp = ["n.d.", "999", "<0.5", "5.5, see letter to Meyer", *map(str, range(30))]
    rows = [["crp", "hb", "note", "only", "y"]]
    rows += ([cell, i % 7, cell, "Meyer", "ill" if i % 2 else "well"] for i, cell in enumerate(crp))
    file = text([*rows, ["Meyer withdrew consent", "", "", "", ""]], ";")
    mends = [
        {"do": "missing", "columns": ["crp"], "cells": ["n.d.", "999", "unknown"]},  # a text of another column
        {"do": "half", "columns": ["crp"], "cells": ["<0.5"]},
        {"do": "as", "columns": ["crp"], "cells": ["5.5, see letter to Meyer"], "into": "5.5"},
    ]
    read = mend_reading(read_table(file, "a.csv"), mends, "y")
    data = Dataset.from_reading(read, target="y", exclude=["note"])
    assert data.table.values[3, 0] == 5.5 and len(data.mended) == 3 and any("36" in note for note in data.notes)
    said = " ".join([*data.mended, *data.notes, *data.columns["why"]])
    assert all(mark in said for mark in ("n.d.", "999", "<0.5")) and not {
        text for text in ("Meyer", "5.5", "unknown") if text in said
    }


TEXTS = "1|1,5|1.5|1,234|<2|>9,5|n.d.|x|5 mg|7 g|ja|nein|Ja|0|-999|01.02.21|1 200|<LOD|7*|NA|12%|".split("|")  # noqa: SIM905
CELLS = st.lists(st.sampled_from(TEXTS), min_size=12, max_size=12)


@settings(max_examples=40, deadline=None)
@given(CELLS, st.integers(0, 2))
def test_no_answer_loses_a_row(cells, which):
    read = read_table(text([["a", "b"], *[[cell, i] for i, cell in enumerate(cells)]], ";"), "a.csv")
    mends = [question.offers[min(which, len(question.offers) - 1)][1] for question in cell_questions(read) if question.offers]
    mended = apply_mends(read, mends)
    assert len(mended.frame) == len(read.frame) and len(mended.mended) == len(mends)
    assert mended.frame["b"].equals(read.frame["b"])
    cell_questions(read, mends)


def in_column(name, *more):
    """A table with some numbers and these cells in a column of this name, and the questions about it."""
    cells = ["1,2", "3,4", "5,6", "2,2", "1,9", "7,1", *more]
    reading = read_table("\n".join([f"{name};y", *(f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(cells))]).encode(), "a.csv")
    return reading, cell_questions(reading)


@pytest.mark.parametrize(
    ("name", "cell", "unit"),
    [
        ("x (mg/l)", "8,8 mg", "mg/l"),
        ("x [mg/l]", "8,8 mg/dl", "mg/l"),
        ("Hb g/dl", "88 g/l", "g/dl"),
        ("Alter (Jahre)", "8 Monate", "Jahre"),
        ("CRP in mg/l", "8,8 µg/l", "mg/l"),
    ],
)
def test_a_unit_missing_in_the_column_name_is_asked_about(name, cell, unit):
    reading, (question,) = in_column(name, cell)
    assert reading.frame[name].dtype.kind not in "iuf", "a cell in another unit is no number before the answer"
    (label, missing), (other, same) = question.offers
    assert (label, other) == ("Missing", f"The same as {unit}")
    assert np.isnan(apply_mends(reading, [missing]).frame[name].to_numpy(float)[-1])
    same_unit = apply_mends(reading, [same])
    assert same_unit.frame[name].iloc[-1] == float(cell.split()[0].replace(",", ".")) and name not in same_unit.units
    assert cell_questions(same_unit, [same]) == []


@pytest.mark.parametrize("cell", ["<0.5 Meyer", ">9 Meyer", "# Meyer", "7 Meyer", "(3) Meyer", "3* Meyer"])
def test_words_beside_limits_and_numbers_are_not_repeated(cell):
    rows = [["crp", "y"], *([cell if i == 3 else str(i), "ill" if i % 2 else "well"] for i in range(30))]
    read = read_table(text(rows, ";"), "a.csv")
    mends = [mend for question in cell_questions(read) for _, mend in question.offers]
    assert mends and not any("Meyer" in sentence for mend in mends for sentence in apply_mends(read, [mend]).mended)
