"""Panel: the sentence follows the threshold, false ones are told where a theorem holds, panels can be taken along."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir

import pandas as pd
import pytest
from page_support import brought, bundled, figures, fine, fine_page, patients, said, sample, studied, study_file, table, text_of

import stabcore as sc
from pages.parts.other_studies import keep_table
from pages.workspace.processes import Computation
from pages.workspace.workspace import Workspace
from stabcore.__main__ import main
from stabcore.analysis.panel import panel
from stabcore.plots.effects import NO_TABLE
from stabcore.study.working_files import StudyLock, cancel_file


def test_the_panel_is_that_of_the_core_and_follows_the_threshold():
    app = fine_page("panel", sample())
    result = sc.open_study(Workspace.find(app.session_state["id"]).store, named=True)
    many = int(panel(result)["stays"].sum())
    assert many == 1 and "The panel has 1 feature (selection frequency of at least 75%" in said(app)
    assert app.dataframe[0].value["stays"].sum() == many and (app.dataframe[0].value["effect"] > 0).all()
    app.slider(key="panel-threshold__widget").set_value(100).run()
    assert "in at least 100% of the runs" in said(fine(app))


def test_one_selector_has_its_bound_and_all_together_what_the_shuffles_count():
    made = sample()
    app = fine_page("panel", made)
    if not sc.open_study(made.store).has_control:
        assert "false features on average" not in text_of(app.markdown) and "about the panel of one selector" in text_of(app.info)
    app.selectbox(key="panel-of__widget").select("Lasso").run()
    assert any("pfer_bound" in one.value for one in fine(app).dataframe)


def test_other_plans_are_refused_with_the_reason(tmp_path):
    few = studied(study_file(tmp_path / "few.stab", patients("abcdef", 48), ["mim", "random"], sc.Subsample(6, 0.05)))
    app = fine_page("panel", few)
    assert ("complementary halves" in said(app)) != any("pfer_bound" in one.value for one in app.dataframe)


def test_every_section_opens_and_says_something_of_the_one_panel():
    for section, words in (
        ("choices", "The panel has 1 feature"),
        ("paths", "of the 1 feature in the panel"),
        ("together", "in the panel of all"),
        ("direction", "of the variance of 1 feature of the panel"),
    ):
        assert words in said(fine_page("panel", sample(), panel=section)), section
    one = fine_page("panel", sample(), **{"panel": "choices", "panel-of": "mRMR"})
    assert not any(box.label == "Selector" for box in one.selectbox)


def test_the_map_of_choices_tells_what_stays_and_what_may_be_false(tmp_path):
    app = fine_page("panel", sample(), **{"panel": "choices", "panel-of": "mRMR"})
    titles = []
    for colours in ("stays", "false"):
        app.selectbox(key="panel-colours__widget").set_value(colours).run()
        (drawn,) = figures(fine(app))
        titles.append(drawn["data"][0]["colorbar"]["title"]["text"])
    assert titles == ["stay", "false"]
    few = studied(study_file(tmp_path / "few.stab", patients("abcdef", 48), ["mim"], sc.Subsample(6, 0.05), n_permutations=0))
    app = fine_page("panel", few, **{"panel": "choices", "panel-colours": "false"})
    assert app.selectbox(key="panel-colours__widget").options == ["How many features stay"]


def test_effects_are_those_of_the_table():
    app = fine_page("panel", sample(), panel="direction")
    table = app.dataframe[0].value
    assert "effect" in set(table) and "shrunken" not in table, "not given between three classes"
    assert len(table) == len(set(table["feature"])) and len(figures(app)) == 1
    passport = fine_page("passport", sample())
    assert "has no direction: share explained" in text_of(passport.markdown)


def test_brought_selections_have_a_panel_without_bounds_and_ways():
    app = fine_page("panel", brought(pd.DataFrame([[1, 1, 0], [1, 0, 1], [1, 1, 0]], columns=["a", "b", "c"])))
    assert "The panel has 1 feature" in said(app) and "is not known" in said(app)
    way = fine_page("panel", brought(pd.DataFrame([[1, 1, 0], [1, 0, 1]], columns=["a", "b", "c"])), panel="direction")
    assert "needs the table" in said(way)
    alone = brought(pd.DataFrame([[1, 1, 0], [1, 0, 1]], columns=["a", "b", "c"]))
    assert "needs the table" in text_of(fine_page("passport", alone).caption)


def test_a_panel_is_kept_under_its_name():
    app = fine_page("panel", sample())
    app.text_input[0].set_value("first <b>draft</b>")
    next(one for one in app.button if "Keep" in one.label).click()
    fine(app.run())
    kept = Workspace.find(app.session_state["id"]).settings["panels"]
    assert set(kept) == {"first <b>draft</b>"} and kept["first <b>draft</b>"]["threshold"] == 0.75
    app.slider(key="panel-threshold__widget").set_value(50).run()
    app.text_input[0].set_value("first <b>draft</b>")
    next(one for one in app.button if "Keep" in one.label).click()
    assert "another panel named" in fine(app.run()).warning[0].value
    assert Workspace.find(app.session_state["id"]).settings["panels"] == kept


def kept(app):
    return Workspace.find(app.session_state["id"]).settings["panels"]


def test_kept_panels_get_other_names_and_are_removed_and_both_is_taken_back():
    about = {"features": ["hue", "<b>ash</b>"], "threshold": 0.75, "k": 3, "selector": "Lasso"}
    app = fine_page("panel", sample(panels={"first": about, "second": {**about, "k": None}}), **{"panel-threshold": 100})
    assert [one.label.replace("\\", "") for one in app.expander if "Lasso" in one.label] == [
        f"{name}: 2 features of Lasso, at least 75% of the runs{more}"
        for name, more in (("first", ", 3 features a run"), ("second", ""))
    ]
    app.text_input(key="panel-name-1-first").set_value("second")
    app.button(key="panel-rename-1").click()
    assert "another panel named" in fine(app.run()).warning[0].value and list(kept(app)) == ["first", "second"]
    app.text_input(key="panel-name-1-first").set_value(" in <i>the</i>  paper ")
    app.button(key="panel-rename-1").click()
    fine(app.run())
    assert list(kept(app)) == ["in <i>the</i> paper", "second"] and kept(app)["in <i>the</i> paper"] == about
    app.button(key="panel-remove-1").click()
    fine(app.run())
    assert list(kept(app)) == ["second"]
    for names in (["in <i>the</i> paper", "second"], ["first", "second"]):
        app.button(key="undo").click()
        fine(app.run())
        assert list(kept(app)) == names
    assert kept(app)["first"] == about
    app.button(key="redo").click()
    fine(app.run())
    assert list(kept(app)) == ["in <i>the</i> paper", "second"]


def test_places_and_swaps_are_drawn_and_told():
    app = fine_page("panel", sample(scenario={"base": "none", "groups": {}}), panel="swaps")
    assert len(figures(app)) == 1 and "are substitutes" in said(app)
    app = fine_page("panel", sample(), panel="places")
    assert len(figures(app)) == 1 and NO_TABLE not in said(app)
    few = brought(pd.DataFrame([[1, 1, 0], [1, 0, 1]], columns=["a", "b", "c"]))
    app = fine_page("panel", few, panel="places")
    assert not figures(app) and NO_TABLE in said(app)
    app = fine_page("panel", few, panel="swaps")
    assert not figures(app) and "No substitutes found" in said(app)


def test_without_another_study_there_is_nothing_to_compare_and_with_one_every_feature_is(tmp_path):
    assert "Add the study file" in said(fine_page("panel", sample(), panel="replicate"))
    own = studied(study_file(tmp_path / "own.stab", patients("abcdef", 48), ["mim", "random"], sc.ComplementaryPairs(3)))
    made = study_file(tmp_path / "other.stab", patients("abcdefg", 60), ["mim", "lasso"], sc.ComplementaryPairs(3))
    (own.folder / "other.stab").write_bytes(made.read_bytes())
    own.save(compared=[{"file": "other.stab", "name": "<b>others</b>"}])
    app = fine_page("panel", own, panel="replicate")
    assert "The studies share" in said(app) and "of this panel" in said(app)
    assert len(figures(app)) == 2 and not app.warning
    shutil.copy(own.folder / "study.stab", own.folder / "other.stab")
    own.save(compared=[{"file": "other.stab", "name": "copy"}])
    app = fine_page("panel", own, panel="replicate")
    assert "of the same table" in app.warning[0].value and "share 2 of the first 2 features" in said(app)
    shutil.copy(bundled().store, own.folder / "wine.stab")
    own.save(compared=[{"file": "wine.stab", "name": "wine"}])
    assert "needs two or more" in said(fine_page("panel", own, panel="replicate"))


def with_table(folder, plan):
    """A work with a study of two selectors and its table."""
    frame = patients("abcdef", 48)
    own = table(frame, roles={"target": "outcome"})
    shutil.copy(study_file(folder / "own.stab", frame, ["mim", "random"], plan), own.folder / "study.stab")
    own.save(store="study.stab")
    return own


def test_one_click_shows_effects_on_the_half_that_did_not_select(tmp_path):
    app = fine_page(
        "panel", with_table(tmp_path, sc.ComplementaryPairs(3)), **{"panel": "direction", "panel-of": "Mutual information (MIM)"}
    )
    assert len(figures(app)) == 1 and {"shrunken", "shrunken_low", "shrunken_high"} <= set(app.dataframe[0].value)
    app.toggle(key="panel-other-half__widget").set_value(True).run()
    assert len(figures(fine(app))) == 2 and {"chosen_effect", "effect", "low", "high"} <= set(app.dataframe[-1].value)


def test_plans_that_share_rows_have_neither_the_other_half_nor_risks(tmp_path):
    few = with_table(tmp_path, sc.Subsample(6, 0.05))
    app = fine_page("panel", few, panel="direction")
    assert "complementary halves" in text_of(app.caption) and not [one for one in app.toggle if "half" in one.label]
    app = fine_page("panel", few, panel="risk")
    assert "complementary halves" in said(app) and not [one for one in app.button if one.key == "risk-compute"]


def risk_page(own, **session):
    return fine_page("panel", own, **{"panel": "risk", "panel-of": "Mutual information (MIM)", **session})


def test_risks_are_computed_by_a_process_and_kept_in_the_study_file(tmp_path, monkeypatch):
    own = with_table(tmp_path, sc.Bootstrap(4))
    ran = []
    monkeypatch.setattr("pages.workspace.processes.launch", lambda folder, log, arguments: ran.append(arguments))
    app = risk_page(own)
    assert not figures(app) and "It takes seconds or minutes" in said(app)
    assert "Linear support vector machine" in text_of(app.caption) and "no probabilities" in text_of(app.caption)
    app.button(key="risk-compute").click().run()
    fine(app)
    with chdir(own.folder):  # where the process runs
        assert main(ran[0]) == 0
    app = risk_page(own)
    assert len(figures(app)) == 4 and "The risk of a patient differs by" in said(app)
    assert "Row 1: " in said(app) and len(app.dataframe[-1].value) == 48
    app.number_input(key="risk-patient__widget").set_value(7).run()
    assert "Row 7: " in said(fine(app))
    study = sc.open_study(own.folder / "study.stab")
    assert study.store.intact() and len(study.store.meta("risks")) == 1 and not study.notes
    assert not list(own.folder.glob("risk-*.json"))
    assert "need the table" in said(fine_page("panel", brought(pd.DataFrame([[1, 1], [1, 0]], columns=["a", "b"])), panel="risk"))


def test_a_risk_that_ended_early_says_so_and_a_running_one_how_far_it_is(tmp_path):
    own = with_table(tmp_path, sc.Bootstrap(4))
    (own.folder / "risk.log").write_text("Stopped after 2 of 4 models.", encoding="utf-8")
    assert "Stopped after 2 of 4 models" in text_of(risk_page(own).warning)
    (own.folder / "risk.log").write_text("1 of 4", encoding="utf-8")
    lock = StudyLock(own.folder / "risk-0.json")
    assert lock.acquire()
    try:
        app = risk_page(own)
        assert [one.label for one in app.button if "Cancel" in one.label]
        app.button(key="risk-cancel").click().run()
        assert cancel_file(own.folder / "risk-0.json").exists()
        with pytest.raises(sc.InputError, match="Other risks are being computed"):
            own.start_risks({})
    finally:
        lock.release()


def test_risks_that_wait_for_their_turn_tell_their_place(tmp_path, monkeypatch):
    own = with_table(tmp_path, sc.Bootstrap(4))
    monkeypatch.setattr(Computation, "running", True)
    monkeypatch.setattr(Computation, "before", (2, 1))
    app = risk_page(own)
    assert "This waits for its turn: 2 computations run now, 1 waits before yours." in text_of(app.info)
    assert [one.label for one in app.button if "Cancel" in one.label]


def test_how_many_patients_and_each_centre_are_told_where_the_plan_allows(tmp_path):
    frame = patients("abcdef", 80).assign(city=["Oslo", "<b>Bern</b>"] * 40)
    half = fine_page("panel", sample())
    assert not {"growth", "centres", "How many patients?", "Each centre"} & set(half.button_group[0].options)
    grown = studied(study_file(tmp_path / "grown.stab", frame.drop(columns="city"), ["mim", "random"], sc.LearningCurve(3)))
    app = fine_page("panel", grown, panel="growth")
    assert "Two separate groups of 10, 20 and 40 patients have an agreement of" in said(app)
    made = sc.Study(
        sc.Dataset.from_frame(frame, target="outcome", exclude=["city"]),
        ["mim", "random"],
        sc.LeaveOneSiteOut("city"),
        k=2,
        n_permutations=0,
    )
    with ThreadPoolExecutor(1) as executor:
        made.run(executor, store=tmp_path / "site.stab")
    left_out = studied(tmp_path / "site.stab")
    app = fine_page("panel", left_out, panel="centres")
    assert "Models trained on all other centres" in said(app) and len(app.dataframe[0].value) == 2


def test_a_panel_is_tested_in_the_table_of_another_study(tmp_path):
    frames = patients("abcdef", 48), patients("abcdef", 60)
    own = table(frames[0], roles={"target": "outcome"})
    shutil.copy(
        study_file(tmp_path / "own.stab", frames[0], ["mim", "random"], sc.ComplementaryPairs(3)), own.folder / "study.stab"
    )
    shutil.copy(study_file(tmp_path / "other.stab", frames[1], ["mim"], sc.ComplementaryPairs(3)), own.folder / "other.stab")
    own.save(store="study.stab", compared=[{"file": "other.stab", "name": "others"}])
    app = fine_page("panel", own, **{"panel": "replicate", "panel-of": "Mutual information (MIM)"})
    assert "With the tables of both studies" in text_of(app.caption) and not any("an AUC of" in one.value for one in app.markdown)
    assert "other values" in wrong_table(own, frames[0].head(40))
    keep_table(own, own.settings["compared"][0], "there.csv", frames[1].to_csv(index=False).encode())
    app = fine_page("panel", own, **{"panel": "replicate", "panel-of": "Mutual information (MIM)"})
    assert "of the other study" in text_of(app.markdown)
    assert "have the same direction in both studies" in text_of(app.markdown)
    assert app.dataframe[-1].value["tested"].tolist() == ["the other study", "these results"]


def wrong_table(own, frame):
    with pytest.raises(sc.InputError) as refused:
        keep_table(own, own.settings["compared"][0], "there.csv", frame.to_csv(index=False).encode())
    return str(refused.value)


def test_shares_in_a_table_have_one_precision():
    table = next(one.value for one in fine_page("panel", sample()).dataframe if "frequency" in one.value)
    assert len(table) > 5 and (table["frequency"] == table["frequency"].round(2)).all()


def test_a_table_beside_selections_that_were_brought_tells_which_way_they_go():
    """On Panel, Maps, Passport and in the report alike; of runs, which nobody knows the rows of, nothing is told."""
    frame = patients("abcd")
    work = brought(pd.DataFrame([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]], columns=list("abcd")), roles={"target": "outcome"})
    work.save(table=work.keep("mine.csv", frame.to_csv(index=False).encode()))
    way = fine_page("panel", work, panel="direction")
    assert "Features of the panel: 1 higher in sick." in said(way)
    assert way.dataframe[-1].value["direction"].iloc[0] == "higher in sick"
    assert fine_page("panel", work).dataframe[0].value["direction"].iloc[0] == "higher in sick"
    assert not fine_page("maps", work).toggle(key="ways__widget").disabled
    assert "a is higher in sick" in said(fine_page("passport", work, passport="a"))
    report = fine_page("report", work)
    assert "Direction and size of effects are those in the table that was brought beside them." in said(report)
