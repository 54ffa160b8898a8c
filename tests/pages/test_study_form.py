"""The form of Study: three questions, settings of papers, options of selectors, a random search, and the settings it writes."""

from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from page_support import click, fine, fine_page, open_page, text_of
from project_support import patients, table
from study_page_support import anew, fill, new_project, written
from support import slow

import stabcore as sc
from pages.parts.study.form import ABOUT_NO_CONTROL
from pages.workspace import links
from stabcore.base.target import TWO
from stabcore.resampling.catalog import plan_from_settings
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.loading import load_study, study_from_settings
from stabcore.study.presets import PRESETS
from stabcore.study.search import SearchSpace


def form(project):
    return fine_page("study", project)


# ---- questions ----


def wide_project(features=500, rows=40):
    return table(patients([f"g{i}" for i in range(features)], rows), roles={"target": "outcome"})


def test_three_questions_agree_with_the_details_and_the_picture():
    app = form(wide_project(rows=200))
    assert app.number_input(key="k").value == 20 and app.selectbox(key="rows_held_out").value == "complementary_pairs"
    assert "on 100 rows" in text_of(app.caption) and "2 share no row" in text_of(app.caption)
    fill(app, rows_held_out="fifth")
    assert app.selectbox(key="plan").value == "subsample" and app.slider(key="test_size").value == 20
    assert "on 160 rows" in text_of(app.caption) and "tested on 40" in text_of(app.caption)
    assert "2 share no row" not in text_of(app.caption)
    assert fill(app, test_size=7).selectbox(key="rows_held_out").value == "other"


def test_less_time_gives_fewer_runs_and_too_little_is_warned_of(monkeypatch):
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 4.0)
    app = form(wide_project(rows=200))
    usual = app.number_input(key="n_pairs").value
    assert not app.warning and 5 <= fill(app, time_limit=60).number_input(key="n_pairs").value < usual <= 25
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 20000.0)
    assert fine(app.run()).warning


def test_the_expected_noise_floor_stands_beside_the_plan():
    app = fill(form(new_project()), plan="subsample", test_size=5, k=2)
    assert f"{sc.noise_floor(sc.Subsample(50, 0.05), 2, 4):.2f}" in text_of(app.caption)
    fill(app, plan="complementary_pairs")
    assert f"{sc.noise_floor(sc.ComplementaryPairs(25), 2, 4):.2f}" in text_of(app.caption)
    before = len(app.warning)
    assert len(fill(app, k=4).warning) > before, "every feature is selected"


def test_what_an_outcome_a_scenario_and_the_memory_allow_is_offered(started, monkeypatch):
    project, groups = new_project(target="level", exclude=["outcome"]), {"liver": ["ALT", "AST"]}
    app = form(project)
    assert "mim" not in app.multiselect(key="selectors").value and "lasso" in app.multiselect(key="selectors").value
    assert app.toggle(key="n_permutations").value and ABOUT_NO_CONTROL not in text_of(app.info)
    assert ABOUT_NO_CONTROL in text_of(fill(app, n_permutations=False).info)
    click(app, "start")
    assert written(project)["study"]["classifier"] == "none"
    project = new_project()
    project.save(scenario={"base": "groups", "groups": groups})
    click(fill(form(project), selectors=["group_lasso"]), "start")
    assert written(project)["selector"] == [{"key": "group_lasso", "groups": groups}]
    monkeypatch.setattr("stabcore.study.machine.available_memory", lambda: 1e6)
    app = open_page("study", new_project())
    assert not app.exception and app.error, "too little memory"


def test_copies_of_a_resample_are_warned_of_before_they_are_run():
    few = patients(rows=14)
    app = form(table(pd.concat([few.assign(who=range(14))] * 3), roles={"target": "outcome", "same_patient": "who"}))
    assert "14 of 50 runs" in text_of(fill(app, plan="subsample").warning)
    assert not fill(app, n_runs=14).warning
    assert not fill(app, plan="repeated_kfold", n_splits=90).warning  # what cannot be drawn is said at the start


def test_only_the_operator_of_the_server_names_a_cluster(monkeypatch, started):
    app = form(new_project())
    assert not [field for field in app.toggle if field.key == "scheduler"]
    app.session_state["scheduler"] = "tcp://evil.org:8786"  # what a scheduler sends is unpickled
    click(app, "start")
    monkeypatch.setenv("STABILITY_SCHEDULER", "tcp://10.0.0.5:8786")
    app = form(new_project())
    app.toggle(key="scheduler").set_value(False).run()
    click(app, "start")
    click(form(new_project()), "start")
    assert [how["scheduler"] for how in started] == [None, None, "tcp://10.0.0.5:8786"]


# ---- settings that become a file ----


@pytest.mark.parametrize("key", ["first", "hamer", *(slow(key) for key in PRESETS if key not in ("first", "hamer"))])
def test_a_paper_fills_in_or_resets_every_control(key, started):
    project, preset = new_project(), PRESETS[key]
    other = {} if key == "first" else {"option_random_forest_trees": 1, "stratified": False}  # the form begins with the first
    click(fill(form(project), random_state=5, **other, preset=key), "start")
    found, study = written(project), load_study(project.folder / "study.toml")
    assert [settings["key"] for settings in found["selector"]] == [
        selector if isinstance(selector, str) else selector[0] for selector in preset.selectors
    ]
    assert {"key": "random_forest", "trees": 1} not in found["selector"] and found["study"]["random_state"] == 5
    assert plan_from_settings(found["plan"]) == plan_from_settings(preset.plan)
    assert found["study"]["classifier"] == preset.classifier
    assert started == [{"pilot": False, "scheduler": None}]
    if not isinstance(preset.k, int):
        asked = study_from_settings(preset.settings(study.data.n_features), study.data)
        assert study.settings()["n_selected"] == asked.settings()["n_selected"]


def test_options_of_every_selector_are_shown_and_changes_are_kept(started):
    project = new_project()
    app = fill(form(project), selectors=list(BY_KEY))
    shown = {field.key for kind in ("number_input", "selectbox", "toggle", "text_input") for field in getattr(app, kind)}
    two = {key: entry for key, entry in BY_KEY.items() if TWO in entry.targets}
    options = {(key, name): option for key, entry in two.items() for name, option in entry.options.items()}
    assert not [pair for pair, option in options.items() if option.kind != "groups" and "option_{}_{}".format(*pair) not in shown]
    fill(app, option_relieff_neighbours=5)
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/study.py").run()
    assert app.number_input(key="option_relieff_neighbours").value == 5  # a visit elsewhere loses nothing
    click(app, "start")
    chosen = {label["key"]: label for label in written(project)["selector"]}
    assert chosen["relieff"] == {"key": "relieff", "neighbours": 5} and chosen["mim"] == {"key": "mim"}
    assert len(load_study(project.folder / "study.toml").selectors) == len(two)


def test_one_selector_with_several_settings_and_its_own_size(started):
    project, relieff = new_project(), {"key": "relieff", "k": 2}
    app = fill(form(project), selectors=["relieff", "glm_boosting"], classifier="3nn", neighbours=5, importances="sensitivity")
    fill(
        app,
        option_relieff_k="2",
        option_relieff_several_of="neighbours",
        option_relieff_several="3, 6",
        option_glm_boosting_k="free",
    )
    found = written(click(app, "start") and project)
    assert found["selector"] == [
        {**relieff, "label": "ReliefF, neighbours 3", "neighbours": 3},
        {**relieff, "label": "ReliefF, neighbours 6", "neighbours": 6},
        {"key": "glm_boosting", "k": "free"},
    ]
    assert found["study"]["classifier"] == "5nn" and found["study"]["importances"] == "sensitivity"
    again = form(project)  # the form of the last study is the same again
    assert again.text_input(key="option_relieff_several").value == "3, 6" and again.number_input(key="neighbours").value == 5
    again.text_input(key="option_relieff_several").set_value("3, many").run()
    assert "'many'" in text_of(again.error)


def test_an_unreadable_setting_only_keeps_the_study_from_starting():
    app = fill(form(new_project()), selectors=["mim", "estimator"])
    app.text_input(key="option_estimator_parameters").set_value("n_estimators: 3").run()
    assert not app.exception and app.error and app.button(key="start").disabled and app.number_input(key="k").value
    fill(app, option_estimator_parameters="n_estimators = 3, class_weight = {a = 1, b = 2}")
    assert not app.button(key="start").disabled


def test_settings_survive_a_reload_and_are_the_last_once_started(started):
    project = wide_project(30)
    app = form(project)
    assert "form" not in project.settings, "what the form begins with need not be kept"
    copy = links.make_copy(project)
    answers = {"time_limit": 1200, "selectors": ["mim", "random_forest"], "k": 7, "option_random_forest_trees": 30, "n_pairs": 12}
    fill(app, **answers)
    again = form(project)
    fields = {field.key: field.value for kind in (again.select_slider, again.multiselect, again.number_input) for field in kind}
    assert {key: fields[key] for key in answers} == answers
    assert links.current_copy(project) == copy and "form" not in copy.settings, "a link shows no study that was not started"
    click(again, "start")
    assert not project.settings["form"] and written(project)["study"]["k"] == 7


# ---- a search at random ----


def test_a_random_search_is_a_study_and_the_best_are_evaluated_again(started):
    """A random search on one half of the rows, evaluated on the other half, leaves the chosen selectors unchanged."""
    seed, (boosting, _) = 466, SearchSpace().draw(2, 4, 466).values()
    assert boosting[1]["rounds"] == 6, "a seed of few rounds: thousands take seconds"
    project = table(patients(rows=60), roles={"target": "outcome"})
    app = form(project)
    app.number_input(key="search-n").set_value(2)
    app.number_input(key="search-seed").set_value(seed)
    app.number_input(key="search-folds").set_value(2)
    assert written(click(app, "search") and project)["search"] == {"n": 2} and len(started) == 1
    store = project.folder / "study.stab"
    with ThreadPoolExecutor(1) as executor:
        load_study(project.folder / "study.toml").run(store=store, executor=executor)
        searched = sc.open_study(store)
        assert len(searched.selectors) == 2 and searched.settings["data"]["n_rows"] == 30
        after = anew(form(project))
        chosen = after.multiselect(key="search-again").value
        assert after.multiselect(key="selectors").value and chosen and set(chosen) <= set(searched.selectors)
        assert written(click(after, "confirm") and project)["search"] == {"n": 2, "confirm": chosen} and len(started) == 2
        again = load_study(project.folder / "study.toml")
        assert [selector.label for selector in again.selectors] == chosen
        assert again.data.fingerprint != searched.settings["data"]["fingerprint"]
        assert (project.folder / "study-1.stab").exists()  # the search itself is kept
        again.run(store=store, executor=executor)
    both = next(frame.value for frame in form(project).dataframe if "accuracy, first half" in frame.value)
    assert list(both.index) == chosen and both.filter(like="accuracy").notna().all(axis=None)
