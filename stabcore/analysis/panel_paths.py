"""A panel by a limit on false features, from the paths of selectors, and its check by shuffles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.inference.path_selection import PathSelection, chance_square, path_selection, seen_square, surely_above

POWER = 2  # the m that shuffles of two pairs can check, chosen by tests/benchmarks/compare.py
ENOUGH = 5  # shuffles that measure how often unrelated features are selected again
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
    """Expected false features and q-values from the rankings of complementary pairs, see inference.path_selection."""
    if result.plan is None or not result.plan.separate_halves:
        return PanelPaths(reason="A limit on false features needs a study with the plan of complementary pairs.")
    if not all(result.can_rank(label) for label in labels):
        return PanelPaths(reason=NO_RANKING)
    rankings = [_pairs(result.selections(label).ranking(), result.run_numbers(label)) for label in labels]
    n_runs = min(len(ranks) for ranks in rankings)
    if n_runs < 2:
        return PanelPaths(reason="No pair of halves has finished yet.")
    n_rows = len(set(result.patients)) if result.patients else len(result.target)
    rankings = [ranks[:n_runs] for ranks in rankings]
    pairs, shuffled = n_runs // 2, _shuffled(result, labels)
    for counted in (shuffled, None) if len(shuffled) >= ENOUGH else (None,):
        path = path_selection(rankings, power=POWER, n_rows=n_rows, shuffled=counted)
        reached = [path.weights @ seen_square(one, path.points, pairs) for one in shuffled]
        by_chance = len(path.scores) * path.weights @ chance_square(path.shares, pairs)
        if len(reached) < 2 or not surely_above(reached, by_chance):
            return PanelPaths(path, "paths")
    return PanelPaths(path.raised(float(np.mean(reached))), "shuffled")


def _pairs(ranks, numbers):
    """The rankings of runs 2i and 2i + 1, numbered from 1, of the pairs of which both runs are there."""
    row = {number: i for i, number in enumerate(numbers)}
    pairs = [number for number in numbers if number % 2 and number + 1 in row]
    return ranks[[row[half] for number in pairs for half in (number, number + 1)]]


def _shuffled(result, labels):
    """The rankings with each shuffled outcome, of each selector that uses the outcome, if it has two pairs of halves or more."""
    looking = [label for label in labels if result.display_name(label) not in result.blind]
    if not looking or not result.has_control:
        return []
    of_shuffles = [
        [_pairs(result.selections(label, shuffle=one).ranking(), result.run_numbers(label, shuffle=one)) for label in looking]
        for one in sorted(set.intersection(*(set(result.finished_shuffles(label)) for label in looking)))
    ]
    return [rankings for rankings in of_shuffles if all(len(ranks) >= 4 for ranks in rankings)]
