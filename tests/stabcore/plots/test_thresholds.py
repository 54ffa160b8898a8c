"""Curves of effective stability by similarity threshold: figures, doubtful thresholds and sentences."""

import numpy as np
import pandas as pd
import pytest
from every_figure_support import beside_floors
from figure_support import drawn, numbers
from snapshot_support import check_snapshot
from support import random_selection
from whatif_support import NAMES, D, runs

import stabcore as sc
from stabcore.analysis.similarity_warnings import chance_share
from stabcore.analysis.whatif.thresholds import BEHIND, LEADS, TIED, doubtful_thresholds
from stabcore.plots import noise_floor, small_multiples, thresholds


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.normal(size=(30, 2)) @ rng.normal(size=(2, D)) + 0.5 * rng.normal(size=(30, D)), columns=NAMES)


@pytest.fixture
def curves(table):
    by_label = {"lasso": runs(0), "<i>gbm": runs(1)}
    shuffled = {label: [runs(seed) for seed in range(2, 7)] for label in by_label}
    return thresholds.frame_thresholds(by_label, sc.whatif.CorrelationBins.of(table), shuffled, level=0.95)


def test_doubtful_thresholds_are_found_and_described(table):
    bins = sc.whatif.CorrelationBins.of(table)
    sized = {
        name: sc.Selections.from_matrix(random_selection(np.random.default_rng(seed), 6, D, low=3, high=3), NAMES)
        for seed, name in enumerate(("lasso", "gbm"))
    }
    frame = doubtful_thresholds(sized, bins)
    for row in frame.itertuples():
        C = sc.Similarity.from_correlation(table, threshold=row.threshold)
        values = np.linalg.eigvalsh(C.block(np.arange(D)))
        assert row.negative == pytest.approx(-values[values < -1e-9].sum() / np.abs(values).sum(), abs=1e-9)
        assert row.left == pytest.approx(chance_share(C, sized["lasso"].sizes))
    assert frame["doubtful"].tolist() == ((frame["left"] < 0.05) | (frame["negative"] > 0.25)).tolist() and frame["doubtful"][0]
    last = frame.loc[frame["doubtful"], "threshold"].max()
    assert thresholds.readable_threshold(frame) == pytest.approx(min(last + 0.02, 0.9))
    assert thresholds.readable_threshold(frame, 0.0) == 0.0
    assert f"{last:.2f}" in thresholds.describe_doubtful(frame) and thresholds.describe_doubtful(frame.assign(doubtful=False)) == ""


def test_threshold_curves_draw_the_frame_with_noise_floors(curves, table):
    there = noise_floor.frame_beyond({"runs": beside_floors(["lasso", "<i>gbm"])})
    figure = drawn(thresholds.draw_thresholds(curves, 0.62, there, start=0.3))
    for place, name in enumerate(dict.fromkeys(there["selector"])):
        axis, curve = f"x{place + 1 if place else ''}", curves[curves["selector"] == name].set_index("threshold")
        lines = {trace["name"]: trace for trace in figure["data"] if trace.get("xaxis", "x") == axis and trace.get("name")}
        for called, column in (("measured", "value"), ("noise floor", "floor")):
            x = numbers(lines[called]["x"])
            assert x[0] >= 0.3 and x[-1] == 1 and len(x) <= small_multiples.MAX_POINTS + 1
            np.testing.assert_allclose(numbers(lines[called]["y"]), curve.loc[np.round(x, 3), column], rtol=1e-6)
        point = next(trace for trace in figure["data"] if trace.get("xaxis", "x") == axis and trace["mode"] == "markers")
        assert numbers(point["x"]).tolist() == [0.62]
    assert {shape["x0"] for shape in figure["layout"]["shapes"]} == {0.62}


@pytest.mark.parametrize(("low", "high", "is_cut"), [(-0.2, 0.7, False), (-9.0, 0.7, True), (-0.2, 9.0, True)])
def test_areas_are_inside_the_figure_or_it_says_that_they_continue(curves, low, high, is_cut):
    frame = curves.assign(value=0.5, floor=0.1, low=0.4, high=0.6, floor_low=low, floor_high=high)
    there = noise_floor.frame_beyond({"runs": beside_floors(["lasso", "<i>gbm"])})
    figure = thresholds.draw_thresholds(frame, 0.62, there)
    bottom, top = figure.layout.yaxis.range
    assert (bottom <= low and high <= top) is not is_cut
    assert (small_multiples.OUTSIDE in figure.layout.annotations[0].text) is False, "two facets in a row have no space for it"
    many = noise_floor.frame_beyond({"runs": beside_floors(["a", "b", "c"])})
    wide = pd.concat([frame[frame["selector"] == "lasso"].assign(selector=name) for name in "abc"])
    drawn_wide = thresholds.draw_thresholds(wide, 0.62, many)
    assert (small_multiples.OUTSIDE in drawn_wide.layout.annotations[0].text) is is_cut
    assert small_multiples.ordered_rows(wide, many)["selector"].unique().tolist() == list(dict.fromkeys(many["selector"]))


def test_two_numbers_of_a_facet_are_below_its_name(curves):
    beside = beside_floors(["lasso", "<i>gbm"])
    there = noise_floor.frame_beyond({"runs": beside})
    one, two = (thresholds.draw_thresholds(curves, 0.62, there, classic=classic).layout for classic in (None, beside))
    names = [[words for words in layout.annotations if "lasso" in words.text][0] for layout in (one, two)]
    numbers_of = [words for words in two.annotations if "→" in words.text]
    assert names[1].yshift > names[0].yshift == numbers_of[0].yshift and {words.xanchor for words in numbers_of} == {"left"}
    assert two.height > one.height


def test_range_above_the_shuffles_includes_the_chosen_threshold(curves):
    there = beside_floors(["lasso", "<i>gbm"]).assign(value=0.9, beyond=0.8, floor=0.1, floor_sd=0.02, clear=True)
    beyond, at = noise_floor.frame_beyond({"runs": there}), curves["threshold"].round(6)
    above = np.where(curves["selector"] == curves["selector"].iloc[0], at >= 0.6, (at >= 0.3) & (at <= 0.9))
    frame = curves.assign(p=np.where(above, 0.04, 0.2))
    sentences = [thresholds.finding_thresholds(there, beyond, chosen, frame=frame) for chosen in (0.7, 0.95)]
    check_snapshot("plots/thresholds", "\n".join([*sentences, thresholds.finding_thresholds(there, beyond, 0.7)]))


def test_sentence_names_the_leaders_at_a_threshold():
    sentences = []
    for p, standings in (
        *(([0.05, 0.05], [LEADS, BEHIND]), ([0.05, 0.05], [TIED, TIED]), ([0.05, 0.4], [TIED, BEHIND])),
        *(([0.4, 0.4], [BEHIND, BEHIND]), ([0.05, 0.4], None), ([np.nan, np.nan], None)),
    ):
        here = pd.DataFrame({"selector": ["A", "B"], "value": [0.4, 0.2], "p": p})
        lead = None if standings is None else pd.DataFrame({"selector": ["A", "B"], "standing": standings})
        sentences.append(thresholds.describe_leading(0.5, 3, here, lead))
    check_snapshot("plots/leading", "\n".join(sentences))
