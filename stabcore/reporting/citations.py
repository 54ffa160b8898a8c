"""What a report cites, numbered in the order in which it is first named, and the same as BibTeX."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_ESCAPED = {"\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "{": "\\{", "}": "\\}", "$": "\\$", "#": "\\#", "_": "\\_"}


class Citations:
    """Numbers of references: cite() gives [1], [2, 5] and remembers what was named."""

    def __init__(self) -> None:
        self.named: list[str] = []

    def cite(self, reference: str) -> str:
        """The numbers, in brackets, of one reference of a catalogue, or of several that semicolons part; "" for none."""
        numbers = []
        for part in filter(None, (one.strip().removeprefix("as in ") for one in reference.split(";"))):
            before = next((one for one in self.named if _same(one, part)), None)
            if before is None:
                self.named.append(part)
            numbers.append(self.named.index(before or part) + 1)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    def listed(self) -> list[str]:
        """All that was cited, in order."""
        return [_in_words(one) for one in self.named]

    def bibtex(self) -> str:
        """The same as BibTeX; what the catalogues name in short stands in a note, to be completed."""
        entries, taken = [], set()
        for reference in self.named:
            key, kind, fields = _entry(reference)
            while key in taken:
                key += "a"
            taken.add(key)
            lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
            entries.append("\n".join([f"@{kind}{{{key},", *lines, "}"]))
        return "\n\n".join(entries) + "\n"


@cache
def known() -> dict:
    """{how the catalogues begin: (key, kind, fields)} of what is known in full; everything else is cited as they name it."""
    from importlib.resources import files

    text, entries = files("stabcore.reporting").joinpath("references.bib").read_text(encoding="utf-8"), dict[str, Any]()
    for names, kind, key, lines in re.findall(r"^(.+)\n@(\w+)\{(\w+),\n((?:  .+\n)+)\}", text, re.MULTILINE):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", lines, re.MULTILINE))
        entries |= dict.fromkeys(names.split(" | "), (key, kind, fields))
    return entries


def _same(one, other):
    """Is it one work, named with and without its journal? Two journals are two works, also of the same authors and year."""
    if _full(one) or _full(other):
        return _full(one) == _full(other)
    (first, where), (second, elsewhere) = map(_named_and_where, (one, other))
    return first == second and (where == elsewhere or not where or not elsewhere)


def _named_and_where(reference):
    """("Smith & Jones 2020", "Nature 1:2"): authors with the year, and where it appeared, if that is told."""
    named = re.match(r"(.+?\b(?:1[89]|20)\d\d[a-z]?)\b[,:. ]*(.*)$", reference)
    return (named[1], named[2]) if named else (reference, "")


def _full(reference):
    """The entry of a reference that is known in full; None where it names another journal, volume or letter of the year."""
    for short, entry in known().items():
        rest = reference.removeprefix(short)
        if len(rest) == len(reference) or rest[:1].isalnum():
            continue
        place = re.search(r"(\d+):([\d-]+)$", rest)
        fields = entry[2]
        if place is None or (place[1], place[2].replace("-", "--")) == (fields.get("volume"), fields.get("pages", place[2])):
            return entry
    return None


def _in_words(reference):
    full = _full(reference)
    if full is None:
        return f"{reference}."
    fields = full[2]
    names = ", ".join(" ".join(reversed(one.split(", "))) for one in fields["author"].split(" and ")).replace(", others", " et al")
    where = next(fields[name] for name in ("journal", "booktitle", "institution", "publisher") if name in fields)
    volume, number, pages = (fields.get(name, "").replace("--", "–") for name in ("volume", "number", "pages"))
    place = (
        f" {volume}{number and f'({number})'}{pages and f':{pages}'}"
        if volume
        else "".join(f", {one}" for one in (number, pages and f"pages {pages}") if one)
    )
    return f"{names.removesuffix('.')}. {fields['title']}. {where}{place}, {fields['year']}."


def _entry(reference):
    full = _full(reference)
    if full is not None:
        return full
    year = re.search(r"\b(1[89]|20)\d\d\b", reference)
    name = re.sub(r"[^a-z]", "", re.split(r"[ ,&]", reference)[0].lower()) or "source"
    note = "".join(_ESCAPED.get(letter, letter) for letter in reference)
    return f"{name}{year[0] if year else ''}", "misc", {"note": note} | ({"year": year[0]} if year else {})
