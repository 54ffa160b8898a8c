"""Stability measures, one file a family; calling the package, `sc.measures()`, gives their catalogue."""

import sys
from types import ModuleType

from stabcore.measures.catalog import measures


class _Catalogue(ModuleType):
    """A package that can be called: the package and its catalogue have one name."""

    def __call__(self):
        return measures()


sys.modules[__name__].__class__ = _Catalogue
