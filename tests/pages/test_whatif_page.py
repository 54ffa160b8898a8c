"""What if without a browser: every question, the effect of a change on every screen, and missing data."""

import numpy as np
import pandas as pd
import pytest
from page_support import analyse, drawer, figures, fine, fine_page, metrics, page_text, press
from project_support import brought, nested, patients, sample, studied, study_file

import stabcore as sc
from pages.parts.screen import LIMITATIONS, NUMBERS
from stabcore.io.table import read_table

QUESTIONS = ("thresholds", "pairs", "groups", "parts")
NAMES = list("abcdef")
GROUPS = {"first": ["a", "b", "c"], "second": ["d", "e"]}


def selected(Z, columns, **settings):
    return brought(pd.DataFrame(Z, columns=columns), "selection matrix", **settings)


def asked(project, question, **session):
    return fine_page("whatif", project, what_if=question, **session)


class SmallProjects:
    """Projects of a small study with its table."""

    def __init__(self, file):
        self.file, self.study = file, sc.open_study(file, named=True)

    def __call__(self, base="groups", **settings):
        return studied(self.file, patients(NAMES, 96), **{"scenario": {"base": base, "groups": GROUPS}, **settings})

    def effective(self, similarity, label="random"):
        return sc.stability(sc.open_study(self.file).as_compared().selections(label), "effective", similarity=similarity)


@pytest.fixture
def small_projects(controlled_file):
    return SmallProjects(controlled_file)


IDENTITY = sc.Similarity.identity(6, NAMES)


# ---- every question ----


def test_every_question_under_every_base_and_of_degenerate_selections(small_projects):
    app = asked(small_projects("none"), "parts", shown_selector="random")
    other = asked(small_projects("groups"), "parts", shown_selector="random", other_feature_count=True, feature_count=4)
    for question in QUESTIONS:
        first, second = (figures(press(page, "what_if__widget", question)) for page in (app, other))
        assert bool(first) == (question != "groups") and second and first != second, question
    for Z in (np.ones((3, 4), dtype=int), np.zeros((3, 4), dtype=int), np.eye(4, dtype=int)[:2], np.array([[1], [0], [1]])):
        columns = [f"x{i}" for i in range(Z.shape[1])]
        app = asked(selected(Z, columns, scenario={"base": "groups", "groups": {"g": columns}}), "thresholds")
        assert not figures(app), "there is no table to correlate"
        for question in QUESTIONS[1:]:
            press(app, "what_if__widget", question)


# ---- thresholds ----


def test_a_threshold_is_taken_everywhere_and_undone(small_projects):
    project = small_projects("groups")
    app = asked(project, "thresholds")
    assert project.settings["scenario"]["base"] == "groups"
    fine(app.slider(key="whatif-threshold").set_value(0.3).run())
    assert app.toggle(key="whatif-binary").proto.set_value, "else a switch that was never drawn shows its default when it is opened"
    assert (project.settings["scenario"]["base"], project.settings["scenario"]["threshold"]) == ("correlation", 0.3)
    for key, base in (("undo", "groups"), ("take-threshold", "correlation")):
        fine(app.button(key=key).click().run())
        assert project.settings["scenario"]["base"] == base


def test_the_sentence_is_the_change_at_the_threshold():
    project = sample("wine", scenario={"base": "correlation", "threshold": 0.4, "method": "pearson", "binary": False})
    data = sc.Dataset.from_frame(read_table(project.table_file).frame, **project.sample.roles)
    C = sc.Similarity.from_correlation(data, method="pearson", threshold=0.4, binary=False)
    halves = sc.open_study(project.sample.store).between_halves()
    classic, floor = halves.noise_floor("nogueira"), halves.noise_floor("effective", similarity=C)
    change, clear = (floor["beyond"].round(2) - classic["beyond"].round(2)).abs().max(), int(floor["clear"].sum())
    sentence = page_text(asked(project, "thresholds"))
    assert f"{change:.2f}" in sentence and f"{clear} of" in sentence and 1 < clear < len(floor)


def test_method_counting_and_other_patients_change_the_figures(small_projects):
    app = asked(small_projects("correlation"), "thresholds")
    drawn = [figures(app)]
    for change in (
        lambda: app.selectbox(key="whatif-method").select("kendall"),
        lambda: app.toggle(key="whatif-binary").set_value(False),
        lambda: analyse(app, "uncertain"),
    ):
        change().run()
        drawn.append(figures(fine(app)))
    assert all(before != after for before, after in zip(drawn, drawn[1:]))


# ---- pairs ----


def test_a_pair_is_set_everywhere(small_projects):
    project = small_projects("none")
    app = asked(project, "pairs", shown_selector="random")
    a, b = app.selectbox(key="pair_choice").value
    fine(app.slider(key="pair_value").set_value(0.8).run())
    assert project.settings["scenario"]["edits"] == [[a, b, 0.8]]
    assert metrics(app)["Effective stability now"] == f"{small_projects.effective(IDENTITY.edited({(a, b): 0.8})).value:.3f}"
    assert set(app.selectbox(key="pair_choice").value) == {a, b} and app.slider(key="pair_value").value == 0.8
    fine(app.slider(key="pair_value").set_value(0.5).run())
    assert len(project.settings["scenario"]["edits"]) == 1


def test_numbers_as_names_are_no_positions(tmp_path):
    columns = [str(5 - j) for j in range(6)]
    similar = {"base": "groups", "groups": {"first": ["5", "0"]}}
    file = study_file(tmp_path / "study.stab", patients(columns, 48), ["mim", "random"], sc.ComplementaryPairs(4))
    project = studied(file, patients(columns, 48), scenario=similar)
    app = asked(project, "pairs", pair=("0", "5"))
    assert set(app.selectbox(key="pair_choice").value) == {"0", "5"} and app.slider(key="pair_value").value == 1
    app = asked(project, "pairs", pair=("0", "1"))
    assert app.slider(key="pair_value").value == 0
    C = next(table.value for table in fine_page("similarity", project).dataframe if set(table.value.columns) == set(columns))
    assert C.loc["5", "0"] == C.loc["0", "5"] == C.loc["3", "3"] == 1 and C.to_numpy().sum() == 8


def test_runs_that_select_every_feature_leave_nothing_to_lead(tmp_path):
    data = patients("abcd", 40)
    file = study_file(tmp_path / "all.stab", data, ["mim", "random"], sc.ComplementaryPairs(3), k=4, n_permutations=2)
    app = fine_page("whatif", studied(file, data, scenario={"base": "none"}))
    assert "no effective stability" in page_text(analyse(app, "leading"))


# ---- groups ----


def test_switching_a_group_off_changes_here_and_on_request_everywhere(small_projects):
    project = small_projects()
    app = asked(project, "groups", shown_selector="random")
    before, C = metrics(app), sc.Similarity.from_groups(GROUPS, names=NAMES)
    next(group for group in app.button_group if group.key == "groups_on_choice").set_value(["second"]).run()
    only = f"{small_projects.effective(C.with_groups(['second'])).value:.3f}"
    assert metrics(fine(app))["With 1 of 2 groups"] == only and metrics(app)["With all groups"] == before["With all groups"]
    assert list(project.settings["scenario"]["groups"]) == ["first", "second"]
    fine(app.button(key="groups-everywhere").click().run())
    assert list(project.settings["scenario"]["groups"]) == ["second"] and metrics(app)["With all groups"] == only
    assert list(project.settings["scenarios"]["mine"]["groups"]) == ["first", "second"]


def test_outer_folds_are_left_out_in_turn(tmp_path):
    project = nested(tmp_path)
    result = sc.open_study(project.folder / "study.stab")
    some, folds = result.selections("random"), np.array(result.folds("random"))
    rest = some.take(np.flatnonzero(folds != 1))
    value = sc.stability(rest, "effective", similarity=sc.Similarity.identity(6, some.features)).value
    assert figures(asked(project, "parts", shown_selector="random"))[-1]["data"][0]["y"][0] == pytest.approx(value)


# ---- scenarios side by side ----


def test_scenarios_stand_side_by_side_and_what_cannot_be_made_is_said(small_projects):
    mine, lost = {"base": "groups", "groups": GROUPS}, {"base": "matrix", "matrix": "x.csv"}
    project = small_projects(
        scenarios={"nothing": {"base": "none"}, "mine": mine, "*lost*": lost}, scenario=mine, scenario_name="mine"
    )
    assert "*lost*" in page_text(asked(project, "scenarios", **drawer("whatif", LIMITATIONS)))
    app = asked(project, "scenarios", **drawer("whatif", NUMBERS))
    wide = app.dataframe[0].value
    assert list(wide.columns) == ["selector", "nothing", "mine"] and len(app.dataframe[1].value) == 3
    rivals = small_projects.study.as_compared().noise_floor("effective", similarity=IDENTITY)
    rivals = rivals[~rivals.index.str.startswith("Random ranking")].sort_values("beyond", ascending=False).index.tolist()
    assert wide["selector"].tolist() == [*rivals, "Random ranking (baseline)"], "farthest beyond the floor first"
    estimate = small_projects.effective(sc.Similarity.from_groups(GROUPS, names=NAMES), "mrmr")
    shown = f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]".replace("-", "−")
    assert wide.set_index("selector").loc["mRMR", "mine"] == shown
    app.selectbox(key="reference_scenario__widget").set_value("mine").run()
    assert list(fine(app).dataframe[0].value.columns) == ["selector", "mine", "nothing"]


def test_groups_that_are_off_are_a_list_where_there_are_many():
    Z, columns = np.random.default_rng(0).integers(0, 2, (6, 80)), [f"x{i}" for i in range(80)]
    groups = {f"g{i}": columns[2 * i : 2 * i + 2] for i in range(40)}
    app = asked(selected(Z, columns, scenario={"base": "groups", "groups": groups}), "groups")
    app.multiselect(key="groups_off_choice").set_value(["g3", "g5"]).run()
    assert "With 38 of 40 groups" in metrics(fine(app))
    app.multiselect(key="groups_off_choice").set_value(list(groups)).run()
    found = metrics(fine(app))
    assert found["With 0 of 40 groups"] == found["With no group"]
