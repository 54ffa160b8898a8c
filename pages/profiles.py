"""Profiles: stability against the number of features and of runs, beside random ranking; where it seems to end."""

import streamlit as st

from pages.parts import controls, figures, guards, layout, profiles, session
from pages.parts.profiles import ProfileView, ask_size
from pages.parts.view import View


def screen():
    """One section of the page under the controls that all share."""
    results = guards.require_results()
    rankers = [label for label in results.finished_selectors if results.can_rank(label) and results.longest([label])]
    offered = profiles.SECTIONS if rankers else {"runs": profiles.SECTIONS["runs"]}
    if not rankers:
        st.info(
            "Some of these runs selected nothing, or they hold what was selected and not the order of all features. Other "
            "numbers of features cannot be asked for. Run a study, or bring scores or ranks.",
            icon=":material/info:",
        )
        st.page_link("pages/start.py", label="Go to Start", icon=":material/arrow_forward:")
    section = controls.section(session.PROFILE_SECTION, {key: title for key, (title, _) in offered.items()})
    top = st.container()  # above its controls, which are told of further below
    k = ask_size(results, rankers) if rankers else None
    view = View(results, k, top).extended(ProfileView, rankers=rankers)
    offered[section][1](view)
    controls.interval_caveat(results)
    controls.similarity_line(view)


layout.title("How many features can be trusted?")
figures.fragment(screen)
