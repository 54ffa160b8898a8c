"""Columns that predict but are probably not markers: centres, visits, treatments, columns computed from others."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.text import listed, quote
from stabcore.data.columns import USABLE, Column
from stabcore.data.derived import derived_columns

_ENDS = r"(?:[ _.-]*(?:id|no|nr|num|number|code|name|key|arm|group|grp|assigned|actual|planned))*\d{0,2}[np]?"
_CENTRE = re.compile(
    rf"(?:.*[ _.-])?(?:study[ _.-]?)?(?:cent(?:er|re)|site|hospital|clinic|institut(?:e|ion)|klinik|zentrum|"
    rf"standort|krankenhaus){_ENDS}",
    re.IGNORECASE,
)
_BATCH = re.compile(
    rf"(?:.*[ _.-])?(?:batch|plate|scanner|sequencer|array[ _.-]?batch|run[ _.-]?date|lane|flow[ _.-]?cell|charge|"
    rf"platte){_ENDS}",
    re.IGNORECASE,
)
_VISIT = re.compile(
    rf"(?:.*[ _.-])?(?:visit|visite|besuch|time[ _.-]?point|wave|session|follow[ _.-]?up|(?:mess)?zeitpunkt|termin){_ENDS}",
    re.IGNORECASE,
)
_TREATMENT = re.compile(
    rf"(?:.*[ _.-])?(?:rx|trt|treat(?:ment)?|arms?|tx|therapy|randomi[sz](?:ed|ation)|allocation|intervention|"
    rf"behandlung|therapie|studienarm){_ENDS}|(?:rand|alloc)[ _.-]?(?:arm|group|grp|trt)",
    re.IGNORECASE,
)
_PLACEBO = re.compile(r"\W*(?:placebo|plazebo|plac|pbo|sham|standard of care|soc)\b.*", re.IGNORECASE)
_NAMED = {"centre": _CENTRE, "batch": _BATCH, "visit": _VISIT}
MAX_CENTRES, MAX_ARMS = 100, 8


@dataclass(frozen=True)
class Nuisance:
    """A column, its likely kind, and the columns it is computed from.

    kind: "centre", "batch", "visit", "treatment", "sum" or "nested".
    """

    name: str
    kind: str
    of: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """Its description, as the end of a sentence."""
        if self.kind == "sum":
            return f"can be computed from {listed(self.of, 6)}" if len(self.of) > 1 else f"is a multiple of {listed(self.of)}"
        if self.kind == "nested":
            return f"follows from {listed(self.of)}"
        return _LOOKS[self.kind]

    @property
    def sentence(self) -> str:
        """Its description, and why it matters."""
        return f"{quote(self.name)} {self.what}. {_WHY[self.kind]}"


_LOOKS = {
    **{"centre": "looks like a centre", "batch": "looks like a technical batch"},
    **{"visit": "looks like the number of a visit", "treatment": "looks like a treatment"},
}
_COMPUTED = {"sum": "it can be computed from others", "nested": "another column determines it"}
_WHY = {
    "centre": "If centres recruit different patients, it predicts the outcome without being a marker.",
    "batch": "If cases and controls were measured in different batches, it predicts the outcome without being a marker.",
    "visit": "If some patients are seen more often, it predicts the outcome without being a marker.",
    "treatment": "People decide on a treatment, so it is not a marker.",
    "sum": "The same information then counts twice, and the choice between the two is arbitrary.",
    "nested": "The same information then counts twice, and the choice between the two is arbitrary.",
}


def nuisance_columns(columns) -> list[Nuisance]:
    """The columns among Column objects that are probably not markers, by their names and values."""
    columns = [column for column in columns if column.kind in USABLE and not column.problem]
    named = [Nuisance(column.name, kind) for column in columns if (kind := kind_by_name(column))]
    names = {nuisance.name for nuisance in named}
    return [*named, *(Nuisance(name, kind, of) for name, kind, of in derived_columns(columns) if name not in names)]


def feature_nuisances(data) -> list[Nuisance]:
    """The same among the features of a Dataset."""
    table, kinds = data.table, data.columns.set_index("column")["kind"]
    columns = []
    for j, name in enumerate(table.features):
        values = np.asarray(table.values[:, j], dtype=float)
        missing = np.isnan(values)
        distinct, levels = len(np.unique(values[~missing])), data.levels.get(name, ())
        columns.append(Column(name, kinds[name], "", distinct, int(missing.sum()), "", values, levels))
    return nuisance_columns(columns)


def describe_kept_nuisances(data) -> list[str]:
    """The limitations of a study with features that are probably not markers, one sentence for each kind."""
    of: dict[Any, Any] = {}
    for nuisance in feature_nuisances(data):
        of.setdefault(nuisance.kind, []).append(nuisance)
    although = _COMPUTED | {kind: f"it {looks}" for kind, looks in _LOOKS.items()}
    return [
        f"Kept as a feature although {although[kind]}: {listed(nuisance.name for nuisance in alike)}. {_WHY[kind]}"
        for kind, alike in of.items()
    ]


def kind_by_name(column):
    """The kind of Nuisance by the name and values of a column, or ""."""
    numbers = column.values[np.isfinite(column.values)]
    whole = bool(column.levels) or bool((numbers == np.floor(numbers)).all())
    if not whole or column.distinct < 2 or column.distinct * 2 > len(numbers):
        return ""
    if column.distinct <= MAX_ARMS and (_TREATMENT.fullmatch(column.name) or any(map(_PLACEBO.fullmatch, column.levels))):
        return "treatment"
    if column.distinct <= MAX_CENTRES:
        return next((kind for kind, names in _NAMED.items() if names.fullmatch(column.name)), "")
    return ""
