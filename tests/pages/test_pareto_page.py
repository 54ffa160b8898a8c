"""The Pareto page without a browser: every section and control, no accuracy, one selector, unfinished, other studies."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from support import ROOT

import stabcore as sc
from stabcore.workspace import Workspace, samples

SECTIONS = {"front": 2, "weigh": 2, "change": 1, "size": 3, "errors": 0, "studies": 1}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))


def pareto_page(made, **session):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in {"id": made.id, **session}.items():
        app.session_state[key] = value
    app.run()
    return fine(app.switch_page("pages/pareto.py").run())


def fine(app):
    assert not app.exception, app.exception[0].value
    assert not app.error, app.error[0].value
    return app


def sample(key="wine", **settings):
    one = next(s for s in samples() if s.key == key)
    made = Workspace.create()
    made.save(kind="sample", sample=key, name=one.about["title"], roles=one.roles, scenario={"base": "correlation", "groups": {}},
              **settings)
    return made


def brought(frame, label="mine"):
    made = Workspace.create()
    file = made.keep("mine.csv", frame.to_csv(index=False).encode())
    made.save(kind="selections", name="mine", selections=[{"file": file, "label": label, "name": "mine.csv", "kind": None}])
    return made


def frame():
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(40, 4)), columns=list("abcd"))
    return made.assign(outcome=np.where(made["a"] + rng.normal(size=40) > 0, "sick", "well"))


def numeric():
    made = frame()
    return made.assign(outcome=made["a"] + 0.1 * made["b"])


def study(selectors, runs=None, classifier="3nn", runs_planned=6, data=None):
    """A workspace with a study of its own, of which only the first runs are done if so wished."""
    made = Workspace.create()
    table = sc.Dataset.from_frame(frame() if data is None else data, target="outcome")
    own = sc.Study(table, selectors, sc.Subsample(runs_planned), k=2, seed=1, classifier=classifier)
    own.run(store=made.folder / "study.stab", workers=1)
    if runs is not None:
        with sqlite3.connect(made.folder / "study.stab") as base:
            base.execute("DELETE FROM task WHERE run >= ?", (runs,))
    made.save(kind="study", name="own", store="study.stab")
    return made


def figures(app):
    return [json.loads(one.proto.spec) for one in app.get("plotly_chart")]


def said(app):
    return " ".join(one.value for one in app.markdown)


@pytest.mark.parametrize("section", SECTIONS)
def test_only_the_open_section_is_drawn(section):
    assert len(figures(pareto_page(sample(), pareto=section))) == SECTIONS[section]


@pytest.mark.parametrize("measure", ["effective", "importance_weighted", "jaccard"])
@pytest.mark.parametrize("section", SECTIONS)
def test_any_measure_of_stability(section, measure):
    pareto_page(sample("breast_wdbc"), pareto=section, **{"pareto-measure": measure})


@pytest.mark.parametrize("score", ["balanced_accuracy", "auc"])
def test_any_score(score):
    app = pareto_page(sample("breast_wdbc"))
    next(one for one in app.get("button_group") if one.key == "score").set_value(score).run()
    title = figures(fine(app))[0]["layout"]["yaxis"]["title"]["text"]
    assert title.startswith({"auc": "Area", "balanced_accuracy": "Balanced"}[score])


def test_ellipses_and_hidden_points():
    app = pareto_page(sample(), **{"pareto-intervals": "ellipses", "pareto-dominated": False})
    shown = figures(app)[0]["data"]
    assert any(one.get("fill") == "toself" for one in shown)
    assert not any(str(one.get("marker", {}).get("symbol")).endswith("-open") for one in shown)


def test_gamma_moves_the_choice():
    app = pareto_page(sample("alzheimer_ad"), pareto="weigh")
    app.slider(key="pareto-gamma__widget").set_value(0.0).run()
    stable = next(one.value for one in fine(app).markdown if "is the choice" in one.value)
    app.slider(key="pareto-gamma__widget").set_value(1.0).run()
    assert next(one.value for one in fine(app).markdown if "is the choice" in one.value) != stable


def test_size_in_space_and_the_margin():
    app = pareto_page(sample(), pareto="size")
    app.toggle(key="pareto-space__widget").set_value(True).run()
    assert {one["type"] for one in figures(fine(app))[1]["data"]} == {"scatter3d"}
    app.slider(key="pareto-margin__widget").set_value(0.0).run()
    assert "within 0 of the best accuracy" in said(fine(app))


def test_chosen_selectors_are_compared_and_lead_to_their_map():
    app = pareto_page(sample())
    app.multiselect(key="pareto-chosen__widget").set_value(["mim", "lasso"]).run()
    assert fine(app).dataframe[-1].value["selector"].tolist() == ["mim", "lasso"]
    assert app.session_state["explored"] == "lasso"
    app.switch_page("pages/maps.py").run()
    assert app.selectbox(key="explored__widget").value == "lasso"


# ---- little to go by ----

@pytest.mark.parametrize("section", ["front", "size", "studies"])
def test_selections_without_accuracy_have_stability_and_size(section):
    rng = np.random.default_rng(0)
    app = pareto_page(brought(pd.DataFrame((rng.random((6, 5)) < 0.5).astype(int), columns=list("abcde"))), pareto=section)
    assert any("no accuracy" in one.value for one in app.info)
    assert section == "studies" or "more stable and smaller" in said(app)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("kind", ["one selector", "unfinished", "no classifier", "numeric target"])
def test_small_studies(section, kind):
    made = {"one selector": lambda: study(["mim"]), "unfinished": lambda: study(["mim", "random"], runs=2),
            "no classifier": lambda: study(["mim", "random"], classifier="none"),
            "numeric target": lambda: study(["variance", "random"], classifier="none", data=numeric())}[kind]()
    pareto_page(made, pareto=section)


# ---- other studies ----

def test_bundled_studies_are_laid_over_and_ranks_averaged():
    made = sample()
    app = pareto_page(made, pareto="studies")
    app.multiselect(key="compared__widget").set_value([0, 1]).run()
    assert [one["sample"] for one in Workspace.find(made.id).settings["compared"]] and "Over 3 of 3 studies" in said(fine(app))
    ranks = app.dataframe[0].value
    assert (ranks["counted"] == 3).all() and ranks["rank"].is_monotonic_increasing
    app.multiselect(key="compared__widget").set_value([]).run()
    assert "Over 1 of 1 studies" in said(fine(app))


def test_a_measure_that_needs_the_relation_is_missing_for_other_features():
    app = pareto_page(sample(compared=[{"sample": "breast_wdbc", "name": "other"}]), pareto="studies",
                      **{"pareto-measure": "effective"})
    assert any("is missing for other" in one.value for one in app.caption)


def test_a_study_file_is_added_kept_and_deleted():
    made, other = sample(), study(["mim", "random"])
    app = pareto_page(made, pareto="studies")
    app.file_uploader(key="compare-file").upload("theirs.stab", (other.folder / "study.stab").read_bytes()).run()
    app.button(key="compare-add").click().run()
    kept = Workspace.find(made.id).settings["compared"]
    assert [one["name"] for one in kept] == ["theirs"] and (made.folder / kept[0]["file"]).exists()
    assert "Over 2 of 2 studies" in said(fine(app))
    app.multiselect(key="compared__widget").set_value([]).run()
    assert not (made.folder / kept[0]["file"]).exists() and not Workspace.find(made.id).settings["compared"]


@pytest.mark.parametrize("content", ["nothing", "text", "damaged"])
def test_what_is_no_study_file_is_refused_and_not_kept(content, tmp_path):
    made, other = sample(), study(["mim", "random"], runs=1 if content == "nothing" else None)
    path = other.folder / "study.stab"
    if content == "text":
        path.write_text("not a study")
    elif content == "damaged":
        with sqlite3.connect(path) as base:
            base.execute("UPDATE task SET scores = ?", (b"broken",))
    app = pareto_page(made, pareto="studies")
    app.file_uploader(key="compare-file").upload("theirs.stab", path.read_bytes()).run()
    app.button(key="compare-add").click().run()
    assert not app.exception and len(app.error) == 1 and "compared" not in Workspace.find(made.id).settings
    assert not list(made.folder.glob("upload-*"))
