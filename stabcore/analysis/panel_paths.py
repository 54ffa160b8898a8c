"""A panel by a limit on false features, from the paths of selectors, and its check by shuffles."""

from dataclasses import dataclass

import numpy as np

from stabcore.inference.path_selection import (
    LOOSE_CUTOFF,
    MAX_BOUND_INTEGRAL,
    PathSelection,
    chance_square,
    expected_false,
    is_clearly_above,
    observed_square,
    path_selection,
    weighted_path,
)

BOUND_POWER = 2  # the m that shuffles of two pairs can check, chosen by tests/benchmarks/compare.py
MIN_SHUFFLES = 5  # shuffles that measure how often unrelated features are selected again
NO_RANKING = "A limit on false features needs selectors that rank."


@dataclass(frozen=True, eq=False)
class PanelPaths:
    """The PathSelection of one selector, or the mean of several.

    path    None if there is none. `reason` then says why
    basis   "paths", or "shuffled" if scores with the outcome shuffled exceed chance. Expected false features then follow the
            shuffles
    """

    path: PathSelection | None = None
    basis: str = ""
    reason: str = ""


def panel_paths(result, labels) -> PanelPaths:
    """Expected false features and q-values from the rankings of complementary pairs, see inference.path_selection.

    A feature that is strongly correlated with a true one can be selected instead of it in many runs. Shuffles do not show this. So
    the number of such a feature is at least the one without shuffles. In a study of an earlier version, this may be any feature.
    """
    reason = no_paths_reason(result, labels)
    if reason:
        return PanelPaths(reason=reason)
    rankings = [_paired_rankings(result, label) for label in labels]
    n_runs = min(len(ranks) for ranks in rankings)
    rankings, shuffled = [ranks[:n_runs] for ranks in rankings], _shuffled_rankings(result, labels)
    for counted in (shuffled, None) if len(shuffled) >= MIN_SHUFFLES else (None,):
        reached = _beyond_chance(rankings, shuffled, LOOSE_CUTOFF if counted else MAX_BOUND_INTEGRAL)
        if reached is None:
            break
    n_rows = len(set(result.patients)) if result.patients else len(result.target)
    path = path_selection(rankings, power=BOUND_POWER, n_rows=n_rows, shuffled=counted)
    if reached is not None:
        return PanelPaths(path.with_least_false(expected_false(path.scores, reached)), "shuffled")
    if counted and result.correlated != []:
        least = path_selection(rankings, power=BOUND_POWER, n_rows=n_rows).expected_false
        judged_twice = True if result.correlated is None else np.isin(np.arange(len(least)), result.correlated)
        path = path.with_least_false(np.where(judged_twice, least, 0.0))
    return PanelPaths(path, "paths")


def no_paths_reason(result, labels) -> str:
    """The reason why there is no path of these selectors, "" if there is one."""
    if result.plan is None or not result.plan.separate_halves:
        return "A limit on false features needs a study with the plan of complementary pairs."
    if not all(result.can_rank(label) for label in labels):
        return NO_RANKING
    if not all(_complete_pairs(result.run_numbers(label)) for label in labels):
        return "No pair of halves has finished yet."
    return ""


def _beyond_chance(rankings, shuffled, cutoff):
    """The mean over shuffles of what unrelated features reach on this path, if it exceeds chance, else None."""
    points, weights, frequencies = weighted_path(rankings, BOUND_POWER, cutoff=cutoff)
    n_pairs, d = len(rankings[0]) // 2, rankings[0].shape[1]
    reached = [weights @ observed_square(ranks, points, n_pairs) for ranks in shuffled]
    shares = frequencies.mean(axis=0).mean(axis=1)
    by_chance = d * weights @ chance_square(shares, n_pairs)
    return float(np.mean(reached)) if len(reached) >= 2 and is_clearly_above(reached, by_chance) else None


def _paired_rankings(result, label, **shuffle):
    """The rankings of runs 2i and 2i + 1, numbered from 1, of the pairs of which both runs are there."""
    return result.selections(label, **shuffle).ranking()[_complete_pairs(result.run_numbers(label, **shuffle))]


def _complete_pairs(numbers):
    row = {number: i for i, number in enumerate(numbers)}
    return [row[half] for number in numbers if number % 2 and number + 1 in row for half in (number, number + 1)]


def _shuffled_rankings(result, labels):
    """The rankings with each shuffled outcome, of each selector that uses the outcome, if it has two pairs of halves or more."""
    looking = [label for label in labels if result.display_name(label) not in result.blind]
    if not looking or not result.has_control:
        return []
    of_shuffles = [
        [_paired_rankings(result, label, shuffle=number) for label in looking]
        for number in sorted(set.intersection(*(set(result.finished_shuffles(label)) for label in looking)))
    ]
    return [rankings for rankings in of_shuffles if all(len(ranks) >= 4 for ranks in rankings)]
