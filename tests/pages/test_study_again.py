"""Study, where there is a study already: gone on with, added to, not run twice; what failed, and what results are of."""

from page_support import fine, fine_page, open_page, text_of
from study_page_support import small, workspace, written

import stabcore as sc
from pages.parts.study.form import NO_CONTROL
from stabcore.study.presets import PRESETS
from stabcore.study.study_result import open_study

EXPECTED = "Expected noise floor:"


def test_a_paper_resets_what_it_does_not_mention(started):
    made = workspace()
    app = fine_page("study", made)
    app.number_input(key="option_random_forest_trees").set_value(1).run()
    app.toggle(key="stratified").set_value(False).run()
    app.number_input(key="random_state").set_value(5).run()
    app.selectbox(key="preset").select("sechidis").run()
    app.button(key="start").click().run()
    found = written(fine(app) and made)
    assert {"key": "random_forest"} in found["selector"] and found["plan"] == dict(PRESETS["sechidis"].plan)
    assert found["study"]["random_state"] == 5


def test_after_a_reload_the_form_is_that_of_the_last_study(started):
    made = workspace()
    settings = small("mim", "estimator", test_size=0.2)
    settings["selector"][1] |= {"model": "sklearn.svm.LinearSVC", "parameters": {"C": 0.5, "class_weight": {"sick": 2, "well": 1}}}
    made.write_study(settings)
    app = fine_page("study", made)
    app.button(key="start").click().run()
    fine(app)
    assert {key: written(made)[key] for key in settings} == settings


def test_the_same_study_is_not_run_again_and_nothing_is_lost(at_once):
    made = workspace()
    made.write_study(small("mim", "random", test_size=0.05))
    made.start()
    app = fine_page("study", made)
    for key in ("pilot", "start"):
        app.button(key=key).click().run()
        assert "exactly these settings" in app.error[0].value and not list(made.folder.glob("study-*.stab"))
    app.number_input(key="n_runs").set_value(2).run()
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
    app.selectbox(key="plan").select("repeated_kfold").run()
    app.number_input(key="n_splits").set_value(90).run()
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
    made.write_study(small("mim", "random_forest", test_size=0.05))
    made.start()
    before = {(label, run) for label, run, shuffle, repeat in open_study(made.store).store.finished()}
    app = fine_page("study", made)
    app.toggle(key="n_permutations").set_value(True).run()
    assert "Random forest" in app.toggle(key="n_seeds").label
    app.toggle(key="n_seeds").set_value(True).run()
    app.button(key="start").click().run()
    fine(app)
    found = open_study(made.store)
    assert written(made)["study"]["n_permutations"] == 20 and written(made)["study"]["n_seeds"] == 2
    assert not list(made.folder.glob("study-*.stab")) and found.noise_floor()["shuffles"].tolist() == [20, 20] and found.has_repeats
    assert {(label, run) for label, run, *_ in found.store.finished()} == before and len(found.store.finished()) == found.total
    assert {"floor", "beyond", "shuffles"} <= set(app.dataframe[0].value)
    app = fine_page("study", made)
    assert app.toggle(key="n_permutations").value and app.toggle(key="n_seeds").value  # after a reload the form says so
    app.multiselect(key="selectors").set_value(["mim"]).run()
    assert not [one for one in fine(app).toggle if one.key == "n_seeds"]  # nothing in it draws by lot


def test_what_there_is_without_any_signal_is_said_before_a_study_starts(started):
    app = fine_page("study", workspace())
    app.selectbox(key="plan").select("subsample").run()
    app.slider(key="test_size").set_value(5).run()
    app.number_input(key="k").set_value(2).run()
    assert f"{EXPECTED} {sc.noise_floor(sc.Subsample(50, 0.05), 2, 4):.2f}" in text_of(fine(app).info)
    app.selectbox(key="plan").select("complementary_pairs").run()
    assert f"{EXPECTED} {sc.noise_floor(sc.ComplementaryPairs(25), 2, 4):.2f}" in text_of(fine(app).info)
    app.number_input(key="k").set_value(4).run()
    assert EXPECTED not in text_of(fine(app).info)


def test_the_control_is_on_and_what_it_costs_and_what_lacks_without_it_is_said():
    app = fine_page("study", workspace())
    assert app.toggle(key="n_permutations").value and "permutation control takes" in text_of(app.caption)
    app.toggle(key="n_permutations").set_value(False).run()
    assert "permutation control takes" not in text_of(fine(app).caption) and NO_CONTROL in text_of(app.info)


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
