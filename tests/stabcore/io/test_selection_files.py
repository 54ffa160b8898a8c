"""Selections in one file or in several: their features, scores and ranks, and errors that name the cell."""

import numpy as np
import pytest
from file_support import workbook
from selection_shapes_support import read_selections
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.selection_files import read_selection_files
from stabcore.io.selection_lists import read_universe
from stabcore.io.selections import read_selectors
from stabcore.io.table import read_table


def test_scores_and_ranks_only_on_request():
    scores = read_selections("a,b\n-1.5,2\n3,", kind="scores")
    np.testing.assert_array_equal(scores.matrix, [[-1.5, 2], [3, np.nan]])
    assert read_selections("1,2.5\n2,3\n3,4.5", kind="scores", runs_in="rows").matrix.shape == (3, 2), (
        "1, 2, 3 are scores, not names of runs"
    )
    ranks = read_selections("1,2,3\n3,2,1", kind="ranks")
    assert ranks.matrix.tolist() == [[1, 2, 3], [3, 2, 1]]
    importances = read_selections("a,b\n1,2\n1,1", kind="importances")
    assert [found.kind for found in (scores, ranks, importances)] == ["scores", "ranks", "importances"]


def test_an_empty_row_of_a_workbook_is_an_empty_set():
    assert read_selections(workbook({"S": [["a", "b"], [None, None], ["b", "c"]]})).sets == (("a", "b"), (), ("b", "c"))


@pytest.mark.parametrize(
    ("text", "options", "features", "sets"),
    [
        ("a b\nb c", {"features": ["d", "c", "b", "a"]}, ("d", "c", "b", "a"), (("a", "b"), ("b", "c"))),
        ("a b\nb c", {"n_features": 5}, ("a", "b", "c", "(never selected 1)", "(never selected 2)"), (("a", "b"), ("b", "c"))),
        ("1 3\n2 3", {"n_features": 4}, ("1", "2", "3", "4"), (("1", "3"), ("2", "3"))),
        ("0 3\n2 3", {"features": "pqrs"}, tuple("pqrs"), (("p", "s"), ("r", "s"))),
        ("7 9\n7", {"features": ["7", "8", "9"]}, ("7", "8", "9"), (("7", "9"), ("7",))),  # numbers that are names of features
        ("1,0\n0,1", {"features": ["x", "y"]}, ("x", "y"), None),
    ],
)
def test_all_features_can_be_given(text, options, features, sets):
    found = read_selections(text, **options)
    assert found.features == features and found.sets == sets


def test_wrong_features_and_cells_are_refused_with_their_place(tmp_path):
    (tmp_path / "z.csv").write_text("a,b\n1,0\n0,1", encoding="utf-8")
    refused = [
        *(("a b\nb c", options) for options in ({"n_features": 2}, {"features": ["a", "b"]}, {"n_features": 0})),
        ("a b\nb c", {"features": ["a", "b", "c"], "n_features": 4}),
        ("1 5\n2 3", {"n_features": 4}),
        *(("a,b\n1,0\n0,1", {"features": ["a", "c"]}), ("1,0\n0,1", {"features": ["x", "y", "z"]})),
        *(("1,2,3\n3,2,1", {}), (str(tmp_path / "z.csv"), {})),  # a text is never taken as a path
    ]
    for text, options in refused:
        with pytest.raises(InputError):
            read_selections(text, **options)
    unknown = (
        *("a,b,c\n1,0,1\n0,2,1", "a,b\n1,0.5\n0,1\n1,1", "a,b,c\n1,0,\n0,1,1", "a,b\n1,0\n\n0,nan", "1,0,1\n1,x,1\n0,0,0"),
        *("a,b\n1,0,1\n0,1", "1 0 1\n0 1 1 1", "a,b\n0.5,0\n0,-1", "a,a\n1,0\n0,1", "a,b\n1,1", "a b c", ""),
    )
    cases = [
        *((text, None) for text in unknown),
        *(("a,b\n0,3\n0,1", "selection matrix"), ("a,b\n0.5,inf\n0,1", "importances"), ("a,b\n0.5,0\n0,-1", "importances")),
        *(("a,b\n1,0\n2,1", "ranks"), ("a,b\n1,0\n0,1", "votes")),
    ]
    check_refusals("io/wrong_selections", lambda text, kind: read_selections(text, kind=kind), cases)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b'{"run 1": ["ALT", "AST"], "run 2": ["ALT"]}', "mine.json"),
        (b'[{"run": "run 1", "features": ["ALT", "AST"]}, {"run": "run 2", "features": ["ALT"]}]', "mine.json"),
        (b'[{"features": ["ALT", "AST"]}, {"features": ["ALT"]}]', "mine.txt"),
        (b'list(`run 1` = c("ALT", "AST"), `run 2` = "ALT")', "mine.R"),
    ],
)
def test_json_and_r_files_are_read_by_extension(text, name):
    runs = read_selectors(text, name)[""]
    assert runs.sets == (("ALT", "AST"), ("ALT",)) and tuple(runs.runs) == ("run 1", "run 2")


def test_other_files_of_r_and_json_are_refused_with_advice():
    cases = [
        (b'{"a": 1}', "a.json"),
        (b'[{"run": 1, "k": 2, "features": ["ALT"]}]', "a.txt"),
        (b"[1, 2", "a.json"),
        (b"x <- 3", "a.R"),
        (b"a,b\n1,0\n", "a.r"),
    ]
    check_refusals("io/wrong_files_of_r_and_json", read_selectors, cases)
    tables = [
        *('structure(list(a = c(1, 2)), class = "data.frame")', "data.frame(a = 1)"),
        *('[{"a": 1}, {"a": 2}]', '{"a": [1, 2]}', "list(a = c(1, 2), b = c(2, 1))"),
    ]
    check_refusals("io/wrong_tables_of_r_and_json", lambda text: read_table(text.encode(), "a.txt"), tables)
    of_dput = [
        *("list(a = c(X = 0.3, Y = 0.1), b = c(X = 1))", 'structure(list(run = 1:2, gene = c("A", "B")), class = "data.frame")'),
        *('list(c("A", "B"), c("A"', 'list(list(list("A")), list("B"))', 'structure(list("A", "B"), names = c("f1", f2))'),
    ]
    check_refusals("io/wrong_lists_of_dput", read_selectors, of_dput)


def files(*contents, **options):
    return [(text.encode(), {"label": name.rsplit(".")[0], "name": name, **options}) for name, text in contents]


@pytest.mark.parametrize(
    ("contents", "sets", "features"),
    [
        (
            (("list1.txt", "ALT\nAST\n"), ("list2.txt", "gene\nALT\nEGFR\n"), ("list3.csv", '"","x"\n"1","ALT"\n"2","TP53"\n')),
            (("ALT", "AST"), ("ALT", "EGFR"), ("ALT", "TP53")),
            ("ALT", "AST", "EGFR", "TP53"),
        ),
        (
            (("1.csv", "gene\nIL 6\nTNF\n"), ("2.txt", "genes\nIL 6\nVitamin D\n")),
            (("IL 6", "TNF"), ("IL 6", "Vitamin D")),
            ("IL 6", "TNF", "Vitamin D"),
        ),
    ],
)
def test_one_list_per_file_is_one_run_per_file(contents, sets, features):
    ((label, read),) = read_selection_files(files(*contents))[0].items()
    assert read.sets == sets and read.features == features and label == ("list" if len(sets) == 3 else "lists")


@pytest.mark.parametrize(("options", "d"), [({"n_features": 10}, 10), ({"features": ("ALT", "AST", "EGFR", "TP53", "X", "Y")}, 6)])
def test_all_features_of_several_files_can_be_given(options, d):
    found, _ = read_selection_files(files(("a.txt", "ALT\nAST\n"), ("b.txt", "ALT\nEGFR\n"), ("c.txt", "TP53\n"), **options))
    assert len(next(iter(found.values())).features) == d
    too_few = {"n_features": 2} if "n_features" in options else {"features": ("ALT", "AST")}
    with pytest.raises(InputError):
        read_selection_files(files(("a.txt", "ALT\nAST\n"), ("b.txt", "ALT\nEGFR\n"), **too_few))
    two, _ = read_selection_files(files(("a.csv", "ALT,AST\nALT,EGFR\n"), ("b.csv", "ALT,TP53\nALT,EGFR\n"), **options))
    assert {len(runs.features) for runs in two.values()} == {d} and len({runs.features for runs in two.values()}) == 1


def test_all_features_can_be_given_as_a_file():
    for text in ("ALT\nAST\n", "gene\nALT\nAST\n", "ALT, AST", '"","x"\n"1","ALT"\n"2","AST"\n'):
        assert read_universe(text) == read_universe(text.encode(), "all.csv") == ("ALT", "AST")
    for text in ('["IL 6", "TNF", "ALT"]', "gene\nIL 6\nTNF\nALT\n", "IL 6\nTNF\nALT\n"):
        assert read_universe(text) == ("IL 6", "TNF", "ALT")
    for text in ("ALT,AST\nEGFR,TP53\n", "ALT, ALT"):
        with pytest.raises(InputError):
            read_universe(text)


def test_questions_name_their_file():
    good, scores = ("a.csv", "a,b\n1,0\n0,1\n"), ("b.csv", "a,b\n5.1,3.5\n4.9,3.0\n")
    for contents, name in (((good, scores), "b.csv"), ((("a.txt", "ALT\nAST\n"),), "a.txt")):
        with pytest.raises(Question) as asked:
            read_selection_files(files(*contents))
        assert asked.value.file == name
    with pytest.raises(InputError):
        read_selection_files(files(good, ("b.csv", "a,b\n1,0\n1,what\n")))


def test_files_with_another_order_of_features_are_aligned():
    found, _ = read_selection_files(files(("a.csv", "p,q,r\n1,0,0\n0,1,0\n"), ("b.csv", "r,p,q\n1,0,0\n0,0,1\n")))
    assert found["b"].features == ("p", "q", "r") and found["b"].matrix.tolist() == [[0, 0, 1], [0, 1, 0]]


TABLE = ("ALT", "IL-6", "TNF", "age")


@pytest.mark.parametrize(
    ("file", "table", "sets", "features"),
    [
        (("a.txt", "il.6, ALT, GONE\nALT\n"), TABLE, (("IL-6", "ALT", "GONE"), ("ALT",)), (*TABLE, "GONE")),
        (("a.csv", "ALT,X16S\n1,0\n0,1\n"), ("ALT", "16S", "TNF"), None, ("ALT", "16S")),  # a matrix keeps its own features
        (
            ("a.txt", "TP53,CRP [mg/l]\nTP53,CRP [mg/l],EGFR\n"),  # not asked about, because the table has this name
            ("TP53", "CRP [mg/l]", "EGFR"),
            (("TP53", "CRP [mg/l]"), ("TP53", "CRP [mg/l]", "EGFR")),
            ("TP53", "CRP [mg/l]", "EGFR"),
        ),
    ],
)
def test_names_are_those_of_the_table(file, table, sets, features):
    (read,) = read_selection_files(files(file), table=table, columns=("id", *table, "outcome"))[0].values()
    assert read.sets == sets and read.features == features
    with pytest.raises(InputError):
        read_selection_files(files(("a.csv", "p,q\n1,0\n0,1\n")), columns=table)
