"""Decision curve and calibration of a panel: figures and sentences, also without signal."""

import numpy as np
import pandas as pd
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.plots.clinical_worth import (
    draw_decision_curve,
    draw_worth_calibration,
    finding_decision_curve,
    finding_worth,
    finding_worth_calibration,
    frame_decision_curve,
    frame_worth_calibration,
    table_worth,
)


def made(runs=True):
    table = pd.DataFrame(
        {
            "measure": ["concordance", "brier", "intercept", "slope", "e50", "e90"],
            "apparent": [0.8, 0.15, 0, 1, 0.02, 0.05],
            "optimism": [0.05, -0.02, 0.1, 0.2, -0.01, -0.03],
            "corrected": [0.75, 0.17, -0.1, 0.8, 0.03, 0.08],
            "low": [0.7, 0.15, -0.4, 0.5, np.nan, np.nan],
            "high": [0.8, 0.19, 0.2, 1.1, np.nan, np.nan],
            "run_median": [0.71, 0.18, -0.2, 0.7, 0.05, 0.1],
        }
    ).assign(run_low=lambda frame: frame["run_median"] - 0.02, run_high=lambda frame: frame["run_median"] + 0.02)
    benefit = pd.DataFrame({"threshold": [0.1, 0.3, 0.5, 0.8, 0.9], "apparent": [0.3, 0.2, 0.1, 0, 0]})
    benefit = benefit.assign(corrected=[0.3, 0.18, 0.09, 0.0, 0.0], low=[0.2, 0.14, 0.02, 0, 0], high=[0.4, 0.25, 0.2, 0, 0])
    benefit = benefit.assign(treat_all=[0.32, 0.12, -0.2, -1, -2], run_median=[0.3, 0.17, 0.08, 0, 0])
    benefit = benefit.assign(run_low=[0.25, 0.13, -0.01, 0, 0], run_high=[0.34, 0.2, 0.1, 0, 0])
    calibration = pd.DataFrame({"risk": [0.0, 0.5, 1.0], "apparent": [np.nan, 0.5, np.nan], "corrected": [np.nan, 0.45, np.nan]})
    of_runs = {"run_median": 0.4, "run_low": 0.3, "run_high": 0.6}
    calibration = calibration.assign(**{name: [np.nan, value, np.nan] for name, value in of_runs.items()})
    if not runs:
        for frame in (table, benefit, calibration):
            frame[["run_median", "run_low", "run_high"]] = np.nan
    return sc.ClinicalWorth(table, benefit, calibration, ("a", "b"), "ill", 100, 40, 10 if runs else 0, 3.0 if runs else np.nan)


def test_clinical_worth_sentences():
    """No threshold is named without an interval."""
    parts = []
    for runs in (True, False):
        worth = made(runs)
        sentences = finding_worth(worth), finding_worth_calibration(worth), finding_decision_curve(frame_decision_curve(worth))
        parts += ["# with runs" if runs else "# alone", *sentences, repr(worth)]
        assert ("run_median" in table_worth(worth)) == runs
    worth.net_benefit[["low", "high"]] = np.nan
    check_snapshot("plots/clinical_worth", "\n".join([*parts, "# few events", finding_decision_curve(frame_decision_curve(worth))]))


def test_clinical_worth_figures_draw_the_frames():
    worth = made()
    frame, curve = frame_decision_curve(worth), frame_worth_calibration(worth)
    assert frame["threshold"].tolist() == [0.1, 0.3, 0.5]
    assert curve["risk"].tolist() == [0.5]
    drawn = {trace.name: trace for trace in draw_decision_curve(frame).data}
    columns = {"panel, corrected for optimism": "corrected", "treat everybody": "treat_all", "treat nobody": "treat_none"}
    assert all(list(drawn[name].y) == frame[column].tolist() for name, column in columns.items())
    assert {trace.name for trace in draw_worth_calibration(curve).data} >= {"panel, corrected for optimism", "as predicted"}
    alone = draw_decision_curve(frame_decision_curve(made(runs=False)))
    assert not [trace.name for trace in alone.data if "run" in trace.name]


def test_no_net_benefit_is_claimed_without_signal():
    claimed = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        data = sc.Dataset(rng.standard_normal((100, 15)), np.where(rng.permutation(100) < 40, "ill", "well"))
        study = sc.Study(data, ["anova_f"], plan=sc.ComplementaryPairs(8), k=3, n_permutations=0, classifier="none")
        result = study.run(n_jobs=1, progress=False)
        worth = sc.clinical_worth(data, data.features[:3], result, n_bootstrap=20)
        claimed.append("no threshold" not in finding_decision_curve(frame_decision_curve(worth)))
    assert sum(claimed) <= 1
