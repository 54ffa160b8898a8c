"""What if?: what is drawn stands in the frame, each value is measured again, each click finds its row."""

import numpy as np
import pandas as pd
import pytest
from support import random_selection

import stabcore as sc
from stabcore.analysis.cautions import chance_share
from stabcore.figures import influence as pairs_module
from stabcore.figures import thresholds, whatif
from stabcore.figures.style import REST
from stabcore.relation.scenario import Scenario

D, NAMES = 8, list("abcdefgh")


def runs(seed=0, M=6):
    return sc.Preferences.from_selection_matrix(random_selection(np.random.default_rng(seed), M, D, low=2, high=5), NAMES)


def same(M=4):
    return sc.Preferences.from_selection_matrix(np.ones((M, D), dtype=int), NAMES)


def groups():
    return sc.Relation.from_groups({"one": ["a", "b", "c"], "two": ["d", "e"], "<b>three": ["f", "g"]}, features=NAMES)


def effective(some, relation):
    return sc.stability(some, "effective", relation=relation).value


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.normal(size=(30, 2)) @ rng.normal(size=(2, D)) + 0.5 * rng.normal(size=(30, D)), columns=NAMES)


# ---- thresholds ----

@pytest.fixture
def curves(table):
    return thresholds.frame_thresholds({"lasso": runs(0), "<i>gbm": runs(1)}, sc.whatif.CorrelationBins.of(table))


def test_curves_are_drawn_as_they_stand_in_the_frame_and_clicks_give_thresholds(curves):
    figure = thresholds.draw_thresholds(curves, 0.62)
    *lines, leaders, names = figure.data
    assert [one.name for one in lines] == ["lasso", "&lt;i&gt;gbm"] == list(names.text)
    for one, name in zip(lines, ("lasso", "<i>gbm")):
        own = curves[curves["selector"] == name]
        np.testing.assert_allclose(one.y, own["value"], rtol=1e-6)
        np.testing.assert_allclose(one.x, own["threshold"], atol=1e-7)
    ends = curves.groupby("selector", sort=False)["value"].last()
    assert leaders.x[::3] == (1, 1) and list(leaders.y[::3]) == ends.tolist() and leaders.y[1::3] == tuple(names.y)
    assert set(leaders.x[1::3]) == set(names.x) and 1 < names.x[0] < figure.layout.xaxis.range[1]
    assert figure.layout.shapes[0].x0 == 0.62


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
                    "From |ρ| = 0.600 on, b lies above a as measured.",
                    "From |ρ| = 0.300 to 0.500, a lies above b as measured; then the other way round."]
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
    times = sum(int(one.split(" times ")[0].split()[-1]) if " times " in one else 1 for one in said)
    assert len(said) < times and inside <= times <= inside + thresholds.SENTENCES and inside > 10
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


# ---- pairs ----

def test_cells_hold_the_most_influential_pairs_below_the_diagonal():
    all_pairs = sc.whatif.influence(runs(), groups())
    cells = pairs_module.frame_influence(all_pairs, most=4)
    assert (cells["place_a"] > cells["place_b"]).all() and cells["place_a"].max() == 4
    first = all_pairs.iloc[0]
    assert {cells["feature_a"][0], cells["feature_b"][0]} == {first["feature_a"], first["feature_b"]}
    known = all_pairs.set_index([all_pairs["feature_a"], all_pairs["feature_b"]])["derivative"]
    for one in cells.itertuples():
        assert one.derivative == known.get((one.feature_a, one.feature_b), known.get((one.feature_b, one.feature_a)))
    figure = pairs_module.draw_influence(cells, (first["feature_b"], first["feature_a"]), [first["feature_a"]])
    heat, clicks, ring = figure.data
    for row, one in cells.iterrows():
        assert heat.z[one["place_a"] - 1][one["place_b"] - 1] == pytest.approx(one["change"], rel=1e-5)
        assert (clicks.x[row], clicks.y[row], clicks.customdata[row]) == (one["place_b"], one["place_a"], row)
    assert np.isnan(heat.z).sum() == 16 - len(cells) and len(ring.x) == 1
    assert [one for one in figure.layout.yaxis.ticktext if one.startswith("<b>")] == [f"<b>{first['feature_a']}</b>"]


def test_the_change_is_that_of_a_small_step_scaled_up():
    some, C, step = runs(), groups(), 1e-6
    all_pairs = sc.whatif.influence(some, C)
    now = effective(some, C)
    for one, change in zip(all_pairs.itertuples(), all_pairs["change"]):
        related = one.value == 1
        moved = effective(some, C.edited({(one.feature_a, one.feature_b): 1 - step if related else step}))
        assert (moved - now) / step == pytest.approx(change, rel=1e-3, abs=1e-5)


def test_pairs_in_words():
    row = {"feature_a": "a", "feature_b": "b", "change": 0.012, "value": 0.5}

    def said(**other):
        return pairs_module.sentence_pair(pd.Series(row | other))

    assert said() == "If a and b stood for each other, stability would rise by about 0.012."
    assert said(value=1.0, change=-0.024) == "If a and b no longer stood for each other, stability would fall by about 0.024."
    assert said(change=1e-6).endswith("would hardly move.")
    assert "undefined" in said(change=np.nan)


def test_no_pair_with_an_influence_can_be_drawn():
    none = sc.whatif.influence(same(), groups())
    assert "no pair" in pairs_module.finding_influence(none).lower()
    assert len(pairs_module.draw_influence(pairs_module.frame_influence(none)).data[1].x) == 0


def test_the_ranked_list_moves_the_stability_by_each_pair_and_clicks_give_its_row():
    found, some = sc.whatif.influence(runs(), groups()), effective(runs(), groups())
    frame = pairs_module.frame_ranked(found, some)
    assert frame["before"].eq(some).all() and frame["after"].tolist() == pytest.approx((some + frame["change"]).tolist())
    assert frame["change"].tolist() == found["change"].head(len(frame)).tolist()
    half = float(frame["change"].abs().median())
    figure = pairs_module.draw_ranked(frame, half, (frame["feature_b"][0], frame["feature_a"][0]), [frame["feature_a"][0]])
    points = [one for one in figure.data if one.mode == "markers"]
    seen = {row: (x, colour) for one in points[1::2] for row, x, colour in zip(one.customdata, one.x, one.marker.color)}
    assert {row: x for row, (x, _) in seen.items()} == pytest.approx(frame["after"].to_dict())
    assert {row for row, (_, colour) in seen.items() if colour == REST} == set(frame.index[frame["change"].abs() <= half])
    names = [one.text for one in figure.layout.annotations]
    assert names[0] == f"<b>{frame['feature_a'][0]}</b> – {frame['feature_b'][0]}" and len(names) == len(frame)


def test_what_is_within_the_interval_is_dim_and_nothing_here_matters():
    some, C = runs(), groups()
    effects, movers, pairs = whatif.frame_effects(some, C), whatif.frame_movers(some, C), sc.whatif.influence(some, C)
    parts = whatif.frame_parts(some, C)
    wide = 1 + max(pairs["change"].abs().max(), movers["change"].abs().max())
    for said in (whatif.finding_effects(effects, wide), whatif.finding_movers(movers, wide),
                 whatif.finding_parts(parts, "run", wide), pairs_module.finding_influence(pairs, wide)):
        assert said.startswith("Nothing here matters: no ") and f"± {wide:.3f}" in said
    drawn = (whatif.draw_effects(effects, wide), whatif.draw_movers(movers, half=wide), whatif.draw_parts(parts, "run", half=wide))
    for figure in drawn:
        assert {colour for one in figure.data if one.x[0] is not None for colour in one.marker.color} == {REST}
        assert len(figure.layout.shapes) >= 1
    none = float("nan")
    assert REST not in {colour for one in whatif.draw_effects(effects, none).data[:2] for colour in one.marker.color}
    assert whatif.finding_effects(effects, none) == whatif.finding_effects(effects)


# ---- groups ----

def test_effects_are_ordered_drawn_and_measured_again():
    some, C = runs(), groups()
    frame = whatif.frame_effects(some, C)
    size = frame[["effect_alone", "effect_last"]].abs().max(axis=1)
    assert size.is_monotonic_decreasing
    none, every = effective(some, C.with_groups([])), effective(some, C)
    for one in frame.itertuples():
        others = [name for name in C.group_names if name != one.group]
        assert one.effect_alone == pytest.approx(effective(some, C.with_groups([one.group])) - none)
        assert one.effect_last == pytest.approx(every - effective(some, C.with_groups(others)))
    assert frame.attrs["none"] == pytest.approx(none) and frame.attrs["all"] == pytest.approx(every)
    figure = whatif.draw_effects(frame)
    assert list(figure.data[1].x) == list(frame["effect_alone"][::-1]) and list(figure.data[0].customdata) == [2, 1, 0]
    assert all("<b>" not in one for one in figure.layout.yaxis.ticktext)
    assert whatif.finding_effects(frame).startswith(f"{frame['group'][0]} matters most")
    assert "undefined" in whatif.finding_effects(whatif.frame_effects(same(), C))


def test_only_some_groups_also_drop_what_was_set_inside_the_others():
    edits = (("a", "b", 0.3), ("d", "e", 0.4), ("a", "d", 0.5), ("f", "g", 0.6))
    scenario = Scenario("groups", {"one": ["a", "b", "c"], "two": ["d", "e"]}, edits=edits)
    kept = scenario.with_only(["two"])
    assert kept.groups == {"two": ["d", "e"]} and kept.edits == (("d", "e", 0.4), ("a", "d", 0.5), ("f", "g", 0.6))
    C = scenario.build(tuple(NAMES))
    index = np.arange(D)
    assert (kept.build(tuple(NAMES)).block(index) == C.with_groups(["two"]).block(index)).all()


# ---- leaving out ----

def test_movers_are_drawn_with_their_rows_and_highlights():
    frame = whatif.frame_movers(runs(), groups())
    figure = whatif.draw_movers(frame, ["a"])
    drawn = {int(row): x for one in figure.data for row, x in zip(one.customdata, one.x)}
    assert drawn == {i: frame["change"][i] for i in range(len(frame))}
    assert f"Without {frame['feature'][0]}," in whatif.finding_movers(frame)
    assert [one for one in figure.layout.yaxis.ticktext if one.startswith("<b>")] == ["<b>a</b>"]


def test_each_run_and_each_fold_is_left_out_in_turn():
    some, C, folds = runs(), groups(), [1, 1, 2, 2, 2, 4]
    every = effective(some, C)
    single = whatif.frame_parts(some, C, numbers=[3, 4, 5, 8, 9, 10])
    assert list(single["part"]) == [3, 4, 5, 8, 9, 10]
    for i, value in enumerate(single["value"]):
        assert value == pytest.approx(effective(some.take([j for j in range(6) if j != i]), C))
    outer = whatif.frame_parts(some, C, folds=folds)
    assert list(outer["part"]) == [1, 2, 4]
    for fold, value, change in zip(outer["part"], outer["value"], outer["change"]):
        assert value == pytest.approx(effective(some.take([j for j in range(6) if folds[j] != fold]), C))
        assert change == pytest.approx(value - every)
    figure = whatif.draw_parts(outer, "outer fold")
    assert list(figure.data[0].y) == list(outer["value"]) and figure.layout.shapes[0].y0 == pytest.approx(every)
    top = outer.loc[outer["change"].abs().idxmax()]
    assert f"Without outer fold {top['part']}" in whatif.finding_parts(outer, "outer fold")


def test_a_fold_that_leaves_one_run_says_so():
    frame = whatif.frame_parts(runs(M=3), groups(), folds=[1, 1, 2])
    assert frame["reason"][0] == "fewer than two runs would be left" and np.isnan(frame["value"][0])
    assert frame["reason"][1] == ""


def test_what_is_undefined_is_said_and_drawn_as_nothing():
    movers, single = whatif.frame_movers(same(), groups()), whatif.frame_parts(same(), groups())
    assert movers["change"].isna().all() and (movers["reason"] != "").all() and "undefined" in whatif.finding_movers(movers)
    assert single["change"].isna().all() and (single["reason"] != "").all() and "undefined" in whatif.finding_parts(single, "run")
    whatif.draw_movers(movers), whatif.draw_parts(single, "run")
    steady = sc.Preferences.from_selection_matrix(np.tile([1, 1, 0, 0, 0, 0, 0, 0], (4, 1)), NAMES)
    assert whatif.finding_parts(whatif.frame_parts(steady, sc.Relation.identity(D)), "run") == "No single run moves the stability."
