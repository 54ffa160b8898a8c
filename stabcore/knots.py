"""Knots: the cardinality after which rankings add further features as if at random. Two estimates, neither a verdict."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import deviate, jackknife_error
from stabcore.measures.terms import Terms, ratio
from stabcore.profiles import profile_terms, random_profile, shared_with_others

FEWEST = 8          # ranked features, and 3 runs, below which there is no curve to look for a knot in


def knots(runs, measure="nogueira", *, relation=None, window=None, level=0.95):
    """DataFrame(method, k, low, high, reason): where stability comes to an end, by two methods; show both.

    method "marginal stability": the first k from which on, for a whole window further, the features ranked next are no more
    stable than chance (the interval of marginal_stability reaches 0 or lies below); it looks at the features themselves,
    whatever the measure. method "two segments": k·Φ(k), how many features are shared beyond chance, rises in proportion to k
    while the head of the ranking is stable and falls towards 0 in proportion once features come at random; the k where the two
    straight lines meet that fit it best (least squares; Φ the profile of `measure`, (Φ − E)/(1 − E) where it is not corrected,
    which for jaccard is a bent line rather than two straight ones).
    low, high: jackknife over runs at `level`, whole numbers. In simulations both found the end of a head of fixed order to within
    a feature; of a head that is itself in random order, the first came 8 to 25 % early, the second 20 % late. Missing with a
    reason where there is no knot: random from the first feature on, or stable to the last.
    Raises InputError for runs without a ranking, or too few of them.
    Source: Kalousis, Prados & Hilario 2005, §4.1 (the idea; both estimates are ours).
    """
    import pandas as pd

    ranks = _ranking(runs)
    fitted = _two_segments(runs, measure, relation, level)
    rows = [("marginal stability", *_marginal(ranks, _window(ranks, window), level)), ("two segments", *fitted)]
    return pd.DataFrame(rows, columns=["method", "k", "low", "high", "reason"])


def marginal_stability(runs, window=None, *, level=0.95):
    """DataFrame(k, value, low, high): how stable the features ranked k + 1 … k + window are, given the k before them; every k.

    (mean overlap − E)/(window − E) over pairs of runs, E = window²·|neither's k best|/(d − k)² what both would share if each went
    on at random among the features that it has left. 0 is chance exactly, 1 the same features in all runs. window: default √d.
    low, high: jackknife over runs at `level`. The curve ends where fewer than `window` + 1 features are left.
    """
    import pandas as pd

    ranks = _ranking(runs)
    k, terms = _marginal_terms(ranks, _window(ranks, window))
    value, half = terms.value(), deviate(level, len(ranks) - 1) * jackknife_error(terms)
    return pd.DataFrame({"k": k, "value": value, "low": value - half, "high": value + half})


def _ranking(runs):
    ranks = runs.ranking()
    shortest = int((~np.isnan(ranks)).sum(axis=1).min())
    if len(ranks) < 3 or shortest < FEWEST:
        raise InputError(f"Knots need at least 3 runs that each rank {FEWEST} features; found {len(ranks)} runs, the shortest "
                         f"of which ranks {shortest}.")
    return ranks


def _window(ranks, window):
    longest = int((~np.isnan(ranks)).sum(axis=1).min())
    if window is None:
        return min(round(np.sqrt(longest)), longest // 3)
    if window != int(window) or not 1 <= window <= longest // 3:
        raise InputError(f"A window is a whole number of features from 1 to {longest // 3}, a third of those ranked by all runs; "
                         f"found {window}.")
    return int(window)


# ---- marginal stability ----

def _marginal_terms(ranks, window):
    """((K,) k = 0, 1, …, Terms of the marginal stability at each)."""
    n_runs, d = ranks.shape
    longest = int((~np.isnan(ranks)).sum(axis=1).min())
    k = np.arange(min(longest - window, d - window - 1) + 1)
    order = np.argsort(ranks, axis=1, kind="stable")                # NaN last
    shared = np.empty((n_runs, len(k)))
    for start in k:
        now = order[:, start:start + window]
        shared[:, start] = np.bincount(now.ravel(), minlength=d)[now].sum(axis=1)
    above = np.hstack([np.zeros((n_runs, 1)), shared_with_others(ranks, k[1:])]) if len(k) > 1 else np.zeros((n_runs, 1))
    left = (n_runs - 1.0) * (d - 2 * k) + above                     # features that are among the k best of neither of two runs
    expected = left * window ** 2 / (d - k) ** 2
    return k, Terms(lambda n, found, by_chance: ratio(found - by_chance, window - by_chance, scale=window), n_runs,
                    pairs=(shared - window, expected))


def _marginal(ranks, window, level):
    """(k, low, high, reason) of the knot by marginal stability."""
    k, terms = _marginal_terms(ranks, window)
    deviates = deviate(level, len(ranks) - 1)
    half = deviates * jackknife_error(terms)
    knot = _first_at_chance((terms.value() - half)[None, :], window)[0]
    if knot == 0:
        return np.nan, np.nan, np.nan, "the features ranked first are already no more stable than chance"
    if np.isinf(knot):
        return np.nan, np.nan, np.nan, "the features ranked next are more stable than chance all the way down"
    without = np.minimum(_first_at_chance(terms.leaving_one_out() - half, window), k[-1])
    return int(np.ceil(knot)), *_interval(knot, without, deviates, k[-1]), ""


def _first_at_chance(low, window):
    """(R,) of lower limits (R, K): the first k with none above 0 from k to k + window, between whole numbers; inf for none."""
    above = np.cumsum(np.pad(low > 0, ((0, 0), (1, 0))), axis=1)
    quiet = above[:, window + 1:] - above[:, :-window - 1] == 0
    first, found = quiet.argmax(axis=1), quiet.any(axis=1)
    rows, before = np.arange(len(low)), np.maximum(first - 1, 0)
    upper, lower = low[rows, before], low[rows, first]
    share = np.where(first > 0, ratio(upper, upper - lower), 1.0)
    return np.where(found, np.where(first > 0, before + np.nan_to_num(share, nan=1.0), 0.0), np.inf)


def _interval(knot, without, deviates, most):
    """(low, high), whole numbers that enclose the interval of a knot, given the knot without each run."""
    half = deviates * _jackknife(without)
    return max(int(np.floor(knot - half + 1e-9)), 1), min(int(np.ceil(knot + half - 1e-9)), int(most))


def _jackknife(without):
    n = len(without)
    return np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())


# ---- two segments ----

def _two_segments(runs, measure, relation, level):
    """(k, low, high, reason) of the knot by two straight lines through the features shared beyond chance."""
    terms, ks = profile_terms(runs, measure, relation=relation)
    chance = random_profile(terms.n_runs, runs.n_features, ks, measure, relation=relation, level=level)
    expected, curves = chance["value"].to_numpy(), np.vstack([terms.value(), terms.leaving_one_out()])
    beyond = ratio(curves - expected, 1 - expected)
    known = np.isfinite(beyond).all(axis=0)
    ks = ks[known]
    if len(ks) < FEWEST:
        return np.nan, np.nan, np.nan, "the profile is defined at too few cardinalities"
    knot, before, after = _broken_lines(ks.astype(float), beyond[:, known] * ks)
    deviates, at = deviate(level, terms.n_runs - 1), np.searchsorted(ks, knot[0])
    rises = before[0] - deviates * _jackknife(before[1:]) > 0
    if not rises or terms.value()[known][at] <= chance["high"].to_numpy()[known][at]:
        return np.nan, np.nan, np.nan, "the ranking is no more stable than chance from the first feature on"
    bend = before - after
    if bend[0] - deviates * _jackknife(bend[1:]) <= 1e-9:
        return np.nan, np.nan, np.nan, "stability does not bend: features go on being added as stably as the first"
    return int(round(knot[0])), *_interval(knot[0], knot[1:], deviates, ks[-1]), ""


def _broken_lines(x, curves):
    """(knot, slope before, slope after), each (R,): y = b·min(x, τ) + a·max(x − τ, 0), least squares, of (R, K) curves.

    Every whole τ at once from sums over both sides of it, then between whole numbers by the parabola through the best three.
    """
    tau = x[1:-1]

    def beyond(values):                                     # sums over the x that are larger than each τ
        return (values.sum(axis=-1, keepdims=True) - np.cumsum(values, axis=-1))[..., 1:-1]

    n, sx, sxx = beyond(np.ones_like(x)), beyond(x), beyond(x * x)
    sy, sxy = beyond(curves), beyond(curves * x)
    bb, aa, ab = (x * x).sum() - sxx + n * tau ** 2, sxx - 2 * tau * sx + n * tau ** 2, tau * (sx - n * tau)
    by = (curves * x).sum(axis=1, keepdims=True) - sxy + tau * sy
    ay = sxy - tau * sy
    determinant = bb * aa - ab * ab
    before, after = (by * aa - ay * ab) / determinant, (ay * bb - by * ab) / determinant
    explained = before * by + after * ay
    best = explained.argmax(axis=1)
    rows, inner = np.arange(len(curves)), np.clip(best, 1, max(len(tau) - 2, 1))
    left, mid, right = (explained[rows, np.clip(inner + step, 0, len(tau) - 1)] for step in (-1, 0, 1))
    step = np.nan_to_num(ratio((right - left) / 2, 2 * mid - left - right, scale=np.abs(mid)))
    knot = np.where(best == inner, tau[best] + np.clip(step, -0.5, 0.5), tau[best])
    return knot, before[rows, best], after[rows, best]
