"""Scenarios side by side: copy, rename, delete, undo, and files out and back in."""

import json
from dataclasses import replace

import pytest
from group_page_support import families, selections, two_scenarios
from page_support import fine, fine_page, sample, text_of

from pages.parts import scenarios, session
from stabcore.similarity.files import write_scenario
from stabcore.similarity.scenario import Scenario


def test_copy_rename_delete_switch_and_undo_them_all():
    made = two_scenarios()
    app = fine_page("groups", made)
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
    for _ in range(6):  # delete, two switches, rename, threshold, copy
        app.button(key="undo").click().run()
    assert fine(app).selectbox(key="scenario-here").value == "correlated" and app.button(key="undo").disabled
    assert list(app.selectbox(key="scenario-here").options) == ["nothing", "correlated"]


@pytest.mark.parametrize(
    ("name", "said"), [("nothing", "There is a scenario 'nothing' already"), ("   ", "Give the scenario a name")]
)
@pytest.mark.parametrize(("what", "usual"), [("copy", "correlated 2"), ("rename", "correlated")])
def test_names_that_are_taken_or_empty_are_refused(what, usual, name, said):
    made = two_scenarios()
    app = fine_page("groups", made)
    app.text_input(key=f"name-{what}-{usual}").set_value(name)
    app.button(key=f"do-{what}").click().run()
    assert not app.exception and said in text_of(app.error) and set(made.settings["scenarios"]) == {"nothing", "correlated"}


def test_the_only_scenario_cannot_be_deleted():
    assert fine_page("groups", families()).button(key="scenario-delete").disabled


def test_a_scenario_from_a_file_is_added_and_says_what_it_left_aside():
    made = families()
    app = fine_page("groups", made)
    text = write_scenario("mine", Scenario("groups", {"g": ["IL_6", "IL_8", "IL_9"]}))
    app.file_uploader(key="scenario-file").upload("s.toml", text.encode(), "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["mine", "mine 2"]
    assert "IL_9" in text_of(app.info) and made.settings["scenario"]["groups"] == {"g": ["IL_6", "IL_8"]}
    assert "1 similar pair." in text_of(app.success)


def test_a_wrong_scenario_file_is_a_sentence_and_changes_nothing():
    made = families()
    app = fine_page("groups", made)
    app.file_uploader(key="scenario-file").upload("s.toml", b"base = 'no'", "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert not app.exception and "base is 'no'" in text_of(app.error) and "scenarios" not in made.settings


def test_correlation_from_a_file_without_a_table_is_said():
    app = fine_page("groups", selections())
    app.file_uploader(key="scenario-file").upload("s.toml", b"base = 'correlation'", "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert "need the data table" in text_of(fine(app).info) and app.radio(key="scenario-base").value == "none"


def test_settings_of_every_scenario_are_plain_json():
    made = families(base="matrix", matrix="x.csv", edits=[["age", "IL_6", 1.0]])
    assert json.loads(json.dumps(Scenario.of(made.settings["scenario"]).settings()))["matrix"] == "x.csv"


def test_a_scenario_that_has_its_given_name_stays_what_that_says():
    made = two_scenarios()
    app = fine_page("groups", made)
    app.selectbox(key="scenario-here").select("nothing").run()
    app.radio(key="scenario-base").set_value("groups").run()
    assert fine(app).selectbox(key="scenario-here").value == "groups" and made.settings["scenarios"]["nothing"]["base"] == "none"
    app.radio(key="scenario-base").set_value("correlation").run()
    assert app.selectbox(key="scenario-here").value == "correlated", "there is one like that"
    app.slider(key="scenario-threshold").set_value(0.7).run()
    app.radio(key="scenario-base").set_value("none").run()
    assert app.selectbox(key="scenario-here").value == "nothing 2", "it keeps a threshold of its own"
    app.radio(key="scenario-base").set_value("groups").run()
    assert app.selectbox(key="scenario-here").value == "groups 2", "a name with a number says its base too"
    assert made.settings["scenarios"]["nothing 2"]["base"] == "none"
    for _ in range(6):
        app.button(key="undo").click().run()
    assert list(fine(app).selectbox(key="scenario-here").options) == ["nothing", "correlated"]
    assert app.selectbox(key="scenario-here").value == "correlated"


def test_a_copy_whose_name_was_proposed_stays_what_that_says_and_a_name_of_ones_own_may_stand_for_anything():
    made = two_scenarios()
    app = fine_page("groups", made)
    app.button(key="do-copy").click().run()  # "correlated 2", as it was proposed
    app.radio(key="scenario-base").set_value("groups").run()
    assert fine(app).selectbox(key="scenario-here").value == "groups"
    assert made.settings["scenarios"]["correlated 2"]["base"] == "correlation"
    app.text_input(key="name-rename-groups").set_value("what I believe")
    app.button(key="do-rename").click().run()
    app.radio(key="scenario-base").set_value("none").run()
    assert fine(app).selectbox(key="scenario-here").value == "what I believe"
    assert made.settings["scenarios"]["what I believe"]["base"] == "none"


def test_pairs_set_by_hand_stay_with_the_base_they_were_made_on():
    edits = [["alcohol", "ash", 1.0]]
    kept = {"my own": {"base": "correlation", "edits": edits}}
    made = sample(scenarios=kept, scenario=kept["my own"], scenario_name="my own")
    app = fine_page("groups", made)
    app.radio(key="scenario-base").set_value("none").run()
    assert fine(app).selectbox(key="scenario-here").value == "nothing" and not made.settings["scenario"]["edits"]
    assert made.settings["scenarios"]["my own"] == kept["my own"]
    app.radio(key="scenario-base").set_value("correlation").run()
    assert app.selectbox(key="scenario-here").value == "correlated" and not made.settings["scenario"]["edits"]
    app.selectbox(key="scenario-here").select("my own").run()
    assert "1 pair set by hand" in text_of(fine(app).success)
    app.slider(key="scenario-threshold").set_value(0.7).run()
    assert made.settings["scenarios"]["my own"]["edits"] == edits, "another threshold is the same base"


def test_what_this_tab_changes_is_not_followed_as_a_change_of_another_one(monkeypatch):
    made, state = two_scenarios(), {}
    monkeypatch.setattr(session.st, "session_state", state)
    state[session.ID] = made.id
    scenarios.describe_change()
    scenarios.change(replace(scenarios.chosen(), threshold=0.9))
    scenarios.mark_seen()
    assert not scenarios.changed_elsewhere() and state[session.SCENARIO_SEEN] == scenarios.digest()
    made.save(scenario={**made.settings["scenario"], "threshold": 0.3})
    scenarios.mark_seen()
    assert scenarios.changed_elsewhere()


def test_a_pair_set_by_hand_on_nothing_is_a_scenario_that_says_so_and_nothing_stays_nothing(monkeypatch):
    made, state = two_scenarios(), {}
    monkeypatch.setattr(session.st, "session_state", state)
    state[session.ID] = made.id
    scenarios.choose("nothing")
    for value in (0.5, 0.7):
        scenarios.change(scenarios.chosen().with_edits({("ash", "hue"): value}), editing=True)
        assert scenarios.chosen_name() == "pairs by hand" and scenarios.chosen().edits == (("ash", "hue", value),)
    assert not made.settings["scenarios"]["nothing"].get("edits") and len(scenarios.by_name()) == 3
    scenarios.change(replace(scenarios.chosen(), edits=()))
    assert scenarios.chosen_name() == "nothing" and scenarios.by_name()["pairs by hand"].edits


# ---- a work that another tab forgets ----

CHANGES = (
    ("groups", lambda app: app.radio(key="scenario-base").set_value("none")),
    ("groups", lambda app: app.selectbox(key="scenario-here").select("nothing")),
    ("groups", lambda app: app.button(key="scenario-delete").click()),
    ("groups", lambda app: app.button(key="undo").click()),
    ("whatif", lambda app: app.slider[0].set_value(0.9)),
    ("pareto", lambda app: app.selectbox(key="scenario-switch").select("nothing")),
)


@pytest.mark.parametrize(("page", "act"), CHANGES)
def test_what_is_changed_in_a_work_that_another_tab_forgot_is_a_sentence(page, act):
    made = two_scenarios()
    app = fine_page(page, made)
    if page == "groups":
        app.slider(key="scenario-threshold").set_value(0.8).run()  # something to take back
    made.forget()
    act(app)
    assert "not on this computer" in text_of(fine(app.run()).warning) and not made.folder.exists()
