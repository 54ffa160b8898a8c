"""A link to a read-only copy of the project, with all what-ifs in the address, and the viewer's own copy."""

from urllib.parse import urlencode

import streamlit as st

from pages.parts import address, cache, pictures, scenarios, session
from pages.parts.people import describe_access
from pages.parts.session import CHANGED_SETTINGS
from pages.parts.text import format_time, show_errors
from pages.server.sign_in import current_person
from pages.workspace import links
from pages.workspace.projects import duplicate
from stabcore.base.text import counted


def show_popover():
    """Make and copy a link, and withdraw all links."""
    project = session.project_or_none()
    box = st.popover("Share", type="tertiary", key="link", on_change="rerun")
    if not box.open or project is None:
        return
    with box, show_errors():
        if project.read_only_since is not None:
            st.markdown(f"This address shows what you see to everybody who has it and can {describe_access()}.")
            if CHANGED_SETTINGS in st.session_state:
                held = "The link holds base, threshold and weighting of your scenario."
                st.caption(f"{held} Groups, pairs set by hand and other scenarios need a copy of your own.")
            _show_address(project)
        else:
            _show_link(project)
        if cache.results() is not None:
            pictures.ask_format()


def _show_link(project):
    """A link to the present project, on request."""
    st.markdown(
        "A link opens a **read-only copy** of what you see now. Others can try every what-if, but cannot change your project."
    )
    st.caption(
        f"It is for people who can {describe_access()}. They can make a copy with the table. Send it only to people who may see "
        "the table."
    )
    copy = links.current_copy(project)
    if copy is not None:
        _show_address(copy)
    else:
        st.button("Make link", key="make-link", type="primary", icon=":material/link:", on_click=_make_link)
    if project.links:
        st.button(
            f"Withdraw {counted(len(project.links), 'link')}",
            key="withdraw",
            icon=":material/link_off:",
            on_click=session.if_project_exists(project.delete_links),
            help="Nobody can open them any more. Copies that others made stay.",
        )


@session.if_project_exists
def _make_link():
    with show_errors():
        links.make_copy(session.project_or_none())


def _show_address(copy):
    """The address of a read-only copy with the present choices, to be copied."""
    st.caption(f"Read-only copy of {format_time(copy.read_only_since)}. The button beside the link copies it.")
    choices = [(name, text) for name, texts in (address.changed_choices() | address.undoable_choices()).items() for text in texts]
    st.code(f"{st.context.url or ''}?{urlencode([(session.ID, copy.id), *choices])}", language=None, wrap_lines=True)


def show_read_only_note(project):
    """The note on a read-only copy in the sidebar, and the button for an own copy."""
    st.caption(
        f":material/lock: **Read-only copy** of {format_time(project.read_only_since)}. Changes stay with you, in the address of "
        "this page. It cannot hold saved panels and added studies."
    )
    show_copy_button("own-copy")


def show_copy_button(key):
    """A button that turns a read-only copy, with all changes, into an own project."""
    st.button(
        "Make own copy",
        key=key,
        icon=":material/content_copy:",
        on_click=_make_own_copy,
        help="A project of your own, which keeps your changes. The copy that you received stays as it is.",
    )


@session.if_project_exists
def _make_own_copy():
    with show_errors():
        choices, scenario = address.undoable_choices(), scenarios.chosen_name()
        session.open_project(duplicate(session.project_or_none(), current_person()))
        address.restore(choices)
        st.session_state[session.SCENARIO_OF_TAB] = scenario
