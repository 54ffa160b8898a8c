"""What the sections of Groups & C share: there may be a table without results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pages.parts import cache
from pages.parts.view import View

if TYPE_CHECKING:
    from stabcore.data.dataset import Dataset


@dataclass(frozen=True, eq=False)
class GroupView(View):
    """Results, or None, and the features that the relation is about."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The features of the results, else of the table."""
        return cache.features()

    @cached_property
    def data(self) -> Dataset | None:
        """The table, if it has these features."""
        return cache.matching_data()

    @property
    def has_runs(self) -> bool:
        """Are there runs to see what the relation does to?"""
        return self.results is not None and bool(self.results.ready)
