"""Columns that are always in the model on the screens: chosen on Data, marked on Study, compared on Accuracy."""

import numpy as np
import pytest
from page_support import analyse, drawer, figures, fine, fine_page, page_text
from project_support import patients, studied, study_file, table

import stabcore as sc
from pages.parts.panel import subgroups
from pages.parts.screen import MORE
from stabcore.study.loading import load_data

ROLES = {"target": "outcome", "exclude": [], "given": ["age", "sex"]}


def people(rows=60):
    rng = np.random.default_rng(3)
    return patients("abcdef", rows).assign(age=rng.normal(60, 9, rows), sex=rng.choice(list("mw"), rows))


def test_a_column_is_given_on_data_and_is_no_feature_then():
    project = table(people(), roles={"target": "outcome", "exclude": []})
    app = fine_page("data", project)
    app.multiselect(key="given").select("age").run()
    app.multiselect(key="given").select("sex").run()
    fine(app)
    assert project.settings["roles"] == ROLES
    assert "6 features" in page_text(app)
    app.multiselect(key="exclude").select("sex").run()  # a column has one role
    assert fine(app).multiselect(key="given").value == ["age"]


def test_only_adjusting_selectors_are_offered_and_columns_are_named(started):
    project = table(people(), roles=ROLES)
    app = fine_page("study", project)
    offered = app.multiselect(key="selectors").options
    assert "Lasso" in offered and "mRMR" in offered and "ReliefF" not in offered
    app.button(key="start").click().run()
    fine(app)
    assert load_data(project.folder / "study.toml").given_names == ("age", "sex") and len(started) == 1


@pytest.fixture(scope="module")
def given_file(tmp_path_factory):
    data = sc.Dataset.from_frame(people(), target="outcome", given=["age", "sex"])
    folder = tmp_path_factory.mktemp("given")
    return study_file(folder / "s.stab", data, ["welch_t", "lasso"], sc.ComplementaryPairs(3), classifier="logistic")


def test_what_features_add_is_an_analysis_of_accuracy(given_file, small_file):
    for file, there in ((given_file, True), (small_file, False)):
        app = fine_page("pareto", studied(file), **drawer("pareto", MORE))
        assert ("open-pareto_section-added" in {button.key for button in app.button}) == there
    app = analyse(fine_page("pareto", studied(given_file)), "added")
    (figure,) = figures(app)
    assert sum(len(trace["x"]) for trace in figure["data"]) == 2


def test_panel_compares_subgroups_at_once_or_on_request(given_file, monkeypatch):
    project = studied(given_file)
    project.save(table=project.save_upload("table.csv", people().to_csv(index=False).encode()), roles=ROLES)
    monkeypatch.setattr(subgroups, "MAX_SECONDS", 1e9)
    app = analyse(fine_page("panel", project), "subgroups")
    assert app.selectbox(key="panel_subgroups__widget").value == "sex" and len(figures(app)) == 1
    assert app.selectbox(key="panel_subgroups__widget").options == ["sex: m and w"]
    monkeypatch.setattr(subgroups, "MAX_SECONDS", 0.0)
    app = analyse(fine_page("panel", project), "subgroups")
    assert not figures(app)
    app.button(key="subgroups-compute").click().run()
    (figure,) = figures(fine(app))
    assert sum(len(trace["x"]) for trace in figure["data"]) == 3
    assert not figures(analyse(fine_page("panel", studied(given_file)), "subgroups"))  # without the table


def test_what_if_runs_the_study_without_them_and_shows_both(given_file, small_file, at_once):
    project = studied(given_file)
    project.save(table=project.save_upload("table.csv", people().to_csv(index=False).encode()), roles=ROLES)
    app = fine_page("whatif", project, what_if="given")
    app.button(key="without-given").click().run()
    (figure,) = figures(fine(fine_page("whatif", project, what_if="given")))
    shown = sc.open_study(project.store)
    assert shown.given == ("age", "sex") and len(project.studies) == 2 and project.settings["roles"] == ROLES
    without = next(study for study in map(sc.open_study, project.studies) if not study.given)
    table = sc.compare_given(shown, without, selector="welch_t")
    assert sorted(figure["data"][1]["x"]) == sorted(table["without"]) and sorted(figure["data"][2]["x"]) == sorted(table["beyond"])
    offered = fine_page("whatif", studied(small_file)).get("button_group")
    assert not any("Always in the model" in str(option.proto) for option in offered)
