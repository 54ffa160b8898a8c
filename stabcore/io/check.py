"""Last stage: questions about the cells of a table (texts among numbers, limits, units, codes, typos), with answers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np

from stabcore.base.text import counted, joined, listed, plural, quote, verb_for
from stabcore.io.cells import (
    MISSING_CODES,
    MISSING_MARKS,
    MONTH_YEAR,
    SPREADSHEET_DAYS,
    SURVEY_CODES,
    are_codes,
    holds_two_numbers,
    is_same_unit,
    is_unknown,
    parse_cell,
    parse_number,
    parse_number_with_comma,
    parse_yes_no,
    read_cells,
    remove_thousands_spaces,
    unit_of_name,
    word_key,
)
from stabcore.io.choices import APART, FIRST, ONLY, Mend
from stabcore.io.mends import apply_mends, column_levels, kept_marks, select_cohort_rows
from stabcore.io.names import same_looking_names
from stabcore.io.type import Reading

if TYPE_CHECKING:
    import pandas as pd

ONE_A_COLUMN = "Write each number in a column of its own, or leave this column out."
_ANSWER = {"decimals": "decimal"}  # {kind of question: its mend} where they have different names
_OF_NUMBERS = ("below", "above", "unit", "marked", "bracketed", "two", "spaces", "text", "comma", "decimals")
_WITHOUT_LIKELIEST = ("comma", "kept", "slip", "names", "bracketed")  # kinds of questions without a likeliest answer
_ROUNDS = 5  # largest number of rounds of answers that raise further questions
_MEASURED = ("number", "marked", "bracketed", "below", "above")  # kinds of cells
_MAX_STAGES = 10  # largest number of levels for stages such as 1, 2, 3, 4a


@dataclass(frozen=True)
class CellQuestion:
    """A question to the user about cells.

    kind      "missing", "kept", "text", "marked", "bracketed", "below", "above", "unit", "two", "spaces", "yes-no", "spelling",
              "comma", "decimals", "dates", "code", "slip" or "names"
    sentence  the question
    columns   the columns of the cells
    offers    answers: the text of a button and its mend, the likeliest first
    count     number of cells
    """

    kind: str
    sentence: str
    columns: tuple[str, ...]
    offers: tuple[tuple[str, Mend], ...]
    count: int


def cell_questions(
    reading: Reading, mends: Sequence[Mend] = (), without: Iterable[str] = (), outcome: str | None = None
) -> list[CellQuestion]:
    """The open questions about a table after these mends, one for each kind of cell over all columns.

    without: columns that are left out. outcome: the column of classes. A class with very few rows may be a typo.
    """
    without = set(without)
    done = {(mend.do, name): mend for mend in mends for name in mend.columns}
    decided = {(name, cell) for mend in mends if mend.do != "keep" for name in mend.columns for cell in mend.cells}
    stay_texts = kept_marks(mends)
    texts_of, frame = reading.written.texts, reading.frame
    together: defaultdict[str, dict[str, dict[str, int]]] = defaultdict(dict)
    coded: defaultdict[tuple[tuple[float, ...], str], dict[str, dict[str, int]]] = defaultdict(dict)
    single: list[CellQuestion] = []
    with_negative: set[str] = set()  # half of a limit below 0 is above it
    usual = {name: reading.units.get(name) or unit_of_name(str(name)) for name in texts_of}
    plain = {name for name, dtype in frame.dtypes.items() if dtype.kind in "iufb"} - {name for name, _ in stay_texts}
    suspects, usual_codes = _suspect_columns(frame)
    doubtful = suspects - {name for mend in mends if mend.do == "dates" for name in mend.columns} - without
    for name, texts in texts_of.items():
        if name in without or (name in plain and name not in doubtful):
            continue
        values = frame[name].to_numpy(dtype=float, na_value=np.nan) if name in plain else None
        if values is not None and _are_dates(name, values, texts):
            offers = {"Dates, no feature": Mend("dates", (name,))}
            single.append(_column_question("dates", name, f"The numbers of {quote(name)} look like dates.", offers, len(values)))
            continue
        levels, counts, _ = column_levels(texts)
        codes, reason, coded_cells = _coded_cells(levels, counts, usual_codes, values)
        if open_codes := {cell: n for cell, n in coded_cells.items() if (name, cell) not in decided}:
            coded[codes, reason][name] = open_codes
        if name in plain:
            continue
        all_cells = {
            level: n
            for level, n in zip(levels, counts, strict=True)
            if level and (level.lower() not in MISSING_MARKS or (name, level) in stay_texts)
        }
        open_cells = {level: n for level, n in all_cells.items() if (name, level) not in decided}
        for kind, cells in _kinds(open_cells, all_cells, reading.written.comma).items():
            if kind in _OF_NUMBERS and name == outcome and not any(parse_number(cell) is not None for cell in all_cells):
                continue  # '<50' and '>=50' are classes
            if kind in _WHAT:
                together[kind][name] = cells
                numbers = [parse_number_with_comma(text) for text in [*all_cells, *_numbers_in(cells)] if text not in coded_cells]
                if kind == "below" and any(number is not None and number < 0 for number in numbers):
                    with_negative.add(name)
            elif not {(_ANSWER.get(kind, kind), name), (APART, name)} & set(done) and not (
                ("spelling", name) in done and len(set(map(word_key, cells))) <= 2
            ):
                single += _questions_of_column(kind, name, cells, done, usual[name], _holds_shares(all_cells))
    return [
        *([] if outcome is None else _rare_classes(reading, mends, outcome)),
        *_same_looking_names(frame.columns, without, done),
        *(
            _question_over_columns(kind, cells_of, usual, bool(with_negative & set(cells_of)))
            for kind, cells_of in together.items()
        ),
        *(_question_on_codes(codes, reason, cells_of) for (codes, reason), cells_of in coded.items()),
        *single,
    ]


def first_answers(questions: Iterable[CellQuestion], outcome: str | None = None) -> list[Mend]:
    """The likeliest answer to each question that has one. The outcome is never changed this way."""
    mends = [
        narrow_mend(question.offers[0][1], [name for name in question.columns if name != outcome])
        for question in questions
        if question.offers and question.kind not in _WITHOUT_LIKELIEST
    ]
    return [mend for mend in mends if mend.columns]


def suggested_mends(
    reading: Reading, mends: Sequence[Mend] = (), without: Iterable[str] = (), outcome: str | None = None, classes: bool = True
) -> tuple[list[Mend], list[CellQuestion]]:
    """The likeliest answers to all questions, also to those that answers raise, and the questions without one.

    Arguments as in `cell_questions`. The outcome is never changed. classes: whether it has classes.
    """
    suggested: list[Mend] = []
    for _ in range(_ROUNDS):
        asked = cell_questions(reading, [*mends, *suggested], without, outcome if classes else None)
        answers = first_answers(asked, outcome)
        suggested += answers
        if not answers:
            return suggested, asked
    return suggested, cell_questions(reading, [*mends, *suggested], without, outcome if classes else None)


def narrow_mend(mend: Mend, columns: Iterable[str]) -> Mend:
    """The same decision for some of its columns only."""
    among = set(columns)
    return replace(mend, columns=tuple(name for name in mend.columns if name in among))


def _same_looking_names(columns, without, done):
    """Columns whose names look the same: two ways to write one character, or characters without width."""
    for look, names in same_looking_names([str(name) for name in columns if name not in without]).items():
        if not all((APART, name) in done for name in names):
            yield CellQuestion(
                "names",
                f"{counted(len(names), 'column')} have a name that looks the same, {quote(look)}. They differ in invisible "
                "characters. If they are the same, leave one of them out.",
                tuple(names),
                (("They differ: keep all", Mend(APART, tuple(names))),),
                len(names),
            )


def _coded_cells(levels, counts, usual, values):
    """(codes, reason, {text: count}) of the cells of a column that may be codes for missing, all empty without any.

    usual: the codes to look for. values: the numbers of the column, or None if it holds texts such as '<5' beside numbers.
    """
    numbers = {}
    if values is not None or any(level.startswith(tuple(f"{code:g}" for code in usual)) for level in levels):
        numbers = {level: number for level in levels if level and (number := parse_number_with_comma(level)) is not None}
    if values is None:
        values = np.repeat([numbers.get(level, np.nan) for level in levels], counts)
        values = values if 2 * np.isfinite(values).sum() > len(values) else values[:0]
    codes = _codes_for_missing(values, usual)
    if not codes:
        return (), "", {}
    only_negative = codes[0] < 0 and (values[np.isfinite(values) & ~np.isin(values, codes)] >= 0).all()
    reason = "while no other number of the column is negative" if only_negative else "far from all other numbers of the column"
    return tuple(codes), reason, {level: n for level, n in zip(levels, counts, strict=True) if numbers.get(level) in codes}


def _question_on_codes(codes, reason, cells_of) -> CellQuestion:
    """One question for all columns with the same codes: are these cells missing? cells_of: {column: {text: count}}."""
    count = sum(sum(cells.values()) for cells in cells_of.values())
    hold = f"{counted(count, 'cell')} of {listed(cells_of)} {verb_for(count, 'hold')}"
    these = joined([f"{code:g}" for code in codes], "or")
    what = "They may be codes" if len(codes) > 1 else "It may be a code"
    texts = tuple(dict.fromkeys(text for cells in cells_of.values() for text in cells))
    offers = (("Missing", Mend("missing", tuple(cells_of), texts)),)
    return CellQuestion("code", f"{hold} {these}, {reason}. {what} for missing.", tuple(cells_of), offers, count)


def _cells_hold(count, name):
    return f"{counted(count, 'cell')} of {quote(name)} {verb_for(count, 'hold')}"


def example_with_unit(cells: dict[str, int]) -> str:
    """An example from {text: count} if most are numbers with a unit, in brackets or with spaces, otherwise ""."""
    kinds = _kinds(cells, cells)
    return next((text for kind in ("unit", "bracketed", "spaces") for text in kinds.get(kind, ())), "")


def _kinds(cells, every, comma="") -> dict:
    """{kind of question: {text: count}} of one column, from its undecided texts, and all of its texts.

    comma: the meaning of commas in the table.
    """
    total = sum(every.values())
    if not cells or are_codes(list(every), list(every.values())):
        return {}
    cell_by_text = {text: parse_cell(text) for text in every}
    if len(every) > 2 and all(parse_yes_no(text) or text in ("0", "1") for text in every) and any(map(parse_yes_no, every)):
        return {"yes-no": every}
    dates = sum(n for text, n in every.items() if cell_by_text[text].kind == "date")
    measured = sum(n for text, n in every.items() if cell_by_text[text].kind in _MEASURED)
    if 2 * dates >= total:
        return _by_kind(cells, cell_by_text, ("unknown", "text", "number")) if dates < total else {}
    two = {text: n for text, n in every.items() if ":" not in text and holds_two_numbers(text)}
    if 2 * sum(two.values()) >= total and max(map(len, two), default=0) > 3:  # 0/1 is a genotype
        return {"two": {text: n for text, n in two.items() if text in cells}}
    if 2 * measured < total or not any(cell_by_text[text].number for text in every):
        return _of_words(cells, every)
    if _are_stages(every, cell_by_text):
        return {}
    kinds = _by_kind(cells, cell_by_text, ("unknown", "text", "date", "marked", "bracketed", "below", "above"))
    kinds["unit"] = {text: n for text, n in cells.items() if cell_by_text[text].unit and cell_by_text[text].kind == "number"}
    kinds["spaces"] = {text: n for text, n in cells.items() if remove_thousands_spaces(text) != text}
    kinds = {kind: found for kind, found in kinds.items() if found}
    if not kinds:
        read_as = {text: cell_by_text[text].number or text for text in every if text in cells or cell_by_text[text].number}
        read = read_cells(
            [read_as[text] for text in read_as for _ in range(every[text])], comma
        )  # without decided words, such as n.d.
        with_comma = {text: n for text, n in cells.items() if "," in text}
        if read.comma == "either":
            kinds["comma"] = cells
        elif read.numbers is None and with_comma and all(read_cells([text]).comma == "decimal" for text in with_comma):
            kinds["decimals"] = with_comma
    return kinds


def _are_stages(cells, cell_by_text):
    """Whether these are stages such as 1, 2, 3, 4a: few levels, whole numbers and no mark for missing."""
    plain = {text: parse_number(text) for text in cells}
    odd = [text for text, value in plain.items() if value is None]
    inexact = any(" " in text or cell_by_text[text].kind in ("unknown", "bracketed", "below", "above") for text in odd)
    whole = [value for value in plain.values() if value is not None]
    return len(cells) <= _MAX_STAGES and not inexact and bool(whole) and all(value.is_integer() for value in whole)


def _by_kind(cells, cell_by_text, kinds):
    by_kind: dict[str, Any] = {}
    for text, n in cells.items():
        kind = cell_by_text[text].kind
        if kind in kinds:
            unknown = "kept" if text.lower() in MISSING_MARKS else "missing"
            by_kind.setdefault({"unknown": unknown, "date": "text", "number": "text"}.get(kind, kind), {})[text] = n
    return by_kind


def _of_words(cells, every):
    """The questions about a column of words: marks for missing, and different spellings of one word."""
    unknown = {text: n for text, n in cells.items() if _says_unknown(text) and text.lower() not in MISSING_MARKS}
    rest = {text: n for text, n in every.items() if not _says_unknown(text)}
    kinds = {"missing": unknown} if unknown and 2 * sum(unknown.values()) < sum(every.values()) else {}
    same = Counter(map(word_key, rest))
    if {parse_yes_no(text) for text in rest} == {"yes", "no"}:
        if len(rest) > 2:
            kinds["yes-no"] = rest
    elif len(same) < len(rest) and len(same) * 2 < sum(rest.values()):
        kinds["spelling"] = {text: n for text, n in rest.items() if same[word_key(text)] > 1}
    return kinds


def _says_unknown(text):
    return is_unknown(text) and not parse_yes_no(text)


_WHAT = {
    "missing": "which may mean missing",
    "kept": "texts among numbers, kept on request",
    "text": "neither a number nor a usual mark for missing",
    "marked": "a number with a mark",
    "bracketed": "a number in brackets or with a minus behind it, as accountants write negative numbers",
    "below": "below the measuring range",
    "above": "above the measuring range",
}
_OFFERS = {
    "below": ("half", "limit", "missing"),
    "above": ("limit", "missing"),
    "marked": ("number", "missing"),
    "bracketed": ("negative", "missing"),
}
_LABELS = {
    "missing": "Missing",
    "half": "Half the limit",
    "limit": "The limit",
    "number": "The number",
    "negative": "Negative numbers",
}


def _numbers_in(cells):
    """The numbers of cells such as <0.5, as texts."""
    return [parse_cell(text).number for text in cells]


def _question_over_columns(kind, cells_of, usual, negative=False) -> CellQuestion:
    """One question about cells of one kind in all columns, {column: {text: count}}.

    usual: {column: its unit or ""}. negative: whether one of the columns holds negative numbers.
    """
    texts = Counter[str]()
    for cells in cells_of.values():
        texts.update(cells)
    columns, count = tuple(cells_of), sum(texts.values())
    often = [f"{quote(text, 20)} ({n})" if len(texts) > 1 else quote(text, 20) for text, n in texts.most_common(5)]
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    sentence = f"{counted(count, 'cell')} of {listed(columns)} {verb_for(count, 'hold')} {', '.join(often)}{more}, {_WHAT[kind]}."
    units = dict.fromkeys((parse_cell(text).unit, usual[name]) for name, cells in cells_of.items() for text in cells)
    odd = list(dict.fromkeys(unit for unit, usual_unit in units if unit and not is_same_unit(unit, usual_unit)))
    if kind in ("below", "above") and odd:
        sentence += f" Units are not converted ({listed(odd)}), so the number is used unchanged."
    answers = _OFFERS.get(kind, ("missing",))
    if negative:
        answers = tuple(do for do in answers if do != "half")
    offers = tuple((_LABELS[do], Mend(do, columns, tuple(texts))) for do in answers)
    return CellQuestion(kind, sentence, columns, offers, count)


def _questions_of_column(kind, name, cells, done, usual, shares=False):
    """A question about one column. usual: its unit, from its name or the line of units, "" without one.

    shares: whether its numbers without a unit lie between 0 and 1.
    """
    count, some = sum(cells.values()), listed(cells, 4)
    apart = {"Different: keep them apart": Mend(APART, (name,))}
    if kind == "unit":
        counts = Counter[str]()
        for text, n in cells.items():
            counts[parse_cell(text).unit] += n
        units = {unit: n for unit, n in counts.items() if done.get(("unit", name), Mend("", ())).unit != unit}
        yield _about_units(name, units, some, usual, cells, shares)
    elif kind == "yes-no":
        sentence = f"{quote(name)} writes yes and no in {len(cells)} ways: {some}."
        yield _column_question(kind, name, sentence, {"Yes and no": Mend("yes-no", (name,)), **apart}, count)
    elif kind == "spelling":
        sentence = f"{quote(name)} holds words that differ only in capitals or invisible characters: {some}."
        yield _column_question(kind, name, sentence, {"Join them": Mend("spelling", (name,)), **apart}, count)
    elif kind == "two":
        sentence = f"{_cells_hold(count, name)} two numbers each, as blood pressures do. {ONE_A_COLUMN}"
        yield _column_question(kind, name, sentence, {}, count)
    elif kind == "spaces":
        sentence = f"{_cells_hold(count, name)} spaces or similar characters within a number: {some}."
        yield _column_question(kind, name, sentence, {"Parts of one number": Mend("spaces", (name,))}, count)
    elif kind == "decimals":
        sentence = f"{_cells_hold(count, name)} a decimal comma, the others a decimal point: {some}."
        yield _column_question(kind, name, sentence, {"Decimal commas": Mend("decimal", (name,))}, count)
    elif not {("decimal", name), ("thousands", name)} & set(done):
        example = next((text for sign in ",." for text in cells if sign in text), None) or next(iter(cells))
        offers = {}
        for comma in ("decimal", "thousands"):
            numbers = read_cells([example], comma, decided=True).numbers
            meaning = "text" if numbers is None else f"{numbers[0]:.12g}"
            offers[f"{quote(example)} is {meaning}"] = Mend(comma, (name,))
        yield _column_question("comma", name, f"Numbers of {quote(name)} such as {quote(example)} are ambiguous.", offers, count)


def _holds_shares(cells) -> bool:
    """Whether the numbers without a unit in {text: count} lie between 0 and 1, so that beside 45% they may be shares."""
    values = [parse_number_with_comma(text) for text in cells]
    return 0 < max((value for value in values if value is not None), default=0) <= 1


def _about_units(name, units, some, usual, cells, shares):
    if len(units) == 1:
        ((unit, n),) = units.items()
        sentence = f"{_cells_hold(n, name)} a number with the unit {quote(unit)}: {some}."
        if unit == "%" and shares:
            sentence += " The other cells lie between 0 and 1, so they may be shares: 0.45 for 45%. Write all cells the same way."
            return _column_question("unit", name, sentence, {}, n)
        take_off = Mend("unit", (name,), unit=unit)
        if not usual or is_same_unit(unit, usual):
            return _column_question("unit", name, sentence, {f"Numbers in {unit}": take_off}, n)
        sentence += (
            f" The unit of the column is {quote(usual)}. Units are not converted. Correct the table, or read them as missing."
        )
        offers = {"Missing": Mend("missing", (name,), tuple(cells)), f"The same as {usual}": take_off}
        return _column_question("unit", name, sentence, offers, n)
    odd = tuple(text for text in cells if usual and not is_same_unit(parse_cell(text).unit, usual))
    ways = ", read those in another unit as missing" if odd else ""
    sentence = f"{quote(name)} holds numbers in several units, {listed(units)}: {some}. Units are not converted."
    offers = {"Missing if the unit differs": Mend("missing", (name,), odd)} if odd else {}
    return _column_question(
        "unit", name, f"{sentence} Correct the table{ways}, or leave the column out.", offers, sum(units.values())
    )


# ---- numbers that may be something else: dates as a spreadsheet counts them, and codes such as −999 for missing ----

_NAMED_DATE = re.compile(
    r"(?:.*[\W_])?(?:date|datum|dob|dod|birth ?day|birthdate|geb\.?|geburtsdatum|geburtstag|admission)"
    r"(?:[\W_].*)?|.*(?:date|datum)",
    re.IGNORECASE,
)
_YEAR_2000, _FEW_YEARS = 36_526, 3653  # the day of a spreadsheet on which 2000 began, and days of ten years
_FIRST_YEAR = 0.19  # smallest decimal part of a month and year read as a number, as in 03.1987
_MIN_CODE_DISTANCE = 3  # smallest distance of a code from all other numbers, in units of their range
_MAX_CODES = 3  # in one column, such as 97, 98 and 99


def _suspect_columns(frame: pd.DataFrame) -> tuple[set[str], tuple[int, ...]]:
    """Names of numeric columns to inspect, and the codes for missing to look for.

    Both are found from the extremes only, because a table can have thousands of columns. Codes of surveys are none where most
    columns with negative numbers have others, as measured intensities do.
    """
    numeric = [j for j, dtype in enumerate(frame.dtypes) if dtype.kind in "iuf"]
    if not numeric or not len(frame):
        return set(), MISSING_CODES
    values = frame.iloc[:, numeric].to_numpy(dtype=float)
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    codes: tuple[int, ...] = (*MISSING_CODES, *SURVEY_CODES)
    if 2 * np.isin(low, codes).sum() < (low < 0).sum():
        codes = MISSING_CODES
    with np.errstate(invalid="ignore"):
        months = (low >= 1) & (low < 13) & (low % 1 >= _FIRST_YEAR)
    ends = np.isin(low, codes) | np.isin(high, codes) | months | ((low >= SPREADSHEET_DAYS[0]) & (high <= SPREADSHEET_DAYS[1]))
    return {frame.columns[j] for j, suspect in zip(numeric, ends, strict=True) if suspect}, codes


def _codes_for_missing(values, usual) -> list[float]:
    """Usual codes for missing below or above all other numbers, outermost first. They are far from these, or negative.

    Codes of one digit occur twice or more. From −1 to −8 they are below large numbers, because changes and scores are small.
    """
    filled = values[np.isfinite(values)]
    if len(filled) < 5:
        return []
    levels, counts = np.unique(filled, return_counts=True)
    if levels[0] not in usual and levels[-1] not in usual:
        return []
    for order in (1, -1):
        for n in range(min(_MAX_CODES, len(levels) - 1), 0, -1):
            codes, rest = levels[::order][:n], filled[~np.isin(filled, levels[::order][:n])]
            often = (np.abs(codes) > 9) | (counts[::order][:n] > 1)
            if not (np.isin(codes, usual) & often).all() or len(rest) <= 0.5 * len(filled):
                continue
            end, spread = codes[0], max(rest.max() - rest.min(), abs(rest).max(), 1)
            far = (
                np.abs(rest - end).min() > _MIN_CODE_DISTANCE * spread
                and np.abs(rest - codes[-1]).min() > spread
                and end not in (7, 8)
            )
            larger = 10 if (rest == np.floor(rest)).all() else 3  # a score may be a few points below 0
            if far or end < 0 <= rest.min() and (end <= -9 or rest.max() >= larger * abs(end)):
                return codes.tolist()
    return []


def _are_dates(name, values, texts) -> bool:
    """Whether numbers are days of a spreadsheet, or mostly months such as 03.2021.

    Days are in a column named as a date, or whole numbers from 2000 to 2064 that lie within a few years of each other.
    """
    filled = values[np.isfinite(values)]
    if not len(filled):
        return False
    if _NAMED_DATE.fullmatch(str(name)[:100]) and filled.min() >= SPREADSHEET_DAYS[0] and filled.max() <= SPREADSHEET_DAYS[1]:
        return True
    low, high = filled.min(), filled.max()
    if _YEAR_2000 <= low < high <= min(SPREADSHEET_DAYS[1], low + _FEW_YEARS) and (filled == np.floor(filled)).all():
        return True
    if not 1 <= filled.min() < 13 or not (filled[filled < 13] % 1 >= _FIRST_YEAR).all():
        return False
    cells = [text.strip() for text in texts[:100].to_pylist() if text and text.strip()]
    return 2 * sum(bool(MONTH_YEAR.fullmatch(cell)) for cell in cells) > len(cells)


# ---- very rare classes of an outcome, which may be typing errors ----

RARE_ROWS, RARE_SHARE = 3, 0.05  # largest number and share of rows of a class that causes a question
MAX_RARE_SHARE = 0.2  # largest total share of such classes: beyond it, rare classes are normal
MIN_SIMILARITY = 0.6  # smallest share of common letters to offer another rare class
MAX_VALUES = 30  # largest number of different values of a column of classes


def _rare_classes(reading: Reading, mends, outcome):
    """Questions about rare classes that may be typing errors, after these mends. None with many different values."""
    reading, _ = select_cohort_rows(reading, mends)
    texts = reading.written.texts.get(outcome)
    if texts is None:  # a format without texts
        return
    alone = replace(reading, frame=reading.frame[[outcome]], written=replace(reading.written, texts={outcome: texts}, marks={}))
    about = [replace(mend, columns=(outcome,)) for mend in mends if outcome in mend.columns and mend.do not in (ONLY, FIRST)]
    column = apply_mends(alone, about).frame[outcome]
    values, uniques = column.factorize()
    names = [f"{name:.12g}" if isinstance(name, (float, np.floating)) else str(name) for name in uniques]
    counts = np.bincount(values[values >= 0], minlength=len(names))
    rare = np.flatnonzero((counts == 1) | ((counts <= RARE_ROWS) & (counts <= RARE_SHARE * counts.sum())))
    if not 3 <= len(names) <= MAX_VALUES or counts[rare].sum() > MAX_RARE_SHARE * counts.sum():
        return
    levels, _, codes = column_levels(texts)
    rows_of = [np.bincount(codes[(values == c) & (codes >= 0)], minlength=len(levels)) for c in range(len(names))]
    certain = {cell for mend in about if mend.do == "own" for cell in mend.cells}
    for c in rare:
        cells = tuple(levels[i] for i in np.flatnonzero(rows_of[c]))
        if not _has_other_question(names, c, cells) and not certain.issuperset(cells):
            others = {names[j]: levels[int(rows_of[j].argmax())] for j in _likely_classes(names, counts, set(rare), c)}
            lines = [f"line {line}" for line in column.index[values == c]] if column.index.name == "line" else []
            yield _spelling_question(outcome, names[c], cells, int(counts[c]), lines, others)


def _likely_classes(names, counts, rare, c):
    """The classes that c may be, the most similar name first, then by rows. Rare ones only if similar."""
    similarity = [SequenceMatcher(None, word_key(names[c]), word_key(name)).ratio() for name in names]
    others = [j for j in range(len(names)) if j != c and (j not in rare or similarity[j] >= MIN_SIMILARITY)]
    nearest = max(others, key=similarity.__getitem__)
    return sorted(others, key=lambda j: (j != nearest, -counts[j]))


def _has_other_question(names, c, cells):
    """Whether another question covers these cells: marks for missing, or different spellings."""
    words = [word_key(name) for name in names]
    return words.count(words[c]) > 1 or all(map(parse_yes_no, names)) or all(map(_says_unknown, cells))


def _spelling_question(outcome, rare, cells, count, lines, others) -> CellQuestion:
    """The question whether a rare class, with these cells, is a spelling error. others: {class: a text of it} to offer."""
    where = f" ({', '.join(lines)})" if lines else ""
    offers = {f"Read as {quote(other)}": Mend("as", (outcome,), cells, into=text) for other, text in others.items()}
    offers[f"Missing, {plural(count, 'row')} left out"] = Mend("missing", (outcome,), cells)
    if count > 1:
        offers["A separate class"] = Mend("own", (outcome,), cells)
    sentence = f"The outcome {quote(outcome)} is {quote(rare)} in only {counted(count, 'row')}{where}. Is that an error?"
    return _column_question("slip", outcome, sentence, offers, count)


def _column_question(kind, name, sentence, offers, count) -> CellQuestion:
    """A question about one column. offers: {label of a button: what it does}."""
    return CellQuestion(kind, sentence, (name,), tuple(offers.items()), count)
