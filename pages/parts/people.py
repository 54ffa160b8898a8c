"""Who is at this session, where who runs the server lets people sign in: asked at every door, never kept in the session."""

import os
from importlib.util import find_spec

import streamlit as st

from pages.parts.text import plain
from stabcore.app import people
from stabcore.app.processes import FRONT

SIGNED_IN = "is_logged_in"      # what the toolkit tells of a person only where its secrets.toml has a table [auth]
NAMES = ("name", "email", "preferred_username")


def signs_in() -> bool:
    """Do people sign in here, so that each has works of their own?"""
    return SIGNED_IN in st.user


def who() -> str | None:
    """The person of this session, as works know them; people.ALONE where nobody signs in, people.NOBODY before somebody has."""
    return people.person_of(st.user.to_dict()) if signs_in() else people.ALONE


def gate():
    """Before anything else of a page: stop it with the way in where nobody has signed in yet."""
    if who() is not people.NOBODY:
        return
    st.title("Sign in")
    if st.user.get(SIGNED_IN):
        st.error("Your provider vouches for you without saying who it is (issuer and subject), so no work can be kept for you.",
                 icon=":material/error:")
        st.button("Sign out", key="sign-out-unknown", on_click=st.logout)
    elif words := fault():
        st.error(plain(f"People sign in here, but they cannot now. {words}"), icon=":material/error:")
    else:
        _ways_in()
    st.stop()


def _ways_in():
    """A button for each provider."""
    st.markdown("Works on this server belong to whoever made them: nobody else can open, see or change yours.")
    if st.query_params:
        st.caption("Open the link by which you came once more when you have signed in.")
    for provider in people.providers(asked_for()):
        label = "Sign in" if provider == "default" else f"Sign in with {provider}"
        st.button(plain(label), key=f"sign-in-{provider}", type="primary", icon=":material/login:", on_click=st.login,
                  args=(provider,))


def sidebar():
    """Who has signed in, and the way out."""
    if not signs_in():
        return
    told = st.user.to_dict()
    with st.sidebar:
        name = next((str(told[key]) for key in NAMES if told.get(key)), "somebody whose name your provider does not tell")
        st.caption(f":material/person: Signed in as **{plain(name)}**")
        st.button("Sign out", key="sign-out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def asked_for() -> dict:
    """The table [auth] of .streamlit/secrets.toml; empty where nobody signs in."""
    try:
        return st.secrets["auth"].to_dict()
    except (FileNotFoundError, KeyError):
        return {}


def fault() -> str:
    """Why nobody can sign in, though people should; "" where all is well, or nobody signs in."""
    auth = asked_for()
    return people.sign_in_fault(auth, all(map(find_spec, ("authlib", "httpx"))), FRONT in os.environ) if auth else ""


def place() -> str:
    """Where works lie, as sentences say it."""
    return "this server" if signs_in() else "this computer"
