"""Lists of names as R prints them or as its dput writes them."""

import pytest

from stabcore.errors import InputError
from stabcore.io.decode import SELECTION_UPLOADS
from stabcore.io.printed_lists import as_one_block
from stabcore.io.selections import read_selectors
from stabcore.io.table import read_table

PRINTED = '[[1]]\n[1] "TP53"    "HLA-DRA"\n[3] "EGFR"\n\n[[2]]\n[1] "TP53"\n\n[[3]]\ncharacter(0)\n\n'
SETS = (("TP53", "HLA-DRA", "EGFR"), ("TP53",), ())


@pytest.mark.parametrize("text", [
    PRINTED, PRINTED.replace("\n", "\r\n"), PRINTED.replace('"', ""),
    PRINTED.replace("[[1]]", "$Fold1").replace("[[2]]", "$`Fold 2`").replace("[[3]]", "$Fold3")])
def test_a_list_that_r_printed_is_one_run_an_entry(text):
    runs = read_selectors(text)[""]
    assert any("as R prints" in note for note in runs.notes) and not any("separated" in note for note in runs.notes)
    assert runs.sets == SETS and set(runs.features) == {"TP53", "HLA-DRA", "EGFR"}
    assert list(runs.runs) == (["Fold1", "Fold 2", "Fold3"] if "Fold" in text else ["run 1", "run 2", "run 3"])


@pytest.mark.parametrize("names", [("", ""), ("Fold1 = ", "`Fold 2` = ")])
def test_what_dput_wrote_is_one_run_a_vector(names):
    runs = read_selectors(f'list({names[0]}c("TP53", "EGFR"), \n {names[1]}c("TP53"))'.encode(), "dput.txt")[""]
    assert runs.sets == (("TP53", "EGFR"), ("TP53",))


def test_a_printed_list_of_more_than_names_is_refused_with_the_way_out():
    with pytest.raises(InputError, match="line 2 is no list of names.*writeLines"):
        read_selectors('[[1]]\n   gene p\n1  TP53 1\n')


def test_what_dput_wrote_of_numbers_is_one_run_a_vector():
    assert read_selectors("list(c(1L, 3L), c(2L), c(1L, 2L))")[""].sets == (("1", "3"), ("2",), ("1", "2"))


@pytest.mark.parametrize(("text", "runs"), [
    ('[["TP53", "EGFR"], ["TP53"]]', ("run 1", "run 2")), ('{"Fold1": ["TP53", "EGFR"],\n "Fold2": ["TP53"]}', ("Fold1", "Fold2"))])
def test_lists_in_json_are_one_run_a_list(text, runs):
    selections = read_selectors(text)[""]
    assert selections.sets == (("TP53", "EGFR"), ("TP53",)) and tuple(selections.runs) == runs


def test_what_was_rewritten_is_not_said_to_hold_tabs():
    assert not any("tabs" in note for note in read_selectors(PRINTED)[""].notes)


BLOCKS = "      a.b c\n[1,]    1 0\n[2,]    0 1\n     d\n[1,] 1\n[2,] 1\n"


@pytest.mark.parametrize("text", [BLOCKS, BLOCKS.replace("\n", "\r\n"), BLOCKS.replace("[1,]", "Fold1").replace("[2,]", "Fold2")])
@pytest.mark.parametrize("source", ["pasted", "file"])
def test_a_matrix_that_r_broke_into_blocks_is_one_matrix(text, source):
    runs = (read_selectors(text) if source == "pasted" else read_selectors(text.encode(), "z.txt"))[""]
    assert runs.features == ("a.b", "c", "d") and runs.matrix.tolist() == [[1, 0, 1], [0, 1, 1]]
    assert any("as R prints it" in note for note in runs.notes) and not any("tabs" in note for note in runs.notes)


@pytest.mark.parametrize("text", [
    BLOCKS.replace("[2,] 1\n", ""), BLOCKS.replace("[2,] 1\n", "[3,] 1\n"), BLOCKS.replace("     d", "d")])
def test_blocks_that_do_not_fit_are_left_as_they_are(text):
    assert as_one_block(text) == text


@pytest.mark.parametrize(("text", "name"), [
    (b'{"run 1": ["ALT", "AST"], "run 2": ["ALT"]}', "mine.json"), (b'list(`run 1` = c("ALT", "AST"), `run 2` = "ALT")', "mine.R")])
def test_files_of_json_and_of_r_are_read_by_their_endings(text, name):
    runs = read_selectors(text, name)[""]
    assert runs.sets == (("ALT", "AST"), ("ALT",)) and tuple(runs.runs) == ("run 1", "run 2")
    assert SELECTION_UPLOADS[-2:] == ("json", "r")


def test_a_run_of_one_name_or_none_is_a_run_as_dput_writes_it():
    assert read_selectors(b'list("ALT", c("ALT", "AST"), character(0), "AST")', "mine.R")[""].sets == (
        ("ALT",), ("ALT", "AST"), (), ("AST",))


@pytest.mark.parametrize(("text", "name"), [
    (b'{"a": 1}', "a.json"), (b"[1, 2", "a.json"), (b"x <- 3", "a.R"), (b"a,b\n1,0\n", "a.r")])
def test_other_files_of_json_and_of_r_are_refused_with_what_is_read(text, name):
    with pytest.raises(InputError, match="holds no lists of names as (JSON|R) writes them.*Write it so, or as CSV"):
        read_selectors(text, name)


@pytest.mark.parametrize("text", ['structure(list(a = c(1, 2)), class = "data.frame")', "data.frame(a = 1)", '[{"a": 1}, {"a": 2}]',
                                  '{"a": [1, 2]}', "list(a = c(1, 2), b = c(2, 1))"])
def test_a_table_as_r_or_json_writes_it_is_refused_with_the_way_out(text):
    with pytest.raises(InputError, match=r"is not read as a table. Save the table as CSV.*write\.csv"):
        read_table(text.encode(), "a.txt")


def test_a_text_with_an_unknown_ending_gets_a_way_out():
    with pytest.raises(InputError, match=r"'a\.dat' has an ending.* rename it so that it ends in \.txt"):
        read_table(b"a,b\n1,2\n3,4\n", "a.dat")
    with pytest.raises(InputError, match=r"not known here; save the table as one of [^;]*\.rds\.$"):
        read_table(b"\0\1", "a.dat")
