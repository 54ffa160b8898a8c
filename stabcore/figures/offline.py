"""Figures outside of the app: the script that draws them, and each as data for it, in light colours for paper."""

from __future__ import annotations

WIDTH = 660         # pixels: what fits between the margins of A4 and of letter paper
HEIGHT = 800        # pixels: the same, below a sentence of four lines


def drawing_script() -> str:
    """plotly.js, which draws without a network."""
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()


def as_data(figure) -> str:
    """A figure as JSON that can stand in a page: nothing in it ends a script."""
    import plotly.graph_objects as go

    drawn = go.Figure(figure).update_yaxes(automargin=True)         # margins are for the letters of screens, others are wider
    drawn.update_layout(template="plotly_white", font={"size": 12, "color": "#111"}, autosize=True,
                        paper_bgcolor="#fff", plot_bgcolor="#fff")
    return drawn.to_json().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def fit_for_a_page(figure) -> float:
    """By how much a figure has to shrink so that paper need not cut it."""
    height = figure.layout.height or HEIGHT
    return round(min(1, HEIGHT / height), 3)
