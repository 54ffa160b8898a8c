"""Simulated tables with known truth, for teaching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.validation import is_between

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.data.dataset import Dataset

OUTCOME, CLASSES = "outcome", ("healthy", "ill")
ROWS, SEED = 160, 1
TWIN_NOISE, IN_GROUP, ALONG_CHAIN = 0.15, 0.8, 0.85  # noise share of a twin, correlation in a group, correlation of neighbours


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulated:
    """A simulated table and its truth.

    frame    (n, d + 1) the markers and, last, the column `outcome`: half of the rows healthy, half ill
    truth    markers whose mean differs between the classes, including every twin or group member that carries the difference
    groups   {name: markers that were simulated as similar}
    about    one plain sentence about it
    """

    key: str
    frame: pd.DataFrame
    truth: tuple[str, ...]
    about: str
    groups: dict[str, list[str]] = field(default_factory=dict)

    def dataset(self) -> Dataset:
        """The table with its outcome, for a Study."""
        from stabcore.data.dataset import Dataset

        return Dataset.from_frame(self.frame, target=OUTCOME, name=f"Simulated: {self.key}")


@public
def teaching_data(key: str, n: int = ROWS, random_state: int = SEED) -> Simulated:
    """A simulated table with known truth: "twins", "groups", "chain", "noise" or "weak".

    Markers are normal with standard deviation 1 in each class, rounded to three decimals. The class means of a true marker differ
    by δ. twins: 5 true markers (δ = 1), each with a copy with 15% noise. groups: 6 groups of 6 with a correlation of 0.8, two of
    them with δ = 1. chain: 3 chains of 8 in which neighbours correlate 0.85. The fourth marker of the first chain has δ = 1.2, and
    the others of its chain have what correlation passes on. weak: 20 of 100, δ = 0.3. noise: none of 60. Twins, groups and chains
    also have unrelated markers.

    Parameters
    ----------
    key : str
        Kind of the table, one of these five.
    n : int, optional
        Number of rows, even and at least 8. The same seed gives the same table everywhere.
    random_state : int, optional
        Seed of everything drawn at random.

    Raises
    ------
    InputError
        For an unknown key, and for an odd number of rows or fewer than 8.

    Examples
    --------
    >>> sc.teaching_data("weak", n=100).dataset()
    <Dataset 'Simulated: weak': 100 rows, 100 features, outcome 'outcome': 'healthy' 50, 'ill' 50>
    """
    if key not in KINDS:
        raise InputError(f"There is no simulated table {key!r}. Choose one of: {', '.join(KINDS)}.")
    if not is_between(n, 8, np.inf) or n % 2:
        raise InputError(f"A simulated table has an even number of rows, at least 8, half of each class. Found {n!r}.")
    kind = KINDS[key]
    rng = np.random.default_rng([random_state, list(KINDS).index(key)])
    ill = rng.permutation(np.repeat([0, 1], n // 2))
    return _table(key, kind.about, ill, *kind.make(rng, ill - 0.5))


@dataclass(frozen=True)
class Kind:
    """A table to make: (rng, outcome (n,) as ±½) -> (values (n, d), names, truth, groups)."""

    title: str
    about: str
    make: Callable


def _table(key, about, ill, values, names, truth, groups):
    import pandas as pd

    frame = pd.DataFrame(np.round(values, 3), columns=names).assign(**{OUTCOME: np.array(CLASSES)[ill]})
    return Simulated(key=key, frame=frame, truth=tuple(truth), about=about, groups=groups)


def _loose(rng, n, count):
    return rng.standard_normal((n, count)), [f"loose_{i:02}" for i in range(1, count + 1)]


def _with_loose(rng, values, names, truth, groups, count):
    noise, others = _loose(rng, len(values), count)
    return np.hstack([values, noise]), names + others, truth, groups


def _twins(rng, y):
    """Five true markers and a copy of each."""
    first = y[:, None] + rng.standard_normal((len(y), 5))
    copy = first + TWIN_NOISE * rng.standard_normal(first.shape)
    values = np.stack([first, copy], axis=2).reshape(len(y), -1)
    groups = {f"pair {letter}": [f"{letter}", f"{letter}_twin"] for letter in "ABCDE"}
    names = sum(groups.values(), [])
    return _with_loose(rng, values, names, names, groups, 40)


def _groups(rng, y):
    """Six groups of six, two of which carry the effect."""
    effect = np.array([1, 1, 0, 0, 0, 0]) * y[:, None]
    shared = np.sqrt(IN_GROUP) * rng.standard_normal(effect.shape) + effect
    values = shared[:, :, None] + np.sqrt(1 - IN_GROUP) * rng.standard_normal((*effect.shape, 6))
    groups = {f"family {letter}": [f"{letter}{i}" for i in range(1, 7)] for letter in "ABCDEF"}
    names = sum(groups.values(), [])
    return _with_loose(rng, values.reshape(len(y), -1), names, names[:12], groups, 30)


def _chain(rng, y):
    """Three chains of eight. Each marker correlates with its neighbours, the ends hardly with each other."""
    steps = rng.standard_normal((len(y), 3, 8))
    values = steps.copy()
    for position in range(1, 8):
        values[:, :, position] = ALONG_CHAIN * values[:, :, position - 1] + np.sqrt(1 - ALONG_CHAIN**2) * steps[:, :, position]
    values[:, 0] += 1.2 * y[:, None] * ALONG_CHAIN ** np.abs(np.arange(8) - 3)
    groups = {f"chain {letter}": [f"{letter}{i}" for i in range(1, 9)] for letter in "ABC"}
    names = sum(groups.values(), [])
    return _with_loose(rng, values.reshape(len(y), -1), names, names[:8], groups, 36)


def _noise(rng, y):
    """No marker is related to the outcome."""
    return *_loose(rng, len(y), 60), (), {}


def _weak(rng, y):
    """Twenty weak effects among a hundred markers."""
    values = rng.standard_normal((len(y), 20)) + 0.3 * y[:, None]
    names = [f"weak_{i:02}" for i in range(1, 21)]
    return _with_loose(rng, values, names, names, {}, 80)


KINDS = {
    "twins": Kind(
        "Simulated: twins", "Five markers differ between ill and healthy. Each has a twin that measures the same.", _twins
    ),
    "groups": Kind(
        "Simulated: families", "Six families of six similar markers. Two families are associated with the outcome.", _groups
    ),
    "chain": Kind(
        "Simulated: chains",
        "Three chains in which every marker correlates with its neighbours, but hardly with distant ones. One marker of the "
        "first chain has the effect, and correlation passes it on.",
        _chain,
    ),
    "noise": Kind("Simulated: only noise", "No marker is associated with the outcome, so every selection is random.", _noise),
    "weak": Kind("Simulated: weak effects", "Twenty of a hundred markers have a weak association with the outcome.", _weak),
}
