"""Lists of names as R prints them or as its dput writes them."""

import pytest

from stabcore.data.reading import read_selectors
from stabcore.errors import InputError

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
