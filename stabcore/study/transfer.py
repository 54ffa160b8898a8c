"""A panel of one study tested in the patients of another study."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.target import kind_of_target
from stabcore.base.text import joined, listed, shown
from stabcore.classifiers.catalog import CLASSIFIERS
from stabcore.classifiers.catalog import classifier as new_classifier
from stabcore.data.dataset import Dataset
from stabcore.data.feature_table import FeatureTable
from stabcore.inference.effect_sizes import area_under_curve

COLUMNS = ("trained", "tested", "rows", "auc", "auc_low", "auc_high")


def external_validation(
    first: Dataset, second: Dataset, features: Sequence[str], classifier: str = "logistic", random_state: int = 0
) -> pd.DataFrame:
    """DataFrame(trained, tested, rows, auc, auc_low, auc_high): the panel trained in first and tested in second, and back.

    A classifier learns from all rows of one table with these features only, and predicts all rows of the other. auc has Newcombe's
    95% interval for new patients, which allows for several rows per patient. ½ is chance. rows: number of tested rows. If the panel
    was chosen in the first table, only the first row is a test in new patients. The second row tests the panel where it was chosen,
    so it is too optimistic. Levels of categories are matched by name. Levels that the training table lacks are missing values.

    Parameters
    ----------
    first : Dataset
        First of the two.
    second : Dataset
        Second of the two.
    features : list of str
        Feature names.
    classifier : str, optional
        Key of sc.list_classifiers().
    random_state : int, optional
        Seed of everything drawn at random.

    Raises
    ------
    InputError
        For no features, a feature that either table lacks or that is a number in one and a category in the other, an outcome
        that does not have the same two classes, and an unknown classifier.

    References
    ----------
    Source: REMARK (McShane et al. 2005), testing a panel in patients it was not chosen in.

    Examples
    --------
    >>> sc.external_validation(data, sc.teaching_data("twins", random_state=2), ["A", "B"])[["trained", "tested", "rows"]]
      trained  tested  rows
    0   first  second   160
    1  second   first   160
    """
    first, second = Dataset.of(first), Dataset.of(second)
    names = list(features)
    _refuse_others(first, second, names, classifier)
    rows = []
    for learned, tested, who in ((first, second, ("first", "second")), (second, first, ("second", "first"))):
        model = new_classifier(classifier).fit(
            _columns(learned, names), learned.target, np.random.default_rng(random_state), n_classes=2
        )
        chances = model.predict(_columns(tested, names, learned))[1][:, 1:]
        ends = area_under_curve(chances.astype(float), tested.target, tested.patients)
        rows.append((*who, tested.n_rows, *(float(end[0]) for end in ends)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _columns(data, names, like=None):
    """The FeatureTable of some features, with categories as codes of the levels of another table."""
    numbers = [data.features.index(name) for name in names]
    values = np.array(data.table.values[:, numbers], dtype=float)
    for j, name in enumerate(names):
        if like is not None and name in data.levels:
            code = {level: i for i, level in enumerate(like.levels[name])}
            to = np.array([*(code.get(level, np.nan) for level in data.levels[name]), np.nan], dtype=float)
            values[:, j] = to[np.where(np.isnan(values[:, j]), len(to) - 1, values[:, j]).astype(int)]
    return FeatureTable(values, np.array(data.table.categorical)[numbers], tuple(names))


def _refuse_others(first, second, names, classifier):
    if len(first.classes) != 2 or first.classes != second.classes:
        raise InputError(
            "Testing a panel needs the same two classes in both tables. Found "
            f"{_classes(first)} in the first and {_classes(second)} in the second."
        )
    if classifier not in CLASSIFIERS:
        raise InputError(f"There is no classifier {classifier!r}. Choose one of: {joined(list(CLASSIFIERS), 'or')}.")
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


def _classes(data):
    return joined([shown(name) for name in data.classes[:5]]) if data.classes else kind_of_target(data.target)
