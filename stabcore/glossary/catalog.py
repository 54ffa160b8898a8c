"""All words: by key, in a text, and those that somebody looks for."""

from __future__ import annotations

import re
from functools import lru_cache

from stabcore.base.errors import InputError
from stabcore.base.text import nearest
from stabcore.glossary.agreement import AGREEMENT
from stabcore.glossary.choosing import CHOOSING
from stabcore.glossary.runs_and_rows import RUNS_AND_ROWS
from stabcore.glossary.standing_in import STANDING_IN
from stabcore.glossary.term import Term

THEMES = {"A study": RUNS_AND_ROWS, "How far runs agree": AGREEMENT, "What stands for what": STANDING_IN, "Choosing": CHOOSING}
TERMS = {term.key: term for terms in THEMES.values() for term in terms}
MOST = 4  # words of one text that are explained beside it
_FOUND_BY = {word.lower(): term.key for term in TERMS.values() for word in term.words}
_LONGEST_FIRST = sorted(_FOUND_BY, key=len, reverse=True)
_EVERY = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _LONGEST_FIRST))})(?!\w)", re.IGNORECASE)
_PASSING = {"pair", "pairs", "false", "run", "runs", "feature", "features", "cross", "places", "place", "effect", "nothing"}


def term(key: str) -> Term:
    """The word of a key. Raises InputError for one that there is not."""
    if key not in TERMS:
        raise InputError(f"There is no word {key!r} in the glossary{nearest(key, TERMS)}.")
    return TERMS[key]


def terms_in(text: str, most: int = MOST) -> list[Term]:
    """The words that a text uses, each once, in their order, at most so many; not what is said in passing in every text."""
    return [TERMS[key] for key in _keys_in(text)[:most]]


@lru_cache(maxsize=1024)
def _keys_in(text):
    """The keys of the words of a text; screens are drawn anew with the same texts again and again."""
    keys = [_FOUND_BY[match[0].lower()] for match in _EVERY.finditer(text) if match[0].lower() not in _PASSING]
    return tuple(dict.fromkeys(keys))


def words_of(text: str) -> list[Term]:
    """Every word and symbol that a screen with this text uses, also those said in passing, in the order of the glossary."""
    keys = {_FOUND_BY[match[0].lower()] for match in _EVERY.finditer(text)}
    return [
        one for one in TERMS.values() if one.key in keys or one.symbol and re.search(rf"(?<!\w){re.escape(one.symbol)}(?!\w)", text)
    ]


def looked_for(text: str) -> dict[str, list[Term]]:
    """{theme: words} of what somebody typed: those that have it in their names, else in their sentences; all where it is empty."""
    asked = text.strip().casefold()
    for where in (lambda one: " ".join((*one.words, one.symbol, one.name)), lambda one: one.sentence):
        by_theme = {theme: [one for one in terms if asked in where(one).casefold()] for theme, terms in THEMES.items()}
        if any(by_theme.values()):
            return {theme: terms for theme, terms in by_theme.items() if terms}
    return {}
