"""The one door of everything public: an argument of a wrong type becomes an InputError that names it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from numbers import Real
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from stabcore.base.errors import InputError

Public = TypeVar("Public", bound=Callable[..., Any])
RAW_ERRORS = (TypeError, AttributeError, LookupError, ValueError, ArithmeticError)  # errors that arguments of wrong types raise


def _is_number(value):
    return isinstance(value, (Real, np.bool_))


def _is_whole(value):
    return _is_number(value) and not isinstance(value, bool) and bool(value == value // 1)  # not NaN, not infinite


def _is_list(value):
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)) and not hasattr(value, "columns")


def _is_numeric(value):
    try:
        np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    return value is not None


_LISTS = dict.fromkeys(("Sequence", "Iterable", "list", "tuple"), ("list", _is_list))
_MAPPINGS = dict.fromkeys(("Mapping", "dict"), ("dict", lambda value: isinstance(value, Mapping)))
_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {  # name in an annotation -> its noun, and whether a value is one
    "int": ("whole number", _is_whole),
    "float": ("number", _is_number),
    "str": ("text", lambda value: isinstance(value, str)),
    "bool": ("bool", lambda value: isinstance(value, (bool, np.bool_))),
    "Path": ("path", lambda value: isinstance(value, PathLike)),
    "PathLike": ("path", lambda value: isinstance(value, PathLike)),
    "Callable": ("function", callable),
    "ArrayLike": ("array of numbers", _is_numeric),
    "SparseMatrix": ("sparse matrix", lambda value: hasattr(value, "tocsr")),
    "MeasureLike": ("measure", lambda value: isinstance(value, str) or callable(value) or hasattr(value, "function")),
    **_LISTS,
    **_MAPPINGS,
}
_CLASSES = {
    **{name: {name} for name in ("Similarity", "Dataset", "Selections", "StudyResult", "SearchSpace", "Scenario", "Risk", "Entry")},
    **{name: {name} for name in ("DataFrame", "Series", "ndarray", "CorrelationBins")},
    "AnyResult": {"StudyResult", "Results"},
}


class WrongType(InputError):
    """Of an argument that does not fit its annotation."""


def public(thing: Public) -> Public:
    """A public function, or a class with its public methods.

    An error from inside becomes an InputError if an argument does not fit its annotation: `level is a number. Found str.` Arguments
    are not checked before the call, so the messages of the function come first, and other types that work are accepted.
    """
    if inspect.isclass(thing):
        for name, member in list(vars(thing).items()):
            if name == "__init__" or not name.startswith("_"):
                if inspect.isfunction(member):
                    setattr(thing, name, public(member))
                elif isinstance(member, (classmethod, staticmethod)):
                    setattr(thing, name, type(member)(public(member.__func__)))
        return thing

    @wraps(thing)
    def call(*args, **kwargs):
        try:
            return thing(*args, **kwargs)
        except RAW_ERRORS as error:
            if isinstance(error, WrongType) or not isinstance(error, InputError):  # the function that was called comes first
                refuse_wrong_types(thing, args, kwargs, error)
            raise

    return call  # type: ignore[return-value]


def refuse_wrong_types(function, args, kwargs, error):
    """Raise WrongType, from the error, for the first argument that does not fit its annotation."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return  # for a missing or an unknown argument, Python's own message is enough
    for name, value in given.items():
        parameter = signature.parameters[name]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or not isinstance(parameter.annotation, str):
            continue
        asked = _parse_annotation(parameter.annotation, function)
        if not _fits_any(asked, value):
            where = function.__qualname__.removesuffix(".__init__")
            nouns = " or ".join(dict.fromkeys(map(_describe_type, asked)))
            raise WrongType(f"{name} of {where} is {nouns}. Found {_describe_value(value)}.") from error


@cache
def _parse_annotation(annotation, function):
    """The alternatives of an annotation, with the aliases that are known where the function is."""
    node = ast.parse(annotation, mode="eval").body
    return tuple(_alternatives(node, inspect.unwrap(function).__globals__))


def _alternatives(node, names):
    if isinstance(node, ast.BinOp):
        return _alternatives(node.left, names) + _alternatives(node.right, names)
    alias = names.get(node.id) if isinstance(node, ast.Name) else None
    return _alternatives(ast.parse(alias, mode="eval").body, names) if isinstance(alias, str) else [node]


def _node_name(node):
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _fits_any(alternatives, value):
    return any(_fits_one(node, value) for node in alternatives)


def _fits_one(node, value):
    name = _node_name(node)
    if isinstance(node, ast.Constant):
        return value is None
    if name in _CLASSES:
        return not _CLASSES[name].isdisjoint(kind.__name__ for kind in type(value).__mro__)
    if name not in _KINDS:
        return True  # no class of a fixed name: not judged here
    if not _KINDS[name][1](value):
        return False
    inside = node.slice if isinstance(node, ast.Subscript) else None
    if inside is None or name not in _LISTS or isinstance(value, Iterator):
        return True
    inside = inside.elts[0] if isinstance(inside, ast.Tuple) else inside
    return all(_fits_any(_alternatives(inside, {}), element) for element in value)


def _describe_type(node, plural=False):
    if isinstance(node, ast.Constant):
        return "None"
    name = _node_name(node)
    noun = _KINDS[name][0] if name in _KINDS else " or ".join(sorted(_CLASSES.get(name, {name})))
    if isinstance(node, ast.Subscript) and name in _LISTS:
        inside = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        noun += f" of {' or '.join(_describe_type(part, plural=True) for part in _alternatives(inside, {}))}"
    return f"{noun}s" if plural else f"a{'n' if noun[0] in 'aeiou' else ''} {noun}"


def _describe_value(value):
    inside = sorted({type(element).__name__ for element in value}) if isinstance(value, (list, tuple)) else []
    return type(value).__name__ + (f" of {', '.join(inside)}" if inside else "")
