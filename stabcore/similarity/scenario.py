"""Scenario: the settings that define a similarity C, so that it can be stored, shown and computed again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed, quote, suggest_name
from stabcore.similarity.overlap import shared_set_matrix
from stabcore.similarity.similarity import Similarity

BASES = {
    "none": "No similar features",
    "groups": "My groups",
    "correlation": "Correlation",
    "sets": "Overlapping sets, such as gene sets",
    "matrix": "Matrix from a file",
}

_MISSING = {
    "correlation": "Correlations need the table of these features. Load it, undo its changes on Data, or use groups.",
    "matrix": "The file with the matrix C is missing. Upload it again, or choose another similarity.",
    "sets": "The file with the sets is missing. Upload it again, or choose another similarity.",
}
FIRST_THRESHOLD = 0.8  # |ρ| from which features count as one to begin with: lower ones chain most features of wide tables


@dataclass(frozen=True)
class Scenario:
    """The choices that define C.

    base       "none", "groups", "correlation", "sets" or "matrix"
    groups     {group: features}, kept while another base is used
    method, threshold, binary   of the correlation: |ρ| ≥ threshold counts fully (binary) or by |ρ|
    edits      [feature, feature, value] set by hand in addition, where later ones replace earlier ones
    matrix     name of the file with C, "" without one
    sets       name of the file with the sets, "" without one
    share      for sets: similarity is the share of common sets instead of 1
    """

    base: str = "none"
    groups: dict = field(default_factory=dict)
    method: str = "spearman"
    threshold: float = FIRST_THRESHOLD
    binary: bool = True
    edits: tuple = ()
    matrix: str = ""
    sets: str = ""
    share: bool = False

    @classmethod
    def of(cls, settings: dict | None) -> Scenario:
        """From the result of `settings()`. Entries of other versions are ignored."""
        entries = {key: value for key, value in (settings or {}).items() if key in cls.__dataclass_fields__}
        entries["edits"] = tuple((a, b, float(v)) for a, b, v in entries.get("edits", ()))
        return cls(**entries)

    def settings(self) -> dict:
        """The scenario as plain values, for storage."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**fields, "groups": {group: list(members) for group, members in self.groups.items()}}

    def with_edits(self, edits) -> Scenario:
        """Add pairs set by hand: {(a, b): value}. A pair set again replaces its earlier value."""
        by_pair = {frozenset((a, b)): (a, b, v) for a, b, v in self.edits}
        by_pair |= {frozenset((a, b)): (a, b, float(v)) for (a, b), v in edits.items()}
        return replace(self, edits=tuple(by_pair.values()))

    def with_group(self, name, members) -> Scenario:
        """Add a group. Its members leave their groups, and groups of fewer than two members are dropped."""
        moved = set(members)
        rests = {group: [feature for feature in old if feature not in moved] for group, old in self.groups.items() if group != name}
        return replace(self, groups={**{group: rest for group, rest in rests.items() if len(rest) > 1}, name: list(members)})

    def with_only_groups(self, names) -> Scenario:
        """Keep only these groups. Pairs set by hand inside another group are removed with it."""
        dropped = {member: group for group, members in self.groups.items() if group not in names for member in members}
        return replace(
            self,
            groups={group: members for group, members in self.groups.items() if group in names},
            edits=tuple((a, b, v) for a, b, v in self.edits if a not in dropped or dropped[a] != dropped.get(b)),
        )

    def unknown_names(self, features) -> list[str]:
        """Names in groups and in pairs set by hand that are not among the features."""
        named = [member for members in self.groups.values() for member in members]
        named += [feature for a, b, _ in self.edits for feature in (a, b)]
        all_features = set(features)
        return [name for name in dict.fromkeys(named) if name not in all_features]

    def limited_to(self, features) -> Scenario:
        """The scenario without names of other features."""
        all_features = set(features)
        groups = {group: [member for member in members if member in all_features] for group, members in self.groups.items()}
        return replace(
            self,
            groups={group: members for group, members in groups.items() if members},
            edits=tuple(edit for edit in self.edits if all_features.issuperset(edit[:2])),
        )

    def build_similarity(self, features, basis=None) -> Similarity:
        """The Similarity. A base without its matrix or sets counts as none.

        basis: the input of the base besides these settings. It is the Similarity of |ρ| from the threshold on (or from lower), the
        Similarity of the matrix, or {set: members}. Raises InputError for an unknown base, and if its basis is missing.
        """
        if self.base not in BASES:
            raise InputError(f"There is no base {self.base!r} of a scenario. Choose one of: {', '.join(BASES)}.")
        rests = self.base == "correlation" or bool({"matrix": self.matrix, "sets": self.sets}.get(self.base))
        if rests and basis is None:
            raise InputError(_MISSING[self.base])
        if self.base == "groups":
            similarity = Similarity.from_groups(self.groups, names=features)
        elif not rests:
            similarity = Similarity.identity(len(features), features)
        elif self.base == "correlation":
            similarity = basis.thresholded(self.threshold, self.binary)
        elif self.base == "sets":
            similarity = Similarity(len(features), tuple(features), extra=shared_set_matrix(basis, features, self.share))
        else:
            similarity = basis
        return similarity.edited({(a, b): v for a, b, v in self.edits})

    def sentence(self, similarity) -> str:
        """The similarity in plain words."""
        meaning = {
            "groups": f"Members of {counted(len(self.groups), 'group')} are similar",
            "correlation": f"Features with |ρ| ≥ {self.threshold:.2f} ({self.method.title()}) are similar"
            + ("" if self.binary else " by |ρ|"),
            "matrix": "Similar as in the uploaded matrix" if self.matrix else "No matrix was uploaded yet",
            "sets": "Features that share a set are similar" + ", by the share of their sets" * self.share
            if self.sets
            else "No sets were uploaded yet",
        }.get(self.base, "No similar features")
        by_hand = f", {counted(len(self.edits), 'pair')} set by hand" if self.edits else ""
        return f"{meaning}{by_hand}: {counted(similarity.n_related, 'pair')}."


def edits_from_rows(rows, features) -> tuple:
    """Edits from rows (feature, feature, value) as typed by a person. Empty rows are ignored.

    Raises InputError, with the number of the row, for a name that is not a feature, and a pair of a feature with itself. The same
    holds for a value that is not from 0 to 1, and a pair with two different values.
    """
    all_features = set(features)
    edits: dict[frozenset[str], tuple[str, str, float]] = {}
    for number, (a, b, value) in enumerate(rows, 1):
        empty = [_is_empty(cell) for cell in (a, b, value)]
        if all(empty):
            continue
        if any(empty):
            raise InputError(f"Row {number} is not complete. A pair needs two features and a value from 0 to 1.")
        a, b = (str(feature) if str(feature) in all_features else str(feature).strip() for feature in (a, b))
        for name in (a, b):
            if name not in all_features:
                raise InputError(f"Row {number} names {quote(name)}, which is not a feature{suggest_name(name, all_features)}.")
        if a == b:
            raise InputError(f"Row {number} pairs {quote(a)} with itself. The diagonal of C is always 1.")
        try:
            amount = float(value)
        except ValueError:
            amount = np.nan
        if not 0 <= amount <= 1:
            raise InputError(f"Row {number} has the value {quote(value)}. C must be a number from 0 (unrelated) to 1 (the same).")
        earlier = edits.setdefault(frozenset((a, b)), (a, b, amount))[2]
        if earlier != amount:
            raise InputError(f"Row {number} gives {amount:g} for {listed((a, b))}, an earlier row {earlier:g}. Delete one of them.")
    return tuple(edits.values())


def edits_from_cells(cells) -> dict:
    """Edits {(a, b): value} of the cells of a square table as typed by a person: {(row, column): value}.

    Raises InputError for a cell that is empty or not from 0 to 1, for the diagonal, and for mirror images that differ.
    """
    edits: dict[tuple[str, str], float] = {}
    for (row, column), value in cells.items():
        where = f"The cell in row {quote(row)} and column {quote(column)}"
        if row == column:
            raise InputError(f"{where} is on the diagonal, which is always 1.")
        if _is_empty(value) or not 0 <= value <= 1:
            found = "empty" if _is_empty(value) else format(value, "g")
            raise InputError(f"{where} is {found}. C must be a number from 0 (unrelated) to 1 (the same).")
        mirror = edits.get((column, row), value)
        if mirror != value:
            raise InputError(f"{where} is {value:g}, but its mirror image is {mirror:g}. Both must have the same value.")
        edits[row, column] = value
    return edits


def _is_empty(cell):
    return cell is None or cell != cell or not str(cell).strip()
