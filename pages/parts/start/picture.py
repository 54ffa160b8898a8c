"""A panel as a small picture on the first screen, in the typeface of the page."""

from html import escape

from stabcore.plots.style import GREY

BLUE = "#3A8DC5"  # at least 3:1 on white and on black
GRID = "display:grid;grid-template-columns:max-content 1fr max-content;column-gap:0.5em;line-height:1.6em;font-size:0.75rem"


def panel_html(features, threshold, shuffled) -> str:
    """Return HTML with a bar for each of {feature: selection frequency}.

    threshold: a dotted line. shuffled: the highest selection frequency of any feature with the outcome shuffled, a grey line.
    """
    lines = "".join(
        f'<i style="position:absolute;left:{place:.0%};top:0;bottom:0;border-left:1px {kind} {GREY}"></i>'
        for place, kind in ((shuffled, "solid"), (threshold, "dotted"))
    )
    cells = []
    for name, share in features.items():
        colour = BLUE if share >= threshold else GREY
        bar = f'<i style="position:absolute;left:0;width:{share:.0%};top:30%;bottom:30%;background:{colour}"></i>'
        cells.append(
            f'<span style="text-align:right">{escape(name)}</span><span style="position:relative">{bar}{lines}</span>'
            f"<span>{share:.0%}</span>"
        )
    return f'<div style="{GRID}">{"".join(cells)}</div>'
