"""Small files with huge content are counted while they are read, and refused before they fill the memory."""

import gzip
import io
import re
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from file_support import rezipped, workbook

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.decode import decode_text
from stabcore.io.selections import read_selectors
from stabcore.io.table import read_table
from stabcore.similarity.files import read_scenario


def shared_string(length, cells):
    """A workbook in which many cells share one text."""
    kind = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

    def share(name, text):
        if name.startswith("xl/worksheets/"):
            text = re.sub(r'<c r="(\w+)" t="n"><v>7</v>', r'<c r="\1" t="s"><v>0</v>', text)
            assert text.count('t="s"><v>0') >= cells
        return f'<sst xmlns="{kind}"><si><t>{"x" * length}</t></si></sst>' if name == "xl/sharedStrings.xml" else text

    return rezipped(workbook({"S": [["a", "b"], *[[7, 7]] * (cells // 2)]}), share)


def constant_parquet(rows, text):
    made = io.BytesIO()
    pq.write_table(pa.table({"a": [text] * rows, "b": range(rows)}), made, compression="zstd", write_statistics=False)
    return made.getvalue()


BOMBS = {
    "a long shared string": (lambda: shared_string(1_000_000, 60), "t.xlsx"),
    "a shared string in many cells": (lambda: shared_string(30_000, 12_000), "t.xlsx"),
    "parquet": (lambda: constant_parquet(20_000, "x" * 5000), "t.parquet"),
    "gzip": (lambda: gzip.compress(b"a,b\n" + b"1,1\n" * 14_000_000, 9), "t.csv.gz"),
    "blank lines": (lambda: b"a,b\n1,2\n" + b"\n" * 20_000_000, "t.csv"),
    "quotation marks": (lambda: b'"' * 20_000_000, "t.csv"),
    "a line": (lambda: b"a,b\n" + b"1," * 3_000_000, "t.csv"),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_small_files_with_huge_content_are_refused_quickly(kind):
    make, name = BOMBS[kind]
    content, started = make(), time.perf_counter()
    with pytest.raises(InputError):
        read_table(content, name)
    assert time.perf_counter() - started < 20


def test_a_wide_table_and_a_repetitive_one_are_read():
    wide = b",".join(b"c%d" % i for i in range(3_000)) + b"\n" + b"1," * 2_999 + b"2\n"
    assert read_table(wide, "t.csv").frame.shape == (1, 3_000)
    assert len(read_table(gzip.compress(b"a,b\n" + b"1,2\n" * 1000), "t.csv.gz").frame) == 1000
    assert set(read_table(constant_parquet(100, "x"), "t.parquet").frame["a"]) == {"x"}


def test_incomparable_runs_are_refused():
    with pytest.raises(InputError):
        read_selectors("a,b\n" * 10_000)


def test_a_matrix_with_too_many_runs_can_be_transposed():
    rows = [",".join([f"run {i}", *"01001"[i % 5 :], *"01001"[: i % 5]]) for i in range(6_000)]
    text = "\n".join([",a,b,c,d,e", *rows])
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert set(asked.value.answers) == {"columns"}
    with pytest.raises(InputError):
        read_selectors(text, runs_in="rows")
    (found,) = read_selectors(text, runs_in="columns").values()
    assert len(found.runs) == 5 and len(found.features) == 6_000


@pytest.mark.parametrize("text", ["a." * 50_000 + "b = 1", "[" + "a . " * 50_000 + "b]", "x = 1\n" + "a." * 60 + "b = 1"])
def test_a_scenario_of_many_dots_is_refused(text):
    with pytest.raises(InputError):
        read_scenario(text, ["ALT"])


def test_long_lines_are_read_in_linear_time():
    start = time.perf_counter()
    decode_text(("7," * 49_000 + "7\n").encode() * 20)
    assert time.perf_counter() - start < 5  # a minute or more with a new attempt at each character


def test_too_many_different_words_are_refused_and_numbers_are_not(monkeypatch):
    monkeypatch.setattr("stabcore.io.type.MAX_WORDS", 50)
    numbers = "\n".join(f'"{i},5",−{i}.25' for i in range(200))  # both columns are parsed as text
    assert all(kind.kind == "f" for kind in read_table(f"a,b\n{numbers}".encode()).frame.dtypes)
    words = [f"w{i}" for i in range(30)]
    assert read_table("\n".join(["a,b", *(f"{word},same" for word in words)]).encode()).frame.shape == (30, 2)
    with pytest.raises(InputError):
        read_table("\n".join(["a,b", *(f"{word},{word}" for word in words)]).encode())
