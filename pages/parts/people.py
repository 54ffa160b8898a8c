"""Who is at this session, where who runs the server lets people sign in: asked at every door, never kept in the session."""

import os
from collections.abc import Mapping
from importlib.util import find_spec

import streamlit as st

from pages.parts.text import plain
from stabcore.app import people, private
from stabcore.app.processes import FRONT
from stabcore.app.workspace import home

SIGNED_IN = "is_logged_in"      # what the toolkit tells of a person only where its secrets.toml has a table [auth]
NAMES = ("name", "email", "preferred_username")
ASKED = ("client_id", "client_secret", "server_metadata_url")       # of every provider; below [auth], or in a table of its own
PACKAGE_MISSING = ("The package that does it is missing here. Who runs this server installs it: pip install 'stabcore[server]' "
                   "(or pip install Authlib httpx).")


def signs_in() -> bool:
    """Do people sign in here, so that each has works of their own?"""
    return SIGNED_IN in st.user


def who() -> str | None:
    """The person of this session, as works know them; people.ALONE where nobody signs in, people.NOBODY before somebody has."""
    return people.person_of(st.user.to_dict()) if signs_in() else people.ALONE


def needed() -> str:
    """What whoever gets an address of this server has to do to open it, in words after "can"."""
    if signs_in():
        return "sign in here"
    key = private.token(home())
    return "reach this server" + (", with a browser that has opened its first address once, which holds its key" if key else "")


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
        st.caption("When you have signed in, this link goes on to what it shows. If your browser keeps to itself where it comes "
                   "from, open the link once more.")
    for provider in providers(asked_for()):
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
    return sign_in_fault(auth, all(map(find_spec, ("authlib", "httpx"))), FRONT in os.environ) if auth else ""


def providers(auth: Mapping) -> dict[str, Mapping]:
    """{name as the toolkit wants it: its settings} of the tables of [auth]; "default" for the one whose settings stand in it."""
    own = {name: table for name, table in auth.items() if isinstance(table, Mapping) and name != "client_kwargs"}
    return own if own and "client_id" not in auth else {"default": auth, **own}


def sign_in_fault(auth: Mapping, package: bool, several: bool = False) -> str:
    """Why nobody can sign in, as a sentence for who runs the server; "" where nothing is missing.

    auth: the table [auth] of .streamlit/secrets.toml; package: is the package there that does it? several: do several processes
    serve, each at a port of its own that nobody is to be sent to?
    """
    if not package:
        return PACKAGE_MISSING
    missing = [f"auth.{name}" for name in ("redirect_uri", "cookie_secret") if not auth.get(name)]
    for provider, table in providers(auth).items():
        where = "auth" if provider == "default" else f"auth.{provider}"
        missing += [f"{where}.{name}" for name in ASKED if not table.get(name)]
    if missing:
        return (f"In .streamlit/secrets.toml there is no {', no '.join(missing)}. Who runs this server adds that, and starts it "
                "again.")
    if not str(auth["redirect_uri"]).endswith("/oauth2callback") or several and "{port}" in auth["redirect_uri"]:
        return ("In .streamlit/secrets.toml, auth.redirect_uri has to be the address of this server as browsers know it, its "
                "port in figures, with /oauth2callback at its end.")
    return ""


def place() -> str:
    """Where works lie, as sentences say it."""
    return "this server" if signs_in() else "this computer"
