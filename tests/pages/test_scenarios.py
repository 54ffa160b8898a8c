"""Scenarios side by side: copy, rename, delete, undo, and files out and back in."""

from dataclasses import replace

import pytest
from page_support import fine, fine_page, metrics, text_of, upload
from project_support import families, sample, similarity_selections, two_scenarios

from pages.parts import scenarios, session
from stabcore.similarity.files import write_scenario
from stabcore.similarity.scenario import Scenario


def click(app, key, times=1):
    for _ in range(times):
        app.button(key=key).click().run()
    return fine(app)


def name(app, what, before, now):
    """Give a name to a copy, or another one to a scenario."""
    app.text_input(key=f"name-{what}-{before}").set_value(now)
    return app.button(key=f"do-{what}").click().run()


def base(app, value):
    """Choose another base. Returns the name of the scenario."""
    app.selectbox(key="scenario-base").select(value).run()
    return fine(app).selectbox(key="scenario_here").value


def listed(app):
    return list(fine(app).selectbox(key="scenario_here").options)


def load(app, text):
    return upload(app, "scenario-file", "s.toml", text, "scenario-load")


def test_copy_rename_delete_switch_and_undo_them_all():
    project = two_scenarios()
    app = fine_page("similarity", project)
    assert listed(name(app, "copy", "correlated 2", "my own")) == ["nothing", "correlated", "my own"]
    app.slider(key="scenario-threshold").set_value(0.7).run()
    assert project.settings["scenarios"]["correlated"].get("threshold", 0.8) == 0.8, "the copy is another scenario"
    assert listed(name(app, "rename", "my own", "  strict  one ")) == ["nothing", "correlated", "strict one"]
    app.selectbox(key="scenario_here").select("nothing").run()
    assert fine(app).selectbox(key="scenario-base").value == "none"
    app.selectbox(key="scenario_here").select("strict one").run()
    assert fine(app).slider(key="scenario-threshold").value == 0.7
    assert listed(click(app, "scenario-delete")) == ["nothing", "correlated"]
    click(app, "undo", 6)  # delete, two switches, rename, threshold, copy
    assert app.selectbox(key="scenario_here").value == "correlated" and app.button(key="undo").disabled
    assert listed(app) == ["nothing", "correlated"]


def test_a_scenario_from_a_file_is_added_and_says_what_it_left_aside():
    project = families()
    app = fine_page("similarity", project)
    assert app.button(key="scenario-delete").disabled, "the only one cannot be deleted"
    load(app, write_scenario("mine", Scenario("groups", {"g": ["IL_6", "IL_8", "IL_9"]})))
    assert listed(app) == ["mine", "mine 2"] and project.settings["scenario"]["groups"] == {"g": ["IL_6", "IL_8"]}
    assert "IL_9" in text_of(app.info) and metrics(app)["Similar pairs"] == "1"


def test_what_cannot_be_taken_is_a_sentence_and_changes_nothing():
    project = two_scenarios()
    for what, usual in (("copy", "correlated 2"), ("rename", "correlated")):
        for given in ("nothing", "   "):
            app = name(fine_page("similarity", project), what, usual, given)
            assert not app.exception and app.error and set(project.settings["scenarios"]) == {"nothing", "correlated"}
    app = load(app, "base = 'no'")
    assert not app.exception and app.error and set(project.settings["scenarios"]) == {"nothing", "correlated"}
    app = fine(load(fine_page("similarity", similarity_selections()), "base = 'correlation'"))
    assert app.info and app.selectbox(key="scenario-base").value == "none", "there is no table to correlate"


def test_a_scenario_that_has_its_given_name_stays_what_that_says():
    project = two_scenarios()
    app = fine_page("similarity", project)
    app.selectbox(key="scenario_here").select("nothing").run()
    assert base(app, "groups") == "groups" and project.settings["scenarios"]["nothing"]["base"] == "none"
    assert base(app, "correlation") == "correlated", "there is one like that"
    app.slider(key="scenario-threshold").set_value(0.7).run()
    assert base(app, "none") == "nothing 2", "it keeps a threshold of its own"
    assert base(app, "groups") == "groups 2", "a name with a number says its base too"
    assert project.settings["scenarios"]["nothing 2"]["base"] == "none"
    assert listed(click(app, "undo", 6)) == ["nothing", "correlated"]
    assert app.selectbox(key="scenario_here").value == "correlated"


def test_pairs_set_by_hand_stay_with_the_base_they_were_made_on():
    mine = {"base": "correlation", "edits": [["alcohol", "ash", 1.0]]}
    project = sample(scenarios={"my own": mine}, scenario=mine, scenario_name="my own")
    app = fine_page("similarity", project)
    for value, called in (("none", "nothing"), ("correlation", "correlated")):
        assert base(app, value) == called and not project.settings["scenario"]["edits"]
    assert project.settings["scenarios"]["my own"] == mine
    app.selectbox(key="scenario_here").select("my own").run()
    app.slider(key="scenario-threshold").set_value(0.7).run()
    assert project.settings["scenarios"]["my own"]["edits"] == mine["edits"], "another threshold is the same base"


def test_a_pair_set_by_hand_makes_a_scenario_of_its_own(monkeypatch):
    project = two_scenarios()
    monkeypatch.setattr(session.st, "session_state", {session.ID: project.id})
    scenarios.choose("nothing")
    for value in (0.5, 0.7):
        scenarios.change(scenarios.chosen().with_edits({("ash", "hue"): value}), editing=True)
        assert scenarios.chosen_name() == "pairs by hand" and scenarios.chosen().edits == (("ash", "hue", value),)
    assert not project.settings["scenarios"]["nothing"].get("edits") and len(scenarios.by_name()) == 3
    scenarios.change(replace(scenarios.chosen(), edits=()))
    assert scenarios.chosen_name() == "nothing" and scenarios.by_name()["pairs by hand"].edits


@pytest.mark.parametrize(
    ("page", "act"),
    [
        ("similarity", lambda app: app.selectbox(key="scenario-base").select("none")),
        ("similarity", lambda app: app.button(key="undo").click()),
        ("whatif", lambda app: app.slider[0].set_value(0.9)),
    ],
)
def test_changes_in_a_project_that_another_tab_deleted_are_warned_of(page, act):
    project = two_scenarios()
    app = fine_page(page, project)
    if page == "similarity":
        app.slider(key="scenario-threshold").set_value(0.7).run()  # something to take back
    project.delete()
    act(app)
    assert fine(app.run()).warning and not project.folder.exists() and "id" not in app.session_state
