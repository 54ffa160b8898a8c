"""Quality of predicted risks of an event: concordance, error, calibration and net benefit, and their optimism by bootstrap."""

from collections.abc import Callable

import numpy as np

MEASURES = ("concordance", "brier", "intercept", "slope", "e50", "e90")
Z = 1.959963984540054  # 97.5% point of the normal distribution
_NEAREST = 2 / 3  # share of the rows that a smooth value rests on
_SMOOTHING_STEP = 0.01  # share of the range of the risks within which smooth values are interpolated
_MIN_RISK = 1e-9  # distance of a risk from 0 and 1 on the scale of log-odds
_RIDGE = 1e-6  # λ of a penalty λ w²/2, which keeps weights finite where columns separate the classes
_MAX_STEPS = 50  # largest number of Newton steps
_CONVERGED = 1e-10


def logistic_weights(columns: np.ndarray, happened: np.ndarray) -> np.ndarray:
    """(p + 1,) weights of standardised columns (n, p) and the intercept of a logistic regression by maximum likelihood."""
    rows = np.column_stack([columns, np.ones(len(happened))])
    weights, ridge = np.zeros(rows.shape[1]), _RIDGE * np.append(np.ones(columns.shape[1]), 0)
    bend = np.diag(ridge)

    def margin_and_loss(weights):
        margin = rows @ weights
        return margin, np.logaddexp(0, margin).sum() - margin @ happened + ridge @ weights**2 / 2

    margin, now = margin_and_loss(weights)
    for _ in range(_MAX_STEPS):
        chance = _logistic(margin)
        gradient = rows.T @ (chance - happened) + ridge * weights
        hessian = (rows * (chance * (1 - chance))[:, None]).T @ rows + bend
        step = -np.linalg.solve(hessian, gradient)
        if -(gradient @ step) < _CONVERGED:
            break
        length = 1.0
        while (after := margin_and_loss(weights + length * step))[1] > now + 1e-12 * abs(now) and length > 1e-6:
            length /= 2
        weights, (margin, now) = weights + length * step, after
    return weights


def predicted_risks(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(n,) predicted risks of rows with these columns."""
    return _logistic(columns @ weights[:-1] + weights[-1])


def worth(risk: np.ndarray, happened: np.ndarray, grid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """((6,) the MEASURES of predicted risks (n,) of an event that happened (n,), 0 or 1, and (R,) the share of events at risks).

    concordance    P(a row with the event has the larger risk), ½ of ties
    brier          mean squared difference of risk and event
    intercept, slope    of a logistic regression of the event on the log-odds of the risk: 0 and 1 if they are right
    e50, e90       median and 90th percentile of |risk − smoothed share of events|
    The share of events is NaN at risks beyond those predicted. Everything is NaN if all rows or no rows have the event. Source:
    Harrell 2015, Regression modeling strategies, section 10.9.
    """
    happened, grid = np.asarray(happened, dtype=float), np.asarray(grid, dtype=float)
    events, n = happened.sum(), len(happened)
    if not 0 < events < n:
        return np.full(len(MEASURES), np.nan), np.full(len(grid), np.nan)
    ordered, with_event = np.sort(risk), risk[happened > 0]
    ranks = (ordered.searchsorted(with_event) + ordered.searchsorted(with_event, "right") + 1) / 2
    concordance = (ranks.sum() / events - (events + 1) / 2) / (n - events)
    shares = smoothed_event_shares(risk, happened, np.concatenate([risk, grid]))
    errors = np.quantile(np.abs(risk - shares[:n]), [0.5, 0.9])
    measures = np.array([concordance, np.mean((risk - happened) ** 2), *recalibration(risk, happened), *errors])
    return measures, np.where((risk.min() <= grid) & (risk.max() >= grid), shares[n:], np.nan)


def recalibration(risk: np.ndarray, happened: np.ndarray) -> tuple[float, float]:
    """(intercept, slope) of a logistic regression of the event on the log-odds of the risk.

    Source: Cox 1958, Biometrika 45:562-565.
    """
    inside = np.clip(risk, _MIN_RISK, 1 - _MIN_RISK)
    odds = np.log(inside / (1 - inside))
    mean, spread = odds.mean(), odds.std()
    if spread < _MIN_RISK:
        return np.nan, np.nan
    slope, level = logistic_weights(((odds - mean) / spread)[:, None], happened)
    return float(level - slope * mean / spread), float(slope / spread)


def smoothed_event_shares(risk: np.ndarray, happened: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Share of events among rows near each risk: a local line over the nearest two thirds of the rows, tricube weights.

    Linear between points of at least 1% of the range of the risks, constant beyond the ends. Source: Cleveland 1979, JASA
    74:829-836, without robust steps.
    """
    order = np.argsort(risk, kind="stable")
    x, y = risk[order], np.asarray(happened, dtype=float)[order]
    points = _grid_points(x)[:, None]
    nearest = min(max(int(_NEAREST * len(x) + _MIN_RISK), 2), len(x))
    first, last = x[: len(x) - nearest + 1], x[nearest - 1 :]  # first and last risk of every stretch of this number of rows
    width = np.maximum(np.maximum(points - first, last - points).min(axis=1), _MIN_RISK)[:, None]
    distance = np.abs(x - points) / width
    weight = np.minimum(distance, 1.0)
    weight *= weight * weight
    weight = 1 - weight
    weight *= weight * weight
    weight[distance > 0.999] = 0.0
    weight[distance < 0.001] = 1.0
    centred = x - x.mean()
    moments = weight @ np.column_stack([np.ones(len(x)), centred, y, centred**2, centred * y])
    centre, share, square, product = (moments[:, 1:] / moments[:, :1]).T
    spread = square - centre**2
    rising = spread > (0.001 * (x[-1] - x[0])) ** 2
    slope = np.where(rising, (product - centre * share) / np.where(rising, spread, 1.0), 0.0)
    return np.interp(grid, points[:, 0], share + slope * (points[:, 0] - x.mean() - centre))


def net_benefit(risk: np.ndarray, happened: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """(T,) net benefit of treating rows whose risk reaches a threshold t: TP/n − FP/n · t/(1 − t).

    Source: Vickers & Elkin 2006, Medical Decision Making 26:565-574.
    """
    happened = np.asarray(happened, dtype=float)
    order = np.argsort(risk, kind="stable")
    left = np.searchsorted(risk[order], thresholds - 1e-12)
    events = np.append(np.cumsum(happened[order][::-1])[::-1], 0.0)[left]
    return (events - (len(risk) - left - events) * thresholds / (1 - thresholds)) / len(risk)


def optimism(
    develop: Callable[[np.ndarray], np.ndarray], judge: Callable[[np.ndarray, np.ndarray], np.ndarray], drawn: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """((B, m) worth of models of bootstrap samples in their own sample, the same on all rows).

    develop: rows → (n,) risks of all rows by the model of these rows. judge: (risks, rows) → (m,) their worth on these
    rows. Their mean difference is the optimism. Source: Harrell, Lee & Mark 1996, Statistics in Medicine 15:361-387.
    """
    in_sample, on_all = [], []
    for rows in drawn:
        risk = develop(rows)
        in_sample.append(judge(risk[rows], rows))
        on_all.append(judge(risk, np.arange(len(risk))))
    return np.array(in_sample), np.array(on_all)


def _grid_points(x):
    """Some of the sorted values: each at least 1% of the range from the one before, and the last."""
    unique = np.unique(x)
    step = _SMOOTHING_STEP * (x[-1] - x[0])
    if step == 0:
        return unique
    cell = np.floor((unique - unique[0]) / step * (1 + 1e-12))
    first = np.append(True, np.diff(cell) > 0)
    first[-1] = True
    return unique[first]


def _logistic(margin):
    return 0.5 + 0.5 * np.tanh(0.5 * margin)


def worth_interval(
    apparent: np.ndarray, in_sample: np.ndarray, on_all: np.ndarray, fixed: np.ndarray, recalibrated: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Ends (m,) of a 95% interval of the worth of the model in new patients, around apparent − optimism, by normal theory.

    The variance has two parts, from the patients that test the model and from those that train it. The first part is the variance
    of one model over bootstrap samples of the rows (fixed, (B, m)). The second is the variance of the models of bootstrap samples
    on the same rows (on_all, (B, m)). Its standard deviation counts twice for the concordance: weights that fit these patients
    better by some amount are worse in others by as much. The interval of the concordance is on the scale of its log-odds. The Brier
    score has the variance of in_sample − on_all, the bootstrap estimate of the error itself. Intercept and slope have their own
    interval (recalibrated, (2, 2)). E50 and E90 have none (NaN): chance alone makes a distance positive.
    """
    optimisms = in_sample - on_all
    corrected = apparent - optimisms.mean(axis=0)
    judging, teaching = fixed.var(axis=0), on_all.var(axis=0)
    concordance, brier, intercept, slope, e50, e90 = range(len(MEASURES))
    teaching[concordance] *= 4
    variance = judging + teaching
    variance[brier] = optimisms[:, brier].var()
    reach = Z * np.sqrt(variance)
    ends = np.array([corrected - reach, corrected + reach])
    inside = np.clip(corrected[concordance], _MIN_RISK, 1 - _MIN_RISK)
    steep = 1 / (inside * (1 - inside))
    ends[:, concordance] = _logistic(np.log(inside / (1 - inside)) + np.array([-1, 1]) * reach[concordance] * steep)
    ends[:, [intercept, slope]], ends[:, [e50, e90]] = recalibrated, np.nan
    return ends[0], ends[1]


def recalibration_intervals(risk: np.ndarray, happened: np.ndarray, patient: np.ndarray, columns: int) -> np.ndarray:
    """((low, high), (intercept, slope)) 95% interval of both in new patients, for a model of so many columns on these rows.

    Let v be the variance of the slope in these rows, by the sandwich over patients. The slope in new patients is on average
    1 − (columns − 2) v, with the variance v + columns v². Both hold for normal weights of any size, also without signal. The
    intercept follows from the slope: lines of recalibration of any slope meet where intercept and slope do not correlate. NaN where
    the risks are all equal. Source: Copas 1983, JRSS B 45:311-354; Stein 1981, Annals of Statistics 9:1135-1151.
    """
    inside = np.clip(risk, _MIN_RISK, 1 - _MIN_RISK)
    odds = np.log(inside / (1 - inside))
    if odds.std() < _MIN_RISK:
        return np.full((2, 2), np.nan)
    weight = inside * (1 - inside)
    mean = np.average(odds, weights=weight)
    along = (odds - mean) / (weight @ (odds - mean) ** 2)
    influence = np.zeros((patient.max() + 1, 2))  # of patients on the level at the mean and on the slope
    np.add.at(influence, patient, np.column_stack([np.full(len(odds), 1 / weight.sum()), along]) * (happened - inside)[:, None])
    (of_level, both), (_, v) = influence.T @ influence
    middle = mean - both / v
    shrunk, of_slope = (columns - 2) * v, v + columns * v**2
    of_intercept = of_level - both**2 / v + middle**2 * of_slope
    centre, reach = np.array([middle * shrunk, 1 - shrunk]), Z * np.sqrt([of_intercept, of_slope])
    return np.array([centre - reach, centre + reach])
