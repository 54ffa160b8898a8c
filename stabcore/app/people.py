"""Who may do what with a work, where people sign in: one table, asked at the one door that leads to works.

A work belongs to whoever made it, a read-only copy is for everybody who has its link and has signed in. Where nobody is asked to
sign in there is one person, ALONE, to whom belongs what belongs to nobody else; so a server whose settings are lost shows nobody
what belongs to somebody. Who it is lies beside the work as a hash, never as a name or an e-mail address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256

from stabcore.app.private import write_whole

ALONE = ""                  # the person of a computer on which nobody signs in
NOBODY = None               # who has not signed in where one has to: no work is theirs
FILE = "owner"              # in the folder of a work: whose it is; none where it is ALONE's
OWNER, READER, STRANGER = "owner", "reader", "stranger"
MAY = {         # what is in the list can be changed, sent and forgotten too; what can only be opened, looked at and copied
    OWNER: frozenset({"list", "open"}),
    READER: frozenset({"open"}),
    STRANGER: frozenset(),
}
ASKED = ("client_id", "client_secret", "server_metadata_url")       # of every provider; below [auth], or in a table of its own
_PERSON = re.compile(r"[0-9a-f]{64}")
PACKAGE_MISSING = ("The package that does it is missing here. Who runs this server installs it: pip install 'stabcore[server]' "
                   "(or pip install Authlib httpx).")


def person_of(claims: Mapping) -> str | None:
    """The person that a provider vouches for, by its issuer and the subject there; NOBODY where it does not say both."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not all(isinstance(text, str) and text for text in (issuer, subject)):
        return NOBODY
    return sha256(json.dumps([issuer, subject]).encode()).hexdigest()


def standing(person: str | None, owner: str | None, frozen: bool) -> str:
    """What a person is to a work: OWNER, READER of a read-only copy, or STRANGER. owner: see owner_of."""
    if person is NOBODY or owner is None:
        return STRANGER
    if frozen:
        return READER if bool(person) == bool(owner) else STRANGER
    return OWNER if person == owner else STRANGER


def may(person: str | None, what: str, workspace) -> bool:
    """May this person "open" a work, or see it in a "list"?"""
    return what in MAY[standing(person, owner_of(workspace.folder), workspace.frozen is not None)]


def owner_of(folder) -> str | None:
    """Whose a work is; None where that cannot be read, so that it is nobody's."""
    try:
        owner = (folder / FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ALONE
    except (OSError, UnicodeDecodeError):
        return None
    return owner if _PERSON.fullmatch(owner) else None


def give(folder, person: str):
    """Let a work that has just been made be this person's, for good."""
    if person != ALONE:
        write_whole(folder / FILE, person.encode())


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
