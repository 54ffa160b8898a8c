"""The rule that decides which features are in a panel: a threshold of the selection frequency, or a limit on false features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.validation import is_between

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from stabcore.inference.path_selection import PathSelection

THRESHOLD = 0.75  # share of the runs in which a feature of the panel has to be selected
AT_MOST, SHARE, FREQUENCY = "max_false", "fdr", "threshold"
ABOVE_ZERO, BELOW_ONE, MAX_FALSE = 1e-9, 1 - 1e-9, 1e9  # above 0, below 1, and a limit of false features
KINDS = (FREQUENCY, AT_MOST, SHARE)


@dataclass(frozen=True)
class PanelRule:
    """One rule: `kind` is "threshold", "max_false" (expected false features) or "fdr" (their expected share), `value` its number.

    Raises InputError for a value that the rule does not allow.
    """

    kind: str = FREQUENCY
    value: float = THRESHOLD

    def __post_init__(self):
        words, fits = {
            FREQUENCY: ("The threshold of a panel is a share of the runs, 0 to 1.", is_between(self.value, 0, 1)),
            AT_MOST: (
                "max_false, the expected number of false features, is above 0, such as 1.",
                is_between(self.value, ABOVE_ZERO, MAX_FALSE),
            ),
            SHARE: (
                "fdr, the expected share of false features, lies between 0 and 1, such as 0.1.",
                is_between(self.value, ABOVE_ZERO, BELOW_ONE),
            ),
        }[self.kind]
        if not fits:
            raise InputError(f"{words} Found {self.value!r}.")

    @classmethod
    def of(cls, *, threshold: float | None = None, max_false: float | None = None, fdr: float | None = None) -> PanelRule | None:
        """The rule that is not None. None without any. Raises InputError for several."""
        given = zip(KINDS, (threshold, max_false, fdr), strict=True)
        asked = {kind: value for kind, value in given if value is not None}
        if len(asked) > 1:
            raise InputError(f"The panel follows from one rule. Found {' and '.join(asked)}. Give one of them.")
        return next((cls(kind, value) for kind, value in asked.items()), None)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> PanelRule | None:
        """The rule that the settings of a study fixed before it ran. None where they have none."""
        return cls.of(**settings.get("panel", {}))

    @property
    def is_target(self) -> bool:
        """Is it a limit on false features, from which the panel follows?"""
        return self.kind != FREQUENCY

    @property
    def threshold(self) -> float:
        """The least selection frequency. NaN under a limit on false features."""
        return np.nan if self.is_target else self.value

    def settings(self) -> dict[str, float]:
        """As settings files have it."""
        return {self.kind: float(self.value)}

    def admits(self, frequency: np.ndarray, path: PathSelection | None = None) -> np.ndarray:
        """(d,) whether each feature is in the panel. path: its PathSelection, which a limit on false features needs."""
        if not self.is_target:
            return np.asarray(frequency) >= self.value - 1e-9
        assert path is not None
        return (path.expected_false if self.kind == AT_MOST else path.q_values) <= self.value + 1e-9

    def description(self) -> str:
        """The rule in words."""
        share = f"{self.value:.3g}" if self.value < 0.01 else f"{self.value:.0%}"
        return {
            FREQUENCY: f"selection frequency of at least {self.value:.0%}",
            AT_MOST: f"at most {self.value:g} false {'feature' if self.value == 1 else 'features'} on average",
            SHARE: f"at most {share} of the features false on average",
        }[self.kind]
