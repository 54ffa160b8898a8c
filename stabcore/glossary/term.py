"""One term of the glossary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stabcore.glossary.diagrams import Diagram


@dataclass(frozen=True, kw_only=True)
class Term:
    """One term of the screens.

    key       its name in code
    name      its name on screens
    sentence  its meaning, for somebody who never heard of it
    picture   a small drawing
    symbol    in formulas; "" for none
    formula   in LaTeX, with the letters of stabcore.glossary.letters; "" for none
    also      other words for it on screens and in papers, each found in texts too
    """

    key: str
    name: str
    sentence: str
    picture: Diagram
    symbol: str = ""
    formula: str = ""
    also: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which it is found."""
        return (self.name.split(" (")[0], *self.also)
