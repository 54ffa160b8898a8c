"""Everything public in sc, for tests of all of it."""

import inspect
from functools import cache

import stabcore as sc


@cache
def functions():
    """Return (name, function) of all public functions and methods of sc."""
    return list(_functions())


def _functions():
    for name in sc.__all__:
        thing = getattr(sc, name)
        if inspect.ismodule(thing):
            inside = {inner: getattr(thing, inner) for inner in getattr(thing, "__all__", vars(thing)) if not inner.startswith("_")}
            reached = {
                f"{name}.{inner}": value
                for inner, value in inside.items()
                if getattr(value, "__module__", "").startswith(thing.__name__)
            }
        else:
            reached = {name: thing}
        for label, value in reached.items():
            if inspect.isfunction(value):
                yield label, value
            elif inspect.isclass(value):
                yield from methods(label, value)


def methods(label, of):
    for name, kind in inspect.getmembers_static(of):
        if name.startswith("_") and name != "__init__":
            continue
        function = getattr(kind, "__func__", getattr(kind, "fget", getattr(kind, "func", kind)))
        if inspect.isfunction(function) and function.__module__.startswith("stabcore"):
            yield f"{label}.{name}", function
