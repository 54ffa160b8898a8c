"""What the cells of one column say: numbers, decimal commas, codes, and the usual marks for a missing value."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

import numpy as np

MISSING_MARKS = ("na", "n/a", "#n/a", "nan", "null", ".", "?", "-")
LONGEST_EXACT_INTEGER = 2 ** 53
_LONGEST = 400      # letters of a number: patterns would take minutes to find that a much longer text is none

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?", re.IGNORECASE | re.ASCII)
_COMMA_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?", re.ASCII)
_COMMA_DECIMAL = re.compile(r"[+-]?\d*,\d+(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_CODE = re.compile(r"0\d+|\d{16,}", re.ASCII)
_PLUS_SIGNS = re.compile(r"[-/() ]*[+±][-+/±() ]*")
_CODE_START = r"^0[0-9]"
_LOOKS_LIKE_NUMBER = r"^[-+\x{2212}]?[0-9.,]+([eE][-+]?[0-9]+)?$"
_NUMBER_START = re.compile(r"[+-]?(?:[.,]?\d|inf)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Cells:
    """One column: `numbers` (n,) with NaN for missing, or `texts` (n,) with None for missing; the other one is None.

    Both are None where there are more words than are to be read. `words` counts the different texts that look like no number;
    `truths` says that the texts are only true and false; `comma` is what commas meant: "", "decimal", "thousands",
    or "either" (undecided, so the column stays text); `marks` counts the marks for missing, "" among them.
    """

    numbers: np.ndarray | None
    texts: np.ndarray | None
    marks: dict[str, int]
    comma: str = ""
    truths: bool = False
    words: int = 0


def read_cells(texts, comma: str = "", most_words: int | None = None) -> Cells:
    """Understand the cells of one column.

    texts: n strings (None is missing), a list or an arrow array. comma: what the rest of the file says that a comma
    means ("decimal" or "thousands"); it settles only cells such as 1,234 that could be either. most_words: no more different
    words than these are looked at.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.utf8_trim_whitespace(texts if isinstance(texts, (pa.Array, pa.ChunkedArray))
                                    else pa.array(texts, pa.string()))
    numbers = None if comma else _plain_numbers(texts)
    if numbers is not None:
        return Cells(numbers, None, {"": texts.null_count} if texts.null_count else {})
    encoded = pc.dictionary_encode(texts)
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    words = len(encoded.dictionary) - (pc.sum(pc.match_substring_regex(encoded.dictionary, _LOOKS_LIKE_NUMBER)).as_py() or 0)
    if most_words is not None and words > most_words:
        return Cells(None, None, {}, words=words)
    levels = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return replace(_read_levels(levels, codes, comma), words=words)


def number(text: str) -> float | None:
    """The number that a text is, written with a decimal point, or None; codes such as 007 are not numbers."""
    return _with_point(text.replace("\u2212", "-")) if "," not in text else None


def _plain_numbers(texts):
    """(n,) floats when every cell is an ordinary number: the common case, without a Python loop."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return None
    numbers = numbers.to_numpy(zero_copy_only=False) if isinstance(numbers, pa.Array) else numbers.to_numpy()
    if np.isnan(numbers).sum() != texts.null_count or (np.abs(numbers) >= LONGEST_EXACT_INTEGER).any():
        return None
    return None if pc.any(pc.match_substring_regex(texts, _CODE_START)).as_py() else numbers.astype(float)


def _read_levels(levels, codes, comma) -> Cells:
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    has_plus = any(len(level) <= _LONGEST and _PLUS_SIGNS.fullmatch(level) for level in levels)
    is_missing = [_is_missing(level, has_plus) for level in levels]
    marks = {level: int(n) for level, n, gone in zip(levels, counts, is_missing, strict=True) if gone}
    if (codes < 0).any():
        marks[""] = marks.get("", 0) + int((codes < 0).sum())
    known = [i for i, gone in enumerate(is_missing) if not gone]
    values, meant = _numbers_of([with_digits(levels[i]) for i in known], counts[known], comma)
    if all(value is not None for value in values):
        table = np.full(len(levels) + 1, np.nan)
        table[known] = values
        return Cells(table[codes], None, marks, meant)
    table = np.empty(len(levels) + 1, dtype=object)
    for i, value in zip(known, values, strict=True):
        # Among text, a number whose comma is understood is written with a point: only real text is then not a number.
        table[i] = repr(value) if value is not None and meant and number(levels[i]) != value else levels[i]
    truths = {levels[i].lower() for i in known} <= {"true", "false"}
    return Cells(None, table[codes], marks, meant, truths)


def _is_missing(level, has_plus):
    # In a column of + and −, the minus is a finding, not a missing cell.
    return level == "" or (level.lower() in MISSING_MARKS and not (level == "-" and has_plus))


def are_codes(levels, counts) -> bool:
    """Whether distinct texts, each with its count, are codes such as 007: at least one cell in ten is one."""
    return sum(int(n) for level, n in zip(levels, counts, strict=True) if _CODE.fullmatch(level)) * 10 >= sum(counts)


def with_digits(text: str) -> str:
    """A text with the digits of other scripts, and full-width signs beside them, in ASCII; a text without such digits as it is."""
    if text.isascii() or not any(sign.isdecimal() and not sign.isascii() for sign in text):
        return text
    return unicodedata.normalize("NFKC", "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in text))


def _numbers_of(levels, counts, comma):
    """A number or None for each distinct text, and what commas meant: "", "decimal", "thousands" or "either"."""
    nothing = [None] * len(levels)
    if not levels or are_codes(levels, counts):
        return nothing, ""
    levels = [level.replace("\u2212", "-") for level in levels]
    starts = [_NUMBER_START.match(level) is not None for level in levels]
    if 2 * int(np.asarray(counts)[starts].sum()) < sum(counts):
        return [_with_point(level) if start else None for level, start in zip(levels, starts, strict=True)], ""
    points, commas = [_with_point(level) for level in levels], [_with_comma(level) for level in levels]
    both = [a if a is not None else b for a, b in zip(points, commas, strict=True)]
    if 2 * sum(int(n) for value, n in zip(both, counts, strict=True) if value is not None) < sum(counts):
        return points, ""
    more = sum(int(n) * ((b is not None) - (a is not None)) for a, b, n in zip(points, commas, counts, strict=True))
    has_comma = any("," in level for level, value in zip(levels, both, strict=True) if value is not None)
    if more == 0 and points != commas:
        # Every number reads both ways. A point is a decimal point unless the rest of the file says otherwise.
        if has_comma and comma:
            more = 1 if comma == "decimal" else -1
        elif has_comma or comma == "decimal":
            return nothing, "either"
    if more > 0:
        return commas, "decimal"
    return points, "thousands" if any(_COMMA_THOUSANDS.fullmatch(level) for level in levels) else ""


def _with_point(text):
    if len(text) > _LONGEST or _CODE.fullmatch(text):
        return None
    if _PLAIN.fullmatch(text):
        return float(text)
    return float(text.replace(",", "")) if _COMMA_THOUSANDS.fullmatch(text) else None


def _with_comma(text):
    if len(text) > _LONGEST or _CODE.fullmatch(text):
        return None
    if _WHOLE.fullmatch(text):
        return float(text)
    if _POINT_THOUSANDS.fullmatch(text):
        text = text.replace(".", "")
    elif not _COMMA_DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", "."))
