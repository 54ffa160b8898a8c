"""Survival by predicted risk: curves of thirds of the held-out rows, rows at risk, and the sentence."""

from types import SimpleNamespace

import numpy as np
import pytest
from survival_support import simulated

from stabcore.analysis.risk_groups import GROUPS, N_COUNTS, risk_groups
from stabcore.base.errors import InputError
from stabcore.plots.survival import draw_survival, finding_survival, frame_survival
from stabcore.survival.concordance import kaplan_meier


def result(n=90, weights=(1.5,), predicts=True):
    """Two runs, each of which predicts one half of the rows by the feature itself."""
    X, target = simulated(np.random.default_rng(0), n, 1, weights)
    halves = np.arange(0, n, 2), np.arange(1, n, 2)
    outcomes = [
        SimpleNamespace(run=run, held_out=rows, probability=X[rows, 0] if predicts else None) for run, rows in enumerate(halves)
    ]
    return SimpleNamespace(
        target=target, finished_tasks=lambda label: outcomes, settings={"data": {"target": ["days", "dead"]}}, X=X[:, 0]
    )


def test_thirds_are_ranked_within_runs():
    made = result()
    frame = risk_groups(made, "lasso")
    risk = np.empty(90)
    for rows in (np.arange(0, 90, 2), np.arange(1, 90, 2)):
        risk[rows] = np.argsort(np.argsort(made.X[rows]))
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


def test_missing_survival_curves_give_a_reason():
    with pytest.raises(InputError):
        risk_groups(result(predicts=False), "lasso")
    with pytest.raises(InputError):
        risk_groups(result(n=20), "lasso")
    with pytest.raises(InputError):
        risk_groups(SimpleNamespace(target=np.array([0, 1]), finished_tasks=None), "lasso")
