"""Names of features and selectors in figures: safe, short for telephones, distinct if they begin alike."""

import re
from collections import Counter
from html import escape, unescape
from os.path import commonprefix
from textwrap import wrap

SHORT_LENGTH, WIDE_LENGTH = 18, 26  # letters that fit on a telephone, and in a wide figure
SAFE_LENGTH = 40
SHORT_NAME = re.compile(r" \(([A-Za-z0-9-]{2,6})\)$")
BASELINE = re.compile(r" \(baseline\)$")  # end of the names of baselines
CONFIGURATION = re.compile(r"^(\d+) \w+ \+ \w+$")  # names of configurations of a random search, which its tables show in full
ROW_LETTERS = 16  # letters of a name next to a row, limited by the space on a telephone
# Pixels of letters on screens (Source Sans at 12 px), the widest of each kind
NARROW_LETTERS, BROAD_LETTERS = set(" !'(),-./:;I[\\]fijlrt{|}·"), set("MWmw%@…★Φ")
LETTER_WIDTHS = {"narrow": 4.0, "usual": 6.7, "capital": 7.8, "broad": 11.5}
TICK_WIDTH = 18  # from a name to its row, and from the edge to the name
TAG = re.compile(r"<[^>]*>")


def shorten(name, most=SHORT_LENGTH) -> str:
    """Shorten a name next to a picture to some letters. The full name is in the hover text."""
    name = str(name)
    return safe(name if len(name) <= most else f"{name[: most - 1]}…")


def shorten_distinctly(names, most=SHORT_LENGTH) -> list[str]:
    """Shorten names next to a picture. If two would become equal, part of their common beginning is left out."""
    names = [str(name) for name in names]
    short = {name: shorten(name, most) for name in names}
    for cut, count in Counter(short.values()).items():
        equal = [name for name in short if short[name] == cut] if count > 1 else []
        begin = len(commonprefix(equal))
        while equal and begin > 0 and equal[0][begin - 1].isalnum() and begin > most // 2:
            begin -= 1  # back to where a word begins
        if equal:
            ends = shorten_distinctly([name[begin:] for name in equal], most)
            short |= {
                name: f"{safe(name[: max(0, most - 2 - len(end))])}…{end.lstrip('…')}"
                for name, end in zip(equal, ends, strict=True)
            }
    return [short[name] for name in names]


def star_highlighted(names, highlighted, most=SHORT_LENGTH) -> list[str]:
    """Shorten names, the highlighted ones bold with a star."""
    return [f"<b>★ {name}</b>" if lit else name for name, lit in zip(shorten_distinctly(names, most), highlighted, strict=True)]


def safe(name) -> str:
    """Make a name from user data safe for a figure: no live markup, no formula, not too long.

    Quotes stay, because Plotly draws &quot; letter by letter and they have no effect outside tags.
    """
    name = str(name)
    return escape(name if len(name) <= SAFE_LENGTH else name[: SAFE_LENGTH - 1] + "…", quote=False).replace("$", "&#36;")


def safe_short_names(names) -> dict:
    """{name: short name, safe}: MIM for Mutual information (MIM), the name itself if it has no short one."""
    return {name: safe(short) for name, short in short_names(names).items()}


def short_names(names) -> dict:
    """{name: short name}, not yet safe. For a configuration of a random search, its number."""
    inside = {name: match[1] for name in names if (match := SHORT_NAME.search(str(name)))}
    inside |= {name: BASELINE.sub("", str(name)) for name in names if BASELINE.search(str(name))}
    inside |= {name: match[1] for name in names if (match := CONFIGURATION.match(str(name)))}
    taken = [inside.get(name, name) for name in names]
    return {name: inside[name] if name in inside and taken.count(inside[name]) == 1 else name for name in names}


def row_name(name) -> str:
    """Return a safe name next to its row, on two lines if it is long."""
    return "<br>".join(safe(part) for part in wrap(str(name)[:SAFE_LENGTH], ROW_LETTERS, max_lines=2, placeholder="…")) or safe(
        name
    )


def selector_rows(names) -> list[str]:
    """Return the names of selectors next to their rows: short, safe, on two lines if they are long."""
    short = short_names(list(dict.fromkeys(names)))
    return [row_name(short[name]) for name in names]


def show_row_names(figure, positions, names, **axis):
    """Set safe names as ticks of a y axis, with a margin that fits them.

    The margin is computed from the letters, because Plotly would draw everything twice to measure the names.
    """
    names = list(names)
    lines = [line for name in names for line in str(name).split("<br>")]
    margin = figure.layout.margin
    margin.l = max(margin.l or 0, TICK_WIDTH + int(max(map(text_width, lines), default=0)))
    for key, value in {"tickvals": list(positions), "ticktext": names, "automargin": False, "zeroline": False, **axis}.items():
        figure.layout.yaxis[key] = value
    return figure


def text_width(line) -> float:
    """Return the width of a line of text on screens in pixels, slightly too large."""
    text = unescape(TAG.sub("", line))
    kinds = (
        "narrow"
        if letter in NARROW_LETTERS
        else "broad"
        if letter in BROAD_LETTERS or ord(letter) > 0x2E80
        else "capital"
        if letter.isupper()
        else "usual"
        for letter in text
    )
    return (1.08 if text != line else 1) * sum(LETTER_WIDTHS[kind] for kind in kinds)
