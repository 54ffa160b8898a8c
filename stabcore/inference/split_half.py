"""Split-half agreement of the patients, and intervals of a stability for other patients."""

import numpy as np

from stabcore.inference.estimate import critical_value, jackknife_error, measure_terms, stability
from stabcore.measures.catalog import entry

# ---- two halves ----

COLUMNS = ("shared", "expected_by_chance", "size", "value", "low", "high", "pairs", "note")


def agreement_of_halves(runs, measure="kappa", *, similarity=None) -> dict:
    """Return the agreement of the two runs of a pair, over the pairs of some runs (Selections.in_pairs).

    Runs without their other half are ignored. shared: mean |V ∩ V'|. expected_by_chance: mean k k'/d. size: mean number selected.
    value: `measure` over the pairs. low, high: its interval, for other divisions of the same patients. `note`: why there is none.
    It is the agreement of studies with half the patients. Source: Shah & Samworth 2013 (the pairs).
    """
    both = [unit for unit in runs.members if len(unit) == 2]
    if not both:
        return dict(zip(COLUMNS, (*[np.nan] * 6, 0, "no pair has two finished halves")))
    runs, (first, second) = runs.take(np.ravel(both)), np.arange(2 * len(both)).reshape(-1, 2).T
    estimate = stability(runs, [measure], similarity=similarity)[entry(measure).key]
    numbers = (runs.shared[first, second], runs.sizes[first] * runs.sizes[second] / runs.n_features, runs.sizes)
    note = estimate.reason or estimate.no_interval
    return dict(zip(COLUMNS, (*(float(n.mean()) for n in numbers), estimate.value, estimate.low, estimate.high, len(both), note)))


# ---- other patients ----

PARTITIONS, GROUPS = 2, 5  # the patients are split twice into fifths, for ten studies without one fifth each
MAX_COMMON = 0.3  # largest share of the variance on one axis for which the interval is valid
WIDENING = 1.5  # factor of that share, by which an interval is widened if one factor affects many features


def interval_over_groups(value, noise, left_out, left_out_noise, common=0.0, level=0.95) -> tuple[float, float]:
    """Half-width of an interval for new tables, and its standard error, NaN if nothing varies.

    value, noise: stability of the study, and its variance due to the finite number of runs. left_out, left_out_noise: (R, G) the
    same without group g of partition r. common: common_share of the features.

    se² = (1 + 1.5 common)² ([mean_r (G−1)/G Σ_g (φ_rg − φ_r.)² − (G−1)²/G · mean noise_rg]₊ + noise), with Student's t and R(G − 1)
    degrees of freedom.
    Every left-out study draws new runs, and the jackknife counts their noise (G − 1)²/G times. This part is known from the runs
    of each study and is subtracted. Fifths need less of this correction than tenths. If one factor affects all features, the
    stability depends on the difference of that factor between the classes, which the jackknife underestimates. The first
    factor corrects for it, and was found by simulation.
    Source: Shao & Wu 1989, Annals of Statistics 17:1176-1197 (jackknife over groups). The correction is our own.
    """
    left_out, n_groups = np.asarray(left_out, dtype=float), np.shape(left_out)[1]
    spread = (n_groups - 1) / n_groups * ((left_out - left_out.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean()
    excess = (n_groups - 1) ** 2 / n_groups * float(np.mean(np.nan_to_num(left_out_noise)))
    if not spread > 0 or not np.isfinite(value):
        return np.nan, np.nan
    se = float((1 + WIDENING * common) * np.sqrt(max(spread - excess, 0.0) + np.nan_to_num(noise)))
    return critical_value(level, len(left_out) * (n_groups - 1)) * se, se


def stability_and_noise(runs, measure, similarity=None, pairs=None) -> tuple[float, float]:
    """(value, variance due to the finite number of runs) of a measure: over all runs, or between the halves of `pairs`.

    pairs: (M,) number of the pair of each run, or None for all runs. The variance is NaN if the runs do not determine it.
    """
    terms = measure_terms(runs if pairs is None else runs.in_pairs(pairs), entry(measure), similarity, {})
    return float(terms.value()), float(jackknife_error(terms) ** 2 + terms.chance_error**2)


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
