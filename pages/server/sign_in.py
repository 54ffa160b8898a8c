"""Who is at this session, where who runs the server lets people sign in: asked at every door, never kept in the session."""

from collections.abc import Mapping
from importlib.util import find_spec

import streamlit as st

from pages.workspace import people

SIGNED_IN = "is_logged_in"  # what the toolkit tells of a person only where its secrets.toml has a table [auth]
NEEDED = ("client_id", "client_secret", "server_metadata_url")  # of every provider; below [auth], or in a table of its own
PACKAGE_MISSING = (
    "The package that does it is missing here. Who runs this server installs it: pip install 'stabcore[server]' "
    "(or pip install Authlib httpx)."
)


def signs_in() -> bool:
    """Do people sign in here, so that each has projects of their own?"""
    return SIGNED_IN in st.user


def who() -> str | None:
    """The person of this session, as projects know them; people.ALONE where nobody signs in, people.NOBODY before somebody has."""
    return people.person_of(st.user.to_dict()) if signs_in() else people.ALONE


def read_settings() -> dict:
    """The table [auth] of .streamlit/secrets.toml; empty where nobody signs in."""
    try:
        return st.secrets["auth"].to_dict()
    except (FileNotFoundError, KeyError):
        return {}


def fault() -> str:
    """Why nobody can sign in, though people should; "" where all is well, or nobody signs in."""
    auth = read_settings()
    return describe_fault(auth, all(map(find_spec, ("authlib", "httpx")))) if auth else ""


def providers(auth: Mapping) -> dict[str, Mapping]:
    """{name as the toolkit wants it: its settings} of the tables of [auth]; "default" for the one whose settings stand in it."""
    named = {name: table for name, table in auth.items() if isinstance(table, Mapping) and name != "client_kwargs"}
    return named if named and "client_id" not in auth else {"default": auth, **named}


def describe_fault(auth: Mapping, package: bool) -> str:
    """Why nobody can sign in, as a sentence for who runs the server; "" where nothing is missing.

    auth: the table [auth] of .streamlit/secrets.toml; package: is the package there that does it?
    """
    if not package:
        return PACKAGE_MISSING
    missing = [f"auth.{name}" for name in ("redirect_uri", "cookie_secret") if not auth.get(name)]
    for provider, table in providers(auth).items():
        where = "auth" if provider == "default" else f"auth.{provider}"
        missing += [f"{where}.{name}" for name in NEEDED if not table.get(name)]
    if missing:
        return (
            f"In .streamlit/secrets.toml there is no {', no '.join(missing)}. Who runs this server adds that, and starts it again."
        )
    if not str(auth["redirect_uri"]).endswith("/oauth2callback"):
        return (
            "In .streamlit/secrets.toml, auth.redirect_uri has to be the address of this server as browsers know it, with "
            "/oauth2callback at its end."
        )
    return ""
