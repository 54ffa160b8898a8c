"""User-defined selectors, plans and classifiers in a study: describe them, send them to workers, copy them."""

import functools
import hashlib
import random
import re
import sys
import sysconfig
import types
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError

LIBRARY_FOLDERS = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
MARK_DIGITS = 8  # of the mark of user-written code
CODE_MARK = re.compile(rf"#[0-9a-f]{{{MARK_DIGITS}}}\b")


def describe_object(user_object) -> str:
    """The class and options of an object as text, equal in every process. A study continues only with an equal text.

    A class or function written by the user has a mark, #, of its code, so that a study does not continue with another code. It
    covers the constants, functions and classes that this code names, but not what installed packages contain.
    """
    return _ObjectText().value_text(user_object)


def object_bytes(user_object, what) -> bytes:
    """The object as bytes for the workers. Raises InputError when it cannot be sent to another process."""
    import cloudpickle

    try:
        return cloudpickle.dumps(user_object)
    except Exception as error:  # a user-defined object may raise anything
        raise InputError(
            f"The {what} cannot be sent to the worker processes: {type(error).__name__}: {error}. Keep open files, locks and "
            "connections out of it, or open them in its methods."
        ) from error


def as_input_error(what, error) -> InputError:
    """The error of a user-defined object as an InputError."""
    if isinstance(error, InputError):
        return error
    return InputError(f"The {what} failed: {type(error).__name__}: {error}")


def seeded_clone(estimator, rng):
    """An unfitted clone of a scikit-learn model. Each `random_state` in it is drawn from rng, for splitters only if it is None."""
    from sklearn.base import clone

    model = clone(estimator)  # copies splitters, too
    model.set_params(**{name: int(rng.integers(2**31)) for name in seeded_parameters(model)})
    for _, value in sorted(model.get_params().items()):
        if not hasattr(value, "get_params") and getattr(value, "random_state", 0) is None:
            value.random_state = int(rng.integers(2**31))
    return model


@contextmanager
def global_seed(*numbers):
    """In it, the global random numbers of NumPy and Python, which user-written code may use, follow from these whole numbers."""
    before = np.random.get_state(), random.getstate()
    words = np.random.SeedSequence(numbers).generate_state(4)
    np.random.seed(words)
    random.seed(words.tobytes())
    try:
        yield
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def seeded_parameters(estimator) -> list[str]:
    """The parameters of a scikit-learn model that seed its random numbers."""
    return [name for name in sorted(estimator.get_params()) if name.split("__")[-1] == "random_state"]


class _ObjectText:
    """Values as texts that differ for different values, and are the same in every process."""

    def __init__(self):
        self.around: list[Any] = []  # objects that hold the one being described
        self.marks: dict[Any, str] = {}  # of classes and functions, "" while their code is read

    def value_text(self, value) -> str:
        if isinstance(value, (str, bytes, int, float, complex, bool, type(None), np.generic)):
            return repr(value)
        if any(value is outer for outer in self.around):
            return "…"
        self.around.append(value)
        try:
            return self._other_text(value)
        finally:
            self.around.pop()

    def _other_text(self, value) -> str:
        if isinstance(value, np.ndarray):
            if value.dtype == object:
                return self.value_text(value.tolist())
            return f"array({value.shape}, {value.dtype}, {_digest(np.ascontiguousarray(value).tobytes(), 16)})"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.value_text(key)}: {self.value_text(item)}" for key, item in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(self.value_text, value)) + "]"
        if isinstance(value, (set, frozenset)):
            return "{" + ", ".join(sorted(map(self.value_text, value))) + "}"
        if isinstance(value, functools.partial):
            return f"partial({', '.join(map(self.value_text, (value.func, *value.args, value.keywords)))})"
        if isinstance(value, types.MethodType):
            return f"{self.value_text(value.__self__)}.{value.__name__}"
        if isinstance(value, (type, types.FunctionType)):
            return self._code_name(value)
        return getattr(value, "__name__", None) or self.object_text(value)

    def object_text(self, value) -> str:
        """The class of an object and its options. Attributes that begin with _ count only if there are no others."""
        if is_dataclass(value):
            options = {field.name: getattr(value, field.name) for field in fields(value)}
        elif hasattr(value, "get_params"):
            options = dict(sorted(value.get_params().items()))
        else:
            every = dict(sorted(getattr(value, "__dict__", {}).items()))
            options = {name: item for name, item in every.items() if not name.startswith("_")} or every
        return f"{self._code_name(type(value))}({', '.join(f'{name}={self.value_text(item)}' for name, item in options.items())})"

    def _code_name(self, code) -> str:
        """The name of a class or function, with the mark of its code if the user wrote it."""
        if code not in self.marks:
            self.marks[code] = ""
            if _is_user_code(code):
                self.marks[code] = "#" + _digest(self._code_text(code).encode(), MARK_DIGITS)
        return code.__qualname__ + self.marks[code]

    def _code_text(self, code) -> str:
        """What a class or function does: its instructions, and the constants, functions and classes of the user that these name."""
        if isinstance(code, type):
            members = {name: _unwrapped(member) for name, member in sorted(vars(code).items())}
            return self.value_text(
                [*code.__bases__, {name: member for name, member in members.items() if _is_relevant(name, member)}]
            )
        compiled = [code.__code__]
        for part in compiled:  # grows by the functions inside functions
            compiled += [constant for constant in part.co_consts if isinstance(constant, types.CodeType)]
        constants = [
            [item for item in part.co_consts if not isinstance(item, types.CodeType) and item != code.__doc__] for part in compiled
        ]
        names = list(dict.fromkeys(name for part in compiled for name in part.co_names))
        used = {name: code.__globals__[name] for name in names if _is_relevant(name, code.__globals__.get(name))}
        around = [cell.cell_contents for cell in code.__closure__ or () if _is_filled(cell)]
        instructions = [part.co_code for part in compiled]
        return self.value_text([instructions, constants, names, code.__defaults__, code.__kwdefaults__, around, used])


def _unwrapped(member):
    """The function inside a member of a class."""
    return member.fget if isinstance(member, property) else getattr(member, "__func__", member)


def _is_user_code(code) -> bool:
    """Whether a class or function was written by the user: in a script, a notebook, or a module that is not installed."""
    name = code.__module__ or ""
    place = getattr(sys.modules.get(name), "__file__", None)
    if name == "builtins" or name.partition(".")[0] == __name__.partition(".")[0]:
        return False
    return name == "__main__" or name not in sys.modules or place is not None and not place.startswith(LIBRARY_FOLDERS)


def _is_relevant(name, value) -> bool:
    """Whether the value of a name in a class or function is a constant, or code of the user."""
    if isinstance(value, (type, types.FunctionType)):
        return _is_user_code(value)
    constant = isinstance(value, (str, bytes, int, float, complex, bool, tuple, np.ndarray, functools.partial))
    return constant and not name.startswith("__")


def _is_filled(cell) -> bool:
    """Whether a variable around a function has a value."""
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _digest(content, digits) -> str:
    return hashlib.sha256(content).hexdigest()[:digits]
