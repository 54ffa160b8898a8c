"""The noise floor: the stability of selections without signal, by shuffled outcomes or in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.target import NUMBER, TIME, kind_of_target, target_strata
from stabcore.inference.estimate import critical_value, measure_terms, stability
from stabcore.measures.catalog import entry
from stabcore.resampling.catalog import resolve_plan
from stabcore.selectors.given import Given
from stabcore.selectors.solvers.score_tests import logistic_probabilities
from stabcore.similarity.similarity import Similarity
from stabcore.survival.cox import fit_cox

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from stabcore.data.feature_table import FeatureTable
    from stabcore.resampling.catalog import PlanSetting
    from stabcore.resampling.plan import SharesRows

# ---- by shuffled outcomes ----

FLOOR_COLUMNS = (
    *("floor", "floor_low", "floor_high", "floor_se", "floor_sd"),
    *("beyond", "beyond_low", "beyond_high", "p", "clear", "shuffles"),
)
COLUMNS = ("value", "low", "high", *FLOOR_COLUMNS, "note")
NO_CONTROL = (
    "The noise floor of these selections was not measured. Run the study with the outcome shuffled as well: "
    "n_permutations = 20, or the switch on Study."
)

NO_FLOOR_OF_UPLOADED = (
    "The noise floor of uploaded selections is unknown. To measure it, run the same selector here on their "
    "table. The study then shuffles the outcome."
)

DEFAULT_SHUFFLES = 20  # default number of shuffles of a study, because fewer than 19 give no p-value of 0.05
RUNS_PER_SHUFFLE = 4  # default number of runs of the plan in every shuffle: two pairs of halves
MIN_KEPT_VARIANCE = 0.4  # smallest kept share of the variance between shuffles
LEVEL = 0.05  # largest p-value of a value clearly above its floor
MAX_SHUFFLES = 99  # largest number of shuffles
_STREAM = 0x5F  # a random stream separate from those of resamples and selectors
_MAX_DRAWS = 100
MIN_GROUP_ROWS = 5  # fewest rows among which an outcome changes places when columns are given
_TOLERANCE = 1e-12  # values closer than this are equal up to rounding
_EFFECTS = np.linspace(-4.5, 4.5, 91)  # places of a standard normal effect, for its variance
_LARGEST_EFFECT, _HALVINGS = 16.0, 40  # of the search for the size of such effects


def shuffled_outcome(target, patients, seed, number, given: FeatureTable | None = None) -> np.ndarray:
    """Return the outcome (n,) of shuffle `number` = 1, 2, …: the same values in random rows, determined by (seed, number).

    target: (n,) class numbers, floats, or records of time and event, which stay together. patients: (n,) a number per row, or None
    if each row is a patient. A patient receives the rows of another patient in their order, repeated or cut where the numbers of
    rows differ. Resamples are then drawn for this outcome with the seed of the study and the same class shares. So without signal
    both kinds of runs have the same distribution, as the p-value of `stability_with_floor` needs. (With patients of unequal size
    the classes differ slightly, and it holds nearly.) given: columns that are always in the model, whose relation to the outcome
    stays, see `exchangeable_groups`. Raises InputError when a class is lost in 100 draws.
    """
    rng = np.random.default_rng([seed, number, _STREAM])
    if given is not None:
        fitted, values, groups = exchangeable_groups(target, given)
        permuted = _permuted_outcome(values, patients, groups, rng)
        return permuted if fitted is None else fitted + permuted
    return _permuted_outcome(target, patients, np.zeros(len(target), dtype=int), rng)


def _permuted_outcome(target, patients, groups, rng):
    """The outcome with the rows of every group of rows, or of patients by their first row, in another order."""
    if patients is None:
        outcome = np.empty_like(target)
        for rows in _rows_by_group(groups):
            outcome[rows] = target[rows[rng.permutation(len(rows))]]
        return outcome
    rows = _rows_by_group(np.unique(patients, return_inverse=True)[1])
    of_patient = np.array([groups[numbers[0]] for numbers in rows])
    classes = len(np.unique(target_strata(target)))
    for _ in range(_MAX_DRAWS):
        outcome = np.empty_like(target)
        for members in _rows_by_group(of_patient):
            for receiver, giver in zip(members, rng.permutation(len(members)), strict=True):
                outcome[rows[receiver]] = np.resize(target[rows[members[giver]]], len(rows[receiver]))
        if len(np.unique(target_strata(outcome))) == classes:
            return outcome
    raise InputError(
        f"No shuffle of whole patients kept all {classes} classes in {_MAX_DRAWS} draws, because a class is too small."
    )


def _rows_by_group(groups):
    """The rows of each group, numbered 0, 1, …."""
    return np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])


def exchangeable_groups(target: np.ndarray, given: FeatureTable) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """(fitted, values, groups), (n,) each: the values that may change places if no feature adds anything to the given columns.

    The outcome is fitted + values, or values where fitted is None. Values may change places within a group of rows.
    If all given columns are categories, with at least 2 · MIN_GROUP_ROWS rows per combination on average, the outcome changes
    places within a combination. For a numeric outcome, the residuals of its linear model of the given columns change places among
    all rows (Freedman & Lane 1983, Journal of Business & Economic Statistics 1:292-298). Classes and times have no such residuals.
    Logistic or Cox models of the given columns predict the event and censoring. Rows are halved by these predictions until fewer
    than 2 · MIN_GROUP_ROWS are together. The outcome is shuffled within these groups (Rosenbaum 1984, JASA 79:565-574, for groups
    with one predicted value).
    """
    always, n, kind = Given.from_table(given), len(target), kind_of_target(target)
    if np.asarray(given.categorical, dtype=bool).all() and n >= 2 * MIN_GROUP_ROWS * (always.strata.max() + 1):
        return None, target, always.strata
    if kind == NUMBER:
        residual = always.column_residuals(target[None])[0]
        return target - residual, residual, np.zeros(n, dtype=int)
    if kind == TIME:
        events = target.copy()
        events["event"] = ~target["event"]
        both = [target, events] if events["event"].any() else [target]
        predicted = [fit_cox(always.columns, of_event).weights @ always.columns for of_event in both]
    else:
        classes = range(1, 2) if target.max() == 1 else range(int(target.max()) + 1)
        chances = np.clip([logistic_probabilities(always.columns, target == c) for c in classes], 1e-9, 1 - 1e-9)
        predicted = np.log(chances / (1 - chances))
    return None, target, _similar_row_groups(np.array(predicted).T)


def _similar_row_groups(predicted):
    """(n,) groups of rows: halved at the median of the widest of some predictions (n, m)."""
    groups = np.zeros(len(predicted), dtype=int)
    waiting, number = [np.arange(len(predicted))], 0
    while waiting:
        rows = waiting.pop()
        if len(rows) < 2 * MIN_GROUP_ROWS:
            groups[rows], number = number, number + 1
            continue
        widest = int(np.argmax(predicted[rows].std(axis=0) / np.maximum(predicted.std(axis=0), 1e-300)))
        ordered = rows[np.argsort(predicted[rows, widest], kind="stable")]
        waiting += [ordered[len(rows) // 2 :], ordered[: len(rows) // 2]]
    return groups


def stability_with_floor(real, controls, measure="nogueira", similarity=None, share=None) -> dict:
    """The stability of a selector (Selections) and its noise floor from `controls`, the Selections of each shuffle.

    share: the share of pairs of runs of the study within a cluster of its plan (see Plan.cluster). Clusters are the units of the
    controls, because a shuffle has only some runs, with another share of such pairs. None: a shuffle has all runs of the study.
    Returns value with its interval low and high, the result of `difference_from_floor`, and a note with the reason of missing
    values.
    """
    definition, notes = entry(measure), []
    estimate = stability(real, [definition], similarity=similarity)[definition.key]
    values = shuffle_values(controls, definition, similarity, share)
    floors = [value for value, _ in values if np.isfinite(value)]
    fewer = real.n_runs / controls[0].n_runs if controls and share is not None else 0.0
    notes += [estimate.reason] if estimate.reason else list(dict.fromkeys(why for _, why in values if why))
    if not controls:
        notes.append("no shuffle of the outcome is finished yet")
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        **difference_from_floor(estimate.value, estimate.low, estimate.high, floors, fewer * estimate.se**2),
        "note": ", and ".join(notes),
    }


def difference_from_floor(value, low, high, floors, noise=0.0) -> dict:
    """Difference between a value and its noise floor, from the values of S shuffles of the outcome.

    noise: the variance of each of these due to its finite number of runs. The values of the shuffles are shrunk towards their
    mean by its share in their variance, before their range is computed. They keep at least √MIN_KEPT_VARIANCE of their spread,
    because the share is uncertain.

    floor       their mean Φ₀. floor_low, floor_high: their range. floor_se: the standard error of the mean. floor_sd: their
                standard deviation, without the part due to few runs
    beyond      Φ − Φ₀. beyond_low, beyond_high: its 95% interval, for the resampling of this table and the few shuffles:
                the squared distances of both intervals from their values are added (Zou & Donner 2008). It includes 0 if so
                many shuffles reach Φ that p is above 0.05, because shuffles differ more than resamples of one table
    p           (1 + #{Φ_s ≥ Φ})/(S + 1), of the hypothesis that no feature is related to the outcome, never below 1/(S + 1)
    clear       whether p is at most 0.05 and the interval is above 0. Without signal, p ≤ 0.05 in about 3 to 6 of 100 tables for
                Φ and halves, and in fewer for Φ_C (tests/benchmarks/bench_control.py). With few runs, clear is rarer
    All are NaN without a shuffle or a value. Intervals are NaN below two shuffles, or if the value has none.
    Sources: Phipson & Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9:39 (the added 1), and Zou &
    Donner 2008, Statistics in Medicine 27:1693-1702.
    """
    floors = np.asarray(floors, dtype=float)
    n_shuffles = len(floors)
    if not n_shuffles:
        return dict(zip(FLOOR_COLUMNS, (*[np.nan] * 9, False, 0)))
    floor, error = float(floors.mean()), float(floors.std(ddof=1) / np.sqrt(n_shuffles)) if n_shuffles > 1 else np.nan
    wide = critical_value(0.95, n_shuffles - 1) * error if n_shuffles > 1 else np.nan
    beyond, floors = value - floor, shrunken_floors(floors, noise)
    spread = float(floors.std(ddof=1)) if n_shuffles > 1 else np.nan
    p = np.nan if np.isnan(value) else (1 + np.count_nonzero(floors >= value - _TOLERANCE)) / (n_shuffles + 1)
    below, above = float(np.hypot(value - low, wide)), float(np.hypot(high - value, wide))
    low = min(beyond - below, 0.0) if p > max(LEVEL, 1 / (n_shuffles + 1)) else beyond - below
    of_floor = (floor, float(floors.min()), float(floors.max()), error, spread)
    return dict(zip(FLOOR_COLUMNS, (*of_floor, beyond, low, beyond + above, p, bool(p <= LEVEL and not low <= 0), n_shuffles)))


def shrunken_floors(floors, noise) -> np.ndarray:
    """Return (S, …) values of shuffles, shrunk towards their mean to remove the variance of few runs. noise: of one value."""
    if len(floors) < 2:
        return floors
    mean, variance = floors.mean(axis=0), floors.var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share_kept = np.where((variance > 0) & (np.asarray(noise) > 0), np.clip(1 - noise / variance, MIN_KEPT_VARIANCE, 1), 1.0)
    return mean + np.sqrt(share_kept) * (floors - mean)


def floor_equal_to_value(value, low, high) -> dict:
    """Return `difference_from_floor` of a selector that ignores the outcome: its value is its floor."""
    return dict(zip(FLOOR_COLUMNS, (value, low, high, np.nan, np.nan, 0 * value, np.nan, np.nan, 1.0, False, 0)))


def simulated_frequencies(clusters, runs, rng) -> np.ndarray:
    """Return (S, d) selection frequencies in `runs` runs of S shuffles, simulated from few runs of each.

    clusters: (S, G, d) the mean selection of each of the G ≥ 2 clusters of runs of a shuffle. runs: the number of runs of one
    selector. Means of several selectors vary less, and are as precise as more runs of one, see `equivalent_runs`.

    With few runs, some feature is always selected in nearly all, so raw frequencies are too extreme. The model is a probit model
    with a random effect: feature f is selected in a run if |b z + e| is large, with e ~ N(0, 1) new in each run, and z ~ N(0, 1)
    its association with this shuffled outcome. The limit follows from the mean over the shuffles, and b from the variance between
    them. The result draws z, and then Binomial(runs, ·)/runs. Its largest values are close to those of whole studies, and are
    exceeded without signal as often as these (tests/benchmarks/bench_control.py). With one shuffle, or runs that never differ, it
    returns raw frequencies.
    """
    raw = clusters.mean(axis=1)
    between = clusters.shape[1]
    if len(raw) < 2 or between < 2:
        return raw
    mean, noise = raw.mean(axis=0), clusters.var(axis=1, ddof=1).mean(axis=0).sum() / between
    if noise < _TOLERANCE:
        return rng.binomial(runs, raw) / runs
    return rng.binomial(runs, _selection_chances(mean, raw.var(axis=0, ddof=1).sum() - noise, rng.normal(size=raw.shape))) / runs


def _selection_chances(mean, variance, effects):
    """(S, d) chances of selection in a run. mean: (d,) of each feature. variance: its sum over features. effects: (S, d) z."""
    from scipy.special import ndtr, ndtri

    means, of_feature, n_features = np.unique(mean, return_inverse=True, return_counts=True)
    limits = ndtri(np.clip(means / 2, _TOLERANCE, 0.5))
    density = np.exp(-(_EFFECTS**2) / 2)
    density /= density.sum()

    def chances(limits, b, z):  # its mean over z is the mean frequency for each b
        limits = limits * np.sqrt(1 + b**2)
        return ndtr(limits + b * z) + ndtr(limits - b * z)

    low, high = 0.0, _LARGEST_EFFECT
    for _ in range(_HALVINGS):
        b = (low + high) / 2
        too_small = n_features @ (chances(limits[:, None], b, _EFFECTS) ** 2 @ density - means**2) < variance
        low, high = (b, high) if too_small else (low, b)
    return np.where(mean > 0, np.clip(chances(limits[of_feature], low, effects), 0, 1), 0.0)


def equivalent_runs(selected, n_runs) -> int:
    """Return the number of runs of one selector whose frequencies are as precise as means of several selectors over `n_runs` runs.

    selected: (S, R, d) the share of the selectors that select each feature in each run of each shuffle.
    """
    mean, noise = selected.mean(axis=1), selected.var(axis=1).sum()
    return n_runs if noise < _TOLERANCE else round(n_runs * max(1.0, (mean * (1 - mean)).sum() / noise))


def shuffle_values(controls, definition, similarity, share):
    """[(a measure of the runs of a shuffle or NaN, the reason of NaN)] for each shuffle. share: see `stability_with_floor`."""
    several_terms = getattr(definition.function, "several_terms", None)
    shapes = {(runs.n_runs, None if runs.units is None else runs.units.tobytes()) for runs in controls}
    if several_terms is None or similarity is None or len(shapes) != 1:
        return [_shuffle_value(selections, definition, similarity, share) for selections in controls]
    terms = several_terms(controls, Similarity.of(similarity))
    values = terms.value() if share is None else terms.weighted_value(share)
    return [(float(value), "" if np.isfinite(value) else _no_value_reason(definition, terms)) for value in values]


def _shuffle_value(selections, definition, similarity, share):
    try:
        # single values need not be exact, because they are averaged
        terms = measure_terms(selections, definition, similarity, dict(definition.rough))
        value = float(terms.value() if share is None else terms.weighted_value(share))
    except InputError as error:
        return np.nan, str(error)
    return (value, "") if np.isfinite(value) else (np.nan, _no_value_reason(definition, terms))


def _no_value_reason(definition, terms):
    """Why these terms have no value."""
    if terms.pairs and not terms.totals:
        return terms.reason
    return (
        f"{definition.label} is not a mean over pairs of runs, so its noise floor needs shuffles of all runs: permutation_runs = "
        '"all"'
    )


# ---- in closed form ----

QUADRATURE_NODES = 48  # nodes of Gauss-Legendre quadrature, where 24 already give ten digits for every ρ below 0.999


@public
def noise_floor(plan: SharesRows | PlanSetting, k: ArrayLike, d: int) -> float | np.ndarray:
    """Return the expected stability of a study without signal, whose runs agree because they share rows.

    The filter ranks |z_f| of d independent features without effect and selects k. The scores of two runs are standard normal, and
    their correlation ρ is the share of rows in common (`plan.shared_rows()`). With π = k/d and c the 1 − π/2 quantile, both runs
    select a feature with probability

        P₂ = P(|X| > c, |Y| > c) = π² + (1/π₀) ∫₀^{arcsin ρ} exp(−c²/(1 + sin t)) − exp(−c²/(1 − sin t)) dt,   π₀ = 3.14…

    and floor = (P₂ − π²)/(π(1 − π)), averaged over the pairs of runs: the expectation of nogueira and kappa. Returns a number or an
    array like k: 0 by chance, 1 for equal sets, NaN for k = d. Selectors that prefer correlated features or ignore the outcome have
    another floor, which shuffling the outcome (Study, `n_permutations`) measures. With few rows the floor is a little lower.

    Parameters
    ----------
    plan : plan
        A resampling plan.
    k : array_like
        Number of selected features, or an array for a curve.
    d : int
        Number of features.

    Raises
    ------
    InputError
        For k outside 1 … d.

    References
    ----------
    Source: Plackett 1954, Biometrika 41:351-360, for the integral; the floor is ours.

    Examples
    --------
    >>> round(sc.noise_floor(sc.ComplementaryPairs(25), k=10, d=100), 2)
    0.16
    """
    from scipy.special import ndtri

    sizes = np.asarray(k, dtype=float)
    shared: Any = plan if hasattr(plan, "shared_rows") else resolve_plan(plan)
    if not hasattr(shared, "shared_rows"):
        raise InputError("The rows that runs of this plan share depend on the table. Run a study with n_permutations=20.")
    if not d >= 1 or not ((sizes >= 1) & (sizes <= d)).all():
        raise InputError(f"k must be from 1 to {d} of {d} features. Found {k!r}.")
    share = sizes / d
    cut = ndtri(1 - share / 2) ** 2
    total = sum(weight * _covariance(cut, rho) for rho, weight in shared.shared_rows())
    with np.errstate(invalid="ignore", divide="ignore"):
        floor = np.where(share < 1, total / (share * (1 - share)), np.nan)
    return float(floor) if floor.ndim == 0 else floor


def _covariance(cut, rho):
    """P₂ − π² of the docstring above, for an array of c² and one correlation."""
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    top = np.arcsin(rho)
    sine = np.sin(top * (nodes + 1) / 2)
    inside = np.exp(-cut[..., None] / (1 + sine)) - np.exp(-cut[..., None] / (1 - sine))
    return top / (2 * np.pi) * (inside @ weights)
