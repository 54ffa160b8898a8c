"""A link to what is seen: to a read-only copy of the work, with every what-if in the address; and the viewer's own copy."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

import streamlit as st

from pages.parts import address, scenarios, session
from pages.parts.people import needed
from pages.parts.session import TRIED_HERE
from pages.parts.text import sentences
from pages.server.sign_in import who
from pages.workspace import links
from pages.workspace.projects import duplicate, refuse_when_full
from stabcore.base.text import several


def popover():
    """Make a link and copy it; take all links back."""
    here = session.workspace()
    box = st.popover("Copy link", icon=":material/link:", type="tertiary", key="link", on_change="rerun")
    if not box.open or here is None:
        return
    with box, sentences():
        if here.frozen is not None:
            st.markdown(f"This address shows what you see to everybody who has it and can {needed()}.")
            if TRIED_HERE in st.session_state:
                st.caption(
                    "Of what you changed in scenarios, it tells the base, the threshold and how correlations count. Groups, "
                    "pairs set by hand and other scenarios are seen by you alone: make a copy of your own to send them."
                )
            _shown(here)
        else:
            _made(here)


def _made(here):
    """The link to the work as it is now, once it is asked for."""
    st.markdown(
        "A link shows what you see now as a **read-only copy**: whoever opens it can try every what-if, sees none of your "
        "later changes and cannot change your work or find it."
    )
    st.caption(
        f"It is for whoever can {needed()}. They see the results, and can make a copy of their own, with the table. "
        "Send it to nobody who may not see the table."
    )
    copy = links.current(here)
    if copy is not None:
        _shown(copy)
    else:
        st.button("Make a link", key="make-link", type="primary", icon=":material/link:", on_click=_make)
    if here.links:
        st.button(
            f"Take back {several(len(here.links), 'link')} of this work",
            key="withdraw",
            icon=":material/link_off:",
            on_click=session.if_work_exists(links.withdraw),
            args=(here,),
            help="Nobody can open them any more. Copies that viewers made stay.",
        )


@session.if_work_exists
def _make():
    with sentences():
        links.freeze(session.workspace())


def _shown(copy):
    """The address of a read-only copy with what is chosen now, to be copied."""
    when = datetime.fromtimestamp(copy.frozen).strftime("%Y-%m-%d %H:%M")
    st.caption(f"Read-only copy of {when}. The button at the right of the link copies it.")
    choices = [(name, text) for name, texts in (address.chosen() | address.choices()).items() for text in texts]
    st.code(f"{st.context.url or ''}?{urlencode([(session.ID, copy.id), *choices])}", language=None, wrap_lines=True)


def read_only(here):
    """In the sidebar of a read-only copy: what it is, and the way to a work of one's own."""
    when = datetime.fromtimestamp(here.frozen).strftime("%Y-%m-%d %H:%M")
    st.caption(
        f":material/lock: A **read-only copy** of {when}. Try what you like: only you see it, and nothing is kept but in "
        "the address of this page, which has no room for panels, other studies and answers about the table: a copy of your "
        "own keeps these, too."
    )
    copy_button("own-copy")


def copy_button(key):
    """From a read-only copy to a work of one's own, with all that was tried."""
    st.button(
        "Make a copy of my own",
        key=key,
        icon=":material/content_copy:",
        on_click=_own_copy,
        help="A work like any other, which keeps what you change; the copy that you were sent stays as it is.",
    )


@session.if_work_exists
def _own_copy():
    with sentences():
        choices, scenario = address.choices(), scenarios.chosen_name()
        refuse_when_full(who())
        session.take_up(duplicate(session.workspace(), who()))
        address.restore(choices)
        st.session_state[session.SCENARIO_OF_TAB] = scenario
