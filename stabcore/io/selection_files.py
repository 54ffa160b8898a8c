"""Several files of selections together: lists that are the runs of one selector, one universe, one order of the features."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import listed, several
from stabcore.io.choices import Question
from stabcore.io.long_table import LAST_MAY_MISS, OneRun
from stabcore.io.name import check_names
from stabcore.io.names import OddNames, match, number_repeated, refuse_odd
from stabcore.io.selection_source import open_source, token_lines
from stabcore.io.selections import (
    ANSWERS,
    MAX_CELLS,
    OneList,
    SelectedRuns,
    describe_universe,
    one_list,
    read_lists,
    read_selectors,
    selections_of_rows,
)

_NUMBER_AT_END = re.compile(r"[ _.-]*(?:run|fold|resample|iteration|repeat|split|bootstrap|seed|lauf)?[ _.-]*\d+$", re.IGNORECASE)
LISTS = "lists"  # what selections are called that came as a file a run


def read_selection_files(files, table=None, columns=()) -> tuple[dict[str, SelectedRuns], list[str]]:
    """({label: SelectedRuns}, notes) of files that people bring, all about the same features in the same order.

    files: (source, options) each, options label, name, kind, n_features, features and answers to questions. table: the features
    of a data table, which lists of names then chose from; columns: the names of all its columns, by which features are called
    where they match.
    Raises InputError, and Question with the name of its file, for a file that cannot be read, and for different features.
    """
    by_selector, notes, lists, tables = dict[Any, Any](), [], [], []
    column = next((options["value_column"] for _, options in files if options.get("value_column")), None)  # said once for all
    for source, options in files:
        options = {"value_column": column, **options}
        try:
            read = _read(source, options, columns)
        except OneList as alone:
            if len(files) < 2:
                raise OneList(alone.names, options["name"]) from None
            lists.append((options, alone.names))
            continue
        except OneRun as alone:
            if len(files) < 2:
                raise
            tables.append((options, alone))
            continue
        except Question as question:
            raise Question(str(question), question.option, question.answers, options["name"]) from None
        except InputError as error:
            raise InputError(f"{options['name']}: {error}" if len(files) > 1 else str(error)) from None
        for selector, selections in read.items():
            label = _free_label(selector or options["label"], by_selector)
            by_selector[label] = selections
            notes.append((options["name"], selections.notes))
    if lists:
        for options, names in lists:
            refuse_odd(names, options.get("names_are"), (*columns, *(options.get("features") or ())), file=options["name"])
        by_selector |= _runs_of_lists(lists, notes, by_selector)
    if tables:
        by_selector |= _runs_of_tables(tables, notes, by_selector)
    given = any(options.get("n_features") or options.get("features") for _, options in files)
    by_selector, more = _about_same_features(
        by_selector, table or (), columns, given, next((options.get("n_features") for _, options in files), None)
    )
    return by_selector, [*_counted(notes), *more]


def _read(source, options, columns):
    """{selector: SelectedRuns} of one file; columns: names that are known, whatever signs they hold."""
    given = {key: options[key] for key in (*ANSWERS, "features") if options.get(key) is not None}
    n_features = None if "features" in given else options.get("n_features")
    try:
        return read_selectors(source, options["name"], kind=options.get("kind"), n_features=n_features, **given)
    except OddNames as odd:
        if not set(odd.names) <= {str(name) for name in columns}:
            raise
        return read_selectors(
            source, options["name"], kind=options.get("kind"), n_features=n_features, **given, names_are="features"
        )


def _free_label(label, taken):
    while label in taken:
        label += " (again)"
    return label


def _runs_of_lists(lists, notes, taken):
    """{label: SelectedRuns} of files with the list of one run each; files named alike are of one selector."""
    if len(lists) < 2:
        raise OneList(lists[0][1], lists[0][0]["name"])
    of_lists: dict[Any, Any] = {}
    for label, runs in _by_selector_name(lists).items():
        options = runs[0][0]
        features, n_features = options.get("features"), options.get("n_features")
        lines = [(i, list(names)) for i, (_, names) in enumerate(runs, 1)]
        try:
            sets, every, names, assumed = read_lists(
                lines, [entry["label"] for entry, _ in runs], features, None if features else n_features, []
            )
        except InputError as error:
            raise InputError(re.sub(r"^Line (\d+)", lambda matched: runs[int(matched[1]) - 1][0]["name"], str(error))) from None
        label = _free_label(label or LISTS, {**taken, **of_lists})
        of_lists[label] = SelectedRuns("sets", every, names, None, sets, ())
        notes.append((label, [f"Each of {len(runs)} files with one name a line was taken as the list of one run.", assumed[-1]]))
    return of_lists


def _by_selector_name(files):
    """{label: files} of (options, …): files named alike but for a number are of one selector, if all are."""
    stems: dict[Any, Any] = {}
    for file in files:
        stems.setdefault(_NUMBER_AT_END.sub("", file[0]["label"]).strip(" _.-"), []).append(file)
    several_selectors = len(stems) > 1 and all(len(runs) > 1 for runs in stems.values())
    return stems if several_selectors else {next(iter(stems)) if len(stems) == 1 else LISTS: files}


def _runs_of_tables(tables, notes, taken):
    """{label: SelectedRuns} of files with the table of one run each, (options, OneRun); files named alike are of one selector."""
    if len(tables) < 2:
        raise tables[0][1]
    if sum(len(alone.rows) for _, alone in tables) > MAX_CELLS:
        raise InputError(
            f"The runs have more than {MAX_CELLS // 10**6} million numbers together; leave out features that no run selected."
        )
    of_tables: dict[Any, Any] = {}
    for label, runs in _by_selector_name(tables).items():
        (options, first), called = runs[0], number_repeated([options["label"] for options, _ in runs])
        heads = {tuple(alone.rows[0][1]) for _, alone in runs}
        if len(heads) > 1:
            raise InputError(
                f"{listed([options['name'] for options, _ in runs], 3)} hold different things of each feature: "
                f"{listed(head[-1] for head in heads)}. Runs that are compared must tell the same."
            )
        rows = [(0, ["run", *first.rows[0][1]])]
        rows += [(line, [name, *cells]) for name, (_, alone) in zip(called, runs, strict=True) for line, cells in alone.rows[1:]]
        given = {key: options[key] for key in (*ANSWERS, "kind", "features") if options.get(key) is not None}
        try:
            selections = selections_of_rows(rows, n_features=None if "features" in given else options.get("n_features"), **given)
        except Question as question:
            raise Question(str(question), question.option, question.answers, options["name"]) from None
        label = _free_label(label or LISTS, {**taken, **of_tables})
        of_tables[label] = selections
        notes.append(
            (
                label,
                [
                    f"Each of {len(runs)} files with one line a feature was taken as one run.",
                    *dict.fromkeys(note for _, alone in runs for note in alone.notes),
                    *(note for note in selections.notes if note != LAST_MAY_MISS),
                ],
            )
        )
    return of_tables


def _counted(notes):
    """The notes as sentences; what is said of several files is said once, with their number."""
    files_by_note: dict[Any, Any] = {}
    for name, sentences in notes:
        for sentence in sentences:
            files_by_note.setdefault(sentence, []).append(name)
    names = {name for name, _ in notes}

    def which(files):
        if len(files) == 1:
            return files[0]
        different = set(files)
        if len(different) == 1:
            return f"{files[0]}, {len(files)} selectors"
        return f"In {'all' if different == names else f'{len(different)} of'} {len(names)} files"

    return [f"{which(files)}: {sentence}" for sentence, files in files_by_note.items()]


# ---- the same features for all ----


def _about_same_features(by_selector, table, columns, given, n_features):
    """(the SelectedRuns about the same features, notes): named as the table names them, lists with one universe."""
    notes = []
    if len(columns):
        by_selector, notes = _called_as(by_selector, columns)
    whole = [selected.features for selected in by_selector.values() if selected.kind != "sets"]
    listed_only = {label: selected for label, selected in by_selector.items() if selected.kind == "sets"}
    if listed_only and (whole or len(table) or len(listed_only) > 1):
        named = list(dict.fromkeys(name for selected in listed_only.values() for names in selected.sets for name in names))
        universe = whole[0] if whole else _universe(listed_only, named, table, given, n_features)
        strangers = [name for name in named if name not in set(universe)]
        if strangers:
            raise InputError(
                f"The lists name {several(len(strangers), 'feature')} that the other selections do not have: "
                f"{listed(strangers)}. What is compared must have the same features."
            )
        if len(table) and not whole and not given:
            in_table = set(table)
            beside = sum(name not in in_table for name in named)
            notes.append(
                f"There were {len(universe):,} features to choose from: the {len(table):,} of the table"
                + (f" and {several(beside, 'name')} that it does not have." if beside else ".")
            )
        elif any(selected.features != universe for selected in listed_only.values()):
            notes.append(f"Together: {describe_universe(len(universe), given or bool(whole))}")
        by_selector = {
            label: replace(selected, features=tuple(universe)) if label in listed_only else selected
            for label, selected in by_selector.items()
        }
    return _in_one_order(by_selector, notes), notes


def _universe(lists, named, table, given, n_features):
    """All features that lists of names chose from."""
    first = next(iter(lists.values())).features
    if given and n_features is None:
        return first  # the names of all were brought
    if given:
        if len(named) > n_features:
            raise InputError(
                f"The files name {len(named)} different features, more than the {n_features} there were to choose "
                "from; correct that number."
            )
        return (*sorted(named), *(f"(never selected {i})" for i in range(1, n_features - len(named) + 1)))
    if len(table):
        in_table = set(table)
        return (*table, *(name for name in named if name not in in_table))
    return tuple(sorted({name for selected in lists.values() for name in selected.features}))


def _called_as(by_selector, columns):
    """(the SelectedRuns with features called as columns of a table are, notes)."""
    every = list(
        dict.fromkeys(
            name for selected in by_selector.values() for name in selected.features if not name.startswith("(never selected ")
        )
    )
    called = match(every, columns)
    renamed = {old: new for old, new in called.items() if old != new}
    missing = [name for name in every if name not in called]
    notes = [f"{len(called):,} of {several(len(every), 'feature')} are in the table."]
    if renamed:
        old, new = next(iter(renamed.items()))
        notes.append(
            f"Called as in the table, apart from capitals, blanks and dots: {several(len(renamed), 'feature')}, such as "
            f"{new!r} for {old!r}."
        )
    if missing:
        notes.append(
            f"Not in the table, so nothing is known of what they stand for: {several(len(missing), 'feature')}, {listed(missing)}."
        )
    if not called:
        raise InputError(
            f"None of the {len(every):,} features of the selections is a column of the table; the selections name "
            f"{listed(every, 3)}, the table {listed(columns, 3)}. Bring the table that they were made of, or bring "
            "them without it."
        )
    return {label: _renamed(selected, renamed) for label, selected in by_selector.items()}, notes


def _renamed(selected, called):
    sets = None if selected.sets is None else tuple(tuple(called.get(name, name) for name in names) for names in selected.sets)
    return replace(selected, features=tuple(called.get(name, name) for name in selected.features), sets=sets)


def _in_one_order(by_selector, notes):
    """The SelectedRuns with the features in the order of the first, where they have the same ones."""
    first, ordered = next(iter(by_selector.values())).features, {}
    place = {name: j for j, name in enumerate(first)}
    for label, selections in by_selector.items():
        if selections.features != first and set(selections.features) == set(first):
            matrix = selections.matrix
            if matrix is not None:
                order = np.argsort([place[name] for name in selections.features])
                matrix = matrix[:, order]
                notes.append(f"{label}: its features were put in the order of the first selections.")
            selections = replace(selections, features=first, matrix=matrix)
        ordered[label] = selections
    return ordered


def read_universe(source, name=None) -> tuple[str, ...]:
    """The names of all features there were to choose from, one a line or all in one line, as a file or as text.

    Raises InputError for a table of several columns, and for a name that comes twice.
    """
    opened = open_source(source, name, "sets")
    lists = token_lines(opened)
    names = one_list(opened.rows, lists)
    if names is None:
        filled = [tokens for _, tokens in lists if any(tokens)]
        if len(filled) > 1:
            raise InputError("The list of all features has lines with several cells; give one name a line, or all in one line.")
        names = tuple(token for tokens in filled for token in tokens if token)
    return tuple(check_names(list(names)))
