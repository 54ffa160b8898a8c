"""Choose on one half of the patients, estimate on the other: effects that the choice has not touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.analysis.effects import columns_of, direction, main_effect, outcome_of
from stabcore.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.data.dataset import Dataset
    from stabcore.study.study_result import StudyResult

NO_HALVES = ("Effects on the other half of the patients need a study of complementary halves. Run the study with "
             "that resampling scheme.")


def split_effects(data: Dataset, result: StudyResult, selector: str | None = None, k: int | None = None,
                  pair: int = 1) -> pd.DataFrame:
    """Estimate the effects of the features selected on one half of the patients on the other half.

    Parameters
    ----------
    data : Dataset
        The table of the study.
    result : StudyResult
        A study with complementary halves.
    selector : str, optional
        Label of the selector whose first run of the pair selects; by default the first that is ready.
    k : int, optional
        As if the run had selected its k best.
    pair : int
        Which pair of halves, from 1. Decide before looking: the pair with the largest effects overstates them again.

    Returns
    -------
    DataFrame
        One row per selected feature, the largest effect on the first half first: feature, level (of a category, chosen on the
        first half), direction (on the first half, in words), chosen_effect (on the half that selected it: overstated), effect,
        low and high (on the other half, with the 95% interval for new patients), measure.

    Raises InputError for another table, another resampling scheme, or a pair that the study does not have.

    Notes
    -----
    The other half shares no patient with the half that selected. So its effects are as good as those of features that were named
    before anybody saw these patients, and their intervals are twice as wide in variance as those of the whole table.
    Source: Cox 1975, Biometrika 62:441-444.
    """
    import pandas as pd

    if result.plan is None or not result.plan.separate_halves:
        raise InputError(NO_HALVES)
    if result.settings["data"]["fingerprint"] != data.fingerprint:
        raise InputError("The study was made of another table. Bring the table that the study was made of.")
    label = result.ready[0] if selector is None else selector
    numbers = list(result.run_numbers(label))
    first = 2 * pair - 1
    if first not in numbers:
        raise InputError(f"{label} has no finished run for pair {pair}. Choose a pair from 1 to {result.plan.runs // 2}.")
    chosen = np.flatnonzero(result.preferences(label, k).selection_matrix[[numbers.index(first)]].toarray().ravel())
    selecting, others = (result.plan.resample(run, data.target, result.settings["seed"], data.patients).rows
                         for run in (first - 1, first))
    (X, levels), outcome = columns_of(data, selecting), outcome_of(data)
    measure, estimate = main_effect(data)
    patients = None if data.patients is None else np.asarray(data.patients)
    before, _, _ = estimate(X[np.ix_(selecting, chosen)], outcome[selecting])
    after = estimate(X[np.ix_(others, chosen)], outcome[others], None if patients is None else patients[others])
    table = pd.DataFrame({"feature": [data.features[f] for f in chosen], "level": [levels[f] for f in chosen],
                          "direction": [direction(data, one, levels[f], measure) for f, one in zip(chosen, before, strict=True)],
                          "chosen_effect": before, "effect": after[0], "low": after[1], "high": after[2], "measure": measure})
    order = np.argsort(-np.abs(np.nan_to_num(before)), kind="stable")
    return table.iloc[order].reset_index(drop=True)
