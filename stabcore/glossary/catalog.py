"""All terms: by key, in a text, and by a search."""

import re
from functools import lru_cache

from stabcore.base.errors import InputError
from stabcore.base.text import suggest_name
from stabcore.glossary.agreement import AGREEMENT
from stabcore.glossary.choosing import CHOOSING
from stabcore.glossary.runs_and_rows import RUNS_AND_ROWS
from stabcore.glossary.similarity import SIMILARITY
from stabcore.glossary.term import Term

THEMES = {"A study": RUNS_AND_ROWS, "Agreement": AGREEMENT, "Feature similarity": SIMILARITY, "Choosing": CHOOSING}
TERMS = {term.key: term for terms in THEMES.values() for term in terms}
MAX_TERMS = 6  # limit of explained terms per text
_KEY_OF_WORD = {word.lower(): term.key for term in TERMS.values() for word in term.words}
_LONGEST_FIRST = sorted(_KEY_OF_WORD, key=len, reverse=True)
_ANY_WORD = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, _LONGEST_FIRST))})(?!\w)", re.IGNORECASE)
_COMMON_WORDS = {"pair", "pairs", "false", "run", "runs", "feature", "features", "cross", "places", "place", "effect", "nothing"}


def term(key: str) -> Term:
    """The term of a key. Raises InputError for an unknown key."""
    if key not in TERMS:
        raise InputError(f"There is no term {key!r} in the glossary{suggest_name(key, TERMS)}.")
    return TERMS[key]


def terms_in(text: str, most: int = MAX_TERMS) -> list[Term]:
    """The terms in a text in order of appearance, each once, up to a limit, without words that occur in every text."""
    return [TERMS[key] for key in _keys_in(text)[:most]]


@lru_cache(maxsize=1024)
def _keys_in(text):
    """The keys of the terms in a text, cached because screens are drawn again with the same texts."""
    words = [match[0].lower() for match in _ANY_WORD.finditer(text)]
    return tuple(dict.fromkeys(_KEY_OF_WORD[word] for word in words if word not in _COMMON_WORDS))


def all_terms_in(text: str) -> list[Term]:
    """Every term and symbol in the text of a screen, common words included, in the order of the glossary."""
    keys = {_KEY_OF_WORD[match[0].lower()] for match in _ANY_WORD.finditer(text)}
    symbols = {term.key for term in TERMS.values() if term.symbol and re.search(rf"(?<!\w){re.escape(term.symbol)}(?!\w)", text)}
    return [term for term in TERMS.values() if term.key in keys | symbols]


def find_terms(text: str) -> dict[str, list[Term]]:
    """{theme: terms} with a text in their names, else in their sentences. An empty text gives all terms."""
    text = text.strip().casefold()
    for where in (lambda term: " ".join((*term.words, term.symbol, term.name)), lambda term: term.sentence):
        by_theme = {theme: [term for term in terms if text in where(term).casefold()] for theme, terms in THEMES.items()}
        if any(by_theme.values()):
            return {theme: terms for theme, terms in by_theme.items() if terms}
    return {}
