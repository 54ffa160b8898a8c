"""Figure of each selector with its noise floor: rows, drawing, sentences, and the floor in other figures."""

import numpy as np
import pandas as pd
import pytest
from every_figure_support import beside_floors
from figure_support import KEYS, drawn, numbers, table
from noise_support import noise_study
from scipy.stats import t as student

import stabcore as sc
from stabcore.analysis.noise_floors import is_any_beyond_floor, pairs_beyond_floors
from stabcore.base.text import counted
from stabcore.plots import estimates, noise_floor
from stabcore.plots.estimates import format_estimate
from stabcore.plots.feature_profile import draw_frequency, frame_frequency
from stabcore.plots.noise_floor import describe_frequencies
from stabcore.plots.style import PAPER

LABELS = ["mim", "mrmr", "lasso", "variance", "random"]
BLIND = ["variance", "random"]


def measured(value, floor, spread=0.03, half=0.02, shuffles=20):
    """A quantity of LABELS with its noise floor, as analysis.noise_floors gives it."""
    value, floor = np.array(value, dtype=float), np.array(floor, dtype=float)
    gap, clear = value - floor, value > floor + spread
    frame = beside_floors(LABELS).assign(value=value, low=value - half, high=value + half, shuffles=shuffles)
    frame = frame.assign(floor=floor, floor_low=floor - spread, floor_high=floor + spread, floor_sd=spread / 2)
    frame = frame.assign(beyond=gap, beyond_low=gap - half, beyond_high=gap + half, floor_se=spread / 2 / np.sqrt(shuffles))
    frame = frame.assign(clear=clear, p=np.where(clear, 1 / (shuffles + 1), 0.4))
    frame.loc[BLIND, ["floor_se", "floor_sd", "beyond_low", "beyond_high"]] = np.nan
    frame.loc[BLIND, "shuffles"] = 0
    return frame


def alzheimer():
    """Values of the bundled study of 33 features, in which mRMR has the highest value and the highest floor."""
    halves = measured([0.33, 0.40, 0.14, 0.9, 0.0], [0.0, 0.30, 0.09, 0.9, 0.0], spread=0.06)
    runs = measured([0.47, 0.471, 0.30, 0.93, 0.0], [0.09, 0.36, 0.14, 0.93, 0.0])
    return noise_floor.frame_beyond(
        {"halves": halves.assign(shared=[15.0, 18, 11, 30, 8], expected_by_chance=8.4, size=33.0), "runs": runs}, BLIND
    )


def test_rows_are_sorted_by_the_headline_value_beyond_the_floor():
    frame = alzheimer()
    assert frame["facet"].unique().tolist() == ["halves", "runs"]
    for _, rows in frame.groupby("facet"):
        assert rows["selector"].tolist() == ["mim", "mrmr", "lasso", "variance", "random"], "baselines last"
    assert noise_floor.headline_rows(frame)["beyond"].round(2).tolist() == [0.33, 0.10, 0.05, 0.0]
    assert noise_floor.table_beyond(frame)["selector"].tolist() == frame["selector"].tolist()[:5], "as the figure"
    assert all(number in noise_floor.describe_shared_features(frame) for number in ("33", "11.0", "18.0", "8.4"))


def test_only_selectors_clearly_above_the_floor_are_compared():
    nothing = noise_floor.frame_beyond({"runs": measured([0.1, 0.36, 0.12, 0.9, 0], [0.09, 0.35, 0.13, 0.9, 0])}, BLIND)
    sentence = noise_floor.finding_beyond(nothing)
    assert not any(name in sentence for name in LABELS) and not any(character.isdigit() for character in sentence)
    lasso_alone = nothing.assign(clear=nothing["selector"] == "lasso")
    assert "lasso" in noise_floor.finding_beyond(lasso_alone) and "1 of 20" in noise_floor.finding_beyond(lasso_alone)
    unknown = nothing.assign(shuffles=0, clear=False, floor=np.nan, beyond=np.nan)
    assert not any(name in noise_floor.finding_beyond(unknown) for name in LABELS)
    assert list(noise_floor.table_beyond(unknown)) == ["selector", "value"]


def test_noise_floor_figure_draws_the_frame():
    frame = alzheimer()
    figure = drawn(noise_floor.draw_beyond(frame))
    names = figure["layout"]["yaxis"]["ticktext"]
    assert names == ["mim", "mrmr", "lasso", "variance"] and figure["layout"]["yaxis"]["tickvals"] == [3, 2, 1, 0]
    for axis, facet in (("x", "halves"), ("x2", "runs")):
        rows = frame[(frame["facet"] == facet)].set_index("selector").loc[["mim", "mrmr", "lasso"]]
        block, length, tick = [trace for trace in figure["data"] if trace["xaxis"] == axis][:3]
        assert numbers(block["base"]) == pytest.approx(rows["floor_low"])
        assert numbers(length["base"]) == pytest.approx(rows["floor"])
        assert numbers(block["x"]) == pytest.approx(rows["floor_high"] - rows["floor_low"])
        assert numbers(length["x"]) == pytest.approx(rows["beyond"]) and numbers(tick["x"]) == pytest.approx(rows["floor"])
        for points in [trace for trace in figure["data"] if trace["xaxis"] == axis and "error_x" in trace]:
            clear = points["marker"]["color"] != PAPER
            shown = frame[(frame["facet"] == facet) & (frame["clear"] == clear) & (frame["selector"] != "random")]
            assert numbers(points["x"]) == pytest.approx(shown["value"])
    written = [annotation["text"] for annotation in figure["layout"]["annotations"]]
    assert "<b>+.33</b>" in written and "+.05" in written, "bold where clear"
    shown = [trace for trace in figure["data"] if trace.get("showlegend")]
    assert len({trace["name"] for trace in shown}) == len(shown) == 4, "one legend for all facets"
    assert any("95% interval" in str(trace.name) for trace in noise_floor.draw_beyond(frame.assign(clear=False)).data)


def test_numbers_and_estimates_are_formatted():
    assert [estimates.format_number(number, sign=True) for number in (0.384, -0.05, 1.25, 0.0)] == ["+.38", "−.05", "+1.25", "+.00"]
    assert [estimates.format_number(number, digits=1) for number in (0.0, 0.5, -0.5, 1.0)] == ["0", ".5", "−.5", "1.0"]
    assert format_estimate(0.5, 0.4, 0.612) == "0.50 [0.40, 0.61]" and format_estimate(0.5, np.nan, np.nan) == "0.50"
    assert format_estimate(np.nan, np.nan, np.nan) == "undefined" and format_estimate(-0.001, -0.004, 0.002) == "0.00 [0.00, 0.00]"


def test_pairs_are_compared_beyond_their_floors():
    frame = measured([0.5, 0.6, 0.2, 0.9, 0], [0.1, 0.5, 0.1, 0.9, 0]).reset_index()
    pairs = pairs_beyond_floors(frame).set_index(["first", "second"])
    row = pairs.loc[("mim", "mrmr")]
    assert row["difference"] == pytest.approx(0.3) and row["high"] - row["low"] == pytest.approx(2 * np.hypot(0.02, 0.02))
    assert row["p_holm"] < 0.001 < 0.9 < pairs.loc[("mrmr", "lasso"), "p_holm"]
    assert np.isnan(pairs.loc[("mim", "variance"), "p_value"])


def test_many_selectors_do_not_raise_false_alarms():
    """All values are like shuffles. Tested one by one, some of seven are clear in far more than 5 of 100 tables."""
    rng, shuffles, tables = np.random.default_rng(0), 20, 500
    values = rng.normal(size=(tables, 7, shuffles + 1))
    first, floors = values[..., 0], values[..., 1:]
    alone = first > floors.max(axis=2)
    columns = {"value": first, "floor": floors.mean(axis=2), "floor_sd": floors.std(axis=2, ddof=1), "clear": alone}
    frames = (pd.DataFrame({name: of[i] for name, of in columns.items()}).assign(shuffles=shuffles) for i in range(tables))
    edge = student.ppf(0.95, 19) * np.sqrt(21 / 20)
    for value in (edge - 1e-6, edge + 1e-6):
        one = pd.DataFrame({"value": [value], "floor": 0.0, "floor_sd": 1.0, "clear": True, "shuffles": 20})
        assert is_any_beyond_floor(one) == (value > edge)
    assert alone.any(axis=1).mean() > 0.2 and 0.02 <= np.mean([is_any_beyond_floor(frame) for frame in frames]) <= 0.08


def test_a_frequency_exceeds_shuffles_if_its_whole_interval_does(monkeypatch, tmp_path):
    """With 10 patients in a class, some frequency alone was above all shuffles in 11% of 300 studies without signal."""
    study = noise_study(1, "known", ("mim",), plan=sc.ComplementaryPairs(10), folder=tmp_path, n_permutations=20)
    table = sc.panel(study, with_substitutes=False)
    first = table.iloc[0]
    for line in (first["low"] - 0.001, (first["low"] + first["frequency"]) / 2):
        monkeypatch.setattr(type(study), "frequency_line", lambda *_, line=line: line)
        count = int((table["low"] > line).sum())
        often = frame_frequency(pd.DataFrame({"selector": ["mim"], "frequency": first["frequency"]}), study)
        assert describe_frequencies(study, "mim").startswith(counted(count, "feature") if count else "No feature")
        assert often["clear"].tolist() == [first["low"] > line] and first["frequency"] > line
    monkeypatch.setattr(type(study), "frequency_line", lambda *_: 1.0)
    assert "can also reach 100%" in describe_frequencies(study, "mim")  # no frequency is above it


def test_a_selector_that_ignores_the_outcome_is_not_judged_by_shuffles(tmp_path):
    study = noise_study(1, "known", ("mim", "random"), plan=sc.ComplementaryPairs(5), folder=tmp_path, n_permutations=2)
    frame = frame_frequency(pd.DataFrame({"selector": ["mim", "random"], "frequency": [0.0, 1.0]}), study)
    assert frame["line"].isna().tolist() == [False, True] and not frame["clear"].any()
    marks = {trace["name"]: trace["marker"]["symbol"] for trace in drawn(draw_frequency(frame))["data"]}
    assert marks["outcome ignored"] == "x-thin" and "circle" in marks.values()


@pytest.mark.parametrize(
    ("selectors", "n_permutations", "why"),
    [(["mim"], 2, noise_floor.NOT_FINISHED), (["mim"], 0, noise_floor.NOT_MEASURED), (["random"], 2, noise_floor.NOT_MEASURED)],
)
def test_a_planned_control_is_not_called_missing(selectors, n_permutations, why):
    X = np.random.default_rng(0).normal(size=(30, 5))
    study = sc.Study(X, np.arange(30) % 2, selectors, plan=sc.ComplementaryPairs(5), k=2, n_permutations=n_permutations)
    assert noise_floor.describe_unknown_floor(study.run(n_jobs=1)) == why


def test_table_of_measures_includes_noise_floors():
    made = table(["a", "b"])
    floors = pd.DataFrame({"floor": [0.3, np.nan], "floor_low": [0.2, np.nan], "floor_high": [0.45, np.nan]}, index=["a", "b"])
    frame = estimates.table_estimates(made, KEYS, {"nogueira": floors})
    assert frame.set_index(["selector", "measure"])["floor"].notna().tolist() == [True, False, False, False]
    wide = estimates.wide_estimates(frame)
    assert wide.shape == (2, 3) and wide.iloc[:, 1].tolist() == ["0.30", "unknown"]
    assert estimates.wide_estimates(estimates.table_estimates(made, KEYS)).shape == (2, 2)
