"""Where names stand beside points and curves: near them, or further away with a line to them, so that nothing is covered."""

from __future__ import annotations

import numpy as np

# Plotly's word for each place, and where the middle of a name is then: widths to the right, heights up
PLACES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (0.5, 0), "middle left": (-0.5, 0), "top right": (0.5, 1),
          "top left": (-0.5, 1), "bottom right": (0.5, -1), "bottom left": (-0.5, -1)}
WIDTH, HEIGHT = 240, 290        # of the plot in pixels, at least: two beside each other, or one on a telephone
LETTER, LINE, POINT = 6.5, 14, 14
NEAR = 26                       # around a point, where another name would be taken for its own
EDGE = 14                       # from the left edge to a name that stands there
BAR = 4                         # how thick the bars of a point are
RINGS, TURNS, RING_COSTS = (26, 42, 60, 80, 105), 24, 3     # pixels from a point to further places, and what a pixel of it costs
MOST = 0.1                      # of a name may be over something else


def places(x, y, names, ends_x=None, ends_y=None):
    """(words, place of each) for P points: each name, and one of PLACES, or "" for a name that finds no place; legends tell those.

    x, y: (P,), none missing; names: (P,), "" where none is written; ends_x, ends_y: (P, 2) where the bars of each point end, NaN
    for none. Of the places that are free of names and points, one is taken that no bar strikes through, if there is one.
    """
    across, up = _pixels(x, WIDTH, ends_x), _pixels(y, HEIGHT, ends_y)
    at, bars = np.column_stack([across[:, 0], up[:, 0]]), _bars(across, up)
    taken = [(*point, NEAR, NEAR) for point in at]
    words, where = [""] * len(at), ["top center"] * len(at)
    for i in np.argsort(at[:, 0], kind="stable"):
        wide = LETTER * len(names[i])
        boxes = {place: (at[i][0] + right * (wide + POINT), at[i][1] + above * (LINE + POINT) / 2, wide, LINE)
                 for place, (right, above) in PLACES.items()}
        others = np.array(taken[:i] + taken[i + 1:]).reshape(-1, 4)
        over = {place: _covered(box, others) + _outside(box) for place, box in boxes.items()}
        free = [place for place in boxes if over[place] <= MOST * wide * LINE]
        if names[i] and free:
            words[i], where[i] = names[i], min(free, key=lambda place: over[place] + _covered(boxes[place], bars))
            taken.append(boxes[where[i]])
    return words, where


def at_left(names, y, reach) -> list:
    """Boxes of names below ticks at the left edge of a plot, see `lead`; y: of the ticks, on an axis that reaches so far."""
    up = _pixels(y, HEIGHT, None, reach)[:, 0] if len(names) else ()
    return [(EDGE + LETTER * len(name) / 2, at - LINE / 2, LETTER * len(name), LINE) for name, at in zip(names, up, strict=True)]


def lead(x, y, names, ends_x=None, ends_y=None, reach=(None, None), kept=(), wide=POINT):
    """[(right, up)] pixels from each of P points to the middle of its name, None where none is written; arguments as of `places`.
    reach: the (low, high) of each axis where it is not that of the points and their bars. kept: boxes to be left free.
    wide: pixels of each point, its ring included.

    The nearest place that is free of names, points and edges; where all near ones are taken, one further away, which a line joins
    to its point. Names are placed in the order given: those that matter most first.
    """
    across, up = _pixels(x, WIDTH, ends_x, reach[0]), _pixels(y, HEIGHT, ends_y, reach[1])
    at, bars = np.column_stack([across[:, 0], up[:, 0]]), _bars(across, up)
    size = np.broadcast_to(np.asarray(wide, dtype=float), len(at))
    points, taken, shifts = np.column_stack([at, size, size]), list(kept), [None] * len(at)
    for i, name in enumerate(names):
        if not name:
            continue
        long, others = LETTER * len(name), np.array([*points, *taken]).reshape(-1, 4)
        best, least = None, np.inf
        for cost, (right, above) in _around(long, size[i]):
            box = (at[i][0] + right, at[i][1] + above, long, LINE)
            total = cost + 4 * _covered(box, others) + 8 * _outside(box) + 8 * _above(box) + 1.5 * _covered(box, bars)
            if total < least:
                best, least = (right, above), total
        taken.append((at[i][0] + best[0], at[i][1] + best[1], long, LINE))
        shifts[i] = best
    return shifts


def _around(wide, point):
    """(what it costs in square pixels, (right, up)) of places for a name so wide: beside a point so large first, then on rings."""
    near = [(0.0, (right * (wide + point), above * (LINE + point) / 2)) for right, above in PLACES.values()]
    turns = np.linspace(0, 2 * np.pi, TURNS, endpoint=False)
    return near + [(ring * RING_COSTS, ((ring + wide / 2) * np.cos(turn), ring * np.sin(turn))) for ring in RINGS for turn in turns]


def _above(box):
    """How many square pixels of a box lie over or under the plot."""
    return max(box[3] / 2 - box[1], box[1] + box[3] / 2 - HEIGHT, 0) * box[2]


def spread(at, gap, low, high) -> np.ndarray:
    """(N,) where N names stand, each as near to its place as it can be, inside [low, high] if all fit; gap: between two, or the
    height of each.

    Places that are too near are moved as one block around their mean (isotonic regression of the places minus their steps).
    """
    at = np.asarray(at, dtype=float)
    if not len(at):
        return at
    order = np.argsort(at, kind="stable")
    tall = np.broadcast_to(np.asarray(gap, dtype=float), at.shape)[order]
    steps = np.concatenate([[0.0], np.cumsum((tall[1:] + tall[:-1]) / 2)])
    blocks = []                                     # [mean of place minus step, how many]
    for one in at[order] - steps:
        blocks.append([one, 1])
        while len(blocks) > 1 and blocks[-1][0] <= blocks[-2][0]:
            (mean, many), (before, earlier) = blocks.pop(), blocks.pop()
            blocks.append([(mean * many + before * earlier) / (many + earlier), many + earlier])
    fitted = np.repeat([mean for mean, _ in blocks], [many for _, many in blocks])
    stands = np.empty_like(at)
    stands[order] = np.clip(fitted, low, max(low, high - steps[-1])) + steps
    return stands


def _pixels(values, size, ends, reach=None):
    """(P, 3) a value and where its bar ends, as places on an axis of so many pixels over all of them, or over `reach`."""
    values = np.asarray(values, dtype=float).reshape(-1, 1)
    ends = np.full((len(values), 2), np.nan) if ends is None or not np.size(ends) else np.asarray(ends, dtype=float)
    reached = np.hstack([values, np.where(np.isfinite(ends), ends, np.nan)])
    low, high = reach or (np.nanmin(reached, initial=np.inf), np.nanmax(reached, initial=-np.inf))
    return (reached - low) / (high - low) * size if high > low else np.where(np.isnan(reached), np.nan, size / 2)


def _bars(x, y):
    """Boxes around the bars of points, those that lie and those that stand; x, y: as _pixels gives them."""
    thick = np.full(len(x), BAR)
    lying = np.column_stack([(x[:, 1] + x[:, 2]) / 2, y[:, 0], x[:, 2] - x[:, 1], thick])
    standing = np.column_stack([x[:, 0], (y[:, 1] + y[:, 2]) / 2, thick, y[:, 2] - y[:, 1]])
    bars = np.vstack([lying, standing])
    return bars[np.isfinite(bars).all(axis=1)]


def _covered(box, others):
    """How many square pixels of others lie behind a box; boxes are (middle x, middle y, width, height)."""
    across = (box[2] + others[:, 2]) / 2 - np.abs(box[0] - others[:, 0])
    up = (box[3] + others[:, 3]) / 2 - np.abs(box[1] - others[:, 1])
    return float((np.maximum(across, 0) * np.maximum(up, 0)).sum())


def _outside(box):
    """How many square pixels of a box lie to the left or right of the plot, where they are cut off."""
    beyond = max(box[2] / 2 - box[0], box[0] + box[2] / 2 - WIDTH, 0)
    return beyond * box[3]
