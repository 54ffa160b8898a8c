"""The report: its numbers are those of the API, it asks nobody for anything, nothing in data is markup, the same bytes twice."""

import io
import re
import runpy
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest
import study_support

import stabcore as sc
from stabcore.data import Dataset
from stabcore.data.reading import Layout, apply, read_table, suggest
from stabcore.data.spreadsheets import csv_bytes
from stabcore.figures.risk import finding_risk
from stabcore.report import exports
from stabcore.report.citations import Citations, known
from stabcore.report.command import write_report
from stabcore.report.make import TITLES, chosen_parts, page, parts_of
from stabcore.report.page import cell
from stabcore.report.patients import by_class
from stabcore.report.repeat import files
from stabcore.report.subject import Subject
from stabcore.study.study import load_study
from stabcore.study.study_result import StudyResult

HOSTILE = ["</script><script>alert(1)</script>", "<img src=http://evil.test/x onerror=alert(2)>", "=cmd|' /C calc'!A0", "{{ 7*7 }}"]


RUN = sc.Study.run


def run(study, store):
    """Run in this process: starting others would take longer."""
    with ThreadPoolExecutor(1) as executor:
        return RUN(study, executor, store=store)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small study of halves, its table."""
    path = tmp_path_factory.mktemp("report") / "trial.stab"
    study = sc.Study(study_support.data(), ["mim", "lasso", "random"], plan=sc.Half(6), k=3, seed=5)
    run(study, path)
    return path, study_support.data()


@pytest.fixture(scope="module")
def subject(small):
    path, data = small
    return Subject(sc.open_study(path, named=True), sc.Relation.from_correlation(data, threshold=0.3), data=data, filtered="no",
                   source="Ward 7")


@pytest.fixture(scope="module")
def parts(subject):
    return parts_of(subject)


def blocks(parts, kind):
    return [block for part in parts for block in part.blocks if block.kind == kind]


def table(parts, name):
    return next(block.frame for block in blocks(parts, "table") if block.name == name)


def said(parts, number):
    found = []
    for block in parts[number - 1].blocks:
        found += block.items if block.kind == "bullets" else [block.text] if block.kind in ("text", "heading") else []
    return " ".join(found)


# ---- what it says ----

def test_the_tables_hold_what_the_api_gives(subject, parts):
    result, relation = subject.result, subject.relation
    made = sc.panel(result, relation=relation, with_swaps=False)            # they have a table of their own
    pd.testing.assert_frame_equal(table(parts, "panel"), made.dropna(axis="columns", how="all").drop(columns="group"))
    bounds = sc.false_features(result).drop(columns="reason")
    assert np.allclose(table(parts, "false_features").iloc[:, 1:].astype(float), bounds.iloc[:, 1:].astype(float))
    known = result.table(["nogueira", "effective"], relation=relation)
    shown = table(parts, "stability")
    for key, label in (("nogueira", "Nogueira (classic stability)"), ("effective", "Effective stability")):
        own = shown[shown["label"] == label].set_index("selector")["value"]
        assert np.allclose(own, known.loc[own.index, key], equal_nan=True)
    effects = table(parts, "effects").set_index("feature")["effect"]
    ours = sc.effects(subject.data, result, subject.labels[0]).set_index("feature")["effect"]
    assert np.allclose(effects, ours[effects.index])
    assert np.allclose(table(parts, "prediction")["accuracy"], known["accuracy"])
    halves = table(parts, "halves")
    assert np.allclose(halves.loc[:2, "value"], result.split_half("kappa", relation)["value"])


def test_all_ten_parts_say_something(parts):
    assert [part.number for part in parts] == list(TITLES) == list(range(1, 11))
    assert all(part.blocks for part in parts)
    assert "come back in at least 75% of the runs" in said(parts, 1) and "random sets would share" in said(parts, 1)
    assert "Ward 7" in said(parts, 2) and "seed (5)" in said(parts, 3)
    assert "wrong choice can be a stable one" in said(parts, 8) and "beforehand" not in said(parts, 8)


def test_what_was_done_beforehand_is_a_limitation(small):
    path, _ = small
    result = sc.open_study(path)
    for answer, words in (("yes", "was made once, outside of the runs"), ("not answered", "was not answered")):
        text = said(parts_of(Subject(result, sc.Relation.identity(len(result.features), result.features), filtered=answer)), 8)
        assert words in text
    with pytest.raises(sc.InputError, match="is answered by"):
        sc.report(result, filtered="perhaps")


def test_patients_are_counted_where_they_have_several_rows(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(24, 3)), columns=["a", "b", "c"])
    data = sc.Dataset.from_frame(frame.assign(who=[f"P{i // 2}" for i in range(24)], y=["ill"] * 8 + ["well"] * 16),
                                 target="y", same_patient="who")
    report = sc.report(run(sc.Study(data, ["welch_t"], plan=sc.Half(3), k=1), tmp_path / "a.stab"), parts=[2, 3, 8])
    assert "24 rows of 12 patients, 3 features" in report and "(24 rows of 12 patients, 3 candidate features" in report
    assert "There are 4 patients of the smallest class for 3 candidate features, 1.3 for each." in report


def test_what_was_made_of_cells_is_said_in_the_methods(tmp_path):
    lines = "".join(f"{i},{'<0.5' if i % 7 == 2 else 'NA' if i % 9 == 1 else i * 5 % 11},{'ab'[i % 2]}\n" for i in range(24))
    read = read_table(f"x,crp,y\n{lines}".encode(), "t.csv")
    mends = [question.offers[0][1] for question in suggest(read)]
    run(sc.Study(Dataset.from_reading(apply(read, mends), target="y"), ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    about = Subject(sc.open_study(tmp_path / "study.stab"), sc.Relation(2))
    said_there = said(parts_of(about), 3)
    assert "cells holding 'NA' in 'crp' were read as missing." in said_there
    assert "4 cells holding '<0.5' in 'crp' were read as half the limit." in said_there


def test_a_table_whose_cells_were_mended_is_read_again_as_it_was(tmp_path, capsys, monkeypatch):
    """By the script, the settings file and the command, from the file as it came, which has two lines above the names."""
    lines = "".join(f"{i},{'<0.5' if i % 7 == 2 else i * 5 % 11},{'ab'[i % 2]}\n" for i in range(24))
    (tmp_path / "table.csv").write_text(f"Ward 7\n\nx,crp,y\n{lines}", encoding="utf-8")
    placed = read_table(tmp_path / "table.csv", layout=Layout(header=3))
    read = apply(placed, [question.offers[0][1] for question in suggest(placed)])
    result = run(sc.Study(Dataset.from_reading(read, target="y"), ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    texts = files(Subject(result, sc.Relation(2)))
    for name in ("study.py", "study.toml"):
        (tmp_path / name).write_text(texts[name][1], encoding="utf-8")
    assert load_study(tmp_path / "study.toml").data.fingerprint == result.settings["data"]["fingerprint"]
    monkeypatch.setattr(sc.Study, "run", run)
    runpy.run_path(str(tmp_path / "study.py"))["main"](tmp_path / "table.csv", tmp_path / "again.stab")
    assert capsys.readouterr().out == f"{result.digest()} - the same\n"
    assert "Written" in list(write_report(tmp_path / "study.stab", tmp_path / "table.csv", tmp_path / "report.html"))[-1]


def test_features_by_class_are_counted_right():
    frame = study_support.frame()
    made = by_class(study_support.data()).set_index(["feature", "level"])
    well = frame.loc[frame["outcome"] == "well", "a"]
    column = next(name for name in made if name.startswith("well"))
    assert column == f"well ({len(well)} rows)"
    assert made.loc[("a", ""), column].startswith(f"{well.median():.4g} ({well.quantile(0.25):.4g} to")
    early = (frame.loc[frame["outcome"] == "well", "stage"] == "early").sum()
    assert made.loc[("stage", "early"), column] == f"{early} ({early / len(well):.0%})"
    gaps = frame["c"].dropna()
    assert made.loc[("c", ""), "missing"] == 5 == len(frame) - len(gaps)
    assert made.loc[("c", ""), "all (60 rows)"] == f"{gaps.median():.4g} ({gaps.quantile(0.25):.4g} to {gaps.quantile(0.75):.4g})"


def test_without_the_table_it_says_what_cannot_be_said(small):
    found = parts_of(Subject(sc.open_study(small[0], named=True), sc.Relation.identity(7)))
    assert "not at hand" in said(found, 2) and "needs the table" in said(found, 4)
    guide = table(found, "guidelines")
    assert set(guide.loc[guide["item"] == "Missing values", "where"]) == {"yours to write"}


def test_another_table_is_refused(small):
    other = sc.Dataset.from_frame(study_support.frame(seed=3), target="outcome", name="toy")
    with pytest.raises(sc.InputError, match="not the table that the study was made of"):
        sc.report(sc.open_study(small[0]), data=other)


def test_brought_selections_get_what_can_be_said():
    runs = b"a,b,c,d\n1,1,0,0\n1,0,1,0\n1,1,0,0\n1,1,0,0\n"
    result = sc.Results.from_files([(runs, {"label": "mine", "name": "mine.csv"})])
    text = sc.report(result)
    found = parts_of(Subject(result, sc.Relation.identity(4, result.features)))
    assert "brought along without their table" in said(found, 2) and "is not known" in said(found, 8)
    assert "no accuracy" in said(found, 6) and "study.py" not in text and "2 features come back" in said(found, 1)


# ---- citations ----

def test_citations_are_numbered_once_and_stand_in_bibtex(parts):
    text = said(parts, 3) + said(parts, 10)
    numbers = {int(one) for cited in re.findall(r" \[([\d, ]+)\]", text) for one in cited.split(",")}
    listed = next(block.items for block in parts[2].blocks if block.kind == "bullets" and block.numbered)
    assert numbers == set(range(1, len(listed) + 1))
    bib = next(block.text for block in blocks(parts, "code") if block.name == "references.bib")
    assert bib.count("\n@") + 1 == len(listed) and bib.count("{") == bib.count("}")
    keys = re.findall(r"@\w+\{([^,]+),", bib)
    assert len(set(keys)) == len(keys)


def test_one_work_has_one_number():
    of = Citations()
    assert of.cite("Cohen 1960; Carletta 1996") == " [1, 2]" and of.cite("as in Carletta 1996") == " [2]" and of.cite("") == ""
    assert of.cite("Shah & Samworth 2013, JRSS B 75:55-80") == of.cite("Shah & Samworth 2013") == " [3]"


def test_what_the_catalogues_cite_is_known_in_full_and_says_the_same():
    catalogues = (sc.measures(), sc.selectors(), sc.plans(), sc.classifiers())
    cited = {part.strip().removeprefix("as in ") for table in catalogues for one in table["reference"] for part in one.split(";")}
    for one in cited:
        key, _, fields = next(entry for short, entry in known().items() if one.startswith(short))
        first = re.split(r" (?:et al|& )|,| \d{4}", one)[0]
        assert fields["author"].startswith(f"{first},") and fields["year"] in one and fields["year"] in key, one
        for volume, pages in re.findall(r" (\d+):([\d-]+)$", one):
            assert (fields["volume"], fields["pages"].replace("--", "-")) == (volume, pages), one


def test_every_entry_in_full_reads_as_a_reference():
    of = Citations()
    for one in known():
        of.cite(one)
    assert len(of.listed()) == len({key for key, _, _ in known().values()}) > 45 and "@misc" not in of.bibtex()
    assert not [one for one in of.listed() if re.search(r"\.\.|[{}]|--|  | ,", one)]


def test_risks_are_told_where_they_were_asked(small, subject):
    risk = sc.risk(small[1], subject.result, subject.labels[-1])
    asked = parts_of(replace(subject, risk=risk, _answers={}))
    pd.testing.assert_frame_equal(table(asked, "risks"), risk.table())
    assert "outcome and risk of every patient leave your computer" in said(asked, 6)
    everybody = {name for name, frame in exports.tables(asked).items() if "risk" in frame and len(frame) == len(risk.whole)}
    without = chosen_parts(replace(subject, risk=risk, _answers={}), [1, 5, 7], ["panel", "stability"])
    assert everybody == {"risks", "figure_risks"} and not everybody & set(exports.tables(without))
    assert finding_risk(risk.table(), 0.5) in said(asked, 6) and "Riley" in said(asked, 3)
    assert "figure_risks" in [block.name for block in blocks(asked, "picture")]
    assert not [block for block in blocks(parts_of(subject), "table") if block.name == "risks"]


# ---- the page ----

def test_it_asks_nobody_and_is_the_same_twice(small, subject):
    text = page(subject)
    path, data = small
    again = sc.report(sc.open_study(path, named=True), relation=subject.relation, data=data, filtered="no", source="Ward 7")
    assert text == again and len(text) < 8e6
    assert "default-src 'none'" in text and text.count("plotly.js v") == 1
    own = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=\s*[\"'][^#]", own)
    assert own.count("<h1") == 1 and own.count("<h2") == 10 and "<caption>" in own


@pytest.mark.parametrize("features", [5, 40])
def test_no_figure_is_higher_than_paper(features):
    runs = pd.DataFrame(np.tile(np.eye(features, dtype=int), (2, 1)), columns=[f"f{i}" for i in range(features)])
    result = sc.Results.from_files([(csv_bytes(runs), {"label": "mine", "name": "mine.csv"})])
    about = Subject(result, sc.Relation.identity(features, result.features))
    drawn = {block.name: block.figure for block in blocks(parts_of(about), "picture")}
    shrunk = dict(re.findall(r'id="(figure_\w+)".*style="--fit: ([\d.]+)"', page(about)))
    assert set(shrunk) == set(drawn) and "zoom: var(--fit" in page(about, parts=[7])
    heights = {name: float(shrunk[name]) * figure.layout.height for name, figure in drawn.items()}
    assert 100 < min(heights.values()) and max(heights.values()) <= 801
    assert (min(map(float, shrunk.values())) == 1) == (features == 5)


def test_names_in_data_stay_text(tmp_path):
    frame = study_support.frame().rename(columns=dict(zip("abcd", HOSTILE)))
    frame["outcome"] = np.where(frame["outcome"] == "sick", "<b>ill</b>", "well")
    data = sc.Dataset.from_frame(frame, target="outcome", name="<i>x</i>")
    study = sc.Study(data, ["mim"], plan=sc.Subsample(4, 0.2), k=4, seed=1)
    result = run(study, tmp_path / "h.stab")
    text = sc.report(result, data=data, source="<script>alert(3)</script>")
    own = re.sub(r"<script>.*?</script>", "", text, count=2, flags=re.DOTALL) if "Plotly.newPlot" in text else text
    for wrong in ("<script>alert", "<img src", "<b>ill", "<i>x</i>", "</script><script>alert"):
        assert wrong not in own
    assert "{{ 7*7 }}" in unescape(own)
    made = zipfile.ZipFile(io.BytesIO(exports.tables_zip(parts_of(Subject(result, sc.Relation.identity(7), data=data)))))
    assert "\n=cmd" not in made.read("panel.csv").decode("utf-8-sig")


def test_parts_and_figures_can_be_chosen(subject):
    some = page(subject, [1, 8])
    assert some.count("<h2") == 2 and "Plotly" not in some
    assert page(subject, [7], ["panel"]).count("data-figure=") == 1
    for wrong in ({"parts": [11]}, {"parts": []}, {"figures": ["pannel"]}):
        with pytest.raises(sc.InputError):
            page(subject, **wrong)


@pytest.mark.parametrize("value, name, shown", [
    (0.123456, "", "0.12"), (1234567, "", "1,234,567"), (np.nan, "", ""), (True, "", "yes"), (1e-9, "p_holm", "< 0.001"),
    ("x", "", "x"), (0.00012, "", "0.00012"), (np.inf, "rank", "none"), (-0.001, "", "-0.001"), (3.0, "", "3"),
    (2765.4, "rank", "2,765")])
def test_cells_are_printed_as_people_read_them(value, name, shown):
    assert cell(value, name) == shown


# ---- what leaves beside it ----

def test_the_script_gives_the_same_digest(small, subject, tmp_path, capsys, monkeypatch):
    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    monkeypatch.setattr(sc.Study, "run", run)
    without = Subject(subject.result, subject.relation)
    for number, one in enumerate((subject, without)):
        (tmp_path / "study.py").write_text(files(one)["study.py"][1], encoding="utf-8")
        main = runpy.run_path(str(tmp_path / "study.py"))["main"]
        main(tmp_path / "table.csv", tmp_path / f"again{number}.stab")
        assert capsys.readouterr().out == f"{subject.result.digest()} - the same\n"
    study_support.frame(seed=2).to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(SystemExit, match="not the table"):
        main(tmp_path / "table.csv", tmp_path / "b.stab")


def test_everything_is_in_one_zip(small, subject, parts):
    content = exports.everything(subject, parts, "<p>")
    assert content == exports.everything(subject, parts, "<p>")
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        names = set(made.namelist())
        assert {"report.html", "study.py", "study.toml", "references.bib", "study.stab", "tables/panel.csv"} <= names
        assert made.read("study.stab") == small[0].read_bytes()
        assert made.read("tables/panel.csv") == csv_bytes(table(parts, "panel"))
        assert len(made.namelist()) == len(names)


def test_the_workbook_has_every_table_and_no_formula(parts):
    pytest.importorskip("openpyxl")
    found = pd.read_excel(io.BytesIO(exports.workbook(parts)), sheet_name=None, engine="openpyxl")
    assert len(found) == len(exports.tables(parts)) and list(found["panel"]["feature"]) == list(table(parts, "panel")["feature"])


def test_the_settings_file_runs(small, subject, tmp_path):
    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "study.toml").write_text(files(subject)["study.toml"][1], encoding="utf-8")
    assert load_study(tmp_path / "study.toml").settings() == StudyResult(small[0]).settings


# ---- the command ----

def test_the_command_writes_it(small, tmp_path, capsys):
    from stabcore.__main__ import main

    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    assert main(["report", str(small[0]), "--table", str(tmp_path / "table.csv"), "-o", str(tmp_path / "trial.html")]) == 0
    assert "Ward" not in (tmp_path / "trial.html").read_text(encoding="utf-8")
    assert "Written" in capsys.readouterr().err
    before = small[0].read_bytes()
    assert main(["report", str(small[0]), "-o", str(small[0])]) == 1 and small[0].read_bytes() == before
    assert main(["report", str(small[0]), "-o", str(tmp_path / "no" / "x.html")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_the_command_takes_the_answers_of_data_and_the_threshold(small, tmp_path, capsys):
    from stabcore.__main__ import main

    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    asked = ["report", str(small[0]), "--table", str(tmp_path / "table.csv"), "-o", str(tmp_path / "trial.html")]
    assert main([*asked, "--filtered", "yes", "--source", "Ward <7>", "--threshold", "0.5"]) == 0
    written = (tmp_path / "trial.html").read_text(encoding="utf-8")
    assert "Ward &lt;7&gt;" in written and "chosen beforehand by looking at the outcome of these very patients" in written
    assert "back in at least 50% of the runs" in written and "at least 75%" not in written
    (tmp_path / "trial.html").unlink()
    assert main([*asked, "--filtered", "maybe"]) == 1 and "found 'maybe'" in capsys.readouterr().err
    assert main([*asked, "--threshold", "50"]) == 1 and "0 to 1; found 50.0" in capsys.readouterr().err
    assert not (tmp_path / "trial.html").exists()


def test_rows_used_left_out_and_patients_are_told(tmp_path):
    frame = study_support.frame().assign(who=np.repeat(range(30), 2))
    frame["outcome"] = frame["outcome"].astype(object).where(np.arange(60) > 1, None)
    data = sc.Dataset.from_frame(frame, target="outcome", same_patient="who")
    result = run(sc.Study(data, ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    told = parts_of(Subject(result, sc.Relation(7), data=data, filtered="yes"))
    assert ("60 rows came with the table; 2 rows without a value for 'outcome' were left out; 58 rows were used, of 29 patients."
            in said(told, 2))
    whole = data.part(np.arange(20), "a part")
    assert data.n_came == 60 and whole.n_came is None       # nobody knows how many rows of a part there were
    assert "choice was made once, outside of the runs" in said(told, 1)
    assert "stabcore" in result.store.meta("versions") and "outcome 'outcome', with the classes sick and well" in said(told, 3)


def test_formulas_are_those_of_the_measures_that_the_report_shows(parts):
    assert list(table(parts, "formulas")["measure"]) == ["Nogueira (classic stability)", "Effective stability", "Kappa"]
    brought = sc.Results.from_files([(b"a,b\n1,0\n0,1\n", {"label": "mine", "name": "mine.csv"})])
    assert len(table(parts_of(Subject(brought, sc.Relation.identity(2, brought.features))), "formulas")) == 2
