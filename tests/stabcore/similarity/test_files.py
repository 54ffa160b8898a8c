"""Files of C: a matrix, a list of pairs, a scenario."""

import io
from time import process_time

import numpy as np
import pandas as pd
import pytest
from file_support import parquet, rows_of, workbook
from hypothesis import given, settings
from hypothesis import strategies as st
from snapshot_support import check_refusals

import stabcore as sc
from stabcore.similarity.files import _DEEP, read_scenario, read_similarity, write_scenario
from stabcore.similarity.scenario import Scenario

NAMES = ["ALT", "AST", "CRP", "age <b>"]
C = np.array([[1, 0.9, 0, 0.25], [0.9, 1, 0, 0], [0, 0, 1, 0.5], [0.25, 0, 0.5, 1]])
FRAME = pd.DataFrame(C, index=NAMES, columns=NAMES)
LIST = "feature_a,feature_b,value\nALT,AST,0.9\nage <b>,ALT,0.25\nage <b>,CRP,0.5\n"


def of(text, features=NAMES, name="c.csv"):
    return read_similarity(text.encode(), name, features)


PAIRS = pd.read_csv(io.StringIO(LIST))
SHUFFLED = FRAME.loc[["CRP", "AST", "age <b>", "ALT"], ["age <b>", "ALT", "AST", "CRP"]]
UPPER = FRAME.where(np.triu(np.ones((4, 4), dtype=bool)))
FORMS = {
    "names on both sides": (FRAME.to_csv().encode(), "c.csv"),
    "in another order": (SHUFFLED.to_csv().encode(), "c.csv"),
    "names above": (FRAME.to_csv(index=False).encode(), "c.csv"),
    "names at the side": (FRAME.to_csv(header=False).encode(), "c.csv"),
    "no names": (FRAME.to_csv(index=False, header=False).encode(), "c.csv"),
    "header one cell short": (FRAME.to_csv().removeprefix(",").encode(), "c.csv"),
    "upper triangle": (UPPER.to_csv().encode(), "c.csv"),
    "no diagonal": (FRAME.where(~np.eye(4, dtype=bool)).T.to_csv(na_rep="NA").encode(), "c.csv"),
    "tabs": (FRAME.to_csv(sep="\t").encode(), "c.tsv"),
    "semicolons and decimal commas": (FRAME.to_csv(sep=";", decimal=",").encode(), "c.csv"),
    "workbook": (workbook({"C": rows_of(FRAME.reset_index(names=""))}), "c.xlsx"),
    "workbook of a list": (workbook({"C": rows_of(PAIRS)}), "c.xlsx"),
    "parquet": (parquet(FRAME.reset_index(drop=True)), "c.parquet"),
    "parquet of a list": (parquet(PAIRS), "c.parquet"),
    "list": (LIST.encode(), "c.csv"),
    "list, both ways round": ((LIST + "AST,ALT,0.9\nALT,ALT,1\nALT,CRP,\nAST,CRP,0\n").encode(), "c.csv"),
    "list by i and j": (LIST.replace("feature_a,feature_b", "Feature_i,feature_j").encode(), "c.csv"),
    "list with more columns": (b"n,value,feature_b,feature_a\n1,0.9,AST,ALT\n2,.25,ALT,age <b>\n3,5e-1,CRP,age <b>\n", "c.csv"),
    "list under other names": (LIST.replace("feature_a,feature_b,value", "one,other,C").encode(), "c.csv"),
    "pasted": (LIST, None),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_similarity(form):
    source, name = FORMS[form]
    found = read_similarity(source, name, NAMES).similarity
    assert found.block(range(4)) == pytest.approx(C) and found.names == tuple(NAMES)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.booleans())
def test_written_similarities_are_read_back(d, seed, as_list):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.choice([0.0, 0.1, 0.123456789012345, 1.0], (d, d)), 1)
    names = [f"g{i}" for i in rng.permutation(d)]
    similarity = sc.Similarity.from_matrix(upper + upper.T + np.eye(d), names=names)
    table = similarity.pairs() if as_list else pd.DataFrame(similarity.block(range(d)), index=names, columns=names)
    if as_list and not len(table):
        return
    again = of(table.to_csv(index=not as_list), names).similarity
    assert again.block(range(d)) == pytest.approx(similarity.block(range(d)), abs=0) and again.names == similarity.names


def changed(row, column, value):
    frame = FRAME.astype(object)
    frame.iloc[row, column] = value
    return frame.to_csv()


WRONG = {
    "above 1": changed(0, 1, 1.5),
    "negative": changed(2, 3, -0.5),
    "a word": changed(1, 0, "high"),
    "infinite": changed(1, 0, np.inf),
    "not symmetric": changed(1, 0, 0.8),
    "one side 0": changed(0, 1, 0),
    "not symmetric, other order": SHUFFLED.replace(0.25, {"ALT": 0.3}).to_csv(),
    "diagonal": changed(2, 2, 0.5),
    "not square": FRAME.iloc[:3].to_csv(),
    "ragged": FRAME.to_csv() + "x,1\n",
    "no names, other size": pd.DataFrame(np.eye(3)).to_csv(index=False, header=False),
    "rows and columns differ": FRAME.rename(index={"ALT": "ALP"}).to_csv(),
    "name twice": FRAME.set_axis(["ALT", "AST", "ALT", "age <b>"], axis=1).to_csv(),
    "nobody known": "feature_a,feature_b,value\nAL,x,1\n",
    "list, above 1": LIST + "ALT,CRP,2\n",
    "list, conflict": LIST + "AST,ALT,0.8\n",
    "list, conflict with 0": LIST + "AST,ALT,0\n",
    "list, diagonal": LIST + "AST,AST,0.5\n",
    "list, one name": LIST + "AST,,0.5\n",
    "list, short line": LIST + "AST,CRP\n",
    "list of nothing": "feature_a,feature_b,value\n",
    "nothing": "\n \n",
}


def test_wrong_files_are_refused_with_the_cell():
    check_refusals("similarity/wrong_files", of, WRONG)


SCENARIO_NAMES = ("ALT", "AST", "age", "= 1", 'a "b"\n', "ü|")
HOSTILE = Scenario("groups", {'g "1"': ["ALT", 'a "b"\n'], "[x]": ["= 1", "ü|"]}, "kendall", 0.35, False, (("ALT", "ü|", 0.125),))


@pytest.mark.parametrize("scenario", [Scenario(), HOSTILE, Scenario("correlation", threshold=1.0)])
def test_written_scenarios_are_read_back(scenario):
    text = write_scenario('my "own"', scenario)
    for content in (text, text.encode(), b"\xef\xbb\xbf" + text.encode()):
        assert read_scenario(content, SCENARIO_NAMES) == ('my "own"', scenario, None, ())


def test_a_matrix_travels_with_its_scenario():
    names = SCENARIO_NAMES[:3]
    C = sc.Similarity.from_matrix(np.array([[1, 0.3, 0], [0.3, 1, 1], [0, 1, 1]]), names)
    text = write_scenario("m", Scenario("matrix", matrix="upload-1.csv", edits=(("ALT", "age", 0.5),)), C)
    name, scenario, matrix, notes = read_scenario(text, names)
    assert "upload-1" not in text and scenario == Scenario("matrix", edits=(("ALT", "age", 0.5),)) and notes == ()
    again = read_similarity(matrix, "matrix.csv", names).similarity
    assert (again.block(range(3)) == C.block(range(3))).all()


def test_unknown_features_and_keys_are_ignored_and_listed():
    text = write_scenario("n", Scenario("groups", {"g": ["ALT", "ATS", "AST"]}, edits=(("ALT", "gone", 1.0), ("ALT", "age", 1.0))))
    _, scenario, _, notes = read_scenario("colour = 'red'\n" + text, SCENARIO_NAMES)
    assert scenario.groups == {"g": ["ALT", "AST"]} and scenario.edits == (("ALT", "age", 1.0),)


VALUES = (
    *('method = "cosine"', "threshold = 2", "threshold = true", "threshold = nan", "binary = 1", "groups = 1"),
    *('groups = {a = "ALT"}', "groups = {a = [1]}", 'groups = {a = ["ALT"], b = ["ALT"]}', 'edits = "ALT"'),
    *('edits = [["ALT", "AST"]]', 'edits = [["ALT", "AST", 7]]', "threshold = " + "9" * 9999),
)
AROUND = (("", " = 1"), (" \t", " = 1"), ("[", "]"), ("[[ ", "]]"), ("x = {", " = 1}"), ("x = {y = 1, ", " = 1}"))
PARTS = ("a", '"a"', "'a'", '"\\"x"', '"a.b" ', "a \t", "c" * 300, f"'{'c' * 300}'")


@pytest.mark.parametrize(
    "content",
    [
        *(b"\xff\xfe", b"feature,group\nALT,liver\n", "", "[study]\nk = 3", "a = " + "[" * 50_000, "#" * 20_000_001),
        *('base = "correlations"', "base = 3", 'base = ["none"]', 'base = "matrix"\npairs = [["ALT", "ALT", 1]]'),
        *(f'base = "none"\n{value}' for value in VALUES),
        *(f'base = "sets"\n{value}\n' for value in ("share = 1", '[sets]\na = "ALT"', "sets = [1]")),
        *("#\n" + before + (part + ".") * 5000 + "b" + after for before, after in AROUND for part in PARTS),
    ],
    ids=lambda content: repr(content[:20]),
)
def test_files_without_a_scenario_are_refused(content):
    with pytest.raises(sc.InputError):
        read_scenario(content, SCENARIO_NAMES)


def test_deep_nesting_is_detected_fast():
    started = process_time()
    for part in ("a", ',"', "['", ",a", "'\n,\""):
        _DEEP.search(part * (1_000_000 // len(part)))
    for text in ("a" + " " * 1_000_000 + ".", "[" + "a." * 49 * 7000):
        _DEEP.search(text)
    assert process_time() - started < 4
