"""Undo and redo: every what-if, one step per gesture, on every screen, also after a reload. Changes of other tabs stay."""

from page_support import click, fine, open_page, opened_at, press

from pages.parts import address, session, undoing
from pages.workspace.history import FILE


def what_ifs(app):
    """The address without parts that the page adds itself."""
    return {name: text for name, text in app.query_params.items() if name not in ("id", "scenario_seen", "scenario")}


def reloaded(app, page):
    """The page after F5: a new session with the same address."""
    return fine(opened_at(page, app.query_params))


def test_no_choice_of_the_address_has_a_name_that_the_work_keeps():
    """Else neither could be taken back, as scenarios held side by side, which were called like the list of those that are kept."""
    assert not [name for name in address.ADDRESS_NAMES - address.SCENARIO_NAMES if name.startswith(undoing.STATE_PREFIXES)]


def test_every_gesture_is_one_step_back_and_one_step_again(small):
    app = fine(open_page("panel", small()))
    assert app.button(key="undo").disabled and app.button(key="redo").disabled
    seen = [what_ifs(app)]
    app.slider(key="panel_threshold__widget").set_value(80).run()
    seen.append(what_ifs(fine(app)))
    app.toggle(key="other_feature_count__widget").set_value(True).run()
    seen.append(what_ifs(fine(app)))
    app.slider(key="feature_count__widget").set_value(5).run()
    seen.append(what_ifs(fine(app)))
    app.selectbox(key="panel_selector__widget").select("mRMR").run()
    seen.append(what_ifs(fine(app)))
    app.multiselect(key="highlighted__widget").set_value(["a"]).run()
    seen.append(what_ifs(fine(app)))
    assert len({str(state) for state in seen}) == 6, "each gesture shows in the address"
    for before in reversed(seen[:-1]):
        assert what_ifs(click(app, "undo")) == before
    assert app.button(key="undo").disabled and app.slider(key="panel_threshold__widget").value == 75
    for after in seen[1:]:
        assert what_ifs(click(app, "redo")) == after
    assert app.button(key="redo").disabled and app.slider(key="feature_count__widget").value == 5


def test_arrow_keys_that_came_in_several_reruns_are_one_step(small, monkeypatch):
    app = fine(open_page("panel", small()))
    monkeypatch.setattr(undoing, "SAME_STEP_SECONDS", 60)
    for value in (80, 85, 90):
        app.slider(key="panel_threshold__widget").set_value(value).run()
    monkeypatch.setattr(undoing, "SAME_STEP_SECONDS", -60)  # long ago
    app.slider(key="panel_threshold__widget").set_value(95).run()
    for value in (90, 75):
        assert click(app, "undo").slider(key="panel_threshold__widget").value == value
    assert app.button(key="undo").disabled


def test_arrow_keys_delayed_by_a_slow_page_are_one_step(small):
    app = fine(open_page("panel", small()))
    for took, steps in ((300, 1), (1, 2)):
        app.slider(key="panel_threshold__widget").set_value(80).run()
        number, _, drawn = app.session_state[session.LAST_STEP]
        app.session_state[session.LAST_STEP] = number, drawn - 60 - took, drawn - 60
        app.slider(key="panel_threshold__widget").set_value(85).run()
        for _ in range(steps):
            assert not app.button(key="undo").disabled
            click(app, "undo")
        assert app.button(key="undo").disabled and app.slider(key="panel_threshold__widget").value == 75


def test_groups_that_are_off_and_the_section_are_steps(small):
    scenarios = {"groups": {"base": "groups", "groups": {"first": ["a", "b"], "second": ["c", "d"]}}}
    made = small(scenarios=scenarios, scenario=scenarios["groups"], scenario_name="groups")
    app = fine(open_page("whatif", made))
    press(app, "what_if__widget", "groups")
    press(app, "groups_on_choice", ["second"])
    assert what_ifs(app)["groups_off"] == "first"
    click(app, "groups-everywhere")
    both = list(made.settings["scenarios"])
    assert len(both) == 2 and both[0] == "groups" and "groups_off" not in what_ifs(app)
    click(app, "undo")
    assert set(made.settings["scenarios"]) == {"groups"} and "groups_off" in what_ifs(app), "one click is one step"
    click(app, "undo")
    assert "groups_off" not in what_ifs(app) and what_ifs(app)["what_if"]
    click(app, "undo")
    assert "what_if" not in what_ifs(app) and app.button(key="undo").disabled
    for _ in range(3):
        click(app, "redo")
    assert made.settings["scenario_name"] == both[1]


def test_steps_of_undo_survive_a_reload(small):
    made = small()
    app = fine(open_page("whatif", made))
    app.slider(key="whatif-threshold").set_value(0.7).run()
    app.slider(key="whatif-threshold").set_value(0.9).run()
    click(app, "undo")
    app = reloaded(app, "whatif")
    assert not app.button(key="undo").disabled and not app.button(key="redo").disabled
    click(app, "undo")
    assert app.slider(key="whatif-threshold").value == 0.8 == made.settings["scenario"].get("threshold", 0.8)
    click(app, "redo")
    click(app, "redo")
    assert made.settings["scenario"]["threshold"] == 0.9
    (made.folder / FILE).write_text("{")
    assert reloaded(app, "whatif").button(key="undo").disabled, "a damaged history is none"


def test_two_controls_that_come_in_one_rerun_are_two_steps(small):
    """A slow screen is asked again only when it is drawn, with all that was moved meanwhile."""
    made = small()
    app = fine(open_page("whatif", made))
    before = made.settings["scenario"]
    app.slider(key="whatif-threshold").set_value(0.7)
    app.toggle(key="whatif-binary").set_value(False)
    fine(app.run())
    click(app, "undo")
    between = made.settings["scenario"]
    assert (between["threshold"] == 0.7) != (between["binary"] is False), "one of the two"
    click(app, "undo")
    now = made.settings["scenario"]
    assert (now.get("threshold", 0.8), now.get("binary", True)) == (before.get("threshold", 0.8), before.get("binary", True))
    assert app.button(key="undo").disabled


def test_steps_of_other_screens_are_named_and_defaults_are_no_steps(small):
    app = fine(open_page("panel", small()))
    app.slider(key="panel_threshold__widget").set_value(80).run()
    fine(app.switch_page("pages/stability.py").run())
    assert "Panel" in app.button(key="undo").help
    for page in ("maps", "feature_count", "pareto"):
        fine(app.switch_page(f"pages/{page}.py").run())
    click(app, "undo")
    assert app.button(key="undo").disabled and "panel_threshold" not in app.query_params


def test_another_tab_is_left_alone(small):
    made = small()
    app = fine(open_page("similarity", made))
    app.slider(key="scenario-threshold").set_value(0.7).run()
    made.save(scenarios={**made.settings["scenarios"], "theirs": {"base": "none"}})
    fine(app.run())
    click(app, "undo")
    assert set(made.settings["scenarios"]) == {"nothing", "correlated", "theirs"}
    assert made.settings["scenarios"]["correlated"].get("threshold", 0.5) == 0.5


def test_a_control_sent_again_with_its_value_changes_nothing(monkeypatch):
    """As browsers do with a slider that another section has replaced: then a group switched off changed the base of C."""
    state = {}
    monkeypatch.setattr(session.st, "session_state", state)
    session.set_watched_widget("slider", 0.5)
    moves = [session.has_moved("slider")]
    for value in (0.6, 0.6, 0.5):  # there and back before it is drawn again
        state["slider"] = value
        moves.append(session.has_moved("slider"))
    assert moves == [False, True, False, True]


def test_settings_of_the_project_are_steps_and_added_files_stay(small, small_file):
    made = small()
    made.save(compared=[{"file": made.save_upload("theirs.stab", small_file.read_bytes()), "name": "theirs"}])
    app = fine(open_page("pareto", made, pareto_section="studies"))
    app.multiselect(key="compared__widget").set_value([0, *app.multiselect(key="compared__widget").value]).run()
    both = made.settings["compared"]
    assert [study["name"] for study in both][1:] == ["theirs"] and len(both) == 2
    for key, studies in (("undo", both[1:]), ("redo", both), ("undo", both[1:])):
        click(app, key)
        assert made.settings["compared"] == studies
    fine(app.switch_page("pages/report.py").run()).radio(key="asked_filtered").set_value("yes").run()
    app.text_area(key="asked_source").set_value("Ulm ").run()
    assert made.settings["asked"] == {"filtered": "yes", "source": "Ulm"}
    click(app, "undo")
    assert app.text_area(key="asked_source").value == "" and app.radio(key="asked_filtered").value == "yes"
    app = click(reloaded(app, "report"), "undo")
    assert app.radio(key="asked_filtered").value == "not answered"
