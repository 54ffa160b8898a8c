"""The Study page: settings of papers, options of selectors, a trial run, a cluster, too little memory."""

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from command_support import tasks
from page_support import COLUMNS, fine, fine_page, open_page, patients, study_file, table, text_of
from study_page_support import workspace, written

import stabcore as sc
from pages.workspace.project import Project
from stabcore.plots.pareto import GUESSING
from stabcore.resampling.catalog import plan_from
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.loading import load_study, study_from
from stabcore.study.presets import PRESETS
from stabcore.study.study import Study
from stabcore.study.study_result import open_study


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
    app.selectbox(key="plan").select("repeated_kfold").run()
    app.number_input(key="folds").set_value(90).run()
    assert not fine(app).warning  # what cannot be drawn is said at the start


def test_a_busy_computer_is_told_of_while_a_study_runs(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim"], sc.Subsample(4, 0.2))
    monkeypatch.setattr(Project, "running", property(lambda self: True))
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
    assert app.number_input(key="option_relieff_neighbours").value == 5  # a visit elsewhere loses nothing
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
        load_study(self.folder / "study.toml").run(store=self.folder / "study.stab", n_jobs=1, pilot=pilot)

    monkeypatch.setattr(Project, "start", start)
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["mim", "random"]).run()
    app.selectbox(key="plan").select("subsample").run()
    app.number_input(key="runs").set_value(4).run()
    app.button(key="pilot").click().run()
    fine(app)
    assert any(re.search(r"Tried one run of every selector\. The rest takes about \d+ s", one.value) for one in app.info)
    app.button(key="start").click().run()  # the same settings: what the trial did is kept
    fine(app)
    assert calls == [True, False] and not list(made.folder.glob("study-*.stab"))
    assert any("The study is finished" in one.value for one in app.success)
    app.number_input(key="runs").set_value(3).run()
    app.button(key="start").click().run()  # other settings: the finished study is put aside
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

    monkeypatch.setattr(Project, "start", start)
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["mim", "variance"]).run()
    app.selectbox(key="plan").select("subsample").run()
    app.number_input(key="runs").set_value(40).run()
    app.toggle(key="n_permutations").set_value(False).run()
    app.button(key="start").click().run()
    kept = tasks(made.folder / "study.stab")
    assert len(kept) == 60
    app.button(key="pilot").click().run()  # the same settings: they are there already, and more
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
    assert tasks(made.store) > kept and len(tasks(made.store)) == 80 and made.last_settings["study"]["random_state"] == 1
    assert len(tasks(made.folder / "study-2.stab")) == 60  # the one of the other seed


def test_trials_are_kept_and_are_gone_on_with(monkeypatch):
    made = workspace()

    def settings(seed):
        return {"study": {"k": 1, "random_state": seed}, "plan": {"kind": "subsample", "n_runs": 4}, "selector": [{"key": "mim"}]}

    for seed in (1, 2):
        made.write_study(settings(seed))
        load_study(made.folder / "study.toml").run(store=made.folder / "study.stab", n_jobs=1, pilot=True)
        assert open_study(made.folder / "study.stab").tried
    assert len(made.studies) == 2 and any("Tried one run" in one.value for one in fine_page("study", made).info)
    made.write_study(settings(1))
    assert open_study(made.folder / "study.stab").settings["random_state"] == 1 and len(made.studies) == 2


def test_too_little_memory_is_said_before_it_starts(monkeypatch):
    monkeypatch.setattr("stabcore.study.machine.available", lambda: 1e6)
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
    assert found["study"] == {"k": 2, "classifier": "logistic", "random_state": 1, "n_permutations": 20}
    assert found["plan"] == {"kind": "bootstrap", "n_runs": 7}
    assert [one["key"] for one in found["selector"]] == ["mim", "lasso"] and found["data"]["target"] == "outcome"


def test_a_study_that_stopped_can_go_on(started):
    made = workspace()
    made.write_study(
        {"study": {"k": 2, "random_state": 1}, "plan": {"kind": "subsample", "n_runs": 100}, "selector": [{"key": "mim"}]}
    )
    with ThreadPoolExecutor(1) as executor:
        begun = load_study(made.folder / "study.toml")
        begun.run(executor, store=made.folder / "study.stab", progress=lambda done, total: done < 2)
    (made.folder / "study.words").write_text("Cancelled; what is done is kept.")
    app = fine_page("study", made)
    assert any("stopped early" in one.value for one in app.warning)
    app.button(key="resume").click().run()
    assert len(started) == 1


@pytest.mark.parametrize("useless", [True, False])
def test_a_finished_study_says_first_when_nothing_is_predicted(useless, started):
    frame = patients((*COLUMNS, "level"), rows=60)
    by = np.random.default_rng(3).normal(size=60) if useless else frame[COLUMNS[0]]
    frame["outcome"] = np.where(by > 0, "sick", "well")
    made = table(frame, roles={"target": "outcome", "exclude": ["level"]})
    made.write_study(
        {
            "study": {"k": 2, "random_state": 1, "n_permutations": 0},
            "plan": {"kind": "complementary_pairs", "n_pairs": 4},
            "selector": [{"key": "mim"}],
        }
    )
    with ThreadPoolExecutor(1) as executor:
        load_study(made.folder / "study.toml").run(executor, store=made.folder / "study.stab")
    assert (GUESSING in text_of(fine_page("study", made).warning)) == useless


def test_a_study_that_could_not_start_says_why():
    made = workspace()
    (made.folder / "study.words").write_text("There is no selector 'nope'.\n")
    app = open_page("study", made)
    assert not app.exception and "no selector" in app.error[0].value
