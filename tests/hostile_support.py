"""Hostile files, each read as its page reads it, and the result.

A case is right if it opens with its known numbers, raises a question, or is refused with a sentence. It is wrong if another
exception is raised, or if it opens with other numbers without a note.
"""

import csv
import gc
import io
import math
import os
import re
import tempfile
import warnings
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from random import Random

from hostile_cells_support import NO_NUMBER

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.data import Dataset, describe
from stabcore.data.presets import guess_roles
from stabcore.io.check import cell_questions
from stabcore.io.choices import Question
from stabcore.io.feature_sets import read_sets
from stabcore.io.mends import apply_mends
from stabcore.io.orientation import recognise_transposed
from stabcore.io.table import read_table
from stabcore.similarity.files import read_scenario, read_similarity
from stabcore.study.results import Results

FEATURES = ("ALT", "AST", "EGFR", "IL 6")  # of the data that sets, relations and scenarios are about
SENTENCE = re.compile(r"[.?)]$")
CODE_RAN = "HOSTILE_CODE_RAN"  # in the environment, where code of a file ran
MAX_MESSAGE_LENGTH = 1500  # characters of what a person reads


# {family: how many of it `make test` tries}
FAMILY_QUOTAS = {
    **{"encodings": 25, "cells": 25, "names of columns": 15, "places": 20, "dates": 6, "bytes of texts": 15, "no tables": 15},
    **{"parts of workbooks": 6, "archives": 8, "parquet": 15, "other programs": 3, "platforms": 15, "unread formats": 12},
    **{"selections": 30, "sets of features": 10, "study files": 8, "code": 40},
}


@dataclass(frozen=True)
class Case:
    """One file: its family, reader, name, content and true values, as the check of the reader takes them."""

    name: str
    door: str
    file: str
    data: object
    truth: object = None
    dangerous: bool = False  # takes much memory or time where it is not refused: for the benchmark alone
    options: dict = field(default_factory=dict)
    family: str = ""

    def __str__(self):
        return f"{self.family} / {self.name} ({self.file})"


def damaged(rng, content):
    """Content that was cut, flipped, zeroed, doubled, or has insertions."""
    data = bytearray(content)
    place, length = rng.randrange(len(data)), rng.choice((1, 1, 2, 5, 40, 500))
    other = rng.randrange(len(data))
    kind = rng.choice(("flip", "flip", "flips", "cut", "zero", "ones", "drop", "copy", "insert", "random"))
    if kind == "flip":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "flips":
        for _ in range(rng.choice((3, 10, 40))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[place:]
    elif kind in ("zero", "ones"):
        data[place : place + length] = (b"\0" if kind == "zero" else b"\xff") * len(data[place : place + length])
    elif kind == "drop":
        del data[place : place + length]
    elif kind == "copy":
        data[place:place] = data[other : other + length]
    elif kind == "insert":
        data[place:place] = rng.choice((b"\0", b'"', b"\n", b"\xff\xfe", b",", b"9", b"-", b"\r", b"\x1a", b";", b"'", b"<", b"&"))
    else:
        data[place : place + length] = rng.randbytes(length)
    return f"{kind} at {place}", bytes(data)


def written(rows, **options):
    """Rows as the text of a CSV file."""
    file = io.StringIO()
    csv.writer(file, **options).writerows(rows)
    return file.getvalue()


def under_names(door, contents, files):
    """The same contents under every name, whose extension may be wrong."""
    return (Case(f"number {number}", door, file, data) for number, data in enumerate(contents) for file in files)


def families():
    """{family: function that makes its cases}, of every module with cases."""
    kinds = ("text", "sheets", "formats", "selections", "study", "code")
    return {family: make for kind in kinds for family, make in import_module(f"hostile_{kind}_support").FAMILIES.items()}


def cases(random_state=0, each=55, only=()):
    """Every case by family, reproducible by the seed. each: variants per kind of study file, which are slow.

    only: these families, by default all.
    """
    for family, make in families().items():
        if only and family not in only:
            continue
        seen, lot = set(), Random(f"{random_state} {family}")
        for case in make(lot, each) if family == "study files" else make(lot):
            key = (case.door, case.file, case.data, repr(sorted(case.options.items())))
            if key not in seen:
                seen.add(key)
                yield replace(case, family=family)


def outcome(case) -> tuple[str, str]:
    """Return (result of a case, details). The result is right, asked, refused, raw or wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wrong = DOORS[case.door](case)
        except Question as question:
            return _told("asked", question)
        except InputError as error:
            return _told("refused", error)
        except Exception as error:
            return "raw", f"{type(error).__name__}: {str(error)[:200]}"
        finally:
            gc.collect(0)
            assert not os.environ.pop(CODE_RAN, ""), f"{case} ran code"
    return ("wrong", wrong) if wrong else ("right", "")


def _told(what, error):
    words = str(error)
    if not SENTENCE.search(words) or len(words) > MAX_MESSAGE_LENGTH or len(words) < 20:
        return "raw", f"no sentence: {words[:200]!r}"
    return what, words


# ---- readers, as pages use them. Each returns an unnoticed error, or "" ----


def through_table(case):
    """A table read on Start, shown on Data, and prepared for a study."""
    read = read_table(case.data, case.file)
    asked = cell_questions(read)
    mended = apply_mends(read, [question.offers[0][1] for question in asked if question.offers])
    recognise_transposed(mended.frame)
    changed_columns = set(describe(read.frame).query("suggestion in ['correct cells', 'constant', 'empty']")["column"])
    target = guess_roles(mended.frame, mended.about).target
    if target is not None:
        try:
            Dataset.from_reading(mended, target=target, set_aside=True)
        except InputError as error:  # said on Data; the table itself was read
            assert SENTENCE.search(str(error)), error
    changed_columns |= {column for question in asked for column in question.columns}
    return case.truth(read, changed_columns) if callable(case.truth) else differing(case.truth or {}, read, changed_columns)


def through_selections(case):
    """Selections uploaded on Start."""
    results = Results.from_files([(case.data, {"label": "mine", "name": case.file, **case.options})])
    for label in results.selectors:
        assert math.isfinite(results.selections(label).sizes.sum())
    return _other_sets(case.truth, results) if case.truth else ""


def _other_sets(truth, results):
    """truth: {selector: sets of names, in any order of the runs}."""
    for selector, true in zip(results.selectors, truth, strict=False):
        runs = results.selections(selector)
        sets = [frozenset(name for name, picked in zip(runs.features, row, strict=True) if picked) for row in runs.selected]
        if sorted(map(sorted, sets)) != sorted(map(sorted, true)):
            return f"{selector}: {list(map(sorted, sets))[:4]} instead of {list(map(sorted, true))[:4]}, {results.notes}"
    return "" if len(results.selectors) == len(truth) else f"selectors {results.selectors}"


def through_scenario(case):
    """A scenario uploaded on Similarity."""
    name, scenario, _, notes = read_scenario(case.data, list(FEATURES))
    assert isinstance(name, str) and all(SENTENCE.search(note) for note in notes), notes
    features = {feature for names in (*scenario.groups.values(), *(edit[:2] for edit in scenario.edits)) for feature in names}
    if unknown := features - set(FEATURES):
        return f"features that do not exist: {unknown}"
    return case.truth(scenario, notes) if case.truth else ""


def through_similarity(case):
    """A matrix C uploaded on Similarity."""
    read = read_similarity(case.data, case.file, FEATURES)
    C = read.similarity.block(range(len(FEATURES)))
    if not ((C >= 0) & (C <= 1)).all() or (C != C.T).any() or (C.diagonal() != 1).any():
        return f"no relation: {C.tolist()}"
    return "" if case.truth is None or abs(C - case.truth).max() < 1e-9 or _says(read.notes) else f"{C.tolist()}, {read.notes}"


def _says(notes):
    return [note for note in notes if "separated by" not in note]


def through_sets(case):
    """Sets of features uploaded on Similarity."""
    read = read_sets(case.data, case.file, FEATURES)
    assert set(name for features in read.sets.values() for name in features) <= set(FEATURES)
    return "" if case.truth is None or read.sets == case.truth else f"{read.sets}, {read.notes}"


def through_study(case):
    """A study file uploaded on Start, and everything that screens compute from it."""
    from damaged_support import use

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, case.file)
        path.write_bytes(case.data)
        result = use(path)
        for text in result.store.meta("scenarios", []):
            read_scenario(text.encode("utf-8"), result.features)
        return "" if result.notes or case.truth in (None, result.digest()) else "other results, and nothing is said"


DOORS = {
    **{"table": through_table, "selections": through_selections, "scenario": through_scenario},
    **{"similarity": through_similarity, "sets": through_sets, "study": through_study},
}


# ---- contents of a table ----


def differing(truth, read, asked_columns):
    """Return the first cell of a table that differs from {column: cells} without a note, or "".

    asked_columns: columns that raise a question or are changed.
    """
    for column, true in truth.items():
        if column in asked_columns:
            continue
        if column not in read.frame:
            return "" if _says(read.notes) else f"no column {column!r}: {list(read.frame.columns)[:8]}"
        cells = list(read.frame[column].astype(object))
        if len(cells) != len(true):
            return "" if _says(read.notes) else f"{len(cells)} rows instead of {len(true)}"
        wrong = next((i for i, pair in enumerate(zip(cells, true, strict=True)) if not same(*pair)), None)
        if wrong is None:
            return ""
        named = read.written.marks.get(column) or any("missing" in note for note in read.notes)
        if not (_is_missing(cells[wrong]) and named) and not any("comma" in n.lower() and repr(column) in n for n in read.notes):
            return f"{column!r}, row {wrong}: {cells[wrong]!r} instead of {true[wrong]!r}; {read.notes}"
    return ""


def _is_missing(cell):
    return cell is None or cell != cell


def same(cell, true):
    """Return whether a cell is right. Text kept unchanged is not a wrong number."""
    if true == NO_NUMBER:
        return isinstance(cell, (str, bool)) or not isinstance(cell, (int, float))
    if _is_missing(cell) or _is_missing(true):
        return _is_missing(cell) and _is_missing(true)
    if isinstance(true, (int, float)) and not isinstance(true, bool):
        try:
            return math.isclose(float(cell), true, rel_tol=1e-12)
        except (TypeError, ValueError):
            return isinstance(cell, str)
    return str(cell) == str(true) or isinstance(cell, bool) and str(cell).lower() == str(true).lower()


def digest_of(content):
    """Contents of a study file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "good.stab")
        path.write_bytes(content)
        return sc.open_study(path).digest()


def warm():
    """Import the libraries of readers, so that they do not count for the first file."""
    outcome(Case("", "table", "t.parquet", b"PAR1"))
    outcome(Case("", "table", "t.csv", b"a,b,y\n" + b"1,2,x\n2,3,y\n" * 30))
    outcome(Case("", "selections", "t.csv", b"a,b\n1,0\n1,1\n"))
    outcome(Case("", "similarity", "t.csv", b"ALT,AST\n1,0\n0,1\n"))
