"""Names of features and selectors beside a picture, which has little room for them on a telephone."""

from __future__ import annotations

from collections import Counter
from os.path import commonprefix

from stabcore.figures.style import safe

LONGEST = 18            # letters


def short(name) -> str:
    """A name beside a picture that needs the room on a telephone; the whole one is in the hover text."""
    name = str(name)
    return safe(name if len(name) <= LONGEST else f"{name[:LONGEST - 1]}…")


def told_apart(names) -> list[str]:
    """Names beside a picture as `short` gives them; of different ones that it would cut to the same, part of what they begin alike
    with is left out."""
    names = [str(name) for name in names]
    called = {name: short(name) for name in names}
    for cut, many in Counter(called.values()).items():
        alike = [name for name in called if called[name] == cut] if many > 1 else []
        begin = len(commonprefix(alike))
        while alike and 0 < begin and alike[0][begin - 1].isalnum() and begin > LONGEST // 2:
            begin -= 1                                  # back to where a word begins
        if alike:
            ends = told_apart([name[begin:] for name in alike])
            called |= {name: f"{safe(name[:max(0, LONGEST - 2 - len(end))])}…{end.lstrip('…')}"
                       for name, end in zip(alike, ends, strict=True)}
    return [called[name] for name in names]


def starred(names, highlighted) -> list[str]:
    """The same, the highlighted ones bold with a star."""
    return [f"<b>★ {name}</b>" if lit else name for name, lit in zip(told_apart(names), highlighted, strict=True)]
