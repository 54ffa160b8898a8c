"""Start: a bundled study, a pasted table and pasted selections, right and wrong."""

import pytest
from page_support import fine, fine_page, open_page, patients, press, sample

from pages.workspace.project import Project

RESULTS = ("stability", "maps", "profiles", "whatif", "passport", "pareto")
MATRIX = "ALT,AST,EGFR,TP53\n1,1,0,0\n1,0,1,0\n1,1,0,0\n"


def test_start_opens_a_bundled_study_with_one_click():
    app = open_page("start")
    app.button(key="open-wine").click().run()
    fine(app)
    assert Project.find(app.session_state["id"]).sample.key == "wine"
    assert any("come back" in one.value for one in app.title)
    assert len(app.dataframe[0].value) == 8


# ---- my dataset ----


def test_pasted_table_leads_to_data():
    app = open_page("start")
    app.text_area(key="table-text").set_value(patients().to_csv(index=False, sep="\t")).run()
    app.button(key="use-table").click().run()
    fine(app)
    assert app.selectbox(key="target").value == "outcome" and "roles" not in Project.find(app.session_state["id"]).settings
    fine(app.button(key="confirm-target").click().run())
    roles = Project.find(app.session_state["id"]).settings["roles"]
    assert roles == {"target": "outcome", "exclude": []}


def test_a_wrong_table_is_a_sentence_and_nothing_loaded_is_lost():
    made = sample()
    app = open_page("start", made)
    app.text_area(key="table-text").set_value("a,b\n1,2\n3\n").run()
    app.button(key="use-table").click().run()
    assert not app.exception and "3" in app.error[0].value and app.session_state["id"] == made.id


# ---- my selections ----


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (MATRIX, None),
        ("ALT, AST\nALT, EGFR\nAST, EGFR, TP53\n", "sets"),
        (MATRIX.replace("1,1", "0.7,0.2"), "importances"),
        (MATRIX, "scores"),
    ],
)
def test_pasted_selections_are_measured(text, kind):
    app = open_page("start")
    app.text_area(key="selections-text").set_value(text).run()
    app.selectbox(key="selections-kind").set_value(kind).run()
    app.button(key="use-selections").click().run()
    fine(app)
    assert len(app.dataframe[0].value) == 1
    assert (kind == "scores") == any("select nothing by themselves" in one.value for one in app.caption)
    for page in RESULTS:
        fine(app.switch_page(f"pages/{page}.py").run())


def test_a_2_in_a_0_1_matrix_is_named_with_its_place():
    app = open_page("start")
    app.text_area(key="selections-text").set_value(MATRIX.replace("0,1,0", "2,1,0")).run()
    app.button(key="use-selections").click().run()
    assert not app.exception and "2" in app.error[0].value and "AST" in app.error[0].value and "id" not in app.session_state


def test_choices_made_for_a_study_do_not_follow_to_other_data():
    app = press(fine_page("stability", sample()), "section__widget", "selectors")
    app.selectbox(key="compared_by__widget").select("importance_weighted").run()
    app = press(app, "section__widget", "measures")
    press(app, "measures_weights__widget", ["spearman_ranks"])
    app.switch_page("pages/groups.py").run()
    app.switch_page("pages/start.py").run()
    app.text_area(key="selections-text").set_value(MATRIX).run()
    app.button(key="use-selections").click().run()
    fine(app)
    assert "compared_by" not in app.session_state and app.session_state["section"] == "measures"
    press(app, "section__widget", "selectors")
    fine(app.switch_page("pages/groups.py").run())
