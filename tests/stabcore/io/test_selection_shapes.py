"""Layouts of selection files are read correctly, some of them after a question."""

import numpy as np
import pytest
from selection_shapes_support import SETS, read_selections, shapes
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.selection_files import read_selection_files
from stabcore.io.selection_lists import read_universe
from stabcore.io.selections import read_selectors

SHAPES = {shape.name: shape for shape in shapes()}


def sets_of(read):
    """The selected features of each run."""
    if read.sets is not None:
        return tuple(map(frozenset, read.sets))
    return tuple(frozenset(name for name, value in zip(read.features, row, strict=True) if value != 0) for row in read.matrix)


def content(shape):
    return shape.content if isinstance(shape.content, bytes) else shape.content.encode()


@pytest.mark.parametrize("name", SHAPES)
def test_every_layout_is_read_correctly_or_asked_about(name):
    shape = SHAPES[name]
    if shape.answers:
        with pytest.raises(Question) as asked:
            read_selectors(content(shape), shape.file)
        ((option, answer),) = shape.answers.items()
        assert asked.value.option == option and answer in asked.value.answers
    found = read_selectors(content(shape), shape.file, **shape.answers)
    assert tuple(found) == shape.selectors
    for read in found.values():
        twice = len(found) == 1 and len(read.runs) == 2 * len(SETS)
        if name == "a run that selected nothing":
            assert sorted(map(sorted, sets_of(read))) == sorted(map(sorted, shape.runs))
        else:
            assert sets_of(read) == shape.runs * (1 + twice)
        assert set().union(*sets_of(read)) <= set(read.features) and len(set(read.features)) == len(read.features)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("run,feature,importance,selected\n1,a,0.5,1\n2,b,0.1,0\n", "value_column"),
        ("Var1,Var2,value\nx,a,1\nx,b,0\ny,a,0\ny,b,1\n", "run_column"),
        ("a,b\n5.1,3.5\n4.9,3.0\n", "kind"),
        ("1,2,3\n3,1,2\n", "kind"),
        ("ALT\nAST\nEGFR\n", "list_is"),
        ('"","x"\n"1","ALT"\n"2","AST"\n', "list_is"),
        ("run,feature\n1,a\n2,b\n4,a\n", "empty_runs"),
        ("selector,run,feature\nA,1,a\nA,2,b\nA,3,b\nB,1,a\nB,2,a\n", "empty_runs"),
    ],
)
def test_ambiguous_files_are_asked_about(text, option):
    with pytest.raises(Question) as asked:
        read_selections(text)
    assert asked.value.option == option
    for answer in asked.value.answers:
        try:
            read_selectors(text, **{option: answer})
        except InputError as error:
            assert not isinstance(error, Question) or error.option != option


def test_hostile_and_incomplete_files_are_refused():
    cases = [
        "feature,count\nALT,80\nAST,3\n",
        "feature,importance\nALT,0.8\nAST,0.3\n",
        "a,b,c\nTRUE,FALSE,TRUE\nTRUE,maybe,FALSE\nFALSE,TRUE,TRUE\nTRUE,TRUE,TRUE\n",
        "run,feature,value\n1,a,1\n1,a,0\n2,b,1\n",
        "run,feature,value\n1,a,1\n2,b,much\n",
        "run,feature\n1,a\n,b\n2,c\n",
        "run,feature\n1,a,b\n2,c\n",
        "selector,a,b\nL,1,0\n,0,1\nL,1,1\n",
        "run,feature\n1,a\n1,b\n",
        "b,w,name\n1,0.5,ALT\n2,0.1,AST\n7,0.1,AST\n",
        "selector,u,w\nA,one,two\nB,three,four\n",
        "ALT,AST\n1,1,0\n1,0,1\n0,1,1\n",  # one name is missing, and the first cells are no names of runs
        "run,A,B,C\n1,TRUE,NA,FALSE\n2,NA,TRUE,FALSE\n3,NA,TRUE,NA\n",  # a matrix with gaps, not lists
        ",run,importance\n" + "".join(f"{name}{i or ''},{i},0.5\n" for i in (0, 1, 2) for name in ("ALT", "AST", "IL")),
        ",".join([*(f"G{i}" for i in range(100)), "shadowMax", "shadowMean", "shadowMin"]) + ("\n" + ",".join(["1"] * 103)) * 5,
        '3 x 4 sparse Matrix of class "dgCMatrix"\n     r1 r2 r3 r4\nA     1  .  1  1\nB     .  1  .  1\nC     1  1  .  .\n',
        "# A tibble: 4 x 2\n    run gene\n  <int> <chr>\n1     1 A\n2     1 B\n3     2 A\n4     2 C\n",
        "[[1]]\n   gene p\n1  TP53 1\n",
        "Index(['A', 'B',\n       ...\n       'Y', 'Z'],\n      dtype='object', length=500)\n" * 2,
        'c("A", "B")\nsummary(x)\nc("A")\n',
        "   iteration learner_id    features\n       <int>     <char>      <list>\n1:         1      rpart V1,V12,V6\n"
        "2:         2      rpart       V1,V2\n",
    ]
    check_refusals("io/hostile_files", read_selectors, cases)


@pytest.mark.parametrize("text", ["a,y\nb,y\nc,y\n", "a,b\nc,y\nd,y\n", "a,b,c\nd,x\ne,x,\n", "T,F\nF,G\nT,G\n", "x,y\ny,x\nz,y\n"])
def test_features_called_x_or_y_are_no_marks(text):
    assert read_selections(text).sets == tuple(tuple(filter(None, line.split(","))) for line in text.split())


def test_a_title_above_lists_is_no_run_unless_other_names_have_blanks():
    for title, second, n_runs in (("Selected genes", "IL6", 3), ("IL 6", "IL 6", 4), ("run 1", "IL6", 4)):
        text = f"{title}\nALT,{second}\nALT,TNF\n{second},TNF\n"
        assert len(read_selections(text).runs) == n_runs
        assert not any(title in note for note in read_selections(text).notes), "it may name a person"


TITLES = {
    "a title": "Selected genes{}\n",
    "commas": "Selected genes, Köln, May 2024\n",
    "two lines": "Selected genes, May 2024\nBy R, 4.5\n",
}
BELOW = {
    "a tidy table": "run,gene\n1,ALT\n1,AST\n2,ALT\n3,AST\n3,TNF\n",
    "a tidy table with values": "run,gene,selected\n"
    + "".join(f"{i},{name},{(i + j) % 2}\n" for i in (1, 2) for j, name in enumerate("AB")),
    "a matrix": "run,ALT,AST,TNF,IL6\n1,1,0,1,1\n2,1,1,0,0\n3,0,0,0,1\n",
    "words": "ALT,AST,TNF,IL6,CRP\nyes,no,yes,no,no\nno,no,yes,yes,no\n",
    "lists": "ALT,AST\nALT\nTNF,AST,ALT\n",
}


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("below", BELOW)
def test_titles_above_selections_are_no_runs(title, below):
    """Excel writes a title with as many commas as the table below it has."""
    text, n_lines = BELOW[below], TITLES[title].count("\n")
    padding = "," * text.split("\n")[0].count(",")
    true, found = read_selections(text), read_selections(TITLES[title].format(padding) + text)
    assert (found.runs, found.features, found.sets) == (true.runs, true.features, true.sets)
    np.testing.assert_equal(found.matrix, true.matrix)
    said = [note for note in found.notes if note not in true.notes]
    assert [note[:7] for note in said] == [f"Line {line} " for line in range(1, n_lines + 1)]


@pytest.mark.parametrize(
    "text", ["Age\nWeight,Score\nAge,Weight\nWeight\n", '{"a": ["IL 6"], "b": ["TNF"], "c": ["ALT"], "d": []}']
)
def test_lists_whose_first_run_resembles_a_title_lose_no_run(text):
    assert len(read_selections(text).runs) == 4


def test_names_with_blanks_stay_whole():
    assert read_selections('[["IL 6"], ["TNF"], ["ALT"]]').features == ("ALT", "IL 6", "TNF")
    for text in ('["IL 6", "TNF", "ALT"]', "gene\nIL 6\nTNF\nALT\n", "IL 6\nTNF\nALT\n"):
        assert read_universe(text) == ("IL 6", "TNF", "ALT")
    found, _ = read_selection_files(files(("1.csv", "gene\nIL 6\nTNF\n"), ("2.txt", "genes\nIL 6\nVitamin D\n")))
    assert found["lists"].sets == (("IL 6", "TNF"), ("IL 6", "Vitamin D"))


@pytest.mark.parametrize(
    "text",
    [
        "TP53,KRAS,NA\nTP53,NA,NA\nKRAS,EGFR,MYC\n",
        '"run1","run2","run3"\n"TP53","TP53","KRAS"\n"KRAS",NA,"EGFR"\nNA,NA,"MYC"\n',
        "TP53,KRAS,None\nTP53,None,None\nKRAS,EGFR,MYC\n",
    ],
)
def test_cells_that_fill_short_lists_are_no_features(text):
    read = read_selections(text.encode(), "runs.csv")
    assert [len(names) for names in read.sets] == [2, 1, 3] and any("Read as empty: 3 cells" in note for note in read.notes)


def test_sodium_is_a_feature():
    for text in ("run,feature\n1,Na\n1,K\n2,Na\n3,K\n", "run,feature\n1,NA\n1,K\n2,NA\n3,K\n", "NA,K\nNA\nK\n"):
        read = read_selections(text)
        assert len(read.features) == 2 and [len(names) for names in read.sets] == [2, 1, 1]
    read = read_selections("run,feature\n1,NA\n2,K\n3,K\n")
    assert read.sets == ((), ("K",), ("K",)) and any("Read as empty: 1 cell" in note for note in read.notes)


@pytest.mark.parametrize("corner", ["", ","])
def test_lists_that_pandas_numbers_are_asked_about(corner):
    lines = ["TP53,KRAS,", "TP53,,", "KRAS,EGFR,MYC", "EGFR,,"]
    text = "\n".join([corner + "0,1,2", *(f"{i}," * bool(corner) + line for i, line in enumerate(lines))])
    with pytest.raises(Question) as question:
        read_selections(text)
    assert question.value.option == "runs_in"
    assert [len(names) for names in read_selections(text, runs_in="rows").sets] == [2, 1, 3, 1]
    assert len(read_selections("0,1,2\n1,4,5\n2,3,7\n").runs) == 3


MASKS = (
    "[[1, 0, 1],\n [0, 1, 1]]",
    "array([[1, 0, 1],\n       [0, 1, 1]])",
    "[[1 0 1]\n [0 1 1]]",
    "[[ True False  True]\n [False  True  True]]",
)


@pytest.mark.parametrize("text", MASKS)
def test_a_printed_array_is_a_matrix(text):
    np.testing.assert_array_equal(read_selections(text).matrix, [[1, 0, 1], [0, 1, 1]])


def test_the_line_below_names_in_markdown_is_no_run():
    read = read_selections("| run | feature |\n|:---|---:|\n| 1 | ALT |\n| 1 | AST |\n| 2 | ALT |\n")
    assert read.sets == (("ALT", "AST"), ("ALT",))


@pytest.mark.parametrize("text", ["Fold 1: 2 selected: ALT, AST\nFold 2: 1 selected: ALT\n", "ALT (0.91), AST (0.8)\nALT (0.7)\n"])
def test_names_with_other_words_or_values_are_asked_about(text):
    with pytest.raises(Question) as question:
        read_selections(text)
    assert question.value.option == "names_are"


@pytest.mark.parametrize("name", [name for name in SHAPES if "0/1" in SHAPES[name].name or "TRUE" in SHAPES[name].name])
def test_a_wrong_cell_is_refused(name):
    shape = SHAPES[name]
    for right, wrong in (("TRUE", "perhaps"), ("1", "?"), ("1", "1O")):
        text = content(shape).decode()
        head, _, tail = text.rpartition(right)
        if right in text and head.count("\n") > 1:
            with pytest.raises(InputError) as error:
                read_selectors((head + wrong + tail).encode(), shape.file, **shape.answers)
            assert wrong in str(error.value)


def test_names_of_runs_in_lists_are_no_features():
    found = read_selectors("lasso: run 1, ALT, AST\nlasso: run 2, ALT\nforest: run 1, AST\nforest: run 2, AST, ALT\n")
    assert {read.features for read in found.values()} == {("ALT", "AST")} and found["lasso"].runs == ("run 1", "run 2")


def files(*contents, **options):
    return [(text.encode(), {"label": name.rsplit(".")[0], "name": name, **options}) for name, text in contents]


def test_one_list_per_file_is_one_run_per_file():
    found, notes = read_selection_files(
        files(("list1.txt", "ALT\nAST\n"), ("list2.txt", "gene\nALT\nEGFR\n"), ("list3.csv", '"","x"\n"1","ALT"\n"2","TP53"\n'))
    )
    (read,) = found.values()
    assert read.sets == (("ALT", "AST"), ("ALT", "EGFR"), ("ALT", "TP53")) and list(found) == ["list"]
    assert read.features == ("ALT", "AST", "EGFR", "TP53")


@pytest.mark.parametrize(("options", "d"), [({"n_features": 10}, 10), ({"features": ("ALT", "AST", "EGFR", "TP53", "X", "Y")}, 6)])
def test_all_features_of_lists_can_be_given(options, d):
    found, notes = read_selection_files(files(("a.txt", "ALT\nAST\n"), ("b.txt", "ALT\nEGFR\n"), ("c.txt", "TP53\n"), **options))
    assert len(next(iter(found.values())).features) == d
    too_few = {"n_features": 2} if "n_features" in options else {"features": ("ALT", "AST")}
    with pytest.raises(InputError):
        read_selection_files(files(("a.txt", "ALT\nAST\n"), ("b.txt", "ALT\nEGFR\n"), **too_few))
    two, _ = read_selection_files(files(("a.csv", "ALT,AST\nALT,EGFR\n"), ("b.csv", "ALT,TP53\nALT,EGFR\n"), **options))
    assert {len(runs.features) for runs in two.values()} == {d} and len({runs.features for runs in two.values()}) == 1


def test_all_features_can_be_given_as_a_file():
    for text in ("ALT\nAST\n", "gene\nALT\nAST\n", "ALT, AST", '"","x"\n"1","ALT"\n"2","AST"\n'):
        assert read_universe(text) == read_universe(text.encode(), "all.csv") == ("ALT", "AST")
    for text in ("ALT,AST\nEGFR,TP53\n", "ALT, ALT"):
        with pytest.raises(InputError):
            read_universe(text)


def test_questions_and_errors_name_their_file():
    with pytest.raises(Question) as asked:
        read_selection_files(files(("a.csv", "a,b\n1,0\n0,1\n"), ("b.csv", "a,b\n5.1,3.5\n4.9,3.0\n")))
    assert asked.value.file == "b.csv"
    with pytest.raises(InputError):
        read_selection_files(files(("a.csv", "a,b\n1,0\n0,1\n"), ("b.csv", "a,b\n1,0\n1,what\n")))
    with pytest.raises(Question) as asked:
        read_selection_files(files(("a.txt", "ALT\nAST\n")))
    assert asked.value.file == "a.txt"


def test_files_with_another_order_of_features_are_aligned():
    found, notes = read_selection_files(files(("a.csv", "p,q,r\n1,0,0\n0,1,0\n"), ("b.csv", "r,p,q\n1,0,0\n0,0,1\n")))
    assert found["b"].features == ("p", "q", "r") and found["b"].matrix.tolist() == [[0, 0, 1], [0, 1, 0]]


def test_lists_take_names_and_features_from_the_table():
    found, notes = read_selection_files(
        files(("a.txt", "il.6, ALT, GONE\nALT\n")),
        table=("ALT", "IL-6", "TNF", "age"),
        columns=("id", "ALT", "IL-6", "TNF", "age", "outcome"),
    )
    (read,) = found.values()
    assert read.sets == (("IL-6", "ALT", "GONE"), ("ALT",)) and read.features == ("ALT", "IL-6", "TNF", "age", "GONE")
    with pytest.raises(InputError):
        read_selection_files(files(("a.csv", "p,q\n1,0\n0,1\n")), columns=("ALT", "AST"))


def test_a_matrix_keeps_its_own_features():
    names = ("ALT", "16S", "TNF")
    found, _ = read_selection_files(files(("a.csv", "ALT,X16S\n1,0\n0,1\n")), table=names, columns=names)
    assert next(iter(found.values())).features == ("ALT", "16S")
