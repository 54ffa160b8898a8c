"""What a study file may tell of its study: every value is checked before anything uses it. For tasks see task_values."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import isfinite

from stabcore.errors import InputError
from stabcore.inference.control import MOST, RUNS
from stabcore.study.opening import Damaged
from stabcore.study.plans import plan_from

MOST_RUNS = 100_000
MOST_FEATURES = 5_000_000
MOST_ROWS = 20_000_000
MOST_CLASSES = 10_000
LONGEST_NAME = 10_000           # characters of a label, a name, a class
_TOLD = {"importances_of_one_k": dict, "chance_inside": list, "versions": dict, "begun": str, "seal": str, "scenarios": list,
         "risks": dict, "patient_intervals": dict, "mended": list, "choices": dict, "units": dict}
KNOWN = frozenset({"format", "settings", "features", "classes", "target", "patients", *_TOLD})      # all that a file may tell


@dataclass(frozen=True)
class Limits:
    """What bounds the values of the tasks of a study: labels, and how many runs, shuffles, repeats, features, rows, classes."""

    selectors: frozenset
    runs: int
    shuffles: int
    repeats: int
    features: int
    rows: int
    classes: int

    def longest(self, name) -> int:
        """The most numbers that an array of a task can have."""
        d = self.features
        return {"held_out": self.rows, "predicted": self.rows, "probability": self.rows * self.classes,
                "path_features": d * d, "path_importances": d * d}.get(name, d)

    def largest(self, name) -> int | None:
        """The largest whole number that an array may hold, the least being 0; None: any number."""
        d = self.features
        return {"selected": d - 1, "held_out": self.rows - 1, "predicted": self.classes - 1, "path_starts": d,
                "path_sizes": d, "path_features": d - 1}.get(name)


def limits_of(told, optional) -> Limits:
    """Check what a file tells of its study ({key: value}), and what follows for its tasks.

    optional: settings that an earlier version did not know, as they then are. Raises Damaged.
    """
    settings = of_type(told.get("settings"), dict, "its settings")
    settings = optional | settings
    data = of_type(settings.get("data"), dict, "what it says of its data")
    for name in ("name", "fingerprint", "target"):
        _name(data.get(name), f"the {name} of its data")
    d = _whole(data.get("n_features"), 1, MOST_FEATURES, "the number of features")
    labels = _labels(settings.get("selectors"), d)
    n = _whole(data.get("n_rows"), 1, MOST_ROWS, "the number of rows")
    _whole(settings.get("n_selected"), 1, d, "the number of features that each run selects")
    _whole(settings.get("seed"), 0, 2 ** 64, "the seed")
    control = _whole(settings["control"], 0, MOST, "the number of shuffles")
    if settings["control_runs"] != "all":
        _whole(settings["control_runs"], RUNS, MOST_RUNS, "the number of runs of a shuffle")
    repeats = _whole(settings["repeat_seeds"], 1, MOST, "the number of fits of each run")
    _classifier(settings.get("classifier"))
    if not isinstance(settings.get("k"), (int, float, str)) or isinstance(settings["k"], float) and not isfinite(settings["k"]):
        raise Damaged("the number of features to select is no number")
    if "importances" in settings:
        _name(settings["importances"], "whose importances it keeps")
    runs = _plan(settings.get("plan"), n)
    _names(told.get("features"), d, "the names of its features")
    classes = _names(told.get("classes"), None, "the names of its classes")
    _target(told.get("target"), n, len(classes), told.get("patients"))
    _besides(told, labels)
    return Limits(frozenset(labels), runs, control, repeats, d, n, len(classes))


def _labels(selectors, d):
    for one in of_type(selectors, list, "its list of selectors"):
        _name(of_type(one, dict, "a selector of it").get("label"), "the label of a selector")
        for key, kind in (("key", str), ("own", str), ("options", dict)):
            if key in one:
                of_type(one[key], kind, f"the {key} of a selector")
        if ("key" in one) == ("own" in one):
            raise Damaged("a selector of it has no key")
        if one.get("n_selected") is not None:
            _whole(one["n_selected"], 1, d, "the number of features that a selector selects")
    labels = [one["label"] for one in selectors]
    if not labels or len(set(labels)) < len(labels):
        raise Damaged("its selectors have no different labels")
    return labels


def _plan(settings, n) -> int:
    """Check a plan; how many runs it has."""
    told = of_type(settings, dict, "its plan")
    own = "own" in told
    try:
        if own:
            _own_plan(told)
        elif told.get("kind") == "site":
            _centres(told, n)
        elif not all(type(value) in (int, float, bool, str) and (type(value) is not int or abs(value) <= MOST_RUNS)
                     for value in told.values()):
            raise Damaged("an option of its plan is no number")
        runs = plan_from(told).runs
    except (InputError, TypeError, AttributeError) as error:
        why = f" ({error})" if isinstance(error, InputError) else ""
        raise Damaged(f"its plan cannot be read{why}") from None
    return _whole(runs, 2, MOST_RUNS, "the number of runs")


def _centres(told, n):
    _name(told.get("column"), "the column of its centres")
    centres = _names(told.get("centres"), None, "the names of its centres")
    of_row = of_type(told.get("of_row"), list, "the centre of each row")
    if len(of_row) != n or {type(one) for one in of_row} != {int} or set(of_row) != set(range(len(centres))):
        raise Damaged("it does not name one centre a row")


def _own_plan(told):
    runs = _whole(told.get("runs"), 2, MOST_RUNS, "the number of runs")
    for name in ("own", "sentence"):
        _name(told.get(name), "what it says of its own plan")
    for name, kind in (("measures_stability", bool), ("block", int), ("unit", int)):
        if [type(one) for one in of_type(told.get(name), list, "its own plan")] != [kind] * runs:
            raise Damaged("what it says of its own plan is cut off")
    for name in ("parts_rows", "separate_halves"):
        of_type(told.get(name), bool, "its own plan")
    for pair in told.get("shared_rows") or ():
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(one) in (int, float) and isfinite(one) for one in pair):
            raise Damaged("what its own plan says of shared rows is none")


def _classifier(classifier):
    own = classifier.get("own") if isinstance(classifier, dict) and set(classifier) == {"own"} else classifier
    _name(own, "its classifier")


def _target(target, n, n_classes, patients):
    of_type(target, list, "its outcome")
    kinds = {type(one) for one in target}
    if len(target) != n or not kinds <= ({int} if n_classes else {int, float}):
        raise Damaged("its outcome does not have one value a row")
    if n_classes and not (min(target) >= 0 and max(target) < n_classes) or not n_classes and not all(map(isfinite, target)):
        raise Damaged("its outcome holds values that are no classes of it")
    if patients is not None:
        of_type(patients, list, "its list of patients")
        if len(patients) != n or {type(one) for one in patients} != {int} or not 0 <= min(patients) <= max(patients) < n:
            raise Damaged("it does not name one patient a row")


def _besides(told, labels):
    for key, kind in _TOLD.items():
        if key in told:
            of_type(told[key], kind, f"what it says of {key}")
    if {type(one) for one in told.get("importances_of_one_k", {}).values()} - {bool}:
        raise Damaged("what it says of importances is no yes or no")
    if not set(told.get("importances_of_one_k") or labels) >= set(labels):
        raise Damaged("it does not say of each selector for what its importances hold")
    inside = told.get("chance_inside", [])
    if {type(one) for one in inside} - {bool} or len(inside) not in (0, len(labels)):
        raise Damaged("whether each of its selectors draws by lot is no yes or no")
    for one in (*told.get("versions", {}).values(), *told.get("scenarios", ()), *told.get("mended", ()),
                *told.get("units", {}).values()):
        of_type(one, str, "a version, a scenario, a mended cell or a unit of it")
    if "choices" in told and not _can_be_chosen(told["choices"]):
        raise Damaged("what it says of how its table was read cannot be chosen")


def _can_be_chosen(choices) -> bool:
    from stabcore.io.choices import Choices

    with suppress(InputError):
        return Choices.of(choices).settings() == choices
    return False


def of_type(value, kind, what):
    if type(value) is not kind:
        raise Damaged(f"{what} is not there, or of another kind")
    return value


def _whole(value, low, high, what) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Damaged(f"{what} is not from {low:,} to {high:,}")
    return value


def _name(value, what):
    if len(of_type(value, str, what)) > LONGEST_NAME:
        raise Damaged(f"{what} is longer than any name")


def _names(names, many, what):
    of_type(names, list, what)
    if {type(one) for one in names} - {str} or len(set(names)) < len(names) or (len(names) != many if many else
                                                                               len(names) > MOST_CLASSES):
        raise Damaged(f"{what} are not as many different ones as there must be")
    if max(map(len, names), default=0) > LONGEST_NAME:
        raise Damaged(f"{what} are longer than names are")
    return names
