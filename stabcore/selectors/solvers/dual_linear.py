"""Linear models with a squared penalty when columns outnumber rows, solved with the n × n matrix of products of rows.

Such a model is a sum of rows: weights w_c = Σ_i a_i x_ic. The a_i depend only on K = Σ_c x_c x_cᵀ, and dropping columns
subtracts their part from K.
"""

import numpy as np

from stabcore.selectors.solvers.penalised import Logistic

_CONVERGED = 1e-7  # largest future change of a margin, predicted from the last two changes
_MAX_UPDATES = 16  # number of updates, relative to the remaining columns, before their sum is recomputed
_MAX_RATE = 0.3  # largest ratio of successive changes before the curvature is recomputed
_MAX_STEPS = 200  # largest number of Newton steps, and of halvings of a step
_MAX_RESIDUAL = 1e-2  # relative residual of a Newton step by conjugate gradients
_MAX_GRADIENTS = 60  # largest number of conjugate gradients per step, beyond which factorisation is faster
_MAX_MARGIN = 70.0  # margins beyond this have negligible curvature
_TOLERANCE = 1e-5  # tolerance of libsvm on the gradients: its default of 1e-3 exceeds the gaps in a ranking


class RemainingColumns:
    """The remaining columns and their features. values: (p, n), one row per column of the design.

    n_features: d, by default those with columns. Columns of the feature d are in every model, and no features.
    """

    def __init__(self, values, feature, n_features=None):
        self.n_features = int(feature.max(initial=-1)) + 1 if n_features is None else n_features
        self._held, self._left, self.feature = np.ascontiguousarray(values), np.arange(len(values)), feature
        self._gram, self._added = None, 0

    @property
    def values(self):
        return self._held if len(self._left) == len(self._held) else self._held[self._left]

    @property
    def features(self):
        """The features that have columns left, in order."""
        present = np.unique(self.feature)
        return present[present < self.n_features]

    @property
    def is_wide(self):
        """Whether the n × n matrix is the smaller form: at most twice the numbers of the columns."""
        return 2 * len(self._left) >= self._held.shape[1]

    @property
    def gram(self):
        """(n, n) Σ_c x_c x_cᵀ over the remaining columns."""
        if self._gram is None:
            values = self.values
            self._gram, self._added = values.T @ values, len(values)
        return self._gram

    def weights(self, duals):
        """(…, remaining columns) weights Σ_i a_i x_ic of row coefficients a (…, n)."""
        return (duals @ self._held.T)[..., self._left]

    def drop(self, features):
        """Leave out all columns of some features.

        Their part is subtracted from K. Where most go, or few of those added up are left, K is added up anew when it is needed.
        This also removes the rounding of the subtractions.
        """
        listed = np.zeros(self.n_features + 1, dtype=bool)
        listed[features] = True
        dropped = listed[self.feature]
        keep = self._left[~dropped]
        if self._gram is not None and 2 * len(keep) > len(self._left) and _MAX_UPDATES * len(keep) > self._added:
            part = self._held[self._left[dropped]]
            self._gram -= part.T @ part
        else:
            self._gram = None
        self._left, self.feature = keep, self.feature[~dropped]
        if 2 * len(keep) <= len(self._held):
            self._held, self._left = self._held[keep], np.arange(len(keep))


def svm_weights(columns: RemainingColumns, codes, cost) -> np.ndarray:
    """(pairs of classes, remaining columns) weights of min ‖w‖²/2 + cost Σ hinge loss, intercept unpenalised, one-vs-one."""
    classes = range(codes.max() + 1)
    pairs = [(i, j) for i in classes for j in classes[i + 1 :]]
    if columns.is_wide:
        return columns.weights(_row_coefficients(columns.gram, codes, cost, pairs))
    values = columns.values
    weights = []
    for i, j in pairs:
        rows = (codes == i) | (codes == j)
        weights.append(support_weights(values.T if rows.all() else values.T[rows], np.where(codes[rows] == j, 1.0, -1.0), cost))
    return np.array(weights)


def _row_coefficients(gram, codes, cost, pairs):
    """(pairs, n) of the support vector machines by libsvm, which is fast while most rows are support vectors."""
    from sklearn import config_context
    from sklearn.svm import SVC

    with config_context(assume_finite=True, skip_parameter_validation=True):
        model = SVC(kernel="precomputed", C=cost, tol=_TOLERANCE).fit(gram, codes)
    ends = np.cumsum(model.n_support_)
    support = [np.arange(end - size, end) for size, end in zip(model.n_support_, ends, strict=True)]
    duals = np.zeros((len(pairs), len(codes)))
    for dual, (i, j) in zip(duals, pairs, strict=True):  # libsvm stores the pair of classes i and j in rows j − 1 and i
        dual[model.support_[support[i]]] = model.dual_coef_[j - 1, support[i]]
        dual[model.support_[support[j]]] = model.dual_coef_[i, support[j]]
    return duals


def logistic_weights(columns: RemainingColumns, codes, penalty, start=None) -> tuple[np.ndarray, tuple]:
    """Weights (remaining columns,) of min Σ log(1 + exp(−y_i (w·x_i + b))) + penalty ‖w‖², y = ±1, and a later start.

    Damped Newton steps on the row coefficients a, w = Σ_i a_i x_i, or on w if columns are few. Conjugate gradients find the former,
    and need fewer steps with more columns. If they fail, a factor of the curvature is used, and recomputed only when it no longer
    works. start: the result for nearly the same columns.
    """
    duals, intercept, step_from = start or (np.zeros(len(codes)), Logistic(codes).intercept(), None)
    if columns.is_wide:
        design, values, coefficients = columns.gram, None, duals
    else:
        values = columns.values
        design = values.T
        coefficients, step_from = values @ duals, None
    coefficients, intercept, margin, step_from = _newton(design, coefficients, intercept, codes, penalty, values is None, step_from)
    duals = -_slope(margin, codes) / (2 * penalty)
    return (columns.weights(coefficients) if values is None else coefficients), (duals, intercept, step_from)


def _slope(margin, codes):
    return 0.5 + 0.5 * np.tanh(0.5 * margin) - codes


def _newton(design, coefficients, intercept, codes, penalty, by_rows, step_from):
    """Coefficients, intercept and margins (n,) = design @ coefficients + intercept at the minimum, and the last step_from.

    step_from: function of coefficients and slopes (n,) that gives a Newton step, with its curvature. None
    if there is no such function yet.
    """
    curved = _row_step_solver if by_rows else _column_step_solver
    near = by_rows and step_from is None

    def loss(coefficients, margin, intercept):
        length = coefficients @ (margin - intercept if by_rows else coefficients)
        return np.sum(np.logaddexp(0, margin) - codes * margin) + penalty * length

    margin = design @ coefficients + intercept
    value, before = loss(coefficients, margin, intercept), 0.0
    for _ in range(_MAX_STEPS):
        slope = _slope(margin, codes)
        direction = _conjugate_gradient_step(design, margin, penalty, coefficients, slope) if near else None
        near = direction is not None
        if direction is None:
            step_from = step_from or curved(design, margin, penalty)
            direction = step_from(coefficients, slope)
        step, step_intercept = direction
        steps = step, design @ step + step_intercept, step_intercept
        length = 1.0
        for _ in range(_MAX_STEPS):
            moved = tuple(old + length * step for old, step in zip((coefficients, margin, intercept), steps, strict=True))
            new_value = loss(*moved)
            if new_value <= value + 1e-12 * abs(value):
                break
            length /= 2
        change = np.abs(moved[1] - margin).max()
        (coefficients, margin, intercept), value = moved, new_value
        rate = min(change / before, 1.0) if before else 1.0
        near = near and length == 1  # a shortened step does not show that the end is close or that the next step is good
        if change * rate <= _CONVERGED and (near or step_from):
            break
        if (before and rate > _MAX_RATE) or length < 1:
            step_from = None
        before = change
    return coefficients, intercept, margin, step_from


def _curvature_root(margin):
    return 0.5 / np.cosh(0.5 * np.clip(margin, -_MAX_MARGIN, _MAX_MARGIN))


def _conjugate_gradient_step(gram, margin, penalty, duals, slope):
    """A Newton step of row coefficients and intercept, up to _MAX_RESIDUAL, by conjugate gradients. None if these are slow.

    With B = 2 penalty/curvature of each row: K step + intercept = −B (duals + slope/(2 penalty) + step), Σ (duals + step) = 0.
    The diagonal of K + B is the preconditioner.
    """
    bend = 2 * penalty / _curvature_root(margin) ** 2
    weight = 1 / (gram.diagonal() + bend)
    share = weight / weight.sum()
    step = -duals.sum() * share
    rest = -bend * (duals + slope / (2 * penalty) + step) - gram @ step
    along, before, enough = 0.0, np.inf, None
    for _ in range(_MAX_GRADIENTS):
        intercept = share @ rest
        pull = weight * (rest - intercept)
        size = pull @ (rest - intercept)
        enough = _MAX_RESIDUAL**2 * size if enough is None else enough
        if size <= enough:
            return step, intercept
        along = pull + size / before * along
        turned = gram @ along + bend * along
        step = step + size / (along @ turned) * along
        rest = rest - size / (along @ turned) * turned
        before = size
    return None


def _row_step_solver(gram, margin, penalty):
    """Newton steps of row coefficients and intercept, for `_newton`."""
    root = _curvature_root(margin)
    system = gram * root
    system *= root[:, None]
    system[np.diag_indices_from(system)] += 2 * penalty
    solve = cholesky_solver(system)
    across = solve(root)

    def step_from(duals, slope):
        solved = solve(-(slope + 2 * penalty * duals) / root)
        intercept = (root @ solved + duals.sum()) / (root @ across)
        return root * (solved - intercept * across), intercept

    return step_from


def _column_step_solver(design, margin, penalty):
    """Newton steps of weights and intercept, for `_newton`."""
    root = _curvature_root(margin)
    scaled = root[:, None] * design
    solve = bordered_solver(scaled, root, 2 * penalty)

    def step_from(weights, slope):
        aim, intercept = solve(scaled @ weights - slope / root)  # the expansion around the current intercept
        return aim - weights, intercept

    return step_from


# ---- interior point ----

_MAX_GAP = 1e-12  # gap between the primal and the dual value, as a share of the primal
_MAX_NEWTON_STEPS = 100  # largest number of steps, far more than the usual ten to thirty
_BOUND_SHARE = 0.995  # largest step relative to the distance to the nearest bound
_STEP_COST = 1e-13  # cost of the squared change of the multipliers, relative to the design, which keeps systems regular


def support_weights(design, sign, cost) -> np.ndarray:
    """Weights (p,) of the support vector machine on design (n, p), sign (n,) ±1, with an unpenalised intercept."""
    signed = design * sign[:, None]
    sizes = np.where(sign > 0, np.sum(sign > 0), np.sum(sign < 0))
    a = 0.5 * cost * sizes.min() / sizes  # inside the bounds and balanced
    weights = a @ signed
    excess = signed @ weights - 1
    bounded = np.array([[a, cost - a], [np.maximum(excess, 0) + 1, np.maximum(-excess, 0) + 1]])
    intercept, floor = 0.0, _STEP_COST * np.vdot(signed, signed)
    for _ in range(_MAX_NEWTON_STEPS):
        gap = np.vdot(*bounded)
        if gap <= _MAX_GAP * (0.5 * weights @ weights + cost * bounded[1, 1].sum()):
            break
        far, (d_bounded, d_weights, d_intercept) = _interior_point_step(
            signed, sign, gap / (2 * len(a)), bounded, weights, intercept, floor
        )
        bounded, weights, intercept = bounded + far * d_bounded, weights + far * d_weights, intercept + far * d_intercept
    return weights


def _interior_point_step(signed, sign, mean, bounded, weights, intercept, floor):
    """The length of the step, and the changes of bounded (2, 2, n), weights and intercept.

    bounded: the multiplier of each row and its distance to the cost, and the slack of the row on both sides of the margin. The
    products of the former with the latter decrease together towards 0. With more rows on the margin than independent columns, the
    system would become singular without `floor`. A change d of the multipliers costs floor d²/2. The next step corrects the
    remaining deviation from the margin, floor d.
    """
    inner, outer = bounded
    ratio = outer / inner
    freedom = 1 / (ratio[0] + ratio[1] + floor)
    root = np.sqrt(freedom)
    solve = bordered_solver(root[:, None] * signed, root * sign, 1.0)
    residual = signed @ weights + intercept * sign - 1 - outer[0] + outer[1]

    def direction(aim):
        """The changes that bring the products to `aim`, to first order."""
        rest = aim / inner - outer
        pull = rest[0] - rest[1] - residual
        d_weights, d_intercept = solve(root * pull)
        d_a = freedom * (pull - signed @ d_weights - d_intercept * sign)
        d_inner = np.array([d_a, -d_a])
        return np.array([d_inner, rest - ratio * d_inner]), d_weights, d_intercept

    guess = direction(0.0)[0]
    ahead = np.vdot(*(bounded + _step_limit(bounded, guess) * guess)) / guess[0].size
    corrected = direction(mean * (ahead / mean) ** 3 - guess[0] * guess[1])
    return min(1.0, _BOUND_SHARE * _step_limit(bounded, corrected[0], 2.0)), corrected


def _step_limit(values, changes, most=1.0):
    """The share of a step at which the first value reaches 0."""
    return 1 / max(-float(np.min(changes / values)), 1 / most)


def bordered_solver(design, border, penalty):
    """A function of a target (n,) that gives w and b of min ‖target − design w − border b‖² + penalty ‖w‖²."""
    system = design.T @ design
    system[np.diag_indices_from(system)] += penalty
    solved = cholesky_solver(system)

    def weights(target):
        return solved(design.T @ target)

    across = weights(border)
    rest = border - design @ across

    def solve(target):
        intercept = rest @ target / (rest @ border)
        return weights(target) - intercept * across, intercept

    return solve


def cholesky_solver(system):
    """A function of a right-hand side that solves a positive definite system, which is overwritten (Cholesky).

    If rounding makes it indefinite, its diagonal is increased by the possible rounding. Steps are then a little shorter, and the
    next step compensates. Raises LinAlgError for a more indefinite system. It calls LAPACK directly, because SciPy's checks
    take longer than small systems.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    diagonal = system.diagonal().copy()
    rounding = len(diagonal) * np.finfo(float).eps * diagonal.sum()
    for extra in (0, rounding, 100 * rounding):
        system[np.diag_indices_from(system)] = diagonal + extra
        factor, failed = dpotrf(system.T, clean=0, overwrite_a=1)  # symmetric, and column order saves a copy
        if not failed:
            return lambda target: dpotrs(factor, target)[0]
        above = np.triu(system, 1)  # the half that LAPACK does not change
        system = above + above.T
    raise np.linalg.LinAlgError("The system is not positive definite.")
