"""Cells: numbers, decimal commas, codes, marks for missing, limits, units, dates and words."""

import datetime
import re
import unicodedata
from dataclasses import dataclass, replace

import numpy as np

from stabcore.base.text import comma_separated

MISSING_CODES = (-9, -99, -999, -9999, -99999, 9, 99, 999, 9999, 99999, 88, 888, 8888)
SURVEY_CODES = (  # for different reasons why an answer is missing, such as 97, 98 and 99
    *(-1, -2, -3, -4, -5, -6, -7, -8, -77, -88, -97, -98, -777, -888, -997, -998, -7777, -8888, -9997, -9998),
    *(7, 8, 77, 97, 98, 777, 997, 998, 7777, 9997, 9998),
)
MISSING_MARKS = ("na", "n/a", "#n/a", "nan", "null", ".", "?", "-")
MAX_EXACT_INTEGER = 2**53
_MAX_NUMBER_LENGTH = 400  # characters of a number: patterns would take minutes to reject a much longer text

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?", re.IGNORECASE | re.ASCII)
_COMMA_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_POINT_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?", re.ASCII)
_POINT_GROUPS = r"^[-+]?[1-9][0-9]{0,2}\.[0-9]{3}$"
_COMMA_DECIMAL = re.compile(r"[+-]?\d*,\d+(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_CODE = re.compile(r"0\d+|\d{16,}", re.ASCII)
_PLUS_SIGNS = re.compile(r"[-/() ]*[+±][-+/±() ]*")
_CODE_START = r"^0[0-9]"
_LOOKS_LIKE_NUMBER = r"^[-+\x{2212}]?[0-9.,]+([eE][-+]?[0-9]+)?$"
_NUMBER_START = re.compile(r"[+-]?(?:[.,]?\d|inf)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Cells:
    """One column: `numbers` (n,) with NaN for missing, or `texts` (n,) with None for missing. The other one is None.

    Both are None if there are more words than allowed. `words` counts the different texts that do not look like numbers.
    `truths`: True if the texts are only true and false. `comma` is the meaning of commas: "", "decimal", "thousands",
    or "either" (undecided, so the column stays text). `marks` counts the marks for missing, "" among them.
    """

    numbers: np.ndarray | None
    texts: np.ndarray | None
    marks: dict[str, int]
    comma: str = ""
    truths: bool = False
    words: int = 0


def read_cells(texts, comma: str = "", most_words: int | None = None, decided: bool = False) -> Cells:
    """Understand the cells of one column.

    texts: n strings (None is missing), a list or an arrow array. comma: the meaning of commas in the rest of the file
    ("decimal" or "thousands"). It decides only ambiguous cells such as 1,234. most_words: the largest number of different
    words. decided: whether somebody chose this meaning, which then also decides ambiguous cells such as 1.234.
    """
    import pyarrow.compute as pc

    texts = _trim(texts)
    numbers = None if comma else _plain_numbers(texts)
    if numbers is not None:
        return Cells(numbers, None, {"": texts.null_count} if texts.null_count else {})
    codes, levels = _encoded(texts)
    words = len(levels) - (pc.sum(pc.match_substring_regex(levels, _LOOKS_LIKE_NUMBER)).as_py() or 0)
    if most_words is not None and words > most_words:
        return Cells(None, None, {}, words=words)
    return replace(_read_levels(levels.to_pylist(), codes, comma, decided), words=words)


def encode_texts(texts) -> tuple[np.ndarray, list[str]]:
    """((n,) codes with −1 for missing, the distinct trimmed texts) of a list or an arrow array of texts."""
    codes, levels = _encoded(_trim(texts))
    return codes, levels.to_pylist()


def _trim(texts):
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.utf8_trim_whitespace(texts if isinstance(texts, (pa.Array, pa.ChunkedArray)) else pa.array(texts, pa.string()))


def _encoded(texts):
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pc.dictionary_encode(texts)
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return array.indices.fill_null(-1).to_numpy(zero_copy_only=False), array.dictionary


def parse_number(text: str) -> float | None:
    """The number that a text with a decimal point means, or None. Codes such as 007 are not numbers."""
    return _with_point(text.replace("\u2212", "-")) if "," not in text else None


def parse_number_with_comma(text: str) -> float | None:
    """The number that a text means, also with a decimal comma, or None."""
    value = parse_number(text)
    return parse_number(text.replace(",", ".")) if value is None and text.count(",") == 1 else value


def _plain_numbers(texts):
    """(n,) floats when every cell is an ordinary number: the common case, without a Python loop."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return None
    numbers = numbers.to_numpy(zero_copy_only=False) if isinstance(numbers, pa.Array) else numbers.to_numpy()
    if np.isnan(numbers).sum() != texts.null_count or (np.abs(numbers) >= MAX_EXACT_INTEGER).any():
        return None
    if pc.any(pc.match_substring_regex(texts, _CODE_START)).as_py() or _may_be_thousands(numbers, texts):
        return None
    return numbers.astype(float)


def _may_be_thousands(numbers, texts) -> bool:
    """Whether points may separate thousands: 2.030 beside 760.

    Numbers with a point all have three digits behind it, and are beside whole numbers from 100 to 999. These are most of the
    cells, or some digits end with a 0, which a decimal number rarely keeps.
    """
    import pyarrow.compute as pc

    large = np.isfinite(numbers) & (np.abs(numbers) >= 100) & (numbers == np.floor(numbers))
    if not large.any() or np.nanmax(np.abs(numbers)) >= 1000:  # the usual case, without a look at the texts
        return False
    pointed = np.asarray(pc.match_substring(texts, ".").fill_null(False))
    grouped = np.asarray(pc.match_substring_regex(texts, _POINT_GROUPS).fill_null(False))
    beside = int((large & ~pointed).sum())
    if not grouped.any() or not beside or (pointed & ~grouped).any():
        return False
    kept = np.asarray(pc.ends_with(texts, "0").fill_null(False)) & pointed
    return bool(kept.any()) or 2 * beside > int(np.isfinite(numbers).sum())


def _read_levels(levels, codes, comma, decided) -> Cells:
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    has_plus = any(len(level) <= _MAX_NUMBER_LENGTH and _PLUS_SIGNS.fullmatch(level) for level in levels)
    # In a column of + and −, the minus is a value, not a missing cell.
    is_missing = [not level or (level.lower() in MISSING_MARKS and not (level == "-" and has_plus)) for level in levels]
    marks = {level: int(n) for level, n, missing in zip(levels, counts, is_missing, strict=True) if missing}
    if (codes < 0).any():
        marks[""] = marks.get("", 0) + int((codes < 0).sum())
    filled = [i for i, missing in enumerate(is_missing) if not missing]
    values, meant = _numbers_of([ascii_digits(levels[i]) for i in filled], counts[filled], comma, decided)
    if all(value is not None for value in values):
        table = np.full(len(levels) + 1, np.nan)
        table[filled] = values
        return Cells(table[codes], None, marks, meant)
    table = np.empty(len(levels) + 1, dtype=object)
    for i, value in zip(filled, values, strict=True):
        # Among text, numbers with a decimal comma are rewritten with a point, so that only real text is not a number.
        table[i] = repr(value) if value is not None and meant and parse_number(levels[i]) != value else levels[i]
    truths = {levels[i].lower() for i in filled} <= {"true", "false"}
    return Cells(None, table[codes], marks, meant, truths)


def are_codes(levels, counts) -> bool:
    """Whether distinct texts, each with its count, are codes such as 007: at least one cell in ten is one."""
    return sum(int(n) for level, n in zip(levels, counts, strict=True) if _CODE.fullmatch(level)) * 10 >= sum(counts)


def ascii_digits(text: str) -> str:
    """A text with digits of other scripts, and full-width signs next to them, in ASCII. Other texts are unchanged."""
    if text.isascii() or not any(sign.isdecimal() and not sign.isascii() for sign in text):
        return text
    return unicodedata.normalize("NFKC", "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in text))


def _numbers_of(levels, counts, comma, decided):
    """A number or None for each distinct text, and the meaning of commas: "", "decimal", "thousands" or "either"."""
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
        # Every number can be read both ways. A point is a decimal point unless the rest of the file says otherwise.
        if comma and (has_comma or decided):
            more = 1 if comma == "decimal" else -1
        elif has_comma or comma == "decimal" or _are_thousands(levels, points, counts):
            return nothing, "either"
    if more > 0:
        return commas, "decimal"
    return points, "thousands" if any(_COMMA_THOUSANDS.fullmatch(level) for level in levels) else ""


def _are_thousands(levels, points, counts):
    """Whether points may separate thousands in distinct texts, of which some are no plain numbers."""
    import pyarrow as pa

    numbers = np.repeat(np.array([np.nan if value is None else value for value in points], dtype=float), counts)
    known = np.isfinite(numbers)
    return bool(known.any()) and _may_be_thousands(
        numbers[known], pa.array(np.repeat(np.array(levels, dtype=object), counts)[known])
    )


def _with_point(text):
    if len(text) > _MAX_NUMBER_LENGTH or _CODE.fullmatch(text):
        return None
    if _PLAIN.fullmatch(text):
        return float(text)
    return float(text.replace(",", "")) if _COMMA_THOUSANDS.fullmatch(text) else None


def _with_comma(text):
    if len(text) > _MAX_NUMBER_LENGTH or _CODE.fullmatch(text):
        return None
    if _WHOLE.fullmatch(text):
        return float(text)
    if _POINT_THOUSANDS.fullmatch(text):
        text = text.replace(".", "")
    elif not _COMMA_DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", "."))


# ---- words as people see them ----

# Pairs of words for yes and no. Selections accept some more.
PAIRS = tuple(
    tuple(pair.split("/"))
    for pair in comma_separated(
        "true/false, t/f, yes/no, y/n, ja/nein, j/n, oui/non, si/no, sí/no, wahr/falsch, vrai/faux, vero/falso, positive/negative, "
        "positiv/negativ, pos/neg, pos./neg., present/absent, checked/unchecked, vorhanden/nicht vorhanden, +/-"
    )
)
_UNSEEN = re.compile(
    "[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_ALIKE = str.maketrans({"\u00b5": "\u03bc", "\u2126": "\u03a9", "\u212b": "\u00c5"})  # pairs of characters that look the same
_BLANKS = re.compile(r"\s+")


def visible_text(text: str) -> str:
    """A text without invisible differences: characters without width, composed letters, kinds of blanks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", _UNSEEN.sub("", text).translate(_ALIKE))).strip()


def word_key(text: str) -> str:
    """A key that is equal for texts that differ only in case and blanks."""
    return unicodedata.normalize("NFC", visible_text(text).casefold())


# ---- texts in columns of numbers ----

_MAX_READ_LENGTH = 80  # characters of a cell to inspect: a longer one is text, and patterns would be slow
_UNKNOWN = re.compile(
    r"n\.? ?[dabevp]\.?|n\.? ?a\.? ?v\.?|n\.?n\.?b\.?|k\.? ?a\.?|k\.? ?w\.?|\(?(?:na|n/a|nd|none|null|nil)\)?|"
    r"#\S*|-{1,3}|–|—|\.{1,3}|\?{1,3}|/|\*+|x{2,}|"
    r"not (?:done|measured|known|available|applicable|determined|reported|recorded|tested)|unknown|unk|unbekannt|missing|"
    r"miss|fehlt|fehlend|keine angabe|nicht (?:bekannt|gemessen|bestimmt|durchgeführt|auswertbar)|inconnu|manquant|desconocido|"
    r"pending|folgt|error|fehler|err|invalid|ungültig|failed|hemoly[sz]ed|haemoly[sz]ed|hämolytisch|insufficient(?: sample)?|qns",
    re.IGNORECASE,
)
_SIGN = r"[+\-\u2212]?"
_NUMBER = _SIGN + r"(?:\d+(?:[.,]\d{3})*(?:[.,]\d+)?|[.,]\d+)(?:e[+-]?\d+)?"
_WRITTEN_NUMBER = re.compile(_NUMBER, re.IGNORECASE)
_CELL = re.compile(
    rf"(?P<sign><=|>=|=<|=>|[<>≤≥]|&lt;|&gt;)?\s*(?P<number>{_NUMBER})(?P<gap>\s*)"
    r"(?P<unit>[^\W\d_%°‰][^<>]{0,19}|[%°‰€$£¥][^<>]{0,9})?",
    re.IGNORECASE,
)
_MONEY = re.compile(rf"(?P<unit>[€$£¥]|EUR|USD|CHF|GBP)\s*(?P<number>{_NUMBER})", re.IGNORECASE)
_FLAG = re.compile(r"[HL]|LL|HH|high|low|abnormal", re.IGNORECASE)
_MARKED = re.compile(
    rf"(?:~|≈|ca\.?|approx\.?|about|etwa)\s*(?P<number>{_NUMBER})|(?P<other>{_NUMBER})\s*(?:\*+|[!↑↓+†‡#^]|"
    r"\([HL*+-]+\)|\[[HL*+-]+\])",
    re.IGNORECASE,
)
_UNSIGNED = _NUMBER.removeprefix(_SIGN)
_NEGATIVE = re.compile(rf"\((?P<number>{_UNSIGNED})\)|(?P<other>{_UNSIGNED})[-\u2212]", re.IGNORECASE)
_TWO_NUMBERS = re.compile(rf"{_NUMBER}(?:\s*[/:±]\s*{_NUMBER}){{1,2}}", re.IGNORECASE)
_SPACED = re.compile(r"[+\-\u2212]?\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?")
_BELOW = re.compile(
    r"[<≤]?\s*(?:u\.?\s?)?(?:l?lod|l?loq|lod/loq|bl[doq]|b[dq]l|blod|bloq|blloq|nwg|bg|ldl|dl|mdl|n\.n\.|"
    r"detection limit|nachweisgrenze)|below (?:the )?(?:lod|loq|detection(?: limit)?|range)|under range|"
    r"unter(?:halb)?(?: der)? nachweisgrenze|n(?:icht|ot) (?:nachweisbar|detected|detectable)|undetectable|neg(?:\.|ative?|ativ)?|"
    r"< ?min|low",
    re.IGNORECASE,
)
_ABOVE = re.compile(r"[>≥]\s*(?:u?loq|u?lod|max)|uloq|above (?:the )?(?:uloq|range|limit)|over range|>+|high", re.IGNORECASE)
_UNIT = re.compile(
    r"(?:(?:1|10)[\^*e]?\d{0,2} ?[*x·]? ?)?(?:[munpkfdcµμ]?(?:g|l|mol|m|s|eq|val|iu|u|ie|kat|osm|pa|v|w|j|gy|bq|cells?|zellen)|"
    r"units?|min|h|hr|hrs|d|days?|tage?|weeks?|wochen?|months?|mo|monate?|y|yr|yrs|years?|jahre?|a|ans|%|‰|[€$£¥]|eur|usd|chf|gbp|°c?|bpm|mmhg|cmh2o|kcal|fl|gpt|tpt|tsd|"
    r"mio|ratio|score|points?|punkte|log2|log10|ln|au|a\.u\.|counts?|cpm|fpkm|tpm|rpkm|mfi|ct|n|od|hu|x?10[\^*e]?\d{1,2}|/)"
    r"(?:[²³23]|\^[23])?(?:[ ·*]?(?:/|per|pro)[ ]?[\w.,²³^% ·*µμ/]{1,16}|[ ][\w²³^·*µμ-]{1,12}[-−]?\d?)?",
    re.IGNORECASE,
)
_OF_NAME = re.compile(
    r"[(\[](?P<inside>[^()\[\]]+)[)\]]\s*$|(?:,\s*|\sin\s+|\s(?=[^\s]*[/%]))(?P<behind>[^\s,()\[\]]+)\s*$", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}/\d{4}|"
    r"\d{1,2}[-/. ]{0,2}[^\W\d_]{3,9}[-/., ]{0,2}\d{4}|\d{1,2}[-/. ][^\W\d_]{3,9}[-/., ]\d{2})"
    r"(?:[T ]\d{1,2}:\d{2}.*)?"
)
_YES, _NO = ({pair[side] for pair in PAIRS} for side in (0, 1))
_NO = _NO - {"-"}  # alone it means missing


@dataclass(frozen=True)
class Cell:
    """The kind of one text.

    kind: "number", "marked" (a number with a star or a flag, or about one), "bracketed" (in brackets or with the minus behind,
    where number is negative), "below", "above" (a limit, where number is "" if not given), "unknown", "date" or "text".
    """

    kind: str
    number: str = ""
    unit: str = ""


def parse_cell(text: str) -> Cell:
    """Understand one text of a column that should hold numbers."""
    text = text.strip()
    if len(text) > _MAX_READ_LENGTH:
        return Cell("text")
    text = remove_thousands_spaces(ascii_digits(text))
    if is_date(text):
        return Cell("date")
    match = _CELL.fullmatch(text)
    unit = (match["unit"] or "").strip() if match else ""
    if match and (not unit or match["gap"] or _may_follow_number(unit)) and not _FLAG.fullmatch(unit):
        sign = (match["sign"] or "").replace("&lt;", "<").replace("&gt;", ">")
        return Cell("number" if not sign else "below" if "<" in sign or "≤" in sign else "above", match["number"], unit)
    if match and not match["sign"] and _FLAG.fullmatch(unit):
        return Cell("marked", match["number"])
    if money := _MONEY.fullmatch(text):
        return Cell("number", money["number"], money["unit"])
    if marked := _MARKED.fullmatch(text):
        return Cell("marked", marked["number"] or marked["other"])
    if negative := _NEGATIVE.fullmatch(text):
        return Cell("bracketed", f"-{negative['number'] or negative['other']}")
    if _BELOW.fullmatch(text):
        return Cell("below")
    if _ABOVE.fullmatch(text):
        return Cell("above")
    return Cell("unknown" if is_unknown(text) else "text")


def is_number(text: str) -> bool:
    """Whether a text is written as a number, with either decimal sign."""
    return len(text) <= _MAX_READ_LENGTH and bool(_WRITTEN_NUMBER.fullmatch(text.strip()))


def holds_two_numbers(text: str) -> bool:
    """Whether a text holds two or three numbers, as a blood pressure (120/80) or a time of day (14:35) does."""
    return len(text) <= _MAX_READ_LENGTH and bool(_TWO_NUMBERS.fullmatch(text.strip()))


def _may_follow_number(unit):
    """Whether a unit can directly follow its number, as in 12mg. 4a is a stage."""
    return is_unit(unit) and (len(unit) > 1 or unit in "%‰€$£¥gGlLyY")


def remove_thousands_spaces(text: str) -> str:
    """A number such as 1 200 without its thousands separators. Other texts are unchanged."""
    return re.sub(r"[ \u00a0\u202f'’]", "", text) if _SPACED.fullmatch(text) else text


def is_date(text: str) -> bool:
    """Whether a text is a date, also with two digits for the year."""
    return len(text) <= _MAX_READ_LENGTH and bool(_DATE.fullmatch(text))


def is_unit(text: str) -> bool:
    """Whether a text is a unit, also in brackets."""
    return len(text) <= _MAX_READ_LENGTH and bool(_UNIT.fullmatch(text.strip().strip("[]()").strip()))


def unit_of_name(name: str) -> str:
    """The unit at the end of a column name, as in CRP (mg/l), CRP [mg/l], CRP in mg/l or CRP, mg/l, "" without one."""
    match = _OF_NAME.search(name) if len(name) <= _MAX_READ_LENGTH else None
    unit = (match["inside"] or match["behind"]).strip() if match else ""
    return unit if is_unit(unit) else ""


def is_same_unit(unit: str, other: str) -> bool:
    """Whether two units are the same, apart from case, spaces and the two micro signs."""
    return _bare_unit(unit) == _bare_unit(other)


def _bare_unit(unit):
    return re.sub(r"[\s.·*]", "", unit).casefold().replace("\u03bc", "u").replace("\u00b5", "u")


def is_unknown(text: str) -> bool:
    """Whether a text means an unknown value."""
    return len(text) <= _MAX_READ_LENGTH and (text.strip().lower() in MISSING_MARKS or bool(_UNKNOWN.fullmatch(text.strip())))


def parse_yes_no(text: str) -> str:
    """Whether a text says yes or no: "yes", "no" or ""."""
    word = word_key(text)
    return "yes" if word in _YES else "no" if word in _NO else ""


MONTH_YEAR = re.compile(r"(0[1-9]|1[0-2])\.((?:19|20)\d\d)")
SPREADSHEET_DAYS = 15_000, 60_000  # 1941 to 2064, as spreadsheets count days


def format_date(text: str) -> str:
    """A day number of a spreadsheet, or a month, as a date such as 2021-03-01. Other texts are unchanged."""
    if month := MONTH_YEAR.fullmatch(text):
        return f"{month[2]}-{month[1]}-01"
    try:
        day = float(text)
    except ValueError:
        return text
    first, last = SPREADSHEET_DAYS
    return (datetime.date(1899, 12, 30) + datetime.timedelta(days=int(day))).isoformat() if first <= day <= last else text
