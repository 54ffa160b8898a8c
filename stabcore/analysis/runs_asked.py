"""The runs of an analysis: of one selector, of several by name, or of a whole result."""

from stabcore.base.errors import InputError
from stabcore.selections.selections import Selections
from stabcore.selectors.baseline import is_baseline


def runs_by_selector(runs, k=None) -> dict:
    """{selector: Selections} of a result (its selectors with two runs or more) or of such a dict. {"": runs} for Selections.

    k: as if every run had selected its k best features. None: the original selections. Raises InputError as Selections.top does.
    """
    if hasattr(runs, "finished_selectors"):
        return {label: runs.selections(label, k) for label in runs.finished_selectors}
    named = (
        {"": Selections.of(runs)}
        if is_single_selector(runs)
        else {label: Selections.of(selections) for label, selections in runs.items()}
    )
    return {label: selections if k is None else selections.top(k) for label, selections in named.items()}


def is_single_selector(runs) -> bool:
    """Whether these are the runs of one selector, whose table needs no column with its name."""
    return not hasattr(runs, "finished_selectors") and not isinstance(runs, dict)


def chosen_selectors(result, selectors=None) -> list[str]:
    """Labels for a panel: those requested, or all finished ones. Baselines are used only if there is nothing else."""
    if selectors is None:
        return [label for label in result.finished_selectors if not is_baseline(label)] or list(result.finished_selectors)
    several = hasattr(selectors, "__iter__") and not isinstance(selectors, str)
    selectors = list(selectors) if several else [selectors]
    unknown = [label for label in selectors if label not in result.finished_selectors]
    if unknown or not len(selectors):
        raise InputError(
            f"A panel needs selectors with runs. Found {unknown[0] if unknown else 'none'!r}. "
            f"Choose from: {', '.join(map(repr, result.finished_selectors))}."
        )
    return selectors
