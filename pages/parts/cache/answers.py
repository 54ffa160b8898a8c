"""What follows from the results: selections, and answers to questions, each computed once and shared between reruns."""

from __future__ import annotations

import json
from dataclasses import replace

import streamlit as st

from pages.parts.cache import loaded, relations


@st.cache_resource(max_entries=64, show_spinner=False)
def _selections(of, label, k, _results):
    return replace(_results.preferences(label, k), raw_importances=None, scores=None, ranks=None, paths=None,
                   raw_importances_for=None)


@st.cache_resource(max_entries=8, show_spinner=False)
def _counts(of, _results):
    return sum(_results.preferences(label).counts for label in _results.ready)


@st.cache_resource(max_entries=64, show_spinner=False)      # a spinner is a thread for every answer; see layout.READABLE
def _answer(of, question, _make):
    return _make()


def cached(make, *question):
    """What make() gives, computed once for these results and this question, which names everything else that matters."""
    return _answer(loaded.results_key(), json.dumps(question, sort_keys=True), make)


def selections(labels, k=None):
    """{label: Preferences} of these selectors that hold the selections alone, so that many can be kept."""
    of, results = loaded.results_key(), loaded.results()
    return {label: _selections(of, label, k, results) for label in labels}


def counts():
    """(d,) how often all selectors together selected each feature; None while there are no results."""
    results = loaded.results()
    return _counts(loaded.results_key(), results) if results is not None and results.ready else None


def stability_pairs(measure, relation=None, k=None):
    """The stability of every two selectors compared, as stabcore.analysis.pairs does; relation: the chosen one, or None."""
    from stabcore.analysis.pairs import stability_pairs

    results = loaded.results()
    return cached(lambda: stability_pairs(results, measure, relation, k), "stability pairs", measure, k,
                  relations.relation_key() if relation is not None else None)


def score_pairs(score):
    """The predictions of every two selectors compared by a score, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import score_pairs

    results = loaded.results()
    return cached(lambda: score_pairs(results, score), "score pairs", score)


def size_pairs():
    """The sizes of every two selectors' selections compared, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import size_pairs

    results = loaded.results()
    return cached(lambda: size_pairs(results), "size pairs")


def floors(measure, relation=None, k=None):
    """What each selector would show without any signal, as stabcore.analysis.floors does."""
    from stabcore.analysis.floors import floors

    results = loaded.results()
    return cached(lambda: floors(results, measure, relation, k), "floors", measure, k,
                  relations.relation_key() if relation is not None else None)


def drawn_floor(measure, relation=None, k=None):
    """What these runs would show without any signal, as pictures draw it: `floors` where there is a control, else one line."""
    from stabcore.figures.noise_floor import frame_floor

    results = loaded.results()
    known = floors(measure, relation, k) if results.has_control else None
    return cached(lambda: frame_floor(results, k, measure, relation, known), "floor", measure, k,
                  relations.relation_key() if relation is not None else None)


def changes(before, after, relation, k=None):
    """How much more one measure gives than another one for each selector, as stabcore.analysis.pairs does."""
    from stabcore.analysis.pairs import changes

    results = loaded.results()
    return cached(lambda: changes(results, before, after, relation, k), "changes", before, after, k, relations.relation_key())


def split_half(measure, relation, k=None):
    """What two separate halves of the patients agree on, of a study of complementary halves."""
    results = loaded.results()
    return cached(lambda: results.split_half(measure, relation, k), "split half", measure, k, relations.relation_key())


def cautions(relation):
    """What makes the effective stability of these runs hard to read with the chosen relation; each sentence once."""
    from stabcore.analysis.cautions import cautions

    results = loaded.results()
    return cached(lambda: list(dict.fromkeys(one for label in results.ready
                                             for one in cautions(relation, results.preferences(label)))),
                  "cautions", relations.relation_key())


def effect(runs, relation):
    """{nogueira, effective, note} of some runs under a relation; the note says what is undefined and why."""
    from stabcore.inference.estimate import stability

    estimates = stability(runs, ["nogueira", "effective"], relation=relation)
    undefined = {one.reason: None for one in estimates.values() if one.reason}
    return {**{key: one.value for key, one in estimates.items()}, "note": "; ".join(undefined)}
