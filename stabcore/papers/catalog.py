"""All exhibits by key, and on the command line, with the bundled tables or with the user's."""

from collections.abc import Iterator, Sequence

from stabcore.base.errors import InputError
from stabcore.base.text import quote as as_text
from stabcore.base.text import suggest_name
from stabcore.papers import bommert, hamer, kalousis, sechidis
from stabcore.papers.exhibit import TABLE, Source, check_exhibit

EXHIBITS = {exhibit.key: exhibit for module in (kalousis, bommert, sechidis, hamer) for exhibit in module.EXHIBITS}


def list_exhibits() -> Iterator[str]:
    """Yield one line per exhibit: its key, its paper and its title."""
    width = max(map(len, EXHIBITS))
    for key, exhibit in EXHIBITS.items():
        yield f"{key:{width}}  {exhibit.paper}, {exhibit.number}: {exhibit.title}"


def make_exhibits(keys: Sequence[str], source: Source) -> Iterator[str]:
    """Make exhibits one after another, and print their tables and the verdicts on their claims.

    Raises InputError for an unknown key, and if the folder of the source lacks a settings file.
    """
    for key in keys:
        if key not in EXHIBITS:
            raise InputError(f"There is no figure or table {as_text(key)}{suggest_name(key, EXHIBITS)}. Omit the name to list all.")
    for key in keys:
        exhibit = EXHIBITS[key]
        result = check_exhibit(exhibit, source)
        yield f"{exhibit.paper}, {exhibit.number}: {exhibit.title}"
        if exhibit.kind == TABLE:
            yield result.frame.round(3).to_string(index=False)
        yield result.sentence
        yield from (
            f"{row.verdict}: {row.claim} Section {row.section}. In the paper: {row.printed}. Here: {row.here}."
            for row in result.table.itertuples()
        )
