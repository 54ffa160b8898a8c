"""The results of a work, and its table where it belongs to them."""

from __future__ import annotations

import json

import streamlit as st

from pages.parts import session
from pages.parts.cache.tables import dataset, stamp, table_of


def version_of(store):
    """A study file as text for a key: another one whenever a task more is done."""
    from stabcore.study.store import version

    return f"{stamp(store)}|{version(store)}"


@st.cache_resource(max_entries=8, show_spinner="Opening the study …")
def _study(file, version, _path):
    from stabcore.study.study_result import open_study

    return open_study(_path, named=True)


@st.cache_resource(max_entries=8, show_spinner="Reading the selections …")
def _uploaded_runs(of, _workspace, _known=None):
    from stabcore.study.results import Results

    return Results.from_files(sources(_workspace), *table_of(_workspace)) if _known is None else _known


@st.cache_resource(max_entries=8, show_spinner=False)
def _aligned(fingerprint, of, _data, _features):
    from stabcore.data.aligned import aligned

    return aligned(_data, _features)


def results_key():
    """The results as text for a key: another one whenever runs were added."""
    here = session.workspace()
    return here.once("key", lambda: _of_selections(here) if "selections" in here.settings else
                     f"{here.id}|{version_of(here.store)}")


def _of_selections(here):
    """All that uploaded selections depend on: their files, what was said of them, and the table that lies beside them."""
    known = here.settings.get("table") and [here.settings["table"], here.settings.get("roles"), here.settings.get("choices")]
    return f"{here.id}|{json.dumps([here.settings['selections'], known], sort_keys=True)}"


def sources(here):
    """[(file, options)] of the selections of a workspace, as Results.from_files takes them."""
    from stabcore.io.selection_files import read_universe

    lists = {name: read_universe(here.folder / name) for name in {one.get("features_file") for one in here.settings["selections"]}
             if name}
    return [(here.folder / one["file"], {**one, "features": lists.get(one.get("features_file"))})
            for one in here.settings["selections"]]


def know_selections(here, runs):
    """Keep what was read from the selections of a workspace."""
    _uploaded_runs(_of_selections(here), here, runs)


def matching_data():
    """The Dataset if it has the features of the results, in their order; else None.

    Beside selections that somebody brought: with those of their features that it has, the others without a value.
    """
    data, names = dataset(), features()
    if data is not None and data.features != names and "selections" in session.workspace().settings:
        return _aligned(data.fingerprint, results_key(), data, names)
    return data if data is not None and data.features == names else None


def changed_since() -> bool:
    """Has the table, its outcome or its features become another one than the study was run on?"""
    from stabcore.study.search import of_a_half

    data, result = dataset(), results()
    if data is None or getattr(result, "store", None) is None or result.settings["data"]["fingerprint"] == data.fingerprint:
        return False
    return not session.workspace().once("half", lambda: of_a_half(data, result.settings))   # a search looks at one half of the rows


def study_at(path):
    """Another study file, opened once for all sessions. Raises InputError when it is not one."""
    return _study(str(path), version_of(path), path)


def own_study(here):
    """The study that was started last in a work, once its file is there; None before."""
    path = here.folder / "study.stab"
    return study_at(path) if path in here.studies else None


def results():
    """Finished or unfinished runs to look at (StudyResult or Runs), or None."""
    here = session.workspace()
    return here.once("results", lambda: _results_of(here)) if here else None


def _results_of(here):
    if "selections" in here.settings:
        return _uploaded_runs(_of_selections(here), here)
    store = here.store
    return _study(str(store), version_of(store), store) if store is not None else None


def features():
    """Names of the features that a relation is about: of the results, else of the data."""
    of = results() or dataset()
    return of.features if of is not None else None
