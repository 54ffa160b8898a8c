"""Reading tables: lines, headers, separators, encodings, pasted text."""

import io
import re

import pandas as pd
import pytest
from file_support import ods, parquet, rezipped, workbook

from stabcore.base.errors import InputError
from stabcore.io.choices import Choices, Layout
from stabcore.io.table import read_table


def test_line_numbers_are_those_of_an_editor():
    frame = read_table(b"a,b\n1,2\n\n3,4\n,\n5,6\n", "t.csv").frame
    assert frame.index.name == "line" and list(frame.index) == [2, 4, 6]
    assert list(read_table(b'a,b\n1,"two\nlines"\n3,x\n', "t.csv").frame.index) == [2, 4]


def counted(notes, *what):
    """The numbers in front of these words in the notes, 0 without."""
    return tuple(sum(int(n) for note in notes for n in re.findall(rf"(\d+) {words}", note)) for words in what)


def hidden_columns(read):
    return [found for note in read.notes for found in re.findall(r"hides \d+ columns?: ([A-Z, ]+)\.", note)]


def test_what_is_hidden_wrong_or_struck_out_is_counted_in_the_sheet_that_is_read():
    openpyxl, file = pytest.importorskip("openpyxl"), io.BytesIO()
    rows = [[*"abcd"], *([i, 2 * i, i % 3, i % 2] for i in range(20))]
    book = openpyxl.load_workbook(io.BytesIO(workbook({"S": rows, "1 & 2": rows})))
    for sheet, lines in (("S", (5, 6, 7, 40)), ("1 & 2", range(2, 9))):  # an empty one at the end counts for nothing
        for line in lines:
            book[sheet].row_dimensions[line].hidden = True
    book["1 & 2"]["A3"].value = "#DIV/0!"
    book["S"].column_dimensions.group("B", "C", hidden=True)
    book["S"].column_dimensions.group("F", "XFD", hidden=True)  # beside the table, as many people do
    for sheet, place, strike in (
        ("S", "A3", True),
        ("S", "B3", True),
        ("S", "A30", True),
        ("S", "A4", False),
        ("1 & 2", "A5", True),
    ):
        book[sheet][place].font = openpyxl.styles.Font(strike=strike, bold=True)
    book.save(file)
    for sheet, counts, columns, struck in (("S", (3, 0), ["B, C"], "2 cells"), ("1 & 2", (7, 1), [], "1 cell")):
        read = read_table(file.getvalue(), "t.xlsx", Choices(Layout(sheet=sheet)))
        assert read.frame.shape == (20, 4) and counted(read.notes, "rows", "cell with") == counts
        assert hidden_columns(read) == columns and any(f"Struck out: {struck}" in note for note in read.notes)


def test_what_is_hidden_wrong_or_merged_is_counted_in_the_ods_sheet():
    filled, empty = '<table:table-cell office:value-type="float"', "<table:table-cell/>"
    error = (
        '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"/>'
    )
    end = "</table:table>"

    def change(name, text):
        text = text.replace("<office:document-content", '<office:document-content xmlns:calcext="calcext"')
        before, table = text[: text.find("<table:table ")], text[text.find("<table:table ") : text.find(end) + len(end)]
        marked = table.replace("<table:table-row>", '<table:table-row table:visibility="filter">', 4).replace(empty, error)
        marked = marked.replace(filled, filled.replace("cell", 'cell table:number-rows-spanned="3"'), 2)
        hidden = '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
        other = table.replace('"S">', f'"other">{hidden}')
        return before + other + marked + other + text[text.find(end) + len(end) :] if name == "content.xml" else text

    content = rezipped(ods([["a", "b", "c"], *([i, None if i == 7 else i % 2, i] for i in range(20))]), change)
    for sheet, counts, columns in (("S", (4, 1, 2), []), ("other", (0, 0, 0), ["C"])):
        read = read_table(content, "t.ods", Choices(Layout(sheet=sheet)))
        assert counted(read.notes, "rows", "cell with", r"cells\.") == counts and hidden_columns(read) == columns


def test_a_first_line_that_may_be_data_is_noted():
    for first, n in (("P1,6.64,12.3,well", 2), ("1,2,3,4", 4), ("id,2019,2020,y", 0)):
        read = read_table((first + "\n" + "P2,5.5,13.1,ill\n" * 12).encode(), "t.csv")
        assert [note for note in read.notes if f"numbers: {n}" in note] if n else not read.notes


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
        ("\n".join(['"","a","b"', *(f'"G{i % 100}",1,2' for i in range(102))]), ["row name", "a", "b"]),  # two names are repeated
    ],
)
def test_columns_without_a_name(text, columns):
    assert list(read_table(text.encode(), "t.csv").frame.columns) == columns


@pytest.mark.parametrize("cells", ["a,b,a,b,a,b", "0,1,2,0,1,2"])
def test_an_ambiguous_unnamed_column_is_refused(cells):
    with pytest.raises(InputError):
        read_table("\n".join([",x", *(f"{cell},1" for cell in cells.split(","))]).encode(), "t.csv")


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
