"""The runs that an analysis is asked about: of one selector, of several by name, or of a whole result."""

from __future__ import annotations

from stabcore.base.errors import InputError
from stabcore.selections.selections import Selections
from stabcore.selectors.baseline import is_baseline


def by_selector(runs, k=None) -> dict:
    """{selector: Selections} of a result (its selectors with two runs or more) or of such a dict; {"": runs} of Selections alone.

    k: as if every run had selected its k best features; None: as they were selected. Raises InputError as Selections.top does.
    """
    if hasattr(runs, "finished_selectors"):
        return {label: runs.selections(label, k) for label in runs.finished_selectors}
    named = {"": Selections.of(runs)} if is_alone(runs) else {label: Selections.of(one) for label, one in runs.items()}
    return {label: selections if k is None else selections.top(k) for label, selections in named.items()}


def is_alone(runs) -> bool:
    """Are these the runs of one selector, whose table needs no column that names it?"""
    return not hasattr(runs, "finished_selectors") and not isinstance(runs, dict)


def chosen_selectors(result, selectors=None) -> list[str]:
    """Labels to make a panel of: those asked for, or all that are finished; baselines only where there is nothing else."""
    if selectors is None:
        return [label for label in result.finished_selectors if not is_baseline(label)] or list(result.finished_selectors)
    selectors = [selectors] if isinstance(selectors, str) else selectors
    unknown = [label for label in selectors if label not in result.finished_selectors]
    if unknown or not len(selectors):
        raise InputError(
            f"A panel is made of selectors that have runs; {unknown[0] if unknown else 'none'!r} was asked for. "
            f"There are: {', '.join(map(repr, result.finished_selectors))}."
        )
    return list(selectors)
