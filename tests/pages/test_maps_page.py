"""The Maps page without a browser: every control, highlights, two selectors, outer folds, selections without importances."""

import json

import numpy as np
import pandas as pd
import pytest
from page_support import brought, bundled, figures, fine, fine_page, nested, patients, said, sample, studied, study_file

import stabcore as sc
from stabcore.plots.names import shorten


def headings(app):
    return [one.value for one in app.markdown if one.value.startswith("**")]


def test_two_selectors_side_by_side_have_the_same_columns():
    app = fine_page("maps", sample())
    assert len(figures(app)) == 2
    app.toggle(key="beside__widget").set_value(True).run()
    shown = figures(fine(app))
    assert len(shown) == 4 and app.session_state["explored"] != app.session_state["explored_beside"]
    assert shown[0]["layout"]["yaxis"]["range"] == shown[1]["layout"]["yaxis"]["range"]
    app.selectbox(key="explored_beside__widget").select(app.session_state["explored"]).run()
    assert len(figures(fine(app))) == 2, "a selector beside itself says nothing"


@pytest.mark.parametrize("order", ["frequency", "name", "group", "coselection"])
def test_groups_are_merged_in_every_order(order):
    names = sc.open_study(bundled().store).features
    app = fine_page("maps", sample(scenario={"base": "groups", "groups": {"first": list(names[:4]), "second": list(names[4:7])}}))
    app.selectbox(key="explored__widget").select("Random ranking (baseline)").run()
    app.selectbox(key="order__widget").set_value(order).run()
    before = figures(fine(app))[0]["layout"]["yaxis"]["ticktext"]
    app.toggle(key="merged__widget").set_value(True).run()
    after = figures(fine(app))[0]["layout"]["yaxis"]["ticktext"]
    assert set(before) == set(map(shorten, names)) and set(after) == {"first", "second", *map(shorten, names[7:])}


def test_without_groups_there_is_nothing_to_merge():
    app = fine_page("maps", sample())
    assert app.toggle(key="merged__widget").disabled and any("no groups" in one.value for one in app.caption)


def test_highlights_are_in_both_maps_and_what_was_never_selected_is_named():
    made = sample()
    study = sc.open_study(made.sample.store)
    counts = study.selections("lasso").counts
    name, never = study.features[int(counts.argmax())], study.features[int(counts.argmin())]
    assert counts.min() == 0
    app = fine_page("maps", made, explored="lasso", picked=[name, never])
    grid, rectangles = figures(app)
    assert [one for one in grid["layout"]["yaxis"]["ticktext"] if "<b>" in one] == [f"<b>{name}</b>"]
    above = [one["text"] for one in rectangles["layout"]["annotations"] if one["text"]]
    assert f"<b>{name}</b>" in above and sum("<b>" in one for one in above) == 1
    assert any("never selected here" in one.value for one in app.info)
    app.sidebar.multiselect[0].set_value([]).run()
    assert all("<b>" not in json.dumps(figure) for figure in figures(fine(app)))


def test_outer_folds_can_be_left_out(tmp_path):
    app = fine_page("maps", nested(tmp_path))
    assert figures(app)[0]["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 2", "fold 3"]
    assert any("in 12 runs" in one for one in headings(app))
    app.multiselect(key="folds-left-out__widget").select(2).run()
    assert figures(fine(app))[0]["layout"]["xaxis"]["ticktext"] == ["fold 1", "fold 3"]
    assert any("in 8 runs" in one for one in headings(app)) and any("outer fold 2" in one.value for one in app.caption)


def test_other_cardinalities_are_drawn():
    app = fine_page("maps", sample(), explored="random")
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(13).run()
    assert any(one.startswith("**13 of 13 features") and "13 in every run" in one for one in headings(fine(app)))


def test_selections_without_importances_and_hundreds_of_features():
    rng = np.random.default_rng(0)
    matrix = pd.DataFrame((rng.random((12, 400)) < 0.4).astype(int), columns=[f"g{i}" for i in range(400)])
    app = fine_page("maps", brought(matrix))
    assert {one["type"] for one in figures(app)[0]["data"]} >= {"image"} and any("no importances" in one.value for one in app.info)
    app.slider[0].set_value((1, 50)).run()
    assert {one["type"] for one in figures(fine(app))[0]["data"]} >= {"heatmap", "bar"}


def test_the_table_behind_the_grid_is_made_when_it_is_opened():
    app = fine_page("maps", sample())
    assert not app.dataframe and any(one.label == "The numbers behind this picture" for one in app.expander)


@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_controls_of_maps(order):
    app = fine_page("maps", sample())
    app.selectbox(key="explored__widget").select("Boosted stumps (GBM)").run()
    app.selectbox(key="order__widget").set_value(order).run()
    app.slider(key="pieces__widget").set_value(5).run()
    fine(app)
    assert app.session_state["explored"] == "Boosted stumps (GBM)"
    app.switch_page("pages/groups.py").run()
    assert app.selectbox(key="explored__widget").value == "Boosted stumps (GBM)", "the choice goes from page to page"


def test_importances_that_another_number_would_change_are_not_drawn(tmp_path):
    file = study_file(tmp_path / "rfe.stab", patients(), ["logistic_rfe", "mim"], sc.Subsample(4, test_size=0.3))
    asked = {"cardinality_free": True, "cardinality": 3}
    for page, words in (("maps", "Every selected feature counts the same here"), ("passport", ": the importances")):
        assert words in said(fine_page(page, studied(file), **asked)), page
        assert "known for the 2 that the study selected" in said(fine_page(page, studied(file), **asked))
        assert words not in said(fine_page(page, studied(file)))
    app = fine_page("stability", studied(file), **asked)
    assert "known for the 2 that the study selected" in said(app)


def test_colours_tell_the_way_only_where_the_table_is_at_hand_and_on_request():
    app = fine_page("maps", sample("alzheimer_ad"))
    assert "higher in" not in json.dumps(figures(app)[0])
    app.toggle(key="ways__widget").set_value(True).run()
    assert "higher in" in json.dumps(figures(fine(app))[0])
    alone = fine_page("maps", brought(pd.DataFrame([[1, 1, 0], [1, 0, 1]], columns=["a", "b", "c"])))
    assert alone.toggle(key="ways__widget").disabled and "needs the table" in alone.toggle(key="ways__widget").help
