"""Sign-in, and its words in sentences."""

import streamlit as st

from pages.parts.text import plain
from pages.server import sign_in
from pages.server.access import access_key, needs_session
from pages.server.sign_in import SIGNED_IN, current_person, has_sign_in
from pages.workspace import people

NAME_CLAIMS = ("name", "email", "preferred_username")


def describe_access() -> str:
    """The condition for opening an address of this server, in words after "can"."""
    if has_sign_in():
        return "sign in here"
    asked = "type its key" if access_key() else "open it by an invitation (`feature-stability --invite`)"
    return "reach this server" + f" and {asked}" * needs_session(signs_in=False)


def require_sign_in():
    """Stop a page with the sign-in unless somebody is signed in. Runs before everything else."""
    if current_person() is not people.NOBODY:
        return
    st.title("Sign in")
    if st.user.get(SIGNED_IN):
        st.error(
            "Your provider did not identify you (issuer and subject), so no project can be kept for you.", icon=":material/error:"
        )
        st.button("Sign out", key="sign-out-unknown", on_click=st.logout)
    elif words := sign_in.fault():
        st.error(plain(f"Sign-in does not work now. {words}"), icon=":material/error:")
    else:
        _show_providers()
    st.stop()


def _show_providers():
    """A button for each provider."""
    st.markdown("Projects on this server belong to the person who made them. Nobody else can open yours.")
    if st.query_params:
        st.caption("After signing in, you come to the screen of this link. Otherwise open the link again.")
    for provider in sign_in.providers(sign_in.read_settings()):
        label = "Sign in" if provider == "default" else f"Sign in with {provider}"
        st.button(
            plain(label), key=f"sign-in-{provider}", type="primary", icon=":material/login:", on_click=st.login, args=(provider,)
        )


def show_person():
    """The signed-in person, and sign-out."""
    if not has_sign_in():
        return
    claims = st.user.to_dict()
    with st.sidebar:
        name = next((str(claims[key]) for key in NAME_CLAIMS if claims.get(key)), "an account without a name")
        st.caption(f":material/person: Signed in as **{plain(name)}**")
        st.button("Sign out", key="sign-out", type="tertiary", icon=":material/logout:", on_click=st.logout)


def describe_home() -> str:
    """Where projects are, in words."""
    return "this server" if has_sign_in() else "this computer"
