"""The knockoff filter: features with more weight than their knockoffs, copies with the same correlations and no signal."""

import warnings
from dataclasses import dataclass

import numpy as np

from stabcore.base.target import MORE, NUMBER, TIME, TWO, kind_of_target
from stabcore.data.encoding import Design
from stabcore.selectors.base import MAY, Selector, option
from stabcore.selectors.fair import feature_weights
from stabcore.selectors.given import adjusted_columns, distinct_rows
from stabcore.survival.cox import RiskSets, fit_cox

EQUICORRELATED, SDP = "equicorrelated", "SDP"
_FOLDS = 5
_MIN_PENALTY = 0.01  # smallest penalty of the cross-validation, as a share of the largest
_ENTRY_PROBABILITY = 0.05  # probability that a column without signal enters the lasso, about as in its cross-validation
_BARRIERS = 0.5 * 0.2 ** np.arange(5)  # falling weights of log det(2Σ − D)
_MAX_SWEEPS = 50  # most for each of them
_MIN_ROOT = 1e-9  # root of the correlations, which the shrinkage keeps above 0 unless every column is the same


@dataclass
class KnockoffFilter(Selector):
    """The knockoff filter with Gaussian model-X knockoffs (Candès et al. 2018) and the difference of lasso coefficients.

    Columns are taken as Gaussian, with the covariance Σ of Ledoit & Wolf 2004. Their knockoffs are drawn from
    N(X − XΣ⁻¹D, 2D − DΣ⁻¹D), in units of the variances with equal D_jj = min(1, 2λ_min) (equicorrelated), or with the largest
    Σ D_jj for which D_jj ≤ 1 and 2Σ − D has no negative eigenvalue (SDP). A lasso on both, with the
    penalty of the least error in five-fold cross-validation, gives W_f = |w_f| − |w̃_f|, of several columns √(Σ w²/p). These have
    a larger penalty, so that any of them enters by chance as often as a single column, at a chance of 5%. Its target
    is the number, the class as 0/1 (summed over classes against the rest if there are more), or for times the martingale residual
    without features. The filter stays valid for any such target. k = "free" selects the features with W_f ≥ T, the smallest T with
    (1 + #{W ≤ −T}) / #{W ≥ T} ≤ fdr (knockoff+). It can select nothing or at least 1/fdr features. For a given k, the k largest
    W_f above 0 are selected. Scores are W_f, importances_ the same, 0 when negative. Copies of a row in a bootstrap share their
    knockoffs. Given columns have no penalty in the lasso, so it uses the residuals of features, knockoffs and target on them. The
    features are taken as Gaussian around a mean that is linear in the given columns.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    own_size = MAY
    takes_given = True
    chance_inside = True
    steadied_by = "several knockoffs"
    zero_is_out = "The others do no better than their knockoffs."

    fdr: float = option(0.1, "expected share of false features among those selected (q)", low=0.01, high=0.9)
    distances: str = option(
        EQUICORRELATED,
        "distances of features and knockoffs: equal, or with the largest sum (slow with many features)",
        choices=(EQUICORRELATED, SDP),
    )

    def _score(self, table, y, rng, k):
        labels, codes = np.unique(y, return_inverse=True)
        rows, given, codes, times = distinct_rows(table, self.given, codes)
        design, columns = Design.of(rows, contrasts=True)
        d = table.n_features
        if not len(design.feature):
            return np.zeros(d), np.zeros(d)
        columns = adjusted_columns(columns, given)[:, : len(design.feature)]
        both = np.hstack([columns, knockoffs(columns, rng, self.distances)])
        if given is not None:
            both = given.column_residuals(both.T).T
        scale = np.tile(
            _column_scales(np.bincount(design.feature, minlength=d))[design.feature], 2
        )  # equal for a column and its knockoff
        spread = both.std(axis=0)
        both *= scale / np.where(spread > 0, spread, 1)
        folds, differences = _folds(len(codes), rng), np.zeros(d)
        for target in _lasso_targets(labels[codes], given):
            weights = scale * _lasso_coefficients(both, target, times, folds)
            real, copied = (feature_weights(part, design.feature, d) for part in np.split(weights, 2))
            differences += real - copied
        least = threshold(differences, self.fdr) if k is None else 0.0
        scores = np.where(differences >= least, np.maximum(differences, 0.0), 0.0)
        return scores, scores


def knockoffs(columns: np.ndarray, rng: np.random.Generator, distances: str = EQUICORRELATED) -> np.ndarray:
    """(n, p) Gaussian knockoffs of standardised columns (n, p), by their covariance of Ledoit & Wolf."""
    from sklearn.covariance import ledoit_wolf

    covariance = ledoit_wolf(columns, assume_centered=True)[0]
    scale = np.sqrt(np.diag(covariance))
    correlations = covariance / np.outer(scale, scale)
    roots, directions = np.linalg.eigh(correlations)
    roots = np.maximum(roots, _MIN_ROOT)
    along = (columns / scale) @ directions
    random = rng.standard_normal(columns.shape)
    if distances == SDP:
        D = largest_distances(correlations)
        moved = (directions / roots) @ directions.T * D  # Σ⁻¹D
        spread, axes = np.linalg.eigh(2 * np.diag(D) - D[:, None] * moved)
        return (along @ (directions.T - directions.T @ moved) + random * np.sqrt(np.maximum(spread, 0.0)) @ axes.T) * scale
    distance = min(1.0, 2 * roots[0])  # in units of the variances, in the same directions as below
    along *= 1 - distance / roots
    along += random * np.sqrt(np.maximum(2 * distance - distance**2 / roots, 0.0))
    return along @ directions.T * scale


def largest_distances(correlations: np.ndarray) -> np.ndarray:
    """(p,) D_jj with the largest sum, 0 ≤ D_jj ≤ 1 and 2Σ − D without negative eigenvalues, from correlations Σ (p, p).

    Σ D_jj + μ log det(2Σ − D) rises one D_jj at a time. With S = (2Σ − D)⁻¹, its largest value is at D_jj + 1/S_jj − μ. Falling μ
    approach the optimum of the semidefinite program of Candès et al. 2018.
    """
    D = np.zeros(len(correlations))
    for barrier in _BARRIERS:
        for _ in range(_MAX_SWEEPS):
            inverse, before = np.linalg.inv(2 * correlations - np.diag(D) + _MIN_ROOT * np.eye(len(D))), D.copy()
            for j in range(len(D)):
                step = np.clip(D[j] + 1 / inverse[j, j] - barrier, 0, 1) - D[j]
                D[j] += step
                inverse += np.outer(inverse[j], inverse[j] * (step / (1 - step * inverse[j, j])))
            if np.abs(D - before).max() < barrier / 10:
                break
    return D


def _column_scales(n_columns):
    """(d,) the factor of the columns of each feature, 1 for one column: the largest of p is beyond z as often as one beyond it."""
    from scipy.special import ndtri

    return ndtri(_ENTRY_PROBABILITY / 2) / ndtri(_ENTRY_PROBABILITY / 2 / np.maximum(n_columns, 1))


def threshold(differences: np.ndarray, fdr: float) -> float:
    """The smallest T > 0 with (1 + #{W ≤ −T}) / #{W ≥ T} ≤ fdr, ∞ if there is none (Barber & Candès 2015)."""
    for size in np.unique(np.abs(differences[differences != 0])):
        if 1 + np.count_nonzero(differences <= -size) <= fdr * np.count_nonzero(differences >= size):
            return float(size)
    return np.inf


def _lasso_targets(y, given):
    """The numbers that a lasso follows, one array (n,) or one for each class against the rest, of variance 1.

    With given columns, they are residuals on these.
    """
    kind = kind_of_target(y)
    if kind == TIME:
        margin = np.zeros(len(y)) if given is None else fit_cox(given.columns, y).weights @ given.columns
        targets = -RiskSets.of(y).hazards(margin).residual()[None]
    elif kind == NUMBER:
        targets = y[None]
    else:
        targets = (y == np.arange(0 if kind == MORE else 1, y.max() + 1)[:, None]).astype(float)
    return [
        (target - target.mean()) / (target.std() or 1.0)
        for target in (targets if given is None else given.column_residuals(targets))
    ]


def _folds(n, rng):
    """(rows to learn from, rows to test) of each fold of the cross-validation."""
    fold = rng.permutation(np.arange(n) % min(_FOLDS, n))
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(fold.max() + 1)]


def _lasso_coefficients(columns, target, times, folds):
    """(p,) coefficients at the penalty of the least error in cross-validation."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LassoCV

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # at the smallest penalties, which are hardly ever the best
        return LassoCV(eps=_MIN_PENALTY, cv=folds).fit(columns, target, sample_weight=times).coef_
