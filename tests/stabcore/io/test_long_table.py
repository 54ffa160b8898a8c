"""Tables of ranger, Boruta and other R packages: one run is refused with R code, several runs are read."""

import numpy as np
import pytest

from stabcore.io.choices import Question
from stabcore.io.long_table import OneRun
from stabcore.io.selection_files import read_selection_files
from stabcore.io.selections import read_selectors

NAMES = [f"GENE{i}" for i in range(8)]
STATS = "meanImp,medianImp,minImp,maxImp,normHits,decision"


def boruta(confirmed=(0, 1), head=f'"",{STATS}', before=""):
    """attStats of one Boruta run, as write.csv writes it."""
    decided = ["Confirmed" if i in confirmed else "Tentative" if i == 2 else "Rejected" for i in range(8)]
    pairs = enumerate(zip(NAMES, decided, strict=True))
    return "\n".join([head, *(f'{before}"{name}",{3 - i}.5,3.1,1,5,0.9,"{decision}"' for i, (name, decision) in pairs)])


def ranger(head):
    values = np.random.default_rng(0).normal(size=8)
    return "\n".join([head, *(f"{name},{value:.4f}" for name, value in zip(NAMES, values, strict=True))])


def together(*contents, **options):
    files = [(content.encode(), {"label": f"run{i}", "name": f"run{i}.csv", **options}) for i, content in enumerate(contents, 1)]
    return read_selection_files(files)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        *((boruta(head=head), "attStats(Boruta(") for head in (f'"",{STATS}', STATS)),
        *((ranger(head), "ranger(") for head in ("variable,importance", '"","x"', "Variable,Importance", ",Overall", "x")),
        *((ranger(head), "ranger(") for head in (",lambda.1se", "Feature,Gain")),
    ],
)
def test_a_table_of_one_run_is_refused_with_r_code_for_several(text, line):
    with pytest.raises(OneRun) as error:
        read_selectors(text)
    assert line in error.value.in_r and not error.value.answers
    with pytest.raises(OneRun):
        together(text)


@pytest.mark.parametrize("head", ["run,feature", "fold,variable"])
def test_a_table_of_boruta_with_a_column_of_runs_is_read(head):
    parts = [boruta(confirmed, f"{head},{STATS}", f"{run},").split("\n") for run, confirmed in ((1, (0, 1)), (2, (0,)))]
    selections = read_selectors("\n".join([*parts[0], *parts[1][1:]]))[""]
    assert selections.runs == ("1", "2") and selections.matrix.sum(axis=1).tolist() == [2, 1]


def test_coefficients_of_glmnet_lose_intercept_and_sign():
    def coef(*values):
        rows = (f'"{name}",{value}' for name, value in zip("ABC", values, strict=True))
        return "\n".join(['"","s1"', '"(Intercept)",-0.3', *rows])

    (selections,) = together(coef(0, -0.5, 0.2), coef(0.1, 0, 0))[0].values()
    assert selections.features == ("A", "B", "C") and selections.matrix.tolist() == [[0, 0.5, 0.2], [0.1, 0, 0]]


def test_the_importance_column_is_chosen_once_for_all_files():
    text = "\n".join([",MeanDecreaseAccuracy,MeanDecreaseGini", *(f"{name},{i},{i + 1}" for i, name in enumerate(NAMES))]).encode()
    files = [(text, {"label": f"run{i}", "name": f"run{i}.csv", "kind": "scores"}) for i in range(3)]
    with pytest.raises(Question) as asked:
        read_selection_files(files)
    assert (asked.value.option, asked.value.file) == ("value_column", "run0.csv")
    files[0][1]["value_column"] = "MeanDecreaseGini"
    (selections,) = read_selection_files(files)[0].values()
    assert selections.matrix.tolist() == [[float(i + 1) for i in range(8)]] * 3
