"""The allowed content of a study file: every value of the study and its tasks is checked before use."""

from contextlib import suppress
from dataclasses import dataclass
from math import isfinite

import numpy as np

from stabcore.base.errors import InputError
from stabcore.inference.noise_floor import MAX_SHUFFLES, RUNS
from stabcore.inference.panel_rule import PanelRule
from stabcore.resampling.catalog import plan_from
from stabcore.study.opening import Damaged, parsed
from stabcore.study.task_result import ARRAYS, NUMBERS
from stabcore.survival.concordance import N_TIMES

MAX_RUNS = 100_000
MAX_FEATURES = 5_000_000
MAX_ROWS = 20_000_000
MAX_CLASSES = 10_000
MAX_NAME_LENGTH = 10_000  # characters of a label, a name, a class
_CIRCUMSTANCES = {
    "importances_of_one_k": dict,
    "chance_inside": list,
    "versions": dict,
    "begun": str,
    "seal": str,
    "scenarios": list,
    "risks": dict,
    "patient_intervals": dict,
    "mended": list,
    "choices": dict,
    "units": dict,
    "correlated": list,
}
KNOWN_ENTRIES = frozenset(
    {"format", "settings", "features", "classes", "target", "patients", *_CIRCUMSTANCES}
)  # all entries that a file may have


@dataclass(frozen=True)
class Limits:
    """Limits for the tasks of a study: labels, and numbers of runs, shuffles, seeds, imputations, features, rows and classes."""

    selectors: frozenset
    runs: int
    shuffles: int
    seeds: int
    imputations: int
    features: int
    rows: int
    classes: int

    def longest(self, name) -> int:
        """The largest size of an array of a task."""
        d = self.features
        return {
            "held_out": self.rows,
            "predicted": self.rows,
            "probability": self.rows * max(self.classes, 1),  # for a numeric outcome the predicted numbers
            "path_features": d * d,
            "path_importances": d * d,
            "baseline": N_TIMES,
            "given_predicted": self.rows,
            "given_probability": self.rows * max(self.classes, 1),
            "given_baseline": N_TIMES,
        }.get(name, d)

    def largest(self, name) -> int | None:
        """The largest whole number in an array, where the smallest is 0. None: any number."""
        d = self.features
        return {
            "selected": d - 1,
            "held_out": self.rows - 1,
            "predicted": self.classes - 1,
            "given_predicted": self.classes - 1,
            "path_starts": d,
            "path_sizes": d,
            "path_features": d - 1,
        }.get(name)


def limits_of(meta) -> Limits:
    """Check the entries of a file about its study ({key: value}). Returns the limits for its tasks.

    Raises Damaged.
    """
    settings = of_type(meta.get("settings"), dict, "its settings")
    data = of_type(settings.get("data"), dict, "its entry about the data")
    for name in ("name", "fingerprint"):
        _name(data.get(name), f"the {name} of its data")
    target = data.get("target")
    for name in target if isinstance(target, list) and len(target) in (2, 3) else [target]:
        _name(name, "the outcome of its data")
    for key in ("event", "censored", "given"):
        _names(data.get(key, []), None, f"what its data say of {key}")
    d = _whole(data.get("n_features"), 1, MAX_FEATURES, "the number of features")
    labels = _labels(settings.get("selectors"), d)
    n = _whole(data.get("n_rows"), 1, MAX_ROWS, "the number of rows")
    _whole(settings.get("n_selected"), 1, d, "the number of features that each run selects")
    _whole(settings.get("random_state"), 0, 2**64, "the seed")
    shuffles = _whole(settings["n_permutations"], 0, MAX_SHUFFLES, "the number of shuffles")
    if settings["permutation_runs"] != "all":
        _whole(settings["permutation_runs"], RUNS, MAX_RUNS, "the number of runs of a shuffle")
    seeds = _whole(settings["n_seeds"], 1, MAX_SHUFFLES, "the number of fits of each run")
    imputations = _whole(settings.get("n_imputations", 0), 0, MAX_SHUFFLES, "the number of imputations")
    classifier = settings.get("classifier")
    is_users = isinstance(classifier, dict) and set(classifier) == {"own"}
    _name(classifier["own"] if is_users else classifier, "its classifier")
    if not isinstance(settings.get("k"), (int, float, str)) or isinstance(settings["k"], float) and not isfinite(settings["k"]):
        raise Damaged("the number of features to select is not a number")
    if "panel" in settings:
        _panel(settings["panel"])
    if "importances" in settings:
        _name(settings["importances"], "the source of its importances")
    runs = _plan(settings.get("plan"), n)
    _names(meta.get("features"), d, "the names of its features")
    classes = _names(meta.get("classes"), None, "the names of its classes")
    _target(meta.get("target"), n, len(classes))
    _patients(meta.get("patients"), n)
    _besides(meta, labels)
    for feature in meta.get("correlated", []):
        _whole(feature, 0, d - 1, "a feature that is correlated with another one")
    return Limits(frozenset(labels), runs, shuffles, seeds, imputations, d, n, len(classes))


def _labels(selectors, d):
    for selector in of_type(selectors, list, "its list of selectors"):
        _name(of_type(selector, dict, "one of its selectors").get("label"), "the label of a selector")
        for key, kind in (("key", str), ("own", str), ("options", dict)):
            if key in selector:
                of_type(selector[key], kind, f"the {key} of a selector")
        if ("key" in selector) == ("own" in selector):
            raise Damaged("one of its selectors has no key")
        if selector.get("n_selected") is not None:
            _whole(selector["n_selected"], 1, d, "the number of features that a selector selects")
    labels = [selector["label"] for selector in selectors]
    if not labels or len(set(labels)) < len(labels):
        raise Damaged("the labels of its selectors are not distinct")
    return labels


def _panel(panel):
    try:
        PanelRule.of(**of_type(panel, dict, "the rule of its panel"))
    except (InputError, TypeError):
        raise Damaged("the rule of its panel is unknown") from None


def _plan(settings, n) -> int:
    """Check a plan. Returns its number of runs."""
    plan = of_type(settings, dict, "its plan")
    is_users = "own" in plan
    try:
        if is_users:
            _own_plan(plan)
        elif plan.get("kind") == "leave_one_site_out":
            _centres(plan, n)
        elif not all(
            type(value) in (int, float, bool, str) and (type(value) is not int or abs(value) <= MAX_RUNS) for value in plan.values()
        ):
            raise Damaged("an option of its plan is not a number")
        runs = plan_from(plan).n_runs
    except (InputError, TypeError, AttributeError) as error:
        why = f" ({error})" if isinstance(error, InputError) else ""
        raise Damaged(f"its plan cannot be read{why}") from None
    return _whole(runs, 2, MAX_RUNS, "the number of runs")


def _centres(plan, n):
    _name(plan.get("column"), "the column of its centres")
    centres = _names(plan.get("centres"), None, "the names of its centres")
    of_row = of_type(plan.get("of_row"), list, "the centre of each row")
    if len(of_row) != n or {type(centre) for centre in of_row} != {int} or set(of_row) != set(range(len(centres))):
        raise Damaged("it does not name one centre per row")


def _own_plan(plan):
    runs = _whole(plan.get("n_runs"), 2, MAX_RUNS, "the number of runs")
    for name in ("own", "sentence"):
        _name(plan.get(name), "the description of its user-defined plan")
    for name, kind in (("measures_stability", bool), ("block", int), ("unit", int)):
        if [type(value) for value in of_type(plan.get(name), list, "its user-defined plan")] != [kind] * runs:
            raise Damaged("the description of its user-defined plan is incomplete")
    for name in ("parts_rows", "separate_halves"):
        of_type(plan.get(name), bool, "its user-defined plan")
    for pair in plan.get("shared_rows") or ():
        numbers = isinstance(pair, list) and all(type(value) in (int, float) and isfinite(value) for value in pair)
        if not numbers or len(pair) != 2:
            raise Damaged("the shared rows of its user-defined plan are invalid")


def _target(target, n, n_classes):
    of_type(target, list, "its outcome")
    if target and all(isinstance(value, list) for value in target):
        _times(target, n, n_classes)
        return
    kinds = {type(value) for value in target}
    if len(target) != n or not kinds <= ({int} if n_classes else {int, float}):
        raise Damaged("its outcome does not have one value per row")
    if n_classes and not (min(target) >= 0 and max(target) < n_classes) or not n_classes and not all(map(isfinite, target)):
        raise Damaged("its outcome holds values that are not among its classes")


def _times(target, n, n_classes):
    """Check an outcome of [time, 0 or 1]."""
    whole = all(len(value) == 2 and type(value[0]) in (int, float) and type(value[1]) is int for value in target)
    if (
        not whole
        or len(target) != n
        or n_classes
        or not all(isfinite(time) and time >= 0 and event in (0, 1) for time, event in target)
    ):
        raise Damaged("its outcome does not have one time and one event a row")


def _patients(patients, n):
    if patients is not None:
        of_type(patients, list, "its list of patients")
        if len(patients) != n or {type(value) for value in patients} != {int} or not 0 <= min(patients) <= max(patients) < n:
            raise Damaged("it does not name one patient per row")


def _besides(meta, labels):
    for key, kind in _CIRCUMSTANCES.items():
        if key in meta:
            of_type(meta[key], kind, f"its entry about {key}")
    if {type(value) for value in meta.get("importances_of_one_k", {}).values()} - {bool}:
        raise Damaged("its entry about importances is not true or false")
    if not set(meta.get("importances_of_one_k") or labels) >= set(labels):
        raise Damaged("it does not state the k of the importances of each selector")
    inside = meta.get("chance_inside", [])
    if {type(value) for value in inside} - {bool} or len(inside) not in (0, len(labels)):
        raise Damaged("the randomness of each of its selectors is not true or false")
    for value in (
        *meta.get("versions", {}).values(),
        *meta.get("scenarios", ()),
        *meta.get("mended", ()),
        *meta.get("units", {}).values(),
    ):
        of_type(value, str, "a version, a scenario, a mended cell or a unit of it")
    if "choices" in meta and not _can_be_chosen(meta["choices"]):
        raise Damaged("its entry about the reading of its table is not possible")


def _can_be_chosen(choices) -> bool:
    from stabcore.io.choices import Choices

    with suppress(InputError):
        return Choices.of(choices).settings() == choices
    return False


def of_type(value, kind, what):
    """The value, if it is of this type. Raises Damaged otherwise."""
    if type(value) is not kind:
        raise Damaged(f"{what} is missing, or of another kind")
    return value


def _whole(value, low, high, what) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Damaged(f"{what} is not from {low:,} to {high:,}")
    return value


def _name(value, what):
    if len(of_type(value, str, what)) > MAX_NAME_LENGTH:
        raise Damaged(f"{what} is longer than any name")


def _names(names, number, what):
    of_type(names, list, what)
    if (
        {type(name) for name in names} - {str}
        or len(set(names)) < len(names)
        or (len(names) != number if number else len(names) > MAX_CLASSES)
    ):
        raise Damaged(f"{what} are not distinct, or their number is wrong")
    if max(map(len, names), default=0) > MAX_NAME_LENGTH:
        raise Damaged(f"{what} are longer than names")
    return names


MAX_MESSAGE_LENGTH = 1_000_000  # characters of a message, of all warnings of a task
_NEEDED = ("scores", "ranking", "importances", "selected")  # arrays of every finished task


def read_tasks(names, rows, limits, inflate) -> list[dict]:
    """{name: value} of each row of these columns, every value checked and unpacked. Raises Damaged.

    inflate: see stabcore.study.opening.Inflating
    """
    read = {}
    for name, values in zip(names, zip(*rows) if rows else [()] * len(names), strict=True):
        if name in ARRAYS:
            read[name] = _arrays(name, values, limits, inflate)
        elif name == "warnings":
            read[name] = [_warnings(text) for text in values]
        else:
            _check_column(name, values, limits)
            read[name] = values
    _fit_together(read, limits)
    return [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]


def _check_column(name, values, limits):
    kinds = {type(value) for value in values}
    most = {"run": limits.runs - 1, "shuffle": limits.shuffles, "repeat": limits.seeds - 1, "redrawn": 10**9}
    most["imputation"] = max(limits.imputations - 1, 0)
    if name in most:
        fine = kinds <= {int} and min(values, default=0) >= 0 and max(values, default=0) <= most[name]
    elif name in ("selector", "status"):
        fine = kinds <= {str} and set(values) <= (limits.selectors if name == "selector" else {"done", "failed"})
    elif name == "message":
        fine = kinds <= {str} and max(map(len, values), default=0) <= MAX_MESSAGE_LENGTH
    else:
        fine = kinds <= {int, float} and all(map(isfinite, values)) and min(values, default=0) >= 0
    if not fine:
        raise Damaged(f"{name} of a task is not possible in this study")


def _warnings(text):
    if text == "[]":
        return ()
    if isinstance(text, str) and len(text) > MAX_MESSAGE_LENGTH:
        raise Damaged("the warnings of a task are too long")
    sentences = of_type(parsed(text), list, "a list of warnings")
    if {type(sentence) for sentence in sentences} - {str}:
        raise Damaged("a warning is not a text")
    return tuple(sentences)


def _arrays(name, values, limits, inflate):
    """Arrays of a column, None if absent. Their numbers are checked all together for speed."""
    kind, most = np.dtype(ARRAYS[name]), limits.longest(name)
    contents = [None if array is None else inflate(array, name, most * kind.itemsize) for array in values]
    if any(array is not None and len(array) % kind.itemsize for array in contents):
        raise Damaged(f"{name} of a task is incomplete")
    arrays = [None if array is None else np.frombuffer(array, dtype=kind) for array in contents]
    filled, largest = [array for array in arrays if array is not None and len(array)], limits.largest(name)
    if name in ("scores", "ranking", "importances") and {len(array) for array in arrays if array is not None} - {limits.features}:
        raise Damaged(f"{name} of a task are not one per feature")
    if filled and largest is not None:
        every = np.concatenate(filled)
        if every.min() < 0 or every.max() > largest:
            raise Damaged(f"{name} of a task holds numbers that this study does not have")
    if filled and name == "ranking":
        every = np.concatenate(filled)
        every = every[~np.isnan(every)]
        if len(every) and not (every.min() >= 1 and every.max() <= limits.features):
            raise Damaged("the ranking of a task has impossible ranks")
    if filled and name == "importances" and not np.isfinite(np.concatenate(filled)).all():
        raise Damaged("importances of a task are infinite")
    return arrays


def _fit_together(read, limits):
    """Raise Damaged unless the arrays of each task fit each other."""
    done = [value == "done" for value in read.get("status", ())]
    first = [not any(numbers) for numbers in zip(*(read.get(name, [0] * len(done)) for name in NUMBERS), strict=True)]
    for name in (*_NEEDED, "held_out"):
        if name in read and any(
            value is None and ended and (original or name != "held_out")
            for value, ended, original in zip(read[name], done, first, strict=True)
        ):
            raise Damaged(f"{name} of a finished task is missing")
    _different(read.get("selected", ()))
    _pairs(read, "held_out", "predicted", 1)
    _pairs(read, "predicted" if limits.classes else "held_out", "probability", limits.classes or 1)
    _pairs(read, "held_out", "given_predicted", 1)
    _pairs(read, "given_predicted" if limits.classes else "held_out", "given_probability", limits.classes or 1)
    _paths(read)


def _different(arrays):
    """Raise Damaged unless the selected features of each task rise, without repetitions."""
    filled = [array for array in arrays if array is not None and len(array)]
    if not filled:
        return
    every, ends = np.concatenate(filled), np.cumsum([len(array) for array in filled])[:-1] - 1
    rising = np.diff(every) > 0
    rising[ends] = True
    if not rising.all():
        raise Damaged("a task selected a feature twice")


def _pairs(read, first, second, times):
    """Raise Damaged unless the second array, if present, has this number of entries for each entry of the first."""
    if first in read and second in read:
        for first_array, second_array in zip(read[first], read[second], strict=True):
            if second_array is not None and (first_array is None or len(second_array) != times * len(first_array)):
                raise Damaged(f"{second} and {first} of a task do not fit each other")


def _paths(read):
    parts = ("path_starts", "path_sizes", "path_features")
    if not set(parts) <= set(read):
        return
    counted = read.get("path_importances", [None] * len(read["path_starts"]))
    for starts, sizes, features, importances in zip(*(read[name] for name in parts), counted, strict=True):
        absent = [part is None for part in (starts, sizes, features)]
        if all(absent) and importances is None:
            continue
        if (
            any(absent)
            or len(starts) != len(sizes)
            or sizes.sum() != len(features)
            or importances is not None
            and len(importances) != len(features)
            or len(starts)
            and starts[0] < 1
            or (np.diff(starts) <= 0).any()
        ):
            raise Damaged("the path of a task does not fit together")
