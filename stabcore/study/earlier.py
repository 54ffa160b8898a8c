"""Settings with names of earlier versions, converted to current names, for study files up to format 2 and settings files."""

import json
from typing import Any

from stabcore.base.user_objects import CODE_MARK

STUDY_NAMES = {"seed": "random_state", "control": "n_permutations", "control_runs": "permutation_runs", "repeat_seeds": "n_seeds"}
PLAN_NAMES: dict[str, tuple[str, dict[str, str]]] = {
    "subsample": ("subsample", {"runs": "n_runs", "leave_out": "test_size"}),
    "bootstrap": ("bootstrap", {"runs": "n_runs"}),
    "half": ("complementary_pairs", {"pairs": "n_pairs"}),
    "kfold": ("repeated_kfold", {"folds": "n_splits", "repeats": "n_repeats"}),
    "nested": ("nested_kfold", {"folds": "n_outer", "inner": "n_inner"}),
    "growing": ("learning_curve", {"pairs": "n_pairs"}),
    "site": ("leave_one_site_out", {}),
}
EARLIER_DEFAULTS = {"n_permutations": 0, "n_seeds": 1, "permutation_runs": "all"}  # values of a study before these options existed
CONVERTED_NOTE = "{name} uses names of an earlier version. They were converted."


def convert_study_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The entries of a study file of format 1 or 2."""
    return EARLIER_DEFAULTS | _renamed(settings, STUDY_NAMES) | _plan(settings)


def is_equal_without_marks(asked: Any, held: Any) -> bool:
    """Whether a setting is equal to one in a study file, which in an earlier version had no marks of code of users."""
    if asked == held:
        return True
    before = json.dumps(held, sort_keys=True)
    return "#" not in before and CODE_MARK.sub("", json.dumps(asked, sort_keys=True)) == before


def convert_file_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The tables of a settings file, or the same dict if all names are current."""
    study = {"study": _renamed(settings["study"], STUDY_NAMES)} if isinstance(settings.get("study"), dict) else {}
    today = settings | study | _plan(settings)
    return settings if today == settings else today


def _plan(settings):
    plan = settings.get("plan")
    if not isinstance(plan, dict):
        return {}
    if "own" in plan:
        return {"plan": _renamed(plan, {"runs": "n_runs"})}
    kind, options = PLAN_NAMES.get(str(plan.get("kind", "subsample")), (None, {}))
    return {"plan": _renamed(plan, options) | ({"kind": kind} if kind and "kind" in plan else {})}


def _renamed(table, names):
    """An old name next to the current one is kept, and refused later."""
    return {names[name] if name in names and names[name] not in table else name: value for name, value in table.items()}
