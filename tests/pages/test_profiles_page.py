"""The Profiles page without a browser: every section, measures side by side, selections without an order, few runs."""

import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest
from support import ROOT

from stabcore.figures.curves import profiled
from stabcore.workspace import Workspace, samples

SECTIONS = ("curves", "knots", "marginal", "runs")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))


def profiles_page(made, **session):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in {"id": made.id, **session}.items():
        app.session_state[key] = value
    app.run()
    return fine(app.switch_page("pages/profiles.py").run())


def fine(app):
    assert not app.exception, app.exception[0].value
    assert not app.error, app.error[0].value
    return app


def sample(key="wine"):
    one = next(s for s in samples() if s.key == key)
    made = Workspace.create()
    made.save(kind="sample", sample=key, name=one.about["title"], roles=one.roles, scenario={"base": "correlation", "groups": {}})
    return made


def brought(frame, kind=None):
    made = Workspace.create()
    file = made.keep("mine.csv", frame.to_csv(index=False).encode())
    made.save(kind="selections", name="mine", selections=[{"file": file, "label": "mine", "name": "mine.csv", "kind": kind}])
    return made


def figures(app):
    return [json.loads(one.proto.spec) for one in app.get("plotly_chart")]


def said(app):
    return " ".join(one.value for one in app.markdown)


@pytest.mark.parametrize("section", SECTIONS)
def test_only_the_open_section_is_drawn(section):
    app = profiles_page(sample(), profile=section)
    assert len(figures(app)) == (2 if section == "curves" else 1)
    word = {"curves": "agrees with itself most", "knots": "stability seems to come to an end", "marginal": "After the best 3",
            "runs": "runs are enough"}[section]
    assert word in said(app)


def test_up_to_four_measures_stand_side_by_side_and_one_number_of_features_moves_all():
    app = profiles_page(sample())
    app.multiselect(key="profile-measures__widget").set_value(["nogueira", "effective", "jaccard", "phi"]).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    assert said(fine(app)).count("With 7 features") == 4
    assert [one["layout"]["shapes"][0]["x0"] for one in figures(app)] == [7] * 4
    app.multiselect(key="profile-measures__widget").set_value([]).run()
    assert any("at least one measure" in one.value for one in fine(app).info)


@pytest.mark.parametrize("measure", profiled())
def test_every_measure_can_be_asked_for(measure):
    app = profiles_page(sample(), **{"profile-measures": [measure]})
    assert len(figures(app)) == 1


def test_knots_are_marked_on_the_curves_and_told_as_estimates():
    app = profiles_page(sample())
    before = len(figures(app)[0]["data"])
    app.toggle(key="profile-marks__widget").set_value(True).run()
    assert len(figures(fine(app))[0]["data"]) > before
    app = profiles_page(sample(), profile="knots")
    assert any("neither is a verdict" in one.value for one in app.caption) and "two segments after about" in said(app)
    app.multiselect(key="profile-knots__widget").set_value([]).run()
    assert not figures(fine(app))


def test_a_window_can_be_asked_for():
    app = profiles_page(sample(), profile="marginal")
    short = figures(app)[0]["data"]
    app.number_input(key="profile-window").set_value(1).run()
    assert figures(fine(app))[0]["data"] != short


def test_a_wanted_precision_changes_the_answer():
    app = profiles_page(sample(), profile="runs")
    app.select_slider(key="profile-half").set_value(0.2).run()
    assert "every selector to ± 0\\.2" in said(fine(app))
    app.select_slider(key="profile-half").set_value(0.01).run()
    assert "would take about" in said(fine(app))


def test_selections_without_an_order_still_say_whether_the_runs_are_enough():
    rng = np.random.default_rng(0)
    app = profiles_page(brought(pd.DataFrame((rng.random((6, 5)) < 0.5).astype(int), columns=list("abcde"))))
    assert any("not the order" in one.value for one in app.info) and len(figures(app)) == 1
    assert "mine" in said(app)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(("M", "d"), [(2, 3), (3, 1), (4, 9)])
def test_few_runs_and_few_features(section, M, d):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(M, d)), columns=[f"f{i}" for i in range(d)])
    profiles_page(brought(frame, "scores"), profile=section)
