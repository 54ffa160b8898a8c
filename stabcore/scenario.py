"""Scenario: a relation C as the few settings that a person chose, so that it can be kept, shown and made again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

from stabcore.errors import InputError
from stabcore.relation import Relation

BASES = {
    "none": "Nothing: every feature stands for itself only",
    "groups": "My groups: members of a group stand for each other",
    "correlation": "Correlation: features that rise and fall together stand for each other",
}


@dataclass(frozen=True)
class Scenario:
    """Where C comes from.

    base       "none", "groups" or "correlation"
    groups     {group: features}, kept also while another base is used
    method, threshold, binary   of the correlation: |ρ| ≥ threshold counts fully (binary) or by |ρ|
    edits      [feature, feature, value] set by hand on top, later ones winning
    """

    base: str = "none"
    groups: dict = field(default_factory=dict)
    method: str = "spearman"
    threshold: float = 0.5
    binary: bool = True
    edits: tuple = ()

    @classmethod
    def of(cls, settings: dict | None) -> Scenario:
        """From plain settings as `settings()` gives them; what another version may have added is left aside."""
        known = {key: value for key, value in (settings or {}).items() if key in cls.__dataclass_fields__}
        known["edits"] = tuple((a, b, float(v)) for a, b, v in known.get("edits", ()))
        return cls(**known)

    def settings(self) -> dict:
        """As plain values, for keeping."""
        return asdict(self)

    def with_edits(self, edits) -> Scenario:
        """More pairs set by hand: {(a, b): value}; a pair set again replaces its earlier value."""
        kept = {frozenset((a, b)): (a, b, v) for a, b, v in self.edits}
        kept |= {frozenset((a, b)): (a, b, float(v)) for (a, b), v in edits.items()}
        return replace(self, edits=tuple(kept.values()))

    def build(self, features, correlations=None) -> Relation:
        """The Relation. correlations: a function of a threshold that gives the Relation of |ρ| from there on (or from lower);
        called only when it is needed.

        Raises InputError for an unknown base, or when correlations are wanted but there is no data table to compute them from.
        """
        if self.base not in BASES:
            raise InputError(f"There is no way {self.base!r} to say what stands for what. Choose one of: {', '.join(BASES)}.")
        if self.base == "groups":
            relation = Relation.from_groups(self.groups, features=features)
        elif self.base == "correlation":
            if correlations is None:
                raise InputError("Correlations need the data table, and only selections are loaded. Use groups instead, or set "
                                 "pairs by hand.")
            relation = correlations(self.threshold).thresholded(self.threshold, binary=self.binary)
        else:
            relation = Relation.identity(len(features), features)
        return relation.edited({(a, b): v for a, b, v in self.edits})

    def sentence(self, relation) -> str:
        """What stands for what, in plain words."""
        if self.base == "groups":
            said = f"the members of {len(self.groups)} group{'s' * (len(self.groups) != 1)} stand for each other"
        elif self.base == "correlation":
            how = "fully" if self.binary else "by |ρ|"
            said = f"features with |ρ| ≥ {self.threshold:.2f} stand for each other {how}"
        else:
            said = "every feature stands for itself only"
        by_hand = f", {len(self.edits)} pair{'s' * (len(self.edits) != 1)} set by hand" if self.edits else ""
        return f"{said[0].upper()}{said[1:]}{by_hand}: {relation.n_related:,} related pair{'s' * (relation.n_related != 1)}."
