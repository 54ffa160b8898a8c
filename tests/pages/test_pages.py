"""Every page without a browser: empty, loaded, each control, wrong input."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from support import ROOT

from stabcore.workspace import Workspace, samples

PAGES = ("start", "data", "groups", "study", "stability", "maps", "profiles", "whatif", "passport", "pareto")
RESULTS = ("stability", "maps", "profiles", "whatif", "passport", "pareto")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def open_page(page, **session):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in session.items():
        app.session_state[key] = value
    app.run()
    if page != "start":
        app.switch_page(f"pages/{page}.py").run()
    return app


def sample(key="wine"):
    """A workspace as the button on Start makes it."""
    one = next(s for s in samples() if s.key == key)
    made = Workspace.create()
    made.save(kind="sample", sample=key, name=one.about["title"], roles=one.roles, scenario={"base": "correlation", "groups": {}})
    return made


def table(frame, name="table.csv", **settings):
    made = Workspace.create()
    made.save(kind="table", name=name, table=made.keep(name, frame.to_csv(index=False).encode()), **settings)
    return made


def small(rows=40):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(rows, 4)), columns=["ALT", "AST", "EGFR", "age"])
    return frame.assign(outcome=np.where(frame["ALT"] + rng.normal(size=rows) > 0, "sick", "well"))


def fine(app):
    assert not app.exception, app.exception[0].value
    assert not app.error, app.error[0].value
    return app


def by_key(elements, key):
    return next(one for one in elements if one.key == key)


# ---- empty ----

@pytest.mark.parametrize("page", PAGES)
def test_empty_page_says_what_to_do_first(page):
    app = fine(open_page(page))
    assert app.title
    assert page == "start" or app.info, "a page without data must say what is missing"


# ---- loaded ----

@pytest.mark.parametrize("page", PAGES)
def test_page_of_a_bundled_study(page):
    app = fine(open_page(page, id=sample().id))
    assert app.title and not [one for one in app.info if "no results" in one.value]


def test_start_opens_a_bundled_study_with_one_click():
    app = open_page("start")
    app.button(key="open-wine").click().run()
    fine(app)
    assert Workspace.find(app.session_state["id"]).sample.key == "wine"
    assert any("come back" in one.value for one in app.title)
    assert len([one for one in app.markdown if one.value.startswith("- ")]) == 8


def test_the_url_brings_the_work_back_and_a_made_up_one_does_not():
    made = sample()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["id"] = made.id
    fine(app.run())
    assert app.session_state["id"] == made.id
    for wrong in ("../../etc", "x" * 22, ""):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.query_params["id"] = wrong
        fine(app.run())
        assert "id" not in app.session_state


def test_forgetting_deletes_everything(home):
    made = sample()
    app = open_page("stability", id=made.id)
    app.sidebar.button(key="forget").click().run()
    assert not app.exception and not made.folder.exists() and "id" not in app.session_state


# ---- my dataset ----

def test_pasted_table_leads_to_data():
    app = open_page("start")
    app.text_area(key="table-text").set_value(small().to_csv(index=False, sep="\t")).run()
    app.button(key="use-table").click().run()
    fine(app)
    assert app.selectbox(key="target").value == "outcome"
    roles = Workspace.find(app.session_state["id"]).settings["roles"]
    assert roles == {"target": "outcome", "exclude": []}


def test_a_wrong_table_is_a_sentence_and_nothing_loaded_is_lost():
    made = sample()
    app = open_page("start", id=made.id)
    app.text_area(key="table-text").set_value("a,b\n1,2\n3\n").run()
    app.button(key="use-table").click().run()
    assert not app.exception and "3" in app.error[0].value and app.session_state["id"] == made.id


def test_data_takes_target_columns_and_patients():
    made = table(small().assign(visit=np.arange(40) // 2))
    app = fine(open_page("data", id=made.id))
    app.selectbox(key="target").select("outcome").run()
    app.multiselect(key="exclude").select("age").run()
    app.selectbox(key="same_patient").select("visit").run()
    fine(app)
    assert made.settings["roles"] == {"target": "outcome", "exclude": ["age"], "same_patient": "visit"}
    assert [one.value for one in app.metric] == ["40", "3", "2", app.metric[3].value]
    app.selectbox(key="target").select("ALT").run()
    assert [one.label for one in fine(app).metric] == ["Rows", "Features"]
    app.radio(key="target-as-ALT").set_value("classes").run()           # 40 classes of one row
    assert not app.exception and "ALT" in app.error[0].value
    app.radio(key="target-as-ALT").set_value("number").run()
    assert "target_as" not in made.settings["roles"]
    app.selectbox(key="target").select("outcome").run()
    fine(app)


def test_data_findings_can_be_mended_with_one_click():
    made = table(small().assign(copy=small()["ALT"]), roles={"target": "outcome", "exclude": []})
    app = fine(open_page("data", id=made.id))
    mends = [one for one in app.button if one.key and one.key.startswith("mend-")]
    mends[0].click().run()
    fine(app)
    assert len(made.settings["roles"]["exclude"]) == 1


# ---- results ----

def stability_of(app):
    return {one.label: one.value for one in app.metric}



def test_controls_of_stability():
    app = fine(open_page("stability", id=sample().id))
    before = [one.value for one in app.markdown if one.value.startswith("- ")]
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    after = [one.value for one in fine(app).markdown if one.value.startswith("- ")]
    assert before != after and "about 7 features" in after[0]


def section(app, key):
    by_key(app.get("button_group"), "section__widget").set_value(key).run()
    return fine(app)


def test_measures_are_chosen_by_family():
    app = fine(open_page("stability", id=sample().id))
    families = {"overlap": ["dice", "davis"], "chance": ["kuncheva", "somol"], "similarity": ["yu", "intersection_mbm"],
                "weights": ["spearman_ranks", "canberra"], "information": ["shared_information"]}
    for family, keys in families.items():
        by_key(app.get("button_group"), f"measures_{family}__widget").set_value(keys).run()
    shown = fine(app).dataframe[0].value
    assert len(shown) == 8 and len(shown.columns) == 9 and "Yu" in shown.columns
    assert any("interval is rough" in one.value for one in app.caption), "what a measure warns of is said"
    for family in families:
        by_key(app.get("button_group"), f"measures_{family}__widget").set_value([]).run()
    fine(app)


def test_selectors_are_compared_in_pairs():
    app = section(fine(open_page("stability", id=sample().id)), "selectors")
    assert any("of 28 pairs of selectors differ" in one.value for one in app.markdown)
    app.selectbox(key="compared_by__widget").select("importance_weighted").run()
    fine(app)


def test_measures_are_compared_over_sizes():
    app = section(fine(open_page("stability", id=sample().id)), "agreement")
    assert any("tell most nearly the same story" in one.value for one in app.markdown)
    app.multiselect(key="agreeing__widget").set_value(["nogueira"]).run()
    assert any("at least two" in one.value for one in fine(app).info)


def test_which_measure_for_my_question():
    app = section(fine(open_page("stability", id=sample().id)), "which")
    assert len(app.dataframe[0].value) == 30
    by_key(app.get("button_group"), "wishes").set_value(["chance", "interchangeable", "weighted_decomposition"]).run()
    assert fine(app).dataframe[0].value["measure"].tolist() == ["Shared information"]
    by_key(app.get("button_group"), "wishes").set_value(["bounds", "interchangeable", "chance"]).run()
    assert app.warning


@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_controls_of_maps(order):
    app = fine(open_page("maps", id=sample().id))
    app.selectbox(key="explored__widget").select("gbm").run()
    app.selectbox(key="order").set_value(order).run()
    app.slider(key="pieces").set_value(5).run()
    fine(app)
    assert app.session_state["explored"] == "gbm"
    app.switch_page("pages/groups.py").run()
    assert app.selectbox(key="explored__widget").value == "gbm", "the choice goes with the person from page to page"


@pytest.mark.parametrize("measure", ["nogueira", "effective", "jaccard", "phi"])
def test_controls_of_profiles(measure):
    app = fine(open_page("profiles", id=sample().id))
    app.multiselect(key="profile-measures__widget").set_value([measure]).run()
    app.slider(key="cardinality__widget").set_value(5).run()
    app.multiselect(key="profile-bands__widget").set_value([]).run()
    fine(app)
    assert any("With 5 features" in one.value for one in app.markdown)


@pytest.mark.parametrize("score", ["accuracy", "balanced_accuracy"])
def test_controls_of_pareto(score):
    app = fine(open_page("pareto", id=sample().id))
    by_key(app.get("button_group"), "score").set_value(score).run()
    fine(app)
    assert any("no other selector" in one.value for one in app.markdown)


# ---- my selections ----

MATRIX = "ALT,AST,EGFR,TP53\n1,1,0,0\n1,0,1,0\n1,1,0,0\n"


@pytest.mark.parametrize(("text", "kind"), [(MATRIX, None), ("ALT, AST\nALT, EGFR\nAST, EGFR, TP53\n", "sets"),
                                            (MATRIX.replace("1,1", "0.7,0.2"), "importances"), (MATRIX, "scores")])
def test_pasted_selections_are_measured(text, kind):
    app = open_page("start")
    app.text_area(key="selections-text").set_value(text).run()
    app.selectbox(key="selections-kind").set_value(kind).run()
    app.button(key="use-selections").click().run()
    fine(app)
    assert len([one for one in app.markdown if one.value.startswith("- ")]) == 1
    assert (kind == "scores") == any("select nothing by themselves" in one.value for one in app.caption)
    for page in RESULTS:
        fine(app.switch_page(f"pages/{page}.py").run())


def test_choices_made_for_a_study_do_not_follow_to_other_data():
    app = section(fine(open_page("stability", id=sample().id)), "selectors")
    app.selectbox(key="compared_by__widget").select("importance_weighted").run()
    app = section(app, "measures")
    by_key(app.get("button_group"), "measures_weights__widget").set_value(["spearman_ranks"]).run()
    app.switch_page("pages/groups.py").run()
    app.switch_page("pages/start.py").run()
    app.text_area(key="selections-text").set_value(MATRIX).run()
    app.button(key="use-selections").click().run()
    fine(app)
    assert "compared_by" not in app.session_state and app.session_state["section"] == "measures"
    section(app, "selectors")
    fine(app.switch_page("pages/groups.py").run())


def test_a_2_in_a_0_1_matrix_is_named_with_its_place():
    app = open_page("start")
    app.text_area(key="selections-text").set_value(MATRIX.replace("0,1,0", "2,1,0")).run()
    app.button(key="use-selections").click().run()
    assert not app.exception and "2" in app.error[0].value and "AST" in app.error[0].value and "id" not in app.session_state


# ---- a study, begun and watched ----

def test_study_settings_become_a_file_and_a_process(monkeypatch):
    made = table(small(), roles={"target": "outcome", "exclude": []})
    started = []
    monkeypatch.setattr(Workspace, "start", lambda self, **how: started.append(self.id))
    app = fine(open_page("study", id=made.id))
    app.multiselect(key="selectors").set_value(["mim", "lasso"]).run()
    app.number_input(key="runs").set_value(7).run()
    app.number_input(key="k").set_value(2).run()
    app.selectbox(key="classifier").select("logistic").run()
    app.selectbox(key="plan").select("bootstrap").run()
    app.button(key="start").click().run()
    fine(app)
    import tomllib

    written = tomllib.loads((made.folder / "study.toml").read_text(encoding="utf-8"))
    assert started == [made.id]
    assert written["study"] == {"k": 2, "classifier": "logistic", "seed": 1} and written["plan"] == {"kind": "bootstrap", "runs": 7}
    assert [one["key"] for one in written["selector"]] == ["mim", "lasso"] and written["data"]["target"] == "outcome"


def test_a_study_that_stopped_can_go_on(monkeypatch):
    from stabcore.__main__ import load_study

    made = table(small(), roles={"target": "outcome", "exclude": []})
    made.write_study({"study": {"k": 2, "seed": 1}, "plan": {"kind": "subsample", "runs": 4}, "selector": [{"key": "mim"}]})
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as executor:
        begun = load_study(made.folder / "study.toml")
        begun.run(executor, store=made.folder / "study.stab", progress=lambda done, total: done < 2)
    (made.folder / "study.log").write_text("Cancelled; what is done is kept.")
    started = []
    monkeypatch.setattr(Workspace, "start", lambda self, **how: started.append(self.id))
    app = fine(open_page("study", id=made.id))
    assert any("stopped early" in one.value for one in app.warning)
    app.button(key="resume").click().run()
    assert started == [made.id]


def test_a_study_that_could_not_start_says_why():
    made = table(small(), roles={"target": "outcome", "exclude": []})
    (made.folder / "study.log").write_text("There is no selector 'nope'.\n")
    app = open_page("study", id=made.id)
    assert not app.exception and "no selector" in app.error[0].value


# ---- names in data are hostile ----

def test_hostile_names_stay_text():
    bad = ["![x](http://evil.test/x.png)", "<script>alert(1)</script>", "[a](http://evil.test)", "**b** $x$ :red[c]", "=1+1"]
    frame = small().rename(columns=dict(zip(["ALT", "AST", "EGFR", "age"], bad)))
    made = table(frame, name="![n](http://evil.test/n.png).csv", roles={"target": "outcome", "exclude": []})
    selections = Workspace.create()
    content = (",".join(f'"{name}"' for name in bad) + "\n" + "1,1,0,0,1\n1,0,1,0,0\n1,1,0,0,1\n").encode()
    name = "![s](http://evil.test/s.png)"
    selections.save(kind="selections", name=name, selections=[
        {"label": name, "name": name + ".csv", "kind": None, "n_features": None, "file": selections.keep("s.csv", content)}])
    for here in (made, selections):
        for page in PAGES:
            app = open_page(page, id=here.id)
            assert not app.exception, app.exception
            for kind in ("markdown", "caption", "info", "warning", "error", "success", "subheader"):
                for one in getattr(app, kind):
                    assert "](http" not in one.value.replace("\\", "") or "\\]\\(http" in one.value, (page, kind, one.value)
                    assert "![" not in one.value, (page, kind, one.value)


def test_csv_cells_that_would_start_a_formula_are_disarmed():
    from pages._widgets import csv_bytes

    text = csv_bytes(pd.DataFrame({"=a": ["=1+1", "@x", "fine", "-2"], "n": [-1.0, 2.0, np.nan, 4.0]})).decode("utf-8-sig")
    assert text.splitlines() == ["'=a,n", "'=1+1,-1.0", "'@x,2.0", "fine,", "'-2,4.0"]


def test_a_cache_never_answers_for_another_relation_that_differs_in_one_cell():
    made = sample()
    values = []
    for value in (0.0, 1.0, 0.0, 0.5):
        made.save(scenario={"base": "none", "edits": [["proline", "hue", value]]})
        values.append(stability_of(fine(open_page("groups", id=made.id, explored="random")))["Effective stability"])
    assert values[0] == values[2] and len(set(values)) == 3
