"""Groups & C without a browser: numbers that follow, ways to make groups, a matrix that is uploaded, wrong input."""

import pandas as pd
from page_support import click, fine, fine_page, metrics, open_page, press, text_of, upload
from project_support import LABORATORY, C_text, brought, bundled, families, similarity_selections, two_scenarios

import stabcore as sc
from stabcore.similarity.files import read_similarity, write_scenario
from stabcore.similarity.scenario import Scenario


def groups_of(project):
    return project.settings["scenario"]["groups"]


def way(project, name):
    """Groups & C with one of the ways to make groups."""
    return press(fine_page("similarity", project), "groups_by__widget", name)


def test_effective_stability_is_that_of_the_chosen_scenario():
    groups = {"wet": ["ash", "hue"]}
    runs = sc.open_study(bundled().store).between_halves().selections("random")
    found = metrics(fine_page("similarity", two_scenarios(base="groups", groups=groups), shown_selector="random"))
    assert found["Stability"] == f"{sc.stability(runs).value:z.3f}" and found["Similar pairs"] == "1"
    C = sc.Similarity.from_groups(groups, names=runs.features)
    assert found["Effective stability"] == f"{sc.stability(runs, 'effective', similarity=C).value:z.3f}" != found["Stability"]


def test_every_base_of_the_similarity_can_be_chosen():
    project = two_scenarios("breast_wdbc", groups={"radius": ["mean radius", "worst radius"]})
    app, seen = fine_page("similarity", project, shown_selector="random"), {}
    for base in ("none", "groups", "correlation", "matrix"):
        app.selectbox(key="scenario-base").select(base).run()
        seen[base] = metrics(fine(app))["Effective stability"]
        assert project.settings["scenario"]["base"] == base
    assert len(set(seen.values())) == 3 and seen["matrix"] == seen["none"]
    app.selectbox(key="scenario-base").select("correlation").run()
    app.toggle(key="scenario-binary").set_value(False).run()
    methods = ("spearman", "pearson", "kendall")
    assert len({str(metrics(fine(app.selectbox(key="scenario-method").select(method).run()))) for method in methods}) == 3


def test_no_table_gives_no_correlation_and_undefined_is_no_number():
    app = fine_page("similarity", similarity_selections(scenario={"base": "none", "groups": {}}))
    assert len(app.selectbox(key="scenario-base").options) == 4
    fine(app.selectbox(key="scenario-base").select("groups").run())
    assert len(next(group for group in app.get("button_group") if group.key == "groups_by__widget").options) == 4
    app = fine_page("similarity", brought(pd.DataFrame([[1, 1, 1]] * 3, columns=list("abc"))))
    assert [metrics(app)[name] for name in ("Stability", "Effective stability")] == ["undefined"] * 2
    assert not any(metric.delta for metric in app.metric)


def test_a_pattern_shows_what_fits_and_becomes_a_group():
    project = families(base="groups", groups={"all": ["IL_6", "TNF_a", "age"]})
    app = way(project, "pattern")
    app.text_input(key="group-pattern").set_value("il_*").run()
    assert "IL_6" in text_of(fine(app).markdown) and "'IL_6' will leave" in text_of(app.caption)
    app.text_input(key="group-name-il_*").set_value("interleukins").run()
    click(app, "add-pattern")
    assert groups_of(project) == {"all": ["TNF_a", "age"], "interleukins": ["IL_6", "IL_8"]}
    app.text_input(key="group-pattern").set_value("zz*").run()
    assert not app.exception and app.error


def test_families_of_names_are_offered_and_taken():
    project = families(base="groups", groups={"old": ["age", "IL_6"]})
    app = click(way(project, "names"), "take-names")
    assert groups_of(project) == {"IL": ["IL_6", "IL_8"], "TNF": ["TNF_a", "TNF_b"]}
    click(app, "undo")
    assert groups_of(project) == {"old": ["age", "IL_6"]}


def test_groups_are_suggested_by_correlation_and_follow_the_cut():
    project = families(base="groups")
    app, groups = way(project, "correlation"), []
    for threshold in (0.99, 0.0, 0.6):
        app.slider(key="cut_at__widget").set_value(threshold).run()
        groups.append(len(fine(app).dataframe[0].value))
    assert groups == [0, 1, 2]
    assert metrics(click(app, "take-correlation"))["Similar pairs"] == "4"
    assert sorted(map(sorted, groups_of(project).values())) == [["IL_6", "IL_8"], ["TNF_a", "TNF_b", "age"]]


def test_what_names_features_that_are_gone_can_be_taken_out():
    project = families(base="groups", groups={"g": ["IL_6", "IL_8", "gone"]}, edits=[["age", "lost", 1.0]])
    app = open_page("similarity", project)
    assert not app.exception and "gone" in text_of(app.error)
    assert metrics(click(app, "take-out"))["Similar pairs"] == "1" and project.settings["scenario"]["edits"] == []


def upload_matrix(app, content):
    return upload(app, "matrix-file", "c.csv", content, "take-matrix")


def test_a_matrix_is_uploaded_changed_by_hand_and_undone():
    project = families(base="matrix", edits=[["age", "TNF_b", 0.5]])
    app = upload_matrix(fine_page("similarity", project), C_text(0.5))
    assert metrics(fine(app))["Similar pairs"] == "3"
    first = project.settings["scenario"]["matrix"]
    assert (project.folder / first).read_bytes() == C_text(0.5)
    upload_matrix(app, C_text(1.5))
    assert not app.exception and "1.5" in text_of(app.error) and project.settings["scenario"]["matrix"] == first
    app.button(key="undo").click().run()
    assert not project.settings["scenario"].get("matrix")


def test_a_scenario_moves_with_its_matrix_and_a_lost_matrix_is_named():
    project = families(base="matrix")
    upload_matrix(fine_page("similarity", project), C_text(0.25))
    scenario = Scenario.of(project.settings["scenario"])
    text = write_scenario("C", scenario, read_similarity(project.folder / scenario.matrix, features=LABORATORY).similarity)
    app = upload(fine_page("similarity", families()), "scenario-file", "s.toml", text, "scenario-load")
    assert metrics(fine(app))["Similar pairs"] == "2"
    app = open_page("similarity", families(base="matrix", matrix="upload-lost.csv"))
    assert not app.exception and app.error
