"""Survival by predicted risk: curves of thirds of the held-out rows, rows at risk, and the sentence."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from survival_support import simulated

from stabcore.analysis.risk_groups import GROUPS, N_COUNTS, _interval, risk_groups
from stabcore.base.errors import InputError
from stabcore.plots.survival import draw_survival, finding_survival, frame_survival
from stabcore.survival.concordance import hazard_contributions, kaplan_meier, kaplan_meier_interval


def held_out_rows(n):
    return np.arange(0, n, 3), np.flatnonzero(np.arange(n) % 3)


def result(n=90, weights=(1.5,), predicts=True, patients=None):
    """Two runs, of which one predicts every third row by the feature itself, and the other one the others."""
    X, target = simulated(np.random.default_rng(0), n, 1, weights)
    held_out = enumerate(held_out_rows(n))
    tasks = [SimpleNamespace(run=run, held_out=rows, probability=X[rows, 0] if predicts else None) for run, rows in held_out]
    about = {"settings": {"data": {"target": ["days", "dead"]}}, "finished_tasks": lambda label: tasks, "patients": patients}
    return SimpleNamespace(target=target, X=X[:, 0], **about)


def test_thirds_are_ranked_within_runs():
    made = result()
    frame = risk_groups(made, "lasso")
    risk = np.empty(90)
    for rows in held_out_rows(90):
        risk[rows] = (np.argsort(np.argsort(made.X[rows])) + 0.5) / len(rows)
    order = np.argsort(risk, kind="stable")
    for group, rows in zip(GROUPS, np.split(order, 3), strict=True):
        curve = frame[frame["group"] == group]
        slow = kaplan_meier(made.target[rows])
        np.testing.assert_allclose(curve["survival"], slow.values)
        assert curve["time"].tolist() == slow.times.tolist() and (curve["rows"] == 30).all()
        estimated = curve.dropna(subset=["low"])
        assert (estimated["low"] < estimated["survival"]).all() and (estimated["survival"] < estimated["high"]).all()
        counts = [group_counts["at_risk"] for group_counts in frame.attrs["counts"] if group_counts["group"] == group]
        assert counts[0] == 30 and len(counts) == N_COUNTS and sorted(counts, reverse=True) == counts
    assert frame.groupby("group")["events"].first().sum() == made.target["event"].sum()


def test_survival_sentence_and_figure_match_the_frame():
    frame = frame_survival(result(), "lasso")
    time = frame.attrs["counts"][N_COUNTS // 2]["time"]
    ends = [frame[(frame["group"] == group) & (frame["time"] <= time)]["survival"].iloc[-1] for group in (GROUPS[2], GROUPS[0])]
    assert all(f"{value:.0%}" in finding_survival(frame) for value in ends) and ends[0] < ends[1]
    figure = draw_survival(frame)
    lines = [trace for trace in figure.data if trace.name]
    assert len(lines) == 3 and lines[0].y[0] == 1 and lines[0].x[0] == 0
    assert len(figure.layout.annotations) == 3 * N_COUNTS


def test_bands_hold_if_patients_have_several_rows():
    """Of 20 patients, each with 1 to 6 rows of one time to the event and own ends. By rows alone, 65% of these bands hold."""
    holds, by_rows = [], []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        who = np.repeat(np.arange(20), rng.integers(1, 7, 20))
        time, end = rng.exponential(size=20)[who], 1.5 * rng.exponential(size=len(who))
        target = np.zeros(len(who), dtype=[("event", bool), ("time", float)])
        target["event"], target["time"] = time <= end, np.minimum(time, end)
        place = np.searchsorted(kaplan_meier(target).times, 0.5, side="right") - 1
        for low, high, found in ((*_interval(target, who), holds), (*kaplan_meier_interval(target), by_rows)):
            found.append(low[place] <= np.exp(-0.5) <= high[place])
    assert 0.9 <= np.mean(holds) <= 0.98 and np.mean(by_rows) < 0.75


def test_the_bands_know_the_patients():
    alone, several = (risk_groups(result(patients=patients), "lasso") for patients in (None, np.arange(90) // 3))
    width = [(frame["high"] - frame["low"]).mean() for frame in (alone, several)]
    assert width[1] > 1.05 * width[0] and alone["survival"].equals(several["survival"])
    pd.testing.assert_frame_equal(risk_groups(result(patients=np.arange(90)), "lasso"), alone)


def test_contributions_to_the_hazard_are_those_of_a_loop():
    target = result(n=40).target
    target["time"] = np.ceil(target["time"] / target["time"].max() * 8)  # ties
    times = np.unique(target["time"])
    for row in range(40):
        for place in range(len(times)):
            value = 0.0
            for earlier in times[: place + 1]:
                at_risk = (target["time"] >= earlier).sum()
                events = (target["event"] & (target["time"] == earlier)).sum()
                value += (target["event"][row] and target["time"][row] == earlier) / at_risk
                value -= (target["time"][row] >= earlier) * events / at_risk**2
            assert hazard_contributions(target)[row, place] == pytest.approx(value)
    assert hazard_contributions(target).sum(axis=0) == pytest.approx(0)


def test_missing_survival_curves_give_a_reason():
    for made in (result(predicts=False), result(n=20), SimpleNamespace(target=np.array([0, 1]), finished_tasks=None)):
        with pytest.raises(InputError):
            risk_groups(made, "lasso")
