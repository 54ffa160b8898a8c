"""References of a report, numbered in the order of their first citation, and as BibTeX."""

import re
from functools import cache
from typing import Any


class Citations:
    """Numbers of references: cite() returns [1] or [2, 5] and remembers the references."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[str, dict]] = {}

    def cite(self, reference: str) -> str:
        """Return the numbers, in brackets, of the references of a catalogue, separated by semicolons. "" for none."""
        numbers = []
        for part in filter(None, (name.strip().removeprefix("as in ") for name in reference.split(";"))):
            key, kind, fields = _entry(part)
            self._entries.setdefault(key, (kind, fields))
            numbers.append(list(self._entries).index(key) + 1)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    def listed(self) -> list[str]:
        """Return all references in order."""
        return [_format_reference(fields) for _, fields in self._entries.values()]

    def bibtex(self) -> str:
        """Return the references as BibTeX."""
        entries = []
        for key, (kind, fields) in self._entries.items():
            lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
            entries.append("\n".join([f"@{kind}{{{key},", *lines, "}"]))
        return "\n\n".join(entries) + "\n"


@cache
def full_references() -> dict:
    """Return {beginning of a reference in the catalogues: (key, kind, fields)} of references.bib."""
    from importlib.resources import files

    text, entries = files("stabcore.reporting").joinpath("references.bib").read_text(encoding="utf-8"), dict[str, Any]()
    for names, kind, key, lines in re.findall(r"^(.+)\n@(\w+)\{(\w+),\n((?:  .+\n)+)\}", text, re.MULTILINE):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", lines, re.MULTILINE))
        entries |= dict.fromkeys(names.split(" | "), (key, kind, fields))
    return entries


def _entry(reference):
    """The entry of a reference, with or without its journal. Raises KeyError for one that references.bib does not have."""
    for short, entry in full_references().items():
        rest = reference.removeprefix(short)
        if len(rest) == len(reference) or rest[:1].isalnum():
            continue
        place = re.search(r"(\d+):([\d-]+)$", rest)
        fields = entry[2]
        if place is None or (place[1], place[2].replace("-", "--")) == (fields.get("volume"), fields.get("pages", place[2])):
            return entry
    raise KeyError(reference)


def _format_reference(fields):
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
