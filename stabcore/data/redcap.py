"""Exports of REDCap: its own columns, checkboxes, and the events of one patient, which are joined to one row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import counted, listed, quote

if TYPE_CHECKING:
    import pandas as pd

EVENT, FORM, INSTANCE = "redcap_event_name", "redcap_repeat_instrument", "redcap_repeat_instance"
_REDCAP_COLUMN = re.compile(r"redcap_\w+|\w+_timestamp", re.IGNORECASE)
_COMPLETE = re.compile(r"\w+_complete", re.IGNORECASE)
_STATES = {"0", "1", "2", "0.0", "1.0", "2.0", "incomplete", "unverified", "complete"}
_CHECKBOX = re.compile(r"(\w+?)___(\w+)")


@dataclass(frozen=True)
class Redcap:
    """The structure of an export of REDCap.

    record: the column that names the patient. events: whether patients have several rows, by event or repeated form, to join.
    own_columns: those of REDCap itself. checkboxes: {question: its columns, one per answer, each yes or no}.
    """

    record: str
    events: bool
    own_columns: tuple[str, ...]
    checkboxes: dict[str, tuple[str, ...]]

    @property
    def sentences(self) -> list[str]:
        """The sentences about it."""
        sentences = [f"Left out, because these are REDCap's own columns: {listed(self.own_columns)}."] if self.own_columns else []
        return sentences + [
            f"{quote(name)} is one question with {len(columns)} boxes: each is a yes-or-no feature, and they belong together."
            for name, columns in self.checkboxes.items()
        ]


def recognise_redcap(frame) -> Redcap | None:
    """The structure of an export of REDCap, None for other tables."""
    names = [str(name) for name in frame.columns]
    boxes: dict[str, Any] = {}
    for name in names:
        if match := _CHECKBOX.fullmatch(name):
            boxes.setdefault(match[1], []).append(name)
    own_columns = [name for name in names if _REDCAP_COLUMN.fullmatch(name)]
    cells_of = {name: frame.iloc[:, names.index(name)].dropna() for name in names if _COMPLETE.fullmatch(name)}
    complete = [name for name, cells in cells_of.items() if {str(cell).strip().lower() for cell in cells} <= _STATES]
    said = complete and any(name.lower().startswith("redcap_") for name in own_columns)
    if not names or not ({EVENT, FORM, INSTANCE} & set(names) or boxes or said):
        return None
    record = next((name for name in names if name not in own_columns), names[0])
    column = frame.iloc[:, names.index(record)]
    events = bool({EVENT, FORM, INSTANCE} & set(names)) and bool(column.duplicated().any())
    own_columns = [name for name in names if (name in own_columns or name in complete) and name != record]
    return Redcap(record, events, tuple(own_columns), {name: tuple(columns) for name, columns in boxes.items()})


TO_JOIN = (
    "This is an export of REDCap with several rows per patient, and each row fills other columns. Join the rows with the button "
    "on Data, or in Python with sc.join_events(frame)."
)


@public
def join_events(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Join the rows of each patient in an export of REDCap, one row per event or repeated form, to one row.

    Returns (DataFrame, notes): one row per patient, in the order of the first rows, and notes. A column that is filled in
    one event keeps its name. One that is filled in several becomes a column per event, such as "crp (followup_arm_1)". For a form
    that was repeated within an event, the first filled cell is used. REDCap's own columns are left out. Raises InputError for a
    table that is not such an export, and for rows that do not name their patient.

    Parameters
    ----------
    frame : DataFrame
        DataFrame of any library.

    Examples
    --------
    >>> events = pd.DataFrame({"record_id": [1, 1, 2], "redcap_event_name": ["a", "b", "a"], "crp": [None, 3.0, None]})
    >>> frame, notes = sc.join_events(events)
    >>> frame
       record_id  crp
    0          1  3.0
    1          2  NaN
    """
    import pandas as pd

    export = recognise_redcap(frame) if hasattr(frame, "columns") else None
    if export is None or not export.events:
        raise InputError(
            f"This table has no rows of several events to join. An export of REDCap with events has the column {EVENT!r} or "
            f"{INSTANCE!r}, and several rows per patient."
        )
    frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    who = frame[export.record]
    if who.isna().any():
        raise InputError(
            f"{counted(int(who.isna().sum()), 'row')} do not name their patient in {quote(export.record)}. "
            "Fill these cells, or delete the rows."
        )
    event = frame[EVENT].fillna("").astype(str) if EVENT in frame.columns else pd.Series("", index=frame.index)
    rows, joined, apart, dropped = who.drop_duplicates().tolist(), {}, [], 0
    for name in (name for name in frame.columns if name != export.record and name not in export.own_columns):
        filled = frame[name].notna() & (frame[name].astype(str).str.strip() != "")
        events = list(dict.fromkeys(event[filled]))
        apart += [name] if len(events) > 1 else []
        for name_of_event in events or [""]:
            cells = frame.loc[filled & (event == name_of_event), name]
            of = who.loc[cells.index]
            dropped += int(of.duplicated().sum())
            first = cells[~of.duplicated()].set_axis(of[~of.duplicated()])
            joined[f"{name} ({name_of_event})" if len(events) > 1 else name] = first.reindex(rows).to_numpy()
    notes = [
        f"The {counted(len(frame), 'row')} of REDCap events were joined by {quote(export.record)}: {counted(len(rows), 'patient')}."
    ]
    if apart:
        notes.append(f"Filled in several events and split into one column per event: {listed(apart)}.")
    if dropped:
        notes.append(f"Of forms that were repeated within an event, the first is used, without {counted(dropped, 'further cell')}.")
    return pd.DataFrame({export.record: rows, **joined}), [*notes, *export.sentences]
