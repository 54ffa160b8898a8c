"""The features that are highlighted on every screen, kept in the URL by their numbers."""

import streamlit as st

from pages.parts import cache, session

FEATURE_PROFILE = "Feature profile"  # title of the screen, which may be about another feature meanwhile
MAX_FEATURES, MAX_DIGITS = 5000, 10  # limits of an address, which anybody can write: numbers, and length of each


def sync_with_address():
    """Keep them in the URL when the page changes."""
    if st.session_state.get(session.HIGHLIGHTED) and session.HIGHLIGHTED not in st.query_params:
        set_highlighted(st.session_state[session.HIGHLIGHTED])


def highlighted_features() -> list[str]:
    """The highlighted features by name, without those that the results lack."""
    features = cache.features() or ()
    if session.HIGHLIGHTED not in st.session_state:
        texts = st.query_params.get(session.HIGHLIGHTED, "").split(".")[:MAX_FEATURES]
        numbers = [int(text) for text in texts if text.isdecimal() and len(text) < MAX_DIGITS]
        st.session_state[session.HIGHLIGHTED] = [features[i] for i in dict.fromkeys(numbers) if i < len(features)]
    have = set(features)
    return [name for name in st.session_state[session.HIGHLIGHTED] if name in have]


def set_highlighted(names):
    """Highlight these features on every screen, also after a reload."""
    names = list(dict.fromkeys(names))
    new = not set(names) <= set(st.session_state.get(session.HIGHLIGHTED) or ())
    if new and st.session_state.get(session.PAGE) != FEATURE_PROFILE:
        st.session_state.pop(session.FEATURE, None)  # the feature profile starts with the first of them
    st.session_state[session.HIGHLIGHTED] = names
    st.session_state[session.RERUN_PAGE] = True
    number = {name: i for i, name in enumerate(cache.features() or ())}
    numbers = [str(number[name]) for name in names if name in number]
    if numbers:
        st.query_params[session.HIGHLIGHTED] = ".".join(numbers)
    else:
        st.query_params.pop(session.HIGHLIGHTED, None)


def toggle_highlighted(names):
    """Highlight these features on every screen, or end that if all of them are highlighted."""
    now = highlighted_features()
    set_highlighted([name for name in now if name not in names] if set(names) <= set(now) else [*now, *names])
