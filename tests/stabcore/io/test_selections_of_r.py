"""What R's screen, dput and models give: read as it was meant, or refused; never read as something else without a word."""

import pytest
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.orientation import recognise
from stabcore.io.selections import read_selectors
from stabcore.io.table import read_table


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ('list(fold1 = c("A", "B",\n"C"), fold2 = c("A", \n"C"), fold3 = "A")\n', ("fold1", "fold2", "fold3")),
        ('sel <- list(c("A", "B", "C"), c("A", "C"), "A")', ("run 1", "run 2", "run 3")),
        ('structure(list(c("A", "B", "C"), c("A", "C"), "A"), names = c("f1", \n"f2", "f3"))', ("f1", "f2", "f3")),
        ('structure(list(a = c("A", "B", "C"), b = c("A", "C"), d = "A"), .Names = c("a", "b", "d"))', ("a", "b", "d")),
    ],
)
def test_what_dput_broke_over_lines_or_wrapped_in_structure_is_one_run_a_vector(text, runs):
    selections = read_selectors(text.encode(), "dput.txt")[""]
    assert selections.sets == (("A", "B", "C"), ("A", "C"), ("A",)) and selections.runs == runs


def test_another_list_of_dput_is_refused_with_the_line_that_writes_it_in_r():
    def call(text):
        read_selectors(text)

    cases = [
        "list(a = c(X = 0.3, Y = 0.1), b = c(X = 1))",
        'structure(list(run = 1:2, gene = c("A", "B")), class = "data.frame")',
        'list(c("A", "B"), c("A"',
        'list(list("A"), list("B"))',
    ]
    check_refusals("io/another_list_of_dput_is_refused_with_the_line_that_writes_it", call, cases)


@pytest.mark.parametrize(
    "text",
    [
        "run,feature\n1,(Intercept)\n1,A\n2,(Intercept)\n2,A\n2,B\n",
        "(Intercept),A\n(Intercept),A,B\n",
        "run,(Intercept),A,B\nrun1,1,1,0\nrun2,1,1,1\n",
    ],
)
def test_the_constant_of_a_model_is_no_feature_in_any_shape(text):
    selections = read_selectors(text)[""]
    assert selections.features == ("A", "B")


@pytest.mark.parametrize("head", ["run,term,estimate", "run,feature,value", "run,term,coef"])
def test_a_long_table_of_coefficients_is_read_by_their_sizes_without_the_constant(head):
    selections = read_selectors(f"{head}\n1,(Intercept),3\n1,A,0.5\n2,A,-0.2\n2,B,0.1\n2,(Intercept),1\n")[""]
    assert selections.features == ("A", "B") and selections.matrix.tolist() == [[0.5, 0], [0.2, 0.1]]


SIGNED = "run1,A,-0.3\nrun1,B,0\nrun1,C,1\nrun2,A,0.2\nrun2,B,0\nrun2,C,1\n"


@pytest.mark.parametrize("text", ["run,A,B,C\nrun1,-0.3,0,1\nrun2,0.2,0,1\n", f"run,feature,value\n{SIGNED}"])
def test_coefficients_without_a_constant_are_asked_about_and_the_answer_reads_their_sizes(text):
    with pytest.raises(Question) as asked:
        read_selectors(text)
    assert asked.value.option == "kind" and list(asked.value.answers) == ["coefficients", "scores"]
    selections = read_selectors(text, kind="coefficients")[""]
    assert selections.kind == "importances" and selections.matrix.tolist() == [[0.3, 0, 1], [0.2, 0, 1]]
    assert read_selectors(text, kind="scores")[""].matrix.min() == -0.3


def symbols(again):
    return "\n".join(['"","S1","S2"', *(f'"{name}",1,2' for name in [*(f"G{i}" for i in range(100)), *again])]).encode()


def test_row_names_of_genes_of_which_a_few_come_twice_are_a_column_with_a_note():
    reading = read_table(symbols(["G1", "G7"]), "expression.csv")
    assert reading.frame.columns[0] == "row name"


@pytest.mark.parametrize("cells", ["a,b,a,b,a,b", "0,1,2,0,1,2"])
def test_a_first_column_without_a_name_that_may_be_a_class_or_a_counter_still_asks_for_one(cells):
    with pytest.raises(InputError):
        read_table("\n".join([",x", *(f"{cell},1" for cell in cells.split(","))]).encode(), "t.csv")


def test_a_table_of_write_table_is_read_whatever_the_file_is_called():
    text = '"age" "CRP" "outcome"\n' + "".join(f'"P{i}" {i} {i}.5 "ill"\n' for i in range(4))
    reading = read_table(text.encode(), "t.csv")
    assert list(reading.frame) == ["row name", "age", "CRP", "outcome"]


def test_what_feature_counts_tells_of_the_genes_is_no_sample():
    head = ["Geneid", "Chr", "Start", "End", "Strand", "Length", *(f"S{i}.bam" for i in range(6))]
    rows = [[f"ENSG{i:011d}", "chr1", 100 * i, 100 * i + 50, "+", 51, *((i * j) % 97 for j in range(6))] for i in range(30)]
    text = "\n".join("\t".join(map(str, row)) for row in [head, *rows])
    assert recognise(read_table(text.encode(), "counts.txt").frame).naming == tuple(head[:6])
