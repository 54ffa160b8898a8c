"""Clinical worth: predictions of an event in other patients by a logistic regression on the features of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import plain_values
from stabcore.base.text import counted
from stabcore.data.dataset import Dataset
from stabcore.data.encoding import Design
from stabcore.data.event import event_number
from stabcore.inference.predictive_worth import (
    MEASURES,
    logistic_weights,
    net_benefit,
    optimism,
    predicted_risks,
    recalibration_intervals,
    worth,
    worth_interval,
)
from stabcore.study.results import Results
from stabcore.study.study_result import StudyResult

THRESHOLDS = np.arange(1, 100) / 100  # risks from which on patients are treated
RISK_GRID = np.arange(41) / 40  # at which calibration curves are computed
BAND_QUANTILES = (0.025, 0.975)  # quantiles over runs
EVENTS_PER_COLUMN = 3  # patients with the event, and as many without, below which intervals do not hold
EVENTS_FOR_INTERCEPT, INTERCEPT = 6, MEASURES.index("intercept")  # the same for an intercept, if patients have several rows
MIN_SHARE_OF_SAMPLES = 0.9  # share of the samples that must reach a risk for the correction of a calibration curve there
CURVES = ("apparent", "corrected", "run_median", "run_low", "run_high")


@public
@dataclass(frozen=True, eq=False)
class ClinicalWorth:
    """How well a logistic regression on some features predicts an event: measures, calibration, and net benefit.

    Parameters
    ----------
    table : DataFrame
        One row per measure: concordance, brier, intercept, slope, e50, e90. apparent is on the rows that the model learned from,
        and corrected is apparent − optimism. low and high are a 95% interval, NaN where none holds. run_median, run_low and
        run_high are the median and the 2.5 and 97.5% points over the runs, NaN without a result.
    net_benefit : DataFrame
        One row per threshold: threshold, apparent, corrected, low, high, treat_all (net benefit of treating everybody),
        run_median, run_low, run_high.
    calibration : DataFrame
        One row per predicted risk: risk, apparent (observed share of events), corrected, run_median, run_low, run_high. NaN beyond
        the range of the risks.
    features : tuple of str
        The features of the model.
    event : str
        The class whose risk is predicted.
    n_rows, n_events, n_runs : int
        Rows of the table, rows with the event, and runs behind the columns `run_…`.
    run_size : float
        Mean number of features that these runs selected. NaN without a result.

    Examples
    --------
    >>> worth = sc.clinical_worth(data, ["A", "B"], n_bootstrap=20)
    >>> worth.table["measure"].tolist()
    ['concordance', 'brier', 'intercept', 'slope', 'e50', 'e90']
    """

    table: pd.DataFrame
    net_benefit: pd.DataFrame
    calibration: pd.DataFrame
    features: tuple[str, ...]
    event: str
    n_rows: int
    n_events: int
    n_runs: int
    run_size: float

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, ClinicalWorth) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.features, self.event, self.n_rows, self.n_runs))

    def __repr__(self) -> str:
        row = self.table.set_index("measure").loc["concordance"]
        return f"ClinicalWorth: concordance {row['corrected']:.2f}, {counted(len(self.features), 'feature')}"

    def to_dict(self) -> dict[str, Any]:
        """Every field by name, as plain values, a table as its rows. None for an unknown number.

        Examples
        --------
        >>> sc.clinical_worth(data, ["A"], n_bootstrap=20).to_dict()["features"]
        ['A']
        """
        tables = {"table": self.table, "net_benefit": self.net_benefit, "calibration": self.calibration}
        rows = {name: [plain_values(dict(row)) for _, row in frame.iterrows()] for name, frame in tables.items()}
        counts = {"n_rows": self.n_rows, "n_events": self.n_events, "n_runs": self.n_runs}
        return plain_values({**rows, "features": list(self.features), "event": self.event, **counts, "run_size": self.run_size})


@public
def clinical_worth(
    data: Dataset,
    features: Sequence[str],
    result: StudyResult | None = None,
    selector: str | None = None,
    *,
    k: int | None = None,
    event: str | None = None,
    n_bootstrap: int = 200,
    random_state: int = 0,
) -> ClinicalWorth:
    """Estimate how well a logistic regression on the features of a panel predicts an event in other patients.

    The model includes the columns that are always in the model.

    Parameters
    ----------
    data : Dataset
        The table, with an outcome of classes.
    features : sequence of str
        The features of the model, such as those of a panel.
    result : StudyResult, optional
        The study of this table, for the columns `run_…`.
    selector : str, optional
        Label of the selector whose runs are judged. By default the first that finished.
    k : int, optional
        As if every run had selected its k best features.
    event : str, optional
        The class whose risk is predicted. By default data.event_class, for two classes.
    n_bootstrap : int, optional
        Number of bootstrap samples of the patients, 20 or more.
    random_state : int, optional
        Seed of these samples.

    Returns
    -------
    ClinicalWorth
        Tables of measures, net benefit and calibration.

    Raises
    ------
    InputError
        For an outcome without classes, unknown features, and fewer rows than columns of the model + 2. Also for another table, and
        for a selector or k without a result.

    Notes
    -----
    The optimism of a measure is its mean difference between the model of a bootstrap sample on that sample and on all rows. For
    intercept and slope it is the median. The corrected value estimates the worth of the model of all rows in new patients of the
    same kind. low and high are its 95% interval, if the features were chosen without these patients. For features that were
    selected in this table, the corrected value is too optimistic. `docs/claims.md` has the coverage of the intervals in
    simulations. There is none for E50 and E90, as chance alone makes them positive. There is none if fewer than 3 patients per
    column of the model have the event, or do not have it, or if the model separates the classes completely.
    If patients have several rows, the intercept has one from 6 patients per column on.

    The columns `run_…` do not have this optimism. Each run selects its own features, and a model on them learns from the rows of
    the run. It is judged on the rows that the run has not seen. It learns from fewer rows, which lowers its worth, and may have
    another number of features than the panel.

    References
    ----------
    Source: Harrell, Lee & Mark 1996, Statistics in Medicine 15:361-387; Vickers & Elkin 2006, Medical Decision Making 26:565-574.
    Slope: Copas 1983, Journal of the Royal Statistical Society B 45:311-354.

    Examples
    --------
    >>> worth = sc.clinical_worth(data, ["A", "B"], result, "mim", n_bootstrap=20)
    >>> worth.n_runs
    8
    """
    data = Dataset.of(data)
    if result is None and (selector is not None or k is not None):
        raise InputError("selector and k choose runs of a study. Give its result, too, or leave them out.")
    happened, named = _events(data, event)
    chosen = _feature_numbers(data, features)
    columns = _n_columns(data, chosen)
    _refuse_few_rows(data, columns)
    drawn = list(_bootstrap(data, happened, max(int(n_bootstrap), 20), random_state))
    everyone = np.arange(data.n_rows)
    develop, judge = partial(_risks, data, happened, chosen), partial(_worth_values, happened)
    risk = develop(everyone)
    apparent = judge(risk, everyone)
    in_sample, on_all = optimism(develop, judge, drawn)
    fixed = np.array([judge(risk[rows], rows) for rows in drawn])
    patient = _patient_numbers(data)
    low, high = worth_interval(apparent, in_sample, on_all, fixed, recalibration_intervals(risk, happened, patient, columns))
    fewest = min(len(np.unique(patient[happened == kind])) for kind in (0, 1))
    if patient.max() + 1 < data.n_rows and fewest < EVENTS_FOR_INTERCEPT * columns:
        low[INTERCEPT], high[INTERCEPT] = np.nan, np.nan
    if fewest < EVENTS_PER_COLUMN * columns or apparent[0] == 1:  # a concordance of 1: the weights have no finite estimate
        low, high = np.full((2, len(low)), np.nan)
    optimisms = _optimism(in_sample - on_all)
    runs, run_size = _run_values(data, happened, result, selector, k)
    table = pd.DataFrame({"apparent": apparent, "optimism": optimisms, "corrected": apparent - optimisms, "low": low, "high": high})
    middle, ends = _run_spread(runs, len(apparent))
    table = table.assign(run_median=middle, run_low=ends[0], run_high=ends[1])
    of_measures, of_benefit, of_curve = np.split(np.arange(len(table)), np.cumsum([len(MEASURES), len(THRESHOLDS)]))
    measures = table.iloc[of_measures].reset_index(drop=True)
    measures.insert(0, "measure", MEASURES)
    benefit = table.iloc[of_benefit].drop(columns="optimism").reset_index(drop=True)
    benefit.insert(0, "threshold", THRESHOLDS)
    share = happened.mean()
    benefit.insert(5, "treat_all", share - (1 - share) * THRESHOLDS / (1 - THRESHOLDS))
    curve = table.iloc[of_curve][list(CURVES)].clip(0, 1).reset_index(drop=True)
    curve.insert(0, "risk", RISK_GRID)
    names = tuple(data.features[f] for f in chosen)
    return ClinicalWorth(measures, benefit, curve, names, named, data.n_rows, int(happened.sum()), len(runs), run_size)


def _events(data, event):
    """((n,) 1 where a row has the event, its class)."""
    if not data.classes:
        raise InputError("Clinical worth needs an outcome with classes, such as sick and well. Choose another outcome.")
    number = event_number(data.classes, event)
    return (data.target == number).astype(float), data.classes[number]


def _feature_numbers(data, features):
    if unknown := [name for name in features if name not in data.features]:
        raise InputError(f"The table has no feature {unknown[0]!r}. Choose features of the table.")
    if not len(features):
        raise InputError("The panel has no features. Choose at least one.")
    return [data.features.index(name) for name in dict.fromkeys(features)]


def has_enough_rows(data: Dataset, features: Sequence[str]) -> bool:
    """Return whether a table has enough rows for the model of `clinical_worth`, which takes seconds to judge."""
    return data.n_rows >= _n_columns(data, _feature_numbers(data, features)) + 2


def _n_columns(data, chosen):
    return len(Design.learn(data.table.columns(chosen).beside(data.given), contrasts=True).feature)


def _refuse_few_rows(data, columns):
    if data.n_rows < columns + 2:
        raise InputError(
            f"A logistic regression with {columns} columns needs at least {columns + 2} rows, but the table has {data.n_rows}. "
            "Choose fewer features."
        )


def _patient_numbers(data):
    """(n,) number of the patient of every row."""
    return np.arange(data.n_rows) if data.patients is None else np.unique(data.patients, return_inverse=True)[1]


def _bootstrap(data, happened, n_samples, seed):
    """Rows of bootstrap samples of the patients that have both kinds of rows."""
    rng = np.random.default_rng(seed)
    patient = _patient_numbers(data)
    of_patient = np.split(np.argsort(patient, kind="stable"), np.cumsum(np.bincount(patient))[:-1])
    made = 0
    while made < n_samples:
        rows = np.concatenate([of_patient[i] for i in rng.integers(len(of_patient), size=len(of_patient))])
        if 0 < happened[rows].sum() < len(rows):
            made += 1
            yield rows


def _risks(data, happened, chosen, rows, asked=None):
    """(n,) risks of all rows, or of those asked for, by the model that learns from some rows."""
    few = data.table.columns(chosen).beside(data.given)
    design, columns = Design.of(few.rows(rows), contrasts=True)
    return predicted_risks(design.transform(few if asked is None else few.rows(asked)), logistic_weights(columns, happened[rows]))


def _worth_values(happened, risk, rows):
    """(6 + T + R,) measures, net benefit at the thresholds, and calibration at the risks."""
    measures, curve = worth(risk, happened[rows], RISK_GRID)
    return np.concatenate([measures, net_benefit(risk, happened[rows], THRESHOLDS), curve])


def _optimism(differences):
    """Means over the samples, medians of intercept and slope, NaN where too few samples have a value.

    The slope is a ratio. Models of one column have weights near 0 in some samples, so that its mean has no limit.
    """
    enough = (~np.isnan(differences)).mean(axis=0) >= MIN_SHARE_OF_SAMPLES
    of_all = np.full(differences.shape[1], np.nan)
    of_all[enough] = np.nanmean(differences[:, enough], axis=0)
    for ratio in (MEASURES.index("intercept"), MEASURES.index("slope")):
        if enough[ratio]:
            of_all[ratio] = np.nanmedian(differences[:, ratio])
    return of_all


def _run_spread(runs, size):
    """(median over the runs, (2, size) ends), NaN where fewer than half of the runs have a value."""
    if len(runs) < 2:
        return np.full(size, np.nan), np.full((2, size), np.nan)
    enough = (~np.isnan(runs)).mean(axis=0) >= 0.5
    ends = np.full((3, size), np.nan)
    ends[:, enough] = np.nanquantile(runs[:, enough], [0.5, *BAND_QUANTILES], axis=0)
    return ends[0], ends[1:]


def _run_values(data, happened, result, selector, k):
    """((runs, 6 + T + R) measures of the models of runs on the rows that a run has not seen, mean number of their features)."""
    if result is None:
        return np.empty((0, 0)), np.nan
    result = Results.of(result)
    if result.plan is None or result.settings["data"]["fingerprint"] != data.fingerprint:
        raise InputError("The runs need the table of their study. This is another table, or none.")
    label = result.finished_selectors[0] if selector is None else selector
    selections, seed, judged = result.selections(label, k), result.settings["random_state"], []
    for i, run in enumerate(result.run_numbers(label)):
        rows = result.plan.resample(run - 1, data.target, seed, data.patients).rows
        unseen, chosen = np.setdiff1d(np.arange(data.n_rows), rows), np.flatnonzero(selections.selected[i])
        if len(chosen) and len(unseen) and 0 < happened[rows].sum() < len(rows) and 0 < happened[unseen].sum() < len(unseen):
            judged.append(_worth_values(happened, _risks(data, happened, chosen, rows, unseen), unseen))
    return np.array(judged), float(selections.sizes.mean())
