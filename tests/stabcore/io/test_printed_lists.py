"""Lists printed or written by R and Python, matrices printed by R, and output of R models."""

import pytest
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.orientation import recognise_transposed
from stabcore.io.selection_files import read_selection_files
from stabcore.io.selections import read_selectors
from stabcore.io.table import read_table

PRINTED = '[[1]]\n[1] "TP53"    "HLA-DRA"\n[3] "EGFR"\n\n[[2]]\n[1] "TP53"\n\n[[3]]\ncharacter(0)\n\n'
SETS = (("TP53", "HLA-DRA", "EGFR"), ("TP53",), ())


@pytest.mark.parametrize(
    "text",
    [
        PRINTED,
        PRINTED.replace("\n", "\r\n"),
        PRINTED.replace('"', ""),
        PRINTED.replace("[[1]]", "$Fold1").replace("[[2]]", "$`Fold 2`").replace("[[3]]", "$Fold3"),
    ],
)
def test_a_list_printed_by_r_has_one_run_per_entry(text):
    runs = read_selectors(text)[""]
    assert runs.sets == SETS and set(runs.features) == {"TP53", "HLA-DRA", "EGFR"}
    assert list(runs.runs) == (["Fold1", "Fold 2", "Fold3"] if "Fold" in text else ["run 1", "run 2", "run 3"])


BLOCKS = "      a.b c\n[1,]    1 0\n[2,]    0 1\n     d\n[1,] 1\n[2,] 1\n"


@pytest.mark.parametrize("text", [BLOCKS, BLOCKS.replace("\n", "\r\n"), BLOCKS.replace("[1,]", "Fold1").replace("[2,]", "Fold2")])
@pytest.mark.parametrize("source", ["pasted", "file"])
def test_a_matrix_printed_in_blocks_is_joined(text, source):
    runs = (read_selectors(text) if source == "pasted" else read_selectors(text.encode(), "z.txt"))[""]
    assert runs.features == ("a.b", "c", "d") and runs.matrix.tolist() == [[1, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b'{"run 1": ["ALT", "AST"], "run 2": ["ALT"]}', "mine.json"),
        (b'list(`run 1` = c("ALT", "AST"), `run 2` = "ALT")', "mine.R"),
    ],
)
def test_json_and_r_files_are_read_by_extension(text, name):
    runs = read_selectors(text, name)[""]
    assert runs.sets == (("ALT", "AST"), ("ALT",)) and tuple(runs.runs) == ("run 1", "run 2")


def test_other_json_and_r_files_are_refused_with_advice():
    cases = [(b'{"a": 1}', "a.json"), (b"[1, 2", "a.json"), (b"x <- 3", "a.R"), (b"a,b\n1,0\n", "a.r")]
    check_refusals("io/wrong_files_of_r_and_json", read_selectors, cases)


def test_tables_in_r_and_json_are_refused_with_advice():
    cases = [
        *('structure(list(a = c(1, 2)), class = "data.frame")', "data.frame(a = 1)"),
        *('[{"a": 1}, {"a": 2}]', '{"a": [1, 2]}', "list(a = c(1, 2), b = c(2, 1))"),
    ]
    name = "io/wrong_tables_of_r_and_json"
    check_refusals(name, lambda text: read_table(text.encode(), "a.txt"), cases)


RUNS = (("TP53", "KRAS"), ("TP53", "EGFR", "MYC"), ("KRAS", "EGFR"))
SHAPES = {
    "vectors of R": 'c("TP53", "KRAS")\nc("TP53", "EGFR", "MYC")\nc("KRAS", "EGFR")\n',
    "vectors with a name": 'run1 <- c("TP53", "KRAS")\nrun2 <- c("TP53", "EGFR",\n          "MYC")\n'
    "run3 = c('KRAS', 'EGFR')  # last\n",
    "Index of pandas": "Index(['TP53', 'KRAS'], dtype='object')\nIndex(['TP53', 'EGFR', 'MYC'], dtype='object', name='gene')\n"
    "Index(['KRAS', 'EGFR'], dtype='str', length=2)\n",
    "array of NumPy": "array(['TP53', 'KRAS'], dtype=object)\n"
    "array(['TP53', 'EGFR',\n       'MYC'], dtype='<U4')\narray(['KRAS', 'EGFR'])",
    "NumPy without commas": "['TP53' 'KRAS']\n['TP53' 'EGFR'\n 'MYC']\n['KRAS' 'EGFR']\n",
    "lists in a dict": "{'a': ['TP53', 'KRAS'], 'b': ['TP53', 'EGFR', 'MYC'], 'c': ['KRAS', 'EGFR']}",
    "sets in a list": "runs = [{'TP53', 'KRAS'}, {'TP53', 'EGFR', 'MYC'}, frozenset({'KRAS', 'EGFR'})]",
    "numbered lines": "1. TP53, KRAS\n2. TP53, EGFR, MYC\n3. KRAS, EGFR\n",
    "bullets": "- TP53, KRAS\n- TP53, EGFR, MYC\n- KRAS, EGFR\n",
    "a console of R": '> print(selected)\n[1] "TP53" "KRAS"\n[1] "TP53" "EGFR"\n[3] "MYC"\n[1] "KRAS" "EGFR"\n> \n',
    "a list at a console of R": '> s\n[[1]]\n[1] "TP53" "KRAS"\n\n[[2]]\n[1] "TP53" "EGFR" "MYC"\n\n[[3]]\n[1] "KRAS" "EGFR"\n\n> ',
    "a notebook": "In [3]: s\nOut[3]: \n[['TP53', 'KRAS'], ['TP53', 'EGFR', 'MYC'], ['KRAS', 'EGFR']]\n",
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lists_of_r_and_python_are_one_run_each(name, end):
    text = SHAPES[name].replace("\n", end)
    for source in (text, text.encode()):
        (selections,) = read_selectors(source, "lists.txt").values()
        assert selections.kind == "sets" and list(map(set, selections.sets)) == list(map(set, RUNS))
        assert set(selections.features) == set().union(*RUNS)


def test_an_empty_run_is_kept():
    for text in ("{'A', 'B'}\nset()\n{'A'}", 'c("A", "B")\ncharacter(0)\nc("A")', "['A', 'B']\n[]\n['A']"):
        assert [len(chosen_set) for chosen_set in read_selectors(text)[""].sets] == [2, 0, 1]


def test_numbers_of_features_and_ranges():
    assert read_selectors("c(1, 4, 7)\nc(2L, 4L)\n3:5\n")[""].sets == (("1", "4", "7"), ("2", "4"), ("3", "4", "5"))
    assert read_selectors("array([0, 3, 5])\narray([1, 3])\n")[""].sets == (("0", "3", "5"), ("1", "3"))


@pytest.mark.parametrize(
    "name", ['6" rod', "CRP [mg/l]", "a<-b", "[1]", "print(x", "x)", "c(a)", "'a", "3'", "{b}", "dtype=object"]
)
def test_names_that_look_like_code_are_asked_about(name):
    text = f"TP53,{name},KRAS\nTP53,{name}\nEGFR,KRAS\n"
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert asked.value.option == "names_are" and len(asked.value.names) == 1
    assert len(read_selectors(text, names_are="features")[""].features) == 4


def test_names_that_a_table_has_are_not_asked_about():
    text = b"TP53,CRP [mg/l]\nTP53,CRP [mg/l],EGFR\n"
    found, _ = read_selection_files([(text, {"label": "a", "name": "a.txt"})], (), ["TP53", "CRP [mg/l]", "EGFR", "y"])
    assert list(found) == ["a"]
    assert read_selectors(text, features=["TP53", "CRP [mg/l]", "EGFR"])[""].sets[0] == ("TP53", "CRP [mg/l]")
    assert read_selectors(b"TP53,5'-HT,log(CRP)\nTP53,5'-HT\n")[""].sets[1] == ("TP53", "5'-HT")


def test_columns_of_a_matrix_may_hold_units():
    assert read_selectors("run,CRP [mg/l],ALT\n1,1,0\n2,1,1\n")[""].features == ("CRP [mg/l]", "ALT")
    with pytest.raises(Question) as asked:
        read_selectors("run,x <- y,ALT\n1,1,0\n2,1,1\n")
    assert asked.value.option == "names_are"


def test_two_lists_of_one_run_are_asked_about():
    text = "run,features\n1,A|B\n2,A|C\n1,A|C\n2,B|C\n"
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert asked.value.option == "cell_is"
    with pytest.raises(InputError):
        read_selectors(text, cell_is="list")
    assert set(read_selectors(text, cell_is="name")[""].features) == {"A|B", "A|C", "B|C"}


def test_unknown_columns_of_numbers_are_asked_about():
    rows = [(1, "A", 0.5, 7, 0.8), (1, "B", 0.0, 9, 0.8), (2, "A", 0.0, 7, 0.7), (2, "B", 0.2, 9, 0.7)]
    text = "run,feature,zeta,position,auc\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert asked.value.option == "value_column" and list(asked.value.answers) == ["zeta", ""]
    assert read_selectors(text, value_column="zeta")[""].matrix.tolist() == [[0.5, 0.0], [0.0, 0.2]]
    assert read_selectors(text, value_column="")[""].sets == (("A", "B"), ("A", "B"))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ('list(fold1 = c("A", "B",\n"C"), fold2 = c("A", \n"C"), fold3 = "A")\n', ("fold1", "fold2", "fold3")),
        ('sel <- list(c("A", "B", "C"), c("A", "C"), "A")', ("run 1", "run 2", "run 3")),
        ('structure(list(c("A", "B", "C"), c("A", "C"), "A"), names = c("f1", \n"f2", "f3"))', ("f1", "f2", "f3")),
        ('list(`f 1` = list("A", "B", "C"), "f 2" = c("A", "C"), f3 = "A")', ("f 1", "f 2", "f3")),
        ('structure(list(a = c("A", "B", "C"), b = c("A", "C"), d = "A"), .Names = c("a", "b", "d"))', ("a", "b", "d")),
    ],
)
def test_output_of_dput_has_one_run_per_vector(text, runs):
    selections = read_selectors(text.encode(), "dput.txt")[""]
    assert selections.sets == (("A", "B", "C"), ("A", "C"), ("A",)) and selections.runs == runs


def test_other_lists_of_dput_are_refused_with_r_code():
    cases = [
        *("list(a = c(X = 0.3, Y = 0.1), b = c(X = 1))", 'structure(list(run = 1:2, gene = c("A", "B")), class = "data.frame")'),
        *('list(c("A", "B"), c("A"', 'list(list(list("A")), list("B"))', 'structure(list("A", "B"), names = c("f1", f2))'),
    ]
    check_refusals("io/wrong_lists_of_dput", read_selectors, cases)


@pytest.mark.parametrize(
    "text",
    [
        "run,feature\n1,(Intercept)\n1,A\n2,(Intercept)\n2,A\n2,B\n",
        "(Intercept),A\n(Intercept),A,B\n",
        "run,(Intercept),A,B\nrun1,1,1,0\nrun2,1,1,1\n",
    ],
)
def test_the_intercept_is_no_feature(text):
    assert read_selectors(text)[""].features == ("A", "B")


@pytest.mark.parametrize("head", ["run,term,estimate", "run,feature,value", "run,term,coef"])
def test_long_tables_of_coefficients_give_absolute_values(head):
    selections = read_selectors(f"{head}\n1,(Intercept),3\n1,A,0.5\n2,A,-0.2\n2,B,0.1\n2,(Intercept),1\n")[""]
    assert selections.features == ("A", "B") and selections.matrix.tolist() == [[0.5, 0], [0.2, 0.1]]


SIGNED = "run1,A,-0.3\nrun1,B,0\nrun1,C,1\nrun2,A,0.2\nrun2,B,0\nrun2,C,1\n"


@pytest.mark.parametrize("text", ["run,A,B,C\nrun1,-0.3,0,1\nrun2,0.2,0,1\n", f"run,feature,value\n{SIGNED}"])
def test_coefficients_without_intercept_are_asked_about(text):
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert asked.value.option == "kind" and list(asked.value.answers) == ["coefficients", "scores"]
    selections = read_selectors(text, kind="coefficients")[""]
    assert selections.kind == "importances" and selections.matrix.tolist() == [[0.3, 0, 1], [0.2, 0, 1]]
    assert read_selectors(text, kind="scores")[""].matrix.min() == -0.3


def test_repeated_row_names_are_a_column():
    symbols = [*(f"G{i}" for i in range(100)), "G1", "G7"]
    text = "\n".join(['"","S1","S2"', *(f'"{symbol}",1,2' for symbol in symbols)])
    assert read_table(text.encode(), "expression.csv").frame.columns[0] == "row name"


@pytest.mark.parametrize("cells", ["a,b,a,b,a,b", "0,1,2,0,1,2"])
def test_an_ambiguous_unnamed_column_is_refused(cells):
    with pytest.raises(InputError):
        read_table("\n".join([",x", *(f"{cell},1" for cell in cells.split(","))]).encode(), "t.csv")


def test_gene_annotations_are_no_samples():
    head = ["Geneid", "Chr", "Start", "End", "Strand", "Length", *(f"S{i}.bam" for i in range(6))]
    rows = [[f"ENSG{i:011d}", "chr1", 100 * i, 100 * i + 50, "+", 51, *((i * j) % 97 for j in range(6))] for i in range(30)]
    text = "\n".join("\t".join(map(str, row)) for row in [head, *rows])
    assert recognise_transposed(read_table(text.encode(), "counts.txt").frame).naming == tuple(head[:6])
