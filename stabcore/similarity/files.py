"""C in files: a matrix or a list of pairs, and a scenario as TOML."""

import csv
import io
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass

from stabcore.base.errors import InputError
from stabcore.base.text import listed, quote, suggest_name
from stabcore.io.decode import Source
from stabcore.io.feature_sets import read_pairs
from stabcore.similarity.correlation import METHODS
from stabcore.similarity.overlap import sets_as_bytes
from stabcore.similarity.scenario import BASES, FIRST_THRESHOLD, Scenario, edits_from_rows
from stabcore.similarity.similarity import Similarity

MAX_PAIRS = 100_000  # largest number of pairs of a matrix written into the file
MAX_BYTES = 20_000_000  # bytes
MAX_MEMBERS = 500_000  # largest number of members of sets written into the file
# A key with this number of parts, bare or quoted, would take gigabytes to read. The pattern never backtracks.
_PART = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[\w-]*+)[ \t]*+\.[ \t]*+"""
_DEEP = re.compile(rf"(?:\A|[\n\[{{,])[ \t]*+(?:{_PART}){{50}}")
KEYS = ("name", "base", "method", "threshold", "binary", "share", "edits", "pairs", "groups", "sets")


@dataclass(frozen=True, eq=False)
class SimilarityReading:
    """A similarity from a file, with notes on assumptions."""

    similarity: Similarity
    notes: tuple[str, ...]


def read_similarity(source: Source, name: str | None = None, features: Iterable[str] = ()) -> SimilarityReading:
    """Read C from a square matrix or a list of pairs. Arguments and errors are those of stabcore.io.feature_sets.read_pairs."""
    from scipy.sparse import csr_array

    features = tuple(map(str, features))
    pairs = read_pairs(source, name, features)
    upper = csr_array((pairs.values, (pairs.first, pairs.second)), shape=(len(features), len(features)))
    return SimilarityReading(Similarity(len(features), features, extra=(upper + upper.T).tocsr()), pairs.notes)


def write_scenario(name, scenario, uploaded=None, sets=None) -> str:
    """The text of the file of a scenario.

    uploaded: the Similarity of the matrix, with up to MAX_PAIRS pairs in the file. sets: {set:
    members} of the sets, with up to MAX_MEMBERS members.
    """
    import tomli_w

    settings = {key: value for key, value in scenario.settings().items() if key not in ("matrix", "sets")}
    settings["edits"] = [list(edit) for edit in scenario.edits]
    pairs = {}
    if scenario.base == "matrix" and uploaded is not None and uploaded.n_related <= MAX_PAIRS:
        pairs = {"pairs": [[a, b, float(value)] for a, b, value in uploaded.pairs(None).itertuples(index=False)]}
    groups = {"groups": settings.pop("groups")}  # tables come last in TOML
    if scenario.base == "sets" and sets and sum(map(len, sets.values())) <= MAX_MEMBERS:
        groups["sets"] = sets
    return tomli_w.dumps({"name": name, **settings, **pairs, **groups})


def read_scenario(content, features) -> tuple[str, Scenario, bytes | None, tuple[str, ...]]:
    """(name, Scenario, the matrix or the sets as a file, notes) of the file of a scenario.

    content: bytes or text. features: the d names of the data. Other names are ignored, and a note lists them.
    Raises InputError for other files, and for a value that is not allowed, with its key.
    """
    entries = _parsed_json(content)
    unknown_keys = [key for key in entries if key not in KEYS]
    notes = [f"Ignored, because a scenario has no such entries: {listed(unknown_keys)}."] if unknown_keys else []
    method, threshold = entries.get("method", "spearman"), entries.get("threshold", FIRST_THRESHOLD)
    base, binary, share = entries.get("base", "none"), entries.get("binary", True), entries.get("share", False)
    for key, value, allowed in (("base", base, BASES), ("method", method, METHODS)):
        if value not in list(allowed):  # values other than text cannot be looked up
            raise InputError(f"{key} must be one of {', '.join(allowed)}. Found {quote(value)}{suggest_name(value, allowed)}.")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
        raise InputError(f"threshold must be a number from 0 to 1. Found {quote(threshold)}.")
    for key, value in (("binary", binary), ("share", share)):
        if not isinstance(value, bool):
            raise InputError(f"{key} must be true or false. Found {quote(value)}.")
    edits, pairs = (_checked_pairs(entries.get(key, []), key) for key in ("edits", "pairs"))
    scenario = Scenario(base, _checked_groups(entries.get("groups", {})), method, float(threshold), binary, edits, share=share)
    unknown = list(dict.fromkeys([*scenario.unknown_names(features), *Scenario(edits=pairs).unknown_names(features)]))
    if unknown:
        names = ", ".join(quote(name) + suggest_name(name, features) for name in unknown[:5])
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        notes.append(f"Ignored, because they are not features of the data: {names}{more}.")
    matrix_pairs = Scenario(edits=pairs).limited_to(features).edits
    if base == "matrix" and not matrix_pairs:
        notes.append("The file uses a matrix for C, but does not contain it. Upload the matrix as well.")
    sets = _sets_of_features(entries.get("sets", {}), features, notes) if base == "sets" else {}
    file = _pairs_csv(matrix_pairs) if base == "matrix" and matrix_pairs else sets_as_bytes(sets) if sets else None
    return str(entries.get("name", "")), scenario.limited_to(features), file, tuple(notes)


def _sets_of_features(lists, features, notes):
    """{set: members that are features}. Adds notes on the others."""
    _refuse_no_lists(lists, "sets")
    among = set(features)
    sets = {name: [member for member in dict.fromkeys(members) if member in among] for name, members in lists.items()}
    lost = {member for members in lists.values() for member in members} - among
    if lost:
        notes.append(f"Ignored, because they are not features of the data: {len(lost):,} of the names in the sets.")
    sets = {name: members for name, members in sets.items() if members}
    if not sets:
        notes.append("The file uses sets for C, but does not contain sets of these features. Upload the sets as well.")
    return sets


def _refuse_no_lists(lists, key):
    """Raise InputError for anything but {name: list of names}."""
    if not isinstance(lists, dict) or not all(
        isinstance(members, list) and all(isinstance(member, str) for member in members) for members in lists.values()
    ):
        raise InputError(f'{key} must be a table of lists, such as liver = ["ALT", "AST"].')


def _parsed_json(content):
    if len(content) > MAX_BYTES:
        raise InputError(f"The file has {len(content):,} bytes, which is too large for a scenario. Choose another file.")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        too_deep = bool(_DEEP.search(text))
        entries = {} if too_deep else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: not text, not TOML, or a number of thousands of digits
        raise InputError(f"This is not the file of a scenario: it is not TOML ({str(error).partition(';')[0]}).") from error
    if too_deep:
        raise InputError("This is not the file of a scenario: its tables are nested too deeply.")
    if "base" not in entries:
        raise InputError("This is TOML, but not the file of a scenario: it has no base.")
    return entries


def _checked_groups(lists):
    """{group: members}, each feature in one."""
    _refuse_no_lists(lists, "groups")
    of: dict[str, str] = {}
    for group, members in lists.items():
        for name in members:
            if of.setdefault(name, group) != group:
                raise InputError(
                    f"{quote(name)} is in two groups, {listed((of[name], group))}. A feature can be in one group only."
                )
    return {group: list(dict.fromkeys(members)) for group, members in lists.items()}


def _checked_pairs(pairs, key):
    """(feature, feature, value) of each pair."""
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 3 and isinstance(pair[0], str) and isinstance(pair[1], str) for pair in pairs
    ):
        raise InputError(f'{key} must be a list of pairs, such as [["ALT", "AST", 0.5]].')
    try:
        return edits_from_rows(pairs, {name for pair in pairs for name in pair[:2]})
    except InputError as error:
        raise InputError(f"{key}: {error}") from error


def _pairs_csv(pairs) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([("feature_a", "feature_b", "value"), *pairs])
    return text.getvalue().encode()
