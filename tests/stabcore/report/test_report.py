"""What the report says, of a study and of selections that were brought; what it cites is numbered and stands in full."""

import re
import runpy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import study_support
from report_support import blocks, run, said, table

import stabcore as sc
from stabcore.data import Dataset
from stabcore.data.reading import Layout, apply, read_table, suggest
from stabcore.figures.risk import finding_risk
from stabcore.report import exports
from stabcore.report.citations import Citations, known
from stabcore.report.command import write_report
from stabcore.report.make import TITLES, chosen_parts, parts_of
from stabcore.report.patients import by_class
from stabcore.report.repeat import files
from stabcore.report.subject import Subject
from stabcore.study.study import load_study

# ---- what it says ----

def test_all_ten_parts_say_something(parts):
    assert [part.number for part in parts] == list(TITLES) == list(range(1, 11))
    assert all(part.blocks for part in parts)
    assert "come back in at least 75% of the runs" in said(parts, 1) and "random sets would share" in said(parts, 1)
    assert "Ward 7" in said(parts, 2) and "seed (5)" in said(parts, 3)
    assert "wrong choice can be a stable one" in said(parts, 8) and "beforehand" not in said(parts, 8)


def test_what_a_reviewer_asks_is_answered(parts):
    """Over what the jackknife goes, what naming the larger class would score, and that a panel as a whole was not tried."""
    assert "95% interval (jackknife over the pairs of halves)" in said(parts, 3)
    assert "Who always named the larger class would be right in" in said(parts, 6)
    assert "a model of the panel above would do in new patients was not measured" in said(parts, 6)
    assert "Halves are judged by one number a pair" in said(parts, 5)


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
    assert "which runs of which table made them is not known" in said(found, 2) and "is not known" in said(found, 8)
    assert "no accuracy" in said(found, 6) and "study.py" not in text and "2 features come back" in said(found, 1)


def test_a_table_beside_brought_selections_tells_which_way_they_go():
    data = sc.Dataset.from_frame(study_support.frame(), target="outcome")
    runs = pd.DataFrame([[(i + j) % 2 for i in range(len(data.features))] for j in range(4)], columns=data.features)
    result = sc.Results.from_files([(runs.to_csv(index=False).encode(), {"label": "mine", "name": "mine.csv"})])
    found = parts_of(Subject(result, sc.Relation.identity(len(data.features), result.features), beside=data))
    assert "direction" in table(found, "effects") and "of the table that was brought beside the selections" in said(found, 4)
    assert "in the runs of mine" not in said(found, 4) and "which runs of which table made them is not known" in said(found, 2)


def test_rows_used_left_out_and_patients_are_told(tmp_path):
    frame = study_support.frame().assign(who=np.repeat(range(30), 2))
    frame["outcome"] = frame["outcome"].astype(object).where(np.arange(60) > 1, None)
    data = sc.Dataset.from_frame(frame, target="outcome", same_patient="who")
    result = run(sc.Study(data, ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    told = parts_of(Subject(result, sc.Relation(7), data=data, filtered="yes"))
    assert "58 rows were used, of 29 patients." in said(told, 2) and "Left out: 2 rows" in said(told, 2)
    assert "choice was made once, outside of the runs" in said(told, 1)
    assert "stabcore" in result.store.meta("versions") and "outcome 'outcome', with the classes sick and well" in said(told, 3)


def test_formulas_are_those_of_the_measures_that_the_report_shows(parts):
    assert list(table(parts, "formulas")["measure"]) == ["Nogueira (classic stability)", "Effective stability", "Kappa"]
    brought = sc.Results.from_files([(b"a,b\n1,0\n0,1\n", {"label": "mine", "name": "mine.csv"})])
    assert len(table(parts_of(Subject(brought, sc.Relation.identity(2, brought.features))), "formulas")) == 2


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
        key, _, fields = next((entry for short, entry in known().items() if one.startswith(short)), (None, None, {}))
        assert {"author", "year"} <= set(fields), f"in full in stabcore/report/references.bib, a line a field: {one}"
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


def test_what_is_the_same_in_all_rows_of_a_patient_and_features_of_few_values_are_limits(tmp_path):
    rng, who = np.random.default_rng(0), np.repeat(np.arange(20), 2)
    frame = pd.DataFrame({"age": rng.normal(size=20)[who], "sex": rng.permutation(["f", "m"] * 10)[who], "crp": rng.normal(size=40),
                          "who": who, "y": np.repeat(["ill", "well"], 20)})
    data = sc.Dataset.from_frame(frame, target="y", same_patient="who")
    result = run(sc.Study(data, ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    told = said(parts_of(Subject(result, sc.Relation(3), data=data)), 8)
    assert "Every row of a patient says the same in 'age', 'sex', but not in other columns." in told
    assert "'sex' has few different values, other features many." in told
    assert "few different values" not in said(parts_of(Subject(result, sc.Relation(3))), 8) and "are copies of" not in told


def test_rows_that_are_copies_of_others_are_a_limit(tmp_path):
    values = np.random.default_rng(1).normal(size=(15, 2))
    frame = pd.DataFrame(np.repeat(values, 2, axis=0), columns=["crp", "pct"]).assign(y=["ill", "well"] * 15)
    data = sc.Dataset.from_frame(frame, target="y")
    result = run(sc.Study(data, ["mim"], sc.Half(2), k=1), tmp_path / "study.stab")
    parts = parts_of(Subject(result, sc.Relation(2), data=data))
    assert "15 rows are copies of other rows, feature by feature." in said(parts, 8)
    assert "are copies of other rows" in said(parts, 1)         # first of all: no floor holds with them
