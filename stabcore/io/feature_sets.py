"""Groups and sets of features that people bring: a table with the columns feature and group, or gene sets as GMT."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stabcore.base.errors import InputError
from stabcore.base.text import be, listed, nearest, several, shown
from stabcore.io.choices import Question
from stabcore.io.contents import trimmed_texts
from stabcore.io.decode import decode, decode_paste, decode_text, load
from stabcore.io.name import name_columns
from stabcore.io.names import match
from stabcore.io.text import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stabcore.io.decode import Source

MOST_MEMBERS = 2_000_000  # over all sets
REPEATS = {"join": "Yes: put them into the sets of their name", "apart": "No: they stand for themselves"}
_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d{1,3})\)", re.DOTALL)
GMT = (".gmt", ".gmt.gz")


def read_groups(source: Source, features: Iterable[str]) -> dict[str, list[str]]:
    """Read a table with the columns feature and group: {group: [its features]}, in the order of the file.

    source: path, bytes or file-like object, or pasted text (a str is always text); features: the names that exist.
    A feature without a group stands alone. Raises InputError for missing columns, features that do not exist (with
    the nearest name), and a feature in two groups.
    """
    names, group_of = {str(name) for name in features}, dict[str, str]()
    for line, feature, group in _feature_and_group(source):
        if feature and group and group_of.setdefault(feature, group) != group:
            raise InputError(
                f"{shown(feature)} is in two groups, {shown(group_of[feature])} and (line {line}) "
                f"{shown(group)}; a feature can be in one group, so delete one of the lines."
            )
    unknown = [feature for feature in group_of if feature not in names]
    if unknown:
        first = ", ".join(f"{shown(feature)}{nearest(feature, names)}" for feature in unknown[:5])
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        raise InputError(f"These are not features of this table: {first}{more}. Correct the names or delete their lines.")
    if not group_of:
        raise InputError("No line has both a feature and a group; there is nothing to group.")
    groups: dict[str, list[str]] = {}
    for feature, group in group_of.items():
        groups.setdefault(group, []).append(feature)
    return groups


def _feature_and_group(source, name=None):
    """(line, feature, group) of each line of a table with these two columns.

    Both as they stand: 'Na' is sodium and '007' is not seven, so no cell is understood.
    """
    columns = name_columns(decode_paste(source) if isinstance(source, str) else decode(source, name))
    texts = dict(zip(map(str.lower, columns.names), trimmed_texts(columns), strict=True))
    for needed in ("feature", "group"):
        if needed not in texts:
            raise InputError(
                f"A list of groups needs the columns 'feature' and 'group'; found {listed(columns.names)}, but no {needed!r}."
            )
    return zip(columns.lines or range(1, len(texts["feature"]) + 1), texts["feature"], texts["group"], strict=True)


# ---- sets, which may overlap ----


@dataclass(frozen=True)
class FeatureSets:
    """Sets as they were understood.

    Attributes
    ----------
    sets : dict
        ``{name: members, called as the data calls them}``, each with one feature of the data or more.
    overlapping : bool
        Is a feature in more than one?
    notes : tuple of str
        What was assumed and left aside, one plain sentence each.
    """

    sets: dict[str, list[str]]
    overlapping: bool
    notes: tuple[str, ...]


def read_sets(
    source: Source, name: str | None, features: Sequence[str], numbered: Mapping[str, str] | None = None, repeats: str | None = None
) -> FeatureSets:
    """Read sets of features: a GMT file (a line a set: its name, a description, its members), or a table of feature and group.

    Parameters
    ----------
    source : path, bytes or file-like object
        The file.
    name : str or None
        File name, whose ending tells the format.
    features : sequence of str
        The d names of the data, which are found also with other capitals, blanks and dots. What is no feature of the data is left
        aside, counted and told.
    numbered : mapping, optional
        ``{feature: its name in the table}`` of names that came again there and were numbered, TP53 (2) of TP53; None where nobody
        knows any more, then names that look so count.
    repeats : {"join", "apart"}, optional
        Put these into the sets of their name, or leave them out.

    Raises
    ------
    InputError
        With the line, for a file that is neither, a set that comes twice, and when no name is a feature.
    Question
        Where repeats is not said and matters.
    """
    name = name or str(getattr(source, "name", source if isinstance(source, str) else ""))
    gmt = next((ending for ending in GMT if name.lower().endswith(ending)), None)
    if gmt:
        file = load(source, name[: -len(gmt)] + gmt.replace("gmt", "txt"))
        sets_in_file, notes = _gmt(file.data, features)
    else:
        sets_in_file, notes = _table(source, name), []
    members = list(dict.fromkeys(member for in_set in sets_in_file.values() for member in in_set))
    there = set(features)
    repeated = {
        feature: old for feature, old in (looks_numbered(features) if numbered is None else numbered).items() if feature in there
    }
    feature_of = match(members, [feature for feature in features if feature not in repeated], once=False) | {
        member: member for member in members if member in repeated
    }
    if not feature_of:
        raise InputError(
            f"None of the {len(members):,} names in the file is a feature here: it names {listed(members, 3)}, the "
            f"data {listed(features, 3)}. Bring sets that use the same names (symbols, or the same identifiers)."
        )
    sets = {
        group: list(dict.fromkeys(feature_of[member] for member in in_set if member in feature_of))
        for group, in_set in sets_in_file.items()
    }
    sharing, more = _sharing_a_name(repeated, set(feature_of.values()), numbered is None, repeats)
    sets = {group: [feature for name in in_set for feature in (name, *sharing.get(name, ()))] for group, in_set in sets.items()}
    filled = {group: in_set for group, in_set in sets.items() if in_set}
    return FeatureSets(filled, _overlap(filled), (*notes, *_describe(members, feature_of, sets, features), *more))


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
        what = (
            "called as names that come again are numbered"
            if guessed
            else "lines of the table whose name came before, so that they got a number"
        )
        raise Question(
            f"{count}, such as {shown(first)}, {be(len(twins))} {what}. The file can only name {shown(name)}. Do they "
            "belong to the sets of the name? Lines of one gene are mostly its probes or transcripts; then they do.",
            "repeats",
            REPEATS,
        )
    if answer == "apart":
        return {}, [f"Left out of the sets of the name that they share, as was said: {count}, {listed(twins)}."]
    sharing: dict[str, Any] = {}
    for feature, name in twins.items():
        sharing.setdefault(name, []).append(feature)
    return sharing, [f"Put into the sets of the name that they share, as was said: {count}, {listed(twins)}."]


def _gmt(data, features):
    """({set: members}, notes) of the text of a GMT file; a feature in the place of the description is a member."""
    text, notes = decode_text(data)
    sets, total = {}, 0
    second = [cells[1].strip() for line in split_lines(text) if len(cells := line.split("\t", 2)) > 1]
    in_second = match(second, features, once=False)
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        named = len(cells) > 1 and cells[1] in in_second
        if len(cells) < 3 - named or not cells[0]:
            raise InputError(
                f"Line {number} has {several(len(cells), 'cell')}; in a GMT file each line is a set: its name, a "
                "description (perhaps empty) and its members, separated by tabs."
            )
        if cells[0] in sets:
            raise InputError(f"Line {number} names the set {shown(cells[0])} again; give each set one line.")
        sets[cells[0]] = [cell for cell in cells[2 - named :] if cell]
        total += len(cells) - 2
        if total > MOST_MEMBERS:
            raise InputError(f"The sets have more than {MOST_MEMBERS:,} members together; bring only the collection that matters.")
    if not sets:
        raise InputError(
            "There is nothing but blank lines; in a GMT file each line is a set: its name, a description and its members."
        )
    if in_second:
        notes.append(
            f"Taken as members, because they are features here and stand where GMT has a description: "
            f"{several(len(in_second), 'name')}, {listed(in_second)}."
        )
    return sets, notes


def _table(source, name):
    """{group: members} of a table with the columns feature and group; a feature may come in several."""
    groups: dict[str, Any] = {}
    for _, feature, group in _feature_and_group(source, name):
        if feature and group:
            groups.setdefault(group, []).append(feature)
    if not groups:
        raise InputError("No line has both a feature and a group; there is nothing to group.")
    return groups


def _overlap(sets):
    members = [member for in_set in sets.values() for member in in_set]
    return len(set(members)) < len(members)


def _describe(members, feature_of, sets, features):
    """What to tell of names that are written otherwise, unknown, or in no set."""
    yield (
        f"{several(len(sets), 'set')}: {len(feature_of):,} of their {several(len(members), 'name')} are features here, "
        f"{len(set(feature_of.values())):,} of {several(len(set(features)), 'feature')}."
    )
    renamed = [(old, new) for old, new in feature_of.items() if old != new]
    if renamed:
        yield (
            f"Found apart from capitals, blanks and dots: {several(len(renamed), 'name')}, such as {shown(renamed[0][0])} as "
            f"{shown(renamed[0][1])}."
        )
    unknown = [member for member in members if member not in feature_of]
    if unknown:
        yield f"Left aside, because they are not features here: {several(len(unknown), 'name')}, {listed(unknown)}."
    empty = [group for group, in_set in sets.items() if not in_set]
    if empty:
        yield f"Left aside, because none of their members is a feature here: {several(len(empty), 'set')}, {listed(empty)}."
