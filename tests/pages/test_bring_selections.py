"""Selections brought on Start: as R writes them, long, by file, asked about, together with their table; sets that overlap."""

import numpy as np
import pytest
from page_support import bundled, fine, fine_page, metrics, open_page, patients, press, said, sample, table, text_of
from selection_shapes_support import shapes

from pages.workspace.workspace import Workspace

SHAPES = {one.name: one for one in shapes()}
NAMES = ("ALT", "AST", "EGFR", "age")
LONG = "run,feature\n1,alt\n1,AST\n2,alt\n2,EGFR\n3,AST\n3,age\n"


def bring(app, content, name="runs.csv"):
    app.file_uploader(key="selections").upload(name, content if isinstance(content, bytes) else content.encode(), "text/csv").run()
    return app.button(key="use-selections").click().run()


def here(app):
    return Workspace.find(app.session_state["id"])


def measured(app):
    assert any("come back" in one.value for one in fine(app).title)
    return app.dataframe[0].value["selector"].tolist()


@pytest.mark.parametrize(
    "name",
    [
        "TRUE/FALSE of write.table",
        "crosses and blanks",
        "a tidy table of two selectors",
        "features in rows, runs named",
        "lists by selector",
    ],
)
def test_shapes_lead_to_stability(name):
    shape = SHAPES[name]
    app = bring(open_page("start"), shape.content, shape.file)
    assert len(measured(app)) == len(shape.selectors)
    for page in ("maps", "profiles", "passport", "pareto"):
        fine(app.switch_page(f"pages/{page}.py").run())


def test_a_question_is_asked_answered_and_kept_with_the_file():
    app = bring(open_page("start"), "\n".join(",".join(str((i + j) % 2) for j in range(3)) for i in range(9)) + "\n")
    assert not app.exception and "9 rows and 3 columns" in text_of(app.warning) and "id" not in app.session_state
    app.button(key="answer-runs_in-1").click().run()
    assert measured(app) and "3 runs" in said(app) and "9 features" in said(app)
    assert here(app).settings["selections"][0]["runs_in"] == "columns"
    fine(open_page("stability", here(app)))


def test_an_answer_does_not_count_for_another_file():
    app = bring(open_page("start"), "\n".join(["1,0,1"] * 9) + "\n", "a.csv")
    assert "9 rows" in text_of(app.warning)
    app.file_uploader(key="selections").upload("b.csv", b"a,b,c\n1,0,1\n0,1,1\n", "text/csv").run()
    assert not app.warning


def test_lists_choose_from_all_names_that_are_given():
    app = open_page("start")
    app.text_area(key="selections-text").set_value("ALT, AST\nALT, EGFR\n").run()
    app.text_area(key="selections-all").set_value("\n".join(f"g{i}" for i in range(50)) + "\nALT\nAST\nEGFR").run()
    app.button(key="use-selections").click().run()
    assert measured(app) and "53 features" in said(app)
    assert "53 features" in said(fine_page("stability", here(app)))
    app = open_page("start")
    app.text_area(key="selections-text").set_value("ALT, AST\nALT, EGRF\n").run()
    app.text_area(key="selections-all").set_value("ALT\nAST\nEGFR").run()
    app.button(key="use-selections").click().run()
    assert "did you mean 'EGFR'" in text_of(app.error)


def correlated():
    """A table in which ALT and AST are nearly the same."""
    frame = patients(NAMES)
    frame["AST"] = frame["ALT"] + 0.01 * np.random.default_rng(1).normal(size=len(frame))
    return frame


def effective(app):
    app.radio(key="scenario-base").set_value("correlation").run()
    found = metrics(fine(app))
    return found["Classic stability"], found["Effective stability"]


def test_selections_join_the_table_that_is_loaded():
    made = table(correlated(), roles={"target": "outcome", "exclude": []})
    app = bring(open_page("start", made), LONG)
    assert measured(app) and "'alt' to 'ALT'" in said(app) and "the 4 of the table" in said(app)
    joined = here(app)
    assert joined.id != made.id and joined.table_file.exists() and made.settings["kind"] == "table"
    classic, together = effective(app.switch_page("pages/groups.py").run())
    assert float(together) > float(classic)
    fine(app.switch_page("pages/whatif.py").run())
    press(app, "what_if__widget", "thresholds")
    assert "Correlations need" not in said(app)
    app.switch_page("pages/passport.py").run()
    app.selectbox(key="passport-feature__widget").select("ALT").run()
    assert any("in the table" in one.value for one in fine(app).header)
    assert "standardised difference" in said(app) and "brought alone" not in said(app)  # which way it goes there


def test_selections_join_a_bundled_table_when_asked_to():
    runs = "run,feature\n1,Ash\n1,Proline\n2,Hue\n2,Proline\n3,Ash\n3,Hue\n"
    app = bring(open_page("start", sample()), runs)
    assert here(app).table_file is None  # bundled: not unless asked to
    app = open_page("start", sample())
    app.toggle(key="selections-with-table").set_value(True).run()
    assert measured(bring(app, runs)) and "the 13 of the table" in said(app)
    joined = here(app)
    assert joined.sample is None and joined.table_file.parent == joined.folder and joined.settings["roles"] == bundled().roles
    fine(app.switch_page("pages/whatif.py").run())
    press(app, "what_if__widget", "thresholds")
    assert "Correlations need" not in said(app)


def test_what_was_decided_about_the_table_comes_with_it_and_goes_with_it():
    frame = correlated()
    frame["ALT"] = frame["ALT"].astype(object)
    frame.loc[3, "ALT"] = "n.d."
    mends = {"mends": [{"do": "missing", "columns": ["ALT"], "cells": ["n.d."]}]}
    made = table(frame, roles={"target": "outcome", "exclude": []}, choices=mends)
    app = bring(open_page("start", made), LONG)
    assert measured(app) and here(app).settings["choices"] == mends and "the 4 of the table" in said(app)
    app.switch_page("pages/study.py").run()
    fine(app).button(key="table-alone").click().run()
    assert here(app).settings["choices"] == mends


def test_a_table_joins_the_selections_that_are_loaded():
    app = bring(open_page("start"), LONG.replace("alt", "ALT"))
    first = here(app)
    before = measured(app)
    app.switch_page("pages/start.py").run()
    app.text_area(key="table-text").set_value(correlated().to_csv(index=False)).run()
    app.button(key="use-table").click().run()
    fine(app)
    assert app.selectbox(key="target").value == "outcome" and here(app).id != first.id and first.settings["kind"] == "selections"
    app.switch_page("pages/data.py").run().button(key="confirm-target").click().run()
    assert here(app).settings["roles"]["target"] == "outcome"
    assert len(measured(app.switch_page("pages/stability.py").run())) == len(before)
    classic, together = effective(app.switch_page("pages/groups.py").run())
    assert float(together) > float(classic)


def test_a_table_of_other_features_is_refused_and_nothing_is_lost():
    app = bring(open_page("start"), LONG)
    first = here(app)
    app.switch_page("pages/start.py").run()
    app.text_area(key="table-text").set_value("p,q,outcome\n" + "1,2,a\n3,4,b\n" * 6).run()
    app.button(key="use-table").click().run()
    assert not app.exception and "None of the 4 features" in text_of(app.error) and here(app).id == first.id
    app.toggle(key="table-with-selections").set_value(False).run()
    app.button(key="use-table").click().run()
    assert here(app).settings["kind"] == "table"


def test_features_that_the_table_lacks_stand_for_themselves():
    made = table(correlated(), roles={"target": "outcome", "exclude": ["age"]})
    app = bring(open_page("start", made), "run,ALT,AST,gone,age\n1,1,0,1,0\n2,0,1,0,1\n3,1,0,0,1\n")
    assert "Not in the table" in said(app) and "1 feature, 'gone'" in said(app)
    app.switch_page("pages/groups.py").run()
    app.radio(key="scenario-base").set_value("correlation").run()
    assert "1 similar pair." in text_of(fine(app).success)


def test_a_study_of_that_table_is_a_work_of_its_own():
    made = table(correlated(), roles={"target": "outcome", "exclude": []})
    app = bring(open_page("start", made), LONG)
    joined = here(app)
    app.switch_page("pages/study.py").run()
    fine(app).button(key="table-alone").click().run()
    assert here(app).id not in (joined.id, made.id) and any(one.key == "start" for one in fine(app).button)
    assert here(app).settings["roles"] == made.settings["roles"]


# ---- sets that overlap ----

GMT = b"LIVER\thttp://x\tALT\tAST\nKINASES\t\tegfr\tast\tTP53\nEMPTY\tna\tBRCA1\n"


def test_gene_sets_become_sets_that_overlap():
    made = table(correlated(), roles={"target": "outcome", "exclude": []}, scenario={"base": "groups"}, scenario_name="mine")
    app = press(fine_page("groups", made), "group_way__widget", "file")
    app.file_uploader(key="group-file").upload("h.gmt", GMT, "text/plain").run()
    app.button(key="take-groups").click().run()
    assert "2 similar pairs" in text_of(fine(app).success) and made.settings["scenario"]["base"] == "sets"
    told = said(app)
    assert "4 of their 5 names" in told or "are features here" in told
    assert "2 names, 'TP53', 'BRCA1'" in told and "not be positive semi-definite" in told
    app.toggle(key="sets-share").set_value(True).run()
    assert "by the share of their sets" in text_of(fine(app).success) and made.settings["scenario"]["share"]
    assert "semi-definite" not in said(app)
    app.button(key="undo").click().run()
    assert not made.settings["scenario"]["share"]
    for page in ("study", "data"):
        fine(app.switch_page(f"pages/{page}.py").run())


def test_sets_that_do_not_overlap_become_groups():
    made = table(correlated(), roles={"target": "outcome", "exclude": []}, scenario={"base": "groups"}, scenario_name="mine")
    app = press(fine_page("groups", made), "group_way__widget", "file")
    app.file_uploader(key="group-file").upload("g.gmt", b"A\t\talt\tAST\nB\t\tEGFR\tAge\n", "text/plain").run()
    app.button(key="take-groups").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"A": ["ALT", "AST"], "B": ["EGFR", "age"]}


def test_sets_are_brought_where_nothing_is_yet_and_what_is_no_gmt_is_refused():
    app = bring(open_page("start"), LONG.replace("alt", "ALT"))
    app.switch_page("pages/groups.py").run()
    app.radio(key="scenario-base").set_value("sets").run()
    assert "No sets were uploaded yet" in text_of(fine(app).success)
    for content, words in ((b"A,B\n", "is a set"), (b"A\t\tXX\tYY\n", "is a feature here"), (b"\x00\x01\t\t\n", "NUL byte")):
        app.file_uploader(key="sets-file").upload("s.gmt", content, "text/plain").run()
        app.button(key="take-sets").click().run()
        assert not app.exception and words in text_of(app.error)
    app.file_uploader(key="sets-file").upload("s.gmt", GMT, "text/plain").run()
    app.button(key="take-sets").click().run()
    assert "2 similar pairs" in text_of(fine(app).success)
    for page in ("stability", "maps", "profiles", "whatif", "passport", "pareto"):
        fine(app.switch_page(f"pages/{page}.py").run())
    kept = here(app)
    (kept.folder / kept.settings["scenario"]["sets"]).write_bytes(b"{")
    app = open_page("groups", kept)
    assert not app.exception and "missing or damaged" in text_of(app.error)


def test_coefficients_without_a_constant_are_asked_about_and_the_answer_is_kept():
    app = bring(open_page("start"), "run,ALT,AST,EGFR\nrun1,-0.3,0,1\nrun2,0.2,0,1\nrun3,0,0,2\n")
    assert "1 number is below 0" in text_of(app.warning) and "id" not in app.session_state
    app.button(key="answer-kind-0").click().run()
    assert measured(app) and here(app).settings["selections"][0]["kind"] == "coefficients"
    fine(open_page("stability", here(app)))


def test_a_table_of_one_run_of_boruta_is_told_with_lines_of_r_and_several_are_read_together():
    def stats(*decided):
        rows = [f'"{name}",1.5,1.5,1,2,0.5,"{decision}"' for name, decision in zip(NAMES, decided, strict=True)]
        return "\n".join(['"","meanImp","medianImp","minImp","maxImp","normHits","decision"', *rows]).encode()

    runs = [stats("Confirmed", "Rejected", "Tentative", "Confirmed"), stats("Confirmed", "Confirmed", "Rejected", "Rejected")]
    app = bring(open_page("start"), runs[0])
    assert "table of one run" in text_of(app.error) and "attStats(Boruta(" in app.code[0].value and not app.exception
    for i, one in enumerate(runs, 1):
        app.file_uploader(key="selections").upload(f"run{i}.csv", one, "text/csv")
    app.run()
    app.button(key="use-selections").click().run()
    assert measured(app) and "2 runs" in said(app)
