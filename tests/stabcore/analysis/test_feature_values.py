"""Values of a feature by outcome: every recorded row once, medians with exact intervals, shares of levels."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import stabcore as sc
from stabcore.analysis.feature_values import feature_values, level_shares
from stabcore.glossary.headings import readable_frame
from stabcore.plots.feature_values import draw_feature_values, draw_values, frame_feature_values, frame_values, table_values


def table(n=60, seed=3):
    rng = np.random.default_rng(seed)
    outcome = np.repeat(["control", "sick"], [n, n // 2])
    marker = rng.normal(size=len(outcome)) + (outcome == "sick")
    marker[:3] = np.nan
    colours = rng.choice(["red", "green", "blue"], len(outcome))
    return pd.DataFrame({"marker": marker, "colour": colours, "outcome": outcome, "other": rng.normal(size=len(outcome))})


def test_every_recorded_row_is_one_dot_in_the_lane_of_its_class():
    frame = table()
    dots, summary = feature_values(sc.Dataset.from_frame(frame, target="outcome"), "marker")
    summary = summary.set_index("group")
    for group, rows in frame.dropna().groupby("outcome"):
        assert np.allclose(np.sort(rows["marker"]), dots.loc[dots["group"] == group, "value"])
        assert summary.loc[group, ["rows", "class_median"]].tolist() == pytest.approx([len(rows), rows["marker"].median()])
    assert dots["offset"].between(-1, 1).all() and not dots.duplicated(["group", "value", "offset"]).any()


def test_facets_count_rows_of_a_class_if_all_features_have_them():
    data = sc.Dataset.from_frame(table(), target="outcome")
    for features, rows in ((["other", "marker"], ["control", "sick"]), (["other"], ["control<br>60", "sick<br>30"])):
        frame = frame_values(data, features)
        assert list(draw_values(frame).layout.yaxis.ticktext) == rows
    assert list(readable_frame(table_values(frame)).columns)[-3:] == ["Median", "From", "To"]


def test_the_interval_of_a_median_hides_no_dot():
    data = sc.Dataset.from_frame(table(20), target="outcome")
    for figure in (draw_feature_values(frame_feature_values(data, "marker")), draw_values(frame_values(data, ["marker"]))):
        dots, lines = ([trace for trace in figure.data if trace.mode == mode] for mode in ("markers", "lines"))
        intervals = [trace.y[0] for trace in lines if trace.y[0] == trace.y[1]]
        assert len(dots) == len(intervals) == 2
        for lane in dots:
            assert min(abs(y - at) for y in lane.y for at in intervals) > 0.05
        assert all(min(lane.y) > at for lane, at in zip(dots, intervals, strict=True))


@pytest.mark.parametrize("n", [20, 61])
def test_intervals_of_medians_end_at_binomial_order_statistics(n):
    values = np.sort(table(n)["marker"].to_numpy()[3:n])
    summary = feature_values(sc.Dataset.from_frame(table(n), target="outcome"), "marker")[1].set_index("group")
    below = int(binom.ppf(0.025, len(values), 0.5))  # slow version: the largest rank whose tail holds at most 2.5%
    while binom.cdf(below - 1, len(values), 0.5) > 0.025:
        below -= 1
    assert np.isclose(summary.loc["control", "low"], values[below - 1])
    assert np.isclose(summary.loc["control", "high"], values[len(values) - below])


def test_intervals_of_medians_cover():
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(80):
        frame = pd.DataFrame({"marker": rng.exponential(size=80), "outcome": np.repeat(["a", "b"], 40)})
        row = feature_values(sc.Dataset.from_frame(frame, target="outcome"), "marker")[1].iloc[0]
        hits += row["low"] <= np.log(2) <= row["high"]
    assert 0.9 <= hits / 80 < 1


def test_intervals_of_medians_cover_if_patients_have_several_rows():
    """30 patients with four similar rows each. Counted as 120 patients, the interval covered in 68 of 100 tables."""
    rng, hits, patient = np.random.default_rng(6), 0, np.repeat(np.arange(60), 4)
    for _ in range(80):
        marker = 0.9 * rng.normal(size=60)[patient] + 0.4 * rng.normal(size=240)
        frame = pd.DataFrame({"marker": marker, "outcome": np.where(patient < 30, "a", "b"), "patient": patient.astype(str)})
        row = feature_values(sc.Dataset.from_frame(frame, target="outcome", same_patient="patient"), "marker")[1].iloc[0]
        hits += row["low"] <= 0 <= row["high"]
    assert 0.9 <= hits / 80 <= 1


def test_shares_of_levels_add_up_in_each_class():
    frame = table()
    shares = level_shares(sc.Dataset.from_frame(frame, target="outcome"), "colour")
    assert np.allclose(shares.groupby("group")["share"].sum(), 1)
    counts = frame.groupby(["outcome", "colour"]).size()
    assert all(counts[row.group, row.level] == row.count_ for row in shares.rename(columns={"count": "count_"}).itertuples())


def test_numeric_outcomes_and_wrong_arguments():
    frame = table().assign(outcome=np.linspace(0, 1, 90))
    data = sc.Dataset.from_frame(frame, target="outcome")
    dots, summary = feature_values(data, "marker")
    assert summary.empty and len(dots) == frame["marker"].notna().sum()
    for ask, name in ((feature_values, "unknown"), (feature_values, "colour"), (level_shares, "marker")):
        with pytest.raises(sc.InputError):
            ask(data, name)
