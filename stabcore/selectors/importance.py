"""The importance of every feature in a fitted model (Hamer & Dupont 2021, JMLR 22(116), section 5.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.public import public

if TYPE_CHECKING:
    from stabcore.base.types import Seed

_FIRST_CHANGE = 0.05  # first change tried, in standard deviations
_GROWTH = 1.25  # ratio of successive changes
_HALVINGS = 40  # halvings between the last change without a flip and the first with a flip
_MAX_CELLS = 10_000_000  # largest number of cells passed to a model at once


@public
def linear_importance(weights: ArrayLike) -> np.ndarray:
    """Importances of a linear model on features of unit variance: ‖w‖₀ |w_f| / ‖w‖₁.

    The result (d,) is at least 0. It sums to the number of features with a weight, so 1 is the average of these. It is 0 if no
    feature has a weight.

    Parameters
    ----------
    weights : array_like
        Weights of the features (d,).

    Raises
    ------
    InputError
        If weights are not finite.

    References
    ----------
    Source: Hamer & Dupont 2021, JMLR 22(116), equation 7.

    Examples
    --------
    >>> sc.importance.linear_importance([2.0, 0.0, -6.0])
    array([0.5, 0. , 1.5])
    """
    try:
        size = np.abs(np.asarray(weights, dtype=float))
    except ValueError:
        raise InputError(f"Weights must be numbers. Found {type(weights).__name__}.") from None
    if not np.isfinite(size).all():
        raise InputError("Weights must be finite numbers. Some are missing or infinite.")
    if not size.any():
        return size
    size = size / size.max()  # sums of very large or very small weights stay in range
    return np.count_nonzero(size) * size / size.sum()


@public
def kernel_importance(svm: Any, X: ArrayLike) -> np.ndarray:
    """Importances in a support vector machine: |W²(α) − W²₍₋f₎(α)|, W²(α) = Σ_ij α_i α_j y_i y_j K(x_i, x_j).

    The multipliers α and the kernel's parameters stay as fitted. Only K is computed without feature f. The result (d,) is at least
    0 and has no fixed scale. It is w_f² for the linear kernel.

    Parameters
    ----------
    svm : object
        Fitted sklearn.svm.SVC for two classes, its kernel by name or as a function of two tables.
    X : array_like
        The rows of the fit (n, d).

    Raises
    ------
    InputError
        For more than two classes, for rows that do not fit the model, and for a precomputed kernel, which has no information on
        single features.

    References
    ----------
    Source: Hamer & Dupont 2021, JMLR 22(116), equation 8. Guyon et al. 2002, Machine Learning 46:389-422.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = data.table.values, data.target
    >>> sc.importance.kernel_importance(SVC(kernel="linear").fit(X, y), X).shape
    (50,)
    """
    X = np.asarray(X, dtype=float)
    if not hasattr(svm, "dual_coef_"):
        raise InputError(f"This importance is of a fitted sklearn.svm.SVC. Found {type(svm).__name__}.")
    if len(svm.classes_) != 2:
        raise InputError(
            f"The importance in a support vector machine is defined for two classes. This one has {len(svm.classes_)}."
        )
    if svm.kernel == "precomputed":
        raise InputError(
            "This support vector machine has a precomputed kernel matrix, which has no information on single features. "
            "Fit it to the features."
        )
    if X.shape != svm.shape_fit_:
        raise InputError(
            f"The rows must be those of the fit, {svm.shape_fit_[0]} × {svm.shape_fit_[1]}. Found {' × '.join(map(str, X.shape))}."
        )
    rows, signed = X[svm.support_], svm.dual_coef_[0]
    if svm.kernel == "linear":
        return (signed @ rows) ** 2
    if callable(svm.kernel):
        whole = signed @ svm.kernel(rows, rows) @ signed
        fewer = (np.delete(rows, f, axis=1) for f in range(X.shape[1]))
        return np.array([abs(whole - signed @ svm.kernel(part, part) @ signed) for part in fewer])
    return _named_kernel(svm, X, rows, signed)


def _named_kernel(svm, X, rows, signed):
    """These kernels are functions of one sum over features, from which the part of a feature can be subtracted."""
    spread = X.shape[1] * X.var()
    gamma = {"scale": 1 / spread if spread else 1.0, "auto": 1 / X.shape[1]}.get(svm.gamma, svm.gamma)
    shape = {
        "rbf": lambda total: np.exp(-gamma * total),
        "poly": lambda total: (gamma * total + svm.coef0) ** svm.degree,
        "sigmoid": lambda total: np.tanh(gamma * total + svm.coef0),
    }[svm.kernel]
    part = (lambda x: np.subtract.outer(x, x) ** 2) if svm.kernel == "rbf" else (lambda x: np.multiply.outer(x, x))
    total = rows @ rows.T
    if svm.kernel == "rbf":
        total = np.maximum(np.add.outer(total.diagonal(), total.diagonal()) - 2 * total, 0)
    whole = shape(total)
    return np.array([abs(signed @ (whole - shape(total - part(x))) @ signed) for x in rows.T])


@public
def permutation_importance(forest: Any, X: ArrayLike, y: ArrayLike, rng: Seed) -> np.ndarray:
    """Importances in a random forest: the mean over trees of the decrease in out-of-bag accuracy when a feature is shuffled.

    The result (d,) is from −1 to 1. It is 0 if no tree uses the feature, and below 0 if shuffling increased the accuracy. A tree
    without out-of-bag rows counts as a decrease of 0.

    Parameters
    ----------
    forest : object
        Fitted sklearn RandomForestClassifier with bootstrap=True.
    X : array_like
        The rows of the fit (n, d).
    y : array_like
        Outcome of each row (n,).
    rng : Seed
        Seed or numpy Generator, for the shuffling.

    Raises
    ------
    InputError
        If every tree used all rows, for missing values, and for rows of another shape.

    References
    ----------
    Source: Breiman 2001, Machine Learning 45:5-32.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = data.table.values, data.target
    >>> forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    >>> sc.importance.permutation_importance(forest, X, y, 0).shape
    (50,)
    """
    X, y, rng = np.asarray(X, dtype=np.float32), np.asarray(y), np.random.default_rng(rng)  # trees compare in single precision
    if not forest.bootstrap:
        raise InputError("Every tree of this forest used all rows, so there are no out-of-bag rows. Fit it with bootstrap=True.")
    if X.ndim != 2 or X.shape[1] != forest.n_features_in_ or y.shape != X.shape[:1]:
        raise InputError(
            f"The forest has {forest.n_features_in_} features and needs one class per row. Found features of shape "
            f"{X.shape} and classes of shape {y.shape}."
        )
    if np.isnan(X).any():
        raise InputError("Shuffling needs a value in every cell. Fill the gaps first.")
    codes = np.searchsorted(forest.classes_, y)
    falls = np.zeros(X.shape[1])
    for tree, inside in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        outside = np.setdiff1d(np.arange(len(X)), inside)
        if len(outside):
            _add_accuracy_losses(falls, tree, X[outside], codes[outside], rng)
    return falls / len(forest.estimators_)


def _add_accuracy_losses(falls, tree, X, codes, rng):
    """Add the decreases in the accuracy of one tree on X. Only rows whose path uses a feature can change."""
    splits = tree.tree_.feature
    row, node = tree.decision_path(X).nonzero()
    splits_here = splits[node] >= 0
    pair = np.unique(row[splits_here] * len(falls) + splits[node[splits_here]])
    row, feature = np.divmod(pair, len(falls))
    used, place = np.unique(feature, return_inverse=True)
    shuffled = rng.permuted(np.tile(np.arange(len(X)), (len(used), 1)), axis=1)
    vote = tree.tree_.value[:, 0].argmax(axis=1)
    before = vote[tree.apply(X)] == codes
    after = vote[_leaves(tree.tree_, X, row, feature, shuffled[place, row])] == codes[row]
    np.add.at(falls, feature, (before[row] - after.astype(float)) / len(X))


def _leaves(tree, X, row, feature, other):
    """The leaf of each row if its value of a feature comes from another row."""
    node = np.zeros(len(row), dtype=int)
    going = np.arange(len(row))[tree.feature[node] >= 0]
    while len(going):
        current = node[going]
        split_on = tree.feature[current]
        value = X[np.where(split_on == feature[going], other[going], row[going]), split_on]
        node[going] = np.where(value <= tree.threshold[current], tree.children_left[current], tree.children_right[current])
        going = going[tree.feature[node[going]] >= 0]
    return node


@public
def sensitivity_importance(
    predict: Callable[[np.ndarray], ArrayLike], X: ArrayLike, *, used: ArrayLike | None = None, reach: float = 1000.0
) -> np.ndarray:
    """Importances in any classifier: the smallest change of a feature that flips a prediction, relative to other features.

    It is the mean over rows of k (σ_f/δ_f) / Σ_f' (σ_f'/δ_f'). δ_f is the smallest change of feature f, up or down, that changes
    the prediction of the row.

    δ_f is searched outwards in steps of a quarter, then by bisection. A flip that is undone within one step can be missed. A
    feature that does not flip a row has 0 in it. Rows that no feature flips are left out of the mean. The result (d,) is at least 0
    and sums to k, so 1 is an average feature. It is 0 if no row flips. For a linear model on features of unit variance this is
    `linear_importance`.

    Parameters
    ----------
    predict : function
        Function of an (m, d) table that returns (m,) classes.
    X : array_like
        Rows (n, d).
    used : array_like, optional
        k, the number of features of the model. By default the number of those that flip the prediction of any row.
    reach : float, optional
        The largest change tried, in standard deviations σ_f.

    Raises
    ------
    InputError
        For missing values.

    References
    ----------
    Source: Hamer & Dupont 2021, JMLR 22(116), equation 9 and Theorem 1.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = data.table.values[:20, :3], data.target[:20]
    >>> sc.importance.sensitivity_importance(LogisticRegression().fit(X, y).predict, X).shape
    (3,)
    """
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise InputError("The rows must be a table of finite numbers. Fill the gaps first.")
    spread = X.std(axis=0)
    nearness = np.zeros(X.shape)
    usual = np.asarray(predict(X))
    at_once = max(1, _MAX_CELLS // max(2 * X.size, 1))
    varying = np.flatnonzero(spread)
    for start in range(0, len(varying), at_once):
        some = varying[start : start + at_once]
        nearness[:, some] = 1 / _smallest_flips(predict, X, usual, some, spread, reach)
    flipped = nearness.any(axis=1)
    if not flipped.any():
        return np.zeros(X.shape[1])
    k = np.count_nonzero(nearness.any(axis=0)) if used is None else np.asarray(used)
    return k * (nearness[flipped] / nearness[flipped].sum(axis=1, keepdims=True)).mean(axis=0)


def _smallest_flips(predict, X, usual, features, spread, reach):
    """(n, len(features)) smallest changes that flip, in standard deviations, infinite if none within reach does."""
    sign, row, place = (index.ravel() for index in np.indices((2, len(X), len(features))))
    direction = np.where(sign == 0, 1.0, -1.0) * spread[features[place]]

    def flips(which, size):
        changed = X[row[which]]
        changed[np.arange(len(which)), features[place[which]]] += size * direction[which]
        return np.asarray(predict(changed)) != usual[row[which]]

    least = np.full((2, len(X), len(features)), np.inf)
    below = np.zeros(least.shape)
    low, high = below.reshape(-1), least.reshape(-1)
    open_, size, last = np.arange(least.size), _FIRST_CHANGE, 0.0
    while len(open_) and last < reach:
        size = min(size, reach)
        flipped = flips(open_, size)
        low[open_[flipped]], high[open_[flipped]] = last, size
        open_ = np.flatnonzero(np.isinf(least.min(axis=0, keepdims=True)).repeat(2, axis=0).ravel())
        last, size = size, size * _GROWTH
    bracketed = np.flatnonzero(np.isfinite(high))
    for _ in range(_HALVINGS * bool(len(bracketed))):
        middle = (low[bracketed] + high[bracketed]) / 2
        flipped = flips(bracketed, middle)
        high[bracketed[flipped]], low[bracketed[~flipped]] = middle[flipped], middle[~flipped]
    return least.min(axis=0)
