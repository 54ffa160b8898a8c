"""Rights on projects with sign-in: one table, checked at the only access to projects.

A project belongs to its maker. A read-only copy is for everybody who has its link and has signed in. Without sign-in there is one
person, SOLE_USER, who owns everything without another owner. So a server that loses its settings reveals no project of another
person. The owner is stored beside the project as a hash, never as a name or an e-mail address.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256

from pages.workspace.files import write_atomically

SOLE_USER = ""  # the person of a computer without sign-in
NOBODY = None  # a person who has not signed in yet and owns no project
FILE = "owner"  # in the folder of a project: its owner. Missing for SOLE_USER
OWNER, READER, STRANGER = "owner", "reader", "stranger"
RIGHTS = {  # rights to change, send and delete listed projects, and to open, view and copy others
    OWNER: frozenset({"list", "open"}),
    READER: frozenset({"open"}),
    STRANGER: frozenset(),
}
_PERSON = re.compile(r"[0-9a-f]{64}")


def person_from_claims(claims: Mapping) -> str | None:
    """The person of a provider, by issuer and subject. NOBODY if one of them is missing."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if claims.get("is_logged_in") is not True or not all(isinstance(text, str) and text for text in (issuer, subject)):
        return NOBODY
    return sha256(json.dumps([issuer, subject]).encode()).hexdigest()


def role(person: str | None, owner: str | None, is_copy: bool) -> str:
    """The role of a person: OWNER, READER of a read-only copy, or STRANGER. owner: see owner_of."""
    if person is NOBODY or owner is None:
        return STRANGER
    if is_copy:
        return READER if bool(person) == bool(owner) else STRANGER
    return OWNER if person == owner else STRANGER


def has_right(person: str | None, right: str, project) -> bool:
    """Whether this person may "open" a project, or see it in a "list"."""
    return right in RIGHTS[role(person, owner_of(project.folder), project.read_only_since is not None)]


def owner_of(folder) -> str | None:
    """The owner of a project. None if unreadable, so that it belongs to nobody."""
    try:
        owner = (folder / FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return SOLE_USER
    except (OSError, UnicodeDecodeError):
        return None
    return owner if _PERSON.fullmatch(owner) else None


def set_owner(folder, person: str):
    """Make this person the owner of a new project."""
    if person != SOLE_USER:
        write_atomically(folder / FILE, person.encode())
