"""Agreement of the measures: all of them for every selector and several numbers of features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stabcore.base.public import public
from stabcore.inference.comparison import rank_correlations
from stabcore.inference.estimate import stability
from stabcore.measures.catalog import entries
from stabcore.measures.entry import MeasureLike
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

MAX_SIZES = 10


def values_at_sizes(result, measures, similarity=None):
    """DataFrame(selector, size, one column per measure): every selector of a result at up to 10 numbers of features, 1 … d − 1.

    size: mean number of features selected. Runs without rankings are used at their size. NaN if a measure is undefined.
    """
    d = len(result.features)
    sizes = np.unique(np.geomspace(1, max(1, d - 1), MAX_SIZES).round().astype(int))
    rows = []
    for label in result.finished_selectors:
        for k in sizes if result.can_rank(label) else [None]:
            runs = result.selections(label, None if k is None else int(k))
            values = {key: estimate.value for key, estimate in stability(runs, measures, similarity=similarity).items()}
            rows.append({"selector": label, "size": float(runs.sizes.mean()), **values})
    return pd.DataFrame(rows)


@public
def measure_agreement(result: AnyResult, measures: Sequence[MeasureLike], *, similarity: Similarity | None = None) -> pd.DataFrame:
    """DataFrame measure × measure: Spearman correlation of their values over all selectors and numbers of features.

    Parameters
    ----------
    result : StudyResult or Results
        A result of a study, or Results of uploaded selections.
    measures : list
        Keys, or a user-defined measure.
    similarity : Similarity, optional
        C for measures that need it. Entries of the result lie in [−1, 1]. 1 means that two measures order all selections equally,
        whatever their scales. An entry is missing if fewer than two selections have both values, or if one measure is constant.

    Raises
    ------
    InputError
        For an unknown measure.

    References
    ----------
    Source: Spearman 1904, American Journal of Psychology 15:72-101. Its use for measures of stability is ours.

    Examples
    --------
    >>> sc.measure_agreement(result, ["nogueira", "kuncheva"]).round(2)
              nogueira  kuncheva
    nogueira       1.0       1.0
    kuncheva       1.0       1.0
    """
    result = Results.of(result)
    frame = values_at_sizes(result, measures, similarity)
    return rank_correlations(frame.reindex(columns=[definition.key for definition in entries(measures)]))
