"""What if two features count as similar, and which pairs matter most."""

import streamlit as st

from pages.parts import cache, glossary, highlights, scenarios, session
from pages.parts.controls import ask_selector
from pages.parts.figures import show_figure
from pages.parts.text import format_stability, plain
from stabcore.analysis.whatif.pairs import influence
from stabcore.base.text import counted
from stabcore.inference.estimate import stability
from stabcore.plots.whatif import (
    DEFAULT_FEATURES,
    MAX_FEATURES,
    MAX_PAIRS,
    MAX_RANKED,
    describe_pair,
    draw_influence,
    draw_ranked_pairs,
    finding_influence,
    frame_influence,
    frame_ranked_pairs,
    half_width,
)

MAX_OFFERED = 100
ABOUT_MATRIX = (
    "The features of the most influential pairs come first. Columns are in the order of the rows.",
    "A fuller colour is a larger change. Blue raises stability, orange lowers it. An empty cell matters less than every other.",
)
ABOUT_LIST = (
    f"The {MAX_RANKED} most influential pairs: stability now, and stability if the two were fully similar, or not at all.",
    "Grey: within the interval of the stability.",
)
ABOUT_SLOPE = "The change is the slope ∂Φ_C/∂c, scaled to a full change of C. It is exact for a small step only."


def show_pairs(view):
    """The influence of each pair, and one pair to set."""
    label = ask_selector(view.results, session.SELECTOR, "Choose selector")
    runs = view.selections([label])[label]
    pairs = cache.computed(influence, runs, view.similarity, most=MAX_PAIRS)
    if pairs.empty:
        st.info("There are no two features that were ever selected.", icon=":material/info:")
        return
    value = cache.computed(stability, runs, "effective", similarity=view.similarity)
    if pairs["derivative"].isna().all():
        st.info(plain(f"Effective stability of this selector is undefined: {value.reason}."), icon=":material/info:")
        return
    drawn = st.container()  # its pair is chosen below
    ask_pair(view, pairs, value)
    with drawn:
        show_influence(view, pairs, value, label)


def show_influence(view, pairs, value, label):
    """The most influential pairs as a ranked list or a matrix."""
    half, chosen = half_width(value), st.session_state[session.PAIR]
    as_matrix = st.toggle("Show as a matrix", **session.bound(session.PAIRS_AS_MATRIX, False))
    if as_matrix:
        shown = st.slider("Set number of features", **session.bound_range(session.PAIR_FEATURES, 5, MAX_FEATURES, DEFAULT_FEATURES))
        frame = frame_influence(pairs, shown)
        drawn = draw_influence(frame, chosen, view.highlighted)
    else:
        frame = frame_ranked_pairs(pairs, value.value)
        drawn = draw_ranked_pairs(frame, half, chosen, view.highlighted)
    show_figure(
        drawn,
        finding_influence(pairs, half),
        lambda: pairs,
        "influence-matrix" if as_matrix else "influence",
        subject=label,
        pick=lambda clicked: clicked and set_pair(*frame.loc[int(clicked[0]), ["feature_a", "feature_b"]]),
        screen=view.screen,
    )
    view.screen.explain(*(ABOUT_MATRIX if as_matrix else ABOUT_LIST), "Click a pair to choose it.", plain(ABOUT_SLOPE))


def ask_pair(view, pairs, value):
    """Choose a pair, and set the similarity of its features."""
    offered = [tuple(pair) for pair in pairs[["feature_a", "feature_b"]].head(MAX_OFFERED).to_numpy()]
    chosen = tuple(session.value_or_default(session.PAIR, offered[0]) or ())
    if len(chosen) != 2 or not set(chosen) <= set(view.results.features):
        chosen = offered[0]
    if chosen not in offered:
        offered = [chosen, *offered] if chosen[::-1] not in offered else offered
        chosen = chosen if chosen in offered else chosen[::-1]
    st.session_state[session.PAIR] = chosen
    left, right = st.columns(2)
    with left:
        session.set_watched_widget(session.PAIR_CHOICE, chosen)
        a, b = st.selectbox("Choose pair", offered, key=session.PAIR_CHOICE, format_func=" and ".join, on_change=_set_listed_pair)
        session.set_watched_widget(session.PAIR_VALUE, view.similarity.value(a, b))
        st.slider(
            "Set similarity C of the pair", 0.0, 1.0, step=0.01, key=session.PAIR_VALUE, on_change=_set_pair_similarity, args=(a, b)
        )
        st.button(
            "Highlight both",
            key="highlight-pair",
            icon=":material/highlight:",
            on_click=highlights.set_highlighted,
            args=([*view.highlighted, a, b],),
        )
    right.metric("Effective stability now", format_stability(value.value), border=True)
    influence_row = pairs[(pairs["feature_a"] == a) & (pairs["feature_b"] == b)]
    if len(influence_row) and (sentence := describe_pair(influence_row.iloc[0])) != finding_influence(pairs, half_width(value)):
        right.markdown(plain(sentence))  # the answer of the screen is about another pair
    both = "" if influence_row.empty else f"{counted(influence_row['together'].iloc[0], 'run')} selected both."
    with right:
        glossary.show_caption(both, "The slider sets C for every screen.")


def set_pair(a, b):
    """Choose this pair, and highlight both features in place of the earlier pair."""
    before = st.session_state.get(session.PAIR) or ()
    st.session_state[session.PAIR] = (a, b)
    highlights.set_highlighted([*(name for name in highlights.highlighted_features() if name not in before), a, b])


def _set_listed_pair():
    """Choose the pair of the list."""
    if session.has_moved(session.PAIR_CHOICE):
        set_pair(*st.session_state[session.PAIR_CHOICE])


def _set_pair_similarity(a, b):
    """Set C of the pair on every screen."""
    if session.has_moved(session.PAIR_VALUE):
        scenarios.change(scenarios.chosen().with_edits({(a, b): st.session_state[session.PAIR_VALUE]}))
