"""Where names stand beside points, so that they cover neither each other nor other points; without such a place, nowhere."""

from __future__ import annotations

import numpy as np

# Plotly's word for each place, and where the middle of a name is then: widths to the right, heights up
PLACES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (0.5, 0), "middle left": (-0.5, 0), "top right": (0.5, 1),
          "top left": (-0.5, 1), "bottom right": (0.5, -1), "bottom left": (-0.5, -1)}
WIDTH, HEIGHT = 280, 220        # of the plot in pixels, about: two beside each other under their legends, or one on a telephone
LETTER, LINE, POINT = 6.5, 14, 14
NEAR = 26                       # around a point, where another name would be taken for its own
MOST = 0.1                      # of a name may be over something else


def places(x, y, names, range_x=None, range_y=None):
    """(words, place of each) for P points: each name, and one of PLACES, or "" for a name that finds no place; legends tell those.

    x, y: (P,), none missing; names: (P,), "" where none is written; range_x, range_y: what the axes reach over, by default the
    points.
    """
    at = np.column_stack([_pixels(x, WIDTH, range_x), _pixels(y, HEIGHT, range_y)]).reshape(-1, 2)
    taken = [(*point, NEAR, NEAR) for point in at]
    words, found = [""] * len(at), ["top center"] * len(at)
    for i in np.argsort(at[:, 0], kind="stable"):
        wide = LETTER * len(names[i])
        boxes = {place: (at[i][0] + right * (wide + POINT), at[i][1] + up * (LINE + POINT) / 2, wide, LINE)
                 for place, (right, up) in PLACES.items()}
        others = np.array(taken[:i] + taken[i + 1:]).reshape(-1, 4)
        over = {place: _covered(box, others) + _outside(box) for place, box in boxes.items()}
        best = min(over, key=over.get)
        if names[i] and over[best] <= MOST * wide * LINE:
            words[i], found[i] = names[i], best
            taken.append(boxes[best])
    return words, found


def _pixels(values, size, ends):
    values = np.asarray(values, dtype=float)
    reached = np.append(values, [] if ends is None else np.asarray(ends, dtype=float)[np.isfinite(ends)])
    low, high = reached.min(initial=np.inf), reached.max(initial=-np.inf)
    return (values - low) / (high - low) * size if high > low else np.full(len(values), size / 2)


def _covered(box, others):
    """How many square pixels of others lie behind a box; boxes are (middle x, middle y, width, height)."""
    across = (box[2] + others[:, 2]) / 2 - np.abs(box[0] - others[:, 0])
    up = (box[3] + others[:, 3]) / 2 - np.abs(box[1] - others[:, 1])
    return float((np.maximum(across, 0) * np.maximum(up, 0)).sum())


def _outside(box):
    """How many square pixels of a box lie to the left or right of the plot, where they are cut off."""
    beyond = max(box[2] / 2 - box[0], box[0] + box[2] / 2 - WIDTH, 0)
    return beyond * box[3]
