"""Who may do what with a project, where people sign in: one table, asked at the one door that leads to projects.

A project belongs to whoever made it, a read-only copy is for everybody who has its link and has signed in. Where nobody is asked to
sign in there is one person, ALONE, to whom belongs what belongs to nobody else; so a server whose settings are lost shows nobody
what belongs to somebody. Who it is lies beside the project as a hash, never as a name or an e-mail address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256

from pages.workspace.files import write_whole

ALONE = ""  # the person of a computer on which nobody signs in
NOBODY = None  # who has not signed in where one has to: no project is theirs
FILE = "owner"  # in the folder of a project: whose it is; none where it is ALONE's
OWNER, READER, STRANGER = "owner", "reader", "stranger"
MAY = {  # what is in the list can be changed, sent and forgotten too; what can only be opened, looked at and copied
    OWNER: frozenset({"list", "open"}),
    READER: frozenset({"open"}),
    STRANGER: frozenset(),
}
_PERSON = re.compile(r"[0-9a-f]{64}")


def person_of(claims: Mapping) -> str | None:
    """The person that a provider vouches for, by its issuer and the subject there; NOBODY where it does not say both."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not all(isinstance(text, str) and text for text in (issuer, subject)):
        return NOBODY
    return sha256(json.dumps([issuer, subject]).encode()).hexdigest()


def standing(person: str | None, owner: str | None, frozen: bool) -> str:
    """What a person is to a project: OWNER, READER of a read-only copy, or STRANGER. owner: see owner_of."""
    if person is NOBODY or owner is None:
        return STRANGER
    if frozen:
        return READER if bool(person) == bool(owner) else STRANGER
    return OWNER if person == owner else STRANGER


def may(person: str | None, what: str, project) -> bool:
    """May this person "open" a project, or see it in a "list"?"""
    return what in MAY[standing(person, owner_of(project.folder), project.frozen is not None)]


def owner_of(folder) -> str | None:
    """Whose a project is; None where that cannot be read, so that it is nobody's."""
    try:
        owner = (folder / FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ALONE
    except (OSError, UnicodeDecodeError):
        return None
    return owner if _PERSON.fullmatch(owner) else None


def give(folder, person: str):
    """Let a project that has just been made be this person's, for good."""
    if person != ALONE:
        write_whole(folder / FILE, person.encode())
