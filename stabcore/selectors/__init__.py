"""Feature selectors, one file a family; calling the package, `sc.selectors()`, gives their catalogue."""

import sys
from types import ModuleType

from stabcore.selectors.base import Selector
from stabcore.selectors.catalog import selector, selectors

__all__ = ["Selector", "selector"]


class _Catalogue(ModuleType):
    """A package that can be called: the package and its catalogue have one name."""

    def __call__(self):
        return selectors()


sys.modules[__name__].__class__ = _Catalogue
