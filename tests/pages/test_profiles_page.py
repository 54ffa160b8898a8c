"""The Profiles page without a browser: every section, measures side by side, selections without an order, few runs."""


import numpy as np
import pandas as pd
import pytest
from knot_support import headed
from page_support import brought, figures, fine, fine_page, said, sample

from stabcore.figures.curves import profiled

SECTIONS = ("curves", "knots", "marginal", "runs")


@pytest.mark.parametrize("section", SECTIONS)
def test_only_the_open_section_is_drawn(section):
    app = fine_page("profiles", sample(), profile=section)
    assert len(figures(app)) == (2 if section == "curves" else 1)
    word = {"curves": "no selector clearly agrees with itself more", "knots": "agreement", "marginal": "After the best 3",
            "runs": "runs are enough"}[section]
    assert word in said(app)


def test_up_to_four_measures_stand_side_by_side_and_one_number_of_features_moves_all():
    app = fine_page("profiles", sample())
    app.multiselect(key="profile-measures__widget").set_value(["nogueira", "effective", "jaccard", "phi"]).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    assert said(fine(app)).count("With 7 features") == 4
    assert [one["layout"]["shapes"][0]["x0"] for one in figures(app)] == [7] * 4
    app.multiselect(key="profile-measures__widget").set_value([]).run()
    assert any("at least one measure" in one.value for one in fine(app).info)


@pytest.mark.parametrize("measure", profiled())
def test_every_measure_can_be_asked_for(measure):
    app = fine_page("profiles", sample(), **{"profile-measures": [measure]})
    assert len(figures(app)) == 1


def test_knots_are_marked_on_the_curves_and_told_as_estimates():
    scores = pd.DataFrame(headed(5, 40, 12, np.random.default_rng(0)), columns=[f"f{i}" for i in range(40)])
    app = fine_page("profiles", brought(scores, "scores"))
    before = len(figures(app)[0]["data"])
    app.toggle(key="profile-marks__widget").set_value(True).run()
    assert len(figures(fine(app))[0]["data"]) == before + 1
    app = fine_page("profiles", brought(scores, "scores"), profile="knots")
    assert any("halves show it best" in one.value for one in app.caption)
    assert "two runs share most beyond random sets with 5 features" in said(app)
    app.toggle(key="profile-related__widget").set_value(True).run()
    app.multiselect(key="profile-knots__widget").set_value([]).run()
    assert not figures(fine(app))


def test_a_window_can_be_asked_for():
    app = fine_page("profiles", sample(), profile="marginal")
    short = figures(app)[0]["data"]
    app.number_input(key="profile-window__widget").set_value(1).run()
    assert figures(fine(app))[0]["data"] != short


def test_a_wanted_precision_changes_the_answer():
    app = fine_page("profiles", sample(), profile="runs")
    app.select_slider(key="profile-half__widget").set_value(0.2).run()
    assert "every selector to ± 0.2" in said(fine(app))
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


@pytest.mark.parametrize("measure", ["nogueira", "effective", "jaccard", "phi"])
def test_controls_of_profiles(measure):
    app = fine_page("profiles", sample())
    app.multiselect(key="profile-measures__widget").set_value([measure]).run()
    app.slider(key="cardinality__widget").set_value(5).run()
    app.multiselect(key="profile-bands__widget").set_value([]).run()
    fine(app)
    assert any("With 5 features" in one.value for one in app.markdown)


def test_more_features_than_some_runs_rank_are_said():
    assert "their curves end before" in said(fine_page("profiles", sample(), cardinality=13))
    assert "their curves end before" not in said(fine_page("profiles", sample(), cardinality=3))
