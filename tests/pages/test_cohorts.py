"""Two cohorts in one table: the rows of one are chosen on Data, both are studied, and Panel compares them."""

import tomllib
from types import SimpleNamespace

import numpy as np
import pandas as pd
from noise_support import Here
from page_support import fine, fine_page, open_page, patients, said, studied, table, text_of

import stabcore as sc
from pages.workspace.links import freeze
from pages.workspace.project import Project
from pages.workspace.projects import duplicate
from stabcore.io.choices import Choices
from stabcore.io.table import read_table
from stabcore.study.loading import load_study
from stabcore.study.study_result import open_study

SITE = {"mends": [{"do": "only", "columns": ["site"], "cells": ["<b>Oslo</b>"]}]}


def two_cohorts(other):
    """Sixty patients and sixty others, of another site."""
    return pd.concat([patients("abcdef", 60).assign(site="<b>Oslo</b>"), other.assign(site="Bern")], ignore_index=True)


def study_of(frame, cohort, store=None):
    """The study of one cohort, or of all rows, as the command line makes it."""
    mends = [{"do": "only", "columns": ["site"], "cells": [cohort]}] if cohort else []
    reading = read_table(frame.to_csv(index=False).encode(), "both.csv", Choices.of({"mends": mends}))
    data = sc.Dataset.from_reading(reading, target="outcome", exclude=() if cohort else ["site"], name="both")
    assert data.n_came == len(frame) and data.n_elsewhere == len(frame) - data.n_rows
    return sc.Study(data, ["mim"], sc.ComplementaryPairs(2), k=2, random_state=1, n_permutations=0).run(
        executor=Here(), store=store
    )


def test_the_rows_of_a_cohort_are_chosen_on_data_and_taken_back():
    own = table(two_cohorts(patients("abcdef", 60)), roles={"target": "outcome"})
    app = fine_page("data", own)
    app.selectbox(key="cohort-column").select("site").run()
    assert own.settings["choices"] == SITE and {one.label: one.value for one in app.metric}["Rows"] == "60"
    assert "Only the 60 of 120 rows in which" in said(app) and "120 rows and 8 columns were read" in said(app)
    app.selectbox(key="cohort-value").select("Bern").run()
    assert own.settings["choices"]["mends"][0]["cells"] == ["Bern"] and len(own.settings["choices"]["mends"]) == 1
    app.selectbox(key="cohort-column").select(None).run()
    assert own.settings["choices"] == {} and {one.label: one.value for one in app.metric}["Rows"] == "120"


def test_a_study_of_the_other_cohort_is_offered_on_panel_and_its_table_is_at_hand():
    frame = two_cohorts(patients("abcdef", 60))  # a copied cohort
    own = table(frame, roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    own.save(store="study.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))
    study_of(frame, "Bern", own.folder / "study-1.stab")
    app = fine_page("panel", own, panel="replicate")
    assert "Here: 60 rows of both, site = <b>Oslo</b>. There: 60 rows of both, site = Bern." in text_of(app.caption)
    assert "share 2 of the first 2 features" in said(app) and "an AUC of" in said(app)
    assert "of the same table" in text_of(app.warning)  # a copy has the very same rows
    own.save(choices={"mends": [{"do": "only", "columns": ["site"], "cells": ["Bern"]}]})  # Data has moved on to the other one
    assert "an AUC of" in said(fine_page("panel", own, panel="replicate"))


def test_a_study_of_all_rows_is_not_offered_as_another_cohort():
    frame = two_cohorts(patients("abcdef", 60))
    own = table(frame, roles={"target": "outcome", "exclude": ["site"]})
    study_of(frame, None, own.folder / "study.stab")
    study_of(frame, "Bern", own.folder / "study-1.stab")
    own.save(store="study.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))
    own.save(store="study-1.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))


def test_one_click_studies_the_other_cohort_alike_and_panel_compares_the_two(monkeypatch):
    frame = two_cohorts(patients("abcdef", 60))
    own = table(frame, "both", roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    own.save(store="study.stab")
    monkeypatch.setattr(
        Project,
        "start",
        lambda self, **_: load_study(self.folder / "study.toml").run(executor=Here(), store=self.folder / "study.stab"),
    )
    for page, section in (("study", {}), ("panel", {"panel": "replicate"})):
        work = duplicate(own)
        app = fine_page(page, work, **section)
        label = text_of([SimpleNamespace(value=app.button(key="other-cohort").label)])
        assert label == "Study the other cohort with the same settings: site = Bern (60 rows)"
        fine(app.button(key="other-cohort").click().run())
        first, second = (open_study(path) for path in (work.store, work.folder / "study.stab"))
        assert work.store.name == "study-1.stab" and work.settings["choices"] == SITE, "what one looks at stays"
        assert second.store.meta("choices", {})["mends"][0]["cells"] == ["Bern"]
        assert {**first.settings, "data": None} == {**second.settings, "data": None}
        app = fine_page("panel", work, panel="replicate")
        assert "There: 60 rows of both, site = Bern." in text_of(app.caption) and "an AUC of" in said(app)
        assert not [one for one in app.button if one.key == "other-cohort"], "there is no third"
        app = fine_page("study", work)
        assert "Of 60 rows of both, site = Bern." in text_of(app.caption)
        assert "The screens show an earlier study, of 60 rows of both, site = <b>Oslo</b>." in text_of(app.caption)
        fine(app.button(key="show-0").click().run())
        assert work.settings["choices"]["mends"][0]["cells"] == ["Bern"], "C and Data are about the rows of what is shown"


def test_risks_are_computed_of_the_rows_of_their_study_and_what_was_chosen_on_data_meanwhile_stays(monkeypatch):
    frame = two_cohorts(patients("abcdef", 60))
    own = table(frame, "both", roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    study_of(frame, "Bern", own.folder / "study-1.stab")
    later = {"mends": [{"do": "missing", "columns": ["a"], "cells": ["0"]}]}
    own.save(store="study.stab", choices=later)
    monkeypatch.setattr("pages.workspace.processes.launch", lambda *_: None)
    app = fine_page("panel", own, panel="risk")
    app.button(key="risk-compute").click().run()
    assert tomllib.loads((own.folder / "risk.toml").read_text(encoding="utf-8"))["data"]["mends"] == SITE["mends"]
    fine(fine_page("study", own).button(key="show-1").click().run())
    assert own.settings["store"] == "study-1.stab" and own.settings["choices"] == later


def test_a_cohort_that_cannot_be_studied_alike_a_read_only_copy_and_a_study_without_its_table_get_a_sentence():
    frame = two_cohorts(patients("abcdef", 60).assign(outcome="sick"))
    own = table(frame, roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    own.save(store="study.stab")
    app = open_page("study", own)
    app.button(key="other-cohort").click().run()
    assert not app.exception
    assert "The rows of site = Bern cannot be studied in this way. The target 'outcome' has only one" in text_of(app.error)
    assert [path.name for path in own.studies] == ["study.stab"] and own.store.name == "study.stab", "nothing was put aside"
    copy = freeze(own)
    assert "in a copy of your own: this one is read-only" in text_of(fine_page("panel", copy, panel="replicate").caption)
    assert "once their table is at hand" in text_of(fine_page("panel", studied(own.store), panel="replicate").caption)


def test_patients_with_rows_in_both_cohorts_are_counted_where_cohorts_are_chosen_and_compared():
    numbered = two_cohorts(patients("abcdef", 60)).assign(who=[*range(60), *range(43, 103)])  # 43 to 59 are in both
    for frame, told in ((numbered, "17 patients have rows in"), (numbered.assign(who=range(120)), "No patient has rows in")):
        own = table(frame, roles={"target": "outcome", "same_patient": "who"}, choices=SITE)
        for cohort, file in (("<b>Oslo</b>", "study.stab"), ("Bern", "study-1.stab")):
            study_of(frame.drop(columns="who"), cohort, own.folder / file)
        own.save(store="study.stab")
        for app, where in (
            (fine_page("data", own), "this cohort and in another"),
            (fine_page("panel", own, panel="replicate"), "both cohorts"),
        ):
            assert f"{told} {where}, as who tells" in text_of((*app.warning, *app.caption))
    own.save(roles={"target": "outcome"})
    assert "No column tells the patients" in text_of(fine_page("panel", own, panel="replicate").caption)


def test_of_three_cohorts_any_other_is_studied(monkeypatch):
    frame = pd.concat([two_cohorts(patients("abcdef", 60)), patients("abcdef", 40).assign(site="Rome")], ignore_index=True)
    own = table(frame, roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    own.save(store="study.stab")
    monkeypatch.setattr(Project, "start", lambda self, **_: None)
    app = fine_page("study", own)
    asked = app.selectbox(key="other-cohort-value")
    assert asked.options == ["site = Bern (60 rows)", "site = Rome (40 rows)"]
    fine(asked.select_index(1).run().button(key="other-cohort").click().run())
    told = tomllib.loads((own.folder / "study.toml").read_text(encoding="utf-8"))
    assert told["data"]["mends"][0]["cells"] == ["Rome"] and own.store.name == "study-1.stab"


def test_a_copied_cohort_replicates_fully_and_a_shuffled_one_as_random_orders_do():
    names, inside = [f"f{i}" for i in range(30)], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(60, 30))
        frame = pd.DataFrame(values, columns=names).assign(outcome=np.where(values[:, :5].sum(axis=1) > 0, "sick", "well"))
        other = pd.DataFrame(rng.normal(size=(60, 30)), columns=names).assign(outcome=rng.permutation(frame["outcome"]))
        first, second = (study_of(pd.concat([frame.assign(site="A"), other.assign(site="B")]), one) for one in "AB")
        table = sc.concordance(first, second, sizes=[5, 10, 15])
        inside.append(((table["low"] <= table["common"]) & (table["common"] <= table["high"])).mean())
    assert np.mean(inside) >= 0.9
    copy = study_of(pd.concat([frame.assign(site="A"), frame.assign(site="B")]), "B")
    common = sc.concordance(first, copy)["common"].to_numpy()
    assert (common <= np.arange(1, 31)).all() and (np.arange(1, 31) - common < 1).all()  # equal mean ranks share their places
    assert set(sc.replication(first, copy, 0.5)["replicates"]) == {"yes"}
