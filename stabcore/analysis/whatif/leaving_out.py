"""Stability without one of the features, one of the runs, or one block of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.inference.estimate import measure_terms, stability
from stabcore.measures.catalog import entry
from stabcore.measures.effective import ChanceVariance, selection_variance, undefined_reasons
from stabcore.measures.entry import MeasureLike
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity


@public
def without_features(runs: Selections, similarity: Similarity | None = None) -> pd.DataFrame:
    """DataFrame(feature, frequency, value, change, reason): Φ_C if a feature had not been available, one row each.

    The rows are the features that were ever selected, the largest |change| first. The runs keep their other selections. change is
    value − Φ_C with all features. It is above 0 if the feature lowers the stability. Without a similarity, no features are similar,
    which is `nogueira`. tr(CS) without f is tr(CS) − 2 Σ_f' c_ff' S_ff' + S_ff. Source: ours.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.

    Raises
    ------
    InputError
        If C and the runs have different features.

    Examples
    --------
    >>> list(sc.whatif.without_features(runs, C))
    ['feature', 'frequency', 'value', 'change', 'reason']
    """
    runs = Selections.of(runs)
    C = Similarity.of(similarity or Similarity.identity(runs.n_features))
    C.check_covers(runs)
    d, selected, (rows, sums, n, divisor) = runs.n_features, np.flatnonzero(runs.counts), runs.moments
    R, sums, sizes, among = rows[:, selected].toarray(), sums[selected], runs.sizes, C.among(selected)
    covariance = ((R * among.times(R.T).T).sum(axis=0) - sums * among.times(sums) / n) / divisor  # Σ_f' c_ff' S_ff'
    variance, share = runs.moments.variances[selected], runs.frequencies[selected]
    with_it = (sizes @ runs.selection_matrix)[selected] / runs.n_runs
    rest = ChanceVariance.of(sizes.mean() - share, (sizes**2).mean() - 2 * with_it + share, d - 1)
    related = C.total - 2 * C.times(np.ones(d))[selected] + 1 - (d - 1)
    value = rest.stability(selection_variance(runs, C) - 2 * covariance + variance, related)
    change = value - ChanceVariance.of_runs(runs).stability(selection_variance(runs, C), C.total - d)
    order = np.argsort(-np.abs(change), kind="stable")
    names = np.array(runs.features, dtype=object)[selected]
    frame = pd.DataFrame(
        {"feature": names, "frequency": share, "value": value, "change": change, "reason": undefined_reasons(value)}
    )
    return frame.iloc[order].reset_index(drop=True)


@public
def without_runs(
    runs: Selections, measure: MeasureLike = "nogueira", *, similarity: Similarity | None = None, **options: Any
) -> pd.DataFrame:
    """DataFrame(run, value, change, reason): a measure without each run in turn, with runs counted from 1 in their order.

    If only the two runs of a pair are compared, there is one row per pair, counted from 1.

    change is value − the measure of all runs. It is above 0 if the run agrees less with the others than most runs do. A value is
    NaN if it is undefined, as with two runs, and reason says why. Source: ours.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    measure : str or function, optional
        Key of sc.list_measures(), or a user-defined measure.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    options : object, optional
        Options of the measure.

    Raises
    ------
    InputError
        As sc.stability does.

    Examples
    --------
    >>> sc.whatif.without_runs(runs)["run"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 8]
    """
    runs = Selections.of(runs)
    parts = runs if runs.within_units else runs.in_units(None)  # here each run is a unit
    terms = measure_terms(parts, entry(measure), similarity, options)
    value = terms.leave_one_out_values()
    why = terms.reason if runs.n_runs > 2 else "stability needs two runs, and only one would be left"
    numbers, reason = np.arange(1, parts.n_units + 1), np.where(np.isnan(value), why, "")
    return pd.DataFrame({"run": numbers, "value": value, "change": value - terms.value(), "reason": reason})


@public
def without_blocks(
    runs: Selections, blocks: ArrayLike, measure: MeasureLike = "nogueira", *, similarity: Similarity | None = None, **options: Any
) -> pd.DataFrame:
    """DataFrame(block, value, change, reason): a measure without each block of runs in turn, in order of first appearance.

    Source: ours.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    blocks : array_like
        (M,) block of each run, such as its outer fold.
    measure : str or function, optional
        Key of sc.list_measures(), or a user-defined measure.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    options : object, optional
        Options of the measure.

    Raises
    ------
    InputError
        As sc.stability does.

    Examples
    --------
    >>> sc.whatif.without_blocks(runs, [1, 1, 1, 1, 2, 2, 2, 2])["block"].tolist()
    [1, 2]
    """
    runs = Selections.of(runs)
    every, blocks, rows = stability(runs, measure, similarity=similarity, **options), np.asarray(blocks), []
    if blocks.shape != (runs.n_runs,):
        raise InputError(f"Blocks are one label per run. Found the shape {blocks.shape} for {runs.n_runs} runs.")
    for block in dict.fromkeys(blocks.tolist()):
        rest = np.flatnonzero(blocks != block)
        if len(rest) < 2:
            rows.append((block, np.nan, np.nan, "fewer than two runs would be left"))
        else:
            left = stability(runs.take(rest), measure, similarity=similarity, **options)
            rows.append((block, left.value, left.value - every.value, left.reason))
    return pd.DataFrame(rows, columns=["block", "value", "change", "reason"])
