"""The blocks of a part of a report; stabcore.reporting.page decides how they look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Text:
    """A paragraph; `small` where it explains another one."""

    text: str
    small: bool = False
    kind: ClassVar[str] = "text"


@dataclass(frozen=True)
class Heading:
    """A heading inside a part."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True)
class Bullets:
    """Sentences, one below the other; `numbered` where others refer to them by number."""

    items: list[str]
    numbered: bool = False
    kind: ClassVar[str] = "bullets"


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption; name: of its CSV file. shown: columns that the page has room for, or all."""

    name: str
    caption: str
    frame: pd.DataFrame
    shown: tuple[str, ...] | None = None
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure under its finding, which is also its alternative text, and its table."""

    name: str
    sentence: str
    figure: go.Figure
    frame: pd.DataFrame
    kind: ClassVar[str] = "picture"


@dataclass(frozen=True)
class Code:
    """A text to copy, such as a script; name: of its file."""

    name: str
    caption: str
    text: str
    kind: ClassVar[str] = "code"


@dataclass(frozen=True)
class Part:
    """A numbered part of the report."""

    number: int
    title: str
    blocks: list[Text | Heading | Bullets | Table | Picture | Code]
