"""A figure or table of a paper: what the paper says of it, how it is made here, and whether what the paper says shows here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.papers.source import Source

POINTS, LINES, BOXES, GRID, MATRIX, TABLE = "points", "lines", "boxes", "grid", "matrix", "table"


@dataclass(frozen=True)
class Claim:
    """A statement of a paper. holds: frame -> (does it show here, the numbers that say so in a short sentence)."""

    text: str
    holds: Callable[[pd.DataFrame], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """One figure or table.

    told        what the paper shows there, in our words; here: what it is made from here
    make        (source, tell) -> DataFrame; tell(done, total) is called meanwhile, and may stop it by raising
    kind        how it is drawn: points, lines, boxes, grid, matrix (of scatter plots) or a table alone
    x, y        columns of the frame, or titles of axes by column; series: the column that tells lines or colours apart; facet: the
                column whose values are pictures of their own; log: the axes with a logarithmic scale, of "x" and "y"
    seconds     about how long it takes on two free cores; 0: at once
    tables      is it made of all tables of the folder and their results, so that a folder of one's own gives it of these?
    protocol    the settings file of the study that it shows, among those of the papers; "" where there is none
    page        the screen that asks the same of one's own data
    """

    key: str
    paper: str
    number: str
    title: str
    told: str
    here: str
    make: Callable[[Source, Callable], pd.DataFrame]
    claims: tuple[Claim, ...]
    kind: str = TABLE
    x: tuple[str, str] = ("x", "")
    y: tuple[str, str] = ("y", "")
    series: str = "series"
    facet: str = ""
    log: tuple[str, ...] = ()
    seconds: int = 0
    tables: bool = False
    protocol: str = ""
    page: str = "pages/stability.py"
    page_label: str = "Stability"

    @property
    def rests_on(self) -> str:
        """What it is made of, for somebody who wants to make it again from the shell: a settings file, several, or none."""
        if self.protocol:
            return f"It shows a study, whose settings file is {self.protocol}.toml: with your table named in it, it runs for that."
        return ("It is made of the bundled studies, each a settings file with its results." if self.tables else
                "It is calculated or simulated, not the result of a study: it has no settings file.")


@dataclass(frozen=True, eq=False)
class Shown:
    """An exhibit as it came out: its frame, and of each claim (text, does it show here, by which numbers)."""

    exhibit: Exhibit
    frame: pd.DataFrame
    claims: tuple[tuple[str, bool, str], ...]

    @property
    def sentence(self) -> str:
        """How many of the claims show here."""
        many, shows = len(self.claims), sum(holds for _, holds, _ in self.claims)
        if many == 1:
            return f"What the paper found {'shows' if shows else 'does not show'} here."
        return f"Of {many} things that the paper found, {shows or 'none'} show{'s' * (shows == 1)} here."


def shown(exhibit: Exhibit, source: Source, tell: Callable = lambda done, total: None) -> Shown:
    """Make an exhibit and ask each of its claims."""
    frame = exhibit.make(source, tell)
    return Shown(exhibit, frame, tuple((one.text, *map(_plain, one.holds(frame))) for one in exhibit.claims))


def _plain(value):
    return value if isinstance(value, str) else bool(value)


def counted(holding, what: str) -> tuple[bool, str]:
    """Does something hold in more than half of the cases (booleans)? With how many."""
    cases = list(holding)
    return sum(cases) > len(cases) / 2, f"in {sum(cases)} of {len(cases)} {what}"
