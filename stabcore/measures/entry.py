"""The catalogue entry of a stability measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Concatenate, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stabcore.selections.selections import Selections


MeasureFunction: TypeAlias = "Callable[Concatenate[Selections, ...], float | np.floating]"
MeasureLike: TypeAlias = "str | Entry | MeasureFunction"  # a key of the catalogue, or a user-defined measure

FAMILIES = {
    "overlap": "Overlap of selections, not corrected for chance",
    "chance": "Overlap of selections, corrected for chance",
    "similarity": "Overlap of selections where similar features count",
    "weights": "Weights and ranks",
    "information": "Importances",
}
INFINITY = float("inf")


@dataclass(frozen=True, kw_only=True)
class Properties:
    """Known properties of a measure. None: not studied, or it depends on the similarity."""

    fully_defined: bool | None = None  # defined for any set sizes
    bounds: bool | None = None  # limits that depend neither on d nor on k
    maximum: bool | None = None  # reached only by a deterministic selection
    chance: bool | None = None  # constant on average under random selection
    monotonicity: bool | None = None  # grows with the agreement of the runs, sizes fixed
    group_size: bool | None = None  # a group of copies counts the same whatever its size
    interchangeable: bool | None = None  # replacing a feature by an interchangeable one has no effect
    weighted_decomposition: bool | None = None  # parts of the selection count by their importance


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One measure.

    key         its name in calls, tables and files
    function    (selections, similarity=None, **options) -> float, see the contract in stabcore.measures
    family      key of FAMILIES, "" for none
    low, high   its limits. otherwise: its limits for the other value of the option `corrected`
    needs       required data of the runs, among "sets", "importances", "scores", "ranks", "order", and "similarity"
    published_variance  Selections -> variance of the value as published, where one exists
    at_equal_sizes      formula of (r, a, b, d) whose mean over pairs is the measure where all runs have the same size
    overlap_terms   builds PairStatistic from the mean number of features that two runs share and the sizes, where this suffices
    uses_similar_overlaps  whether its formula depends on the overlaps by a similarity, zᵢ C zⱼᵀ
    depth_overlap    computes it at every depth of two rankings from the features shared down to each depth: an object with
                rbo_at_depths(shared, depths) and random_rbo_moments(depths, d), as in stabcore.measures.rank_overlap
    rough       (name, value) of the options that make it cheaper, where a rough value is enough
    """

    key: str
    label: str
    function: Callable
    family: str = ""
    plain: str = ""
    formula: str = ""
    range: str = ""
    low: float = -INFINITY
    high: float = INFINITY
    corrected: bool = False
    otherwise: tuple[float, float] | None = None
    needs: tuple[str, ...] = ()
    properties: Properties = Properties()
    reference: str = ""
    published_variance: Callable | None = None
    at_equal_sizes: Callable | None = None
    overlap_terms: Callable | None = None
    uses_similar_overlaps: bool = False
    depth_overlap: Any = None
    rough: tuple[tuple[str, object], ...] = ()

    @cached_property
    def options(self) -> dict[str, object]:
        """{name: default} of its keyword options."""
        parameters = list(signature(self.function).parameters.values())[2:]
        return {parameter.name: parameter.default for parameter in parameters if parameter.kind is not Parameter.VAR_KEYWORD}

    @property
    def needs_importances(self) -> bool:
        """Whether it uses importances, not only selections or ranks."""
        return "importances" in self.needs

    @property
    def compares_rankings(self) -> bool:
        """Whether equal runs are those with equal rankings, instead of equal selections."""
        return bool({"ranks", "order", "scores"} & set(self.needs))

    @property
    def needs_similarity(self) -> bool:
        """Whether it uses a similarity of features."""
        return "similarity" in self.needs

    @property
    def pair(self) -> Callable | None:
        """The formula of (r, a, b, d) whose mean over pairs of runs is the measure, None for other measures."""
        return getattr(self.function, "pair", None)

    @property
    def has_profile(self) -> bool:
        """Whether it can be computed for every number of features at once."""
        return self.uses_similar_overlaps or (self.depth_overlap or self.at_equal_sizes or self.pair) is not None

    def limits(self, options: Mapping[str, Any] | None = None) -> tuple[float, float]:
        """(low, high), the limits of the measure with these options."""
        usual = (options or {}).get("corrected", self.corrected) == self.corrected
        return (self.low, self.high) if usual or self.otherwise is None else self.otherwise

    def interval(
        self, value: float | np.ndarray, half: float | np.ndarray, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(low, high): value ± half, cut at the limits of the measure with these options. Arrays are allowed."""
        low, high = self.limits(options)
        return np.maximum(value - half, np.minimum(low, value)), np.minimum(value + half, np.maximum(high, value))
