"""Layouts of selection files are read correctly, some of them after a question."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection_shapes_support import SETS, read_selections, shapes
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
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


# ---- lists and matrices, as programs and people write them ----

PRINTED = '[[1]]\n[1] "TP53"    "HLA-DRA"\n[3] "EGFR"\n\n[[2]]\n[1] "TP53"\n\n[[3]]\ncharacter(0)\n\n'
FOLDS = PRINTED.replace("[[1]]", "$Fold1").replace("[[2]]", "$`Fold 2`").replace("[[3]]", "$Fold3")
OF_R = (("TP53", "HLA-DRA", "EGFR"), ("TP53",), ())
RUNS = (("TP53", "KRAS"), ("TP53", "EGFR", "MYC"), ("KRAS", "EGFR"))
EMPTY = (("A", "B"), (), ("A",))
DPUT = (("A", "B", "C"), ("A", "C"), ("A",))
TWO = (("ALT", "AST"), ("ALT",))
LISTS = [  # (text, features of its runs, names of the runs if they have any)
    *((PRINTED, OF_R, ("run 1", "run 2", "run 3")), (PRINTED.replace('"', ""), OF_R), (FOLDS, OF_R, ("Fold1", "Fold 2", "Fold3"))),
    # R
    ('c("TP53", "KRAS")\nc("TP53", "EGFR", "MYC")\nc("KRAS", "EGFR")\n', RUNS),
    ('run1 <- c("TP53", "KRAS")\nrun2 <- c("TP53", "EGFR",\n          "MYC")\nrun3 = c(\'KRAS\', \'EGFR\')  # last\n', RUNS),
    ('> print(selected)\n[1] "TP53" "KRAS"\n[1] "TP53" "EGFR"\n[3] "MYC"\n[1] "KRAS" "EGFR"\n> \n', RUNS),
    ('> s\n[[1]]\n[1] "TP53" "KRAS"\n\n[[2]]\n[1] "TP53" "EGFR" "MYC"\n\n[[3]]\n[1] "KRAS" "EGFR"\n\n> ', RUNS),
    ('c("A", "B")\ncharacter(0)\nc("A")', EMPTY),
    ("c(1, 4, 7)\nc(2L, 4L)\n3:5\n", (("1", "4", "7"), ("2", "4"), ("3", "4", "5"))),
    ('list(fold1 = c("A", "B",\n"C"), fold2 = c("A", \n"C"), fold3 = "A")\n', DPUT, ("fold1", "fold2", "fold3")),
    ('sel <- list(c("A", "B", "C"), c("A", "C"), "A")', DPUT, ("run 1", "run 2", "run 3")),
    ('structure(list(c("A", "B", "C"), c("A", "C"), "A"), names = c("f1", \n"f2", "f3"))', DPUT, ("f1", "f2", "f3")),
    ('list(`f 1` = list("A", "B", "C"), "f 2" = c("A", "C"), f3 = "A")', DPUT, ("f 1", "f 2", "f3")),
    ('structure(list(a = c("A", "B", "C"), b = c("A", "C"), d = "A"), .Names = c("a", "b", "d"))', DPUT, ("a", "b", "d")),
    # Python
    (
        "Index(['TP53', 'KRAS'], dtype='object')\nIndex(['TP53', 'EGFR', 'MYC'], dtype='object', name='gene')\n"
        "Index(['KRAS', 'EGFR'], dtype='str', length=2)\n",
        RUNS,
    ),
    ("array(['TP53', 'KRAS'], dtype=object)\narray(['TP53', 'EGFR',\n       'MYC'], dtype='<U4')\narray(['KRAS', 'EGFR'])", RUNS),
    ("['TP53' 'KRAS']\n['TP53' 'EGFR'\n 'MYC']\n['KRAS' 'EGFR']\n", RUNS),
    ("{'a': ['TP53', 'KRAS'], 'b': ['TP53', 'EGFR', 'MYC'], 'c': ['KRAS', 'EGFR']}", RUNS),
    ("runs = [{'TP53', 'KRAS'}, {'TP53', 'EGFR', 'MYC'}, frozenset({'KRAS', 'EGFR'})]", RUNS),
    ("In [3]: s\nOut[3]: \n[['TP53', 'KRAS'], ['TP53', 'EGFR', 'MYC'], ['KRAS', 'EGFR']]\n", RUNS),
    *(("{'A', 'B'}\nset()\n{'A'}", EMPTY), ("['A', 'B']\n[]\n['A']", EMPTY)),
    ("array([0, 3, 5])\narray([1, 3])\n", (("0", "3", "5"), ("1", "3"))),
    ('[["IL 6"], ["TNF"], ["ALT"]]', (("IL 6",), ("TNF",), ("ALT",))),
    ('{"a": ["IL 6"], "b": ["TNF"], "c": ["ALT"], "d": []}', (("IL 6",), ("TNF",), ("ALT",), ()), ("a", "b", "c", "d")),
    # people
    *(("1. TP53, KRAS\n2. TP53, EGFR, MYC\n3. KRAS, EGFR\n", RUNS), ("- TP53, KRAS\n- TP53, EGFR, MYC\n- KRAS, EGFR\n", RUNS)),
    ("a,b\n\nb\n\n", (("a", "b"), (), ("b",))),
    ("1,5,9\n2,5\n3", (("1", "5", "9"), ("2", "5"), ("3",))),
    ("| run | feature |\n|:---|---:|\n| 1 | ALT |\n| 1 | AST |\n| 2 | ALT |\n", TWO),
    *(
        ("run1,ALT\nrun1,AST\nrun2,ALT\n", TWO),
        ("1,ALT\n1,AST\n2,ALT\n", TWO),
        ("ALT\t1\nAST\t1\nALT\t2\n", TWO),
    ),  # without a header
    ("ALT,AST\nALT,AST\nEGFR,AST\n", (("ALT", "AST"), ("ALT", "AST"), ("EGFR", "AST"))),
    ("run1,ALT\nrun2,AST\nrun3,ALT\n", (("ALT",), ("AST",), ("ALT",)), ("run1", "run2", "run3")),
    ("Age\nWeight,Score\nAge,Weight\nWeight\n", (("Age",), ("Weight", "Score"), ("Age", "Weight"), ("Weight",))),  # no title
    # names that resemble something else
    ("run,feature\n1,(Intercept)\n1,A\n2,(Intercept)\n2,A\n2,B\n", (("A",), ("A", "B"))),
    ("(Intercept),A\n(Intercept),A,B\n", (("A",), ("A", "B"))),
    ("run,feature\n1,Na\n1,K\n2,Na\n3,K\n", (("Na", "K"), ("Na",), ("K",))),
    *((text, (("NA", "K"), ("NA",), ("K",))) for text in ("run,feature\n1,NA\n1,K\n2,NA\n3,K\n", "NA,K\nNA\nK\n")),
    ("a,y\nb,y\nc,y\n", (("a", "y"), ("b", "y"), ("c", "y"))),
    ("a,b\nc,y\nd,y\n", (("a", "b"), ("c", "y"), ("d", "y"))),
    ("a,b,c\nd,x\ne,x,\n", (("a", "b", "c"), ("d", "x"), ("e", "x"))),
    *(("T,F\nF,G\nT,G\n", (("T", "F"), ("F", "G"), ("T", "G"))), ("x,y\ny,x\nz,y\n", (("x", "y"), ("y", "x"), ("z", "y")))),
    ("TP53,5'-HT,log(CRP)\nTP53,5'-HT\n", (("TP53", "5'-HT", "log(CRP)"), ("TP53", "5'-HT"))),
]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("row", LISTS, ids=range(len(LISTS)))
def test_lists_are_the_features_of_their_runs(row, end):
    text, sets, *runs = row
    for source in (text.replace("\n", end), text.replace("\n", end).encode()):
        found = read_selections(source, "lists.txt")
        assert found.kind == "sets" and list(map(set, found.sets)) == list(map(set, sets))
        assert set(found.features) == set().union(*sets) and (not runs or tuple(found.runs) == runs[0])


BLOCKS = "      a.b c\n[1,]    1 0\n[2,]    0 1\n     d\n[1,] 1\n[2,] 1\n"
MASK = [[1, 0, 1], [0, 1, 1]]
LONG = "\n1,(Intercept),3\n1,A,0.5\n2,A,-0.2\n2,B,0.1\n2,(Intercept),1\n"
MATRICES = [  # (text, names of its features, matrix)
    *((text, ("a.b", "c", "d"), MASK) for text in (BLOCKS, BLOCKS.replace("[1,]", "Fold1").replace("[2,]", "Fold2"))),
    *((text, None, MASK) for text in ("[[1, 0, 1],\n [0, 1, 1]]", "array([[1, 0, 1],\n       [0, 1, 1]])", "[[1 0 1]\n [0 1 1]]")),
    ("[[ True False  True]\n [False  True  True]]", None, MASK),
    *((head + LONG, ("A", "B"), [[0.5, 0], [0.2, 0.1]]) for head in ("run,term,estimate", "run,feature,value", "run,term,coef")),
    ("run,(Intercept),A,B\nrun1,1,1,0\nrun2,1,1,1\n", ("A", "B"), [[1, 0], [1, 1]]),
    ("run,CRP [mg/l],ALT\n1,1,0\n2,1,1\n", ("CRP [mg/l]", "ALT"), [[1, 0], [1, 1]]),
    ("1;ALT;0,5\n1;AST;0,2\n2;ALT;0,5\n", ("ALT", "AST"), [[0.5, 0.2], [0.5, 0]]),
]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("row", MATRICES, ids=range(len(MATRICES)))
def test_matrices_have_their_features_and_numbers(row, end):
    text, features, matrix = row
    for source in (text.replace("\n", end), text.replace("\n", end).encode()):
        found = read_selections(source, "z.txt")
        assert found.matrix.tolist() == matrix and features in (None, found.features)


SIGNED = "run1,A,-0.3\nrun1,B,0\nrun1,C,1\nrun2,A,0.2\nrun2,B,0\nrun2,C,1\n"
COEFFICIENTS = {"coefficients": [[0.3, 0, 1], [0.2, 0, 1]], "scores": [[-0.3, 0, 1], [0.2, 0, 1]]}
ZETA = [(1, "A", 0.5, 7, 0.8), (1, "B", 0.0, 9, 0.8), (2, "A", 0.0, 7, 0.7), (2, "B", 0.2, 9, 0.7)]
NUMBERED = ["TP53,KRAS,", "TP53,,", "KRAS,EGFR,MYC", "EGFR,,"]
QUESTIONS = [  # (text, what is asked about, {answer: what is read then, InputError if that is refused})
    ("run,feature,importance,selected\n1,a,0.5,1\n2,b,0.1,0\n", "value_column", {}),
    (
        "run,feature,zeta,position,auc\n" + "".join(",".join(map(str, row)) + "\n" for row in ZETA),
        "value_column",
        {"zeta": [[0.5, 0.0], [0.0, 0.2]], "": (("A", "B"), ("A", "B"))},
    ),
    ("Var1,Var2,value\nx,a,1\nx,b,0\ny,a,0\ny,b,1\n", "run_column", {}),
    *(("a,b\n5.1,3.5\n4.9,3.0\n", "kind", {}), ("1,2,3\n3,1,2\n", "kind", {})),
    *(("run,A,B,C\nrun1,-0.3,0,1\nrun2,0.2,0,1\n", "kind", COEFFICIENTS), (f"run,feature,value\n{SIGNED}", "kind", COEFFICIENTS)),
    *(("ALT\nAST\nEGFR\n", "list_is", {}), ('"","x"\n"1","ALT"\n"2","AST"\n', "list_is", {})),
    *(
        (text, "empty_runs", {})
        for text in ("run,feature\n1,a\n2,b\n4,a\n", "selector,run,feature\nA,1,a\nA,2,b\nA,3,b\nB,1,a\nB,2,a\n")
    ),
    *(
        (
            "\n".join([corner + "0,1,2", *(f"{i}," * bool(corner) + line for i, line in enumerate(NUMBERED))]),
            "runs_in",
            {"rows": (("TP53", "KRAS"), ("TP53",), ("KRAS", "EGFR", "MYC"), ("EGFR",))},
        )
        for corner in ("", ",")  # as pandas numbers lists
    ),
    ("run,features\n1,A|B\n2,A|C\n1,A|C\n2,B|C\n", "cell_is", {"list": InputError, "name": (("A|B", "A|C"), ("A|C", "B|C"))}),
    *(
        ("Fold 1: 2 selected: ALT, AST\nFold 2: 1 selected: ALT\n", "names_are", {}),
        ("ALT (0.91), AST (0.8)\nALT (0.7)\n", "names_are", {}),
    ),
    ("run,x <- y,ALT\n1,1,0\n2,1,1\n", "names_are", {}),
    *(
        (
            f"TP53,{name},KRAS\nTP53,{name}\nEGFR,KRAS\n",
            "names_are",
            {"features": (("TP53", name, "KRAS"), ("TP53", name), ("EGFR", "KRAS"))},
        )
        for name in ('6" rod', "CRP [mg/l]", "a<-b", "[1]", "print(x", "x)", "c(a)", "'a", "3'", "{b}", "dtype=object")
    ),
    *(
        (text, "alike_names", {"join": (("ALT", "AST"), ("ALT", *more)), "keep": (("ALT", "AST"), ("ALT\u200b", *more))})
        for text, more in (("ALT, AST\nALT\u200b, EGFR\n", ("EGFR",)), ("run,feature\n1,ALT\n1,AST\n2,ALT\u200b\n", ()))
    ),
]


@pytest.mark.parametrize("row", QUESTIONS, ids=range(len(QUESTIONS)))
def test_ambiguous_files_are_asked_about(row):
    text, option, expected = row
    with pytest.raises(Question) as asked:
        read_selections(text)
    assert asked.value.option == option and set(expected) <= set(asked.value.answers)
    for answer in {*asked.value.answers, *expected}:
        try:
            found, *_ = read_selectors(text, **{option: answer}).values()
        except InputError as error:
            assert not isinstance(error, Question) or error.option != option
            assert expected.get(answer, InputError) is InputError
        else:
            assert expected.get(answer) in (None, found.sets, found.matrix if found.matrix is None else found.matrix.tolist())


# ---- titles, short lists, and what resembles a table of another kind ----


def test_a_title_above_lists_is_no_run_unless_other_names_have_blanks():
    for title, second, n_runs in (("Selected genes", "IL6", 3), ("IL 6", "IL 6", 4), ("run 1", "IL6", 4)):
        read = read_selections(f"{title}\nALT,{second}\nALT,TNF\n{second},TNF\n")
        assert len(read.runs) == n_runs and not any(title in note for note in read.notes), "it may name a person"


TITLES = {
    "a title": "Selected genes{}\n",
    "commas": "Selected genes, Köln, May 2024\n",
    "two lines": "Selected genes, May 2024\nBy R, 4.5\n",
}
BELOW = {
    "a tidy table": "run,gene\n1,ALT\n1,AST\n2,ALT\n3,AST\n3,TNF\n",
    "a tidy table with values": "run,gene,selected\n1,A,1\n1,B,0\n2,A,0\n2,B,1\n",
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
    ("text", "sizes"),
    [
        ("TP53,KRAS,NA\nTP53,NA,NA\nKRAS,EGFR,MYC\n", [2, 1, 3]),
        ('"run1","run2","run3"\n"TP53","TP53","KRAS"\n"KRAS",NA,"EGFR"\nNA,NA,"MYC"\n', [2, 1, 3]),
        ("TP53,KRAS,None\nTP53,None,None\nKRAS,EGFR,MYC\n", [2, 1, 3]),
        ("run,feature\n1,NA\n2,K\n3,K\n", [0, 1, 1]),
    ],
)
def test_cells_that_fill_short_lists_are_no_features(text, sizes):
    read = read_selections(text.encode(), "runs.csv")
    assert [len(names) for names in read.sets] == sizes and not {"NA", "None"} & set(read.features)
    assert any(f"Read as empty: {3 if sizes[0] else 1} cell" in note for note in read.notes)


def test_names_of_runs_in_lists_are_no_features():
    found = read_selectors("lasso: run 1, ALT, AST\nlasso: run 2, ALT\nforest: run 1, AST\nforest: run 2, AST, ALT\n")
    assert {read.features for read in found.values()} == {("ALT", "AST")} and found["lasso"].runs == ("run 1", "run 2")


def test_a_row_of_numbers_under_numbers_is_a_list():
    assert len(read_selections("0,1,2\n1,4,5\n2,3,7\n").runs) == 3


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.integers(2, 8), st.randoms(use_true_random=False))
def test_matrices_survive(n_runs, d, random):
    values = [[random.choice([0, 0, 0.25, 0.5, 3.75]) for _ in range(d)] for _ in range(n_runs)]
    values[0][:2] = 0.125, 0
    text = "\n".join([",".join(f"m{j}" for j in range(d)), *(",".join(map(str, row)) for row in values)])
    found = read_selections(text)
    assert found.kind == "importances" and found.matrix.tolist() == values


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sets(st.sampled_from(["IL 6", "TNF", "a-b", "µg", "![x](y)", "<b>"]), min_size=1), min_size=2, max_size=6))
def test_sets_survive(sets):
    found = read_selections("\n".join("\t".join(["x", *sorted(members)]) for members in sets), kind="sets", names_are="features")
    assert [set(members) - {"x"} for members in found.sets] == sets


# ---- what is refused ----


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
