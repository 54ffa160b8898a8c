"""Stability of every selector by the number of runs, and the number of runs for a given precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import is_single_selector, runs_by_selector
from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.inference import runs_needed as precision
from stabcore.inference.estimate import stability

if TYPE_CHECKING:
    from typing import Any

    from stabcore.measures.entry import MeasureLike
    from stabcore.similarity.similarity import Similarity
    from stabcore.study.results import RunsLike

COLUMNS = ("selector", "runs", "value", "low", "high", "spread_low", "spread_high")
NEEDED_COLUMNS = ("selector", "runs", "value", "half_width", "with_more", "needed", "reason")


@public
def stability_by_runs(
    runs: RunsLike, measure: MeasureLike = "nogueira", *, similarity: Similarity | None = None, k: int | None = None, **how: Any
) -> pd.DataFrame:
    """DataFrame(selector, runs, value, low, high, spread_low, spread_high): the measure with only m of the M runs, m = 2 … M.

    value: the mean over random orders of the runs, using the first m of each. low, high: the expected interval with m runs, from
    the standard error of all M times √(M/m). spread_low, spread_high: the range over other choices of m of these runs. All are
    within the range of the measure. Selectors whose runs do not allow the measure are left out, and `runs_needed` gives the reason.
    Source: ours. For the measure of Nogueira, Sechidis & Brown, JMLR 2018, their Theorem 7 shows that se² falls as 1/M.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        A result, {selector: Selections}, or Selections (then without the column selector).
    measure : str or function, optional
        Key of sc.list_measures(), or a user-defined measure.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    k : int, optional
        As if every run had selected its k best.
    how : object, optional
        The options n_runs, orders, level and random_state of stabcore.inference.runs_needed.stability_by_runs.

    Raises
    ------
    InputError
        For an unknown measure, an m outside 2 … M, or Selections alone that do not allow the measure.

    Examples
    --------
    >>> sc.stability_by_runs(runs, orders=10)["runs"].tolist()
    [2, 3, 4, 5, 6, 7, 8]
    """
    if is_single_selector(runs):
        return precision.stability_by_runs(runs_by_selector(runs, k)[""], measure, similarity=similarity, **how)
    parts = []
    for label, runs_of_one in runs_by_selector(runs, k).items():
        try:
            parts.append(precision.stability_by_runs(runs_of_one, measure, similarity=similarity, **how).assign(selector=label))
        except InputError:
            continue
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)] if parts else pd.DataFrame(columns=list(COLUMNS))


@public
def runs_needed(
    runs: RunsLike,
    measure: MeasureLike = "nogueira",
    *,
    similarity: Similarity | None = None,
    k: int | None = None,
    half: float = 0.05,
    more: float = 2,
) -> pd.DataFrame:
    """DataFrame(selector, runs, value, half_width, with_more, needed, reason): the number of runs for an interval of ± half.

    half_width: that of the current 95% interval, on its wider side. with_more: that with `more` times the runs, because se² falls
    as 1/M. needed: the smallest number of runs with a half width of `half` or less (inf: a million are too few). reason: the reason
    for no value or no interval, with the others missing, else "". From 10 runs, `needed` is rough: 80% of its values in simulations
    were within a factor of 3 of their median, and of 6 with a similarity. Source: ours, see `stability_by_runs`.

    Parameters
    ----------
    runs : StudyResult, Results, dict or Selections
        As in `stability_by_runs`.
    measure : str or function, optional
        Key of sc.list_measures(), or a user-defined measure.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    k : int, optional
        As in `stability_by_runs`.
    half : float, optional
        Required half width of the interval.
    more : float, optional
        Factor of the number of runs for with_more.

    Raises
    ------
    InputError
        For an unknown measure or unless half > 0.

    Examples
    --------
    >>> sc.runs_needed(result, half=0.1)["runs"].tolist()
    [8, 8]
    """
    rows = []
    for label, runs_of_one in runs_by_selector(runs, k).items():
        (estimate,) = stability(runs_of_one, [measure], similarity=similarity).values()
        n_runs, defined = runs_of_one.n_runs, np.isfinite(estimate.se)
        halves = [precision.half_width(estimate, n) if defined else np.nan for n in (n_runs, more * n_runs)]
        reason = estimate.reason or estimate.no_interval
        rows.append([label, n_runs, estimate.value, *halves, precision.runs_needed(estimate, half), reason])
    frame = pd.DataFrame(rows, columns=list(NEEDED_COLUMNS))
    return frame.drop(columns="selector") if is_single_selector(runs) else frame
