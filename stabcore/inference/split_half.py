"""Split-half agreement of the patients, and intervals of a stability for other patients."""

from __future__ import annotations

import numpy as np

from stabcore.inference.estimate import deviate, jackknife_error, terms_of
from stabcore.measures.catalog import entry

# ---- two halves ----

COLUMNS = ("shared", "expected_by_chance", "size", "value", "low", "high", "pairs", "note")


def agreement_of_halves(selections, pairs, measure="kappa", *, similarity=None, level=0.95) -> dict:
    """Return the agreement of the two runs of a pair, averaged over the pairs.

    pairs: (M,) the pair of complementary halves of each run. Runs without their other half are ignored. shared: mean |V ∩ V'|.
    expected_by_chance: mean k k'/d. size: mean number selected. value: mean of `measure` on the two runs. low, high: t interval of
    that mean, for other divisions of the same patients. Missing with a `note` if a pair has no value, below three pairs, or if all
    pairs have the same value. It is the agreement of studies with half the patients. Source: Shah & Samworth 2013 (the pairs).
    """
    pairs = np.asarray(pairs)
    both = [index for pair in np.unique(pairs) if len(index := np.flatnonzero(pairs == pair)) == 2]
    if not both:
        return dict(zip(COLUMNS, (*[np.nan] * 6, 0, "no pair has two finished halves")))
    first, second = np.array(both).T
    sizes, shared = selections.sizes, selections.shared[first, second]
    expected_by_chance = sizes[first] * sizes[second] / selections.n_features
    function = entry(measure).function
    values = (
        function.of_pairs(selections, similarity, first, second)
        if hasattr(function, "of_pairs")
        else np.array([function(selections.take(pair), similarity) for pair in both])
    )
    low, high, note = _interval(values, level)
    return dict(
        zip(
            COLUMNS,
            (
                float(shared.mean()),
                float(expected_by_chance.mean()),
                float(sizes[np.ravel(both)].mean()),
                float(values.mean()),
                low,
                high,
                len(both),
                note,
            ),
        )
    )


def _interval(values, level):
    """(low, high, reason if missing) of the mean of independent values."""
    n_values, missing = len(values), np.count_nonzero(np.isnan(values))
    if missing:
        return np.nan, np.nan, f"{missing} of {n_values} pairs of halves have no value"
    if n_values < 3 or np.ptp(values) == 0:
        return (
            np.nan,
            np.nan,
            "an interval needs at least three pairs" if n_values < 3 else "all pairs of halves have the same agreement",
        )
    half = deviate(level, n_values - 1) * values.std(ddof=1) / np.sqrt(n_values)
    return float(values.mean() - half), float(min(values.mean() + half, 1.0)), ""


# ---- other patients ----

PARTITIONS, GROUPS = 2, 5  # the patients are split twice into fifths, for ten studies without one fifth each
MOST_COMMON = 0.3  # largest share of the variance on one axis for which the interval is valid
WIDER = 1.5  # factor of that share, by which an interval is widened if one factor affects many features


def interval_over_groups(value, noise, left_out, left_out_noise, common=0.0, level=0.95) -> tuple[float, float]:
    """Half-width of an interval for new tables, and its standard error, NaN if nothing varies.

    Parameters
    ----------
    value, noise : float
        Stability of the study, and its variance due to the finite number of runs.
    left_out, left_out_noise : ndarray (R, G)
        The same without group g of partition r.
    common : float
        common_share of the features.
    level : float
        Confidence level.

    Returns
    -------
    half, se : float

    Notes
    -----
    se² = (1 + 1.5 common)² ([mean_r (G−1)/G Σ_g (φ_rg − φ_r.)² − (G−1)²/G · mean noise_rg]₊ + noise), with Student's t and R(G − 1)
    degrees of freedom.
    Every left-out study draws new runs, and the jackknife counts their noise (G − 1)²/G times. This part is known from the runs
    of each study and is subtracted. Fifths need less of this correction than tenths. If one factor affects all features, the
    stability depends on the difference of that factor between the classes, which the jackknife underestimates. The first
    factor corrects for it, and was found by simulation.

    References
    ----------
    Shao & Wu 1989, Annals of Statistics 17:1176-1197 (jackknife over groups). The correction is our own.
    """
    left_out, n_groups = np.asarray(left_out, dtype=float), np.shape(left_out)[1]
    spread = (n_groups - 1) / n_groups * ((left_out - left_out.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean()
    excess = (n_groups - 1) ** 2 / n_groups * float(np.mean(np.nan_to_num(left_out_noise)))
    if not spread > 0 or not np.isfinite(value):
        return np.nan, np.nan
    se = float((1 + WIDER * common) * np.sqrt(max(spread - excess, 0.0) + np.nan_to_num(noise)))
    return deviate(level, len(left_out) * (n_groups - 1)) * se, se


def stability_and_noise(runs, measure, similarity=None, pairs=None) -> tuple[float, float]:
    """(value, variance due to the finite number of runs) of a measure: over all runs, or between the halves of `pairs`.

    pairs: (M,) number of the pair of each run, or None for all runs. The variance is NaN if the runs do not determine it.
    """
    if pairs is None:
        terms = terms_of(runs, entry(measure), similarity, {})
        return float(terms.value()), float(jackknife_error(terms) ** 2 + terms.chance_error**2)
    agreement = agreement_of_halves(runs, pairs, measure, similarity=similarity)
    reach = deviate(0.95, max(agreement["pairs"] - 1, 1))
    return agreement["value"], ((agreement["value"] - agreement["low"]) / reach) ** 2


def common_share(values) -> float:
    """Share of the variance of standardised columns (n, d) on their first principal axis, beyond the share by noise.

    Missing cells count as the mean of their column. Without correlation, the largest axis has (1 + √(d/n))²/d of the variance
    (Marchenko & Pastur 1967), which is subtracted. 0 … 1.
    """
    values = np.array(values, dtype=float)
    values = values[:, ~np.isnan(values).all(axis=0)]
    values = np.nan_to_num(values - np.nanmean(values, axis=0))
    values = values[:, values.any(axis=0)]
    n, d = values.shape
    if d < 2:
        return 0.0
    values /= values.std(axis=0)
    gram = values @ values.T if n < d else values.T @ values
    largest = np.linalg.eigvalsh(gram)[-1] / (n * d)
    return float(max(largest - (1 + np.sqrt(d / n)) ** 2 / d, 0.0))
