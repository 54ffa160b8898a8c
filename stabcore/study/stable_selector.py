"""StableSelector: features that many resamples agree on, as a transformer of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from stabcore.base.errors import InputError
from stabcore.base.validation import is_between
from stabcore.data.feature_table import as_table
from stabcore.inference.error_bounds import pfer_bound
from stabcore.resampling.catalog import adopted, plan_of
from stabcore.resampling.draws import ComplementaryPairs
from stabcore.selections.selections import Selections
from stabcore.selectors import answers
from stabcore.selectors.base import known_target, real, whole
from stabcore.study.choices import FREE, choices_of, how_many

USUAL_THRESHOLD = 0.75
GRID = np.arange(51, 101) / 100  # thresholds that are tried for max_false and fdr


class StableSelector(SelectorMixin, BaseEstimator):
    """Keep the features that a selector selects in many resamples of the rows.

    Parameters
    ----------
    selector : str, estimator or (key, options)
        As one selector of Study: a key of sc.list_selectors(), or an estimator of scikit-learn.
    plan : optional
        As of Study; by default 25 complementary pairs of halves.
    k : int, float, str or None
        How many features each run selects at most; see Study.
    threshold : float, optional
        The least share of the runs in which a feature is selected; 0.75 where neither max_false nor fdr is given.
    max_false : float, optional
        Instead, the lowest threshold at which at most so many false features are expected (the unimodal bound of Shah & Samworth).
    fdr : float, optional
        Instead, the lowest threshold at which that bound is at most this share of the features that stay.
    random_state : int
        The seed of everything drawn at random.
    n_jobs : int, optional
        How many runs are fitted at once, by joblib.

    Attributes
    ----------
    selections_ : Selections
        What each run selected.
    frequencies_ : array (d,)
        The share of the runs that selected each feature.
    threshold_ : float
        The threshold that was used.
    expected_false_ : float
        The bound on the expected number of false features at it; NaN where there is none.

    References
    ----------
    Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80.

    Examples
    --------
    >>> import numpy as np
    >>> import stabcore as sc
    >>> X = np.random.default_rng(0).normal(size=(100, 8))
    >>> y = X[:, 0] + X[:, 1] > 0
    >>> sc.StableSelector("anova_f", k=2).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def __init__(
        self,
        selector: Any = "lasso",
        plan: Any = None,
        *,
        k: Any = 0.25,
        threshold: float | None = None,
        max_false: float | None = None,
        fdr: float | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.selector = selector
        self.plan = plan
        self.k = k
        self.threshold = threshold
        self.max_false = max_false
        self.fdr = fdr
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, groups: Any = None) -> StableSelector:
        """Run the selector on every resample and settle the threshold.

        X (n, d) numbers; y (n,) classes, or floats for a numeric outcome; groups (n,): rows of one patient stay together. Raises
        InputError, which is a ValueError, for input that a study cannot take, and for more than one rule of the threshold.
        """
        from joblib import Parallel, delayed

        seed = whole(self.random_state, "random_state", 0)
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        table, target = as_table(X), known_target(y, len(X))
        patients = None if groups is None else np.unique(groups, return_inverse=True)[1]
        plan = adopted(plan_of(ComplementaryPairs() if self.plan is None else self.plan), target, seed, patients)
        choices = choices_of([self.selector], target)
        if len(choices) != 1:
            raise InputError("A StableSelector has one selector.")
        size = choices[0].size(how_many(FREE if self.k is None else self.k, table.n_features), table.n_features)
        runs = [run for run in range(plan.n_runs) if plan.measures_stability(run)]
        chosen = Parallel(n_jobs=self.n_jobs)(
            delayed(_chosen)(choices[0], size, table, target, plan, run, seed, patients) for run in runs
        )
        names = getattr(self, "feature_names_in_", None)
        self.selections_ = Selections.from_lists(chosen, names, table.n_features)
        self.frequencies_ = self.selections_.frequencies
        self.threshold_, self.expected_false_ = self._settled(plan)
        return self

    def _settled(self, plan) -> tuple[float, float]:
        """(threshold, bound on the expected number of false features at it)."""
        rules = [name for name in ("threshold", "max_false", "fdr") if getattr(self, name) is not None]
        if len(rules) > 1:
            raise InputError(f"The threshold follows from one rule; found {' and '.join(rules)}. Give one of them.")
        q, d = float(self.selections_.sizes.mean()), self.selections_.n_features
        if not rules or rules == ["threshold"]:
            threshold = USUAL_THRESHOLD if self.threshold is None else self.threshold
            if not is_between(threshold, 0, 1) or threshold == 0:
                raise InputError("The threshold is a share of the runs, above 0 and at most 1.")
            bounded = plan.separate_halves and threshold > 0.5
            return float(threshold), float(pfer_bound(q, d, threshold, plan.n_runs // 2)) if bounded else np.nan
        allowed_rate = real(getattr(self, rules[0]), rules[0], 0, 1 if rules == ["fdr"] else None)
        if not plan.separate_halves:
            raise InputError(f"{rules[0]}= rests on complementary halves of the rows. Leave plan out, or give ComplementaryPairs.")
        bounds = np.asarray(pfer_bound(q, d, GRID, plan.n_runs // 2), dtype=float)
        stays = (self.frequencies_ >= GRID[:, None] - 1e-9).sum(axis=1)
        allowed = allowed_rate if self.fdr is None else allowed_rate * stays
        kept = np.flatnonzero(np.nan_to_num(bounds, nan=np.inf) <= allowed)
        if not len(kept):  # no threshold holds the promise: nothing is kept
            return np.inf, 0.0
        return float(GRID[kept[0]]), float(bounds[kept[0]])

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.frequencies_ >= self.threshold_ - 1e-9

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _chosen(choice, size, table, target, plan, run, seed, patients):
    """Numbers of the features that the selector selects on one resample."""
    rows = plan.resample(run, target, seed, patients).rows
    fitted = choice.make()
    fitted.fit(table.rows(rows), target[rows], rng=np.random.default_rng([seed, run]), k=size)
    return answers.chosen(fitted, size or table.n_features, table.n_features).tolist()
