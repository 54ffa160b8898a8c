"""The Pareto page without a browser: every section and control, no accuracy, one selector, unfinished, other studies."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from page_support import brought, figures, fine, fine_page, patients, press, said, sample, studied, study_file, text_of

import stabcore as sc
from pages.parts.pareto import ParetoView
from pages.workspace.workspace import Workspace
from stabcore.plots.pareto import GUESSING

SECTIONS = {"front": 1, "weigh": 2, "change": 1, "size": 3, "errors": 1, "studies": 1}


SMALL = {
    "finished": {},
    "one selector": {"selectors": ["mim"]},
    "unfinished": {"runs": 2},
    "hardly begun": {"runs": 1},
    "no classifier": {"classifier": "none"},
    "numeric target": {"selectors": ["variance", "random"], "classifier": "none"},
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """{kind: a file with a study of 6 runs}"""
    folder, table = tmp_path_factory.mktemp("small"), patients()
    number = table.assign(outcome=table["ALT"] + 0.1 * table["AST"])
    return {
        kind: study_file(
            folder / f"{kind}.stab",
            number if kind == "numeric target" else table,
            plan=sc.Subsample(6),
            **{"selectors": ["mim", "random"], **options},
        )
        for kind, options in SMALL.items()
    }


@pytest.fixture
def sizes_differ(monkeypatch):
    """As if selectors selected different numbers of features: in the bundled studies all select as many."""
    monkeypatch.setattr(ParetoView, "sizes_differ", True)


def test_size_is_a_section_only_where_sizes_differ():
    titles = fine_page("pareto", sample()).button_group(key="pareto__widget").options
    assert len(titles) == len(SECTIONS) - 1 and "Number of features" not in titles


@pytest.mark.parametrize("section", SECTIONS)
def test_only_the_open_section_is_drawn(section, sizes_differ):
    made = sample()
    judged = section != "weigh" or sc.open_study(made.store).has_control  # else there is no choice, and no reach of it
    assert len(figures(fine_page("pareto", made, pareto=section))) == SECTIONS[section] - (not judged)


@pytest.mark.parametrize("measure", ["effective", "importance_weighted", "jaccard"])
@pytest.mark.parametrize("section", SECTIONS)
def test_any_measure_of_stability(section, measure, sizes_differ):
    fine_page("pareto", sample("breast_wdbc"), pareto=section, **{"pareto-measure": measure})


@pytest.mark.parametrize("score", ["balanced_accuracy", "auc"])
def test_any_score(score):
    app = fine_page("pareto", sample("breast_wdbc"))
    press(app, "score__widget", score)
    title = figures(fine(app))[0]["layout"]["yaxis"]["title"]["text"]
    assert title.startswith({"auc": "Area", "balanced_accuracy": "Balanced"}[score])


def test_gamma_moves_the_ring_around_the_choice():
    def ring():
        return next(one for one in figures(fine(app))[0]["data"] if one.get("name") == "chosen")["x"]

    app = fine_page("pareto", sample("alzheimer_ad"), pareto="weigh")
    app.slider(key="pareto-gamma__widget").set_value(0.0).run()
    stable = ring()
    app.slider(key="pareto-gamma__widget").set_value(1.0).run()
    assert ring() != stable


def test_balanced_accuracy_is_shown_first_where_the_larger_class_has_more_than_60_percent():
    for study, score in (("alzheimer_ad", "Balanced"), ("wine", "Accuracy")):
        assert figures(fine_page("pareto", sample(study)))[0]["layout"]["yaxis"]["title"]["text"].startswith(score)


def test_equal_accuracies_come_with_what_could_have_been_seen():
    app = fine_page("pareto", sample("actg175"), pareto="errors")
    assert "They may differ by up to" in said(app) and "8 of 10 such studies" in said(app)
    assert any("sign-flip test" in one.value for one in app.caption)


def test_size_in_space_and_the_margin(sizes_differ):
    app = fine_page("pareto", sample(), pareto="size")
    app.toggle(key="pareto-space__widget").set_value(True).run()
    assert {one["type"] for one in figures(fine(app))[1]["data"]} == {"scatter3d"}
    app.slider(key="pareto-margin__widget").set_value(0.0).run()
    fine(app)


def test_chosen_selectors_are_compared_and_lead_to_their_map():
    app = fine_page("pareto", sample())
    app.multiselect(key="pareto-chosen__widget").set_value(["Mutual information (MIM)", "Lasso"]).run()
    assert fine(app).dataframe[-1].value["selector"].tolist() == ["Mutual information (MIM)", "Lasso"]
    assert app.session_state["explored"] == "Lasso"
    app.switch_page("pages/maps.py").run()
    assert app.selectbox(key="explored__widget").value == "Lasso"


# ---- little to go by ----


@pytest.mark.parametrize("section", ["front", "size", "studies"])
def test_selections_without_accuracy_have_stability_and_size(section):
    rng = np.random.default_rng(0)
    app = fine_page("pareto", brought(pd.DataFrame((rng.random((6, 5)) < 0.5).astype(int), columns=list("abcde"))), pareto=section)
    assert any("no accuracy" in one.value for one in app.info)
    assert section == "studies" or "noise floor" in said(app) or "No selector has both" in said(app)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("kind", ["one selector", "unfinished", "no classifier", "numeric target"])
def test_small_studies(small, section, kind):
    fine_page("pareto", studied(small[kind]), pareto=section)


# ---- other studies ----


def test_bundled_studies_are_laid_over_and_ranks_averaged():
    made = sample()
    app = fine_page("pareto", made, pareto="studies")
    app.multiselect(key="compared__widget").set_value([0, 1]).run()
    assert [one["sample"] for one in Workspace.find(made.id).settings["compared"]] and "Over 3 of 3 studies" in said(fine(app))
    ranks = app.dataframe[0].value
    assert (ranks["counted"] == 3).all() and ranks["rank"].is_monotonic_increasing
    app.multiselect(key="compared__widget").set_value([]).run()
    assert "Over 1 of 1 studies" in said(fine(app))


def test_effective_stability_is_there_for_every_study_whose_table_is_at_hand():
    """By the same rule on its own table where that is a correlation; missing where the rule names features, or without a table."""
    others = [{"sample": "breast_wdbc", "name": "other"}]
    by_rule = {"scenario": {"base": "correlation", "threshold": 0.7}, "scenario_name": "correlated"}
    app = fine_page(
        "pareto", sample(compared=others, **by_rule), pareto="studies", **{"pareto-measure": "effective", "pareto-each": True}
    )
    assert not any("is missing for other" in one.value for one in app.caption) and "2 of 2 studies, " in said(app)
    app = fine_page(
        "pareto",
        sample(compared=others, scenario={"base": "groups", "groups": {"a": ["proline", "hue"]}}, scenario_name="mine"),
        pareto="studies",
        **{"pareto-measure": "effective"},
    )
    assert any("is missing for other" in one.value for one in app.caption)


def test_a_study_file_is_added_kept_and_deleted(small):
    made = sample()
    app = fine_page("pareto", made, pareto="studies")
    app.file_uploader(key="compare-file").upload("theirs.stab", small["finished"].read_bytes()).run()
    app.button(key="compare-add").click().run()
    kept = Workspace.find(made.id).settings["compared"]
    assert [one["name"] for one in kept] == ["theirs"] and (made.folder / kept[0]["file"]).exists()
    assert "theirs" in said(fine(app))
    app.multiselect(key="compared__widget").set_value([]).run()
    assert not (made.folder / kept[0]["file"]).exists() and not Workspace.find(made.id).settings["compared"]


@pytest.mark.parametrize("content", ["nothing", "text", "damaged"])
def test_what_is_no_study_file_is_refused_and_not_kept(small, content, tmp_path):
    made = sample()
    path = shutil.copy(small["hardly begun" if content == "nothing" else "finished"], tmp_path / "theirs.stab")
    if content == "text":
        path.write_text("not a study")
    elif content == "damaged":
        with sqlite3.connect(path) as base:
            base.execute("UPDATE task SET scores = ?", (b"broken",))
    app = fine_page("pareto", made, pareto="studies")
    app.file_uploader(key="compare-file").upload("theirs.stab", path.read_bytes()).run()
    app.button(key="compare-add").click().run()
    assert not app.exception and len(app.error) == 1 and "compared" not in Workspace.find(made.id).settings
    assert not list(made.folder.glob("upload-*"))


@pytest.mark.parametrize("score", ["accuracy", "balanced_accuracy"])
def test_controls_of_pareto(score):
    app = fine_page("pareto", sample())
    press(app, "score__widget", score)
    assert figures(fine(app))


def test_an_accuracy_that_rests_on_one_class_says_so(tmp_path):
    frame = patients().assign(outcome=["well"] * 37 + ["sick"] * 3, who=[*range(37), 37, 37, 37])
    data = sc.Dataset.from_frame(frame, target="outcome", same_patient="who")
    with ThreadPoolExecutor(1) as executor:
        sc.Study(data, ["mim", "random"], sc.Subsample(5, 0.2), k=2, n_permutations=0).run(executor, store=tmp_path / "rare.stab")
    rests = "It rests only on the class 'well'."
    assert rests in text_of(fine_page("pareto", studied(tmp_path / "rare.stab")).warning)
    assert not fine_page("pareto", sample()).warning
    made = sample(compared=[{"file": "rare.stab", "name": "rare"}])
    shutil.copy(tmp_path / "rare.stab", made.folder / "rare.stab")
    app = press(fine_page("pareto", made), "pareto__widget", "studies")
    assert "rare: Accuracy says nothing about the class 'sick'" in text_of(app.warning)


# ---- with a control ----


@pytest.mark.parametrize("section", ["front", "weigh", "change", "studies"])
def test_stability_is_beyond_the_floor_where_the_outcome_was_shuffled_and_said_to_be_measured_where_not(tmp_path, section):
    for control in (3, 0):
        file = tmp_path / f"{control}.stab"
        made = studied(study_file(file, patients(), ["mim", "lasso", "random"], sc.ComplementaryPairs(4), n_permutations=control))
        made.save(scenario={"base": "groups", "groups": {"g": ["ALT", "AST"]}})
        app = fine_page("pareto", made, pareto=section)
        told = said(app) if section == "studies" else figures(app)[0]["layout"]["xaxis"]["title"]["text"]
        assert ("eyond the noise floor" in told) == (control > 0) and ("not measured" in told) == (control == 0)


# ---- nothing is predicted ----


@pytest.mark.parametrize("section", ["front", "weigh"])
def test_the_first_sentence_crowns_nobody_where_nothing_is_predicted(section):
    app = fine_page("pareto", sample("teaching_noise"), pareto=section)
    assert next(one.value for one in app.markdown if one.value.startswith("**")).replace("\\", "") == f"**{GUESSING}**"
    assert GUESSING not in said(fine_page("pareto", sample("wine"), pareto=section))
