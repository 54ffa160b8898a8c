"""Integrated path stability selection: expected false selections and q-values from rankings of complementary halves."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.selectors.base import one_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

POWERS = (1, 2, 3)
MAX_BOUND_INTEGRAL = 0.05  # largest integral of the bound, which is the smallest expected number of false selections of a feature
LOOSE_CUTOFF = 0.5  # the same where shuffles measure chance and the bound only ends the path
CLEAR_ERRORS = 2  # standard errors by which shuffles have to differ from chance
MAX_PREFERRED_SHARE = (
    0.1  # largest share of what halves repeat beyond chance that may come from features preferred whatever the outcome is
)
CORRELATED = 0.6  # |ρ| of two features from which one may be selected instead of the other, which shuffles do not show
PATH_POINTS = 40  # numbers of features along a path
# Features by chance: strata of |z| over all rows up to the largest, draws of rows in each, fewest and most rows.
EFFECTS, DRAWS, LARGEST_EFFECT, SMALLEST_N, LARGEST_N = 220, 40, 5.5, 6, 200
FEWER_DRAWS = 10  # draws where all features are counted
REPEATABILITIES = np.arange(50, 101) / 100  # values of their repeatability


@dataclass(frozen=True, eq=False)
class PathSelection:
    """Scores and expected false selections of each feature, from its path of selection frequencies.

    scores          (d,) s_f, 0 to 1: 1 where every run selects the feature at every k
    expected_false  (d,) bound on the expected number of false features among those with a score of at least s_f, up to d
    q_values        (d,) the smallest share of expected false features in any panel that holds the feature
    points          (K,) the values of k with weight, rising
    weights         (K,) μ
    shares          (K,) the share of all features that a run selects there on average
    unseen          1/(S + 1) where S shuffles measure chance, else 0. S shuffles cannot exclude so many false features, so q-values
                    count them as well
    """

    scores: np.ndarray
    expected_false: np.ndarray
    q_values: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    shares: np.ndarray
    unseen: float = 0.0

    def with_least_false(self, least: np.ndarray) -> PathSelection:
        """The same with expected_false of at least `least` (d,)."""
        expected = np.maximum(self.expected_false, least)
        return replace(self, expected_false=expected, q_values=q_values(expected, self.unseen))


def path_selection(
    rankings: Sequence[np.ndarray],
    *,
    power: int = 2,
    delta: float = 1.0,
    n_rows: int | None = None,
    shuffled: Sequence[Sequence[np.ndarray]] | None = None,
) -> PathSelection:
    """Expected false selections and q-values of every feature, from the rankings of complementary halves.

    With p_f(k) the share of the runs that rank f among their first k, h(x) = (2x − 1)^m for x ≥ ½, else 0, and μ ∝ k^(−δ) on
    1 ≤ k ≤ K:   s_f = ∫ h(p_f) dμ,   E #{false f: s_f ≥ t} ≤ (1/t) ∫ b dμ,   b as path_bound gives it.
    K is the largest for which the integral of b is at most CUTOFF. At most POINTS values of k have a weight. Small values of k
    are closer together.

    The inequality makes one assumption on features without relation to the outcome. Such a feature is in the first k of both halves
    of m pairs no more often than if every half drew its k features at random. Two pairs of halves share rows, so with m > 1 it
    fails in tables without signal. With 50 pairs and a limit of 1, they had 1.4 to 2.2 false features for m = 2, and 3 to 8 for m =
    3. So with `n_rows` the expected number is at least d · P(s ≥ s_f) of a feature without relation, see chance_tail.

    With `n_rows`, features are also judged stepwise. Those with higher scores are mostly true, so they cannot be false, and
    unrelated features have fewer places. Of b features with E expected false ones, b − E − √E count as true for the next. The
    inequality does not cover this step. Simulations do (docs/claims.md, tests/benchmarks/compare.py).

    With `shuffled`, the expected number is d · P(s ≥ s_f), with the repeatability that the shuffles show, see repeatability. The
    inequality then only ends the path, at LOOSE_CUTOFF. Small numbers are less certain, see PathSelection.unseen.

    rankings: one array (2B, d) for each selector, 1 = best, NaN where a run does not rank a feature. Runs 2i and 2i + 1 are two
    halves of the rows. For several selectors, frequencies and bounds are averaged. The inequality still holds, because h is convex.
    power: m, one of 1, 2, 3. n_rows: number of rows, or of patients if their rows stay together. None: the inequality alone.
    shuffled: with n_rows, such rankings for each shuffled outcome, of at least two pairs. Raises InputError for another power, or
    for runs that are not pairs. Source: Melikechi & Miller 2025, JASA; Melikechi, Dunson & Miller 2025, Bioinformatics.
    """
    n_runs, d = rankings[0].shape if len(rankings) else (0, 0)
    if n_runs < 2 or n_runs % 2 or any(ranks.shape != rankings[0].shape for ranks in rankings):
        raise InputError("Expected false selections along a path need complementary pairs of runs, as many of each selector.")
    pairs = n_runs // 2
    points, weights, frequencies = weighted_path(rankings, power, delta, LOOSE_CUTOFF if shuffled else MAX_BOUND_INTEGRAL)
    repeated = repeatability(shuffled, points, pairs, weights, n_rows) if shuffled and n_rows else 1.0
    frequency = frequencies.mean(axis=0)
    scores = path_scores(frequency, weights, power)
    falling = np.argsort(-scores, kind="stable")

    def judged(begin, true):
        """(d,) expected false features, given the number of true ones among the first `begin`, which cannot be false."""
        left, above = d - true, frequencies[:, :, falling[:begin]].sum(axis=2)
        sizes = frequencies.sum(axis=2) - above * (true / max(begin, 1))
        bound = expected_false(scores, 0 if shuffled else float(weights @ path_bound(sizes, left, pairs, power).mean(axis=0)), left)
        if n_rows is None:
            return bound
        chance = left * chance_tail(scores, sizes.mean(axis=0) / left, pairs, weights, power, n_rows, repeated)
        return np.maximum(bound, chance)

    expected, now, begin = np.zeros(d), judged(0, 0.0), 0
    while begin < d:
        false = expected[falling[begin - 1]] if begin else 0.0
        true = begin - false - np.sqrt(false)  # less one standard error of a Poisson number
        stepwise = n_rows is not None and false <= begin and scores[falling[begin]] > 0
        if stepwise and true > 0:
            now = judged(begin, true)
        end = begin + max(1, begin // 4) if stepwise else d  # one by one at first, to save time
        expected[falling[begin:end]] = np.maximum(now[falling[begin:end]], false)
        begin = end
    unseen = 1 / (len(shuffled) + 1) if shuffled and n_rows else 0.0
    return PathSelection(scores, expected, q_values(expected, unseen), points, weights, frequency.mean(axis=1), unseen)


def weighted_path(rankings: Sequence[np.ndarray], power: int, delta: float = 1.0, cutoff: float = MAX_BOUND_INTEGRAL):
    """((K,) values of k with weight, (K,) their weights, (S, K, d) frequencies of each selector), see path_selection."""
    n_runs, d = rankings[0].shape
    bounds = np.mean([path_bound(_sizes(ranks), d, n_runs // 2, power) for ranks in rankings], axis=0)
    ends = path_points(bounds, delta, cutoff)
    return ends[:-1], path_weights(ends, delta), np.array([path_frequencies(ranks, ends[:-1]) for ranks in rankings])


def path_bound(q: ArrayLike, d: int, pairs: int, power: int) -> np.ndarray:
    """b_m(k): the bound on Σ h(p_f) over the false features, if runs select q(k) of d features on average.

    With B pairs: b_1 = q²/d, b_2 = q²/(Bd) + (B − 1)q⁴/(Bd³), b_3 = q²/(B²d) + 3(B − 1)q⁴/(B²d³) + (B − 1)(B − 2)q⁶/(B²d⁵).
    Raises InputError for another power.
    """
    if power not in POWERS:
        raise InputError(f"The power of a path is 1, 2 or 3. Found {power!r}.")
    once, B = (np.asarray(q, dtype=float) / d) ** 2, pairs
    terms = {1: once, 2: (once + (B - 1) * once**2) / B, 3: (once + 3 * (B - 1) * once**2 + (B - 1) * (B - 2) * once**3) / B**2}
    return d * terms[power]


def path_points(bounds: np.ndarray, delta: float, cutoff: float) -> np.ndarray:
    """Whole numbers k_1 = 1 < k_2 < …. The last one is the first that no longer counts.

    bounds: (d,) the bound at k = 1, 2, …, d, which never falls. The range ends where its mean exceeds the cutoff, but k = 1 counts.
    """
    weights = path_weights(np.arange(1, len(bounds) + 2), delta, normed=False)
    mean = np.cumsum(weights * bounds) / np.cumsum(weights)
    last = max(1, int(np.searchsorted(mean, cutoff, side="right")))
    return np.unique(np.round(np.geomspace(1, last + 1, PATH_POINTS + 1)).astype(int))


def path_weights(points: np.ndarray, delta: float, *, normed: bool = True) -> np.ndarray:
    """(n − 1,) μ of the intervals between n points, of density ∝ x^(−δ). The value at the first end is used for an interval."""
    ends = np.asarray(points, dtype=float)
    weights = np.abs(np.diff(np.log(ends) if delta == 1 else ends ** (1 - delta) / (1 - delta)))
    return weights / weights.sum() if normed else weights


def path_frequencies(ranks: np.ndarray, ks: np.ndarray) -> np.ndarray:
    """(K, d) share of the runs (M, d) that rank each feature among their first k, of each k in rising order."""
    n_runs, d = ranks.shape
    runs, features = np.nonzero(ranks <= ks[-1])  # few if the path ends early, and no NaN
    begun = np.searchsorted(ks, ranks[runs, features])
    return np.bincount(begun * d + features, minlength=len(ks) * d).reshape(len(ks), d).cumsum(axis=0) / n_runs


def path_scores(frequency: np.ndarray, weights: np.ndarray, power: int) -> np.ndarray:
    """(d,) ∫ h(p_f) dμ of frequencies (K, d)."""
    return weights @ _path_score(frequency, power)


def _path_score(frequency, power):
    """The function h of frequencies."""
    return np.clip(2 * frequency - 1, 0, None) ** power


def expected_false(scores: np.ndarray, integral: float, most: float | None = None) -> np.ndarray:
    """(d,) integral/s_f, at most the number of features that can be false, by default all."""
    d = len(scores) if most is None else most
    return integral / np.maximum(scores, integral / d) if integral > 0 else np.where(scores > 0, 0.0, d)


def chance_tail(
    scores: np.ndarray, shares: np.ndarray, pairs: int, weights: np.ndarray, power: int, n_rows: int, repeated: float = 1.0
) -> np.ndarray:
    """(d,) P(s ≥ s_f) of a feature without relation to the outcome, among exchangeable features.

    Its values on the n rows are v ~ N(0, 1), rotated so that their mean is the effect. A half of the rows selects it if its |t| in
    that half is among the largest share of Student's t. All pairs divide the same rows, so its score varies more than with separate
    rows for each pair. This matters with few rows. A selector that judges features together repeats itself less. The normal score
    of t then counts by ρ = `repeated`, and a value of N(0, 1) of the half alone by √(1 − ρ²), so their sum is N(0, 1) for every ρ.
    shares: (K,) q(k)/d at the k of the weights (K,). n_rows: n, limited to SMALLEST_N … LARGEST_N.
    """
    falling, tail = _chance_scores(tuple(shares.tolist()), pairs, tuple(weights.tolist()), power, _limited_rows(n_rows), repeated)
    beyond = np.searchsorted(-falling, -scores + 1e-9, side="right")
    return np.where(scores > 0, np.append(0.0, tail)[beyond], 1.0)


def repeatability(
    shuffled: Sequence[Sequence[np.ndarray]], points: np.ndarray, pairs: int, weights: np.ndarray, n_rows: int
) -> float:
    """The ρ of chance_tail with which halves of different pairs have as many features in common as in shuffles.

    The features among their first k are counted, for the k = points of the weights (K,). Such counts vary far less over shuffles
    than counts of features with high scores. ρ is one of REPEATABILITIES, and 1 unless halves have significantly fewer features in
    common than with t. It is also 1 if the selector prefers features whatever the outcome is, so that more than MAX_PREFERRED_SHARE
    of what halves have in common beyond chance is common to differently shuffled outcomes. shuffled, n_rows: as for path_selection.
    """
    seen = [weights @ np.mean([_adjacent_pair_overlap(ranks, points) for ranks in rankings], axis=0) for rankings in shuffled]
    shares = np.mean([[_counts_up_to(ranks, points) / ranks.size for ranks in rankings] for rankings in shuffled], axis=(0, 1))
    pairs = max(pairs, 2)
    halves = _chance_halves(pairs, _limited_rows(n_rows), 1.0, FEWER_DRAWS)
    mass, often = halves[0], _selection_counts(halves, shares)
    by_t = weights @ (often * (often - 1) @ mass - 2 * pairs * shares**2) / (4 * pairs * (pairs - 1))  # without halves of one pair
    if not is_clearly_above(-np.array(seen), -by_t):
        return 1.0
    share = np.mean(seen) / by_t * (weights @ chance_overlap(shares))
    first = bisect_left(REPEATABILITIES, share, key=lambda repeated: weights @ chance_overlap(shares, repeated))
    repeated = float(REPEATABILITIES[min(first, len(REPEATABILITIES) - 1)])
    preferred = np.mean([_shuffle_overlap(of_one, points) for of_one in zip(*shuffled, strict=True)], axis=0)
    much = weights @ (preferred - shares**2) > MAX_PREFERRED_SHARE * (weights @ (chance_overlap(shares, repeated) - shares**2))
    return 1.0 if much else repeated


def is_clearly_above(values: ArrayLike, chance: float) -> bool:
    """Is the mean of two or more values above chance by CLEAR_ERRORS standard errors?"""
    of_each = np.asarray(values, dtype=float)
    return bool(of_each.mean() - CLEAR_ERRORS * of_each.std(ddof=1) / np.sqrt(len(of_each)) > chance)


def _adjacent_pair_overlap(ranks, points):
    """(K,) share of the features that are among the first k of a half and of another one in the next pair."""
    halves = ranks.reshape(-1, 2, ranks.shape[1])
    both = np.maximum(halves[:-1, :, None], halves[1:, None])
    return _counts_up_to(both, points) / both.size


def _shuffle_overlap(rankings, points):
    """(K,) share of the features that are among the first k of a half in one shuffle and of a half in another one."""
    total, squares = np.zeros((len(points), rankings[0].shape[1])), np.zeros(len(points))
    for often in (path_frequencies(ranks, points) for ranks in rankings):
        total, squares = total + often, squares + (often**2).mean(axis=1)
    return ((total**2).mean(axis=1) - squares) / (len(rankings) * (len(rankings) - 1))


def _counts_up_to(values, points):
    """(K,) number of values that are at most k. NaN are not."""
    return np.searchsorted(np.sort(values, axis=None), points, side="right")


def chance_overlap(shares: np.ndarray, repeated: float = 1.0) -> np.ndarray:
    """(K,) P(two halves of different pairs both select a feature of chance_tail) with many rows, where a half selects a share."""
    from scipy.special import ndtr, ndtri

    z, mass = _effects()
    cut, effect, rest = -ndtri(np.asarray(shares) / 2), repeated * z[:, None] / np.sqrt(2), np.sqrt(1 - repeated**2 / 2)
    return mass @ (ndtr((effect - cut) / rest) + ndtr((-effect - cut) / rest)) ** 2


@lru_cache(maxsize=256)
def _chance_scores(shares, pairs, weights, power, n_rows, repeated):
    """(scores of such features in falling order, probability of a score at least as large)."""
    halves = _chance_halves(pairs, n_rows, repeated, left_out=pairs)
    mass, beyond = halves[0], _selection_counts(halves, np.array(shares))  # halves that select it, beyond half of them
    scores = np.array(weights) @ _path_score(np.arange(pairs, 2 * pairs + 1) / (2 * pairs), power).take(beyond)
    order = np.argsort(-scores, kind="stable")
    return scores[order], np.cumsum(mass[order])


def _selection_counts(halves, shares):
    """(K, F) number of these _chance_halves that select each feature at each share. Those that select it at k come first."""
    from scipy.special import ndtri

    mass, rising, of_feature, score = halves
    cuts = ndtri(np.clip(shares, 0, 1) / 2)
    first, last = np.zeros(len(cuts), dtype=int), np.full(len(cuts), len(rising))
    while (first < last).any():  # bisection needs the scores of a few values only
        middle = (first + last) // 2
        selected = score(rising[np.minimum(middle, len(rising) - 1)]) <= cuts
        first, last = np.where(selected & (first < last), middle + 1, first), np.where(selected, last, middle)
    of_shares = (np.bincount(part, minlength=len(mass)) for part in np.split(of_feature, first)[:-1])
    return np.array(list(accumulate(of_shares)))


@lru_cache(maxsize=4)
def _chance_halves(pairs, n_rows, repeated, draws=DRAWS, left_out=0):
    """((F,) probability of each such feature, −|value| of their halves in rising order, the feature of each, values → scores).

    left_out: the number of halves of each feature that are left out, those with the largest |value|.
    """
    mass, t, drawn_anew = _drawn_halves(pairs, n_rows, draws)
    halves = -np.abs(t)
    if repeated < 1:
        of_rows = np.copysign(_lower_scores(pairs, n_rows, draws), t)
        halves = -np.abs(np.float32(repeated) * of_rows + np.float32(np.sqrt(1 - repeated**2)) * drawn_anew)
    score = partial(_normal_score, n_rows // 2 - 1) if repeated == 1 else np.asarray
    halves = np.sort(halves, axis=1)[:, left_out:]
    order = np.argsort(halves, axis=None)
    return mass, halves.ravel()[order], order // halves.shape[1], score


def _limited_rows(n_rows):
    return min(max(n_rows, SMALLEST_N), LARGEST_N)


@lru_cache(maxsize=4)
def _drawn_halves(pairs, n_rows, draws):
    """((F,) the probability of each, (F, 2 pairs) t in each half of the rows, another value of N(0, 1))."""
    z, mass = _effects()
    rng, size = np.random.default_rng(0), n_rows // 2
    first = rng.permuted(np.tile(np.arange(n_rows) < size, (draws, pairs, 1)), axis=2).transpose(0, 2, 1).astype(np.float32)
    values = rng.standard_normal((draws, len(z), n_rows), dtype=np.float32)
    values += (z[:, None] / np.sqrt(n_rows) - values.mean(axis=2, keepdims=True)).astype(np.float32)
    rows = np.concatenate([first, 1 - first], axis=2)  # every draw divides the rows anew
    with one_thread():  # threads wait for each other on a busy computer, longer than one takes
        n, total, squares = rows.sum(axis=1, keepdims=True), values @ rows, (values * values) @ rows
    variance = (squares - total**2 / n) / (n - 1)
    t = total / np.sqrt(n * np.maximum(variance, 1e-12))
    drawn_anew = rng.standard_normal(total.shape, dtype=np.float32)
    return np.tile(mass / draws, draws), t.reshape(-1, 2 * pairs), drawn_anew.reshape(-1, 2 * pairs)


@lru_cache(maxsize=4)
def _lower_scores(pairs, n_rows, draws):
    """(F, 2 pairs) the normal score of −|t|. All of them take longer than everything else here."""
    return _normal_score(n_rows // 2 - 1, -np.abs(_drawn_halves(pairs, n_rows, draws)[1]))


def _normal_score(freedom, t):
    """The value of N(0, 1) at the same share as t of Student's distribution. It rises with t."""
    from scipy.special import ndtri, stdtr

    return ndtri(stdtr(freedom, t))


def _effects():
    """((F,) strata of |z| over all rows, (F,) their probabilities)."""
    from scipy.special import ndtr

    ends = np.linspace(0, LARGEST_EFFECT, EFFECTS + 1)
    return (ends[:-1] + ends[1:]) / 2, 2 * (ndtr(-ends[:-1]) - ndtr(-ends[1:]))


def chance_square(shares: np.ndarray, pairs: int) -> np.ndarray:
    """(K,) E U² of such a feature, U the share of the pairs in which both halves select it, where a half selects a share."""
    from scipy.special import ndtr, ndtri

    z, mass = _effects()
    z, cut = z[:, None], -np.sqrt(2) * ndtri(np.asarray(shares) / 2)
    both = 2 * ndtr(-cut - z) + np.clip(2 * ndtr(z - cut) - 1, 0, None)  # given z: |w| is above cut + z, or below z − cut
    return mass @ both / pairs + (1 - 1 / pairs) * (mass @ both**2)


def observed_square(rankings: Sequence[np.ndarray], points: np.ndarray, pairs: int) -> np.ndarray:
    """(K,) Σ_f E U², unbiased, from the rankings (2b, d) of b ≥ 2 pairs, 2i and 2i + 1. The mean over several selectors."""
    rows = []
    for ranks in rankings:
        of_pairs = np.maximum(ranks[::2], ranks[1::2])  # the k at which both halves select a feature
        within, between = (_counts_up_to(values, points) for values in (of_pairs, np.maximum(of_pairs[:-1], of_pairs[1:])))
        rows.append(within / len(of_pairs) / pairs + (1 - 1 / pairs) * between / (len(of_pairs) - 1))
    return np.mean(rows, axis=0)


def q_values(expected: np.ndarray, unseen: float = 0.0) -> np.ndarray:
    """(d,) the smallest (E + unseen)/n over all panels {f: expected false ≤ E}, n features, that hold each feature."""
    order = np.argsort(expected, kind="stable")
    rising = expected[order]
    shares = (rising + unseen) / np.searchsorted(rising, rising, side="right")
    values = np.empty_like(shares)
    values[order] = np.minimum(np.minimum.accumulate(shares[::-1])[::-1], 1)
    return values


def _sizes(ranks):
    """(d,) mean number of features that a run selects at k = 1, 2, …, d."""
    n_runs, d = ranks.shape
    places = np.ceil(ranks[~np.isnan(ranks)]).astype(int)
    return np.cumsum(np.bincount(np.minimum(places, d), minlength=d + 1)[1:]) / n_runs
