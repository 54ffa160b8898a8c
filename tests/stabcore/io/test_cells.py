"""Reading cells: decimal commas, missing values and codes. No number is changed and no cell is lost."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stabcore.io.cells import read_cells
from stabcore.io.table import read_table


def test_european_csv():
    found = read_table(b"name;CRP;n\nA;1,5;1.234,5\nB;0,25;2.000\nC;1,125;3", "t.csv")
    assert list(found.frame["CRP"]) == [1.5, 0.25, 1.125] and list(found.frame["n"]) == [1234.5, 2000, 3]


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b'a,b\n1,"1,234"\n2,"5,678"\n', ["1,234", "5,678"]),  # decimal or thousands comma
        (b'a,b\n1,"1,234"\n2,"5,678.5"\n', [1234, 5678.5]),
        (b'a,b\n1,"1,234"\n2,"0,5"\n', [1.234, 0.5]),
        (b'a,b\n"0,5","1,234"\n"1,5","5,678"\n', [1.234, 5.678]),  # decided by the other column
        (b'a,b\n"1,234,567","1,234"\n"1","5,678"\n', [1234, 5678]),
        (b"a;b\n1;1,234\n2;5,678\n", [1.234, 5.678]),  # decided by the semicolons
        (b"a;b\n1.5;1,234\n2;5,678\n", ["1,234", "5,678"]),
        (b"a;b\n1,5;1.234\n2;5.678\n", ["1.234", "5.678"]),
    ],
)
def test_ambiguous_commas_are_not_decided_silently(data, values):
    found = read_table(data, "t.csv")
    assert list(found.frame["b"]) == values
    assert any("'b'" in note for note in found.notes)


@pytest.mark.parametrize("mark", ["", "NA", "N/A", "nan", "NaN", "null", ".", "?", "-", "#N/A"])
def test_marks_for_missing_values(mark):
    found = read_table(f"a,b\n1.5,x\n{mark},y\n2.5,x\n".encode(), "t.csv")
    assert np.isnan(found.frame["a"].iloc[1]) and found.frame["a"].dtype == float
    assert found.notes == (() if mark else ("Read as missing: 1 empty cell.",))
    assert found.written.marks == ({"a": {mark: 1}} if mark else {})


def pasted(text):
    return read_table(text.encode(), "pasted.txt").frame


def test_texts_and_codes_are_kept():
    frame = pasted(
        "a,b,c,d,e,f\n+,007,TRUE,1e-3,<0.5,12345678901234567\n-,008,false,\u22125,1,12345678901234568\n"
        "++,010,true,.5,2,12345678901234569"
    )
    assert list(frame["a"]) == ["+", "-", "++"]  # a minus beside a plus is a result
    assert list(frame["b"]) == ["007", "008", "010"]  # codes, not numbers
    assert list(frame["c"]) == [True, False, True] and frame["c"].dtype == bool
    assert list(frame["d"]) == [0.001, -5, 0.5]
    assert list(frame["e"]) == ["<0.5", "1", "2"]  # not NaN without a warning
    assert frame["f"].nunique() == 3  # too long for a float


finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(finite, st.one_of(finite, st.none())), min_size=1, max_size=20),
    st.sampled_from([(",", "."), ("\t", "."), (";", ".")]),
)
def test_numbers_survive_exactly(rows, style):
    frame = pd.DataFrame(rows, columns=["a", "b"], dtype=float)
    found = pasted(frame.to_csv(index=False, sep=style[0], decimal=style[1], na_rep="NA"))
    np.testing.assert_array_equal(found.to_numpy(dtype=float), frame.to_numpy())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.decimals(min_value=-99999, max_value=99999, places=2), min_size=2, max_size=20))
def test_decimal_commas_survive(values):
    text = "n;x\n" + "\n".join(f"{i};{str(value).replace('.', ',')}" for i, value in enumerate(values))
    assert list(pasted(text)["x"]) == [float(value) for value in values]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["1", "1,5", "1.5", "1,234", "-", "+", "NA", "x", "07", "", "inf", " 2 "]), max_size=8))
def test_no_cell_is_lost(cells):
    found = read_cells(cells)
    missing = np.isnan(found.numbers) if found.numbers is not None else np.array([text is None for text in found.texts])
    assert missing.sum() == sum(found.marks.values())
    assert len(missing) == len(cells)
