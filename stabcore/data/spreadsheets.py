"""Tables as files that a spreadsheet opens safely."""

from __future__ import annotations

import re

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")      # what begins a formula
_INSIDE = re.compile(r"([;\t\r\n]\s*)(?=[=+\-@＝＋－＠])")           # where other settings of a spreadsheet begin another cell


def disarmed(frame):
    """The frame with an apostrophe before what a spreadsheet takes for a formula, also within a text that it parts."""
    def safe(cell):
        if not isinstance(cell, str):
            return cell
        cell = _INSIDE.sub(r"\1'", cell)
        return f"'{cell}" if cell.lstrip(" ").startswith(FORMULA) else cell

    made = frame.rename(columns=safe)
    for column in made.columns:
        if made[column].dtype.kind not in "fiub":
            made[column] = made[column].map(safe)
    return made


def csv_bytes(frame) -> bytes:
    """CSV that a spreadsheet opens safely: a text cell that would start a formula gets a leading apostrophe."""
    return disarmed(frame).to_csv(index=False, lineterminator="\n").encode("utf-8-sig")
