"""What a workspace knows of read-only copies: whether it is one, and which ones were made of it."""

from __future__ import annotations

import re
from pathlib import Path

from stabcore.errors import InputError
from stabcore.study.working_files import remove_folder

LINKS = "links.txt"             # a line for each: its id, and the digest of what was copied
_LINE = re.compile(r"([A-Za-z0-9_-]{22}) ([0-9a-f]{64})")
READ_ONLY = ("This is a read-only copy that was sent as a link, so nothing of it is changed. Make a copy of your own: it can be "
             "changed like any other work.")


class Frozen:
    """What a workspace, which has `folder` and `settings`, knows of read-only copies."""

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        raise NotImplementedError

    @property
    def settings(self) -> dict:
        """What was saved about it."""
        raise NotImplementedError

    @property
    def frozen(self) -> float | None:
        """When it was made, seconds since 1970, if it is a read-only copy; None for any other, and where that cannot be read."""
        try:
            return self.settings.get("frozen")
        except InputError:
            return None

    def refuse_frozen(self):
        """Raises InputError in a read-only copy."""
        if self.frozen is not None:
            raise InputError(READ_ONLY)

    @property
    def links(self) -> dict[str, str]:
        """{id of a read-only copy of this work: digest of what was copied}, of those that are still there."""
        path = self.folder / LINKS
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
        digests = {match[1]: match[2] for match in map(_LINE.fullmatch, lines) if match}
        return {id: digest for id, digest in digests.items() if (self.folder.parent / id).is_dir()}

    def keep_link(self, id, digest):
        """Know of one more."""
        with open(self.folder / LINKS, "a", encoding="utf-8") as file:
            file.write(f"{id} {digest}\n")

    def forget_links(self):
        """Delete all read-only copies of this work. Raises InputError where something of them stays."""
        for id in self.links:
            remove_folder(self.folder.parent / id)
        (self.folder / LINKS).unlink(missing_ok=True)
