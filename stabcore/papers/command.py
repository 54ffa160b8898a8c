"""The papers without a browser: figures and tables made again, of the bundled tables or of a folder of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stabcore.errors import InputError
from stabcore.papers.catalog import EXHIBITS
from stabcore.papers.exhibit import TABLE, shown
from stabcore.wording import nearest
from stabcore.wording import shown as as_text

if TYPE_CHECKING:
    from stabcore.papers.source import Source


def list_exhibits() -> Iterator[str]:
    """One line for each figure and table that can be made: its key, its paper, what it is."""
    width = max(map(len, EXHIBITS))
    for key, exhibit in EXHIBITS.items():
        yield f"{key:{width}}  {exhibit.paper}, {exhibit.number}: {exhibit.title}"


def make_exhibits(keys: Sequence[str], source: Source) -> Iterator[str]:
    """Make some again and say, one after the other, what came out and whether what the paper found shows in it.

    Raises InputError for a key that is none, and what exhibits raise where the folder of the source lacks what they need.
    """
    for key in keys:
        if key not in EXHIBITS:
            raise InputError(f"There is no figure or table {as_text(key)}{nearest(key, EXHIBITS)}. Without a name all are listed.")
    for key in keys:
        exhibit = EXHIBITS[key]
        result = shown(exhibit, source)
        yield f"{exhibit.paper}, {exhibit.number}: {exhibit.title}"
        if exhibit.kind == TABLE:
            yield result.frame.round(3).to_string(index=False)
        yield result.sentence
        yield from (f"{'shows' if holds else 'does not show'}: {claim} ({numbers})" for claim, holds, numbers in result.claims)
