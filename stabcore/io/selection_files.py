"""Selections from several files: files with one run each, one set of features, and one order of the features."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import counted, listed
from stabcore.base.validation import add_unselected
from stabcore.io.choices import Question
from stabcore.io.contents import as_rows
from stabcore.io.decode import SELECTION_ENDINGS, decode_cells, load_file
from stabcore.io.formats import WORKBOOKS
from stabcore.io.long_table import LAST_MAY_MISS, MAX_CELLS, OneRun, find_places
from stabcore.io.names import OddNames, match_names, number_repeated, refuse_odd_names
from stabcore.io.selection_lists import OneList, describe_universe
from stabcore.io.selection_source import is_run
from stabcore.io.selections import (
    ANSWERS,
    SelectedRuns,
    checked_options,
    name_selections,
    read_long_selections,
    read_selectors,
    refuse_many_runs,
)

_NUMBER_AT_END = re.compile(r"[ _.-]*(?:run|fold|resample|iteration|repeat|split|bootstrap|seed|lauf)?[ _.-]*\d+$", re.IGNORECASE)
LISTS = "lists"  # label of selections with one file per run


def read_selection_files(files, table=None, columns=()) -> tuple[dict[str, SelectedRuns], list[str]]:
    """({label: SelectedRuns}, notes) of files about the same features in the same order.

    files: (source, options) each, with the options label, name, kind, n_features, features and answers to questions. table: the
    features of a data table from which lists of names were selected. columns: the names of all its columns, which rename
    matching features.
    Raises InputError, and Question with the name of its file, for a file that cannot be read, and for different features.
    """
    by_selector, notes, lists, tables = dict[Any, Any](), list[Any](), [], []
    files = [part for source, options in files for part in _sheets_as_files(source, options, notes)]
    # one answer applies to all
    column = next((options["value_column"] for _, options in files if options.get("value_column")), None)
    for source, options in files:
        options = {"value_column": column, **options}
        try:
            read = _read_file(source, options, columns)
        except OneList as alone:
            lists.append((options, alone))
            continue
        except OneRun as alone:
            tables.append((options, alone))
            continue
        except Question as question:
            raise _of_file(question, options) from None
        except InputError as error:
            raise InputError(f"{options['name']}: {error}" if len(files) > 1 else str(error)) from None
        for selector, selections in read.items():
            by_selector[_free_label(selector or options["label"], by_selector)] = selections
            notes.append((options["name"], selections.notes))
    for options, one in lists:
        refuse_odd_names(one.names, options.get("names_are"), (*columns, *(options.get("features") or ())), file=options["name"])
    if sum(len(one.rows) for _, one in tables) > MAX_CELLS:
        raise InputError(
            f"The runs have more than {MAX_CELLS // 10**6} million numbers in total. Leave out features that no run selected."
        )
    if lists:
        _add_runs(lists, _selected_of_lists, "with one name per line was read as the list of one run", notes, by_selector)
    if tables:
        _add_runs(tables, _selected_of_tables, "with one line per feature was read as one run", notes, by_selector)
    is_known = any(options.get("n_features") or options.get("features") for _, options in files)
    n_features = next((options.get("n_features") for _, options in files), None)
    by_selector, more = _about_same_features(by_selector, table or (), columns, is_known, n_features)
    return by_selector, [*_counted(notes), *more]


# ---- a workbook with one run per sheet is read as one file per run ----

_SHEET = re.compile(r"(?:sheet|tabelle|feuille|hoja|foglio)?[ _.-]*\d+", re.IGNORECASE)
MAX_SHEETS = 500


def _sheets_as_files(source, options, notes):
    """[(source, options)] of the sheets of a workbook that each hold one run, else of the file itself. Adds notes.

    Raises Question if the names of the sheets do not show that they are runs.
    """
    name = options.get("name") or ""
    if isinstance(source, str) or not name.lower().endswith(WORKBOOKS) or options.get("sheets_are") == "others":
        return [(source, options)]
    file = load_file(source, name, SELECTION_ENDINGS)
    every = decode_cells(file).place.sheets
    named = [sheet for sheet in every if is_run(sheet)]
    sheets = named if len(named) > 1 else every
    if not 2 <= len(sheets) <= MAX_SHEETS:
        return [(file.data, options)]
    parts = []
    for sheet in sheets:
        text = io.StringIO()
        csv.writer(text).writerows(cells for _, cells in as_rows(decode_cells(file, sheet)))
        about = {**options, "name": f"{sheet}.csv", "label": sheet, "sheets_are": None}
        try:
            read_selectors(text.getvalue().encode(), about["name"], **_given(options, "kind", "features"))
            return [(file.data, options)]
        except (OneList, OneRun):
            parts.append((text.getvalue().encode(), about))
        except InputError:
            return [(file.data, options)]
    if options.get("sheets_are") != "runs" and not all(is_run(sheet) or _SHEET.fullmatch(sheet) for sheet in sheets):
        raise Question(
            f"The workbook has {len(sheets)} sheets with one list each: {listed(sheets)}. Is each sheet one run?",
            "sheets_are",
            {"runs": f"Each sheet is one run: {len(sheets)} runs", "others": "Only the first sheet counts"},
            name,
        )
    if others := [sheet for sheet in every if sheet not in sheets]:
        notes.append((name, [f"Not read, because they are not named like runs: {listed(others)}."]))
    return parts


def _of_file(question, options):
    return Question(str(question), question.option, question.answers, options["name"])


def _given(options, *keys):
    return {key: options[key] for key in (*ANSWERS, *keys) if options.get(key) is not None}


def _read_file(source, options, columns):
    """{selector: SelectedRuns} of one file; columns: known names, which may contain any characters."""
    arguments = {"kind": options.get("kind"), **_given(options, "features")}
    arguments["n_features"] = None if "features" in arguments else options.get("n_features")
    try:
        return read_selectors(source, options["name"], **arguments)
    except OddNames as odd:
        if not set(odd.names) <= {str(name) for name in columns}:
            raise
        return read_selectors(source, options["name"], **arguments | {"names_are": "features"})


def _free_label(label, taken):
    while label in taken:
        label += " (again)"
    return label


def _add_runs(files, selected_of, about, notes, by_selector):
    """Add the SelectedRuns of files with one run each, (options, OneList or OneRun). about: the note on them, after their number.

    Files with similar names belong to one selector.
    """
    if len(files) == 1:
        options, alone = files[0]
        alone.file = options["name"]
        raise alone
    for label, runs in _by_selector_name(files).items():
        options, called = runs[0][0], number_repeated([options["label"] for options, _ in runs])
        n_features = None if options.get("features") is not None else options.get("n_features")
        checked = checked_options(options.get("kind"), options.get("features"), n_features, _given(options))
        try:
            selected = selected_of(runs, called, checked)[""]
            refuse_many_runs(selected, None)
        except Question as question:
            raise _of_file(question, options) from None
        label = _free_label(label or LISTS, by_selector)
        by_selector[label] = selected
        notes.append((label, [f"Each of {len(runs)} files {about}.", *(note for note in selected.notes if note != LAST_MAY_MISS)]))


def _selected_of_lists(files, called, options):
    line_of = {name: options["name"] for options, alone in reversed(files) for name in alone.names}
    names_of = {run: dict.fromkeys(alone.names, 1.0) for run, (_, alone) in zip(called, files, strict=True)}
    answers = {**options.answers, "names_are": "features"}  # they were compared with the columns of the table
    return name_selections({"": names_of}, line_of, replace(options, answers=answers), [])


def _selected_of_tables(files, called, options):
    heads = {tuple(alone.rows[0][1]) for _, alone in files}
    if len(heads) > 1:
        names, values = listed([options["name"] for options, _ in files], 3), listed(head[-1] for head in heads)
        raise InputError(f"{names} hold different values of each feature: {values}. All runs need the same.")
    rows = [(0, ["run", *files[0][1].rows[0][1]])]
    rows += [(line, [run, *cells]) for run, (_, alone) in zip(called, files, strict=True) for line, cells in alone.rows[1:]]
    notes = dict.fromkeys(note for _, alone in files for note in alone.notes)
    return read_long_selections(rows, find_places(rows), options, [*notes])


def _by_selector_name(files):
    """{label: files} of (options, …): files whose names differ only in a number belong to one selector, if this holds for all."""
    stems: dict[Any, Any] = {}
    for file in files:
        stems.setdefault(_NUMBER_AT_END.sub("", file[0]["label"]).strip(" _.-"), []).append(file)
    several_selectors = len(stems) > 1 and all(len(runs) > 1 for runs in stems.values())
    return stems if several_selectors else {next(iter(stems)) if len(stems) == 1 else LISTS: files}


def _counted(notes):
    """The notes as sentences. A note on several files appears once, with their number."""
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


def _about_same_features(by_selector, table, columns, is_known, n_features):
    """(the SelectedRuns with the same features, notes): with the names of the table, and one set of features for lists."""
    notes = []
    if len(columns):
        by_selector, notes = _called_as(by_selector, columns)
    of_tables = [selected.features for selected in by_selector.values() if selected.kind != "sets"]
    only_lists = {label: selected for label, selected in by_selector.items() if selected.kind == "sets"}
    if only_lists and (of_tables or len(table) or len(only_lists) > 1):
        named = list(dict.fromkeys(name for selected in only_lists.values() for names in selected.sets for name in names))
        universe = tuple(of_tables[0] if of_tables else _universe(only_lists, named, table, is_known, n_features))
        in_universe = set(universe)
        if unknown := [name for name in named if name not in in_universe]:
            raise InputError(
                f"The lists name {counted(len(unknown), 'feature')} that the other selections do not have: {listed(unknown)}. "
                "Compared selections must have the same features."
            )
        if len(table) and not of_tables and not is_known:
            beside = len(universe) - len(table)
            more = f" and {counted(beside, 'name')} that it does not have" if beside else ""
            notes.append(f"There were {len(universe):,} features to choose from: the {len(table):,} of the table{more}.")
        elif any(selected.features != universe for selected in only_lists.values()):
            notes.append(f"Together: {describe_universe(len(universe), is_known or bool(of_tables))}")
        by_selector = by_selector | {label: replace(selected, features=universe) for label, selected in only_lists.items()}
    return _in_one_order(by_selector, notes), notes


def _universe(lists, named, table, is_known, n_features):
    """All features from which lists of names were selected."""
    if is_known and n_features is None:
        return next(iter(lists.values())).features  # all names were given
    if is_known:
        return add_unselected(named, n_features)
    if len(table):
        in_table = set(table)
        return (*table, *(name for name in named if name not in in_table))
    return sorted({name for selected in lists.values() for name in selected.features})


def _called_as(by_selector, columns):
    """(the SelectedRuns with features renamed as the columns of a table, notes)."""
    names = dict.fromkeys(name for selected in by_selector.values() for name in selected.features)
    every = [name for name in names if not name.startswith("(never selected ")]
    called = match_names(every, columns)
    if not called:
        raise InputError(
            f"None of the {len(every):,} features of the selections is a column of the table. The selections name "
            f"{listed(every, 3)}, but the table names {listed(columns, 3)}. Upload the table from which the selections were made, "
            "or none."
        )
    renamed = {old: new for old, new in called.items() if old != new}
    missing = [name for name in every if name not in called]
    notes = [f"{len(called):,} of {counted(len(every), 'feature')} are in the table."]
    if renamed:
        old, new = next(iter(renamed.items()))
        notes.append(f"Renamed as in the table: {counted(len(renamed), 'feature')}, such as {old!r} to {new!r}.")
    if missing:
        notes.append(f"Not in the table, so without correlations: {counted(len(missing), 'feature')}, {listed(missing)}.")

    def rename(names):
        return tuple(renamed.get(name, name) for name in names)

    return {
        label: replace(
            selected, features=rename(selected.features), sets=None if selected.sets is None else tuple(map(rename, selected.sets))
        )
        for label, selected in by_selector.items()
    }, notes


def _in_one_order(by_selector, notes):
    """The SelectedRuns with the features in the order of the first, if they have the same features."""
    first, ordered = next(iter(by_selector.values())).features, {}
    place = {name: j for j, name in enumerate(first)}
    for label, selections in by_selector.items():
        if selections.features != first and set(selections.features) == set(first):
            if (matrix := selections.matrix) is not None:
                matrix = matrix[:, np.argsort([place[name] for name in selections.features])]
                notes.append(f"{label}: its features were put in the order of the first selections.")
            selections = replace(selections, features=first, matrix=matrix)
        ordered[label] = selections
    return ordered
