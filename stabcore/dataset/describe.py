"""What was understood of each column before a target is chosen, and what each column might be."""

from __future__ import annotations

import re

import numpy as np

from stabcore.dataset.columns import USABLE, Column, understand

# From the plainest word to the vaguest: the first that fits is the likely target.
_WORDS = ("target", "class", "label", "outcome", "response", "diagnosis", "diagnose", "status", "event", "endpoint",
          "group", "y", "case", "disease", "death", "died", "survived", "relapse")
_TARGET = re.compile(rf"(?:.*[ _.])?(?:{'|'.join(_WORDS)})", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?:.*[ _.-])?(?:id|nr|no|number|index|code|key|row|row name|mrn|pid|ptid|usubjid|barcode|"
                         r"unnamed: 0)", re.IGNORECASE)
_PATIENT = re.compile(r"(?:.*[ _.-])?(?:patient|subject|person|participant|case|patid|subjid)"
                      r"(?:[ _.-]?(?:id|nr|no|number|code))?", re.IGNORECASE)
_FEW_CLASSES = 10


def describe(frame):
    """DataFrame with one row for each column: column, kind, why, distinct, missing, example, suggestion.

    suggestion is what the column may be: "likely target" (one column at most), "feature", "patient" (who a row belongs
    to), "identifier", "constant", "empty", "date", "text", or "correct cells" (numbers mixed with text).
    """
    import pandas as pd

    columns = understand(frame)
    suggestions = [suggestion(column) for column in columns]
    likely = likely_target(columns)
    if likely is not None:
        suggestions[likely] = "likely target"
    rows = [(c.name, c.kind, c.why, c.distinct, c.missing, c.example, role)
            for c, role in zip(columns, suggestions, strict=True)]
    return pd.DataFrame(rows, columns=["column", "kind", "why", "distinct", "missing", "example", "suggestion"])


def suggestion(column: Column) -> str:
    """What one column may be, apart from a target."""
    if column.kind in ("constant", "empty", "date"):
        return column.kind
    if is_identifier(column):
        return "identifier"
    if _PATIENT.fullmatch(column.name) and column.distinct > max(_FEW_CLASSES, 0.1 * _n_filled(column)):
        return "patient"
    if column.kind == "mixed" or column.problem:
        return "correct cells"
    return "text" if column.kind == "text" else "feature"


def is_identifier(column: Column) -> bool:
    """Whether the cells all differ and look like names or running numbers rather than measurements."""
    filled = _n_filled(column)
    if column.distinct < filled or filled < 2:
        return False
    if column.kind != "number":
        return column.kind == "text"
    known = column.values[np.isfinite(column.values)]
    if len(known) < filled or (known != np.floor(known)).any():
        return False
    return bool(known.max() - known.min() == filled - 1 or _IDENTIFIER.fullmatch(column.name)
                or _PATIENT.fullmatch(column.name))


def likely_target(columns) -> int | None:
    """The column that is most likely the target: by its name, else the last column when it has a few classes."""
    fit = [j for j, column in enumerate(columns)
           if column.kind in USABLE and not column.problem and 2 <= column.distinct <= _FEW_CLASSES]
    named = [j for j in fit if _TARGET.fullmatch(columns[j].name)]
    if named:
        return min(named, key=lambda j: (_vagueness(columns[j].name), -j))
    return len(columns) - 1 if fit and fit[-1] == len(columns) - 1 else None


def _vagueness(name):
    return _WORDS.index(name.lower()) if name.lower() in _WORDS else len(_WORDS)


def _n_filled(column):
    return len(column.values) - column.missing
