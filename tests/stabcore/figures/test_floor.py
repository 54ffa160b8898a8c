"""The noise floor as it is told and drawn: of a control, of a study without one, of uploaded selections."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
from noise_support import simulated

import stabcore as sc
from stabcore.analysis.floors import floors
from stabcore.figures import feature_profile, noise_floor
from stabcore.figures.names import safe_short_names
from stabcore.inference.control import NO_FLOOR_OF_UPLOADED
from stabcore.study.results import Results


class Controlled:
    """A result with a control."""

    has_control, features, n_selected, plan, n_runs, ready = True, tuple("abcdef"), 2, sc.Bootstrap(10), 10, ["lasso", "gbm"]
    settings = {"control": 5}

    def floor(self, measure="nogueira", relation=None, k=None):
        return pd.DataFrame({"value": [0.9, 0.8], "floor": [0.5, np.nan], "floor_low": [0.4, np.nan], "floor_high": [0.6, np.nan],
                             "shuffles": [5, 5], "note": ["", "undefined"]}, index=pd.Index(["lasso", "gbm"], name="selector"))

    blind = ()

    def frequency_line(self, label, k=None):
        return 0.6


def test_floors_that_are_known_are_not_computed_again():
    once = noise_floor.frame_floor(Controlled())
    known = floors(Controlled())
    assert noise_floor.frame_floor(SimpleNamespace(has_control=True), computed=known).equals(once)


def test_names_are_brief_where_that_names_one_alone():
    names = ["Mutual information (MIM)", "mRMR", "Joint (JMI)", "Other (JMI)", "Random ranking (baseline)", "<b> (x1)",
             "07 auc + lasso"]
    assert list(safe_short_names(names).values()) == ["MIM", "mRMR", "Joint (JMI)", "Other (JMI)", "Random ranking", "x1", "07"]


def test_a_control_is_a_tick_for_each_selector_or_a_band_for_one():
    frame = noise_floor.frame_floor(Controlled())
    assert frame["selector"].tolist() == ["lasso"] and frame[["low", "high"]].iloc[0].tolist() == [0.4, 0.6]
    assert re.findall(r"[0-9.]+\d", noise_floor.describe_floor(frame, Controlled())) == ["0.50"]
    shapes = noise_floor.draw_floor(frame).layout.shapes
    assert [(one.y0, one.y1) for one in shapes] == [(0.4, 0.6), (0.5, 0.5)] and shapes[1].name == "noise floor: 0.50"
    two = pd.concat([frame, frame.assign(selector="gbm", floor=0.1)])
    ticks = noise_floor.draw_floor(two, axis="x", positions={"lasso": 0.7, "gbm": 0.8}).data
    assert [(one.x[0], one.y[0], one.showlegend) for one in ticks] == [(0.5, 0.7, True), (0.1, 0.8, False)]


def test_without_a_control_no_floor_is_drawn_and_it_is_said_why():
    study, uploaded = simulated(0), Results({"mine": simulated(0).preferences("amber")})
    for found, said in ((study, noise_floor.NOT_MEASURED), (uploaded, NO_FLOOR_OF_UPLOADED)):
        assert noise_floor.frame_floor(found, 5).empty and said in noise_floor.describe_floor(noise_floor.frame_floor(found, 5),
                                                                                              found)
        assert noise_floor.describe_frequencies(found, found.ready[0], np.ones(20)) == ""


def test_a_feature_is_counted_beside_the_luckiest_of_the_shuffles():
    said = noise_floor.describe_frequencies(Controlled(), "lasso", np.array([0.7, 0.65, 0.6]))
    assert "60%" in said and " 2 features" in said and "1 of 6" in said
    frame = feature_profile.frame_frequency(pd.DataFrame({"selector": ["lasso", "gbm"], "frequency": [0.9, 0.2]}), Controlled())
    assert frame["line"].tolist() == [0.6, 0.6] and list(feature_profile.draw_frequency(frame).data[1].x) == [0.6, 0.6]
    assert feature_profile.describe_frequency_line(frame, Controlled()).startswith("lasso selects it more often")
    alone = feature_profile.frame_frequency(pd.DataFrame({"selector": ["amber"], "frequency": [0.9]}), simulated(0))
    assert alone["line"].isna().all() and feature_profile.describe_frequency_line(alone, simulated(0)) == ""
