"""Files beside the report: script and settings that reproduce it, tables, zip, and the command."""

import io
import zipfile

import pandas as pd
import pytest
import study_support
from report_support import run, table

import stabcore as sc
from stabcore.__main__ import main
from stabcore.data.spreadsheets import csv_bytes
from stabcore.glossary.headings import readable_frame
from stabcore.reporting import exports
from stabcore.reporting.page import READABLE_VALUES
from stabcore.reporting.pictures import pictures
from stabcore.reporting.subject import Subject
from stabcore.study.study_result import StudyResult


def test_script_reproduces_selections_and_compares_values(subject, tmp_path, repeated):
    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    for number, reported in enumerate((subject, Subject(subject.result, subject.similarity))):
        selections, values = repeated(reported, f"again{number}.stab", subject.result.path)
        assert selections == f"{subject.result.selection_digest()} - the same selections"
        assert "0.0e+00" in values and values.endswith("- the same")
    study_support.frame(random_state=2).to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(SystemExit):
        repeated(subject, "b.stab")


def test_the_script_repeats_every_setting(tmp_path, repeated):
    study_support.frame().to_csv(tmp_path / "table.csv", index=False)
    data, options = study_support.data(), {"n_permutations": 1, "permutation_runs": 5, "n_seeds": 2, "random_state": 4}
    options |= {"plan": sc.Subsample(6, 0.2), "k": 3, "classifier": "logistic", "importances": "linear"}
    result = run(sc.Study(data, {"few": ("mim", {"k": 2}), "linear": "anova_f"}, **options), tmp_path / "study.stab")
    selections, values = repeated(Subject(result, sc.Similarity.identity(7, data.features)), "again.stab", result.path)
    assert selections.endswith("- the same selections") and values.endswith("- the same")
    assert sc.open_study(tmp_path / "again.stab").settings == result.settings


def test_the_script_repeats_given_columns_and_classes_kept_apart(tmp_path, repeated):
    frame = study_support.frame().replace({"outcome": {"sick": "Wt", "well": "wT"}})
    frame.to_csv(tmp_path / "table.csv", index=False)
    data = sc.Dataset.from_file(tmp_path / "table.csv", target="outcome", given=["a", "stage"], alike="keep")
    result = run(sc.Study(data, ["lasso"], plan=sc.Subsample(3, 0.2), k=2, n_permutations=0), tmp_path / "study.stab")
    for known in (data, None):
        subject = Subject(result, sc.Similarity.identity(data.n_features, data.features), data=known)
        assert repeated(subject, f"again{known is None}.stab")[-1].endswith("- the same selections")


def test_zip_holds_every_file(small, subject, parts):
    content = exports.archive(subject, parts, "<p>")
    assert content == exports.archive(subject, parts, "<p>")
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        names = set(made.namelist())
        assert {"report.html", "study.py", "study.toml", "references.bib", "study.stab", "tables/panel.csv"} <= names
        assert made.read("study.stab") == small[0].read_bytes()
        assert not [name for name in names if "_" in name] and "tables/panel by selector.csv" in names
        assert made.read("tables/panel.csv") == csv_bytes(readable_frame(table(parts, "panel"), READABLE_VALUES))
        assert len(made.namelist()) == len(names)


def test_the_workbook_has_every_table_and_no_formula(parts):
    pytest.importorskip("openpyxl")
    found = pd.read_excel(io.BytesIO(exports.workbook(parts)), sheet_name=None, engine="openpyxl")
    assert len(found) == len(exports.tables(parts)) and list(found["panel"]["Feature"]) == list(table(parts, "panel")["feature"])


def test_command_writes_the_report(small, tmp_path, capsys):
    assert main(["report", str(small[0]), "-o", str(tmp_path / "trial.html"), "--no-interactive"]) == 0
    assert "Ward" not in (tmp_path / "trial.html").read_text(encoding="utf-8")
    assert "Written" in capsys.readouterr().err
    before = small[0].read_bytes()
    assert main(["report", str(small[0]), "-o", str(small[0])]) == 2 and small[0].read_bytes() == before
    assert main(["report", str(small[0]), "-o", str(tmp_path / "no" / "x.html")]) == 2
    assert "existing folder" in capsys.readouterr().err


def test_command_takes_answers_about_data_and_a_threshold(small, tmp_path, capsys):
    file, written = tmp_path / "table.csv", tmp_path / "trial.html"
    study_support.frame().to_csv(file, index=False)
    asked = ["report", str(small[0]), "--table", str(file), "-o", str(written), "--no-interactive"]
    assert main([*asked, "--filtered", "yes", "--source", "Ward <7>", "--threshold", "0.5"]) == 0
    text = written.read_text(encoding="utf-8")
    assert "Ward &lt;7&gt;" in text and "were chosen beforehand" in text and "at least 50%" in text and "at least 75%" not in text
    written.unlink()
    assert main([*asked, "--filtered", "maybe"]) == 2 and "'maybe'" in capsys.readouterr().err
    assert main([*asked, "--threshold", "50"]) == 2 and "50.0" in capsys.readouterr().err
    assert not written.exists()


def test_unwritable_path_is_refused_before_computing(small, tmp_path, monkeypatch):
    monkeypatch.setattr("stabcore.reporting.make.chosen_parts", pytest.fail)
    for wrong in (tmp_path, tmp_path / "missing" / "report.html"):
        with pytest.raises(sc.InputError):
            sc.report(StudyResult(small[0]), wrong)


def test_everything_is_computed_once_and_source_is_text(small, tmp_path, monkeypatch):
    result, drawn = StudyResult(small[0]), []
    monkeypatch.setattr("stabcore.reporting.make.pictures", lambda *about: drawn.append(about) or pictures(*about))
    written = sc.report(result, str(tmp_path / "all.zip"), parts=[1, 7], figures=["stability"], interactive=False)
    assert repr(written).startswith("<page of") and len(drawn) == 1
    assert "report.html" in zipfile.ZipFile(tmp_path / "all.zip").namelist()
    with pytest.raises(sc.InputError):
        sc.report(result, source=object())
