"""Which scikit-learn models a name may stand for, and which values their parameters may have: names and values can be anybody's.

A study file or a form gives them as text. Nothing that is written there may import other code, or make a model read or write files.
"""

from __future__ import annotations

import re
from importlib import import_module

import numpy as np

from stabcore.errors import InputError
from stabcore.wording import shown

_NAME = re.compile(r"sklearn(\.[a-z][a-z0-9_]*){1,3}\.[A-Z][A-Za-z0-9]*")
_NO_MODELS = {"tests", "externals", "datasets", "conftest", "utils", "inspection", "experimental", "callback"}
_REACHING = ("memory", "path", "dir", "folder", "file", "filename", "cache")     # parameters that name places, as words of theirs
_PLAIN = (str, int, float, bool, type(None), np.generic)
_LEARNS = re.compile(r"^\s*(coef_|feature_importances_)\s*:", re.MULTILINE)      # as scikit-learn documents what is learned


def model_class(name) -> type:
    """The scikit-learn class of a full name. Raises InputError for any other, and for one that weighs no columns."""
    wrong = InputError(f"There is no scikit-learn model {shown(name)}. Give the full name of a class, such as "
                       "'sklearn.linear_model.LogisticRegression'.")
    if not isinstance(name, str) or not _NAME.fullmatch(name) or _NO_MODELS & set(name.split(".")):
        raise wrong
    module, _, last = name.rpartition(".")
    try:
        build = getattr(import_module(module), last)
    except (ImportError, AttributeError):
        raise wrong from None
    if not (isinstance(build, type) and callable(getattr(build, "fit", None)) and hasattr(build, "get_params")):
        raise wrong
    if not weighs_columns(build):
        raise InputError(f"{last} has neither coef_ nor feature_importances_, so it ranks no features. Choose a linear model or a "
                         "model of trees, such as 'sklearn.linear_model.LogisticRegression'.")
    return build


def weighs_columns(build) -> bool:
    """Can a model of this class have coef_ or feature_importances_?"""
    return (hasattr(build, "coef_") or hasattr(build, "feature_importances_")
            or any(_LEARNS.search(one.__doc__ or "") for one in build.__mro__[:2]))


def refuse_what_reaches_out(parameters, where=""):
    """Raise InputError for a parameter that names a place, and for a value that is no plain one: code and other models."""
    for name, value in parameters.items():
        words = re.split(r"[_.]+", str(name).lower())
        if set(words) & set(_REACHING):
            raise InputError(f"The parameter {shown(name)}{where} names a place on this computer, where scikit-learn would "
                             "write and read files. It is not taken from a form or a file; leave it out.")
        _refuse_value(name, value, where)


def _refuse_value(name, value, where):
    if isinstance(value, dict):
        refuse_what_reaches_out(value, where=f" (inside of {name})")
    elif isinstance(value, (list, tuple)):
        for one in value:
            _refuse_value(name, one, where)
    elif isinstance(value, str) and re.search(r"[/\\]|^~|^\.+$", value):
        raise InputError(f"The parameter {shown(name)}{where} is {shown(value)}, which names a place on this computer. It is not "
                         "taken from a form or a file; leave it out.")
    elif not isinstance(value, (*_PLAIN, np.ndarray)) or isinstance(value, np.ndarray) and value.dtype.kind not in "biufU":
        raise InputError(f"The parameter {shown(name)}{where} is {type(value).__name__}; it must be a plain value: text, a number, "
                         "true or false, a list or a table. A model that holds others is given as an object from Python.")
