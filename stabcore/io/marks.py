"""Words and signs that people write where a number should be: not measured, below a limit, with a unit, yes and no."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stabcore.io.cells import MISSING_MARKS, with_digits
from stabcore.io.spelling import PAIRS, key

_LONGEST = 80       # letters of a cell that are looked at: a longer one is a text, and patterns would take their time with it
_UNKNOWN = re.compile(
    r"n\.? ?[dabevp]\.?|n\.? ?a\.? ?v\.?|n\.?n\.?b\.?|k\.? ?a\.?|k\.? ?w\.?|\(?(?:na|n/a|nd|none|null|nil)\)?|"
    r"#.*|-{1,3}|–|—|\.{1,3}|\?{1,3}|/|\*+|x{2,}|"
    r"not (?:done|measured|known|available|applicable|determined|reported|recorded|tested)|unknown|unk|unbekannt|missing|"
    r"miss|fehlt|fehlend|keine angabe|nicht (?:bekannt|gemessen|bestimmt|durchgeführt|auswertbar)|inconnu|manquant|desconocido|"
    r"pending|folgt|error|fehler|err|invalid|ungültig|failed|hemoly[sz]ed|haemoly[sz]ed|hämolytisch|insufficient(?: sample)?|qns",
    re.IGNORECASE)
_NUMBER = r"[+\-\u2212]?(?:\d+(?:[.,]\d{3})*(?:[.,]\d+)?|[.,]\d+)(?:e[+-]?\d+)?"
_PLAIN = re.compile(_NUMBER, re.IGNORECASE)
_CELL = re.compile(rf"(?P<sign><=|>=|=<|=>|[<>≤≥]|&lt;|&gt;)?\s*(?P<number>{_NUMBER})(?P<gap>\s*)"
                   r"(?P<unit>[^\W\d_%°‰][^<>]{0,19}|[%°‰][^<>]{0,9})?", re.IGNORECASE)
_FLAG = re.compile(r"[HL]|LL|HH|high|low|abnormal", re.IGNORECASE)
_MARKED = re.compile(rf"(?:~|≈|ca\.?|approx\.?|about|etwa)\s*(?P<number>{_NUMBER})|(?P<other>{_NUMBER})\s*(?:\*+|[!↑↓+†‡#^]|"
                     r"\([HL*+-]+\)|\[[HL*+-]+\])", re.IGNORECASE)
_SPACED = re.compile(r"[+\-\u2212]?\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?")
_BELOW = re.compile(r"[<≤]?\s*(?:u\.?\s?)?(?:l?lod|l?loq|lod/loq|bl[doq]|b[dq]l|blod|bloq|blloq|nwg|bg|ldl|dl|mdl|n\.n\.|"
                    r"detection limit|nachweisgrenze)|below (?:the )?(?:lod|loq|detection(?: limit)?|range)|under range|"
                    r"unter(?:halb)?(?: der)? nachweisgrenze|n(?:icht|ot) (?:nachweisbar|detected|detectable)|"
                    r"< ?min|low", re.IGNORECASE)
_ABOVE = re.compile(r"[>≥]\s*(?:u?loq|u?lod|max)|uloq|above (?:the )?(?:uloq|range|limit)|over range|>+|high", re.IGNORECASE)
_UNIT = re.compile(
    r"(?:(?:1|10)[\^*e]?\d{0,2} ?[*x·]? ?)?(?:[munpkfdcµμ]?(?:g|l|mol|m|s|eq|val|iu|u|ie|kat|osm|pa|v|w|j|gy|bq|cells?|zellen)|"
    r"units?|min|h|hr|hrs|d|days?|tage?|weeks?|wochen?|months?|mo|monate?|y|yr|yrs|years?|jahre?|a|ans|%|‰|°c?|bpm|mmhg|cmh2o|kcal|fl|gpt|tpt|tsd|"
    r"mio|ratio|score|points?|punkte|log2|log10|ln|au|a\.u\.|counts?|cpm|fpkm|tpm|rpkm|mfi|ct|n|od|hu|x?10[\^*e]?\d{1,2}|/)"
    r"(?:[²³23]|\^[23])?(?:[ ·*]?(?:/|per|pro)[ ]?[\w.,²³^% ·*µμ/]{1,16}|[ ][\w²³^·*µμ-]{1,12}[-−]?\d?)?", re.IGNORECASE)
_OF_NAME = re.compile(r"[(\[](?P<inside>[^()\[\]]+)[)\]]\s*$|(?:,\s*|\sin\s+|\s(?=[^\s]*[/%]))(?P<behind>[^\s,()\[\]]+)\s*$",
                      re.IGNORECASE)
_DATE = re.compile(r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,2}/\d{4}|"
                   r"\d{1,2}[-/. ]{0,2}[^\W\d_]{3,9}[-/., ]{0,2}\d{4}|\d{1,2}[-/. ][^\W\d_]{3,9}[-/., ]\d{2})"
                   r"(?:[T ]\d{1,2}:\d{2}.*)?")
_YES, _NO = ({pair[side] for pair in PAIRS} for side in (0, 1))
_NO = _NO - {"-"}           # by itself it says that nothing is known


@dataclass(frozen=True)
class Cell:
    """What one text is.

    kind: "number", "marked" (a number with a star or a flag, or about one), "below", "above" (a limit; number "" when it is not
    said), "unknown", "date" or "text".
    """

    kind: str
    number: str = ""
    unit: str = ""


def cell_of(text: str) -> Cell:
    """Understand one text of a column that should hold numbers."""
    text = text.strip()
    if len(text) > _LONGEST:
        return Cell("text")
    text = without_spaces(with_digits(text))
    if is_date(text):
        return Cell("date")
    match = _CELL.fullmatch(text)
    unit = (match["unit"] or "").strip() if match else ""
    if match and (not unit or match["gap"] or _clings(unit)) and not _FLAG.fullmatch(unit):
        sign = (match["sign"] or "").replace("&lt;", "<").replace("&gt;", ">")
        kind = "number" if not sign else "below" if "<" in sign or "≤" in sign else "above"
        return Cell(kind, match["number"], unit)
    if match and not match["sign"] and _FLAG.fullmatch(unit):
        return Cell("marked", match["number"])
    if marked := _MARKED.fullmatch(text):
        return Cell("marked", marked["number"] or marked["other"])
    if _BELOW.fullmatch(text):
        return Cell("below")
    if _ABOVE.fullmatch(text):
        return Cell("above")
    return Cell("unknown" if is_unknown(text) else "text")


def is_number(text: str) -> bool:
    """Whether a text is written as a number, with whichever sign before its decimals."""
    return len(text) <= _LONGEST and bool(_PLAIN.fullmatch(text.strip()))


def _clings(unit):
    """Whether a unit can stand right behind its number: 12mg, but 4a is a stage."""
    return is_unit(unit) and (len(unit) > 1 or unit in "%‰gGlL")


def without_spaces(text: str) -> str:
    """A number such as 1 200 without what parts its thousands; other texts as they are."""
    return re.sub(r"[ \u00a0\u202f'’]", "", text) if _SPACED.fullmatch(text) else text


def is_date(text: str) -> bool:
    """Whether a text is a date as people write them, also with two digits for the year."""
    return len(text) <= _LONGEST and bool(_DATE.fullmatch(text))


def is_unit(text: str) -> bool:
    """Whether a text is a unit as people write them, also in brackets."""
    return len(text) <= _LONGEST and bool(_UNIT.fullmatch(text.strip().strip("[]()").strip()))


def unit_in(name: str) -> str:
    """The unit that a column's name ends in, as CRP (mg/l), CRP [mg/l], CRP in mg/l or CRP, mg/l; "" where it names none."""
    match = _OF_NAME.search(name) if len(name) <= _LONGEST else None
    unit = (match["inside"] or match["behind"]).strip() if match else ""
    return unit if is_unit(unit) else ""


def same_unit(one: str, other: str) -> bool:
    """Are two units the same but for capitals, spaces, and which of two signs is the micro?"""
    return _bare(one) == _bare(other)


def _bare(unit):
    return re.sub(r"[\s.·*]", "", unit).casefold().replace("\u03bc", "u").replace("\u00b5", "u")


def is_unknown(text: str) -> bool:
    """Whether a text says that nothing is known."""
    return len(text) <= _LONGEST and (text.strip().lower() in MISSING_MARKS or bool(_UNKNOWN.fullmatch(text.strip())))


def truth(text: str) -> str:
    """"yes", "no" or nothing."""
    word = key(text)
    return "yes" if word in _YES else "no" if word in _NO else ""
