"""Modules that can be called: a module and the catalogue of what it holds have one name, as in sc.measures().

At run time the module's own class is given a `__call__`. Type checkers know no such modules: to them, sc.measures is an object of
the class below, which has what the module offers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.classifiers import catalog as of_classifiers
    from stabcore.measures import entry as of_measures
    from stabcore.selectors import base as of_selectors
    from stabcore.selectors import catalog as selectors_catalog
    from stabcore.study import plans as of_plans

    class Catalogue:
        """What sc.measures() and its like give: one row an entry, by key."""

        def __call__(self) -> pd.DataFrame: ...

    class Measures(Catalogue):
        Entry = of_measures.Entry
        Properties = of_measures.Properties

    class Selectors(Catalogue):
        Selector = of_selectors.Selector
        selector = staticmethod(selectors_catalog.selector)

    class Classifiers(Catalogue):
        CLASSIFIERS = of_classifiers.CLASSIFIERS
        Classifier = of_classifiers.Classifier
        classifier = staticmethod(of_classifiers.classifier)

    class Plans(Catalogue):
        PLANS = of_plans.PLANS
        plan_from = staticmethod(of_plans.plan_from)


def callable_as(module: str, table: Callable[..., Any]) -> None:
    """Let calling the module of this name call `made`, as the table of a catalogue."""
    sys.modules[module].__class__ = type("Called", (ModuleType,), {"__call__": lambda self, *one, **named: table(*one, **named)})
