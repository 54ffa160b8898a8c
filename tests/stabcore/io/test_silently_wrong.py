"""Errors that could pass unnoticed: look-alike words, lists without a header, and formulas without a result."""

import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from file_support import ods, rezipped, workbook

from stabcore.base.errors import InputError
from stabcore.data.columns import describe_columns
from stabcore.data.describe import is_identifier
from stabcore.io.cells import visible_text
from stabcore.io.check import cell_questions
from stabcore.io.choices import Choices, Layout, Mend
from stabcore.io.contents import MisplacedError
from stabcore.io.mends import apply_mends
from stabcore.io.names import joined_names
from stabcore.io.table import read_table
from stabcore.similarity.files import read_similarity


def outcome_of(words, n=6):
    rows = "".join(f"{i},{i * 7 % 5},{words[i % len(words)]}\n" for i in range(n * len(words)))
    return read_table(f"a,b,outcome\n{rows}".encode(), "t.csv")


@pytest.mark.parametrize(
    ("words", "kind", "classes"),
    [
        (["Yes", "yes", "YES", "no"], "yes-no", {"yes", "no"}),
        (["yes\u200b", "yes", "no"], "yes-no", {"yes", "no"}),
        (["Rückfall", "Ru\u0308ckfall", "gesund"], "spelling", {"Rückfall", "gesund"}),
        (["case", "ca\u00adse", "case\ufeff", "control"], "spelling", {"case", "control"}),
        (["stage\u00a0one", "stage one", "two"], "spelling", {"stage one", "two"}),
        (["Case", "case", "control"], "spelling", {"Case", "control"}),
    ],
)
def test_classes_that_look_the_same_are_asked_about_and_joined(words, kind, classes):
    read = outcome_of(words)
    (question,) = [asked for asked in cell_questions(read) if asked.columns == ("outcome",)]
    assert question.kind == kind
    mended = apply_mends(read, [question.offers[0][1]])
    found = mended.frame["outcome"]
    assert set(found) == classes if kind == "spelling" else found.nunique() == 2
    assert not [asked for asked in cell_questions(mended, [question.offers[0][1]]) if asked.columns == ("outcome",)]


def test_joined_words_for_yes_are_not_asked_about_again():
    joined = Mend("spelling", ("outcome",))
    assert not cell_questions(apply_mends(outcome_of(["JA", "Ja", "ja", "nein"]), [joined]), [joined])
    other = apply_mends(outcome_of(["JA", "ja", "nein", "no"]), [joined])
    assert [question.kind for question in cell_questions(other, [joined])] == ["yes-no"]


@pytest.mark.parametrize("other", ["ALT2", "ALT²", "alt", "AL T", "ALТ"])
def test_distinguishable_names_stay_separate(other):
    assert visible_text(other) != "ALT"
    assert joined_names(["ALT", other]) == {"ALT": "ALT", other: other}


def test_pairs_of_a_similarity_without_a_header_lose_no_pair():
    read = read_similarity("ALT,AST,0.9\nALT,EGFR,0.8\n", features=["ALT", "AST", "EGFR"])
    assert read.similarity.n_related == 2


NUMBERS = [["a", "b"], *([i, i * 2] for i in range(1, 12))]


def test_formulas_without_a_result_are_missing():
    def formulas(name, text):
        if not name.startswith("xl/worksheets/"):
            return text
        assert "<v>22</v>" in text and "<v>20</v>" in text
        text = text.replace("<v>22</v>", "<f>A12*2</f><v></v>").replace("<v>20</v>", "<f>A11*2</f>")
        return text.replace("<v>18</v>", "<f>A10*2</f><v>18</v>")

    frame = read_table(rezipped(workbook({"S": NUMBERS}), formulas), "t.xlsx").frame
    assert pd.isna(frame["b"].iloc[-1]) and frame["b"].iloc[-3] == 18


def test_open_document_formulas_without_a_result_are_missing():
    inner = {22: "/>", 20: "><text:p/></table:table-cell>", 18: 'office:value-type="float" office:value="18"/>'}

    def formulas(name, text):
        for number, rest in (inner | {16: 'office:value-type="float"/>'}).items():
            cell = f'<table:table-cell office:value-type="float" office:value="{number}"/>'
            assert name != "content.xml" or cell in text
            text = text.replace(cell, f'<table:table-cell table:formula="of:=[.A12]*2" {rest}')
        return text

    frame = read_table(rezipped(ods(NUMBERS), formulas), "t.ods").frame
    assert frame["b"].isna().sum() == 3 and frame["b"].iloc[-3] == 18


def test_damaged_parquet_columns_are_refused():
    cells = pa.Array.from_buffers(pa.string(), 2, [None, pa.array([0, 1, 2], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xff")])
    for column in (cells, pa.array([0, 1], pa.timestamp("s", "Mars/X"))):
        file = io.BytesIO()
        pq.write_table(pa.table({"fine": [1, 2], "odd": column}), file)
        with pytest.raises(InputError):
            read_table(file.getvalue(), "t.parquet")


def test_measured_numbers_below_0_are_no_codes_of_a_survey():
    """Intensities of a microarray are whole numbers, of which a few lie below 0 in most columns."""
    rows = [[(-1, -2, -1, -2)[i] if i < 4 else 30 * i, *(7 * i - 40 - 10 * j for j in range(3))] for i in range(24)]
    text = "a,b,c,d,y\n" + "".join(f"{','.join(map(str, row))},{i % 2}\n" for i, row in enumerate(rows))
    assert not cell_questions(read_table(text.encode()))
    alone = "a,y\n" + "".join(f"{row[0]},{i % 2}\n" for i, row in enumerate(rows))
    (asked,) = cell_questions(read_table(alone.encode()))
    assert asked.kind == "code" and asked.count == 4 and asked.offers[0][1].cells == ("-1", "-2")


def test_numbers_split_at_decimal_commas_are_no_row_names():
    lines = [f"P{i},{i},{7 * i % 100:02d},{i % 2}" for i in range(30)]
    with pytest.raises(MisplacedError):
        read_table(("id,CRP,y\n" + "\n".join(lines) + "\n").encode(), "t.csv")
    of_r = [f"{i + 1},{i},{i % 5},{i % 2}" for i in range(30)]  # age and grade beside row names
    assert read_table(("id,age,y\n" + "\n".join(of_r) + "\n").encode(), "t.csv").frame.shape == (30, 4)


ROWS = [[f"P{i}", str(i % 7), str(i / 2), "yes" if i % 2 else "no"] for i in range(12)]
NAMES = ["id", "CRP", "age", "outcome"]


def as_csv(rows):
    return "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


@pytest.mark.parametrize("head", [["id", "outcome", "", ""], ["patient", "weight", "bilirubin", "class"]])
@pytest.mark.parametrize("title", [[], [["Second cohort", "", "", ""]]])
def test_a_second_table_below_is_refused(head, title):
    first = [NAMES, *ROWS]
    table = [*first, [""] * 4, *title, head, *ROWS]
    with pytest.raises(MisplacedError, match=f"Line {15 + len(title)} .* second table.* line 13 as the last"):
        read_table(as_csv(table), "t.csv")
    assert len(read_table(as_csv(table), "t.csv", Choices(Layout(last=13))).frame) == 12
    unknown = [*first, [""] * 4, ["P99", "n.d.", "<LOD", "yes"], ["P98", "<LOD", "", "no"], *ROWS]
    assert len(read_table(as_csv(unknown), "t.csv").frame) == 26


@pytest.mark.parametrize("names", [NAMES, ["who", "LDL", "bilirubin", "class"]])
def test_two_tables_side_by_side_are_named(names):
    table = as_csv([[*a, "", *b] for a, b in zip([NAMES, *ROWS], [names, *ROWS], strict=True)])
    if names == NAMES:
        with pytest.raises(MisplacedError, match="separate two tables"):
            read_table(table, "t.csv")
    else:
        assert any("separate two tables" in note for note in read_table(table, "t.csv").notes)


def test_titles_above_a_table_are_not_repeated():
    read = read_table(b"Export for Jane Doe,,,\nWard 3,,,\n" + as_csv([NAMES, *ROWS]), "t.csv")
    assert len(read.frame) == 12 and "lines 1 to 2" in " ".join(read.notes) and "Doe" not in " ".join(read.notes)


def test_cells_with_two_numbers_are_named_without_their_values():
    rows = [
        ["outcome", "bp", "time"],
        *([str(i % 2), f"{100 + i}{'/±'[i % 2]}{60 + i}", f"{8 + i % 12}:{10 + i}"] for i in range(30)),
    ]
    read = read_table(as_csv(rows), "t.csv")
    (question,) = cell_questions(read)
    assert question.columns == ("bp",) and "two numbers" in question.sentence and "/" not in question.sentence
    columns = describe_columns(read.frame)[1:]
    assert all(column.kind == "text" and "two numbers" in column.why and not is_identifier(column) for column in columns)


@pytest.mark.parametrize("classes", ["MF", "SR", "NT"])
def test_classes_of_one_letter_above_samples_are_no_units(classes):
    head = [["gene", *(f"S{i}" for i in range(12))], ["class", *classes * 6]]
    read = read_table(as_csv([*head, *([f"G{j}", *(i + j / 8 for i in range(12))] for j in range(9))]), "t.csv")
    assert not read.units and read.frame.iloc[0, 1:3].tolist() == list(classes)


def test_two_encodings_in_one_file_are_noted():
    text = "site,x\n" + "Köln,1\nBonn,2\n" * 3
    data = text.encode() + "Köln,3\n".encode("latin-1")
    assert any("'Ã¶'" in note for note in read_table(data, "t.csv").notes)
    assert not any("misread" in note for note in read_table(text.encode("latin-1"), "t.csv").notes)


@pytest.mark.parametrize(
    ("above", "names"),
    [
        ("# export, of, clinic", None),
        ("Export of clinic, 12 May 2024, final", None),
        ("#chrom,start,end", ["#chrom", "start", "end"]),
        (
            "Age at diagnosis,C reactive protein,Size of tumour\nyears,mg/l,mm",
            ["Age at diagnosis", "C reactive protein", "Size of tumour"],
        ),
        ("How old are you,Do you smoke now,Kind of pain\nunknown,often,3", ["How old are you", "Do you smoke now", "Kind of pain"]),
    ],
)
def test_a_title_with_as_many_commas_as_the_table_is_no_line_of_names(above, names):
    lines = [above, *(["crp,alt,tsh"] if names is None else []), *(f"{20 + i},{i % 7},{i / 9:.2f}" for i in range(20))]
    assert list(read_table("\n".join(lines).encode()).frame.columns) == (names or ["crp", "alt", "tsh"])


def test_one_question_asks_about_the_same_codes_in_all_columns():
    codes = {"crp": "999", "alt": "999.0", "ast": "9", "age": "999", "tsh": "-9"}
    rows = [[code if i in (3, 11) else f"{1 + (i + j) / 40:.2f}" for j, code in enumerate(codes.values())] for i in range(24)]
    rows = [[*row[:3], "9" if i == 5 else row[3], row[4]] for i, row in enumerate(rows)]  # 9 is an age, and no code
    read = read_table(as_csv([[*codes, "y"], *([*row, i % 2] for i, row in enumerate(rows))]), "t.csv")
    asked = {question.columns: question for question in cell_questions(read)}
    assert {columns: question.count for columns, question in asked.items()} == {("crp", "alt", "age"): 6, ("ast",): 2, ("tsh",): 2}
    after = apply_mends(read, [question.offers[0][1] for question in asked.values()]).frame
    assert after[[*codes]].isna().sum().tolist() == [2] * 5 and after["age"].max() == 9


def test_a_negative_code_does_not_take_half_of_a_limit_from_the_answers():
    cells = [f"{1 + i / 7:.2f}" for i in range(30)] + ["<0.3", "<0.3", "-9", "-9"]
    read = read_table(as_csv([["crp", "y"], *([cell, i % 2] for i, cell in enumerate(cells))]), "t.csv")
    below = next(question for question in cell_questions(read) if question.kind == "below")
    assert [mend.do for _, mend in below.offers] == ["half", "limit", "missing"]
