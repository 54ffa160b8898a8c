"""Effects of each group of similar features on effective stability."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stabcore.analysis.substitutes import random_set_factors
from stabcore.base.holm import holm
from stabcore.base.public import public
from stabcore.inference.comparison import compare
from stabcore.inference.estimate import stability
from stabcore.measures.effective import ChanceVariance, selection_variance, undefined_reasons
from stabcore.selections.selections import Selections
from stabcore.similarity.similarity import Similarity

NO_GROUP = "(in no group)"
ACROSS = "(between groups)"
ALL = "(all)"


@public
def groups(runs: Selections, similarity: Similarity) -> pd.DataFrame:
    """DataFrame(group, features, alone, effect_alone, without, effect_last, reason): each group of C switched on and off.

    features  number of members
    alone     Φ_C with only this group on. effect_alone = alone − Φ_C with no group on
    without   Φ_C with all groups but this one. effect_last = Φ_C with all groups − without

    A group that is off has C = 0 between its members. Entries between features of different groups stay. The values with all and
    with no group are in attrs["all"] and attrs["none"]. For any other choice use C.with_groups(names). A value is NaN if it is
    undefined, and reason says why. Source: ours.

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    similarity : Similarity
        Feature similarity C, for measures that need it.

    Raises
    ------
    InputError
        If C and the runs have different features.

    Examples
    --------
    >>> groups = sc.Similarity.from_groups({"A": ["A", "A_twin"]}, names=data.features)
    >>> sc.whatif.groups(runs, groups)["group"].tolist()
    ['A']
    """
    runs, similarity = Selections.of(runs), Similarity.of(similarity)
    similarity.check_covers(runs)
    chance, base = ChanceVariance.of_runs(runs), similarity.with_groups([])
    inside, counted = _inside_sums(runs, similarity)
    vary, related = selection_variance(runs, base), base.total - runs.n_features
    alone = chance.stability(vary + inside, related + counted)
    rest = chance.stability(vary + inside.sum() - inside, related + counted.sum() - counted)
    none = float(chance.stability(vary, related))
    all_groups = float(chance.stability(vary + inside.sum(), related + counted.sum()))
    sizes = np.zeros(0, dtype=int) if similarity.labels is None else similarity.group_sizes
    frame = pd.DataFrame({"group": list(similarity.group_names), "features": sizes, "alone": alone, "effect_alone": alone - none})
    frame = frame.assign(without=rest, effect_last=all_groups - rest, reason=undefined_reasons(alone + rest + none + all_groups))
    frame.attrs.update({"all": all_groups, "none": none})
    return frame


@public
def within_between(runs: Selections, similarity: Similarity, level: float = 0.95) -> pd.DataFrame:
    """The disagreement of runs within groups and between them, one row per group.

    Columns: group, features, stability, low, high, reason, variance, effective_variance, substitution, by_random_sets.

    stability, low, high   nogueira on the columns of the group only, as in Table 4 of Sechidis, with a reason if undefined
    variance               part of tr(S), the variance of the single members, Σ_f S_ff
    effective_variance     part of tr(CS), the variance of the group as a whole, Σ C_ff' S_ff' over its members
    substitution           variance − effective_variance: disagreement on members only, which C ignores. Below 0 if members
                           enter and leave together
    by_random_sets         the substitution of random sets with the same frequencies (see analysis.substitutes), because
                           selecting one feature leaves less space for the others. More than that is no proof of substitutes:
                           correlations with features outside the group can cause it, too. analysis.substitutes tests pairs

    After the groups follow features in no group, C between groups, and all. The parts add up to tr(S) and tr(CS).

    Parameters
    ----------
    runs : Selections
        Selections of one selector.
    similarity : Similarity
        Feature similarity C, for measures that need it.
    level : float, optional
        Confidence level of intervals, 0 to 1.

    Raises
    ------
    InputError
        If C and the runs have different features, and for a level outside 0 … 1.

    References
    ----------
    Source: Sechidis et al., ECML-PKDD 2019. The comparison with random sets is ours.

    Examples
    --------
    >>> groups = sc.Similarity.from_groups({"A": ["A", "A_twin"]}, names=data.features)
    >>> list(sc.whatif.within_between(runs, groups))[:2]
    ['group', 'features']
    """
    runs, similarity = Selections.of(runs), Similarity.of(similarity)
    similarity.check_covers(runs)
    single = runs.moments.variances
    substitution, by_random_sets = _substitution(runs, similarity)
    members = row_members(similarity)
    inside = zip(*[_inside_stability(runs, features, level) for features in members], strict=True)
    variance = np.array([single[features].sum() for features in members])
    return pd.DataFrame(
        {
            "group": [*similarity.group_names, NO_GROUP, ACROSS, ALL],
            "features": [len(features) for features in members],
            **dict(zip(("stability", "low", "high", "reason"), inside, strict=True)),
            "variance": variance,
            "effective_variance": variance - substitution,
            "substitution": substitution,
            "by_random_sets": by_random_sets,
        }
    )


def _inside_stability(runs, members, level):
    """(stability, low, high, reason) of the selections among some of the features."""
    if not len(members):
        return np.nan, np.nan, np.nan, "no feature belongs to this row"
    estimate = stability(selections_inside(runs, members), level=level)
    return estimate.value, estimate.low, estimate.high, estimate.reason


def row_members(similarity) -> list[np.ndarray]:
    """Numbers of the features in each row of within_between: each group, no group, none for entries between groups, all."""
    labels = np.full(similarity.n_features, -1) if similarity.labels is None else similarity.labels
    groups = [np.flatnonzero(labels == g) for g in range(len(similarity.group_names))]
    return [*groups, np.flatnonzero(labels < 0), np.arange(0), np.arange(similarity.n_features)]


def selections_inside(runs, members) -> Selections:
    """The selections of the runs among some of the features."""
    return Selections(runs.selection_matrix[:, members], len(members), units=runs.units, within_units=runs.within_units)


def _substitution(runs, similarity):
    """((G + 3,) substitution of each row of within_between, (G + 3,) those of random sets with the same frequencies)."""
    moments = runs.moments
    single, sizes = moments.variances, moments.rows.sum(axis=1)
    x = random_set_factors(single, float((sizes**2).sum() - moments.sums.sum() ** 2 / moments.n) / moments.divisor)
    return (
        _row_values(-_inside_sums(runs, similarity)[0], single.sum() - selection_variance(runs, similarity)),
        _row_values(_inside_products(similarity, x), float(x @ similarity.times(x) - x @ x)),
    )


def _row_values(inside, every):
    """The groups, features in no group, between groups, all."""
    return np.append(inside, [0.0, every - inside.sum(), every])


def _inside_products(similarity, x):
    """(G,) Σ C_ff' x_f x_f' over the pairs f ≠ f' inside each group."""
    if similarity.labels is None:
        return np.zeros(0)
    labels, n_groups = similarity.labels, len(similarity.group_names)
    grouped = labels >= 0
    sums, squares = (np.bincount(labels[grouped], weights=amounts[grouped], minlength=n_groups) for amounts in (x, x * x))
    products = sums**2 - squares
    if similarity.extra is not None:
        i, j, value = _inner_pairs(similarity)
        products += np.bincount(labels[i], weights=value * x[i] * x[j], minlength=n_groups)
    return products


def _inside_sums(runs, similarity):
    """(G,) Σ C_ff' S_ff' and (G,) Σ C_ff' over the pairs f ≠ f' inside each group."""
    if similarity.labels is None:
        return np.zeros(0), np.zeros(0)
    rows, sums, n, divisor = runs.moments
    n_groups, labels = len(similarity.group_names), similarity.labels
    selected = np.flatnonzero((labels >= 0) & (runs.counts > 0))
    membership = similarity.among(selected).membership
    per_group = (rows[:, selected] @ membership).toarray()
    single = np.bincount(labels[selected], weights=runs.moments.variances[selected], minlength=n_groups)
    covariance = ((per_group**2).sum(axis=0) - (sums[selected] @ membership) ** 2 / n) / divisor - single
    counted = similarity.group_sizes.astype(float) ** 2 - similarity.group_sizes
    if similarity.extra is not None:  # set by hand inside a group
        i, j, value = _inner_pairs(similarity)
        counted += np.bincount(labels[i], weights=value, minlength=n_groups)
        covariance += np.bincount(labels[i], weights=value * _joint_covariance(runs, i, j), minlength=n_groups)
    return covariance, counted


def _inner_pairs(similarity):
    """(i, j, value) of entries set by hand between members of one group."""
    pairs, labels = similarity.extra.tocoo(), similarity.labels
    within = (labels[pairs.row] == labels[pairs.col]) & (labels[pairs.row] >= 0)
    return pairs.row[within], pairs.col[within], pairs.data[within]


def _joint_covariance(runs, i, j):
    """S_ff' of pairs of feature numbers."""
    rows, sums, n, divisor = runs.moments
    columns = rows.tocsc()
    both = columns[:, i].multiply(columns[:, j]).sum(axis=0) if len(i) else np.zeros(0)
    return (np.asarray(both).ravel() - sums[i] * sums[j] / n) / divisor


# ---- two selectors next to each other ----

PARTS = ("stability", "variance", "effective_variance", "substitution")


@public
def within_between_beside(first: Selections, second: Selections, similarity: Similarity, *, paired: bool = True) -> pd.DataFrame:
    """DataFrame, one row per group as in within_between: the columns of two selectors, and the difference of their stabilities.

    group, features, stability, variance, effective_variance and substitution, each with _first and _second
    difference, low, high, p_value, note   stability inside the group, first − second, see sc.compare. paired: on the same resamples
    p_holm                                 with Holm's correction over all groups and the features in none

    Parameters
    ----------
    first, second : Selections
        Selections of the two selectors.
    similarity : Similarity
        Feature similarity C, for measures that need it.
    paired : bool, optional
        Whether run i of both selectors used the same resample.

    Raises
    ------
    InputError
        As sc.compare.

    References
    ----------
    Source: Sechidis et al., ECML-PKDD 2019, Table 4, of two selectors.

    Examples
    --------
    >>> groups = sc.Similarity.from_groups({"A": ["A", "A_twin"]}, names=data.features)
    >>> list(sc.whatif.within_between_beside(runs, result.selections("random_forest"), groups))[:2]
    ['group', 'features']
    """
    first, second, similarity = Selections.of(first), Selections.of(second), Similarity.of(similarity)
    both = [within_between(runs, similarity) for runs in (first, second)]
    frame = both[0][["group", "features"]].copy()
    for name in PARTS:
        frame[f"{name}_first"], frame[f"{name}_second"] = both[0][name], both[1][name]
    rows = []
    for members in row_members(similarity):
        inside = [selections_inside(runs, members) for runs in (first, second)]
        gap = compare(inside[0], inside[1], paired=paired) if len(members) else None
        rows.append((gap.difference, gap.low, gap.high, gap.p_value, gap.reason) if gap else (*[np.nan] * 4, ""))
    frame[["difference", "low", "high", "p_value", "note"]] = pd.DataFrame(rows, index=frame.index)
    p = np.array(frame["p_value"], dtype=float)
    p[-1] = np.nan  # all features together are compared elsewhere
    return frame.assign(p_holm=holm(p))
