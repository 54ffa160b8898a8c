"""Words as a person sees them: what two of them differ in may not be visible; and the words that say yes and no."""

from __future__ import annotations

import re
import unicodedata

from stabcore.io.question import Question
from stabcore.wording import listed, several, shown

# What people write for yes and no, side by side; selections know some more, see selection_words.
PAIRS = (("true", "false"), ("t", "f"), ("yes", "no"), ("y", "n"), ("ja", "nein"), ("j", "n"), ("oui", "non"), ("si", "no"),
         ("sí", "no"), ("wahr", "falsch"), ("positive", "negative"), ("positiv", "negativ"), ("pos", "neg"), ("pos.", "neg."),
         ("present", "absent"), ("checked", "unchecked"), ("vorhanden", "nicht vorhanden"), ("+", "-"))
_UNSEEN = re.compile("[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
                     "\ufe00-\ufe0f\ufeff\uffa0]")
_ALIKE = str.maketrans({"\u00b5": "\u03bc", "\u2126": "\u03a9", "\u212b": "\u00c5"})        # two signs each, drawn the same
_BLANKS = re.compile(r"\s+")


def as_seen(text) -> str:
    """A text without what nobody sees: signs without width, letters put together in two ways, kinds of blanks."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", _UNSEEN.sub("", text).translate(_ALIKE))).strip()


def key(text) -> str:
    """The same for two texts that say the same, whatever the capitals."""
    return unicodedata.normalize("NFC", as_seen(text).casefold())


def alike(names, bare=as_seen) -> dict[str, list[str]]:
    """{how they look: the names} of names that nobody can tell apart by looking; bare: what they are compared by."""
    seen = {}
    for name in names:
        seen.setdefault(bare(name), []).append(name)
    return {look: own for look, own in seen.items() if len(own) > 1}


def joined_names(names, answer=None) -> dict[str, str]:
    """{name: the one that stands for it} of names that nobody can tell apart by looking, as answered: "join" or "keep".

    The one that stands for them is as a person would type it. Raises Question when nobody has said.
    """
    double = alike(names)
    if not double or answer == "keep":
        return {name: name for name in names}
    if answer != "join":
        raise Question(f"{several(len(double), 'name')} {'is' if len(double) == 1 else 'are'} written in ways that look the same: "
                       f"{listed(double)}. They differ in signs that cannot be seen. Are they the same?", "alike_names",
                       {"join": "The same: join them", "keep": f"Different, as {shown(next(iter(double)))} and its double"})
    return {name: name for name in names} | {name: look for look, own in double.items() for name in own}
