"""The allowed content of a study file: every value of the study and its tasks is checked before use."""

from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite

import numpy as np

from stabcore.base.errors import InputError
from stabcore.inference.noise_floor import MAX_SHUFFLES, RUNS_PER_SHUFFLE
from stabcore.inference.panel_rule import PanelRule
from stabcore.resampling.catalog import plan_from_settings
from stabcore.study.opening import Damaged, parse_json
from stabcore.study.task_result import ARRAYS, FIT_KINDS
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
# All entries that a file may have
KNOWN_ENTRIES = frozenset({"format", "settings", "features", "classes", "target", "patients", *_CIRCUMSTANCES})


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

    def max_length(self, name) -> int:
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

    def max_value(self, name) -> int | None:
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


def read_limits(meta) -> Limits:
    """Check the entries of a file about its study ({key: value}). Returns the limits for its tasks.

    Raises Damaged.
    """
    settings = _checked_type(meta.get("settings"), dict)
    data = _checked_type(settings.get("data"), dict)
    target = data.get("target")
    targets = target if isinstance(target, list) and len(target) in (2, 3) else [target]
    for name in (data.get("name"), data.get("fingerprint"), *targets):
        _check_name(name)
    for key in ("event", "censored", "given"):
        _checked_names(data.get(key, []))
    d = _checked_whole(data.get("n_features"), 1, MAX_FEATURES)
    labels = _check_selectors(settings.get("selectors"), d)
    n = _checked_whole(data.get("n_rows"), 1, MAX_ROWS)
    _checked_whole(settings.get("n_selected"), 1, d)
    _checked_whole(settings.get("random_state"), 0, 2**64)
    shuffles = _checked_whole(settings.get("n_permutations"), 0, MAX_SHUFFLES)
    if settings.get("permutation_runs") != "all":
        _checked_whole(settings.get("permutation_runs"), RUNS_PER_SHUFFLE, MAX_RUNS)
    seeds = _checked_whole(settings.get("n_seeds"), 1, MAX_SHUFFLES)
    imputations = _checked_whole(settings.get("n_imputations", 0), 0, MAX_SHUFFLES)
    classifier = settings.get("classifier")
    is_users = isinstance(classifier, dict) and set(classifier) == {"own"}
    _check_name(classifier["own"] if is_users else classifier)
    k = settings.get("k")
    _require(isinstance(k, (int, float, str)) and (not isinstance(k, float) or isfinite(k)))
    if "panel" in settings:
        with _input_errors_as_damage():
            PanelRule.of(**_checked_type(settings["panel"], dict))
    if "importances" in settings:
        _check_name(settings["importances"])
    runs = _check_plan(settings.get("plan"), n)
    _checked_names(meta.get("features"), d)
    classes = _checked_names(meta.get("classes"))
    _check_target(meta.get("target"), n, len(classes))
    if (patients := meta.get("patients")) is not None:
        _require(_is_list_of(patients, int) and len(patients) == n and 0 <= min(patients) <= max(patients) < n)
    _check_circumstances(meta, labels)
    for feature in meta.get("correlated", []):
        _checked_whole(feature, 0, d - 1)
    return Limits(frozenset(labels), runs, shuffles, seeds, imputations, d, n, len(classes))


def _check_selectors(selectors, d):
    for selector in _checked_type(selectors, list):
        _check_name(_checked_type(selector, dict).get("label"))
        for key, kind in (("key", str), ("own", str), ("options", dict)):
            if key in selector:
                _checked_type(selector[key], kind)
        _require(("key" in selector) != ("own" in selector))
        if selector.get("n_selected") is not None:
            _checked_whole(selector["n_selected"], 1, d)
    labels = [selector["label"] for selector in selectors]
    _require(labels and len(set(labels)) == len(labels))
    return labels


def _check_plan(settings, n) -> int:
    """Check a plan. Returns its number of runs."""
    plan = _checked_type(settings, dict)
    with _input_errors_as_damage():
        if "own" in plan:
            _check_user_plan(plan)
        elif plan.get("kind") == "leave_one_site_out":
            _check_name(plan.get("column"))
            centres, of_row = _checked_names(plan.get("centres")), plan.get("of_row")
            _require(_is_list_of(of_row, int) and len(of_row) == n and set(of_row) == set(range(len(centres))))
        else:
            kinds = (int, float, bool, str)
            _require(all(type(value) in kinds and (type(value) is not int or abs(value) <= MAX_RUNS) for value in plan.values()))
        return _checked_whole(plan_from_settings(plan).n_runs, 2, MAX_RUNS)


def _check_user_plan(plan):
    runs = _checked_whole(plan.get("n_runs"), 2, MAX_RUNS)
    for name in ("own", "sentence"):
        _check_name(plan.get(name))
    for name, kind in (("measures_stability", bool), ("block", int), ("unit", int)):
        _require(_is_list_of(plan.get(name), kind) and len(plan[name]) == runs)
    for name in ("parts_rows", "separate_halves"):
        _checked_type(plan.get(name), bool)
    for pair in plan.get("shared_rows") or ():
        _require(_is_list_of(pair, int, float) and len(pair) == 2 and all(map(isfinite, pair)))


def _check_target(target, n, n_classes):
    """Check an outcome: classes, numbers, or [time, 0 or 1]."""
    _require(len(_checked_type(target, list)) == n)
    if all(isinstance(value, list) for value in target):
        _require(not n_classes and all(len(value) == 2 and type(value[1]) is int for value in target))
        _require(all(type(time) in (int, float) and isfinite(time) and time >= 0 and event in (0, 1) for time, event in target))
    elif n_classes:
        _require(_is_list_of(target, int) and min(target) >= 0 and max(target) < n_classes)
    else:
        _require(_is_list_of(target, int, float) and all(map(isfinite, target)))


def _check_circumstances(meta, labels):
    for key, kind in _CIRCUMSTANCES.items():
        if key in meta:
            _checked_type(meta[key], kind)
    one_k, inside = meta.get("importances_of_one_k") or {}, meta.get("chance_inside", [])
    _require(
        _is_list_of([*one_k.values(), *inside], bool) and set(one_k or labels) >= set(labels) and len(inside) in (0, len(labels))
    )
    versions, units = meta.get("versions", {}).values(), meta.get("units", {}).values()
    _require(_is_list_of([*versions, *meta.get("scenarios", ()), *meta.get("mended", ()), *units], str))
    if "choices" in meta:
        from stabcore.io.choices import Choices

        with _input_errors_as_damage():
            _require(Choices.of(meta["choices"]).settings() == meta["choices"])


def _require(fine):
    """Raise Damaged unless a condition holds."""
    if not fine:
        raise Damaged


@contextmanager
def _input_errors_as_damage():
    """Values that are wrong as input of this program are damage."""
    try:
        yield
    except (InputError, TypeError, AttributeError):
        raise Damaged from None


def _checked_type(value, kind):
    """The value, if it is of this type. Raises Damaged otherwise."""
    _require(type(value) is kind)
    return value


def _is_list_of(values, *kinds) -> bool:
    """Whether these are a list of values of these types."""
    return type(values) is list and {type(value) for value in values} <= set(kinds)


def _checked_whole(value, low, high) -> int:
    _require(type(value) is int and low <= value <= high)
    return value


def _check_name(value):
    _require(len(_checked_type(value, str)) <= MAX_NAME_LENGTH)


def _checked_names(names, number=None):
    """Distinct names, this many. None: any number of classes."""
    _require(_is_list_of(names, str) and len(set(names)) == len(names) and max(map(len, names), default=0) <= MAX_NAME_LENGTH)
    _require(len(names) == number if number else len(names) <= MAX_CLASSES)
    return names


MAX_MESSAGE_LENGTH = 1_000_000  # characters of a message, of all warnings of a task
_REQUIRED_ARRAYS = ("scores", "ranking", "importances", "selected")  # arrays of every finished task


def read_tasks(names, rows, limits, inflate) -> list[dict]:
    """{name: value} of each row of these columns, every value checked and unpacked. Raises Damaged.

    inflate: see stabcore.study.opening.Inflater
    """
    read = {}
    for name, values in zip(names, zip(*rows) if rows else [()] * len(names), strict=True):
        if name in ARRAYS:
            read[name] = _read_arrays(name, values, limits, inflate)
        elif name == "warnings":
            read[name] = [_read_warnings(text) for text in values]
        else:
            _check_column(name, values, limits)
            read[name] = values
    _check_lengths(read, limits)
    return [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]


def _check_column(name, values, limits):
    kinds = {type(value) for value in values}
    most = {"run": limits.runs - 1, "shuffle": limits.shuffles, "repeat": limits.seeds - 1, "redrawn": 10**9}
    most["imputation"] = max(limits.imputations - 1, 0)
    if name in most:
        _require(kinds <= {int} and min(values, default=0) >= 0 and max(values, default=0) <= most[name])
    elif name in ("selector", "status"):
        _require(kinds <= {str} and set(values) <= (limits.selectors if name == "selector" else {"done", "failed"}))
    elif name == "message":
        _require(kinds <= {str} and max(map(len, values), default=0) <= MAX_MESSAGE_LENGTH)
    else:
        _require(kinds <= {int, float} and all(map(isfinite, values)) and min(values, default=0) >= 0)


def _read_warnings(text):
    if text == "[]":
        return ()
    _require(isinstance(text, str) and len(text) <= MAX_MESSAGE_LENGTH)
    sentences = parse_json(text)
    _require(_is_list_of(sentences, str))
    return tuple(sentences)


def _read_arrays(name, values, limits, inflate):
    """Arrays of a column, None if absent. Their numbers are checked all together for speed."""
    kind, most = np.dtype(ARRAYS[name]), limits.max_length(name)
    contents = [None if array is None else inflate(array, most * kind.itemsize) for array in values]
    _require(all(array is None or len(array) % kind.itemsize == 0 for array in contents))
    arrays = [None if array is None else np.frombuffer(array, dtype=kind) for array in contents]
    filled, largest = [array for array in arrays if array is not None and len(array)], limits.max_value(name)
    if name in ("scores", "ranking", "importances"):
        _require(all(array is None or len(array) == limits.features for array in arrays))
    if filled and largest is not None:
        every = np.concatenate(filled)
        _require(every.min() >= 0 and every.max() <= largest)
    elif filled and name == "ranking":
        every = np.concatenate(filled)
        every = every[~np.isnan(every)]
        _require(not len(every) or (every.min() >= 1 and every.max() <= limits.features))
    elif filled and name == "importances":
        _require(np.isfinite(np.concatenate(filled)).all())
    return arrays


def _check_lengths(read, limits):
    """Raise Damaged unless the arrays of each task fit each other."""
    done = [value == "done" for value in read.get("status", ())]
    first = [not any(numbers) for numbers in zip(*(read.get(name, [0] * len(done)) for name in FIT_KINDS), strict=True)]
    for name in _REQUIRED_ARRAYS:
        _require(all(value is not None for value, ended in zip(read.get(name, ()), done) if ended))
    _require(all(value is not None for value, *needed in zip(read.get("held_out", ()), done, first) if all(needed)))
    _check_rising(read.get("selected", ()))
    _check_counts(read, "held_out", "predicted", 1)
    _check_counts(read, "predicted" if limits.classes else "held_out", "probability", limits.classes or 1)
    _check_counts(read, "held_out", "given_predicted", 1)
    _check_counts(read, "given_predicted" if limits.classes else "held_out", "given_probability", limits.classes or 1)
    _check_paths(read)


def _check_rising(arrays):
    """Raise Damaged unless the selected features of each task rise, without repetitions."""
    filled = [array for array in arrays if array is not None and len(array)]
    if filled:
        every, ends = np.concatenate(filled), np.cumsum([len(array) for array in filled])[:-1] - 1
        rising = np.diff(every) > 0
        rising[ends] = True
        _require(rising.all())


def _check_counts(read, first, second, times):
    """Raise Damaged unless the second array, if present, has this number of entries for each entry of the first."""
    if first in read and second in read:
        for one, other in zip(read[first], read[second], strict=True):
            _require(other is None or (one is not None and len(other) == times * len(one)))


def _check_paths(read):
    parts = ("path_starts", "path_sizes", "path_features")
    if not set(parts) <= set(read):
        return
    counted = read.get("path_importances", [None] * len(read["path_starts"]))
    for starts, sizes, features, importances in zip(*(read[name] for name in parts), counted, strict=True):
        if all(part is None for part in (starts, sizes, features, importances)):
            continue
        _require(starts is not None and sizes is not None and features is not None)
        _require(len(starts) == len(sizes) and sizes.sum() == len(features) and (np.diff(starts) > 0).all())
        _require((not len(starts) or starts[0] >= 1) and (importances is None or len(importances) == len(features)))
