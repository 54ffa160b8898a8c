"""Controls and captions that several screens share."""

from __future__ import annotations

import streamlit as st

from pages.parts import cache, session, words
from pages.parts.text import plain
from stabcore.analysis.similarity_warnings import FROM_THE_SAME_ROWS
from stabcore.base.text import several
from stabcore.inference.estimate import ENOUGH
from stabcore.measures.catalog import entry
from stabcore.plots.estimates import FEW_RUNS, describe_intervals
from stabcore.study.progress import by_whom


def measure_name(key) -> str:
    """The name of a measure on screen."""
    return entry(key).label


def section(key, titles, label="What to look at", place=st) -> str:
    """Choose the section that is open among {section: title}; the first where the one that was open is not offered."""
    return place.segmented_control(
        label,
        titles,
        format_func=titles.get,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        **session.bound(key, next(iter(titles)), titles),
    )


def unfolded(key, *keys, also=False) -> bool:
    """Is what is folded open to begin with? Where something in it is chosen already, as after F5 and by a link; from then on it
    stays as a person leaves it. kept: what is chosen in it; also: is anything else in it chosen?
    """
    return st.session_state.setdefault(f"{key}__unfolded", also or any(key in st.session_state for key in keys))


def missing_runs(results) -> dict[str, str]:
    """{selector: what its numbers rest on} of those of which runs failed or are not finished."""
    return cache.computed(results.missing_runs).set_index("selector")["sentence"].to_dict()


def of_planned(results, labels) -> list[str]:
    """How many runs each of these selectors rests on, as it stands in a table: 82 of 100."""
    missing = results.missing_runs().set_index("selector")
    return [
        f"{missing['runs'][label]} of {missing['planned'][label]}"
        if label in missing.index
        else f"{results.selections(label).n_runs}"
        for label in labels
    ]


def score_notes(table, whose=""):
    """Beside accuracies, of a result table: the classes that they cannot speak of."""
    for sentence in by_whom(table["accuracy_note"].to_dict()):
        st.warning(plain(whose + sentence), icon=":material/warning:")


def cardinality(results):
    """The what-if on how many features count as selected; None: what each run really selected."""
    if not all(results.can_rank(label) for label in results.finished_selectors):
        return None
    d = len(results.features)
    whole = st.toggle(
        "Set features per run",
        help="The runs keep what they would select with other numbers, so no study runs again. Accuracy is known for the number "
        "of the study only.",
        **session.bound(session.CARDINALITY_ASKED, False),
    )
    if not whole:
        return None
    k = st.slider("Features per run", **session.bound_range(session.CARDINALITY, 1, d, usual_cardinality(results)))
    short = short_rankings(results, results.finished_selectors, k)
    if short:
        words.tell(plain(f"Some runs select fewer than {k} features: {short}."))
    return k


def usual_cardinality(results):
    """How many features count while nobody asks for another number."""
    return results.n_selected or max(1, len(results.features) // 4)


def short_rankings(results, labels, k) -> str:
    """Those of the selectors of which some runs rank fewer than k features, with how many those rank; empty when none do."""
    short = {label: most for label in labels if (most := results.longest([label])) < k}
    return ", ".join(f"{label} ({several(most, 'feature')})" for label, most in short.items())


def asked_cardinality(results):
    """What `cardinality` gives, on a page that does not ask for it."""
    if not st.session_state.get(session.CARDINALITY_ASKED) or not all(
        results.can_rank(label) for label in results.finished_selectors
    ):
        return None
    d = len(results.features)
    return min(max(1, st.session_state.get(session.CARDINALITY) or usual_cardinality(results)), d)


def selector_choice(results, key, label, default=0):
    """Choose one of the selectors that have results."""
    if key in st.session_state:
        st.session_state[key] = results.display_name(st.session_state[key])  # chosen elsewhere, or by its key
    if st.session_state.get(key, None) not in results.finished_selectors:
        st.session_state.pop(session.widget_key(key), None)
    return st.selectbox(
        label,
        results.finished_selectors,
        help=words.explained("selector, baseline"),
        **session.bound(
            key, results.finished_selectors[min(default, len(results.finished_selectors) - 1)], results.finished_selectors
        ),
    )


def describe_interval_limits(results) -> list[str]:
    """What an interval does not say, what runs count as in it, and where that of few runs comes from."""
    counted = results.selections(results.finished_selectors[0]).counted
    return [describe_intervals(results), *([counted] if counted else []), *([FEW_RUNS] if results.n_runs < ENOUGH else [])]


def note_similarity(view):
    """Which features are similar now, and what makes that hard to read."""
    view.frame.explain(f"Effective stability: {plain(view.similarity_sentence())}")
    if view.scenario.base == "correlation":
        view.frame.limit(FROM_THE_SAME_ROWS)
    view.frame.limit(*map(plain, view.cautions()))
