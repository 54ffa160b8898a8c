"""C in files: a matrix or list of pairs that somebody has; a scenario that people keep, send and bring back, as TOML."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.text import listed, nearest, shown
from stabcore.io.feature_pairs import read_pairs
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.overlap import written
from stabcore.similarity.scenario import BASES, Scenario, pairs_by_hand
from stabcore.similarity.similarity import Similarity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stabcore.io.decode import Source

MOST_PAIRS = 100_000  # of a matrix that was brought, written into the file
LARGEST = 20_000_000  # bytes
MOST_MEMBERS = 500_000  # of sets, likewise
# A key of so many parts, bare or quoted, takes gigabytes to read. Nothing is tried twice, however long it is.
_PART = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]*+)[ \t]*+\.[ \t]*+"""
_DEEP = re.compile(rf"(?:\A|[\n\[{{,])[ \t]*+(?:{_PART}){{50}}")
KEYS = ("name", "base", "method", "threshold", "binary", "share", "edits", "pairs", "groups", "sets")


@dataclass(frozen=True, eq=False)
class SimilarityReading:
    """A relation as it was understood, and what was assumed on the way, one plain sentence each."""

    similarity: Similarity
    notes: tuple[str, ...]


def read_similarity(source: Source, name: str | None = None, features: Iterable[str] = ()) -> SimilarityReading:
    """Read C from a square matrix or a list of pairs; arguments and errors as of stabcore.io.feature_pairs.read_pairs."""
    from scipy.sparse import csr_array

    features = tuple(map(str, features))
    pairs = read_pairs(source, name, features)
    upper = csr_array((pairs.values, (pairs.first, pairs.second)), shape=(len(features), len(features)))
    return SimilarityReading(Similarity(len(features), features, extra=(upper + upper.T).tocsr()), pairs.notes)


def write_scenario(name, scenario, brought=None, sets=None) -> str:
    """The text of the file.

    brought: the Similarity of the matrix, of which up to MOST_PAIRS pairs go into the file; sets: {set:
    members} of the sets, likewise with up to MOST_MEMBERS members.
    """
    import tomli_w

    settings = {key: value for key, value in scenario.settings().items() if key not in ("matrix", "sets")}
    settings["edits"] = [list(edit) for edit in scenario.edits]
    pairs = {}
    if scenario.base == "matrix" and brought is not None and brought.n_related <= MOST_PAIRS:
        pairs = {"pairs": [[a, b, float(value)] for a, b, value in brought.pairs(None).itertuples(index=False)]}
    groups = {"groups": settings.pop("groups")}  # tables come last in TOML
    if scenario.base == "sets" and sets and sum(map(len, sets.values())) <= MOST_MEMBERS:
        groups["sets"] = sets
    return tomli_w.dumps({"name": name, **settings, **pairs, **groups})


def read_scenario(content, features) -> tuple[str, Scenario, bytes | None, tuple[str, ...]]:
    """(name, Scenario, the matrix or the sets as a file to keep if it holds them, notes) of such a file.

    content: bytes or text; features: the d names of the data. What names other features is left aside, and a note lists them.
    Raises InputError when it is not such a file, and for a value that is not allowed, with its key.
    """
    entries = _parsed(content)
    strangers = [key for key in entries if key not in KEYS]
    notes = [f"Left aside, because a scenario has nothing of that name: {listed(strangers)}."] if strangers else []
    method, threshold, binary = entries.get("method", "spearman"), entries.get("threshold", 0.5), entries.get("binary", True)
    base = entries.get("base", "none")
    for key, value, allowed in (("base", base, BASES), ("method", method, METHODS)):
        if value not in list(allowed):  # what is not text cannot be looked up
            raise InputError(f"{key} is {shown(value)}{nearest(value, allowed)}; it is one of {', '.join(allowed)}.")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
        raise InputError(f"threshold is {shown(threshold)}; it is a number from 0 to 1.")
    if not isinstance(binary, bool):
        raise InputError(f"binary is {shown(binary)}; it is true (fully) or false (by |ρ|).")
    share = entries.get("share", False)
    if not isinstance(share, bool):
        raise InputError(f"share is {shown(share)}; it is true (by the share of sets that two features share) or false (fully).")
    edits, pairs = (_pairs(entries.get(key, []), key) for key in ("edits", "pairs"))
    scenario = Scenario(base, _groups(entries.get("groups", {})), method, float(threshold), binary, edits, share=share)
    unknown = list(dict.fromkeys([*scenario.unknown(features), *Scenario(edits=pairs).unknown(features)]))
    if unknown:
        notes.append(
            f"Left aside, because they are not features of the data: "
            f"{', '.join(shown(name) + nearest(name, features) for name in unknown[:5])}"
            + (f" and {len(unknown) - 5} more." if len(unknown) > 5 else ".")
        )
    among = Scenario(edits=pairs).among(features).edits
    if base == "matrix" and not among:
        notes.append("The file says that C comes from a matrix, but does not hold that matrix; bring it too.")
    sets = _sets(entries.get("sets", {}), features, notes) if base == "sets" else {}
    file = _csv(among) if base == "matrix" and among else written(sets) if sets else None
    return str(entries.get("name", "")), scenario.among(features), file, tuple(notes)


def _sets(given, features, notes):
    """{set: members that are features}; what is left aside is noted."""
    if not isinstance(given, dict) or not all(
        isinstance(members, list) and all(isinstance(member, str) for member in members) for members in given.values()
    ):
        raise InputError('sets is not a table of lists, like liver = ["ALT", "AST"].')
    among = set(features)
    sets = {name: [member for member in dict.fromkeys(members) if member in among] for name, members in given.items()}
    lost = {member for members in given.values() for member in members} - among
    if lost:
        notes.append(f"Left aside, because they are not features of the data: {len(lost):,} of the names in the sets.")
    sets = {name: members for name, members in sets.items() if members}
    if not sets:
        notes.append("The file says that C comes from sets, but does not hold sets of these features; bring them too.")
    return sets


def _parsed(content):
    if len(content) > LARGEST:
        raise InputError(f"The file has {len(content):,} bytes, more than any scenario; was it the wrong one?")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        if _DEEP.search(text):
            raise InputError("This is not a scenario as it was downloaded here: its tables lie far too deep in each other.")
        entries = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no text, no TOML, a number of thousands of digits
        why = str(error).partition(";")[0]
        raise InputError(f"This is not a scenario as it was downloaded here: it is not TOML ({why}).") from error
    if "base" not in entries:
        raise InputError("This is TOML, but not a scenario as it was downloaded here: it does not say its base.")
    return entries


def _groups(given):
    """{group: members}, each feature in one."""
    if not isinstance(given, dict):
        raise InputError('groups is not a table of lists, like liver = ["ALT", "AST"].')
    of: dict[Any, Any] = {}
    for group, members in given.items():
        if not isinstance(members, list) or not all(isinstance(name, str) for name in members):
            raise InputError(f'The group {shown(group)} is not a list of names, like ["ALT", "AST"].')
        for name in members:
            if of.setdefault(name, group) != group:
                raise InputError(f"{shown(name)} is in two groups, {listed((of[name], group))}; a feature can be in one.")
    return {group: list(dict.fromkeys(members)) for group, members in given.items()}


def _pairs(given, key):
    """(feature, feature, value) of each."""
    if not isinstance(given, list) or not all(
        isinstance(pair, list) and len(pair) == 3 and isinstance(pair[0], str) and isinstance(pair[1], str) for pair in given
    ):
        raise InputError(f'{key} is not a list of pairs, like [["ALT", "AST", 0.5]].')
    try:
        return pairs_by_hand(given, {name for pair in given for name in pair[:2]})
    except InputError as error:
        raise InputError(f"{key}: {error}") from error


def _csv(pairs) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([("feature_a", "feature_b", "value"), *pairs])
    return text.getvalue().encode()
