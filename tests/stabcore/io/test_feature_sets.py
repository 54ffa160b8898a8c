"""Files of groups of features and of overlapping sets."""

import gzip

import pytest
from snapshot_support import check_refusals

from stabcore.io.choices import Question
from stabcore.io.feature_sets import read_sets
from stabcore.io.names import bare_name, match_names

FEATURES = ["IL-6", "TNF alpha", "16S", "ALT", "CD4"]
GMT = "INFLAMMATION\thttp://x\til.6\tTNF_alpha\tGONE\r\nOTHER\t\tX16S\tALT\tIL.6\n\nEMPTY\tna\tBRCA1\n"


@pytest.mark.parametrize(
    ("name", "content"), [("h.gmt", GMT.encode()), ("H.GMT", GMT.encode()), ("h.gmt.gz", gzip.compress(GMT.encode(), mtime=0))]
)
def test_gmt(name, content):
    read = read_sets(content, name, FEATURES)
    assert read.sets == {"INFLAMMATION": ["IL-6", "TNF alpha"], "OTHER": ["16S", "ALT", "IL-6"]} and read.overlapping


@pytest.mark.parametrize("content", [b"A\tALT\tCD4\nB\tTNF alpha\n", b"A\tALT\tCD4\nB\thttp://x\tTNF.alpha\n"])
def test_a_feature_in_place_of_a_gmt_description_is_a_member(content):
    read = read_sets(content, "s.gmt", FEATURES)
    assert read.sets == {"A": ["ALT", "CD4"], "B": ["TNF alpha"]}


def test_a_feature_can_be_in_several_groups():
    read = read_sets(b"feature,group\nALT,a\nalt,b\nCD4,b\nIL.6,\n", "g.csv", FEATURES)
    assert read.sets == {"a": ["ALT"], "b": ["ALT", "CD4"]} and read.overlapping
    assert not read_sets(b"feature,group\nALT,a\nCD4,b\n", "g.csv", FEATURES).overlapping


def test_files_without_sets_are_refused():
    texts = (b"A,B,C\n", b"A\t\tALT\nA\t\tCD4\n", b"\n\n", b"", b"A\t\tXX\n", b"A\t\t\0\n", b"%PDF-1")
    cases = [
        *(("s.gmt", text) for text in texts),
        *(("s.gmt.gz", b"nonsense"), ("s.csv", b"gene,set\nALT,a\n"), ("s.csv", b"feature,group\nALT,\n"), ("s.gmt", b"\t\tALT\n")),
    ]
    check_refusals("io/wrong_sets", lambda name, content: read_sets(content, name, FEATURES), cases)


def test_ambiguous_names_are_not_matched():
    assert match_names(["a.b"], ["a b", "a-b"]) == {} and match_names(["a.b", "A b"], ["a_b"]) == {}
    assert match_names(["a.b", "A b"], ["a_b"], once=False) == {"a.b": "a_b", "A b": "a_b"}
    assert match_names(["a.b", "a_b"], ["a_b"]) == {"a_b": "a_b"} and match_names(["..", ""], ["--", "x"]) == {}
    assert match_names(["CD4+"], ["CD4-"]) == match_names(["CD4"], ["CD4+"]) == {} and match_names(["cd4."], ["CD4+"]) == {
        "cd4.": "CD4+"
    }
    assert bare_name("X") == "x" and bare_name("Xist") == "xist"


TWICE = ["G1", "G1 (2)", "G2", "G2 (2)", "G3"]
OF_GENES = b"P1\t\tG1\tG3\nP2\t\tG1\n"


@pytest.mark.parametrize("again", [{"G1 (2)": "G1"}, {"G1 (2)": "G1", "G2 (2)": "G2"}, None])
def test_a_repeated_column_name_is_asked_about(again):
    with pytest.raises(Question) as asked:
        read_sets(OF_GENES, "g.gmt", TWICE, again)
    assert asked.value.option == "repeats" and list(asked.value.answers) == ["join", "apart"]
    joined, apart = (read_sets(OF_GENES, "g.gmt", TWICE, again, answer) for answer in ("join", "apart"))
    assert joined.sets == {"P1": ["G1", "G1 (2)", "G3"], "P2": ["G1", "G1 (2)"]}
    assert apart.sets == {"P1": ["G1", "G3"], "P2": ["G1"]}


def test_a_file_that_names_the_repeated_column_is_followed():
    sets = read_sets(b"feature,group\nG1,a\nG1 (2),b\n", "g.csv", TWICE, {"G1 (2)": "G1"}).sets
    assert sets == {"a": ["G1"], "b": ["G1 (2)"]}
    with pytest.raises(Question):
        read_sets(b"feature,group\nG1,a\nG1.2,b\n", "g.csv", TWICE, {"G1 (2)": "G1"})  # not a name of a repeated column
