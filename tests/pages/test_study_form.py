"""The form of Study for people: three questions, a sentence, what papers did, a search at random; and a study that waits."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from page_support import COLUMNS, fine, fine_page, patients, said, study_file, table, text_of
from study_page_support import workspace, written

import stabcore as sc
from pages.workspace import links
from pages.workspace.project import Project
from pages.workspace.speed import TIMES
from stabcore.study.loading import load_study
from stabcore.study.study_result import open_study


def test_the_form_asks_three_questions_and_tells_what_they_come_to(started):
    app = fine_page("study", table(patients([f"g{i}" for i in range(500)]), roles={"target": "outcome"}))
    assert (
        app.number_input(key="k").value == 20 and app.selectbox(key="away").value == "complementary_pairs"
    )  # never a share of a wide table
    said = text_of(app.markdown)
    assert "8 selectors each choose 20 of 500 features" in said and "one half of the rows" in said
    assert any(re.search(r"About \d+ (s|min)", one.value) for one in app.caption)
    app.selectbox(key="away").select("fifth").run()
    assert app.selectbox(key="plan").value == "subsample" and app.slider(key="test_size").value == 20
    app.slider(key="test_size").set_value(7).run()
    assert fine(app).selectbox(key="away").value == "other"


def test_less_time_gives_fewer_runs_and_too_little_is_said(started, monkeypatch):
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 4.0)
    app = fine_page("study", table(patients([f"g{i}" for i in range(500)], 200), roles={"target": "outcome"}))
    many = app.number_input(key="pairs").value
    app.select_slider(key="how_long").set_value(60).run()
    few = fine(app).number_input(key="pairs").value
    assert 5 <= few < many <= 25
    monkeypatch.setattr("stabcore.study.forecast.slowness", lambda: 20000.0)
    assert "longer than a minute" in text_of(fine(app.run()).warning)


def test_a_guess_rests_on_what_this_computer_took_before(started, monkeypatch):
    monkeypatch.setattr("pages.parts.study.form.others_compute", lambda: False)
    made = table(patients([f"g{i}" for i in range(20)]), roles={"target": "outcome"})
    app = fine_page("study", made)
    app.multiselect(key="selectors").set_value(["random_forest", "mim"]).run()

    def guessed():
        (told,) = [one.value for one in fine(app).caption if "guessed from" in one.value]
        return told

    before = guessed()
    assert "guessed from the size of the table." in before
    (made.folder.parent / "pace.json").write_text(json.dumps({"random_forest": 500.0}))
    app.run()
    assert guessed() != before and "the table and from how long some of these selectors took on this computer before." in guessed()
    (made.folder.parent / "pace.json").write_text(json.dumps({"random_forest": 500.0, "mim": 1.0}))
    app.run()
    assert "and from how long these selectors took on this computer before." in guessed()


def test_how_long_it_has_run_stands_beside_what_is_left_and_at_the_end(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim", "random"], sc.Subsample(4, 0.2))
    (made.folder / TIMES).write_text(f"{time.time() - 125} {time.time() - 5}")
    assert "The study is finished. It ran for 2 min." in text_of(fine_page("study", made).success)
    (made.folder / TIMES).write_text(str(time.time() - 30))
    assert text_of(fine_page("study", made).success) == "The study is finished.", "it was killed, and nobody knows when"
    monkeypatch.setattr(Project, "running", property(lambda self: True))
    told = [one.proto.text for one in fine_page("study", made).get("progress")]
    assert any(re.fullmatch(r"8 of 8 tasks done, running for 3\d s, about 1 s left", one) for one in told), told


def test_a_trial_has_a_line_of_its_own(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim", "random"], sc.Subsample(4, 0.2), runs=1)
    monkeypatch.setattr(Project, "running", property(lambda self: True))
    made.save(trial=True)
    told = [one.proto.text for one in fine_page("study", made).get("progress")]
    assert told == ["A trial: 2 of 2 selectors tried once"]


def test_every_screen_says_how_far_a_study_is(started, monkeypatch):
    made = workspace()
    study_file(made.folder / "study.stab", patients((*COLUMNS, "level")), ["mim", "random"], sc.Subsample(4, 0.2), runs=3)
    monkeypatch.setattr(Project, "running", property(lambda self: True))
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
        {"key": "relieff", "k": 2, "label": "ReliefF, neighbours 6", "neighbours": 6},
        {"key": "glm_boosting", "k": "free"},
    ]
    assert found["study"]["classifier"] == "5nn" and found["study"]["importances"] == "sensitivity"
    again = fine_page("study", made)  # the form of the last study is the same again
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
    assert after.multiselect(key="selectors").value  # the form does not take over what a search says
    chosen = after.multiselect(key="search-again").value
    assert chosen and set(chosen) <= set(searched.selectors)
    after.button(key="confirm").click().run()
    assert fine(after) and written(made)["search"] == {"n": 4, "confirm": chosen} and len(started) == 2
    again = load_study(made.folder / "study.toml")
    assert [one.label for one in again.selectors] == chosen and again.data.fingerprint != searched.settings["data"]["fingerprint"]
    assert (made.folder / "study-1.stab").exists()  # the search itself is kept
    with ThreadPoolExecutor(1) as executor:
        again.run(store=made.folder / "study.stab", executor=executor)
    last = fine_page("study", made)
    assert "had no part in the choice" in said(last)
    both = next(one.value for one in last.dataframe if "accuracy, first half" in one.value)
    assert list(both.index) == chosen and both.filter(like="accuracy").notna().all(axis=None)


def test_results_of_half_of_the_rows_are_no_change_of_the_table():
    from stabcore.study.search import of_a_half, search_study

    data = sc.Dataset.from_frame(patients(rows=60), target="outcome")
    half = search_study(data, n=4, random_state=3).settings() | {"random_state": 3}
    assert of_a_half(data, half) and not of_a_half(sc.Dataset.from_frame(patients(rows=62), target="outcome"), half)


# ---- while it waits ----


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ((1, 0), "1 computation runs now, yours is the next."),
        ((2, 1), "2 computations run now, 1 waits before yours."),
        ((2, 3), "2 computations run now, 3 wait before yours."),
        ((0, 0), "0 computations run now, yours is the next."),
    ],
)
def test_a_study_that_waits_tells_its_place_and_can_be_cancelled(before, words, monkeypatch):
    made, cancelled = workspace(), []
    monkeypatch.setattr(Project, "running", True)
    monkeypatch.setattr(Project, "before", before)
    monkeypatch.setattr(Project, "cancel", lambda self: cancelled.append(self.id))
    app = fine_page("study", made)
    assert f"Your study waits for its turn: {words}" in text_of(app.info) and "starts by itself" in text_of(app.info)
    assert "A study waits for its turn." in text_of(app.sidebar.caption)
    app.button(key="cancel").click().run()
    assert cancelled == [made.id]


def test_settings_that_were_not_started_outlive_a_reload_and_are_the_last_ones_once_they_were(started):
    made = table(patients([f"g{i}" for i in range(30)]), roles={"target": "outcome"})
    app = fine_page("study", made)
    assert "form" not in made.settings, "what the form begins with need not be kept"
    copy = links.freeze(made)
    app.select_slider(key="how_long").set_value(1200).run()
    app.multiselect(key="selectors").set_value(["mim", "random_forest"]).run()
    app.number_input(key="k").set_value(7).run()
    app.number_input(key="option_random_forest_trees").set_value(30).run()
    app.number_input(key="pairs").set_value(12).run()
    app.toggle(key="n_permutations").set_value(True).run()
    again = fine_page("study", made)
    shown = [
        again.select_slider(key="how_long").value,
        again.multiselect(key="selectors").value,
        again.toggle(key="n_permutations").value,
        *(again.number_input(key=key).value for key in ("k", "option_random_forest_trees", "pairs")),
    ]
    assert shown == [1200, ["mim", "random_forest"], True, 7, 30, 12]
    assert links.current(made) == copy and "form" not in copy.settings, "a link shows no study that was not started"
    fine(again.button(key="start").click().run())
    assert not made.settings["form"] and written(made)["study"]["k"] == 7
