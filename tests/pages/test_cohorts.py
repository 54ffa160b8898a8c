"""Two cohorts in one table: the rows of one are chosen on Data, both are studied, and Panel compares them."""

import shutil
import tomllib

import pandas as pd
import pytest
from noise_support import Here
from page_support import figures, fine, fine_page, keys_of, open_page, page_text, text_of
from project_support import patients, studied, table
from support import slow

import stabcore as sc
from pages.workspace.links import make_copy
from pages.workspace.project import Project
from pages.workspace.projects import duplicate
from stabcore.io.choices import Choices
from stabcore.io.table import read_table
from stabcore.study.loading import load_study

OSLO, BERN = "<b>Oslo</b>", "Bern"
FRAME = pd.concat([patients("abcdef", 60).assign(site=OSLO), patients("abcdef", 60).assign(site=BERN)], ignore_index=True)
PANEL = {"panel_section": "replicate"}


def only(cohort):
    return {"mends": [{"do": "only", "columns": ["site"], "cells": [cohort]}]}


def study_of(frame, cohort, store=None):
    """The study of one cohort, or of all rows, as the command line makes it."""
    reading = read_table(frame.to_csv(index=False).encode(), "both.csv", Choices.of(only(cohort) if cohort else {}))
    data = sc.Dataset.from_reading(reading, target="outcome", exclude=() if cohort else ["site"], name="both")
    assert data.n_came == len(frame) and data.n_elsewhere == len(frame) - data.n_rows
    study = sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(2), k=2, random_state=1, n_permutations=0)
    return study.run(executor=Here(), store=store)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """{cohort: file of its study}; None: of all rows."""
    folder = tmp_path_factory.mktemp("cohorts")
    paths = {cohort: folder / f"{number}.stab" for number, cohort in enumerate((OSLO, BERN, None))}
    for cohort, path in paths.items():
        study_of(FRAME, cohort, path)
    return paths


@pytest.fixture
def project(files):
    """Make a project with the table and the studies of these cohorts. The first one is shown."""

    def make(*cohorts, frame=FRAME, **settings):
        made = table(frame, "both", **{"roles": {"target": "outcome"}, "choices": only(OSLO), **settings})
        for number, cohort in enumerate(cohorts):
            shutil.copy(files[cohort], made.folder / f"study{f'-{number}' if number else ''}.stab")
        made.save(store="study.stab")
        return made

    return make


def test_the_rows_of_a_cohort_are_chosen_on_data_and_taken_back():
    made = table(FRAME, roles={"target": "outcome"})
    app = fine_page("data", made)
    app.selectbox(key="cohort_column").select("site").run()
    assert made.settings["choices"] == only(OSLO) and "60 rows" in page_text(app)
    app.selectbox(key="cohort_value").select(BERN).run()
    assert made.settings["choices"] == only(BERN)
    app.selectbox(key="cohort_column").select(None).run()
    assert made.settings["choices"] == {} and "120 rows" in page_text(fine(app))


def test_panel_offers_a_study_of_the_other_cohort_with_its_table(project):
    alone = fine_page("panel", project(OSLO), **PANEL)
    made = project(OSLO, BERN)
    app = fine_page("panel", made, **PANEL)
    assert len(figures(app)) > len(figures(alone)) and app.warning  # a copied cohort has the very same rows
    made.save(choices=only(BERN))  # Data has moved on to the other one
    again = fine_page("panel", made, **PANEL)
    assert again.dataframe[-1].value.equals(app.dataframe[-1].value)


@pytest.mark.parametrize(("page", "section"), [("panel", PANEL), slow("study", {})])
def test_one_click_studies_the_other_cohort_and_panel_compares_both(page, section, project, monkeypatch):
    def start(self, **_):
        load_study(self.folder / "study.toml").run(executor=Here(), store=self.folder / "study.stab")

    monkeypatch.setattr(Project, "start_study", start)
    work = duplicate(project(OSLO))
    fine(fine_page(page, work, **section).button(key="other-cohort").click().run())
    first, second = (sc.open_study(path) for path in (work.store, work.folder / "study.stab"))
    assert work.store.name == "study-1.stab" and work.settings["choices"] == only(OSLO), "what one looks at stays"
    assert second.store.meta("choices", {}) == only(BERN)
    assert {**first.settings, "data": None} == {**second.settings, "data": None}
    app = fine_page("panel", work, **PANEL)
    assert figures(app) and "other-cohort" not in keys_of(app), "there is no third"
    fine(fine_page("study", work).button(key="show-0").click().run())
    assert work.settings["choices"] == only(BERN), "C and Data are about the rows of what is shown"


def test_risks_use_the_rows_of_their_study_whatever_data_has_chosen(project, monkeypatch):
    later = {"mends": [{"do": "missing", "columns": ["a"], "cells": ["0"]}]}
    made = project(OSLO, BERN, choices=later)
    monkeypatch.setattr("pages.workspace.processes.start_process", lambda *_: None)
    fine_page("panel", made, panel_section="risk").button(key="risk-compute").click().run()
    assert tomllib.loads((made.folder / "risk.toml").read_text(encoding="utf-8"))["data"]["mends"] == only(OSLO)["mends"]
    fine(fine_page("study", made).button(key="show-1").click().run())
    assert made.settings["store"] == "study-1.stab" and made.settings["choices"] == later


def test_a_second_cohort_needs_both_classes_a_table_and_an_own_project(project):
    one_class = pd.concat([FRAME[FRAME["site"] == OSLO], FRAME[FRAME["site"] == BERN].assign(outcome="sick")])
    made = project(OSLO, frame=one_class)
    app = open_page("study", made)
    app.button(key="other-cohort").click().run()
    assert not app.exception and "'outcome'" in text_of(app.error)
    assert [path.name for path in made.studies] == ["study.stab"] and made.store.name == "study.stab", "nothing was put aside"
    for other in (make_copy(made), studied(made.store)):
        assert "other-cohort" not in keys_of(fine_page("panel", other, **PANEL))


def test_patients_in_both_cohorts_are_counted_on_data_and_panel(project):
    numbered = FRAME.assign(who=[*range(60), *range(43, 103)])  # 43 to 59 are in both
    for frame, shared in ((numbered, 17), (numbered.assign(who=range(120)), 0)):
        made = project(OSLO, BERN, frame=frame, roles={"target": "outcome", "same_patient": "who"})
        for app in (fine_page("data", made), fine_page("panel", made, **PANEL)):
            assert ("17 patients" in text_of((*app.warning, *app.caption))) == bool(shared)
