"""Instability of predicted risks: the classifier is retrained on the selection of every run and predicts all rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import PlainFields
from stabcore.base.target import has_classes, kind_of_target
from stabcore.base.text import counted, joined
from stabcore.classifiers.catalog import CLASSIFIERS
from stabcore.classifiers.catalog import classifier as new_classifier
from stabcore.data.dataset import Dataset
from stabcore.data.event import event_number
from stabcore.inference import predictions
from stabcore.selectors import fit_checks
from stabcore.study.loading import load_data
from stabcore.study.new_patients import refit_choice
from stabcore.study.pieces import (
    ALL_ROWS,
    PieceFile,
    locked_computation,
    piece_file_name,
    read_from_study,
    read_models,
    write_to_study,
)
from stabcore.study.results import Results
from stabcore.study.study_result import StudyResult, open_study
from stabcore.study.tasks import text_seed

DEFAULT_CLASSIFIER = "logistic"
BAND_QUANTILES = (0.025, 0.975)  # of the risks of a patient by the models
RISK_CLASSIFIERS = tuple(key for key in CLASSIFIERS if "svm" not in key)  # support vector machines order rows but give no risk


@public
@dataclass(frozen=True, eq=False)
class Risk(PlainFields):
    """Predicted risks of n patients, by the model on all rows and by the model of every run.

    Parameters
    ----------
    on_all_rows : array
        Risk of each patient by the procedure on all rows (n,).
    models : array
        Risk of each patient by the model of every run (B, n).
    happened : array
        (n,) 1 for patients with the event.
    event : str
        The class of the risk.
    classifier : str
        Key of sc.list_classifiers().

    Examples
    --------
    >>> risk.event
    'ill'
    """

    on_all_rows: np.ndarray
    models: np.ndarray
    happened: np.ndarray
    event: str
    classifier: str

    def curves(self) -> pd.DataFrame:
        """DataFrame(model, risk, happened): calibration of the procedure on all rows (model 0) and of every run (1 … B).

        Examples
        --------
        >>> list(risk.curves())
        ['model', 'risk', 'happened']
        """
        grid = np.linspace(0, 1, predictions.CALIBRATION_POINTS)
        parts = [
            pd.DataFrame({"model": i, "risk": grid, "happened": predictions.calibration(risks, self.happened, grid)})
            for i, risks in enumerate([self.on_all_rows, *self.models])
        ]
        return pd.concat(parts, ignore_index=True)

    def table(self, threshold: float = 0.5) -> pd.DataFrame:
        """DataFrame, one row per patient: row (from 1), happened, risk, low, high, mape, changes.

        low, high: 2.5 and 97.5% of the risks by the models. mape: their mean distance from the risk on all rows. changes: the share
        of the models on the other side of the threshold, the classification instability index.

        Parameters
        ----------
        threshold : float, optional
            Risk threshold, 0 to 1.

        Examples
        --------
        >>> list(risk.table(0.3))[:4]
        ['row', 'happened', 'risk', 'low']
        """
        low, high = np.quantile(self.models, BAND_QUANTILES, axis=0)
        return pd.DataFrame(
            {
                "row": np.arange(1, len(self.on_all_rows) + 1),
                "happened": self.happened.astype(bool),
                "risk": self.on_all_rows,
                "low": low,
                "high": high,
                "mape": np.abs(self.models - self.on_all_rows).mean(axis=0),
                "changes": ((self.models > threshold) != (self.on_all_rows > threshold)).mean(axis=0),
            }
        )


@public
def risk_instability(
    data: Dataset,
    result: StudyResult,
    selector: str,
    classifier: str | None = None,
    *,
    event: str | None = None,
    k: int | None = None,
    progress: Callable[[int, int], bool | None] | None = None,
    keep: Path | None = None,
) -> Risk:
    """Instability of the predicted risk of each patient if the procedure had been developed in other patients of the same kind.

    The selector is fitted once on all rows, and a classifier on its selection: p̂_i. Then a classifier is trained on the rows and
    the stored selection of every run, and predicts ALL rows: p̂_bi. The models have learned from these rows, so the risks are too
    optimistic. Only their variation is reported. Runs are bootstrap samples, as in the source, or complementary pairs. With both, a
    risk varies about as much as it would between new samples (tests/benchmarks/bench_risk.py). Runs that share more of their rows
    give too little variation, so other plans are refused.

    Parameters
    ----------
    data : Dataset
        The table of the study.
    result : StudyResult
        Result of a study, or sc.Results of uploaded selections.
    selector : str
        Label of a selector.
    classifier : str, optional
        A classifier with probabilities. By default that of the study if it has them, else logistic.
    event : str, optional
        The class of the risk. By default data.event_class, for two classes.
    k : int, optional
        As if every run selected its k best.
    progress : function, optional
        Called with (finished models, all models). Returning False stops it.
    keep : Path, optional
        File for finished models, from which a stopped computation continues. The result does not depend on interruptions.

    Raises
    ------
    InputError
        For another table, a plan that is neither bootstrap nor complementary pairs, user-defined selectors, and classifiers
        without probabilities. For a numeric outcome, and more than two classes without `event`. When it is stopped.

    References
    ----------
    Source: Riley & Collins 2023, Biometrical Journal 65:2200302.

    Examples
    --------
    >>> risk = sc.risk_instability(data, result, "mim", "logistic", event="ill")
    >>> risk.models.shape
    (8, 160)
    """
    data, result, keep = Dataset.of(data), Results.of(result), None if keep is None else Path(keep)
    asked = risk_question(data, result, selector, classifier, event, k)
    key, number, seed = asked["classifier"], data.classes.index(asked["event"]), result.settings["random_state"]
    runs, numbers, report = result.selections(selector, k), result.run_numbers(selector), progress or (lambda done, of: None)
    file = PieceFile(keep, asked, data.n_rows)

    def chances(rows, features, run):
        rng = np.random.default_rng([seed, run, text_seed(key)])
        table = data.table.columns(features).beside(data.given)
        classifier = new_classifier(key).fit(
            table.rows(rows), data.target[rows], rng, n_classes=len(data.classes), n_given=len(data.given_names)
        )
        return classifier.predict(table)[1][:, number]

    if ALL_ROWS not in file.models:
        file.add(ALL_ROWS, chances(np.arange(len(data.target)), _features_of_all_rows(data, result, selector, k), 0))
    for i, run in enumerate(numbers):
        if report(i, len(numbers)) is False:
            file.write()
            raise InputError(
                f"Stopped after {i} of {counted(len(numbers), 'model')}. They are kept, and the next start continues there."
            )
        if str(run) not in file.models:
            rows = result.plan.resample(run - 1, data.target, seed, data.patients).rows
            file.add(str(run), chances(rows, np.flatnonzero(runs.selected[i]), run))
    file.write()
    report(len(numbers), len(numbers))
    complete = risk_from_models(data, result, asked, file.models)
    assert complete is not None  # every model has just been computed
    return complete


def risk_question(
    data: Dataset, result: StudyResult, selector: str, classifier: str | None = None, event: str | None = None, k: int | None = None
) -> dict:
    """The question of a risk as plain values. Raises InputError as `risk_instability` does."""
    key, number = _classifier_key(result, classifier), _event_number(data, event)
    if result.plan is None or result.settings["data"]["fingerprint"] != data.fingerprint:
        raise InputError("Risks need the table of the study. This is another table, or none.")
    if why := no_risks_reason(result.plan):
        raise InputError(why)
    return {
        "selector": result.display_name(selector),
        "classifier": key,
        "event": data.classes[number],
        "k": None if k == result.n_selected else k,
        "fingerprint": data.fingerprint,
    }


def risk_from_models(data: Dataset, result: StudyResult, asked: dict, models: dict) -> Risk | None:
    """The Risk from stored models, None if that of a finished run or of all rows is missing."""
    needed = [ALL_ROWS, *map(str, result.run_numbers(asked["selector"]))]
    if not set(needed) <= set(models):
        return None
    happened = (data.target == data.classes.index(asked["event"])).astype(int)
    return Risk(models[ALL_ROWS], np.array([models[run] for run in needed[1:]]), happened, asked["event"], asked["classifier"])


def _features_of_all_rows(data, result, selector, k):
    """The features that a selector of the study selects on all rows."""
    choice, size = refit_choice(result, selector, k), k or result.n_selected_by(selector) or data.n_features
    fitted = choice.make()
    rng, always = np.random.default_rng([result.settings["random_state"], text_seed(choice.recipe)]), data.given
    fitted.fit(data.table, data.target, rng=rng, k=size, **({} if always is None else {"given": always}))
    return fit_checks.selected_features(fitted, size, data.n_features)


def _classifier_key(result, asked):
    of_study = result.settings.get("classifier")
    key = asked or (of_study if of_study in RISK_CLASSIFIERS else DEFAULT_CLASSIFIER)
    if key not in RISK_CLASSIFIERS:
        raise InputError(f"A risk is a probability, but {key!r} gives none. Choose one of: {joined(list(RISK_CLASSIFIERS), 'or')}.")
    return key


def _event_number(data, event):
    if not has_classes(data.target):
        raise InputError(f"The outcome is {kind_of_target(data.target)}. Risks need an outcome with classes, such as sick or well.")
    return event_number(data.classes, event)


def no_risks_reason(plan) -> str:
    """The reason why the runs of a plan cannot show the instability of risks, "" if they can."""
    if getattr(plan, "kind", "") == "bootstrap" or plan.separate_halves:
        return ""
    return (
        "Instability of risks needs bootstrap samples or complementary halves. Risks from runs that share most of their rows vary "
        "less than in new patients. Run the study with one of these two resampling schemes."
    )


def describe_excluded_classifiers() -> str:
    """A sentence with the classifiers of the catalogue that give no probabilities, and so no risks."""
    names = [entry.label for key, entry in CLASSIFIERS.items() if key not in RISK_CLASSIFIERS]
    return f"Not offered, because {'it gives' if len(names) == 1 else 'they give'} no probabilities: {joined(names)}."


def make_risk(
    store: Path, settings: Path, selector: str, classifier: str | None, event: str | None, k: int | None, folder: Path | None
) -> str:
    """Compute missing risks and keep them in the study file (or, with `folder`, only in that folder). Returns a message.

    Raises InputError as `risk_instability` does, while another process computes the study or this risk, and if cancelled.
    """
    data, result = load_data(settings), open_study(store, named=True)
    asked = risk_question(data, result, selector, classifier, event, k)
    part = (folder or store.parent) / piece_file_name(asked)
    with locked_computation(part, store if folder is None else None) as progress:
        risks = risk_instability(
            data, result, asked["selector"], asked["classifier"], event=event, k=k, progress=progress, keep=part
        )
        if folder is None and not read_from_study(result, asked):
            write_to_study(store, asked, read_models(part, asked, data.n_rows))
            part.unlink(missing_ok=True)
    return f"Done: the risks of {counted(len(risks.on_all_rows), 'patient')} by {counted(len(risks.models), 'model')}."
