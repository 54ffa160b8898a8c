"""Content of the report for a study and for uploaded selections, and its citations."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import study_support
from given_support import aged
from report_support import blocks, run, table
from snapshot_support import check_snapshot
from support import ROOT

import stabcore as sc
from stabcore.data import Dataset, check
from stabcore.data.checks import ABOUT_CONSTANT_COLUMNS, describe_copied_rows
from stabcore.inference.panel_rule import PanelRule
from stabcore.io.check import cell_questions
from stabcore.io.choices import Choices, Layout
from stabcore.io.mends import apply_mends
from stabcore.io.table import read_table
from stabcore.plots.risk import finding_risk
from stabcore.reporting import exports
from stabcore.reporting.citations import Citations, full_references
from stabcore.reporting.exports import references
from stabcore.reporting.limitations import limitation_sentences
from stabcore.reporting.make import TITLES, chosen_parts
from stabcore.reporting.methods import BEYOND_GIVEN, CHAINED, LEVELS, SEVERAL_CLASSES, SOURCES, describe_bins_and_classes, methods
from stabcore.reporting.patients import features_by_class
from stabcore.reporting.pictures import available_figures
from stabcore.reporting.repeat import repeat_files
from stabcore.reporting.results import FLOOR, answer, prediction
from stabcore.reporting.study_file import write_report
from stabcore.reporting.subject import Subject
from stabcore.selectors.catalog import ENTRIES
from stabcore.study.loading import load_study

BY_THE_AUTHORS = "to be written by you"


def part_text(parts, number, references=True):
    texts = []
    for block in next(part for part in parts if part.number == number).blocks:
        if block.kind in ("text", "heading"):
            texts.append(block.text)
        elif block.kind == "bullets" and (references or not block.numbered):
            texts += block.items
    return "\n".join(texts)


def test_all_ten_parts_have_content(parts):
    assert [part.number for part in parts] == list(TITLES) == list(range(1, 11))
    assert all(part.blocks for part in parts)


def rows_of_patients():
    """24 rows of 12 patients. Some features are constant within a patient, or differ in its two rows."""
    rng, who = np.random.default_rng(0), np.repeat(np.arange(12), 2)
    frame = pd.DataFrame(rng.normal(size=(24, 3)), columns=["a", "b", "c"]).assign(a=who.astype(float))
    frame.loc[[0, 1, 2], "b"] = np.nan
    first = np.arange(24) < 3
    frame = frame.assign(sex=np.where(first, "f", "m"), smokes=first.astype(int), who=[f"P{i}" for i in who])
    return sc.Dataset.from_frame(frame.assign(y=["ill"] * 8 + ["well"] * 16), target="y", same_patient="who")


def times_of_patients():
    """30 patients with two rows each, of whom ten have the event."""
    who = np.repeat(np.arange(30), 2)
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
    return frame.assign(who=who, days=who + 1.0, dead=(who % 3 == 0).astype(int))


def test_texts_on_data_methods_and_limitations(subject, tmp_path):
    """Patients with several rows, or with an event, are counted once."""
    gaps = pd.DataFrame(np.random.default_rng(0).standard_normal((24, 3)), columns=list("abc"))
    gaps.iloc[::5, 0] = np.nan
    filled = Dataset(gaps, np.where(np.arange(24) % 2, "ill", "well"))
    timed = sc.Dataset.from_frame(times_of_patients(), target=("days", "dead"), same_patient="who")
    filtered = {f"filtered: {answer}": replace(subject, filtered=answer, _answers={}) for answer in ("yes", "not answered")}
    subjects = {"the small study": subject, **filtered}
    for name, data, options in (
        ("rows of patients", rows_of_patients(), {"selectors": ["welch_t"]}),
        ("times of patients", timed, {"selectors": ["cox_score"], "classifier": "none"}),
        ("three imputations", filled, {"selectors": ["welch_t"], "n_imputations": 3}),
    ):
        study = sc.Study(data, plan=sc.ComplementaryPairs(3), k=1, n_permutations=0, **options)
        subjects[name] = Subject(run(study, tmp_path / f"{name}.stab"), sc.Similarity(data.n_features), data=data)
    texts = []
    for name, reported in subjects.items():
        numbers = [8] if name in filtered else [2, 3, 8]
        parts = chosen_parts(reported, numbers)
        texts += [f"# {name}", *(part_text(parts, number, references=False) for number in numbers)]
    versions = r"\b[0-9a-f]{64}\b|The study used stabcore .*"
    check_snapshot("reporting/parts", re.sub(versions, "…", "\n".join(texts)))
    with pytest.raises(sc.InputError):
        sc.report(subject.result, filtered="perhaps")


@pytest.mark.parametrize("control", [0, 2])
def test_no_selector_is_judged_without_a_noise_floor(control, tmp_path):
    options = {"plan": sc.ComplementaryPairs(3), "k": 2, "random_state": 1, "n_permutations": control}
    result = run(sc.Study(study_support.data(), ["mim", "lasso"], **options), tmp_path / "a.stab")
    subject = Subject(result, sc.Similarity.identity(7, result.features))
    found = chosen_parts(subject, [3, 5])
    shown, names = table(found, "stability"), {block.name for block in blocks(found, "table")}
    assert subject.judged == bool(control) == ("comparisons" in names) == ("p" in shown) == (FLOOR in shown)
    assert ("compared" in available_figures(subject)) == bool(control)
    assert ("Phipson" in part_text(found, 3)) == bool(control) == ("shuffled 2 times" in part_text(found, 3))
    if control:
        floors = result.noise_floor("nogueira")
        overall = shown[shown["quantity"] == "All runs"].set_index("selector")
        assert np.allclose(overall[["value", "floor", "beyond", "p"]], floors.loc[overall.index, ["value", "floor", "beyond", "p"]])


def test_effects_of_uploads_are_those_of_the_table_beside_them(small, subject):
    data, runs = small[1], subject.result.selections("mim")
    uploaded = Subject(sc.Results({"mim": runs}), subject.similarity, table_of_upload=data)
    pd.testing.assert_frame_equal(uploaded.effects, subject.effects)
    assert len(uploaded.values) and len(uploaded.rank_intervals) and uploaded.data is None


def test_methods_cite_the_source_of_each_printed_test(parts):
    names = {block.name for block in blocks(parts, "table")}
    listed = " ".join(next(block.items for block in parts[2].blocks if block.kind == "bullets" and block.numbered))
    authors = {"Nadeau": {"equal_accuracy", "prediction"}, "Hedges": {"effects"}, "Newcombe": {"effects"}}
    for author, of in {**authors, "Shah": {"false_selection_bounds"}, "Meinshausen": {"panel"}}.items():
        assert (author in listed) == bool(of & names), author
    assert "Holm" in listed


def test_methods_explain_selectors_with_several_classes():
    several = {key for key, targets in sc.list_selectors()["targets"].items() if "more classes" in targets}
    assert several <= set(SEVERAL_CLASSES)
    assert {entry.key for entry in ENTRIES if entry.build.takes_given} == set(BEYOND_GIVEN)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 3)), columns=["a", "b", "c"]).assign(y=list("xyz") * 10)
    selectors = {"m": "mim", "s": "svm", "w": ("mrmr", {"bins": 3})}
    study = sc.Study(sc.Dataset.from_frame(frame, target="y"), selectors, plan=sc.ComplementaryPairs(2), k=1, n_permutations=0)
    result = SimpleNamespace(settings=study.settings(), classes=("x", "y", "z"))
    text = " ".join(describe_bins_and_classes(result))
    assert all(part in text for part in ("5 for m", "3 for w", "m and w: all classes", "s: every two"))


def test_patients_with_several_rows_are_counted_and_a_class_may_be_called_all():
    counted = features_by_class(rows_of_patients()).set_index(["feature", "level"])
    assert list(counted.columns) == ["all (12 patients)", "ill (4 patients)", "well (8 patients)", "missing"]
    assert counted.loc[("a", ""), "ill (4 patients)"] == "1.5 (0.75 to 2.25)" and counted.loc[("b", ""), "missing"] == 1
    assert counted.loc[("sex", "f"), "all (12 patients)"] == "2 (17%)", "a tie counts for the first level"
    assert counted.loc[("smokes", "1"), "all (12 patients)"] == "1 (8%)", "a tie counts for the smaller value"
    (few,) = [found for found in check(times_of_patients(), ("days", "dead"), same_patient="who") if "Only" in found.sentence]
    assert "10 events" in few.sentence
    frame = pd.DataFrame({"x": [0.0, 1.0] * 5 + [1.0] * 10, "y": ["all"] * 12 + ["none"] * 8})
    (row,) = features_by_class(sc.Dataset.from_frame(frame, target="y")).itertuples(index=False)
    assert list(row)[2:] == ["15 (75%)", "7 (58%)", "8 (100%)", 0]


def test_table_with_corrected_cells_is_reproduced(tmp_path, repeated):
    """The script, the settings file and the command read the original file, which has two lines above the names."""
    lines = "".join(f"{i},{'<0.5' if i % 7 == 2 else i * 5 % 11},{'ab'[i % 2]}\n" for i in range(24))
    (tmp_path / "table.csv").write_text(f"Ward 7\n\nx,crp,y\n{lines}", encoding="utf-8")
    placed = read_table(tmp_path / "table.csv", choices=Choices(Layout(header=3)))
    read = apply_mends(placed, [question.offers[0][1] for question in cell_questions(placed)])
    study = sc.Study(Dataset.from_reading(read, target="y"), "mim", plan=sc.ComplementaryPairs(2), k=1, n_permutations=0)
    result = run(study, tmp_path / "study.stab")
    subject = Subject(result, sc.Similarity(2))
    (tmp_path / "study.toml").write_text(repeat_files(subject)["study.toml"][1], encoding="utf-8")
    assert load_study(tmp_path / "study.toml").data.fingerprint == result.settings["data"]["fingerprint"]
    assert repeated(subject) == [f"{result.selection_digest()} - the same selections"]
    assert "Written" in list(write_report(tmp_path / "study.stab", tmp_path / "table.csv", tmp_path / "report.html", parts=[2]))[-1]


def test_binary_numbers_are_counted_and_units_are_kept(tmp_path):
    rng = np.random.default_rng(0)
    lines = "".join(f"{x:.2f},{i % 2},{i % 3 // 2 + 1},{'ab'[i % 5 > 2]}\n" for i, x in enumerate(rng.normal(5, 1, 40)))
    read = read_table(f"crp,smokes,sex,y\nmg/L,,,\n{lines}".encode(), "t.csv")
    data = Dataset.from_reading(read, target="y")
    made = features_by_class(data).set_index(["feature", "level"])
    assert made.loc[("smokes", "1"), "all (40 patients)"] == "20 (50%)" and ("crp [mg/L]", "") in made.index
    assert made.loc[("sex", "2"), "all (40 patients)"] == "13 (32%)"
    result = run(sc.Study(data, "mim", plan=sc.ComplementaryPairs(2), k=3, n_permutations=0), tmp_path / "a.stab")
    shown = table(chosen_parts(Subject(result, sc.Similarity(3), data=data), [4]), "effects").set_index("feature")
    assert shown.loc["crp", "unit"] == "mg/L" and shown["median"].notna().tolist() == [name == "crp" for name in shown.index]


def test_report_without_the_table_names_the_gaps(small):
    found = chosen_parts(Subject(sc.open_study(small[0], named=True), sc.Similarity.identity(7)), [2, 4, 5, 6, 10])
    assert "not available" in part_text(found, 2) and "effects" not in {block.name for block in blocks(found, "table")}
    guide = table(found, "guidelines").set_index(["guideline", "number"])["where"]
    assert guide[("TRIPOD+AI", "11")] == guide[("REMARK", "13")] == BY_THE_AUTHORS


def test_another_table_is_refused(small):
    other = sc.Dataset.from_frame(study_support.frame(random_state=3), target="outcome", name="toy")
    with pytest.raises(sc.InputError):
        sc.report(sc.open_study(small[0]), data=other)


def test_formulas_are_those_of_computed_measures(subject, parts):
    """Without similar features there is no effective stability."""
    formulas = table(parts, "formulas").set_index("measure")["formula"]
    assert list(formulas.index) == ["Classic stability (Nogueira)", "Effective stability"]
    uploaded = sc.Results.from_files([(b"a,b\n1,0\n0,1\n", {"label": "mine", "name": "mine.csv"})])
    alone = chosen_parts(Subject(uploaded, sc.Similarity.identity(2, uploaded.features)))
    assert len(table(alone, "formulas")) == 1 and list(table(alone, "stability")["quantity"]) == ["All runs"]
    assert "any_related" not in table(alone, "panel")


def test_guidelines_have_every_item_once(parts):
    guide = table(parts, "guidelines")
    numbers = guide.groupby("guideline")["number"].apply(list)
    assert len(numbers["TRIPOD+AI"]) == 52 and len(numbers["REMARK"]) == 20
    assert all(len(set(items)) == len(items) for items in numbers)
    main = {int(re.match(r"\d+", number)[0]) for number in numbers["TRIPOD+AI"]}
    assert main == set(range(1, 28)) and list(map(int, numbers["REMARK"])) == list(range(1, 21)) and guide["item"].is_unique
    where = guide.set_index(["guideline", "number"])["where"]
    assert where[("TRIPOD+AI", "8a")] == where[("REMARK", "7")] == BY_THE_AUTHORS  # the name of a column defines no outcome
    for parts_named in where[where != BY_THE_AUTHORS]:
        assert {int(number) for number in re.findall(r"\d+", parts_named)} <= set(TITLES)


# ---- citations ----


def test_citations_are_numbered_once_and_in_bibtex(parts, subject):
    text = part_text(parts, 3) + part_text(parts, 10)
    numbers = {int(number) for cited in re.findall(r" \[([\d, ]+)\]", text) for number in cited.split(",")}
    listed = next(block.items for block in parts[2].blocks if block.kind == "bullets" and block.numbered)
    assert numbers == set(range(1, len(listed) + 1))
    bib = references(subject)
    assert bib.count("\n@") + 1 == len(listed) and bib.count("{") == bib.count("}")
    keys = re.findall(r"@\w+\{([^,]+),", bib)
    assert len(set(keys)) == len(keys)


def test_each_reference_has_one_number_and_format():
    of = Citations()
    assert of.cite("Cohen 1960; Carletta 1996") == " [1, 2]" and of.cite("as in Carletta 1996") == " [2]" and of.cite("") == ""
    assert of.cite("Shah & Samworth 2013, JRSS B 75:55-80") == of.cite("Shah & Samworth 2013") == " [3]"
    of = Citations()
    for reference in full_references():
        of.cite(reference)
    assert len(of.listed()) == len({key for key, _, _ in full_references().values()}) > 45 and "@misc" not in of.bibtex()
    assert not [reference for reference in of.listed() if re.search(r"\.\.|[{}]|--|  | ,", reference)]


def test_citations_of_catalogues_agree_with_the_bibliography():
    catalogues = (sc.list_measures(), sc.list_selectors(), sc.list_plans(), sc.list_classifiers())
    cited = {part.strip().removeprefix("as in ") for table in catalogues for text in table["reference"] for part in text.split(";")}
    for source in cited:
        key, _, fields = next((entry for short, entry in full_references().items() if source.startswith(short)), (None, None, {}))
        assert {"author", "year"} <= set(fields), f"missing in stabcore/reporting/references.bib: {source}"
        first = re.split(r" (?:et al|& )|,| \d{4}", source)[0]
        assert fields["author"].startswith(f"{first},") and fields["year"] in source and fields["year"] in key, source
        for volume, pages in re.findall(r" (\d+):([\d-]+)$", source):
            assert (fields["volume"], fields["pages"].replace("--", "-")) == (volume, pages), source


def test_citations_of_the_report_are_in_the_bibliography():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "stabcore" / "reporting").glob("*.py")]
    cited = [reference for text in sources for reference in re.findall(r"cite\([\"'](.+?)[\"']\)", text)]
    cited += [CHAINED, LEVELS, *(reference for _, reference in SOURCES.values())]
    assert len(cited) > 25 and all(map(Citations().cite, cited))


@pytest.fixture(scope="module")
def more(small, subject):
    """Return the subject with risks and a larger panel, and its parts."""
    risk = sc.risk_instability(small[1], subject.result, subject.labels[-1])
    with_risk = replace(subject, risk=risk, asked=PanelRule(value=0.3), _answers={})
    return with_risk, chosen_parts(with_risk, None, ["risks", "decision", "calibration"])


def test_computed_risks_are_in_the_report(subject, parts, more):
    risk, asked = more[0].risk, more[1]
    pd.testing.assert_frame_equal(table(asked, "risks"), risk.table())
    assert "risk of every patient" in part_text(asked, 6)
    everybody = {name for name, frame in exports.tables(asked).items() if "risk" in frame and len(frame) == len(risk.on_all_rows)}
    without = chosen_parts(replace(subject, risk=risk, _answers={}), [1, 5, 7], ["panel", "stability"])
    assert everybody == {"risks", "figure_risks"} and not everybody & set(exports.tables(without))
    assert finding_risk(risk.table(), 0.5) in part_text(asked, 6) and "Riley" in part_text(asked, 3)
    assert "figure_risks" in [block.name for block in blocks(asked, "picture")]
    assert not [block for block in blocks(parts, "table") if block.name == "risks"]


def test_compared_subgroups_are_in_the_report(small, subject, parts):
    halves = np.where(np.arange(small[1].n_rows) % 2, "odd", "even")
    found = sc.subgroup_agreement(small[1], subject.result, halves, n_repeats=2, n_permutations=3)
    asked = chosen_parts(replace(subject, subgroups=found, _answers={}), [5])
    assert table(asked, "subgroups")["value"].tolist() == found["value"].tolist() and "even and odd" in part_text(asked, 5)
    assert not [block for block in blocks(parts, "table") if block.name == "subgroups"]


def test_clinical_worth_of_the_panel_is_in_the_report(small, subject, more):
    with_risk, found = more
    members = with_risk.panel.loc[with_risk.panel["in_panel"], "feature"].tolist()
    worth = sc.clinical_worth(small[1], members, subject.result, subject.labels[0], n_bootstrap=20)
    np.testing.assert_allclose(table(found, "clinical_worth")["corrected"], worth.table["corrected"])
    assert {"figure_decision", "figure_calibration"} <= {block.name for block in blocks(found, "picture")}
    assert "Vickers" in part_text(found, 3)


def test_features_constant_within_patients_are_a_limitation(tmp_path):
    rng, who = np.random.default_rng(0), np.repeat(np.arange(20), 2)
    frame = pd.DataFrame({"age": rng.normal(size=20)[who], "sex": rng.permutation(["f", "m"] * 10)[who]})
    frame = frame.assign(crp=rng.normal(size=40), who=who, y=np.repeat(["ill", "well"], 20))
    data = sc.Dataset.from_frame(frame, target="y", same_patient="who")
    result = run(sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(2), k=1, n_permutations=3), tmp_path / "study.stab")
    limits = part_text(chosen_parts(Subject(result, sc.Similarity(3), data=data), [8]), 8)
    assert ABOUT_CONSTANT_COLUMNS.format(columns="'age', 'sex'") in limits
    assert "copied from" not in limits and "at least 19 shuffles" in limits


def test_copied_rows_are_a_limitation(tmp_path):
    values = np.random.default_rng(1).normal(size=(15, 2))
    frame = pd.DataFrame(np.repeat(values, 2, axis=0), columns=["crp", "pct"]).assign(y=["ill", "well"] * 15)
    data = sc.Dataset.from_frame(frame, target="y")
    result = run(sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(2), k=1, n_permutations=0), tmp_path / "study.stab")
    parts = chosen_parts(Subject(result, sc.Similarity(2), data=data), [1, 8])
    assert describe_copied_rows(15, False) in part_text(parts, 8)
    assert "copied from other rows" in part_text(parts, 1)  # in the answer, because no noise floor is valid with copies


def test_predictions_of_a_number_are_reported():
    values = np.random.default_rng(0).normal(size=(60, 4))
    frame = pd.DataFrame(values, columns=list("abcd")).assign(level=values[:, 0] + 0.1 * values[:, 1])
    study = sc.Study(Dataset.from_frame(frame, target="level"), ["lasso"], plan=sc.ComplementaryPairs(3), k=1, n_permutations=0)
    found = study.run(n_jobs=1, progress=False)
    blocks_of = prediction(Subject(found, sc.Similarity.identity(4, found.features)))
    scores = next(block.frame for block in blocks_of if block.kind == "table")
    assert "R² [interval]" in scores and scores["r2"].iloc[0] == found.table()["r2"].iloc[0] > 0.5


@pytest.mark.parametrize("given", [("age", "sex"), ()], ids=["given", "none"])
def test_every_part_names_the_given_columns(given):
    X, y, columns = aged(0, n=90, d=8)
    frame = pd.DataFrame(X).add_prefix("m").assign(age=columns[:, 0], sex=columns[:, 1])
    data = sc.Dataset(frame, y, given=given, exclude=() if given else ["age", "sex"])
    study = sc.Study(data, ["welch_t", "auc"], plan=sc.ComplementaryPairs(3), k=3, classifier="logistic", n_permutations=2)
    result, cited = study.run(n_jobs=1, progress=False), Citations()
    subject = Subject(result, sc.Similarity.identity(8, data.features), data=data)
    parts = {"answer": answer(subject), "methods": methods(subject, cited), "prediction": prediction(subject)}
    texts = {name: " ".join(str(vars(block)) for block in part) for name, part in parts.items()}
    for name, text in {**texts, "limits": " ".join(limitation_sentences(subject)), "result": result.sentence()}.items():
        assert bool(re.search(r"\bage and sex\b", text)) == bool(given), name
    assert ("added_value" in texts["prediction"]) == bool(given) == any("Rao" in reference for reference in cited.listed())
