"""A figure or table of a paper: its setting, what the paper claims about it, and whether the claims are shown here."""

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
    printed     the numbers that the paper prints for it, or that it prints none
    holds       frame -> (does it hold in this frame, the same numbers here)
    """

    section: str
    text: str
    printed: str
    holds: Callable[[pd.DataFrame], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """One figure or table.

    shows       what the paper shows there; here: the setting here, and where it differs from the paper's
    make        (source, tell) -> DataFrame; tell(done, total) is called meanwhile, and may stop it by raising
    kind        how it is drawn: lines, or a table alone
    x, y        columns of the frame with the titles of their axes; facet: the column whose values are pictures of their own;
                log: the axes with a logarithmic scale, of "x" and "y"
    seconds     about how long it takes on two free cores; 0: at once
    protocols   the settings files of the studies that it shows, without their ending
    outcome     does it use an outcome, so that its claims are also tried with the outcome shuffled?
    page        the screen that asks the same of one's own data
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
    """An exhibit as it came out: its frame, and for each claim (Claim, does it hold here, by which numbers)."""

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
        """How many of the claims are shown, by their trials."""
        many, shown = len(self.claims), sum(tried(self.exhibit.key, claim.text).shown for claim, _, _ in self.claims)
        return f"{shown} of {several(many, 'claim')} {'is' if shown == 1 else 'are'} shown here."


def shown(exhibit: Exhibit, source: Source, tell: Callable = lambda done, total: None) -> Shown:
    """Make an exhibit and check each of its claims."""
    frame = exhibit.make(source, tell)
    decided = [(one, *one.holds(frame)) for one in exhibit.claims]
    return Shown(exhibit, frame, tuple((claim, bool(holds), numbers) for claim, holds, numbers in decided))
