"""How much of what selections vary is one feature in place of another, beyond what random sets of the same features do."""

from __future__ import annotations

import numpy as np

STEPS = 200
EXACT = 1e-15            # of the largest: a step that changes less changes nothing


def places_taken(variance):
    """(f,) x ≥ 0 with x_f (Σx − x_f) = variance_f: S_ff' = −x_f x_f' then is how random sets of one size vary together.

    A set of a fixed size that gains one feature loses another, so that the covariances of each with all others add up to less its
    variance. Among sets with given frequencies and no other rule each pair takes a part in that as both vary (the product form of
    rejective sampling: Hájek 1964). Where one feature varies more than all others could make up for, as nearly as can be.
    """
    variance = np.asarray(variance, dtype=float)
    varies = variance > 0
    v = variance[varies]
    x = np.sqrt(v / max(len(v), 1))
    for _ in range(STEPS):
        others = x.sum() - x
        before, x = x, (x + np.divide(v, others, out=np.zeros_like(x), where=others > 1e-300)) / 2
        if np.abs(x - before).max(initial=0) <= EXACT * x.max(initial=0):
            break
    places = np.zeros_like(variance)
    places[varies] = x
    return places


def by_random_sets(variance, of_sizes):
    """(f,) x as above, scaled so that all S_ff' = −x_f x_f' together leave the sizes the variance that they have."""
    x, total = places_taken(variance), float(np.sum(variance))
    pairs = x.sum() ** 2 - (x ** 2).sum()
    return x * np.sqrt(max(total - of_sizes, 0.0) / pairs) if pairs > 0 else 0 * x


def exchanged(runs, first, second) -> dict[str, np.ndarray]:
    """What runs select of pairs of features, (P,) each, by their numbers: only_this, both, only_partner, neither, association, p.

    The first four are shares of the runs that add up to 1; association: correlation of the two selections (phi), −1 … 1; p: of
    being selected together no more often, among random sets in which every feature comes as often. Each of them comes in some
    runs, not in all.
    """
    n, frequency = runs.n_runs, runs.frequencies
    first, second = np.broadcast_arrays(first, second)
    one, other = runs.counts[first], runs.counts[second]
    Z = runs.selection_matrix
    together = np.asarray(Z[:, first].multiply(Z[:, second]).sum(axis=0), dtype=float).ravel()
    x = by_random_sets(frequency * (1 - frequency), float(runs.sizes.var()))
    p, q, both = one / n, other / n, together / n
    return {"only_this": (one - together) / n, "both": both, "only_partner": (other - together) / n,
            "neither": (n - one - other + together) / n,
            "association": (both - p * q) / np.sqrt(p * (1 - p) * q * (1 - q)),
            "p": seldom_together(together, one, other, n, x[first] * x[second])}


def seldom_together(both, first, second, n, apart):
    """(P,) P(X ≤ both) of the runs X of n that select two features of which one is in `first` of them, the other in `second`.

    both, first, second: (P,), or one number. apart: (P,) how much less often random sets take both, as a share of the runs, than if
    they took each by itself.
    """
    from scipy.special import gammaln

    both, first, second = np.broadcast_arrays(both, first, second)
    p, q = first / n, second / n
    together = np.clip(p * q - apart, np.maximum(p + q - 1, 0) + 1e-9, None)
    odds = together * (1 - p - q + together) / ((p - together) * (q - together))
    x = np.arange(n + 1)[None, :]

    def ways(of, taken):
        possible = (taken >= 0) & (taken <= of)
        taken = np.clip(taken, 0, of)
        return np.where(possible, gammaln(of + 1) - gammaln(taken + 1) - gammaln(of - taken + 1), -np.inf)

    weight = ways(first[:, None], x) + ways(n - first[:, None], second[:, None] - x) + x * np.log(odds)[:, None]
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return np.where(x <= both[:, None], weight, 0).sum(axis=1) / weight.sum(axis=1)
