"""What the relation does: to the stability of one selector, and C as a picture."""

import streamlit as st

from pages.parts import cache, controls, figures, session, text, words
from stabcore.analysis.cautions import cautions
from stabcore.figures.relations import draw_relation, finding_relation, frame_relation
from stabcore.inference.estimate import stability
from stabcore.relation.excerpt import MOST_SHOWN, excerpt
from stabcore.wording import several


def selector(view):
    """The selector whose numbers the page tells, of those with results; None where there are none."""
    return controls.selector_choice(view.results, session.EXPLORED, "See what it does to") if view.has_runs else None


def numbers(view, label):
    """What the relation does to one selector, and what to keep in mind."""
    runs = _of_a_selector(view, label) if label is not None else None
    for sentence in cautions(view.relation, runs):
        st.warning(text.plain(sentence), icon=":material/warning:")


def _of_a_selector(view, label):
    runs = view.results.preferences(label, view.k)
    estimates = stability(runs, ["nogueira", "effective"], relation=view.relation)
    before, after = (estimate.value for estimate in estimates.values())
    undefined = "; ".join(dict.fromkeys(estimate.reason for estimate in estimates.values() if estimate.reason))
    classic, effective = st.columns(2)
    classic.metric("Classic stability", text.number(before), help=words.about("stability"))
    change = round(after - before, 3)
    effective.metric("Effective stability", text.number(after), delta=f"{change:+.3f}" if change and not undefined else None,
                     help=words.about("effective"))
    if view.k is not None:
        words.tell(f"With {several(view.k, 'feature')} in every run, the what-if of the other screens.")
    if undefined:
        st.warning(text.plain(f"Undefined: {undefined}."))
    return runs


def heat_map(view):
    """C of the features that matter most, those that go together side by side."""
    st.header("C as a picture", divider="gray")
    if view.relation.is_identity:
        words.tell("Nothing was chosen yet: every feature stands for itself alone, so there is nothing to draw.")
        return
    shown, names = excerpt(view.relation, cache.counts()), view.names
    if len(names) > MOST_SHOWN:
        words.tell(f"Of {len(names):,} features the {MOST_SHOWN} that were selected most often are drawn; where there are no "
                   "selections, those that stand for most others.")
    words.tell("The fuller the colour of a square, the more its two features stand for each other. Columns are in the order of the "
               "rows.")
    figures.figure(draw_relation(frame_relation(shown, names)), finding_relation(shown, names),
                   lambda: frame_relation(shown, names), "heat")
