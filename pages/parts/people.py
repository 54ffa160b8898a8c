"""The door where people sign in, and how sentences speak of it."""

import streamlit as st

from pages.parts.text import plain
from pages.server import sign_in
from pages.server.access import access_key
from pages.server.sign_in import SIGNED_IN, signs_in, who
from pages.workspace import people
from pages.workspace.files import home

NAMES = ("name", "email", "preferred_username")


def needed() -> str:
    """What whoever gets an address of this server has to do to open it, in words after "can"."""
    if signs_in():
        return "sign in here"
    key = access_key(home())
    return "reach this server" + (", with a browser that has opened its first address once, which holds its key" if key else "")


def gate():
    """Before anything else of a page: stop it with the way in where nobody has signed in yet."""
    if who() is not people.NOBODY:
        return
    st.title("Sign in")
    if st.user.get(SIGNED_IN):
        st.error(
            "Your provider vouches for you without saying who it is (issuer and subject), so no project can be kept for you.",
            icon=":material/error:",
        )
        st.button("Sign out", key="sign-out-unknown", on_click=st.logout)
    elif words := sign_in.fault():
        st.error(plain(f"People sign in here, but they cannot now. {words}"), icon=":material/error:")
    else:
        _ways_in()
    st.stop()


def _ways_in():
    """A button for each provider."""
    st.markdown("Works on this server belong to whoever made them: nobody else can open, see or change yours.")
    if st.query_params:
        st.caption(
            "When you have signed in, this link goes on to what it shows. If your browser keeps to itself where it comes "
            "from, open the link once more."
        )
    for provider in sign_in.providers(sign_in.read_settings()):
        label = "Sign in" if provider == "default" else f"Sign in with {provider}"
        st.button(
            plain(label), key=f"sign-in-{provider}", type="primary", icon=":material/login:", on_click=st.login, args=(provider,)
        )


def sidebar():
    """Who has signed in, and the way out."""
    if not signs_in():
        return
    claims = st.user.to_dict()
    with st.sidebar:
        name = next((str(claims[key]) for key in NAMES if claims.get(key)), "somebody whose name your provider does not tell")
        st.caption(f":material/person: Signed in as **{plain(name)}**")
        st.button("Sign out", key="sign-out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def place() -> str:
    """Where works lie, as sentences say it."""
    return "this server" if signs_in() else "this computer"
