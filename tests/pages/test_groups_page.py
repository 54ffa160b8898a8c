"""Groups & C without a browser: numbers that follow, ways to make groups, a matrix that is brought, wrong input."""

import pandas as pd
import pytest
from group_page_support import NAMES, C_text, families, selections, two_scenarios
from page_support import brought, bundled, fine, fine_page, metrics, open_page, press, said, text_of

import stabcore as sc
from stabcore.similarity.files import read_scenario, read_similarity, write_scenario
from stabcore.similarity.scenario import Scenario

# ---- numbers follow ----


def test_threshold_changes_the_number_and_undo_brings_it_back():
    made = two_scenarios()
    app = fine_page("groups", made, explored="random")
    before = metrics(app)
    app.slider(key="scenario-threshold").set_value(0.3).run()
    fine(app)
    assert made.settings["scenario"]["threshold"] == 0.3
    after = metrics(app)
    assert after["Classic stability"] == before["Classic stability"]
    assert after["Effective stability"] != before["Effective stability"]
    app.button(key="undo").click().run()
    assert made.settings["scenario"].get("threshold", 0.5) == 0.5 and metrics(app) == before


def test_three_cards_say_what_each_way_does_and_take_it():
    made = two_scenarios(groups={"wet": ["ash", "hue"]})
    made.save(scenario={"base": "none", "groups": {"wet": ["ash", "hue"]}}, scenario_name="mine")
    app = fine_page("groups", made, explored="random")
    runs = sc.open_study(bundled().store).selections("random")
    C = sc.Similarity.from_groups({"wet": ["ash", "hue"]}, features=runs.features)
    shown = metrics(app)
    assert shown["Nothing"] == shown["Classic stability"] == shown["Now"] == f"{sc.stability(runs).value:z.3f}"
    assert shown["My groups"] == f"{sc.stability(runs, 'effective', similarity=C).value:z.3f}" and "against nothing" in said(app)
    assert len({*shown.values()}) == 3 and app.button(key="card-none").disabled
    app.button(key="card-groups").click().run()
    assert fine(app) and made.settings["scenario"]["base"] == "groups" and app.button(key="card-groups").disabled
    assert metrics(app)["Effective stability"] == shown["My groups"]


def test_cards_say_what_they_lack():
    app = fine_page("groups", selections(scenario={"base": "none", "groups": {}}))
    assert "There is no group yet" in said(app) and "This needs the data table" in said(app)
    assert app.button(key="card-correlation").disabled
    app.button(key="card-groups").click().run()
    assert "make some in one of these ways" in said(fine(app))


def test_every_base_of_the_similarity_can_be_chosen():
    made = two_scenarios("breast_wdbc", groups={"radius": ["mean radius", "worst radius"]})
    app = fine_page("groups", made, explored="random")
    seen = {}
    for base in ("none", "groups", "correlation", "matrix"):
        app.radio(key="scenario-base").set_value(base).run()
        fine(app)
        assert made.settings["scenario"]["base"] == base
        seen[base] = metrics(app)["Effective stability"]
    assert len(set(seen.values())) == 3 and seen["matrix"] == seen["none"]
    assert "No matrix was brought yet" in text_of(app.success)


@pytest.mark.parametrize("method", ["spearman", "pearson", "kendall"])
def test_every_correlation_can_be_chosen(method):
    app = fine_page("groups", two_scenarios())
    app.selectbox(key="scenario-method").select(method).run()
    app.toggle(key="scenario-binary").set_value(False).run()
    assert "by |ρ|" in text_of(fine(app).success)


def test_pairs_set_by_hand_are_kept_and_cleared():
    made = two_scenarios(base="none", edits=[["alcohol", "hue", 1.0]])
    app = fine_page("groups", made)
    assert "1 pair set by hand" in text_of(app.success)
    app.button(key="clear-edits").click().run()
    assert made.settings["scenario"]["edits"] == []
    app.button(key="undo").click().run()
    assert made.settings["scenario"]["edits"] == [["alcohol", "hue", 1.0]]


# ---- ways to make groups ----


def test_a_pattern_shows_what_fits_and_becomes_a_group():
    made = families(base="groups", groups={"all": ["IL_6", "TNF_a", "age"]})
    app = press(fine_page("groups", made), "group_way__widget", "pattern")
    app.text_input(key="group-pattern").set_value("il_*").run()
    assert "IL_6" in text_of(fine(app).markdown) and "'all'" not in text_of(app.markdown) and "will leave" in text_of(app.caption)
    app.text_input(key="group-name-il_*").set_value("interleukins").run()
    app.button(key="add-pattern").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"all": ["TNF_a", "age"], "interleukins": ["IL_6", "IL_8"]}
    app.text_input(key="group-pattern").set_value("zz*").run()
    assert not app.exception and "fits no feature" in text_of(app.error)


def test_families_of_names_are_offered_and_taken():
    made = families(base="groups", groups={"old": ["age", "IL_6"]})
    app = press(fine_page("groups", made), "group_way__widget", "names")
    app.button(key="take-names").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"IL": ["IL_6", "IL_8"], "TNF": ["TNF_a", "TNF_b"]}
    app.button(key="undo").click().run()
    assert made.settings["scenario"]["groups"] == {"old": ["age", "IL_6"]}


def test_groups_are_suggested_by_correlation_and_follow_the_cut():
    made = families(base="groups")
    app = press(fine_page("groups", made), "group_way__widget", "correlation")
    cuts = []
    for threshold in (0.99, 0.6, 0.0):
        app.slider(key="cut_at__widget").set_value(threshold).run()
        cuts.append(len(fine(app).dataframe[0].value))
    assert cuts == [0, 2, 1]
    app.slider(key="cut_at__widget").set_value(0.6).run()
    app.button(key="take-correlation").click().run()
    assert sorted(map(sorted, made.settings["scenario"]["groups"].values())) == [["IL_6", "IL_8"], ["TNF_a", "TNF_b", "age"]]
    assert "4 similar pairs" in text_of(fine(app).success)


def test_groups_come_from_a_file():
    made = families(base="groups")
    app = press(fine_page("groups", made), "group_way__widget", "file")
    app.file_uploader(key="group-file").upload("g.csv", b"feature,group\nIL_6,x\nage,x\n", "text/csv").run()
    app.button(key="take-groups").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"x": ["IL_6", "age"]}


def test_without_a_table_nothing_can_be_correlated():
    made = selections(scenario={"base": "groups"})
    app = fine_page("groups", made)
    assert len(app.radio(key="scenario-base").options) == 4
    options = next(one for one in app.get("button_group") if one.key == "group_way__widget").options
    assert len(options) == 4 and metrics(app)


def test_what_names_features_that_are_gone_can_be_taken_out():
    made = families(base="groups", groups={"g": ["IL_6", "IL_8", "gone"]}, edits=[["age", "lost", 1.0]])
    app = open_page("groups", made)
    assert not app.exception and "gone" in text_of(app.error)
    app.button(key="take-out").click().run()
    assert "1 similar pair." in text_of(fine(app).success) and made.settings["scenario"]["edits"] == []


# ---- a matrix that is brought ----


def bring(app, content, name="c.csv"):
    app.file_uploader(key="matrix-file").upload(name, content, "text/csv").run()
    app.button(key="take-matrix").click().run()
    return app


def test_a_matrix_is_brought_changed_by_hand_and_undone():
    made = families(base="matrix", edits=[["age", "TNF_b", 0.5]])
    app = bring(fine_page("groups", made), C_text(0.5))
    assert "as in the uploaded matrix, 1 pair set by hand: 3 similar pairs" in text_of(fine(app).success)
    first = made.settings["scenario"]["matrix"]
    assert (made.folder / first).read_bytes() == C_text(0.5)
    app = bring(app, C_text(1.5))
    assert not app.exception and "1.5" in text_of(app.error) and made.settings["scenario"]["matrix"] == first
    app.button(key="undo").click().run()
    assert "No matrix was brought yet" in text_of(app.success)


def test_a_matrix_that_was_lost_is_said():
    made = families(base="matrix", matrix="upload-lost.csv")
    app = open_page("groups", made)
    assert not app.exception and "not here" in text_of(app.error)


def test_a_scenario_with_its_matrix_goes_to_another_work():
    made = families(base="matrix")
    bring(fine_page("groups", made), C_text(0.25))
    settings = Scenario.of(made.settings["scenario"])
    C = read_similarity(made.folder / settings.matrix, features=NAMES).similarity
    other = families()
    app = fine_page("groups", other)
    app.file_uploader(key="scenario-file").upload("s.toml", write_scenario("C", settings, C).encode(), "text/plain").run()
    app.button(key="scenario-load").click().run()
    assert "2 similar pairs" in text_of(fine(app).success)
    assert read_scenario(write_scenario("C", settings, C), NAMES)[2] is not None


def test_the_cardinality_of_the_other_screens_counts_here_and_is_said():
    made = two_scenarios()
    usual = metrics(fine_page("groups", made, explored="random"))
    app = fine_page("groups", made, explored="random", cardinality_free=True, cardinality=6)
    assert metrics(app) != usual and "With 6 features in every run" in text_of(app.caption)
    assert "features count that each run selected" in said(fine_page("pareto", made, cardinality_free=True, cardinality=6))
    assert "as many count as they give: Lasso" in said(fine_page("stability", made, cardinality_free=True, cardinality=13))


def test_an_undefined_stability_is_no_number():
    made = brought(pd.DataFrame([[1, 1, 1]] * 3, columns=list("abc")))
    app = fine_page("groups", made)
    assert metrics(app) == dict.fromkeys(("Nothing", "Now", "Classic stability", "Effective stability"), "undefined")
    assert "Undefined: " in text_of(app.warning) and not any(one.delta for one in app.metric)
