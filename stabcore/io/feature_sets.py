"""Groups and sets of features from a file: a table with the columns feature and group, or gene sets as GMT."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.text import listed, nearest, several, shown
from stabcore.io.choices import Question
from stabcore.io.contents import trimmed_texts
from stabcore.io.decode import decode, decode_paste, decode_text, load
from stabcore.io.name import name_columns
from stabcore.io.names import match
from stabcore.io.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stabcore.io.decode import Source

MAX_MEMBERS = 2_000_000  # over all sets
_GMT_LINE = "Each line of a GMT file is a set: its name, a description (perhaps empty) and its members, separated by tabs."
REPEATS = {"join": "Yes: put them into the sets of their name", "apart": "No: they stand for themselves"}
_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d{1,3})\)", re.DOTALL)
GMT = (".gmt", ".gmt.gz")


def read_groups(source: Source, features: Iterable[str]) -> dict[str, list[str]]:
    """Read a table with the columns feature and group: {group: [its features]}, in the order of the file.

    source: path, bytes or file-like object, or pasted text (a str is always text); features: the names that exist.
    A feature without a group is similar to no other. Raises InputError for missing columns, features that do not exist (with
    the nearest name), and a feature in two groups.
    """
    names, group_of = {str(name) for name in features}, dict[str, str]()
    for line, feature, group in _feature_and_group(source):
        if feature and group and group_of.setdefault(feature, group) != group:
            groups = f"{shown(group_of[feature])} and (line {line}) {shown(group)}"
            raise InputError(
                f"{shown(feature)} is in two groups, {groups}. A feature can be in one group. Delete one of the lines."
            )
    unknown = [f"{shown(feature)}{nearest(feature, names)}" for feature in group_of if feature not in names]
    if unknown:
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        raise InputError(f"Not features of this table: {', '.join(unknown[:5])}{more}. Correct the names, or delete their lines.")
    return _by_group(group_of.items())


def _by_group(pairs):
    """{group: members} of (feature, group)."""
    groups: dict[str, list[str]] = {}
    for feature, group in pairs:
        if feature and group:
            groups.setdefault(group, []).append(feature)
    if not groups:
        raise InputError("No line has both a feature and a group. There is nothing to group.")
    return groups


def _feature_and_group(source, name=None):
    """(line, feature, group) of each line of a table with these two columns.

    Both as they stand: 'Na' is sodium and '007' is not seven, so no cell is interpreted.
    """
    columns = name_columns(decode_paste(source) if isinstance(source, str) else decode(source, name))
    texts = dict(zip(map(str.lower, columns.names), trimmed_texts(columns), strict=True))
    if missing := [needed for needed in ("feature", "group") if needed not in texts]:
        raise InputError(f"A list of groups needs the column {missing[0]!r}. The columns are {listed(columns.names)}.")
    return zip(columns.lines or range(1, len(texts["feature"]) + 1), texts["feature"], texts["group"], strict=True)


# ---- sets, which may overlap ----


@dataclass(frozen=True)
class FeatureSets:
    """Sets of features from a file.

    Attributes
    ----------
    sets : dict
        ``{name: members, called as the data calls them}``, each with one feature of the data or more.
    overlapping : bool
        Is a feature in more than one set?
    notes : tuple of str
        Assumptions and ignored parts, one plain sentence each.
    """

    sets: dict[str, list[str]]
    overlapping: bool
    notes: tuple[str, ...]


def read_sets(
    source: Source, name: str | None, features: Sequence[str], numbered: Mapping[str, str] | None = None, repeats: str | None = None
) -> FeatureSets:
    """Read sets of features: a GMT file (one line per set: its name, a description, its members), or a table of feature and group.

    Parameters
    ----------
    source : path, bytes or file-like object
        The file.
    name : str or None
        File name with the ending of the format.
    features : sequence of str
        The d names of the data, also found with other capitals, blanks and dots. Other names are counted and ignored.
    numbered : mapping, optional
        ``{feature: its name in the table}`` of repeated names that were numbered, TP53 (2) of TP53. None where this is not known:
        names that look numbered then count.
    repeats : {"join", "apart"}, optional
        Put these into the sets of their name, or leave them out.

    Raises
    ------
    InputError
        With the line, for a file that is neither, a set that comes twice, and if no name is a feature.
    Question
        If repeats is needed and not given.
    """
    name = name or str(getattr(source, "name", source if isinstance(source, str) else ""))
    gmt = next((ending for ending in GMT if name.lower().endswith(ending)), None)
    if gmt:
        file = load(source, name[: -len(gmt)] + gmt.replace("gmt", "txt"))
        sets_in_file, notes = _gmt(file.data, features)
    else:
        sets_in_file, notes = _by_group((feature, group) for _, feature, group in _feature_and_group(source, name)), []
    members = list(dict.fromkeys(member for in_set in sets_in_file.values() for member in in_set))
    there = set(features)
    guessed = looks_numbered(features) if numbered is None else numbered
    repeated = {feature: old for feature, old in guessed.items() if feature in there}
    feature_of = match(members, [feature for feature in features if feature not in repeated], once=False)
    feature_of |= {member: member for member in members if member in repeated}
    if not feature_of:
        raise InputError(
            f"None of the {len(members):,} names in the file is a feature here. It names {listed(members, 3)}, the data "
            f"{listed(features, 3)}. Bring sets that use the same names (symbols, or the same identifiers)."
        )
    sets = {
        group: list(dict.fromkeys(feature_of[member] for member in in_set if member in feature_of))
        for group, in_set in sets_in_file.items()
    }
    sharing, more = _sharing_a_name(repeated, set(feature_of.values()), numbered is None, repeats)
    sets = {group: [feature for name in in_set for feature in (name, *sharing.get(name, ()))] for group, in_set in sets.items()}
    filled = {group: in_set for group, in_set in sets.items() if in_set}
    every = [member for in_set in filled.values() for member in in_set]
    notes = (*notes, *_describe(members, feature_of, sets, features), *more)
    return FeatureSets(filled, len(set(every)) < len(every), notes)


def looks_numbered(features: Iterable[str]) -> dict[str, str]:
    """{feature: name} of features called as a name that comes again is numbered: TP53 (2) beside TP53."""
    there, name_of = set(features), {}
    for feature in features:
        parts = _NUMBERED.fullmatch(feature)
        if parts and parts[1] in there and all(f"{parts[1]} ({i})" in there for i in range(2, int(parts[2]))):
            name_of[feature] = parts[1]
    return name_of


def _sharing_a_name(repeated, in_sets, guessed, answer):
    """({name: features that share it}, notes) of numbered names whose own name is in a set but they are not, as answered."""
    twins = {feature: name for feature, name in repeated.items() if feature not in in_sets and name in in_sets}
    if not twins:
        return {}, []
    first, name = next(iter(twins.items()))
    count = several(len(twins), "feature")
    if answer not in REPEATS:
        what = "seem to be repeated names with a number" if guessed else "are repeated names of the table with a number"
        raise Question(
            f"{count}, such as {shown(first)}, {what}. The file can only name {shown(name)}. Do they belong to the same sets? "
            "Lines of one gene are mostly its probes or transcripts; then they do.",
            "repeats",
            REPEATS,
        )
    if answer == "apart":
        return {}, [f"Left out of the sets of the name that they share, as chosen: {count}, {listed(twins)}."]
    sharing: dict[str, Any] = {}
    for feature, name in twins.items():
        sharing.setdefault(name, []).append(feature)
    return sharing, [f"Put into the sets of the name that they share, as chosen: {count}, {listed(twins)}."]


def _gmt(data, features):
    """({set: members}, notes) of the text of a GMT file; a feature in the place of the description is a member."""
    text, notes = decode_text(data)
    sets, total = {}, 0
    lines = [
        (number, [cell.strip() for cell in line.split("\t")]) for number, line in enumerate(split_lines(text), 1) if line.strip()
    ]
    in_second = match([cells[1] for _, cells in lines if len(cells) > 1], features, once=False)
    for number, cells in lines:
        named = len(cells) > 1 and cells[1] in in_second
        if len(cells) < 3 - named or not cells[0]:
            raise InputError(f"Line {number} has {several(len(cells), 'cell')}. {_GMT_LINE}")
        if cells[0] in sets:
            raise InputError(f"Line {number} names the set {shown(cells[0])} again. Give each set one line.")
        sets[cells[0]] = [cell for cell in cells[2 - named :] if cell]
        total += len(cells) - 2
        if total > MAX_MEMBERS:
            raise InputError(f"The sets have more than {MAX_MEMBERS:,} members together. Bring only the collection that matters.")
    if not sets:
        raise InputError(f"There are only blank lines. {_GMT_LINE}")
    if in_second:
        count = several(len(in_second), "name")
        notes.append(f"Read as members, because they are features in the place of a description: {count}, {listed(in_second)}.")
    return sets, notes


def _describe(members, feature_of, sets, features):
    """Notes on names that are written otherwise, unknown, or in no set."""
    yield (
        f"{several(len(sets), 'set')}: {len(feature_of):,} of their {several(len(members), 'name')} are features here, "
        f"{len(set(feature_of.values())):,} of {several(len(set(features)), 'feature')}."
    )
    renamed = [(old, new) for old, new in feature_of.items() if old != new]
    if renamed:
        example = f"{shown(renamed[0][0])} as {shown(renamed[0][1])}"
        yield f"Found in another spelling (capitals, blanks, dots): {several(len(renamed), 'name')}, such as {example}."
    unknown = [member for member in members if member not in feature_of]
    if unknown:
        yield f"Ignored, because they are not features here: {several(len(unknown), 'name')}, {listed(unknown)}."
    empty = [group for group, in_set in sets.items() if not in_set]
    if empty:
        yield f"Ignored, because none of their members is a feature here: {several(len(empty), 'set')}, {listed(empty)}."
