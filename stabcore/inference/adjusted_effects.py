"""Size of the association of features with the outcome beyond given columns, on one set of rows.

Every function takes X (n, d) floats with NaN for missing cells, y (n,) and the given columns, and leaves out the missing cells of
each feature. It returns (value, low, high), (d,) each, NaN where a feature is a combination of the given columns. Intervals have
the level effect_sizes.LEVEL. patients: (n,) the patient of each row, if patients have several rows.
"""

from collections.abc import Callable

import numpy as np

from stabcore.inference.effect_sizes import (
    LEVEL,
    design_effect,
    fisher_z_error,
    half_width_by_patients,
    has_two_values,
    patient_codes,
    patient_freedom,
    ranks,
    sum_by_patient,
)
from stabcore.inference.estimate import critical_value
from stabcore.selectors.given import Given
from stabcore.survival.cox import columns_by_gaps, fit_cox

_ROUNDING = 1e-12  # a smaller share of the squared length of a column is rounding


def difference_beyond(X, y, given: Given, patients=None):
    """Difference of two classes in standard deviations, from the linear model of the feature with class and given columns.

    d = β/s, s² the residual variance. Standard error √(v + d²/(2 f)), v s² the variance of β, f its degrees of freedom (analysis of
    covariance). Without given columns it is standardised_difference, and as there the interval is at least that of the influence of
    each patient, which holds for a rare class with another variance. Source: Hedges & Olkin 1985, Statistical methods for
    meta-analysis.
    """

    def effects_of_columns(columns, rows, fewer, row_patients):
        classes = fewer.column_residuals((y[rows] == 1).astype(float)[None])[0]
        left, length = fewer.column_residuals(columns), (classes**2).sum()
        free = int(rows.sum()) - fewer.basis.shape[1] - 1
        if length < _ROUNDING * rows.sum() or free < 1:
            return np.full((3, len(columns)), np.nan)
        slope = left @ classes / length
        residual = left - slope[:, None] * classes
        spread = np.sqrt((residual**2).sum(axis=1) / free)
        wider = 1.0 if row_patients is None else design_effect((residual * classes).T, row_patients)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = np.where((left**2).sum(axis=1) > 0, slope / spread, np.nan)
            z = residual / spread[:, None]
            adds = z * classes / length - value[:, None] * (z**2 - 1) / (2 * free)
            influence = half_width_by_patients(sum_by_patient(adds.T, row_patients), (y[rows] == 1).astype(int), row_patients)
            return np.array([value, np.sqrt((1 / length + value**2 / (2 * free)) * wider), influence])

    value, error, influence = _effects_by_pattern(X, given, patients, effects_of_columns, 3)
    half = np.where(
        np.isnan(value), np.nan, np.fmax(critical_value(LEVEL, patient_freedom(patient_codes(patients))) * error, influence)
    )
    return value, value - half, value + half


def share_explained_beyond(X, y, given: Given, patients=None):
    """Partial η² of more than two classes: their share of the residual variance of the feature on the given columns, 0 … 1.

    SS_classes/(SS_classes + SS_residual) of the linear model of the feature with classes and given columns (analysis of
    covariance). The interval comes from the noncentral F distributions with the observed F at 2.5 and 97.5%, smaller where classes
    have other spreads, as in effect_sizes.share_explained. Source: Steiger 2004, Psychological Methods 9:164-182.
    """
    from scipy.linalg import orth
    from scipy.special import ncfdtrinc

    def effects_of_columns(columns, rows, fewer, row_patients):
        dummies = (y[rows] == np.unique(y[rows])[1:, None]).astype(float)
        axes, left = orth(fewer.column_residuals(dummies).T), fewer.column_residuals(columns)
        classes, free = axes.shape[1], float(int(rows.sum()) - fewer.basis.shape[1] - axes.shape[1])
        total = (left**2).sum(axis=1)
        if not classes or free < 1:
            return np.full((3, len(columns)), np.nan)
        between = ((left @ axes) ** 2).sum(axis=1)
        within = np.maximum(total - between, 0)
        wider, residual, part = np.ones(len(columns)), left - (left @ axes) @ axes.T, (axes**2).sum(axis=1)
        if row_patients is not None:  # by the axis on which rows of a patient add most
            wider = np.max([design_effect((residual * axis).T, row_patients) for axis in axes.T], axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            unfitted = np.maximum(1 - part - (fewer.basis**2).sum(axis=1), 1e-9)
            apart = residual**2 @ (part / unfitted)  # SS_classes without signal, by separate variances
            wider = wider * np.fmax(apart / (classes * within / free), 1)
            F = np.where(within > _ROUNDING * total, between / classes / (within / free) / wider, np.inf)
            rest = np.maximum(int(rows.sum()) / wider - fewer.basis.shape[1] - classes, 1)
            ends = [
                np.clip(np.nan_to_num(ncfdtrinc(classes, rest, tail, np.minimum(F, 1e8))), 0, None)
                for tail in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)
            ]
            low, high = (nc / (nc + classes + rest + 1) for nc in ends)
            return np.where(total > 0, [between / total, low, high], np.nan)

    return tuple(_effects_by_pattern(X, given, patients, effects_of_columns, 3))


def rank_correlation_beyond(X, y, given: Given, patients=None):
    """Partial rank correlation of the feature and a numeric outcome, given the given columns.

    Interval by Fisher's z with the variance 1.06/(n − 3 − q) of q given columns, or by the influence of each patient if that is
    longer. Source: Fieller, Hartley & Pearson 1957, Biometrika 44:470-481.
    """

    def effects_of_columns(columns, rows, fewer, row_patients):
        left = fewer.column_residuals(ranks(columns.T).T)
        outcome = fewer.column_residuals(ranks(y[rows][:, None]).T)[0]
        free = int(rows.sum()) - 2 - fewer.basis.shape[1]
        with np.errstate(invalid="ignore", divide="ignore"):
            a, b = left / np.linalg.norm(left, axis=1)[:, None], outcome / np.linalg.norm(outcome)
            value = a @ b
            adds = np.nan_to_num((a * b - value[:, None] * (a**2 + b**2) / 2).T)
            wider = 1.0 if row_patients is None else design_effect(adds, row_patients)
            influence = fisher_z_error(value, sum_by_patient(adds, row_patients))
            return np.array([value, np.fmax(np.sqrt(1.06 / max(free, 1) * wider) * np.ones(len(value)), influence)])

    value, error = _effects_by_pattern(X, given, patients, effects_of_columns)
    z, half = (
        np.arctanh(np.clip(value, -1 + 1e-12, 1 - 1e-12)),
        critical_value(LEVEL, patient_freedom(patient_codes(patients))) * error,
    )
    return value, np.tanh(z - half), np.tanh(z + half)


def log_hazard_ratio_beyond(X, y, given: Given, patients=None):
    """Logarithm of the hazard ratio for one standard deviation of the feature, or for the larger of two values.

    From Cox's model of the feature and the given columns, ties by Efron. Source: Cox 1972, JRSS B 34:187-220.
    """

    def effects_of_columns(columns, rows, fewer, row_patients):
        found = np.full((2, len(columns)), np.nan)
        if np.count_nonzero(y["event"][rows]) < 2:
            return found
        unit = np.where(has_two_values(columns.T), np.ptp(columns, axis=1), columns.std(axis=1, ddof=1))
        left = fewer.column_residuals(columns)
        for number in np.flatnonzero(left.any(axis=1) & (unit > 0)):
            column = columns[number]
            model = fit_cox(np.vstack([(column - column.mean()) / unit[number], fewer.columns]), y[rows])
            if model.converged:
                wider = 1.0 if row_patients is None else float(design_effect(left[number][:, None], row_patients)[0])
                found[:, number] = model.weights[0], np.sqrt(model.covariance[0, 0] * wider)
        return found

    value, error = _effects_by_pattern(X, given, patients, effects_of_columns)
    half = critical_value(LEVEL, patient_freedom(patient_codes(patients))) * error
    return value, value - half, value + half


def _effects_by_pattern(X, given, patients, effects_of_columns: Callable[..., np.ndarray], parts=2):
    """(parts, d) values and standard errors, or ends, of the features, together those that are recorded in the same rows."""
    found = np.full((parts, X.shape[1]), np.nan)
    for pattern, members in columns_by_gaps(X) if X.shape[1] else ():
        rows = np.zeros(len(X), dtype=bool)
        rows[pattern] = True
        if rows.any():
            row_patients = patient_codes(None if patients is None else np.asarray(patients)[rows])
            found[:, members] = effects_of_columns(
                np.ascontiguousarray(X[np.ix_(pattern, members)].T), rows, given.subset(rows), row_patients
            )
    return found
