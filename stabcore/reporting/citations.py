"""References of a report, numbered in the order of their first citation, and as BibTeX."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_ESCAPED = {"\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "{": "\\{", "}": "\\}", "$": "\\$", "#": "\\#", "_": "\\_"}


class Citations:
    """Numbers of references: cite() returns [1] or [2, 5] and remembers the references."""

    def __init__(self) -> None:
        self.named: list[str] = []

    def cite(self, reference: str) -> str:
        """Return the numbers, in brackets, of the references of a catalogue, separated by semicolons. "" for none."""
        numbers = []
        for part in filter(None, (name.strip().removeprefix("as in ") for name in reference.split(";"))):
            before = next((name for name in self.named if _same(name, part)), None)
            if before is None:
                self.named.append(part)
            numbers.append(self.named.index(before or part) + 1)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    def listed(self) -> list[str]:
        """Return all references in order."""
        return [_in_words(name) for name in self.named]

    def bibtex(self) -> str:
        """Return the references as BibTeX. References with a short name only get a note, to be completed."""
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
def full_references() -> dict:
    """Return {beginning of a reference in the catalogues: (key, kind, fields)} of references known in full."""
    from importlib.resources import files

    text, entries = files("stabcore.reporting").joinpath("references.bib").read_text(encoding="utf-8"), dict[str, Any]()
    for names, kind, key, lines in re.findall(r"^(.+)\n@(\w+)\{(\w+),\n((?:  .+\n)+)\}", text, re.MULTILINE):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", lines, re.MULTILINE))
        entries |= dict.fromkeys(names.split(" | "), (key, kind, fields))
    return entries


def _same(reference, other):
    """Whether both name the same work, with or without its journal. Different journals mean different works."""
    if _full(reference) or _full(other):
        return _full(reference) == _full(other)
    (first, where), (second, elsewhere) = map(_named_and_where, (reference, other))
    return first == second and (where == elsewhere or not where or not elsewhere)


def _named_and_where(reference):
    """("Smith & Jones 2020", "Nature 1:2"): authors with the year, and the journal, if it is named."""
    named = re.match(r"(.+?\b(?:1[89]|20)\d\d[a-z]?)\b[,:. ]*(.*)$", reference)
    return (named[1], named[2]) if named else (reference, "")


def _full(reference):
    """The entry of a reference known in full. None if it names another journal, volume or letter of the year."""
    for short, entry in full_references().items():
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
    names = ", ".join(" ".join(reversed(author.split(", "))) for author in fields["author"].split(" and ")).replace(
        ", others", " et al"
    )
    where = next(fields[name] for name in ("journal", "booktitle", "institution", "publisher") if name in fields)
    volume, number, pages = (fields.get(name, "").replace("--", "–") for name in ("volume", "number", "pages"))
    place = (
        f" {volume}{number and f'({number})'}{pages and f':{pages}'}"
        if volume
        else "".join(f", {part}" for part in (number, pages and f"pages {pages}") if part)
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
