"""What a person chose about a table: where it lies in its file, and how its cells are mended; as the table [data] keeps it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from stabcore.io.cohorts import ONLY
from stabcore.io.frame import Reading
from stabcore.io.layout import Layout
from stabcore.io.mends import APART, Mend, apply
from stabcore.io.questions import first_answers, suggest
from stabcore.io.spelling import alike as names_alike
from stabcore.io.tables import read_table
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


SUGGESTED, ROUNDS = "suggested", 5


def settled(reading: Reading, mends, target, exclude=(), alike=None) -> Reading:
    """A table that was read, mended as was said in Python: a list of mends, or "suggested"; alike: what is done with classes and
    names that look the same, "join" or "keep". Raises InputError for other answers."""
    if alike not in (None, "join", "keep"):
        raise InputError(f"alike is 'join' or 'keep'; found {shown(alike)}.")
    if isinstance(mends, str) and mends != SUGGESTED:
        raise InputError(f"mends is a list of mends, or {SUGGESTED!r}; found {shown(mends)}.")
    chosen = [one if isinstance(one, Mend) else Mend.of(one) for one in (() if mends == SUGGESTED else mends)]
    if alike == "join":
        chosen.append(Mend("spelling", (str(target),)))
    elif alike == "keep":
        double = names_alike([str(name) for name in reading.frame.columns])
        chosen.append(Mend(APART, tuple(dict.fromkeys([str(target), *(name for own in double.values() for name in own)]))))
    excluded = [exclude] if isinstance(exclude, str) else [str(name) for name in exclude]
    for _ in range(ROUNDS if mends == SUGGESTED else 0):        # an answer may leave another question
        more = first_answers(suggest(reading, chosen, excluded, str(target)), str(target))
        chosen += more
        if not more:
            break
    return apply(reading, chosen) if chosen else reading
