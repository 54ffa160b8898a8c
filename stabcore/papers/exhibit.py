"""A figure or table of a paper: its setting, the claims of the paper, and whether they hold here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stabcore.base.text import several
from stabcore.papers.tried import tried

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.papers.source import Source

LINES, TABLE = "lines", "table"


@dataclass(frozen=True)
class Claim:
    """A statement of a paper.

    section     where the paper makes it
    text        the statement, in our words
    printed     the numbers that the paper prints, or a word that it prints none
    holds       frame -> (whether it holds in this frame, the numbers here)
    """

    section: str
    text: str
    printed: str
    holds: Callable[[pd.DataFrame], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """One figure or table.

    shows       the content in the paper; here: the setting here, with its differences
    make        (source, tell) -> DataFrame; tell(done, total) is called meanwhile, and may stop it by raising
    kind        lines, or a table alone
    x, y        columns of the frame with the titles of their axes; facet: the column with a panel per value;
                log: the axes with a logarithmic scale, of "x" and "y"
    seconds     approximate time on two free cores; 0: at once
    protocols   settings files of the studies, without suffix
    outcome     whether it uses an outcome, so that its claims are also tried with the outcome shuffled
    page        the screen with the same question for the user's data
    """

    key: str
    paper: str
    number: str
    title: str
    shows: str
    here: str
    make: Callable[[Source, Callable], pd.DataFrame]
    claims: tuple[Claim, ...]
    kind: str = TABLE
    x: tuple[str, str] = ("x", "")
    y: tuple[str, str] = ("y", "")
    facet: str = ""
    log: tuple[str, ...] = ()
    seconds: int = 0
    protocols: tuple[str, ...] = ()
    outcome: bool = True
    page: str = "pages/stability.py"
    page_label: str = "Stability"


@dataclass(frozen=True, eq=False)
class Shown:
    """A computed exhibit: its frame, and for each claim (Claim, whether it holds here, the numbers)."""

    exhibit: Exhibit
    frame: pd.DataFrame
    claims: tuple[tuple[Claim, bool, str], ...]

    @property
    def table(self) -> pd.DataFrame:
        """DataFrame(section, claim, printed, here, holds, verdict), one row per claim."""
        import pandas as pd

        rows = [
            (claim.section, claim.text, claim.printed, numbers, holds, tried(self.exhibit.key, claim.text).verdict)
            for claim, holds, numbers in self.claims
        ]
        return pd.DataFrame(rows, columns=["section", "claim", "printed", "here", "holds", "verdict"])

    @property
    def sentence(self) -> str:
        """Say how many claims are found here, by their trials."""
        found = sum(tried(self.exhibit.key, claim.text).shown for claim, _, _ in self.claims)
        return f"The results here support {found} of {several(len(self.claims), 'claim')} of the paper."


def shown(exhibit: Exhibit, source: Source, tell: Callable = lambda done, total: None) -> Shown:
    """Make an exhibit and check each of its claims."""
    frame = exhibit.make(source, tell)
    decided = [(claim, *claim.holds(frame)) for claim in exhibit.claims]
    return Shown(exhibit, frame, tuple((claim, bool(holds), numbers) for claim, holds, numbers in decided))
