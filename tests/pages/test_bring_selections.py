"""Selections uploaded on Start: files of R, long tables, one file per run, questions, a table beside them, overlapping sets."""

import numpy as np
from page_support import (
    RESULTS,
    analyse,
    click,
    figures,
    fine,
    fine_page,
    full_text,
    metrics,
    open_page,
    press,
    project_of,
    pull,
    upload,
    walk,
)
from project_support import bundled, patients, sample, studied, table

from pages.parts.screen import NUMBERS

NAMES = ("ALT", "AST", "EGFR", "age")
LONG = "run,feature\n1,alt\n1,AST\n2,alt\n2,EGFR\n3,AST\n3,age\n"
MATRIX = "ALT,AST,EGFR,TP53\n1,1,0,0\n1,0,1,0\n1,1,0,0\n"
ROLES = {"target": "outcome", "exclude": []}


def given(app, content, name="runs.csv"):
    """Selections in a file."""
    return upload(app, "selections", name, content, "use-selections")


def pasted(text, features=None, kind=None):
    app = open_page("start")
    app.text_area(key="selections-text").set_value(text).run()
    if features:
        app.text_area(key="selections-all").set_value(features).run()
    if kind:
        app.selectbox(key="selections-kind").set_value(kind).run()
    return app.button(key="use-selections").click().run()


def measured(app):
    """The selectors whose stability is shown."""
    return pull(fine(app), NUMBERS).dataframe[0].value["selector"].tolist()


def go(app, *pages):
    """The last of these pages."""
    assert list(walk(app, pages))
    return app


def test_a_name_outside_the_features_is_refused():
    app = fine(pasted("ALT, AST\nALT, EGFR\nAST, EGFR, TP53\n", "ALT\nAST\nEGFR\nTP53\nage", "sets"))
    assert project_of(app).settings["selections"][0]["kind"] == "sets"
    assert "age" in app.multiselect(key="highlighted__widget").options, "which no run selected"
    app = pasted("ALT, AST\nALT, EGRF\n", "ALT\nAST\nEGFR")
    assert not app.exception and all(word in app.error[0].value for word in ("EGRF", "EGFR")) and "id" not in app.session_state


def test_choices_made_for_a_study_do_not_follow_to_other_data(small_file):
    app = fine_page("stability", studied(small_file), stability_section="selectors")
    app.selectbox(key="comparing_measure__widget").select("importance_weighted").run()
    press(analyse(fine(app), "measures"), "measures_weights__widget", ["spearman_ranks"])
    go(app, "similarity", "start")
    app.text_area(key="selections-text").set_value(MATRIX).run()
    fine(app.button(key="use-selections").click().run())
    assert "comparing_measure" not in app.session_state and "measures_weights" not in app.session_state
    go(analyse(app, "selectors"), "similarity")


def test_a_question_is_asked_answered_and_kept_with_its_file():
    app = given(open_page("start"), "\n".join(["1,0,1"] * 9) + "\n", "a.csv")
    assert not app.exception and app.warning and "id" not in app.session_state
    assert not upload(app, "selections", "b.csv", "a,b,c\n1,0,1\n0,1,1\n").warning, "it is not asked of another file"
    app = given(app, "\n".join(",".join(str((i + j) % 2) for j in range(3)) for i in range(9)) + "\n")
    app.button(key="answer-runs_in-1").click().run()
    assert measured(app) and project_of(app).settings["selections"][0]["runs_in"] == "columns"
    assert "9 features" in full_text("stability", project_of(app))


def correlated():
    """A table in which ALT and AST are nearly the same."""
    frame = patients(NAMES)
    frame["AST"] = frame["ALT"] + 0.01 * np.random.default_rng(1).normal(size=len(frame))
    return frame


def assert_correlations_count(app):
    """Effective stability differs from the classic one, and thresholds can be looked at."""
    go(app, "similarity").selectbox(key="scenario-base").select("correlation").run()
    found = {name: float(value.replace("−", "-")) for name, value in metrics(fine(app)).items()}
    assert found["Effective stability"] > found["Stability"]
    assert figures(press(go(app, "whatif"), "what_if__widget", "thresholds"))


def test_selections_join_the_loaded_table_with_its_decisions():
    frame = correlated()
    frame["ALT"] = frame["ALT"].astype(object)
    frame.loc[3, "ALT"] = "n.d."
    mends = {"mends": [{"do": "missing", "columns": ["ALT"], "cells": ["n.d."]}]}
    project = table(frame, roles=ROLES, choices=mends)
    app = given(open_page("start", project), LONG)
    assert measured(app) and project_of(app).settings["choices"] == mends
    joined = project_of(app)
    assert joined.id != project.id and joined.table_file.exists() and project.settings["kind"] == "table"
    assert_correlations_count(app)
    go(app, "feature_profile").selectbox(key="feature__widget").select("ALT").run()
    assert "ALT" in pull(app, "Column details").dataframe[0].value["column"].tolist()
    go(app, "study").button(key="table-alone").click().run()
    assert project_of(app).id not in (joined.id, project.id) and project_of(app).settings["roles"] == project.settings["roles"]
    assert project_of(app).settings["choices"] == mends
    assert any(button.key == "start" for button in fine(app).button), "a study of that table is a project of its own"


def test_selections_join_a_bundled_table_only_when_asked_to():
    runs = "run,feature\n1,Ash\n1,Proline\n2,Hue\n2,Proline\n3,Ash\n3,Hue\n"
    app = given(open_page("start", sample()), runs)
    assert project_of(app).table_file is None
    app = open_page("start", sample())
    upload(app, "selections", "runs.csv", runs)
    app.toggle(key="selections-with-table").set_value(True).run()
    assert measured(fine(app.button(key="use-selections").click().run()))
    joined = project_of(app)
    assert joined.sample is None and joined.table_file.parent == joined.folder and joined.settings["roles"] == bundled().roles
    assert figures(press(go(app, "whatif"), "what_if__widget", "thresholds"))


def test_a_table_joins_the_selections_that_are_loaded():
    app = given(open_page("start"), LONG.replace("alt", "ALT"))
    first, before = project_of(app), measured(app)
    go(app, "start").text_area(key="table-text").set_value(correlated().to_csv(index=False)).run()
    fine(app.button(key="use-table").click().run())
    assert (
        app.selectbox(key="target").value == "outcome" and project_of(app).id != first.id and first.settings["kind"] == "selections"
    )
    go(app, "data").button(key="confirm-target").click().run()
    assert project_of(app).settings["roles"]["target"] == "outcome"
    assert len(measured(go(app, "stability"))) == len(before)
    assert_correlations_count(app)


def test_a_table_of_other_features_is_refused_and_nothing_is_lost():
    app = given(open_page("start"), LONG)
    first = project_of(app)
    go(app, "start").text_area(key="table-text").set_value("p,q,outcome\n" + "1,2,a\n3,4,b\n" * 6).run()
    app.button(key="use-table").click().run()
    assert not app.exception and app.error and project_of(app).id == first.id
    app.toggle(key="table-with-selections").set_value(False).run()
    app.button(key="use-table").click().run()
    assert project_of(app).settings["kind"] == "table"


GMT = b"LIVER\thttp://x\tALT\tAST\nKINASES\t\tegfr\tast\tTP53\nEMPTY\tna\tBRCA1\n"


def test_gene_sets_become_sets_that_overlap_in_a_project_with_a_table():
    project = table(correlated(), roles=ROLES, scenario={"base": "groups"}, scenario_name="mine")
    app = press(fine_page("similarity", project), "groups_by__widget", "file")
    assert (
        metrics(fine(upload(app, "group-file", "h.gmt", GMT, "take-groups")))["Similar pairs"] == "2"
        and project.settings["scenario"]["base"] == "sets"
    )
    app.toggle(key="sets-share").set_value(True).run()
    assert project.settings["scenario"]["share"] and fine(app)
    assert click(app, "undo") and not project.settings["scenario"]["share"]


def test_sets_are_uploaded_and_other_files_are_refused():
    app = go(given(open_page("start"), LONG.replace("alt", "ALT")), "similarity")
    app.selectbox(key="scenario-base").select("sets").run()
    for content in (b"A\t\tXX\tYY\n", GMT):
        upload(app, "sets-file", "s.gmt", content, "take-sets")
        assert not app.exception and bool(app.error) == (content != GMT)
    assert metrics(fine(app))["Similar pairs"] == "2"
    project = project_of(go(app, *RESULTS))
    (project.folder / project.settings["scenario"]["sets"]).write_bytes(b"{")
    app = open_page("similarity", project)
    assert not app.exception and app.error
