"""What Data shows in one rerun: the work, its table as it was read and mended, what was chosen and what was guessed of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pages.parts import cache

if TYPE_CHECKING:
    from pages.workspace.workspace import Workspace
    from stabcore.data.reading import Reading


@dataclass(frozen=True, eq=False)
class DataView:
    """The work and its table."""

    here: Workspace
    read: Reading

    @cached_property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [str(name) for name in self.read.frame.columns]

    @cached_property
    def described(self):
        """What was understood of each column, before the outcome is chosen."""
        return cache.described()

    @cached_property
    def roles(self) -> dict:
        """What the columns are for, as chosen before."""
        return self.here.settings.get("roles", {})

    @cached_property
    def about(self) -> tuple[str, ...]:
        """Columns that tell about the samples, as the file or the turning of the table says."""
        return tuple(self.here.settings.get("about") or self.read.about)

    @cached_property
    def guessed(self):
        """What the columns seem to be for."""
        return cache.presets(self.about)

    def named(self, name) -> str:
        """A column with its unit."""
        return f"{name} [{self.read.units[name]}]" if name in self.read.units else str(name)

    def row_of(self, name):
        """What was understood of one column."""
        return self.described.set_index("column").loc[name]
