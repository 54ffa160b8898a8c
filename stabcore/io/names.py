"""Names of features as another file writes them: capitals, blanks, and what R makes of a name do not matter."""

from __future__ import annotations

import re
from collections import Counter

_MARKS = re.compile(r"[\W_]+")


def bare(name) -> str:
    """A name without what R's make.names, Excel and people change: IL-6, IL.6, il 6 and IL_6 are il.6; X16S is 16s."""
    text = str(name).strip().casefold()
    text = re.sub(r"^x(?=[\d._])", "", text)
    return _MARKS.sub(".", text).strip(".")


def _same_sign(name, other):
    """Can two names that are alike bare be one? CD4+ is neither CD4 nor CD4-, but may be what R wrote as CD4."""
    ends = {text[-1] if text[-1] in "+-" else "any" if _MARKS.fullmatch(text[-1]) else "" for text in (name.strip(), other.strip())}
    return len(ends) == 1 or "any" in ends


def match(names, known, once=True) -> dict:
    """{name: the known one that it is}, of the names for which there is exactly one.

    A name that is known stands for itself. Others are compared bare; where two known ones are then alike, none is matched, as
    nobody could say which is meant; nor, if each name is to be another feature (once), where two names are alike.
    """
    names, known = list(dict.fromkeys(map(str, names))), list(dict.fromkeys(map(str, known)))
    there = set(known)
    called = {name: name for name in names if name in there}
    free = [name for name in names if name not in there]
    alike, wanted = Counter(map(bare, known)), Counter(map(bare, free))
    of = {bare(name): name for name in known}
    taken = set(called.values())
    for name in free:
        key = bare(name)
        if key and alike[key] == 1 and _same_sign(name, of[key]) and (not once or (wanted[key] == 1 and of[key] not in taken)):
            called[name] = of[key]
    return called
