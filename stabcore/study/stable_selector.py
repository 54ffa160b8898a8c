"""StableSelector: features that are selected in many resamples, as a transformer of scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.tables import as_pandas
from stabcore.base.target import as_target, refuse_two_rows
from stabcore.data.feature_table import as_table
from stabcore.inference.error_bounds import pfer_bound
from stabcore.inference.panel_rule import PanelRule
from stabcore.inference.path_selection import path_selection
from stabcore.resampling.catalog import adopt_plan, resolve_plan
from stabcore.resampling.draws import ComplementaryPairs
from stabcore.selections.selections import Selections
from stabcore.selectors import fit_checks
from stabcore.selectors.base import MAY, whole_number
from stabcore.study.choices import SELECTOR_CHOOSES, make_choices, resolve_k


@public
class StableSelector(SelectorMixin, BaseEstimator):
    """Keep the features that a selector selects in many resamples of the rows.

    Parameters
    ----------
    selector : str, estimator or (key, options)
        As one selector of Study: a key of sc.list_selectors(), or an estimator of scikit-learn.
    plan : optional
        As in Study, by default 25 complementary pairs of halves.
    k : int, float, str or None
        The largest number of features per run, see Study. None: as many as the selector chooses, all of them if it ranks all.
    threshold : float, optional
        The smallest selection frequency of a kept feature. 0.75 if neither max_false nor fdr is given.
    max_false : float, optional
        Instead of a threshold: the largest expected number of false features, by integrated path stability selection over the
        rankings of complementary pairs. k then has no effect.
    fdr : float, optional
        Instead of a threshold: keep the features with a q-value of at most this share, by the same method.
    random_state : int
        The seed of everything drawn at random.
    n_jobs : int, optional
        The number of parallel fits, by joblib.

    Attributes
    ----------
    selections_ : Selections
        The selections of the runs.
    frequencies_ : array (d,)
        The share of the runs that selected each feature.
    support_ : array (d,)
        Whether each feature is kept.
    expected_false_ : float
        Upper bound on the expected number of false features among them. It uses paths for max_false and fdr, and the unimodal bound
        for a threshold. NaN without a bound.
    q_values_ : array (d,)
        The q-value of each feature. NaN without complementary pairs.

    References
    ----------
    Meinshausen & Bühlmann 2010, JRSS B 72:417-473; Shah & Samworth 2013, JRSS B 75:55-80; Melikechi & Miller 2025, JASA.

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
        """Run the selector on every resample and determine the kept features.

        Parameters
        ----------
        X : object
            Features (n, d): numbers, or a table of any library, AnnData or a sparse matrix as for Study. Cells may be missing.
        y : object
            Outcome (n,): classes, floats for a numeric outcome, or the records or two columns of a time to an event.
        groups : object, optional
            Patient of each row (n,). Rows of one patient stay together.

        Raises
        ------
        InputError
            For input that a study cannot use, and for more than one rule. InputError is a ValueError.

        Examples
        --------
        >>> X, y = data.table.values, data.target
        >>> sc.StableSelector("mim", plan=sc.ComplementaryPairs(5), k=5).fit(X, y).get_support().shape
        (50,)
        """
        from joblib import Parallel, delayed

        seed = whole_number(self.random_state, "random_state", 0)
        table, target, patients = self._read(X, y, groups)
        plan = adopt_plan(resolve_plan(ComplementaryPairs() if self.plan is None else self.plan), target, seed, patients)
        choices = make_choices([self.selector], target)
        if len(choices) != 1:
            raise InputError("A StableSelector has one selector.")
        choice = choices[0]
        if self.k is None and choice.k is None and getattr(choice.make(), "own_size", "") == MAY:
            choice = replace(choice, k=SELECTOR_CHOOSES)
        size = choice.size(resolve_k(SELECTOR_CHOOSES if self.k is None else self.k, table.n_features), table.n_features)
        fitted = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_run)(choice, size, table, target, plan, run, seed, patients) for run in plan.agreeing_runs
        )
        names = getattr(self, "feature_names_in_", None)
        chosen = Selections.from_lists([selected for selected, _ in fitted], n_features=table.n_features)
        chosen = chosen if names is None else replace(chosen, names=tuple(map(str, names)))
        self.selections_ = replace(chosen, ranks=np.stack([ranks for _, ranks in fitted]))
        self.frequencies_ = self.selections_.frequencies
        self._set_support(plan, len(target) if patients is None else int(patients.max()) + 1)
        return self

    def _read(self, X, y, groups):
        """(table, outcome, patients). Arrays are checked by scikit-learn. A table with column names may hold categories."""
        X = as_pandas(X)
        refuse_two_rows(y)
        timed = np.asarray(y).shape[1:] == (2,)  # two columns: the time and the event
        if hasattr(X, "columns"):
            validate_data(self, X, skip_check_array=True)
            y = y if timed else column_or_1d(y, warn=True)
        else:
            asked = {"ensure_min_samples": 2, "ensure_all_finite": "allow-nan", "accept_sparse": "csr", "multi_output": timed}
            X, y = validate_data(self, X, y, dtype=np.float64, **asked)
        patients = None if groups is None else np.unique(groups, return_inverse=True)[1]
        table = as_table(X)
        return table, as_target(y, table.n_rows), patients

    def _set_support(self, plan, n_rows):
        """The kept features, and the bound on the number of false ones."""
        rule = PanelRule.of(threshold=self.threshold, max_false=self.max_false, fdr=self.fdr) or PanelRule()
        runs = self.selections_
        if not plan.separate_halves:
            if rule.is_target:
                raise InputError(
                    f"{rule.kind}= needs complementary halves of the rows. Leave plan out, or give ComplementaryPairs."
                )
            self.support_ = rule.admits(self.frequencies_)
            self.q_values_, self.expected_false_ = np.full(runs.n_features, np.nan), np.nan
            return
        path = path_selection([runs.ranking()], n_rows=n_rows)
        self.support_, self.q_values_ = rule.admits(self.frequencies_, path), path.q_values
        if rule.is_target:
            self.expected_false_ = float(path.expected_false[self.support_].max(initial=0.0))
        else:
            self.expected_false_ = float(pfer_bound(float(runs.sizes.mean()), runs.n_features, rule.value, runs.n_runs // 2))

    def transform(self, X: Any) -> Any:
        """The kept features of a table.

        Parameters
        ----------
        X : object
            Features (n, d), as for fit.

        Returns
        -------
        array (n, kept features), sparse for a sparse matrix, or as set_output says

        Examples
        --------
        >>> X, y = data.table.values, data.target
        >>> sc.StableSelector("mim", plan=sc.ComplementaryPairs(5), k=5).fit(X, y).transform(X[:3]).shape[0]
        3
        """
        return super().transform(as_pandas(X))

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        return tags


def _fit_run(choice, size, table, target, plan, run, seed, patients):
    """(numbers of the features that the selector selects on one resample, (d,) their ranks)."""
    rows = plan.resample(run, target, seed, patients).rows
    fitted = choice.make()
    fitted.fit(table.rows(rows), target[rows], rng=np.random.default_rng([seed, run]), k=size)
    d = table.n_features
    return fit_checks.selected_features(fitted, size or d, d).tolist(), fit_checks.feature_values(fitted, "ranking_", d)
