"""What if? without a browser: every question, what a change does to every screen, and where there is nothing to answer with."""

import json

import numpy as np
import pandas as pd
import pytest
from page_support import brought, bundled, figures, fine, fine_page, metrics, nested, said, sample

import stabcore as sc

QUESTIONS = ("thresholds", "pairs", "groups", "parts")
GROUPS = {"acids": ["alcohol", "malic_acid", "ash"], "hue": ["color_intensity", "hue"]}


def selected(Z, columns, **settings):
    return brought(pd.DataFrame(Z, columns=columns), "selection matrix", **settings)


def asked(made, question, **session):
    return fine_page("whatif", made, what_if=question, **session)


def wine(base="groups", **scenario):
    groups = {name: [one for one in members if one in names()] for name, members in GROUPS.items()}
    return sample("wine", scenario={"base": base, "groups": groups, **scenario})


def names():
    return sc.open_study(bundled().store).features


def runs(label="random", k=None):
    return sc.open_study(bundled().store).selections(label, k)


# ---- every question ----


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("base", ["none", "groups", "correlation"])
def test_every_question_under_every_base(question, base):
    app = asked(wine(base), question, explored="random")
    assert figures(app) or (question == "groups" and base != "groups" and "no groups" in said(app))


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_follows_the_cardinality(question):
    first = figures(asked(wine(), question, explored="random"))
    other = figures(asked(wine(), question, explored="random", cardinality_free=True, cardinality=7))
    assert first and other and first != other


# ---- thresholds ----


def test_a_threshold_is_taken_everywhere_and_undone():
    made = wine("groups")
    app = asked(made, "thresholds")
    assert made.settings["scenario"]["base"] == "groups" and "do not use a correlation" in said(app)
    fine(app.slider(key="whatif-threshold").set_value(0.3).run())
    assert (made.settings["scenario"]["base"], made.settings["scenario"]["threshold"]) == ("correlation", 0.3)
    assert "Every screen uses this threshold" in said(app)
    fine(app.button(key="undo").click().run())
    assert made.settings["scenario"]["base"] == "groups"
    fine(app.button(key="take-threshold").click().run())
    assert made.settings["scenario"]["base"] == "correlation"


def test_the_sentence_is_the_stability_at_the_threshold():
    made = wine("correlation", threshold=0.4, method="pearson", binary=False)
    from stabcore.io.table import read_table

    sample = made.sample
    data = sc.Dataset.from_frame(read_table(made.table_file).frame, **sample.roles)
    C = sc.Similarity.from_correlation(data, method="pearson", threshold=0.4, binary=False)
    floor = sc.open_study(sample.store).noise_floor("effective", similarity=C)
    beyond = floor.loc[floor["clear"], "beyond"]
    assert len(beyond) > 1 and f"{beyond.max():.2f}" in said(asked(made, "thresholds"))


def test_method_and_counting_change_the_curves():
    app = asked(wine("correlation"), "thresholds")
    before = figures(app)
    fine(app.selectbox(key="whatif-method").select("kendall").run())
    kendall = figures(app)
    fine(app.toggle(key="whatif-binary").set_value(False).run())
    assert before != kendall != figures(app)


# ---- pairs ----


def test_a_pair_is_set_everywhere():
    made = wine("none")
    app = asked(made, "pairs", explored="random")
    a, b = app.selectbox(key="pair-choice").value
    fine(app.slider(key="pair-value").set_value(0.8).run())
    assert made.settings["scenario"]["edits"] == [[a, b, 0.8]]
    C = sc.Similarity.identity(13, names()).edited({(a, b): 0.8})
    assert metrics(app)["Effective stability now"] == f"{sc.stability(runs(), 'effective', similarity=C).value:.3f}"
    assert app.selectbox(key="pair-choice").value in ((a, b), (b, a)) and app.slider(key="pair-value").value == 0.8
    fine(app.slider(key="pair-value").set_value(0.5).run())
    assert len(made.settings["scenario"]["edits"]) == 1


def test_choosing_a_pair_highlights_both():
    app = asked(wine("none"), "pairs", explored="random")
    other = tuple(sc.whatif.influence(runs(), sc.Similarity.identity(13, names()))[["feature_a", "feature_b"]].iloc[3])
    fine(app.selectbox(key="pair-choice").set_value(other).run())
    assert tuple(app.session_state["picked"]) == other


def test_a_pair_of_other_results_is_forgotten():
    app = asked(wine("none"), "pairs", pair=("was", "elsewhere"))
    assert set(app.session_state["pair"]) <= set(names())


# ---- groups ----


def test_switching_a_group_off_changes_the_number_here_and_everywhere_on_request():
    made = wine()
    app = asked(made, "groups", explored="random")
    before, C = metrics(app), sc.Similarity.from_groups(made.settings["scenario"]["groups"], features=names())
    pills = next(one for one in app.button_group if one.key == "groups-on")
    fine(pills.set_value(["hue"]).run())
    only = sc.stability(runs(), "effective", similarity=C.with_groups(["hue"])).value
    assert metrics(app)["With 1 of 2 groups"] == f"{only:.3f}" and metrics(app)["With all groups"] == before["With all groups"]
    assert list(made.settings["scenario"]["groups"]) == ["acids", "hue"]
    fine(app.button(key="groups-everywhere").click().run())
    assert list(made.settings["scenario"]["groups"]) == ["hue"] and "1 of 2 groups" in made.settings["scenario_name"]
    assert metrics(app)["With all groups"] == f"{only:.3f}"
    assert list(made.settings["scenarios"]["mine"]["groups"]) == ["acids", "hue"]


def test_all_groups_off_is_the_value_with_none():
    app = asked(wine(), "groups", explored="random", groups_off=["acids", "hue", "gone"])
    assert metrics(app)["With 0 of 2 groups"] == metrics(app)["With no group"]


def test_groups_are_offered_when_another_base_is_chosen():
    made = wine("none")
    app = asked(made, "groups")
    fine(app.button(key="use-groups").click().run())
    assert made.settings["scenario"]["base"] == "groups" and metrics(app)


def test_many_groups_are_a_list_of_those_off():
    Z = np.random.default_rng(0).integers(0, 2, (6, 80))
    columns = [f"x{i}" for i in range(80)]
    groups = {f"g{i}": columns[2 * i : 2 * i + 2] for i in range(40)}
    made = selected(Z, columns, scenario={"base": "groups", "groups": groups})
    app = asked(made, "groups")
    fine(app.multiselect(key="groups-off").set_value(["g3", "g5"]).run())
    assert "With 38 of 40 groups" in metrics(app)


# ---- nothing to answer with ----


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "Z",
    [np.ones((3, 4), dtype=int), np.zeros((3, 4), dtype=int), np.eye(4, dtype=int)[:2], np.array([[1], [0], [1]])],
    ids=["all", "none", "two runs", "one feature"],
)
def test_degenerate_selections_say_why(question, Z):
    columns = [f"x{i}" for i in range(Z.shape[1])]
    app = asked(selected(Z, columns), question)
    if question == "thresholds":
        assert "need the data table" in said(app) and not figures(app)
    grouped = selected(Z, columns, scenario={"base": "groups", "groups": {"g": columns}})
    asked(grouped, question)


def test_hostile_names_stay_text():
    bad = ["![x](http://192.0.2.1/x.png)", "<img src=x>", "[a](http://192.0.2.1)", "$\\alpha$ %{x}"]
    Z = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    for question in QUESTIONS:
        groups = {"![g](http://192.0.2.1)": bad[:2], "<b>": bad[2:]}
        app = asked(selected(Z, bad, scenario={"base": "groups", "groups": groups}), question)
        shown = [one.value.replace("\\<", "") for one in (*app.markdown, *app.caption, *app.info)]
        assert not [one for one in shown if "](http" in one or "<img" in one]
        assert all("<img" not in json.dumps(one) for one in figures(app))


def test_outer_folds_are_left_out_in_turn(tmp_path):
    made = nested(tmp_path)
    app = asked(made, "parts", explored="random")
    assert "Without an outer fold" in [one.value for one in app.header]
    result = sc.open_study(made.folder / "study.stab")
    some, folds = result.selections("random"), np.array(result.folds("random"))
    rest = sc.stability(
        some.take(np.flatnonzero(folds != 1)), "effective", similarity=sc.Similarity.identity(6, some.features)
    ).value
    assert figures(app)[-1]["data"][0]["y"][0] == pytest.approx(rest)


# ---- scenarios side by side ----


def three_scenarios():
    groups = {name: [one for one in members if one in names()] for name, members in GROUPS.items()}
    kept = {
        "nothing": {"base": "none"},
        "mine": {"base": "groups", "groups": groups},
        "*lost*": {"base": "matrix", "matrix": "x.csv"},
    }
    return sample("wine", scenarios=kept, scenario=kept["mine"], scenario_name="mine")


def test_scenarios_stand_side_by_side_and_what_cannot_be_made_is_said():
    app = asked(three_scenarios(), "scenarios")
    assert "*lost* is left out. The file with the matrix C is not here" in said(app)
    assert "mine: Members of 2 groups are similar" in said(app)
    wide = app.dataframe[0].value
    assert list(wide.columns) == ["selector", "nothing", "mine"] and len(wide) == 8
    study = sc.open_study(three_scenarios().sample.store, named=True)
    rivals = study.noise_floor("effective", similarity=sc.Similarity.identity(13, names()))
    rivals = rivals[~rivals.index.str.startswith("Random ranking")].sort_values("beyond", ascending=False).index.tolist()
    assert wide["selector"].tolist() == [*rivals, "Random ranking (baseline)"], "farthest beyond the floor first"
    C = sc.Similarity.from_groups(
        {name: [one for one in members if one in names()] for name, members in GROUPS.items()}, features=names()
    )
    own = sc.stability(runs("lasso"), "effective", similarity=C)
    assert wide.set_index("selector").loc["Lasso", "mine"] == f"{own.value:.2f} [{own.low:.2f}, {own.high:.2f}]"
    assert len(app.dataframe[1].value) == 21 and "held against nothing, of 7" in said(app)
    app.selectbox(key="held_against__widget").set_value("mine").run()
    assert list(fine(app).dataframe[0].value.columns) == ["selector", "mine", "nothing"]


def test_fewer_than_two_scenarios_are_asked_for_another():
    app = asked(three_scenarios(), "scenarios", side_by_side=["nothing", "*lost*"])
    assert "choose two scenarios that can be made here" in said(app) and not figures(app)


def test_another_selector_stands_beside_the_groups():
    app = asked(wine(), "groups", explored="random", two=True)
    app.toggle(key="beside__widget").set_value(True).run()
    wide = fine(app).dataframe[-1].value
    assert "Stability inside, Random ranking" in wide.columns and len(wide) == 5
    assert "clearly" in said(app)


def test_without_a_table_it_is_said_where_one_can_be_brought(tmp_path):
    assert "Add it on Study" in said(asked(nested(tmp_path), "thresholds"))
    assert "Bring it beside your selections on Start" in said(asked(selected([[1, 0], [1, 1]], ["a", "b"]), "thresholds"))
