"""Tables that ranger, Boruta and other packages of R give of one run: told what they are, read where there are several runs."""

import numpy as np
import pytest

from stabcore.base.errors import InputError
from stabcore.io.choices import Question
from stabcore.io.long_table import OneRun
from stabcore.io.selections import read_selection_files, read_selectors

NAMES = [f"GENE{i}" for i in range(8)]
DECISIONS = {0: "Confirmed", 1: "Confirmed", 2: "Tentative"}
STATS = "meanImp,medianImp,minImp,maxImp,normHits,decision"


def boruta(confirmed=(0, 1), head=f'"",{STATS}', before=""):
    """As write.csv writes attStats of one Boruta."""
    decided = ["Confirmed" if i in confirmed else "Tentative" if i == 2 else "Rejected" for i in range(8)]
    return "\n".join(
        [
            head,
            *(
                f'{before}"{name}",{3 - i}.5,3.1,1,5,0.9,"{decision}"'
                for i, (name, decision) in enumerate(zip(NAMES, decided, strict=True))
            ),
        ]
    )


def ranger(seed, head="variable,importance"):
    values = np.random.default_rng(seed).normal(size=8)
    return "\n".join([head, *(f"{name},{value:.4f}" for name, value in zip(NAMES, values, strict=True))])


def together(*contents, **options):
    files = [(content.encode(), {"label": f"run{i}", "name": f"run{i}.csv", **options}) for i, content in enumerate(contents, 1)]
    return read_selection_files(files)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (boruta(), "attStats(Boruta("),
        (boruta(head=STATS), "attStats(Boruta("),
        (ranger(0), "ranger("),
        (ranger(0, '"","x"'), "ranger("),
        (ranger(0, "Variable,Importance"), "ranger("),
        (ranger(0, ",Overall"), "ranger("),
        (ranger(0, "x"), "ranger("),
        (ranger(0, ",lambda.1se"), "ranger("),
        (ranger(0, "Feature,Gain"), "ranger("),
    ],
)
def test_a_table_of_one_run_is_told_with_the_lines_of_r_that_make_several(text, line):
    with pytest.raises(OneRun) as error:
        read_selectors(text)
    assert line in error.value.in_r and not error.value.answers
    with pytest.raises(OneRun):
        together(text)


def test_tables_of_boruta_a_file_each_are_runs_of_what_was_confirmed():
    by_selector, notes = together(boruta(), boruta((0, 3)), boruta((1,)))
    (selections,) = by_selector.values()
    assert selections.kind == "selection matrix" and selections.features == tuple(NAMES)
    assert [[NAMES[j] for j in np.flatnonzero(row)] for row in selections.matrix] == [
        ["GENE0", "GENE1"],
        ["GENE0", "GENE3"],
        ["GENE1"],
    ]


@pytest.mark.parametrize("head", ["run,feature", "fold,variable"])
def test_a_table_of_boruta_with_a_column_of_runs_is_read(head):
    parts = [boruta(own, f"{head},{STATS}", f"{run},").split("\n") for run, own in ((1, (0, 1)), (2, (0,)))]
    selections = read_selectors("\n".join([*parts[0], *parts[1][1:]]))[""]
    assert selections.runs == ("1", "2") and selections.matrix.sum(axis=1).tolist() == [2, 1]


def test_importances_a_file_each_are_asked_about_as_others_are_and_need_a_k():
    with pytest.raises(Question) as asked:
        together(ranger(0), ranger(1))
    assert asked.value.file == "run1.csv"
    (selections,) = together(ranger(0), ranger(1), kind="scores")[0].values()
    assert selections.kind == "scores" and selections.matrix.shape == (2, 8) and selections.runs == ("run1", "run2")


def test_coefficients_of_glmnet_a_file_each_lose_their_constant_and_sign():
    def coef(*values):
        rows = (f'"{name}",{value}' for name, value in zip("ABC", values, strict=True))
        return "\n".join(['"","s1"', '"(Intercept)",-0.3', *rows])

    (selections,) = together(coef(0, -0.5, 0.2), coef(0.1, 0, 0))[0].values()
    assert selections.features == ("A", "B", "C") and selections.matrix.tolist() == [[0, 0.5, 0.2], [0.1, 0, 0]]


def test_which_importance_is_meant_is_said_once_for_all_files():
    text = "\n".join([",MeanDecreaseAccuracy,MeanDecreaseGini", *(f"{name},{i},{i + 1}" for i, name in enumerate(NAMES))]).encode()
    files = [(text, {"label": f"run{i}", "name": f"run{i}.csv", "kind": "scores"}) for i in range(3)]
    with pytest.raises(Question) as asked:
        read_selection_files(files)
    assert (asked.value.option, asked.value.file) == ("value_column", "run0.csv")
    files[0][1]["value_column"] = "MeanDecreaseGini"
    (selections,) = read_selection_files(files)[0].values()
    assert selections.matrix.tolist() == [[float(i + 1) for i in range(8)]] * 3


def test_names_of_rows_beside_a_run_are_the_features():
    rows = [f"{name},{run},{value}" for run in (1, 2) for name, value in (("ALT", 0), ("AST", run))]
    selections = read_selectors("\n".join([",run,importance", *rows]))[""]
    assert selections.features == ("ALT", "AST") and selections.matrix.tolist() == [[0, 1], [0, 2]]


def test_a_table_that_r_printed_of_one_column_is_one_run_and_no_lists():
    with pytest.raises(OneRun):
        read_selectors("\n".join(["            s1", "(Intercept)  0.2", *(f"{name} {i / 7:.3f}" for i, name in enumerate(NAMES))]))


def test_decisions_of_boruta_as_a_factor_are_one_run_and_side_by_side_are_several():
    with pytest.raises(OneRun):
        read_selectors("\n".join(['"","x"', *(f'"{name}","{DECISIONS.get(i, "Rejected")}"' for i, name in enumerate(NAMES))]))
    rows = [f'"{name}",{DECISIONS.get(i, "Rejected")},{DECISIONS.get(7 - i, "Rejected")}' for i, name in enumerate(NAMES)]
    selections = read_selectors("\n".join(['"","run1","run2"', *rows]))[""]
    assert selections.matrix.sum(axis=1).tolist() == [2, 2]


def rfe(*sizes):
    """As caret keeps the variables of each resample and size."""
    rows = [
        f'"{i}",{i + 1}.5,"{name}",{size},"Fold{fold}"'
        for fold in (1, 2)
        for size in sizes
        for i, name in enumerate(NAMES[fold : size + fold])
    ]
    return "\n".join(['"","Overall","var","Variables","Resample"', *rows])


def test_the_variables_of_recursive_elimination_in_caret_are_the_features_of_one_size():
    selections = read_selectors(rfe(3))[""]
    assert selections.runs == ("Fold1", "Fold2") and selections.features == tuple(NAMES[1:5])
    assert (selections.matrix > 0).tolist() == [[True, True, True, False], [False, True, True, True]]
    with pytest.raises(InputError):
        read_selectors(rfe(3, 2))
