"""C in files: a matrix, a list of pairs, a scenario."""

import io
from time import process_time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stabcore as sc
from stabcore.similarity.files import _DEEP, read_scenario, read_similarity, write_scenario
from stabcore.similarity.scenario import Scenario

NAMES = ["ALT", "AST", "CRP", "age <b>"]
C = np.array([[1, 0.9, 0, 0.25], [0.9, 1, 0, 0], [0, 0, 1, 0.5], [0.25, 0, 0.5, 1]])
FRAME = pd.DataFrame(C, index=NAMES, columns=NAMES)
LIST = "feature_a,feature_b,value\nALT,AST,0.9\nage <b>,ALT,0.25\nage <b>,CRP,0.5\n"


def of(text, features=NAMES, name="c.csv"):
    return read_similarity(text.encode(), name, features)


def same(reading, expected=C):
    assert reading.similarity.block(range(4)) == pytest.approx(expected) and reading.similarity.names == tuple(NAMES)
    return reading.notes


def workbook(frame, **options):
    file = io.BytesIO()
    frame.to_excel(file, **options)
    return file.getvalue()


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    return file.getvalue()


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
    "workbook": (workbook(FRAME), "c.xlsx"),
    "workbook of a list": (workbook(pd.read_csv(io.StringIO(LIST)), index=False), "c.xlsx"),
    "parquet": (parquet(FRAME), "c.parquet"),
    "parquet of a list": (parquet(pd.read_csv(io.StringIO(LIST))), "c.parquet"),
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
    assert any(said == "3 pairs of features stand for each other." for said in same(read_similarity(source, name, NAMES)))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.booleans())
def test_what_is_written_is_read_again(d, seed, as_list):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.choice([0.0, 0.1, 0.123456789012345, 1.0], (d, d)), 1)
    names = [f"g{i}" for i in rng.permutation(d)]
    similarity = sc.Similarity.from_matrix(upper + upper.T + np.eye(d), names=names)
    table = similarity.pairs() if as_list else pd.DataFrame(similarity.block(range(d)), index=names, columns=names)
    if as_list and not len(table):
        return
    again = of(table.to_csv(index=not as_list), names).similarity
    assert again.block(range(d)) == pytest.approx(similarity.block(range(d)), abs=0) and again.names == similarity.names


def test_what_is_not_in_the_file_or_not_in_the_data_is_said():
    notes = same(of(LIST + "AST,CRQ,0.5\nx1,x2,1\n"))
    assert "Left aside, because they are not features of the data: 'CRQ' (did you mean 'CRP'?), 'x1', 'x2'." in notes
    reading = of("feature_a,feature_b,value\nALT,AST,0.9\n")
    assert "Not in C, so standing for themselves only: 2 features, 'CRP', 'age <b>'." in reading.notes
    assert any("no names" in said for said in same(of(FRAME.to_csv(index=False, header=False))))
    larger = pd.DataFrame(np.eye(5), index=[*NAMES, "more"], columns=[*NAMES, "more"])
    larger.loc["more", "ALT"] = larger.loc["ALT", "more"] = 0.5
    assert of(larger.to_csv()).similarity.n_related == 0


def changed(row, column, value):
    frame = FRAME.astype(object)
    frame.iloc[row, column] = value
    return frame.to_csv()


WRONG = {
    "above 1": (changed(0, 1, 1.5), "Line 2, column 3 holds '1.5'; C is a number from 0 .unrelated. to 1"),
    "negative": (changed(2, 3, -0.5), "Line 4, column 5 holds '-0.5'.*without their sign"),
    "a word": (changed(1, 0, "high"), "Line 3, column 2 holds 'high'"),
    "infinite": (changed(1, 0, np.inf), "Line 3, column 2 holds 'inf'"),
    "not symmetric": (changed(1, 0, 0.8), "Line 3, column 2 gives 0.8 for 'AST' and 'ALT', but line 2, column 3 gives 0.9"),
    "one side 0": (changed(0, 1, 0), "Line 3, column 2 gives 0.9 for 'AST' and 'ALT', but line 2, column 3 gives 0 "),
    "not symmetric, other order": (SHUFFLED.replace(0.25, {"ALT": 0.3}).to_csv(), "'age <b>' and 'ALT'|'ALT' and 'age <b>'"),
    "diagonal": (changed(2, 2, 0.5), "Line 4, column 4 says 0.5 for 'CRP' with itself; the diagonal"),
    "not square": (FRAME.iloc[:3].to_csv(), "one row and one column a feature, but it has 3 rows and line 2 has 4 numbers"),
    "ragged": (FRAME.to_csv() + "x,1\n", "has 5 rows and line 2 has 4 numbers"),
    "no names, other size": (
        pd.DataFrame(np.eye(3)).to_csv(index=False, header=False),
        "no names and is 3 × 3, but the data has 4 features",
    ),
    "rows and columns differ": (FRAME.rename(index={"ALT": "ALP"}).to_csv(), "on one side only: 'ALP', 'ALT'"),
    "name twice": (FRAME.set_axis(["ALT", "AST", "ALT", "age <b>"], axis=1).to_csv(), "column of C .* 'ALT' comes twice"),
    "nobody known": ("feature_a,feature_b,value\nAL,x,1\n", "None of the names in C is a feature.*'AL' .did you mean 'ALT'"),
    "list, above 1": (LIST + "ALT,CRP,2\n", "Line 5, column 3 holds '2'"),
    "list, conflict": (LIST + "AST,ALT,0.8\n", "Line 5, column 3 gives 0.8 for 'AST' and 'ALT', but line 2, column 3 gives 0.9"),
    "list, conflict with 0": (LIST + "AST,ALT,0\n", "gives 0 for 'AST' and 'ALT'"),
    "list, diagonal": (LIST + "AST,AST,0.5\n", "Line 5, column 3 says 0.5 for 'AST' with itself"),
    "list, one name": (LIST + "AST,,0.5\n", "Line 5 names only one feature"),
    "list, short line": (LIST + "AST,CRP\n", "Line 5 has 2 cells, but line 1 has 3"),
    "list of nothing": ("feature_a,feature_b,value\n", "no pair of features follows"),
    "nothing": ("\n \n", "nothing but blank lines"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_get_sentences_with_the_cell(case):
    text, said = WRONG[case]
    with pytest.raises(sc.InputError, match=said):
        of(text)


def test_pasted_nothing_and_files_of_another_kind():
    for source, name, said in (("", None, "Nothing was pasted"), (b"%PDF-1", "c.csv", "a PDF"), (b"1", "c.doc", "not known")):
        with pytest.raises(sc.InputError, match=said):
            read_similarity(source, name, NAMES)


SCENARIO_NAMES = ("ALT", "AST", "age", "= 1", 'a "b"\n', "ü|")
HOSTILE = Scenario("groups", {'g "1"': ["ALT", 'a "b"\n'], "[x]": ["= 1", "ü|"]}, "kendall", 0.35, False, (("ALT", "ü|", 0.125),))


@pytest.mark.parametrize("scenario", [Scenario(), HOSTILE, Scenario("correlation", threshold=1.0)])
def test_what_is_written_comes_back(scenario):
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


def test_a_matrix_that_is_not_in_the_file_is_asked_for():
    text = write_scenario("m", Scenario("matrix", matrix="upload-1.csv"))
    _, scenario, matrix, notes = read_scenario(text, SCENARIO_NAMES)
    assert matrix is None and scenario.base == "matrix" and "bring it too" in notes[0]


def test_unknown_features_and_keys_are_left_aside_and_listed():
    text = write_scenario("n", Scenario("groups", {"g": ["ALT", "ATS", "AST"]}, edits=(("ALT", "gone", 1.0), ("ALT", "age", 1.0))))
    _, scenario, _, notes = read_scenario("colour = 'red'\n" + text, SCENARIO_NAMES)
    assert scenario.groups == {"g": ["ALT", "AST"]} and scenario.edits == (("ALT", "age", 1.0),)
    assert "'colour'" in notes[0] and "'ATS' (did you mean 'AST'?)" in notes[1] and "'gone'" in notes[1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "not TOML"),
        (b"feature,group\nALT,liver\n", "not TOML"),
        ("", "does not say its base"),
        ("[study]\nk = 3", "does not say its base"),
        ('base = "correlations"', "base is 'correlations' .did you mean 'correlation'.*one of none, groups"),
        ("base = 3", "base is '3'"),
        ('base = ["none"]', "base is"),
        ('base = "none"\nmethod = "cosine"', "method is 'cosine'.*spearman"),
        ('base = "none"\nthreshold = 2', "threshold is '2'; it is a number from 0 to 1"),
        ('base = "none"\nthreshold = true', "threshold is 'True'"),
        ('base = "none"\nthreshold = nan', "threshold is 'nan'"),
        ('base = "none"\nbinary = 1', "binary is '1'; it is true"),
        ('base = "none"\ngroups = 1', "groups is not a table"),
        ('base = "none"\ngroups = {a = "ALT"}', "group 'a' is not a list of names"),
        ('base = "none"\ngroups = {a = [1]}', "group 'a' is not a list of names"),
        ('base = "none"\ngroups = {a = ["ALT"], b = ["ALT"]}', "'ALT' is in two groups, 'a', 'b'"),
        ('base = "none"\nedits = "ALT"', "edits is not a list of pairs"),
        ('base = "none"\nedits = [["ALT", "AST"]]', "edits is not a list of pairs"),
        ('base = "none"\nedits = [["ALT", "AST", 7]]', "edits: Row 1 has the value '7'"),
        ('base = "matrix"\npairs = [["ALT", "ALT", 1]]', "pairs: Row 1 pairs 'ALT' with itself"),
        ("a = " + "[" * 50_000, "not TOML"),
        ('base = "none"\nthreshold = ' + "9" * 9999, "not TOML .Exceeds the limit .4300 digits. for integer"),
        *(
            ("#\n" + before + (part + ".") * 5000 + "b" + after, "far too deep")
            for before, after in (
                ("", " = 1"),
                (" \t", " = 1"),
                ("[", "]"),
                ("[[ ", "]]"),
                ("x = {", " = 1}"),
                ("x = {y = 1, ", " = 1}"),
            )
            for part in ("a", '"a"', "'a'", '"\\"x"', '"a.b" ', "a \t", "c" * 300, f"'{'c' * 300}'")
        ),
        ("#" * 20_000_001, "more than any scenario"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(content, said):
    with pytest.raises(sc.InputError, match=said):
        read_scenario(content, SCENARIO_NAMES)


def test_names_with_many_dots_are_names():
    name = "a.b" * 60
    _, scenario, _, notes = read_scenario(f'base = "groups"\n[groups]\n"{name}" = ["{name}", "{name}2"]', [name, f"{name}2"])
    assert scenario.groups == {name: [name, f"{name}2"]} and not notes


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 3_000_000 + ".",
        "a" * 3_000_000,
        ',"' * 1_000_000,
        "['" * 1_000_000,
        ",a" * 1_000_000,
        "'\n,\"" * 700_000,
        "[" + "a." * 49 * 20_000,
    ],
)
def test_whether_keys_are_deep_is_seen_at_a_glance(text):
    started = process_time()
    _DEEP.search(text)
    assert process_time() - started < 2
