"""Aliases for type checkers that several packages use."""

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Seed: TypeAlias = "int | np.random.Generator"
SparseMatrix: TypeAlias = Any  # scipy.sparse.csr_array: SciPy has no types
