"""Sets of features that people bring, which may overlap: gene sets as GMT, or a table with the columns feature and group."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stabcore.io.files import load
from stabcore.io.names import match
from stabcore.io.question import Question
from stabcore.io.tables import group_columns
from stabcore.io.text import decode, split_lines
from stabcore.errors import InputError
from stabcore.wording import be, listed, several, shown

MOST_MEMBERS = 2_000_000        # over all sets
REPEATS = {"join": "Yes: put them into the sets of their name", "apart": "No: they stand for themselves"}
_NUMBERED = re.compile(r"(.+) \(([2-9]|[1-9]\d{1,3})\)", re.DOTALL)
GMT = (".gmt", ".gmt.gz")


@dataclass(frozen=True)
class FeatureSets:
    """Sets as they were understood.

    sets        {name: members, called as the data calls them}, each with one feature of the data or more
    overlapping is a feature in more than one?
    notes       what was assumed and left aside, one plain sentence each
    """

    sets: dict[str, list[str]]
    overlapping: bool
    notes: tuple[str, ...]


def read_sets(source, name, features, again=None, repeats=None) -> FeatureSets:
    """Read sets of features: a GMT file (a line a set: its name, a description, its members), or a table of feature and group.

    source: path, bytes or file-like object; name: file name, whose ending tells the format; features: the d names of the data,
    which are found also with other capitals, blanks and dots. What is no feature of the data is left aside, counted and told.
    again: {feature: its name in the table} of names that came again there and were numbered, TP53 (2) of TP53; None where nobody
    knows any more, then names that look so count. repeats: "join" puts these into the sets of their name, "apart" leaves them out.
    Raises InputError, with the line, for a file that is neither, a set that comes twice, and when no name is a feature; Question
    where repeats is not said and matters.
    """
    name = name or str(getattr(source, "name", source if isinstance(source, str) else ""))
    gmt = next((ending for ending in GMT if name.lower().endswith(ending)), None)
    if gmt:
        data, _, _ = load(source, name[:-len(gmt)] + gmt.replace("gmt", "txt"))
        raw, notes = _gmt(data, features)
    else:
        raw, notes = _table(source, name), []
    members = list(dict.fromkeys(one for own in raw.values() for one in own))
    every = set(features)
    numbered = {one: old for one, old in (looks_again(features) if again is None else again).items() if one in every}
    called = match(members, [one for one in features if one not in numbered], once=False) | {
        one: one for one in members if one in numbered}
    if not called:
        raise InputError(f"None of the {len(members):,} names in the file is a feature here: it names {listed(members, 3)}, the "
                         f"data {listed(features, 3)}. Bring sets that use the same names (symbols, or the same identifiers).")
    sets = {group: list(dict.fromkeys(called[one] for one in own if one in called)) for group, own in raw.items()}
    sharing, more = _repeats(numbered, set(called.values()), again is None, repeats)
    sets = {group: [one for name in own for one in (name, *sharing.get(name, ()))] for group, own in sets.items()}
    kept = {group: own for group, own in sets.items() if own}
    return FeatureSets(kept, _overlap(kept), (*notes, *_said(members, called, sets, features), *more))


def looks_again(features) -> dict[str, str]:
    """{feature: name} of features called as a name that comes again is numbered: TP53 (2) beside TP53."""
    every, of = set(features), {}
    for one in features:
        parts = _NUMBERED.fullmatch(one)
        if parts and parts[1] in every and all(f"{parts[1]} ({i})" in every for i in range(2, int(parts[2]))):
            of[one] = parts[1]
    return of


def _repeats(numbered, called, guessed, answer):
    """({name: features that share it}, notes) of numbered names whose own name is in a set but they are not, as answered."""
    twins = {one: old for one, old in numbered.items() if one not in called and old in called}
    if not twins:
        return {}, []
    first, old = next(iter(twins.items()))
    many = several(len(twins), "feature")
    if answer not in REPEATS:
        what = ("called as names that come again are numbered" if guessed else
                "lines of the table whose name came before, so that they got a number")
        raise Question(f"{many}, such as {shown(first)}, {be(len(twins))} {what}. The file can only name {shown(old)}. Do they "
                       "belong to the sets of the name? Lines of one gene are mostly its probes or transcripts; then they do.",
                       "repeats", REPEATS)
    if answer == "apart":
        return {}, [f"Left out of the sets of the name that they share, as was said: {many}, {listed(twins)}."]
    own = {}
    for one, name in twins.items():
        own.setdefault(name, []).append(one)
    return own, [f"Put into the sets of the name that they share, as was said: {many}, {listed(twins)}."]


def _gmt(data, features):
    """({set: members}, notes) of the text of a GMT file; a feature in the place of the description is a member."""
    text, notes = decode(data)
    sets, total = {}, 0
    second = [cells[1].strip() for line in split_lines(text) if len(cells := line.split("\t", 2)) > 1]
    known = match(second, features, once=False)
    for number, line in enumerate(split_lines(text), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        named = len(cells) > 1 and cells[1] in known
        if len(cells) < 3 - named or not cells[0]:
            raise InputError(f"Line {number} has {several(len(cells), 'cell')}; in a GMT file each line is a set: its name, a "
                             "description (perhaps empty) and its members, separated by tabs.")
        if cells[0] in sets:
            raise InputError(f"Line {number} names the set {shown(cells[0])} again; give each set one line.")
        sets[cells[0]] = [cell for cell in cells[2 - named:] if cell]
        total += len(cells) - 2
        if total > MOST_MEMBERS:
            raise InputError(f"The sets have more than {MOST_MEMBERS:,} members together; bring only the collection that matters.")
    if not sets:
        raise InputError("There is nothing but blank lines; in a GMT file each line is a set: its name, a description and its "
                         "members.")
    if known:
        notes.append(f"Taken as members, because they are features here and stand where GMT has a description: "
                     f"{several(len(known), 'name')}, {listed(known)}.")
    return sets, notes


def _table(source, name):
    """{group: members} of a table with the columns feature and group; a feature may come in several."""
    groups = {}
    for _, feature, group in group_columns(source, name):
        if feature and group:
            groups.setdefault(group, []).append(feature)
    if not groups:
        raise InputError("No line has both a feature and a group; there is nothing to group.")
    return groups


def _overlap(sets):
    members = [one for own in sets.values() for one in own]
    return len(set(members)) < len(members)


def _said(members, called, sets, features):
    """What to tell of names that are written otherwise, unknown, or in no set."""
    yield (f"{several(len(sets), 'set')}: {len(called):,} of their {several(len(members), 'name')} are features here, "
           f"{len(set(called.values())):,} of {several(len(set(features)), 'feature')}.")
    renamed = [(old, new) for old, new in called.items() if old != new]
    if renamed:
        yield (f"Found apart from capitals, blanks and dots: {several(len(renamed), 'name')}, such as {shown(renamed[0][0])} as "
               f"{shown(renamed[0][1])}.")
    unknown = [one for one in members if one not in called]
    if unknown:
        yield f"Left aside, because they are not features here: {several(len(unknown), 'name')}, {listed(unknown)}."
    empty = [group for group, own in sets.items() if not own]
    if empty:
        yield f"Left aside, because none of their members is a feature here: {several(len(empty), 'set')}, {listed(empty)}."
