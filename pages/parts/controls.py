"""Controls and captions that several screens share."""

import streamlit as st

from pages.parts import cache, glossary, session
from pages.parts.text import plain
from stabcore.analysis.similarity_warnings import SAME_ROWS_WARNING
from stabcore.base.text import counted
from stabcore.inference.estimate import RUNS_FOR_PUBLISHED_INTERVAL
from stabcore.measures.catalog import entry
from stabcore.plots.estimates import FEW_RUNS, describe_intervals
from stabcore.study.progress import sentences_by_selector


def ask_measure(keys, key, usual="nogueira", place=st, label="Choose measure", about=None) -> str:
    """One of these measures. key: of the choice in the session."""
    return place.selectbox(label, keys, format_func=glossary.measure_label, help=about, **session.bound(key, usual, keys))


def ask_section(key, titles, label="What to look at", place=st, about=None) -> str:
    """Choose the open section among {section: title}. The default is the first one. about: the help, which needs the label."""
    return place.segmented_control(
        label,
        titles,
        format_func=titles.get,
        required=True,
        wrap=True,
        help=about,
        label_visibility="visible" if about else "collapsed",
        **session.bound(key, next(iter(titles)), titles),
    )


def is_unfolded(key, *keys, also=False) -> bool:
    """Whether a folded box starts open: it does if it holds a choice, as after F5 or a link. Later it stays as a person leaves it.

    keys: of its choices. also: whether anything else in it is chosen.
    """
    return st.session_state.setdefault(f"{key}__unfolded", also or any(key in st.session_state for key in keys))


def missing_run_notes(results) -> dict[str, str]:
    """{selector: note on its runs} of selectors with failed or unfinished runs."""
    return cache.computed(results.missing_runs).set_index("selector")["sentence"].to_dict()


def format_run_counts(results, labels) -> list[str]:
    """The number of runs of each of these selectors as text: 82 of 100."""
    missing = results.missing_runs()
    texts = {row.selector: f"{row.runs} of {row.planned}" for row in missing.itertuples()}
    return [texts[label] if label in texts else f"{results.selections(label).n_runs}" for label in labels]


def show_score_notes(table, prefix=""):
    """Notes beside accuracies of a result table: the classes that were not scored."""
    for sentence in sentences_by_selector(table["accuracy_note"].to_dict()):
        st.warning(plain(prefix + sentence), icon=":material/warning:")


def ask_cardinality(results):
    """The what-if on the number of features per run. None: the actual selections of each run."""
    if not _can_all_rank(results):
        return None
    is_set = st.toggle(
        "Set features per run",
        help="Each run keeps its ranking, so another number needs no new study. Accuracy is known only for the number "
        "that the study used.",
        **session.bound(session.CARDINALITY_ASKED, False),
    )
    if not is_set:
        return None
    usual = default_cardinality(results)
    k = st.slider("Features per run", **session.bound_range(session.CARDINALITY, 1, len(results.features), usual))
    if short := describe_short_rankings(results, results.finished_selectors, k):
        glossary.show_caption(plain(f"Some runs select fewer than {k} features: {short}."))
    return k


def default_cardinality(results):
    """The usual number of features per run."""
    return results.n_selected or max(1, len(results.features) // 4)


def describe_short_rankings(results, labels, k) -> str:
    """Selectors with runs that rank fewer than k features, and the numbers that those rank, as text. Empty without any."""
    short = {label: most for label in labels if (most := results.longest([label])) < k}
    return ", ".join(f"{label} ({counted(most, 'feature')})" for label, most in short.items())


def chosen_cardinality(results):
    """The value of `ask_cardinality` on a screen without its control."""
    if not st.session_state.get(session.CARDINALITY_ASKED) or not _can_all_rank(results):
        return None
    return min(max(1, st.session_state.get(session.CARDINALITY) or default_cardinality(results)), len(results.features))


def _can_all_rank(results):
    return all(results.can_rank(label) for label in results.finished_selectors)


def ask_selector(results, key, label, default=0):
    """Choose one of the selectors with results."""
    if key in st.session_state:
        st.session_state[key] = results.display_name(st.session_state[key])  # chosen on another screen, or by its key
    labels = results.finished_selectors
    if st.session_state.get(key) not in labels:
        st.session_state.pop(session.widget_key(key), None)
    usual = labels[min(default, len(labels) - 1)]
    return st.selectbox(label, labels, help=glossary.describe_terms("selector, baseline"), **session.bound(key, usual, labels))


def describe_interval_limits(results) -> list[str]:
    """The limits of intervals, the units that they count, and the note on few runs."""
    counted = results.selections(results.finished_selectors[0]).counted
    sentences = [describe_intervals(results), counted, FEW_RUNS if results.n_runs < RUNS_FOR_PUBLISHED_INTERVAL else ""]
    return [plain(sentence) for sentence in sentences if sentence]


def explain_similarity(view, measure="effective"):
    """Add the feature similarity and its limitations, on a screen with a measure that uses it."""
    if not entry(measure).needs_similarity:
        return
    view.screen.explain(plain(view.describe_similarity()))
    if view.scenario.base == "correlation":
        view.screen.add_limitations(SAME_ROWS_WARNING)
    view.screen.add_limitations(*map(plain, view.similarity_warnings()))
