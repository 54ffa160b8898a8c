"""What was loaded and what follows from it, read or computed once and shared between reruns.

The keys of what is kept are full descriptions, never samples of arrays; arguments that begin with _ are not part of them. What was
read to see whether it can be, as an uploaded file is, comes as `_known` and is not read again.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import scenarios, session
from stabcore.errors import InputError
from stabcore.relation.scenario import Scenario


def _stamp(path):
    found = path.stat()
    return f"{path}|{found.st_mtime_ns}|{found.st_size}"


def _version(store):
    from stabcore.study.store import Store

    return f"{_stamp(store)}|{Store(store).version()}"


@st.cache_resource(max_entries=8, show_spinner="Reading the table …")
def _unmended(stamp, layout, _path, _known=None):
    from stabcore.data.reading import Layout, read_table

    return read_table(_path, layout=Layout(**json.loads(layout))) if _known is None else _known


@st.cache_resource(max_entries=8, show_spinner="Reading the table …")
def _reading(stamp, choices, _path):
    from stabcore.data.reading import Choices, apply

    made = Choices.of(json.loads(choices))
    return apply(_unmended(stamp, json.dumps(made.layout.settings()), _path), made.mends)


@st.cache_resource(max_entries=8, show_spinner="Looking at every column …")
def _described(stamp, choices, _path):
    from stabcore.data import describe

    return describe(_reading(stamp, choices, _path).frame)


@st.cache_resource(max_entries=8, show_spinner="Looking at every cell …")
def _questions(stamp, choices, without, _path):
    from stabcore.data.reading import Choices, suggest

    made = Choices.of(json.loads(choices))
    return suggest(_unmended(stamp, json.dumps(made.layout.settings()), _path), made.mends, json.loads(without))


@st.cache_resource(max_entries=8, show_spinner="Checking the table …")
def _findings(stamp, choices, roles, _path):
    from stabcore.data import check

    return check(_reading(stamp, choices, _path).frame, **json.loads(roles))


@st.cache_resource(max_entries=8, show_spinner="Checking the table …")
def _dataset(stamp, choices, roles, _path, name):
    from stabcore.data import Dataset

    return Dataset.from_reading(_reading(stamp, choices, _path), **{**json.loads(roles), "name": name})


@st.cache_resource(max_entries=2, show_spinner="Correlating the features …")         # each may hold 400 MB
def _correlations(fingerprint, method, threshold, _data):
    from stabcore.relation.relation import Relation

    return Relation.from_correlation(_data, method=method, threshold=threshold, binary=False)


@st.cache_resource(max_entries=32, show_spinner=False)
def _lowest_threshold(fingerprint, method, _data):
    from stabcore.relation.excerpt import lowest_threshold

    return lowest_threshold(_data, method)


@st.cache_resource(max_entries=4, show_spinner="Reading the matrix …")
def _matrix(stamp, features, _path, _known=None):
    from stabcore.relation.read_matrix import read_relation

    return read_relation(_path, features=json.loads(features)) if _known is None else _known


@st.cache_resource(max_entries=3, show_spinner=False)              # each may hold 400 MB
def _relation(scenario, fingerprint, matrix, _features, _data, _path):
    made = Scenario.of(json.loads(scenario))

    def correlations(threshold):        # kept from a low threshold on: then a higher one is only a cut of the same pairs
        lowest = _lowest_threshold(fingerprint, made.method, _data)
        try:
            return _correlations(fingerprint, made.method, min(lowest, threshold), _data)
        except InputError:              # the lowest was told from a sample: it may be too low by a little
            return _correlations(fingerprint, made.method, threshold, _data)

    return made.build(_features, correlations if _data is not None else None,
                      (lambda: _matrix(matrix, json.dumps(_features), _path).relation) if _path else None)


@st.cache_resource(max_entries=8, show_spinner="Comparing every two features …")
def _tree(fingerprint, method, linkage, features, _data):
    from stabcore.relation.grouping import suggest

    return suggest(_data, method=method, linkage=linkage, features=json.loads(features))


@st.cache_resource(max_entries=8, show_spinner=False)
def _counts(of, _found):
    return sum(_found.preferences(label).counts for label in _found.ready)


@st.cache_resource(max_entries=8, show_spinner="Opening the study …")
def _study(stamp, version, _path):
    from stabcore.study.study_result import open_study

    return open_study(_path, named=True)


@st.cache_resource(max_entries=8, show_spinner="Reading the selections …")
def _uploaded_runs(id, files, _workspace, _known=None):
    from stabcore.study.results import Results

    if _known is not None:
        return _known
    return Results.from_files([(_workspace.folder / one["file"], one) for one in json.loads(files)])


@st.cache_resource(max_entries=2, show_spinner="Correlating every two features …")
def _bins(fingerprint, method, binary, _data):
    from stabcore.whatif.thresholds import CorrelationBins

    return CorrelationBins.of(_data, method, binary=binary)


@st.cache_resource(max_entries=64, show_spinner=False)
def _selections(of, label, k, _found):
    return replace(_found.preferences(label, k), raw_importances=None, scores=None, ranks=None, paths=None,
                   raw_importances_for=None)


@st.cache_resource(max_entries=64, show_spinner="Computing …")
def _answer(of, question, _make):
    return _make()


def _of_results():
    here = session.workspace()
    return f"{here.id}|" + (json.dumps(here.settings["selections"]) if "selections" in here.settings else _version(here.store))


def _table():
    """(stamp of the file, choices about it, path): all that the table of this session depends on."""
    here = session.workspace()
    path = here.table_file
    return _stamp(path), json.dumps(here.settings.get("choices", {}), sort_keys=True), path


def reading():
    """The table as it was read and mended, or None."""
    here = session.workspace()
    return _reading(*_table()) if here and here.table_file else None


def unmended():
    """The table as it was read from where it was chosen to lie, before anything is mended."""
    stamp, _, path = _table()
    return _unmended(stamp, json.dumps(choices().layout.settings()), path)


def choices():
    """Where the table lies and how its cells are mended, as far as that was chosen."""
    from stabcore.data.reading import Choices

    return Choices.of(session.workspace().settings.get("choices", {}))


def questions(without):
    """What is to be asked about the cells, but for these columns."""
    stamp, made, path = _table()
    return _questions(stamp, made, json.dumps(without), path)


def know_table(here, read):
    """Keep what was read from the table of a workspace, whose file now lies there."""
    _unmended(_stamp(here.table_file), json.dumps({}), here.table_file, read)


def know_selections(here, runs):
    """Keep what was read from the selections of a workspace."""
    _uploaded_runs(here.id, json.dumps(here.settings["selections"]), here, runs)


def know_matrix(chosen: Scenario, read):
    """Keep what was read from the matrix of a scenario."""
    path = _matrix_file(chosen)
    _matrix(_stamp(path), json.dumps(features()), path, read)


def described():
    """What was understood of each column of the table, before a target is chosen."""
    return _described(*_table())


def findings(roles):
    """What the check of the table finds with these roles."""
    stamp, made, path = _table()
    return _findings(stamp, made, json.dumps(roles, sort_keys=True), path)


def dataset():
    """The Dataset once a target is chosen, or None. Raises InputError for roles that do not work."""
    here = session.workspace()
    roles = here.settings.get("roles") if here else None
    if not roles or not here.table_file:
        return None
    stamp, made, path = _table()
    return _dataset(stamp, made, json.dumps(roles, sort_keys=True), path, here.settings.get("name", ""))


def matching_data():
    """The Dataset if it has the features of the results, in their order; else None."""
    data = dataset()
    return data if data is not None and data.features == features() else None


def changed_since() -> bool:
    """Has the table, its outcome or its features become another one than the study was run on?"""
    data, store = dataset(), getattr(result(), "store", None)
    return bool(data is not None and store is not None and result().settings["data"]["fingerprint"] != data.fingerprint)


def study_at(path):
    """Another study file, opened once for all sessions. Raises InputError when it is not one."""
    return _study(str(path), _version(path), path)


def result():
    """Finished or unfinished runs to look at (StudyResult or Runs), or None."""
    here = session.workspace()
    if here is None:
        return None
    if "selections" in here.settings:
        return _uploaded_runs(here.id, json.dumps(here.settings["selections"]), here)
    if here.store is None:
        return None
    return _study(str(here.store), _version(here.store), here.store)


def features():
    """Names of the features that a relation is about: of the results, else of the data."""
    found = result() or dataset()
    return found.features if found is not None else None


def selections(labels, k=None):
    """{label: Preferences} of these selectors that hold the selections alone, so that many can be kept."""
    of, found = _of_results(), result()
    return {label: _selections(of, label, k, found) for label in labels}


def counts():
    """(d,) how often all selectors together selected each feature; None while there are no results."""
    found = result()
    return _counts(_of_results(), found) if found is not None and found.ready else None


def cached(make, *question):
    """What make() gives, computed once for these results and this question, which names everything else that matters."""
    return _answer(_of_results(), json.dumps(question, sort_keys=True), make)


def stability_pairs(measure, relation=None, k=None):
    """The stability of every two selectors compared, as stabcore.analysis.pairs does; relation: the chosen one, or None."""
    from stabcore.analysis.pairs import stability_pairs

    found = result()
    return cached(lambda: stability_pairs(found, measure, relation, k), "stability pairs", measure, k,
                  relation_key() if relation is not None else None)


def floors(measure, relation=None, k=None):
    """What each selector would show without any signal, as stabcore.analysis.floors does."""
    from stabcore.analysis.floors import floors

    found = result()
    return cached(lambda: floors(found, measure, relation, k), "floors", measure, k,
                  relation_key() if relation is not None else None)


def changes(before, after, relation, k=None):
    """How much more one measure gives than another one for each selector, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import changes

    found = result()
    return cached(lambda: changes(found, before, after, relation, k), "changes", before, after, k, relation_key())


def split_half(measure, relation, k=None):
    """What two separate halves of the patients agree on, of a study of complementary halves."""
    found = result()
    return cached(lambda: found.split_half(measure, relation, k), "split half", measure, k, relation_key())


def floor(measure, relation=None, k=None):
    """What these runs would show without any signal, as stabcore.figures.floor tells it; relation: the chosen one, or None."""
    from stabcore.figures.floor import frame_floor

    found = result()
    return cached(lambda: frame_floor(found, k, measure, relation), "floor", measure, k,
                  relation_key() if relation is not None else None)


def cautions():
    """What makes the effective stability of these runs hard to read with the chosen relation; each sentence once."""
    from stabcore.analysis.cautions import cautions

    found, C = result(), relation()
    return cached(lambda: list(dict.fromkeys(said for label in found.ready for said in cautions(C, found.preferences(label)))),
                  "cautions", relation_key())


def score_pairs(score):
    """The predictions of every two selectors compared by a score, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import score_pairs

    found = result()
    return cached(lambda: score_pairs(found, score), "score pairs", score)


def size_pairs():
    """The sizes of every two selectors' selections compared, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import size_pairs

    found = result()
    return cached(lambda: size_pairs(found), "size pairs")


def bins(data, method, binary):
    """Every pair of features of a Dataset by its |ρ|, for curves over thresholds."""
    return _bins(data.fingerprint, method, binary, data)


def tree(method, linkage, names):
    """The suggested groups of these features, by name, as a tree."""
    data = matching_data()
    return _tree(data.fingerprint, method, linkage, json.dumps(names), data)


def relation():
    """The Relation of the chosen scenario, about the features of the results."""
    return relation_of(scenarios.chosen())


def relation_of(chosen: Scenario):
    """The Relation that a scenario makes, about the features of the results."""
    names, data, path = features(), matching_data(), _matrix_file(chosen)
    return _relation(json.dumps(chosen.settings(), sort_keys=True), data.fingerprint if data else json.dumps(names),
                     _stamp(path) if path else "", names, data, path)


def relation_key():
    """All that the Relation of the chosen scenario depends on, as text for a question."""
    chosen, data = scenarios.chosen(), matching_data()
    path = _matrix_file(chosen)
    return [chosen.settings(), data.fingerprint if data else "", _stamp(path) if path else ""]


def matrix_reading(chosen: Scenario):
    """How the matrix that was brought is understood, or None while there is none. Raises InputError as read_relation does."""
    read = matrix_reader(chosen)
    return read and read()


def matrix_reader(chosen: Scenario):
    """What reads that matrix, also where no session is known, as when a download is asked for; None while there is none."""
    path = _matrix_file(chosen)
    return partial(_matrix, _stamp(path), json.dumps(features()), path) if path else None


def _matrix_file(chosen):
    path = session.workspace().folder / chosen.matrix if chosen.matrix else None
    return path if path and path.exists() else None


def effect(runs):
    """{nogueira, effective, note} of some runs under the chosen scenario; the note says what is undefined and why."""
    from stabcore.inference.estimate import stability

    estimates = stability(runs, ["nogueira", "effective"], relation=relation())
    undefined = {one.reason: None for one in estimates.values() if one.reason}
    return {**{key: one.value for key, one in estimates.items()}, "note": "; ".join(undefined)}
