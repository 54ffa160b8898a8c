"""How often each claim was seen to hold when its exhibit was made again with other seeds, and with the outcome shuffled.

The counts are measured by tests/benchmarks/bench_papers.py, which keeps them in tried.json, after them whether the claim showed on
the bundled studies: no verdict is written by hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stabcore.wording import several

FILE = Path(__file__).with_name("tried.json")
NEARLY_ALL, ON_NOISE = 0.9, 0.08        # shares: from here on a claim is steady; above this it also holds without any signal


@dataclass(frozen=True)
class Tried:
    """In how many of so many trials a claim held: other seeds; others with the outcome shuffled, 0 where there is no outcome.

    here: did it show as the screen makes it, when that was kept? None where it was not.
    """

    held: int
    seeds: int
    held_shuffled: int = 0
    shuffled: int = 0
    here: bool | None = None

    @property
    def steady(self) -> bool:
        """Did nearly all seeds, 90% or more, say the same?"""
        return max(self.held, self.seeds - self.held) >= NEARLY_ALL * self.seeds

    @property
    def expected(self) -> bool | None:
        """Does it show on the screen? As it was kept; else as nearly all seeds say; None where neither tells."""
        return 2 * self.held > self.seeds if self.here is None and self.steady else self.here

    def mark(self, holds: bool) -> str:
        """What is said beside the outcome on the screen: that other seeds differ among each other, or from it."""
        if not self.steady:
            return ", with this seed"
        return "" if holds == (2 * self.held > self.seeds) else ", unlike with other seeds"

    @property
    def without_signal(self) -> bool:
        """Does it hold where nothing is related to the outcome, more often than in 8% of the tables?"""
        return self.held_shuffled > ON_NOISE * self.shuffled

    @property
    def sentence(self) -> str:
        """What the trials say of the claim, and of what it tells."""
        told = f"With {several(self.seeds, 'other seed')} it showed in {self.held}"
        told += "." if self.steady else ": it depends on the seed."
        if not self.shuffled:
            return told
        of = f" With the outcome shuffled it showed in {self.held_shuffled} of {self.shuffled}"
        of_methods = self.without_signal and 2 * self.held >= self.seeds        # else the counts alone are told
        return told + of + (": it tells of measures or methods, not of markers that matter." if of_methods else ".")


def tried(exhibit: str, claim: str) -> Tried | None:
    """The trials of a claim, by the key of its exhibit and its words; None where there were none."""
    counts = _read().get(exhibit, {}).get(claim)
    return Tried(*counts) if counts else None


@lru_cache(maxsize=1)
def _read():
    return json.loads(FILE.read_text(encoding="utf-8"))
