"""Where names stand beside points, so that they cover neither each other nor other points."""

from __future__ import annotations

import numpy as np

# Plotly's word for each place, and where the middle of a name is then: widths to the right, heights up
PLACES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (0.5, 0), "middle left": (-0.5, 0), "top right": (0.5, 1),
          "top left": (-0.5, 1), "bottom right": (0.5, -1), "bottom left": (-0.5, -1)}
WIDTH, HEIGHT = 420, 360        # of the plot in pixels, about: as wide as on a small screen, where names are closest
LETTER, LINE, POINT = 7.5, 18, 14


def places(x, y, names, range_x=None, range_y=None):
    """One of PLACES for each point: with the least of other points and names, and of the edges, behind its name.

    x, y: (P,), none missing; names: (P,), "" where none is written; range_x, range_y: what the axes reach over, by default the
    points.
    """
    at = np.column_stack([_pixels(x, WIDTH, range_x), _pixels(y, HEIGHT, range_y)]).reshape(-1, 2)
    taken = [(*point, POINT, POINT) for point in at]
    found = ["top center"] * len(at)
    for i in np.argsort(at[:, 0], kind="stable"):
        if not names[i]:
            continue
        wide = LETTER * len(names[i])
        boxes = {place: (at[i][0] + right * (wide + POINT), at[i][1] + up * (LINE + POINT) / 2, wide, LINE)
                 for place, (right, up) in PLACES.items()}
        others = np.array(taken[:i] + taken[i + 1:]).reshape(-1, 4)
        found[i] = min(boxes, key=lambda place: _covered(boxes[place], others) + _outside(boxes[place]))
        taken.append(boxes[found[i]])
    return found


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
