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
    with_unselected,
)

_NUMBER_AT_END = re.compile(r"[ _.-]*(?:run|fold|resample|iteration|repeat|split|bootstrap|seed|lauf)?[ _.-]*\d+$", re.IGNORECASE)
LISTS = "lists"  # what selections are called that came as a file a run


def read_selection_files(files, table=None, columns=()) -> tuple[dict[str, SelectedRuns], list[str]]:
    """({label: SelectedRuns}, notes) of files about the same features in the same order.

    files: (source, options) each, options label, name, kind, n_features, features and answers to questions. table: the features
    of a data table, which lists of names then chose from; columns: the names of all its columns, by which features are called
    where they match.
    Raises InputError, and Question with the name of its file, for a file that cannot be read, and for different features.
    """
    by_selector, notes, lists, tables = dict[Any, Any](), [], [], []
    column = next((options["value_column"] for _, options in files if options.get("value_column")), None)  # one answer for all
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
            raise _of_file(question, options) from None
        except InputError as error:
            raise InputError(f"{options['name']}: {error}" if len(files) > 1 else str(error)) from None
        for selector, selections in read.items():
            by_selector[_free_label(selector or options["label"], by_selector)] = selections
            notes.append((options["name"], selections.notes))
    if lists:
        for options, names in lists:
            refuse_odd(names, options.get("names_are"), (*columns, *(options.get("features") or ())), file=options["name"])
        _add_runs_of_lists(lists, notes, by_selector)
    if tables:
        _add_runs_of_tables(tables, notes, by_selector)
    given = any(options.get("n_features") or options.get("features") for _, options in files)
    n_features = next((options.get("n_features") for _, options in files), None)
    by_selector, more = _about_same_features(by_selector, table or (), columns, given, n_features)
    return by_selector, [*_counted(notes), *more]


def _of_file(question, options):
    return Question(str(question), question.option, question.answers, options["name"])


def _given(options, *keys):
    return {key: options[key] for key in (*ANSWERS, *keys) if options.get(key) is not None}


def _read(source, options, columns):
    """{selector: SelectedRuns} of one file; columns: names that are known, whatever signs they hold."""
    given = {"kind": options.get("kind"), **_given(options, "features")}
    given["n_features"] = None if "features" in given else options.get("n_features")
    try:
        return read_selectors(source, options["name"], **given)
    except OddNames as odd:
        if not set(odd.names) <= {str(name) for name in columns}:
            raise
        return read_selectors(source, options["name"], **given | {"names_are": "features"})


def _free_label(label, taken):
    while label in taken:
        label += " (again)"
    return label


def _add_runs_of_lists(lists, notes, by_selector):
    """Add the SelectedRuns of files with the list of one run each; files with similar names are of one selector."""
    if len(lists) < 2:
        raise OneList(lists[0][1], lists[0][0]["name"])
    for label, runs in _by_selector_name(lists).items():
        options = runs[0][0]
        features = options.get("features")
        lines = [(i, list(names)) for i, (_, names) in enumerate(runs, 1)]
        names = [entry["label"] for entry, _ in runs]
        try:
            sets, every, names, assumed = read_lists(lines, names, features, None if features else options.get("n_features"), [])
        except InputError as error:
            raise InputError(re.sub(r"^Line (\d+)", lambda matched: runs[int(matched[1]) - 1][0]["name"], str(error))) from None
        label = _free_label(label or LISTS, by_selector)
        by_selector[label] = SelectedRuns("sets", every, names, None, sets, ())
        notes.append((label, [f"Each of {len(runs)} files with one name per line was read as the list of one run.", assumed[-1]]))


def _by_selector_name(files):
    """{label: files} of (options, …): files whose names differ only in a number are of one selector, if all are."""
    stems: dict[Any, Any] = {}
    for file in files:
        stems.setdefault(_NUMBER_AT_END.sub("", file[0]["label"]).strip(" _.-"), []).append(file)
    several_selectors = len(stems) > 1 and all(len(runs) > 1 for runs in stems.values())
    return stems if several_selectors else {next(iter(stems)) if len(stems) == 1 else LISTS: files}


def _add_runs_of_tables(tables, notes, by_selector):
    """Add the SelectedRuns of files with the table of one run each, (options, OneRun)."""
    if len(tables) < 2:
        raise tables[0][1]
    if sum(len(alone.rows) for _, alone in tables) > MAX_CELLS:
        raise InputError(f"The runs have more than {MAX_CELLS // 10**6} million numbers. Leave out features that no run selected.")
    for label, runs in _by_selector_name(tables).items():
        (options, first), called = runs[0], number_repeated([options["label"] for options, _ in runs])
        heads = {tuple(alone.rows[0][1]) for _, alone in runs}
        if len(heads) > 1:
            files, values = listed([options["name"] for options, _ in runs], 3), listed(head[-1] for head in heads)
            raise InputError(f"{files} hold different values of each feature: {values}. All runs need the same.")
        rows = [(0, ["run", *first.rows[0][1]])]
        rows += [(line, [name, *cells]) for name, (_, alone) in zip(called, runs, strict=True) for line, cells in alone.rows[1:]]
        given = _given(options, "kind", "features")
        try:
            selections = selections_of_rows(rows, n_features=None if "features" in given else options.get("n_features"), **given)
        except Question as question:
            raise _of_file(question, options) from None
        label = _free_label(label or LISTS, by_selector)
        by_selector[label] = selections
        more = [*dict.fromkeys(note for _, alone in runs for note in alone.notes)]
        more += [note for note in selections.notes if note != LAST_MAY_MISS]
        notes.append((label, [f"Each of {len(runs)} files with one line per feature was read as one run.", *more]))


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
    only_lists = {label: selected for label, selected in by_selector.items() if selected.kind == "sets"}
    if only_lists and (whole or len(table) or len(only_lists) > 1):
        named = list(dict.fromkeys(name for selected in only_lists.values() for names in selected.sets for name in names))
        universe = tuple(whole[0] if whole else _universe(only_lists, named, table, given, n_features))
        in_universe = set(universe)
        if unknown := [name for name in named if name not in in_universe]:
            raise InputError(
                f"The lists name {several(len(unknown), 'feature')} that the other selections do not have: {listed(unknown)}. "
                "Compared selections must have the same features."
            )
        if len(table) and not whole and not given:
            beside = len(universe) - len(table)
            more = f" and {several(beside, 'name')} that it does not have" if beside else ""
            notes.append(f"There were {len(universe):,} features to choose from: the {len(table):,} of the table{more}.")
        elif any(selected.features != universe for selected in only_lists.values()):
            notes.append(f"Together: {describe_universe(len(universe), given or bool(whole))}")
        by_selector = by_selector | {label: replace(selected, features=universe) for label, selected in only_lists.items()}
    return _in_one_order(by_selector, notes), notes


def _universe(lists, named, table, given, n_features):
    """All features that lists of names chose from."""
    if given and n_features is None:
        return next(iter(lists.values())).features  # all names were given
    if given:
        return with_unselected(named, n_features)
    if len(table):
        in_table = set(table)
        return (*table, *(name for name in named if name not in in_table))
    return sorted({name for selected in lists.values() for name in selected.features})


def _called_as(by_selector, columns):
    """(the SelectedRuns with features called as columns of a table are, notes)."""
    names = dict.fromkeys(name for selected in by_selector.values() for name in selected.features)
    every = [name for name in names if not name.startswith("(never selected ")]
    called = match(every, columns)
    if not called:
        raise InputError(
            f"None of the {len(every):,} features of the selections is a column of the table. The selections name "
            f"{listed(every, 3)}, the table {listed(columns, 3)}. Bring the table that the selections were made from, or none."
        )
    renamed = {old: new for old, new in called.items() if old != new}
    missing = [name for name in every if name not in called]
    notes = [f"{len(called):,} of {several(len(every), 'feature')} are in the table."]
    if renamed:
        old, new = next(iter(renamed.items()))
        notes.append(f"Renamed as in the table: {several(len(renamed), 'feature')}, such as {old!r} to {new!r}.")
    if missing:
        notes.append(f"Not in the table, so without correlations: {several(len(missing), 'feature')}, {listed(missing)}.")

    def rename(names):
        return tuple(renamed.get(name, name) for name in names)

    return {
        label: replace(
            selected, features=rename(selected.features), sets=None if selected.sets is None else tuple(map(rename, selected.sets))
        )
        for label, selected in by_selector.items()
    }, notes


def _in_one_order(by_selector, notes):
    """The SelectedRuns with the features in the order of the first, where they have the same ones."""
    first, ordered = next(iter(by_selector.values())).features, {}
    place = {name: j for j, name in enumerate(first)}
    for label, selections in by_selector.items():
        if selections.features != first and set(selections.features) == set(first):
            matrix = selections.matrix
            if matrix is not None:
                matrix = matrix[:, np.argsort([place[name] for name in selections.features])]
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
            raise InputError("The list of all features has lines with several cells. Give one name per line, or all in one line.")
        names = tuple(token for tokens in filled for token in tokens if token)
    return tuple(check_names(list(names)))
