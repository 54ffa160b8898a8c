"""Tables as files that a spreadsheet opens safely."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r")      # what begins a formula


def disarmed(frame):
    """The frame with an apostrophe before every text that a spreadsheet would take for a formula."""
    def safe(cell):
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell

    made = frame.rename(columns=safe)
    for column in made.columns:
        if made[column].dtype.kind not in "fiub":
            made[column] = made[column].map(safe)
    return made


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    return disarmed(frame).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")
