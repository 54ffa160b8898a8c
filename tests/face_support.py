"""What can be reached from sc, and whether it raises: for the tests that hold the public face to its word."""

import ast
import functools
import importlib
import inspect
import textwrap

import stabcore as sc

STEPS = 2  # how far calls are followed: further down, what is refused is no longer what was given
DOORS = {"check_covers"}  # methods that refuse what they are given


def functions():
    """(name, function) of everything that can be reached from sc: functions, and public methods of classes."""
    for name in sc.__all__:
        thing = getattr(sc, name)
        if inspect.ismodule(thing):
            inside = {one: getattr(thing, one) for one in getattr(thing, "__all__", vars(thing)) if not one.startswith("_")}
            reached = {
                f"{name}.{one}": value
                for one, value in inside.items()
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


def promises():
    """(name, function, docstring): what is run when a public name is called, and what it says. A class speaks for its making."""
    for name, function in functions():
        if not name.endswith(".__init__"):
            yield name, function, inspect.getdoc(function) or ""
            continue
        of = functools.reduce(getattr, name.split(".")[:-1], sc)
        yield name, getattr(of, "__post_init__", of.__init__), f"{inspect.getdoc(of)}\n{inspect.getdoc(of.__init__)}"


def raising(function, steps=STEPS) -> str:
    """The way to the first `raise InputError`, in the function or what it calls by name; "" where there is none."""
    function = inspect.unwrap(function)
    nodes = list(ast.walk(_tree(function)))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    if any(isinstance(node, ast.Raise) and node.exc and "InputError" in ast.unparse(node.exc) for node in nodes):
        return function.__name__
    for door in DOORS & {call.attr for call in calls if isinstance(call, ast.Attribute)}:
        return f"{function.__name__} > {door}"
    names = function.__globals__ | _imported(nodes)
    for call in calls if steps else ():
        called = names.get(call.id) if isinstance(call, ast.Name) else None
        way = raising(called, steps - 1) if inspect.isfunction(called) and called.__module__.startswith("stabcore") else ""
        if way:
            return f"{function.__name__} > {way}"
    return ""


@functools.cache
def _tree(function):
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError):  # made by dataclass: nothing in it raises
        return ast.Module([], [])


def _imported(nodes):
    """What a function imports itself."""
    inside = [node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("stabcore")]
    return {
        name.asname or name.name: getattr(importlib.import_module(node.module), name.name, None)
        for node in inside
        for name in node.names
    }
