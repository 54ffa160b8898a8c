"""Every layout of a table is read correctly or asked about."""

from dataclasses import replace

import numpy as np
import pytest
from table_shapes_support import SHAPES

from stabcore.data import Dataset
from stabcore.data.columns import describe_columns
from stabcore.io.check import cell_questions, first_answers
from stabcore.io.choices import Choices
from stabcore.io.mends import apply_mends, automatic_mends
from stabcore.io.table import read_table


def cells(column):
    """The cells as Python values, None for missing."""
    return [None if value is None or value != value else value for value in column.astype(object)]


def same(found, true):
    assert len(found) == len(true)
    for cell, true_cell in zip(found, true, strict=True):
        assert cell == true_cell or isinstance(cell, float) and np.isclose(cell, true_cell), (cell, true_cell)


@pytest.mark.parametrize("name", SHAPES)
def test_every_layout_is_read_correctly_or_asked_about(name, tmp_path):
    shape = SHAPES[name]
    read = read_table(shape.data, shape.file)
    asked = cell_questions(read)
    assert sorted(question.kind for question in asked) == sorted(shape.asks)
    assert all(any(word in note for note in read.notes) for word in shape.says), read.notes
    assert {cell for mend, _ in automatic_mends(read) for cell in mend.cells} == set(shape.taken)
    for question in asked:
        unread = question.kind in ("code", "dates") or all(read.frame[header].dtype.kind not in "if" for header in question.columns)
        assert unread and question.count > 0, "the column is not numeric before the answer"
        assert bool(first_answers([question])) == bool(question.offers and question.kind not in ("bracketed", "comma"))
    mends = tuple(question.offers[0][1] for question in asked if question.offers)
    mended = apply_mends(read, mends)
    for column, true in shape.true.items():
        same(cells(mended.frame[column]), true)
    assert mended.units == shape.units and len(mended.mended) == len(mends)
    still_asked = [question.kind for question in cell_questions(read, mends)]
    assert still_asked == [question.kind for question in asked if not question.offers]
    chosen = Choices(mends=mends)
    (tmp_path / shape.file).write_bytes(shape.data)
    again = read_table(tmp_path / shape.file, choices=Choices.of(chosen.settings()))
    assert again.frame.equals(mended.frame) and again.mended == mended.mended


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if "unit" in shape.asks])
def test_numbers_with_units_are_neither_names_nor_categories(name):
    """They would otherwise be left out at once as identifiers, and nobody would be asked."""
    read = read_table(SHAPES[name].data, SHAPES[name].file)
    columns = {column for question in cell_questions(read) if question.kind == "unit" for column in question.columns}
    assert columns and {column.kind for column in describe_columns(read.frame[list(columns)])} == {"mixed"}


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if shape.taken])
def test_marks_for_missing_values_can_stay_text(name):
    shape = SHAPES[name]
    read = read_table(shape.data, shape.file)
    done = [mend for mend, _ in automatic_mends(read)]
    keep = [replace(mend, do="keep") for mend in done]
    as_text = apply_mends(read, keep)
    (column,) = done[0].columns
    assert not automatic_mends(as_text) and {f"'{cell}'" for cell in shape.taken} < set(as_text.frame[column])
    (asked,) = cell_questions(read, keep)
    missing = asked.offers[0][1]
    assert asked.kind == "kept" and set(missing.cells) == set(shape.taken)
    same(cells(apply_mends(read, [*keep, missing]).frame[column]), shape.true[column])
    assert not cell_questions(read, [*keep, missing])


def test_a_mark_for_missing_values_can_be_a_level():
    read = read_table(("country,x,y\n" + "NA,1,a\nBW,2,b\nZA,3,a\nNA,4,b\n" * 5).encode(), "a.csv")
    ((mend, sentence),) = automatic_mends(read)
    keep = [replace(mend, do="keep")]
    as_text = apply_mends(read, keep)
    assert set(as_text.frame["country"]) == {"'NA'", "BW", "ZA"} and not cell_questions(read, keep)
    data = Dataset.from_reading(as_text, target="y")
    assert "'NA'" in data.levels["country"] and Dataset.from_reading(read, target="y").mended == (sentence,)
