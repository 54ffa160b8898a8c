"""Number of seeds in which each claim held, with the real and with a shuffled outcome.

tests/benchmarks/bench_papers.py measures the counts and keeps them in tried.json. A claim counts as shown if it holds in at least
8 of 10 seeds, and in at most 1 of 10 with the outcome shuffled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("tried.json")
REPEATED, ON_NOISE = 0.8, 0.1  # shares of the seeds


@dataclass(frozen=True)
class Tried:
    """Seeds in which a claim held; the same with the outcome shuffled, 0 of 0 where no outcome is used."""

    held: int
    seeds: int
    held_shuffled: int = 0
    shuffled: int = 0

    @property
    def repeated(self) -> bool:
        """Whether it held in at least 8 of 10 seeds."""
        return self.seeds > 0 and self.held >= REPEATED * self.seeds

    @property
    def shown(self) -> bool:
        """Whether it is repeated, and not found with the outcome shuffled."""
        return self.repeated and self.held_shuffled <= ON_NOISE * self.shuffled

    @property
    def verdict(self) -> str:
        """Shown, or why not, with the counts."""
        counts = f"{self.held} of {self.seeds} seeds"
        counts += f", outcome shuffled {self.held_shuffled} of {self.shuffled}" if self.shuffled else ""
        why_not = "holds also with the outcome shuffled" if self.repeated else "not shown"
        return f"{'shown' if self.shown else why_not} ({counts})"


def tried(exhibit: str, claim: str) -> Tried:
    """Return the trials of a claim, by the key of its exhibit and its text; 0 of 0 where it was not tried."""
    return Tried(*_read().get(exhibit, {}).get(claim, (0, 0)))


@lru_cache(maxsize=1)
def _read():
    return json.loads(FILE.read_text(encoding="utf-8"))
