"""Study while it runs and afterwards: trial, cancel, continue, add, never twice, failures, and its data."""

import re
import sqlite3
import time

import numpy as np
import pytest
from command_support import tasks
from noise_support import Here
from page_support import click, fine, fine_page, keys_of, open_page, page_text, pull, text_of
from project_support import COLUMNS, patients, study_file, table
from study_page_support import anew, fill, new_project, settings, written

import stabcore as sc
from pages.parts.screen import NUMBERS
from pages.workspace.project import Project
from pages.workspace.speed import TIMES_FILE
from stabcore.plots.pareto import NO_BETTER_THAN_GUESSING
from stabcore.study.loading import load_study
from stabcore.study.study_result import open_study

FRAME = patients((*COLUMNS, "level"))


@pytest.fixture
def running(monkeypatch):
    """Every study runs."""
    monkeypatch.setattr(Project, "is_running", property(lambda self: True))


def with_study(runs=None):
    """A project with a study of 8 tasks, or with its first runs."""
    project = new_project()
    study_file(project.folder / "study.stab", FRAME, ["mim", "random"], sc.Subsample(4, 0.2), runs=runs)
    return project


def ran(project, *selectors, **plan):
    """The same project, in which a small study has run."""
    project.write_study(settings(*selectors, **plan))
    project.start_study()
    return project


def set_aside(project):
    return list(project.folder.glob("study-*.stab"))


def progress(app):
    return [bar.proto.text for bar in app.get("progress")]


def finished(app):
    """The sentence about a finished study, "" for another."""
    return next((caption.value for caption in app.caption if "is finished" in caption.value), "")


# ---- while it runs ----


def test_how_long_it_has_run_stands_beside_what_is_left_and_at_the_end(monkeypatch):
    project = with_study()
    (project.folder / TIMES_FILE).write_text(f"{time.time() - 125} {time.time() - 5}")
    assert "2 min" in finished(fine_page("study", project))
    (project.folder / TIMES_FILE).write_text(str(time.time() - 30))
    assert not re.search(r"\d", finished(fine_page("study", project))), "it was killed, and nobody knows when"
    monkeypatch.setattr(Project, "is_running", property(lambda self: True))
    assert any(re.match(r"8 of 8 .* \d+ s", text) for text in progress(fine_page("study", project)))


def test_a_trial_and_every_other_screen_say_how_far_it_is(running):
    project = with_study(runs=3)
    assert ["6 of 8" in text for text in progress(fine_page("stability", project))] == [True]
    project = with_study(runs=1)
    project.save(trial=True)
    assert ["2 of 2" in text for text in progress(fine_page("study", project))] == [True]


def test_a_waiting_study_shows_its_place_and_can_be_cancelled(monkeypatch):
    project, cancelled, before = new_project(), [], (2, 3)
    monkeypatch.setattr(Project, "is_running", True)
    monkeypatch.setattr(Project, "queue_position", before)
    monkeypatch.setattr(Project, "cancel_study", lambda self: cancelled.append(self.id))
    app = fine_page("study", project)
    assert all(str(number) in text_of(app.info) for number in before) and app.sidebar.caption
    app.button(key="cancel").click().run()
    assert cancelled == [project.id]


# ---- tried, cancelled, gone on with ----


def test_a_trial_estimates_the_time_and_the_study_continues_it(monkeypatch):
    project, calls = new_project(), []

    def start(self, pilot=False, scheduler=None):
        calls.append(pilot)
        load_study(self.folder / "study.toml").run(Here(), store=self.folder / "study.stab", pilot=pilot)

    monkeypatch.setattr(Project, "start_study", start)
    app = click(fill(fine_page("study", project), selectors=["mim", "random"], plan="subsample", n_runs=4), "pilot")
    assert re.search(r"about \d+ s", text_of(app.info))
    click(anew(app), "start")  # the same settings: what the trial did is kept
    assert calls == [True, False] and not set_aside(project) and finished(app)
    fill(app, n_runs=3).button(key="start").click().run()  # other settings: the finished study is put aside
    assert len(set_aside(project)) == 1


def test_a_cancelled_study_outlives_a_trial_and_another_seed(monkeypatch):
    """60 of 80 tasks, then "How long will it take?", another seed, Start: and then on with the 60."""
    project, stop = new_project(), [30]

    def start(self, pilot=False, scheduler=None):
        store = self.folder / "study.stab"
        load_study(self.folder / "study.toml").run(Here(), store=store, pilot=pilot)
        with sqlite3.connect(store) as base:
            base.execute("DELETE FROM task WHERE run >= ?", stop)

    monkeypatch.setattr(Project, "start_study", start)
    app = fill(fine_page("study", project), selectors=["mim", "variance"], plan="subsample", n_runs=40, n_permutations=False)
    app.button(key="start").click().run()
    first = tasks(project.folder / "study.stab")
    assert len(first) == 60
    anew(app).button(key="pilot").click().run()  # the same settings: they are there already, and more
    fill(app, random_state=2)
    click(app, "start")
    assert tasks(project.folder / "study-1.stab") == first and len(tasks(project.folder / "study.stab")) == 60
    click(app, "show-1")
    assert project.store.name == "study-1.stab"
    stop[0] = 40
    assert finished(click(app, "go-on-1")) and project.store.name == "study.stab"
    assert tasks(project.store) > first and len(tasks(project.store)) == 80
    assert project.last_settings["study"]["random_state"] == 1
    assert len(tasks(project.folder / "study-2.stab")) == 60  # the one of the other seed


def test_a_stopped_study_can_be_continued(started):
    project = new_project()
    project.write_study(settings("mim", n_runs=100))
    study = load_study(project.folder / "study.toml")
    study.run(Here(), store=project.folder / "study.stab", progress=lambda done, total: done < 2)
    (project.folder / "study.words").write_text("Cancelled. Finished runs are kept.")
    app = fine_page("study", project)
    assert app.warning and app.button(key="resume").click().run() and len(started) == 1
    (project.folder / "study.stab").unlink()
    (project.folder / "study.words").write_text("There is no selector 'nope'.\n")
    app = open_page("study", project)
    assert not app.exception and "'nope'" in app.error[0].value, "it could not start"


# ---- a study that is there already ----


def test_the_same_study_is_not_run_again_and_nothing_is_lost(at_once):
    project = ran(new_project(), "mim", "random", test_size=0.05)
    app = anew(fine_page("study", project))
    for key in ("pilot", "start"):
        app.button(key=key).click().run()
        assert app.error and not set_aside(project)
    fill(app, plan="repeated_kfold", n_splits=90).button(key="start").click().run()
    assert not app.exception and "40" in app.error[0].value and not set_aside(project), "it cannot be drawn"
    click(fill(app, plan="subsample", n_runs=2), "start")
    click(app, "show-1")
    assert project.store.name == "study-1.stab" and "show-1" not in keys_of(app)
    app.button(key="show-0").click().run()
    assert project.store.name == "study.stab"


def test_a_study_with_failed_runs_only_says_so_on_every_screen(at_once):
    project = new_project()
    asked = settings("estimator")
    asked["selector"][0]["model"] = "sklearn.svm.SVC"
    project.write_study(asked)
    project.start_study()
    app = open_page("study", project)
    assert not finished(app) and app.error and open_page("stability", project).info


def test_a_control_and_repeats_are_added_to_a_finished_study(at_once):
    project, asked = new_project(), settings("mim", "random_forest", test_size=0.05)
    asked["selector"][1]["trees"] = 5
    project.write_study(asked)
    project.start_study()
    before = {(label, run) for label, run, *_ in open_study(project.store).store.finished()}
    app = fill(anew(fine_page("study", project)), n_permutations=True)
    assert "Random forest" in app.toggle(key="n_seeds").label
    click(fill(app, n_seeds=True), "start")
    found = open_study(project.store)
    assert written(project)["study"]["n_permutations"] == 20 and written(project)["study"]["n_seeds"] == 2
    assert not set_aside(project) and found.noise_floor()["shuffles"].tolist() == [20, 20] and found.has_refits
    assert {(label, run) for label, run, *_ in found.store.finished()} == before and len(found.store.finished()) == found.total
    assert not len(app.dataframe) and {"value", "floor"} <= set(pull(app, NUMBERS).dataframe[0].value)
    counts = f"2 selectors, 3 runs each, 2 of {len(COLUMNS)} features per run, outcome shuffled 20 times, no failed runs."
    assert counts in [caption.value for caption in app.caption]
    app = anew(fine_page("study", project))
    assert app.toggle(key="n_permutations").value and app.toggle(key="n_seeds").value  # after a reload the form says so
    fill(app, selectors=["mim"])
    assert "n_seeds" not in {toggle.key for toggle in app.toggle}  # nothing in it draws at random


def test_missing_cells_are_filled_where_there_are_any(at_once):
    whole = new_project()
    whole.write_study(settings("mim"))
    assert "n_imputations" not in {field.key for field in fine_page("study", whole).number_input}
    gaps = patients((*COLUMNS, "level"))
    gaps.iloc[::7, 1] = np.nan
    project = table(gaps, roles={"target": "outcome", "exclude": ["level"]})
    project.write_study(settings("mim"))
    app = fill(fine_page("study", project), n_imputations=2)
    for page in ("data", "study"):  # the form is kept while another page is open
        fine(app.switch_page(f"pages/{page}.py").run())
    click(app, "start")
    assert written(project)["study"]["n_imputations"] == 2
    found = open_study(project.store)
    assert found.disagreement_sources()["imputations"].tolist() == [2] and len(found.store.finished()) == found.total == 6
    assert anew(fine_page("study", project)).number_input(key="n_imputations").value == 2


def test_results_of_another_outcome_are_said_to_be_that(at_once):
    project = ran(new_project(), "mim")
    assert not fine_page("stability", project).warning
    project.save(roles={"target": "outcome", "exclude": ["level", "age"]})
    assert fine_page("stability", project).warning and fine_page("similarity", project).info


@pytest.mark.parametrize("useless", [True, False])
def test_a_finished_study_says_first_when_nothing_is_predicted(useless):
    frame = patients((*COLUMNS, "level"), rows=60)
    by = np.random.default_rng(3).normal(size=60) if useless else frame[COLUMNS[0]]
    project = table(frame.assign(outcome=np.where(by > 0, "sick", "well")), roles={"target": "outcome", "exclude": ["level"]})
    asked = {"study": {"k": 2, "random_state": 1, "n_permutations": 0}, "plan": {"kind": "complementary_pairs", "n_pairs": 4}}
    project.write_study(asked | {"selector": [{"key": "mim"}]})
    load_study(project.folder / "study.toml").run(Here(), store=project.folder / "study.stab")
    app = fine(fine_page("study", project))
    assert (NO_BETTER_THAN_GUESSING in page_text(app)) == useless and "accuracy" in page_text(app).lower()
