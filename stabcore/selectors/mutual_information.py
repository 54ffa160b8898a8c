"""Selectors by mutual information with the class, of single features, or given those already chosen.

Plug-in estimates in nats on equal-width bins (see data.encoding.discretise). Features can differ in their number of codes (numbers
and categories, few values, gaps). Then every estimate is replaced by the value with the same p-value for a feature with one code
for each bin (see stabcore.selectors.solvers.independence). Forward searches follow Brown et al. 2012 (JMLR 13:27-66), as used by
Sechidis et al. 2019.
"""

from dataclasses import dataclass

import numpy as np

from stabcore.selectors.base import Selector, option, prefix_length
from stabcore.selectors.given import Given
from stabcore.selectors.solvers.contingency import Information, packed_table

_BINS = "number of equal-width intervals of a number"
_FIRST_BATCH = 32  # CMIM: features in the first batch, and more in later ones
_MIN_STRATUM_ROWS = 20  # fewest rows of a combination of given categories, on average: half of them are in a resample
_LOWEST = np.iinfo(np.int64).min
_CALL_COST = 300  # fixed cost of counting, in units of features
_STANDARDISED = (
    "standardise information by its mean and variance under independence, so that the number of values gives no advantage "
    "(default: if features differ in it, or within given categories), or false as in the papers"
)
_LENGTH = "number of features to rank (default: 200, or all if there are fewer)"


@dataclass
class _InformationSelector(Selector):
    """With given columns, all information is within S, the combination of the given categories: I(X_f; Y | S).

    It uses the residuals of each number on the given columns (see `Given.table_residuals`). A category has no residuals, so
    features that are categories cannot be adjusted for numbers.
    """

    takes_given = True

    bins: int = option(5, _BINS, low=2, high=1000)
    standardised: bool | None = option(None, _STANDARDISED, kind="switch")

    def cannot_adjust(self, table, given):
        numeric = not np.asarray(given.categorical, dtype=bool).all()
        if numeric and np.asarray(table.categorical, dtype=bool).any():
            return "some features are categories, which cannot be adjusted for a number"
        strata = Given.from_table(given).strata
        if len(strata) < _MIN_STRATUM_ROWS * (strata.max() + 1):
            return f"fewer than {_MIN_STRATUM_ROWS} rows share each combination of the given categories"
        return ""

    def _information(self, table, codes, terms=1):
        given, strata = self.given, None
        if given is not None:
            table, strata = given.table_residuals(table), given.strata
        return Information(packed_table(table, self.bins), codes, terms, self.standardised, strata)


@dataclass
class MutualInformation(_InformationSelector):
    """MIM: score I(X_f; Y), in nats. Importances are the scores."""

    def _score(self, table, codes, rng, k):
        information = self._information(table, codes)
        scores = information.relevance * information.nats
        return scores, scores


@dataclass
class _ForwardSearch(_InformationSelector):
    """Forward search: scores −1, −2, … in the order of choice. Importances are the gains.

    Features with a single bin come last, because they have no redundancy.
    """

    weighs = False

    length: int | None = option(None, _LENGTH)

    def _score(self, table, codes, rng, k):
        length = prefix_length(self.length, k, table.n_features)
        information = self._information(table, codes, length)
        order, gains = self._search(information, length, rng)
        scores, importances = np.full(table.n_features, np.nan), np.zeros(table.n_features)
        scores[order] = -np.arange(1.0, length + 1)
        importances[order] = np.maximum(gains, 0)
        return scores, importances

    def _search(self, information, length, rng):
        """The features in the order of choice, and the gain of each when it was chosen."""
        order: list[int] = []
        gains, single = [], information.packed.sizes == 1
        criterion, state = information.relevance.copy(), None
        while True:
            criterion[single] = _LOWEST + 1
            criterion[order] = _LOWEST
            best = np.flatnonzero(criterion == criterion.max())
            chosen = int(best[0] if len(best) == 1 else rng.choice(best))
            gains.append(self._gain(information, order, int(criterion[chosen])) * information.nats)
            order.append(chosen)
            if len(order) == length:
                return order, gains
            state = self._next_state(information, state, chosen)
            criterion = self._criterion(information, state, len(order))

    def _next_state(self, information, state, chosen):
        """The state of the search (d,) after one more choice, None before the first."""
        raise NotImplementedError

    def _criterion(self, information, state, n_chosen):
        """(d,) whole numbers in a new array. The highest is chosen next."""
        return state.copy()

    def _gain(self, information, order, criterion):
        """The gain of the best feature, given the earlier choices and its criterion."""
        return criterion


@dataclass
class MRMR(_ForwardSearch):
    """mRMR: I(X_f; Y) − mean over chosen s of I(X_f; X_s)."""

    def _next_state(self, information, state, chosen):
        redundancy = information.redundancy(chosen)
        return redundancy if state is None else state + redundancy

    def _criterion(self, information, state, n_chosen):
        return n_chosen * information.relevance - state  # multiplied by n_chosen, for whole numbers

    def _gain(self, information, order, criterion):
        return criterion / max(len(order), 1)


@dataclass
class JMI(_ForwardSearch):
    """JMI: Σ over chosen s of I(X_f, X_s; Y).

    Only Σ I(X_f; Y | X_s) depends on the new feature. The importance is its mean over s, so that late and early choices are
    comparable.
    """

    def _next_state(self, information, state, chosen):
        joint = information.joint(chosen)
        return joint if state is None else state + joint

    def _gain(self, information, order, criterion):
        return (criterion - int(information.plain[order].sum())) / max(len(order), 1)


@dataclass
class CMIM(_ForwardSearch):
    """CMIM: min over chosen s of I(X_f; Y | X_s), and no more than I(X_f; Y) (Fleuret 2004)."""

    def _next_state(self, information, state, chosen):
        bounds = state or _CriterionBounds(information)
        bounds.add_chosen(chosen)
        return bounds

    def _criterion(self, information, state, n_chosen):
        return state.tightened_bounds()


class _CriterionBounds:
    """The criterion of CMIM for every feature or an upper bound: minima over the first few chosen features.

    The minimum over all chosen features is computed only if the bound reaches the highest, so the result equals that of a full
    search. Once this has cost more than a full search, it continues as one.
    """

    def __init__(self, information):
        self.information, self.chosen, self.cost = information, [], 0
        self.bound, self.used = information.relevance.copy(), np.zeros(len(information.relevance), dtype=int)
        self.bound[information.packed.sizes == 1] = _LOWEST

    def add_chosen(self, feature):
        self.chosen.append(feature)
        self.bound[feature] = _LOWEST

    def tightened_bounds(self):
        """(d,) bounds in a new array. The highest of them are exact."""
        n_exact = len(self.bound) if self.cost > len(self.chosen) * len(self.bound) else _FIRST_BATCH
        while True:
            exact = self.used == len(self.chosen)
            highest = self.bound[exact].max(initial=_LOWEST + 1)
            rivals = np.flatnonzero(~exact & (self.bound >= highest))
            if len(rivals) == 0:
                return self.bound.copy()
            if len(rivals) > n_exact:
                rivals = np.sort(rivals[np.argpartition(-self.bound[rivals], n_exact)[:n_exact]])
            self._tighten(rivals)
            n_exact *= 4

    def _tighten(self, features):
        lag = np.frexp(len(self.chosen) - self.used[features])[1]  # to a power of 2, because calls cost more than repeated counts
        for some in np.unique(lag):
            behind = features[lag == some]
            chosen = self.chosen[self.used[behind].min() :]
            self.bound[behind] = np.minimum(self.bound[behind], self.information.conditionals(chosen, behind).min(axis=0))
            self.cost += len(chosen) * len(behind) + _CALL_COST
        self.used[features] = len(self.chosen)
