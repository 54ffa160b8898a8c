"""The Study page: settings of papers, options of selectors, a trial run, a cluster, too little memory."""

import re
import sqlite3
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from command_support import tasks
from page_support import COLUMNS, fine, fine_page, open_page, patients, study_file, table, text_of

import stabcore as sc
from stabcore.app.workspace import Workspace
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.plans import plan_from
from stabcore.study.presets import PRESETS
from stabcore.study.study import Study, load_study, study_from
from stabcore.study.study_result import open_study


@pytest.fixture
def started(monkeypatch):
    calls = []
    monkeypatch.setattr(Workspace, "start", lambda self, **how: calls.append(how))
    return calls


def workspace(**roles):
    return table(patients((*COLUMNS, "level")), roles={"target": "outcome", "exclude": ["level"], **roles})


def written(made):
    return tomllib.loads((made.folder / "study.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", PRESETS)
def test_a_paper_fills_in_every_control(key, started):
    made = workspace()
    app = fine_page("study", made)
    app.selectbox(key="preset").select(key).run()
    app.button(key="start").click().run()
    fine(app)
    found, preset = written(made), PRESETS[key]
    assert [one["key"] for one in found["selector"]] == [one if isinstance(one, str) else one[0] for one in preset.selectors]
    assert plan_from(found["plan"]) == plan_from(preset.plan) and found["study"]["classifier"] == preset.classifier
    assert started == [{"pilot": False, "scheduler": None}]
    study = load_study(made.folder / "study.toml")
    assert isinstance(study, Study)
    if not isinstance(preset.k, int):
        asked = study_from(preset.settings(study.data.n_features), study.data)
        assert study.settings()["n_selected"] == asked.settings()["n_selected"]


def test_hybrid_rfe_as_in_the_paper_forces_fewer_than_are_selected(started):
    made = table(patients("abcdefghi"), roles={"target": "outcome"})
    app = fine_page("study", made)
    app.selectbox(key="preset").select("hamer").run()
    assert app.number_input(key="k").value == 3 and not fine(app).warning and "N < k" in text_of(app.caption)
    app.button(key="start").click().run()
    assert {"key": "hybrid_rfe", "forced": 2} in written(fine(app) and made)["selector"]
    app.number_input(key="k").set_value(2).run()
    assert "its filter alone chooses them" in text_of(fine(app).warning)


def test_copies_of_a_resample_are_said_before_they_are_run(started):
    few = patients(rows=14)
    app = fine_page("study", table(pd.concat([few.assign(who=range(14))] * 3), roles={"target": "outcome", "same_patient": "who"}))
    app.selectbox(key="plan").select("subsample").run()
    assert "50 runs, 14 different ones: 14 patients" in text_of(app.warning)
    app.number_input(key="runs").set_value(14).run()
    assert not fine(app).warning
    app.selectbox(key="plan").select("kfold").run()
    app.number_input(key="folds").set_value(90).run()
    assert not fine(app).warning            # what cannot be drawn is said at the start


def test_a_busy_computer_is_told_of_while_a_study_runs(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim"], sc.Subsample(4, 0.2))
    monkeypatch.setattr(Workspace, "running", property(lambda self: True))
    for load, said in ((0.5, False), (1000.0, True)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, load, load), raising=False)
        assert ("Other programs keep this computer busy" in text_of(fine_page("study", made).caption)) == said


def test_every_selector_has_its_options_on_screen_and_what_is_changed_is_kept(started):
    made = workspace()
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(list(BY_KEY)).run()
    fine(app)
    shown = {one.key for kind in ("number_input", "selectbox", "toggle", "text_input") for one in getattr(app, kind)}
    for key, entry in BY_KEY.items():
        for name, option in entry.options.items():
            assert option.kind == "groups" or f"option_{key}_{name}" in shown, (key, name)
    app.number_input(key="option_relieff_neighbours").set_value(5).run()
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/study.py").run()
    assert app.number_input(key="option_relieff_neighbours").value == 5         # a visit elsewhere loses nothing
    app.button(key="start").click().run()
    fine(app)
    chosen = {one["key"]: one for one in written(made)["selector"]}
    assert chosen["relieff"] == {"key": "relieff", "neighbours": 5} and chosen["mim"] == {"key": "mim"}
    assert len(load_study(made.folder / "study.toml").selectors) == len(BY_KEY)


def test_groups_of_the_scenario_reach_the_group_lasso(started):
    made = workspace()
    made.save(scenario={"base": "groups", "groups": {"liver": ["ALT", "AST"]}})
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["group_lasso"]).run()
    app.button(key="start").click().run()
    fine(app)
    assert written(made)["selector"] == [{"key": "group_lasso", "groups": {"liver": ["ALT", "AST"]}}]
    assert load_study(made.folder / "study.toml").settings()["selectors"][0]["options"] == {"groups": {"liver": ["ALT", "AST"]}}


def test_a_number_as_outcome_offers_what_is_defined_for_it(started):
    made = workspace(target="level", exclude=["outcome"])
    app = fine_page("study", made)
    assert "Not offered, because they are not defined for this outcome" in " ".join(one.value for one in app.caption)
    assert "mim" not in app.multiselect(key="selectors").value and "lasso" in app.multiselect(key="selectors").value
    app.button(key="start").click().run()
    fine(app)
    assert written(made)["study"]["classifier"] == "none"


def test_a_trial_tells_how_long_and_the_study_goes_on_from_it(monkeypatch):
    made = workspace()
    calls = []

    def start(self, pilot=False, scheduler=None):
        calls.append(pilot)
        load_study(self.folder / "study.toml").run(store=self.folder / "study.stab", workers=1, pilot=pilot)

    monkeypatch.setattr(Workspace, "start", start)
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["mim", "random"]).run()
    app.selectbox(key="plan").select("subsample").run()
    app.number_input(key="runs").set_value(4).run()
    app.button(key="pilot").click().run()
    fine(app)
    assert any(re.search(r"Tried one run of every selector\. The rest takes about \d+ s", one.value) for one in app.info)
    app.button(key="start").click().run()           # the same settings: what the trial did is kept
    fine(app)
    assert calls == [True, False] and not list(made.folder.glob("study-*.stab"))
    assert any("The study is finished" in one.value for one in app.success)
    app.number_input(key="runs").set_value(3).run()
    app.button(key="start").click().run()           # other settings: the finished study is put aside
    assert len(list(made.folder.glob("study-*.stab"))) == 1


def test_a_cancelled_study_outlives_a_trial_and_another_seed(monkeypatch):
    """60 of 80 tasks, then "How long will it take?", another seed, Start: and then on with the 60."""
    made, stop = workspace(), [30]

    def start(self, pilot=False, scheduler=None):
        store = self.folder / "study.stab"
        with ThreadPoolExecutor(1) as executor:
            load_study(self.folder / "study.toml").run(executor, store=store, pilot=pilot)
        with sqlite3.connect(store) as base:
            base.execute("DELETE FROM task WHERE run >= ?", stop)

    monkeypatch.setattr(Workspace, "start", start)
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["mim", "variance"]).run()
    app.selectbox(key="plan").select("subsample").run()
    app.number_input(key="runs").set_value(40).run()
    app.button(key="start").click().run()
    kept = tasks(made.folder / "study.stab")
    assert len(kept) == 60
    app.button(key="pilot").click().run()           # the same settings: they are there already, and more
    app.number_input(key="seed").set_value(2).run()
    app.button(key="start").click().run()
    fine(app)
    assert tasks(made.folder / "study-1.stab") == kept and len(tasks(made.folder / "study.stab")) == 60
    assert "So far" in " ".join(one.value for one in app.caption)
    app.button(key="show-1").click().run()
    assert fine(app) and made.store.name == "study-1.stab"
    stop[0] = 40
    app.button(key="go-on-1").click().run()
    assert "The study is finished" in fine(app).success[0].value and made.store.name == "study.stab"
    assert tasks(made.store) > kept and len(tasks(made.store)) == 80 and made.last_settings["study"]["seed"] == 1
    assert len(tasks(made.folder / "study-2.stab")) == 60           # the one of the other seed


def test_trials_are_kept_and_are_gone_on_with(monkeypatch):
    made = workspace()

    def settings(seed):
        return {"study": {"k": 1, "seed": seed}, "plan": {"kind": "subsample", "runs": 4}, "selector": [{"key": "mim"}]}

    for seed in (1, 2):
        made.write_study(settings(seed))
        load_study(made.folder / "study.toml").run(store=made.folder / "study.stab", workers=1, pilot=True)
        assert open_study(made.folder / "study.stab").tried
    assert len(made.studies) == 2 and any("Tried one run" in one.value for one in fine_page("study", made).info)
    made.write_study(settings(1))
    assert open_study(made.folder / "study.stab").settings["seed"] == 1 and len(made.studies) == 2


def test_too_little_memory_is_said_before_it_starts(monkeypatch):
    monkeypatch.setattr("stabcore.study.memory.available", lambda: 1e6)
    app = open_page("study", workspace())
    assert not app.exception and "1 MB are free" in app.error[0].value


def test_a_cluster_is_offered_only_where_one_is_configured(monkeypatch, started):
    made = workspace()
    assert not [one for one in fine_page("study", made).text_input if one.key == "scheduler"]
    monkeypatch.setenv("STABILITY_SCHEDULER", "tcp://10.0.0.5:8786")
    app = fine_page("study", made)
    assert app.text_input(key="scheduler").value == "tcp://10.0.0.5:8786"
    app.button(key="start").click().run()
    assert started == [{"pilot": False, "scheduler": "tcp://10.0.0.5:8786"}]


def test_a_setting_that_cannot_be_read_gets_a_sentence():
    app = fine_page("study", workspace())
    app.multiselect(key="selectors").set_value(["estimator"]).run()
    app.text_input(key="option_estimator_parameters").set_value("n_estimators: 3").run()
    assert not app.exception and "separated by commas" in app.error[0].value.replace("\\", "")


def test_study_settings_become_a_file_and_a_process(started):
    made = workspace()
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["mim", "lasso"]).run()
    app.selectbox(key="plan").select("bootstrap").run()
    app.number_input(key="runs").set_value(7).run()
    app.number_input(key="k").set_value(2).run()
    app.selectbox(key="classifier").select("logistic").run()
    app.button(key="start").click().run()
    fine(app)
    found = written(made)
    assert len(started) == 1
    assert found["study"] == {"k": 2, "classifier": "logistic", "seed": 1} and found["plan"] == {"kind": "bootstrap", "runs": 7}
    assert [one["key"] for one in found["selector"]] == ["mim", "lasso"] and found["data"]["target"] == "outcome"


def test_a_study_that_stopped_can_go_on(started):
    made = workspace()
    made.write_study({"study": {"k": 2, "seed": 1}, "plan": {"kind": "subsample", "runs": 100}, "selector": [{"key": "mim"}]})
    with ThreadPoolExecutor(1) as executor:
        begun = load_study(made.folder / "study.toml")
        begun.run(executor, store=made.folder / "study.stab", progress=lambda done, total: done < 2)
    (made.folder / "study.words").write_text("Cancelled; what is done is kept.")
    app = fine_page("study", made)
    assert any("stopped early" in one.value for one in app.warning)
    app.button(key="resume").click().run()
    assert len(started) == 1


def test_a_study_that_could_not_start_says_why():
    made = workspace()
    (made.folder / "study.words").write_text("There is no selector 'nope'.\n")
    app = open_page("study", made)
    assert not app.exception and "no selector" in app.error[0].value


# ---- what is there already ----

@pytest.fixture
def at_once(monkeypatch):
    """Studies that are finished when they have begun."""
    def start(self, pilot=False, scheduler=None):
        load_study(self.folder / "study.toml").run(store=self.folder / "study.stab", workers=1, pilot=pilot)

    monkeypatch.setattr(Workspace, "start", start)


def small(*selectors, **plan):
    return {"study": {"k": 2, "classifier": "none", "seed": 4}, "plan": {"kind": "subsample", "runs": 3, **plan},
            "selector": [{"key": key} for key in selectors]}


def test_a_paper_resets_what_it_does_not_mention(started):
    made = workspace()
    app = fine_page("study", made)
    app.number_input(key="option_random_forest_trees").set_value(1).run()
    app.toggle(key="stratified").set_value(False).run()
    app.number_input(key="seed").set_value(5).run()
    app.selectbox(key="preset").select("sechidis").run()
    app.button(key="start").click().run()
    found = written(fine(app) and made)
    assert {"key": "random_forest"} in found["selector"] and found["plan"] == dict(PRESETS["sechidis"].plan)
    assert found["study"]["seed"] == 5


def test_after_a_reload_the_form_is_that_of_the_last_study(started):
    made = workspace()
    settings = small("mim", "estimator", leave_out=0.2)
    settings["selector"][1] |= {"model": "sklearn.svm.LinearSVC", "parameters": {"C": 0.5, "class_weight": {"sick": 2, "well": 1}}}
    made.write_study(settings)
    app = fine_page("study", made)
    app.button(key="start").click().run()
    fine(app)
    assert {key: written(made)[key] for key in settings} == settings


def test_the_same_study_is_not_run_again_and_nothing_is_lost(at_once):
    made = workspace()
    made.write_study(small("mim", "random", leave_out=0.05))
    made.start()
    app = fine_page("study", made)
    for key in ("pilot", "start"):
        app.button(key=key).click().run()
        assert "exactly these settings" in app.error[0].value and not list(made.folder.glob("study-*.stab"))
    app.number_input(key="runs").set_value(2).run()
    app.button(key="start").click().run()
    fine(app)
    app.button(key="show-1").click().run()
    assert fine(app) and made.store.name == "study-1.stab" and not [one for one in app.button if one.key == "show-1"]
    app.button(key="show-0").click().run()
    assert made.store.name == "study.stab"


def test_what_cannot_be_run_puts_nothing_aside(at_once):
    made = workspace()
    made.write_study(small("mim"))
    made.start()
    app = fine_page("study", made)
    app.selectbox(key="plan").select("kfold").run()
    app.number_input(key="folds").set_value(90).run()
    app.button(key="start").click().run()
    assert not app.exception and "largest possible number of folds is 40" in app.error[0].value
    assert made.store.name == "study.stab" and not list(made.folder.glob("study-*.stab"))


def test_a_study_whose_runs_all_failed_says_so_on_every_screen(at_once):
    made = workspace()
    settings = small("estimator")
    settings["selector"][0]["model"] = "sklearn.svm.SVC"
    made.write_study(settings)
    made.start()
    app = open_page("study", made)
    assert not app.success and "too few runs could be finished" in app.error[0].value and "reason" in app.error[0].value
    assert "The most frequent reason" in open_page("stability", made).info[0].value


def test_a_control_and_repeats_are_asked_for_and_added_to_a_finished_study(at_once):
    made = workspace()
    made.write_study(small("mim", "random_forest", leave_out=0.05))
    made.start()
    before = {(label, run) for label, run, shuffle, repeat in open_study(made.store).store.finished()}
    app = fine_page("study", made)
    app.toggle(key="control").set_value(True).run()
    assert "Random forest" in app.toggle(key="repeat_seeds").label
    app.toggle(key="repeat_seeds").set_value(True).run()
    app.button(key="start").click().run()
    fine(app)
    found = open_study(made.store)
    assert written(made)["study"]["control"] == 5 and written(made)["study"]["repeat_seeds"] == 2
    assert not list(made.folder.glob("study-*.stab")) and found.floor()["shuffles"].tolist() == [5, 5] and found.has_repeats
    assert {(label, run) for label, run, *_ in found.store.finished()} == before and len(found.store.finished()) == found.total
    assert "stability without any signal" in str(app.dataframe[0].proto.columns) or "floor" in app.dataframe[0].value
    app = fine_page("study", made)
    assert app.toggle(key="control").value and app.toggle(key="repeat_seeds").value     # after a reload the form says so
    app.multiselect(key="selectors").set_value(["mim"]).run()
    assert not [one for one in fine(app).toggle if one.key == "repeat_seeds"]           # nothing in it draws by lot


def test_what_there_is_without_any_signal_is_said_before_a_study_starts(started):
    app = fine_page("study", workspace())
    app.selectbox(key="plan").select("subsample").run()
    app.slider(key="leave_out").set_value(5).run()
    app.number_input(key="k").set_value(2).run()
    told = next(one.value for one in fine(app).info if "without any signal" in one.value)
    assert f"agree at {sc.noise_floor(sc.Subsample(50, 0.05), 2, 4):.2f}" in told and "halves" not in told
    app.selectbox(key="plan").select("half").run()
    told = next(one.value for one in fine(app).info if "without any signal" in one.value)
    assert f"agree at {sc.noise_floor(sc.Half(25), 2, 4):.2f}" in told and "the two halves of a pair at 0" in told
    app.number_input(key="k").set_value(4).run()
    assert not [one for one in fine(app).info if "without any signal" in one.value]


def test_to_select_every_feature_is_warned_of():
    app = fine_page("study", workspace())
    app.number_input(key="k").set_value(4).run()
    assert any("all features" in one.value for one in fine(app).warning)


def test_a_setting_that_cannot_be_read_only_keeps_the_study_from_starting():
    app = fine_page("study", workspace())
    app.multiselect(key="selectors").set_value(["mim", "estimator"]).run()
    app.text_input(key="option_estimator_parameters").set_value("n_estimators 3").run()
    assert app.button(key="start").disabled and app.number_input(key="k").value
    app.text_input(key="option_estimator_parameters").set_value("n_estimators = 3, class_weight = {a = 1, b = 2}").run()
    assert not fine(app).button(key="start").disabled


def test_results_of_another_outcome_are_said_to_be_that(at_once):
    made = workspace()
    made.write_study(small("mim"))
    made.start()
    assert not fine_page("stability", made).warning
    made.save(roles={"target": "outcome", "exclude": ["level", "age"]})
    assert any("has changed since" in one.value for one in fine_page("stability", made).warning)
    assert any("other features" in one.value for one in fine_page("groups", made).info)


def test_own_final_models_are_offered_first_where_every_selector_has_one(started):
    made = workspace()
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["lasso", "svm_rfe"]).run()
    offered = fine(app).selectbox(key="classifier").options
    assert offered[0] == "The selector's own final model" and len(offered) == 7
    app.selectbox(key="classifier").select("own").run()
    app.button(key="start").click().run()
    fine(app)
    assert written(made)["study"]["classifier"] == "own"
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["lasso", "mim"]).run()
    assert "The selector's own final model" not in fine(app).selectbox(key="classifier").options


# ---- three questions ----

def test_the_form_asks_three_questions_and_tells_what_they_come_to(started):
    app = fine_page("study", table(patients([f"g{i}" for i in range(500)]), roles={"target": "outcome"}))
    assert app.number_input(key="k").value == 20 and app.selectbox(key="away").value == "half"      # never a share of a wide table
    said = text_of(app.markdown)
    assert "8 selectors each choose 20 of 500 features" in said and "one half of the rows" in said
    assert any(re.search(r"About \d+ (s|min)", one.value) for one in app.caption)
    app.selectbox(key="away").select("fifth").run()
    assert app.selectbox(key="plan").value == "subsample" and app.slider(key="leave_out").value == 20
    app.slider(key="leave_out").set_value(7).run()
    assert fine(app).selectbox(key="away").value == "other"


def test_less_time_gives_fewer_runs_and_too_little_is_said(started, monkeypatch):
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 20.0)
    app = fine_page("study", table(patients([f"g{i}" for i in range(500)], 200), roles={"target": "outcome"}))
    many = app.number_input(key="pairs").value
    app.select_slider(key="how_long").set_value(60).run()
    few = fine(app).number_input(key="pairs").value
    assert 5 <= few < many <= 25
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 20000.0)
    assert "longer than a minute" in text_of(fine(app.run()).warning)


def test_a_trial_has_a_line_of_its_own(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim", "random"], sc.Subsample(4, 0.2), runs=1)
    monkeypatch.setattr(Workspace, "running", property(lambda self: True))
    made.save(trial=True)
    told = [one.proto.text for one in fine_page("study", made).get("progress")]
    assert told == ["A trial: 2 of 2 selectors tried once"]


def test_every_screen_says_how_far_a_study_is(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim", "random"], sc.Subsample(4, 0.2), runs=3)
    monkeypatch.setattr(Workspace, "running", property(lambda self: True))
    told = [one.proto.text for one in fine_page("stability", made).get("progress")]
    assert len(told) == 1 and told[0].startswith("A study is running: 6 of 8 tasks")


def test_the_form_says_what_papers_did(started):
    """Several settings of one selector, a number of features of its own, K of the neighbours, importances in the classifier."""
    made = workspace()
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["relieff", "glm_boosting"]).run()
    app.selectbox(key="classifier").select("3nn").run()
    app.number_input(key="neighbours").set_value(5).run()
    app.selectbox(key="importances").select("sensitivity").run()
    app.text_input(key="option_relieff_k").set_value("2").run()
    app.selectbox(key="option_relieff_several_of").select("neighbours").run()
    app.text_input(key="option_relieff_several").set_value("3, 6").run()
    app.text_input(key="option_glm_boosting_k").set_value("free").run()
    app.button(key="start").click().run()
    found = written(fine(app) and made)
    assert found["selector"] == [
        {"key": "relieff", "k": 2, "label": "ReliefF, neighbours 3", "neighbours": 3},
        {"key": "relieff", "k": 2, "label": "ReliefF, neighbours 6", "neighbours": 6}, {"key": "glm_boosting", "k": "free"}]
    assert found["study"]["classifier"] == "5nn" and found["study"]["importances"] == "sensitivity"
    again = fine_page("study", made)            # the form of the last study is the same again
    assert again.text_input(key="option_relieff_several").value == "3, 6" and again.number_input(key="neighbours").value == 5
    again.text_input(key="option_relieff_several").set_value("3, many").run()
    assert "whole number; found 'many'" in text_of(again.error)


def test_a_random_search_is_a_study_and_chosen_ones_are_looked_at_again(started):
    """Drawn by lot on one half, run like any study, and evaluated on the other half; the form of selectors is left alone."""
    made = table(patients(rows=60), roles={"target": "outcome"})
    app = fine_page("study", made)
    app.number_input(key="search-n").set_value(4)
    app.number_input(key="search-folds").set_value(2)
    app.button(key="search").click().run()
    assert written(fine(app) and made)["search"] == {"n": 4} and len(started) == 1
    with ThreadPoolExecutor(1) as executor:
        load_study(made.folder / "study.toml").run(store=made.folder / "study.stab", executor=executor)
    searched = open_study(made.folder / "study.stab")
    assert len(searched.selectors) == 4 and searched.settings["data"]["n_rows"] == 30
    after = fine_page("study", made)
    assert after.multiselect(key="selectors").value                 # the form does not take over what a search says
    chosen = after.multiselect(key="search-again").value
    assert chosen and set(chosen) <= set(searched.selectors)
    after.button(key="confirm").click().run()
    assert fine(after) and written(made)["search"] == {"n": 4, "confirm": chosen} and len(started) == 2
    again = load_study(made.folder / "study.toml")
    assert [one.label for one in again.selectors] == chosen and again.data.fingerprint != searched.settings["data"]["fingerprint"]
    assert (made.folder / "study-1.stab").exists()                  # the search itself is kept


def test_results_of_half_of_the_rows_are_no_change_of_the_table():
    from stabcore.study.search import of_a_half, search_study

    data = sc.Dataset.from_frame(patients(rows=60), target="outcome")
    half = search_study(data, n=4, seed=3).settings() | {"seed": 3}
    assert of_a_half(data, half) and not of_a_half(sc.Dataset.from_frame(patients(rows=62), target="outcome"), half)


# ---- while it waits ----

@pytest.mark.parametrize(("before", "words"), [
    ((1, 0), "1 study runs now, yours is the next."), ((2, 1), "2 studies run now, 1 study waits before yours."),
    ((2, 3), "2 studies run now, 3 studies wait before yours."), ((0, 0), "0 studies run now, yours is the next.")])
def test_a_study_that_waits_tells_its_place_and_can_be_cancelled(before, words, monkeypatch):
    made, cancelled = workspace(), []
    monkeypatch.setattr(Workspace, "running", True)
    monkeypatch.setattr(Workspace, "before", before)
    monkeypatch.setattr(Workspace, "cancel", lambda self: cancelled.append(self.id))
    app = fine_page("study", made)
    assert f"Your study waits for its turn: {words}" in text_of(app.info) and "starts by itself" in text_of(app.info)
    assert "A study waits for its turn." in text_of(app.sidebar.caption)
    app.button(key="cancel").click().run()
    assert cancelled == [made.id]
