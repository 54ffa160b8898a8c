"""Reading tables: lines, headers, separators, encodings, pasted text."""

import io

import pandas as pd
import pytest
from file_support import parquet, workbook

from stabcore.base.errors import InputError
from stabcore.io.table import read_table


def test_line_numbers_are_those_of_an_editor():
    frame = read_table(b"a,b\n1,2\n\n3,4\n,\n5,6\n", "t.csv").frame
    assert frame.index.name == "line" and list(frame.index) == [2, 4, 6]
    assert list(read_table(b'a,b\n1,"two\nlines"\n3,x\n', "t.csv").frame.index) == [2, 4]


def test_hidden_rows_of_a_workbook_are_read_and_counted():
    openpyxl, file = pytest.importorskip("openpyxl"), io.BytesIO()
    book = openpyxl.load_workbook(io.BytesIO(workbook({"S": [["a", "b"], *([None if i == 3 else i, i % 2] for i in range(20))]})))
    for line in (5, 6, 7, 40):  # an empty one at the end counts for nothing
        book["S"].row_dimensions[line].hidden = True
    book.save(file)
    found = read_table(file.getvalue(), "t.xlsx")
    assert len(found.frame) == 20 and [note for note in found.notes if "3 rows" in note]
    assert not [note for note in read_table(workbook({"S": [["a"], [1], [2]]}), "t.xlsx").notes if "hide" in note]


def test_long_whole_numbers_keep_all_digits():
    frame = pd.DataFrame({"id": [2**60, 2**60 + 1], "n": [1, 2]})
    for name, data in (("t.csv", frame.to_csv(index=False).encode()), ("t.parquet", parquet(frame))):
        assert read_table(data, name).frame["id"].nunique() == 2


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (",a,b\nr1,1,2\nr2,3,4\n", ["row name", "a", "b"]),
        ("a,b\nr1,1,2\nr2,3,4\n", ["row name", "a", "b"]),  # written by R
        ('"a" "b"\n"P1" 1 1.5\n"P2" 2 2.5\n"P3" 3 3.5\n', ["row name", "a", "b"]),  # by write.table into a .csv file
        ("a,b\n1,2,\n3,4,\n", ["a", "b"]),  # every line ends with a separator
    ],
)
def test_columns_without_a_name(text, columns):
    assert list(read_table(text.encode(), "t.csv").frame.columns) == columns


@pytest.mark.parametrize(
    ("encoding", "note"), [("utf-8", None), ("utf-8-sig", None), ("utf-16", "UTF-16"), ("cp1252", "Windows-1252")]
)
def test_encodings(encoding, note):
    found = read_table("größe,µ\n1,ä\n2,ö\n".encode(encoding), "t.csv")
    assert list(found.frame.columns) == ["größe", "µ"] and list(found.frame["µ"]) == ["ä", "ö"]
    assert len(found.notes) == (note is not None) and all(note in text for text in found.notes)


@pytest.mark.parametrize("text", ["a\tb\n1\t2", "a,b\n1,2", "a;b\n1;2", "a   b\n1 2", "a|b\n1|2", "sep=;\na;b\n1;2"])
def test_pasted_text(text):
    found = read_table(text.encode(), "pasted.txt")
    assert found.frame.to_dict("list") == {"a": [1], "b": [2]}


def test_long_names_are_shortened_in_errors():
    with pytest.raises(InputError) as error:
        read_table(("x" * 10_000 + "," + "x" * 10_000 + "\n1,2\n").encode(), "t.csv")
    assert len(str(error.value)) < 300
