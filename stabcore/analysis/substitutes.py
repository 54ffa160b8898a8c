"""Substitutes: features that replace each other between runs, and their share of the variance of selections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from stabcore.analysis.runs_asked import chosen_selectors
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results

MIN_FEATURES = 7  # smallest number of features whose selection varies: their pairs give the spread despite true substitutes
TAIL_QUANTILES, MIN_IN_TAIL = (
    (0.1, 0.05, 0.02, 0.01),
    5,
)  # quantiles that show it, and the smallest number of pairs below all but the first
MAX_COMPARED = 100  # largest number of features of a selector to compare in pairs
COLUMNS = ["selector", "feature", "partner", "related", "only_this", "both", "only_partner", "neither", "association", "p_holm"]


@public
def substitutes(
    result: AnyResult,
    k: int | None = None,
    similarity: Similarity | None = None,
    selectors: Sequence[str] | None = None,
    level: float = 0.05,
) -> pd.DataFrame:
    """DataFrame, one row per pair of features that replace each other in the runs of a selector, most significant first.

    selector, feature, partner             the pair, the more frequent one first
    related                                C of the two, 0 without a similarity
    only_this, both, only_partner, neither shares of the runs with this selection, which add up to 1
    association                            correlation of the two selections over the runs (phi), −1 … 1
    p_holm                                 as in analysis.feature_profile.feature_substitutes, but with Holm's correction over all
                                           compared pairs of all selectors. Only pairs below `level` are returned
    attrs["not_tested"]                    selectors with fewer than 7 features whose selection varies, which are not tested

    All pairs of the MAX_COMPARED features whose selection varies most between runs are compared, similar or not. Correlated
    features are often selected together, so many pairs are negatively associated without being substitutes. The spread σ of the
    z-values is therefore estimated from all pairs of a selector, and p = Φ(z/σ). Fewer than 7 features do not give σ, and without
    it up to 93% of tables without signal showed a pair. σ is the largest (median − q quantile)/−Φ⁻¹(q) of q = 10, 5, 2 and 1%, over
    all pairs and over those that are expected together most often, or 1. In simulated noise with 50 runs, a filter showed a pair in
    0 to 10% of 60 tables of each kind, and in 0 to 13% with 200 runs. With only 10 correlated features and 5% left out it was 20%.
    The tables had 7, 8, 9, 10, 20 or 60 features: independent, with one factor, in blocks or correlated with their neighbours. p
    refers to more such runs of this table, not to other patients.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    k : int, optional
        As if every run had selected its k best features. None: as the runs select.
    similarity : Similarity, optional
        Feature similarity C, for measures that need it.
    selectors : list of str, optional
        Labels, by default all that are finished but baselines.
    level : float, optional
        Largest p_holm of a returned pair, 0 to 1.

    Raises
    ------
    InputError
        For an unknown label.

    References
    ----------
    Source: see analysis.feature_profile.feature_substitutes; Efron 2004, JASA 99:96-104 (empirical null); Holm 1979.

    Examples
    --------
    >>> list(sc.substitutes(result))[:3]
    ['selector', 'feature', 'partner']
    """
    similarity = None if similarity is None else Similarity.of(similarity)
    result = Results.of(result)
    related = similarity if similarity is not None and similarity.n_related else None
    runs_of = {label: result.selections(label, k) for label in chosen_selectors(result, selectors)}
    looked_at = pd.concat(
        [compared_pairs(runs, related).assign(selector=label) for label, runs in runs_of.items()], ignore_index=True
    )
    looked_at["p_holm"] = holm(looked_at["p"].to_numpy(dtype=float))
    sure = looked_at[looked_at["p_holm"] < level].sort_values(["p_holm", "association"], kind="stable", ignore_index=True)[COLUMNS]
    sure.attrs["not_tested"] = [label for label, runs in runs_of.items() if not is_tested(runs)]
    return sure


def is_tested(runs) -> bool:
    """Whether enough features vary between runs to find substitutes."""
    return len(_varying_features(runs)) >= MIN_FEATURES


def _varying_features(runs):
    return np.flatnonzero((runs.counts > 0) & (runs.counts < runs.n_runs))


def compared_pairs(runs, similarity=None) -> pd.DataFrame:
    """All pairs of features of a selector for `substitutes`, with the p of each single pair, NaN below MIN_FEATURES."""
    from scipy.special import ndtr, ndtri

    if similarity is not None:
        similarity.check_covers(runs)
    moves = _varying_features(runs)
    varies = runs.counts[moves] * (runs.n_runs - runs.counts[moves])
    first = moves[np.argsort(-varies, kind="stable")[:MAX_COMPARED]]
    first = first[np.argsort(-runs.counts[first], kind="stable")]
    i, j = np.triu_indices(len(first), 1)
    value = np.zeros(len(i)) if similarity is None else similarity.values(first[i], first[j])
    a, b, names = first[i], first[j], np.array(runs.features, dtype=object)
    pairs = pd.DataFrame({"feature": names[a], "partner": names[b], "related": value, **joint_selection(runs, a, b)})
    z, expected = ndtri(np.clip(pairs["p"], 1e-300, 1 - 1e-12)), runs.frequencies[a] * runs.frequencies[b]
    if not is_tested(runs):
        return pairs.assign(p=np.nan)
    return pairs.assign(p=ndtr(z / max(_z_spread(z), _z_spread(z[expected >= np.median(expected)]))))


def _z_spread(z):
    """Spread of z-values around their median, by their lower tail. It is 1 or more."""
    from scipy.special import ndtri

    tails = np.array([tail for tail in TAIL_QUANTILES if tail == TAIL_QUANTILES[0] or tail * len(z) >= MIN_IN_TAIL])
    return max(1.0, *((np.median(z) - np.quantile(z, tails)) / -ndtri(tails)))


# ---- one feature in place of another, beyond random sets with the same frequencies ----

STEPS = 200
MIN_RELATIVE_STEP = 1e-15  # smallest relevant step, relative to the largest value


def product_factors(variance):
    """(f,) x ≥ 0 with x_f (Σx − x_f) = variance_f: S_ff' = −x_f x_f' is then the covariance in random sets of one size.

    A set of fixed size that gains one feature loses another, so the covariances of each with all others sum to minus its
    variance. Among sets with given frequencies and no other constraint, each pair contributes by both variances (the product form
    of rejective sampling: Hájek 1964). If one feature varies more than all others together, the closest solution is used.
    """
    variance = np.asarray(variance, dtype=float)
    varies = variance > 0
    v = variance[varies]
    x = np.sqrt(v / max(len(v), 1))
    for _ in range(STEPS):
        others = x.sum() - x
        before, x = x, (x + np.divide(v, others, out=np.zeros_like(x), where=others > 1e-300)) / 2
        if np.abs(x - before).max(initial=0) <= MIN_RELATIVE_STEP * x.max(initial=0):
            break
    places = np.zeros_like(variance)
    places[varies] = x
    return places


def random_set_factors(variance, of_sizes):
    """(f,) x as above, scaled so that all S_ff' = −x_f x_f' together reproduce the variance of the sizes."""
    x, total = product_factors(variance), float(np.sum(variance))
    pairs = x.sum() ** 2 - (x**2).sum()
    return x * np.sqrt(max(total - of_sizes, 0.0) / pairs) if pairs > 0 else 0 * x


def joint_selection(runs, first, second) -> dict[str, np.ndarray]:
    """Joint selection of pairs of features, (P,) each: only_this, both, only_partner, neither, association, p.

    The first four are shares of the runs that add up to 1. association: correlation of the two selections (phi), −1 … 1. p: for
    being selected together at most this often, among random sets with the same frequencies. Each of them is in some
    runs, but not in all.
    """
    n, frequency = runs.n_runs, runs.frequencies
    first, second = np.broadcast_arrays(first, second)
    n_first, n_second = runs.counts[first], runs.counts[second]
    Z = runs.selection_matrix
    together = np.asarray(Z[:, first].multiply(Z[:, second]).sum(axis=0), dtype=float).ravel()
    x = random_set_factors(frequency * (1 - frequency), float(runs.sizes.var()))
    p, q, both = n_first / n, n_second / n, together / n
    return {
        "only_this": (n_first - together) / n,
        "both": both,
        "only_partner": (n_second - together) / n,
        "neither": (n - n_first - n_second + together) / n,
        "association": (both - p * q) / np.sqrt(p * (1 - p) * q * (1 - q)),
        "p": exclusion_p_values(together, n_first, n_second, n, x[first] * x[second]),
    }


def exclusion_p_values(both, first, second, n, apart):
    """(P,) P(X ≤ both) for the number X of n runs that select both features, with one in `first` of them and the other in `second`.

    both, first, second: (P,), or one number. apart: (P,) reduction of joint selection in random sets, as a share of the runs,
    relative to independence.
    """
    from scipy.special import gammaln

    both, first, second = (counts.astype(int) for counts in np.broadcast_arrays(both, first, second))
    p, q = first / n, second / n
    together = np.clip(p * q - apart, np.maximum(p + q - 1, 0) + 1e-9, None)
    odds = together * (1 - p - q + together) / ((p - together) * (q - together))
    x = np.arange(n + 1)[None, :]

    log_factorial = gammaln(np.arange(n + 1) + 1)

    def log_combinations(of, taken):
        possible = (taken >= 0) & (taken <= of)
        taken = np.clip(taken, 0, of)
        return np.where(possible, log_factorial[of] - log_factorial[taken] - log_factorial[of - taken], -np.inf)

    weight = (
        log_combinations(first[:, None], x) + log_combinations(n - first[:, None], second[:, None] - x) + x * np.log(odds)[:, None]
    )
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return np.where(x <= both[:, None], weight, 0).sum(axis=1) / weight.sum(axis=1)
