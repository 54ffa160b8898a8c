"""Groups & C without a browser: scenarios side by side, ways to make groups, a matrix that is brought, undo, wrong input."""

import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from support import ROOT

from pages import _state
from stabcore.reading.relations import read_relation
from stabcore.scenario import Scenario
from stabcore.scenario_file import read_scenario, write_scenario
from stabcore.workspace import Workspace, samples

NAMES = ["IL_6", "IL_8", "TNF_a", "TNF_b", "age"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def open_groups(made, **session):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in {"id": made.id, **session}.items():
        app.session_state[key] = value
    app.run()
    return app.switch_page("pages/groups.py").run()


def sample(key="wine", **scenario):
    one = next(s for s in samples() if s.key == key)
    made = Workspace.create()
    kept = {"nothing": {"base": "none"}, "correlated": {"base": "correlation", "groups": {}, **scenario}}
    made.save(kind="sample", sample=key, name=one.about["title"], roles=one.roles, scenarios=kept, scenario=kept["correlated"],
              scenario_name="correlated")
    return made


def table(**scenario):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 2))[:, [0, 0, 1, 1, 1]] + 0.5 * rng.normal(size=(40, 5)), columns=NAMES)
    frame["outcome"] = np.where(frame["age"] > 0, "a", "b")
    made = Workspace.create()
    made.save(kind="table", name="t", table=made.keep("t.csv", frame.to_csv(index=False).encode()),
              roles={"target": "outcome", "exclude": []}, scenario=scenario, scenario_name="mine")
    return made


def selections():
    made = Workspace.create()
    text = ",".join(NAMES) + "\n1,0,1,0,0\n0,1,1,0,0\n1,0,0,1,0\n"
    made.save(kind="selections", name="s", selections=[{"label": "s", "name": "s.csv", "kind": None, "n_features": None,
                                                        "file": made.keep("s.csv", text.encode())}])
    return made


def fine(app):
    assert not app.exception, app.exception[0].value
    assert not app.error, app.error[0].value
    return app


def way(app, key):
    next(one for one in app.get("button_group") if one.key == "group_way__widget").set_value(key).run()
    return fine(app)


def text_of(found):
    return " ".join(one.value.replace("\\", "").replace("\u200b", "") for one in found)


def stability_of(app):
    return {one.label: one.value for one in app.metric}


# ---- numbers follow ----

def test_threshold_changes_the_number_and_undo_brings_it_back():
    made = sample()
    app = fine(open_groups(made, explored="random"))
    before = stability_of(app)
    app.slider(key="scenario-threshold").set_value(0.3).run()
    fine(app)
    assert made.settings["scenario"]["threshold"] == 0.3
    after = stability_of(app)
    assert after["Classic stability"] == before["Classic stability"]
    assert after["Effective stability"] != before["Effective stability"]
    app.button(key="undo").click().run()
    assert made.settings["scenario"].get("threshold", 0.5) == 0.5 and stability_of(app) == before


def test_every_base_of_the_relation_can_be_chosen():
    made = sample("breast_wdbc", groups={"radius": ["mean radius", "worst radius"]})
    app = fine(open_groups(made, explored="random"))
    seen = {}
    for base in ("none", "groups", "correlation", "matrix"):
        app.radio(key="scenario-base").set_value(base).run()
        fine(app)
        assert made.settings["scenario"]["base"] == base
        seen[base] = stability_of(app)["Effective stability"]
    assert len(set(seen.values())) == 3 and seen["matrix"] == seen["none"]
    assert "No matrix was brought yet" in text_of(app.success)


@pytest.mark.parametrize("method", ["spearman", "pearson", "kendall"])
def test_every_correlation_can_be_chosen(method):
    app = fine(open_groups(sample()))
    app.selectbox(key="scenario-method").select(method).run()
    app.toggle(key="scenario-binary").set_value(False).run()
    assert "by |ρ|" in text_of(fine(app).success)


def test_pairs_set_by_hand_are_kept_and_cleared():
    made = sample(base="none", edits=[["alcohol", "hue", 1.0]])
    app = fine(open_groups(made))
    assert "1 pair set by hand" in text_of(app.success)
    app.button(key="clear-edits").click().run()
    assert made.settings["scenario"]["edits"] == []
    app.button(key="undo").click().run()
    assert made.settings["scenario"]["edits"] == [["alcohol", "hue", 1.0]]


# ---- scenarios side by side ----

def test_copy_rename_delete_switch_and_undo_them_all():
    made = sample()
    app = fine(open_groups(made))
    app.text_input(key="name-copy-correlated 2").set_value("my own")
    app.button(key="do-copy").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["nothing", "correlated", "my own"]
    app.slider(key="scenario-threshold").set_value(0.8).run()
    assert made.settings["scenarios"]["correlated"].get("threshold", 0.5) == 0.5, "the copy is another scenario"
    app.text_input(key="name-rename-my own").set_value("  strict  one ")
    app.button(key="do-rename").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["nothing", "correlated", "strict one"]
    assert made.settings["scenario_name"] == "strict one"
    app.selectbox(key="scenario-here").select("nothing").run()
    assert fine(app).radio(key="scenario-base").value == "none"
    app.selectbox(key="scenario-here").select("strict one").run()
    assert fine(app).slider(key="scenario-threshold").value == 0.8
    app.button(key="scenario-delete").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["nothing", "correlated"]
    for _ in range(6):          # delete, two switches, rename, threshold, copy
        app.button(key="undo").click().run()
    assert fine(app).selectbox(key="scenario-here").value == "correlated" and app.button(key="undo").disabled
    assert list(app.selectbox(key="scenario-here").options) == ["nothing", "correlated"]


@pytest.mark.parametrize("name, said", [("nothing", "There is a scenario 'nothing' already"), ("   ", "Give the scenario a name")])
@pytest.mark.parametrize("what, usual", [("copy", "correlated 2"), ("rename", "correlated")])
def test_names_that_are_taken_or_empty_are_refused(what, usual, name, said):
    made = sample()
    app = fine(open_groups(made))
    app.text_input(key=f"name-{what}-{usual}").set_value(name)
    app.button(key=f"do-{what}").click().run()
    assert not app.exception and said in text_of(app.error) and set(made.settings["scenarios"]) == {"nothing", "correlated"}


def test_the_only_scenario_cannot_be_deleted():
    assert fine(open_groups(table())).button(key="scenario-delete").disabled


def test_a_scenario_from_a_file_is_added_and_says_what_it_left_aside():
    made = table()
    app = fine(open_groups(made))
    text = write_scenario("mine", Scenario("groups", {"g": ["IL_6", "IL_8", "IL_9"]}))
    app.file_uploader(key="scenario-file").upload("s.toml", text.encode(), "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["mine", "mine 2"]
    assert "IL_9" in text_of(app.info) and made.settings["scenario"]["groups"] == {"g": ["IL_6", "IL_8"]}
    assert "1 related pair." in text_of(app.success)


def test_a_wrong_scenario_file_is_a_sentence_and_changes_nothing():
    made = table()
    app = fine(open_groups(made))
    app.file_uploader(key="scenario-file").upload("s.toml", b"base = 'no'", "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert not app.exception and "base is 'no'" in text_of(app.error) and "scenarios" not in made.settings


def test_correlation_from_a_file_without_a_table_is_said():
    app = fine(open_groups(selections()))
    app.file_uploader(key="scenario-file").upload("s.toml", b"base = 'correlation'", "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert "need the data table" in text_of(fine(app).info) and app.radio(key="scenario-base").value == "none"


# ---- ways to make groups ----

def test_a_pattern_shows_what_fits_and_becomes_a_group():
    made = table(base="groups", groups={"all": ["IL_6", "TNF_a", "age"]})
    app = way(fine(open_groups(made)), "pattern")
    app.text_input(key="group-pattern").set_value("il_*").run()
    assert "IL_6" in text_of(fine(app).markdown) and "'all'" not in text_of(app.markdown) and "will leave" in text_of(app.caption)
    app.text_input(key="group-name-il_*").set_value("interleukins").run()
    app.button(key="add-pattern").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"all": ["TNF_a", "age"], "interleukins": ["IL_6", "IL_8"]}
    app.text_input(key="group-pattern").set_value("zz*").run()
    assert not app.exception and "fits no feature" in text_of(app.error)


def test_families_of_names_are_offered_and_taken():
    made = table(base="groups", groups={"old": ["age", "IL_6"]})
    app = way(fine(open_groups(made)), "names")
    app.button(key="take-names").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"IL": ["IL_6", "IL_8"], "TNF": ["TNF_a", "TNF_b"]}
    app.button(key="undo").click().run()
    assert made.settings["scenario"]["groups"] == {"old": ["age", "IL_6"]}


def test_groups_are_suggested_by_correlation_and_follow_the_cut():
    made = table(base="groups")
    app = way(fine(open_groups(made)), "correlation")
    cuts = []
    for threshold in (0.99, 0.6, 0.0):
        app.slider(key="cut_at__widget").set_value(threshold).run()
        cuts.append(len(fine(app).dataframe[0].value))
    assert cuts == [0, 2, 1]
    app.slider(key="cut_at__widget").set_value(0.6).run()
    app.button(key="take-correlation").click().run()
    assert sorted(map(sorted, made.settings["scenario"]["groups"].values())) == [["IL_6", "IL_8"], ["TNF_a", "TNF_b", "age"]]
    assert "4 related pairs" in text_of(fine(app).success)


def test_groups_come_from_a_file():
    made = table(base="groups")
    app = way(fine(open_groups(made)), "file")
    app.file_uploader(key="group-file").upload("g.csv", b"feature,group\nIL_6,x\nage,x\n", "text/csv").run()
    app.button(key="take-groups").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"x": ["IL_6", "age"]}


def test_without_a_table_nothing_can_be_correlated():
    made = selections()
    made.save(scenario={"base": "groups"})
    app = fine(open_groups(made))
    assert len(app.radio(key="scenario-base").options) == 3
    options = next(one for one in app.get("button_group") if one.key == "group_way__widget").options
    assert len(options) == 4 and stability_of(app)


def test_what_names_features_that_are_gone_can_be_taken_out():
    made = table(base="groups", groups={"g": ["IL_6", "IL_8", "gone"]}, edits=[["age", "lost", 1.0]])
    app = open_groups(made)
    assert not app.exception and "gone" in text_of(app.error)
    app.button(key="take-out").click().run()
    assert "1 related pair." in text_of(fine(app).success) and made.settings["scenario"]["edits"] == []


# ---- a matrix that is brought ----

def C_text(value):
    return f"feature_a,feature_b,value\nIL_6,IL_8,{value}\nage,TNF_a,1\n".encode()


def bring(app, content, name="c.csv"):
    app.file_uploader(key="matrix-file").upload(name, content, "text/csv").run()
    app.button(key="take-matrix").click().run()
    return app


def test_a_matrix_is_brought_changed_by_hand_and_undone():
    made = table(base="matrix", edits=[["age", "TNF_b", 0.5]])
    app = bring(fine(open_groups(made)), C_text(0.5))
    assert "as in the matrix that was brought, 1 pair set by hand: 3 related pairs" in text_of(fine(app).success)
    first = made.settings["scenario"]["matrix"]
    assert (made.folder / first).read_bytes() == C_text(0.5)
    app = bring(app, C_text(1.5))
    assert not app.exception and "1.5" in text_of(app.error) and made.settings["scenario"]["matrix"] == first
    app.button(key="undo").click().run()
    assert "No matrix was brought yet" in text_of(app.success)


def test_a_matrix_that_was_lost_is_said():
    made = table(base="matrix", matrix="upload-lost.csv")
    app = open_groups(made)
    assert not app.exception and "not here" in text_of(app.error)


def test_a_scenario_with_its_matrix_goes_to_another_work():
    made = table(base="matrix")
    bring(fine(open_groups(made)), C_text(0.25))
    settings = Scenario.of(made.settings["scenario"])
    C = read_relation(made.folder / settings.matrix, features=NAMES).relation
    other = table()
    app = fine(open_groups(other))
    app.file_uploader(key="scenario-file").upload("s.toml", write_scenario("C", settings, C).encode(), "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert "2 related pairs" in text_of(fine(app).success)
    assert read_scenario(write_scenario("C", settings, C), NAMES)[2] is not None


# ---- a cache never answers for another C ----

def relation_of(made, scenario, monkeypatch):
    monkeypatch.setattr(_state, "workspace", lambda: made)
    monkeypatch.setattr(_state, "features", lambda: tuple(NAMES))
    monkeypatch.setattr(_state, "matching_data", lambda: None)
    return _state.relation_of(scenario)


def test_two_matrices_that_differ_in_one_cell_are_two(monkeypatch):
    made = table()
    found = [relation_of(made, Scenario("matrix", matrix=made.keep("c.csv", C_text(value))), monkeypatch).value(0, 1)
             for value in (0.5, 0.6, 0.5)]
    assert found == [0.5, 0.6, 0.5]


def test_a_file_that_changed_under_its_name_is_read_anew(monkeypatch):
    made = table()
    scenario = Scenario("matrix", matrix=made.keep("c.csv", C_text(0.5)))
    assert relation_of(made, scenario, monkeypatch).value(0, 1) == 0.5
    (made.folder / scenario.matrix).write_bytes(C_text(0.6))
    assert relation_of(made, scenario, monkeypatch).value(0, 1) == 0.6


def test_two_scenarios_that_differ_in_one_pair_are_two(monkeypatch):
    made = table()
    found = [relation_of(made, Scenario(edits=(("IL_6", "IL_8", value),)), monkeypatch).value(0, 1) for value in (0.5, 0.500001)]
    assert found == [0.5, 0.500001]


def test_names_that_look_joined_are_not_mixed_up(monkeypatch):
    made = table()
    monkeypatch.setattr(_state, "workspace", lambda: made)
    monkeypatch.setattr(_state, "matching_data", lambda: None)
    found = []
    for names in (("a|b", "c"), ("a", "b|c"), ("a", "b", "c")):
        monkeypatch.setattr(_state, "features", lambda names=names: names)
        found.append(_state.relation_of(Scenario()).names)
    assert found == [("a|b", "c"), ("a", "b|c"), ("a", "b", "c")]


def test_settings_of_every_scenario_are_plain_json():
    made = table(base="matrix", matrix="x.csv", edits=[["age", "IL_6", 1.0]])
    assert json.loads(json.dumps(Scenario.of(made.settings["scenario"]).settings()))["matrix"] == "x.csv"
