"""What a report cites, numbered in the order in which it is first named, and the same as BibTeX."""

from __future__ import annotations

import re

# What is known in full; everything else is cited as the catalogues name it. {how the catalogues begin: (key, kind, fields)}
FULL = {
    "Nogueira, Sechidis & Brown 2018": ("nogueira2018", "article", {
        "author": "Nogueira, Sarah and Sechidis, Konstantinos and Brown, Gavin", "year": "2018",
        "title": "On the Stability of Feature Selection Algorithms", "journal": "Journal of Machine Learning Research",
        "volume": "18", "number": "174", "pages": "1--54"}),
    "Sechidis et al. 2019": ("sechidis2019", "inproceedings", {
        "author": "Sechidis, Konstantinos and Papangelou, Konstantinos and Nogueira, Sarah and Weatherall, James and Brown, Gavin",
        "year": "2019", "title": "On the Stability of Feature Selection in the Presence of Feature Correlations",
        "booktitle": "ECML PKDD"}),
    "Shah & Samworth 2013": ("shah2013", "article", {
        "author": "Shah, Rajen D. and Samworth, Richard J.", "year": "2013", "volume": "75", "pages": "55--80",
        "title": "Variable selection with error control: another look at stability selection",
        "journal": "Journal of the Royal Statistical Society: Series B"}),
    "Meinshausen & Bühlmann 2010": ("meinshausen2010", "article", {
        "author": "Meinshausen, Nicolai and B{\\\"u}hlmann, Peter", "year": "2010", "title": "Stability selection",
        "journal": "Journal of the Royal Statistical Society: Series B", "volume": "72", "pages": "417--473"}),
    "Nadeau & Bengio 2003": ("nadeau2003", "article", {
        "author": "Nadeau, Claude and Bengio, Yoshua", "year": "2003", "title": "Inference for the Generalization Error",
        "journal": "Machine Learning", "volume": "52", "pages": "239--281"}),
    "Collins et al. 2024": ("collins2024", "article", {
        "author": "Collins, Gary S. and others", "year": "2024", "journal": "BMJ", "volume": "385", "pages": "e078378",
        "title": "TRIPOD+AI statement"}),
    "McShane et al. 2005": ("mcshane2005", "article", {
        "author": "McShane, Lisa M. and others", "year": "2005", "journal": "Journal of the National Cancer Institute",
        "volume": "97", "pages": "1180--1184", "title": "Reporting recommendations for tumor marker prognostic studies (REMARK)"}),
}
_ESCAPED = {"\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "{": "\\{", "}": "\\}", "$": "\\$", "#": "\\#", "_": "\\_"}


class Citations:
    """Numbers of references: cite() gives [1], [2, 5] and remembers what was named."""

    def __init__(self) -> None:
        self.named: list[str] = []

    def cite(self, reference: str) -> str:
        """The numbers, in brackets, of one reference of a catalogue, or of several that semicolons part; "" for none."""
        numbers = []
        for part in filter(None, (one.strip().removeprefix("as in ") for one in reference.split(";"))):
            known = next((one for one in self.named if _same(one, part)), None)
            if known is None:
                self.named.append(part)
            numbers.append(self.named.index(known or part) + 1)
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


def _same(one, other):
    """Is it one work, named with and without its journal?"""
    first, second = (text.split(",")[0] if re.search(r"\d{4}$", text.split(",")[0]) else text for text in (one, other))
    return one == other or first == second


def _full(reference):
    return next((FULL[short] for short in FULL if reference.startswith(short)), None)


def _in_words(reference):
    full = _full(reference)
    if full is None:
        return f"{reference}."
    fields = full[2]
    names = [" ".join(reversed(one.split(", "))) for one in fields["author"].replace('{\\"u}', "ü").split(" and ")]
    where = fields.get("journal", fields.get("booktitle", ""))
    volume = f" {fields['volume']}" if "volume" in fields else ""
    volume += f"({fields['number']})" if "number" in fields else ""
    pages = f":{fields['pages'].replace('--', '–')}" if "pages" in fields else ""
    return f"{', '.join(names).replace(', others', ' et al.')}. {fields['title']}. {where}{volume}{pages}, {fields['year']}."


def _entry(reference):
    full = _full(reference)
    if full is not None:
        return full
    year = re.search(r"\b(1[89]|20)\d\d\b", reference)
    name = re.sub(r"[^a-z]", "", re.split(r"[ ,&]", reference)[0].lower()) or "source"
    note = "".join(_ESCAPED.get(letter, letter) for letter in reference)
    return f"{name}{year[0] if year else ''}", "misc", {"note": note} | ({"year": year[0]} if year else {})
