"""A report as one HTML file: no network, plotly.js once, prints on A4 and letter, data never become markup."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import pandas as pd

from stabcore.base.text import rounded, unbroken_text
from stabcore.glossary.headings import heading
from stabcore.measures.catalog import BY_KEY
from stabcore.plots.rendering import PAGE_WIDTH, drawing_script, figure_json, page_scale

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Text:
    """A paragraph. `small`: it explains another one."""

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
    """Sentences, one below the other. `numbered`: others refer to them by number."""

    items: list[str]
    numbered: bool = False
    kind: ClassVar[str] = "bullets"


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption. name: that of its CSV file. shown: the columns on the page, or all. (): it is only in the file."""

    name: str
    caption: str
    frame: pd.DataFrame
    shown: tuple[str, ...] | None = None
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure under its finding, which is also its alternative text, and its table. narrow: its drawing for a telephone."""

    name: str
    sentence: str
    figure: go.Figure
    frame: pd.DataFrame
    narrow: go.Figure | None = None
    kind: ClassVar[str] = "picture"


@dataclass(frozen=True)
class Part:
    """A numbered part of the report."""

    number: int
    title: str
    blocks: list[Text | Heading | Bullets | Table | Picture]


MAX_ROWS = 24  # largest number of rows of a table on the page. Its CSV file has all
MIN_P = 0.001
FIGURE_ROWS = 20  # rows of the table of a figure
MAX_SHORT_CELL = 24  # letters of a cell from which on paper may break it anywhere, to leave room for numbers
READABLE_VALUES = {
    **{key: measure.label for key, measure in BY_KEY.items()},
    "text": "Value [interval]",
    "line": "Highest frequency with the outcome shuffled",
    "quantity": "Quantity",
    "number": "No.",
    "topic": "Topic",
    "clear": "Clearly above the floor",
    "p": "p",
}
"""{name of a column: its heading in a report}, if it differs from screens."""


def page_html(title, subtitle, parts, living=None) -> str:
    """Return the page. parts: Parts in their order. living: values of the interactive part, from living.living, None without it."""
    pictures = living or any(block.kind == "picture" for part in parts for block in part.blocks)
    scripts = {"script": drawing_script() if pictures else "", "living_script": _read_script("living.js") if living else ""}
    return _read_template().render(title=title, told=subtitle, parts=parts, width=PAGE_WIDTH, living=living, **scripts)


def script_page() -> str:
    """Return a page with only the scripts, for a server that allows no others."""
    scripts = {"script": drawing_script(), "living_script": _read_script("living.js")}
    return _read_template().render(title="", told="", parts=(), width=PAGE_WIDTH, living=None, **scripts)


def lessons_html(values) -> str:
    """Return the page of lessons. values: from reporting.lessons."""
    scripts = {"script": drawing_script(), "living_script": _read_script("lessons.js")}
    return _read_template("lessons.html").render(title="Lessons on stability", values=values, width=PAGE_WIDTH, **scripts)


def _read_script(name):
    """A script after what all interactive files have in common."""
    return _read_file("page.js") + _read_file(name)


def _read_file(name):
    from importlib.resources import files

    return files("stabcore.reporting").joinpath(name).read_text(encoding="utf-8")


@cache
def _read_template(name="report.html"):
    from jinja2 import Environment, FunctionLoader

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=unbroken_text, loader=FunctionLoader(_read_file)
    )
    environment.filters |= {
        "cell": format_cell,
        "word": lambda name: heading(name, READABLE_VALUES),
        "data": figure_json,
        "fit": page_scale,
    }
    environment.filters["json"] = script_json
    environment.globals |= {
        "rows": _table_rows,
        "on_page": _shown_columns,
        "MAX_ROWS": MAX_ROWS,
        "FIGURE_ROWS": FIGURE_ROWS,
        "LONG_CELL": MAX_SHORT_CELL,
    }
    return environment.get_template(name)


def script_json(values) -> str:
    """Return values as JSON that is safe inside a script of a page, whatever the names in it."""
    return json.dumps(values, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _shown_columns(table):
    """The columns of a table that fit on the page, without empty ones."""
    frame = table.frame if table.shown is None else table.frame[[name for name in table.shown if name in table.frame]]
    return frame.loc[:, [not (frame[name].astype(str) == "").all() or not len(frame) for name in frame]]


def _table_rows(frame, most):
    return [list(zip(frame.columns, row, strict=True)) for row in frame.head(most).itertuples(index=False, name=None)]


def format_cell(value, name="") -> str:
    """Format a value of a table. name: of its column."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(map(str, value))
    if not isinstance(value, (int, float)) and not hasattr(value, "dtype"):
        return str(value)
    number = float(value)
    if str(name) == "p" or str(name).startswith("p_"):  # three decimals, because 0.05 would hide 0.049
        return f"< {MIN_P}" if number < MIN_P else f"{number:.3f}"
    if abs(number) == float("inf"):
        return "none" if number > 0 else "−none"
    if abs(number) < 1e15 and number == int(number):
        return f"{int(number):,}".replace("-", "−")
    if 1000 <= abs(number) < 1e6:
        return f"{number:,.0f}".replace("-", "−")  # 2,765 and not 2.77e+03
    digits = f"{number:.3g}" if abs(number) >= 1000 else f"{number:.2g}" if 1e-6 < abs(number) < 0.01 else rounded(number)
    return digits.replace("-", "−")
