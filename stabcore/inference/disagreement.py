"""Sources of disagreement: the shares of the disagreement between runs due to patients, missing values and the seed."""

import numpy as np

from stabcore.inference.estimate import critical_value, jackknife_variance

SOURCES = ("patients", "missing", "seed")
MIN_DIFFERENT = 15  # smallest number of differences within runs for intervals, which cover too seldom with fewer
ENDS = tuple(f"{source}_{end}" for source in SOURCES for end in ("low", "high"))
COLUMNS = (*SOURCES, *ENDS, "disagreement", "seeds", "imputations", "runs", "note")
NO_REFITS = (
    "The sources of disagreement are unknown, because no run was refitted. Run the study with n_seeds = 2 or n_imputations = 5, or "
    "use the switches on Study."
)


def disagreement_sources(fits, level=0.95) -> dict:
    """Return the shares of the disagreement between runs due to patients, missing values and the seed, which add up to 1.

    fits: {(repeat, imputation): Selections} of the same M runs. (0, 0) is the first fit, (r, 0) has another seed on the same cells,
    and (0, j) has another filling of the missing cells and another seed. Fillings are nested in runs, and seeds in fillings. With
    p_f the probability that a fit selects feature f, given the table:
        disagreement = (1/d) Σ_f p_f (1 − p_f) = patients + missing + seed, by the law of total variance
        seed     = (1/d) Σ_f E var(Z_f | run, filling)
        missing  = (1/d) Σ_f E var(E(Z_f | run, filling) | run)
        patients = (1/d) Σ_f var(E(Z_f | run))
    Half the mean squared difference of two fits is an unbiased estimate. On one filling it estimates seed, on two fillings of one
    run seed + missing, and in two runs all three, which is the disagreement in Φ (Nogueira et al. 2018). A negative share
    is shown as 0. Without refits of a kind its share is 0, so randomised selectors need both kinds.
    patients_low, patients_high, …: the jackknife over the units of the runs (runs, unless some were drawn together): Student's t
    around the share less its bias, both cut at 0 and 1. NaN with a `note` if no two fits disagree, below 3 units, and if fewer than
    15 selections differ between fits of one run. In simulations with 6 to 100 runs they then covered in 80 to 92%.
    """
    first = fits[0, 0]
    units = np.arange(first.n_runs) if first.units is None else np.asarray(first.units)
    parts = _frequency_products({key: np.asarray(fit.selected, dtype=float) for key, fit in fits.items()})
    left_out = np.array([_components(parts, units == unit) for unit in np.unique(units)])
    components = _components(parts, np.zeros(len(units), dtype=bool))
    with np.errstate(invalid="ignore", divide="ignore"):
        raw, shares = components / components.sum(), left_out / left_out.sum(axis=1, keepdims=True)
    found = np.maximum(raw, 0.0)
    selected = np.array([fit.selected for fit in fits.values()], dtype=bool)
    low, high, note = _intervals(raw, shares, level, np.count_nonzero(selected.any(axis=0) & ~selected.all(axis=0)))
    ends = dict(zip(ENDS, map(float, np.column_stack([low, high]).ravel()), strict=True))
    return {
        **dict(zip(SOURCES, map(float, found / found.sum() if np.isfinite(raw).all() else raw), strict=True)),
        **ends,
        "disagreement": float(components.sum()),
        "seeds": sum(imputation == 0 for _, imputation in fits),
        "imputations": len({imputation for _, imputation in fits}),
        "runs": first.n_runs,
        "note": note,
    }


def _frequency_products(selected):
    """{name: ((runs, d), sum over runs)} of frequencies in a run, and of products of two fits on one filling, and in one run.

    The first filling is the mean of its fits. Without two fits of a kind, the product is that of a fit with itself.
    """
    on_first = [fit for (_, imputation), fit in selected.items() if imputation == 0]
    fillings = [sum(on_first) / len(on_first), *(fit for (_, imputation), fit in selected.items() if imputation)]
    frequency = sum(selected.values()) / len(selected)
    same_filling = _mean_product(on_first) if len(on_first) > 1 else on_first[0]
    parts = {
        "frequency": frequency,
        "frequency_squared": frequency**2,
        "frequency_on_first": fillings[0],
        "same_filling": same_filling,
        "same_run": _mean_product(fillings) if len(fillings) > 1 else same_filling,
    }
    return {name: (values, values.sum(axis=0)) for name, values in parts.items()}


def _mean_product(fits):
    """The mean of the product over pairs of different arrays."""
    return (sum(fits) ** 2 - sum(fit**2 for fit in fits)) / (len(fits) * (len(fits) - 1))


def _components(parts, out):
    """[patients, missing, seed] without some of the runs, NaN if fewer than two are left."""
    m = np.count_nonzero(~out)
    if m < 2:
        return np.full(3, np.nan)
    means = {name: (total - values[out].sum(axis=0)) / m for name, (values, total) in parts.items()}
    frequency = means["frequency"]
    other_run = (m * frequency**2 - means["frequency_squared"]) / (m - 1)  # the mean over pairs of different runs
    total, within = (frequency - other_run).mean(), (frequency - means["same_run"]).mean()
    seed = (means["frequency_on_first"] - means["same_filling"]).mean()
    return np.array([total - within, within - seed, seed])


def _intervals(shares, left_out, level, n_different):
    """(lower ends, upper ends, reason if missing) from the shares without one unit each. n_different: selections within runs."""
    n, missing = len(left_out), np.full(3, np.nan)
    if not np.isfinite(shares).all():
        return missing, missing, "no two fits disagree"
    if n < 3 or not np.isfinite(left_out).all():
        return missing, missing, "an interval needs at least three runs, and disagreement without each of them"
    if n_different < MIN_DIFFERENT:
        return missing, missing, f"an interval needs {MIN_DIFFERENT} selections that differ between fits of one run"
    middle = np.clip(n * shares - (n - 1) * left_out.mean(axis=0), 0, 1)  # otherwise some intervals have no width
    half = critical_value(level, n - 1) * np.sqrt([jackknife_variance(values) for values in left_out.T])
    measured = np.ptp(left_out, axis=0) > 0  # otherwise 0 or 1, since no fits of its kind differ
    return *(np.where(measured, np.clip(end, 0, 1), np.nan) for end in (middle - half, middle + half)), ""
