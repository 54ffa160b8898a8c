"""Gene sets as GMT and as tables, matched with what the data calls its features; nothing unmatched goes unsaid."""

import gzip

import pytest

from stabcore.data.reading.feature_sets import read_sets
from stabcore.data.reading.names import bare, match
from stabcore.errors import InputError

FEATURES = ["IL-6", "TNF alpha", "16S", "ALT", "CD4"]
GMT = "INFLAMMATION\thttp://x\til.6\tTNF_alpha\tGONE\r\nOTHER\t\tX16S\tALT\tIL.6\n\nEMPTY\tna\tBRCA1\n"


@pytest.mark.parametrize(("name", "content"), [("h.gmt", GMT.encode()), ("H.GMT", GMT.encode()),
                                               ("h.gmt.gz", gzip.compress(GMT.encode(), mtime=0))])
def test_gmt(name, content):
    read = read_sets(content, name, FEATURES)
    assert read.sets == {"INFLAMMATION": ["IL-6", "TNF alpha"], "OTHER": ["16S", "ALT", "IL-6"]} and read.overlapping
    said = " ".join(read.notes)
    assert "5 of their 7 names" in said and "2 names, 'GONE', 'BRCA1'" in said and "1 set, 'EMPTY'" in said
    assert "4 of 5 features" in said


def test_a_table_in_which_a_feature_is_in_several_groups():
    read = read_sets(b"feature,group\nALT,a\nalt,b\nCD4,b\nIL.6,\n", "g.csv", FEATURES)
    assert read.sets == {"a": ["ALT"], "b": ["ALT", "CD4"]} and read.overlapping
    assert not read_sets(b"feature,group\nALT,a\nCD4,b\n", "g.csv", FEATURES).overlapping


@pytest.mark.parametrize(("name", "content", "words"), [
    ("s.gmt", b"A,B,C\n", "Line 1 has 1 cell"), ("s.gmt", b"A\t\tALT\nA\t\tCD4\n", "Line 2 names the set 'A' again"),
    ("s.gmt", b"\n\n", "blank lines"), ("s.gmt", b"", "empty"), ("s.gmt", b"A\t\tXX\n", "'XX', the data 'IL-6'"),
    ("s.gmt", b"A\t\t\0\n", "NUL"), ("s.gmt", b"%PDF-1", "PDF"), ("s.gmt.gz", b"nonsense", "gzip"),
    ("s.csv", b"gene,set\nALT,a\n", "'feature'"), ("s.csv", b"feature,group\nALT,\n", "nothing to group"),
    ("s.gmt", b"\t\tALT\n", "Line 1")])
def test_what_is_no_list_of_sets_is_refused(name, content, words):
    with pytest.raises(InputError) as error:
        read_sets(content, name, FEATURES)
    assert words in str(error.value)


@pytest.mark.parametrize(("written", "known"), [("IL.6", "IL-6"), ("il 6", "IL_6"), ("X16S", "16S"), ("tnf_ALPHA", "TNF (alpha)"),
                                                ("a..b", "a: b"), ("µg", "µg")])
def test_names_are_found_as_r_and_people_change_them(written, known):
    assert match([written], [known, "other"]) == {written: known}


def test_where_two_are_alike_none_is_guessed():
    assert match(["a.b"], ["a b", "a-b"]) == {} and match(["a.b", "A b"], ["a_b"]) == {}
    assert match(["a.b", "A b"], ["a_b"], once=False) == {"a.b": "a_b", "A b": "a_b"}
    assert match(["a.b", "a_b"], ["a_b"]) == {"a_b": "a_b"} and match(["..", ""], ["--", "x"]) == {}
    assert match(["CD4+"], ["CD4-"]) == match(["CD4"], ["CD4+"]) == {} and match(["cd4."], ["CD4+"]) == {"cd4.": "CD4+"}
    assert bare("X") == "x" and bare("Xist") == "xist"
