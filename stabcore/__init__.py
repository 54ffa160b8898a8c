"""stabcore: how far a set of selected features can be trusted.

    import stabcore as sc
    runs = sc.Preferences.from_selection_matrix(Z)
    print(sc.stability(runs))

Names load when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "Preferences": "preferences",
    "Relation": "relation",
    "Estimate": "inference",
    "stability": "inference",
    "compare": "comparison",
    "InputError": "errors",
    "Dataset": "dataset",
    "selector": "selectors.catalog",
    "Subsample": "resampling",
    "Bootstrap": "resampling",
    "KFold": "resampling",
    "Nested": "resampling",
    "Half": "resampling",
    "Study": "study",
    "open_study": "results",
    "noise_floor": "floor",
    "profile": "profiles",
    "front": "fronts",
}
_PACKAGES = ("measures", "selectors", "plans", "classifiers")       # callable: sc.measures() is the catalogue
_MODULES = ("whatif",)
__all__ = [*_HOME, *_PACKAGES, *_MODULES]


def __getattr__(name):
    if name in _PACKAGES + _MODULES:
        return import_module(f"stabcore.{name}")
    if name in _HOME:
        value = getattr(import_module(f"stabcore.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'stabcore' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
