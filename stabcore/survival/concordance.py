"""Concordance of a risk with times, survival curves, and the error of predicted curves.

A pair of rows is comparable if the one with the shorter time had the event. Of equal times, the row with the event counts as the
shorter one, and two events are not comparable. A pair is concordant if the row of the shorter time has the larger risk, and counts
half if both have the same.
"""

from dataclasses import dataclass

import numpy as np

HARRELL, UNO = "harrell", "uno"
N_TIMES = 20  # times at which predicted and observed survival are compared
_FOLLOWED_SHARE = 0.9  # share of ended rows at which the comparison ends
_MIN_UNCENSORED = 0.05  # lower limit of the uncensored share, because single rows would otherwise weigh more than 20
_BLOCK = 1 << 21  # pairs at a time
_MAX_ROWS_16_BIT = 30_000  # rows whose ranks fit into 16 bits


@dataclass(frozen=True, eq=False)
class Curve:
    """A step function that starts at 1: its value from each of its times (T,) on."""

    times: np.ndarray
    values: np.ndarray

    def at(self, times: np.ndarray) -> np.ndarray:
        """The values at some times."""
        return np.concatenate([[1.0], self.values])[np.searchsorted(self.times, times, side="right")]

    def before(self, times: np.ndarray) -> np.ndarray:
        """The values just before some times."""
        return np.concatenate([[1.0], self.values])[np.searchsorted(self.times, times, side="left")]


def kaplan_meier(target: np.ndarray) -> Curve:
    """The share of rows without the event. Source: Kaplan & Meier 1958, JASA 53:457-481."""
    times, events, at_risk = _counts_at_times(target["time"], target["event"])
    return Curve(times, np.cumprod(1 - events / at_risk))


def kaplan_meier_interval(target: np.ndarray, wider: np.ndarray | float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The 95% interval (low, high) of the curve at its times, by Greenwood's variance on the scale of log(−log S).

    NaN where the curve is 0 or 1. wider: factor of the standard error at each time, for several rows per patient.

    Source: Kalbfleisch & Prentice 1980, The statistical analysis of failure time data.
    """
    from scipy.special import ndtri

    _, events, at_risk = _counts_at_times(target["time"], target["event"])
    values = kaplan_meier(target).values
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.cumsum(events / (at_risk * (at_risk - events)))) / -np.log(values)
        factor = np.exp(ndtri(0.975) * wider * error)
        inside = (values > 0) & (values < 1)
        return np.where(inside, values**factor, np.nan), np.where(inside, values ** (1 / factor), np.nan)


def hazard_contributions(target: np.ndarray) -> np.ndarray:
    """(n, T) contribution of each row to the cumulative hazard at the times of its curve. They sum to 0 at each time.

    A row adds 1/Y at its event and loses dN/Y² at every event while it is at risk, with dN events of Y rows at risk.
    Source: Andersen, Borgan, Gill & Keiding 1993, Statistical models based on counting processes.
    """
    times, events, at_risk = _counts_at_times(target["time"], target["event"])
    followed = times <= target["time"][:, None]
    own = (times == target["time"][:, None]) & target["event"][:, None]
    return np.cumsum(own / at_risk - followed * events / at_risk**2, axis=1)


def censoring_curve(target: np.ndarray) -> Curve:
    """The share of rows that are not censored. At equal times events come first."""
    times, events, at_risk = _counts_at_times(target["time"], target["event"])
    censored = _counts_at_times(target["time"], ~target["event"])[1]
    return Curve(times, np.cumprod(1 - censored / np.maximum(at_risk - events, 1)))


def _counts_at_times(time, event):
    """(different times, events at each, rows at risk at each)."""
    times, number = np.unique(time, return_inverse=True)
    return times, np.bincount(number, weights=event), len(time) - np.searchsorted(np.sort(time), times)


def event_weights(target: np.ndarray, kind: str, uncensored: Curve | None = None) -> np.ndarray:
    """(n,) weight of the pairs of each row with an event: 1 (Harrell), or 1/G(t−)² (Uno). 0 for rows without an event.

    uncensored: G, by default that of these rows.
    """
    if kind == HARRELL:
        return target["event"].astype(float)
    share = (censoring_curve(target) if uncensored is None else uncensored).before(target["time"])
    return np.where(target["event"], 1 / np.maximum(share, _MIN_UNCENSORED if uncensored is not None else 1e-300) ** 2, 0.0)


def concordance(risk: np.ndarray, target: np.ndarray, kind: str = HARRELL, uncensored: Curve | None = None) -> float:
    """Share of comparable pairs that are concordant: 0.5 by chance, 1 for a perfect order. NaN without a comparable pair.

    Σ w_i [1(r_i > r_j) + ½ 1(r_i = r_j)] / Σ w_i over comparable pairs, i the row with the event, r the risk (n,), larger if the
    event is expected sooner. kind: "uno" weights the pairs so that the value does not depend on the censoring of rows. uncensored:
    for "uno", the share of rows that are not censored, by default that of these rows. Source: Harrell et al. 1982, JAMA
    247:2543-2546; Uno et al. 2011, Statistics in Medicine 30:1105-1117.
    """
    return concordance_influence(risk, target, kind, uncensored)[0]


def concordance_influence(risk, target, kind=HARRELL, uncensored=None) -> tuple[float, np.ndarray, np.ndarray]:
    """(concordance, (n,) contribution of each row to its error, (n,) its comparable pairs as a share of all).

    The squares of the contributions sum to the variance. Each pair belongs to two rows, so the shares add up to 2.

    Source: Hoeffding 1948, Annals of Mathematical Statistics 19:293-325, with the weights taken as known.
    """
    weights = event_weights(target, kind, uncensored)
    events, n = np.flatnonzero(weights), len(target)
    concordant, comparable = np.zeros(n), np.zeros(n)
    time, event = target["time"], target["event"]
    for start in range(0, len(events), max(1, _BLOCK // max(n, 1))):
        rows = events[start : start + max(1, _BLOCK // max(n, 1))]
        pairs = (time > time[rows, None]) | ((time == time[rows, None]) & ~event)
        right = np.where(pairs, (risk < risk[rows, None]) + 0.5 * (risk == risk[rows, None]), 0.0)
        for sums, values in ((concordant, right), (comparable, pairs)):
            sums[rows] += weights[rows] * values.sum(axis=1)
            sums += weights[rows] @ values
    total = comparable.sum() / 2
    if not total > 0:
        return np.nan, *np.full((2, n), np.nan)
    value = concordant.sum() / 2 / total
    return float(value), (concordant - value * comparable) / total, comparable / total


def column_concordances(columns: np.ndarray, target: np.ndarray) -> np.ndarray:
    """(d,) Harrell's concordance of each column (d, n) as a risk. ½ without comparable pairs."""
    from scipy.stats import rankdata

    order = np.lexsort((~target["event"], target["time"]))
    time, event = target["time"][order], target["event"][order]
    after = np.searchsorted(time, time, side="right")
    after = np.where(event, np.minimum(after, _first_censored(time, event)), after)
    below, pairs = np.zeros((2, len(columns)), dtype=np.int64), 0
    ranks = rankdata(columns, method="dense", axis=1).astype(np.int32 if len(time) > _MAX_ROWS_16_BIT else np.int16)
    rows = np.ascontiguousarray(ranks.T[order])  # small numbers, row by row: each event is one quick pass
    for i in np.flatnonzero(event):
        later = rows[after[i] :]
        below[0] += np.sum(later < rows[i], axis=0, dtype=np.int32)
        below[1] += np.sum(later <= rows[i], axis=0, dtype=np.int32)
        pairs += len(later)
    return below.sum(axis=0) / 2 / pairs if pairs else np.full(len(columns), 0.5)


def _first_censored(time, event):
    """(n,) place of the first row that is censored at the time of each row, or after it."""
    tied_events = np.searchsorted(time[event], time, side="right") - np.searchsorted(time[event], time, side="left")
    return np.searchsorted(time, time, side="left") + tied_events


def chance_deviation(target: np.ndarray) -> float:
    """Standard deviation of the concordance of a number that is not related to the outcome.

    With N comparable pairs, and s of them per row counted with the sign of its side, Var = (N + (Σ s² − 2N)/3)/(4N²). Source:
    Kendall 1938, Biometrika 30:81-93, for the correlation 1/3 of the orders of two pairs with one row in common.
    """
    order = np.lexsort((~target["event"], target["time"]))
    time, event = target["time"][order], target["event"][order]
    after = np.minimum(np.searchsorted(time, time, side="right"), np.where(event, _first_censored(time, event), len(time)))
    as_first = np.where(event, len(time) - after, 0)
    earlier_events = np.cumsum(np.bincount(after[event], minlength=len(time) + 1))[: len(time)]
    pairs = as_first.sum()
    return float(np.sqrt(pairs + (((as_first - earlier_events) ** 2).sum() - 2 * pairs) / 3) / (2 * pairs)) if pairs else 0.0


def evaluation_times(target: np.ndarray) -> np.ndarray:
    """(N_TIMES,) times at which predicted survival is judged: even steps up to where a tenth of the rows is still followed."""
    return np.quantile(target["time"], _FOLLOWED_SHARE) * np.arange(1, N_TIMES + 1) / N_TIMES


def brier_losses(survival: np.ndarray, target: np.ndarray, times: np.ndarray, uncensored: Curve) -> np.ndarray:
    """(n,) squared error of the predicted survival (n, T) of each row, averaged over time.

    Their mean is the integrated Brier score.

    A row counts while its event status is known, weighted by the reciprocal of the share that is uncensored until then. Times
    start at 0, where the error is 0, and are joined by trapezoids. Source: Graf et al. 1999, Statistics in Medicine 18:2529-2545.
    """
    time, event = target["time"][:, None], target["event"][:, None]
    until = np.maximum(uncensored.before(target["time"]), _MIN_UNCENSORED)[:, None]
    share = np.maximum(uncensored.at(times), _MIN_UNCENSORED)
    errors = np.where(time > times, (1 - survival) ** 2 / share, np.where(event, survival**2 / until, 0.0))
    grid = np.concatenate([[0.0], times])
    errors = np.hstack([np.zeros((len(errors), 1)), errors])
    return ((errors[:, 1:] + errors[:, :-1]) / 2 @ np.diff(grid)) / grid[-1]
