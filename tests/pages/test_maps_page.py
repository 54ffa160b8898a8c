"""The Maps page without a browser: every control, highlights, two selectors, outer folds, selections without importances."""

import json

import numpy as np
import pandas as pd
import pytest
from page_support import figures, fine, fine_page, full_text, page_text, press
from project_support import brought, bundled, nested, patients, sample, studied, study_file

import stabcore as sc
from stabcore.plots.names import WIDE_LENGTH, shorten


def rows(app):
    """Names beside the first map."""
    return figures(fine(app))[0]["layout"]["yaxis"]["ticktext"]


def test_two_selectors_side_by_side_have_the_same_columns():
    app = fine_page("maps", sample())
    assert len(figures(app)) == 1 and not app.dataframe, "the table behind is made when it is opened"
    app.toggle(key="two_selectors__widget").set_value(True).run()
    shown = figures(fine(app))
    assert len(shown) == 2 and app.session_state["shown_selector"] != app.session_state["second_selector"]
    assert shown[0]["layout"]["yaxis"]["range"] == shown[1]["layout"]["yaxis"]["range"]
    app.selectbox(key="second_selector__widget").select(app.session_state["shown_selector"]).run()
    assert len(figures(fine(app))) == 1, "a selector beside itself says nothing"


def test_the_first_rows_fit_a_screen_and_the_others_are_counted():
    project = sample("alzheimer_ad")
    study = sc.open_study(project.sample.store)
    often = np.sort(study.selections("lasso").frequencies)[::-1]
    selected, shown = int((often > 0).sum()), 24
    app = fine_page("maps", project, shown_selector="Lasso")
    assert len(rows(app)) == shown and figures(app)[0]["layout"]["height"] < 500
    assert f"{selected - shown} others" in page_text(app) and f"at most {often[shown]:.0%}" in page_text(app)
    app.toggle(key="all_rows__widget").set_value(True).run()
    assert len(rows(app)) == selected and "others are selected" not in page_text(app)
    last = min(np.flatnonzero(study.selections("lasso").counts), key=lambda i: study.selections("lasso").counts[i])
    app = fine_page("maps", project, shown_selector="Lasso", highlighted=[study.features[last]])
    assert len(rows(app)) == selected, "a highlighted feature is never hidden"


def test_groups_are_merged_in_every_order():
    names = sc.open_study(bundled().store).features
    groups, short = {"first": list(names[:4]), "second": list(names[4:7])}, [shorten(name, WIDE_LENGTH) for name in names]
    app = fine_page("maps", sample(scenario={"base": "groups", "groups": groups}), shown_selector="random")
    seen = []
    for order in ("frequency", "name", "group", "coselection"):
        app.selectbox(key="feature_order__widget").set_value(order).run()
        seen.append(rows(app))
        app.toggle(key="groups_merged__widget").set_value(True).run()
        assert set(rows(app)) == {"first", "second", *short[7:]}
        app.toggle(key="groups_merged__widget").set_value(False).run()
    assert len({tuple(order) for order in seen}) > 2 and all(set(order) == set(short) for order in seen)
    assert fine_page("maps", sample()).toggle(key="groups_merged__widget").disabled


def test_highlights_are_in_both_maps_and_unselected_ones_are_named():
    project = sample()
    study = sc.open_study(project.sample.store)
    counts = study.selections("lasso").counts
    name, never = study.features[int(counts.argmax())], study.features[int(counts.argmin())]
    assert counts.min() == 0
    app = fine_page("maps", project, shown_selector="lasso", highlighted=[name, never])
    assert [row for row in rows(app) if "<b>" in row] == [f"<b>{name}</b>"]
    assert app.info
    press(app, "map_kind__widget", "importance")
    named = [trace["name"] for trace in figures(app)[0]["data"] if "name" in trace]
    assert named == [name, "all others"]
    app.sidebar.multiselect[0].set_value([]).run()
    assert all("<b>" not in json.dumps(figure) for figure in figures(fine(app)))


def test_outer_folds_can_be_left_out(tmp_path):
    app = fine_page("maps", nested(tmp_path))
    assert figures(app)[0]["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 2", "fold 3"] and "of 12 runs" in page_text(app)
    app.multiselect(key="folds_left_out__widget").select(2).run()
    assert figures(fine(app))[0]["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 3"] and "of 8 runs" in page_text(app)


def test_selections_without_importances_and_hundreds_of_features():
    Z = (np.random.default_rng(0).random((12, 400)) < 0.4).astype(int)
    app = fine_page("maps", brought(pd.DataFrame(Z, columns=[f"g{i}" for i in range(400)])), all_rows=True)
    assert "image" in {trace["type"] for trace in figures(app)[0]["data"]}
    app.slider[0].set_value((1, 50)).run()
    assert {trace["type"] for trace in figures(fine(app))[0]["data"]} >= {"heatmap", "bar"}
    assert press(app, "map_kind__widget", "importance").info


def test_importances_that_another_number_would_change_are_not_drawn(tmp_path):
    project = studied(study_file(tmp_path / "rfe.stab", patients(), ["logistic_rfe", "mim"], sc.Subsample(4, test_size=0.3)))
    shown = [
        full_text("maps", project, map_kind="importance", **k) for k in ({}, {"other_feature_count": True, "feature_count": 3})
    ]
    assert ["known for the 2" in text for text in shown] == [False, True]


@pytest.mark.parametrize(("key", "there"), [("alzheimer_ad", True), (None, False)])
def test_colours_show_directions_on_request_if_there_is_a_table(key, there):
    project = sample(key) if key else brought(pd.DataFrame([[1, 1, 0], [1, 0, 1]], columns=list("abc")))
    app = fine_page("maps", project)
    assert app.toggle(key="directions_coloured__widget").disabled != there and "higher in" not in json.dumps(figures(app)[0])
    if there:
        app.toggle(key="directions_coloured__widget").set_value(True).run()
        assert "higher in" in json.dumps(figures(fine(app))[0])
