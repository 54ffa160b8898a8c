"""docs/papers.md: every figure and table of the four papers once, and every exhibit or lesson that repeats one."""

import re

from support import ROOT

from stabcore.papers.catalog import EXHIBITS
from stabcore.teaching.catalog import LESSONS

PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
COUNTS = {  # as the papers count them: figures, tables
    "Kalousis, Prados & Hilario 2005": (2, 3),
    "Bommert, Rahnenführer & Lang 2017": (12, 10),
    "Sechidis et al. 2019": (2, 5),
    "Hamer & Dupont 2021": (29, 5),
}


def rows():
    """{paper: [(its number, yes, part or no, the reason)]}."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    found = zip(parts[1::2], parts[2::2], strict=True)
    return {name: re.findall(r"^\| ((?:Figure|Table) \d+) \| (\w+) \| (.+) \|$", text, re.MULTILINE) for name, text in found}


def test_every_figure_and_table_is_listed_once_with_a_reason():
    listed = rows()
    for paper, (figures, tables) in COUNTS.items():
        wanted = {f"Figure {i + 1}" for i in range(figures)} | {f"Table {i + 1}" for i in range(tables)}
        assert sorted(number for number, _, _ in listed[paper]) == sorted(wanted), paper
    assert {here for part in listed.values() for _, here, _ in part} == {"yes", "part", "no"}


def test_what_is_repeated_names_an_exhibit_and_every_exhibit_is_named():
    named = set()
    for part in rows().values():
        for number, here, reason in part:
            keys = set(re.findall(r"`([a-z0-9-]+)`", reason))
            assert keys <= {*EXHIBITS, *LESSONS} and bool(keys) == (here != "no"), number
            named |= keys
    assert {key for key in EXHIBITS if "figure" in key or "table" in key} <= named
    assert {key for key in EXHIBITS if f"`{key}`" not in PAGE} == set()


def test_the_counts_in_the_text_are_those_of_the_list():
    every = [here for part in rows().values() for _, here, _ in part]
    said = re.search(r"have (\d+) figures and tables\. (\d+) are repeated here as they are, (\d+) in part, and (\d+) are not", PAGE)
    assert tuple(map(int, said.groups())) == (len(every), *(every.count(here) for here in ("yes", "part", "no")))
