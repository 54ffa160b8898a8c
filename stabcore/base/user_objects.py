"""User-defined selectors, plans and classifiers in a study: describe them, send them to workers, copy them."""

import hashlib
from dataclasses import fields, is_dataclass

import numpy as np

from stabcore.base.errors import InputError


def described(user_object) -> str:
    """The class and options of an object as text, equal in every process. A study continues only with an equal text."""
    if is_dataclass(user_object):
        options = {field.name: getattr(user_object, field.name) for field in fields(user_object)}
    elif hasattr(user_object, "get_params"):
        options = dict(sorted(user_object.get_params().items()))
    else:
        options = {name: value for name, value in sorted(getattr(user_object, "__dict__", {}).items()) if not name.startswith("_")}
    return f"{type(user_object).__qualname__}({', '.join(f'{name}={_word(value)}' for name, value in options.items())})"


def portable(user_object, what) -> bytes:
    """The object as bytes for the workers. Raises InputError when it cannot be sent to another process."""
    import cloudpickle

    try:
        return cloudpickle.dumps(user_object)
    except Exception as error:  # a user-defined object may raise anything
        raise InputError(
            f"The {what} cannot be sent to the worker processes: {type(error).__name__}: {error}. Keep open files, locks and "
            "connections out of it, or open them in its methods."
        ) from error


def failure(what, error) -> InputError:
    """The error of a user-defined object as an InputError."""
    if isinstance(error, InputError):
        return error
    return InputError(f"The {what} failed: {type(error).__name__}: {error}")


def fresh(estimator, rng):
    """An unfitted clone of a scikit-learn model, each `random_state` in it drawn from rng."""
    from sklearn.base import clone

    model = clone(estimator)
    return model.set_params(**{name: int(rng.integers(2**31)) for name in seeded(model)})


def seeded(estimator) -> list[str]:
    """The parameters of a scikit-learn model that seed its random numbers."""
    return [name for name in sorted(estimator.get_params()) if name.split("__")[-1] == "random_state"]


def _word(value) -> str:
    """An option as text that differs for different options, and is the same in every process."""
    if isinstance(value, (str, bytes, int, float, complex, bool, type(None), np.generic)):
        return repr(value)
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return _word(value.tolist())
        return f"array({value.shape}, {value.dtype}, {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_word(key)}: {_word(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_word, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(_word, value))) + "}"
    if callable(value):
        return getattr(value, "__qualname__", type(value).__qualname__)
    return described(value) if is_dataclass(value) or hasattr(value, "get_params") else type(value).__qualname__
