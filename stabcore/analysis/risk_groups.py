"""Survival by predicted risk: thirds of the rows, by the risk from models that had not seen them."""

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.target import TIME, kind_of_target
from stabcore.inference.effect_sizes import design_effect, patient_codes, patient_freedom
from stabcore.inference.estimate import critical_value
from stabcore.study.study_result import StudyResult
from stabcore.survival.concordance import hazard_contributions, kaplan_meier, kaplan_meier_interval

GROUPS = ("low risk", "middle risk", "high risk")
N_COUNTS = 6  # times at which the rows at risk are counted
MIN_ROWS = 30  # rows with a predicted risk


def risk_groups(result: StudyResult, selector: str) -> pd.DataFrame:
    """DataFrame, one row per step of the Kaplan–Meier curves of thirds of the rows by their predicted risk.

    group, time, survival, low, high (95%, pointwise), at_risk (rows that are still followed), and rows and events of the group.
    attrs["counts"] is [{group, time, at_risk}] at a few even times. result: a study of a time to an event with a learner. Raises
    InputError without times, without a learner, and with fewer than 30 predicted rows.

    The risk of a row is its mean rank among the held-out rows of a run, over the runs that held it out. So no row is placed by a
    model that has learned from it. Features and models differ from run to run. The curves of thirds overlap more where runs
    disagree. Intervals take the thirds as given, and account for correlated rows of a patient.
    """
    from scipy.stats import rankdata

    if kind_of_target(result.target) != TIME:
        raise InputError("Survival by predicted risk needs a time to an event as outcome.")
    ranks, counts = np.zeros(len(result.target)), np.zeros(len(result.target))
    for task in result.finished_tasks(selector):
        if task.probability is not None and len(task.probability):
            ranks[task.held_out] += (rankdata(task.probability) - 0.5) / len(task.probability)
            counts[task.held_out] += 1
    rows = np.flatnonzero(counts)
    if len(rows) < MIN_ROWS:
        raise InputError(f"Survival by predicted risk needs {MIN_ROWS} rows with a prediction. Run the study with a learner.")
    risk = ranks[rows] / counts[rows]
    third = np.minimum(3 * (rankdata(risk, method="ordinal") - 1) // len(rows), 2).astype(int)
    target = result.target[rows]
    times = target["time"].max() * np.arange(N_COUNTS) / N_COUNTS
    parts, counted = [], []
    for number, group in enumerate(GROUPS):
        part = target[third == number]
        whose = None if result.patients is None else np.asarray(result.patients)[rows][third == number]
        curve, (low, high) = kaplan_meier(part), _interval(part, whose)
        at_risk = len(part) - np.searchsorted(np.sort(part["time"]), curve.times)
        steps = {"time": curve.times, "survival": curve.values, "low": low, "high": high, "at_risk": at_risk}
        about = {"rows": len(part), "events": int(part["event"].sum())}
        parts.append(pd.DataFrame({"group": group, **steps, **about}))
        counted += [{"group": group, "time": float(time), "at_risk": int((part["time"] >= time).sum())} for time in times]
    frame = pd.concat(parts, ignore_index=True)
    frame.attrs["counts"] = counted
    return frame


def _interval(target, patients):
    """The 95% interval (low, high) of the curve of some rows, wider if patients have several of them."""
    row_patients = patient_codes(patients)
    if row_patients is None:
        return kaplan_meier_interval(target)
    wider = (
        np.sqrt(design_effect(hazard_contributions(target), row_patients))
        * critical_value(0.95, patient_freedom(row_patients))
        / critical_value(0.95, None)
    )
    return kaplan_meier_interval(target, wider)
