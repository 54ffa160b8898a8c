"""What a person chose about a table: where it lies in its file, and how its cells are mended; as the table [data] keeps it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from stabcore.data.reading.cohorts import ONLY
from stabcore.data.reading.frame import Reading
from stabcore.data.reading.layout import Layout
from stabcore.data.reading.mends import Mend, apply
from stabcore.data.reading.tables import read_table
from stabcore.errors import InputError
from stabcore.wording import nearest, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLACES = tuple(field.name for field in fields(Layout))


@dataclass(frozen=True)
class Choices:
    """Where the table lies, as far as that was chosen, and what was decided about its cells."""

    layout: Layout = Layout()
    mends: tuple[Mend, ...] = ()

    def settings(self) -> dict:
        """Plain values, for a settings file."""
        return self.layout.settings() | ({"mends": [mend.settings() for mend in self.mends]} if self.mends else {})

    @classmethod
    def of(cls, entries) -> Choices:
        """From what `settings` gives. Raises InputError for what cannot be chosen."""
        entries = dict(entries)
        mends = entries.pop("mends", [])
        for name in entries:
            if name not in _PLACES:
                raise InputError(f"Of a table {shown(name)} cannot be chosen{nearest(name, (*_PLACES, 'mends'))}; what can be: "
                                 f"{', '.join((*_PLACES, 'mends'))}.")
        if not isinstance(mends, list | tuple):
            raise InputError(f"mends is a list of tables; found {shown(mends)}.")
        return cls(Layout(**entries), tuple(map(Mend.of, mends)))

    def placed(self, **changed) -> Choices:
        """With another place of the table; None: to be found."""
        return replace(self, layout=replace(self.layout, **changed))

    def mended(self, *more) -> Choices:
        """With more mends."""
        return replace(self, mends=(*self.mends, *more))

    def without(self, number: int) -> Choices:
        """Without one mend, by its number from 0."""
        return replace(self, mends=tuple(mend for i, mend in enumerate(self.mends) if i != number))

    def only(self, column: str, cells: Iterable[str]) -> Choices:
        """With the rows of these cohorts alone, in the place of those that were chosen by the same column."""
        others = tuple(mend for mend in self.mends if (mend.do, mend.columns) != (ONLY, (column,)))
        return replace(self, mends=(*others, Mend(ONLY, (column,), tuple(cells))))


def read_chosen(source, choices: Choices, name=None) -> Reading:
    """A table as read_table reads it, with these choices. Raises InputError as read_table and apply do."""
    return apply(read_table(source, name, layout=choices.layout), choices.mends)
