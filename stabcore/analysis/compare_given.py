"""The panel of a study with and without the columns that are always in the model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stabcore.analysis.panel import THRESHOLD
from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.study.study_result import StudyResult

STAYS, DROPS_OUT, ENTERS = "stays", "drops out", "enters"


@public
def compare_given(
    result: StudyResult, without: StudyResult, threshold: float = THRESHOLD, k: int | None = None, selector: str | None = None
) -> pd.DataFrame:
    """Compare the panel of a study with given columns with that of the same study without them (see Study.without_given).

    Parameters
    ----------
    result : StudyResult
        The study with columns that are always in the model.
    without : StudyResult
        The same study without them.
    threshold : float, optional
        A share of the runs, 0 to 1.
    k : int, optional
        As if every run selected its k best.
    selector : str, optional
        One selector, by default all but baselines.

    Returns
    -------
    DataFrame
        One row per feature in either panel, the most frequent one first. without and beyond are its selection frequencies without
        and with the given columns. difference is beyond − without. change is "stays", "drops out" or "enters". A feature that
        depends on age alone drops out if age is given.

    Raises InputError unless the two are one study with and without given columns.

    Examples
    --------
    >>> frame = data.to_frame().assign(age=np.arange(160) % 40)
    >>> study = sc.Study(frame.drop(columns="outcome"), frame["outcome"], ["welch_t"], k=5, given="age", n_permutations=0)
    >>> both = [study.run(n_jobs=1, progress=False), study.without_given().run(n_jobs=1, progress=False)]
    >>> list(sc.compare_given(*both))
    ['feature', 'without', 'beyond', 'difference', 'change']
    """
    if not is_same_without_given(result, without):
        raise InputError(
            "The two results are not one study with and without columns that are always in the model. Run study.without_given() "
            "for the second."
        )
    labels = chosen_selectors(result, None if selector is None else [selector])
    missing = [label for label in labels if label not in without.finished_selectors]
    if missing:
        raise InputError(f"Without the given columns, {missing[0]} has not finished two runs.")
    beyond, alone = (np.mean([study.selections(label, k).frequencies for label in labels], axis=0) for study in (result, without))
    inside, before = beyond >= threshold - 1e-9, alone >= threshold - 1e-9
    change = np.where(inside & before, STAYS, np.where(inside, ENTERS, DROPS_OUT))
    table = pd.DataFrame(
        {"feature": result.features, "without": alone, "beyond": beyond, "difference": beyond - alone, "change": change}
    )
    order = np.argsort(-np.maximum(alone, beyond), kind="stable")
    return table.iloc[order][(inside | before)[order]].reset_index(drop=True)


def is_same_without_given(result: StudyResult, without: StudyResult) -> bool:
    """Whether the second is the same study without the given columns of the first."""
    if without.plan is None or not result.given or without.given:
        return False
    settings = [{**study.settings, "data": None} for study in (result, without)]
    return settings[0] == settings[1] and result.features == without.features and np.array_equal(result.target, without.target)
