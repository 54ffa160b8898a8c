"""One term of the glossary, and its small picture: SVG without text, in colours that are visible on white and on black."""

from dataclasses import dataclass
from itertools import groupby
from math import cos, pi, sin

WIDTH, HEIGHT = 120, 60
BLUE, ORANGE, GREY, GREEN = "#3A8DC5", "#E69F00", "#8A8A8A", "#009E73"


@dataclass(frozen=True)
class Diagram:
    """svg: the picture. alt: its description."""

    svg: str
    alt: str


def _diagram(parts, alt, wide=WIDTH, high=HEIGHT):
    body = "".join(parts)
    return Diagram(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'fill="none" stroke-width="1.5">{body}</svg>',
        alt,
    )


def _box(x, y, wide, high, fill="none", stroke=GREY):
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="1.5" fill="{fill}" stroke="{stroke}"/>'


def _line(x1, y1, x2, y2, colour=GREY, more=""):
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"{more}/>'


def _dot(x, y, colour=BLUE, size=4, hollow=False):
    return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{"none" if hollow else colour}" stroke="{colour}"/>'


def grid(rows, alt, row=None, column=None):
    """Runs (strings of 0 and 1) × features. Selected cells are filled. row, column: the index that gets a frame."""
    side = min(16, (HEIGHT - 6) / len(rows), (WIDTH - 6) / len(rows[0]))
    left, top = (WIDTH - side * len(rows[0])) / 2, (HEIGHT - side * len(rows)) / 2
    parts = [
        _box(left + side * j + 1, top + side * i + 1, side - 2, side - 2, {"1": BLUE, "2": ORANGE}.get(cell, "none"))
        for i, cells in enumerate(rows)
        for j, cell in enumerate(cells)
    ]
    if row is not None:
        parts.append(_box(left - 1.5, top + side * row - 0.5, side * len(rows[0]) + 3, side + 1, stroke=ORANGE))
    if column is not None:
        parts.append(_box(left + side * column - 0.5, top - 1.5, side + 1, side * len(rows) + 3, stroke=ORANGE))
    return _diagram(parts, alt)


def strips(rows, alt):
    """Rows of a table as boxes, one line per run: l learned from, h held out, any other letter left out."""
    high = min(14, (HEIGHT - 4) / len(rows))
    return _diagram(_boxes([list(cells) for cells in rows], 4, (HEIGHT - high * len(rows)) / 2, WIDTH - 8, high), alt)


def named_strips(names, rows, alt, ink, wide):
    """Draw `strips` with names before the lines, and one box for equal letters. ink: colour of names. wide: pixels in total."""
    left, high = 60, 22
    texts = [
        f'<text x="0" y="{high * i + 15}" fill="{ink}" stroke="none" font-family="sans-serif" font-size="13">{name}</text>'
        for i, name in enumerate(names)
    ]
    boxes = _boxes([["".join(equal) for _, equal in groupby(cells)] for cells in rows], left, 0, wide - left, high)
    return _diagram([*texts, *boxes], alt, wide, high * len(rows))


def _boxes(rows, left, top, wide, high):
    """Boxes as wide as the number of their equal letters, one line per list."""
    side = wide / max(len("".join(cells)) for cells in rows)
    for i, cells in enumerate(rows):
        x = left
        for letters in cells:
            fill = {"l": BLUE, "h": ORANGE}.get(letters[0], "none")
            yield _box(x + 1, top + high * i + 1.5, side * len(letters) - 2, high - 3, fill)
            x += side * len(letters)


def values(rows, alt, line=None):
    """Values with their intervals (value, low, high) between 0 and 1, None for no limit. line: a value to compare with."""
    parts = [] if line is None else [_line(6 + 108 * line, 4, 6 + 108 * line, HEIGHT - 4, ORANGE, ' stroke-dasharray="4 3"')]
    for i, (value, low, high) in enumerate(rows):
        y = HEIGHT * (i + 1) / (len(rows) + 1)
        if low is not None:
            parts += [
                _line(6 + 108 * low, y, 6 + 108 * high, y, BLUE),
                *(_line(6 + 108 * end, y - 4, 6 + 108 * end, y + 4, BLUE) for end in (low, high)),
            ]
        parts.append(_dot(6 + 108 * value, y))
    return _diagram(parts, alt)


def curves(lines, alt, across=None, up=None):
    """Curves of heights between 0 and 1. across: a height to compare with. up: a marked position."""
    parts = [_line(4, 57, 116, 57), _line(4, 3, 4, 57)]
    if across is not None:
        parts.append(_line(6, 54 - 48 * across, 114, 54 - 48 * across, ORANGE, ' stroke-dasharray="4 3"'))
    if up is not None:
        parts.append(_line(6 + 108 * up, 4, 6 + 108 * up, 56, ORANGE, ' stroke-dasharray="4 3"'))
    for colour, heights in zip((BLUE, GREEN, GREY), lines):
        points = " ".join(f"{6 + 108 * i / (len(heights) - 1):.1f},{54 - 48 * height:.1f}" for i, height in enumerate(heights))
        parts.append(f'<polyline points="{points}" stroke="{colour}" stroke-width="2"/>')
    return _diagram(parts, alt)


def bars(heights, alt, line=None, marked=()):
    """Upright bars between 0 and 1. line: a height to compare with. marked: indices of the blue bars."""
    wide = 108 / len(heights)
    parts = [
        _box(6 + wide * i + 2, 56 - 50 * height, wide - 4, 50 * height, BLUE if not marked or i in marked else "none")
        for i, height in enumerate(heights)
    ]
    if line is not None:
        parts.append(_line(4, 56 - 50 * line, 116, 56 - 50 * line, ORANGE, ' stroke-dasharray="4 3"'))
    return _diagram(parts, alt)


def net(edges, alt, n=6, full=()):
    """A ring of n features, joined where they are similar. full: indices of the blue ones."""
    places = [(60 + 44 * cos(2 * pi * i / n - pi / 2), 30 + 22 * sin(2 * pi * i / n - pi / 2)) for i in range(n)]
    ends = [(*places[a], *places[b]) for a, b in edges]
    parts = [_line(x1, y1, x2, y2, ORANGE, ' stroke-width="3"') for x1, y1, x2, y2 in ends]
    return _diagram(parts + [_dot(*place, BLUE if i in full else GREY, 5, i not in full) for i, place in enumerate(places)], alt)


def cells(values_, alt):
    """A square of cells, each between 0 (empty) and 1 (full), as C is drawn."""
    side = (HEIGHT - 6) / len(values_)
    left = (WIDTH - side * len(values_)) / 2
    return _diagram(
        [
            f'<rect x="{left + side * j + 0.5:g}" y="{3 + side * i + 0.5:g}" width="{side - 1:g}" height="{side - 1:g}" '
            f'fill="{BLUE}" fill-opacity="{value:g}" stroke="{GREY}" stroke-width="0.7"/>'
            for i, row in enumerate(values_)
            for j, value in enumerate(row)
        ],
        alt,
    )


def points(places, alt, on=(), line=()):
    """Points between 0 and 1, larger is better. on: indices of the blue ones. line: positions of a line."""
    corners = [(8 + 104 * x, 54 - 48 * y) for x, y in places]
    parts = [_line(4, 57, 116, 57), _line(4, 3, 4, 57)]
    if line:
        steps = " ".join(f"{8 + 104 * x:.1f},{54 - 48 * y:.1f}" for x, y in line)
        parts.append(f'<polyline points="{steps}" stroke="{ORANGE}" stroke-dasharray="4 3"/>')
    return _diagram(parts + [_dot(*place, BLUE if i in on else GREY, 4, i not in on) for i, place in enumerate(corners)], alt)


def sets(apart, alt, third=False):
    """Two or three sets. They share less the further they are apart (0 … 1)."""
    parts = [
        f'<circle cx="{60 + way * 22 * apart:g}" cy="30" r="20" stroke="{colour}" fill="{colour}" fill-opacity="0.25"/>'
        for way, colour in ((-1, BLUE), (1, ORANGE))
    ]
    if third:
        parts.append(f'<circle cx="60" cy="22" r="20" stroke="{GREEN}" fill="{GREEN}" fill-opacity="0.2"/>')
    return _diagram(parts, alt)


@dataclass(frozen=True, kw_only=True)
class Term:
    """One term of the screens.

    key       its name in code
    name      its name on screens
    sentence  its meaning, for a reader who has never met it
    picture   a small drawing
    symbol    in formulas, "" for none
    formula   in LaTeX, with the letters of stabcore.glossary.letters, "" for none
    also      other words for it on screens and in papers, also found in texts
    """

    key: str
    name: str
    sentence: str
    picture: Diagram
    symbol: str = ""
    formula: str = ""
    also: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which it is found."""
        return (self.name.split(" (")[0], *self.also)
