"""Names next to points and at the ends of curves, placed without overlap so that no legend is needed."""

from textwrap import wrap

import numpy as np

from stabcore.plots.marks import line, points, segments
from stabcore.plots.names import SAFE_LENGTH, safe, text_width
from stabcore.plots.style import make_taller

# Positions of the middle of a name around its point, the best first: widths to the right, heights up
LABEL_PLACES = ((0, 1), (0, -1), (0.5, 0), (-0.5, 0), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1))
# Places further away, with a line to the point: lines of text between them, and sides of the point on which most of the name lies
FAR_LINES, FAR_SIDES = (1, 2, 3, 4), (0, 0.5, -0.5)
FAR_COST, END_OF_NAME = 60, 8  # cost per line of text, pixels of a name beyond its line
PLOT_WIDTHS, PLOT_HEIGHT = (220, 330, 520, 900), 290  # pixels of the plot, from a telephone to a full screen
LABEL_HEIGHT, POINT_SIZE = 16, 14  # pixels of a name and of a point. Boxes are (middle x, middle y, width, height)
POINT_MARGIN = 8  # pixels around another point, where a name would seem to belong to it
SAVED_WIDTH = 1.1  # names in the font of saved pictures are longer by this factor
# cost of a pixel of a name that covers another name or a mark, that covers a bar, and that is cut off
COVERED_COST, BAR_COST, CUT_COST = 12, 6, 20
AXIS_MARGIN = 0.06  # share of an axis beyond its points if no range is given
# pixels to another mark within which a name would seem to belong to it, and cost per pixel
CLEARANCE, MISTAKEN_COST = 24, 16
NO_BOX = (-1e6, -1e6, 0, 0)  # a box that covers nothing
LINE_WIDTH = 3  # pixels of a line to a name, with a little space
BAR_THICKNESS = 4  # pixels of the thickness of the bars of a point
HIGHEST_COST = 4000  # largest mean cost of a position over the widths, beyond which names are left out
END_LETTERS = 14  # letters of a line of a name, limited by the space on a telephone
LETTER_WIDTH, END_LINE = 6.2, 15  # pixels of a letter, and of a line
END_GAP = 12  # pixels from the mark of a curve to its name, and from there to the edge
GUTTER = 0.03  # share of the width next to the last points, for lines to the names


# ---- next to points ----


def label_box_at_right(name, y, reach, two_lines=PLOT_HEIGHT) -> list:
    """Return the box of a name above a line at y, or with two lines around y, at the right edge of a plot, see `place_labels`.

    reach: of that axis.
    """
    lines = name.split("<br>")
    width, up = max(map(text_width, lines)), _pixels([y], two_lines, None, reach)[0, 0]
    return [(-width / 2, up + LABEL_HEIGHT / 2 * (len(lines) == 1), width, LABEL_HEIGHT * len(lines))]


def place_labels(x, y, names, ends_x=None, ends_y=None, reach=(None, None), free=(), wide=POINT_SIZE, tall=PLOT_HEIGHT):
    """Return [(right, up)] pixels from each of P points to the middle of its name, None if none is written.

    x, y: (P,), none missing. names: (P,), "" if none is written. ends_x, ends_y: (P, 2) ends of the bars of each point, NaN
    for none. reach: the (low, high) of each axis, if it differs from that of the points and their bars. free: boxes to leave free,
    with a middle below 0 counted from the right edge. wide: pixels of each point, its ring included. tall: pixels of the plot.

    It uses the best of eight positions next to a point, free of names, points and edges for all PLOT_WIDTHS, because the width of
    the screen is unknown. Else it uses one above or below, at the end of a line to the point, see `needs_line`. Names are placed in
    the order given, the most important first. A name without space is left out.
    """
    size = np.broadcast_to(np.asarray(wide, dtype=float), len(x))
    up = _pixels(y, tall, ends_y, reach[1])
    across = [_pixels(x, width, ends_x, reach[0]) for width in PLOT_WIDTHS]
    points = np.array([np.column_stack([middles[:, 0], up[:, 0]]) for middles in across])  # widths × points × 2
    bars, around = np.array([_bar_boxes(middles, up) for middles in across]), size + POINT_MARGIN
    point_boxes = [np.column_stack([middles, around, around]) for middles in points]
    taken = np.array([np.vstack([boxes, _free_boxes(free, width)]) for boxes, width in zip(point_boxes, PLOT_WIDTHS)])
    shifts: list[tuple[float, float] | None] = [None] * len(size)
    for i, name in enumerate(names):
        if name:
            long = SAVED_WIDTH * text_width(name)
            places, far = _label_offsets(long, size[i])
            boxes = np.full((len(PLOT_WIDTHS), len(places), 4), (0, 0, long, LABEL_HEIGHT), dtype=float)
            boxes[..., :2] = points[:, [i]] + places
            harm = (
                COVERED_COST * _covered_pixels(boxes, np.delete(taken, i, axis=1))
                + MISTAKEN_COST * _mistaken_pixels(boxes, points, i, size)
                + BAR_COST * _covered_pixels(boxes, bars)
                + CUT_COST * _outside_pixels(boxes, tall)
                + COVERED_COST * _covered_pixels(_line_boxes(points[:, [i]], places, size[i]), np.delete(taken, i, axis=1))
                + FAR_COST * far
            )
            costs = np.round((harm.mean(axis=0) + harm.max(axis=0)) / 2, 3)
            best = int(np.argmin(costs))
            if costs[best] <= HIGHEST_COST:
                shifts[i] = (float(places[best, 0]), float(places[best, 1]))
                line = _line_boxes(points[:, [i]], places[[best]], size[i])
                taken = np.concatenate([taken, boxes[:, [best]], line], axis=1)
    return shifts


def needs_line(up, size=POINT_SIZE) -> bool:
    """Whether a name so many pixels above a point is too far from it to belong to it by sight."""
    return abs(up) > (LABEL_HEIGHT + size) / 2


def _label_offsets(long, size):
    """((K, 2) pixels from a point to the middle of its name, (K,) lines of text between them)."""
    near = [(right * (long + size), above * (LABEL_HEIGHT + size) / 2, 0) for right, above in LABEL_PLACES]
    far = [
        (side * (long - 2 * END_OF_NAME), above * ((LABEL_HEIGHT + size) / 2 + lines * LABEL_HEIGHT), lines)
        for lines in FAR_LINES
        for above in (1, -1)
        for side in FAR_SIDES
    ]
    places = np.array([*near, *far], dtype=float)
    return places[:, :2], places[:, 2]


def _line_boxes(points, places, size):
    """(widths, K, 4) boxes of the lines from a point up or down to its name, far outside for names next to the point.

    points: (widths, 1, 2).
    """
    up, reach = places[:, 1], np.abs(places[:, 1]) - (size + LABEL_HEIGHT) / 2
    tall = np.where(reach > 0, reach, 0.0)
    boxes = np.zeros((len(points), len(places), 4))
    boxes[..., :2] = points
    boxes[..., 1] += np.sign(up) * (size / 2 + tall / 2)
    boxes[..., 2], boxes[..., 3] = LINE_WIDTH, tall
    boxes[:, tall == 0] = NO_BOX
    return boxes


def _mistaken_pixels(boxes, points, index, size):
    """(widths, K) pixels by which each box is too close to the mark of another point that is closer than its own.

    points: (widths, P, 2) positions of the points. size: (P,) pixels of each.
    """
    gaps = np.maximum(np.abs(points[:, None] - boxes[:, :, None, :2]) - boxes[:, :, None, 2:] / 2, 0)
    away = np.hypot(gaps[..., 0], gaps[..., 1]) - size / 2
    other = np.delete(away, index, axis=2).min(axis=2, initial=np.inf)
    return np.where(other < away[..., index], np.maximum(CLEARANCE - other, 0), 0)


def _free_boxes(boxes, width):
    boxes = np.array(boxes, dtype=float).reshape(-1, 4)
    boxes[:, 0] += np.where(boxes[:, 0] < 0, width, 0)
    return boxes


def spread_positions(targets, gap, low, high) -> np.ndarray:
    """Return (N,) positions of N names, each as close to its target as possible, within [low, high] if all fit.

    gap: between two, or the height of each. Positions that are too close move as one block around their mean: isotonic regression
    of the positions minus their steps. It is written here because importing SciPy's takes a third of a second.
    """
    targets = np.asarray(targets, dtype=float)
    if not len(targets):
        return targets
    order = np.argsort(targets, kind="stable")
    tall = np.broadcast_to(np.asarray(gap, dtype=float), targets.shape)[order]
    steps = np.concatenate([[0.0], np.cumsum((tall[1:] + tall[:-1]) / 2)])
    blocks = []  # [mean of position minus step, number]
    for place in targets[order] - steps:
        blocks.append([place, 1])
        while len(blocks) > 1 and blocks[-1][0] <= blocks[-2][0]:
            (mean, count), (before, earlier) = blocks.pop(), blocks.pop()
            blocks.append([(mean * count + before * earlier) / (count + earlier), count + earlier])
    fitted = np.repeat([mean for mean, _ in blocks], [count for _, count in blocks])
    stands = np.empty_like(targets)
    stands[order] = np.clip(fitted, low, max(low, high - steps[-1])) + steps
    return stands


def _pixels(values, size, ends, reach=None):
    """(P, 3) pixels of a value and of the ends of its bar, on an axis over all of them or over `reach`."""
    values = np.asarray(values, dtype=float).reshape(-1, 1)
    ends = np.full((len(values), 2), np.nan) if ends is None or not np.size(ends) else np.asarray(ends, dtype=float)
    reached = np.hstack([values, np.where(np.isfinite(ends), ends, np.nan)])
    low, high = reach or (np.nanmin(reached, initial=np.inf), np.nanmax(reached, initial=-np.inf))
    low, high = (low, high) if reach or not high > low else (low - AXIS_MARGIN * (high - low), high + AXIS_MARGIN * (high - low))
    return (reached - low) / (high - low) * size if high > low else np.where(np.isnan(reached), np.nan, size / 2)


def _bar_boxes(x, y):
    """Boxes around the horizontal and vertical bars of points. x, y: from _pixels."""
    thick = np.full(len(x), BAR_THICKNESS)
    lying = np.column_stack([(x[:, 1] + x[:, 2]) / 2, y[:, 0], x[:, 2] - x[:, 1], thick])
    standing = np.column_stack([x[:, 0], (y[:, 1] + y[:, 2]) / 2, thick, y[:, 2] - y[:, 1]])
    bars = np.vstack([lying, standing])
    return bars[np.isfinite(bars).all(axis=1)]


def _covered_pixels(boxes, others):
    """(widths, K) square pixels of others behind each box. Both are (widths, …, 4)."""
    boxes, others = boxes[:, :, None], others[:, None]
    across = (boxes[..., 2] + others[..., 2]) / 2 - np.abs(boxes[..., 0] - others[..., 0])
    up = (boxes[..., 3] + others[..., 3]) / 2 - np.abs(boxes[..., 1] - others[..., 1])
    return (np.maximum(across, 0) * np.maximum(up, 0)).sum(axis=2)


def _outside_pixels(boxes, tall):
    """(widths, K) square pixels of each box outside the plot."""
    middle, half, widths = boxes[..., :2], boxes[..., 2:] / 2, np.array(PLOT_WIDTHS)[:, None]
    beside = np.maximum(half[..., 0] - middle[..., 0], middle[..., 0] + half[..., 0] - widths)
    above = np.maximum(half[..., 1] - middle[..., 1], middle[..., 1] + half[..., 1] - tall)
    return np.maximum(beside, 0) * boxes[..., 3] + np.maximum(above, 0) * boxes[..., 2]


# ---- at the ends of curves ----


def label_curve_ends(figure, ends, reach, log=False):
    """Add the names of curves next to the picture, with a mark of the colour and a line from the end of each curve.

    ends: [(name, x, y, colour)], names not yet made safe. reach: (low, high) of the y axis, which is set. log: whether the x axis,
    whose range must be set before, is logarithmic.
    """
    ends = [end for end in ends if np.isfinite(end[2])]
    names = [wrap(str(name)[:SAFE_LENGTH], END_LETTERS, max_lines=2, placeholder="…") or [str(name)] for name, *_ in ends]
    figure.layout.showlegend = False
    figure.layout.yaxis.range = list(reach)
    if not ends:
        return figure
    longest = max(len(text) for lines in names for text in lines)
    figure.layout.margin.r = int(END_GAP + LETTER_WIDTH * longest)
    margin, (bottom, top) = figure.layout.margin, figure.layout.yaxis.domain or (0, 1)
    height = (top - bottom) * (figure.layout.height - margin.t - margin.b)
    needed = END_LINE * sum(map(len, names))
    if needed > height:
        make_taller(figure, int(np.ceil((needed - height) / (top - bottom))))
        height = (top - bottom) * (figure.layout.height - margin.t - margin.b)
    down = np.array([(reach[1] - y) / (reach[1] - reach[0]) * height for _, _, y, _ in ends])
    tall = np.array([END_LINE * len(lines) for lines in names])
    order = np.argsort(down, kind="stable")  # a name on the very edge of the picture would not be drawn
    places = spread_positions(down, tall, tall[order[0]] / 2, height - tall[order[-1]] / 2)
    up = reach[1] - places / height * (reach[1] - reach[0])
    first, last = figure.layout.xaxis.range
    figure.layout.xaxis.range = [first, last + GUTTER * (last - first)]
    beside = last + 0.99 * GUTTER * (last - first)
    beside = 10**beside if log else beside
    colours = [colour for *_, colour in ends]
    x_links, y_links = segments([((x, y), (beside, place)) for (_, x, y, _), place in zip(ends, up, strict=True)])
    texts = {"mode": "markers+text", "text": ["<br>".join(map(safe, lines)) for lines in names], "textfont": {"size": 11}}
    look = {"unselected": {"marker": {"opacity": 1}, "textfont": {"color": "grey"}}, "cliponaxis": False, "showlegend": False}
    marker, place = {"color": colours, "size": 6, "opacity": 1}, {"textposition": "middle right"}
    # one trace of texts: separate annotations would take a third of the drawing time
    return figure.add_traces(
        [line(x_links, y_links, "grey", 0.7), points([beside] * len(ends), up, marker, **texts, **place, **look)]
    )
