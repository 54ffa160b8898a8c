"""The floor as it is told and drawn: the closed form, a control, own plans and selections that were brought."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from noise_support import noise_study, simulated

import stabcore as sc
from stabcore.analysis.floors import floors
from stabcore.figures import floor, passport
from stabcore.figures.style import brief
from stabcore.study.results import Results


class Controlled:
    """A result with a control."""

    has_control, features, n_selected, plan, n_runs, ready = True, tuple("abcdef"), 2, sc.Bootstrap(10), 10, ["lasso", "gbm"]
    settings = {"control": 5}

    def floor(self, measure="nogueira", relation=None, k=None):
        return pd.DataFrame({"value": [0.9, 0.8], "floor": [0.5, np.nan], "floor_low": [0.4, np.nan], "floor_high": [0.6, np.nan],
                             "shuffles": [5, 5], "note": ["", "undefined"]}, index=pd.Index(["lasso", "gbm"], name="selector"))

    def entry_of(self, label):
        return None

    def frequency_line(self, label, k=None):
        return 0.6


def test_the_closed_form_moves_with_k_and_the_plan():
    found = simulated(0)
    near, far = (floor.frame_floor(found, k)["floor"][0] for k in (5, 10))
    assert near == pytest.approx(sc.noise_floor(found.plan, 5, 20)) and far == pytest.approx(sc.noise_floor(found.plan, 10, 20))
    assert abs(near - far) > 0.01
    assert floor.frame_floor(found)["floor"][0] == near                          # the study's own k
    assert "about 0.45 with 5 features" in floor.sentence_floor(floor.frame_floor(found), found)


def test_it_moves_with_the_plan(tmp_path):
    found = [noise_study(0, plan=plan, folder=tmp_path / plan.kind) for plan in (sc.Subsample(4, 0.1), sc.Half(2))
             if not (tmp_path / plan.kind).mkdir()]
    assert floor.frame_floor(found[0])["floor"][0] > floor.frame_floor(found[1])["floor"][0] + 0.3


def test_effective_has_a_closed_form_only_where_nothing_is_related():
    found = simulated(0)
    groups = sc.Relation.from_groups({"a": found.features[:2]}, features=found.features)
    alone = sc.Relation.identity(len(found.features), found.features)
    assert floor.frame_floor(found, 5, "effective", groups).empty
    assert floor.frame_floor(found, 5, "effective", alone).equals(floor.frame_floor(found, 5))
    assert "only shuffling" in floor.sentence_floor(floor.frame_floor(found, 5, "effective", groups), found)


def test_selections_that_were_brought_have_none():
    found = Results({"mine": simulated(0).preferences("amber")})
    frame = floor.frame_floor(found, 5)
    assert frame.empty and "nobody knows how they came about" in floor.sentence_floor(frame, found)
    assert floor.sentence_often(found, "mine", np.ones(20)) == ""


def test_floors_that_are_known_are_not_computed_again():
    once = floor.frame_floor(Controlled())
    known = floors(Controlled())
    assert floor.frame_floor(SimpleNamespace(has_control=True), known=known).equals(once)


def test_a_control_is_a_tick_for_each_selector_or_a_band_for_one():
    frame = floor.frame_floor(Controlled())
    assert frame["selector"].tolist() == ["lasso"] and frame[["low", "high"]].iloc[0].tolist() == [0.4, 0.6]
    said = floor.sentence_floor(frame, Controlled())
    assert said == "Without any signal (outcome shuffled 5 times) the stability of these selectors comes to 0.50."
    shapes = floor.draw_floor(frame).layout.shapes
    assert [(one.y0, one.y1) for one in shapes] == [(0.4, 0.6), (0.5, 0.5)] and shapes[1].name == "without any signal: 0.50"
    two = pd.concat([frame, frame.assign(selector="gbm", floor=0.1)])
    ticks = floor.draw_floor(two, axis="x", at={"lasso": 0.7, "gbm": 0.8}).data
    assert [(one.x[0], one.y[0], one.showlegend) for one in ticks] == [(0.5, 0.7, True), (0.1, 0.8, False)]


def test_how_many_come_often_is_told_beside_how_many_would_without_signal():
    found, often = simulated(0), np.r_[np.ones(4), np.zeros(16)]
    expected = floor.expected_often(found, 5, 0.9, found.n_runs)
    assert 0 < expected < 5
    assert floor.sentence_often(found, "amber", often, 5) == (
        f"4 features come in at least 90% of the runs; without any signal about {expected:.0f} of 20 would.")
    assert floor.sentence_often(Controlled(), "lasso", np.array([0.7, 0.6])) == (
        "With the outcome shuffled no feature came in more than 60% of the runs; here 1 does; without any signal the first "
        "feature of a selector does so in up to 1 of 6 tables.")


def test_the_frequency_of_a_feature_has_a_line_to_pass():
    table = pd.DataFrame({"selector": ["lasso", "gbm"], "frequency": [0.9, 0.2]})
    frame = passport.frame_frequency(table, Controlled())
    assert frame["line"].tolist() == [0.6, 0.6]
    assert passport.sentence_line(frame, Controlled(), "a") == (
        "In the runs of lasso it comes more often than any feature did with the outcome shuffled; without any signal the first "
        "feature of a selector does so in up to 1 of 6 tables.")
    marks = passport.draw_frequency(frame).data[1]
    assert list(marks.x) == [0.6, 0.6]
    without = passport.frame_frequency(table, simulated(0))
    assert without["line"].isna().all() and len(passport.draw_frequency(without).data) == 1
    assert "would come in 90% of a filter's runs or more" in passport.sentence_line(without, simulated(0), "a", 5)


def test_an_own_plan_that_does_not_say_what_its_runs_share_has_none():
    found = SimpleNamespace(has_control=False, plan=sc.Bootstrap(4), features=tuple("abcd"), n_selected=2, n_runs=4)
    from stabcore.errors import InputError

    class Silent:
        def shared_rows(self):
            raise InputError("The own plan does not say.")

    found.plan = Silent()
    assert floor.frame_floor(found, 2).empty and np.isnan(floor.expected_often(found, 2, 0.9, 4))


@pytest.mark.parametrize("measure", ["jaccard", "rbo", "importance_pearson"])
def test_other_measures_have_no_closed_form(measure):
    if measure in sc.measures().index:
        assert floor.frame_floor(simulated(0), 5, measure).empty


def test_a_range_that_holds_in_part_is_drawn_there_alone():
    frame = pd.DataFrame([("", 0.4, 0.3, 0.5, 0)], columns=["selector", "floor", "low", "high", "shuffles"])
    band, = floor.draw_floor(frame, reach=(0.8, 1)).layout.shapes
    assert (band.x0, band.x1, band.y0, band.y1, band.xref) == (0.8, 1, 0.3, 0.5, None)


def test_names_are_brief_where_that_names_one_alone():
    names = ["Mutual information (MIM)", "mRMR", "Joint (JMI)", "Other (JMI)", "Random ranking (baseline)", "<b> (x1)",
             "07 auc + lasso"]
    assert list(brief(names).values()) == ["MIM", "mRMR", "Joint (JMI)", "Other (JMI)", "Random ranking", "x1", "07"]
