"""Direction and size of the association of features with the outcome, on one set of rows.

Every function takes X (n, d) floats with NaN for missing cells and y (n,) and leaves out the missing cells of each feature. It
returns (value, low, high), (d,) each. These are NaN without two known cells in each class, and for a constant feature.
Intervals have the level LEVEL. They are valid for new patients, and for features that were not selected on these rows.
patients: (n,) the patient of each row, if patients have several rows, see repeated.
"""

import numpy as np

from stabcore.inference.estimate import critical_value
from stabcore.survival.concordance import column_concordances, concordance_influence
from stabcore.survival.cox import columns_by_gaps, fit_cox_each

LEVEL = 0.95
BISECTIONS = 60  # bisections: an interval of length 1 down to 10⁻¹⁸


def area_under_curve(X, y, patients=None):
    """Probability that a row of class 1 has the larger value than one of class 0, ties counting half: ½ means no difference.

    AUC = (R₁ − n₁(n₁ + 1)/2)/(n₀ n₁), R₁ the sum of the ranks of class 1. Interval: the AUCs whose standard error, under
    exponential distributions, is at least |difference|/z away. Its width is never 0. It is at least that of the influence of each
    patient, as in `standardised_difference`, which holds for a rare class with another spread. Source: Newcombe 2006, Statistics in
    Medicine 25:559-573 (method 5), with ranks as in Mann & Whitney 1947.
    """
    recorded = ~np.isnan(X)
    n1, n0 = (recorded & (y == 1)[:, None]).sum(axis=0), (recorded & (y == 0)[:, None]).sum(axis=0)
    of_all = ranks(X)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (np.where(recorded & (y == 1)[:, None], of_all, 0).sum(axis=0) - n1 * (n1 + 1) / 2) / (n0 * n1)
    value, row_patients = np.where((n0 > 1) & (n1 > 1), value, np.nan), patient_codes(patients)
    inflation = _difference_design_effect(of_all, y, row_patients)

    def error(area):
        middle = (n0 + n1) / 2 - 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(area * (1 - area) * (1 + middle * ((1 - area) / (2 - area) + area / (1 + area))) / (n0 * n1) * inflation)

    z = critical_value(LEVEL, patient_freedom(row_patients))
    low, high = (
        _bisected_limit(value, limit, lambda area: z * error(area)) for limit in (np.zeros_like(value), np.ones_like(value))
    )
    half = half_width_by_patients(area_contributions(X, y, patients), y, patients)
    return value, np.fmin(low, np.maximum(value - half, 0)), np.fmax(high, np.minimum(value + half, 1))


def standardised_difference(X, y, patients=None):
    """Mean of class 1 less mean of class 0, in standard deviations within the classes (Cohen's d).

    d = (m₁ − m₀)/s, s² = ((n₁ − 1)s₁² + (n₀ − 1)s₀²)/(n₁ + n₀ − 2). Its standard error is √(1/n₁ + 1/n₀ + d²/(2(n₁ + n₀ − 2))).
    That needs a normal feature with one variance. So the interval is at least that of the influence of each patient, with
    Welch-Satterthwaite degrees of freedom, which holds for a rare class of a skewed feature.
    Source: Hedges & Olkin 1985, Statistical methods for meta-analysis. Welch 1947, Biometrika 34:28-35.
    """
    value, error, bend = error_of_difference(X, y, patients)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = critical_value(LEVEL, patient_freedom(patient_codes(patients))) * error * np.sqrt(1 + bend * (value / error) ** 2)
    half = np.where(
        np.isnan(value), np.nan, np.fmax(half, half_width_by_patients(difference_contributions(X, y, patients), y, patients))
    )
    return value, value - half, value + half


def half_width_by_patients(parts, y, patients=None):
    """(d,) half of the interval of a difference of two classes by the contribution of each patient, NaN with one of a class.

    parts: (G, d) contributions. Classes have separate variances, and degrees of freedom by Welch-Satterthwaite.
    """
    from scipy.special import stdtrit

    row_patients = patient_codes(patients)
    classes = np.asarray(y) if row_patients is None else np.bincount(row_patients, y) / np.bincount(row_patients)
    if np.isin(classes, (0, 1)).all():
        groups = [parts[classes == label] for label in (0, 1)]
    else:
        groups = [parts]  # a patient with rows in both classes
    with np.errstate(invalid="ignore", divide="ignore"):
        counts = [np.count_nonzero(group, axis=0) for group in groups]
        squares = [(group**2).sum(axis=0) * n / (n - 1) for group, n in zip(groups, counts, strict=True)]
        freedom = sum(squares) ** 2 / sum(square**2 / (n - 1) for square, n in zip(squares, counts, strict=True))
        return stdtrit(freedom, (1 + LEVEL) / 2) * np.sqrt(sum(squares))


def error_of_difference(X, y, patients=None):
    """(d, its standard error where d is 0, b): the standard error of d is error · √(1 + b (d/error)²), (d,) each."""
    (n0, mean0, square0), (n1, mean1, square1) = moments(X, y == 0), moments(X, y == 1)
    free, inflation = n0 + n1 - 2, _difference_design_effect(X, y, patient_codes(patients))
    with np.errstate(invalid="ignore", divide="ignore"):
        pooled = np.sqrt((square0 + square1) / free)
        varies = pooled > 1e-12 * (np.abs(mean0) + np.abs(mean1) + 1e-300)
        value = np.where((n0 > 1) & (n1 > 1) & varies, (mean1 - mean0) / pooled, np.nan)
        return value, np.sqrt((1 / n0 + 1 / n1) * inflation), inflation / (2 * free)


def median_difference(X, y, patients=None):
    """Median of class 1 less median of class 0, in the units of the feature.

    The interval of each median ends at values of the class, see `median_interval`, so it also holds for few distinct values. Their
    distances from the medians are squared and added. Source: Zou & Donner 2008, Statistics in Medicine 27:1693-1702.
    """
    first, second = (np.sort(X[y == label], axis=0) for label in (0, 1))  # NaN last
    middle0, middle1 = _median(first), _median(second)
    row_patients = patient_codes(patients)
    inflation = _difference_design_effect(np.sign(X - np.where((y == 1)[:, None], middle1, middle0)), y, row_patients)
    (low0, high0), (low1, high1) = (_median_limits(ordered, inflation, row_patients) for ordered in (first, second))
    value = middle1 - middle0
    return value, value - np.hypot(middle1 - low1, high0 - middle0), value + np.hypot(high1 - middle1, middle0 - low0)


def median_interval(X, patients):
    """(low, high), (d,) each, of the median of each column of rows of one class, if patients have several rows.

    The ends are the order statistics z √(n · design effect)/2 ranks from the middle.
    Source: Conover 1999, Practical nonparametric statistics, with Kish's design effect.
    """
    row_patients, ordered = patient_codes(patients), np.sort(X, axis=0)
    signs = np.nan_to_num(np.sign(X - _median(ordered)))
    return _median_limits(ordered, 1.0 if row_patients is None else design_effect(signs, row_patients), row_patients)


def share_explained(X, y, patients=None):
    """η²: the share of the feature's variance that lies between the classes, 0 … 1.

    η² = SS_between/SS_total. The interval comes from the noncentral F distributions with the observed F at 2.5 and 97.5%. F is
    smaller by the ratio of SS_between without signal if classes have separate variances, because a rare class with another spread
    exceeded 0 in 21% of tables. With few rows η² is above 0 without signal, by (C − 1)/(n − 1) on average. Source: Steiger 2004,
    Psychological Methods 9:164-182. Brown & Forsythe 1974, Technometrics 16:129-132 (separate variances).
    """
    from scipy.special import ncfdtrinc

    classes = np.unique(y)
    parts = [moments(X, y == label) for label in classes]
    n, total = sum(part[0] for part in parts), sum(part[0] * np.nan_to_num(part[1]) for part in parts)
    within = sum(part[2] for part in parts)
    inflation = _difference_design_effect(X, y, patient_codes(patients))
    with np.errstate(invalid="ignore", divide="ignore"):
        between = sum(part[0] * (np.nan_to_num(part[1]) - total / n) ** 2 * (part[0] > 0) for part in parts)
        n_classes = sum((part[0] > 0).astype(int) for part in parts)
        free1, free2 = n_classes - 1.0, n - n_classes
        usable = (free1 > 0) & (free2 > 0) & (between + within > 0)
        value = np.where(usable, between / (between + within), np.nan)
        apart = sum((1 - part[0] / n) * part[2] / np.maximum(part[0] - 1, 1) for part in parts)
        inflation = inflation * np.fmax(apart / (free1 * within / free2), 1)
        F = np.where(within > 0, between / free1 / (within / free2) / inflation, np.inf)
        free2 = np.maximum(n / inflation - n_classes, 1)
        low, high = (
            np.clip(np.nan_to_num(ncfdtrinc(free1, free2, tail, np.minimum(F, 1e8))), 0, None)
            for tail in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)
        )
        return value, *(np.where(usable, nc / (nc + free1 + free2 + 1), np.nan) for nc in (low, high))


def rank_correlation(X, y, patients=None):
    """Spearman's ρ of the feature and a numeric outcome, −1 … 1, with an interval by Fisher's z and variance 1.06/(n − 3).

    That is too short if the outcome varies more at large and small values of the feature. So the interval is at least that of the
    influence of each patient. Source: Fieller, Hartley & Pearson 1957, Biometrika 44:470-481.
    """
    value, z, error = error_of_rank_correlation(X, y, patients)
    half = critical_value(LEVEL, patient_freedom(patient_codes(patients))) * np.fmax(
        error, fisher_z_error(value, rank_correlation_contributions(X, y, patients))
    )
    return value, np.tanh(z - half), np.tanh(z + half)


def fisher_z_error(value, parts):
    """(d,) standard error of Fisher's z of correlations (d,) from the contributions (G, d) of patients to these."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sqrt((parts**2).sum(axis=0) * len(parts) / (len(parts) - 1)) / (1 - value**2)


def error_of_rank_correlation(X, y, patients=None):
    """(ρ, its Fisher's z, the standard error of z), (d,) each."""
    recorded = ~np.isnan(X)
    n = recorded.sum(axis=0)
    a, b = ranks(X), ranks(np.where(recorded, y[:, None], np.nan))
    a, b = (np.where(recorded, values - (n + 1) / 2, 0.0) for values in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (a * b).sum(axis=0) / np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
        value, row_patients = np.where(n > 3, value, np.nan), patient_codes(patients)
        a, b = (ranked / np.sqrt((ranked**2).sum(axis=0)) for ranked in (a, b))
        inflation = 1.0 if row_patients is None else design_effect(np.nan_to_num(a * b - value * (a**2 + b**2) / 2), row_patients)
        return value, np.arctanh(np.clip(value, -1 + 1e-12, 1 - 1e-12)), np.sqrt(1.06 / (n - 3) * inflation)


def log_hazard_ratio(X, y, patients=None):
    """Logarithm of the hazard ratio for one standard deviation of the feature, or for the larger of two values.

    y: times and events. From Cox's model of the feature alone, ties by Efron. The interval is value ± z · standard error. It is for
    the number of units that is one standard deviation in these rows. Of a skewed feature, another sample has another one.
    Source: Cox 1972, JRSS B 34:187-220; Efron 1977, JASA 72:557-565.
    """
    value, error = error_of_hazard_ratio(X, y, patients)
    half = critical_value(LEVEL, patient_freedom(patient_codes(patients))) * error
    return value, value - half, value + half


def error_of_hazard_ratio(X, y, patients=None):
    """(log hazard ratio, its standard error), (d,) each."""
    value, error, rows = _hazard_models(X, y)
    if (row_patients := patient_codes(patients)) is not None:
        error = error * np.sqrt(design_effect(rows, row_patients))
    return value, error


def has_two_values(X):
    """(d,) whether a feature has at most two different recorded values."""
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return ((low == X) | (high == X) | np.isnan(X)).all(axis=0)


def _hazard_models(X, y):
    """(log hazard ratio (d,), standard error (d,), (n, d) contributions of rows), each feature on its recorded rows."""
    value, error, rows = np.full(X.shape[1], np.nan), np.full(X.shape[1], np.nan), np.zeros(X.shape)
    for recorded, members in columns_by_gaps(X) if X.shape[1] else ():
        if np.count_nonzero(y["event"][recorded]) < 2:
            continue
        columns = X[np.ix_(recorded, members)].T
        unit = np.where(has_two_values(columns.T), np.ptp(columns, axis=1), columns.std(axis=1, ddof=1))
        weight, spread, parts = fit_cox_each(columns, y[recorded])
        value[members], error[members] = weight * unit, spread * unit
        rows[np.ix_(recorded, members)] = parts.T * unit
    return value, error, rows


def _difference_design_effect(X, y, row_patients):
    """(d,) the design effect of a difference of classes. A row adds (x − mean)/n of its class, negative in the first class."""
    if row_patients is None:
        return 1.0
    adds = np.zeros(X.shape)
    for number, label in enumerate(np.unique(y)):
        rows = y == label
        n, mean, _ = moments(X, rows)
        with np.errstate(invalid="ignore", divide="ignore"):
            adds[rows] = np.nan_to_num((X[rows] - mean) / n) * (1 if number else -1)
    return design_effect(adds, row_patients)


def ranks(X):
    """(n, d) average ranks from 1 within each column. NaN stays NaN."""
    from scipy.stats import rankdata

    gaps = np.isnan(X)
    return np.where(gaps, np.nan, rankdata(np.where(gaps, np.inf, X), axis=0))


def moments(X, rows):
    """(number of known values, mean, sum of squares around it) of each column over some rows."""
    part = X[rows]
    recorded = ~np.isnan(part)
    n = recorded.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(recorded, part, 0).sum(axis=0) / n
        return n, mean, (np.where(recorded, part - mean, 0) ** 2).sum(axis=0)


def _median(ordered):
    """Median of each sorted column, NaN last."""
    n = (~np.isnan(ordered)).sum(axis=0)
    return np.where(n > 0, (_value_at_rank(ordered, (n + 1) // 2) + _value_at_rank(ordered, n // 2 + 1)) / 2, np.nan)


def _median_limits(ordered, inflation, row_patients):
    """(low, high) of the median of each sorted column, NaN with too few rows for an interval."""
    n = (~np.isnan(ordered)).sum(axis=0)
    place = np.floor(n / 2 - critical_value(LEVEL, patient_freedom(row_patients)) * np.sqrt(n * inflation) / 2 + 1)
    usable = (n > 4) & (place >= 1)
    return tuple(np.where(usable, _value_at_rank(ordered, rank), np.nan) for rank in (place, n + 1 - place))


def _value_at_rank(ordered, place):
    """The value at a rank from 1 in each sorted column."""
    if not len(ordered):
        return np.full(ordered.shape[1], np.nan)
    return ordered[np.clip(place - 1, 0, len(ordered) - 1).astype(int), np.arange(ordered.shape[1])]


def _bisected_limit(value, end, reach):
    """The point between value and end at which reach(point) equals value, by bisection."""
    near, far = value.copy(), end.astype(float)
    for _ in range(BISECTIONS):
        middle = (near + far) / 2
        inside = np.abs(middle - value) <= reach(middle)
        near, far = np.where(inside, middle, near), np.where(inside, far, middle)
    return np.where(np.isnan(value), np.nan, near)


# ---- several rows of one patient ----


def patient_codes(patients) -> np.ndarray | None:
    """(n,) number from 0 of the patient of each row. None if every row is its own patient, or if unknown."""
    if patients is None:
        return None
    row_patients = np.unique(np.asarray(patients), return_inverse=True)[1]
    return None if row_patients.max(initial=-1) + 1 == len(row_patients) else row_patients


def design_effect(adds, row_patients):
    """(d,) the variance inflation due to correlated rows of one patient.

    G/(G − 1) · Σ_patients (Σ of its rows)² / Σ_rows (…)², G the number of patients. It is below 1 if the rows of a patient are in
    both classes, so that a patient is compared with itself. If no row contributes (separated classes), rows of a
    patient count as copies.
    adds: (n, d) contribution of each row to the estimate (its linear part), 0 where unknown. row_patients: (n,) see codes.
    Source: Kish 1965, Survey Sampling (design effect), and Liang & Zeger 1986, Biometrika 73:13-22 (sums by patient).
    """
    rows_of_patient = np.bincount(row_patients)
    order = np.argsort(row_patients, kind="stable")
    sums = np.add.reduceat(adds[order], np.cumsum(rows_of_patient) - rows_of_patient, axis=0)
    among, alone = (sums**2).sum(axis=0), (adds**2).sum(axis=0)
    copies = (rows_of_patient**2).sum() / rows_of_patient.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(alone > 0, among / alone * len(rows_of_patient) / (len(rows_of_patient) - 1), copies)


def patient_freedom(row_patients) -> int | None:
    """Degrees of freedom of an interval, for `estimate.critical_value`: G − 1 if G patients have several rows, else None."""
    return None if row_patients is None else int(row_patients.max())


# ---- influence functions: the contribution of every patient ----


def difference_contributions(X, y, patients=None):
    """(G, d) contributions to the standardised difference of two classes.

    A row of class 1 contributes (x − m₁)/(s n₁) − δ((x − m₁)² − s²)/(2 s² (n₀ + n₁ − 2)). A row of class 0 has
    −(x − m₀)/(s n₀) instead of the first term. Source: Hampel 1974, Journal of the American Statistical Association 69:383-393.
    """
    n, mean, square = (np.stack(part) for part in zip(*(moments(X, y == label) for label in (0, 1)), strict=True))
    free = n.sum(axis=0) - 2
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = square.sum(axis=0) / free
        effect = (mean[1] - mean[0]) / np.sqrt(variance)
        side = (y == 1).astype(int)
        z = (X - mean[side]) / np.sqrt(variance)
        rows = np.where(side[:, None] == 1, z / n[1], -z / n[0]) - effect * (z**2 - 1) / (2 * free)
    return sum_by_patient(rows, patients)


def area_contributions(X, y, patients=None):
    """(G, d) contributions to the area under the ROC curve of two classes.

    The placement of a row is the share of the other class that it is ranked correctly against. A row contributes its placement less
    the area, divided by the number of rows of its class. Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837-845.
    """
    of_all, rows = ranks(X), np.full(X.shape, np.nan)
    for label in (0, 1):
        of_class, others = y == label, (~np.isnan(X[y != label])).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            placed = (of_all[of_class] - ranks(X[of_class])) / others
            n, mean, _ = moments(placed, np.ones(len(placed), dtype=bool))
            rows[of_class] = (placed - mean) / n * (1 if label else -1)
    return sum_by_patient(rows, patients)


def rank_correlation_contributions(X, y, patients=None):
    """(G, d) contributions to Spearman's ρ, ties at their mean rank.

    With U and V the mean ranks divided by n, ρ = cov(U, V)/√(var U var V). A row contributes to each of the three moments by its
    product, and by its effect on the ranks of the rows above it. Source: Hájek 1968, Annals of Mathematical Statistics
    39:325-346.
    """
    recorded = ~np.isnan(X)
    n = recorded.sum(axis=0)
    first, second = X, np.where(recorded, np.asarray(y, dtype=float)[:, None], np.nan)
    (u, above_u), (v, above_v) = (_midranks(values, n) for values in (first, second))
    with np.errstate(invalid="ignore", divide="ignore"):
        product, square_u, square_v = u * v + above_u(v) + above_v(u), u**2 + 2 * above_u(u), v**2 + 2 * above_v(v)
        product, square_u, square_v = (terms - np.nansum(terms, axis=0) / n for terms in (product, square_u, square_v))
        cov, var_u, var_v = (np.nansum(products, axis=0) / n - 0.25 * ((n + 1) / n) ** 2 for products in (u * v, u**2, v**2))
        scale = np.sqrt(var_u * var_v)
        rows = (product / scale - cov / scale / 2 * (square_u / var_u + square_v / var_v)) / n
    return sum_by_patient(rows, patients)


def hazard_ratio_contributions(X, y, patients=None):
    """(G, d) contributions to the logarithm of the hazard ratio.

    A row contributes its score residual divided by the information. Source: Lin & Wei 1989, JASA 84:1074-1078.
    """
    return sum_by_patient(_hazard_models(X, y)[2], patients)


def centred_concordance(X, y):
    """(d,) Harrell's concordance of each feature as a risk, less ½, on its recorded rows. NaN for a constant feature.

    y: times and events. It does not depend on the scale of a feature.
    """
    value = np.full(X.shape[1], np.nan)
    for recorded, members in columns_by_gaps(X):
        if not len(recorded):
            continue
        columns = X[np.ix_(recorded, members)].T
        value[members] = np.where(np.ptp(columns, axis=1) > 0, column_concordances(columns, y[recorded]) - 0.5, np.nan)
    return value


def concordance_contributions(X, y, patients=None):
    """(G, d) contributions to Harrell's concordance. Source: see survival.concordance.concordance_influence."""
    rows = np.zeros(X.shape)
    for f, values in enumerate(X.T):
        recorded = ~np.isnan(values)
        rows[recorded, f] = concordance_influence(values[recorded], y[recorded])[1]
    return sum_by_patient(rows, patients)


def sum_by_patient(rows, patients):
    """(G, d) sums over the rows of each patient, with 0 for a missing or undefined contribution."""
    rows, row_patients = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0), patient_codes(patients)
    if row_patients is None:
        return rows
    sums = np.zeros((row_patients.max() + 1, rows.shape[1]))
    np.add.at(sums, row_patients, rows)
    return sums


def _midranks(X, n):
    """((n, d) mean ranks divided by n, function w → (n, d) mean of w over rows that rank above a row, ties counting half)."""
    from scipy.stats import rankdata

    gaps = np.isnan(X)
    filled = np.where(gaps, np.inf, X)
    order = np.argsort(filled, axis=0, kind="stable")
    first, last = (rankdata(filled, method, axis=0).astype(int) for method in ("min", "max"))

    def above(weights):
        below = np.vstack([np.zeros((1, X.shape[1])), np.cumsum(np.nan_to_num(np.take_along_axis(weights, order, axis=0)), axis=0)])
        upto, before = (np.take_along_axis(below, place, axis=0) for place in (last, first - 1))
        return np.where(gaps, np.nan, (below[-1] - (upto + before) / 2) / n)

    return np.where(gaps, np.nan, (first + last) / 2 / n), above
