"""Panel: its answer follows the threshold, false features are bounded where a theorem holds, and panels are saved."""

import shutil
from contextlib import chdir

import pytest
from page_support import analyse, drawer, figures, fine, fine_page, full_text, keys_of, page_text, project_of, pull, text_of
from project_support import bundled, patients, sample, studied, study_file

import stabcore as sc
from pages.parts.other_studies import save_table
from pages.parts.screen import MORE, NUMBERS
from pages.workspace.processes import Computation
from stabcore.__main__ import main
from stabcore.analysis.panel import panel
from stabcore.plots.effects import NO_TABLE_NO_RANKS
from stabcore.study.working_files import StudyLock, cancel_file

FRAME = patients("abcdef", 48)
PLANS = {"halves": sc.ComplementaryPairs(3), "subsamples": sc.Subsample(6, 0.05), "bootstrap": sc.Bootstrap(4)}
MIM = {"panel_selector": "Mutual information (MIM)"}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """{plan: file of a study of two selectors}"""
    folder = tmp_path_factory.mktemp("studies")
    return {name: study_file(folder / f"{name}.stab", FRAME, ["mim", "random"], plan) for name, plan in PLANS.items()}


def members(app):
    """Features in the panel, as the numbers below the figure say."""
    shown = pull(fine(app), NUMBERS).dataframe[0].value
    return shown.loc[shown["in_panel"], "feature"].tolist()


# ---- who is in it ----


def test_the_panel_is_that_of_the_core_and_follows_the_threshold():
    project = sample()
    app, whole = fine_page("panel", project, **drawer("panel", NUMBERS)), panel(sc.open_study(project.store, named=True))
    assert members(app) == whole.loc[whole["in_panel"], "feature"].tolist() and len(members(app)) == 1
    shown = app.dataframe[0].value
    assert len(shown) > 5 and (shown["effect"] > 0).all() and (shown["frequency"] == shown["frequency"].round(2)).all()
    app.slider(key="panel_threshold__widget").set_value(50).run()
    assert len(members(app)) > 1


def test_a_limit_on_false_features_says_when_it_was_not_fixed(files):
    project = sample("alzheimer_ad")
    app = fine_page("panel", project, **{"panel_selector": "Lasso", **drawer("panel", NUMBERS)})
    app.selectbox(key="panel_rule__widget").set_value("max_false").run()
    whole = panel(sc.open_study(project.store, named=True), max_false=1, selectors=["Lasso"])
    assert members(app) == whole.loc[whole["in_panel"], "feature"].tolist() and len(members(app)) > 3
    app.number_input(key="panel_false_features__widget").set_value(0.2).run()
    assert 0 < len(members(app)) < whole["in_panel"].sum()
    assert "did not fix" in full_text("panel", project, **{"panel_rule": "max_false"})
    assert not any("rule" in box.label for box in fine_page("panel", studied(files["subsamples"]), **MIM).selectbox)


def test_every_section_opens_and_one_selector_has_a_bound_if_possible(files):
    app = fine_page("panel", sample(scenario={"base": "none", "groups": {}}))
    for section in ("choices", "paths", "overlap", "direction", "rank_intervals"):
        assert len(figures(analyse(app, section))) == 1 and NO_TABLE_NO_RANKS not in page_text(app), section
        if section == "direction":
            effects = pull(app, NUMBERS).dataframe[0].value
            assert "effect" in effects and "shrunken" not in effects, "three classes have no direction"
    few = analyse(fine_page("panel", sample(scenario={"base": "none", "groups": {}})), "substitutes")
    assert not figures(few) and "Not tested" in page_text(few)
    app = fine_page("panel", sample(), panel_section="clinical", **MIM)
    table = app.dataframe[0].value
    assert table["measure"].tolist()[:2] == ["Concordance (AUC)", "Brier score"] and table["run_median"].notna().all()
    assert (table["corrected"] - (table["apparent"] - table["optimism"])).abs().max() < 1e-12
    few = fine_page("panel", studied(files["subsamples"]), **MIM)
    for shown, has_bound in ((fine_page("panel", sample(), **MIM), True), (few, False)):
        assert any("pfer_bound" in frame.value for frame in pull(shown, NUMBERS).dataframe) == has_bound


def test_a_panel_without_features_has_no_model(files):
    nothing = fine_page(
        "panel", studied(files["halves"], FRAME), panel_section="clinical", **{"panel_selector": "Random ranking (baseline)"}
    )
    assert not figures(nothing) and "No feature" in page_text(nothing)


# ---- effects ----


def test_one_click_shows_effects_on_the_half_that_did_not_select(files):
    app = fine_page("panel", studied(files["halves"], FRAME), panel_section="direction", **MIM)
    assert len(figures(app)) == 1 and not app.dataframe
    app.toggle(key="panel_other_half__widget").set_value(True).run()
    assert len(figures(fine(app))) == 2 and {"chosen_effect", "effect", "low", "high"} <= set(app.dataframe[-1].value)
    assert {"shrunken", "shrunken_low", "shrunken_high"} <= set(pull(app, NUMBERS).dataframe[-1].value)
    few = studied(files["subsamples"], FRAME)  # whose runs share rows
    assert not [
        toggle for toggle in fine_page("panel", few, panel_section="direction").toggle if toggle.key == "panel_other_half__widget"
    ]
    assert "risk-compute" not in keys_of(fine_page("panel", few, panel_section="risk"))


# ---- panels that are kept ----


def keep(app, name):
    app.text_input[0].set_value(name)
    next(button for button in app.button if button.label == "Save panel").click()
    return fine(app.run())


def kept_panels(app):
    return project_of(app).settings["panels"]


def test_a_panel_is_kept_under_a_name_of_its_own(small):
    app = keep(fine_page("panel", small()), "first <b>draft</b>")
    first = kept_panels(app)
    assert list(first) == ["first <b>draft</b>"] and first["first <b>draft</b>"]["threshold"] == 0.75
    app.slider(key="panel_threshold__widget").set_value(50).run()
    assert keep(app, "first <b>draft</b>").warning and kept_panels(app) == first


def test_kept_panels_are_renamed_removed_and_both_is_undone(small):
    about = {"features": ["a", "<b>b</b>"], "threshold": 0.75, "k": 3, "selector": "mRMR"}
    app = fine_page("panel", small(panels={"first": about, "second": {**about, "k": None}}))
    for name, names in (("second", ["first", "second"]), (" in <i>the</i>  paper ", ["in <i>the</i> paper", "second"])):
        app.text_input(key="panel-name-1-first").set_value(name)
        app.button(key="panel-rename-1").click()
        assert list(kept_panels(fine(app.run()))) == names and bool(app.warning) == (name == "second")
    assert kept_panels(app)["in <i>the</i> paper"] == about
    for key, names in (
        ("panel-remove-1", ["second"]),
        ("undo", ["in <i>the</i> paper", "second"]),
        ("undo", ["first", "second"]),
        ("redo", ["in <i>the</i> paper", "second"]),
    ):
        app.button(key=key).click()
        assert list(kept_panels(fine(app.run()))) == names


# ---- another study ----


def compared(project, file, name):
    """Panel beside another study."""
    shutil.copy(file, project.folder / "other.stab")
    project.save(compared=[{"file": "other.stab", "name": name}])
    return fine_page("panel", project, panel_section="replicate", **MIM)


def test_features_are_compared_with_those_of_another_study(files, tmp_path):
    project = studied(files["halves"])
    assert not figures(fine_page("panel", project, panel_section="replicate"))
    other = study_file(tmp_path / "other.stab", patients("abcdefg", 60), ["mim", "mrmr"], PLANS["halves"])
    app = compared(project, other, "<b>others</b>")
    assert len(figures(app)) == 2 and not app.warning
    assert compared(project, files["halves"], "copy").warning, "it is of the same table"
    assert not figures(compared(project, bundled().store, "wine"))


def test_a_panel_is_tested_in_the_table_of_another_study(files, tmp_path):
    project, frame = studied(files["halves"], FRAME), patients("abcdef", 60)
    app = compared(project, study_file(tmp_path / "other.stab", frame, ["mim"], PLANS["halves"]), "others")
    assert not any("tested" in shown.value for shown in app.dataframe)
    with pytest.raises(sc.InputError):
        save_table(project, project.settings["compared"][0], "there.csv", FRAME.head(40).to_csv(index=False).encode())
    save_table(project, project.settings["compared"][0], "there.csv", frame.to_csv(index=False).encode())
    app = fine_page("panel", project, panel_section="replicate", **MIM)
    assert app.dataframe[-1].value["tested"].tolist() == ["the other study", "these results"]


def test_numbers_of_patients_and_centres_depend_on_the_plan(small, tmp_path):
    frame = patients("abcdef", 80).assign(city=["Oslo", "<b>Bern</b>"] * 40)
    usual = {button.key for button in fine_page("panel", small(), **drawer("panel", MORE)).button}
    grown = study_file(tmp_path / "grown.stab", frame.drop(columns="city"), ["mim", "random"], sc.LearningCurve(3))
    app = fine_page("panel", studied(grown), panel_section="growth", **drawer("panel", MORE))
    assert {"open-panel_section-growth"} == {button.key for button in app.button} & {
        "open-panel_section-growth",
        "open-panel_section-centres",
    } - usual
    assert "10, 20 and 40" in page_text(app)
    data = sc.Dataset.from_frame(frame, target="outcome", exclude=["city"])
    by_centre = study_file(tmp_path / "centres.stab", data, ["mim", "random"], sc.LeaveOneSiteOut("city"))
    assert len(fine_page("panel", studied(by_centre), panel_section="centres").dataframe[0].value) == 2


# ---- risks ----


def risk_page(project):
    return fine_page("panel", project, panel_section="risk", **MIM)


def test_risks_are_computed_by_a_process_and_kept_in_the_study_file(files, monkeypatch):
    project, ran = studied(files["bootstrap"], FRAME), []
    monkeypatch.setattr("pages.workspace.processes.start_process", lambda folder, log, arguments: ran.append(arguments))
    app = risk_page(project)
    assert not figures(app)
    fine(app.button(key="risk-compute").click().run())
    with chdir(project.folder):  # where the process runs
        assert main(ran[0]) == 0
    app = risk_page(project)
    assert len(figures(app)) == 4 and "Row 1: " in page_text(app) and len(app.dataframe[-1].value) == 48
    app.number_input(key="risk_patient__widget").set_value(7).run()
    assert "Row 7: " in page_text(fine(app)) and "line 8" in page_text(app)
    study = sc.open_study(project.folder / "study.stab")
    assert study.store.intact() and len(study.store.meta("risks")) == 1 and not study.notes
    assert not list(project.folder.glob("risk-*.json"))


def test_a_risk_computation_can_be_cancelled_and_reports_an_early_end(files, monkeypatch):
    project = studied(files["bootstrap"], FRAME)
    (project.folder / "risk.log").write_text("Stopped after 2 of 4 models.", encoding="utf-8")
    assert "2 of 4 models" in text_of(risk_page(project).warning)
    (project.folder / "risk.log").write_text("1 of 4", encoding="utf-8")
    lock = StudyLock(project.folder / "risk-0.json")
    assert lock.acquire()
    try:
        risk_page(project).button(key="risk-cancel").click().run()
        assert cancel_file(project.folder / "risk-0.json").exists()
        with pytest.raises(sc.InputError):
            project.start_computation(project.risks, {})
    finally:
        lock.release()
    monkeypatch.setattr(Computation, "is_running", True)
    monkeypatch.setattr(Computation, "queue_position", (2, 1))
    app = risk_page(project)
    assert app.info and "risk-cancel" in keys_of(app), "it waits for its turn"


def test_a_selector_that_no_study_has_opens_an_analysis_of_the_first(small):
    app = fine_page("panel", small(), panel_section="risk", panel_selector="none of these")
    assert app.selectbox(key="shown_selector__widget").value == "Mutual information (MIM)"
