"""The two maps of each selector: the Kalousis grid, and the Hamer–Dupont map of importances."""

import streamlit as st

from pages.parts import figures, highlights, session, text, words
from pages.parts.maps.view import ways_of
from stabcore.analysis.seriation import MOST_CLUSTERED
from stabcore.figures.floor import sentence_often
from stabcore.figures.maps import MOST_CELLS, columns_a_pixel, draw_grid, finding_grid, frame_grid
from stabcore.figures.rectangles import MOST_SEGMENTS, draw_rectangles, finding_rectangles, frame_rectangles, steady

TALLEST = 640               # pixels of a grid; what is beyond is scrolled to, its names and its axes stay as large


def grids(view):
    """The grids, above what is said and asked about their columns."""
    first = view.ordered[view.labels[0]]
    never = [name for name in view.highlighted if first.column_of[view.results.features.index(name)] < 0]
    if never:
        st.info(f"Highlighted, but never selected here: {text.plain(', '.join(never))}.", icon=":material/info:")
    words.tell("One row a feature, one column a run; a filled cell was selected. Unbroken rows are features that always come back "
               "(Kalousis grid). Click a bar beside a name to highlight that feature everywhere.")
    if view.order == "coselection" and len(first.columns) > MOST_CLUSTERED:
        words.tell(f"With more than {MOST_CLUSTERED:,} columns the order follows the first principal component of the selections "
                   "instead of a clustering tree.")
    span = _span(view, first)
    with view.top:
        _side_by_side(view.labels, lambda label, name: _grid(view, span, label, name))


def rectangle_maps(view):
    """The maps of importances."""
    st.header("How much each feature counted", divider="gray")
    words.tell("One bar a run; the width of a piece is the importance of a feature, the features selected most often on the left. "
               "Colours that stay in line are importance you can count on (Hamer–Dupont map). φ: how often the same features come "
               "back (Nogueira); φ_iw: the same, each counted by its importance. Unnamed: the part of all importance "
               "that belongs to features without a name above the bars, whatever their colour.")
    if told := list(dict.fromkeys(filter(None, map(view.results.importance_told, view.labels)))):
        words.tell(text.plain(f"Importance here: {'; '.join(told)}."))
    d = len(view.results.features)
    most = d if d <= 5 else st.slider("Features drawn one by one",
                                      **session.bound_range(session.PIECES, 5, min(200, d), min(40, d)))
    _side_by_side(view.labels, lambda label, name: _rectangles(view, most, label, name))


def _span(view, first):
    """(first, last) place in the order that is looked at, where there are too many columns to draw them all; else None."""
    columns = len(first.columns)
    if columns <= MOST_CELLS:
        return None
    places = range(1, columns + 1)
    chosen = session.usual(session.SPAN, (1, columns))
    if len(chosen) != 2 or not set(chosen) <= set(places) or chosen[0] > chosen[1]:         # of other results, or an address
        st.session_state[session.SPAN] = (1, columns)
    st.session_state[session.SPAN] = tuple(st.session_state[session.SPAN])
    span = st.slider("Places in the order to look at", 1, columns, **session.bound(session.SPAN, (1, columns)))
    if span[1] - span[0] < MOST_CELLS:
        words.tell("Few enough columns to see, point at and click every one of them.")
        return span
    a_pixel = columns_a_pixel(first.part(*span))
    words.tell((f"One pixel covers {a_pixel} places: the darker, the more of them were selected. " if a_pixel > 1 else "")
               + f"The {MOST_CELLS} most frequent columns shown can be clicked as points on the line; take {MOST_CELLS} places "
               "or fewer to see and click every one.")
    return span


def _side_by_side(labels, draw):
    """draw(label, name) for each selector, two beside each other."""
    for place, label, name in zip(st.columns(len(labels)), labels, ("", "-2")):
        with place:
            if len(labels) > 1:
                st.markdown(f"**{text.plain(label)}**")
            draw(label, name)


def _grid(view, span, label, name):
    """The Kalousis grid of one selector."""
    results, whole = view.results, view.ordered[label]
    part = whole.part(*span) if span else whole
    drawn = part.by_way(ways_of(view)) if view.coloured else part
    often = "" if view.left_out else sentence_often(results, label, results.preferences(label, view.k).frequencies, view.k)
    drawn = drawn.alike() if view.alike else drawn
    figures.figure(draw_grid(drawn), f"{finding_grid(part, len(results.features))} {often}".strip(),
                   lambda: frame_grid(part), f"grid{name}", pick=_toggle(results.features, whole), tallest=TALLEST,
                   of=label)


def _rectangles(view, most, label, name):
    """The Hamer–Dupont map of one selector."""
    whole = view.by_frequency[label]
    frame = frame_rectangles(whole, most, view.values(label))
    if whole.weights is None:
        why = view.results.preferences(label, view.k).no_importances
        st.info(text.plain(f"Every selected feature counts the same here: {why or 'these runs carry no importances'}."),
                icon=":material/info:")
    figures.figure(draw_rectangles(frame, whole), finding_rectangles(frame, whole.merged), frame, f"rectangles{name}",
                   pick=_toggle(view.results.features, whole), of=label)
    often = steady(whole)
    if often:
        words.tell(text.plain(f"In at least 80% of the runs: {', '.join(often)}."))
    if len(frame) > MOST_SEGMENTS:
        words.tell(f"With more than {MOST_SEGMENTS:,} pieces this is a picture: its pieces cannot be clicked and do not say their "
                   "names. Draw fewer features one by one to have that back.")


def _toggle(features, shown):
    """What a click on columns does: highlights their features everywhere, or no more."""
    def clicked(positions):
        for position in dict.fromkeys(one for one in positions if one):
            highlights.toggle([features[i] for i in shown.members(position - 1)])
    return clicked
