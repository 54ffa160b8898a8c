"""Deviating runs: the uncertainty of stability if most or all runs select the same.

The jackknife measures the differences between runs. If most select the same, it depends on few of them. If all do, it is 0. The
number of deviating runs is then binomial, and its exact limits are valid for any number of runs.
"""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from stabcore.base.text import verb_for

SIMULATIONS = 8  # simulations of deviating runs if none was observed


@dataclass(frozen=True)
class DeviatingRuns:
    """Uncertainty left by the number of deviating runs.

    deviating   units (runs, unless some belong together) that differ from the most common selection
    units       G, their number. noun, verb: their name, and "select" or "rank"
    fewest, most   limits of the number of deviating units of G, at the given level
    low, high   the measure at these limits. high is NaN if none deviated, when there is only a lower limit
    """

    deviating: int
    units: int
    fewest: int
    most: int
    low: float
    high: float
    noun: str = "runs"
    verb: str = "select"

    def description(self) -> str:
        """Describe the allowance of the interval, without a full stop."""
        if not self.deviating:
            return (
                f"all {self.units} {self.noun} {self.verb} the same, so their variance is unknown. Up to {self.most} of "
                f"{self.units} could differ unseen. If these agreed with the others by chance only, the value would be "
                f"{self.low:.2f}"
            )
        return (
            f"{self.deviating} of {self.units} {self.noun} {verb_for(self.deviating, self.verb)} a different set from the others. "
            f"The interval allows for {self.fewest} to {self.most}"
        )


def deviating_runs(selections, value, value_of, level=0.95, *, by_rank=False, at_random=None, all_alike=False):
    """Return DeviatingRuns if at least half of the runs select the same, else None, because the jackknife is then sufficient.

    Let q be the share of runs that deviate from the most common selection, and D of G the observed number. q has the limits of
    Clopper and Pearson (1934). With D = 0 it is below 1 − (1 − level)^(1/G), about 3/G. The measure is then computed for G runs
    with this number of deviating runs, rounded outwards. These are the observed ones repeated or, if none, runs that agree by
    chance. For a mean over pairs with known chance value r it is (1 − w)·r + w·value, with w the share of pairs without deviation.
    Otherwise features are drawn at random. value: the measure, a number or an array. value_of: Selections -> the same. at_random: r
    above, None if unknown. by_rank: whether equal runs are those with equal rankings, instead of equal selections. all_alike:
    whether the measure treats all runs as equal.
    """
    from scipy.special import betaincinv

    members = [runs.tolist() for runs in selections.members]
    ranking = selections.scores if selections.ranks is None else selections.ranks
    by_rank = ranking is not None and (by_rank or selections.selection is None)
    common, others = _most_common(selections, members, ranking if by_rank else None)
    deviating, units, tail = len(others), len(members), 1 - level
    words = (
        "runs" if selections.units is None else "groups of runs",
        "rank" if by_rank else "select what counts as" if others and all_alike else "select",
    )
    if all_alike:
        common, deviating = members, 0
    if units < 3 or deviating > units / 2:
        return None
    if not deviating:
        most = int(np.ceil(units * (1 - tail ** (1 / units)) - 1e-9))
        return DeviatingRuns(
            0, units, 0, most, _value_with_random_units(selections, common, most, value, value_of, at_random), np.nan, *words
        )
    fewest = int(np.floor(units * betaincinv(deviating, units - deviating + 1, tail / 2) + 1e-9))
    most = int(np.ceil(units * betaincinv(deviating + 1, units - deviating, 1 - tail / 2) - 1e-9))
    counts = {fewest, most, min(max(units // 2, fewest), most)}  # two selections agree least if they are equally frequent
    values = np.array(
        [
            value_of(_runs_of_units(selections, [*_cycled(common, units - count), *_cycled(others, count)]))
            for count in sorted(counts)
        ]
    )
    return DeviatingRuns(deviating, units, fewest, most, np.fmin.reduce(values), np.fmax.reduce(values), *words)


def mostly_equal(selections, ks) -> np.ndarray:
    """(K,) whether at least half of the units may select the same at k. It is never False if they do."""
    number = np.random.default_rng(0).integers(0, 2**63, selections.n_features, dtype=np.uint64)
    sums, units = _selection_sums(selections, np.asarray(ks), number), selections.units
    if units is not None:
        first = np.full((selections.n_units, sums.shape[1]), 2**64 - 1, dtype=np.uint64)
        np.minimum.at(first, units, sums)
        sums = first
    sums, half = np.sort(sums, axis=0), (len(sums) + 1) // 2
    return (sums[half - 1 :] == sums[: len(sums) - half + 1]).any(axis=0)


def _selection_sums(selections, ks, number):
    """(M, K) sums of the numbers of the features that each run selects at k: different sets rarely have equal sums."""
    if selections.paths is None:
        ranks = selections.ranking()
        order = np.argsort(np.where(np.isnan(ranks), np.inf, ranks), axis=1, kind="stable")[:, : ks.max()]
        return np.cumsum(number[order], axis=1, dtype=np.uint64)[:, ks - 1]
    rows = []
    for path in selections.paths:
        running = np.cumsum(np.append(np.uint64(0), number[path.features]), dtype=np.uint64)
        rows.append(np.append(running[path.bounds[1:]] - running[path.bounds[:-1]], np.uint64(0))[path.model_numbers(ks)])
    return np.array(rows)


def _most_common(selections, members, ranking):
    """(the units with the most common selection or ranking, the other units), each as the numbers of its runs."""
    kinds = selections.kinds.tolist() if ranking is None else [row.tobytes() for row in ranking]
    of_units = [frozenset(kinds[run] for run in unit) for unit in members] if selections.units is not None else kinds
    common = Counter(of_units).most_common(1)[0][0]
    return (
        [unit for unit, kind in zip(members, of_units) if kind == common],
        [unit for unit, kind in zip(members, of_units) if kind != common],
    )


def _cycled(units, n_units):
    """As many units as asked for, used in turn."""
    return [units[turn % len(units)] for turn in range(n_units)]


def _runs_of_units(selections, units):
    """The runs of some units. Where only the runs of a unit are compared, a unit that is used twice is two units."""
    runs = selections.take([run for unit in units for run in unit])
    if not selections.within_units:
        return runs
    return runs.in_pairs([number for number, unit in enumerate(units) for _ in unit])


def _value_with_random_units(selections, common, n_deviating, value, value_of, at_random):
    """The measure if this number of units agreed with the others by chance."""
    runs = _runs_of_units(selections, [*_cycled(common, len(common) - n_deviating), *_cycled(common, n_deviating)])
    n_equal = sum(map(len, _cycled(common, len(common) - n_deviating)))  # runs without deviation, which come first
    if at_random is None:
        return np.mean([value_of(_with_random_features(runs, n_equal, seed)) for seed in range(SIMULATIONS)], axis=0)
    same = runs.compared[:n_equal, :n_equal].sum() / runs.compared.sum()
    return at_random + same * (value - at_random)


def _with_random_features(runs, n_equal, seed):
    """Some runs, with the features of all but the first ones exchanged at random."""
    rng = np.random.default_rng(seed)
    order = [rng.permutation(runs.n_features) for _ in range(runs.n_runs - n_equal)]

    def sparse(rows):
        if rows is None:
            return None
        rows = rows.tocsr().copy()
        for run, columns in enumerate(order, start=n_equal):
            of_run = slice(rows.indptr[run], rows.indptr[run + 1])
            rows.indices[of_run] = columns[rows.indices[of_run]]
        rows.has_sorted_indices = False
        rows.sort_indices()
        return rows

    def dense(rows):
        if rows is None:
            return None
        return np.vstack([rows[:n_equal], *(row[columns] for row, columns in zip(rows[n_equal:], map(np.argsort, order)))])

    return replace(
        runs,
        selection=sparse(runs.selection),
        raw_importances=sparse(runs.raw_importances),
        scores=dense(runs.scores),
        ranks=dense(runs.ranks),
    )
