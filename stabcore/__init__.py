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
    "Relation": "relation.relation",
    "Estimate": "inference.estimate",
    "stability": "inference.estimate",
    "compare": "inference.comparison",
    "InputError": "errors",
    "Dataset": "data",
    "selector": "selectors.catalog",
    "Subsample": "study.resampling",
    "Bootstrap": "study.resampling",
    "KFold": "study.resampling",
    "Nested": "study.resampling",
    "Half": "study.resampling",
    "Study": "study.study",
    "open_study": "study.study_result",
    "Results": "study.results",
    "noise_floor": "inference.floor",
    "expected_false": "inference.error_control",
    "profile": "analysis.profiles",
    "knot": "analysis.knots",
    "knots": "analysis.knots",
    "convergence": "analysis.convergence",
    "runs_ahead": "analysis.convergence",
    "compare_all": "analysis.pairs",
    "agreement_of_measures": "analysis.agreement",
    "passport": "analysis.passport",
    "front": "analysis.pareto",
    "panel": "analysis.panel",
    "false_features": "analysis.panel",
    "panel_map": "analysis.panel_map",
    "stability_paths": "analysis.panel_map",
    "consensus": "analysis.consensus",
    "effects": "analysis.effects",
    "concordance": "analysis.concordance",
    "replicated": "analysis.concordance",
    "compromise": "analysis.pareto",
    "averaged_ranks": "analysis.pareto",
    "suggest_groups": "relation.grouping",
    "cautions": "analysis.cautions",
}
_CATALOGUES = {name: name for name in ("measures", "selectors", "classifiers")} | {"plans": "study.plans"}    # sc.measures() is one
_MODULES = _CATALOGUES | {"whatif": "whatif", "importance": "selectors.importance"}
__all__ = [*_HOME, *_MODULES]


def __getattr__(name):
    if name in _MODULES:
        return import_module(f"stabcore.{_MODULES[name]}")
    if name in _HOME:
        value = getattr(import_module(f"stabcore.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'stabcore' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
