"""A panel as a small picture, for the first screen."""

from html import escape

from stabcore.plots.style import GREY

BLUE = "#3A8DC5"  # at least 3:1 on white and on black


def panel_thumbnail(features, threshold, shuffled) -> str:
    """Return a small SVG of a panel: a bar for each of {feature: selection frequency}.

    threshold: a dotted line. shuffled: the highest selection frequency of any feature with the outcome shuffled, a grey line.
    Readable on white and black.
    """
    wide, row, left = 232, 20, 130
    height = row * len(features)

    def place(share):
        return left + share * (wide - left - 34)

    parts = [
        f'<line x1="{place(marked):g}" x2="{place(marked):g}" y1="0" y2="{height}" stroke="{GREY}"{dash}/>'
        for marked, dash in ((shuffled, ""), (threshold, ' stroke-dasharray="2 2"'))
    ]
    for number, (name, share) in enumerate(features.items()):
        middle, colour = row * number + row / 2, BLUE if share >= threshold else GREY
        parts += [
            f'<rect x="{left}" y="{middle - 4:g}" width="{place(share) - left:g}" height="8" fill="{colour}"/>',
            f'<text x="{left - 6}" y="{middle + 4:g}" text-anchor="end">{escape(name)}</text>',
            f'<text x="{wide}" y="{middle + 4:g}" text-anchor="end">{share:.0%}</text>',
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {height}" width="{wide}" height="{height}" '
        f'font-family="sans-serif" font-size="11" fill="{GREY}">{"".join(parts)}</svg>'
    )
