"""Threshold curves: what is drawn stands in the frame, a click gives its threshold, what is hard to read is hatched."""

import numpy as np
import pandas as pd
import pytest
from support import random_selection
from whatif_support import NAMES, D, effective, runs

import stabcore as sc
from stabcore.analysis.cautions import chance_share
from stabcore.figures import thresholds


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.normal(size=(30, 2)) @ rng.normal(size=(2, D)) + 0.5 * rng.normal(size=(30, D)), columns=NAMES)


@pytest.fixture
def curves(table):
    return thresholds.frame_thresholds({"lasso": runs(0), "<i>gbm": runs(1)}, sc.whatif.CorrelationBins.of(table))


def test_curves_are_drawn_as_they_stand_in_the_frame_and_clicks_give_thresholds(curves):
    figure = thresholds.draw_thresholds(curves, 0.62)
    *lines, leaders, names = figure.data
    assert [one.name for one in lines] == ["lasso", "&lt;i&gt;gbm"] == list(names.text)
    for one, name in zip(lines, ("lasso", "<i>gbm")):
        own = curves[curves["selector"] == name].set_index(np.float32(curves.loc[curves["selector"] == name, "threshold"]))
        assert 500 <= len(one.x) <= thresholds.DRAWN < len(own)
        np.testing.assert_allclose(one.y, own.loc[one.x, "value"], rtol=1e-6)
        np.testing.assert_allclose(one.x, np.arange(0, 1001, 2) / 1000, atol=1e-7)
    ends = curves.groupby("selector", sort=False)["value"].last()
    assert leaders.x[::3] == (1, 1) and list(leaders.y[::3]) == ends.tolist() and leaders.y[1::3] == tuple(names.y)
    assert set(leaders.x[1::3]) == set(names.x) and 1 < names.x[0] < figure.layout.xaxis.range[1]
    assert figure.layout.shapes[0].x0 == 0.62


@pytest.mark.parametrize("many", [1, 2, 600, 601, 1000, 1799])
def test_a_long_curve_is_drawn_by_every_so_many_points_and_its_last(many):
    drawn = thresholds._thinned(np.arange(many) + 7)
    assert drawn[0] == 7 and drawn[-1] == many + 6 and len(drawn) <= thresholds.DRAWN + 1
    assert len(set(np.diff(drawn[:-1]))) <= 1 and (many > 600 or len(drawn) == many)


def test_the_finding_is_the_value_at_the_chosen_threshold(curves, table):
    C = sc.Relation.from_correlation(table, threshold=0.4)
    values = {name: effective(some, C) for name, some in (("lasso", runs(0)), ("<i>gbm", runs(1)))}
    best, last = sorted(values, key=values.get, reverse=True)
    pairs = pd.DataFrame([{"first": best, "second": last, "difference": 0.2, "p_holm": 0.01}])
    said = thresholds.finding_thresholds(curves, 0.4, pairs)
    assert f"{best} agrees with itself most ({values[best]:.2f}), {last} least ({values[last]:.2f})" in said and "0.40" in said
    assert "no selector clearly agrees" in thresholds.finding_thresholds(curves, 0.4, pairs.assign(p_holm=0.2))
    only = thresholds.finding_thresholds(curves.replace("<i>gbm", "random"), 0.4, pairs)
    assert f"lasso agrees with itself to {values['lasso']:.2f}." in only
    only = curves[curves["selector"] == "lasso"]
    assert thresholds.finding_thresholds(only.assign(value=np.nan), 0.4).endswith("defined.")


def test_what_dives_near_0_does_not_squash_the_picture(curves):
    wild = curves.assign(value=np.where(curves["threshold"] < 0.05, -40.0, 0.5))
    low, high = thresholds.draw_thresholds(wild, 0.5).layout.yaxis.range
    assert low == pytest.approx(-0.05) and high == pytest.approx(1.05)
    thresholds.draw_thresholds(curves.assign(value=np.nan), 0.5)


def test_every_crossing_near_the_chosen_threshold_is_said_the_nearest_first():
    grid = np.arange(11) / 10
    value = {"a": np.full(11, 0.5), "b": np.where((grid < 0.25) | (grid > 0.55), 0.6, 0.4), "c": np.where(grid > 0.85, 0.7, 0.1)}
    frame = pd.concat([pd.DataFrame({"selector": name, "threshold": grid, "value": one}) for name, one in value.items()])
    said = thresholds.sentences_crossings(thresholds.table_crossings(frame), 0.9)
    assert said == ["From |ρ| = 0.900 on, c lies above a as measured.", "From |ρ| = 0.900 on, c lies above b as measured.",
                    "b and a change places 2 times from |ρ| = 0.300 to 0.600; from there on, b lies above a as measured."]
    assert said == thresholds.sentences_crossings(thresholds.table_crossings(frame), 0.9)[:5]
    assert thresholds.sentences_crossings(thresholds.table_crossings(frame), 0.3)[0].startswith("From |ρ| = 0.300 to 0.500")
    assert len(thresholds.table_crossings(frame)) == 4


@pytest.mark.parametrize("rest, said", [
    ([0.6, 0.5, 0.5], "From |ρ| = 0.200 to 0.300, b lies above a as measured; then the two are equal."),
    ([0.5, 0.5, 0.5], "From |ρ| = 0.200 only, b lies above a as measured; then the two are equal."),
    ([0.6, np.nan, np.nan], "From |ρ| = 0.200 to 0.300, b lies above a as measured; then one of them has no value.")])
def test_a_curve_that_ties_or_ends_does_not_stay_above(rest, said):
    grid = np.arange(6) / 10
    frame = pd.concat([pd.DataFrame({"selector": "a", "threshold": grid, "value": 0.5}),
                       pd.DataFrame({"selector": "b", "threshold": grid, "value": [0.4, 0.4, 0.6, *rest]})])
    assert thresholds.sentences_crossings(thresholds.table_crossings(frame), 0.2) == [said]


def test_the_floor_is_drawn_where_no_features_are_related(curves):
    closed = pd.DataFrame([("", 0.4, np.nan, np.nan, 0)], columns=["selector", "floor", "low", "high", "shuffles"])
    line = thresholds.draw_thresholds(curves, 0.5, closed, 0.8).data[-3]
    assert list(line.x) == [0.8, 1] and list(line.y) == [0.4, 0.4] and line.name == "without any signal: 0.40"
    assert len(thresholds.draw_thresholds(curves, 0.5, closed, None).data) == 2 + 2
    shuffled = pd.DataFrame({"selector": ["lasso", "<i>gbm"], "floor": [0.3, 0.5], "low": 0.2, "high": 0.6, "shuffles": 5})
    ticks = thresholds.draw_thresholds(curves, 0.5, shuffled, None).data[2:]
    assert [(one.x[0], one.y[0]) for one in ticks[:-2]] == [(0.5, 0.3), (0.5, 0.5)]


def test_every_crossing_within_a_tenth_is_told_however_many():
    rng = np.random.default_rng(0)
    frame = pd.concat([pd.DataFrame({"selector": name, "threshold": np.arange(101) / 100, "value": rng.random(101)})
                       for name in "abc"])
    crossed = thresholds.table_crossings(frame)
    inside = ((crossed["threshold_low"] <= 0.6) & (crossed["threshold_high"] >= 0.4)).sum()
    said = thresholds.sentences_crossings(crossed, 0.5)
    times = sum(int(one.split(" times ")[0].split()[-1]) for one in said[:3])          # the further ones of two pairs follow
    assert len(said) == thresholds.SENTENCES < inside == times > 10
    assert [" times " in one for one in said] == sorted((" times " in one for one in said), reverse=True)
    assert {tuple(sorted(one.split(" change")[0].split(" and "))) for one in said if " times " in one} == {
        ("a", "b"), ("a", "c"), ("b", "c")}


def test_what_is_hard_to_read_is_hatched_and_said(table):
    bins = sc.whatif.CorrelationBins.of(table)
    sized = {name: sc.Preferences.from_selection_matrix(random_selection(np.random.default_rng(seed), 6, D, low=3, high=3), NAMES)
             for seed, name in enumerate(("lasso", "gbm"))}
    frame = thresholds.table_doubtful(sized, bins)
    for row in frame.itertuples():
        C = sc.Relation.from_correlation(table, threshold=row.threshold)
        values = np.linalg.eigvalsh(C.block(np.arange(D)))
        assert row.negative == pytest.approx(-values[values < -1e-9].sum() / np.abs(values).sum(), abs=1e-9)
        assert row.left == pytest.approx(chance_share(C, sized["lasso"].sizes))
    assert frame["doubtful"].tolist() == ((frame["left"] < 0.05) | (frame["negative"] > 0.25)).tolist() and frame["doubtful"][0]
    curves = thresholds.frame_thresholds({"lasso": runs(0)}, bins)
    hatched = [one for one in thresholds.draw_thresholds(curves, 0.5, hatched=frame).data if one.name == "hard to read"]
    assert len(hatched) == len(thresholds._spans(frame)) > 0 and hatched[0].x[0] == 0
    assert thresholds.sentence_doubtful(frame).startswith("Hatched (|ρ| from 0.00")
    assert thresholds.sentence_doubtful(frame.assign(doubtful=False)) == ""


def test_bands_are_the_intervals_of_the_curves(table):
    bins, own = sc.whatif.CorrelationBins.of(table), {"lasso": runs(0)}
    bands = thresholds.table_bands(own, bins)
    figure = thresholds.draw_thresholds(thresholds.frame_thresholds(own, bins), 0.5, bands=bands)
    shown = bands[bands["threshold"] >= thresholds.WILD]
    upper, lower = figure.data[:2]
    np.testing.assert_allclose(np.array(upper.y, dtype=float), shown["high"])
    np.testing.assert_allclose(np.array(lower.y, dtype=float), shown["low"])


def test_the_histogram_counts_every_pair_once_on_the_axis_of_the_curves(table, curves):
    bins = sc.whatif.CorrelationBins.of(table)
    pairs = thresholds.count_pairs(bins)
    rho = table.corr("spearman").abs().to_numpy()[np.triu_indices(D, 1)]
    assert pairs["pairs"].sum() == len(rho) and pairs["high"].iloc[-1] == pytest.approx(1)
    assert pairs["pairs"].tolist() == [((rho >= low - 1e-9) & ((rho < high - 1e-9) | (high > 0.999))).sum()
                                       for low, high in pairs[["low", "high"]].to_numpy()]
    figure = thresholds.draw_thresholds(curves, 0.5, pairs=pairs)
    bars = next(one for one in figure.data if one.type == "bar")
    assert list(bars.y) == pairs["pairs"].tolist() and bars.yaxis == "y2" and figure.layout.xaxis.anchor == "y2"
    names = next(one.text for one in figure.data if one.type == "scatter" and one.mode == "markers+text")
    assert {"lasso", "&lt;i&gt;gbm"} <= set(names) and not figure.layout.showlegend
