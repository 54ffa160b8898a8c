"""Tables as files that a spreadsheet opens safely."""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r")      # what begins a formula


def disarmed(frame):
    """The frame with an apostrophe before every text that a spreadsheet would take for a formula."""
    def safe(cell):
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell

    safe_frame = frame.rename(columns=safe)
    for column in safe_frame.columns:
        if safe_frame[column].dtype.kind not in "fiub":
            safe_frame[column] = safe_frame[column].map(safe)
    return safe_frame


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    return disarmed(frame).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")
