"""What there is to say about one word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stabcore.glossary.diagrams import Diagram


@dataclass(frozen=True, kw_only=True)
class Term:
    """One word of the screens.

    key       what code calls it by
    name      as it stands on screens
    sentence  what it is, for somebody who never heard of it
    picture   a small drawing
    symbol    how formulas write it; "" for none
    formula   in LaTeX; its letters are in stabcore.glossary.letters; "" for none
    also      other words that screens and papers have for it, each found in texts too
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
        """The words that it is found by."""
        return (self.name.split(" (")[0], *self.also)
