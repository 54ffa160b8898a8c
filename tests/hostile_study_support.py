"""Hostile study files: damaged bytes, pages, SQL, values, arrays, entries and settings."""

import tempfile
from functools import cache
from pathlib import Path

from damaged_support import SQL, good, variants
from hostile_support import Case, digest_of

OTHERS = {
    **{"nothing": b"", "text": b"run,feature\n1,ALT\n", "zeros": bytes(9000), "the head alone": b"SQLite format 3\0"},
    **{"a zip": b"PK\3\4" + bytes(99), "a pickle": b"\x80\x04N.", "TOML": b"[study]\nk = 3\n"},
}


@cache
def good_study():
    """Return (content, digest) of a small study."""
    with tempfile.TemporaryDirectory() as folder:
        content = good(Path(folder, "good.stab"))
    return content, digest_of(content)


def studies(rng, each):
    """Variants of a valid study file. Few of each leave out those that take a second to make."""
    content, digest = good_study()
    sql = {name: change for name, change in SQL.items() if each > 2 or "huge" not in name}
    yield Case("good", "study", "variant.stab", content, digest)
    with tempfile.TemporaryDirectory() as folder:
        for name, path in variants(content, Path(folder), rng.randrange(10**6), each, sql):
            yield Case(name, "study", "variant.stab", path.read_bytes(), digest, dangerous="huge" in name)
    for name, data in OTHERS.items():
        yield Case(name, "study", "variant.stab", data)


FAMILIES = {"study files": studies}
