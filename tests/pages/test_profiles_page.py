"""The Profiles page without a browser: every section, measures side by side, selections without an order, few runs."""

import numpy as np
import pandas as pd
import pytest
from knot_support import headed
from page_support import brought, figures, fine, fine_page, said, sample

from stabcore.plots.profiles import profiled_measures

SECTIONS = ("curves", "knots", "marginal", "runs")


@pytest.mark.parametrize("section", SECTIONS)
def test_only_the_open_section_is_drawn(section):
    app = fine_page("profiles", sample(), profile=section)
    assert len(figures(app)) == 1
    word = {"curves": "With 3 features", "knots": "agreement", "marginal": "After the best 3", "runs": "runs are enough"}[section]
    assert word in said(app)


@pytest.mark.parametrize("measure", profiled_measures())
def test_every_measure_can_be_asked_for(measure):
    app = fine_page("profiles", sample(), **{"profile-measure": measure})
    assert len(figures(app)) == 1


def test_a_window_can_be_asked_for():
    app = fine_page("profiles", sample(), profile="marginal")
    short = figures(app)[0]["data"]
    app.number_input(key="profile-window__widget").set_value(1).run()
    assert figures(fine(app))[0]["data"] != short


def test_a_wanted_precision_changes_the_answer():
    app = fine_page("profiles", sample(), profile="runs")
    app.select_slider(key="profile-half__widget").set_value(0.2).run()
    assert "± 0.2 on this table" in said(fine(app))
    app.select_slider(key="profile-half__widget").set_value(0.01).run()
    assert "would take about" in said(fine(app))


def test_selections_without_an_order_still_say_whether_the_runs_are_enough():
    rng = np.random.default_rng(0)
    app = fine_page("profiles", brought(pd.DataFrame((rng.random((6, 5)) < 0.5).astype(int), columns=list("abcde"))))
    assert any("not the order" in one.value for one in app.info) and len(figures(app)) == 1
    assert "mine" in said(app)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize(("M", "d"), [(2, 3), (3, 1), (4, 9)])
def test_few_runs_and_few_features(section, M, d):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(M, d)), columns=[f"f{i}" for i in range(d)])
    fine_page("profiles", brought(frame, "scores"), profile=section)


def test_more_features_than_some_runs_rank_are_said():
    assert "their curves end before" in said(fine_page("profiles", sample(), cardinality=13))
    assert "their curves end before" not in said(fine_page("profiles", sample(), cardinality=3))


def test_one_number_of_features_moves_every_panel():
    app = fine_page("profiles", sample())
    app.slider(key="cardinality__widget").set_value(7).run()
    assert "With 7 features" in said(fine(app))
    assert {one["x0"] for one in figures(app)[0]["layout"]["shapes"]} == {7}


def test_where_agreement_ends_is_told():
    scores = pd.DataFrame(headed(5, 40, 12, np.random.default_rng(0)), columns=[f"f{i}" for i in range(40)])
    app = fine_page("profiles", brought(scores, "scores"), profile="knots")
    assert "two runs share most beyond random sets with 5 features" in said(app)
    app.toggle(key="profile-related__widget").set_value(True).run()
    app.multiselect(key="profile-knots__widget").set_value([]).run()
    assert not figures(fine(app))
