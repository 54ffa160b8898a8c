"""The Pareto page without a browser: every section and control, no accuracy, one selector, unfinished, other studies."""

import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from page_support import analyse, drawer, figures, fine, fine_page, page_text, press, upload
from project_support import brought, patients, sample, studied, study_file

import stabcore as sc
from pages.parts.pareto import ParetoView
from pages.parts.screen import LIMITATIONS, MORE, NUMBERS

SECTIONS = {"front": 1, "trade_off": 2, "change": 1, "size": 3, "errors": 1, "studies": 0}  # {section: figures}
SMALL = {
    "finished": {},
    "one selector": {"selectors": ["mim"]},
    "hardly begun": {"runs": 1},
    "numeric target": {"selectors": ["variance", "random"], "classifier": "none"},
    "scored number": {"selectors": ["variance", "random"], "classifier": "ridge"},
    "controlled": {"selectors": ["mim", "mrmr", "random"], "n_permutations": 3},
}


@pytest.fixture(scope="module")
def small_studies(tmp_path_factory):
    """{kind: a file with a study of 6 runs}"""
    folder, table = tmp_path_factory.mktemp("small"), patients()
    number = table.assign(outcome=table["ALT"] + 0.1 * table["AST"])
    return {
        kind: study_file(
            folder / f"{kind}.stab",
            number if "num" in kind else table,
            plan=sc.Subsample(6),
            **{"selectors": ["mim", "random"], **options},
        )
        for kind, options in SMALL.items()
    }


@pytest.fixture
def sizes_differ(monkeypatch):
    """As if selectors selected different numbers of features: in the bundled studies all select as many."""
    monkeypatch.setattr(ParetoView, "sizes_differ", True)


def axis(app, of):
    return figures(app)[0]["layout"][f"{of}axis"]["title"]["text"]


def test_size_is_a_section_only_where_sizes_differ(small):
    app = fine_page("pareto", small(), **drawer("pareto", MORE))
    offered = {button.key for button in app.button}
    assert "open-pareto_section-trade_off" in offered and "open-pareto_section-size" not in offered


def test_any_score_and_the_one_that_is_shown_first(small_studies, tmp_path):
    unequal = patients().assign(outcome=["well"] * 28 + ["sick"] * 12)
    files = small_studies["finished"], study_file(tmp_path / "u.stab", unequal, ["mim", "random"], sc.Subsample(6))
    alike, app = (fine_page("pareto", studied(file)) for file in files)
    first = [axis(page, "y").split()[0] for page in (alike, app)]
    assert first == ["Accuracy", "Balanced"], "there, one class has more than 60 percent"
    shown = [axis(press(app, "pareto_score__widget", score), "y") for score in ("auc", "balanced_accuracy", "accuracy")]
    assert [title.split()[0] for title in shown] == ["Area", "Balanced", "Accuracy"]


def test_chosen_selectors_are_compared_and_lead_to_their_map(small):
    app = fine_page("pareto", small(), pareto_section="chosen")
    app.multiselect(key="pareto_selectors__widget").set_value(["Mutual information (MIM)", "mRMR"]).run()
    assert fine(app).dataframe[-1].value["selector"].tolist() == ["Mutual information (MIM)", "mRMR"]
    assert app.session_state["shown_selector"] == "mRMR"
    assert app.switch_page("pages/maps.py").run().selectbox(key="shown_selector__widget").value == "mRMR"


def test_every_section_of_every_measure_and_of_small_studies(small_studies, controlled_file, sizes_differ):
    app = fine_page("pareto", studied(controlled_file))
    drawn = {section: len(figures(analyse(app, section))) for section in SECTIONS}  # the first is no analysis: the screen itself
    assert drawn == SECTIONS
    analyse(app, "size")
    fine(app.slider(key="pareto_margin__widget").set_value(0.0).run())
    for measure in ("effective", "importance_weighted", "jaccard"):
        app.session_state["pareto_measure"] = measure
        analyse(app, "change")
    for kind in ("one selector", "hardly begun", "numeric target"):
        app = fine_page("pareto", studied(small_studies[kind]))
        for section in SECTIONS:
            analyse(app, section)
    runs = pd.DataFrame((np.random.default_rng(0).random((6, 5)) < 0.5).astype(int), columns=list("abcde"))
    app = fine_page("pareto", brought(runs))
    assert analyse(app, "size").info and analyse(app, "studies").info


def test_scores_of_a_number_are_in_the_table_without_a_front(small_studies):
    file = small_studies["scored number"]
    app, measured = fine_page("pareto", studied(file)), sc.open_study(file, named=True).table()
    shown = app.dataframe[0].value.set_index("selector")
    for score in ("r2", "mae"):  # too few rows are held out for a correlation
        assert (shown[score] - measured.loc[shown.index, score]).abs().max() <= 5e-4
    assert "No accuracy" not in page_text(app)
    without = fine_page("pareto", studied(small_studies["numeric target"]))
    assert "r2" not in without.dataframe[0].value and "No accuracy" in page_text(without)


def test_axis_and_caption_say_whether_the_noise_floor_was_measured(small_studies):
    opened = drawer("pareto", NUMBERS)
    measured, unknown = (fine_page("pareto", studied(small_studies[kind]), **opened) for kind in ("controlled", "finished"))
    columns = [set(app.dataframe[0].value.columns) & {"stability", "beyond_floor"} for app in (measured, unknown)]
    assert columns == [{"beyond_floor"}, {"stability"}], "the column has the name of what it holds"
    assert "eyond the noise floor" in axis(measured, "x") and "not measured" in axis(unknown, "x")
    captions = [page_text(app).partition("Right: ")[2] for app in (measured, unknown)]
    assert "beyond the noise floor" in captions[0] and "not judged" not in captions[0]
    assert "noise floor" not in captions[1] and "Hollow: not judged." in captions[1] and "clearly dominated" not in captions[1]


def test_an_accuracy_that_rests_on_one_class_is_warned_of(small, tmp_path):
    frame = patients().assign(outcome=["well"] * 37 + ["sick"] * 3, who=[*range(37), 37, 37, 37])
    data = sc.Dataset.from_frame(frame, target="outcome", same_patient="who")
    file = study_file(tmp_path / "rare.stab", data, ["mim", "random"], sc.Subsample(5, 0.2))
    assert "'well'" in fine_page("pareto", studied(file)).warning[0].value
    project = small(compared=[{"file": "rare.stab", "name": "rare"}])
    shutil.copy(file, project.folder / "rare.stab")
    app = fine_page("pareto", project)
    assert not app.warning and "'sick'" in analyse(app, "studies").warning[0].value


def test_bundled_studies_are_laid_over_and_ranks_averaged():
    project = sample()
    app = fine_page("pareto", project, pareto_section="studies")
    app.multiselect(key="compared__widget").set_value([0]).run()
    assert len([study["sample"] for study in project.settings["compared"]]) == 1
    ranks = fine(app).dataframe[0].value
    assert (ranks["counted"] == 2).all() and ranks["rank"].is_monotonic_increasing
    fine(app.multiselect(key="compared__widget").set_value([]).run())
    assert not project.settings["compared"]


def test_effective_stability_is_shown_for_studies_with_rule_and_table(small):
    """C by the same rule on its own table for a correlation. Missing if the rule names features, or without a table."""
    rules = {"base": "correlation", "threshold": 0.7}, {"base": "groups", "groups": {"pair": ["a", "b"]}}
    missing = []
    for scenario in rules:
        project = small(compared=[{"sample": "breast_wdbc", "name": "other"}], scenario=scenario, scenario_name="mine")
        studies = {"pareto_section": "studies", "pareto_measure": "effective", "pareto_each_study": True}
        missing.append("missing for other" in page_text(fine_page("pareto", project, **studies, **drawer("pareto", LIMITATIONS))))
    assert missing == [False, True]


def add(app, path):
    """Another study file."""
    return upload(app, "compare-file", "theirs.stab", path.read_bytes(), "compare-add")


def test_a_study_file_is_added_kept_and_deleted(small, small_studies):
    project = small()
    app = fine(add(fine_page("pareto", project, pareto_section="studies"), small_studies["finished"]))
    (study,) = project.settings["compared"]
    assert study["name"] == "theirs" and (project.folder / study["file"]).exists()
    app.multiselect(key="compared__widget").set_value([]).run()
    assert not (project.folder / study["file"]).exists() and not project.settings["compared"]


def test_what_is_no_study_file_is_refused_and_not_kept(small_studies, tmp_path):
    damaged = Path(shutil.copy(small_studies["finished"], tmp_path / "theirs.stab"))
    with sqlite3.connect(damaged) as base:
        base.execute("UPDATE task SET scores = ?", (b"broken",))
    (tmp_path / "text.stab").write_text("not a study")
    project = studied(small_studies["finished"])
    for path in (small_studies["hardly begun"], tmp_path / "text.stab", damaged):
        app = add(fine_page("pareto", project, pareto_section="studies"), path)
        assert not app.exception and len(app.error) == 1 and "compared" not in project.settings
        assert not list(project.folder.glob("upload-*"))
