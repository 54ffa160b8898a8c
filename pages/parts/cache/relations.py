"""Relations C of scenarios and what they are made of: correlations, matrices that were brought, trees of groups."""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from pages.parts import scenarios, session
from pages.parts.cache import loaded
from pages.parts.cache.tables import stamp
from stabcore.errors import InputError
from stabcore.relation.scenario import Scenario


@st.cache_resource(max_entries=2, show_spinner="Correlating the features …")         # each may hold 400 MB
def _correlations(fingerprint, method, threshold, _data):
    from stabcore.relation.relation import Relation

    return Relation.from_correlation(_data, method=method, threshold=threshold, binary=False)


@st.cache_resource(max_entries=32, show_spinner=False)
def _lowest_threshold(fingerprint, method, _data):
    from stabcore.relation.excerpt import lowest_threshold

    return lowest_threshold(_data, method)


@st.cache_resource(max_entries=4, show_spinner="Reading the matrix …")
def _matrix(file, features, _path, _known=None):
    from stabcore.relation.files import read_relation

    return read_relation(_path, features=json.loads(features)) if _known is None else _known


@st.cache_resource(max_entries=3, show_spinner=False)              # each may hold 400 MB
def _relation(scenario, fingerprint, files, _features, _data, _path, _sets):
    chosen = Scenario.of(json.loads(scenario))

    def correlations(threshold):        # kept from a low threshold on: then a higher one is only a cut of the same pairs
        lowest = _lowest_threshold(fingerprint, chosen.method, _data)
        try:
            return _correlations(fingerprint, chosen.method, min(lowest, threshold), _data)
        except InputError:              # the lowest was told from a sample: it may be too low by a little
            return _correlations(fingerprint, chosen.method, threshold, _data)

    return chosen.build(_features, correlations if _data is not None else None,
                        (lambda: _matrix(stamp(_path), json.dumps(_features), _path).relation) if _path else None,
                        partial(_sets_among, stamp(_sets), json.dumps(_features), _sets) if _sets else None)


@st.cache_resource(max_entries=4, show_spinner="Reading the sets …")
def _sets_among(file, features, _path):
    from stabcore.relation.overlap import kept_sets

    known = set(json.loads(features))
    sets = {name: [one for one in own if one in known] for name, own in kept_sets(_path).items()}
    return {name: own for name, own in sets.items() if own}


@st.cache_resource(max_entries=8, show_spinner="Comparing every two features …")
def _tree(fingerprint, method, linkage, features, _data):
    from stabcore.relation.grouping import suggest

    return suggest(_data, method=method, linkage=linkage, features=json.loads(features))


@st.cache_resource(max_entries=2, show_spinner="Correlating every two features …")
def _bins(fingerprint, method, binary, _data):
    from stabcore.whatif.thresholds import CorrelationBins

    return CorrelationBins.of(_data, method, binary=binary)


def bins(data, method, binary):
    """Every pair of features of a Dataset by its |ρ|, for curves over thresholds."""
    return _bins(data.fingerprint, method, binary, data)


def tree(method, linkage, names):
    """The suggested groups of these features, by name, as a tree."""
    data = loaded.matching_data()
    return _tree(data.fingerprint, method, linkage, json.dumps(names), data)


def relation():
    """The Relation of the chosen scenario, about the features of the results."""
    return relation_of(scenarios.chosen())


def relation_of(chosen: Scenario):
    """The Relation that a scenario makes, about the features of the results."""
    names, data = loaded.features(), loaded.matching_data()
    return _relation(json.dumps(chosen.settings(), sort_keys=True), f"{data.fingerprint if data else ''}{json.dumps(names)}",
                     _stamps(chosen), names, data, _matrix_file(chosen), _file(chosen.sets))


def relation_key():
    """All that the Relation of the chosen scenario depends on, as text for a question."""
    return relation_key_of(scenarios.chosen())


def relation_key_of(chosen: Scenario):
    """The same of any scenario."""
    data = loaded.matching_data()
    return [chosen.settings(), data.fingerprint if data else "", _stamps(chosen)]


def know_matrix(chosen: Scenario, read):
    """Keep what was read from the matrix of a scenario."""
    path = _matrix_file(chosen)
    _matrix(stamp(path), json.dumps(loaded.features()), path, read)


def matrix_reading(chosen: Scenario):
    """How the matrix that was brought is understood, or None while there is none. Raises InputError as read_relation does."""
    read = matrix_reader(chosen)
    return read and read()


def matrix_reader(chosen: Scenario):
    """What reads that matrix, also where no session is known, as when a download is asked for; None while there is none."""
    path = _matrix_file(chosen)
    return partial(_matrix, stamp(path), json.dumps(loaded.features()), path) if path else None


def sets_reader(chosen: Scenario):
    """What reads the sets of a scenario, {name: members}, also where no session is known; None while there are none."""
    path = _file(chosen.sets)
    return partial(_sets_among, stamp(path), json.dumps(loaded.features()), path) if path else None


def _matrix_file(chosen):
    return _file(chosen.matrix)


def _file(name):
    path = session.workspace().folder / name if name else None
    return path if path and path.exists() else None


def _stamps(chosen):
    return "|".join(stamp(path) if path else "" for path in (_matrix_file(chosen), _file(chosen.sets)))
