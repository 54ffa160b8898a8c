"""A panel of one study tested in the patients of another study."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import kind_of_target
from stabcore.base.text import joined, listed, quote
from stabcore.classifiers.catalog import CLASSIFIERS
from stabcore.classifiers.catalog import classifier as new_classifier
from stabcore.classifiers.learners import COX, SURVIVAL_MODELS, SurvivalModel
from stabcore.data.dataset import Dataset
from stabcore.data.feature_table import FeatureTable
from stabcore.inference.effect_sizes import area_under_curve
from stabcore.inference.estimate import critical_value
from stabcore.io.cells import is_same_unit
from stabcore.survival.concordance import HARRELL, concordance_influence

COLUMNS = ("trained", "tested", "rows", "score", "value", "low", "high", "given_alone")
AUC = "auc"
DEFAULT_CLASSIFIER = "logistic"
MIN_OF_CLASS = 5  # smallest number of patients of each class for the interval of an AUC: with 2 to 4, 77 to 99% held


@public
def external_validation(
    first: Dataset, second: Dataset, features: Sequence[str], classifier: str | None = None, random_state: int = 0
) -> pd.DataFrame:
    """DataFrame(trained, tested, rows, score, …): the panel trained in one table and tested in the other, in both directions.

    A model learns from all rows of one table with these features only, and predicts all rows of the other. score: "auc" of two
    classes with Newcombe's interval, or "harrell", the concordance of a time to an event with the interval of a U-statistic.
    value, low, high: the score with its 95% interval for new patients, which allows for several rows per patient. ½ is chance. A
    concordance has the degrees of freedom of the patients with an event. An AUC has no interval (NaN) with fewer than 5 patients
    of a class.
    The model includes the columns that are always in the model. given_alone is the score of a model of these alone, else NaN.
    rows: number of tested rows. If the panel was chosen in the first table, only the first row is a test in new patients. The
    second row tests the panel in the table in which it was chosen, so it is too optimistic. Levels of categories are matched by
    name. Levels that the training table lacks are missing values.

    Parameters
    ----------
    first, second : Dataset
        The two tables.
    features : list of str
        Feature names.
    classifier : str, optional
        Key of sc.list_classifiers(), by default "logistic". For a time to an event it is always Cox's model.
    random_state : int, optional
        Seed of everything drawn at random.

    Raises
    ------
    InputError
        For no features, and for a feature that one table lacks, or that is a number in one and a category in the other. If the
        columns that are always in the model differ. For an outcome that is neither the same two classes nor a time to an event in
        both tables, and for an unknown classifier. For a feature in two units, or without a value of one table in the range of the
        other.

    References
    ----------
    Source: REMARK (McShane et al. 2005), which asks for a test in patients that did not select the panel.

    Examples
    --------
    >>> sc.external_validation(data, sc.teaching_data("twins", random_state=2), ["A", "B"])[["trained", "tested", "rows"]]
      trained  tested  rows
    0   first  second   160
    1  second   first   160
    """
    first, second = Dataset.of(first), Dataset.of(second)
    names = list(features)
    classifier = classifier or (COX.key if first.timed else DEFAULT_CLASSIFIER)
    _refuse_unsuitable(first, second, names, classifier)
    rows = []
    for learned, tested, who in ((first, second, ("first", "second")), (second, first, ("second", "first"))):
        score, alone = score_with_interval(_predicted_risks(learned, tested, names, classifier, random_state), tested), np.nan
        if learned.given is not None:
            alone = score_with_interval(_predicted_risks(learned, tested, [], classifier, random_state), tested)[0]
        rows.append((*who, tested.n_rows, HARRELL if first.timed else AUC, *score, alone))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _predicted_risks(learned, tested, names, classifier, random_state) -> np.ndarray:
    """(n,) predicted risk of each row of one table by a model of the other."""
    table, asked = _recoded_columns(learned, names, learned), _recoded_columns(tested, names, learned)
    free = {} if learned.given is None else {"n_given": learned.given.n_features}
    rng = np.random.default_rng(random_state)
    if learned.timed:
        return SurvivalModel().fit(table, learned.target, rng, **free).predict(asked, np.zeros(1))[0]
    return new_classifier(classifier).fit(table, learned.target, rng, n_classes=2, **free).predict(asked)[1][:, 1]


def score_with_interval(risk, tested) -> tuple[float, float, float]:
    """(value, low, high) of the area under the curve, or of Harrell's concordance."""
    if not tested.timed:
        value, low, high = area_under_curve(risk[:, None].astype(float), tested.target, tested.patients)
        who = np.arange(tested.n_rows) if tested.patients is None else np.asarray(tested.patients)
        if min(len(np.unique(who[tested.target == label])) for label in (0, 1)) < MIN_OF_CLASS:
            return float(value[0]), np.nan, np.nan
        return float(value[0]), float(low[0]), float(high[0])
    value, rows, _ = concordance_influence(risk, tested.target)
    events = np.flatnonzero(tested.target["event"])
    if tested.patients is not None:
        rows, events = np.bincount(tested.patients, rows), np.unique(np.asarray(tested.patients)[events])
    few = len(events)  # the patients with an event limit what is known
    half = critical_value(0.95, few - 1) * np.sqrt((rows**2).sum() * few / (few - 1)) if few > 1 else np.nan
    return value, max(value - half, 0.0), min(value + half, 1.0)


def _recoded_columns(data, names, like):
    """The FeatureTable of some features and the given columns, with categories as codes of the levels of another table."""
    numbers = [data.features.index(name) for name in names]
    table = _recoded_values(data.table.columns(numbers), data.levels, like.levels)
    if data.given is None:
        return table
    given = data.given.columns([data.given_names.index(name) for name in like.given_names])
    return table.beside(_recoded_values(given, data.given_levels, like.given_levels))


def _recoded_values(table, levels, like):
    values = np.array(table.values, dtype=float)
    for j, name in enumerate(table.features):
        if name in levels:
            code = {level: i for i, level in enumerate(like[name])}
            to = np.array([*(code.get(level, np.nan) for level in levels[name]), np.nan], dtype=float)
            values[:, j] = to[np.where(np.isnan(values[:, j]), len(to) - 1, values[:, j]).astype(int)]
    return FeatureTable(values, table.categorical, table.features)


def _refuse_unsuitable(first, second, names, classifier):
    if not (first.timed and second.timed) and (len(first.classes) != 2 or first.classes != second.classes):
        raise InputError(
            "Testing a panel needs the same two classes in both tables, or a time to an event in both. Found "
            f"{_outcome_phrase(first)} in the first and {_outcome_phrase(second)} in the second."
        )
    possible = SURVIVAL_MODELS if first.timed else CLASSIFIERS
    if classifier not in possible:
        raise InputError(f"There is no classifier {classifier!r} of this outcome. Choose {joined(list(possible), 'or')}.")
    if set(first.given_names) != set(second.given_names) or set(first.given_levels) != set(second.given_levels):
        always = [joined([quote(name) for name in data.given_names]) if data.given_names else "none" for data in (first, second)]
        raise InputError(
            f"The same columns must be always in the model of both tables. Found {always[0]} in the first and {always[1]} in the "
            "second."
        )
    if not names:
        raise InputError("The panel has no features, so there is nothing to train or to test.")
    for data, which in ((first, "first"), (second, "second")):
        lacking = [name for name in names if name not in data.features]
        if lacking:
            raise InputError(
                f"The {which} table has no {listed(lacking)}, so a panel with {'it' if len(lacking) == 1 else 'them'} "
                "cannot be trained or tested there. Test the features that both have."
            )
    other = [name for name in names if (name in first.levels) != (name in second.levels)]
    if other:
        raise InputError(
            f"{listed(other)} {'is' if len(other) == 1 else 'are'} a number in one table and a category in the other. "
            "Use the same form in both."
        )
    _refuse_other_units(first, second, names)


def _refuse_other_units(first, second, names):
    """Refuse features in different units, as the tables say, or because no value of one table is in the range of the other."""
    for name in names:
        units = [data.units.get(name, "") for data in (first, second)]
        if all(units) and not is_same_unit(*units):
            raise InputError(
                f"{quote(name)} has the unit {quote(units[0])} in the first table and {quote(units[1])} in the second. "
                "Convert it in one of them."
            )
    ranges = [dict(zip(data.features, zip(*data.table.extremes[:2], strict=True), strict=True)) for data in (first, second)]
    numbers = [name for name in names if name not in first.levels]
    apart = [name for name in numbers if max(of[name][0] for of in ranges) > min(of[name][1] for of in ranges)]
    if apart:
        raise InputError(
            f"The values of {listed(apart)} in the first table are all beyond those in the second. The units probably "
            "differ. Use the same unit in both, or test the other features."
        )


def _outcome_phrase(data):
    return joined([quote(name) for name in data.classes[:5]]) if data.classes else kind_of_target(data.target)
