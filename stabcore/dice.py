"""Whose dice: how much of the disagreement between runs is the selector's own, on the same rows."""

from __future__ import annotations

COLUMNS = ("share", "low", "high", "own", "total", "runs", "note", "sentence")
NO_REPEATS = ("No run was fitted again with other dice, so how much a selector disagrees with itself on the same rows is not known. "
              "Run the study with repeat_seeds = 2, or the switch on Study.")
