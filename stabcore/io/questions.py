"""What is to be asked about the cells of a table (texts among numbers, limits, units, yes and no), and what can be done."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

from stabcore.io.cells import MISSING_MARKS, are_codes, number, read_cells
from stabcore.io.frame import Reading
from stabcore.io.marks import cell_of, is_unknown, same_unit, truth, unit_in, without_spaces
from stabcore.io.mends import APART, Mend, kept_cells, levels_of
from stabcore.io.slips import Rare, rare_classes
from stabcore.io.spelling import alike, key
from stabcore.io.suspects import are_dates, code_for_missing, suspects
from stabcore.wording import be, listed, several, shown, verb_for

_OF_NUMBERS = ("below", "above", "unit", "marked", "spaces", "text", "comma")
_BY_NOBODY_ELSE = ("comma", "kept", "slip", "names")        # kinds of which no answer is likelier than the others
_STAGES = 10        # so few whole numbers with a text such as 4a are stages, not measurements with something wrong


@dataclass(frozen=True)
class Question:
    """Something about cells that a person should decide.

    kind: "missing", "kept", "text", "marked", "below", "above", "unit", "spaces", "yes-no", "spelling", "comma", "dates", "code",
    "slip" or "names"; offers: (what a button says, Mend), the likeliest first; count: cells that it is about.
    """

    kind: str
    sentence: str
    columns: tuple[str, ...]
    offers: tuple[tuple[str, Mend], ...]
    count: int


def suggest(reading: Reading, mends=(), without=(), outcome=None) -> list[Question]:
    """The questions about a table that these mends leave open, one for each kind of cell over all columns; without: columns that
    are left out; outcome: the column whose classes are to be told apart, in which a class of very few rows may be a slip."""
    done = {(mend.do, name): mend for mend in mends for name in mend.columns}
    decided = {(name, cell) for mend in mends if mend.do != "keep" for name in mend.columns for cell in mend.cells}
    as_text = kept_cells(mends)
    together, single = defaultdict(dict), []
    usual = {name: reading.units.get(name) or unit_in(str(name)) for name in reading.raw}
    plain = {name for name, dtype in reading.frame.dtypes.items() if dtype.kind in "iufb"} - {name for name, _ in as_text}
    doubtful = suspects(reading.frame) - {name for mend in mends if mend.do == "dates" for name in mend.columns} - set(without)
    for name, texts in reading.raw.items():
        if name in plain:
            single += _about_numbers(reading, name, decided) if name in doubtful else ()
        if name in plain or name in without:
            continue
        levels, counts, _ = levels_of(texts)
        all_cells = {level: n for level, n in zip(levels, counts, strict=True)
                     if level and (level.lower() not in MISSING_MARKS or (name, level) in as_text)}
        open_cells = {level: n for level, n in all_cells.items() if (name, level) not in decided}
        for kind, cells in _kinds(name, open_cells, all_cells).items():
            if kind in _OF_NUMBERS and name == outcome and not any(number(cell) is not None for cell in all_cells):
                continue                            # '<50' and '>=50' are the classes
            if kind in ("missing", "kept", "text", "marked", "below", "above"):
                together[kind][name] = cells
            elif not {(kind, name), (APART, name)} & set(done) and not (
                    ("spelling", name) in done and len(set(map(key, cells))) <= 2):
                single += _single(kind, name, cells, done, usual[name])
    slips = [] if outcome is None else [_slip(outcome, rare) for rare in rare_classes(reading, mends, outcome)]
    return [*slips, *_names(reading.frame.columns, without, done),
            *(_together(kind, cells_of, usual) for kind, cells_of in together.items()), *single]


def first_answers(questions, outcome=None) -> list[Mend]:
    """The likeliest answer to each question that has one. The cells of the outcome are never changed so: what they mean is up to a
    person."""
    mends = [narrowed(one.offers[0][1], [name for name in one.columns if name != outcome])
             for one in questions if one.offers and one.kind not in _BY_NOBODY_ELSE]
    return [mend for mend in mends if mend.columns]


def _names(columns, without, done):
    """Columns whose names nobody can tell apart by looking: two ways to write one sign, or signs without width."""
    for look, own in alike([str(name) for name in columns if name not in without]).items():
        if not all((APART, name) in done for name in own):
            yield Question("names", f"{several(len(own), 'column')} have a name that looks the same, {shown(look)}. They differ in "
                           "signs that cannot be seen. Leave one of them out if they are the same.", tuple(own),
                           (("They differ: keep all", Mend(APART, tuple(own))),), len(own))


def _slip(name, rare: Rare) -> Question:
    """Whether a class of very few rows is another one, written wrongly: every other class is offered, for nobody can know."""
    rows = several(rare.count, "row")
    where = f" ({', '.join(rare.places)})" if rare.places else ""
    offers = [(f"Read as {shown(other)}", Mend("as", (name,), rare.texts, into=text)) for other, text in rare.others]
    offers.append((f"Missing, {'row' if rare.count == 1 else 'rows'} left out", Mend("missing", (name,), rare.texts)))
    if rare.count > 1:
        offers.append(("A class of its own", Mend("own", (name,), rare.texts)))
    return Question("slip", f"The outcome {shown(name)} is {shown(rare.name)} in {rows} only{where}. Is that a slip? It is not "
                    "changed unless you say what it means.", (name,), tuple(offers), rare.count)


def _about_numbers(reading, name, decided):
    """Questions about a column that was read as numbers, but may be dates or hold a code for missing."""
    values = reading.frame[name].to_numpy(dtype=float, na_value=float("nan"))
    if are_dates(name, values, reading.raw[name]):
        yield Question("dates", f"The numbers of {shown(name)} look like dates.", (name,),
                       (("Dates, no feature", Mend("dates", (name,))),), len(values))
    elif (code := code_for_missing(values)) is not None:
        cells = tuple(text for text in levels_of(reading.raw[name])[0]
                      if text and (name, text) not in decided and read_cells([text]).numbers == [code])
        count = int((values == code).sum())
        if cells:           # else it came from a text that somebody has decided on
            yield Question("code", f"{several(count, 'cell')} of {shown(name)} {verb_for(count, 'hold')} {code:g}, far from all "
                           "others, as people write for missing.", (name,), (("Missing", Mend("missing", (name,), cells)),), count)


def measured_in(cells) -> str:
    """What {text: count} are, where most are numbers written with a unit or with spaces: an example; "" of other texts."""
    kinds = _kinds("", cells, cells)
    return next((text for kind in ("unit", "spaces") for text in kinds.get(kind, ())), "")


def _kinds(name, cells, every) -> dict:
    """{kind of question: {text: count}} of one column, from its texts that are not decided on, and all of its texts."""
    total = sum(every.values())
    if not cells or are_codes(list(every), list(every.values())):
        return {}
    of = {text: cell_of(text) for text in every}
    if len(every) > 2 and all(truth(text) or text in ("0", "1") for text in every) and any(map(truth, every)):
        return {"yes-no": every}
    dates = sum(n for text, n in every.items() if of[text].kind == "date")
    measured = sum(n for text, n in every.items() if of[text].kind in ("number", "marked", "below", "above"))
    if 2 * dates >= total:
        return _by_kind(cells, of, ("unknown", "text", "number")) if dates < total else {}
    if 2 * measured < total or not any(of[text].number for text in every):
        return _of_words(cells, every)
    if _are_stages(every, of):
        return {}
    units = {text: n for text, n in cells.items() if of[text].unit and of[text].kind == "number"}
    kinds = _by_kind(cells, of, ("unknown", "text", "date", "marked", "below", "above"))
    if units:
        kinds["unit"] = units
    spaced = {text: n for text, n in cells.items() if without_spaces(text) != text}
    if spaced:
        kinds["spaces"] = spaced
    if not kinds and read_cells([of[text].number or text for text, n in every.items() for _ in range(n)]).comma == "either":
        kinds["comma"] = cells
    return kinds


def _are_stages(cells, of):
    """Such as 1, 2, 3, 4a: few levels, whole numbers, and nothing that says that a number is not known."""
    plain = [number(text) for text in cells]
    odd = [text for text, value in zip(cells, plain, strict=True) if value is None]
    whole = all(value is None or value.is_integer() for value in plain)
    gap = any(" " in text for text in odd)
    return whole and len(cells) <= _STAGES and not gap and not any(of[text].kind in ("unknown", "below", "above") for text in odd)


def _by_kind(cells, of, kinds):
    by_kind = {}
    for text, n in cells.items():
        kind = of[text].kind
        if kind in kinds:
            unknown = "kept" if text.lower() in MISSING_MARKS else "missing"
            key = {"unknown": unknown, "date": "text", "number": "text"}.get(kind, kind)
            by_kind.setdefault(key, {})[text] = n
    return by_kind


def _of_words(cells, every):
    """The questions about a column of words: marks for missing, and words that are one but for how they are written."""
    unknown = {text: n for text, n in cells.items()
               if is_unknown(text) and not truth(text) and text.lower() not in MISSING_MARKS}      # those were kept on request
    rest = {text: n for text, n in every.items() if not is_unknown(text) or truth(text)}
    kinds = {"missing": unknown} if unknown and 2 * sum(unknown.values()) < sum(every.values()) else {}
    words = set(map(key, rest))
    if {truth(text) for text in rest} == {"yes", "no"}:
        if len(rest) > 2:
            kinds["yes-no"] = rest
    elif len(words) < len(rest) and len(words) * 2 < sum(rest.values()):
        same = Counter(map(key, rest))
        kinds["spelling"] = {text: n for text, n in rest.items() if same[key(text)] > 1}
    return kinds


# ---- the sentences ----

def _other_units(cells_of, usual):
    """Units of cells, {column: texts}, that are other ones than the usual unit of their column."""
    return list(dict.fromkeys(unit for name, cells in cells_of.items() for unit in (cell_of(text).unit for text in cells)
                              if unit and not same_unit(unit, usual[name])))


def _together(kind, cells_of, usual) -> Question:
    """One question about cells of one kind in all columns that have them. usual: {column: its unit, as far as it says so}."""
    texts = Counter()
    for cells in cells_of.values():
        texts.update(cells)
    columns, count = tuple(cells_of), sum(texts.values())
    often = [f"{shown(text, 20)} ({n})" if len(texts) > 1 else shown(text, 20) for text, n in texts.most_common(5)]
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    holds = f"{several(count, 'cell')} of {listed(columns)} {verb_for(count, 'hold')} {', '.join(often)}{more}"
    what = {"missing": "that seems to say that nothing is known", "kept": "kept as texts on request, among numbers",
            "text": "which is neither a number nor a usual mark for missing",
            "marked": "a number with something beside it",
            "below": "below what could be measured", "above": "above what could be measured"}[kind]
    cells = tuple(texts)
    if kind in ("below", "above") and (odd := _other_units(cells_of, usual)):
        what += f"; {listed(odd)} {be(len(odd))} not converted: the number counts as it stands"
    offers = {"below": ("half", "limit", "missing"), "above": ("limit", "missing"),
              "marked": ("number", "missing")}.get(kind, ("missing",))
    labels = {"missing": "Missing", "half": "Half the limit", "limit": "The limit", "number": "The number"}
    return Question(kind, f"{holds}, {what}.", columns,
                    tuple((labels[do], Mend(do, columns, cells)) for do in offers), count)


def _single(kind, name, cells, done, usual):
    """A question about one column. usual: the unit that its name says, or the line of units; "" where neither does."""
    count, some = sum(cells.values()), listed(cells, 4)
    if kind == "unit":
        units = Counter()
        for text, n in cells.items():
            units[cell_of(text).unit] += n
        units = {unit: n for unit, n in units.items() if done.get(("unit", name), Mend("", ())).unit != unit}
        yield _about_units(name, units, some, usual, cells)
    elif kind == "yes-no":
        yield Question(kind, f"{shown(name)} says yes and no in {len(cells)} ways: {some}.", (name,),
                       (("Yes and no", Mend("yes-no", (name,))), ("Different: keep them apart", Mend(APART, (name,)))), count)
    elif kind == "spelling":
        yield Question(kind, f"{shown(name)} holds words that differ in capitals or unseen signs only: {some}.", (name,),
                       (("Join them", Mend("spelling", (name,))), ("Different: keep them apart", Mend(APART, (name,)))), count)
    elif kind == "spaces":
        yield Question(kind, f"{several(count, 'cell')} of {shown(name)} {verb_for(count, 'hold')} spaces or other signs within a "
                       f"number: {some}.", (name,), (("Parts of one number", Mend("spaces", (name,))),), count)
    elif not {("decimal", name), ("thousands", name)} & set(done):
        example = next((text for text in cells if "," in text), None) or next(iter(cells))
        yield Question("comma", f"{shown(name)} holds numbers such as {shown(example)}, which can be read in two ways.", (name,),
                       tuple((f"{shown(example)} is {_read(example, comma)}", Mend(comma, (name,)))
                             for comma in ("decimal", "thousands")), count)


def _read(example, comma):
    numbers = read_cells([example], comma).numbers
    return "text" if numbers is None else f"{numbers[0]:.12g}"


def _about_units(name, units, some, usual, cells):
    if len(units) == 1:
        (unit, n), = units.items()
        holds = f"{several(n, 'cell')} of {shown(name)} {verb_for(n, 'hold')} a number with the unit {shown(unit)}: {some}."
        take_off = Mend("unit", (name,), unit=unit)
        if not usual or same_unit(unit, usual):
            return Question("unit", holds, (name,), ((f"Numbers in {unit}", take_off),), n)
        them = "it" if n == 1 else "them"
        return Question("unit", f"{holds} The column is in {shown(usual)}. Units are not converted here: if that is another one, "
                        f"correct {them} in the table or read {them} as missing.", (name,),
                        (("Missing", Mend("missing", (name,), tuple(cells))), (f"The same as {usual}", take_off)), n)
    odd = tuple(text for text in cells if usual and not same_unit(cell_of(text).unit, usual))
    in_unit, ways = (f", a column in {shown(usual)},", ", read those in another unit as missing") if odd else ("", "")
    offers = (("Missing where another unit stands", Mend("missing", (name,), odd)),) if odd else ()
    return Question("unit", f"{shown(name)}{in_unit} holds numbers in several units, {listed(units)}, which are not converted "
                    f"here: {some}; correct the table{ways}, or leave the column out.", (name,), offers, sum(units.values()))


def narrowed(mend: Mend, columns) -> Mend:
    """The same decision for some of its columns only."""
    return replace(mend, columns=tuple(name for name in mend.columns if name in columns))
