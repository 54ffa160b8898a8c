"""Columns of numbers that may be something else: dates as a spreadsheet counts them, and codes such as −999 for missing."""

from __future__ import annotations

import datetime
import re

import numpy as np

_CODES = (-9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 88, 888, 8888)
_NAMED_DATE = re.compile(r"(?:.*[\W_])?(?:date|datum|dob|dod|birth ?day|birthdate|geb\.?|geburtsdatum|geburtstag|admission)"
                         r"(?:[\W_].*)?|.*(?:date|datum)", re.IGNORECASE)
_MONTH_YEAR = re.compile(r"(0[1-9]|1[0-2])\.((?:19|20)\d\d)")
_DAYS = 15_000, 60_000          # 1941 to 2064, as spreadsheets count days
_FIRST_YEAR = 0.19             # a month and its year, read as a number, are no less behind the point: 03.1987
_FAR = 3                        # times the range of all other numbers that a code lies away from them


def suspects(frame) -> set:
    """Names of the columns of numbers that are worth a closer look, told from their ends alone: a table can have thousands."""
    numeric = [j for j, dtype in enumerate(frame.dtypes) if dtype.kind in "iuf"]
    if not numeric or not len(frame):
        return set()
    values = frame.iloc[:, numeric].to_numpy(dtype=float)
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    with np.errstate(invalid="ignore"):
        months = (low >= 1) & (low < 13) & (low % 1 >= _FIRST_YEAR)
    ends = np.isin(low, _CODES) | np.isin(high, _CODES) | months | ((low >= _DAYS[0]) & (high <= _DAYS[1]))
    return {frame.columns[j] for j, one in zip(numeric, ends, strict=True) if one}


def code_for_missing(values) -> float | None:
    """A number that stands far off all others and is one of those that people write for missing."""
    known = values[np.isfinite(values)]
    if len(known) < 5:
        return None
    for end in (known.min(), known.max()):
        rest = known[known != end]
        if end in _CODES and len(rest) > 0.5 * len(known):
            spread = max(rest.max() - rest.min(), abs(rest).max(), 1)
            if np.abs(rest - end).min() > _FAR * spread:
                return float(end)
    return None


def are_dates(name, values, texts) -> bool:
    """Whether numbers are days as a spreadsheet counts them, in a column called a date; or mostly months such as 03.2021."""
    known = values[np.isfinite(values)]
    if not len(known):
        return False
    if _NAMED_DATE.fullmatch(str(name)[:100]) and known.min() >= _DAYS[0] and known.max() <= _DAYS[1]:
        return True
    if not 1 <= known.min() < 13 or not (known[known < 13] % 1 >= _FIRST_YEAR).all():
        return False
    cells = [text.strip() for text in texts[:100].to_pylist() if text and text.strip()]
    return 2 * sum(bool(_MONTH_YEAR.fullmatch(cell)) for cell in cells) > len(cells)


def as_date(text: str) -> str:
    """A day as a spreadsheet counts it, or a month, as a date that reads 2021-03-01; other texts as they are."""
    month = _MONTH_YEAR.fullmatch(text)
    if month:
        return f"{month[2]}-{month[1]}-01"
    try:
        day = float(text)
    except ValueError:
        return text
    return (datetime.date(1899, 12, 30) + datetime.timedelta(days=int(day))).isoformat() if _DAYS[0] <= day <= _DAYS[1] else text
